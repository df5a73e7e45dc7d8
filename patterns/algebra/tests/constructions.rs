//! The paper's constructions on its own examples, key by key and rule by rule.

use super::{expressions, subtree};
use crate::algebra::{
    Automaton, Constructions, Lengths, RefinedGrammar, RefinedRule, Refinement, Subtree, Token, conjunction,
};
use crate::pattern::Pattern;
use lopper_languages::grammar::{Grammar, Parser};
use std::collections::BTreeSet;

/// Double brackets, and a division by zero as the post's saved constant has it.
const D1: (&str, &str) = ("D1", "((<expr>))");
const Z1: (&str, &str) = ("Z1", "<factor>/0");

const LIMIT: usize = 10_000;

fn constructions<'g>(grammar: &'g Grammar, patterns: &[(&str, &str)]) -> Constructions<'g> {
    let named = patterns.iter().map(|(name, pattern)| ((*name).to_owned(), subtree(grammar, pattern)));
    Constructions::new(grammar, &named.collect::<Vec<_>>())
}

fn refined<'g>(
    grammar: &'g Grammar,
    patterns: &[(&str, &str)],
    refinement: &Refinement,
) -> RefinedGrammar<'g> {
    constructions(grammar, patterns).grammar(refinement, LIMIT).expect("it is small")
}

/// The nonterminals with rules, and the number of rules.
fn size(grammar: &RefinedGrammar) -> (usize, usize) {
    let rules: Vec<usize> = grammar.names().iter().map(|name| grammar.rules_of(name).len()).collect();
    (rules.iter().filter(|&&count| count > 0).count(), rules.iter().sum())
}

fn assert_rules(grammar: &RefinedGrammar, name: &str, expected: &[&str]) {
    let found: BTreeSet<String> = grammar.rules_of(name).into_iter().collect();
    let expected: BTreeSet<String> = expected.iter().map(|rule| rule.replace('\'', "\"")).collect();
    assert_eq!(found, expected, "{name}");
}

fn parser(grammar: &RefinedGrammar) -> Parser {
    let json = grammar.to_json().to_string();
    Parser::new(Grammar::read(&json).unwrap_or_else(|e| panic!("{e:?}\n{json}")))
}

fn assert_texts(grammar: &RefinedGrammar, accepted: &[&str], rejected: &[&str]) {
    let parser = parser(grammar);
    for text in accepted {
        assert!(parser.accepts(text.as_bytes()), "{text}");
    }
    for text in rejected {
        assert!(!parser.accepts(text.as_bytes()), "{text}");
    }
}

#[test]
fn the_grammars_of_double_brackets_are_the_published_ones() {
    let grammar = expressions();
    let algebra = constructions(&grammar, &[D1]);
    let reaching = algebra.reaching_grammar(0, LIMIT).expect("it is small");
    assert_eq!(size(&reaching), (4, 14));
    assert_rules(&reaching, "<factor D1>", &["'+' <factor D1>", "'-' <factor D1>", "'(' <expr D1> ')'"]);

    let whole = Pattern::of_grammar(&grammar, b"((<expr>))").expect("it is a pattern");
    let whole = Subtree::at(&grammar, &whole, 0).expect("it has a root");
    let pattern = Constructions::new(&grammar, &[("F1".to_owned(), whole)]).pattern_grammar(0, LIMIT);
    let pattern = pattern.expect("it is small");
    assert_eq!(size(&pattern), (7, 7));
    for (name, rule) in [
        ("<start F1_0>", "<expr F1_1>"),
        ("<expr F1_1>", "<term F1_2>"),
        ("<term F1_2>", "<factor F1_3>"),
        ("<factor F1_3>", "'(' <expr F1_4> ')'"),
        ("<expr F1_4>", "<term F1_5>"),
        ("<term F1_5>", "<factor F1_6>"),
        ("<factor F1_6>", "'(' <expr> ')'"),
    ] {
        assert_rules(&pattern, name, &[rule]);
    }

    let all = algebra.at_least_one(0, LIMIT).expect("it is small");
    assert_eq!(size(&all), (12, 41));
    assert_rules(&all, "<start D1>", &["<expr D1>"]);
    assert_rules(
        &all,
        "<expr D1>",
        &[
            "<term D1> '+' <expr>",
            "<term> '+' <expr D1>",
            "<term D1> '-' <expr>",
            "<term> '-' <expr D1>",
            "<term D1>",
        ],
    );
    assert_rules(
        &all,
        "<term D1>",
        &[
            "<factor D1> '*' <term>",
            "<factor> '*' <term D1>",
            "<factor D1> '/' <term>",
            "<factor> '/' <term D1>",
            "<factor D1>",
        ],
    );
    assert_rules(
        &all,
        "<factor D1>",
        &["'+' <factor D1>", "'-' <factor D1>", "'(' <expr D1> ')'", "'(' <expr D1_1> ')'"],
    );
    assert_rules(&all, "<expr D1_1>", &["<term D1_2>"]);
    assert_rules(&all, "<term D1_2>", &["<factor D1_3>"]);
    assert_rules(&all, "<factor D1_3>", &["'(' <expr> ')'"]);
    assert_texts(&all, &["((2))", "((1+1))", "1+((3))", "1+((2*3/4))"], &["1+2", "(1)", "(1)+(2)"]);
}

