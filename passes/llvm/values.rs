//! Puts an operand of an instruction, or a constant, in the place of its result.

use super::{action, around, constant, result, type_of, uses};
use crate::c::{all, is};
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "values",
    summary: "puts an operand of an instruction, or a constant, in the place of its result",
    languages: &["llvm"],
    grain: Grain::Coarse,
    proves: true,
    reaches: true,
    examples: &[
        Example {
            language: "llvm",
            before: "define i32 @f(i32 %a, i8* %p) {\n  %b = add i32 %a, 1\n  %c = zext i32 %b to i64\n  %d = load i8*, i8** null\n  call void @g(i64 %c, i8* %d)\n  ret i32 %b\n}\ndeclare void @g(i64, i8*)\n",
            keep: &["(i32 %a, i8* %p)", "call void @g(i64 ", "ret i32 %"],
            after: "define i32 @f(i32 %a, i8* %p) {\n  call void @g(i64 0, i8* null)\n  ret i32 %a\n}\ndeclare void @g(i64, i8*)\n",
        },
        Example {
            language: "llvm",
            before: "define i32 @f(i32 %a) {\n  %p = alloca i32\n  store i32 %a, i32* %p\n  %b = load i32, i32* %p\n  ret i32 %b\n}\n",
            keep: &["(i32 %a)", "%p", "store", "ret i32 %"],
            after: "define i32 @f(i32 %a) {\n  %p = alloca i32\n  store i32 %a, i32* %p\n  ret i32 %a\n}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// More values that are stored in one place are not tried.
const MOST_STORES: usize = 3;
/// More uses of one place are not looked at.
const MOST_USES: usize = 512;

fn plan(base: &Base) -> Vec<Group> {
    let instructions = PASS.files(base).flat_map(|file| all(file, "instruction").map(move |n| (file, n)));
    vec![Group::choices(instructions.map(|(file, n)| ways(file, n)))]
}

/// The ways to do without an instruction: with one of its operands that has the type of its result, with a constant of that
/// type, or with an undefined value.
fn ways(file: File<'_>, node: NodeId) -> Vec<Unit> {
    let parts = || Some((result(file, node)?, action(file, node)?));
    let Some((name, action)) = parts() else { return Vec::new() };
    let used = uses(file, name);
    let own = file.range(node);
    let is_own = |n: &NodeId| own.contains(&file.range(*n).start);
    let values: Option<Vec<NodeId>> =
        used.iter().filter(|n| !is_own(n)).map(|&n| around(file, n, "value")).collect();
    let Some(values) = values.filter(|values| !values.is_empty()) else { return Vec::new() };
    let told = used.iter().find_map(|&n| type_of(file, n)).or_else(|| own_type(file, action));
    let told = told.map(|n| file.node_text(n));
    let by = |source: Source| {
        let replaced = values.iter().map(|&n| file.replace(n, source.clone()));
        Unit::together(replaced.chain([file.drop(node)]))
    };
    let meant = |name: NodeId| file.bindings().of(name);
    let fits = |operand: &NodeId| {
        let inner = file.descendants(*operand).find(|&n| is(&file, n, "local_var"));
        let Some(inner) = inner.filter(|&n| meant(n) != meant(name)) else { return false };
        let elsewhere = || uses(file, inner).into_iter().find_map(|n| type_of(file, n));
        let its = type_of(file, inner).or_else(elsewhere);
        its.is_some_and(|n| Some(file.node_text(n)) == told)
    };
    let operands = file.descendants(action).filter(|&n| is(&file, n, "value"));
    let operands = operands.filter(fits).chain(stored(file, action));
    let mut ways: Vec<Unit> = operands.map(|operand| by(Source::Node(operand))).collect();
    let simple = told.map_or("undef", constant);
    ways.push(by(Source::text(simple)));
    if simple != "undef" {
        ways.push(by(Source::text("undef")));
    }
    ways
}

/// The values that are stored where a load reads, as far as the place has a name.
fn stored(file: File<'_>, load: NodeId) -> Vec<NodeId> {
    let address =
        |access: NodeId| file.named_children(access).filter(|&n| is(&file, n, "type_and_value")).last();
    let name = |typed: NodeId| {
        let value = file.named_children(typed).last().and_then(|value| file.named_children(value).last())?;
        file.named_children(value).next().filter(|_| is(&file, value, "var"))
    };
    let read = Some(load).filter(|&n| is(&file, n, "instruction_load")).and_then(address).and_then(name);
    let stores =
        read.map_or_else(Vec::new, |read| uses(file, read)).into_iter().take(MOST_USES).filter_map(|used| {
            let typed = around(file, used, "type_and_value")?;
            let store = file.parent(typed).filter(|&n| is(&file, n, "instruction_store"))?;
            let value = file.named_children(store).next()?;
            let value = file.named_children(value).last().filter(|_| address(store) == Some(typed))?;
            is(&file, value, "value").then_some(value)
        });
    stores.take(MOST_STORES).collect()
}

/// The type of the result, where the instruction says it.
fn own_type(file: File<'_>, action: NodeId) -> Option<NodeId> {
    let mut types = file.named_children(action).filter(|&n| is(&file, n, "type"));
    match file.kind_name(action) {
        "instruction_cast" => types.last(),
        "instruction_load" | "instruction_phi" | "instruction_call" => types.next(),
        "instruction_bin_op" => {
            let typed = file.named_children(action).find(|&n| is(&file, n, "type_and_value"))?;
            file.named_children(typed).next()
        }
        _ => None,
    }
}
