//! Long, broken and deep texts are parsed like short ones.

use super::arena::Arena;
use super::pieces::{Piece, WHOLE};
use super::{Grammar, pattern};
use crate::edit::Edit;
use crate::role::ROLES;
use crate::slots::NodeTypes;
use crate::tree::{NodeId, Tree};
use crate::{Language, Parsed};
use std::collections::BTreeSet;
use std::iter;
use std::ops::Range;
use tree_sitter::{Query, QueryCursor, StreamingIterator};

/// The tree of a text that is parsed in one piece, however long it is, and its errors.
fn at_once(grammar: &Grammar, text: &[u8]) -> (Tree, usize) {
    let (filled, full) = grammar.fill(text, 0);
    let tree = grammar.parser().parse(&*full, None).unwrap();
    let piece = Piece::whole(&tree, &full, &filled);
    let mut arena = Arena::new(grammar.compiled());
    arena.add(&piece);
    (arena.finish(text).0, piece.errors())
}

/// The errors of a text that is parsed in one piece.
fn errors_at_once(grammar: &Grammar, text: &[u8]) -> usize {
    let (filled, full) = grammar.fill(text, 0);
    Piece::whole(&grammar.parser().parse(&*full, None).unwrap(), &full, &filled).errors()
}

/// All properties of a node except the parser's state, which starts afresh with each piece.
fn facts(tree: &Tree, node: NodeId) -> impl PartialEq + std::fmt::Debug + use<> {
    let flags = (tree.is_named(node), tree.is_error(node), tree.is_optional(node));
    let roles = ROLES.iter().enumerate().filter(|(_, (_, role))| tree.has(node, *role));
    let roles: u64 = roles.map(|(bit, _)| 1 << bit).sum();
    let place = (tree.field(node), tree.supertypes(node));
    (tree.kind_name(node), tree.range(node), tree.parent(node), place, flags, tree.filler(node), roles)
}

/// The samples of a language, repeated.
fn long(grammar: &'static Grammar, between: &str) -> Vec<u8> {
    let samples: String = grammar.samples.iter().map(|(_, text)| format!("{text}{between}")).collect();
    samples.repeat(WHOLE / samples.len() + 9).into_bytes()
}

#[test]
fn a_text_that_is_parsed_in_pieces_has_the_same_tree() {
    for &grammar in crate::GRAMMARS {
        // The recovery from an error may begin anew with a piece; from this one it does not in C and its like.
        let broken = grammar.lexis.directives.map(|_| "\n#if 1\nint x = 1 2;\n#endif\n)\n");
        for between in iter::once("\n").chain(broken) {
            let text = long(grammar, between);
            let parsed = Parsed::new(grammar, text);
            let (tree, errors) = at_once(grammar, &parsed.text);
            for node in tree.nodes() {
                assert_eq!(facts(parsed.tree(), node), facts(&tree, node), "{} {between:?}", grammar.name);
            }
            assert_eq!((parsed.tree().len(), parsed.syntax().errors), (tree.len(), errors), "{between:?}");
        }
    }
}

#[test]
fn the_masks_of_a_long_text_depend_on_the_errors_in_the_pieces_that_they_change() {
    let masks = |grammar: &'static Grammar, parts: [&str; 3]| {
        let plain = "int f(int x) { return x + 1; }\n".repeat(WHOLE / 48);
        let text = parts.join(&plain);
        let pieces = grammar.parse_with(text.as_bytes(), 0).1;
        assert!(pieces.len() > 4 && pieces.last().is_some_and(|(end, _)| *end == text.len()), "{pieces:?}");
        grammar.masks_of(text.as_bytes(), &pieces)
    };
    let (qualified, wrong) = ("DEPRECATED(\"g\") API int g(int x);\n", "int h(int x) { return 1 2 3 4; }\n");
    for grammar in [&crate::c::C, &crate::cpp::CPP] {
        assert_eq!(masks(grammar, ["", qualified, ""]), 1);
        assert_eq!(masks(grammar, [qualified, "", qualified]), 1);
        assert_eq!(
            masks(grammar, [wrong, "int *__attribute__((a)) g();\n", wrong]),
            0,
            "it helps too little"
        );
        assert_eq!(masks(grammar, [wrong, "", wrong]), 0);
    }
}