#[test]
fn the_grammars_of_a_division_by_zero_are_the_published_ones() {
    let grammar = expressions();
    let sizes = [("(<factor>/0)", (15, 44)), ("<factor>/0", (13, 42))];
    for (pattern, expected) in sizes {
        let all = refined(&grammar, &[("Z", pattern)], &Refinement::contains(0));
        assert_eq!(size(&all), expected, "{pattern}");
    }
}

#[test]
fn reachable_nonterminals_and_places_are_the_published_ones() {
    let grammar = expressions();
    let algebra = constructions(&grammar, &[]);
    let named = |name: &str| grammar.named(name).expect("it is one");
    let names = |name: &str| -> BTreeSet<&str> {
        algebra.reachable(named(name)).iter().map(|n| grammar.name(*n)).collect()
    };
    assert_eq!(names("<integer>"), ["<digit>", "<integer>"].into());
    assert_eq!(names("<digit>"), [].into());
    for name in ["<start>", "<expr>", "<term>", "<factor>"] {
        assert_eq!(names(name), ["<expr>", "<term>", "<factor>", "<integer>", "<digit>"].into(), "{name}");
    }
    let places = |name: &str| -> Vec<Vec<usize>> {
        let rules = grammar.alternatives(named(name));
        rules.map(|rule| algebra.reachable_positions(rule, named("<factor>"))).collect()
    };
    assert_eq!(places("<expr>"), [vec![0, 2], vec![0, 2], vec![0]]);
    assert_eq!(places("<term>"), [vec![0, 2], vec![0, 2], vec![0]]);
    assert_eq!(places("<factor>"), [vec![1], vec![1], vec![1], vec![], vec![]]);
    assert!(places("<digit>").iter().all(Vec::is_empty));
}

#[test]
fn conjunction_and_disjunction_are_the_published_ones() {
    let grammar = expressions();
    let (d, z) = (Refinement::contains(0), Refinement::contains(1));
    let both = refined(&grammar, &[D1, Z1], &Refinement::and([d.clone(), z.clone()]));
    assert_eq!(size(&both), (25, 85));
    let mut expected = vec!["<term and(D1,Z1)>".to_owned()];
    for op in ["'+'", "'-'"] {
        expected.push(format!("<term and(D1,Z1)> {op} <expr>"));
        expected.push(format!("<term D1> {op} <expr Z1>"));
        expected.push(format!("<term Z1> {op} <expr D1>"));
        expected.push(format!("<term> {op} <expr and(D1,Z1)>"));
    }
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    assert_rules(&both, "<expr and(D1,Z1)>", &expected);
    assert_rules(
        &both,
        "<factor and(D1,Z1)>",
        &[
            "'+' <factor and(D1,Z1)>",
            "'-' <factor and(D1,Z1)>",
            "'(' <expr and(D1,Z1)> ')'",
            "'(' <expr and(D1_1,Z1)> ')'",
        ],
    );
    assert_rules(&both, "<factor and(D1_3,Z1)>", &["'(' <expr Z1> ')'"]);
    assert_texts(&both, &["((1))/0", "((1/0))", "1/0+((2))"], &["((1))", "1/0", "(1)/0"]);
    let either = refined(&grammar, &[D1, Z1], &Refinement::or([d, z]));
    assert_eq!(size(&either), (19, 60));
    assert_texts(&either, &["((1))/0", "((1))", "1/0"], &["1", "(1)/2"]);
}

/// The expressions of the notebook on negation, with blanks around operators.
fn spaced() -> Grammar {
    let json = super::EXPRESSIONS;
    let json = ["+", "-"].into_iter().fold(json.to_owned(), |json, op| {
        json.replace(&format!("<term>{op}<expr>"), &format!("<term> {op} <expr>"))
    });
    let json = ["*", "/"].into_iter().fold(json, |json, op| {
        json.replace(&format!("<factor>{op}<term>"), &format!("<factor> {op} <term>"))
    });
    Grammar::read(&json).expect("it is a grammar")
}

