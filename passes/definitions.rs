//! Deletes a definition with everything that needs it, or replaces its uses by the simplest text for their
//! place.

use crate::uses::{statement, without};
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::tree::{NodeId, Tree};

pub(crate) const PASS: Pass = Pass {
    name: "definitions",
    summary: "deletes a definition with everything that uses it, or replaces its uses by a constant",
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "c",
            before: "typedef int t;\nt a, b;\nt f() { return a; }\nint main() { f(); b = 1; return b; }\n",
            keep: &["main", "b = 1"],
            after: "int b;\nint main() { b = 1; return b; }\n",
        },
        Example {
            language: "c",
            before: "enum { A, B = 7 };\nint x, *p = &x;\nint main() { int y; return g(x = 2, p[1] + A, B, y); }\n",
            keep: &["return g(", ", "],
            after: "enum { };\nint main() { return g(2, 0 + 0, 7, 0); }\n",
        },
        Example {
            language: "python",
            before: "import os\nclass A:\n    def f(self): return os.sep\n    def g(self): return self.f()\nx = A().g()\nprint(1)\n",
            keep: &["print(1)", "class", "def g"],
            after: "class A:\n    def g(self): pass\nprint(1)\n",
        },
        Example {
            language: "javascript",
            before: "import { m } from \"m\";\nconst k = 2;\nfunction f(a) { return a + k; }\nfunction g(b) { return m(f(b)); }\nconsole.log(g(1), k);\n",
            keep: &["console.log"],
            after: "console.log(0, 0);\n",
        },
        Example {
            language: "rust",
            before: "fn f(a: u8) -> u8 { a + 1 }\nfn main() { let k = 2; let x = f(1); g(x, k); }\n",
            keep: &["fn main", "g("],
            after: "fn main() { g(0, 0); }\n",
        },
        Example {
            language: "java",
            before: "class A {\n    static int k = 2;\n    static int f(int a) { return a + k; }\n    void g() { int x = f(1); h(x, k); }\n}\n",
            keep: &["void g", "h("],
            after: "class A {\n    void g() { h(0, 0); }\n}\n",
        },
        Example {
            language: "go",
            before: "package p\nconst k = 2\ntype t struct{ a int }\nfunc f(a int) int { return a + k }\nfunc main() {\n\tx := f(1)\n\tvar s t\n\tg(x, k, s)\n}\n",
            keep: &["package p", "func main", "g("],
            after: "package p\nfunc main() {\n\tg(0, 0, 0)\n}\n",
        },
        Example {
            language: "lua",
            before: "local k = 2\nlocal function f(a) return a + k end\nlocal x = f(1)\nprint(x, k)\n",
            keep: &["print("],
            after: "print(0, 0)\n",
        },
        Example {
            language: "yaml",
            before: "base: &base\n  size: 1\none: *base\ntwo: 2\n",
            keep: &["two"],
            after: "two: 2\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// A definition with more dependent nodes than this is left to other passes.
const MOST: usize = 512;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let definitions = file.definitions().filter(|d| d.sort != Sort::Parameter);
        definitions.map(move |d| ways_to_go(file, d))
    });
    vec![Group::choices(ways).doubtful()]
}

/// The ways to delete a definition: with the statements that need it, or alone.
fn ways_to_go(file: File<'_>, definition: &Definition) -> Vec<Unit> {
    let drop = |&node: &NodeId| file.drop(node);
    let closure = dependents(file, definition);
    let mut ways: Vec<Unit> = closure.iter().map(|gone| Unit::together(gone.iter().map(drop))).collect();
    if !definition.uses.is_empty() && definition.uses.len() <= MOST {
        let wholes: Vec<NodeId> = file.places(definition).map(|place| place.whole).collect();
        let is_left = |node: &NodeId| !is_within_any(file.tree(), *node, &wholes);
        let value = (definition.sort == Sort::Constant).then(|| value_of(file, definition));
        let uses = file.uses(definition).filter(is_left);
        let uses = uses.map(|node| without(file, node, value.clone()));
        ways.push(Unit::together(wholes.iter().map(drop).chain(uses)));
    }
    ways
}

/// The nodes to delete with a definition, so that no statement lacks a definition that it needs: the
/// statements with its uses, and those with the uses of the definitions in them. `None` if there are too
/// many.
fn dependents(file: File<'_>, definition: &Definition) -> Option<Vec<NodeId>> {
    let bindings = file.bindings();
    let mut gone: Vec<NodeId> = Vec::new();
    let mut due = vec![definition];
    let mut seen: Vec<usize> = bindings.of(definition.places[0].name).into_iter().collect();
    while let Some(definition) = due.pop() {
        let wholes = file.places(definition).map(|place| place.whole);
        for node in wholes.chain(file.uses(definition).map(|node| statement(&file, node))) {
            if is_within_any(&file, node, &gone) {
                continue;
            }
            gone.retain(|&n| !file.is_within(n, node));
            gone.push(node);
            if gone.len() > MOST || seen.len() > MOST || definition.uses.len() > MOST {
                return None;
            }
            for (name, index) in bindings.within(&file, node) {
                let other = &bindings.definitions()[index];
                let is_place = file.places(other).any(|place| place.name == name);
                let goes = is_place && file.places(other).all(|p| is_within_any(&file, p.name, &gone));
                if goes && !seen.contains(&index) {
                    seen.push(index);
                    due.push(other);
                }
            }
        }
    }
    gone.sort_unstable();
    Some(gone)
}

fn is_within_any(tree: &Tree, node: NodeId, nodes: &[NodeId]) -> bool {
    nodes.iter().any(|&n| tree.is_within(node, n))
}

/// The value of a constant of an enumeration, as far as its own text gives it.
fn value_of(file: File<'_>, definition: &Definition) -> Source {
    let whole = definition.places[0].whole;
    let mut parts = file.named_children(whole);
    match parts.nth(1) {
        Some(value) => Source::Node(value),
        None => {
            let before = file.parent(whole).map_or(0, |list| {
                file.children(list).take_while(|&n| n != whole).filter(|&n| file.is_named(n)).count()
            });
            Source::made(before.to_string())
        }
    }
}
