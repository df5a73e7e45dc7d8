//! Known answers on arithmetic expressions, and properties against brute force.

mod constructions;
mod evocative;
mod random;

use super::*;
use crate::pattern::Pattern;
use crate::random::Random;
use lopper_languages::grammar::{Grammar, Parser};
use num_bigint::BigUint;
use proptest::prelude::*;

const EXPRESSIONS: &str = r#"{
    "<start>": ["<expr>"],
    "<expr>": ["<term>+<expr>", "<term>-<expr>", "<term>"],
    "<term>": ["<factor>*<term>", "<factor>/<term>", "<factor>"],
    "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>", "<integer>.<integer>"],
    "<integer>": ["<digit><integer>", "<digit>"],
    "<digit>": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
}"#;

fn expressions() -> Grammar {
    Grammar::read(EXPRESSIONS).expect("it is a grammar")
}

/// The subtree of a pattern in text form.
fn subtree(grammar: &Grammar, pattern: &str) -> Subtree {
    let pattern = Pattern::of_grammar(grammar, pattern.as_bytes()).expect("it is a pattern");
    Subtree::characteristic(grammar, &pattern).expect("it has a subtree")
}

/// The patterns of the known answers: double brackets, a division by zero, and one in brackets.
const PATTERNS: [(&str, &str); 3] = [("D", "((<expr>))"), ("Z", "<factor>/0"), ("B", "(<factor>/0)")];

/// What a formula over these patterns is about.
fn automaton<'g>(grammar: &'g Grammar, patterns: &[(&str, &str)], formula: &str) -> Automaton<'g> {
    let named = patterns.iter().map(|(name, pattern)| ((*name).to_owned(), subtree(grammar, pattern)));
    let formula = Formula::read(formula).expect("it is a formula");
    Automaton::answering(grammar, &named.collect::<Vec<_>>(), &formula)
}

fn product<'g>(automaton: &Automaton<'g>) -> RefinedGrammar<'g> {
    RefinedGrammar::product(automaton, 100_000).expect("it is not too large")
}

#[test]
fn the_numbers_of_texts_by_length_are_the_published_ones() {
    let grammar = expressions();
    let table: &[(&str, [u64; 7])] = &[
        ("D >= 0", [10, 120, 1750, 24420, 342_990, 4_804_800, 67_297_790]),
        ("D", [0, 0, 0, 0, 10, 140, 2830]),
        ("D = 1", [0, 0, 0, 0, 10, 140, 2820]),
        ("D = 2", [0, 0, 0, 0, 0, 0, 10]),
        ("D <= 1", [10, 120, 1750, 24420, 342_990, 4_804_800, 67_297_780]),
        ("!D", [10, 120, 1750, 24420, 342_980, 4_804_660, 67_294_960]),
        ("Z", [0, 0, 10, 120, 1960, 29360, 444_620]),
        ("Z = 1", [0, 0, 10, 120, 1960, 29360, 444_410]),
        ("Z = 2", [0, 0, 0, 0, 0, 0, 210]),
        ("D & Z", [0, 0, 0, 0, 0, 0, 20]),
        ("D | Z", [0, 0, 10, 120, 1970, 29500, 447_430]),
        ("D & !Z", [0, 0, 0, 0, 10, 140, 2810]),
        ("!(D & Z)", [10, 120, 1750, 24420, 342_990, 4_804_800, 67_297_770]),
        ("!(D | Z)", [10, 120, 1740, 24300, 341_020, 4_775_300, 66_850_360]),
        ("B", [0, 0, 0, 0, 10, 140, 2440]),
    ];
    for (formula, expected) in table {
        let product = product(&automaton(&grammar, &PATTERNS, formula));
        let lengths = Lengths::new(&product, 7);
        let counts: Vec<BigUint> = (1..=7).map(|length| lengths.trees(length)).collect();
        assert_eq!(counts, expected.map(BigUint::from), "{formula}");
    }
}

#[test]
fn products_are_no_larger_than_published_ones() {
    let grammar = expressions();
    // Smaller where the published states tell apart what no longer matters: below a match of D, for D or for D | Z.
    for (formula, size, published) in [
        ("D", (12, 66), (16, 111)),
        ("!D", (9, 41), (9, 41)),
        ("D & Z", (25, 239), (35, 494)),
        ("D | Z", (16, 98), (37, 498)),
        ("!(D | Z)", (13, 64), (13, 64)),
        ("!(D & Z)", (22, 170), (29, 240)),
    ] {
        let found = product(&automaton(&grammar, &PATTERNS, formula)).size();
        assert_eq!(found, size, "{formula}");
        assert!(found.0 <= published.0 && found.1 <= published.1, "{formula}: {found:?}");
    }
}

