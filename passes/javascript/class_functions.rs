//! Makes functions and variables of the members of a class: `class A { f() { return 1; } }` becomes `function f() { return 1; }`.

use super::FAMILY;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::layout::deletion;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "class-functions",
    summary: "makes functions and variables of the members of a class, and deletes the class",
    languages: FAMILY,
    proves: true,
    examples: &[
        Example {
            language: "javascript",
            before: "class A {\n  static *f(a) { yield a; }\n}\ng(A.f(1));\n",
            keep: &["*f(a)", "yield a", "g(", "f(1)"],
            after: "  function *f(a) { yield a; }\ng(f(1));\n",
        },
        Example {
            language: "typescript",
            before: "class A {\n  private a: number = 1;\n  f() { return this.a; }\n}\ng(new A().f());\n",
            keep: &["a: number = 1", "f()", "return", "g(", "a;"],
            after: "  let a: number = 1;\n  function f() { return a; }\ng(f());\n",
        },
        Example {
            language: "tsx",
            before: "class A { f() { return <a/>; } }\n",
            keep: &["f() { return <a/>"],
            after: "function f() { return <a/>; }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// A class with more members than this stays: a function for each of them makes the program larger.
const MEMBERS: usize = 8;
/// A class stays whose members are named in more places than this.
const PLACES: usize = 64;

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let places = Places::of(file);
        let classes = file.with(Role::Statement).filter(move |&node| is_class(file, node));
        classes.filter_map(move |class| dissolved(file, class, &places))
    });
    vec![Group::deletions(units).doubtful()]
}

fn is_class(file: File<'_>, node: NodeId) -> bool {
    matches!(file.kind_name(node), "class_declaration" | "abstract_class_declaration")
}

/// Where members of objects are named, and objects are created, by the names of the members and classes.
struct Places<'a> {
    members: BTreeMap<&'a [u8], Vec<NodeId>>,
    objects: BTreeMap<&'a [u8], Vec<NodeId>>,
}

impl<'a> Places<'a> {
    /// O(n log n) for n nodes.
    fn of(file: File<'a>) -> Self {
        let mut places = Self { members: BTreeMap::new(), objects: BTreeMap::new() };
        for node in file.nodes() {
            let (named, name) = match file.kind_name(node) {
                "member_expression" => (&mut places.members, file.children(node).last()),
                "new_expression" => (&mut places.objects, file.named_children(node).next()),
                _ => continue,
            };
            if let Some(name) = name {
                named.entry(file.node_text(name)).or_default().push(node);
            }
        }
        places
    }
}

/// What dissolves a class.
fn dissolved(file: File<'_>, class: NodeId, places: &Places) -> Option<Unit> {
    let body = file.child_with(class, Role::Members)?;
    let members: Vec<NodeId> = file.named_children(body).filter(|&n| !file.has(n, Role::Comment)).collect();
    if members.is_empty() || members.len() > MEMBERS {
        return None;
    }
    let (first, last) = (file.children(body).next()?, file.children(body).last()?);
    let open = deletion(file.parsed, file.range(class).start..file.range(first).end);
    let close = deletion(file.parsed, file.range(last));
    let mut changes = vec![(open, ""), (close, "")];
    let mut names = BTreeSet::new();
    for &member in &members {
        let keyword = match file.kind_name(member) {
            "method_definition" => "function ",
            "field_definition" | "public_field_definition" => "let ",
            _ => return None,
        };
        let name = file.children(member).find(|&n| file.kind_name(n) == "property_identifier")?;
        names.insert(file.node_text(name));
        // `async` and `*` stay.
        let is_head = |&n: &NodeId| n == name || matches!(file.node_text(n), b"async" | b"*");
        let head = file.children(member).find(is_head)?;
        changes.push((file.range(member).start..file.range(head).start, keyword));
    }
    let class_name = file.children(class).find(|&n| file.has(n, Role::Name)).map(|n| file.node_text(n));
    let objects = class_name.and_then(|name| places.objects.get(name)).into_iter();
    let uses = names.iter().filter_map(|name| places.members.get(name));
    let mut used: Vec<NodeId> = uses.chain(objects).flatten().copied().take(PLACES + 1).collect();
    if used.len() > PLACES {
        return None;
    }
    used.sort_unstable();
    for node in used {
        let (range, by) = changed(file, node, names.contains(&b"constructor"[..]));
        // What stands before the name of a member goes with all in it.
        if changes.iter().all(|(other, _)| range.end <= other.start || other.end <= range.start) {
            changes.push((range, by));
        }
    }
    changes.sort_by_key(|(range, _)| range.start);
    // Edits of one unit do not touch.
    let touch = |(before, _): &Change, (after, _): &Change| before.end == after.start;
    let joined = changes.chunk_by(touch).map(|parts| {
        let range = parts[0].0.start..parts[parts.len() - 1].0.end;
        file.write(range, parts.iter().map(|(_, by)| *by).collect::<String>())
    });
    Some(Unit::together(joined))
}

/// A range, and what takes its place.
type Change = (Range<usize>, &'static str);

/// What becomes of an object of the class, or of what stands before one of its members.
fn changed(file: File<'_>, node: NodeId, has_constructor: bool) -> Change {
    let Range { start, end } = file.range(node);
    let until = |node: Option<NodeId>| start..node.map_or(end, |node| file.range(node).start);
    if file.kind_name(node) == "member_expression" {
        return (until(file.children(node).last()), "");
    }
    match file.child_with(node, Role::Arguments).filter(|_| has_constructor) {
        Some(arguments) => (until(Some(arguments)), "constructor"),
        None => (start..end, "0"),
    }
}
