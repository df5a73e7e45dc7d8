//! Turns a template into what it declares: a plain class, function or alias. Its parameters become `int` and the simplest
//! constant, or the arguments of its first use that names all of them; the arguments behind its name are deleted, and
//! so are its specialisations. Or a specialisation takes the place of the template, plain if it fits a use of the template;
//! or only one parameter goes.

use crate::c::{child, is};
use crate::functions;
use crate::uses::statement;
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::bindings::Definition;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "templates",
    summary: "turns a template into a plain class, function or alias, or deletes a parameter, in all its uses",
    languages: &["cpp"],
    grain: Grain::Coarse,
    pump: true,
    examples: &[
        Example {
            language: "cpp",
            before: "template <class T, int N> struct s { T a[N]; typename T::t b; void f(); };\ntemplate <> struct s<char, 1> { };\ntemplate <class T, int N> void s<T, N>::f() { }\ns<float, 3> x;\n",
            keep: &[" a[", "b;", "f() { }", " x;"],
            after: "struct s { int a[0]; int b; void f(); };\nvoid s::f() { }\ns x;\n",
        },
        Example {
            language: "cpp",
            before: "template <class T> requires c<T> T f(T a) { return g<T>(a) + a; }\nint x = f<float>(1) + n::f<int>(2);\n",
            keep: &["a) {", "g<", "(a) + a; }", "(1) + n::f", "2"],
            after: "int f(int a) { return g<int>(a) + a; }\nint x = f(1) + n::f(2);\n",
        },
        Example {
            language: "cpp",
            before: "template <class T, int N = 3> struct s { T a[N]; };\ns<unsigned char> x;\n",
            keep: &[" a[", "unsigned char", "3", " x;"],
            after: "struct s { unsigned char a[3]; };\ns x;\n",
        },
        Example {
            language: "cpp",
            before: "template <class T, class U> T f(U a) { T b; return a; }\nint x = f<float, int>(1) + f<char>(2);\n",
            keep: &[
                "template <",
                "class U> ",
                "float",
                " f(U a) { ",
                " b; return a; }",
                "int>(1) + f",
                "(2)",
            ],
            after: "template <class U> float f(U a) { float b; return a; }\nint x = f<int>(1) + f(2);\n",
        },
        Example {
            language: "cpp",
            before: "template <class T> struct s { };\ntemplate <> struct s<char> { int a; };\ntemplate <class T> struct t;\ntemplate <class T> struct t<T *> { T b; };\ns<char> x;\nt<int *> y;\n",
            keep: &["int a;", "<class T> struct t", "b;", "> y;"],
            after: "struct s { int a; };\ntemplate <class T> struct t { T b; };\ns x;\nt<int *> y;\n",
        },
        Example {
            language: "cpp",
            before: "template <class T> struct t;\ntemplate <class T> struct t<t<T> *> { T b; };\nt<t<char> *> x;\n",
            keep: &["b;", "char", " x;"],
            after: "struct t { char b; };\nt x;\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// A template with more uses is left to other passes.
const MOST: usize = 512;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| file.definitions().map(move |d| ways(file, d)));
    let narrowed = PASS.files(base).flat_map(|file| file.definitions().flat_map(move |d| narrowed(file, d)));
    vec![Group::choices(ways).doubtful(), Group::choices(narrowed).doubtful()]
}

/// The ways to delete one of several parameters of a function template. (Those of a class template are parameters like
/// those of functions.)
fn narrowed(file: File<'_>, definition: &Definition) -> Vec<Vec<Unit>> {
    let Some(template) = Template::new(file, definition) else { return Vec::new() };
    let is_of_function = |&n: &NodeId| !file.has(n, Role::Function);
    let heads = template.whole.iter().filter_map(|&n| child(&file, n, "template_parameter_list"));
    let most = heads.map(|list| file.named_children(list).count()).max().unwrap_or(0);
    if most < 2 || !template.whole.iter().all(is_of_function) {
        return Vec::new();
    }
    let given = template.given();
    let ways = |place| {
        let mut ways: Vec<Unit> = template.without(place, None).into_iter().collect();
        ways.extend(given.and_then(|_| template.without(place, given)).filter(|unit| !ways.contains(unit)));
        ways
    };
    (0..most).map(ways).collect()
}

