//! Makes one class of a class and its base: the members of the derived class win, and its name becomes that of the base.

use super::classes::{Class, classes};
use crate::replacement::bound;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "bases",
    summary: "makes one class of a class and its base",
    languages: &["python"],
    grain: Grain::Coarse,
    pump: true,
    examples: &[Example {
        language: "python",
        before: "class A(C):\n    x = 1\n    def f(self):\n        return A()\n    def g(self):\n        return 2\nclass B(A, D):\n    def g(self):\n        return B() is 3\nB().f()\n",
        keep: &["x = 1", "def f(self)", "return A()", "def g(self)", "() is 3", "().f()"],
        after: "class A(C, D):\n    x = 1\n    def f(self):\n        return A()\n    def g(self):\n        return A() is 3\nA().f()\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let classes = classes(file);
        let ways = |class: &Class| {
            let bases = class.bases(file).into_iter().filter_map(|n| Class::named(file, &classes, n));
            bases.flat_map(|base| merged(file, class, base)).collect()
        };
        classes.iter().map(ways).collect::<Vec<Vec<Unit>>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// The ways to make one class of two: in the place of the base, or in that of the derived class.
fn merged(file: File<'_>, derived: &Class, base: &Class) -> Vec<Unit> {
    let Some(indentation) = layout::indentation(file.text(), file.range(base.whole).start) else {
        return Vec::new();
    };
    if file.is_within(derived.whole, base.whole) || file.is_within(base.whole, derived.whole) {
        return Vec::new();
    }
    let name = file.node_text(base.name);
    let renamed: Vec<NodeId> = file.bindings().occurrences(derived.name);
    let own = derived.members(file);
    let is_replaced = |member: &NodeId| {
        let name = Class::member_name(file, *member);
        name.is_some() && own.iter().any(|&n| Class::member_name(file, n) == name)
    };
    let inherited = base.members(file).into_iter().filter(|n| !is_replaced(n));
    let inner = [indentation, b"    "].concat();
    let mut text = [b"class ", name].concat();
    let mut bases: Vec<&[u8]> = base.bases(file).into_iter().map(|n| file.node_text(n)).collect();
    let others = derived.bases(file).into_iter().map(|n| file.node_text(n));
    bases.extend(others.filter(|&n| n != name && n != file.node_text(derived.name)));
    bases.dedup();
    if !bases.is_empty() {
        text = [&text[..], b"(", &bases.join(&b", "[..]), b")"].concat();
    }
    text.push(b':');
    let mut is_empty = true;
    for member in inherited.chain(own.iter().copied()) {
        let range = file.range(member);
        let moved = layout::moved(file.parsed, range.clone(), &inner);
        let moved = bound(file, range, &moved, &[(derived.name, name.to_vec())]);
        text.extend([b"\n", &inner[..], &moved].concat());
        is_empty = false;
    }
    if is_empty {
        text.extend(b" pass");
    }
    let is_outside = |n: &&NodeId| !file.is_within(**n, derived.whole) && !file.is_within(**n, base.whole);
    let uses: Vec<Unit> =
        renamed.iter().filter(is_outside).map(|&n| file.replace(n, name.to_vec())).collect();
    let places = [(base.whole, derived.whole), (derived.whole, base.whole)];
    let way = |(kept, gone): (NodeId, NodeId)| {
        let units = [file.replace(kept, text.clone()), file.drop(gone)];
        Unit::together(units.into_iter().chain(uses.iter().cloned()))
    };
    let is_used_between = file.bindings().occurrences(base.name).into_iter().any(|n| {
        file.range(base.whole).end <= file.range(n).start
            && file.range(n).end <= file.range(derived.whole).start
            && file.parent(n).is_none_or(|n| !file.has(n, Role::Call))
    });
    places.into_iter().take(if is_used_between { 1 } else { 2 }).map(way).collect()
}
