//! Writes what is appended to a new list into the list: `a = []` and `a.append(1)` become `a = [1]`.

use crate::functions::{is_display, items_of, name_in, part, receiver};
use crate::uses::{is_alone, statement};
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "appends",
    summary: "writes what is appended to a new list into the list: `a = [1]`",
    languages: &["javascript", "python", "tsx", "typescript"],
    examples: &[
        Example {
            language: "python",
            before: "a = []\nb = f()\na.append(b + 2)\na.append(3)\ng(a)\n",
            keep: &["b = f()", "b + 2", "3", "g(a)"],
            after: "b = f()\na = [b + 2, 3]\ng(a)\n",
        },
        Example {
            language: "javascript",
            before: "let a = [1];\na.push(2, 3);\ng(a);\n",
            keep: &["let a = [1", "2, 3", "g(a)"],
            after: "let a = [1, 2, 3];\ng(a);\n",
        },
        Example {
            language: "typescript",
            before: "const a: T[] = [];\na.push(2);\ng(a);\n",
            keep: &["const a: T[] = [", "2", "g(a)"],
            after: "const a: T[] = [2];\ng(a);\n",
        },
        Example {
            language: "tsx",
            before: "let a = [];\na.push(<b/>);\ng(a);\n",
            keep: &["let a = [", "<b/>", "g(a)"],
            after: "let a = [<b/>];\ng(a);\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The methods that put their arguments at the end of a list.
const METHODS: [&[u8]; 2] = [b"append", b"push"];

fn plan(base: &Base) -> Vec<Group> {
    let filled =
        PASS.files(base).flat_map(|file| file.with(Role::Variable).filter_map(move |n| filled(file, n)));
    vec![Group::deletions(filled).doubtful()]
}

/// The list in the place of the first statement that uses it, if that appends to it: what it appends may be computed between the two.
fn filled(file: File<'_>, assignment: NodeId) -> Option<Unit> {
    let (name, value) = (part(&file, assignment, Role::VariableName)?, part(&file, assignment, Role::Value)?);
    let close = file.children(value).last().filter(|_| is_display(file, value))?;
    let definition = file.definition(name_in(file, name)?)?;
    let whole = Some(statement(&file, assignment)).filter(|_| is_alone(&file, assignment))?;
    let first = file.uses(definition).filter(|&n| file.range(n).start >= file.range(whole).end).min()?;
    let appending = statement(&file, first);
    let call = file.named_children(appending).next().and_then(|n| file.bindings().call(n))?;
    let is_filled = file.parent(appending) == file.parent(whole)
        && receiver(&file, &call) == Some(first)
        && METHODS.contains(&file.node_text(call.callee));
    let list = part(&file, call.whole, Role::Arguments).filter(|_| is_filled)?;
    let (from, to) = (items_of(&file, list).first().copied()?, items_of(&file, list).last().copied()?);
    let text = |start: usize, end: usize| &file.text()[start..end];
    let appended = text(file.range(from).start, file.range(to).end);
    let separator: &[u8] = if items_of(&file, value).is_empty() { b"" } else { b", " };
    let (around, close) = (file.range(whole), file.range(close).start);
    let list = [text(around.start, close), separator, appended, text(close, around.end)].concat();
    Some(Unit::together([file.drop(whole), file.replace(appending, Source::made(list))]))
}
