//! Makes one class of two: the uses of one name the other, which gets its members. Of a class and its base, or of a class
//! and the class around it, members that both have stay once.

use crate::generics::declared;
use crate::uses::statement;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::layout::{self, Layout};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "fusions",
    summary: "makes one class of two: of a class and its base, its outer class, or another one",
    grain: Grain::Coarse,
    pump: true,
    examples: &[
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
            after: "<?php\nclass B { function h() { $this->f(); } function f() { g(); }\n}\n",
        },
        Example {
            language: "ruby",
            before: "class A\n  def f\n    g(1)\n  end\nend\nclass B < A\n  def h\n    f\n  end\nend\n",
            keep: &["class ", "def f\n", "g(1)", "  def h\n", "    f\n", "end\n"],
            after: "class B\n  def h\n    f\n  end\ndef f\n    g(1)\n  end\nend\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The number of classes that a class is fused with.
const MOST: usize = 4;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let classes = classes(file);
        let ways =
            |gone: &Class| others(file, &classes, gone).filter_map(|kept| fused(file, gone, kept)).collect();
        classes.iter().map(ways).collect::<Vec<Vec<Unit>>>()
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

fn classes(file: File<'_>) -> Vec<Class> {
    let class = |members: NodeId| {
        // In Go, a name is given to what has the members.
        let holders = file.ancestors(members).take(2);
        let (name, whole) = holders.filter_map(|n| Some((declared(file, n)?, n))).next()?;
        let whole = if file.parent(members) == Some(whole) { whole } else { statement(&file, whole) };
        Some(Class { name, whole, members })
    };
    file.with(Role::Members).filter_map(class).collect()
}

/// The classes that may get the members of a class, those first that have to do with it.
fn others<'c>(file: File<'_>, classes: &'c [Class], gone: &Class) -> impl Iterator<Item = &'c Class> {
    let mut others: Vec<&Class> =
        classes.iter().filter(|kept| *kept != gone && !file.is_within(kept.whole, gone.whole)).collect();
    others.sort_by_key(|kept| {
        let is_around = file.is_within(gone.whole, kept.members);
        !(is_around || is_base(file, gone, kept) || is_base(file, kept, gone))
    });
    others.truncate(MOST);
    others.into_iter()
}

/// Whether the head of a class mentions another one.
fn is_base(file: File<'_>, class: &Class, base: &Class) -> bool {
    let uses = file.bindings().occurrences(base.name);
    uses.into_iter()
        .any(|n| file.is_within(n, class.whole) && !file.is_within(n, class.members) && n != class.name)
}

/// Gives the members of a class to another one.
fn fused(file: File<'_>, gone: &Class, kept: &Class) -> Option<Unit> {
    let text = file.node_text(kept.name);
    let is_around = file.is_within(gone.whole, kept.members);
    let mut units: Vec<Unit> = Vec::new();
    let (own, other) = doubles(file, gone, kept);
    let mut inner: Vec<(Range<usize>, &[u8])> = own.iter().map(|&n| (file.range(n), &b""[..])).collect();
    let is_in = |n: NodeId, nodes: &[NodeId]| nodes.iter().any(|&node| file.is_within(n, node));
    let mut clauses: Vec<NodeId> = Vec::new();
    for used in file.bindings().occurrences(gone.name) {
        if is_in(used, &own) || is_in(used, &other) {
            continue;
        }
        if file.is_within(used, gone.whole) {
            if file.is_within(used, gone.members) {
                inner.push((file.range(used), text));
            }
        } else if file.is_within(used, kept.whole) && !file.is_within(used, kept.members) {
            let clause = std::iter::once(used).chain(file.ancestors(used)).find(|&n| is_clause(file, n))?;
            clauses.extend((clause != kept.whole && !clauses.contains(&clause)).then_some(clause));
        } else if let Some(member) = embedded(file, used, kept) {
            clauses.push(member);
        } else {
            let arguments = file.parent(used).and_then(|n| file.child_with(n, Role::TypeArguments));
            units.extend(arguments.map(|n| file.cut(file.range(n))));
            units.push(file.replace(used, text.to_vec()));
        }
    }
    units.extend(clauses.into_iter().chain(other).map(|n| file.drop(n)));
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
        let at = self::contents(file, kept.members)?.end;
        let last = file.children(kept.members).filter(|&n| file.range(n).end <= at).last();
        let lacks_separator = last.is_some_and(|n| !file.has(n, Role::Separator))
            && file
                .children(kept.members)
                .chain(file.children(gone.members))
                .any(|n| file.has(n, Role::Separator));
        let before: &[u8] = match file.language().layout() {
            _ if lacks_separator => b", ",
            Layout::Lines if at > layout::line_start(file.text(), at) => b"\n",
            _ => b"",
        };
        units.push(file.drop(gone.whole));
        let after: &[u8] = if file.text()[at..].starts_with(b"\n") { b"" } else { b"\n" };
        units.push(file.write(at..at, [before, moved.trim_ascii(), after].concat()));
    }
    Some(Unit::together(units))
}

/// Whether a part of a class's head can be deleted and is more than the name of a base: the name may have arguments.
fn is_clause(file: File<'_>, node: NodeId) -> bool {
    let is_item = file.next_sibling(node).is_none_or(|n| file.has(n, Role::Separator));
    file.is_optional(node) && (is_item || !file.has(node, Role::Name) && !file.has(node, Role::Type))
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

/// The members of both classes that go since the other class has a function of the same name: of the base class if one
/// of them is the base of the other, otherwise those without a body.
fn doubles(file: File<'_>, gone: &Class, kept: &Class) -> (Vec<NodeId>, Vec<NodeId>) {
    let functions = |class: &Class| {
        let members = file.named_children(class.members);
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
    let is_base = [is_base(file, kept, gone), is_base(file, gone, kept)];
    let goes = |functions: &[(NodeId, &[u8])], others: &[(NodeId, &[u8])], is_base: bool| {
        let gone = functions.iter().filter(|(n, name)| among(name, others) && (is_base || !has_body(*n)));
        gone.map(|(n, _)| *n).collect::<Vec<_>>()
    };
    (goes(&own, &other, is_base[0]), goes(&other, &own, is_base[1] && !is_base[0]))
}
