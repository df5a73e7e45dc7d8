//! A function returns nothing: its type becomes `void`, and what it returned goes.

use super::{all, child};
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "returns",
    summary: "makes a function's type `void` and takes what it returned away",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[Example {
        language: "c",
        before: "static int f(int a) { if (a) return a + 1; g(); return 0; }\n",
        keep: &["f(int a)", "if (a) return", "g()"],
        after: "static void f(int a) { if (a) return; g(); return; }\n",
    }],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let units = base.files().flat_map(|(id, file)| {
        all(file, "function_definition")
            .filter_map(move |n| returning_nothing(file, id, n))
            .collect::<Vec<_>>()
    });
    vec![Group::deletions(units.collect()).doubtful()]
}

fn returning_nothing(file: &Parsed, id: FileId, function: NodeId) -> Option<Unit> {
    let tree = file.tree();
    child(tree, function, "function_declarator")?;
    let typed = tree.child_with(function, Role::Type)?;
    let returned = tree.descendants(function).filter(|&n| tree.has(n, Role::Returned));
    let gone = returned.map(|node| Unit::Drop { file: id, node });
    let gone: Vec<Unit> = gone.collect();
    if gone.is_empty() {
        return None;
    }
    let void = Unit::Replace { file: id, node: typed, by: Source::text("void") };
    Some(Unit::Together(std::iter::once(void).chain(gone).collect()))
}