/// The ways to make a template plain.
fn ways(file: File<'_>, definition: &Definition) -> Vec<Unit> {
    let Some(template) = Template::new(file, definition) else { return Vec::new() };
    let given = template.given();
    let mut ways: Vec<Unit> = template.plain(None).into_iter().collect();
    ways.extend(given.and_then(|list| template.plain(Some(list))).filter(|unit| !ways.contains(unit)));
    ways.extend(template.fitting());
    ways.extend(template.special());
    ways
}

/// A template with its declarations.
pub(super) struct Template<'a> {
    file: File<'a>,
    definition: &'a Definition,
    /// Its declarations, and the definitions of its members outside it.
    pub(super) whole: Vec<NodeId>,
    /// Its specialisations: each with its list of arguments.
    special: Vec<(NodeId, NodeId)>,
}

impl<'a> Template<'a> {
    pub(super) fn new(file: File<'a>, definition: &'a Definition) -> Option<Self> {
        let mut whole: Vec<NodeId> =
            file.places(definition).filter_map(|place| template_of(file, place.name)).collect();
        if whole.is_empty() || definition.uses.len() > MOST {
            return None;
        }
        let mut special = Vec::new();
        for name in file.uses(definition) {
            let typed = file.parent(name).filter(|&n| is(&file, n, "template_type"));
            let Some((typed, around)) = typed.and_then(|n| Some((n, file.parent(n)?))) else { continue };
            if file.kind_name(around).ends_with("_specifier") {
                special.extend(child(&file, typed, "template_argument_list").map(|list| (name, list)));
            } else if is(&file, around, "qualified_identifier") {
                whole.extend(member_template(file, around));
            }
        }
        whole.sort_unstable();
        whole.dedup();
        Some(Self { file, definition, whole, special })
    }

    /// The lists of arguments behind the name.
    fn lists(&self) -> impl Iterator<Item = NodeId> {
        let file = self.file;
        let list = move |name| file.parent(name).and_then(|n| child(&file, n, "template_argument_list"));
        file.uses(self.definition).filter_map(list)
    }

    /// The arguments of the first use that names all of them, and none that is itself a parameter of a template.
    fn given(&self) -> Option<NodeId> {
        let file = self.file;
        let needed = |list: NodeId| {
            let all = file.named_children(list);
            all.filter(|&n| functions::default_of(file, n).is_none()).count()
        };
        let heads = self.whole.iter().filter_map(|&n| child(&file, n, "template_parameter_list"));
        let needed = heads.map(needed).min()?;
        self.concrete().find(|&list| file.named_children(list).count() >= needed)
    }

    /// The lists of arguments behind the name that name no parameter of a template, but for those of specialisations.
    fn concrete(&self) -> impl Iterator<Item = NodeId> {
        let file = self.file;
        let is_inside =
            move |list: NodeId| file.ancestors(list).any(|n| is(&file, n, "template_declaration"));
        let is_special = |list: NodeId| self.special.iter().any(|(_, other)| *other == list);
        self.lists().filter(move |&list| !is_inside(list) && !is_special(list))
    }

