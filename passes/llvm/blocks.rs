//! Deletes a basic block with all that names it: branches to it take the other way, phis lose its entry, and its values become undefined.

use super::{Block, Function, action, around, instruction, replaced, result, target, uses, without_entry};
use crate::c::is;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "blocks",
    summary: "deletes a basic block, with the branches to it and the entries for it in phis",
    languages: &["llvm"],
    grain: Grain::Coarse,
    examples: &[Example {
        language: "llvm",
        before: "define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  %v = add i32 1, 2\n  br label %b\nb:\n  %w = phi i32 [ 0, %0 ], [ %v, %a ]\n  %x = add i32 %v, %w\n  ret i32 %x\n}\n",
        keep: &["@f", "%x = add"],
        after: "define i32 @f(i1 %c) {\n  br label %b\nb:\n  %w = phi i32 [ 0, %0 ]\n  %x = add i32 undef, %w\n  ret i32 %x\n}\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = Function::all(base, &PASS).flat_map(|function| {
        let others = function.blocks.iter().skip(1);
        others.filter_map(|block| without(function.file, block)).collect::<Vec<_>>()
    });
    vec![Group::deletions(units)]
}

/// Deletes a block that is not the first one of its function.
fn without(file: File<'_>, block: &Block) -> Option<Unit> {
    let label = block.label?;
    let last = *block.instructions.last()?;
    let mut units: Vec<Unit> = block.instructions.iter().map(|&n| file.drop(n)).collect();
    units.push(file.drop(label));
    let own = file.range(label).start..file.range(last).end;
    let is_outside = |n: &NodeId| !own.contains(&file.range(*n).start);
    for used in uses(file, label).into_iter().filter(is_outside) {
        units.push(redirected(file, used)?);
    }
    for name in block.instructions.iter().filter_map(|&n| result(file, n)) {
        let outside = uses(file, name).into_iter().filter(is_outside).collect();
        units.extend(replaced(file, outside, "undef".into()));
    }
    Some(Unit::together(units))
}

/// Removes a use of the name of a block; `None` where it is no target of a terminator.
fn redirected(file: File<'_>, used: NodeId) -> Option<Unit> {
    let of = instruction(file, used)?;
    let action = action(file, of)?;
    if is(&file, action, "instruction_phi") {
        return without_entry(file, used);
    }
    let typed = around(file, used, "type_and_value")?;
    let operands: Vec<NodeId> =
        file.named_children(action).filter(|&n| is(&file, n, "type_and_value")).collect();
    let at = operands.iter().position(|&n| n == typed)?;
    match (file.kind_name(action), at) {
        ("instruction_br", 1 | 2) => Some(Unit::together([file.drop(operands[0]), file.drop(typed)])),
        ("instruction_switch", 2..) => {
            target(file, typed)?;
            Some(Unit::together([file.drop(operands[at - 1]), file.drop(typed)]))
        }
        _ => Some(file.replace(action, "unreachable")),
    }
}
