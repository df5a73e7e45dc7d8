//! Replaces a node by a descendant that fits into its place.
//!
//! After Sun et al., "Perses: Syntax-Guided Program Reduction" (ICSE 2018), section 3.3: a descendant fits if
//! it has the same kind, shares a supertype, or is accepted by the parser in that state.

use crate::levels::{has_tokens, levels};
use crate::uses::{is_access, is_called, is_object, statement};
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::bindings::Sort;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use lopper_languages::{Fault, Fit};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub(crate) const PASS: Pass = Pass {
    name: "descendants",
    summary: "replaces a node by a descendant that fits its place (an expression by an operand)",
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "python",
            before: "x = f(a + g(b)[1:2])\n@d\ndef h(): pass\n",
            keep: &["x", "g(b)", "def h"],
            after: "x = g(b)\ndef h(): pass\n",
        },
        Example {
            language: "c",
            before: "int a = 1 + (b ? c : d);\nint *p[3];\n",
            keep: &["int a", "c", "int", "p"],
            after: "int a = c;\nint p;\n",
        },
        Example {
            language: "go",
            before: "package p\n\nfunc f() {\n\tg(a + b)\n}\n",
            keep: &["func f() {", "g(", "b)", "}"],
            after: "package p\n\nfunc f() {\n\tg(b)\n}\n",
        },
    ],
    plan,
    proves: true,
    ..Pass::DEFAULT
};

/// The number of alternatives for a node, and the depth of the search for them; a deeper descendant is
/// reached in several steps. Below the outermost nodes of a deep tree, the search also follows the largest
/// child at each level, and takes nodes at distances that double.
const ALTERNATIVES: usize = 8;
const DEPTH: usize = 4;
const VISITED: usize = 64;

fn plan(base: &Base) -> Vec<Group> {
    let imports: BTreeMap<_, _> = PASS.files(base).map(|file| (file.id, imports(file))).collect();
    let levels = levels(PASS.files(base), |file, node| {
        // A string with expressions inside is a single token, too.
        let has_parts = has_tokens(file, node, 2) || file.has(node, Role::Literal);
        file.is_named(node) && node != NodeId::ROOT && !file.is_leaf(node) && has_parts
    });
    let choices = |(level, nodes): (usize, Vec<_>)| {
        let far = level < DEPTH;
        let units = nodes.into_iter().map(|(file, node)| alternatives(file, node, far, &imports[&file.id]));
        Group::choices(units).doubtful()
    };
    levels.into_iter().enumerate().map(choices).filter(|group| !group.units().is_empty()).collect()
}

/// The statements that import names.
fn imports(file: File<'_>) -> BTreeSet<NodeId> {
    let imported = file.definitions().filter(|d| d.sort == Sort::Import);
    let names = imported.flat_map(|d| file.places(d)).map(|place| place.name);
    names.map(|name| statement(&file, name)).collect()
}

/// The descendants that fit into the node's place: first the far ones if they are wanted, deepest first; then
/// the near ones, best fit first, then breadth first. A node that spans the same bytes as its parent, but for blanks at the
/// ends, does not count as a step down. Left out are the ends of paths in imports, since nothing is found without its path;
/// members that stand for others, since they belong into a class; and, where compilers know the types, objects in the place of
/// functions, and methods in the place of values.
fn alternatives(file: File<'_>, slot: NodeId, far: bool, imports: &BTreeSet<NodeId>) -> Vec<Unit> {
    let mut around = std::iter::once(slot).chain(file.ancestors(slot));
    let is_in_import = !imports.is_empty() && around.any(|n| imports.contains(&n));
    let is_typed = file.language().refuses(Fault::Undefined);
    let is_called = is_typed && is_called(file, slot);
    let mut found: Vec<(Fit, NodeId)> = Vec::new();
    let mut queue = VecDeque::from([(slot, 0)]);
    let mut visited = 0;
    let whole = file.node_text(slot).trim_ascii();
    while let Some((node, depth)) = queue.pop_front() {
        let mut is_within = false;
        for child in file.children(node) {
            is_within = is_in_import && (is_within || is_access(file, child));
            let is_out_of_place = is_within || is_called && is_object(file, child);
            if is_out_of_place || !file.is_named(child) || file.has(child, Role::Comment) {
                continue;
            }
            visited += 1;
            if visited > VISITED {
                break;
            }
            let same = file.node_text(child).trim_ascii() == whole;
            if !same {
                let fit = file.language().fit(file.parsed, slot, child);
                let is_owed = file.has(child, Role::Override) && !file.has(slot, Role::Override);
                let is_method = is_typed && !is_called && is_called_method(file, child);
                if fit < Fit::Unlikely
                    && !is_owed
                    && !is_method
                    && found.iter().all(|f| file.range(f.1) != file.range(child))
                {
                    found.push((fit, child));
                }
            }
            let below = depth + usize::from(!same);
            if below < DEPTH {
                queue.push_back((child, below));
            }
        }
    }
    found.sort_by_key(|(fit, _)| *fit);
    found.truncate(ALTERNATIVES);
    let unit = |n| file.replace(slot, n);
    let far = if far { far_below(file, slot) } else { Vec::new() };
    far.into_iter().rev().chain(found.into_iter().map(|(_, n)| n)).map(unit).collect()
}

