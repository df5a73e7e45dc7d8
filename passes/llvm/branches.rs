//! Makes a branch take one way whatever its condition says.

use super::{Block, action, blocks, target, without_entries};
use crate::c::{all, is};
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::tree::NodeId;

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

fn plan(base: &Base) -> Vec<Group> {
    let functions =
        PASS.files(base).flat_map(|file| all(file, "fn_define").map(move |function| (file, function)));
    let ways = functions.flat_map(|(file, function)| {
        let blocks = blocks(file, function);
        blocks.iter().map(|block| ways(file, &blocks, block)).collect::<Vec<_>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// The ways to end a block with fewer successors: none, or one of those that it has.
fn ways(file: File<'_>, blocks: &[Block], block: &Block) -> Vec<Unit> {
    let Some(terminator) = block.instructions.last().and_then(|&n| action(file, n)) else {
        return Vec::new();
    };
    if !matches!(file.kind_name(terminator), "instruction_br" | "instruction_switch") {
        return Vec::new();
    }
    let operands = file.named_children(terminator).filter(|&n| is(&file, n, "type_and_value"));
    let targets: Vec<NodeId> = operands.filter(|&n| target(file, n).is_some()).collect();
    let meant = |typed: NodeId| target(file, typed).and_then(|label| file.bindings().of(label));
    let leaving = |to: Option<usize>| {
        let lost = |other: &&Block| {
            let own = other.label.and_then(|label| file.bindings().of(label));
            own != to && targets.iter().any(|&typed| own.is_some() && meant(typed) == own)
        };
        let lost: Vec<&Block> = blocks.iter().filter(lost).collect();
        let from = block.label;
        lost.into_iter()
            .flat_map(move |to| from.map_or_else(Vec::new, |from| without_entries(file, from, to)))
    };
    let jump = |to: NodeId| {
        let text = [b"br ", file.node_text(to)].concat();
        Unit::together(leaving(meant(to)).chain([file.replace(terminator, text)]))
    };
    let end = Unit::together(leaving(None).chain([file.replace(terminator, "unreachable")]));
    let jumps = targets.iter().filter(|_| targets.len() > 1);
    std::iter::once(end).chain(jumps.map(|&to| jump(to))).collect()
}
