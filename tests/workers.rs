//! Many workers: the result, the log and the statistics are those of one.

use crate::kit::{base, reduced_with, tokens};
use lopper::oracle::{Contents, Verdict};
use lopper::reduce::Options;
use proptest::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

fn hash(text: &[u8], seed: u64) -> u64 {
    let mut hash = DefaultHasher::new();
    (text, seed).hash(&mut hash);
    hash.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn the_number_of_workers_changes_nothing_whatever_the_test_says_and_however_long_it_takes(
        sample in any::<proptest::sample::Index>(),
        needed in proptest::collection::vec(any::<proptest::sample::Index>(), 0..6),
        whims in 2u64..12,
        seed in any::<u64>(),
    ) {
        let (language, _, text) = *sample.get(&lopper::languages::samples());
        let words = tokens(language, text.as_bytes());
        let needed: Vec<&Vec<u8>> = needed.iter().map(|index| index.get(&words)).collect();
        let test = |contents: &Contents| {
            let text = &contents[0];
            std::thread::sleep(Duration::from_micros(hash(text, seed) % 300));
            let there = tokens(language, text);
            // Not even monotone: one in so many candidates is boring for no reason.
            let has_all = needed.iter().all(|word| there.contains(word));
            let whim = hash(text, seed + 1).is_multiple_of(whims) && there.len() < words.len();
            if has_all && !whim { Verdict::Interesting } else { Verdict::Boring }
        };
        let run = |jobs| {
            let options = Options { jobs, max_tests: Some(200), ..Options::default() };
            let (outcome, log) = reduced_with(base(language, text.as_bytes()), &test, &options);
            (outcome.contents, outcome.stats, log)
        };
        let alone = run(1);
        for jobs in [2, 3, 8] {
            prop_assert!(run(jobs) == alone, "{jobs} workers");
        }
    }
}
