//! Makes one class of a class and its base: the members of the derived class win. The class has the name of the base, or that of the derived
//! class if other files name only that.

use super::classes::{Class, classes};
use crate::replacement::bound;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use lopper_languages::{Parsed, layout};
use std::sync::Arc;

pub(crate) const PASS: Pass = Pass {
    name: "bases",
    summary: "makes one class of a class and its base",
    languages: &["python"],
    grain: Grain::Coarse,
    pump: true,
    examples: &[
        Example {
            language: "python",
            before: "class A(C):\n    x = 1\n    def f(self):\n        return A()\n    def g(self):\n        return 2\nclass B(A, D):\n    def g(self):\n        return B() is 3\nB().f()\n",
            keep: &["x = 1", "def f(self)", "return A()", "def g(self)", "() is 3", "().f()"],
            after: "class A(C, D):\n    x = 1\n    def f(self):\n        return A()\n    def g(self):\n        return A() is 3\nA().f()\n",
        },
        Example {
            language: "python",
            before: "=== a.py\nclass A:\n    def f(self):\n        return self.g()\nclass B(A):\n    def g(self):\n        return 2\n=== b.py\nimport a\na.B().f()\n",
            keep: &["def f(self)", "return self.g()", "def g(self)", "return 2", "import a", "a.B().f()"],
            after: "=== a.py\nclass B:\n    def f(self):\n        return self.g()\n    def g(self):\n        return 2\n=== b.py\nimport a\na.B().f()\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let classes = classes(file);
        let ways = |class: &Class| {
            let bases = class.bases(file).into_iter().filter_map(|n| Class::named(file, &classes, n));
            bases.flat_map(|of| merged(base, file, class, of)).collect()
        };
        classes.iter().map(ways).collect::<Vec<Vec<Unit>>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// The ways to make one class of two: in the place of the base, or in that of the derived class.
fn merged(all: &Base, file: File<'_>, derived: &Class, base: &Class) -> Vec<Unit> {
    let Some(indentation) = layout::indentation(file.text(), file.range(base.whole).start) else {
        return Vec::new();
    };
    if file.is_within(derived.whole, base.whole) || file.is_within(base.whole, derived.whole) {
        return Vec::new();
    }
    let occurrences = |class: &Class| file.bindings().occurrences(class.name);
    let is_in_head = |n: &NodeId| file.is_within(*n, derived.whole) && !file.is_within(*n, derived.body);
    let is_only_base = occurrences(base).iter().all(|n| *n == base.name || is_in_head(n));
    let is_only_here = mentions(all, file.node_text(derived.name)) == occurrences(derived).len();
    let (kept, gone) = if is_only_base && !is_only_here { (derived, base) } else { (base, derived) };
    let name = file.node_text(kept.name);
    let renamed: Vec<NodeId> = occurrences(gone);
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
    bases.extend(others.filter(|&n| ![base, derived].map(|class| file.node_text(class.name)).contains(&n)));
    bases.dedup();
    if !bases.is_empty() {
        text = [&text[..], b"(", &bases.join(&b", "[..]), b")"].concat();
    }
    text.push(b':');
    let mut is_empty = true;
    for member in inherited.chain(own.iter().copied()) {
        let range = file.range(member);
        let moved = layout::moved(file.parsed, range.clone(), &inner);
        let moved = bound(file, range, &moved, &[(gone.name, name.to_vec())]);
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

/// How often a word occurs in all files.
fn mentions(base: &Base, word: &[u8]) -> usize {
    let count = |(_, file): (_, &Arc<Parsed>)| {
        file.tokens().iter().filter(|token| &file.text[token.range()] == word).count()
    };
    base.files().map(count).sum()
}
