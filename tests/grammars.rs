//! The engine on texts of users' grammars: the known answers of papers on grammar-based reduction.

use crate::kit::reduced_with;
use lopper::languages::Parsed;
use lopper::languages::grammar::{Grammar, Parser};
use lopper::oracle::{Contents, Verdict};
use lopper::passes::Base;
use lopper::run::Options;
use std::sync::Arc;

const ARITHMETIC: &str = include_str!("../examples/grammars/arithmetic.json");
const HTML: &str = include_str!("../examples/grammars/html.json");

/// The result of reducing `text`, if candidates must match the grammar and `fails` must hold.
fn reduced(json: &str, text: &str, fails: fn(&str) -> bool) -> String {
    let grammar = Grammar::read(json).unwrap_or_else(|problems| panic!("{problems:?}"));
    let parser = Parser::new(grammar).leak();
    let test = |contents: &Contents| match String::from_utf8(contents[0].to_vec()) {
        Ok(text) if !parser.accepts(text.as_bytes()) => Verdict::Invalid,
        Ok(text) if fails(&text) => Verdict::Interesting,
        _ => Verdict::Boring,
    };
    let base = Base { files: vec![Arc::new(Parsed::new(parser, text.into()))] };
    assert_eq!(base.files[0].syntax().errors, 0, "{text} is in the grammar");
    let (outcome, log) = reduced_with(base, &test, &Options::default());
    assert_eq!(log.bugs, [], "no pass may panic");
    String::from_utf8_lossy(&outcome.contents[0]).into_owned()
}

/// Removes markup, but mishandles quotes outside tags.
fn without_markup(text: &str) -> String {
    let (mut tag, mut quote, mut out) = (false, false, String::new());
    for c in text.chars() {
        match c {
            '<' if !quote => tag = true,
            '>' if !quote => tag = false,
            '"' => quote = !quote,
            '\'' if tag => quote = !quote,
            _ if !tag => out.push(c),
            _ => {}
        }
    }
    out
}

#[test]
fn arithmetic_is_reduced_to_double_brackets_and_a_division() {
    let double = |text: &str| text.find("((").is_some_and(|at| text[at + 2..].contains("))"));
    assert_eq!(reduced(ARITHMETIC, "1+((2*3/4))", double), "((0))");
    let zero = |text: &str| text.contains("/0)");
    assert_eq!(reduced(ARITHMETIC, "1+((2*3)/0)", zero), "(0/0)");
    assert_eq!(reduced(ARITHMETIC, "-17.25*(3+44/(2-1)*(8/0)+6)-5*+12", zero), "(0/0)");
}

#[test]
fn successes_in_different_places_are_combined() {
    let fails = |text: &str| without_markup(text).contains(['<', '>']);
    let result = reduced(HTML, "<foo>\"bar</foo>", fails);
    assert_eq!(result.len(), 8, "the shortest there is has 8 characters: {result}");
    let result = reduced(HTML, "<b id='x1' class=\"y\"><it>some \"words</it></b>", fails);
    assert_eq!(result.len(), 8, "{result}");
}
