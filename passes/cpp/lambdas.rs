//! Makes a function of a variable that holds a lambda, and puts a function that is used once as a value, as a lambda, in the
//! place of its use.

use super::text_with;
use crate::c::{all, at, child, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::layout::deletion;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "lambdas",
    summary: "makes a function of a variable that holds a lambda, and a lambda of a function that is only passed on",
    languages: &["cpp"],
    proves: true,
    examples: &[
        Example {
            language: "cpp",
            before: "int f() {\n    const auto g = [=](int a) mutable -> long { return a; };\n    auto h = []<class t>(t) {};\n    return g(1) + h(2);\n}\nauto i = [] {};\n",
            keep: &[
                "int f()",
                "(int a) ",
                "-> long { return a; }",
                "<class t>",
                "(t) {}",
                "return g(1) + h(2);",
                "auto i",
                " {}",
            ],
            after: "auto g(int a) -> long { return a; }\ntemplate<class t> auto h(t) {}\nint f() {\n    return g(1) + h(2);\n}\nauto i() {}\n",
        },
        Example {
            language: "cpp",
            before: "void f(int (*)(int));\nstatic int g(int a) {\n    return a;\n}\nvoid h() { f(g); }\n",
            keep: &["void f(int (*)(int));", "(int a) {", "return a;", "}", "void h() { f(", "); }"],
            after: "void f(int (*)(int));\nvoid h() { f([](int a) {\n    return a;\n}); }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let functions = PASS.files(base).flat_map(|file| {
        let names = definitions_of_names(file);
        let functions = all(file, "lambda_expression").filter_map(|lambda| function(file, lambda, &names));
        functions.collect::<Vec<_>>()
    });
    let lambdas = PASS
        .files(base)
        .flat_map(|file| all(file, "function_definition").filter_map(move |whole| lambda(file, whole)));
    vec![Group::deletions(functions).doubtful(), Group::deletions(lambdas).doubtful()]
}

/// The number of definitions of each name.
fn definitions_of_names(file: File<'_>) -> BTreeMap<&[u8], usize> {
    let mut names = BTreeMap::new();
    for name in file.definitions().filter_map(|d| file.places(d).next()).map(|place| place.name) {
        *names.entry(file.node_text(name)).or_default() += 1;
    }
    names
}

/// Makes a function of the variable whose value is a lambda.
fn function(file: File<'_>, lambda: NodeId, names: &BTreeMap<&[u8], usize>) -> Option<Unit> {
    let declarator = file.parent(lambda).filter(|&n| is(&file, n, "init_declarator"))?;
    let whole = file.parent(declarator).filter(|&n| is(&file, n, "declaration"))?;
    let is_item = |n: NodeId| file.kind_name(n).ends_with("declarator");
    (file.children(whole).filter(|&n| is_item(n)).count() == 1).then_some(())?;
    let name = child(&file, declarator, "identifier")?;
    let body = child(&file, lambda, "compound_statement")?;
    let mut text = Vec::new();
    if let Some(list) = child(&file, lambda, "template_parameter_list") {
        text.extend([b"template", file.node_text(list), b" "].concat());
    }
    text.extend([b"auto ", file.node_text(name)].concat());
    match child(&file, lambda, "abstract_function_declarator") {
        Some(head) => {
            let of_lambdas = file.children(head).filter(|&n| file.node_text(n) == b"mutable");
            let gone = of_lambdas.map(|n| (deletion(file.parsed, file.range(n)), Vec::new())).collect();
            text.extend(text_with(file, file.range(head), gone));
        }
        None => text.extend(b"()"),
    }
    text.extend([b" ", file.node_text(body)].concat());
    let item = item(file, whole);
    if item == whole {
        return Some(file.write(file.range(whole), text));
    }
    // Another function of this name would get its calls.
    (names.get(file.node_text(name)) == Some(&1)).then_some(())?;
    text.push(b'\n');
    Some(Unit::together([file.drop(whole), file.write(at(&file, item), text)]))
}

/// The node, or the statement around it, that stands directly in the file or in a namespace.
fn item(file: File<'_>, node: NodeId) -> NodeId {
    let is_in_space = |&n: &NodeId| {
        let around = file.parent(n);
        around.is_some_and(|n| matches!(file.kind_name(n), "translation_unit" | "declaration_list"))
    };
    std::iter::once(node).chain(file.ancestors(node)).find(is_in_space).unwrap_or(node)
}

/// Puts a function, as a lambda, in the place of its only use.
fn lambda(file: File<'_>, whole: NodeId) -> Option<Unit> {
    let declarator = child(&file, whole, "function_declarator")?;
    let name = child(&file, declarator, "identifier")?;
    let parameters = child(&file, declarator, "parameter_list")?;
    let body = child(&file, whole, "compound_statement")?;
    (item(file, whole) == whole).then_some(())?;
    let definition = file.definition(name)?;
    let mut uses = file.uses(definition);
    let used = uses.next().filter(|&n| uses.next().is_none() && !file.is_within(n, whole))?;
    (definition.places.len() == 1).then_some(())?;
    let around = file.parent(used)?;
    let is_value = is(&file, around, "argument_list") || file.has(used, Role::Value);
    is_value.then_some(())?;
    let text = [b"[]", file.node_text(parameters), b" ", file.node_text(body)].concat();
    Some(Unit::together([file.drop(whole), file.replace(used, text)]))
}
