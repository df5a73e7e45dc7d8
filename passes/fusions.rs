//! Makes one class of two: the uses of one name the other, which gets its members. Of a class and its base, or of a class
//! and the class around it, members that both have stay once.

use crate::generics::declared;
use crate::uses::statement;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::layout::{self, Layout};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "fusions",
    summary: "makes one class of two: of a class and its base, its outer class, or another one",
    grain: Grain::Coarse,
    pump: true,
    examples: &[
        Example {
            language: "cpp",
            before: "struct a { typedef int t; int f(); };\nint a::f() { return 1; }\ntemplate <class T> struct b { };\nstruct c : b<c>, virtual public a { t g(); } x;\nint y = x.f();\n",
            keep: &[
                "struct ",
                "typedef int t; int f();",
                "::f() { return 1; }",
                "template",
                "t g(); } x;",
                "x.f()",
            ],
            after: "int c::f() { return 1; }\ntemplate <class T> struct b { };\nstruct c : b<c> { typedef int t; int f();\n t g(); } x;\nint y = x.f();\n",
        },
        Example {
            language: "java",
            before: "class A {\n    int a;\n    int f() { return a; }\n    class B extends C<A> {\n        int g(A x) { return x.f() + a(); }\n    }\n}\nabstract class C {\n    abstract int g(A x);\n    int a() { return 1; }\n}\n",
            keep: &[
                "class A",
                "int a;",
                "int f()",
                "return ",
                "x.f() + a()",
                "int g(",
                " x)",
                "int a() { return 1; }",
            ],
            after: "class A {\n    int a;\n    int f() { return a; }\n    int g(A x) { return x.f() + a(); }\nint a() { return 1; }\n}\n",
        },
        Example {
            language: "go",
            before: "type a struct {\n\tb int\n}\ntype c struct {\n\ta\n\td int\n}\n\nfunc f(x *a, y c) {}\n",
            keep: &["type ", "struct {", "b int", "d int", "func f(x *", ", y "],
            after: "type c struct {\n\td int\nb int\n}\n\nfunc f(x *c, y c) {}\n",
        },
        Example {
            language: "php",
            before: "<?php\nclass A { function f() { g(); } }\nclass B extends A { function h() { $this->f(); } }\n",
            keep: &["class ", "function f() { g(); }", "function h() { $this->f(); }"],
            after: "<?php\nclass B { function f() { g(); }\n function h() { $this->f(); } }\n",
        },
        Example {
            language: "ruby",
            before: "class A\n  def f\n    g(1)\n  end\nend\nclass B < A\n  def h\n    f\n  end\nend\n",
            keep: &["class ", "def f\n", "g(1)", "  def h\n", "    f\n", "end\n"],
            after: "class B\ndef f\n    g(1)\n  end\n  def h\n    f\n  end\nend\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The number of classes that a class is fused with.
const MOST: usize = 4;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let classes = Classes::new(file);
        let all = 0..classes.all.len();
        all.map(|gone| classes.others(gone).filter_map(|kept| classes.fused(gone, kept)).collect())
            .collect::<Vec<Vec<Unit>>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// A class, or anything else that has members.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Class {
    name: NodeId,
    whole: NodeId,
    members: NodeId,
}

/// The classes of a file, by number.
struct Classes<'b> {
    file: File<'b>,
    all: Vec<Class>,
    /// Which class has these members.
    members: BTreeMap<NodeId, usize>,
    /// The classes that the head of a class mentions, as its bases.
    bases: BTreeSet<(usize, usize)>,
    /// The same the other way round.
    derived: BTreeSet<(usize, usize)>,
}

impl<'b> Classes<'b> {
    fn new(file: File<'b>) -> Self {
        let class = |members: NodeId| {
            // In Go, a name is given to what has the members.
            let holders = file.ancestors(members).take(2);
            let (name, whole) = holders.filter_map(|n| Some((declared(file, n)?, n))).next()?;
            let is_template = |&n: &NodeId| file.has(n, Role::Function) && file.has(n, Role::Statement);
            let whole = match file.parent(members) == Some(whole) {
                true => file.parent(whole).filter(is_template).unwrap_or(whole),
                false => statement(&file, whole),
            };
            Some(Class { name, whole, members })
        };
        let all: Vec<Class> = file.with(Role::Members).filter_map(class).collect();
        let wholes: BTreeMap<NodeId, usize> = (0..).zip(&all).map(|(at, class)| (class.whole, at)).collect();
        let mut bases = BTreeSet::new();
        for (base, class) in all.iter().enumerate() {
            for used in file.bindings().occurrences(class.name) {
                let around = file.ancestors(used).find_map(|n| wholes.get(&n));
                let is_head = |&at: &usize| at != base && !file.is_within(used, all[at].members);
                bases.extend(around.copied().filter(is_head).map(|at| (at, base)));
            }
        }
        let derived = bases.iter().map(|&(class, base)| (base, class)).collect();
        let members = (0..).zip(&all).map(|(at, class)| (class.members, at)).collect();
        Self { file, all, members, bases, derived }
    }

