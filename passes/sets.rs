//! Sets a variable in the place of its first use in the next statement: `a = b; f(a);` becomes `f(a = b);`.

use crate::functions::{name_in, part};
use crate::uses::{is_alone, signed, statement};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "sets",
    summary: "sets a variable where the next statement uses it first",
    languages: &["c", "cpp", "javascript", "python"],
    examples: &[
        Example {
            language: "c",
            before: "int f(int a) { a = g(1); h(2, a); return a; }\nint i() { b = c; if (b) b = d; return b + 1; }\n",
            keep: &["a", "g(1)", "h(2,", "return a", "b", "c", "if (b", "= d", "return b + 1"],
            after: "int f(int a) { h(2, a = g(1)); return a; }\nint i() { if (b = c) b = d; return b + 1; }\n",
        },
        Example {
            language: "python",
            before: "a = b(1)\nc.d(e(a), a)\nf = 1\ng = f\n",
            keep: &["b(1)", "c.d(e(a", "), a)", "f = ", "g = "],
            after: "c.d(e(a := b(1)), a)\nf = 1\ng = f\n",
        },
        Example {
            language: "javascript",
            before: "a = b(1);\nc(e, a, a);\n",
            keep: &["b(1)", "c(e, ", ", a)"],
            after: "c(e, a = b(1), a);\n",
        },
        Example {
            language: "cpp",
            before: "void f() { a = b; c<int>(a); }\n",
            keep: &["a", "b", "c<int>("],
            after: "void f() { c<int>(a = b); }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let set =
        PASS.files(base).flat_map(|file| file.with(Role::Variable).filter_map(move |n| set_later(file, n)));
    vec![Group::deletions(set).doubtful()]
}

fn set_later(file: File<'_>, assignment: NodeId) -> Option<Unit> {
    let (name, value) = (part(&file, assignment, Role::VariableName)?, part(&file, assignment, Role::Value)?);
    // A declaration also has a type.
    let whole = Some(statement(&file, assignment)).filter(|_| is_alone(&file, assignment))?;
    let mut behind = file.children(file.parent(whole)?).skip_while(|&n| n != whole).skip(1);
    let next = behind.find(|&n| file.has(n, Role::Statement))?;
    let names = file.bindings().occurrences(name_in(file, name)?).into_iter().map(|n| signed(file, n));
    let mut uses = names.filter(|&n| file.is_within(n, next));
    let used = uses.next().filter(|&n| stands_alone(file, n))?;
    let sign: &[u8] = if file.language().name() == "python" { b" := " } else { b" = " };
    let text = [file.node_text(name), sign, file.node_text(value)].concat();
    Some(Unit::together([file.drop(whole), file.replace(used, text)]))
}

/// Whether a name stands between brackets or commas, so that no operator takes the assignment apart.
fn stands_alone(file: File<'_>, name: NodeId) -> bool {
    let range = file.range(name);
    let (before, behind) =
        (file.text()[..range.start].trim_ascii_end(), file.text()[range.end..].trim_ascii_start());
    matches!(before.last(), Some(b'(' | b',')) && matches!(behind.first(), Some(b')' | b','))
}
