//! Many workers: the result, the log and the statistics equal those of one worker.

use crate::kit::{base, reduced_with, tokens};
use lopper::algorithms::ALGORITHMS;
use lopper::oracle::{Contents, Fault, Test, Verdict};
use lopper::reduce::reduce;
use lopper::run::{End, Options};
use proptest::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
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
            // Not even monotone: one in several candidates is boring at random.
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

const FLAGS: &str = "\
def f(s, t):
    deep = False
    out = s
    for c in s:
        if c == 'a' and not deep:
            out = out + c
        else:
            deep = not deep
    return out
";

#[test]
fn the_number_of_workers_changes_nothing_in_an_algorithm() {
    for algorithm in ALGORITHMS {
        for seed in 0..2 {
            let test = |contents: &Contents| {
                let text = &contents[0];
                std::thread::sleep(Duration::from_micros(hash(text, seed) % 300));
                let words = tokens("python", text);
                let has_all =
                    ["deep", "out", "+"].iter().all(|word| words.contains(&word.as_bytes().to_vec()));
                let whim = hash(text, seed + 1).is_multiple_of(5) && text.len() < FLAGS.len();
                if has_all && !whim { Verdict::Interesting } else { Verdict::Boring }
            };
            let run = |jobs| {
                let algorithm = Some(algorithm);
                let options = Options { jobs, algorithm, max_tests: Some(150), ..Options::default() };
                let (outcome, log) = reduced_with(base("python", FLAGS.as_bytes()), &test, &options);
                (outcome.contents, outcome.stats, log)
            };
            let alone = run(1);
            for jobs in [2, 8] {
                assert!(run(jobs) == alone, "{algorithm:?}, {jobs} workers");
            }
        }
    }
}

/// A test that takes a while, in which every tenth line is needed.
struct Tenth {
    is_shared: bool,
    begun: AtomicUsize,
}

impl Test for Tenth {
    fn run(&self, _worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        self.begun.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(Duration::from_micros(3000 + hash(&candidate[0], 0) % 3000));
        let there = tokens("text", &candidate[0]);
        let has_all = (0..200).step_by(10).all(|item| there.contains(&format!("item{item}").into_bytes()));
        Ok(if has_all { Verdict::Interesting } else { Verdict::Boring })
    }

    fn is_shared(&self) -> bool {
        self.is_shared
    }
}

#[test]
fn on_shared_machines_few_runs_are_in_vain_and_the_result_is_the_same() {
    let text: String = (0..200).map(|item| format!("(item{item})\n")).collect();
    let options = Options { jobs: 32, ..Options::default() };
    let run = |is_shared| {
        let test = Tenth { is_shared, begun: AtomicUsize::new(0) };
        let (outcome, _) = reduced_with(base("text", text.as_bytes()), &test, &options);
        (outcome.contents, outcome.stats.runs, test.begun.into_inner())
    };
    let (contents, runs, begun) = run(true);
    assert!(begun <= 2 * runs + 3 * options.jobs, "{begun} runs for {runs} verdicts");
    let (same, as_many, _) = run(false);
    assert_eq!((same, as_many), (contents, runs));
}

#[test]
fn algorithms_test_likely_candidates_ahead() {
    for algorithm in ALGORITHMS.iter().filter(|a| !a.needs_grammar()) {
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let test = |contents: &Contents| {
            most.fetch_max(now.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(5));
            now.fetch_sub(1, Ordering::Relaxed);
            let words = tokens("python", &contents[0]);
            let has_all = ["deep", "out", "+"].iter().all(|word| words.contains(&word.as_bytes().to_vec()));
            if has_all { Verdict::Interesting } else { Verdict::Boring }
        };
        let options =
            Options { jobs: 4, algorithm: Some(algorithm), max_tests: Some(60), ..Options::default() };
        reduced_with(base("python", FLAGS.as_bytes()), &test, &options);
        assert!(most.into_inner() > 1, "{algorithm:?}");
    }
}

#[test]
fn the_limits_hold_for_algorithms_too() {
    let keeps =
        |contents: &Contents| Verdict::from(tokens("python", &contents[0]).contains(&b"deep".to_vec()));
    for algorithm in ALGORITHMS.iter().filter(|a| !a.needs_grammar()) {
        let options = Options { algorithm: Some(algorithm), max_tests: Some(3), ..Options::default() };
        let outcome = reduce(base("python", FLAGS.as_bytes()), &keeps, &options, &mut |_| Ok(()));
        assert!(matches!(outcome.end, End::Tests), "{algorithm:?}: {:?}", outcome.end);
        assert_eq!(outcome.stats.runs, 3);
        let interrupted = Options { interrupted: Arc::new(|| true), ..options };
        let outcome = reduce(base("python", FLAGS.as_bytes()), &keeps, &interrupted, &mut |_| Ok(()));
        assert!(matches!(outcome.end, End::Interrupted), "{algorithm:?}");
        assert_eq!(*outcome.contents[0], FLAGS.as_bytes());
    }
}
