//! Replaces a compound statement by one of its bodies: loops, branches, handlers, functions, elements between tags.

use crate::jumps::{is_loop, jumps};
use crate::levels::{levels, nearest};
use crate::replacement::inside;
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::Fault;
use lopper_languages::edit::FileId;
use lopper_languages::layout::Layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "bodies",
    summary: "replaces a compound statement by one of its bodies (an `if` by a branch, a loop by its body)",
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "python",
            before: "def f():\n    if a:\n        b()\n    else:\n        c = '''\n  x'''\n        with d:\n            e()\n",
            keep: &["c = '''\n  x'''", "e()"],
            after: "c = '''\n  x'''\ne()\n",
        },
        Example {
            language: "c",
            before: "int f() { while (a) { if (b) c(); else { d(); e(); } } }\n",
            keep: &["int f", "d();", "e();"],
            after: "int f() { d(); e(); }\n",
        },
        Example {
            language: "c",
            before: "int f() { for (;;) { if (a) break; g(); while (b) { break; } if (h()) { continue; } else break; } }\n",
            keep: &["int f", "g();", "break; }", "h()"],
            after: "int f() { ; g(); while (b) { break; } if (h()) ; else ; }\n",
        },
        Example {
            language: "bash",
            before: "for a in 1 2; do\n  one\n  if two; then three; break; fi\ndone\n",
            keep: &["one", "if two", "three"],
            after: "one\n  if two; then three; fi\n",
        },
        Example {
            language: "javascript",
            before: "function f() { if (a) { for (const b of c) { d(); e(); } } else f(); }\n",
            keep: &["function f", "d();", "e();"],
            after: "function f() { d(); e(); }\n",
        },
        Example {
            language: "javascript",
            before: "class A extends B {\n  c = 1;\n  f() { d(); e(); }\n}\n",
            keep: &["d();", "e();"],
            after: "d(); e();\n",
        },
        Example {
            language: "rust",
            before: "fn f() { if a { loop { d(); e(); } } else { f(); } }\n",
            keep: &["fn f", "d();", "e();"],
            after: "fn f() { d(); e(); }\n",
        },
        Example {
            language: "java",
            before: "class A { void f() { while (a) { try { d(); e(); } finally { g(); } } } }\n",
            keep: &["void f", "d();", "e();"],
            after: "class A { void f() { d(); e(); } }\n",
        },
        Example {
            language: "css",
            before: "@import \"x.css\";\nh1, .a > b { color: red; margin: 0 auto; }\n@media print { p { margin: 0; } }\n",
            keep: &["p {"],
            after: "@import \"x.css\";\nh1, .a > b { color: red; margin: 0 auto; }\np { margin: 0; }\n",
        },
        Example {
            language: "html",
            before: "<html lang=\"en\">\n<body class=\"b\" id=\"i\"><p>one <b>two</b></p><ul><li>3</li></ul></body>\n</html>\n",
            keep: &["two"],
            after: "two\n",
        },
        Example {
            language: "go",
            before: "package a\nfunc f() { if b { for { g() } } }\nfunc h() { i() }\n",
            keep: &["g()", "h()", "i()"],
            after: "package a\nfunc f() { g() }\nfunc h() { i() }\n",
        },
        Example {
            language: "text",
            before: "\\begin{a}\n  <b c=\"d\"><e>one</e> two (<f/>)</b>\n\\end{a}\n",
            keep: &["one", "two"],
            after: "one two (<f/>)\n",
        },
        Example {
            language: "text",
            before: "always @* begin\n  if (a) begin\n    b = c;\n  end\nend\n",
            keep: &["b = c;"],
            after: "always @* if (a) b = c;\n",
        },
        Example {
            language: "text",
            before: "while a do\n  on (b) {\n    c = 1;\n    d();\n  }\nend\nif e then f else g end\n",
            keep: &["c = 1;", "d();", "g"],
            after: "c = 1;\nd();\ng\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let mut bodies: BTreeMap<(FileId, NodeId), Vec<NodeId>> = BTreeMap::new();
    for file in PASS.files(base) {
        for body in file.with(Role::Body) {
            if let Some(owner) = nearest(&file, body, |n| file.has(n, Role::Statement)) {
                bodies.entry((file.id, owner)).or_default().push(body);
                // A class may be there only for what one of its functions does.
                let class = file.parent(owner).filter(|&n| file.has(n, Role::Members));
                if let Some(class) = class.and_then(|members| file.parent(members)) {
                    bodies.entry((file.id, class)).or_default().push(body);
                }
            }
        }
    }
    let alternatives = |(file, node): (File<'_>, NodeId)| {
        let bodies = bodies.get(&(file.id, node)).into_iter().flatten();
        bodies.flat_map(|&body| ways(base, file, node, body)).collect::<Vec<_>>()
    };
    let levels = levels(PASS.files(base), |file, node| file.has(node, Role::Statement));
    levels.into_iter().map(|level| Group::choices(level.into_iter().map(alternatives))).collect()
}

