//! Puts numbers in the place of an enumeration's constants, and `int` in the place of the enumeration.

use super::{all, child, is};
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "enumerators",
    summary: "puts numbers in the place of an enumeration's constants, and `int` in the place of the enumeration",
    languages: &["c", "cpp"],
    proves: true,
    examples: &[
        Example {
            language: "c",
            before: "enum e { A, B = 7, C };\nint x[B];\nenum e y = C;\n",
            keep: &["int x[", "7", " y = "],
            after: "int x[7];\nint y = 8;\n",
        },
        Example { language: "c", before: "enum { A = 2, B } x[B];\n", keep: &[" x["], after: "int x[3];\n" },
        Example {
            language: "cpp",
            before: "typedef enum e { A = -1 } t;\nt f(e x) { return A - x; }\n",
            keep: &["typedef ", " t;\nt f(", "x) { return ", " - x"],
            after: "typedef int t;\nt f(int x) { return (-1) - x; }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let numbers = PASS
        .files(base)
        .flat_map(|file| all(file, "enum_specifier").filter_map(move |defined| numbers(file, defined)));
    vec![Group::deletions(numbers).doubtful()]
}

/// The change for an enumeration whose values are plain numbers, if all uses of its constants and of its name are.
fn numbers(file: File<'_>, defined: NodeId) -> Option<Unit> {
    let list = child(&file, defined, "enumerator_list")?;
    let mut units = Vec::new();
    let mut next: i64 = 0;
    for constant in file.children(list).filter(|&n| is(&file, n, "enumerator")) {
        let name = file.children(constant).next()?;
        if let Some(mark) = file.next_sibling(name) {
            let value = file.next_sibling(mark)?;
            next = std::str::from_utf8(file.node_text(value)).ok()?.parse().ok()?;
        }
        let number = if next < 0 { format!("({next})") } else { next.to_string() };
        for used in file.bindings().occurrences(name).into_iter().filter(|&used| used != name) {
            if file.parent(used).is_some_and(|n| is(&file, n, "qualified_identifier")) {
                return None;
            }
            units.push(file.replace(used, Source::made(number.clone())));
        }
        next = next.checked_add(1)?;
    }
    let type_name = child(&file, defined, "type_identifier");
    for used in type_name.iter().flat_map(|&name| file.bindings().occurrences(name)) {
        let parent = file.parent(used)?;
        match is(&file, parent, "enum_specifier") {
            true if parent == defined => {}
            true => units.push(file.replace(parent, "int")),
            false if is(&file, parent, "qualified_identifier") => return None,
            false => units.push(file.replace(used, "int")),
        }
    }
    units.push(if file.has(defined, Role::Statement) {
        file.drop(defined)
    } else {
        file.replace(defined, "int")
    });
    Some(Unit::together(units))
}