    /// The classes that may get the members of a class, those first that have to do with it.
    fn others(&self, gone: usize) -> impl Iterator<Item = usize> {
        let whole = self.all[gone].whole;
        let file = self.file;
        let near = |pairs: &BTreeSet<(usize, usize)>| {
            pairs.range((gone, 0)..(gone + 1, 0)).map(|&(_, other)| other).collect::<Vec<_>>()
        };
        let around = file.ancestors(whole).filter_map(|n| self.members.get(&n).copied());
        let mut related = [near(&self.bases), near(&self.derived), around.collect()].concat();
        related.sort_unstable();
        related.dedup();
        let known = related.clone();
        let rest = (0..self.all.len()).filter(move |at| !known.contains(at));
        let is_free = move |at: &usize| *at != gone && !file.is_within(self.all[*at].whole, whole);
        related.into_iter().chain(rest).filter(is_free).take(MOST)
    }

    /// Whether the head of a class mentions another one.
    fn is_base(&self, class: usize, base: usize) -> bool {
        self.bases.contains(&(class, base))
    }

    /// Gives the members of a class to another one.
    fn fused(&self, gone: usize, kept: usize) -> Option<Unit> {
        let file = self.file;
        let (own, other) = self.doubles(gone, kept);
        let is_base = self.is_base(kept, gone);
        let (gone, kept) = (&self.all[gone], &self.all[kept]);
        let text = file.node_text(kept.name);
        let is_around = file.is_within(gone.whole, kept.members);
        let mut units: Vec<Unit> = Vec::new();
        let mut inner: Vec<(Range<usize>, &[u8])> = own.iter().map(|&n| (file.range(n), &b""[..])).collect();
        let is_in = |n: NodeId, nodes: &[NodeId]| nodes.iter().any(|&node| file.is_within(n, node));
        let mut clauses: Vec<Unit> = Vec::new();
        for used in file.bindings().occurrences(gone.name) {
            if is_in(used, &own) || is_in(used, &other) {
                continue;
            }
            if file.is_within(used, gone.whole) {
                if file.is_within(used, gone.members) {
                    inner.push((file.range(used), text));
                }
            } else if file.is_within(used, kept.whole) && !file.is_within(used, kept.members) {
                let parts = std::iter::once(used).chain(file.ancestors(used));
                let clause = parts.take_while(|&n| n != kept.whole).find_map(|n| clause(file, n));
                clauses.extend(clause.filter(|clause| !clauses.contains(clause)));
            } else if let Some(member) = embedded(file, used, kept) {
                clauses.push(file.drop(member));
            } else {
                let arguments = file.parent(used).and_then(|n| file.child_with(n, Role::TypeArguments));
                units.extend(arguments.map(|n| file.cut(file.range(n))));
                units.push(file.replace(used, text.to_vec()));
            }
        }
        units.extend(clauses.into_iter().chain(other.into_iter().map(|n| file.drop(n))));
        let contents = contents(file, gone.members)?;
        inner.sort_by_key(|(range, _)| range.start);
        if is_around {
            let whole = file.range(gone.whole);
            let text = &file.text()[contents.clone()];
            let start = contents.end - text.trim_ascii_start().len();
            units.push(file.cut(whole.start..start));
            units.push(file.cut((contents.start + text.trim_ascii_end().len()).max(start)..whole.end));
            units.extend(inner.into_iter().map(|(range, by)| file.write(range, by)));
        } else {
            let mut moved = Vec::new();
            let mut end = contents.start;
            for (range, by) in inner {
                moved.extend(&file.text()[end..range.start]);
                moved.extend(by);
                end = range.end;
            }
            moved.extend(&file.text()[end..contents.end]);
            let into = self::contents(file, kept.members)?;
            // What a class inherits may have to be known where its members begin.
            let at = match layout::indentation(file.text(), into.start).filter(|_| is_base) {
                Some(blanks) => into.start - blanks.len(),
                None if is_base => into.start,
                None => into.end,
            };
            let last = file.children(kept.members).filter(|&n| file.range(n).end <= at).last();
            let lacks_separator = !is_base
                && last.is_some_and(|n| !file.has(n, Role::Separator))
                && file
                    .children(kept.members)
                    .chain(file.children(gone.members))
                    .any(|n| file.has(n, Role::Separator));
            let before: &[u8] = match file.language().layout() {
                _ if lacks_separator => b", ",
                Layout::Lines if layout::indentation(file.text(), at).is_none() => b"\n",
                Layout::Free if is_base && !file.text()[at..].starts_with(b"\n") => b" ",
                _ => b"",
            };
            // What also declares objects needs the name of a class.
            let is_type = file.has(gone.whole, Role::Type) && !file.has(gone.whole, Role::Statement);
            let name = is_type.then(|| file.replace(gone.whole, text.to_vec()));
            units.push(name.unwrap_or_else(|| file.drop(gone.whole)));
            let after: &[u8] = if file.text()[at..].starts_with(b"\n") { b"" } else { b"\n" };
            units.push(file.write(at..at, [before, moved.trim_ascii(), after].concat()));
        }
        Some(Unit::together(units))
    }

