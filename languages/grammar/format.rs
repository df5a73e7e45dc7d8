//! Grammar files: three shapes of JSON, distinguished by their content, and one shape for writing.
//!
//! - `{"<start>": ["<a> + <b>", ["<a>", {"prob": 0.1}], ""]}`: texts with nonterminals in them;
//! - `{"<start>": [["<a>", "+", "<b>"], []]}`: lists of symbols;
//! - `{"[start]": "<s>", "[grammar]": {...}}`: either of these with a start symbol of its own.
//!
//! A symbol may also be `{"lit": "<a>"}`, which stands for itself, or `{"class": "a-z0-9_"}`. A list
//! `"tokens": ["<id>"]` names the nonterminals that are tokens.

use super::check::{Draft, Problem, check};
use super::rules::{Class, Grammar, Rule, Symbol, starts_upper_case};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// A JSON object with its keys in order, repeated ones included.
struct Pairs(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object whose keys are nonterminals")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

/// The outer object of the third shape; in the other shapes, too, all fields except `grammar` may occur.
#[derive(serde::Deserialize)]
struct Outer {
    #[serde(rename = "[start]")]
    start: Option<String>,
    #[serde(rename = "[grammar]")]
    grammar: Option<Pairs>,
    #[serde(default)]
    tokens: Vec<String>,
}

const START: &str = "<start>";
const TOKENS: &str = "tokens";

impl Grammar {
    /// Reads and checks a grammar file of any of the three shapes.
    ///
    /// # Errors
    /// All problems of the grammar, each with a name and advice.
    pub fn read(json: &str) -> Result<Self, Vec<Problem>> {
        let not_json = |e: serde_json::Error| vec![Problem::NotJson { message: e.to_string() }];
        let outer: Outer = serde_json::from_str(json).map_err(not_json)?;
        let pairs = match outer.grammar {
            Some(pairs) => pairs,
            None => serde_json::from_str(json).map_err(not_json)?,
        };
        let mut draft = Draft::new(outer.start.unwrap_or_else(|| START.to_owned()), outer.tokens);
        pairs.0.iter().filter(|(name, _)| is_name(name)).for_each(|(name, _)| draft.declare(name));
        for (name, value) in &pairs.0 {
            match value {
                Value::Array(expansions) if is_name(name) => draft.define(name, expansions, expansion),
                Value::Array(_) if name == TOKENS => {}
                Value::Array(_) => draft.problem(Problem::Name { name: name.clone() }),
                _ => draft.problem(Problem::Shape {
                    place: name.clone(),
                    wanted: "a list of expansions".to_owned(),
                }),
            }
        }
        check(draft)
    }

    /// Writes the grammar as lists of symbols, with its start symbol if that is not `<start>`.
    pub fn write(&self) -> String {
        let symbol = |s: &Symbol| match s {
            Symbol::Nonterminal(n) => Value::from(self.name(*n)),
            Symbol::Literal(text) if is_name(text) => serde_json::json!({ "lit": text }),
            Symbol::Literal(text) => Value::from(text.as_str()),
            Symbol::Class(class) => serde_json::json!({ "class": class.source }),
        };
        let expansion = |rule: &Rule| Value::from(rule.right.iter().map(symbol).collect::<Vec<_>>());
        let mut lines: Vec<String> = Vec::new();
        for nonterminal in self.nonterminals() {
            let rules = self.alternatives(nonterminal).map(|r| expansion(self.rule(r)));
            let rules = Value::from(rules.collect::<Vec<_>>());
            lines.push(format!("{}: {rules}", Value::from(self.name(nonterminal))));
        }
        let tokens = self.nonterminals().filter(|&n| self.is_lexical(n) && !starts_upper_case(self.name(n)));
        let tokens: Vec<&str> = tokens.map(|n| self.name(n)).collect();
        let tokens = (!tokens.is_empty()).then(|| format!("\"tokens\": {}", Value::from(tokens)));
        if self.name(self.start) == START {
            lines.extend(tokens);
            return format!("{{\n{}\n}}\n", lines.join(",\n"));
        }
        let start = format!("\"[start]\": {}", Value::from(self.name(self.start)));
        let grammar = format!("\"[grammar]\": {{\n{}\n}}", lines.join(",\n"));
        let parts: Vec<String> = [start, grammar].into_iter().chain(tokens).collect();
        format!("{{\n{}\n}}\n", parts.join(",\n"))
    }
}

/// Whether a symbol of a list denotes a nonterminal.
fn is_name(text: &str) -> bool {
    text.len() > 2 && text.starts_with('<') && text.ends_with('>')
}

/// The symbols and the probability of one alternative of `name`.
fn expansion(draft: &mut Draft, name: &str, value: &Value) -> Option<(Vec<Symbol>, Option<f64>)> {
    match value {
        Value::String(text) => Some((split(draft, name, text), None)),
        Value::Array(list) => match &list[..] {
            [Value::String(text), Value::Object(options)] if symbol_key(options).is_none() => {
                for option in options.keys().filter(|k| *k != "prob") {
                    draft.remark(format!("the option '{option}' of {name} is not used"));
                }
                let probability = options.get("prob").and_then(Value::as_f64);
                Some((split(draft, name, text), probability))
            }
            _ => {
                let symbols: Option<Vec<_>> = list.iter().map(|s| symbol(draft, name, s)).collect();
                Some((symbols?.into_iter().flatten().collect(), None))
            }
        },
        _ => shape(draft, name, "a text or a list of symbols"),
    }
}

fn shape<T>(draft: &mut Draft, name: &str, wanted: &str) -> Option<T> {
    draft.problem(Problem::Shape { place: format!("an expansion of {name}"), wanted: wanted.to_owned() });
    None
}

fn symbol_key(object: &serde_json::Map<String, Value>) -> Option<(&str, &str)> {
    let mut pairs = object.iter();
    let (key, value) = pairs.next()?;
    (pairs.next().is_none() && matches!(key.as_str(), "lit" | "class")).then_some((key, value.as_str()?))
}

/// A symbol of a list; `None` for an empty text.
fn symbol(draft: &mut Draft, name: &str, value: &Value) -> Option<Option<Symbol>> {
    let literal = |text: &str| (!text.is_empty()).then(|| Symbol::Literal(text.to_owned()));
    match value {
        Value::String(text) if is_name(text) => Some(Some(draft.used(name, text))),
        Value::String(text) => Some(literal(text)),
        Value::Object(object) => match symbol_key(object) {
            Some(("lit", text)) => Some(literal(text)),
            Some((_, class)) => match Class::read(class) {
                Some(class) => Some(Some(Symbol::Class(class))),
                None => shape(draft, name, "a class such as \"a-z0-9_\", not empty, ranges upwards"),
            },
            None => shape(draft, name, "{\"lit\": TEXT} or {\"class\": RANGES}"),
        },
        _ => shape(draft, name, "texts and {\"lit\": ...} or {\"class\": ...} in a list of symbols"),
    }
}

/// The symbols of a text: each match of `<[^<> ]*>` is a nonterminal, the rest are terminals.
fn split(draft: &mut Draft, name: &str, text: &str) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    let mut literal = 0;
    let mut at = 0;
    while let Some(open) = text[at..].find('<').map(|i| at + i) {
        let inside = text[open + 1..].find(['<', '>', ' ']).map(|i| open + 1 + i);
        let Some(close) = inside.filter(|&i| text.as_bytes()[i] == b'>') else {
            at = open + 1;
            continue;
        };
        if literal < open {
            symbols.push(Symbol::Literal(text[literal..open].to_owned()));
        }
        symbols.push(draft.used(name, &text[open..=close]));
        literal = close + 1;
        at = literal;
    }
    if literal < text.len() {
        symbols.push(Symbol::Literal(text[literal..].to_owned()));
    }
    symbols
}
