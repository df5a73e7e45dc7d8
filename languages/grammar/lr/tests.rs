//! The LR parser against the forest: the same trees, and no conflicts only where there is one.

use crate::grammar::{Fold, Grammar, Parser, RuleId, Trees};
use proptest::prelude::*;

/// The tree itself, in words.
struct Written;

impl Fold for Written {
    type State = String;
    type Partial = String;

    fn begin(&self, rule: RuleId) -> String {
        format!("({rule}")
    }

    fn terminal(&self, partial: &String, text: &[u8]) -> String {
        format!("{partial} {}", String::from_utf8_lossy(text))
    }

    fn nonterminal(&self, partial: &String, state: &String) -> String {
        format!("{partial} {state}")
    }

    fn end(&self, partial: &String) -> String {
        format!("{partial})")
    }
}

fn parser(json: &str) -> Parser {
    Parser::new(Grammar::read(json).unwrap_or_else(|e| panic!("{e:?}")))
}

#[test]
fn grammars_without_conflicts_are_deterministic() {
    for (json, is_deterministic) in [
        (r#"{"<start>": ["<e>+<start>", "<e>"], "<e>": ["(<start>)", "<n>"], "<n>": ["1<n>", "1"]}"#, true),
        (r#"{"<start>": ["<start>a", ""]}"#, true),
        (r#"{"<start>": [["<a>", {"lit": "ä"}]], "<a>": [[{"class": "a-zà-ü"}], [{"lit": "äöü"}]]}"#, true),
        // Two trees of aaa.
        (r#"{"<start>": ["<start><start>", "a"]}"#, false),
        // Not ambiguous, but the end of the text decides at its middle.
        (r#"{"<start>": ["a<start>a", "a"]}"#, false),
        // LR(1) and not LALR(1).
        (r#"{"<start>": ["a<e>c", "a<f>d", "b<e>d", "b<f>c"], "<e>": ["e"], "<f>": ["e"]}"#, false),
    ] {
        assert_eq!(parser(json).is_deterministic(), is_deterministic, "{json}");
    }
}

#[test]
fn literals_and_classes_of_all_scripts_are_read() {
    let parser =
        parser(r#"{"<start>": [["<a>", {"lit": "ä"}]], "<a>": [[{"class": "a-zà-ü"}], [{"lit": "xöü"}]]}"#);
    let tree = |text: &[u8]| parser.fold(&Written, text).pop_first();
    assert_eq!(tree("éä".as_bytes()).as_deref(), Some("(0 (1 é) ä)"));
    assert_eq!(tree("xöüä".as_bytes()).as_deref(), Some("(0 (2 xöü) ä)"));
    for text in ["", "é", "日ä", "xöä", "éää"] {
        assert_eq!(tree(text.as_bytes()), None, "{text}");
    }
    assert_eq!(tree(b"\xffa"), None);
}

#[test]
fn deep_texts_need_no_deep_stack() {
    let parser = parser(r#"{"<start>": ["(<start>)", ""]}"#);
    struct Depth;
    impl Fold for Depth {
        type State = u32;
        type Partial = u32;
        fn begin(&self, _: RuleId) -> u32 {
            0
        }
        fn terminal(&self, partial: &u32, _: &[u8]) -> u32 {
            *partial
        }
        fn nonterminal(&self, _: &u32, state: &u32) -> u32 {
            state + 1
        }
        fn end(&self, partial: &u32) -> u32 {
            *partial
        }
    }
    let text = "(".repeat(100_000) + &")".repeat(100_000);
    assert_eq!(parser.fold(&Depth, text.as_bytes()).pop_first(), Some(100_000));
}

#[test]
fn a_long_text_with_conflicts_at_every_step_is_read() {
    // One character does not tell & from &&.
    let json =
        r#"{"<start>": ["<start>&&<b>", "<b>"], "<b>": ["<b>&<c>", "<c>"], "<c>": ["1", "(<start>)"]}"#;
    let parser = parser(json);
    assert!(!parser.is_deterministic());
    struct Ones;
    impl Fold for Ones {
        type State = u32;
        type Partial = u32;
        fn begin(&self, _: RuleId) -> u32 {
            0
        }
        fn terminal(&self, partial: &u32, text: &[u8]) -> u32 {
            partial + u32::from(text == b"1")
        }
        fn nonterminal(&self, partial: &u32, state: &u32) -> u32 {
            (partial + state) % 1000
        }
        fn end(&self, partial: &u32) -> u32 {
            *partial
        }
    }
    let text = "1&1&&(1&&1)&".repeat(20_000) + "1";
    let mut remembered = crate::grammar::remembered::Remembered::new(&Ones);
    let roots = parser.lr().expect("it is small").fold(&mut remembered, &text).expect("there are few stacks");
    assert_eq!(roots.iter().map(|&root| remembered.state(root)).collect::<Vec<_>>(), [Some(&1)]);
    assert!(parser.fold(&Ones, format!("{text}&").as_bytes()).is_empty());
}

/// Grammars over a, b and c with up to three nonterminals. Many are ambiguous, and some cannot be used.
fn grammars() -> impl Strategy<Value = String> {
    let symbol = prop::sample::select(vec!["a", "b", "c", "ab", "<start>", "<A>", "<B>"]);
    let rule = prop::collection::vec(symbol, 0..4).prop_map(|symbols| format!("{:?}", symbols.concat()));
    let rules = || prop::collection::vec(rule.clone(), 1..4).prop_map(|rules| rules.join(","));
    (rules(), rules(), rules())
        .prop_map(|(s, a, b)| format!(r#"{{"<start>": [{s}], "<A>": [{a}], "<B>": [{b}]}}"#))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_same_trees_are_found_as_in_the_forest(json in grammars()) {
        let Ok(grammar) = Grammar::read(&json) else { return Ok(()) };
        let parser = Parser::new(grammar);
        let mut texts = vec![String::new()];
        for length in 0..6 {
            let longer = |text: &String| ["a", "b", "c"].map(|c| format!("{text}{c}"));
            let last: Vec<String> = texts.iter().filter(|text| text.len() == length).cloned().collect();
            texts.extend(last.iter().flat_map(longer));
        }
        let mut folding = parser.folding(&Written);
        for text in texts {
            let text = text.as_bytes();
            let found = folding.states(text);
            prop_assert_eq!(&found, &folding.over_forest(text), "{}", json);
            if parser.is_deterministic() {
                prop_assert_eq!(parser.trees(text), Trees::Exactly(found.len() as u128), "{}", json);
            }
        }
    }
}
