//! Expands the name that a class gives to a type, where it is used for that class: `a::t` becomes the type itself.
//!
//! Many classes give the same name to different types, so a use belongs to the class that its qualifier names, also by
//! another name of the class, or else to the class around it. The pass `aliases` expands names outside of classes.

use crate::c::{all, child, is};
use crate::functions::mentions;
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass = Pass {
    name: "member-types",
    summary: "expands the name of a type that a class defines, where it is used for that class, and deletes it",
    languages: &["cpp"],
    pump: true,
    examples: &[
        Example {
            language: "cpp",
            before: "struct a { using t = float; t b; };\nstruct c { typedef char t; };\na::t d;\nc::t e;\n",
            keep: &["struct a { ", "b; };", "struct c { typedef char t; };", " d;", "c::t e;"],
            after: "struct a { float b; };\nstruct c { typedef char t; };\nfloat d;\nc::t e;\n",
        },
        Example {
            language: "cpp",
            before: "template <class T> struct a { using t = long *; typedef T u; };\nstruct b { typedef a<char> c; };\nb::c::t d;\nb::c::u e;\n",
            keep: &["template", "typedef T u; };", "struct b {", "};", " d;", " e;"],
            after: "template <class T> struct a { typedef T u; };\nstruct b { };\nlong * d;\na<char>::u e;\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// A name with more uses is left as it is.
const MOST: usize = 512;

/// The longest chain of other names of a class that is followed.
const LONGEST: usize = 8;

fn plan(base: &Base) -> Vec<Group> {
    let expanded = PASS.files(base).flat_map(|file| {
        let names = Names::new(file);
        names.aliases.iter().filter_map(|alias| names.expansion(alias)).collect::<Vec<_>>()
    });
    vec![Group::deletions(expanded).doubtful()]
}

/// Another name of a type.
#[derive(Clone, Copy, Debug)]
struct Alias {
    whole: NodeId,
    name: NodeId,
    /// The type, up to the end of `until`.
    from: NodeId,
    until: NodeId,
    /// The body of the class that defines it.
    class: Option<NodeId>,
}

/// The names of classes and types in a file.
struct Names<'a> {
    file: File<'a>,
    aliases: Vec<Alias>,
    /// The names of classes.
    classes: BTreeSet<&'a [u8]>,
    /// For each other name of a class: the names of the classes that it stands for.
    stands_for: BTreeMap<&'a [u8], BTreeSet<&'a [u8]>>,
    /// The classes that define a name of a type: their bodies, with the name.
    definers: BTreeSet<(NodeId, &'a [u8])>,
    /// For each name of a type that a class defines: its uses.
    uses: BTreeMap<&'a [u8], Vec<NodeId>>,
}

impl<'a> Names<'a> {
    fn new(file: File<'a>) -> Self {
        let kinds = ["alias_declaration", "type_definition"];
        let aliases: Vec<Alias> =
            kinds.iter().flat_map(|kind| all(file, kind)).filter_map(|node| alias(file, node)).collect();
        let bodies = all(file, "field_declaration_list");
        let classes =
            bodies.filter_map(|body| class_name(file, body).map(|name| file.node_text(name))).collect();
        let mut names = Self {
            file,
            aliases,
            classes,
            stands_for: BTreeMap::new(),
            definers: BTreeSet::new(),
            uses: BTreeMap::new(),
        };
        let mut defined = BTreeSet::new();
        for alias in &names.aliases {
            let text = file.node_text(alias.name);
            defined.insert(alias.name);
            if let Some(class) = alias.class {
                names.definers.insert((class, text));
                names.uses.entry(text).or_default();
            }
            if alias.from == alias.until {
                let class = last_name(file, alias.from).map(|name| file.node_text(name));
                names.stands_for.entry(text).or_default().extend(class);
            }
        }
        let is_name =
            |&node: &NodeId| matches!(file.kind_name(node), "type_identifier" | "namespace_identifier");
        for node in file.tree().nodes().filter(is_name).filter(|node| !defined.contains(node)) {
            if let Some(uses) = names.uses.get_mut(file.node_text(node)) {
                uses.push(node);
            }
        }
        names
    }

    /// Deletes a name that a class defines, and replaces its uses for the class by the type.
    fn expansion(&self, alias: &Alias) -> Option<Unit> {
        let file = self.file;
        let class = alias.class?;
        let own = class_name(file, class).map(|name| file.node_text(name));
        let uses = self.uses.get(file.node_text(alias.name)).filter(|uses| uses.len() <= MOST)?;
        let text = &file.text()[file.range(alias.from).start..file.range(alias.until).end];
        let needs_class = first_name(file, alias.from)
            .is_some_and(|first| self.definers.contains(&(class, file.node_text(first))));
        let template = file.ancestors(alias.whole).find(|&n| is(&file, n, "template_declaration"));
        let template = template.filter(|&n| depends(file, n, alias));
        let mut units = Vec::new();
        for &used in uses {
            let place = Place::new(file, used);
            let is_own = match place.scope {
                Some(scope) => own.is_some() && self.class_of(scope) == own,
                None => self.definer_around(used) == Some(class),
            };
            if !is_own {
                continue;
            }
            if template.is_some_and(|template| !file.is_within(used, template)) {
                return None;
            }
            let qualifier = file.range(place.whole).start..file.range(used).start;
            let is_needed = place.scope.is_some() && needs_class;
            let scope = if is_needed { &file.text()[qualifier.clone()] } else { b"" };
            let by = Source::made([scope, text].concat());
            if place.ends {
                units.push(file.replace(place.whole, by));
            } else {
                units.push(file.replace(used, by));
                units.extend((!qualifier.is_empty()).then(|| file.cut(qualifier)));
            }
        }
        (!units.is_empty()).then(|| {
            units.push(file.drop(alias.whole));
            Unit::together(units)
        })
    }

    /// The name of the class that a qualifier stands for.
    fn class_of(&self, scope: NodeId) -> Option<&'a [u8]> {
        let mut name = self.file.node_text(last_name(self.file, scope)?);
        for _ in 0..LONGEST {
            if self.classes.contains(name) {
                return Some(name);
            }
            let all = self.stands_for.get(name)?;
            name = all.first().filter(|_| all.len() == 1)?;
        }
        None
    }

    /// The body of the innermost class around a use that defines its name.
    fn definer_around(&self, used: NodeId) -> Option<NodeId> {
        let text = self.file.node_text(used);
        self.file.ancestors(used).find(|&around| self.definers.contains(&(around, text)))
    }
}

/// The place of a use of a name.
struct Place {
    /// What stands before the name, to tell where it is defined.
    scope: Option<NodeId>,
    /// The name, with all of that.
    whole: NodeId,
    /// Whether nothing follows the name in `whole`.
    ends: bool,
}

impl Place {
    fn new(file: File<'_>, used: NodeId) -> Self {
        let scope_of = |node: NodeId| file.children(node).next().filter(|&n| !is(&file, n, "::"));
        let around = |node: NodeId| file.parent(node).filter(|&n| is(&file, n, "qualified_identifier"));
        let is_end = |node: NodeId, whole: NodeId| file.range(node).end == file.range(whole).end;
        match around(used) {
            Some(outer) if is_end(used, outer) => {
                Self { scope: scope_of(outer), whole: widened(file, used), ends: true }
            }
            Some(outer) => match around(outer).filter(|&n| is_end(outer, n)) {
                Some(outermost) => Self { scope: scope_of(outermost), whole: outermost, ends: false },
                None => Self { scope: None, whole: used, ends: true },
            },
            None => Self { scope: None, whole: used, ends: true },
        }
    }
}

/// A name with all that stands before it to tell where it is defined: `typename a::b::t` for `t`.
fn widened(file: File<'_>, name: NodeId) -> NodeId {
    let is_longer = |&n: &NodeId| {
        let kind = file.kind_name(n);
        (kind == "qualified_identifier" || kind == "dependent_type")
            && file.range(n).end == file.range(name).end
    };
    file.ancestors(name).take_while(is_longer).last().unwrap_or(name)
}

/// The name of the class with this body.
fn class_name(file: File<'_>, body: NodeId) -> Option<NodeId> {
    let class = file.parent(body)?;
    let kinds = ["type_identifier", "template_type"];
    let head = kinds.iter().find_map(|kind| child(&file, class, kind))?;
    last_name(file, head)
}

/// Another name of a type, if a type of this name can stand in its place: a pointer can, an array or function cannot.
fn alias(file: File<'_>, whole: NodeId) -> Option<Alias> {
    let class = file.parent(whole).filter(|&n| is(&file, n, "field_declaration_list"));
    if let Some(descriptor) = child(&file, whole, "type_descriptor") {
        let name = child(&file, whole, "type_identifier")?;
        let from = file.named_children(descriptor).next()?;
        let until = file.named_children(descriptor).last()?;
        let is_simple = from == until || is(&file, until, "abstract_pointer_declarator");
        return is_simple.then_some(Alias { whole, name, from, until, class });
    }
    let mut parts = file.named_children(whole);
    let (from, name) = (parts.next()?, parts.next().filter(|&n| is(&file, n, "type_identifier"))?);
    let is_definition =
        ["field_declaration_list", "enumerator_list"].iter().any(|kind| child(&file, from, kind).is_some());
    (parts.next().is_none() && !is_definition).then_some(Alias { whole, name, from, until: from, class })
}

/// The name that a type ends with: `t` in `a::t<b>`.
fn last_name(file: File<'_>, node: NodeId) -> Option<NodeId> {
    match file.kind_name(node) {
        "type_identifier" | "namespace_identifier" => Some(node),
        "template_type" => last_name(file, file.children(node).next()?),
        "qualified_identifier" | "dependent_type" => last_name(file, file.named_children(node).last()?),
        _ => None,
    }
}

/// The name that a type begins with: `a` in `a::t<b>`.
fn first_name(file: File<'_>, node: NodeId) -> Option<NodeId> {
    match file.kind_name(node) {
        "type_identifier" | "namespace_identifier" => Some(node),
        "template_type" | "qualified_identifier" => first_name(file, file.children(node).next()?),
        "dependent_type" => first_name(file, file.named_children(node).next()?),
        _ => None,
    }
}

/// Whether a type names a parameter of a template.
fn depends(file: File<'_>, template: NodeId, alias: &Alias) -> bool {
    let Some(list) = child(&file, template, "template_parameter_list") else { return false };
    file.named_children(list).any(|parameter| !mentions(file, alias.whole, parameter).is_empty())
}