/// Whether this names a method of an object, and a call calls it.
fn is_called_method(file: File<'_>, node: NodeId) -> bool {
    is_called(file, node) && file.children(node).any(|n| is_access(file, n) && file.node_text(n) == b".")
}

/// The fitting descendants on the path through the largest children, from `2 * DEPTH` steps down, at
/// distances that double.
fn far_below(file: File<'_>, slot: NodeId) -> Vec<NodeId> {
    let largest = |&node: &NodeId| {
        let named = file.named_children(node);
        named.max_by_key(|&n| file.range(n).len())
    };
    let mut wanted = 2 * DEPTH;
    let mut found = Vec::new();
    for (step, node) in std::iter::successors(largest(&slot), largest).enumerate() {
        if step >= wanted && file.language().fit(file.parsed, slot, node) < Fit::Unlikely {
            found.push(node);
            wanted = 2 * step;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::base;

    #[test]
    fn a_statement_does_not_stand_for_the_function_around_it_where_only_definitions_stand() {
        for (language, text) in [
            ("c", "int f(int a) { if (a) { return 2 + a; } while (a) { a--; } }\n"),
            ("cpp", "int f(int a) { try { return 2 + a; } catch (int b) { } for (int c : d) { a--; } }\n"),
            ("java", "class A { int f(int a) { if (a) { return 2 + a; } int b = 3; g(b); } }\n"),
            ("rust", "fn f(a: u8) -> u8 { let b = g(a); if b { h(b); } 3 }\n"),
            ("go", "func f(a int) int { if a > 1 { return 2 + a }; for { g(a); a-- }; return 3 }\n"),
        ] {
            let base = base(language, text.as_bytes());
            let mut count = 0;
            for group in plan(&base) {
                for unit in 0..group.units().len() {
                    let candidate = group.render(&base, &[unit]).unwrap();
                    let after = String::from_utf8(candidate.apply(0, text.as_bytes())).unwrap();
                    let is_inner = ["{", "if", "while", "try", "for", "return", "let"];
                    let first = after.split_whitespace().next().unwrap_or_default();
                    assert!(!is_inner.contains(&first), "{language}: {after}");
                    let behind = after.split_once(") int ").filter(|_| language == "go");
                    assert!(behind.is_none_or(|(_, body)| body.starts_with('{')), "{language}: {after}");
                    count += 1;
                }
            }
            assert!(count > 0, "{language}");
        }
    }

    #[test]
    fn what_an_import_names_within_something_else_does_not_stand_without_that() {
        let texts = replaced("rust", "use a::{b, c::d};\nfn f() { g(h::i) }\n");
        for left in ["use a;", "use a::b;", "use a::{b, c};", "g(i)"] {
            assert!(texts.iter().any(|text| text.contains(left)), "{left}: {texts:?}");
        }
        for text in &texts {
            assert!(text.starts_with("use a") && !text.contains("a::d") && !text.contains(" d}"), "{text}");
        }
    }

    #[test]
    fn an_object_does_not_stand_for_its_method_nor_a_method_for_its_call_where_types_are_known() {
        let texts = replaced("rust", "fn f() { a.b(c.d).e(g::h::<i>(1)) }\n");
        for left in ["{ a.b(c.d) }", "{ a.b }", "{ a }", "c.d", "{ g::h::<i>(1) }", "e(1)", "e(h::<i>(1))"] {
            let is_found = texts.iter().any(|text| text.contains(left));
            assert_eq!(is_found, left != "{ a.b }", "{left}: {texts:?}");
        }
        assert!(!texts.iter().any(|text| text.contains("a(c") || text.contains("a.b(c.d)(")), "{texts:?}");
        let texts = replaced("javascript", "f(a.b(c).e(1));\n");
        assert!(
            texts.contains(&"f(a.b(c)(1));\n".to_owned()) && texts.contains(&"f(a.b(c).e);\n".to_owned())
        );
    }

    #[test]
    fn a_member_that_stands_for_another_one_stays_in_its_class() {
        let text = "struct A;\nimpl B for A { fn f(&self) {} }\nimpl A { fn g() {} }\n";
        let texts = replaced("rust", text);
        assert!(texts.contains(&"struct A;\nimpl B for A { fn f(&self) {} }\nfn g() {}\n".to_owned()));
        assert!(!texts.iter().any(|text| text.contains("\nfn f")), "{texts:?}");
    }

    /// The texts that the units leave, each alone.
    fn replaced(language: &str, text: &str) -> Vec<String> {
        let base = base(language, text.as_bytes());
        let groups = plan(&base);
        let after = |group: &Group, unit| {
            let candidate = group.render(&base, &[unit]).unwrap();
            String::from_utf8(candidate.apply(0, text.as_bytes())).unwrap()
        };
        groups.iter().flat_map(|g| (0..g.units().len()).map(move |unit| after(g, unit))).collect()
    }
}
