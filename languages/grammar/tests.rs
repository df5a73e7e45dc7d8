//! What grammars must do: the known answers of their papers, and properties on random ones.

use super::*;
use crate::role::Role;
use crate::tree::Tree;

pub(super) const ARITHMETIC: &str = include_str!("../../examples/grammars/arithmetic.json");

pub(super) fn parser(json: &str) -> Parser {
    Parser::new(Grammar::read(json).unwrap_or_else(|problems| panic!("{problems:?}")))
}

fn problems(json: &str) -> Vec<String> {
    Grammar::read(json).err().into_iter().flatten().map(|p| p.to_string()).collect()
}

/// A tree as its nodes' kinds and texts: `expr[term[...] '+' ...]`; `?` marks what may be absent, `,` what
/// separates.
fn shown(file: &Parsed) -> String {
    fn node(tree: &Tree, file: &Parsed, at: NodeId, out: &mut String) {
        if tree.is_leaf(at) {
            *out += &String::from_utf8_lossy(file.node_text(at));
        } else {
            *out += &tree.kind_name(at).replace(['<', '>'], "");
            *out += "[";
            for (i, child) in tree.children(at).enumerate() {
                *out += if i > 0 { " " } else { "" };
                node(tree, file, child, out);
            }
            *out += "]";
        }
        *out += if tree.is_optional(at) { "?" } else { "" };
        *out += if tree.has(at, Role::Separator) { "," } else { "" };
    }
    let mut out = String::new();
    node(file.tree(), file, NodeId::ROOT, &mut out);
    out
}

fn tree(json: &str, text: &str) -> String {
    shown(&Parsed::new(parser(json).leak(), text.into()))
}

