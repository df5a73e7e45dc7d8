//! Known answers on arithmetic expressions, and properties of every algorithm.

use super::fixtures::{DELETABLE, FILLED, MARKUP, STRICT};
use super::*;
use crate::asker::scripted::Scripted;
use crate::contents::contents_of;
use crate::isolate::Outcome;
use crate::isolate::tests::markup;
use crate::{Contents, Verdict};
use lopper_languages::{Language, Parsed};
use std::sync::Arc;

/// Whether the text contains something in double brackets.
fn doubled(text: &str) -> bool {
    text.find("((").is_some_and(|at| text[at + 2..].contains("))"))
}

/// Whether a bracket divides by zero at its end.
fn divided(text: &str) -> bool {
    text.contains("/0)")
}

const DOUBLED: &str = "1+((2*3/4))";
const DIVIDED: &str = "1+((2*3)/0)";

/// Runs an algorithm on a text; returns the result and the tested texts.
fn run(
    algorithm: &str,
    language: &'static dyn Language,
    text: &str,
    test: impl Fn(&str) -> Verdict + Sync,
) -> (String, Vec<String>) {
    let mut tested = Vec::new();
    let test = |contents: &Contents| {
        let text = String::from_utf8_lossy(&contents[0]).into_owned();
        let verdict = test(&text);
        tested.push(text);
        verdict
    };
    let base = Base { files: vec![Arc::new(Parsed::new(language, text.into()))] };
    let algorithm = named(algorithm).expect("there is such an algorithm");
    let descended = algorithm.run(base, false, &mut Scripted::new(test));
    assert_eq!(descended.halt, None);
    (String::from_utf8_lossy(&descended.contents[0]).into_owned(), tested)
}

/// A test that finds a text interesting if the property holds.
fn if_holds(holds: fn(&str) -> bool) -> impl Fn(&str) -> Verdict + Sync {
    move |text| if holds(text) { Verdict::Interesting } else { Verdict::Boring }
}

/// The same, but invalid on texts that are not expressions.
fn if_valid(holds: fn(&str) -> bool) -> impl Fn(&str) -> Verdict + Sync {
    move |text| match STRICT.parse(text.as_bytes()).errors {
        0 => if_holds(holds)(text),
        _ => Verdict::Invalid,
    }
}

#[test]
fn the_fixture_has_the_published_trees() {
    for text in [DOUBLED, DIVIDED] {
        let file = Parsed::new(&STRICT, text.into());
        let leaves = file.tree().nodes().filter(|&n| file.tree().is_leaf(n)).count();
        assert_eq!((leaves, file.tree().len()), (11, 11 + 25));
    }
}

#[test]
fn hdd_gives_the_published_results_with_the_published_number_of_tests() {
    let check = |language, text, test: &(dyn Fn(&str) -> Verdict + Sync), expected, count| {
        let (result, tested) = run("hdd", language, text, test);
        // The published counts include the original.
        assert_eq!((result.as_str(), tested.len() + 1), (expected, count), "{tested:?}");
        assert_eq!(run("hdd*", language, text, test).0, expected);
    };
    check(&DELETABLE, DOUBLED, &if_holds(doubled), "(())", 11);
    check(&DELETABLE, DIVIDED, &if_holds(divided), "/0)", 12);
    check(&DELETABLE, DOUBLED, &if_valid(doubled), "((4))", 14);
    check(&DELETABLE, DIVIDED, &if_valid(divided), "((3)/0)", 21);
    check(&FILLED, DOUBLED, &if_holds(doubled), "0+((0))", 7);
    check(&FILLED, DIVIDED, &if_holds(divided), "0+(0/0)", 7);
}

#[test]
fn gtr_gives_the_published_results() {
    for algorithm in ["gtr", "gtr*"] {
        assert_eq!(run(algorithm, &STRICT, DOUBLED, if_holds(doubled)).0, "((2))");
        assert_eq!(run(algorithm, &STRICT, DIVIDED, if_holds(divided)).0, "(2/0)");
    }
}

