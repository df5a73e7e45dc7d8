//! Tests that flicker: they give another answer in one of some runs, by chance.

use crate::kit::{Log, base, reduced_with, tokens};
use lopper::engine::flicker::Tally;
use lopper::oracle::{Contents, Fault, Test, Verdict};
use lopper::run::{End, Options, Reduced};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A test that requires some words in this order, and is mistaken by chance. The mistake depends on the
/// candidate and on the number of runs on it before.
struct Noisy {
    language: &'static str,
    words: Vec<Vec<u8>>,
    /// The probability that a run accepts an interesting program, and a boring one.
    rates: (f64, f64),
    seed: u64,
}

impl Noisy {
    fn is_interesting(&self, text: &[u8]) -> bool {
        let mut found = tokens(self.language, text).into_iter();
        self.words.iter().all(|word| found.any(|token| token == *word))
    }
}

impl Test for Noisy {
    fn run(&self, worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        self.run_again(worker, candidate, 0)
    }

    fn run_again(&self, _: usize, candidate: &Contents, earlier: u32) -> Result<Verdict, Fault> {
        let mut hash = DefaultHasher::new();
        (&candidate[0].content, earlier, self.seed).hash(&mut hash);
        let chance = (hash.finish() >> 11) as f64 / (1u64 << 53) as f64;
        let rate = if self.is_interesting(&candidate[0]) { self.rates.0 } else { self.rates.1 };
        Ok((chance < rate).into())
    }
}

/// A program of some functions, of which the test needs some words.
const PROGRAM: &str = "\
#include <stdio.h>
static int limit = 10;
int twice(int x) { return x + x; }
int count(int from, int to) {
    int sum = 0;
    for (int i = from; i < to; i++) {
        if (i % 2 == 0) sum += crash(i, limit);
        else sum -= twice(i);
    }
    return sum;
}
int show(const char *what, int number) {
    if (!what) return 1;
    printf(\"%s %d\\n\", what, number);
    return 0;
}
int main(void) { return show(\"count\", count(0, limit)); }
";

fn noisy(rates: (f64, f64), seed: u64) -> Noisy {
    let needed = [&["for", "crash", "limit", "show"][..], &["int", "count", "(", "crash", "main", "show"]];
    let words = needed[seed as usize % needed.len()].iter().map(|word| word.as_bytes().to_vec()).collect();
    Noisy { language: "c", words, rates, seed }
}

fn run(test: &Noisy, jobs: usize) -> (Reduced, Log) {
    let options = Options { jobs, ..Options::default() };
    reduced_with(base(test.language, PROGRAM.as_bytes()), test, &options)
}

/// The number of runs with and without noise, and of tokens, over all of these seeds. Every result must be
/// interesting.
fn compared(rates: (f64, f64), seeds: std::ops::Range<u64>) -> ([usize; 2], [usize; 2]) {
    let (mut runs, mut sizes) = ([0; 2], [0; 2]);
    for seed in seeds {
        for (i, rates) in [(1.0, 0.0), rates].into_iter().enumerate() {
            let test = noisy(rates, seed);
            let (outcome, _) = run(&test, 1);
            let text = String::from_utf8_lossy(&outcome.contents[0]);
            assert!(test.is_interesting(&outcome.contents[0]), "{rates:?}, seed {seed}:\n{text}");
            runs[i] += outcome.stats.runs;
            sizes[i] += outcome.measure.tokens;
        }
    }
    (runs, sizes)
}

#[test]
fn a_hundred_results_of_a_test_that_is_wrong_in_one_of_ten_runs_are_interesting() {
    let (runs, sizes) = compared((0.9, 0.1), 0..100);
    assert!(runs[1] <= 3 * runs[0], "{runs:?}");
    assert!(sizes[1] * 10 <= sizes[0] * 11, "{sizes:?}");
}

#[test]
fn a_failure_that_shows_in_every_second_run_is_reduced() {
    let (runs, sizes) = compared((0.5, 0.0), 0..20);
    assert!(runs[1] <= 6 * runs[0], "{runs:?}");
    assert!(sizes[1] * 4 <= sizes[0] * 5, "{sizes:?}");
}

#[test]
fn a_rare_mistake_costs_little() {
    let (runs, sizes) = compared((0.99, 0.01), 0..40);
    assert!(runs[1] * 2 <= 3 * runs[0], "{runs:?}");
    assert!(sizes[1] * 10 <= sizes[0] * 11, "{sizes:?}");
}

#[test]
fn the_number_of_workers_changes_nothing_for_a_test_that_flickers() {
    for (seed, rates) in [(1, (0.9, 0.1)), (2, (0.7, 0.02))] {
        let alone = run(&noisy(rates, seed), 1);
        assert!(alone.1.flickers == 1 && alone.0.stats.repeats > 50, "{:?}", alone.0.stats);
        for jobs in [2, 8] {
            let (outcome, log) = run(&noisy(rates, seed), jobs);
            assert_eq!(outcome.contents, alone.0.contents, "{jobs} workers");
            assert!(log == alone.1 && outcome.stats == alone.0.stats, "{jobs} workers");
        }
    }
}

#[test]
fn a_test_whose_rate_is_known_before_the_run_is_not_measured_again() {
    let flicker = Some(Tally { accepted: 16, runs: 18 });
    let options = Options { flicker, ..Options::default() };
    let test = noisy((0.9, 0.1), 3);
    let (outcome, log) = reduced_with(base("c", PROGRAM.as_bytes()), &test, &options);
    assert!(test.is_interesting(&outcome.contents[0]));
    assert_eq!((log.flickers, log.retreats), (1, 0));
    // Whatever is the best program at some time is interesting, so the run may be stopped at any time.
    assert!(log.accepted.len() > 1 && log.accepted.iter().all(|(text, _)| test.is_interesting(text)));
}

#[test]
fn a_test_that_suddenly_refuses_even_the_original_ends_the_run() {
    let runs = AtomicUsize::new(0);
    let needs = noisy((1.0, 0.0), 0);
    let test = |candidate: &Contents| {
        let works = runs.fetch_add(1, Ordering::Relaxed) < 30;
        Verdict::from(works && needs.is_interesting(&candidate[0]))
    };
    let (outcome, _) = reduced_with(base("c", PROGRAM.as_bytes()), &test, &Options::default());
    let End::Broken(error) = &outcome.end else { panic!("{:?}", outcome.end) };
    assert!(error.facts.iter().any(|fact| fact.contains("16 runs on the original") && fact.contains(" 0 ")));
    assert!(error.help.iter().any(|help| help.contains("does the test still work")), "{error}");
}
