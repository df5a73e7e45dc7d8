//! Lets `auto` stand for the type of a local variable that has a value, and a type behind `->` stand before the function.

use crate::c::{all, child, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "autos",
    summary: "replaces the type of a variable by `auto`, and the `auto` before a function by its type",
    languages: &["cpp"],
    proves: true,
    examples: &[
        Example {
            language: "cpp",
            before: "int f() { const n::s<int> &a = g(), b = h(); for (n::t *c : a) i(c); n::u d = 2, *e = k(); }\n",
            keep: &["a = g()", "b = h()", "c : a", "d = 2", "*e = k()"],
            after: "int f() { auto a = g(), b = h(); for (auto c : a) i(c); auto d = 2, *e = k(); }\n",
        },
        Example {
            language: "cpp",
            before: "auto f(int a) -> n::s { return a; }\n",
            keep: &["f(int a) ", "n::s", "{ return a; }"],
            after: "n::s f(int a) { return a; }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let variables = PASS.files(base).flat_map(|file| {
        let declared = all(file, "declaration").filter(move |&n| is_local(file, n));
        declared.chain(all(file, "for_range_loop")).map(move |n| ways(file, n))
    });
    let functions = PASS
        .files(base)
        .flat_map(|file| all(file, "trailing_return_type").filter_map(move |n| leading(file, n)));
    vec![Group::choices(variables).doubtful(), Group::deletions(functions).doubtful()]
}

/// Whether a declaration is a statement of a function, in which all variables have values.
fn is_local(file: File<'_>, declaration: NodeId) -> bool {
    let declarators = || file.children(declaration).filter(|&n| file.kind_name(n).ends_with("declarator"));
    let has_value = |n: NodeId| is(&file, n, "init_declarator") && child(&file, n, "=").is_some();
    let is_in_block = file.parent(declaration).is_some_and(|n| is(&file, n, "compound_statement"));
    is_in_block && declarators().next().is_some() && declarators().all(has_value)
}

/// `auto` in the place of all that stands before the first name, and in the place of the type alone.
fn ways(file: File<'_>, whole: NodeId) -> Vec<Unit> {
    let Some(of) = file.child_with(whole, Role::Type) else { return Vec::new() };
    let mut following = file.children(whole).skip_while(|&n| n != of).skip(1);
    let Some(declarator) = following.next() else { return Vec::new() };
    let is_name = |n: &NodeId| is(&file, *n, "identifier");
    let names = std::iter::once(declarator).chain(file.descendants(declarator));
    let Some(name) = names.into_iter().find(is_name).map(|n| file.range(n).start) else { return Vec::new() };
    let qualifiers = file.children(whole).find(|&n| is(&file, n, "type_qualifier") && n < of);
    let start = file.range(qualifiers.unwrap_or(of)).start;
    let of_all = start..name;
    let of_type = file.range(of);
    let is_longer = |n: usize| n > 1;
    let mut ways = Vec::new();
    if is_longer(file.tokens_in(of_all.clone()).len()) {
        ways.push(file.write(of_all, *b"auto "));
    }
    if is_longer(file.tokens_in(of_type.clone()).len()) {
        ways.push(file.write(of_type, *b"auto"));
    }
    ways
}

/// Puts the type behind the parameters in the place of the `auto` before the function.
fn leading(file: File<'_>, trailing: NodeId) -> Option<Unit> {
    let of = file.named_children(trailing).next()?;
    let mut around = file.ancestors(trailing);
    let whole = around.find(|&n| !file.kind_name(n).ends_with("declarator"))?;
    let placeholder = child(&file, whole, "placeholder_type_specifier")?;
    Some(Unit::together([file.replace(placeholder, of), file.drop(trailing)]))
}