    /// Makes the template plain: its parameters become these arguments, or the simplest type or constant.
    fn plain(&self, given: Option<NodeId>) -> Option<Unit> {
        let file = self.file;
        let gone: Vec<NodeId> = self.special.iter().map(|(name, _)| statement(&file, *name)).collect();
        let is_given = given.is_some();
        let given: Vec<NodeId> = given.map_or(vec![], |list| file.named_children(list).collect());
        let mut cut: Vec<Range<usize>> = Vec::new();
        let mut mentions: Vec<(NodeId, Option<NodeId>)> = Vec::new();
        for &template in &self.whole {
            let declared = file.named_children(template).last()?;
            cut.push(file.range(template).start..file.range(declared).start);
            let parameters = file.named_children(child(&file, template, "template_parameter_list")?);
            for (place, parameter) in parameters.enumerate() {
                let default = || functions::default_of(file, parameter).filter(|_| is_given);
                let by = given.get(place).copied().or_else(default);
                let here = functions::mentions(file, declared, parameter);
                mentions.extend(here.into_iter().map(|node| (node, by)));
            }
        }
        cut.extend(self.lists().map(|list| file.range(list)));
        // What is deleted needs no other change.
        let in_gone = |range: &Range<usize>| gone.iter().any(|&n| is_inside(range, &file.range(n)));
        cut.retain(|range| !in_gone(range));
        let others = cut.clone();
        cut.retain(|range| !others.iter().any(|other| other != range && is_inside(range, other)));
        let widened = |(node, by): (NodeId, Option<NodeId>)| match by {
            Some(_) => (node, by),
            None => (dependent(file, node), by),
        };
        let mut replaced: Vec<(NodeId, Option<NodeId>)> = mentions.into_iter().map(widened).collect();
        replaced
            .retain(|(n, _)| !in_gone(&file.range(*n)) && !cut.iter().any(|c| is_inside(&file.range(*n), c)));
        replaced.sort_unstable();
        replaced.dedup();
        let constant = file.language().constants().first().copied()?;
        let simplest = |node| file.filler(node).filter(|_| file.has(node, Role::Type)).unwrap_or(constant);
        let replaced = replaced.into_iter().map(|(node, by)| match by {
            Some(by) => file.replace(node, Source::Node(by)),
            None => file.replace(node, simplest(node)),
        });
        let cut = cut.into_iter().map(|range| file.cut(range));
        Some(Unit::together(replaced.chain(cut).chain(gone.iter().map(|&node| file.drop(node)))))
    }

    /// Deletes the parameter at a place: it becomes the argument there, or otherwise the simplest type or constant.
    fn without(&self, place: usize, given: Option<NodeId>) -> Option<Unit> {
        let file = self.file;
        let mut units = Vec::new();
        let given = given.and_then(|list| file.named_children(list).nth(place));
        let constant = file.language().constants().first().copied()?;
        for &template in &self.whole {
            let declared = file.named_children(template).last()?;
            let list = child(&file, template, "template_parameter_list")?;
            let parameter = file.named_children(list).nth(place)?;
            units.push(file.drop(parameter));
            for mention in functions::mentions(file, template, parameter) {
                units.push(match given.filter(|_| file.is_within(mention, declared)) {
                    Some(by) => file.replace(mention, Source::Node(by)),
                    None => {
                        let filler = file.filler(mention).filter(|_| file.has(mention, Role::Type));
                        file.replace(dependent(file, mention), filler.unwrap_or(constant))
                    }
                });
            }
        }
        units.extend(self.arguments_at(place));
        Some(Unit::together(units))
    }

    /// Deletes the argument at a place wherever the name has one there.
    pub(super) fn arguments_at(&self, place: usize) -> impl Iterator<Item = Unit> {
        let file = self.file;
        self.lists().filter_map(move |list| {
            let arguments: Vec<NodeId> = file.named_children(list).collect();
            let &argument = arguments.get(place)?;
            Some(if arguments.len() == 1 { file.cut(file.range(list)) } else { file.drop(argument) })
        })
    }

    /// Puts the first specialisation in the place of the template and of all other ones. If it has parameters, it becomes
    /// the template.
    fn special(&self) -> Option<Unit> {
        let (kept, list) = *self.special.first()?;
        let has_parameters = self.parameters_of(kept)?.next().is_some();
        self.in_place(kept, list, (!has_parameters).then(Vec::new))
    }

    /// Puts the first specialisation with parameters that fits a use of the template in the place of the template and of all
    /// other ones. It becomes plain: its parameters become what they stand for in that use.
    fn fitting(&self) -> Option<Unit> {
        self.special.iter().find_map(|&(kept, list)| {
            let parameters: Vec<NodeId> = self.parameters_of(kept)?.collect();
            let meant = self.concrete().find_map(|given| meant(self.file, list, given, &parameters))?;
            (!parameters.is_empty()).then(|| self.in_place(kept, list, Some(meant)))?
        })
    }

    /// The parameters of a specialisation, by the name in it.
    fn parameters_of(&self, kept: NodeId) -> Option<impl Iterator<Item = NodeId>> {
        let head = child(&self.file, statement(&self.file, kept), "template_parameter_list")?;
        Some(self.file.named_children(head))
    }

