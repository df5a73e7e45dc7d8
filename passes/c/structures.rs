//! Replaces a structure by one of its fields, wherever the structure is named or the field is accessed, or a
//! union by a structure, which may then equal another one.

use super::{FAMILY, all, child, first, is};
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "structures",
    summary: "replaces a structure by one of its fields, or a union by a structure, in all its uses",
    languages: FAMILY,
    pump: true,
    examples: &[
        Example {
            language: "c",
            before: "struct s { int a; char b; };\nstruct s x = { .b = 1 }, *p = &x;\nint main() { return x.b + p->b; }\n",
            keep: &["char", "return", "+"],
            after: "char x = { 1 }, *p = &x;\nint main() { return x + *p; }\n",
        },
        Example {
            language: "cpp",
            before: "struct s { int a; char b; };\nstruct s x, *p = &x;\ns f(const s &y) { return y.b + p->b; }\n",
            keep: &["char", "return", "+", "const"],
            after: "char x, *p = &x;\nchar f(const char &y) { return y + *p; }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The number of fields that are tried in place of a structure.
const FIELDS: usize = 4;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let structures = all(file, "struct_specifier").chain(all(file, "union_specifier"));
        structures.map(move |structure| ways_to_be_a_field(file, structure))
    });
    vec![Group::choices(ways).doubtful()]
}

fn ways_to_be_a_field(file: File<'_>, structure: NodeId) -> Vec<Unit> {
    let Some(body) = child(&file, structure, "field_declaration_list") else { return Vec::new() };
    let fields = file.children(body).filter(|&n| is(&file, n, "field_declaration"));
    let be_field = |field| be_field(file, structure, field);
    fields.take(FIELDS).filter_map(be_field).chain(be_structure(file, structure)).collect()
}

/// Replaces a union by a structure, wherever it is named.
fn be_structure(file: File<'_>, union: NodeId) -> Option<Unit> {
    let keyword = child(&file, union, "union")?;
    let mentions = mentions(file, union).filter_map(|n| child(&file, file.parent(n)?, "union"));
    let keywords = std::iter::once(keyword).chain(mentions);
    let replaced = keywords.map(|node| file.replace(node, "struct"));
    Some(Unit::together(replaced))
}

/// The names of a structure outside its definition.
fn mentions(file: File<'_>, structure: NodeId) -> impl Iterator<Item = NodeId> {
    let tag = child(&file, structure, "type_identifier").and_then(|tag| file.definition(tag));
    tag.into_iter().flat_map(move |definition| file.uses(definition))
}

/// The type that the name of a structure stands in: the keyword and the name, or in C++ perhaps the name alone.
fn named_by(file: File<'_>, name: NodeId) -> NodeId {
    let whole =
        file.parent(name).filter(|&n| child(&file, n, "struct").or(child(&file, n, "union")).is_some());
    whole.unwrap_or(name)
}

/// Replaces each mention of the structure by the field's type, and each access to the field by the object
/// itself.
fn be_field(file: File<'_>, structure: NodeId, field: NodeId) -> Option<Unit> {
    let name = child(&file, field, "field_identifier")?;
    let definition = file.definition(name)?;
    let typed = &file.text()[file.range(field).start..file.range(name).start];
    let by = Source::made(typed.trim_ascii_end());
    let mut units: Vec<Unit> = match file.has(structure, Role::Statement) {
        true => vec![file.drop(structure)],
        false => vec![file.replace(structure, by.clone())],
    };
    let mentions = mentions(file, structure).filter(|&n| !file.is_within(n, structure));
    units.extend(mentions.map(|n| file.replace(named_by(file, n), by.clone())));
    for node in file.uses(definition) {
        let parent = file.parent(node)?;
        let object = first(&file, parent)?;
        if !is(&file, parent, "field_expression") {
            // `.f = value` in an initialiser.
            let pair = file.ancestors(node).find(|&n| is(&file, n, "initializer_pair"))?;
            let value = file.children(pair).last()?;
            let start = file.range(pair).start;
            units.push(file.cut(start..file.range(value).start));
        } else if child(&file, parent, "->").is_some() {
            units.push(file.replace(parent, Source::made([b"*", file.node_text(object)].concat())));
        } else {
            let after = file.range(object).end..file.range(parent).end;
            units.push(file.cut(after));
        }
    }
    Some(Unit::together(units))
}
