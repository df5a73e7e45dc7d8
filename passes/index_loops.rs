//! Replaces a loop over the indices of a list by a loop over its elements: `for i in range(len(a)): f(a[i])` becomes `for i in a: f(i)`.

use crate::uses::signed;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::Definition;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;

pub(crate) const PASS: Pass = Pass {
    name: "index-loops",
    summary: "replaces a loop over the indices of a list by a loop over its elements",
    languages: &["csharp", "java", "javascript", "php", "python", "rust", "tsx", "typescript"],
    proves: true,
    examples: &[
        Example {
            language: "python",
            before: "for i in range(len(a := f(1))):\n    g(a[i], a[i].b)\n",
            keep: &["for i in ", "f(1)", ":\n    g(", "i", ".b)"],
            after: "for i in f(1):\n    g(i, i.b)\n",
        },
        Example {
            language: "javascript",
            before: "for (let i = 0, n = a.length; i < n; i++) { f(a[i]); }\n",
            keep: &["for (let i ", "a", "{ f(", "i", "); }"],
            after: "for (let i of a) { f(i); }\n",
        },
        Example {
            language: "typescript",
            before: "for (let i: number = 0; i < a.b.length; i++) f(a.b[i]);\n",
            keep: &["for (let i", "a.b", "f(", "i", ");"],
            after: "for (let i of a.b) f(i);\n",
        },
        Example {
            language: "tsx",
            before: "for (let i = 0; i < a.length; i++) f(<b c={a[i]}/>);\n",
            keep: &["for (let i ", "a", "f(<b c={", "i", "}/>);"],
            after: "for (let i of a) f(<b c={i}/>);\n",
        },
        Example {
            language: "java",
            before: "class A { void f(int[] a) { for (int i = 0; i < a.length; i++) g(a[i]); } }\n",
            keep: &["class A { void f(int[] a) { for (", " i ", "a", "g(", "i", "); } }"],
            after: "class A { void f(int[] a) { for (var i : a) g(i); } }\n",
        },
        Example {
            language: "csharp",
            before: "class A { void F(int[] a) { for (int i = 0; i < a.Length; i++) G(a[i]); } }\n",
            keep: &["class A { void F(int[] a) { for", " i ", "a", "G(", "i", "); } }"],
            after: "class A { void F(int[] a) { foreach (var i in a) G(i); } }\n",
        },
        Example {
            language: "php",
            before: "<?php\nfor ($i = 0; $i < count($a); $i++) { f($a[$i]); }\n",
            keep: &["for", "$i", "$a", "{ f(", "$i", "); }"],
            after: "<?php\nforeach ($a as $i) { f($i); }\n",
        },
        Example {
            language: "rust",
            before: "fn f(a: &[u8]) { for i in 0..a.len() { g(a[i]) } }\n",
            keep: &["fn f(a: &[u8]) { for i in ", "a", "{ g(", "i", ") } }"],
            after: "fn f(a: &[u8]) { for i in a { g(i) } }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The head of a loop over the elements of a list, as a language writes it.
fn head_of(language: &str, element: &[u8], list: &[u8]) -> Option<Vec<u8>> {
    let parts: [&[u8]; 5] = match language {
        "python" => [b"for ", element, b" in ", list, b":"],
        "rust" => [b"for ", element, b" in ", list, b""],
        "javascript" | "tsx" | "typescript" => [b"for (let ", element, b" of ", list, b")"],
        "java" => [b"for (var ", element, b" : ", list, b")"],
        "csharp" => [b"foreach (var ", element, b" in ", list, b")"],
        "php" => [b"foreach (", list, b" as ", element, b")"],
        _ => return None,
    };
    Some(parts.concat())
}

fn plan(base: &Base) -> Vec<Group> {
    let units =
        PASS.files(base).flat_map(|file| file.definitions().filter_map(move |d| over_elements(file, d)));
    vec![Group::deletions(units).doubtful()]
}

/// Replaces the loop whose variable is this index by a loop over the elements, if the index does nothing but select them.
fn over_elements(file: File<'_>, definition: &Definition) -> Option<Unit> {
    let name = definition.places.first()?.name;
    let is_loop = |n: &NodeId| file.children(*n).next().is_some_and(|n| file.node_text(n) == b"for");
    let whole = file.ancestors(name).take_while(|&n| !file.has(n, Role::Block)).find(is_loop)?;
    let body = file.child_with(whole, Role::Body)?;
    let start = file.range(whole).start;
    let head = file.text()[start..file.range(body).start].trim_ascii_end();
    let head = start..start + head.len();
    let text = file.node_text(signed(file, name));
    let mut accesses = BTreeSet::new();
    for used in file.uses(definition).filter(|&n| !head.contains(&file.range(n).start)) {
        let is_access =
            |&n: &NodeId| file.node_text(n).ends_with(b"]") && !file.node_text(n).starts_with(b"[");
        accesses.insert(file.ancestors(used).take(3).find(is_access)?);
    }
    let index = [b"[", text, b"]"].concat();
    let lists: BTreeSet<Option<&[u8]>> =
        accesses.iter().map(|&n| file.node_text(n).strip_suffix(&index[..])).collect();
    let &list = lists.first().filter(|_| lists.len() == 1)?.as_ref()?;
    // In `len(a := f())`, the list is what the variable gets.
    let named = file.descendants(whole).take_while(|&n| file.range(n).start < head.end).find(|&n| {
        file.node_text(n).strip_prefix(list).is_some_and(|rest| rest.trim_ascii_start().starts_with(b":="))
    });
    let source =
        named.and_then(|n| file.named_children(n).last()).map_or(list, |value| file.node_text(value));
    let new = head_of(file.language().name(), text, source)?;
    let elements = accesses.into_iter().map(|n| file.replace(n, text.to_vec()));
    Some(Unit::together(elements.chain([file.write(head, new)])))
}
