//! Replaces a structure by one of its fields, wherever the structure is named or a field is accessed; puts the fields
//! of a nested structure in its place; or turns a union into a structure, which may then equal another one.

use super::fields::{Field, fields};
use super::initializers::initializers;
use super::{FAMILY, all, at, child, declarators, first, is, mentions, named_by, specifiers};
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "structures",
    summary: "replaces a structure by one field, a nested one by its fields, or a union by a structure, in all uses",
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
            language: "c",
            before: "struct s { int a; char b; } x = { 0, 8 }, y = { 1 };\nint main() { return x.b + (struct s){ 2, 3 }.b + y.b; }\n",
            keep: &["char", "8", "return", "+", "{"],
            after: "char x = { 8 }, y = { 0 };\nint main() { return x + (char){ 3 } + y; }\n",
        },
        Example {
            language: "c",
            before: "struct s { struct { int *a, b; } c; } x, *p = &x;\nint main() { return *p->c.a + x.c.b + p->c.a[1]; }\n",
            keep: &["} x", "return", "+"],
            after: "struct { int *a, b; } x, *p = &x;\nint main() { return *p->a + x.b + p->a[1]; }\n",
        },
        Example {
            language: "c",
            before: "typedef struct { int *a, b; } s;\ns x, y[2], *p = &x;\nint main() { return p->a[1] + (*p).b + y[1].b; }\n",
            keep: &["x,", "return", "+", "p)"],
            after: "typedef int * s;\ns x, y[2], *p = &x;\nint main() { return (*p)[1] + (*p) + y[1]; }\n",
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
        structures.map(move |structure| ways_to_go(file, structure))
    });
    vec![Group::choices(ways).doubtful()]
}

fn ways_to_go(file: File<'_>, structure: NodeId) -> Vec<Unit> {
    let fields = fields(file, structure);
    let be_field = |field| be_field(file, structure, field, &fields);
    let mut ways: Vec<Unit> = fields.iter().take(FIELDS).filter_map(be_field).collect();
    ways.extend(be_fields(file, structure));
    ways.extend(be_structure(file, structure));
    ways
}

/// Replaces a union by a structure, wherever it is named.
fn be_structure(file: File<'_>, union: NodeId) -> Option<Unit> {
    let keyword = child(&file, union, "union")?;
    let mentions = mentions(file, union).filter_map(|n| child(&file, file.parent(n)?, "union"));
    let keywords = std::iter::once(keyword).chain(mentions);
    let replaced = keywords.map(|node| file.replace(node, "struct"));
    Some(Unit::together(replaced))
}

/// Replaces each mention of the structure by the field's type, and each access to one of its fields by the object
/// itself. The field is an object or a pointer.
fn be_field(file: File<'_>, structure: NodeId, field: &Field, fields: &[Field]) -> Option<Unit> {
    let stars = &file.text()[file.range(field.declarator).start..file.range(field.name).start];
    if file.range(field.declarator).end != file.range(field.name).end || stars.iter().any(|&c| c != b'*') {
        return None;
    }
    let by = match stars {
        b"" => specifiers(file, field.declaration)?.to_vec(),
        _ => [specifiers(file, field.declaration)?, b" ", stars].concat(),
    };
    let mentions =
        mentions(file, structure).filter(|&n| !file.is_within(n, structure)).map(|n| named_by(file, n));
    let is_alone = file.has(structure, Role::Statement);
    let types: Vec<NodeId> = mentions.chain((!is_alone).then_some(structure)).collect();
    let mut units: Vec<Unit> = is_alone.then(|| file.drop(structure)).into_iter().collect();
    units.extend(types.iter().map(|&node| file.replace(node, Source::made(by.clone()))));
    if !stars.is_empty() {
        let declarations = types.iter().filter_map(|&n| file.parent(n));
        // The stars behind the type are those of the first declarator.
        let others = declarations.flat_map(|declaration| declarators(&file, declaration).skip(1));
        units.extend(others.map(|declarator| file.write(at(&file, declarator), stars)));
    }
    let place = fields.iter().position(|other| other.name == field.name)?;
    for object in initializers(file, structure) {
        match object.values.get(place) {
            Some(value) => units.extend(object.values.iter().filter(|n| *n != value).map(|&n| file.drop(n))),
            None => units.push(file.replace(object.list, "{ 0 }")),
        }
    }
    for field in fields {
        for node in file.definition(field.name).into_iter().flat_map(|definition| file.uses(definition)) {
            units.extend(become_object(file, node)?);
        }
    }
    Some(Unit::together(units))
}

/// Replaces an access to a field by its object. Nothing, if the name stands where it can't be an access.
fn become_object(file: File<'_>, name: NodeId) -> Option<Vec<Unit>> {
    let access = file.parent(name)?;
    if !is(&file, access, "field_expression") {
        // `.f = value` in an initialiser.
        let pair = file.ancestors(name).find(|&n| is(&file, n, "initializer_pair"))?;
        let value = file.children(pair).last()?;
        return Some(vec![file.cut(file.range(pair).start..file.range(value).start)]);
    }
    let after = file.range(first(&file, access)?).end..file.range(access).end;
    if child(&file, access, "->").is_none() {
        return Some(vec![file.cut(after)]);
    }
    let around = file.parent(access).filter(|&n| first(&file, n) == Some(access));
    let binds_closer = |n: &NodeId| {
        ["subscript_expression", "call_expression", "field_expression"].iter().any(|k| is(&file, *n, k))
    };
    Some(match around.filter(binds_closer) {
        None => vec![file.write(at(&file, access), "*"), file.cut(after)],
        Some(outer) => match child(&file, outer, ".") {
            Some(dot) => vec![file.cut(after), file.replace(dot, "->")],
            None => vec![file.write(at(&file, access), "(*"), file.write(after, ")")],
        },
    })
}

/// Puts the fields of a structure in the place of the field that it is the type of, and shortens the accesses.
fn be_fields(file: File<'_>, structure: NodeId) -> Option<Unit> {
    let field = file.parent(structure).filter(|&n| is(&file, n, "field_declaration"))?;
    let body = child(&file, structure, "field_declaration_list")?;
    let mut inner = file.children(body).filter(|&n| is(&file, n, "field_declaration"));
    let (start, mut end) = inner.next().map(|n| (file.range(n).start, file.range(n).end))?;
    end = inner.last().map_or(end, |n| file.range(n).end);
    let mut names = declarators(&file, field);
    let name = names.next().filter(|&n| names.next().is_none() && is(&file, n, "field_identifier"))?;
    let whole = file.range(field);
    let mut units = vec![file.cut(whole.start..start), file.cut(end..whole.end)];
    for node in file.uses(file.definition(name)?) {
        let access = file.parent(node).filter(|&n| is(&file, n, "field_expression"))?;
        let outer = file.parent(access).filter(|&n| first(&file, n) == Some(access))?;
        let dot = child(&file, outer, ".")?;
        units.push(file.cut(file.range(node).start..file.range(dot).end));
    }
    Some(Unit::together(units))
}
