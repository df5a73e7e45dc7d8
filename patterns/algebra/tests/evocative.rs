//! The search for evocative subtrees, with tests that look for a text.

use super::{expressions, subtree};
use crate::algebra::Subtree;
use crate::pattern::Pattern;

fn evocative(text: &str, mut test: impl FnMut(&str) -> Option<bool>) -> Option<Subtree> {
    let grammar = expressions();
    let pattern = Pattern::of_grammar(&grammar, text.as_bytes()).expect("it is a pattern");
    Subtree::evocative(&grammar, &pattern, 59, 1, &mut test)
}

#[test]
fn the_evocative_subtrees_of_the_known_answers_are_found() {
    let grammar = expressions();
    let found = evocative("((<expr>))", |text| Some(text.contains("((") && text.contains("))")));
    assert_eq!(found, Some(subtree(&grammar, "((<expr>))")));
    // The division alone need not stand before a bracket.
    let found = evocative("1+(<factor>/0)", |text| Some(text.contains("/0)")));
    assert_eq!(found, Some(subtree(&grammar, "(<factor>/0)")));
    let found = evocative("(<factor>/0)", |text| Some(text.contains("/0")));
    assert_eq!(found, Some(subtree(&grammar, "<factor>/0")));
}

#[test]
fn texts_that_are_no_valid_inputs_say_nothing() {
    let mut asked = 0;
    let found = evocative("((<expr>))", |text| {
        asked += 1;
        (asked % 3 == 0).then(|| text.contains("(("))
    });
    assert!(found.is_some());
    assert_eq!(evocative("((<expr>))", |_| None), None);
    assert_eq!(evocative("((<expr>))", |text| Some(text.len() > 1000)), None);
}