#[test]
fn candidates_of_long_texts_have_the_errors_of_their_text() {
    for &grammar in crate::GRAMMARS {
        let base = Parsed::new(grammar, long(grammar, "\n"));
        let mut differ = 0;
        for i in 0..20 {
            let (one, other) = (base.tokens()[i * 37], base.tokens()[i * 41 + 9000]);
            let edits = [Edit::delete(0, one.range()), Edit::delete(0, other.range())];
            let mut text = base.text.to_vec();
            for edit in edits.iter().rev() {
                text.drain(edit.start..edit.end);
            }
            let quick = crate::Language::reparse(grammar, &base, &edits);
            differ += usize::from(
                (quick > base.syntax().errors) != (errors_at_once(grammar, &text) > base.syntax().errors),
            );
        }
        // Where all is brackets, one that goes in an item and its opposite in another item balance each other.
        let most = if grammar.lexis.is_of_lists { 4 } else { 2 };
        assert!(differ < most, "{differ} of 20 in {}", grammar.name);
    }
}

#[test]
fn candidates_of_a_long_item_have_the_errors_of_their_text_whatever_was_asked_before() {
    let grammar = &crate::rust::RUST;
    let statements: String = (0..400).map(|i| format!("    let a{i} = b(c[{i}], d);\n")).collect();
    // More of them than are kept, and one with an error of its own.
    let items = format!("fn f() {{\n{statements}}}\n").repeat(8) + &format!("fn g() {{ )\n{statements}}}\n");
    let text = items + &"fn h(x: u8) -> u8 { x + 1 }\n".repeat(WHOLE / 28);
    let base = Parsed::new(grammar, text.into_bytes());
    let mut refused = 0;
    for token in base.tokens()[..40_000].iter().step_by(1777) {
        for edit in [Edit::delete(0, token.range()), Edit::replace(0, token.range(), &b"x"[..])] {
            let candidate = [&base.text[..edit.start], &edit.text[..], &base.text[edit.end..]].concat();
            let quick = crate::Language::reparse(grammar, &base, &[edit]) > base.syntax().errors;
            assert_eq!(quick, errors_at_once(grammar, &candidate) > base.syntax().errors, "{token:?}");
            refused += usize::from(quick);
        }
    }
    assert!((5..41).contains(&refused), "{refused}");
}

#[test]
fn deleting_an_item_of_a_long_text_causes_no_errors() {
    for &grammar in crate::GRAMMARS {
        let base = Parsed::new(grammar, long(grammar, "\n"));
        let tree = base.tree();
        for item in tree.children(NodeId::ROOT).step_by(297) {
            let range = tree.range(item);
            let edits = [Edit::delete(0, range.clone())];
            let text = [&base.text[..range.start], &base.text[range.end..]].concat();
            let quick = crate::Language::reparse(grammar, &base, &edits);
            assert_eq!(quick, errors_at_once(grammar, &text), "{}", tree.kind_name(item));
        }
    }
}

#[test]
fn candidates_of_deep_texts_keep_their_brackets_in_pairs() {
    let grammar = &crate::c::C;
    let deep = format!("int x = {}1{};\n", "(".repeat(3000), ")".repeat(3000));
    let base = Parsed::new(grammar, deep.into_bytes());
    let errors = |edits: &[Edit]| crate::Language::reparse(grammar, &base, edits) - base.syntax().errors;
    let cut = |start, end| Edit::delete(0, start..end);
    assert_eq!(errors(&[cut(8, 9)]), 1);
    assert_eq!(errors(&[cut(8, 9), cut(5000, 5001)]), 0);
    assert_eq!(errors(&[Edit::replace(0, 8..6009, &b"1"[..])]), 0);
}

