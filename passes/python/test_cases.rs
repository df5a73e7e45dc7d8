//! Lets a class of tests have `unittest.TestCase` as its only base: a project's own base class for tests often does nothing that
//! the failing test needs, and lives in a library.

use super::classes::{Class, classes, function_of};
use crate::uses::statement;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "test-cases",
    summary: "lets a class of tests have `unittest.TestCase` as its only base",
    languages: &["python"],
    examples: &[Example {
        language: "python",
        before: "import unittest\nfrom lib import mapping_tests\nclass a(mapping_tests.MappingTests, unittest.TestCase):\n    def test_b(self):\n        c()\n",
        keep: &["import unittest\n", "class a(", "Test", "\n    def test_b(self):\n        c()\n"],
        after: "import unittest\nclass a(unittest.TestCase):\n    def test_b(self):\n        c()\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let is_imported =
            file.definitions().any(|d| file.places(d).any(|p| file.node_text(p.name) == MODULE));
        let classes = if is_imported { classes(file) } else { Vec::new() };
        classes.into_iter().filter_map(move |class| plain(file, class))
    });
    vec![Group::deletions(units).doubtful()]
}

const MODULE: &[u8] = b"unittest";
const TEST_CASE: &[u8] = b"unittest.TestCase";

/// A class of tests with one base that every test may have.
fn plain(file: File<'_>, class: Class) -> Option<Unit> {
    let is_test = |member| {
        let name = function_of(file, member).and_then(|n| file.child_with(n, Role::FunctionName));
        name.is_some_and(|name| file.node_text(name).starts_with(b"test"))
    };
    let bases = class.bases(file);
    let (first, last) = (*bases.first()?, *bases.last()?);
    let is_plain = bases.len() == 1 && file.node_text(first) == TEST_CASE;
    (!is_plain && class.members(file).into_iter().any(is_test)).then_some(())?;
    let replaced = file.range(first).start..file.range(last).end;
    let imports = bases.iter().filter_map(|&base| imported_for(file, base, &replaced));
    let imports: BTreeSet<NodeId> = imports.collect();
    let written = file.write(replaced.clone(), TEST_CASE);
    Some(Unit::together(imports.into_iter().map(|statement| file.drop(statement)).chain([written])))
}

/// The import of the only name that a base class comes from, if nothing else uses that.
fn imported_for(file: File<'_>, base: NodeId, bases: &Range<usize>) -> Option<NodeId> {
    let used = file.first_leaf(base);
    let definition = file.definition(used).filter(|_| file.node_text(used) != MODULE)?;
    let is_base = |n: NodeId| bases.start <= file.range(n).start && file.range(n).end <= bases.end;
    let name = file.places(definition).next()?.name;
    let import = statement(&file, name);
    let imported: BTreeSet<usize> = file.bindings().within(&file, import).map(|(_, index)| index).collect();
    let is_only = imported.len() == 1;
    (file.kind_name(import).starts_with("import") && is_only && file.uses(definition).all(is_base))
        .then_some(import)
}
