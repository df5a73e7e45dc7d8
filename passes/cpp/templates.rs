//! Turns a template into what it declares: a plain class, function or alias. Its parameters become `int` or
//! the simplest constant, the arguments behind its name are deleted, and so are its specialisations.

use crate::c::{child, is};
use crate::uses::statement;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::bindings::Definition;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

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
        let Some(parent) = file.parent(name).filter(|&n| is(&file, n, "template_type")) else { continue };
        let Some(around) = file.parent(parent) else { continue };
        if file.kind_name(around).ends_with("_specifier") {
            gone.push(statement(&file, name));
        } else if is(&file, around, "qualified_identifier") {
            templates.extend(member_template(file, around));
        }
    }
    templates.sort_unstable();
    templates.dedup();
    let is_left = |node: &NodeId| !gone.iter().any(|&n| file.is_within(*node, n));
    let mut units: Vec<Unit> = Vec::new();
    let mut changed: Vec<NodeId> = Vec::new();
    for template in templates.into_iter().filter(is_left) {
        let declared = file.named_children(template).last()?;
        units.push(file.cut(file.range(template).start..file.range(declared).start));
        for parameter in file.named_children(
            file.child_with(template, Role::Parameters)
                .or_else(|| child(&file, template, "template_parameter_list"))?,
        ) {
            let declared_in = |&n: &NodeId| file.is_within(n, declared);
            let mentions = crate::functions::mentions(file, template, parameter);
            changed.extend(mentions.into_iter().filter(declared_in));
        }
    }
    let arguments = file.uses(definition).filter_map(|name| {
        let list = file.parent(name).and_then(|n| child(&file, n, "template_argument_list"))?;
        Some(list).filter(is_left)
    });
    let arguments: Vec<NodeId> = arguments.collect();
    let stays = |n: &NodeId| is_left(n) && !arguments.iter().any(|&list| file.is_within(*n, list));
    let mut replaced: Vec<NodeId> = changed.into_iter().filter(stays).map(|n| dependent(file, n)).collect();
    replaced.sort_unstable();
    replaced.dedup();
    let inner =
        |list: &&NodeId| !arguments.iter().any(|&other| other != **list && file.is_within(**list, other));
    units.extend(arguments.iter().filter(inner).map(|&list| file.cut(file.range(list))));
    let constant = file.language().constants().first().copied()?;
    units.extend(replaced.iter().map(
        |&node| match file.filler(node).filter(|_| file.has(node, Role::Type)) {
            Some(filler) => file.replace(node, filler),
            None => file.replace(node, constant),
        },
    ));
    units.extend(gone.into_iter().map(|node| file.drop(node)));
    Some(Unit::together(units))
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