#[test]
fn negations_are_the_published_ones() {
    let grammar = spaced();
    let negated = |pattern: &str| refined(&grammar, &[("F", pattern)], &Refinement::contains(0).negated());
    let no_brackets = negated("((<expr>))");
    assert_eq!(size(&no_brackets), (9, 34));
    assert_rules(
        &no_brackets,
        "<factor neg(F)>",
        &[
            "'(' <expr and(neg(F),neg(F_1))> ')'",
            "'+' <factor neg(F)>",
            "'-' <factor neg(F)>",
            "<integer>",
            "<integer> '.' <integer>",
        ],
    );
    assert_rules(
        &no_brackets,
        "<expr and(neg(F),neg(F_1))>",
        &[
            "<term and(neg(F),neg(F_2))>",
            "<term neg(F)> ' + ' <expr neg(F)>",
            "<term neg(F)> ' - ' <expr neg(F)>",
        ],
    );
    assert_rules(
        &no_brackets,
        "<term and(neg(F),neg(F_2))>",
        &[
            "<factor and(neg(F),neg(F_3))>",
            "<factor neg(F)> ' * ' <term neg(F)>",
            "<factor neg(F)> ' / ' <term neg(F)>",
        ],
    );
    assert_rules(
        &no_brackets,
        "<factor and(neg(F),neg(F_3))>",
        &["'+' <factor neg(F)>", "'-' <factor neg(F)>", "<integer>", "<integer> '.' <integer>"],
    );

    let no_sum = negated("<term> + <term>");
    assert_eq!(size(&no_sum), (7, 26));
    assert_texts(&no_sum, &["1", "((1))", "1 - 2"], &["((1)) + ((2))", "1 + 2"]);

    let no_zero = negated("<factor> / 0");
    assert_eq!(size(&no_zero), (10, 43));
    let digits: Vec<String> = (1..=9).map(|digit| format!("'{digit}'")).collect();
    let digits: Vec<&str> = digits.iter().map(String::as_str).collect();
    assert_rules(&no_zero, "<digit neg(F_4)>", &digits);
    assert_rules(&no_zero, "<integer neg(F_3)>", &["<digit neg(F_4)>", "<digit> <integer>"]);
    assert_texts(&no_zero, &["1", "1 / 2", "((1))"], &["((1)) / 0", "1 / 0"]);

    let twice = refined(&grammar, &[("F", "((<expr>))")], &Refinement::contains(0).negated().negated());
    assert_texts(&twice, &["((1))"], &["1"]);
}

#[test]
fn refinements_are_simplified() {
    let [one, two] = [0, 1].map(Refinement::contains);
    let and = |parts: &[&Refinement]| Refinement::and(parts.iter().map(|part| (*part).clone()));
    let or = |parts: &[&Refinement]| Refinement::or(parts.iter().map(|part| (*part).clone()));
    assert_eq!(and(&[&and(&[&one, &two]), &one]), and(&[&one, &two]));
    assert_eq!(and(&[&one, &one.clone().negated()]), Refinement::Bottom);
    assert_eq!(or(&[&one, &one.clone().negated()]), Refinement::Top);
    assert_eq!(one.clone().negated().negated(), one);
    assert_eq!(and(&[&one, &two]).negated(), or(&[&one.clone().negated(), &two.clone().negated()]));
    assert_eq!(and(&[&one, &Refinement::Top]), one);
    assert_eq!(or(&[&one, &Refinement::Bottom]), one);
    assert_eq!(Refinement::at_least(0, 2).negated(), Refinement::at_most(0, 1));
    let names = ["E", "F"].map(str::to_owned);
    assert_eq!(and(&[&one, &two.negated()]).shown(&names), "and(E,neg(F))");
}

/// Rules of three nonterminals that lead to each other, as the paper's examples have them.
fn triple() -> Grammar {
    let json = r#"{"<start>": ["<B><C><D>", "<E>"], "<B>": ["b", "(<F>)"], "<C>": ["c", "[<E>]"],
        "<D>": ["d", "{<start>}"], "<E>": ["e", "E"], "<F>": ["f", "F"]}"#;
    Grammar::read(json).expect("it is a grammar")
}

fn rule(refinements: [Refinement; 3]) -> RefinedRule {
    RefinedRule { rule: 0, tokens: refinements.map(Token::Nonterminal).to_vec() }
}

