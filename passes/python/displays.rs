//! A comprehension becomes a display of its element: `[a for b in c]` becomes `[a]`.

use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "displays",
    summary: "makes a comprehension a list, set or dictionary with its element",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[Example {
        language: "python",
        before: "x = sum(1 for a in b if a), sum((2 for c in d), e)\ny = [f for g in h], {i: j for k in l}\n",
        keep: &["x = sum(", "1", "sum(", "2", ", e)", "y = [f", "], {i: j"],
        after: "x = sum([1]), sum([2], e)\ny = [f], {i: j}\n",
    }],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let units = base
        .files()
        .flat_map(|(id, file)| file.tree().nodes().filter_map(move |node| display(file, id, node)));
    vec![Group::deletions(units.collect()).doubtful()]
}

fn display(file: &Parsed, id: FileId, node: NodeId) -> Option<Unit> {
    let tree = file.tree();
    let (open, close): (&[u8], &[u8]) = match tree.kind_name(node) {
        "list_comprehension" => (b"[", b"]"),
        "set_comprehension" | "dictionary_comprehension" => (b"{", b"}"),
        // The brackets of a call may be those of a generator.
        "generator_expression" if tree.parent(node).is_some_and(|n| tree.kind_name(n) == "call") => {
            (b"([", b"])")
        }
        "generator_expression" => (b"[", b"]"),
        _ => return None,
    };
    let element = tree.children(node).find(|&n| tree.is_named(n) && !tree.has(n, Role::Comment))?;
    let by = Source::made([open, file.node_text(element), close].concat());
    Some(Unit::Replace { file: id, node, by })
}