#[test]
fn the_textbook_perses_tests_in_the_published_order() {
    let check = |text, holds, result: &str, expected: &str| {
        let (found, tested) = run("perses-bases", &STRICT, text, if_holds(holds));
        assert_eq!(tested, expected.split(' ').collect::<Vec<_>>());
        assert_eq!(found, result);
    };
    let expected = "((2*3/4)) (2*3/4) 2*3/4 3/4 4 2 3 (3/4) (4) (2) (3) ((3/4)) ((4))";
    check(DOUBLED, doubled, "((4))", expected);
    let expected = "((2*3)/0) (2*3)/0 2*3 3 0 (2*3) 2 (3) (0) (2/0) (3/0)";
    check(DIVIDED, divided, "(2/0)", expected);
}

/// Whether brackets remain when the markup is removed.
fn leaves_brackets(text: &str) -> bool {
    markup(text) == Outcome::Fail
}

#[test]
fn successes_in_different_places_are_combined_only_by_repeating() {
    let text = "<foo>\"bar</foo>";
    let (result, tested) = run("perses-bases", &MARKUP, text, if_holds(leaves_brackets));
    assert_eq!((result.as_str(), tested.len() + 1), ("<foo>\"</foo>", 14), "{tested:?}");
    assert_eq!(run("perses*", &MARKUP, text, if_holds(leaves_brackets)).0, "<f>\"</f>");
}

#[test]
fn perses_replaces_nodes_by_descendants_that_fit() {
    assert_eq!(run("perses", &STRICT, DOUBLED, if_holds(doubled)).0, "((2))");
    assert_eq!(run("perses", &STRICT, DIVIDED, if_holds(divided)).0, "(2/0)");
}

/// The words that must stay, for each language.
const KEPT: [(&str, &str, &[&str]); 3] = [
    ("python", PYTHON, &["def area", "boom(", "width"]),
    ("c", C, &["int count", "crash(", "limit"]),
    ("text", "server:\n  name: example\n  ports: [80, 443]\nusers:\n  - ann\n", &["ports", "443"]),
];

const PYTHON: &str = "\
import os

class Shape:
    def area(self, width, height=2):
        # Never.
        if width > 0:
            for i in range(height):
                return boom(width + 1) * height
        return 0

print(Shape().area(3), os.sep)
";

const C: &str = "\
/* Counts. */
int limit = 10;
int count(int from, int to) {
    for (int i = from; i < to; i++) { if (i % 2 == 0) sum += crash(i, limit); }
    return sum;
}
";

fn base_of(language: &str, text: &str) -> Base {
    let language = lopper_languages::named(language).expect("there is such a language");
    Base { files: vec![Arc::new(Parsed::new(language, text.into()))] }
}

fn keeps(words: &'static [&'static str]) -> impl Fn(&Contents) -> Verdict + Sync {
    move |contents| {
        let text = String::from_utf8_lossy(&contents[0]).into_owned();
        let all = words.iter().all(|word| text.contains(word));
        if all { Verdict::Interesting } else { Verdict::Boring }
    }
}

/// The result of an algorithm on a program that must keep these words.
fn reduced(algorithm: &Algorithm, language: &str, text: &str, words: &'static [&'static str]) -> String {
    let outcome = algorithm.run(base_of(language, text), false, &mut Scripted::new(keeps(words)));
    String::from_utf8_lossy(&outcome.contents[0]).into_owned()
}

#[test]
fn every_algorithm_reduces_every_language_to_something_that_the_test_accepts() {
    for (language, text, words) in KEPT {
        for algorithm in ALGORITHMS.iter().filter(|a| !a.needs_grammar()) {
            let before = base_of(language, text).measure();
            let mut asker = Scripted::new(keeps(words));
            let outcome = algorithm.run(base_of(language, text), false, &mut asker);
            let told = asker.accepted;
            let of = format!("{language}, {algorithm:?}: {}", String::from_utf8_lossy(&outcome.contents[0]));
            assert_eq!(outcome.halt, None, "{of}");
            assert_eq!(keeps(words)(&outcome.contents), Verdict::Interesting, "{of}");
            assert!(outcome.measure < before, "{of}");
            assert!(told.windows(2).all(|pair| pair[1].1 <= pair[0].1), "each is smaller: {of}");
            assert_eq!(told.last(), Some(&(outcome.contents, outcome.measure)), "the last is safe: {of}");
        }
    }
}