    /// The members of both classes that go since the other class has a function of the same name: of the base class if one
    /// of them is the base of the other, otherwise those without a body.
    fn doubles(&self, gone: usize, kept: usize) -> (Vec<NodeId>, Vec<NodeId>) {
        let file = self.file;
        let functions = |class: usize| {
            let members = file.named_children(self.all[class].members);
            let named = members.filter_map(|member| {
                let function = std::iter::once(member)
                    .chain(file.children(member))
                    .find(|&n| file.has(n, Role::Function))?;
                Some((member, file.node_text(file.child_with(function, Role::FunctionName)?)))
            });
            named.collect::<Vec<_>>()
        };
        let (own, other) = (functions(gone), functions(kept));
        let among = |name: &[u8], functions: &[(NodeId, &[u8])]| functions.iter().any(|(_, n)| *n == name);
        let has_body = |n: NodeId| file.child_with(n, Role::Body).is_some();
        let is_base = [self.is_base(kept, gone), self.is_base(gone, kept)];
        let goes = |functions: &[(NodeId, &[u8])], others: &[(NodeId, &[u8])], is_base: bool| {
            let gone = functions.iter().filter(|(n, name)| among(name, others) && (is_base || !has_body(*n)));
            gone.map(|(n, _)| *n).collect::<Vec<_>>()
        };
        (goes(&own, &other, is_base[0]), goes(&other, &own, is_base[1] && !is_base[0]))
    }
}

/// Deletes a part of a class's head that names a base, if it is more than the name: the name may have arguments, and words
/// such as `virtual` may stand before it.
fn clause(file: File<'_>, node: NodeId) -> Option<Unit> {
    let list = file.parent(node)?;
    let siblings: Vec<NodeId> = file.children(list).collect();
    let is_separator = |n: &NodeId| file.has(*n, Role::Separator);
    let at = siblings.iter().position(|&n| n == node)?;
    let before = siblings[..at].iter().rposition(is_separator);
    let start = before.map_or(1, |separator| separator + 1);
    let after = siblings.get(at + 1).filter(|n| is_separator(n));
    let has_words =
        start < at && siblings[start..at].iter().any(|&n| !file.is_named(n) || file.is_optional(n));
    if has_words && (before.is_some() || after.is_some()) {
        let range = |n: NodeId| file.range(n);
        let whole = match (before, after) {
            (Some(before), _) => range(siblings[before]).start..range(node).end,
            (None, after) => range(siblings[start]).start..after.map_or(0, |&n| range(n).end),
        };
        return Some(file.cut(whole));
    }
    let is_item = (after.is_some() || at + 1 == siblings.len()) && !has_words;
    let is_free = is_item || !file.has(node, Role::Name) && !file.has(node, Role::Type);
    (file.is_optional(node) && is_free).then(|| file.drop(node))
}

/// The member of a class that is nothing but the name of another one, whose members it thereby has: as in Go.
fn embedded(file: File<'_>, used: NodeId, class: &Class) -> Option<NodeId> {
    let member = file.ancestors(used).find(|&n| file.parent(n) == Some(class.members))?;
    let text = file.node_text(member).trim_ascii();
    let behind = text.strip_prefix(b"*").unwrap_or(text).strip_prefix(file.node_text(used))?;
    matches!(behind, [] | [b'[', ..]).then_some(member)
}

/// The text between the brackets of members.
fn contents(file: File<'_>, members: NodeId) -> Option<Range<usize>> {
    let range = file.range(members);
    let text = file.node_text(members);
    let is_enclosed = text.len() >= 2 && text.starts_with(b"{") && text.ends_with(b"}");
    match file.language().layout() {
        _ if is_enclosed => Some(range.start + 1..range.end - 1),
        Layout::Lines => Some(range),
        _ => None,
    }
}