#[test]
fn the_numbers_of_matches_in_a_text_are_the_published_ones() {
    let grammar = expressions();
    let subtrees = PATTERNS.map(|(_, pattern)| (subtree(&grammar, pattern), 9));
    let automaton = Automaton::new(&grammar, &subtrees);
    let parser = Parser::new(expressions());
    for (text, counts) in [
        ("((2))", [1, 0, 0]),
        ("1+((2*3/4))", [1, 0, 0]),
        ("(1)+(2)", [0, 0, 0]),
        ("(((1)))", [2, 0, 0]),
        ("((1))+((2))", [2, 0, 0]),
        ("1/0", [0, 1, 0]),
        ("(2/0)", [0, 1, 1]),
        ("1/0/0", [0, 1, 0]),
        ("((0/0))", [1, 1, 1]),
        ("1/00", [0, 0, 0]),
        ("1/(0)", [0, 0, 0]),
    ] {
        let states: Vec<Vec<u32>> =
            parser.fold(&automaton, text.as_bytes()).into_iter().map(|state| state.counts).collect();
        assert_eq!(states, [counts], "{text}");
    }
    assert!(parser.fold(&automaton, b"1+").is_empty());
}

#[test]
fn the_grammar_of_a_product_derives_the_texts_that_satisfy_the_formula() {
    let grammar = expressions();
    for (formula, accepted, rejected) in [
        ("D", &["((2))", "((1+1))", "1+((3))", "1+((2*3/4))"][..], &["1+2", "(1)", "(1)+(2)"][..]),
        ("!!D", &["((1))"], &["1"]),
        ("!D", &["1", "(1)+2"], &["((1))+((2))"]),
        ("D & Z", &["((1))/0", "((1/0))"], &["((1))", "1/0"]),
        ("!(D & Z)", &["((1))", "1/0"], &["((1))/0", "((1/0))"]),
    ] {
        let json = product(&automaton(&grammar, &PATTERNS, formula)).to_json().to_string();
        let parser = Parser::new(Grammar::read(&json).unwrap_or_else(|e| panic!("{formula}: {e:?}\n{json}")));
        for text in accepted {
            assert!(parser.accepts(text.as_bytes()), "{formula}: {text}");
        }
        for text in rejected {
            assert!(!parser.accepts(text.as_bytes()), "{formula}: {text}");
        }
    }
}

#[test]
fn a_formula_that_nothing_satisfies_has_an_empty_product() {
    let grammar = expressions();
    let product = product(&automaton(&grammar, &PATTERNS, "D & !D"));
    assert!(product.is_empty() && product.size() == (0, 0));
    assert_eq!(Lengths::new(&product, 5).sample(5, &mut Random::new(1)), None);
}

#[test]
fn a_product_that_explodes_names_the_subtree_with_most_states() {
    let grammar = expressions();
    let subtrees = [(subtree(&grammar, "<factor>/0"), 1), (subtree(&grammar, "((<expr>))"), 30)];
    let automaton = Automaton::new(&grammar, &subtrees);
    let error = RefinedGrammar::product(&automaton, 5000).expect_err("it explodes");
    assert_eq!(error, TooLarge { limit: 5000, subtree: 1 });
}

#[test]
fn every_text_of_a_length_is_drawn_equally_often_and_satisfies_the_formula() {
    let grammar = expressions();
    let automaton = automaton(&grammar, &PATTERNS, "Z & !D");
    let (product, parser) = (product(&automaton), Parser::new(expressions()));
    let lengths = Lengths::new(&product, 6);
    let mut random = Random::new(7);
    let mut seen = std::collections::BTreeMap::new();
    for length in [3, 5, 6] {
        for _ in 0..10_000 / 3 {
            let text = lengths.sample(length, &mut random).expect("there is one").text(&grammar);
            assert_eq!(text.chars().count(), length);
            assert!(parser.fold(&automaton, text.as_bytes()).iter().all(|s| automaton.holds(s)), "{text}");
            if length == 3 {
                *seen.entry(text).or_insert(0u32) += 1;
            }
        }
    }
    // Ten texts of three characters; 21.7 is exceeded once in a hundred seeds, and this seed is fixed.
    let expected = 3333.0 / 10.0;
    let chi: f64 = seen.values().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    assert!(seen.len() == 10 && chi < 21.7, "{chi}: {seen:?}");
}

