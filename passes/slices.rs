//! Takes a definition out of a large program, with what flows from it: loops and branches that depend on it run once, and
//! values that come from it become constants.
//!
//! After Weiser, "Program Slicing" (ICSE 1981): what goes is the forward slice of a definition, but for the statements
//! that it only guards. A failing program is often a few lines of its own around a library; the lines stay when the
//! library goes.

use crate::file::Key;
use crate::functions::name_in;
use crate::gone::{Gone, Node, lost, subject};
use crate::jumps::{first_word, jumps};
use crate::links::Links;
use crate::reach::large;
use crate::uses::{signed, statement};
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::edit::FileId;
use lopper_languages::layout::Layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "slices",
    summary: "deletes a definition with what flows from it, but not the loops and branches that only depend on it",
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "c",
            before: "int lib(int x) { int a = x; a = a + 1; a = a * 2; a = a - 3; f(a); return a; }\nint main() { int n = lib(1); while (lib(n) > 0) { if (n == 0) continue; bug(n); } do k(n); while (lib(3)); g(lib(2)); }\n",
            keep: &["int main", "bug(n)", "int n = ", "k(n);"],
            after: "int main() { int n = 1; { if (n == 0) ; bug(n); } k(n); }\n",
        },
        Example {
            language: "javascript",
            before: "function lib(a) { a = a + 1; a = a * 2; a = a - 3; f(a); g(a, 1); return a; }\nvar o = lib(1);\nvar n;\no.m(n);\nif (lib(2)) { bug(); } else { h(); }\nn = lib(3);\nbug(n);\n",
            keep: &["bug();", "n = ", "bug(n)"],
            after: "var n;\n{ bug(); }\nn = 1;\nbug(n);\n",
        },
        Example {
            language: "rust",
            before: "fn lib(x: u8) -> u8 { let mut a = x; a = a + 1; a = a * 2; a = a - 3; f(a); a }\nfn main() { let n = lib(1); while lib(n) > 0 { if n == 0 { break; } bug(n); } g(lib(2)); }\n",
            keep: &["fn main", "bug(n)", "let n = "],
            after: "fn main() { let n = 1; { if n == 0 {} bug(n); } }\n",
        },
        Example {
            language: "go",
            before: "func lib(x int) int {\n\ta := x\n\ta = a + 1\n\ta = a * 2\n\ta = a - 3\n\tf(a)\n\treturn a\n}\nfunc main() {\n\tfor lib(1) > 0 {\n\t\tbug()\n\t}\n\tk = lib(2)\n}\n",
            keep: &["func main() {\n", "\t\tbug()\n", "\tk = "],
            after: "func main() {\n\t{\n\t\tbug()\n\t}\n\tk = 1\n}\n",
        },
        Example {
            language: "ruby",
            before: "def lib(x)\n  a = x + 1\n  a = a * 2\n  a = a - 3\n  f(a)\n  g(a, x)\n  a\nend\nwhile lib(1)\n  next if c\n  bug()\nend\nk = lib(2)\n",
            keep: &["  bug()\n", "k = "],
            after: "if 1\n  bug()\nend\nk = 1\n",
        },
        Example {
            language: "python",
            before: "def lib(x):\n    a = x + 1\n    a = a * 2\n    a = a - 3\n    f(a)\n    g(a, x)\n    return a\nfor i in lib(1):\n    if c:\n        continue\n    k(i)\n    bug()\nelse:\n    g(lib(2))\nn = lib(3)\nbug(n)\n",
            keep: &["    bug()", "n = ", "bug(n)"],
            after: "if 1:\n    if c:\n        pass\n    bug()\nn = 1\nbug(n)\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// A definition with more uses, or more nodes that go with it, is left to other passes.
const MOST: usize = 512;
/// The largest number of uses that are followed for one definition.
const STEPS: usize = 4096;
/// A definition with fewer tokens is left to other passes.
const LEAST: usize = 24;

/// The first words of statements whose body may run without them.
const HEADS: &[&[u8]] =
    &[b"if", b"unless", b"while", b"until", b"for", b"foreach", b"do", b"loop", b"with", b"using"];

fn plan(base: &Base) -> Vec<Group> {
    let links = Links::new(base);
    let is_large = |d: &Definition| {
        let tokens = |(file, node): Node| base.file(file).tokens_in(base.file(file).tree().range(node)).len();
        d.places.iter().map(|place| tokens((place.file, place.whole))).sum::<usize>() >= LEAST
    };
    let definitions = links.definitions().filter(|(_, d)| d.sort != Sort::Parameter && is_large(d));
    let mut subjects: Vec<u64> = Vec::new();
    let ways = definitions.map(|(key, definition)| {
        let ways = Slice::of(base, &links, key, definition).map_or_else(Vec::new, |slice| slice.ways());
        subjects.extend((0..ways.len()).map(|way| subject(base, definition, way)));
        ways
    });
    let group = Group::choices(ways).doubtful();
    vec![group.about(subjects).freeing(|| large(base))]
}

/// What goes with a definition.
struct Slice<'a> {
    base: &'a Base,
    /// The nodes to delete.
    gone: Gone,
    /// The statements of which only the body stays, with that.
    unwrapped: BTreeMap<Node, NodeId>,
    /// The values to replace by constants.
    values: BTreeSet<Node>,
}

