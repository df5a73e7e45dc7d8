//! Makes one class of two: the uses of one name the other, which gets its members. Of a class and its base, or of a class
//! and the class around it, members that both have stay once.

use crate::generics::declared;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "fusions",
    summary: "makes one class of two: of a class and its base, its outer class, or another one",
    grain: Grain::Coarse,
    pump: true,
    examples: &[Example {
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
    }],
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
        let whole = file.parent(members)?;
        Some(Class { name: declared(file, whole)?, whole, members })
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
            let clause = std::iter::once(used).chain(file.ancestors(used)).find(|&n| file.is_optional(n))?;
            clauses.extend((clause != kept.whole && !clauses.contains(&clause)).then_some(clause));
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
        let moved = moved.trim_ascii();
        units.push(file.drop(gone.whole));
        units.push(file.write(at..at, [moved, b"\n"].concat()));
    }
    Some(Unit::together(units))
}

/// The text between the brackets of members.
fn contents(file: File<'_>, members: NodeId) -> Option<Range<usize>> {
    let range = file.range(members);
    let text = file.node_text(members);
    let is_enclosed = text.len() >= 2 && text.starts_with(b"{") && text.ends_with(b"}");
    is_enclosed.then(|| range.start + 1..range.end - 1)
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
