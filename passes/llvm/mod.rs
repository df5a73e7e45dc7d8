//! Passes for LLVM's intermediate representation.

pub(crate) mod blocks;
pub(crate) mod branches;
pub(crate) mod joins;
pub(crate) mod value_names;
pub(crate) mod values;

use crate::c::{all, child, is};
use crate::{Base, File, Pass, Source, Unit};
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

/// A basic block.
struct Block {
    /// Its label; the first block of a function often has none.
    label: Option<NodeId>,
    /// Its instructions, of which the last one is the terminator.
    instructions: Vec<NodeId>,
}

/// A function with a body.
struct Function<'a> {
    file: File<'a>,
    /// Its basic blocks, in the order of the text.
    blocks: Vec<Block>,
    /// The index of each block, by the definition of its label.
    by_label: BTreeMap<usize, usize>,
}

impl<'a> Function<'a> {
    /// The functions of the files that a pass is for. O(nodes log nodes).
    fn all(base: &'a Base, pass: &Pass) -> impl Iterator<Item = Self> + use<'a> {
        definitions(base, pass).map(|(file, function)| Self::new(file, function))
    }

    fn new(file: File<'a>, function: NodeId) -> Self {
        let mut blocks: Vec<Block> = Vec::new();
        let body = child(&file, function, "function_body");
        for node in body.into_iter().flat_map(|body| file.tree().named_children(body)) {
            match file.kind_name(node) {
                "label" => blocks.push(Block { label: Some(node), instructions: Vec::new() }),
                "instruction" => match blocks.last_mut() {
                    Some(block) => block.instructions.push(node),
                    None => blocks.push(Block { label: None, instructions: vec![node] }),
                },
                _ => {}
            }
        }
        let labels = blocks.iter().enumerate().filter_map(|(index, block)| Some((block.label?, index)));
        let by_label =
            labels.filter_map(|(label, index)| Some((file.bindings().of(label)?, index))).collect();
        Self { file, blocks, by_label }
    }

    /// The index of the block with this name.
    fn named(&self, name: NodeId) -> Option<usize> {
        self.by_label.get(&self.file.bindings().of(name)?).copied()
    }
}

/// The nodes of the functions with a body in the files that a pass is for.
fn definitions<'a>(base: &'a Base, pass: &Pass) -> impl Iterator<Item = (File<'a>, NodeId)> + use<'a> {
    pass.files(base).flat_map(|file| all(file, "fn_define").map(move |function| (file, function)))
}

/// What an instruction does: the node behind its result, if it has one.
fn action(file: File<'_>, instruction: NodeId) -> Option<NodeId> {
    file.named_children(instruction).find(|&n| file.kind_name(n).starts_with("instruction_"))
}

/// The name of the result of an instruction.
fn result(file: File<'_>, instruction: NodeId) -> Option<NodeId> {
    file.named_children(instruction).next().filter(|&n| is(&file, n, "local_var"))
}

/// The uses of a name that is defined in this file, in the order of the text.
fn uses(file: File<'_>, name: NodeId) -> Vec<NodeId> {
    file.definition(name).map_or_else(Vec::new, |definition| file.uses(definition).collect())
}

/// The node of this kind around a name, or the name itself.
fn around(file: File<'_>, name: NodeId, kind: &str) -> Option<NodeId> {
    std::iter::once(name).chain(file.ancestors(name)).take(4).find(|&n| is(&file, n, kind))
}

/// Puts something in the place of each of these uses of a value.
fn replaced(file: File<'_>, used: Vec<NodeId>, by: Source) -> impl Iterator<Item = Unit> {
    let values = used.into_iter().filter_map(move |n| around(file, n, "value"));
    values.map(move |value| file.replace(value, by.clone()))
}

/// The instruction around a node.
fn instruction(file: File<'_>, node: NodeId) -> Option<NodeId> {
    file.ancestors(node).find(|&n| is(&file, n, "instruction"))
}

/// The label of a target such as `label %a`.
fn target(file: File<'_>, typed: NodeId) -> Option<NodeId> {
    let kind = file.named_children(typed).next().filter(|&n| file.node_text(n) == b"label");
    kind.and_then(|_| file.descendants(typed).find(|&n| is(&file, n, "local_var")))
}

/// Deletes the entry of a phi for the block with this name. A phi without other entries goes, and its value becomes undefined.
fn without_entry(file: File<'_>, name: NodeId) -> Option<Unit> {
    let phi = file.parent(name)?;
    let children: Vec<NodeId> = file.children(phi).collect();
    let opens = |n: NodeId| file.node_text(n) == b"[";
    if children.iter().filter(|&&n| opens(n)).count() == 1 {
        let whole = instruction(file, phi)?;
        let values = replaced(file, uses(file, result(file, whole)?), "undef".into());
        return Some(Unit::together(values.chain([file.drop(whole)])));
    }
    let at = children.iter().position(|&n| n == name)?;
    let first = children[..at].iter().rposition(|&n| opens(n))?;
    let last = at + children[at..].iter().position(|&n| file.node_text(n) == b"]")?;
    let parts = children[first..=last].iter().filter(|&&n| file.node_text(n) != b",");
    Some(Unit::together(parts.map(|&part| file.drop(part))))
}

/// Deletes the entries for a block in the phis at the beginning of another one.
fn without_entries(file: File<'_>, from: NodeId, to: &Block) -> Vec<Unit> {
    let phis = to.instructions.iter().filter_map(|&n| action(file, n));
    let phis = phis.take_while(|&n| is(&file, n, "instruction_phi"));
    let is_from =
        |n: &NodeId| is(&file, *n, "local_var") && file.bindings().of(*n) == file.bindings().of(from);
    phis.filter_map(|phi| without_entry(file, file.named_children(phi).find(is_from)?)).collect()
}

/// The type that an operand of an instruction is given with.
fn type_of(file: File<'_>, name: NodeId) -> Option<NodeId> {
    let value = around(file, name, "value")?;
    let typed = file.parent(value)?;
    let first = file.named_children(typed).next()?;
    (matches!(file.kind_name(typed), "type_and_value" | "argument") && is(&file, first, "type"))
        .then_some(first)
}

/// A constant of a type.
fn constant(of_type: &[u8]) -> &'static str {
    match of_type {
        b"i1" => "false",
        [.., b'*'] | b"ptr" => "null",
        [b'i', b'0'..=b'9', ..] => "0",
        b"float" | b"double" | b"half" => "0.0",
        _ => "undef",
    }
}
