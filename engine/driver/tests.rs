//! Tests of the driver. Closures take the place of the user's test.

use super::*;
use crate::means::Alone;
use crate::search::SEARCHES;
use lopper_languages::edit::FileId;
use lopper_languages::tree::NodeId;
use lopper_languages::{Parsed, lexer, named};
use lopper_passes::{Grain, Group, PASSES, Unit};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

const FUNCTION: &str = "int g(int x) { return one(x) + x * x * x; }\n";
const CALLS: &str = "int main() { g(1); g(2); g(3); g(4); g(5); }\n";

fn driver_with(text: &str, passes: &[&'static Pass], means: Arc<dyn Means>) -> Driver {
    let file = Parsed::new(named("c").unwrap(), text.as_bytes().to_vec());
    Driver::new(Base { files: vec![Arc::new(file)] }, passes, &SEARCHES[0], means)
}

fn driver(text: &str) -> Driver {
    driver_with(text, &PASSES.iter().collect::<Vec<_>>(), Arc::new(Alone))
}

/// The tokens of a program, with a blank between each two.
fn words(contents: &Contents) -> String {
    let lexis = named("c").unwrap().lexis();
    let words = lexer::tokens(&contents[0], lexis).map(|token| &contents[0][token.range()]);
    words.map(String::from_utf8_lossy).collect::<Vec<_>>().join(" ")
}

/// Runs the driver to its end; returns the queries and replies. `test` also gets the number of the query.
fn run(driver: &mut Driver, mut test: impl FnMut(usize, &Query) -> bool) -> Vec<(Query, Reply)> {
    let mut told = Vec::new();
    while let Some(query) = driver.ask() {
        assert!(told.len() < 5000, "it comes to an end");
        let verdict = if test(told.len(), &query) { Verdict::Interesting } else { Verdict::Boring };
        let reply = driver.learn(verdict);
        told.push((query, reply));
    }
    told
}

/// Interesting are the function with its calls, and the calls with the function's body in place of each.
fn inlines(contents: &Contents) -> bool {
    let text = words(contents).replace(' ', "");
    let has = |part: &str| text.contains(&part.replace(' ', ""));
    let is_called = has(FUNCTION.trim()) && has("g(1);g(2);g(3);g(4);g(5);");
    let is_valid = named("c").unwrap().parse(&contents[0]).errors == 0;
    is_valid && has("main()") && (is_called || (1..6).all(|i| has(&format!("one({i})"))))
}

#[test]
fn a_query_is_the_same_until_it_is_answered() {
    let mut driver = driver(&format!("{FUNCTION}{CALLS}"));
    let (mut looks, mut branches, mut searches) = (0, 0, 0);
    while let Some(query) = driver.ask() {
        let mut clone = driver.clone();
        clone.learn(Verdict::Interesting);
        clone.ask();
        let (runs, hits) = (driver.runs(), driver.memo_hits());
        let again = driver.ask().unwrap();
        assert_eq!((again.key, again.pass, again.chance), (query.key, query.pass, query.chance));
        assert_eq!(again.contents, query.contents);
        assert_eq!((driver.runs(), driver.memo_hits()), (runs, hits), "asking again counts for nothing");
        match driver.mode {
            Mode::Branch(_) => branches += 1,
            Mode::Searching(..) => searches += 1,
            _ => looks += usize::from(query.pass.is_none()),
        }
        let verdict = if inlines(&query.contents) { Verdict::Interesting } else { Verdict::Boring };
        driver.learn(verdict);
    }
    assert!(looks > 0 && branches > 0 && searches > 0, "{looks} {branches} {searches}");
}

#[test]
fn a_verdict_without_a_query_is_ignored() {
    let mut driver = driver("int a; int b;");
    assert_eq!((driver.learn(Verdict::Interesting), driver.runs()), (Reply::Same, 0));
    let query = driver.ask().unwrap();
    driver.learn(Verdict::Boring);
    driver.learn(Verdict::Interesting);
    assert_eq!((driver.runs(), words(driver.best().0)), (1, "int a ; int b ;".to_owned()));
    assert_ne!(driver.ask().map(|next| next.key), Some(query.key));
}

#[test]
fn a_failed_second_look_measures_the_test_and_goes_back() {
    let text = "int a; int b; int c;";
    let mut driver = driver(text);
    // The test wrongly accepts the first candidate without the text that it should look for.
    let mut mistaken = false;
    let told = run(&mut driver, |_, query| {
        let has = words(&query.contents).contains('b');
        let mistake = !has && query.pass.is_some() && !mistaken;
        mistaken |= mistake;
        has || mistake
    });
    let replies = |reply| (0..told.len()).filter(|&i| told[i].1 == reply).collect::<Vec<usize>>();
    let (measured, retreats) = (replies(Reply::Measured), replies(Reply::Retreat));
    let ([measured], [retreat]) = (&measured[..], &retreats[..]) else { panic!("{measured:?} {retreats:?}") };
    assert_eq!(driver.flicker(), Some(Tally { accepted: 16, runs: 16 }));
    let runs = &told[measured - 15..=*measured];
    assert!(runs.iter().all(|(query, _)| words(&query.contents) == text.replace(';', " ;") && query.alone));
    assert!(measured < retreat && told[*retreat].0.pass.is_none(), "a look failed");
    let keys: BTreeSet<u128> = told.iter().map(|(query, _)| query.key).collect();
    assert_eq!(keys.len(), told.len(), "a repeated run is a run of its own");
    let (last, reply) = told.last().unwrap();
    assert_eq!((last.pass, *reply), (None, Reply::Better), "the result is confirmed");
    assert!(last.repeat > 10, "{}", last.repeat);
    assert_eq!(words(driver.best().0), "b");
}

#[test]
fn a_test_that_never_contradicts_itself_gets_two_looks_at_the_result_that_do_not_count() {
    let mut driver = driver("int a; int b; int c;");
    let told = run(&mut driver, |_, query| words(&query.contents).contains('b'));
    let last: Vec<usize> = (0..told.len()).filter(|&i| told[i].0.last).collect();
    assert_eq!((last, driver.runs()), (vec![told.len() - 2, told.len() - 1], told.len() - 2));
}

#[test]
fn a_test_that_no_longer_works_is_noticed_long_before_all_passes_have_asked_it() {
    let text: String = (0..100).map(|i| format!("int v{i} = {i};\n")).collect();
    let mut driver = driver(&text);
    let mut runs = 0;
    // Nothing is accepted after the 20th run, not even the original.
    while let Some(query) = driver.ask() {
        runs += 1;
        let text = words(&query.contents);
        let has_even = (0..100).step_by(2).all(|i| text.contains(&format!("v{i} ")));
        if driver.learn((runs <= 20 && has_even).into()) == Reply::Measured {
            break;
        }
    }
    assert_eq!(driver.flicker(), Some(Tally { accepted: 0, runs: 16 }));
    assert!(runs < 400, "{runs} runs");
}

#[test]
fn an_unconfirmed_candidate_of_a_test_that_flickers_is_not_the_best_one() {
    let mut driver = driver(&format!("{FUNCTION}{CALLS}"));
    driver.expect_flicker(Tally { accepted: 16, runs: 18 });
    let mut number = 0;
    while let Some(query) = driver.ask() {
        number += 1;
        // One run in seven is mistaken.
        let interesting = words(&query.contents).contains("one") != (number % 7 == 1);
        let before = driver.best().0.clone();
        let reply = driver.learn(interesting.into());
        assert_eq!(reply == Reply::Better, driver.best().0 != &before);
        assert!(words(driver.best().0).contains("one") && reply != Reply::Retreat);
        assert!(number < 5000, "it comes to an end");
    }
    assert_eq!(words(driver.best().0), "one");
}

#[test]
fn a_branch_that_ends_below_the_trunk_lands() {
    let mut driver = driver(&format!("{FUNCTION}{CALLS}"));
    let mut best = driver.best().1;
    let mut landed = 0;
    while let Some(query) = driver.ask() {
        let in_branch = matches!(driver.mode, Mode::Branch(_));
        let verdict = if inlines(&query.contents) { Verdict::Interesting } else { Verdict::Boring };
        let better = driver.learn(verdict) == Reply::Better;
        assert_eq!(better, driver.best().1 < best, "what is told is the trunk");
        assert!(inlines(driver.best().0));
        landed += usize::from(in_branch && better);
        assert!(!(in_branch && better && matches!(driver.mode, Mode::Branch(_))), "that is its end");
        best = driver.best().1;
    }
    assert!(landed > 0);
    assert_eq!(words(driver.best().0).replace(' ', ""), "main(){one(1);one(2);one(3);one(4);one(5);}");
}

#[test]
fn a_branch_that_does_not_get_below_the_trunk_is_abandoned() {
    let mut driver = driver(&format!("{FUNCTION}{CALLS}"));
    let (start, size) = (words(driver.best().0), driver.best().1.tokens);
    // Only larger programs are interesting: pumps succeed, and nothing after them does.
    let mut opened = 0;
    while let Some(query) = driver.ask() {
        let tokens = Measure::of(&query.contents[0], named("c").unwrap().lexis()).tokens;
        let trunk = !matches!(driver.mode, Mode::Branch(_));
        let is_start = words(&query.contents) == start;
        let verdict = if tokens > size || is_start { Verdict::Interesting } else { Verdict::Boring };
        assert_ne!(driver.learn(verdict), Reply::Retreat);
        opened += usize::from(trunk && matches!(driver.mode, Mode::Branch(_)));
        assert_eq!(words(driver.best().0), start);
    }
    assert!(opened > 0);
    assert!(matches!(driver.mode, Mode::Choosing), "none is open at the end");
}

static PANICKING: Pass = Pass { name: "panicking", plan: |_| panic!("no plan"), ..Pass::DEFAULT };
static BEYOND: Pass = Pass {
    name: "beyond",
    plan: |base| {
        let beyond = |(file, _): (FileId, _)| Unit::Drop { file, node: NodeId(1_000_000) };
        vec![Group::deletions(base.files().map(beyond))]
    },
    ..Pass::DEFAULT
};
static PUMPING: Pass = Pass { name: "pumping", pump: true, grain: Grain::Branch, ..BEYOND };

#[test]
fn a_pass_that_panics_costs_only_its_candidates() {
    let text = "int a; int b; int c;";
    let test = |_: usize, query: &Query| words(&query.contents).contains('b');
    let mut sound = driver(text);
    run(&mut sound, test);
    for pass in [&PANICKING, &BEYOND, &PUMPING] {
        let passes: Vec<_> = [pass].into_iter().chain(PASSES).collect();
        let mut driver = driver_with(text, &passes, Arc::new(Alone));
        run(&mut driver, test);
        assert_eq!(words(driver.best().0), words(sound.best().0));
        let bugs = driver.take_bugs();
        assert!(!bugs.is_empty() && bugs.iter().all(|(name, _)| *name == pass.name), "{bugs:?}");
        assert_eq!(driver.take_bugs(), [], "each is told once");
    }
}

/// The means of a user who wants to stop as soon as this is set.
struct Stop(AtomicBool);

impl Means for Stop {
    fn is_to_stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        Alone.each(count, work);
    }
}

