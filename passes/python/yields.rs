//! Replaces a loop that only takes its elements, or yields each of them, by the whole: `for a in b: pass` becomes `list(b)`, and
//! `for a in b: yield a` becomes `return b` or `yield from b`.

use crate::functions::items_of;
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "yields",
    summary: "replaces a loop that only takes its elements by `list(...)`, and one that yields them by `return` or `yield from` of all of them",
    languages: &["python"],
    proves: true,
    examples: &[
        Example {
            language: "python",
            before: "def f(a):\n    for b in g(a):\n        yield b\n",
            keep: &["def f(a):", "g(a)"],
            after: "def f(a):\n    return g(a)\n",
        },
        Example {
            language: "python",
            before: "def f(a):\n    yield 1\n    for b in a:\n        yield b\n",
            keep: &["def f(a):", "yield 1"],
            after: "def f(a):\n    yield 1\n    yield from a\n",
        },
        Example {
            language: "python",
            before: "for a in b(1):\n    pass\n",
            keep: &["b(1)"],
            after: "list(b(1))\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let loops = file.tree().nodes().filter(move |&n| file.kind_name(n) == "for_statement");
        loops.filter_map(move |node| ways(file, node))
    });
    vec![Group::choices(ways).doubtful()]
}

fn ways(file: File<'_>, node: NodeId) -> Option<Vec<Unit>> {
    let body = file.child_with(node, Role::Body)?;
    let named: Vec<NodeId> = file.named_children(node).filter(|&n| !file.has(n, Role::Comment)).collect();
    // An `else` is a fourth one.
    let [element, all, _] = named[..] else { return None };
    let [only] = items_of(&file, body)[..] else { return None };
    if file.kind_name(only) == "pass_statement" {
        let list = [b"list(", file.node_text(all), b")"].concat();
        return Some(vec![file.replace(node, Source::made(list))]);
    }
    let yielded = file.descendants(only).find(|&n| file.kind_name(n) == "yield")?;
    let [value] = file.named_children(yielded).collect::<Vec<_>>()[..] else { return None };
    let is_all = file.range(yielded) == file.range(only) && file.node_text(value) == file.node_text(element);
    let function = file.ancestors(node).find(|&n| file.has(n, Role::Function)).filter(|_| is_all)?;
    let is_other = |&n: &NodeId| file.kind_name(n) == "yield" && file.is_named(n) && n != yielded;
    let mut others = file.descendants(function).filter(is_other);
    let whole = |word: &[u8]| file.replace(node, Source::made([word, file.node_text(all)].concat()));
    // Beside another `yield`, nobody would see what is returned.
    let returned = others.next().is_none().then(|| whole(b"return "));
    Some(returned.into_iter().chain([whole(b"yield from ")]).collect())
}
