//! Makes a branch take one way whatever its condition says.

use super::{Block, Function, action, target, without_entries};
use crate::c::is;
use crate::{Base, Example, Grain, Group, Pass, Unit};
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;

pub(crate) const PASS: Pass = Pass {
    name: "branches",
    summary: "makes a conditional branch or a switch a jump, or the end of the function",
    languages: &["llvm"],
    grain: Grain::Coarse,
    examples: &[Example {
        language: "llvm",
        before: "define i32 @f(i1 %c) {\ne:\n  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n  %w = phi i32 [ 0, %e ], [ 1, %a ]\n  switch i32 %w, label %d [ i32 0, label %b ]\nd:\n  ret i32 %w\n}\n",
        keep: &["label %a", "br label %b", "label %d", "phi", "ret i32"],
        after: "define i32 @f(i1 %c) {\ne:\n  br label %a\na:\n  br label %b\nb:\n  %w = phi i32 [ 1, %a ]\n  br label %d\nd:\n  ret i32 %w\n}\n",
    }],
    plan,
    ..Pass::DEFAULT
};

/// More targets of one switch are not tried.
const MOST_TARGETS: usize = 16;

fn plan(base: &Base) -> Vec<Group> {
    let ways = Function::all(base, &PASS)
        .flat_map(|function| function.blocks.iter().map(|block| ways(&function, block)).collect::<Vec<_>>());
    vec![Group::choices(ways)]
}

/// The ways to end a block with fewer successors: none, or one of those that it has.
fn ways(function: &Function<'_>, block: &Block) -> Vec<Unit> {
    let file = function.file;
    let terminator = block.instructions.last().and_then(|&n| action(file, n));
    let is_branch = |n: &NodeId| matches!(file.kind_name(*n), "instruction_br" | "instruction_switch");
    let Some(terminator) = terminator.filter(is_branch) else { return Vec::new() };
    let operands = file.named_children(terminator).filter(|&n| is(&file, n, "type_and_value"));
    let targets: Vec<NodeId> = operands.filter(|&n| target(file, n).is_some()).collect();
    let meant = |typed: NodeId| target(file, typed).and_then(|label| function.named(label));
    let successors: BTreeSet<usize> = targets.iter().filter_map(|&typed| meant(typed)).collect();
    let leaving = |to: Option<usize>| {
        let lost =
            successors.iter().filter(|&&index| Some(index) != to).map(|&index| &function.blocks[index]);
        let entries = lost.flat_map(|lost| block.label.map(|label| without_entries(file, label, lost)));
        entries.flatten().collect::<Vec<_>>()
    };
    let jump = |to: NodeId| {
        let text = [b"br ", file.node_text(to)].concat();
        Unit::together(leaving(meant(to)).into_iter().chain([file.replace(terminator, text)]))
    };
    let end = Unit::together(leaving(None).into_iter().chain([file.replace(terminator, "unreachable")]));
    let jumps = targets.iter().filter(|_| targets.len() > 1).take(MOST_TARGETS);
    std::iter::once(end).chain(jumps.map(|&to| jump(to))).collect()
}
