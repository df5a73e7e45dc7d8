//! The engine, with predicates in place of the user's test.

use crate::kit::{Log, base, reduced, reduced_with, tokens};
use lopper::driver::Driver;
use lopper::engine::effort::Effort;
use lopper::engine::means::Alone;
use lopper::error::UserError;
use lopper::languages::measure::{Goal, Measure};
use lopper::languages::{Parsed, named, samples, text::TEXT};
use lopper::oracle::{Contents, Fault, Test, Verdict};
use lopper::passes::{PASSES, Pass};
use lopper::reduce::reduce;
use lopper::run::{End, Event, Options};
use lopper::search::SEARCHES;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const C: &str = "\
#include <stdio.h>
/* Counts. */
static int limit = 10;
int count(int from, int to) {
    int sum = 0;
    for (int i = from; i < to; i++) {
        if (i % 2 == 0) sum += crash(i, limit);
        else sum -= 1;
    }
    return sum;
}
int main(void) { printf(\"%d\\n\", count(0, limit)); return 0; }
";

const PYTHON: &str = "\
import os

class Shape:
    def area(self, width, height=2):
        \"\"\"Says how large it is.\"\"\"
        if width > 0:
            return boom(width) * height  # never
        return 0

print(Shape().area(3), os.sep)
";

const TEXT_FILE: &str = "\
server:
  name: example
  ports: [80, 443, {tls: true}]
users:
  - ann
  - bob
";

fn has(language: &str, text: &[u8], words: &[&str]) -> bool {
    let tokens = tokens(language, text);
    words.iter().all(|word| tokens.iter().any(|token| token == word.as_bytes()))
}

fn has_in_order(language: &str, text: &[u8], words: &[&str]) -> bool {
    let mut tokens = tokens(language, text).into_iter();
    words.iter().all(|word| tokens.any(|token| token == word.as_bytes()))
}

/// The error message of a compiler.
fn is_valid(language: &str, text: &[u8]) -> bool {
    named(language).unwrap_or(&TEXT).parse(text).errors == 0
}

fn verdict(interesting: bool) -> Verdict {
    if interesting { Verdict::Interesting } else { Verdict::Boring }
}

fn measure(language: &str, text: &[u8]) -> Measure {
    Measure::of_file(Path::new(""), text, named(language).unwrap_or(&TEXT).lexis())
}

/// Fails unless the result is interesting and has exactly these tokens; white space is left to the tests of
/// the passes.
#[track_caller]
fn leaves(language: &str, text: &str, keep: impl Fn(&[u8]) -> bool + Sync, expected: &str) {
    let result = reduced(language, text, &keep);
    assert!(keep(result.as_bytes()), "{result}");
    let words = |text: &str| {
        let tokens = tokens(language, text.as_bytes());
        tokens.iter().map(|t| String::from_utf8_lossy(t).into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(words(&result), words(expected), "{result}");
}

#[test]
fn c_is_reduced_to_the_required_words() {
    leaves("c", C, |t| has("c", t, &["crash"]), "crash");
    leaves("c", C, |t| has("c", t, &["sum", "crash"]), "sum crash");
}

#[test]
fn c_that_must_stay_valid_is_reduced_to_a_valid_program() {
    leaves("c", C, |t| is_valid("c", t) && has_in_order("c", t, &["crash", "("]), "crash();");
    let loops = |t: &[u8]| is_valid("c", t) && has_in_order("c", t, &["for", "crash", "(", "limit"]);
    leaves("c", C, loops, "for (;;) crash(limit);");
}

/// Reduces a program that calls a function five times, to these calls or to others in their place.
fn toward(goal: Goal, function: &str, replaced: fn(&str, u32) -> bool) -> (String, Measure) {
    let calls = "g(1);g(2);g(3);g(4);g(5);";
    let text = format!("{function}\nint main() {{ {calls} }}\n");
    let blanks = |text: &str| text.replace(' ', "");
    let test = |contents: &Contents| {
        let text = String::from_utf8_lossy(&contents[0]);
        let called = blanks(&text).contains(&blanks(function)) && text.contains(calls);
        let replaced = (1..6).all(|i| replaced(&blanks(&text), i));
        verdict(is_valid("c", &contents[0]) && text.contains("main()") && (called || replaced))
    };
    let options = Options { goal, ..Options::default() };
    let (outcome, _) = reduced_with(base("c", text.as_bytes()), &test, &options);
    (String::from_utf8_lossy(&outcome.contents[0]).into_owned(), outcome.measure)
}

#[test]
fn the_result_is_smallest_in_what_the_goal_names() {
    let function = "int g(int x) { return a_long_name_of_a_function(x) + x * x * x; }";
    let replaced = |text: &str, i| text.contains(&format!("a_long_name_of_a_function({i})"));
    let results = [Goal::Tokens, Goal::Bytes].map(|goal| toward(goal, function, replaced));
    let [(_, tokens), (_, bytes)] = &results;
    assert!(tokens.tokens < bytes.tokens && tokens.bytes > bytes.bytes, "{results:?}");
    let function = "void g(int x) { one(x);\ntwo(x); }";
    let replaced = |text: &str, i| text.contains(&format!("\ntwo({i})"));
    let results = [Goal::Tokens, Goal::Lines].map(|goal| toward(goal, function, replaced));
    let [(_, tokens), (_, lines)] = &results;
    assert!(tokens.tokens < lines.tokens && tokens.lines > lines.lines, "{results:?}");
}

#[test]
fn a_program_may_grow_for_a_while_if_it_is_smaller_in_the_end() {
    let function = "int g(int x) { return one(x) + x * x * x; }\n";
    let text = format!("{function}int main() {{ g(1); g(2); g(3); g(4); g(5); }}\n");
    // The function is needed while it is called, but little of it is needed in place of the calls.
    let keep = |t: &[u8]| {
        let text = tokens("c", t).concat();
        let has = |part: &str| String::from_utf8_lossy(&text).contains(&part.replace(' ', ""));
        let called = has(function.replace("int ", "int").trim()) && has("g(1);g(2);g(3);g(4);g(5);");
        is_valid("c", t) && has("main()") && (called || (1..6).all(|i| has(&format!("one({i})"))))
    };
    leaves("c", &text, keep, "main() { one(1); one(2); one(3); one(4); one(5); }");
}

#[test]
fn asking_again_without_an_answer_gives_the_same_query() {
    let text = "int g(int x) { return x + x; }\nint main() { g(0); g(0); g(0); }\n";
    let passes: Vec<_> = lopper::passes::PASSES.iter().collect();
    let mut driver = Driver::new(base("c", text.as_bytes()), &passes, &SEARCHES[0], Arc::new(Alone));
    let mut pumps = 0;
    while let Some(query) = driver.ask() {
        assert_eq!(driver.ask().map(|again| again.key), Some(query.key), "{:?}", query.pass);
        pumps += usize::from(query.pass == Some("flips"));
        driver.learn(Verdict::Boring);
    }
    assert!(pumps > 1, "pumps were asked for, too");
}

#[test]
fn python_that_must_stay_valid_keeps_its_blocks() {
    let words = ["def", "area", "boom", "("];
    let calls = |t: &[u8]| is_valid("python", t) && has_in_order("python", t, &words);
    leaves("python", PYTHON, calls, "def area():\n    boom()\n");
    let words = ["class", "Shape", "def", "area", "return", "boom"];
    let method = |t: &[u8]| is_valid("python", t) && has_in_order("python", t, &words);
    leaves("python", PYTHON, method, "class Shape:\n    def area():\n        return boom\n");
}

#[test]
fn text_is_reduced_by_lines_words_and_brackets() {
    let balanced = |t: &[u8]| is_valid("text", t) && has_in_order("text", t, &["server", "[", "true"]);
    leaves("text", TEXT_FILE, balanced, "server [true]");
    leaves("text", "a (b c) d\n", |t| has("text", t, &["c"]), "c");
}

#[test]
fn a_test_that_accepts_anything_leaves_nothing() {
    for (language, file, text) in samples() {
        assert_eq!(reduced(language, text, |_| true), "", "{file}");
    }
}

#[test]
fn a_test_that_accepts_only_the_original_leaves_it_as_it_is() {
    for (language, text) in [("c", C), ("python", PYTHON), ("text", TEXT_FILE)] {
        assert_eq!(reduced(language, text, |t| t == text.as_bytes()), text);
    }
}

#[test]
fn every_search_finds_the_required_words() {
    for search in SEARCHES {
        let options = Options { search, ..Options::default() };
        let test = |c: &Contents| verdict(has("c", &c[0], &["sum", "crash", "main"]));
        let (outcome, _) = reduced_with(base("c", C.as_bytes()), &test, &options);
        assert!(matches!(outcome.end, End::Fixpoint), "{:?}", outcome.end);
        assert_eq!(tokens("c", &outcome.contents[0]), [&b"sum"[..], b"crash", b"main"], "{search:?}");
    }
}

#[test]
fn passes_for_other_languages_do_not_change_the_order_of_the_others() {
    for (language, file, text) in samples() {
        let needed: Vec<Vec<u8>> = tokens(language, text.as_bytes()).into_iter().step_by(19).collect();
        let has = |text: &[u8], part: &[u8]| text.windows(part.len()).any(|window| window == part);
        let test = |contents: &Contents| match needed.iter().all(|part| has(&contents[0], part)) {
            true => Verdict::Interesting,
            false => Verdict::Boring,
        };
        let tested = |passes: Vec<&'static Pass>| {
            let options = Options { passes, max_tests: Some(300), ..Options::default() };
            let (_, log) = reduced_with(base(language, text.as_bytes()), &test, &options);
            // A second look comes with a turn, and a pass with nothing to do has turns, too.
            let proposed = log.tested.into_iter().filter_map(|(pass, verdict, _)| Some((pass?, verdict)));
            proposed.take(100).collect::<Vec<_>>()
        };
        let is_for = |pass: &&Pass| named(language).is_some_and(|language| pass.is_for_language(language));
        let own = tested(PASSES.iter().filter(is_for).collect());
        assert!(own.len() > 20, "{file}: there is something to compare");
        assert_eq!(tested(PASSES.iter().collect()), own, "{file}");
    }
}

#[test]
fn every_accepted_candidate_is_interesting_and_lowers_the_measure_strictly() {
    for (language, file, text) in samples() {
        let all = tokens(language, text.as_bytes());
        let stay: Vec<&Vec<u8>> = all.iter().step_by(9).collect();
        let keep = |text: &[u8]| {
            let tokens: BTreeSet<Vec<u8>> = tokens(language, text).into_iter().collect();
            is_valid(language, text) && stay.iter().all(|t| tokens.contains(*t))
        };
        let test = |c: &Contents| verdict(keep(&c[0]));
        let (outcome, log) = reduced_with(base(language, text.as_bytes()), &test, &Options::default());
        let mut last = (measure(language, text.as_bytes()), text.as_bytes());
        assert!(log.accepted.len() > 1, "{file} accepts {}", log.accepted.len());
        for (text, told) in &log.accepted {
            let shown = String::from_utf8_lossy(text);
            assert!(keep(text), "{file}: accepted without being interesting:\n{shown}");
            assert_eq!(*told, measure(language, text), "{file}: the measure told is not that of\n{shown}");
            assert!(told.is_below(text, &last.0, last.1), "{file}: {told:?} is not below {:?}", last.0);
            last = (*told, text);
        }
        assert_eq!(
            (outcome.measure, outcome.contents[0].as_slice()),
            last,
            "{file}: the last one is the result"
        );
        assert_eq!(outcome.stats.runs, log.tested.len(), "{file}: every run is told");
        let numbers: Vec<usize> = log.tested.iter().map(|t| t.2).collect();
        assert_eq!(numbers, (1..=numbers.len()).collect::<Vec<_>>(), "{file}: runs are counted from 1");
    }
}

#[test]
fn the_same_run_twice_does_the_same_in_the_same_order() {
    for search in SEARCHES {
        let options = Options { search, ..Options::default() };
        let run = || {
            let test = |c: &Contents| {
                verdict(is_valid("python", &c[0]) && has_in_order("python", &c[0], &["if", "boom", "print"]))
            };
            let (outcome, log) = reduced_with(base("python", PYTHON.as_bytes()), &test, &options);
            (outcome.contents, outcome.stats, log)
        };
        let first = run();
        assert!(first.2.tested.len() > 20, "there is something to compare");
        assert_eq!(first, run(), "{search:?}");
    }
}

#[test]
fn the_number_of_workers_changes_nothing_but_the_time() {
    let run = |jobs, (effort, max_tests)| {
        let test = |c: &Contents| {
            if has("c", &c[0], &["return"]) {
                // Verdicts arrive in another order than their queries.
                std::thread::sleep(Duration::from_micros(c[0].len() as u64 * 37 % 1000));
            }
            verdict(is_valid("c", &c[0]) && has_in_order("c", &c[0], &["int", "for", "crash", "return"]))
        };
        let options = Options { jobs, effort, max_tests, ..Options::default() };
        let (outcome, log) = reduced_with(base("c", C.as_bytes()), &test, &options);
        (outcome.contents, outcome.stats, log)
    };
    for limits in [(Effort::Normal, None), (Effort::Normal, Some(11)), (Effort::High, None)] {
        let alone = run(1, limits);
        let escapes = alone.1.passes.iter().any(|(name, _)| *name == "escape");
        assert_eq!(escapes, limits.0 == Effort::High, "the program is small");
        for jobs in [2, 3, 8] {
            assert_eq!(run(jobs, limits), alone, "{jobs} workers, {limits:?}");
        }
    }
}

#[test]
fn passes_are_skipped_after_the_same_runs_whatever_the_number_of_workers_and_the_run_ends() {
    let skips =
        [(3, "delete"), (9, "lines"), (20, "tokens"), (40, "delete"), (41, "escape"), (60, "nonsense")];
    let skips: Vec<(usize, String)> = skips.map(|(runs, pass)| (runs, pass.to_owned())).to_vec();
    let run = |jobs, skips: &[(usize, String)]| {
        let test =
            |contents: &Contents| verdict(has_in_order("c", &contents[0], &["crash", "limit", "main"]));
        let options = Options { jobs, skips: Arc::new(skips.to_vec()), ..Options::default() };
        let (outcome, log) = reduced_with(base("c", C.as_bytes()), &test, &options);
        assert!(matches!(outcome.end, End::Fixpoint), "{:?}", outcome.end);
        (outcome.contents[0].to_vec(), log.tested, log.skipped)
    };
    let skipped = run(1, &skips);
    let due: Vec<_> = skips.iter().map(|(runs, pass)| (pass.clone(), *runs)).collect();
    assert!(skipped.2.len() > 2 && due.starts_with(&skipped.2), "{:?}", skipped.2);
    assert!(has_in_order("c", &skipped.0, &["crash", "limit", "main"]));
    assert_ne!(skipped.1, run(1, &[]).1, "the course is another one");
    let next = skipped.1.iter().skip(3).take(6);
    assert!(next.clone().all(|(pass, ..)| *pass != Some("delete")), "{:?}", next.collect::<Vec<_>>());
    for jobs in [2, 3] {
        assert_eq!(run(jobs, &skips), skipped, "{jobs} workers");
    }
}

#[test]
fn a_fault_with_many_workers_ends_the_run_with_the_best_so_far() {
    let fault = Fault::Broken(UserError::bad_test("no more disk"));
    let keep = |t: &[u8]| is_valid("c", t) && has("c", t, &["crash", "limit", "main"]);
    let test = Breaking { runs: AtomicUsize::new(0), good: 25, fault, keep };
    let options = Options { jobs: 4, ..Options::default() };
    let (outcome, log) = reduced_with(base("c", C.as_bytes()), &test, &options);
    assert!(matches!(&outcome.end, End::Broken(e) if e.title == "no more disk"), "{:?}", outcome.end);
    let best = log.accepted.last().map_or(C.as_bytes(), |(text, _)| text);
    assert_eq!(*outcome.contents[0], best);
}

#[test]
fn a_candidate_that_was_accepted_by_mistake_is_taken_back() {
    for jobs in [1, 3] {
        // Accepts a program that does not crash, once.
        let mistakes = AtomicUsize::new(0);
        let test = |c: &Contents| {
            let crashes = has("c", &c[0], &["crash", "main"]);
            verdict(crashes || mistakes.fetch_add(1, Ordering::Relaxed) == 0)
        };
        let options = Options { jobs, ..Options::default() };
        let (outcome, log) = reduced_with(base("c", C.as_bytes()), &test, &options);
        let result = String::from_utf8_lossy(&outcome.contents[0]);
        assert!(matches!(outcome.end, End::Fixpoint), "{:?}", outcome.end);
        assert_eq!(tokens("c", &outcome.contents[0]), [&b"crash"[..], b"main"], "{jobs} workers: {result}");
        assert!(jobs > 1 || log.retreats > 0, "the mistake is told");
    }
}

#[test]
fn a_request_to_stop_is_obeyed_between_runs() {
    let runs = std::sync::Arc::new(AtomicUsize::new(0));
    let seen = std::sync::Arc::clone(&runs);
    let interrupted = std::sync::Arc::new(move || seen.load(Ordering::Relaxed) >= 6);
    let options = Options { interrupted, ..Options::default() };
    let test = |c: &Contents| {
        runs.fetch_add(1, Ordering::Relaxed);
        verdict(is_valid("c", &c[0]) && has("c", &c[0], &["crash"]))
    };
    let (outcome, log) = reduced_with(base("c", C.as_bytes()), &test, &options);
    assert!(matches!(outcome.end, End::Interrupted), "{:?}", outcome.end);
    assert_eq!(log.tested.len(), 6);
    assert_eq!(Some(&outcome.contents[0][..]), log.accepted.last().map(|(text, _)| &text[..]));
}

#[test]
fn no_candidate_that_was_refused_is_tested_again_nor_the_original() {
    let seen = Mutex::new(BTreeSet::new());
    let again = Mutex::new(Vec::new());
    let test = |c: &Contents| {
        let interesting = is_valid("c", &c[0]) && has("c", &c[0], &["crash", "limit"]);
        let is_new = interesting || seen.lock().is_ok_and(|mut seen| seen.insert(c[0].to_vec()));
        if !is_new || c[0].as_slice() == C.as_bytes() {
            let _ = again.lock().map(|mut again| again.push(String::from_utf8_lossy(&c[0]).into_owned()));
        }
        verdict(interesting)
    };
    let (outcome, _) = reduced_with(base("c", C.as_bytes()), &test, &Options::default());
    assert!(outcome.stats.memo_hits > 0, "candidates came again, but were not tested again");
    assert!(again.lock().is_ok_and(|again| again.is_empty()), "{again:?}");
}

#[test]
fn a_part_that_had_to_stand_for_the_whole_is_tried_again_on_the_result() {
    // Only 0 may be printed as it is.
    let keep = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let is_printed = text.contains("a = 0") && text.contains("print(a)");
        text.contains("a = ") && (is_printed || text.contains("print(a.f(1, 2))"))
    };
    let test = |contents: &Contents| verdict(keep(&contents[0]));
    let text = "a = 123\nprint(a.f(1, 2))\n";
    let (outcome, _) = reduced_with(base("python", text.as_bytes()), &test, &Options::default());
    assert_eq!(String::from_utf8_lossy(&outcome.contents[0]), "a = 0\nprint(a)\n");
}

#[test]
fn the_limit_on_runs_is_used_up_and_the_result_is_the_best_so_far() {
    let test = |c: &Contents| verdict(is_valid("c", &c[0]) && has_in_order("c", &c[0], &["for", "crash"]));
    let (whole, whole_log) = reduced_with(base("c", C.as_bytes()), &test, &Options::default());
    for max in [0, 1, 2, 7, whole.stats.runs - 1] {
        let options = Options { max_tests: Some(max), ..Options::default() };
        let (outcome, log) = reduced_with(base("c", C.as_bytes()), &test, &options);
        assert!(matches!(outcome.end, End::Tests), "{max}: {:?}", outcome.end);
        assert_eq!((outcome.stats.runs, log.tested.len()), (max, max));
        assert_eq!(log.tested, whole_log.tested[..max], "a budget changes nothing before its end");
        let best = log.accepted.last().map_or(C.as_bytes(), |(text, _)| text);
        assert_eq!(*outcome.contents[0], best, "{max}");
        assert_eq!(outcome.measure, measure("c", best), "{max}");
    }
    let enough = Options { max_tests: Some(whole.stats.runs), ..Options::default() };
    let (outcome, _) = reduced_with(base("c", C.as_bytes()), &test, &enough);
    assert!(matches!(outcome.end, End::Fixpoint), "exactly enough is enough: {:?}", outcome.end);
}

#[test]
fn a_deadline_in_the_past_ends_the_run_at_once() {
    let options = Options { deadline: Some(Instant::now()), ..Options::default() };
    let test = |_: &Contents| Verdict::Interesting;
    let (outcome, log) = reduced_with(base("c", C.as_bytes()), &test, &options);
    assert!(matches!(outcome.end, End::Time), "{:?}", outcome.end);
    assert_eq!((log, outcome.contents[0].as_slice()), (Log::default(), C.as_bytes()));
}

#[test]
fn a_deadline_in_the_middle_of_a_run_keeps_the_best_so_far() {
    let deadline = Instant::now() + Duration::from_secs(2);
    let options = Options { deadline: Some(deadline), ..Options::default() };
    // The first candidates are quick; a later one takes until the deadline has passed.
    let runs = AtomicUsize::new(0);
    let test = |c: &Contents| {
        if runs.fetch_add(1, Ordering::Relaxed) >= 5 {
            std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
        }
        verdict(has("python", &c[0], &["boom", "print"]))
    };
    let (outcome, log) = reduced_with(base("python", PYTHON.as_bytes()), &test, &options);
    assert!(matches!(outcome.end, End::Time), "{:?}", outcome.end);
    assert_eq!(Some(&outcome.contents[0][..]), log.accepted.last().map(|(text, _)| &text[..]));
}

/// A test that works this many times and then fails with an error.
struct Breaking<F> {
    runs: AtomicUsize,
    good: usize,
    fault: Fault,
    keep: F,
}

impl<F: Fn(&[u8]) -> bool + Sync> Test for Breaking<F> {
    fn run(&self, _worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        if self.runs.fetch_add(1, Ordering::Relaxed) >= self.good {
            return Err(self.fault.clone());
        }
        Ok(verdict((self.keep)(&candidate[0])))
    }
}

fn until_it_breaks(good: usize, fault: Fault) -> (lopper::run::Reduced, Log) {
    let keep = |t: &[u8]| is_valid("c", t) && has("c", t, &["crash", "limit", "main"]);
    let test = Breaking { runs: AtomicUsize::new(0), good, fault, keep };
    reduced_with(base("c", C.as_bytes()), &test, &Options::default())
}

#[test]
fn a_test_that_breaks_ends_the_run_with_its_message_and_the_best_so_far() {
    for good in [0, 1, 5, 25] {
        let (outcome, log) = until_it_breaks(good, Fault::Broken(UserError::bad_test("no more disk")));
        assert!(matches!(&outcome.end, End::Broken(e) if e.title == "no more disk"), "{:?}", outcome.end);
        let best = log.accepted.last().map_or(C.as_bytes(), |(text, _)| text);
        assert_eq!(*outcome.contents[0], best, "after {good}");
        assert_eq!(outcome.measure, measure("c", best), "after {good}");
        assert!(log.tested.len() <= good, "what broke is not told as a verdict");
    }
}

#[test]
fn an_interrupted_run_keeps_the_best_so_far() {
    let (outcome, log) = until_it_breaks(25, Fault::Interrupted);
    assert!(matches!(outcome.end, End::Interrupted), "{:?}", outcome.end);
    let best = log.accepted.last().map(|(text, _)| &text[..]);
    assert_eq!(Some(&outcome.contents[0][..]), best);
}

#[test]
fn candidates_that_cannot_be_judged_or_time_out_are_counted_and_never_accepted() {
    // A candidate without `limit` cannot be judged, and one without `main` times out.
    let test = |c: &Contents| match (has("c", &c[0], &["limit"]), has("c", &c[0], &["main"])) {
        (false, _) => Verdict::Invalid,
        (_, false) => Verdict::TimedOut,
        _ => verdict(has("c", &c[0], &["crash"])),
    };
    let (outcome, log) = reduced_with(base("c", C.as_bytes()), &test, &Options::default());
    assert!(log.accepted.iter().all(|(text, _)| has("c", text, &["limit", "main", "crash"])));
    assert_eq!(tokens("c", &outcome.contents[0]).len(), 3);
    let count = |verdict| log.tested.iter().filter(|t| t.1 == verdict).count();
    assert_eq!(
        (outcome.stats.invalid, outcome.stats.timed_out),
        (count(Verdict::Invalid), count(Verdict::TimedOut))
    );
    assert!(outcome.stats.invalid > 0 && outcome.stats.timed_out > 0, "{:?}", outcome.stats);
}

#[test]
fn a_test_that_never_knows_changes_nothing() {
    for answer in [Verdict::Invalid, Verdict::TimedOut, Verdict::Boring] {
        let is_original = |contents: &Contents| *contents[0] == PYTHON.as_bytes();
        let knows =
            move |contents: &Contents| if is_original(contents) { Verdict::Interesting } else { answer };
        let (outcome, log) = reduced_with(base("python", PYTHON.as_bytes()), &knows, &Options::default());
        assert!(matches!(outcome.end, End::Fixpoint), "{:?}", outcome.end);
        assert_eq!(*outcome.contents[0], PYTHON.as_bytes(), "{answer:?}");
        assert_eq!(log.accepted, []);
        // One that does not even accept the original no longer works.
        let never = move |_: &Contents| answer;
        let (outcome, log) = reduced_with(base("python", PYTHON.as_bytes()), &never, &Options::default());
        assert!(matches!(outcome.end, End::Broken(_)), "{:?}", outcome.end);
        assert_eq!((&**outcome.contents[0], log.accepted), (PYTHON.as_bytes(), vec![]), "{answer:?}");
    }
}

/// Fails if a single token of the result can be deleted.
fn is_1_minimal(language: &str, text: &str, keep: impl Fn(&[u8]) -> bool + Sync) {
    assert!(keep(text.as_bytes()), "the original is interesting");
    let result = reduced(language, text, &keep);
    assert!(keep(result.as_bytes()), "{result}");
    let lexis = named(language).unwrap_or(&TEXT).lexis();
    let tokens: Vec<_> = lopper::languages::lexer::tokens(result.as_bytes(), lexis).collect();
    for token in tokens {
        let without = format!("{} {}", &result[..token.range().start], &result[token.range().end..]);
        assert!(!keep(without.as_bytes()), "'{}' could go from\n{result}", &result[token.range()]);
    }
}

#[test]
fn no_single_token_of_the_result_can_be_deleted() {
    is_1_minimal("c", C, |t| has("c", t, &["count", "from", "sum", "%", "main", "}"]));
    is_1_minimal("python", PYTHON, |t| has("python", t, &["os", "self", "height", ".", "0", "return"]));
    // Predicates that are not monotone: the result depends on what was deleted together.
    let balanced = |t: &[u8]| is_valid("text", t) && has_in_order("text", t, &["(", "define", "square", ")"]);
    for (language, _, text) in samples().iter().filter(|s| s.1 == "functions.lisp") {
        is_1_minimal(language, text, balanced);
    }
    let even = |t: &[u8]| {
        let count = |word: &[u8]| tokens("c", t).iter().filter(|t| *t == word).count();
        count(b"i") % 2 == 1 && count(b"sum") >= 3 && count(b"{") >= count(b"}")
    };
    is_1_minimal("c", C, even);
    let compiles =
        |t: &[u8]| is_valid("c", t) && has_in_order("c", t, &["int", "if", "crash", "else", "return"]);
    is_1_minimal("c", C, compiles);
}

#[test]
fn failed_units_are_tested_again_when_nothing_else_can_be_deleted() {
    // `late` is tested before `early`, which depends on it, and the neighbours of `late` do not change.
    let test = |contents: &Contents| {
        let there = |word| has("text", &contents[0], &[word]);
        let stays = has_in_order("text", &contents[0], &["a", "b", "c", "d"]);
        verdict(stays && (there("late") || !there("early")))
    };
    let passes = vec![lopper::passes::named("tokens").unwrap()];
    let options = Options { passes, ..Options::default() };
    let (outcome, _) = reduced_with(base("text", b"early a b c d late"), &test, &options);
    assert_eq!(outcome.contents[0].as_slice(), b"a b c d");
}

/// Deletes every other token; each of these units is accompanied by a unit with a fault of its own.
fn wrong_units(base: &lopper::passes::Base) -> Vec<lopper::passes::Group> {
    use lopper::passes::{Group, Unit};
    let cut = |range| Unit::Cut { file: 0, range };
    let tokens = base.files[0].tokens();
    let right = tokens.iter().map(|token| cut(token.start..token.end)).collect::<Vec<_>>();
    let end = base.files[0].text.len() as u32;
    let wrong = [
        cut(end..end + 7),
        cut(end + 100..end + 200),
        Unit::Cut { file: 3, range: 0..1 },
        Unit::Unwrap { file: 0, open: 0, close: end + 1 },
        Unit::Tokens { file: 0, first: tokens.len() as u32, mask: 3 },
    ];
    let mixed = || right.iter().cloned().chain(wrong.iter().cloned());
    vec![Group::deletions(mixed()), Group::deletions(mixed().rev()).doubtful()]
}

fn no_units(base: &lopper::passes::Base) -> Vec<lopper::passes::Group> {
    panic!("no plan for {} files", base.files.len())
}

#[test]
fn a_pass_that_panics_or_edits_out_of_bounds_costs_these_candidates_and_is_told() {
    use lopper::passes::{Base, Group, Pass};
    fn pass(name: &'static str, plan: fn(&Base) -> Vec<Group>) -> &'static Pass {
        let pass = Pass { name, proves: true, plan, ..Pass::DEFAULT };
        Box::leak(Box::new(pass))
    }
    for search in SEARCHES {
        for jobs in [1, 3] {
            let passes = vec![pass("wrong", wrong_units), pass("none", no_units)];
            let options = Options { passes, search, jobs, max_tests: Some(500), ..Options::default() };
            let test = |c: &Contents| verdict(has("text", &c[0], &["crash"]));
            let (outcome, log) = reduced_with(base("text", b"a b c crash d e f g h"), &test, &options);
            let result = String::from_utf8_lossy(&outcome.contents[0]).into_owned();
            assert_eq!(result.split_whitespace().collect::<Vec<_>>(), ["crash"], "{}", search.name);
            for pass in ["wrong", "none"] {
                assert!(log.bugs.iter().any(|(name, _)| *name == pass), "{}: {:?}", search.name, log.bugs);
            }
        }
    }
}

#[test]
fn a_listener_that_cannot_save_the_best_ends_the_run() {
    let runs = AtomicUsize::new(0);
    let test = |c: &Contents| {
        runs.fetch_add(1, Ordering::Relaxed);
        verdict(has("c", &c[0], &["crash"]))
    };
    let mut accepted = 0;
    let mut told_later = 0;
    let options = Options::default();
    let outcome = reduce(base("c", C.as_bytes()), &test, &options, &mut |event| {
        if accepted > 0 {
            told_later += 1;
        }
        if let Event::Accepted { .. } = event {
            accepted += 1;
            return Err(UserError::usage("the disk is full"));
        }
        Ok(())
    });
    assert!(matches!(&outcome.end, End::Broken(e) if e.title == "the disk is full"), "{:?}", outcome.end);
    assert_eq!((accepted, told_later), (1, 0), "nothing happens after that");
    assert!(has("c", &outcome.contents[0], &["crash"]));
    assert!(runs.load(Ordering::Relaxed) >= 1);
}

#[test]
fn an_empty_text_is_done_without_a_run() {
    for language in ["c", "python", "text"] {
        let test = |_: &Contents| Verdict::Interesting;
        let (outcome, log) = reduced_with(base(language, b""), &test, &Options::default());
        assert!(matches!(outcome.end, End::Fixpoint), "{language}: {:?}", outcome.end);
        assert_eq!((outcome.contents[0].len(), log), (0, Log::default()), "{language}");
    }
}

#[test]
fn a_text_of_one_byte_is_deleted_or_kept_whatever_the_byte_is() {
    for language in ["c", "python", "text"] {
        for byte in 0..=u8::MAX {
            for stays in [true, false] {
                let test = |c: &Contents| verdict(!stays || !c[0].is_empty());
                let (outcome, log) = reduced_with(base(language, &[byte]), &test, &Options::default());
                assert!(matches!(outcome.end, End::Fixpoint), "{language}: {:?}", outcome.end);
                assert_eq!(log.bugs, [], "{language} {byte}");
                assert_eq!(!outcome.contents[0].is_empty(), stays, "{language} {byte:#x}");
            }
        }
    }
}

#[test]
fn a_program_of_several_files_is_reduced_as_one() {
    let mut files = base("c", b"int used; int unused;\n").files;
    files.extend(base("python", b"import a\nused()\n").files);
    let keep = |c: &Contents| has("c", &c[0], &["used"]) && has("python", &c[1], &["used"]);
    let test = |c: &Contents| verdict(keep(c));
    let base = lopper::passes::Base { files };
    let (outcome, _) = reduced_with(base, &test, &Options::default());
    let texts: Vec<String> =
        outcome.contents.iter().map(|c| String::from_utf8_lossy(c).into_owned()).collect();
    assert_eq!(texts.iter().map(|text| text.trim()).collect::<Vec<_>>(), ["used", "used"]);
}

/// Nested brackets must not overflow a stack, take for ever, or be left one pair at a time.
fn leaves_nesting(language: &str, depth: usize) {
    let text = format!("{}x{}", "(".repeat(depth), ")".repeat(depth));
    let test = |c: &Contents| verdict(c[0].contains(&b'x'));
    let options = Options { max_tests: Some(100), ..Options::default() };
    let (outcome, log) = reduced_with(base(language, text.as_bytes()), &test, &options);
    assert_eq!(log.bugs, [], "{language}");
    assert_eq!(outcome.contents[0].trim_ascii(), b"x", "{language}");
}

#[test]
fn two_hundred_nested_brackets_are_no_problem() {
    ["c", "python", "text"].into_iter().for_each(|language| leaves_nesting(language, 200));
}

#[test]
fn twenty_thousand_nested_brackets_are_no_problem() {
    ["c", "python", "text"].into_iter().for_each(|language| leaves_nesting(language, 20_000));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    /// The predicate is a random set of token texts that the result must contain, with or without valid
    /// syntax.
    #[test]
    fn any_set_of_words_can_be_required(
        sample in any::<proptest::sample::Index>(),
        stay in proptest::collection::vec(any::<proptest::sample::Index>(), 0..6),
        valid in any::<bool>(),
        search in prop_oneof![Just(0), 0..SEARCHES.len()].prop_map(|i| &SEARCHES[i]),
    ) {
        let (language, file, text) = *sample.get(&samples());
        let all = tokens(language, text.as_bytes());
        let stay: BTreeSet<Vec<u8>> = stay.iter().map(|i| i.get(&all).clone()).collect();
        let keep = |text: &[u8]| {
            let tokens: BTreeSet<Vec<u8>> = tokens(language, text).into_iter().collect();
            stay.is_subset(&tokens) && (!valid || is_valid(language, text))
        };
        let test = |c: &Contents| verdict(keep(&c[0]));
        // Far more than any of these runs needs, so a run that does not end exceeds it.
        let options = Options { search, max_tests: Some(20_000), ..Options::default() };
        let run = || reduced_with(base(language, text.as_bytes()), &test, &options);
        let (outcome, log) = run();
        prop_assert!(matches!(outcome.end, End::Fixpoint), "{}: {:?}", file, outcome.end);
        prop_assert_eq!(&log.bugs, &[]);
        let result = &outcome.contents[0];
        prop_assert!(keep(result), "{}", String::from_utf8_lossy(result));
        prop_assert!(outcome.measure <= measure(language, text.as_bytes()));
        prop_assert_eq!(outcome.measure, measure(language, result));
        if !valid {
            let left: Vec<Vec<u8>> = tokens(language, result);
            prop_assert_eq!(left.len(), stay.len(), "only what must stay stays: {:?}", left);
        }
        let (again, again_log) = run();
        prop_assert_eq!(&again.contents, &outcome.contents);
        prop_assert_eq!(again_log, log);
    }

    /// Any bytes are reduced to the smallest text that the predicate allows.
    #[test]
    fn any_bytes_may_be_the_input(
        bytes in proptest::collection::vec(any::<u8>(), 0..60),
        language in 0usize..3,
        longer_than in 0usize..4,
    ) {
        let language = lopper::languages::all()[language].name();
        let test = |c: &Contents| verdict(c[0].len() >= longer_than.min(bytes.len()));
        let options = Options { max_tests: Some(20_000), ..Options::default() };
        let (outcome, log) = reduced_with(base(language, &bytes), &test, &options);
        prop_assert!(matches!(outcome.end, End::Fixpoint), "{:?}", outcome.end);
        prop_assert_eq!(&log.bugs, &[]);
        prop_assert!(outcome.contents[0].len() >= longer_than.min(bytes.len()));
        prop_assert!(outcome.measure <= measure(language, &bytes));
    }
}

/// Whether a C program of declarations that begin with `int` uses no other names than they declare.
fn defines_its_names(text: &[u8]) -> bool {
    let tokens = tokens("c", text);
    let declared: BTreeSet<&[u8]> =
        tokens.windows(2).filter(|pair| pair[0] == b"int").map(|pair| &pair[1][..]).collect();
    tokens.iter().filter(|token| token.starts_with(b"v")).all(|token| declared.contains(&token[..]))
}

#[test]
fn what_leaves_names_without_definitions_is_held_back_if_the_test_refuses_it() {
    let uses = |i: usize| format!("v{}(v + v{i}0)", i - 1);
    let function = |i: usize| {
        let scale = "v * ".repeat(i);
        format!("int v{i}0 = {i};\nint v{i}(int v) {{ v += 2 * v; return {scale}{} + {i}; }}\n", uses(i))
    };
    let text = format!("int v0(int v) {{ return v; }}\n{}", (1..7).map(function).collect::<String>());
    let proposals = Mutex::new(Vec::new());
    let strict = |contents: &Contents| {
        let is_complete = defines_its_names(&contents[0]);
        let text = String::from_utf8_lossy(&contents[0]);
        proposals.lock().unwrap().push(is_complete);
        let uses_all = (1..7).all(|i| text.contains(&uses(i)));
        verdict(is_complete && is_valid("c", &contents[0]) && uses_all)
    };
    let (outcome, log) = reduced_with(base("c", text.as_bytes()), &strict, &Options::default());
    assert!(matches!(outcome.end, End::Fixpoint), "{:?}", outcome.end);
    assert_eq!(log.bugs, []);
    let proposals = proposals.into_inner().unwrap();
    let incomplete = proposals.iter().filter(|is_complete| !**is_complete).count();
    assert!(incomplete * 10 < proposals.len() * 3, "{incomplete} of {}", proposals.len());
}

/// A program whose functions take turns with pointers and structures, so that most deletions leave operands of wrong types.
fn typed_program() -> String {
    let function = |i: usize| {
        let past = i - 1;
        format!(
            "struct s{i} {{ struct s{past} *p; int n; }} g{i};\nint f{i}(struct s{i} *a, int *b) {{ int c = a->p->n + *b, *d = &c; g{i} = *a; b = d; \
             return f{past}(a->p, b) + b[c] + g{i}.n + KEPT{i}; }}\n"
        )
    };
    let kept: String = (1..6).map(|i| format!("enum {{ KEPT{i} }};\n")).collect();
    let first = "struct s0 { int n; };\nint f0(struct s0 *a, int *b) { return a->n + *b; }\n";
    format!("{kept}{first}{}", (1..6).map(function).collect::<String>())
}

#[test]
fn what_has_semantic_errors_is_held_back_if_the_test_refuses_it_and_not_tested_once_it_always_does() {
    let text = typed_program();
    let count = |strict: bool| {
        let errors = Mutex::new(Vec::new());
        let test = |contents: &Contents| {
            let file = Parsed::new(named("c").unwrap(), contents[0].to_vec());
            let has_errors = file.syntax().errors + file.semantic_errors() > 0;
            errors.lock().unwrap().push(has_errors);
            let text = String::from_utf8_lossy(&contents[0]);
            let kept = (1..6).all(|i| text.contains(&format!("+ KEPT{i}; }}")));
            verdict(kept && !(strict && has_errors))
        };
        let (outcome, log) = reduced_with(base("c", text.as_bytes()), &test, &Options::default());
        assert!(matches!(outcome.end, End::Fixpoint), "{:?}", outcome.end);
        assert_eq!(log.bugs, []);
        let errors = errors.into_inner().unwrap();
        (outcome.measure.tokens, errors.iter().filter(|has| **has).count(), errors.len())
    };
    let (_, wrong, runs) = count(true);
    assert!(wrong * 5 < runs, "{wrong} of {runs}");
    let (tokens, ..) = count(false);
    assert!(tokens < 60, "a test that accepts them gets them: {tokens}");
}