#[test]
fn patterns_capture_what_tree_sitter_captures() {
    for &grammar in crate::GRAMMARS {
        let compiled = grammar.compiled();
        for (query, matcher) in [(grammar.roles, &compiled.roles), (grammar.bindings, &compiled.bindings)] {
            if query.contains("#begins?") {
                // Our own predicate, to which theirs would have to be a regular expression.
                continue;
            }
            let theirs = match Query::new(&compiled.grammar, query) {
                Ok(theirs) => theirs,
                // Their queries do not know all supertypes; ours look for the kinds of these.
                Err(e) => {
                    let name = e.message.trim_matches('"');
                    assert!(NodeTypes::read(grammar.node_types).is_supertype(name), "{}: {e}", grammar.name);
                    continue;
                }
            };
            for (file, text) in grammar.samples {
                let parsed = Parsed::new(grammar, text.as_bytes().to_vec());
                let mut ours = Vec::new();
                matcher.captures(parsed.tree(), &parsed.text, |node, pattern, capture| {
                    // tree-sitter does not see what is in the leaves.
                    let embedded = &grammar.compiled().embedded;
                    let is_leaf = |n| embedded.contains_key(&parsed.tree().kind(n).0);
                    if parsed.tree().ancestors(node).any(is_leaf) {
                        return;
                    }
                    let name = matcher.patterns.captures[capture].clone();
                    ours.push((pattern, name, parsed.tree().range(node), parsed.tree().kind(node).0));
                });
                let (_, full) = grammar.fill(text.as_bytes(), 0);
                let tree = grammar.parser().parse(&*full, None).unwrap();
                let mut expected = Vec::new();
                let mut cursor = QueryCursor::new();
                let mut matches = cursor.matches(&theirs, tree.root_node(), &*full);
                while let Some(found) = matches.next() {
                    for capture in found.captures() {
                        let name = theirs.capture_names()[capture.index as usize].to_owned();
                        let (range, kind) = (capture.node.byte_range(), capture.node.kind_id());
                        let marks = grammar.compiled().marks.get(&kind);
                        let range = marks.map_or(range.clone(), |marks| marks.name(range));
                        expected.push((found.pattern_index, name, range, kind));
                    }
                }
                let key =
                    |c: &(usize, String, Range<usize>, u16)| (c.0, c.1.clone(), c.2.start, c.2.end, c.3);
                let of = |all: &[_]| all.iter().map(key).collect::<BTreeSet<_>>();
                let (ours, expected) = (of(&ours), of(&expected));
                // The parser's tree also has the words that it was given where the text implies them.
                if full.len() == text.len() {
                    let lost: Vec<_> = expected.difference(&ours).collect();
                    assert!(lost.is_empty(), "{file}: {lost:?}");
                    // In `const a, b = 1, 2`, tree-sitter misses the `a`.
                    let found: Vec<_> = ours.difference(&expected).collect();
                    assert!(found.len() <= 1, "{file}: {found:?}");
                }
            }
        }
    }
}

#[test]
fn what_a_macro_stands_for_has_nodes_of_its_own_where_the_grammar_accepts_it() {
    let kinds = |replacement: &str| {
        let text = format!("#define A {replacement}\nint x;\n");
        let file = Parsed::new(&crate::c::C, text.clone().into_bytes());
        let tree = file.tree();
        let leaf = tree.nodes().find(|&n| tree.kind_name(n) == "preproc_arg").unwrap();
        let children = tree.named_children(leaf).map(|n| (tree.kind_name(n), &text[tree.range(n)]));
        children.map(|(kind, text)| (kind.to_owned(), text.to_owned())).collect::<Vec<_>>()
    };
    let of = |kind: &str, text: &str| vec![(kind.to_owned(), text.to_owned())];
    assert_eq!(kinds("1 + \\\n x"), of("binary_expression", "1 + \\\n x"));
    assert_eq!(kinds("if (x) { f(); }"), of("if_statement", "if (x) { f(); }"));
    assert_eq!(
        kinds("static int f() { return 1; }"),
        of("function_definition", "static int f() { return 1; }")
    );
    assert_eq!(kinds("struct s *"), of("struct_specifier", "struct s"));
    for other in ["a ## b", "else {", "\"", "(((("] {
        assert_eq!(kinds(other), [], "{other}");
    }
}

#[test]
fn a_parameter_of_a_macro_is_its_own_and_its_other_names_are_those_of_the_file() {
    let text = "int a, b;\n#define F(a) ((a) + b)\nint c = F(b);\n";
    let file = Parsed::new(&crate::c::C, text.as_bytes().to_vec());
    let lines = |name: NodeId| text[..file.tree().range(name).start].matches('\n').count();
    let definitions = file.bindings(0).definitions().iter();
    let found: Vec<_> = definitions
        .map(|d| {
            let name = std::str::from_utf8(file.node_text(d.places[0].name)).unwrap();
            (name, d.uses.iter().map(|used| lines(used.name)).collect::<Vec<_>>())
        })
        .collect();
    let expected = [("a", vec![]), ("b", vec![1, 2]), ("F", vec![2]), ("a", vec![1]), ("c", vec![])];
    assert_eq!(found, expected);
}

