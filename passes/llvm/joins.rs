//! Joins a block with the only one that jumps to it.

use super::{Function, action, replaced, result, target, uses};
use crate::c::is;
use crate::{Base, Example, Grain, Group, Pass, Unit};
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "block-joins",
    summary: "joins a basic block with the only one that jumps to it",
    languages: &["llvm"],
    grain: Grain::Fine,
    examples: &[Example {
        language: "llvm",
        before: "define i32 @f() {\ne:\n  %v = add i32 1, 2\n  br label %a\na:\n  %w = phi i32 [ %v, %e ]\n  %x = add i32 %w, 3\n  br label %b\nb:\n  %y = phi i32 [ %x, %a ], [ 5, %b ]\n  br label %b\n}\n",
        keep: &["e:\n", "%y", "add i32 %"],
        after: "define i32 @f() {\ne:\n  %v = add i32 1, 2\n  %x = add i32 %v, 3\n  br label %b\nb:\n  %y = phi i32 [ %x, %e ], [ 5, %b ]\n  br label %b\n}\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = Function::all(base, &PASS).flat_map(|function| {
        let all = 0..function.blocks.len();
        all.filter_map(|block| joined(&function, block)).collect::<Vec<_>>()
    });
    vec![Group::deletions(units)]
}

/// Appends the block that this one jumps to.
fn joined(function: &Function<'_>, index: usize) -> Option<Unit> {
    let (file, block) = (function.file, &function.blocks[index]);
    let jump = *block.instructions.last()?;
    let branch = action(file, jump).filter(|&n| is(&file, n, "instruction_br"))?;
    let mut operands = file.named_children(branch).filter(|&n| is(&file, n, "type_and_value"));
    let to = function.named(target(file, operands.next()?)?)?;
    if operands.next().is_some() || to == index {
        return None;
    }
    let next = &function.blocks[to];
    let label = next.label?;
    let in_phi = |&n: &NodeId| file.parent(n).is_some_and(|parent| is(&file, parent, "instruction_phi"));
    let (entries, jumps): (Vec<NodeId>, Vec<NodeId>) = uses(file, label).into_iter().partition(in_phi);
    if jumps.len() != 1 {
        return None;
    }
    let mut units = vec![file.drop(label)];
    // The text of a block that stands elsewhere moves.
    let follows = to == index + 1;
    let is_phi = |n: &NodeId| action(file, *n).is_some_and(|n| is(&file, n, "instruction_phi"));
    let (phis, rest): (Vec<NodeId>, Vec<NodeId>) = next.instructions.iter().partition(|n| is_phi(n));
    if follows {
        units.push(file.drop(jump));
    } else {
        let (first, last) = (rest.first()?, rest.last()?);
        let range = file.range(*first).start..file.range(*last).end;
        units.push(file.write(file.range(jump), &file.text()[range]));
        units.extend(rest.iter().map(|&n| file.drop(n)));
    }
    for phi in phis {
        let value = file.named_children(action(file, phi)?).find(|&n| is(&file, n, "value"))?;
        units.push(file.drop(phi));
        units.extend(replaced(file, uses(file, result(file, phi)?), value.into()));
    }
    if !entries.is_empty() {
        let name = file.node_text(block.label?);
        units.extend(entries.into_iter().map(|n| file.replace(n, name.to_vec())));
    }
    Some(Unit::together(units))
}
