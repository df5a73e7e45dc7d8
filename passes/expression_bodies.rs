//! Writes a body that only returns or evaluates an expression as that expression: `int f() { return 1; }` becomes `int f() => 1;`.

use crate::functions::evaluated;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "expression-bodies",
    summary: "writes a function whose body only returns or evaluates an expression with that expression as its body",
    languages: &["csharp", "javascript", "kotlin", "php", "tsx", "typescript"],
    proves: true,
    examples: &[
        Example {
            language: "javascript",
            before: "function f(a) { return g(a); }\nh(f, function (b) { i(b); });\n",
            keep: &["f", "(a)", "g(a)", "h(f, ", "(b)", "i(b)"],
            after: "let f = (a) => g(a)\nh(f, (b) => i(b));\n",
        },
        Example {
            language: "csharp",
            before: "class A {\n    int F(int a) { return G(a); }\n    int B { get { return F(1); } }\n}\n",
            keep: &["int F(int a)", "G(a)", "int B", "F(1)"],
            after: "class A {\n    int F(int a) => G(a);\n    int B => F(1);\n}\n",
        },
        Example {
            language: "typescript",
            before: "f(function (a: b): c { return a; });\n",
            keep: &["f(", "(a: b): c"],
            after: "f((a: b): c => a);\n",
        },
        Example {
            language: "tsx",
            before: "f(function (a) { return <b/>; });\n",
            keep: &["f(", "(a)", "<b/>"],
            after: "f((a) => <b/>);\n",
        },
        Example {
            language: "kotlin",
            before: "fun f(a: Int): Int { return g(a) }\n",
            keep: &["fun f(a: Int): Int", "g(a)"],
            after: "fun f(a: Int): Int = g(a)\n",
        },
        Example {
            language: "php",
            before: "<?php\nf(function ($a) use ($b) { return $a + $b; });\n",
            keep: &["f(", "($a)", "$a + $b"],
            after: "<?php\nf(fn ($a) => $a + $b);\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// How some languages write a function with an expression for its body.
struct Form {
    languages: &'static [&'static str],
    /// Between the parameters and the expression.
    arrow: &'static str,
    /// Behind the expression.
    end: &'static str,
    /// What takes the place of `function`, if the function is one of those that begin with it.
    keyword: Option<&'static str>,
    /// Whether a function that has a name becomes a variable.
    has_variables: bool,
}

const FORMS: &[Form] = &[
    Form { languages: &["csharp"], arrow: "=> ", end: ";", keyword: None, has_variables: false },
    Form { languages: &["kotlin"], arrow: "= ", end: "", keyword: None, has_variables: false },
    Form { languages: &["php"], arrow: "=> ", end: "", keyword: Some("fn"), has_variables: false },
    Form {
        languages: &["javascript", "tsx", "typescript"],
        arrow: "=> ",
        end: "",
        keyword: Some(""),
        has_variables: true,
    },
];

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let form = FORMS.iter().find(|form| form.languages.contains(&file.language().name()));
        let bodies = file.with(Role::Block);
        bodies.filter_map(move |body| form.and_then(|form| as_expression(file, form, body)))
    });
    vec![Group::deletions(units).doubtful()]
}

/// What makes an expression of a function's body.
fn as_expression(file: File<'_>, form: &Form, body: NodeId) -> Option<Unit> {
    let (expression, is_returned) = only_expression(file, body)?;
    let whole = enclosing(file, body)?;
    let function = file.parent(whole)?;
    let (mut place, from) = (file.range(whole), file.range(expression));
    let mut units = Vec::new();
    if let Some(by) = form.keyword {
        let keyword = file.children(function).find(|&n| file.node_text(n) == b"function")?;
        let list = file.children(function).find(|&n| file.node_text(n).starts_with(b"("))?;
        let (keyword, list) = (file.range(keyword), file.range(list));
        let name = std::str::from_utf8(file.text()[keyword.end..list.start].trim_ascii()).ok()?;
        if !name.bytes().all(|c| c.is_ascii_alphanumeric() || b"_$".contains(&c)) {
            return None;
        }
        let is_plain = file.range(function).start == keyword.start;
        let by = match (name, file.has(function, Role::Statement)) {
            ("", _) | (_, false) => by.to_owned(),
            (_, true) if is_returned && is_plain && form.has_variables => format!("let {name} = "),
            _ => return None,
        };
        let end = if by.is_empty() || !name.is_empty() { list.start } else { keyword.end };
        units.push(file.write(keyword.start..end, by));
        // The expression knows the variables around it without being told.
        let is_capture =
            |&n: &NodeId| file.range(n).start >= list.end && file.node_text(n).starts_with(b"use");
        if let Some(captures) = file.children(function).filter(|&n| n != whole).find(is_capture) {
            match file.next_sibling(captures) {
                Some(next) if next == whole => place.start = file.range(captures).start,
                _ => units.push(file.cut(list.end..file.range(captures).end)),
            }
        }
    }
    // What begins with a brace would be a block.
    let (open, close) = if file.node_text(expression).starts_with(b"{") { ("(", ")") } else { ("", "") };
    units.push(file.write(place.start..from.start, format!("{}{open}", form.arrow)));
    units.push(file.write(from.end..place.end, format!("{close}{}", form.end)));
    Some(Unit::together(units))
}

/// The expression of a block in braces that has one statement, which returns or evaluates it; and whether it is returned.
fn only_expression(file: File<'_>, block: NodeId) -> Option<(NodeId, bool)> {
    let mut statements = file.named_children(block);
    let statement = statements.next().filter(|_| statements.next().is_none())?;
    let returned = file.child_with(statement, Role::Returned);
    let expression = returned.or_else(|| evaluated(file, statement))?;
    // Several expressions, of which the last one counts, need brackets.
    let is_one = file.children(expression).all(|n| file.node_text(n) != b",");
    (file.node_text(block).starts_with(b"{") && is_one).then_some((expression, returned.is_some()))
}

/// The node in whose place the expression may stand: the body of a function, or all between the braces of a property that is only
/// read.
fn enclosing(file: File<'_>, body: NodeId) -> Option<NodeId> {
    let same = |&node: &NodeId| file.range(node) == file.range(body);
    let whole = std::iter::successors(Some(body), |&node| file.parent(node).filter(same)).last()?;
    let function = file.parent(whole)?;
    let mut parts = file.children(function);
    let first = parts.next()?;
    if file.node_text(first) == b"get" && parts.next() == Some(whole) {
        let list = file.parent(function)?;
        let is_alone = file.named_children(list).nth(1).is_none();
        return (is_alone && file.has(list, Role::Block)).then_some(list);
    }
    let is_function = file.has(function, Role::Function)
        || file.children(function).any(|n| file.has(n, Role::Parameters) || file.node_text(n) == b"function");
    let has_arrow = file.previous_sibling(whole).is_some_and(|n| file.node_text(n) == b"=>");
    (is_function && !has_arrow).then_some(whole)
}