impl<'a> Slice<'a> {
    /// The slice of a definition; `None` if it is too large.
    fn of(base: &'a Base, links: &'a Links<'a>, key: Key, definition: &'a Definition) -> Option<Self> {
        let mut slice =
            Self { base, gone: Gone::default(), unwrapped: BTreeMap::new(), values: BTreeSet::new() };
        let mut due = vec![definition];
        let mut seen = BTreeSet::from([key]);
        let mut steps = 0;
        while let Some(definition) = due.pop() {
            steps += definition.uses.len();
            if definition.uses.len() > MOST || steps > STEPS || slice.gone.len() > MOST || seen.len() > MOST {
                return None;
            }
            let mut ranges: Vec<(FileId, Range<usize>)> = Vec::new();
            // What a head defines goes with the head.
            for place in &definition.places {
                if !slice.is_gone((place.file, place.name)) {
                    ranges.extend(slice.delete((place.file, place.whole)));
                }
            }
            for used in &definition.uses {
                ranges.extend(slice.take_out((used.file, used.name)));
            }
            for (id, range) in ranges {
                let file = slice.file(id);
                let inside =
                    file.tree().starting_in(range.clone()).filter(|&n| file.range(n).end <= range.end);
                let names = inside.filter_map(|name| Some((name, file.bindings().of(name)?)));
                due.extend(lost(links, id, names, &mut seen, |place| slice.is_gone(place)));
            }
        }
        Some(slice)
    }

    fn file(&self, id: FileId) -> File<'a> {
        File { id, parsed: self.base.file(id) }
    }

    /// Deletes a node, unless it is gone: the range that is lost.
    fn delete(&mut self, (id, node): Node) -> Option<(FileId, Range<usize>)> {
        if self.is_gone((id, node)) {
            return None;
        }
        self.gone.insert(self.base, (id, node));
        Some((id, self.file(id).range(node)))
    }

    /// Takes out a use, unless it is gone: the ranges that are lost.
    fn take_out(&mut self, (id, used): Node) -> Vec<(FileId, Range<usize>)> {
        if self.is_gone((id, used)) {
            return Vec::new();
        }
        let file = self.file(id);
        let whole = statement(&file, used);
        // The condition of a `do` loop stands behind the body; what stands behind another body has one of its own.
        let is_of_head = |&body: &NodeId| match file.range(used).start {
            start if start < file.range(body).start => true,
            start => start >= file.range(body).end && first_word(file, whole) == b"do",
        };
        if let Some(body) = body_of(file, whole).filter(is_of_head) {
            self.unwrapped.insert((id, whole), body);
            let (all, body_range) = (file.range(whole), file.range(body));
            let jumps: Vec<NodeId> = jumps(file, whole, body);
            let mut lost = vec![(id, all.start..body_range.start), (id, body_range.end..all.end)];
            lost.extend(jumps.into_iter().filter_map(|jump| self.delete((id, jump))));
            return lost;
        }
        match carrier(file, used, whole) {
            Carrier::Value(value) => {
                self.values.insert((id, value));
                vec![(id, file.range(value))]
            }
            Carrier::Node(node) => self.delete((id, node)).into_iter().collect(),
        }
    }

    /// Whether a node is deleted, or stands in a value or a head that goes.
    fn is_gone(&self, (id, node): Node) -> bool {
        let file = self.file(id);
        let range = file.range(node);
        let is_outside_of = |body: NodeId| {
            let body = file.range(body);
            range.end <= body.start || body.end <= range.start
        };
        let is_taken = |n: NodeId| {
            let body = self.unwrapped.get(&(id, n)).filter(|_| n != node);
            self.values.contains(&(id, n)) || body.is_some_and(|&body| is_outside_of(body))
        };
        self.gone.contains(self.base, (id, node))
            || std::iter::once(node).chain(file.ancestors(node)).any(is_taken)
    }

    /// The ways to take out the slice: with one constant or another for its values; none if it deletes statements only.
    fn ways(&self) -> Vec<Unit> {
        let is_deleted = |node: &Node| self.gone.contains(self.base, *node);
        let values: Vec<Node> = self.values.iter().copied().filter(|node| !is_deleted(node)).collect();
        let unwrapped = self.unwrapped.iter().map(|(&node, &body)| (node, body));
        let unwrapped: Vec<(Node, NodeId)> = unwrapped.filter(|(node, _)| !is_deleted(node)).collect();
        if values.is_empty() && unwrapped.is_empty() {
            return Vec::new();
        }
        let Some((id, _)) = self.gone.nodes().next() else { return Vec::new() };
        let mut constants = self.file(id).language().constants().iter().copied();
        // Most languages have 0 first and 1 last. A loop that runs no round shows nothing.
        let (first, last) = (constants.next(), constants.next_back());
        let other = first.filter(|_| !values.is_empty() && last.is_some());
        let constants = last.or(first).into_iter().chain(other);
        constants.map(|constant| self.way(&values, &unwrapped, constant)).collect()
    }

    /// Deletes what goes, and puts a constant in the places of values.
    fn way(&self, values: &[Node], unwrapped: &[(Node, NodeId)], constant: &'static str) -> Unit {
        let mut units: Vec<Unit> = self.gone.nodes().map(|node| self.deletion(node)).collect();
        for &((id, node), body) in unwrapped {
            let file = self.file(id);
            let (all, inner) = (file.range(node), file.range(body));
            if file.language().layout() == Layout::Indented || file.node_text(body).ends_with(b"end") {
                let before =
                    file.children(node).filter(|&n| file.is_named(n) && file.range(n).end <= inner.start);
                let head = before.last().map_or(all.start, |n| file.range(n).end);
                units.push(file.write(all.start..head, *b"if 1"));
            } else {
                units.push(file.cut(all.start..inner.start));
            }
            if inner.end < all.end {
                units.push(file.cut(inner.end..all.end));
            }
        }
        units.extend(values.iter().map(|&(id, node)| self.file(id).replace(node, Source::text(constant))));
        Unit::together(units)
    }

    /// Deletes a node; where something must stand, its filler does.
    fn deletion(&self, (id, node): Node) -> Unit {
        let file = self.file(id);
        let filler = file.filler(node).filter(|_| !file.is_optional(node));
        filler.map_or_else(|| file.drop(node), |filler| file.replace(node, filler))
    }
}

