//! Where patterns are found.

use super::kit::*;
use crate::{Extras, Haystack, Match, Pattern};

fn found(grammar: &str, pattern: &str, text: &str) -> Vec<String> {
    let parser = parser(grammar);
    let pattern = Pattern::of_grammar(parser.grammar(), pattern.as_bytes()).unwrap();
    let file = example(parser, text);
    assert_eq!(file.syntax().errors, 0, "{text}");
    let shown = |found: Match| {
        let bindings = found.bindings.concat().into_iter().map(|range| format!(" {}", &text[range]));
        bindings.fold(text[found.range].to_owned(), |all, binding| all + &binding)
    };
    Haystack::new(&file).find(&pattern, Extras::Comments).into_iter().map(shown).collect()
}

#[test]
fn the_published_numbers_of_matches() {
    let texts =
        ["((2))", "1+((2*3/4))", "(1)+(2)", "(((1)))", "((1))+((2))", "1/0", "(2/0)", "((0/0))", "1/00"];
    let counts = |pattern: &str| texts.map(|text| found(ARITHMETIC, pattern, text).len());
    assert_eq!(counts("((<expr>))"), [1, 1, 0, 2, 2, 0, 0, 1, 0]);
    assert_eq!(counts("<factor>/0"), [0, 0, 0, 0, 0, 1, 1, 1, 0]);
    assert_eq!(counts("(<factor>/0)"), [0, 0, 0, 0, 0, 0, 1, 1, 0]);
}

#[test]
fn holes_are_bound_and_coupled_ones_equal() {
    assert_eq!(found(ARITHMETIC, "((<expr>))", "1+((2*3/4))"), ["((2*3/4)) 2*3/4"]);
    let pattern = "let <$ID_1>=<expr>;print(<$ID_1>)";
    assert_eq!(found(STATEMENTS, pattern, "let a=1;print(a)"), ["let a=1;print(a) a a 1"]);
    assert_eq!(found(STATEMENTS, pattern, "let a=1;print(b)"), [] as [&str; 0]);
}

#[test]
fn a_pattern_may_start_at_any_nonterminal() {
    let parser = parser(ARITHMETIC);
    let root =
        |text: &str| Pattern::of_grammar(parser.grammar(), text.as_bytes()).map(|p| p.nodes[0].kind.clone());
    assert_eq!(root("<factor>/0\n").unwrap(), "<start>");
    assert_eq!(root("<digit><integer>").unwrap(), "<start>");
    assert!(root("<expr>)").is_err());
    assert!(root("<nothing>").is_err());
}

#[test]
fn a_backslash_before_a_hole_is_no_part_of_its_name() {
    let parser = parser(HTML);
    for text in ["\\\\\\\\<plain-text>", "\\\\<plain-char>\\\\<plain-char>"] {
        let pattern = Pattern::of_grammar(parser.grammar(), text.as_bytes()).unwrap();
        assert_eq!(shown(parser, &pattern), text);
        let slashes = pattern.example.iter().filter(|&&c| c == b'\\').count();
        assert_eq!(slashes, text.matches('\\').count() / 2, "{text}");
    }
}
