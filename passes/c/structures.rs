//! A structure becomes one of its fields, wherever it is named or that field is reached; a union becomes a
//! structure, which may then be like another one.

use super::{all, child, first, is};
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "structures",
    summary: "makes a structure one of its fields, or a union a structure, in all its uses",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: true,
    examples: &[Example {
        language: "c",
        before: "struct s { int a; char b; };\nstruct s x = { .b = 1 }, *p = &x;\nint main() { return x.b + p->b; }\n",
        keep: &["char", "return", "+"],
        after: "char x = { 1 }, *p = &x;\nint main() { return x + *p; }\n",
    }],
    plan,
};

/// Of so many fields a structure may become one.
const FIELDS: usize = 4;

fn plan(base: &Base) -> Vec<Group> {
    let ways = base.files().flat_map(|(id, file)| {
        let kinds = ["struct_specifier", "union_specifier"].into_iter();
        let structures = kinds.flat_map(|kind| all(file, kind));
        structures.map(move |n| ways_to_be_a_field(file, id, n)).collect::<Vec<_>>()
    });
    vec![Group::choices(ways.collect()).doubtful()]
}

fn ways_to_be_a_field(file: &Parsed, id: FileId, structure: NodeId) -> Vec<Unit> {
    let tree = file.tree();
    let Some(body) = child(tree, structure, "field_declaration_list") else { return Vec::new() };
    let fields = tree.children(body).filter(|&n| is(tree, n, "field_declaration"));
    let be_field = |field| be_field(file, id, structure, field);
    fields.take(FIELDS).filter_map(be_field).chain(be_structure(file, id, structure)).collect()
}

/// A union, wherever it is named, becomes a structure.
fn be_structure(file: &Parsed, id: FileId, union: NodeId) -> Option<Unit> {
    let tree = file.tree();
    let keyword = child(tree, union, "union")?;
    let mentions = mentions(file, union).iter().filter_map(|&n| child(tree, tree.parent(n)?, "union"));
    let keywords = std::iter::once(keyword).chain(mentions);
    let replaced = keywords.map(|node| Unit::Replace { file: id, node, by: Source::text("struct") });
    Some(Unit::Together(replaced.collect()))
}

/// Where a structure is named, but for its definition.
fn mentions(file: &Parsed, structure: NodeId) -> &[NodeId] {
    let (tree, bindings) = (file.tree(), file.bindings());
    let tag = child(tree, structure, "type_identifier").and_then(|tag| bindings.of(tag));
    tag.map_or(&[], |tag| &bindings.definitions()[tag].uses)
}

/// Every mention of the structure becomes the field's type, and what reaches the field reaches the whole.
fn be_field(file: &Parsed, id: FileId, structure: NodeId, field: NodeId) -> Option<Unit> {
    let (tree, bindings) = (file.tree(), file.bindings());
    let name = child(tree, field, "field_identifier")?;
    let definition = &bindings.definitions()[bindings.of(name)?];
    let typed = &file.text[tree.range(field).start..tree.range(name).start];
    let by = Source::made(typed.trim_ascii_end());
    let replaced = |node: NodeId, by: Source| Unit::Replace { file: id, node, by };
    let mut units: Vec<Unit> = match tree.has(structure, Role::Statement) {
        true => vec![Unit::Drop { file: id, node: structure }],
        false => vec![replaced(structure, by.clone())],
    };
    let mentions = mentions(file, structure).iter().filter(|&&n| !tree.is_within(n, structure));
    units.extend(mentions.filter_map(|&n| Some(replaced(tree.parent(n)?, by.clone()))));
    for &node in &definition.uses {
        let parent = tree.parent(node)?;
        let object = first(tree, parent)?;
        if !is(tree, parent, "field_expression") {
            // `.f = value` in an initialiser.
            let pair = tree.ancestors(node).find(|&n| is(tree, n, "initializer_pair"))?;
            let value = tree.children(pair).last()?;
            let start = tree.range(pair).start as u32;
            units.push(Unit::Cut { file: id, range: start..tree.range(value).start as u32 });
        } else if child(tree, parent, "->").is_some() {
            units.push(replaced(parent, Source::made([b"*", file.node_text(object)].concat())));
        } else {
            let after = tree.range(object).end as u32..tree.range(parent).end as u32;
            units.push(Unit::Cut { file: id, range: after });
        }
    }
    Some(Unit::Together(units.into()))
}
