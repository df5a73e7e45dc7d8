//! The known answers of the papers on grammars, and properties of random grammars.

use super::*;
use crate::role::Role;
use crate::tree::Tree;
use proptest::prelude::*;
use std::collections::BTreeSet;

pub(super) const ARITHMETIC: &str = include_str!("../../examples/grammars/arithmetic.json");

pub(super) fn parser(json: &str) -> Parser {
    Parser::new(Grammar::read(json).unwrap_or_else(|problems| panic!("{problems:?}")))
}

fn problems(json: &str) -> Vec<String> {
    Grammar::read(json).err().into_iter().flatten().map(|p| p.to_string()).collect()
}

/// A tree as the kinds and texts of its nodes: `expr[term[...] '+' ...]`; `?` marks an optional node, `,` a
/// separator.
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
        (
            r#"{"<start>": ["a", "<a>"], "<a>": ["b<a>"]}"#,
            "unproductive: every derivation of <a> is infinite",
        ),
        (r#"{"<start>": ["a", "a"]}"#, "duplicate: <start> has the alternative \"a\" twice"),
        (
            r#"{"<start>": ["a", "<b><e>"], "<b>": ["<start>"], "<e>": [""]}"#,
            "cyclic: <start> -> <b> -> <start>",
        ),
        (r#"{"<start>": ["a"], "<start>": ["b"]}"#, "repeated: <start> is defined twice"),
        (r#"{"<start>": "a"}"#, "wrong form: <start>"),
        (r#"{"<start>": [1]}"#, "wrong form: an expansion of <start>"),
        (r#"{"<start>": [[{"class": "z-a"}]]}"#, "wrong form: an expansion of <start>"),
        (r#"{"start": ["a"]}"#, "not a name of a nonterminal: \"start\""),
    ];
    for (json, problem) in cases {
        let found = problems(json);
        assert!(found.iter().any(|p| p.starts_with(problem)), "{json}: {found:?}");
        assert!(Grammar::read(json).unwrap_err().iter().all(|p| !p.help().is_empty()));
    }
}

#[test]
fn left_right_and_hidden_recursion_is_recognised() {
    let left = parser(r#"{"<start>": ["<start>a", ""]}"#);
    let right = parser(r#"{"<start>": ["a<start>", ""]}"#);
    let hidden = parser(r#"{"<start>": ["<e><start>a", "b"], "<e>": ["", "x"]}"#);
    for n in [0, 1, 2, 50] {
        let text = "a".repeat(n);
        assert!(left.accepts(text.as_bytes()) && right.accepts(text.as_bytes()));
        assert_eq!([left.trees(text.as_bytes()), right.trees(text.as_bytes())], [Trees::Exactly(1); 2]);
        assert!(!left.accepts((text.clone() + "b").as_bytes()) && !right.accepts((text + "b").as_bytes()));
    }
    assert!(hidden.accepts(b"b") && hidden.accepts(b"baa") && hidden.accepts(b"xxbaa"));
    assert!(!hidden.accepts(b"xxxbaa"));
    // `<e>` derives `x` in two of three places.
    assert_eq!(hidden.trees(b"xxbaaa"), Trees::Exactly(3));
}

#[test]
fn ambiguous_texts_have_the_known_numbers_of_trees_and_the_first_is_leftmost_longest() {
    let sum = parser(r#"{"<start>": ["<start>+<start>", "1"]}"#);
    let catalan = [1, 1, 2, 5, 14, 42, 132];
    for (n, trees) in catalan.into_iter().enumerate() {
        assert_eq!(sum.trees(("1".to_owned() + &"+1".repeat(n)).as_bytes()), Trees::Exactly(trees));
    }
    let (first, _) = sum.derivation(b"1+1+1").unwrap();
    assert_eq!(first.steps, [0, 0, 1, 1, 1].map(Step::Rule));
    // The first rule is preferred, and the first symbol is as long as possible.
    let pair = parser(r#"{"<start>": ["<a><a><a>"], "<a>": ["x", "", "xx", "<b>"], "<b>": ["xx"]}"#);
    let (first, _) = pair.derivation(b"xxx").unwrap();
    assert_eq!(first.steps, [0, 3, 1, 2].map(Step::Rule));
    assert_eq!(
        parser(r#"{"<start>": ["<a><start>", ""], "<a>": ["x", "xx"]}"#).trees(&[b'x'; 150]),
        Trees::Exactly(16130531424904581415797907386349)
    );
}

#[test]
fn a_deep_text_does_not_overflow_the_stack() {
    let parser = parser(ARITHMETIC);
    let text = "(".repeat(20_000) + "1" + &")".repeat(20_000);
    let (derivation, end) = parser.derivation(text.as_bytes()).unwrap();
    assert_eq!(end, text.len());
    assert_eq!(derivation.text(parser.grammar()), text);
    assert_eq!(parser.trees(text.as_bytes()), Trees::Exactly(1));
}

/// The number of items that the recogniser builds for `text` repeated `n` times.
fn items(parser: &Parser, text: &str, n: usize) -> usize {
    let chart = Chart::new(&parser.table, text.repeat(n).as_bytes());
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
fn a_chain_of_unit_rules_takes_as_many_steps_as_it_has_rules() {
    const COUNT: usize = 3000;
    let rule = |i: usize| format!(r#""<a{i}>": ["<a{}>", "x<a{}>"]"#, i + 1, i + 1);
    let rules: Vec<String> = (0..COUNT).map(rule).collect();
    let json = format!(r#"{{"<start>": ["<a0>"], {}, "<a{COUNT}>": ["y"]}}"#, rules.join(", "));
    let grammar = Grammar::read(&json).unwrap();
    // The last rule of the file is known first, which is the worst order for the fixpoint.
    let (mut known, mut visits) = (vec![false; grammar.names().len()], 0);
    grammar.until_nothing_changes(|rule| {
        visits += 1;
        let all = rule.right.iter().filter_map(Symbol::nonterminal).all(|n| known[n.index()]);
        !std::mem::replace(&mut known[rule.left.index()], all) && all
    });
    assert!(known.iter().all(|known| *known));
    assert!(visits <= 2 * grammar.rules().len(), "{visits}");
    let parser = Parser::new(grammar);
    let (derivation, _) = parser.derivation(b"xxy").unwrap();
    assert_eq!(derivation.text(parser.grammar()), "xxy");
}

#[test]
fn the_text_behind_the_accepted_prefix_is_an_error() {
    let parser = parser(ARITHMETIC);
    let language = parser.leak();
    let errors = |text: &[u8]| {
        let file = Parsed::new(language, text.to_vec());
        assert_eq!(language.reparse(&file, &[]), file.syntax().errors);
        let wrong = file.tree().nodes().rfind(|&n| file.tree().is_error(n));
        (file.syntax().errors, wrong.map(|n| file.node_text(n).to_vec()))
    };
    assert_eq!(errors(b"1+2"), (0, None));
    assert_eq!(errors(b"1+2\n"), (0, None));
    assert_eq!(errors(b"1+2 +3"), (3, Some(b" +3".to_vec())));
    assert_eq!(errors(b"(1"), (2, Some(b"(1".to_vec())));
    assert_eq!(errors(b"\xff\xfe"), (2, Some(b"\xff\xfe".to_vec())));
    assert_eq!(errors(b"").0, 1);
}

#[test]
fn lists_are_flat_with_separators_and_optional_items() {
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
fn a_part_whose_removal_leaves_another_rule_is_optional() {
    let json =
        r#"{"<start>": ["if <e> then <e> else <e>", "if <e> then <e>", "<e>.<e>", "<e>"], "<e>": ["a"]}"#;
    assert_eq!(tree(json, "if a then a else a"), "start[if  e[a]  then  e[a] start part[ else  e[a]]?]");
    assert_eq!(tree(json, "a.a"), "start[e[a] start part[. e[a]]?]");
    let json = r#"{"<start>": ["-<n>", "<n>"], "<n>": ["1"]}"#;
    assert_eq!(tree(json, "-1"), "start[-? n[1]]");
}

#[test]
fn a_derivation_is_a_sequence_of_choices_by_cost() {
    let parser = parser(ARITHMETIC);
    let choices = Choices::new(parser.grammar());
    let (derivation, _) = parser.derivation(b"1+((2*3/4))").unwrap();
    let sequence = [1, 0, 0, 0, 1, 0, 0, 4, 0, 0, 4, 0, 1, 0, 0, 2, 2, 0, 0, 3, 0, 0, 0, 4];
    assert_eq!(choices.sequence(&derivation), sequence);
    assert_eq!(choices.replay(&sequence), Some((derivation, sequence.to_vec())));
    assert_eq!(choices.replay(&sequence[..23]), None);
    // A choice counts modulo the number of alternatives, and the last one is not used.
    let (derivation, used) = choices.replay(&[3, 0, 0, 0, 17, 9]).unwrap();
    assert_eq!((derivation.text(parser.grammar()).as_str(), &used[..]), ("7", &[0, 0, 0, 0, 7][..]));
}

/// The text of a node of a derivation, found by a path of child numbers.
fn subtree(parser: &Parser, text: &str, path: &[usize]) -> String {
    let (derivation, _) = parser.derivation(text.as_bytes()).unwrap();
    let (spots, spelled) = derivation.spots(parser.grammar());
    assert_eq!(spelled, text);
    let mut at = 0;
    for &number in path {
        let last = spots[at].last as usize;
        let below = std::iter::successors(Some(at + 1), |&c| Some(spots[c].last as usize));
        at = below.take_while(|&c| c < last).nth(number).unwrap();
    }
    spelled[spots[at].start as usize..spots[at].end as usize].to_owned()
}

#[test]
fn markup_is_parsed_to_the_published_subtrees() {
    let parser = parser(include_str!("../../examples/grammars/html.json"));
    let text = "<foo>\"bar</foo>";
    assert_eq!(parser.trees(text.as_bytes()), Trees::Exactly(1));
    assert_eq!(subtree(&parser, text, &[0, 0, 0]), "<foo>");
    assert_eq!(subtree(&parser, text, &[0, 0, 1, 0]), "\"bar");
    assert_eq!(subtree(&parser, text, &[0, 0, 2, 2]), "foo");
}

#[test]
fn the_number_of_accepted_texts_of_each_length_is_right() {
    let parser = parser(ARITHMETIC);
    // All texts of the length; the ten digits are counted as one.
    let mut texts = vec![(String::new(), 1)];
    for count in [10, 120, 1750, 24420] {
        let longer = |(text, weight): &(String, usize)| {
            "0+-*/()."
                .chars()
                .map(|c| (format!("{text}{c}"), if c == '0' { 10 * weight } else { *weight }))
                .collect::<Vec<_>>()
        };
        texts = texts.iter().flat_map(longer).collect();
        let accepted = texts.iter().filter(|(text, _)| parser.accepts(text.as_bytes()));
        assert_eq!(accepted.map(|(_, weight)| weight).sum::<usize>(), count);
    }
}

/// Random grammars whose nonterminals are all reachable and derive a text; some are cyclic.
fn grammars() -> impl Strategy<Value = String> {
    const NAMES: [&str; 4] = ["<start>", "<b>", "<c>", "<d>"];
    let symbol = prop_oneof![Just("x"), Just("y"), Just("xy")].prop_map(str::to_owned).boxed();
    let symbol = prop_oneof![symbol, (0..NAMES.len()).prop_map(|n| NAMES[n].to_owned())];
    let rule = proptest::collection::vec(symbol, 0..4);
    proptest::collection::vec(proptest::collection::vec(rule, 1..4), NAMES.len()).prop_map(|mut rules| {
        rules[0].push(NAMES[1..].iter().map(|n| (*n).to_owned()).collect());
        let define = |(name, mut rules): (&str, Vec<Vec<String>>)| {
            rules.push(vec!["y".to_owned()]);
            rules.sort();
            rules.dedup();
            format!("\"{name}\": {rules:?}")
        };
        let lines: Vec<String> = NAMES.into_iter().zip(rules).map(define).collect();
        format!("{{{}}}", lines.join(", "))
    })
}

/// The same grammar for the crate `bnf`.
fn peer(grammar: &Grammar) -> bnf::Grammar {
    let term = |s: &Symbol| match s {
        Symbol::Nonterminal(n) => bnf::Term::Nonterminal(grammar.name(*n).to_owned()),
        Symbol::Literal(text) => bnf::Term::Terminal(text.clone()),
        Symbol::Class(class) => bnf::Term::Terminal(class.source.clone()),
    };
    let production = |n: Nonterminal| {
        let right = |rule: RuleId| {
            let terms: Vec<bnf::Term> = grammar.rule(rule).right.iter().map(term).collect();
            let empty = vec![bnf::Term::Terminal(String::new())];
            bnf::Expression::from_parts(if terms.is_empty() { empty } else { terms })
        };
        let left = bnf::Term::Nonterminal(grammar.name(n).to_owned());
        bnf::Production::from_parts(left, grammar.alternatives(n).map(right).collect())
    };
    bnf::Grammar::from_parts(grammar.nonterminals().map(production).collect())
}

/// A fixed seed: on some other grammars, `bnf` does not terminate.
fn always_the_same() -> ProptestConfig {
    ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(4), ..ProptestConfig::with_cases(250) }
}

/// A naive recogniser: applies all rules until it finds nothing new.
struct Naive<'a> {
    grammar: &'a Grammar,
    text: &'a [u8],
    /// Nonterminals with start and end.
    derives: BTreeSet<(Nonterminal, usize, usize)>,
}

impl<'a> Naive<'a> {
    fn new(grammar: &'a Grammar, text: &'a [u8]) -> Self {
        let mut naive = Self { grammar, text, derives: BTreeSet::new() };
        loop {
            let before = naive.derives.len();
            for rule in grammar.rules() {
                for start in 0..=text.len() {
                    for end in naive.ends(&rule.right, start) {
                        naive.derives.insert((rule.left, start, end));
                    }
                }
            }
            if naive.derives.len() == before {
                return naive;
            }
        }
    }

    fn symbol_ends(&self, symbol: &Symbol, start: usize) -> Vec<usize> {
        let rest = &self.text[start..];
        match symbol {
            Symbol::Literal(text) => {
                rest.starts_with(text.as_bytes()).then_some(start + text.len()).into_iter().collect()
            }
            Symbol::Class(class) => {
                class.read_from(rest).map(|(_, length)| start + length).into_iter().collect()
            }
            Symbol::Nonterminal(n) => {
                (start..=self.text.len()).filter(|&end| self.derives.contains(&(*n, start, end))).collect()
            }
        }
    }

    /// The possible ends of texts of these symbols that begin at `start`.
    fn ends(&self, symbols: &[Symbol], start: usize) -> BTreeSet<usize> {
        let step = |from: BTreeSet<usize>, symbol| {
            from.into_iter().flat_map(|at| self.symbol_ends(symbol, at)).collect()
        };
        symbols.iter().fold(BTreeSet::from([start]), step)
    }

    /// The first tree, as documented.
    fn first(&self, nonterminal: Nonterminal, start: usize, end: usize, steps: &mut Vec<Step>) {
        let mut rules = self.grammar.alternatives(nonterminal);
        let rule = rules.find(|&r| self.ends(&self.grammar.rule(r).right, start).contains(&end)).unwrap();
        steps.push(Step::Rule(rule));
        let (mut at, right) = (start, &self.grammar.rule(rule).right);
        for (i, symbol) in right.iter().enumerate() {
            let ends = self.symbol_ends(symbol, at);
            let next = ends
                .into_iter()
                .filter(|&next| self.ends(&right[i + 1..], next).contains(&end))
                .max()
                .unwrap();
            if let Symbol::Nonterminal(n) = symbol {
                self.first(*n, at, next, steps);
            }
            at = next;
        }
    }
}

proptest! {
    #![proptest_config(always_the_same())]

    #[test]
    fn the_tree_is_the_documented_one(json in grammars(), texts in proptest::collection::vec("[xy]{0,7}", 8)) {
        let Ok(grammar) = Grammar::read(&json) else { return Ok(()) };
        let parser = Parser::new(grammar);
        for text in texts {
            let naive = Naive::new(parser.grammar(), text.as_bytes());
            let start = parser.grammar().start();
            let longest = (0..=text.len()).rev().find(|&end| naive.derives.contains(&(start, 0, end)));
            let expected = longest.map(|end| {
                let mut steps = Vec::new();
                naive.first(start, 0, end, &mut steps);
                (Derivation { steps }, end)
            });
            prop_assert_eq!(parser.derivation(text.as_bytes()), expected, "{:?} with {}", text, &json);
        }
    }

    #[test]
    fn as_many_trees_as_another_parser_finds(json in grammars(), texts in proptest::collection::vec("[xy]{0,6}", 8)) {
        const MANY: usize = 60;
        let Ok(grammar) = Grammar::read(&json) else { return Ok(()) };
        let other = peer(&grammar);
        let other = other.build_parser().expect("every nonterminal is defined");
        let parser = Parser::new(grammar);
        for text in texts {
            let theirs = other.parse_input(&text).take(MANY).count();
            let ours = match parser.trees(text.as_bytes()) {
                Trees::Exactly(count) => count.min(MANY as u128) as usize,
                Trees::Countless => MANY,
            };
            prop_assert_eq!(ours, theirs, "{:?} with {}", text, &json);
            prop_assert_eq!(parser.accepts(text.as_bytes()), theirs > 0);
            if let Some((derivation, end)) = parser.derivation(text.as_bytes()) {
                prop_assert_eq!(derivation.text(parser.grammar()), &text[..end]);
            }
        }
    }

}

proptest! {
    #[test]
    fn what_is_generated_is_parsed_to_a_tree_that_spells_it(json in grammars(), seed in any::<u64>()) {
        let Ok(grammar) = Grammar::read(&json) else { return Ok(()) };
        let parser = Parser::new(grammar);
        let choices = Choices::new(parser.grammar());
        let mut generator = Generator::new(parser.grammar(), seed, 6);
        let mut again = generator.clone();
        for _ in 0..3 {
            let made = generator.derivation();
            prop_assert_eq!(&made, &again.derivation());
            let text = made.text(parser.grammar());
            let (first, end) = parser.derivation(text.as_bytes()).expect("it is in the language");
            prop_assert_eq!(end, text.len());
            prop_assert_eq!(first.text(parser.grammar()), &text[..]);
            prop_assert!(parser.trees(text.as_bytes()) != Trees::Exactly(0));
            // The choices of a derivation lead back to it.
            let sequence = choices.sequence(&made);
            prop_assert_eq!(choices.replay(&sequence), Some((made, sequence)));
        }
    }
}

#[test]
fn generated_texts_are_no_deeper_than_necessary() {
    let parser = parser(ARITHMETIC);
    let depths = |max_depth: u32| {
        let mut generator = Generator::new(parser.grammar(), 7, max_depth);
        (0..200).map(|_| generator.derivation().steps.len()).max().unwrap()
    };
    // The cheapest derivations end in `0` and `0.0`.
    assert_eq!(depths(0), 8);
    assert!(depths(5) > 8 && depths(5) < depths(12));
}

#[test]
fn the_generator_follows_the_probabilities() {
    let json = r#"{"<start>": [["a", {"prob": 0.9}], "b", "c"]}"#;
    let parser = parser(json);
    let mut generator = Generator::new(parser.grammar(), 1, 9);
    let texts: String = (0..1000).map(|_| generator.derivation().text(parser.grammar())).collect();
    let count = |c| texts.matches(c).count();
    assert!(
        count('a') > 850 && count('b') > 20 && count('c') > 20,
        "{} {} {}",
        count('a'),
        count('b'),
        count('c')
    );
}

/// Random, disjoint edits of a text: position, length and new text.
fn edits() -> impl Strategy<Value = Vec<(usize, usize, String)>> {
    proptest::collection::vec((0usize..60, 0usize..4, "[xy1+(). ]{0,3}"), 1..3)
}

fn applied(text: &[u8], edits: &[(usize, usize, String)]) -> Option<(Vec<Edit>, Vec<u8>)> {
    let edit = |(at, length, new): &(usize, usize, String)| {
        let start = at % (text.len() + 1);
        Edit::replace(0, start..(start + length).min(text.len()), new.clone().into_bytes())
    };
    let candidate = crate::edit::Candidate::merge(edits.iter().map(edit).collect()).ok()?;
    Some((candidate.edits().to_vec(), candidate.apply(0, text)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_reparse_finds_as_many_errors_as_a_parse(
        (json, seed, broken) in (grammars(), any::<u64>(), any::<bool>()),
        edits in proptest::collection::vec(edits(), 8),
    ) {
        let Ok(grammar) = Grammar::read(&json) else { return Ok(()) };
        for parser in [Parser::new(grammar), parser(ARITHMETIC)] {
            let language = parser.leak();
            let text = Generator::new(language.grammar(), seed, 6).derivation().text(language.grammar());
            let mut text = text.into_bytes();
            text.truncate(400);
            if broken {
                text.push(b'!');
            }
            let base = Parsed::new(language, text);
            for edits in &edits {
                let Some((edits, text)) = applied(&base.text, edits) else { continue };
                let again = language.parse(&text).errors;
                prop_assert_eq!(language.reparse(&base, &edits), again, "{:?} of {:?} in {}", edits, String::from_utf8_lossy(&base.text), &json);
            }
        }
    }
}

#[test]
fn the_base_is_accepted_at_an_end_where_the_edited_text_is_not() {
    let json = r#"{"<start>": [["<b>", "<c>", "<d>"], ["x", "xy", "<c>"]], "<b>": ["x"], "<c>": ["xy", "y"],
        "<d>": [["x", "y", "x"]]}"#;
    let language = parser(json).leak();
    let base = Parsed::new(language, b"xxyxy".to_vec());
    assert_eq!(base.syntax().errors, 0);
    let edits = [Edit::replace(0, 1..3, b"y".to_vec())];
    assert_eq!(language.reparse(&base, &edits), language.parse(b"xyxy").errors);
}

/// JSON that resembles a grammar.
fn nearly() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<start>"),
        Just("<a>"),
        Just("<>"),
        Just("<"),
        Just(""),
        Just("x<a>"),
        Just("é"),
        Just("tokens"),
    ];
    let text = piece.prop_map(|p| format!("{p:?}")).boxed();
    let object = prop_oneof![Just("lit"), Just("class"), Just("prob")];
    let object = (object, text.clone()).prop_map(|(key, value)| format!("{{\"{key}\": {value}}}"));
    let leaf = prop_oneof![3 => text.clone(), 1 => object, 1 => Just("1".to_owned())];
    let list = |of: BoxedStrategy<String>| {
        proptest::collection::vec(of, 0..3).prop_map(|items| format!("[{}]", items.join(", "))).boxed()
    };
    let expansion = prop_oneof![leaf.clone(), list(leaf.boxed())].boxed();
    proptest::collection::vec((text, list(expansion)), 0..4).prop_map(|pairs| {
        let pairs: Vec<String> = pairs.into_iter().map(|(key, value)| format!("{key}: {value}")).collect();
        format!("{{{}}}", pairs.join(", "))
    })
}

proptest! {
    #[test]
    fn no_grammar_and_no_text_causes_a_panic(json in nearly(), text in proptest::collection::vec(any::<u8>(), 0..40)) {
        let html = parser(include_str!("../../examples/grammars/html.json"));
        let read = Grammar::read(&json).map(Parser::new);
        for parser in read.into_iter().chain([html]) {
            let language = parser.leak();
            let file = Parsed::new(language, text.clone());
            prop_assert_eq!(language.reparse(&file, &[]), file.syntax().errors);
            prop_assert_eq!(file.tree().range(NodeId::ROOT).start, 0);
            let again = Grammar::read(&language.grammar().write());
            prop_assert_eq!(again.map(|g| g.to_string()), Ok(language.grammar().to_string()));
        }
    }
}