/// What carries a use.
enum Carrier {
    /// A value that a constant may replace: what is returned, or what is assigned to something whose parts nothing asks
    /// for.
    Value(NodeId),
    /// What must be deleted: a variable, or the whole statement.
    Node(NodeId),
}

/// What carries a use in a statement.
fn carrier(file: File<'_>, used: NodeId, whole: NodeId) -> Carrier {
    let mut inside = std::iter::once(used).chain(file.ancestors(used)).take_while(|&n| n != whole);
    let value = inside.find(|&n| file.has(n, Role::Value) || file.has(n, Role::Returned));
    let Some(value) = value else { return Carrier::Node(whole) };
    if !file.has(value, Role::Value) {
        return Carrier::Value(value);
    }
    // Where several values may be assigned at once, a list of one item stands between an assignment and the item.
    let with = |parent: NodeId, role| {
        let lists = file.children(parent).filter(|&n| file.named_children(n).count() == 1);
        let mut inner = lists.filter_map(|n| file.child_with(n, role));
        file.child_with(parent, role).or_else(|| inner.next())
    };
    let target = file.ancestors(value).take(2).find_map(|n| {
        let name = with(n, Role::VariableName);
        name.or_else(|| with(n, Role::Target))
    });
    // A constant has no parts to unpack.
    let is_name =
        |n: NodeId| file.has(n, Role::Name) || name_in(file, n).is_some_and(|name| signed(file, name) == n);
    let Some(target) = target.filter(|&n| is_name(n) || file.has(n, Role::Access)) else {
        return Carrier::Node(whole);
    };
    let name = name_in(file, target).filter(|&name| signed(file, name) == target);
    let target = name.unwrap_or(target);
    let Some(definition) = file.definition(target) else { return Carrier::Value(value) };
    let is_accessed = |name: NodeId| {
        let name = signed(file, name);
        let access = file.parent(name).filter(|&n| file.has(n, Role::Access));
        access.is_some_and(|n| file.named_children(n).next() == Some(name))
    };
    if !file.uses(definition).any(is_accessed) {
        return Carrier::Value(value);
    }
    let place = file.places(definition).find(|place| place.name == target);
    Carrier::Node(place.map_or(whole, |place| place.whole))
}

/// The body of a statement that can run without the rest of it.
fn body_of(file: File<'_>, statement: NodeId) -> Option<NodeId> {
    if !HEADS.contains(&first_word(file, statement)) {
        return None;
    }
    let start = file.range(statement).start;
    let inner = |&n: &NodeId| file.children(n).next().filter(|&child| file.range(child).start == start);
    std::iter::successors(Some(statement), inner).find_map(|n| file.child_with(n, Role::Body))
}
