//! Turns a field of a structure into a variable, which every access to the field then names.

use super::initializers::{Initializer, initializers};
use super::{FAMILY, all, at, child, declarators, first, is, specifiers};
use crate::uses::{free_name, taken_names};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;

pub(crate) const PASS: Pass = Pass {
    name: "fields",
    summary: "turns a field into a variable",
    languages: FAMILY,
    pump: true,
    examples: &[
        Example {
            language: "c",
            before: "struct s { int a, *b[2]; } x = { .a = 1 };\nint f(struct s *p) { return *p->b[1] + x.a; }\n",
            keep: &["[2]", "} x", "f(struct s *p"],
            after: "int a;\nint *b[2];\nstruct s { } x = { };\nint f(struct s *p) { return *b[1] + a; }\n",
        },
        Example {
            language: "c",
            before: "typedef struct { int a, *b, c; } s;\ns x = { 1, 0, 2 }, y[2] = { { 3 }, { 4, 0, 5 } };\nint f() { return x.c + y[1].c; }\n",
            keep: &["int a, *b", "} s;", "s x = { 1, 0", ", y[2] = { { 3 }, { 4, 0", "return ", " + "],
            after: "int c;\ntypedef struct { int a, *b; } s;\ns x = { 1, 0 }, y[2] = { { 3 }, { 4, 0 } };\nint f() { return c + c; }\n",
        },
        Example {
            language: "c",
            before: "int f() { struct s { int a, b; } x = { 1, 2 }; return x.b; }\n",
            keep: &["f() {", "int a", "} x = {", "1", "return ", "b; }"],
            after: "int f() { int b = 2;\nstruct s { int a; } x = { 1 }; return b; }\n",
        },
        Example {
            language: "cpp",
            before: "class c { int a; public: int b; };\nint f(c *a) { return a->b; }\n",
            keep: &["class c {", "int a;", "public", "f(c *a)", "int b"],
            after: "int b;\nclass c { int a; public: };\nint f(c *a) { return b; }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let moved = PASS.files(base).flat_map(|file| {
        let taken = taken_names(file);
        let structures = all(file, "struct_specifier").chain(all(file, "class_specifier"));
        let moved = |structure| {
            let objects = initializers(file, structure);
            let fields = fields(file, structure).into_iter().enumerate();
            fields
                .filter_map(|(place, field)| moved(file, &field, place, &objects, &taken))
                .collect::<Vec<_>>()
        };
        structures.flat_map(moved).collect::<Vec<_>>()
    });
    vec![Group::deletions(moved).doubtful()]
}

/// A field of a structure.
pub(crate) struct Field {
    pub(crate) declaration: NodeId,
    pub(super) declarator: NodeId,
    pub(crate) name: NodeId,
}

/// The fields that a structure itself defines, one for each declarator with a name.
pub(crate) fn fields(file: File<'_>, structure: NodeId) -> Vec<Field> {
    let Some(body) = child(&file, structure, "field_declaration_list") else { return Vec::new() };
    let declarations = file.children(body).filter(|&n| is(&file, n, "field_declaration"));
    let of_declaration = |declaration| {
        let field = move |declarator| {
            let mut path = std::iter::successors(Some(declarator), |&n| first(&file, n));
            let name = path.find(|&n| is(&file, n, "field_identifier"))?;
            Some(Field { declaration, declarator, name })
        };
        declarators(&file, declaration).filter_map(field)
    };
    declarations.flat_map(of_declaration).collect()
}

/// Declares the field before the statement that defines its structure, under a name that stands for nothing else. If there is only one
/// object, the variable gets the constant that is the value of the field at this place.
fn moved(
    file: File<'_>,
    field: &Field,
    place: usize,
    objects: &[Initializer],
    taken: &BTreeSet<&[u8]>,
) -> Option<Unit> {
    let mut statements = std::iter::once(field.declaration).chain(file.ancestors(field.declaration));
    let is_place = |n: &NodeId| file.has(*n, Role::Statement) && !is(&file, *n, "field_declaration");
    let before = statements.find(is_place)?;
    let name = free_name(file.node_text(field.name), taken);
    let (whole, range) = (file.range(field.declarator), file.range(field.name));
    let declarator =
        [&file.text()[whole.start..range.start], &name, &file.text()[range.end..whole.end]].concat();
    let typed = specifiers(file, field.declaration)?;
    let alone = declarators(&file, field.declaration).nth(1).is_none();
    let gone = file.drop(if alone { field.declaration } else { field.declarator });
    let values: Vec<NodeId> = objects.iter().filter_map(|object| object.values.get(place)).copied().collect();
    let value = match values[..] {
        [value] if objects.len() == 1 && file.has(value, Role::Literal) => {
            [b" = ", file.node_text(value)].concat()
        }
        _ => Vec::new(),
    };
    let variable = [typed, b" ", &declarator, &value, b";\n"].concat();
    let mut units = vec![gone, file.write(at(&file, before), variable)];
    units.extend(values.into_iter().map(|value| file.drop(value)));
    for node in file.uses(file.definition(field.name)?) {
        let around = file.parent(node)?;
        if is(&file, around, "field_expression") {
            units.push(file.write(file.range(around).start..file.range(node).end, name.clone()));
        } else {
            units.push(file.drop(file.ancestors(node).find(|&n| is(&file, n, "initializer_pair"))?));
        }
    }
    Some(Unit::together(units))
}
