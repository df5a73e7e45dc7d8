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
        Example {
            language: "php",
            before: "<?php\nforeach (f(1) as $k => $x) { g($x); h(); }\n",
            keep: &["$x", "1", "g($x)", "h()"],
            after: "<?php\n{$x = 1; g($x); h();}\n",
        },
        Example {
            language: "go",
            before: "func f() {\n\tfor _, x := range g(a) {\n\t\th(x)\n\t\ti()\n\t}\n}\n",
            keep: &["func f()", "x", "a", "h(x)", "i()"],
            after: "func f() {\n\t{x := a; h(x)\n\t\ti()}\n}\n",
        },
        Example {
            language: "go",
            before: "func f() {\n\tfor _, x := range []T{{1, g(2)}, {3, 4}} {\n\t\th(x)\n\t}\n}\n",
            keep: &["func f()", "x", "g(2)", "h(x)"],
            after: "func f() {\n\t{x := T{1, g(2)}; h(x)}\n}\n",
        },
        Example {
            language: "lua",
            before: "for k, x in pairs(a) do f(x) g() end\n",
            keep: &["x", "a", "f(x)", "g()"],
            after: "do local x = a; f(x) g() end\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// What stands between the variable and the elements, or between the elements and the variable.
const SEPARATORS: &[&[u8]] = &[b"in", b"of", b":", b"as", b"range"];

/// How many parts of the expression behind `in` are tried as the element, before the whole expression is.
const ELEMENTS: usize = 6;

/// A body with more nodes waits: each way holds it.
const LONG: usize = 4096;

fn plan(base: &Base) -> Vec<Group> {
    let loops =
        PASS.files(base).flat_map(|file| file.tree().nodes().filter_map(move |node| ways(base, file, node)));
    vec![Group::choices(loops).doubtful()]
}

/// How a language assigns an element to the variable of a loop for the first time.
struct Form {
    /// What stands before the variable, with its type.
    keyword: &'static [u8],
    /// What stands between the variable and the element.
    sign: &'static [u8],
    /// The brackets of a block.
    brackets: (&'static [u8], &'static [u8]),
    /// Whether a loop may have another variable before the one for the element: for its key or its number.
    counts: bool,
}

fn form_of(language: &str) -> Option<Form> {
    let form = Form { keyword: b"", sign: b" = ", brackets: (b"{", b"}"), counts: false };
    match language {
        "python" | "javascript" | "typescript" | "tsx" | "java" | "csharp" | "cpp" => Some(form),
        "php" => Some(Form { counts: true, ..form }),
        "rust" => Some(Form { keyword: b"let ", ..form }),
        "go" => Some(Form { sign: b" := ", counts: true, ..form }),
        "lua" => Some(Form { keyword: b"local ", brackets: (b"do ", b" end"), counts: true, ..form }),
        _ => None,
    }
}

fn ways(base: &Base, file: File<'_>, node: NodeId) -> Option<Vec<Unit>> {
    let form = form_of(file.language().name())?;
    let body = file.child_with(node, Role::Body)?;
    let is = |n: NodeId, words: &[&[u8]]| file.is_leaf(n) && words.contains(&file.node_text(n));
    let is_separator = |n: NodeId| is(n, SEPARATORS);
    let parts_of = |n: NodeId| match n != body && file.children(n).any(is_separator) {
        true => file.children(n).collect(),
        false => vec![n],
    };
    let children: Vec<NodeId> = file.children(node).flat_map(parts_of).collect();
    let word = children.iter().position(|&n| is(n, &[b"for", b"foreach"]))?;
    let separator = children.iter().position(|&n| is_separator(n))?;
    let opens = |&n: &NodeId| is(n, &[b"("]);
    let before = children.get(word + 1..separator)?;
    let before = &before[before.iter().rposition(opens).map_or(0, |open| open + 1)..];
    let behind = *children.get(separator + 1).filter(|&&n| n != body)?;
    // PHP names the elements first.
    let (elements, head) = match is(children[separator], &[b"as"]) {
        true => (*before.first()?, &[behind][..]),
        false => (behind, before),
    };
    // A list of one.
    let only = |&n: &NodeId| file.children(n).next().filter(|&child| file.range(child) == file.range(n));
    let elements = std::iter::successors(Some(elements), only).last()?;
    let head: Vec<NodeId> = head.iter().copied().filter(|&n| !is(n, &[b":=", b"="])).collect();
    let leaves_a_round = |n: NodeId| is(n, &[b"break", b"continue"]);
    let mut parts = file.descendants(body);
    // What follows the body runs after the last round.
    if children.iter().skip_while(|&&n| n != body).skip(1).any(|&n| file.is_named(n))
        || parts.by_ref().take(LONG).any(leaves_a_round)
        || parts.next().is_some()
    {
        return None;
    }
    let target = file.range(*head.first()?).start..file.range(*head.last()?).end;
    // The key or the number of an element stands before it.
    let only_last = || file.named_children(*head.last()?).last().filter(|_| form.counts);
    let target = only_last().map_or(target, |n| file.range(n));
    let target = [form.keyword, &file.text()[target], form.sign].concat();
    // An element is seldom what is called, and seldom of the type of all elements.
    let is_called = |n: NodeId| {
        let call = file.parent(n).filter(|&p| file.has(p, Role::Call));
        call.is_some_and(|call| file.children(call).next() == Some(n))
    };
    let is_value = |&n: &NodeId| file.is_named(n) && file.has(n, Role::Expression) && !is_called(n);
    let spelled = |n: NodeId| match typed(file, n, elements) {
        Some(text) => Some(text),
        None => is_value(&n).then(|| file.node_text(n).to_vec()),
    };
    let within = file.descendants(elements).filter_map(spelled).take(ELEMENTS);
    let within = within.chain(std::iter::once(file.node_text(elements).to_vec()));
    let way = |element: Vec<u8>| {
        let text = round(base, file, (node, body), &form, [target.clone(), element].concat())?;
        Some(file.replace(node, Source::made(text)))
    };
    Some(within.filter_map(way).collect())
}

/// An element in braces with the type of the list's elements, which it leaves out: `T{1}` for `{1}` in Go's `[]T{{1}}`, and `&T{1}`
/// in `[]*T{{1}}`.
fn typed(file: File<'_>, element: NodeId, list: NodeId) -> Option<Vec<u8>> {
    let text = file.node_text(element);
    let around = file.parent(element).and_then(|items| file.parent(items));
    if file.language().name() != "go" || around != Some(list) || !text.starts_with(b"{") {
        return None;
    }
    let of_list = file.named_children(list).next().filter(|&n| file.node_text(n).starts_with(b"["))?;
    let of_element = file.node_text(file.named_children(of_list).last()?);
    Some(match of_element.strip_prefix(b"*") {
        Some(pointed) => [b"&", pointed, text].concat(),
        None => [of_element, text].concat(),
    })
}

/// The assignment of an element to the variable of a loop, and the body of the loop.
fn round(
    base: &Base,
    file: File<'_>,
    (node, body): (NodeId, NodeId),
    form: &Form,
    set: Vec<u8>,
) -> Option<Vec<u8>> {
    let is_block = file.has(body, Role::Block) || file.node_text(body).starts_with(b"{");
    let range = if is_block { inside(base, file.id, body) } else { file.range(body) };
    if file.language().layout() == Layout::Indented {
        let to = layout::indentation(file.text(), file.range(node).start)?;
        let body = layout::moved(file.parsed, range, to);
        return Some([&set, &b"\n"[..], to, &body].concat());
    }
    let (open, close) = form.brackets;
    Some([open, &set, b"; ", file.text()[range].trim_ascii(), close].concat())
}
