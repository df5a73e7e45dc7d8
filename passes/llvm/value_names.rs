//! Gives the numbered values and blocks of a function names: numbers have no gaps, so no instruction that has one can go alone.

use super::definitions;
use crate::c::{child, is};
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;

pub(crate) const PASS: Pass = Pass {
    name: "value-names",
    summary: "gives the numbered values and blocks of a function names",
    languages: &["llvm"],
    grain: Grain::Coarse,
    pump: true,
    examples: &[Example {
        language: "llvm",
        before: "%0 = type { i32 }\ndefine i32 @f(i32 %0) {\n  %2 = icmp eq i32 %0, 1\n  br i1 %2, label %3, label %4\n\n3:\n  br label %4\n\n4:\n  %5 = phi i32 [ 0, %1 ], [ %0, %3 ]\n  %p = alloca %0\n  ret i32 %5\n}\n",
        keep: &["@f", "phi"],
        after: "%0 = type { i32 }\ndefine i32 @f(i32 %v0) {\n  v1:\n  %v2 = icmp eq i32 %v0, 1\n  br i1 %v2, label %v3, label %v4\n\nv3:\n  br label %v4\n\nv4:\n  %v5 = phi i32 [ 0, %v1 ], [ %v0, %v3 ]\n  %p = alloca %0\n  ret i32 %v5\n}\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units: Vec<Unit> =
        definitions(base, &PASS).filter_map(|(file, function)| unit(file, function)).collect();
    // Most often, all of them can have names, which takes one run.
    let all = Some(Unit::Together(units.clone().into())).filter(|_| units.len() > 1);
    vec![Group::deletions(all), Group::deletions(units)]
}

fn unit(file: File<'_>, function: NodeId) -> Option<Unit> {
    let is_type = |n: NodeId| file.parent(n).is_some_and(|parent| is(&file, parent, "type"));
    let is_local = |n: &NodeId| matches!(file.kind_name(*n), "local_var" | "label") && !is_type(*n);
    let names: Vec<NodeId> = file.descendants(function).filter(is_local).collect();
    let texts: BTreeSet<&[u8]> = names.iter().map(|&n| file.node_text(n)).collect();
    let is_number = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
    // `v` for value, unless it is taken.
    let letters = (b'a'..=b'v').rev().chain((b'w'..=b'z').rev());
    let mut free = letters
        .filter(|letter| !texts.iter().any(|text| text.starts_with(&[*letter]) && is_number(&text[1..])));
    let letter = free.next()?;
    let named = |number: &[u8]| [&[letter], number].concat();
    let numbered = names.iter().filter(|&&n| is_number(file.node_text(n)));
    let mut units: Vec<Unit> =
        numbered.map(|&n| file.write(file.range(n), named(file.node_text(n)))).collect();
    if units.is_empty() {
        return None;
    }
    // The first block has the number behind those of the parameters, written or not.
    let body = child(&file, function, "function_body")?;
    let first = file.named_children(body).find(|&n| !is(&file, n, "comment"))?;
    let unbound = names.iter().find(|&&n| is_number(file.node_text(n)) && file.bindings().of(n).is_none());
    if let Some(&block) = unbound.filter(|_| is(&file, first, "instruction")) {
        let at = file.range(first).start;
        let label = [&named(file.node_text(block))[..], b":\n  "].concat();
        units.push(file.write(at..at, label));
    }
    Some(Unit::together(units))
}