#[test]
fn tokens_and_rules_are_combined_as_published() {
    let [one, two, three] = [0, 1, 2].map(Refinement::contains);
    let token = |refinement: &Refinement| Token::Nonterminal(refinement.clone());
    assert_eq!(token(&Refinement::Top).and(&token(&one)), Some(token(&one)));
    let both = Refinement::and([one.clone(), two.clone()]);
    assert_eq!(token(&two).and(&token(&one)), Some(token(&both)));
    assert_eq!(token(&one).and(&token(&one.clone().negated())), None);
    let top = || Refinement::Top;
    let [first, second] = [&one, &two].map(|r| rule([r.clone(), top(), top()]));
    let either = Refinement::or([one.clone(), two.clone()]);
    assert_eq!(first.or(&second), Some(rule([either, top(), top()])));
    let (left, right) = (rule([one.clone(), two, three.clone()]), rule([one, three, top()]));
    assert_eq!(left.or(&right), None);
}

#[test]
fn negating_rules_twice_gives_them_back() {
    let grammar = triple();
    let algebra = constructions(&grammar, &[]);
    let (f, top) = (Refinement::contains(0), Refinement::Top);
    let some = [rule([f.clone(), top.clone(), top.clone()]), rule([top.clone(), f.clone(), top.clone()])];
    let start = grammar.start();
    let own = |rules: Vec<RefinedRule>| -> BTreeSet<RefinedRule> {
        rules.into_iter().filter(|rule| rule.rule == 0).collect()
    };
    let none = algebra.negation(start, &some);
    assert_eq!(own(none.clone()), [rule([f.clone().negated(), f.negated(), top])].into());
    assert_eq!(own(algebra.negation(start, &none)), some.into());
    assert_eq!(
        conjunction(&none, &none),
        none.into_iter().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    );
}

#[test]
fn near_misses_of_a_rule_miss_one_place_and_avoid_the_whole_elsewhere() {
    let grammar = triple();
    // E is in <E>, to which C and D lead; F is in <F>, to which B and D lead.
    let algebra = constructions(&grammar, &[("E", "E"), ("F", "F")]);
    let (e, f) = (Refinement::contains(0), Refinement::contains(1));
    let whole = Refinement::and([e.clone(), f.clone()]);
    let missed = |b: Refinement, c: Refinement| rule([b, c, whole.clone().negated()]);
    let refined = rule([f.clone(), e.clone(), Refinement::Top]);
    assert_eq!(
        algebra.near_misses(&refined, &whole),
        [missed(f.clone().negated(), e.clone()), missed(f.clone(), e.clone().negated())]
    );
}

#[test]
fn constructions_derive_the_same_texts_as_products() {
    let grammar = Grammar::read(
        &super::EXPRESSIONS.replace(r#"["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]"#, r#"["0", "4"]"#),
    )
    .expect("it is a grammar");
    let (d, z) = (Refinement::contains(0), Refinement::contains(1));
    let neg = |refinement: &Refinement| refinement.clone().negated();
    let and = |parts: [&Refinement; 2]| Refinement::and(parts.map(Clone::clone));
    let or = |parts: [&Refinement; 2]| Refinement::or(parts.map(Clone::clone));
    let all = super::texts(&["0", "4", "(", ")", "/"], 5);
    for (formula, refinement) in [
        ("D", d.clone()),
        ("Z", z.clone()),
        ("D & Z", and([&d, &z])),
        ("D | Z", or([&d, &z])),
        ("!D", neg(&d)),
        ("!Z", neg(&z)),
        ("!(D | Z)", neg(&or([&d, &z]))),
        ("!(D & Z)", neg(&and([&d, &z]))),
        ("Z = 1", Refinement::exactly(1, 1)),
        ("Z = 2", Refinement::exactly(1, 2)),
        ("Z <= 1", Refinement::at_most(1, 1)),
        ("Z >= 2", Refinement::at_least(1, 2)),
        ("Z != 1", Refinement::exactly(1, 1).negated()),
    ] {
        let patterns = [("D", "((<expr>))"), ("Z", "<factor>/0")];
        let constructed = refined(&grammar, &patterns, &refinement);
        let automaton: Automaton = super::automaton(&grammar, &patterns, formula);
        let product = super::product(&automaton);
        if product.is_empty() || constructed.is_empty() {
            assert_eq!(product.is_empty(), constructed.is_empty(), "{formula}");
            continue;
        }
        let parsers = (parser(&constructed), parser(&product));
        for text in &all {
            let text = text.as_bytes();
            assert_eq!(parsers.0.accepts(text), parsers.1.accepts(text), "{formula}: {text:?}");
        }
        if formula.contains('=') {
            let (one, two) = (Lengths::new(&constructed, 7), Lengths::new(&product, 7));
            assert!((1..=7).all(|length| one.trees(length) == two.trees(length)), "{formula}");
        }
    }
}
