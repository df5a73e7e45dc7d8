//! Replaces a comprehension by a display of its element: `[a for b in c]` becomes `[a]`.

use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "displays",
    summary: "replaces a comprehension by a list, set or dictionary that holds its element",
    languages: &["python"],
    proves: true,
    examples: &[Example {
        language: "python",
        before: "x = sum(1 for a in b if a), sum((2 for c in d), e)\ny = [f for g in h], {i: j for k in l}\n",
        keep: &["x = sum(", "1", "sum(", "2", ", e)", "y = [f", "], {i: j"],
        after: "x = sum([1]), sum([2], e)\ny = [f], {i: j}\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let displays =
        PASS.files(base).flat_map(|file| file.tree().nodes().filter_map(move |n| display(file, n)));
    vec![Group::deletions(displays).doubtful()]
}

fn display(file: File<'_>, node: NodeId) -> Option<Unit> {
    let (open, close): (&[u8], &[u8]) = match file.kind_name(node) {
        "list_comprehension" => (b"[", b"]"),
        "set_comprehension" | "dictionary_comprehension" => (b"{", b"}"),
        // The brackets of a call may enclose a generator.
        "generator_expression" if file.parent(node).is_some_and(|n| file.kind_name(n) == "call") => {
            (b"([", b"])")
        }
        "generator_expression" => (b"[", b"]"),
        _ => return None,
    };
    let element = file.children(node).find(|&n| file.is_named(n) && !file.has(n, Role::Comment))?;
    let by = [open, file.node_text(element), close].concat();
    Some(file.replace(node, by))
}
