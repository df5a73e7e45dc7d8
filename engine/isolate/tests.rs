//! Known answers with their numbers of tests, and properties that hold for every test.

use super::*;
use proptest::prelude::*;
use std::cell::RefCell;

const MYSTERY: &str = "V\"/+!aF-(V4EOz*+s/Q,7)2@0_";

/// Fails if a bracket opens before one closes.
fn mystery(text: &str) -> Outcome {
    let fails = matches!((text.find('('), text.find(')')), (Some(a), Some(b)) if a < b);
    if fails { Outcome::Fail } else { Outcome::Pass }
}

/// Python's `eval` on parts of `1 + 2 * 3 / 0`, where only a division divides by zero.
fn division(text: &str) -> Outcome {
    let mut wants_number = true;
    let mut after_blank = true;
    let text = text.trim_start();
    for (i, c) in text.char_indices() {
        match c {
            ' ' => {}
            '+' if wants_number => {
                if text[..i].contains(|c: char| "*/".contains(c)) {
                    return Outcome::Unresolved;
                }
            }
            c if c.is_ascii_digit() && (wants_number || !after_blank) => wants_number = false,
            '+' | '*' | '/' if !wants_number => wants_number = true,
            _ => return Outcome::Unresolved,
        }
        after_blank = !c.is_ascii_digit();
    }
    match (wants_number, text.contains('/')) {
        (true, _) => Outcome::Unresolved,
        (false, true) => Outcome::Fail,
        (false, false) => Outcome::Pass,
    }
}

/// Fails if brackets of tags remain when the markup is removed. Quotes are respected, also outside of tags.
pub(crate) fn markup(text: &str) -> Outcome {
    let (mut tag, mut quote, mut out) = (false, false, String::new());
    for c in text.chars() {
        match c {
            '<' if !quote => tag = true,
            '>' if !quote => tag = false,
            '"' => quote = !quote,
            '\'' if tag => quote = !quote,
            c if !tag => out.push(c),
            _ => {}
        }
    }
    if out.contains(['<', '>']) { Outcome::Fail } else { Outcome::Pass }
}

fn string(chars: &[char]) -> String {
    chars.iter().collect()
}

/// Isolates one text; returns the passing text, the failing one, their difference, and the tested texts in
/// order.
fn isolated(goal: Goal, text: &str, test: fn(&str) -> Outcome) -> ([String; 3], Vec<String>) {
    let tested = RefCell::new(Vec::new());
    let run = |arguments: &[Vec<char>]| {
        tested.borrow_mut().push(string(&arguments[0]));
        Ok::<_, Obstacle>(test(&string(&arguments[0])))
    };
    let call = [text.chars().collect()];
    let isolated = match goal {
        Goal::Min => min_args(&call, run),
        Goal::Max => max_args(&call, run),
        Goal::Diff => min_arg_diff(&call, run),
    };
    let isolated = isolated.expect("it fails");
    assert!(isolated.holds_together);
    let Argument { passing, failing, difference, obstacle: None } = &isolated.arguments[0] else {
        panic!("{isolated:?}")
    };
    ([string(passing), string(failing), string(difference)], tested.into_inner())
}

#[test]
fn the_published_examples_give_their_results_with_as_many_tests() {
    let check = |goal, text: &str, test, expected: [&str; 3], count: usize| {
        let (triple, tested) = isolated(goal, text, test);
        assert_eq!(triple, expected, "{goal:?} {text}");
        assert_eq!(tested.len(), count, "{goal:?} {text}: {tested:?}");
    };
    check(Goal::Min, MYSTERY, mystery, ["", "()", "()"], 25);
    check(Goal::Max, MYSTERY, mystery, ["V\"/+!aF-V4EOz*+s/Q,7)2@0_", MYSTERY, "("], 9);
    check(Goal::Diff, MYSTERY, mystery, ["z*+s/Q,7)2@0_", "(z*+s/Q,7)2@0_", "("], 10);
    let division_by_zero = "1 + 2 * 3 / 0";
    check(Goal::Min, division_by_zero, division, ["", "3/0", "3/0"], 18);
    check(Goal::Max, division_by_zero, division, ["1 + 2 * 3  ", division_by_zero, "/0"], 15);
    check(Goal::Diff, division_by_zero, division, [" 3 ", " 3 /0", "/0"], 11);
    let quoted = "\"x > y\"";
    check(Goal::Min, quoted, markup, ["", "\">", "\">"], 10);
    check(Goal::Max, quoted, markup, ["x > y\"", quoted, "\""], 5);
}