/// Whether a body has functions that compilers accept only in a type, because of their `self` or because they have no body, while
/// the statement around it stands in none.
fn is_for_type(file: File<'_>, node: NodeId, body: NodeId) -> bool {
    let receivers = file.language().lexis().receivers;
    let is_in_type = file.parent(node).is_some_and(|list| file.has(list, Role::Body));
    if is_in_type || receivers.is_empty() || !file.language().refuses(Fault::Undefined) {
        return false;
    }
    let is_receiver = |n: NodeId| receivers.iter().any(|text| text.as_bytes() == file.node_text(n));
    let has_receiver = |list: NodeId| file.named_children(list).next().is_some_and(is_receiver);
    let mut functions = file.children(body).filter(|&n| file.has(n, Role::Function));
    functions.any(|function| {
        file.child_with(function, Role::Body).is_none()
            || file.child_with(function, Role::Parameters).is_some_and(has_receiver)
    })
}

/// The ways to put the body in the place of a statement. The jumps that belong to a loop go with it; where another loop is around
/// it, they may also stay for that one.
fn ways(base: &Base, file: File<'_>, node: NodeId, body: NodeId) -> Vec<Unit> {
    let is_block = file.has(body, Role::Block);
    let is_inner = |n: NodeId| file.has(n, Role::Inner);
    let mut around = std::iter::once(node).chain(file.ancestors(node));
    let is_for_function = if is_block { file.named_children(body).any(is_inner) } else { is_inner(body) };
    if is_for_function && !around.any(is_inner) || is_for_type(file, node, body) {
        return Vec::new();
    }
    let by = if is_block { Source::Inside(body) } else { body.into() };
    let whole = file.replace(node, by);
    let jumps = if is_loop(file, node) { jumps(file, node, body) } else { Vec::new() };
    if jumps.is_empty() || file.language().layout() == Layout::Indented {
        return vec![whole];
    }
    let inner = if is_block { inside(base, file.id, body) } else { file.range(body) };
    let all = file.range(node);
    let sides = [all.start..inner.start, inner.end..all.end].into_iter().filter(|side| !side.is_empty());
    let parts = sides.map(|side| file.cut(side)).chain(jumps.into_iter().map(|jump| file.drop(jump)));
    let is_in_loop = file.ancestors(node).any(|n| is_loop(file, n));
    std::iter::once(Unit::together(parts)).chain(is_in_loop.then_some(whole)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::base;

    #[test]
    fn functions_for_objects_and_functions_without_bodies_stay_in_their_type() {
        let come_out = |text: &str| {
            let base = base("rust", text.as_bytes());
            plan(&base).iter().any(|group| {
                (0..group.units().len()).any(|unit| {
                    let candidate = group.render(&base, &[unit]).unwrap();
                    candidate.apply(0, text.as_bytes()).starts_with(b"fn f")
                })
            })
        };
        assert!(!come_out("impl A { fn f(&self) {} }\n") && !come_out("mod a { fn f(self) {} }\n"));
        assert!(!come_out("trait A { fn f(a: u8); }\n"));
        assert!(come_out("impl A { fn f(a: u8) {} }\n"));
    }
}