#[test]
fn a_repeated_algorithm_ends_where_nothing_changes() {
    for (language, text, words) in KEPT {
        for algorithm in ALGORITHMS.iter().filter(|a| a.repeats) {
            let once = reduced(algorithm, language, text, words);
            assert_eq!(reduced(algorithm, language, &once, words), once, "{language}, {algorithm:?}");
        }
    }
}

#[test]
fn gtr_and_perses_keep_a_program_grammatical() {
    for (language, text, words) in KEPT {
        for algorithm in ["gtr*", "perses*"] {
            let result = reduced(named(algorithm).expect("it is one"), language, text, words);
            assert_eq!(base_of(language, &result).files[0].syntax().errors, 0, "{algorithm}: {result}");
        }
    }
}

const NESTED: &str = "\
def f():
    x = 1
    if a:
        while b:
            keep()
            g()
            more()
    return 0
";

#[test]
fn a_node_that_moves_up_in_the_tree_is_indented_less_in_the_text() {
    let words: &[&str] = &["while b:\n", "keep()\n", "more()\n"];
    for (algorithm, expected) in [
        ("hdd", "def f():\n    if 0:\n        while b:\n            keep()\n            more()\n"),
        ("gtr*", "while b:\n    keep()\n    more()\n"),
        ("perses", "while b:\n    keep()\n    more()\n"),
        ("keep-list", "while b:\n    keep()\n    more()\n"),
    ] {
        let result = reduced(named(algorithm).expect("it is one"), "python", NESTED, words);
        assert_eq!(result, expected, "{algorithm}");
    }
}

const FLAGS: &str = "\
def f(s):
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
fn a_keep_list_holds_all_alternatives_of_all_nodes() {
    let algorithm = named("keep-list").expect("it is one");
    let check = |words, expected: &str| assert_eq!(reduced(algorithm, "python", FLAGS, words), expected);
    // A definition is deleted with all uses of its name; an expression is replaced by an operand or a
    // constant.
    check(&["for", "if not", "out + "], "for c in 0:\n    if not 0:\n        out = out + 0\n");
    // A loop and a branch are replaced by their bodies.
    check(&["deep =", "= not", "return"], "deep = not 0\nreturn 0\n");
}

#[test]
fn deep_trees_are_no_problem() {
    let text = "(".repeat(1500) + "a" + &")".repeat(1500);
    for algorithm in ALGORITHMS.iter().filter(|a| !a.repeats) {
        let mut asker = Scripted::new(keeps(&["a"]));
        asker.limit = 5;
        let outcome = algorithm.run(base_of("text", &text), false, &mut asker);
        assert_eq!(keeps(&["a"])(&outcome.contents), Verdict::Interesting);
    }
}

#[test]
fn an_algorithm_that_is_stopped_leaves_the_best_program_so_far() {
    let (language, text, words) = KEPT[0];
    for algorithm in ALGORITHMS.iter().filter(|a| !a.needs_grammar()) {
        for limit in [0, 7] {
            let mut asker = Scripted::new(keeps(words));
            asker.limit = limit;
            let outcome = algorithm.run(base_of(language, text), false, &mut asker);
            assert_eq!((outcome.halt, asker.runs), (Some(Halt::Stop), limit), "{algorithm:?}");
            let best = asker
                .accepted
                .last()
                .map_or_else(|| contents_of(&base_of(language, text)), |(c, _)| c.clone());
            assert_eq!(outcome.contents, best, "{algorithm:?}");
        }
    }
}
