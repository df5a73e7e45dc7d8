//! Joins declarations of the same type: `int a; int b;` becomes `int a, b;`.

use super::{FAMILY, child, declarators, is, specifiers};
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::tree::{Kind, NodeId};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "joins",
    summary: "joins declarations of the same type",
    languages: FAMILY,
    examples: &[
        Example {
            language: "c",
            before: "int a; int b = 1;\nint f() { struct s { char c; char *d; } e; a(); struct s g; int h; return 0; }\nint i;\n",
            keep: &["a", "f() {", "e", "a();", "h;"],
            after: "int a, b = 1, i;\nint f() { struct s { char c, *d; } e; a(); struct s g; int h; return 0; }\n",
        },
        Example {
            language: "cpp",
            before: "class c { int a; public: int b; int d; };\n",
            keep: &["a; public: int b", "d"],
            after: "class c { int a; public: int b, d; };\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    vec![Group::deletions(PASS.files(base).flat_map(joins)).doubtful()]
}

fn joins(file: File<'_>) -> Vec<Unit> {
    // The last declaration of each block and type.
    let mut last: BTreeMap<(NodeId, Kind, &[u8]), NodeId> = BTreeMap::new();
    let is_declaration = |n: &NodeId| is(&file, *n, "declaration") || is(&file, *n, "field_declaration");
    let mut units = Vec::new();
    for node in file.nodes().filter(is_declaration) {
        let Some(parent) = file.parent(node) else { continue };
        let Some(typed) = specifiers(file, node).filter(|typed| !typed.is_empty()) else { continue };
        let before = last.insert((parent, file.kind(node), typed), node);
        units.extend(before.and_then(|before| joined(file, before, node)));
    }
    units
}

fn joined(file: File<'_>, before: NodeId, node: NodeId) -> Option<Unit> {
    let (end_before, end) = (child(&file, before, ";")?, child(&file, node, ";")?);
    let first = file.range(declarators(&file, node).next()?).start;
    let comma = |by: Source| file.replace(end_before, by);
    let units = if file.next_sibling(before) == Some(node) {
        let between = file.range(end_before).end..first;
        [comma(Source::text(", ")), file.cut(between)]
    } else {
        let declarators = &file.text()[first..file.range(end).end];
        [comma(Source::made([b", ", declarators].concat())), file.drop(node)]
    };
    Some(Unit::together(units))
}