#[test]
fn what_the_notation_lacks_is_refused_with_its_line() {
    let grammar = (crate::python::PYTHON.grammar)();
    let types = NodeTypes::read(crate::python::PYTHON.node_types);
    let refused = |query| pattern::read(query, &grammar, &types, &mut Vec::new()).err().unwrap();
    assert_eq!(refused("(module)\n(modul) @a"), "line 2: the grammar has no node 'modul'");
    assert_eq!(refused("(module (_)* @a)"), "line 1: repetitions are not supported");
    assert_eq!(refused("(call nam: (_))"), "line 1: the grammar has no field 'nam'");
    assert_eq!(refused("((call) @a (#match? @a \"x\"))"), "line 1: the predicate #match? is not supported");
    assert!(refused("(call").starts_with("line 1: "));
}

#[test]
fn an_item_that_loses_its_end_is_parsed_with_the_next_one() {
    let filler = "namespace n { struct s { int a; }; }\n".repeat(1000);
    let text = format!("void f() {{\n    int a;\n    int b;\n    g(a);\n}}\n{filler}");
    let at = |what: &str| text.find(what).unwrap();
    let base = Parsed::new(&crate::cpp::CPP, text.clone().into_bytes());
    let errors = |edits: &[Edit]| crate::Language::reparse(&crate::cpp::CPP, &base, edits);
    let comma = Edit::replace(0, at(";\n    int b")..at(";\n    int b") + 1, &b", "[..]);
    let joined = Edit::delete(0, at("    int b")..at("b;\n"));
    assert_eq!(errors(&[comma.clone(), joined]), 0);
    assert_ne!(errors(&[comma]), 0);
}

#[test]
fn a_line_on_which_the_lexer_takes_quadratic_time_is_read_as_text() {
    let language = crate::named("javascript").unwrap();
    // Each `/` may begin a regular expression, and each `[` in it a class that only a bracket ends.
    let text = "=/[".repeat(60_000);
    let parsed = Parsed::new(language, text.into_bytes());
    let plain = crate::text::TEXT.parse(&parsed.text);
    assert_eq!((parsed.tree().len(), parsed.syntax().errors), (plain.tree.len(), plain.errors));
    // Shorter lines are no trouble, however many there are.
    let lines = Parsed::new(language, "=/[\n".repeat(60_000).into_bytes());
    assert_ne!(lines.tree().len(), crate::text::TEXT.parse(&lines.text).tree.len());
}

#[test]
fn what_is_no_type_or_must_return_has_no_filler() {
    let fillers = |name: &str, text: &str| {
        let parsed = Parsed::new(crate::named(name).unwrap(), text.into());
        let tree = parsed.tree();
        let nodes = tree.nodes().filter(|&n| tree.filler(n).is_some());
        let texts: Vec<String> =
            nodes.map(|n| String::from_utf8_lossy(&parsed.text[tree.range(n)]).into_owned()).collect();
        texts
    };
    let rust = fillers("rust", "impl<T: A + B<C>> D for E<T> { fn f(a: &dyn F) {} }\n");
    for text in ["T", "C", "E<T>", "dyn F", "&dyn F"] {
        assert!(rust.iter().any(|filled| filled == text), "{text}: {rust:?}");
    }
    for text in ["A", "B<C>", "B", "D", "E", "F"] {
        assert!(!rust.iter().any(|filled| filled == text), "{text}: {rust:?}");
    }
    let go = fillers("go", "package p\nfunc (a *T) f(b *U) int { g(); return 1 }\n");
    for text in ["*U", "int", "g()", "{ g(); return 1 }"] {
        assert!(go.iter().any(|filled| filled == text), "{text}: {go:?}");
    }
    for text in ["*T", "T", "return 1"] {
        assert!(!go.iter().any(|filled| filled == text), "{text}: {go:?}");
    }
}