#[test]
fn formulas_are_read_as_they_are_written_in_other_languages() {
    let count = |name: &str, least, most| Formula::Count(name.to_owned(), least, most);
    let not = |part| Formula::Not(Box::new(part));
    for (text, expected) in [
        ("D", count("D", 1, None)),
        (" D >= 2 ", count("D", 2, None)),
        ("D=1", count("D", 1, Some(1))),
        ("D < 2", count("D", 0, Some(1))),
        ("D > 2", count("D", 3, None)),
        ("D != 1", not(count("D", 1, Some(1)))),
        ("D & !Z", Formula::And(vec![count("D", 1, None), not(count("Z", 1, None))])),
        ("not D and Z", Formula::And(vec![not(count("D", 1, None)), count("Z", 1, None)])),
        (
            "nota | D & Z",
            Formula::Or(vec![
                count("nota", 1, None),
                Formula::And(vec![count("D", 1, None), count("Z", 1, None)]),
            ]),
        ),
    ] {
        assert_eq!(Formula::read(text).as_ref(), Ok(&expected), "{text}");
    }
    for (text, at) in [("", 0), ("D &", 3), ("(D", 2), ("D = x", 4), ("D Z", 2), ("1", 0), ("D = 1001", 4)] {
        assert_eq!(Formula::read(text).map_err(|e| e.at), Err(at), "{text}");
    }
    assert!(Formula::read(&"!".repeat(100_000)).is_err());
    assert_eq!(Formula::read("D < 0").map(|f| f.holds(&|_| 0)), Ok(false));
}

/// A small ambiguous grammar with empty rules and a class.
const AMBIGUOUS: &str = r#"{
    "<s>": [["<a>", "<s>", "<b>"], ["<b>", "<a>"], ["<s>", "<a>", {"lit": "x"}], ["<b>"]],
    "<a>": [[{"lit": "x"}], ["<b>", {"lit": "y"}], []],
    "<b>": [[{"class": "xyz"}], [{"lit": "x"}, "<a>"]]
}"#;

fn texts(alphabet: &[&str], longest: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..longest {
        last = last.iter().flat_map(|text| alphabet.iter().map(move |c| format!("{text}{c}"))).collect();
        all.extend(last.iter().cloned());
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_product_derives_a_text_exactly_if_a_tree_of_it_satisfies_the_formula(
        first in 0usize..5, second in 0usize..5, formula in 0usize..6
    ) {
        let json = format!(r#"{{"[start]": "<s>", "[grammar]": {AMBIGUOUS}}}"#);
        let grammar = Grammar::read(&json).expect("it is a grammar");
        let patterns = ["<b><a>", "<a><s>z", "<b>y", "xy", "<s><a>x"];
        let named = [("P", patterns[first]), ("Q", patterns[second])];
        let formulas = ["P", "!P", "P & Q", "P >= 2 | !Q", "P = 1 & Q <= 1", "!(P | Q)"];
        let automaton = automaton(&grammar, &named, formulas[formula]);
        let product = product(&automaton);
        let parser = Parser::new(grammar.clone());
        let refined = (!product.is_empty())
            .then(|| Grammar::read(&product.to_json().to_string()).map(Parser::new));
        let refined = refined.transpose().map_err(|e| TestCaseError::fail(format!("{e:?}")))?;
        let lengths = Lengths::new(&product, 4);
        let mut trees = vec![0u128; 5];
        for text in texts(&["x", "y", "z"], 4) {
            let holds = parser.fold(&automaton, text.as_bytes()).iter().any(|s| automaton.holds(s));
            let derives = refined.as_ref().is_some_and(|refined| refined.accepts(text.as_bytes()));
            prop_assert_eq!(derives, holds, "{:?} of {:?}", formulas[formula], text);
            if let Some(lopper_languages::grammar::Trees::Exactly(count)) =
                refined.as_ref().map(|refined| refined.trees(text.as_bytes()))
            {
                trees[text.len()] += count;
            }
        }
        for (length, count) in trees.into_iter().enumerate() {
            prop_assert_eq!(lengths.trees(length), BigUint::from(count), "length {}", length);
        }
    }
}

#[test]
fn a_pattern_of_thousands_of_nested_brackets_has_a_subtree_and_no_product() {
    let (grammar, depth) = (expressions(), 5000);
    let pattern = format!("{}<expr>{}", "(".repeat(depth), ")".repeat(depth));
    let deep = subtree(&grammar, &pattern);
    assert!(deep.nodes.len() >= depth);
    // Its states are refused long before they fill the memory.
    let automaton = Automaton::new(&grammar, &[(deep, 1)]);
    let error = RefinedGrammar::product(&automaton, 5000).expect_err("it explodes");
    assert_eq!(error, TooLarge { limit: 5000, subtree: 0 });
}
