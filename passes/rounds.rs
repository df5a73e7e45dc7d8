//! Replaces a loop over elements by its body for one of them: `for x in [1, 2]: f(x)` becomes `x = 1` and `f(x)`.

use crate::{Base, Example, File, Group, Pass, Source, Unit, inside};
use lopper_languages::layout::{self, Layout};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "rounds",
    summary: "replaces a loop over elements by its body for one of them",
    examples: &[
        Example {
            language: "python",
            before: "def f():\n    for x in [1, 2]:\n        g(x)\n        h(x)\n",
            keep: &["def f", "1", "g(x)", "h(x)"],
            after: "def f():\n    x = 1\n    g(x)\n    h(x)\n",
        },
        Example {
            language: "python",
            before: "for x, y in zip(a): g(x, y)\n",
            keep: &["x, y", "a", "g(x, y)"],
            after: "x, y = a\ng(x, y)\n",
        },
        Example {
            language: "javascript",
            before: "for (const x of [a, b]) { f(x); g(x); }\n",
            keep: &["const x", "a", "f(x);", "g(x);"],
            after: "{const x = a; f(x); g(x);}\n",
        },
        Example {
            language: "java",
            before: "class A { void f() { for (int x : g(1)) h(x); } }\n",
            keep: &["void f() {", "int x", "1", "h(x)"],
            after: "class A { void f() { {int x = 1; h(x);} } }\n",
        },
        Example {
            language: "cpp",
            before: "int f(A a) { for (auto &x : a.b) { g(x); } }\n",
            keep: &["int f(A a)", "auto &x", "a", "g(x);"],
            after: "int f(A a) { {auto &x = a; g(x);} }\n",
        },
        Example {
            language: "rust",
            before: "fn f() { for x in g(1) { h(x); i(); } }\n",
            keep: &["fn f()", "x", "1", "h(x)", "i()"],
            after: "fn f() { {let x = 1; h(x); i();} }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// How many parts of the expression behind `in` are tried as the element, before the whole expression is.
const ELEMENTS: usize = 6;

/// A body with more nodes waits: each way holds it.
const LONG: usize = 4096;

fn plan(base: &Base) -> Vec<Group> {
    let loops =
        PASS.files(base).flat_map(|file| file.tree().nodes().filter_map(move |node| ways(base, file, node)));
    vec![Group::choices(loops).doubtful()]
}

/// What stands before a variable with its type where it is assigned for the first time.
fn keyword_of(language: &str) -> Option<&'static [u8]> {
    match language {
        "python" | "javascript" | "typescript" | "tsx" | "java" | "csharp" | "cpp" => Some(b""),
        "rust" => Some(b"let "),
        _ => None,
    }
}

fn ways(base: &Base, file: File<'_>, node: NodeId) -> Option<Vec<Unit>> {
    let keyword = keyword_of(file.language().name())?;
    let body = file.child_with(node, Role::Body)?;
    let is = |n: NodeId, words: &[&[u8]]| file.is_leaf(n) && words.contains(&file.node_text(n));
    let children: Vec<NodeId> = file.children(node).collect();
    let word = children.iter().position(|&n| is(n, &[b"for", b"foreach"]))?;
    let separator = children.iter().position(|&n| is(n, &[b"in", b"of", b":"]))?;
    let elements = *children.get(separator + 1).filter(|&&n| n != body)?;
    let leaves_a_round = |n: NodeId| is(n, &[b"break", b"continue"]);
    let mut parts = file.descendants(body);
    // What follows the body runs after the last round.
    if children.last() != Some(&body)
        || parts.by_ref().take(LONG).any(leaves_a_round)
        || parts.next().is_some()
    {
        return None;
    }
    let opens = |&n: &NodeId| is(n, &[b"("]);
    let head = children.get(word + 1..separator)?;
    let head = &head[head.iter().rposition(opens).map_or(0, |open| open + 1)..];
    let target = file.range(*head.first()?).start..file.range(*head.last()?).end;
    let target = [keyword, &file.text()[target]].concat();
    // An element is seldom what is called, and seldom of the type of all elements.
    let is_called = |n: NodeId| {
        let call = file.parent(n).filter(|&p| file.has(p, Role::Call));
        call.is_some_and(|call| file.children(call).next() == Some(n))
    };
    let is_value = |&n: &NodeId| file.is_named(n) && file.has(n, Role::Expression) && !is_called(n);
    let within = file.descendants(elements).filter(is_value).take(ELEMENTS);
    let within = within.chain(std::iter::once(elements));
    let way = |element: NodeId| {
        let text = round(base, file, node, body, (&target, file.node_text(element)))?;
        Some(file.replace(node, Source::made(text)))
    };
    Some(within.filter_map(way).collect())
}

/// The assignment of an element to the variable of a loop, and the body of the loop.
fn round(
    base: &Base,
    file: File<'_>,
    node: NodeId,
    body: NodeId,
    (target, element): (&[u8], &[u8]),
) -> Option<Vec<u8>> {
    let is_block = file.has(body, Role::Block);
    let range = if is_block { inside(base, file.id, body) } else { file.range(body) };
    if file.language().layout() == Layout::Indented {
        let to = layout::indentation(file.text(), file.range(node).start)?;
        let body = layout::moved(file.parsed, range, to);
        return Some([target, b" = ", element, b"\n", to, &body].concat());
    }
    Some([b"{", target, b" = ", element, b"; ", file.text()[range].trim_ascii(), b"}"].concat())
}