#[test]
fn minimisation_tests_in_the_published_order() {
    let expected = "V\"/+!aF-(V4EOz*+s/Q,7)2@0_ | | V\"/+!aF-(V4EO | z*+s/Q,7)2@0_ | -(V4EOz*+s/Q,7)2@0_ | \
                    *+s/Q,7)2@0_ | -(V4EOz7)2@0_ | 7)2@0_ | -(V4EOz | -(V47)2@0_ | -(V4@0_ | -(V47)2 | -(V4 | \
                    7)2 | -(V42 | -(V47) | V47) | -(7) | 7) | -( | -7) | -() | () | ( | )";
    let expected: Vec<&str> = expected.split('|').map(str::trim).collect();
    assert_eq!(isolated(Goal::Min, MYSTERY, mystery).1, expected);
}

#[test]
fn ddmin_on_characters_needs_seventeen_tests() {
    let mut count = 0;
    let test = |chars: &[char]| {
        count += 1;
        Ok::<_, Obstacle>(mystery(&string(chars)))
    };
    let result = ddmin(&MYSTERY.chars().collect::<Vec<_>>(), test).expect("it fails");
    assert_eq!((string(&result).as_str(), count), ("()", 17));
}

#[test]
fn as_many_reductions_of_a_list_as_possible_are_made() {
    // Of each letter's alternatives, deletion and a dot, the first one that is made counts.
    let reductions: Vec<(usize, &str)> = (0..6).flat_map(|i| [(i, ""), (i, ".")]).collect();
    let text = |made: &[(usize, &str)]| -> String {
        let letter = |i: usize| made.iter().find(|made| made.0 == i).map_or(&"abcdef"[i..=i], |made| made.1);
        (0..6).map(letter).collect()
    };
    let test = |made: &[(usize, &str)]| {
        let text = text(made);
        let fails = text.contains('c') && text.len() > 2 && text.ends_with(['.', 'f']);
        Ok::<_, Obstacle>(if fails { Outcome::Fail } else { Outcome::Pass })
    };
    let made = keep_list(&reductions, test).expect("it fails");
    assert_eq!(text(&made), "c..");
    assert_eq!(keep_list(&reductions, |_| Ok(Outcome::Pass)), Err(Obstacle::NotFailing));
    assert_eq!(keep_list(&reductions, |_| Ok::<_, Obstacle>(Outcome::Fail)), Ok(reductions));
}

#[test]
fn two_strings_lose_all_unneeded_characters() {
    let mut count = 0;
    let test = |a: &[Vec<char>]| {
        count += 1;
        let inside = string(&a[1]).contains(&string(&a[0]));
        Ok::<_, Obstacle>(if inside { Outcome::Fail } else { Outcome::Pass })
    };
    let result = min_args(&["foo".chars().collect(), "foobar".chars().collect()], test).expect("it fails");
    assert!(result.arguments.iter().all(|a| a.failing.is_empty()));
    assert!(result.holds_together);
    assert_eq!(count, 3);
}

#[test]
fn two_lists_are_reduced_in_the_order_of_the_arguments() {
    let mut tested = Vec::new();
    let test = |a: &[Vec<u32>]| {
        tested.push((a[0].clone(), a[1].clone()));
        let passes = a[0].len() < a[1].len() && a[1].len() < 5;
        Ok::<_, Obstacle>(if passes { Outcome::Pass } else { Outcome::Fail })
    };
    let result = min_args(&[(1..=10).collect(), vec![1, 2, 3]], test).expect("it fails");
    assert!(result.arguments.iter().all(|a| a.failing.is_empty()));
    let all: Vec<u32> = vec![1, 2, 3];
    let first: Vec<Vec<u32>> = vec![
        (1..=10).collect(),
        vec![],
        (1..=5).collect(),
        vec![1, 2, 3],
        vec![1, 2],
        vec![3],
        vec![2, 3],
        vec![1, 3],
    ];
    let mut expected: Vec<_> = first.into_iter().map(|l| (l, all.clone())).collect();
    expected.extend([(vec![1, 2, 3], vec![]), (vec![], vec![])]);
    assert_eq!(tested, expected);
}

#[test]
fn each_obstacle_is_named() {
    let abc = [vec!['a', 'b', 'c']];
    let always = |outcome: Outcome| move |_: &[Vec<char>]| Ok::<_, Obstacle>(outcome);
    assert_eq!(min_args(&abc, always(Outcome::Pass)), Err(Obstacle::NotFailing));
    assert_eq!(min_args(&abc, always(Outcome::Unresolved)), Err(Obstacle::FailureNotReproduced));
    assert_eq!(max_args(&abc, always(Outcome::Fail)), Err(Obstacle::NotPassing));
    assert_eq!(min_arg_diff(&abc, always(Outcome::Fail)), Err(Obstacle::NotPassing));
    assert_eq!(min_args(&[], always(Outcome::Fail)), Err(Obstacle::NoCall));
    assert_eq!(ddmin(&abc[0], |_| Ok(Outcome::Pass)), Err(Obstacle::NotFailing));
    assert_eq!(ddmax(&abc[0], |_| Ok(Outcome::Fail)), Err(Obstacle::NotPassing));
    assert_eq!(dd(Goal::Diff, &abc[0], |_| Ok(Outcome::Pass)), Err(Obstacle::NotFailing));
}