    /// Puts a specialisation, with its name and its arguments, in the place of the template and of all other ones. It becomes
    /// plain if it is known what its parameters stand for.
    fn in_place(&self, kept: NodeId, list: NodeId, meant: Option<Vec<(NodeId, NodeId)>>) -> Option<Unit> {
        let file = self.file;
        let own = statement(&file, kept);
        let others = self.special.iter().map(|(name, _)| statement(&file, *name)).filter(|&n| n != own);
        let gone: Vec<NodeId> = self.whole.iter().copied().chain(others).collect();
        if gone.iter().any(|&n| file.is_within(own, n) || n == own) {
            return None;
        }
        let mut cut: Vec<Range<usize>> = vec![file.range(list)];
        let mut replaced = Vec::new();
        if let Some(meant) = meant {
            let declared = file.named_children(own).last()?;
            cut.push(file.range(own).start..file.range(declared).start);
            cut.extend(self.lists().filter(|&n| n != list).map(|n| file.range(n)));
            for (parameter, by) in meant {
                let mentions = functions::mentions(file, declared, parameter);
                replaced.extend(mentions.into_iter().map(|node| (node, by)));
            }
        }
        let in_gone = |range: &Range<usize>| gone.iter().any(|&n| is_inside(range, &file.range(n)));
        cut.retain(|range| !in_gone(range));
        let others = cut.clone();
        cut.retain(|range| !others.iter().any(|other| other != range && is_inside(range, other)));
        replaced.retain(|(n, _)| !cut.iter().any(|range| is_inside(&file.range(*n), range)));
        let replaced = replaced.into_iter().map(|(node, by)| file.replace(node, Source::Node(by)));
        let cut = cut.into_iter().map(|range| file.cut(range));
        Some(Unit::together(replaced.chain(cut).chain(gone.iter().map(|&node| file.drop(node)))))
    }
}

/// What the parameters of a specialisation stand for if its arguments are these; `None` if they do not fit. O(nodes).
fn meant(
    file: File<'_>,
    pattern: NodeId,
    given: NodeId,
    parameters: &[NodeId],
) -> Option<Vec<(NodeId, NodeId)>> {
    let definition_of = |name: NodeId| file.bindings().of(name);
    let named =
        |&parameter: &NodeId| Some((functions::name_in(file, parameter).and_then(definition_of)?, parameter));
    let parameters: BTreeMap<usize, NodeId> = parameters.iter().map(named).collect::<Option<_>>()?;
    let mut meant: BTreeMap<NodeId, NodeId> = BTreeMap::new();
    let mut due = vec![(pattern, given)];
    while let Some((pattern, given)) = due.pop() {
        let parameter = definition_of(pattern).and_then(|definition| parameters.get(&definition));
        let (parts, others): (Vec<_>, Vec<_>) =
            (file.children(pattern).collect(), file.children(given).collect());
        let same = if let Some(&parameter) = parameter {
            file.node_text(*meant.entry(parameter).or_insert(given))
        } else if parts.is_empty() {
            file.node_text(pattern)
        } else if parts.len() == others.len() {
            due.extend(parts.into_iter().zip(others));
            continue;
        } else {
            return None;
        };
        (same == file.node_text(given)).then_some(())?;
    }
    (meant.len() == parameters.len()).then(|| meant.into_iter().collect())
}

fn is_inside(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The template that declares what has this name.
fn template_of(file: File<'_>, name: NodeId) -> Option<NodeId> {
    let whole = file.ancestors(name).find(|&n| is(&file, n, "template_declaration"))?;
    let declared = file.named_children(whole).last()?;
    let mut between = file.ancestors(name).take_while(|&n| n != declared);
    let is_head = |n: NodeId| !file.has(n, Role::Block) && !file.has(n, Role::Parameters);
    (file.is_within(name, declared) && between.all(is_head)).then_some(whole)
}

/// The template of a member that is defined outside its class, the name of which this qualified name is.
fn member_template(file: File<'_>, qualified: NodeId) -> Option<NodeId> {
    file.parent(qualified).filter(|&n| is(&file, n, "function_declarator"))?;
    template_of(file, qualified)
}

/// The widest type or name that depends on a parameter of a template: `typename T::t` for `T`.
fn dependent(file: File<'_>, name: NodeId) -> NodeId {
    let mut node = name;
    while let Some(parent) = file.parent(node) {
        let is_scope =
            is(&file, parent, "qualified_identifier") && file.children(parent).next() == Some(node);
        if !is_scope && !is(&file, parent, "dependent_type") {
            break;
        }
        node = parent;
    }
    node
}
