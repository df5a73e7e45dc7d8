//! Writes a named cast as a C cast: `static_cast<T>(e)` as `(T)e`.

use crate::c::{all, child, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "casts",
    summary: "writes a named cast such as `static_cast` as a C cast",
    languages: &["cpp"],
    proves: true,
    examples: &[Example {
        language: "cpp",
        before: "char *a = static_cast<char *>(f(1));\nlong b = reinterpret_cast<long>(c - 1), d = e_cast<long>(2);\n",
        keep: &["char *a = ", "char *", "f(1)", "long b = ", "long", "c - 1", "d = e_cast<long>(2)"],
        after: "char *a = (char *)f(1);\nlong b = (long)(c - 1), d = e_cast<long>(2);\n",
    }],
    plan,
    ..Pass::DEFAULT
};

const NAMED: &[&[u8]] = &[b"static_cast", b"reinterpret_cast", b"const_cast", b"dynamic_cast"];

fn plan(base: &Base) -> Vec<Group> {
    let casts = PASS
        .files(base)
        .flat_map(|file| all(file, "call_expression").filter_map(move |call| written_as_in_c(file, call)));
    vec![Group::deletions(casts)]
}

fn written_as_in_c(file: File<'_>, call: NodeId) -> Option<Unit> {
    let function = child(&file, call, "template_function")?;
    let name = child(&file, function, "identifier").filter(|&n| NAMED.contains(&file.node_text(n)))?;
    let (list, arguments) =
        (child(&file, function, "template_argument_list")?, child(&file, call, "argument_list")?);
    let mut values = file.named_children(arguments);
    let value = values.next().filter(|_| values.next().is_none())?;
    let mut units = vec![
        file.cut(file.range(name)),
        file.replace(child(&file, list, "<")?, "("),
        file.replace(child(&file, list, ">")?, ")"),
    ];
    let is_simple = ["identifier", "number_literal", "call_expression", "parenthesized_expression"];
    if is_simple.iter().any(|kind| is(&file, value, kind)) {
        let brackets = ["(", ")"].map(|bracket| child(&file, arguments, bracket));
        units.extend(brackets.into_iter().flatten().map(|bracket| file.cut(file.range(bracket))));
    }
    Some(Unit::together(units))
}
