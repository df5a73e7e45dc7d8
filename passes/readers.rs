//! Moves the statement that reads a variable to the place where the variable is assigned, and deletes the
//! variable: `a = e;` here and `f(a);` there become `f(e);` here.

use crate::uses::{is_alone, signed, statement};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "readers",
    summary: "moves the statement that reads a variable to the place where the variable is assigned",
    pump: true,
    examples: &[
        Example {
            language: "c",
            before: "int a;\nvoid f(long b) { a = b; }\nint main() { f(2); g(a, 1); }\n",
            keep: &["f(long b) {", "b", "main() { f(2);", "g(", ", 1)"],
            after: "void f(long b) { g(b, 1); }\nint main() { f(2); }\n",
        },
        Example {
            language: "python",
            before: "def f(b):\n    global a\n    a = b\nf(2)\nprint(a, 1)\n",
            keep: &["def f(b):", "f(2)", "print(", ", 1)"],
            after: "def f(b):\n    global a\n    print(b, 1)\nf(2)\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let moved = PASS.files(base).flat_map(|file| file.definitions().filter_map(move |d| moved(file, d)));
    vec![Group::deletions(moved).doubtful()]
}

fn moved(file: File<'_>, definition: &Definition) -> Option<Unit> {
    if definition.sort != Sort::Variable {
        return None;
    }
    let places = file.places(definition).map(|place| place.name);
    let names: Vec<NodeId> = places.chain(file.uses(definition)).map(|n| signed(file, n)).collect();
    let value = |&name: &NodeId| {
        let set = file.parent(name).filter(|_| file.has(name, Role::Target))?;
        Some((set, file.child_with(set, Role::Value)?))
    };
    let mut sets = names.iter().filter_map(value);
    let (set, value) = sets.next().filter(|&(set, _)| is_alone(&file, set))?;
    let is_declared = |n: NodeId| file.places(definition).any(|place| file.is_within(n, place.whole));
    let is_read = |n: &NodeId| file.has(*n, Role::Expression) && !file.is_within(*n, set) && !is_declared(*n);
    let mut reads = names.iter().copied().filter(is_read);
    let read = reads.next()?;
    if sets.next().is_some() || reads.next().is_some() {
        return None;
    }
    let (writer, reader) = (statement(&file, set), statement(&file, read));
    if writer == reader || file.child_with(reader, Role::Body).is_some() || file.is_within(writer, reader) {
        return None;
    }
    let (whole, part) = (file.range(reader), file.range(read));
    let (head, tail) = (&file.text()[whole.start..part.start], &file.text()[part.end..whole.end]);
    let by = [head, file.node_text(value), tail].concat();
    let gone = file.places(definition).filter(|place| !file.is_within(place.name, writer));
    let gone = gone.map(|place| file.drop(place.whole));
    Some(Unit::together([file.replace(writer, by), file.drop(reader)].into_iter().chain(gone)))
}
