//! Replaces a false constant by a true one, so that code that depends on it may be deleted.

use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "flips",
    summary: "replaces a false constant by a true one, if that makes a deletion possible",
    pump: true,
    examples: &[Example {
        language: "python",
        before: "done = False\nwhile a(0): pass\n",
        keep: &["done = ", "while"],
        after: "done = True\nwhile a(0): pass\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let flips =
        PASS.files(base).flat_map(|file| file.with(Role::Literal).map(move |node| flipped(file, node)));
    vec![Group::choices(flips)]
}

fn flipped(file: File<'_>, node: NodeId) -> Vec<Unit> {
    let text = file.node_text(node);
    let truths = file.language().truths().iter().filter(|(falsehood, _)| falsehood.as_bytes() == text);
    truths.map(|&(_, truth)| file.replace(node, truth)).collect()
}