#[test]
fn the_three_shapes_are_the_same_grammar() {
    let texts = r#"{"<start>": ["<a> + <b>", ["<b>", {"prob": 0.25, "x": 1}], ""], "<a>": ["a< b"], "<b>": ["<lt>"], "<lt>": ["<"]}"#;
    let lists = r#"{"<start>": [["<a>", " + ", "<b>"], ["<b>"], []], "<a>": [["a< b"]], "<b>": [["<lt>"]], "<lt>": [["<"]]}"#;
    let outer = format!(r#"{{"[start]": "<start>", "[grammar]": {lists}}}"#);
    let [texts, lists, outer] = [texts, lists, &outer].map(|json| Grammar::read(json).unwrap());
    assert_eq!(texts.to_string(), lists.to_string());
    assert_eq!(lists, outer);
    assert_eq!(texts.remarks(), ["the option 'x' of <start> is not used"]);
    assert_eq!(texts.rule(1).probability, Some(0.25));
    assert_eq!(Grammar::read(&texts.write()).unwrap(), lists);
}

#[test]
fn symbols_that_are_objects_are_texts_and_classes() {
    let json = r#"{"[start]": "<s>", "[grammar]": {"<s>": [[{"lit": "<s>"}, {"class": "a-c"}, "<t x>"]], "<t x>": [["é"]]}, "tokens": ["<t x>"]}"#;
    let grammar = Grammar::read(json).unwrap();
    assert_eq!(grammar.to_string(), "<s> ::= \"<s>\" [a-c] <t x>\n<t x> ::= \"é\"\n");
    assert!(grammar.is_lexical(grammar.named("<t x>").unwrap()) && !grammar.is_lexical(grammar.start()));
    assert_eq!(Grammar::read(&grammar.write()).unwrap(), grammar);
    let parser = Parser::new(grammar);
    assert!(parser.accepts("<s>bé".as_bytes()));
    assert!(!parser.accepts("<s>dé".as_bytes()));
}

#[test]
fn every_problem_has_a_name_and_help() {
    let cases = [
        ("[]", "not a grammar in JSON"),
        (r#"{"<start>": ["<a>"]}"#, "undefined: <start> uses <a>, which has no rules"),
        (r#"{"<s>": ["a"]}"#, "undefined: the start symbol <start> has no rules"),
        (r#"{"<start>": ["a"], "<a>": ["b<a>", ""]}"#, "unused: no rule uses <a>"),
        (
            r#"{"<start>": ["a"], "<a>": ["<b>"], "<b>": ["b"]}"#,
            "unreachable: the start symbol does not lead to <b>",
        ),
        (r#"{"<start>": ["a", "<a>"], "<a>": ["b<a>"]}"#, "unproductive: <a> never comes to an end"),
        (r#"{"<start>": ["a", "a"]}"#, "duplicate: <start> has the alternative \"a\" twice"),
        (
            r#"{"<start>": ["a", "<b><e>"], "<b>": ["<start>"], "<e>": [""]}"#,
            "cyclic: <start> -> <b> -> <start>",
        ),
        (r#"{"<start>": ["a"], "<start>": ["b"]}"#, "repeated: <start> is defined twice"),
        (r#"{"<start>": "a"}"#, "wrong form: <start>"),
        (r#"{"<start>": [1]}"#, "wrong form: an expansion of <start>"),
        (r#"{"<start>": [[{"class": "z-a"}]]}"#, "wrong form: an expansion of <start>"),
        (r#"{"start": ["a"]}"#, "no name of a nonterminal: \"start\""),
    ];
    for (json, problem) in cases {
        let found = problems(json);
        assert!(found.iter().any(|p| p.starts_with(problem)), "{json}: {found:?}");
        assert!(Grammar::read(json).unwrap_err().iter().all(|p| !p.help().is_empty()));
    }
}

#[test]
fn recursion_left_right_and_hidden_is_read() {
    let left = parser(r#"{"<start>": ["<start>a", ""]}"#);
    let right = parser(r#"{"<start>": ["a<start>", ""]}"#);
    let hidden = parser(r#"{"<start>": ["<e><start>a", "b"], "<e>": ["", "x"]}"#);
    for n in [0, 1, 2, 50] {
        let text = "a".repeat(n);
        assert!(left.accepts(text.as_bytes()) && right.accepts(text.as_bytes()));
        assert_eq!((left.trees(text.as_bytes()), right.trees(text.as_bytes())), (1, 1));
        assert!(!left.accepts((text.clone() + "b").as_bytes()) && !right.accepts((text + "b").as_bytes()));
    }
    assert!(hidden.accepts(b"b") && hidden.accepts(b"baa") && hidden.accepts(b"xxbaa"));
    assert!(!hidden.accepts(b"xxxbaa"));
    // Which two of three.
    assert_eq!(hidden.trees(b"xxbaaa"), 3);
}

#[test]
fn ambiguous_texts_have_as_many_trees_as_they_have_and_the_first_is_leftmost_longest() {
    let sum = parser(r#"{"<start>": ["<start>+<start>", "1"]}"#);
    let catalan = [1, 1, 2, 5, 14, 42, 132];
    for (n, trees) in catalan.into_iter().enumerate() {
        assert_eq!(sum.trees(("1".to_owned() + &"+1".repeat(n)).as_bytes()), trees);
    }
    let (first, _) = sum.derivation(b"1+1+1").unwrap();
    assert_eq!(first.steps, [0, 0, 1, 1, 1].map(Step::Rule));
    // The first rule is preferred, and the first symbol takes as much as it can.
    let pair = parser(r#"{"<start>": ["<a><a><a>"], "<a>": ["x", "", "xx", "<b>"], "<b>": ["xx"]}"#);
    let (first, _) = pair.derivation(b"xxx").unwrap();
    assert_eq!(first.steps, [0, 3, 1, 2].map(Step::Rule));
    assert_eq!(
        parser(r#"{"<start>": ["<a><start>", ""], "<a>": ["x", "xx"]}"#).trees(&[b'x'; 150]),
        16130531424904581415797907386349
    );
}

#[test]
fn a_deep_text_is_no_problem() {
    let parser = parser(ARITHMETIC);
    let text = "(".repeat(20_000) + "1" + &")".repeat(20_000);
    let (derivation, end) = parser.derivation(text.as_bytes()).unwrap();
    assert_eq!(end, text.len());
    assert_eq!(derivation.text(parser.grammar()), text);
    assert_eq!(parser.trees(text.as_bytes()), 1);
}

/// How many items the recogniser makes for `n` times `text`.
fn items(parser: &Parser, text: &str, n: usize) -> usize {
    let chart = Chart::new(&parser.table, text.repeat(n).as_bytes(), false);
    chart.items.len()
}

#[test]
fn recursion_at_either_edge_costs_the_same_for_each_byte() {
    let grammars = [
        (r#"{"<start>": ["<start>a", ""]}"#, "a"),
        (r#"{"<start>": ["a<start>", ""]}"#, "a"),
        (
            r#"{"<start>": ["<a><start>", "<a>"], "<a>": ["<b>", "<c>"], "<b>": ["x<b>", "y"], "<c>": ["w<c>", "z"]}"#,
            "xxywz",
        ),
        (r#"{"<start>": ["<a>"], "<a>": ["x<b>"], "<b>": ["y<a>", "y"]}"#, "xy"),
    ];
    for (json, text) in grammars {
        let parser = parser(json);
        let (few, many) = (items(&parser, text, 500), items(&parser, text, 1000));
        assert!(many <= 2 * few + 10, "{json}: {few} items, then {many}");
        let text = text.repeat(1000);
        let (derivation, end) = parser.derivation(text.as_bytes()).unwrap();
        assert_eq!(end, text.len(), "{json}");
        assert_eq!(derivation.text(parser.grammar()), text, "{json}");
    }
}

#[test]
fn what_the_grammar_does_not_accept_is_an_error_over_the_rest() {
    let parser = parser(ARITHMETIC);
    let language = parser.leak();
    let errors = |text: &[u8]| {
        let file = Parsed::new(language, text.to_vec());
        assert_eq!(language.reparse(&file, &[], text), file.syntax.errors);
        let wrong = file.tree().nodes().rfind(|&n| file.tree().is_error(n));
        (file.syntax.errors, wrong.map(|n| file.node_text(n).to_vec()))
    };
    assert_eq!(errors(b"1+2"), (0, None));
    assert_eq!(errors(b"1+2\n"), (0, None));
    assert_eq!(errors(b"1+2 +3"), (3, Some(b" +3".to_vec())));
    assert_eq!(errors(b"(1"), (2, Some(b"(1".to_vec())));
    assert_eq!(errors(b"\xff\xfe"), (2, Some(b"\xff\xfe".to_vec())));
    assert_eq!(errors(b"").0, 1);
}

#[test]
fn lists_are_flat_with_separators_and_items_that_may_go() {
    assert_eq!(tree(ARITHMETIC, "1"), "start[expr[term[factor[integer[digit[1]]]]]]");
    let right = r#"{"<start>": ["<x>;<start>", "<x>"], "<x>": ["a", "b"]}"#;
    assert_eq!(tree(right, "a;b;a"), "start[x[a]? ;, x[b]? ;, x[a]?]");
    let left = r#"{"<start>": ["<start>, <x>", "<x>"], "<x>": ["a", "b"]}"#;
    assert_eq!(tree(left, "a, b, a"), "start[x[a]? , , x[b]? , , x[a]?]");
    let blanks = r#"{"<start>": ["<x>,<w><start>", "<x>"], "<x>": ["a"], "<w>": [" <w>", ""]}"#;
    assert_eq!(tree(blanks, "a, a"), "start[x[a]? start separator[, w[ ?]?], x[a]?]");
    let ended = r#"{"<start>": ["<x>;<start>", ""], "<x>": ["a"]}"#;
    assert_eq!(tree(ended, "a;a;"), "start[start item[x[a] ;]? start item[x[a] ;]?]");
    let sum = tree(ARITHMETIC, "1+2*34");
    assert_eq!(
        sum,
        "start[expr[term[factor[integer[digit[1]]]]? +, term[factor[integer[digit[2]]]? *, \
         factor[integer[digit[3]? digit[4]?]]?]?]]"
    );
}

#[test]
fn parts_without_which_there_is_another_rule_may_go() {
    let json =
        r#"{"<start>": ["if <e> then <e> else <e>", "if <e> then <e>", "<e>.<e>", "<e>"], "<e>": ["a"]}"#;
    assert_eq!(tree(json, "if a then a else a"), "start[if  e[a]  then  e[a] start part[ else  e[a]]?]");
    assert_eq!(tree(json, "a.a"), "start[e[a] start part[. e[a]]?]");
    let json = r#"{"<start>": ["-<n>", "<n>"], "<n>": ["1"]}"#;
    assert_eq!(tree(json, "-1"), "start[-? n[1]]");
}