#[test]
fn an_argument_that_does_not_matter_is_named_and_the_others_are_maximised() {
    let test =
        |a: &[Vec<char>]| Ok::<_, Obstacle>(if a[0].contains(&'x') { Outcome::Fail } else { Outcome::Pass });
    let result = max_args(&["axb".chars().collect(), "cd".chars().collect()], test).expect("it fails");
    assert_eq!(string(&result.arguments[0].passing), "ab");
    assert_eq!(result.arguments[1].obstacle, Some(Obstacle::NotPassing));
}

#[test]
fn arguments_that_pass_alone_but_not_together_are_reported() {
    // Each argument may lose its mark, but not both.
    let test = |a: &[Vec<char>]| {
        let marks = a.iter().filter(|a| a.contains(&'x')).count();
        Ok::<_, Obstacle>(if marks == 1 { Outcome::Pass } else { Outcome::Fail })
    };
    let both = ["axb".chars().collect(), "cxd".chars().collect()];
    assert!(!max_args(&both, test).expect("it fails").holds_together);
}

#[test]
fn a_run_that_takes_too_long_neither_passes_nor_fails() {
    let outcomes = [Verdict::Interesting, Verdict::Boring, Verdict::Invalid, Verdict::TimedOut];
    let expected = [Outcome::Fail, Outcome::Pass, Outcome::Unresolved, Outcome::Unresolved];
    assert_eq!(outcomes.map(Outcome::from), expected);
    let slow = |chars: &[char]| {
        Ok::<_, Obstacle>(match chars.len() {
            6 => Outcome::Fail,
            0..=2 => Outcome::Pass,
            _ => Verdict::TimedOut.into(),
        })
    };
    let triple = dd(Goal::Max, &['a', 'b', 'c', 'd', 'e', 'f'], slow).expect("it fails");
    assert_eq!(triple.passing.len(), 2);
}

/// An arbitrary deterministic test: fails on the whole, passes on nothing, and otherwise decides by a hash of
/// the elements and `seed`.
fn arbitrary(seed: u64, whole: usize, kept: &[u32]) -> Outcome {
    let mut hash = seed;
    for &element in kept {
        hash = (hash ^ u64::from(element)).wrapping_mul(0x0100_0000_01b3).rotate_left(17);
    }
    match (kept.len(), hash % 3) {
        (0, _) => Outcome::Pass,
        (length, _) if length == whole => Outcome::Fail,
        (_, 0) => Outcome::Pass,
        (_, 1) => Outcome::Fail,
        _ => Outcome::Unresolved,
    }
}

fn is_subsequence(part: &[u32], whole: &[u32]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|p| whole.any(|w| w == p))
}

fn minus(set: &[u32], element: u32) -> Vec<u32> {
    set.iter().copied().filter(|&e| e != element).collect()
}

fn plus(set: &[u32], element: u32) -> Vec<u32> {
    let mut all = [set, &[element]].concat();
    all.sort_unstable();
    all
}

proptest! {
    #[test]
    fn results_are_ordered_subsets_and_minimal(seed: u64, count in 1u32..24) {
        let all: Vec<u32> = (0..count).collect();
        let test = |kept: &[u32]| arbitrary(seed, all.len(), kept);
        let run = |kept: &[u32]| Ok::<_, Obstacle>(test(kept));
        let least = ddmin(&all, run)?;
        prop_assert!(is_subsequence(&least, &all) && test(&least) == Outcome::Fail);
        prop_assert!(least.len() == 1 || least.iter().all(|&e| test(&minus(&least, e)) != Outcome::Fail));
        for goal in [Goal::Min, Goal::Max, Goal::Diff] {
            let Triple { passing, failing, difference } = dd(goal, &all, run)?;
            prop_assert!(is_subsequence(&passing, &failing) && is_subsequence(&failing, &all));
            prop_assert!(test(&passing) == Outcome::Pass && test(&failing) == Outcome::Fail);
            prop_assert_eq!(passing.len() + difference.len(), failing.len());
            for &element in &difference {
                if goal.minimises() {
                    prop_assert_ne!(test(&minus(&failing, element)), Outcome::Fail);
                }
                if goal.maximises() {
                    prop_assert_ne!(test(&plus(&passing, element)), Outcome::Pass);
                }
            }
        }
    }
}
