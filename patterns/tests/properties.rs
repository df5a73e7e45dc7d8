//! What holds for every pattern, instance and seed.

use super::kit::*;
use crate::{Extras, Fill, Generalizing, Haystack, Instances, Names, Options, Pattern};
use lopper_engine::Verdict;
use lopper_languages::grammar::{Generator, Parser};
use proptest::prelude::*;
use std::sync::LazyLock;

static GRAMMARS: LazyLock<Vec<&'static Parser>> =
    LazyLock::new(|| [ARITHMETIC, HTML, INT, XYZ, STATEMENTS].map(parser).to_vec());

/// A pattern of a random text of a grammar: what does not change a few bytes of it is a hole.
fn some_pattern(grammar: usize, seed: u64) -> (&'static Parser, Pattern) {
    let parser = GRAMMARS[grammar % GRAMMARS.len()];
    let text = Generator::new(parser.grammar(), seed, 6).derivation().text(parser.grammar());
    let wanted = text.as_bytes().get(seed as usize % (text.len() + 1)).copied();
    let count = text.bytes().filter(|&b| Some(b) == wanted).count();
    let options = Options { distinct: 5, joint: 5, draws: 40, ..Options::published(seed) };
    let pattern = generalized(parser, &text, options, |other| {
        Verdict::from(other.bytes().filter(|&b| Some(b) == wanted).count() >= count)
    });
    (parser, pattern)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_instance_drawn_from_a_pattern_matches_it(grammar in 0usize..4, seed in any::<u64>()) {
        let (parser, pattern) = some_pattern(grammar, seed);
        prop_assert_eq!(pattern.check(), Ok(()));
        let mut instances = Instances::of_grammar(&pattern, parser, seed, Fill::All).unwrap();
        for _ in 0..5 {
            let text = instances.draw().unwrap().text;
            let file = example(parser, std::str::from_utf8(&text).unwrap());
            prop_assert_eq!(file.syntax().errors, 0);
            // A grammar with several trees for a text may have put the pattern into another one.
            if parser.trees(&text) == lopper_languages::grammar::Trees::Exactly(1) {
                let found = Haystack::new(&file).find(&pattern, Extras::Comments);
                prop_assert!(!found.is_empty(), "{} is not {}", String::from_utf8_lossy(&text), shown(parser, &pattern));
            }
        }
    }

    #[test]
    fn the_text_form_is_read_back(grammar in 0usize..4, seed in any::<u64>()) {
        let (parser, pattern) = some_pattern(grammar, seed);
        let text = shown(parser, &pattern);
        let read = Pattern::of_grammar(parser.grammar(), text.as_bytes()).unwrap();
        prop_assert_eq!(shown(parser, &read), text);
        prop_assert_eq!(read.check(), Ok(()));
        prop_assert_eq!(read.holes.len(), pattern.holes.len());
    }

    #[test]
    fn json_is_read_back(grammar in 0usize..5, seed in any::<u64>()) {
        let (parser, pattern) = some_pattern(grammar, seed);
        let json = pattern.to_json(&Names::of_grammar(parser.grammar())).unwrap();
        let read = Pattern::from_json(&json).unwrap();
        prop_assert_eq!(read, Pattern { grammar: pattern.grammar.clone().map(|g| g.trim_end().to_owned()), ..pattern });
    }

    #[test]
    fn the_size_of_batches_changes_nothing(grammar in 0usize..5, seed in any::<u64>(), most in 2usize..40) {
        let parser = GRAMMARS[grammar];
        let text = Generator::new(parser.grammar(), seed, 6).derivation().text(parser.grammar());
        let options = Options { distinct: 9, joint: 9, draws: 60, instances: 20, ..Options::published(seed) };
        let verdict = |text: &[u8]| match text.iter().map(|&b| usize::from(b)).sum::<usize>() % 7 {
            0 => Verdict::Boring,
            1 => Verdict::Invalid,
            2 => Verdict::TimedOut,
            _ => Verdict::Interesting,
        };
        let file = example(parser, &text);
        let alone = Generalizing::of_grammar(&file, options.clone()).unwrap().run(verdict);
        let mut batches = Generalizing::of_grammar(&file, options).unwrap();
        let mut turn = 0;
        loop {
            let verdicts: Vec<Verdict> = batches.ask(most).iter().map(|text| verdict(text)).collect();
            if verdicts.is_empty() {
                break;
            }
            turn += 1;
            batches.learn(&verdicts[..verdicts.len() - turn % verdicts.len()]);
        }
        prop_assert_eq!(batches.pattern(), alone);
    }
}

#[test]
fn data_that_is_no_pattern_is_refused() {
    let (parser, pattern) = some_pattern(0, 1);
    let json = pattern.to_json(&Names::of_grammar(parser.grammar())).unwrap();
    assert!(Pattern::from_json(&json).is_ok());
    for (from, to) in [
        ("\"lopper_pattern\": 1", "\"lopper_pattern\": 2"),
        ("\"last\":7", "\"last\":8"),
        ("\"start\":0", "\"start\":1000000"),
        ("\"language\"", "\"languages\""),
    ] {
        assert!(json.contains(from), "{from} is not in {json}");
        assert!(Pattern::from_json(&json.replacen(from, to, 1)).is_err(), "{to}");
    }
    assert!(Pattern::from_json("").is_err());
}
