//! Turns a template into what it declares: a plain class, function or alias. Its parameters become `int` or
//! the simplest constant, the arguments behind its name are deleted, and so are its specialisations.

use crate::c::{child, is};
use crate::functions;
use crate::uses::statement;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::bindings::Definition;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "templates",
    summary: "turns a template into a plain class, function or alias, in all its uses",
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
    ],
    plan,
    ..Pass::DEFAULT
};

/// A template with more uses is left to other passes.
const MOST: usize = 512;

fn plan(base: &Base) -> Vec<Group> {
    let plain = PASS.files(base).flat_map(|file| file.definitions().filter_map(move |d| plain(file, d)));
    vec![Group::deletions(plain).doubtful()]
}

fn plain(file: File<'_>, definition: &Definition) -> Option<Unit> {
    let mut templates: Vec<NodeId> =
        file.places(definition).filter_map(|place| template_of(file, place.name)).collect();
    if templates.is_empty() || definition.uses.len() > MOST {
        return None;
    }
    let mut gone = Vec::new();
    for name in file.uses(definition) {
        let typed = file.parent(name).filter(|&n| is(&file, n, "template_type"));
        let Some(around) = typed.and_then(|n| file.parent(n)) else { continue };
        if file.kind_name(around).ends_with("_specifier") {
            gone.push(statement(&file, name));
        } else if is(&file, around, "qualified_identifier") {
            templates.extend(member_template(file, around));
        }
    }
    templates.sort_unstable();
    templates.dedup();
    let mut cut: Vec<Range<usize>> = Vec::new();
    let mut mentions: Vec<NodeId> = Vec::new();
    for template in templates {
        let declared = file.named_children(template).last()?;
        cut.push(file.range(template).start..file.range(declared).start);
        let parameters = file.named_children(child(&file, template, "template_parameter_list")?);
        mentions.extend(parameters.flat_map(|parameter| functions::mentions(file, declared, parameter)));
    }
    let list = |name| file.parent(name).and_then(|n| child(&file, n, "template_argument_list"));
    cut.extend(file.uses(definition).filter_map(list).map(|list| file.range(list)));
    // What is deleted needs no other change.
    let in_gone = |range: &Range<usize>| gone.iter().any(|&n| is_inside(range, &file.range(n)));
    cut.retain(|range| !in_gone(range));
    let others = cut.clone();
    cut.retain(|range| !others.iter().any(|other| other != range && is_inside(range, other)));
    let mut replaced: Vec<NodeId> = mentions.into_iter().map(|node| dependent(file, node)).collect();
    replaced.retain(|&n| !in_gone(&file.range(n)) && !cut.iter().any(|c| is_inside(&file.range(n), c)));
    replaced.sort_unstable();
    replaced.dedup();
    let constant = file.language().constants().first().copied()?;
    let by = |node| file.filler(node).filter(|_| file.has(node, Role::Type)).unwrap_or(constant);
    let replaced = replaced.into_iter().map(|node| file.replace(node, by(node)));
    let cut = cut.into_iter().map(|range| file.cut(range));
    Some(Unit::together(replaced.chain(cut).chain(gone.iter().map(|&node| file.drop(node)))))
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
