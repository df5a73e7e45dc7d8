//! Defines a structure, union or enumeration in the place of its first use: `struct s { int a; }; struct s b;`
//! becomes `struct s { int a; } b;`.

use super::{FAMILY, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "placements",
    summary: "defines a structure, union or enumeration in the place of its first use",
    languages: FAMILY,
    proves: true,
    examples: &[
        Example {
            language: "c",
            before: "struct s { int a; };\nenum e { A };\nstruct s f(enum e b) { struct s c; return c; }\n",
            keep: &["struct s { int a; }", "enum e { A }", " f(", " b) { struct s c; return c; }"],
            after: "struct s { int a; } f(enum e { A } b) { struct s c; return c; }\n",
        },
        Example {
            language: "cpp",
            before: "class s { int a; };\ns *b;\n",
            keep: &["class s { int a; }", "*b"],
            after: "class s { int a; } *b;\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let placed = PASS.files(base).flat_map(|file| file.definitions().filter_map(move |d| placed(file, d)));
    vec![Group::deletions(placed).doubtful()]
}

fn placed(file: File<'_>, definition: &Definition) -> Option<Unit> {
    if !matches!(definition.sort, Sort::Tag | Sort::Type) {
        return None;
    }
    let is_specifier = |n: &NodeId| file.kind_name(*n).ends_with("_specifier");
    let specifier = file.parent(definition.places[0].name).filter(is_specifier)?;
    let stands_alone = file.has(specifier, Role::Statement)
        || file
            .parent(specifier)
            .is_some_and(|n| is(&file, n, "declaration") && file.named_children(n).count() == 1);
    let first = file.uses(definition).find(|&n| !file.is_within(n, specifier)).filter(|_| stands_alone)?;
    let first = file.parent(first).filter(is_specifier).unwrap_or(first);
    let gone = if file.has(specifier, Role::Statement) { specifier } else { file.parent(specifier)? };
    Some(Unit::together([file.drop(gone), file.replace(first, specifier)]))
}
