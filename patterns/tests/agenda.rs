//! What is asked first, and how much.

use super::source_code::{generalizing, shown};
use crate::{Options, Pattern};
use lopper_engine::Verdict;

/// Of eight texts that fail seven are said to be invalid.
fn mostly_invalid(text: &[u8], fails: bool) -> Verdict {
    match text.iter().fold(7_u32, |sum, &byte| sum.wrapping_mul(31).wrapping_add(byte.into())) >> 5 & 7 {
        0 => fails.into(),
        _ => Verdict::Invalid,
    }
}

/// The pattern, and how often the test was run.
fn counted(
    language: &str,
    text: &str,
    options: Options,
    mut test: impl FnMut(&[u8]) -> Verdict,
) -> (Pattern, usize) {
    let mut runs = 0;
    let pattern = generalizing(language, text, text, options).run(|text| {
        runs += 1;
        test(text)
    });
    assert_eq!(pattern.check(), Ok(()));
    (pattern, runs)
}

const CALLS: &str = "int f(int n) {\n  int m = n + 1;\n  g(m, n);\n  return m;\n}\n";

#[test]
fn the_budget_bounds_all_runs_however_many_texts_are_invalid() {
    for most_runs in [1, 40, 300, 700] {
        let options = Options { most_runs, ..Options::thrifty(1) };
        let (pattern, runs) = counted("c", CALLS, options, |text| mostly_invalid(text, true));
        assert!(runs <= most_runs, "{runs} of {most_runs}");
        assert_eq!(pattern.runs, runs);
    }
}

#[test]
fn instances_that_are_fewer_than_wanted_are_counted_as_they_are() {
    let options = Options { most_runs: 300, ..Options::thrifty(1) };
    let (pattern, _) = counted("c", CALLS, options, |text| mostly_invalid(text, true));
    let rate = pattern.rate.unwrap();
    assert!((1..100).contains(&rate.valid), "{rate:?}");
    assert!(rate.invalid > rate.valid && rate.bound < 0.97, "{rate:?}");
}

/// Forty statements that all have to stay as they are, but for one name.
fn long() -> String {
    let lines = (0..40).map(|n| format!("  g(count, h{n}({n}, \"{n}\" + {n}));\n"));
    format!("void f(int count) {{\n{}}}\n", lines.collect::<String>())
}

#[test]
fn names_are_known_when_the_budget_is_spent() {
    // Without names at first, the nodes of the long program would leave none of it for the name.
    const BUDGET: usize = 90;
    let text = long();
    let fails = |other: &[u8]| {
        let other = String::from_utf8_lossy(other);
        let name = other.strip_prefix("void f(int ").and_then(|rest| rest.split_once(')'));
        name.is_some_and(|(name, _)| other == text.replace("count", name))
    };
    let options = Options { most_runs: BUDGET, ..Options::thrifty(1) };
    let (pattern, runs) = counted("c", &text, options, |other| fails(other).into());
    assert!(runs <= BUDGET, "{runs}");
    assert!(
        shown(&pattern).starts_with("void f(int <$name_1>) {\n  g(<$name_1>, h0(0"),
        "{}",
        shown(&pattern)
    );
    let rate = pattern.rate.unwrap();
    assert!(rate.failing == rate.valid && rate.valid > 0, "{rate:?}");
}

#[test]
fn the_places_of_a_name_that_need_not_be_the_same_are_holes_of_their_own() {
    let is_name = |name: &str| name.chars().all(char::is_alphabetic);
    let (pattern, _) = counted("python", "a = a\n", Options::thrifty(1), |text| {
        let text = String::from_utf8_lossy(text);
        let sides = text.lines().find_map(|line| line.split_once(" = "));
        sides.is_some_and(|(one, other)| is_name(one) && is_name(other)).into()
    });
    assert!(shown(&pattern).contains("<name> = <name>"), "{}", shown(&pattern));
    let (pattern, _) = counted("python", "a = a\n", Options::thrifty(1), |text| {
        let text = String::from_utf8_lossy(text);
        text.lines().any(|line| line.split_once(" = ").is_some_and(|(one, other)| one == other)).into()
    });
    assert!(shown(&pattern).contains("<$name_1> = <$name_1>"), "{}", shown(&pattern));
}

#[test]
fn of_a_name_only_the_places_outside_of_other_holes_are_the_same() {
    let (pattern, _) = counted("c", CALLS, Options::thrifty(1), |text| {
        let text = String::from_utf8_lossy(text);
        let declared = text.split("  int ").nth(1).and_then(|rest| rest.split_once(" = "));
        declared.is_some_and(|(name, _)| text.contains(&format!("  g({name}, "))).into()
    });
    let text = shown(&pattern);
    assert!(text.contains("<$name_1> = <expression>;"), "{text}");
    assert!(text.contains("<$name_1>, <expression>"), "{text}");
    assert!(!text.contains("return <$name_1>;"), "{text}");
}

#[test]
fn a_place_that_takes_one_text_only_costs_no_more_runs_because_names_vary() {
    let text = "def f(n):\n  return g(n.m)\n";
    let (pattern, runs) = counted("python", text, Options { instances: 0, ..Options::thrifty(1) }, |text| {
        let text = String::from_utf8_lossy(text);
        let name = text.strip_prefix("def f(").and_then(|rest| rest.split_once(')'));
        name.is_some_and(|(name, _)| text == format!("def f({name}):\n  return g({name}.m)\n")).into()
    });
    assert!(shown(&pattern).contains("return g(<$name_1>.m)"), "{}", shown(&pattern));
    assert!(runs < 100, "{runs}");
}
