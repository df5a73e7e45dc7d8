//! Grammars and predicates that the known answers are about.

use crate::{Generalizing, Names, Options, Pattern};
use lopper_engine::Verdict;
use lopper_languages::Parsed;
use lopper_languages::grammar::{Grammar, Parser};

pub(super) const ARITHMETIC: &str = include_str!("../../examples/grammars/arithmetic.json");
pub(super) const HTML: &str = include_str!("../../examples/grammars/html.json");
pub(super) const INT: &str = r#"{"<start>": ["<int>"], "<int>": ["<positive-int>", "-<positive-int>"],
    "<positive-int>": ["<digit>", "<nonzero-digit><positive-int>"],
    "<digit>": [[{"class": "0-9"}]], "<nonzero-digit>": [[{"class": "1-9"}]]}"#;
pub(super) const XYZ: &str = r#"{"<start>": ["<int>, <int>, <int>"], "<int>": ["<positive-int>", "-<positive-int>"],
    "<positive-int>": ["<digit>", "<nonzero-digit><positive-int>"],
    "<digit>": [[{"class": "0-9"}]], "<nonzero-digit>": [[{"class": "1-9"}]]}"#;
pub(super) const STATEMENTS: &str = r#"{"<start>": ["<stmts>"], "<stmts>": ["<stmt>;<stmts>", "<stmt>"],
    "<stmt>": ["let <ID>=<expr>", "print(<expr>)"], "<expr>": ["<ID>", "<NUM>", "<expr>+<expr>"],
    "<ID>": [[{"class": "abcdxyz"}]], "<NUM>": [[{"class": "0-9"}]]}"#;

pub(super) const LUA: &str = r#"{"<start>": ["<stats>"], "<stats>": ["<stat>", "<stat>\n<stats>"],
    "<stat>": ["<NAME>=<exp>", "<NAME>[<exp>]=<exp>", "<call>"],
    "<exp>": ["<NAME>", "{}", "<NUMBER>", "<STRING>", "<call>", "function() end"],
    "<call>": ["<prefix>(<args>)"], "<prefix>": ["<NAME>", "<NAME>.<NAME>"], "<args>": ["<exp>", "<exp>,<args>"],
    "<NAME>": ["debug", "load", "upvaluejoin", [{"class": "a-z"}]], "<NUMBER>": [[{"class": "0-9"}]],
    "<STRING>": [["\"", {"class": "A-Z"}, "\""]]}"#;

pub(super) fn parser(json: &str) -> &'static Parser {
    Parser::new(Grammar::read(json).unwrap()).leak()
}

/// The example in its derivation tree.
pub(super) fn example(parser: &'static Parser, text: &str) -> Parsed {
    Parsed::new(parser.derivation_trees(), text.into())
}

/// The pattern of `text`, of which all texts for which `fails` holds fail.
pub(super) fn generalized(
    parser: &'static Parser,
    text: &str,
    options: Options,
    test: impl Fn(&str) -> Verdict,
) -> Pattern {
    let machine = Generalizing::of_grammar(&example(parser, text), options).unwrap();
    machine.run(|text| test(std::str::from_utf8(text).unwrap()))
}

pub(super) fn shown(parser: &Parser, pattern: &Pattern) -> String {
    String::from_utf8(pattern.to_text(&Names::of_grammar(parser.grammar()))).unwrap()
}

/// `((` and later `))`.
pub(super) fn double(text: &str) -> bool {
    text.find("((").is_some_and(|at| text[at + 2..].contains("))"))
}

/// The assertion of the program that strips tags fails.
pub(super) fn markup_fails(text: &str) -> bool {
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
    out.contains(['<', '>'])
}

/// A variable that an earlier statement defines is printed alone.
pub(super) fn prints_defined(text: &str) -> bool {
    let statements: Vec<&str> = text.split(';').collect();
    statements.iter().enumerate().any(|(at, statement)| {
        let printed = statement.strip_prefix("print(").and_then(|rest| rest.strip_suffix(')'));
        let defines = |name: &str| statements[..at].iter().any(|s| s.starts_with(&format!("let {name}=")));
        printed.is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic()) && defines(name))
    })
}