#[test]
fn the_driver_asks_nothing_more_once_the_user_wants_to_stop() {
    let stop = Arc::new(Stop(AtomicBool::new(false)));
    let passes: Vec<_> = PASSES.iter().collect();
    let mut driver = driver_with("int a; int b; int c;", &passes, Arc::clone(&stop) as Arc<_>);
    let query = driver.ask().unwrap();
    stop.0.store(true, Ordering::Relaxed);
    assert_eq!(driver.ask().map(|again| again.key), Some(query.key), "the verdict may still come");
    assert_eq!(driver.learn(Verdict::Interesting), Reply::Better);
    assert!(driver.ask().is_none() && driver.ask().is_none());
    assert_eq!(driver.best().0, &query.contents, "what was found stays");
}

/// The result of deleting statements one at a time, the last one first, with this effort.
fn striving(text: &str, effort: Effort, test: impl Fn(&str) -> bool) -> String {
    striving_with(&[lopper_passes::named("delete").unwrap()], text, effort, test)
}

/// The result of these passes, which try their units one at a time, the last one first, with this effort.
fn striving_with(
    passes: &[&'static Pass],
    text: &str,
    effort: Effort,
    test: impl Fn(&str) -> bool,
) -> String {
    let file = Parsed::new(named("c").unwrap(), text.as_bytes().to_vec());
    let base = Base { files: vec![Arc::new(file)] };
    let ordered = crate::search::named("ordered").unwrap();
    let mut driver = Driver::new(base, passes, ordered, Arc::new(Alone));
    driver.strive(effort);
    run(&mut driver, |_, query| test(&words(&query.contents)));
    words(driver.best().0)
}

/// Cuts the sum, and does not prove the result.
static ADDENDS: Pass = Pass {
    name: "addends",
    plan: |base| {
        let text = String::from_utf8_lossy(&base.file(0).text);
        let cut = |at: usize| Unit::Cut { file: 0, range: at as u32..at as u32 + 4 };
        vec![Group::deletions(text.find(" + 2").map(cut))]
    },
    ..Pass::DEFAULT
};

#[test]
fn a_unit_that_failed_before_something_far_from_it_changed_is_tried_again_on_the_result() {
    let passes = [&ADDENDS, lopper_passes::named("delete").unwrap()];
    let text = format!("f(1 + 2); {} keep; far;", "stays; ".repeat(40));
    let stays = "stays ; ".repeat(40) + "keep ;";
    let sum_or_far = |text: &str| {
        let is_whole =
            ["f ( 1 + 2 ) ; ", "f ( 1 ) ; "].iter().any(|f| text.starts_with(&format!("{f}{stays}")));
        is_whole && (text.contains("+ 2") || !text.contains("far"))
    };
    let quick = striving_with(&passes, &text, Effort::Quick, sum_or_far);
    assert_eq!(quick, format!("f ( 1 + 2 ) ; {stays}"), "it failed beside the same tokens");
    for effort in [Effort::Normal, Effort::High] {
        assert_eq!(striving_with(&passes, &text, effort, sum_or_far), format!("f ( 1 ) ; {stays}"));
    }
}

#[test]
fn units_that_fail_one_by_one_may_succeed_in_pairs() {
    let both_or_none =
        |text: &str| text.contains("keep ;") && text.contains("on ( x )") == text.contains("off ( x )");
    let text = "keep; on(x); more; off(x);";
    assert_eq!(striving(text, Effort::Quick, both_or_none), "keep ; on ( x ) ; off ( x ) ;");
    assert_eq!(striving(text, Effort::High, both_or_none), "keep ;");
    let normal = striving(text, Effort::Normal, both_or_none);
    assert_eq!(normal, "keep ; on ( x ) ; off ( x ) ;", "the program is small");
}

#[test]
fn a_token_that_stands_for_another_one_makes_what_only_the_other_one_needs_deletable() {
    let text = "b = 1; a(b * 2); d();";
    let defined = |text: &str| {
        let has = |part: &str| text.contains(part);
        (has("b = 1 ;") || !has("( b * 2")) && (has("a ( b * 2 ) ;") || has("a ( a * 2 ) ;"))
    };
    assert_eq!(striving(text, Effort::Quick, defined), "b = 1 ; a ( b * 2 ) ;");
    assert_eq!(striving(text, Effort::High, defined), "a ( a * 2 ) ;");
}

#[test]
fn the_shortest_text_that_a_sample_has_for_a_node_may_stand_in_its_place() {
    let text = format!("a = b + c->d * e; {}", "p; ".repeat(40));
    let assigns = |text: &str| text.contains("a = ") && !text.contains("= ;");
    assert_eq!(striving(&text, Effort::Quick, assigns), "a = b + c -> d * e ;");
    assert_eq!(striving(&text, Effort::High, assigns), "a = a + a ;");
}

#[test]
fn a_reduction_that_is_repeated_in_the_opposite_order_may_end_smaller() {
    let one_or_four =
        |text: &str| text.contains("m ;") || ["k1", "k2", "k3", "k4"].iter().all(|name| text.contains(name));
    let text = format!("k1; k2; k3; k4; m; {}", "p; ".repeat(40));
    let text = &text;
    assert_eq!(striving(text, Effort::Quick, one_or_four), "k1 ; k2 ; k3 ; k4 ;");
    assert_eq!(striving(text, Effort::High, one_or_four), "m ;");
}

#[test]
fn a_pump_that_failed_beside_something_else_is_asked_again_on_the_result() {
    let named = |name: &str| PASSES.iter().find(|pass| pass.name == name).unwrap();
    let passes = ["structures", "delete"].map(named);
    let mut driver =
        driver_with("int k; int m, n; struct { long a; } b = { 0 };\n", &passes, Arc::new(Alone));
    run(&mut driver, |_, query| {
        let text = words(&query.contents);
        let has = |word: &str| text.split(' ').any(|w| w == word);
        let stays = ["m", "n", "long", "b", "0"].iter().all(|word| has(word));
        stays && has("a") == has("struct") && (has("struct") || !has("k"))
    });
    assert_eq!(words(driver.best().0), "int m , n ; long b = { 0 } ;");
}

#[test]
fn brackets_without_partners_and_those_in_longer_tokens_go_with_their_statement() {
    let pass = PASSES.iter().find(|pass| pass.name == "delete").unwrap();
    for text in ["case a in\n*) b ;;\nesac\nc\n", "a $(b)\nc\n", "a ${b}\nc\n"] {
        let base = Base::of_example("bash", text);
        let groups = (pass.plan)(&base);
        let units = groups.iter().flat_map(|group| (0..group.units().len()).map(move |unit| (group, unit)));
        let is_rest = |(group, unit): &(&Group, usize)| {
            let candidate = group.render_alone(&base, *unit).unwrap();
            candidate.apply(0, &base.file(0).text) == b"c\n"
        };
        let (group, unit) = units.clone().find(is_rest).unwrap();
        assert_eq!(candidate::fits(&base, group, unit), Some(true), "{text}");
    }
}
