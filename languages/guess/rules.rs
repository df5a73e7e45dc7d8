//! The rules of a tree-sitter grammar, from its `grammar.json`: what separates items, and the shortest text of a kind.

use crate::role::Role;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// A grammar's rules. Without `grammar.json`, there are none.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Rules {
    /// The rule of words.
    pub(super) word: Option<String>,
    /// The rules, by name.
    pub(super) rules: BTreeMap<String, Rule>,
    /// What may stand between any two tokens.
    pub(super) extras: Vec<Rule>,
    /// The tokens that the grammar's own code recognises.
    pub(super) externals: Vec<Rule>,
    /// The rules that have no nodes of their own, besides those whose names begin with `_`.
    supertypes: Vec<String>,
}

/// A rule, or a part of it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Rule {
    #[serde(rename = "type")]
    pub(super) form: String,
    /// The name of a symbol or of a field.
    pub(super) name: String,
    /// The text of a string, the expression of a pattern, the name of an alias, or a precedence.
    value: serde_json::Value,
    pub(super) members: Vec<Rule>,
    pub(super) content: Option<Box<Rule>>,
    /// Whether an alias has a node of its own.
    named: bool,
}

impl Rule {
    /// The text of a string, the expression of a pattern, or the name of an alias.
    pub(super) fn text(&self) -> &str {
        self.value.as_str().unwrap_or_default()
    }

    /// The parts of a rule, if it is of a form that has several.
    fn parts(&self) -> impl Iterator<Item = &Self> {
        self.members.iter().chain(self.content.as_deref())
    }

    /// The rule without the precedences, fields and the like around it.
    pub(super) fn core(&self) -> &Self {
        match (&self.form[..], &self.content) {
            ("REPEAT" | "REPEAT1" | "ALIAS", _) | (_, None) => self,
            (_, Some(content)) => content.core(),
        }
    }

    /// Calls `tell` for this rule and each part of it.
    pub(super) fn visit<'a>(&'a self, tell: &mut dyn FnMut(&'a Self)) {
        tell(self);
        self.parts().for_each(|part| part.visit(tell));
    }

    /// The strings that the rule may be, if it can be nothing else.
    fn strings(&self) -> Vec<&str> {
        let rule = self.core();
        match &rule.form[..] {
            "STRING" => vec![rule.text()],
            "CHOICE" if rule.members.iter().all(|part| !part.strings().is_empty()) => {
                rule.members.iter().flat_map(Self::strings).collect()
            }
            _ => vec![],
        }
    }
}

/// Whether a text can separate items.
fn is_punctuation(text: &str) -> bool {
    let is_bracket = |c| matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '"' | '\'' | '`');
    !text.is_empty() && text.len() <= 3 && text.chars().all(|c| c.is_ascii_punctuation() && !is_bracket(c))
}

impl Rules {
    /// Reads `grammar.json`. A text of any other form gives no rules.
    pub(super) fn read(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or_default()
    }

    fn is_hidden(&self, rule: &str) -> bool {
        rule.starts_with('_') || self.supertypes.iter().any(|name| name == rule)
    }

    /// The kinds of the nodes that hold the tokens of each rule.
    pub(super) fn owners(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut owners: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        // The rules in which each hidden rule is used without an alias.
        let mut used_in: Vec<(&str, &str)> = Vec::new();
        for (name, rule) in &self.rules {
            if !self.is_hidden(name) {
                owners.entry(name).or_default().insert(name);
            }
            rule.visit(&mut |part| match (&part.form[..], &part.content) {
                ("ALIAS", Some(content)) if part.named && content.form == "SYMBOL" => {
                    owners.entry(&content.name).or_default().insert(part.text());
                }
                ("SYMBOL", _) if self.is_hidden(&part.name) => used_in.push((&part.name, name)),
                _ => {}
            });
        }
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for (hidden, user) in &used_in {
                let more = owners.get(user).cloned().unwrap_or_default();
                let known = owners.entry(hidden).or_default();
                let before = known.len();
                known.extend(more);
                has_changed |= known.len() > before;
            }
        }
        owners
    }

    /// The names of the rules that the rule of a kind repeats, also by way of hidden rules; `None` if no rule has the
    /// name of the kind.
    pub(super) fn repeated(&self, kind: &str) -> Option<BTreeSet<&str>> {
        let rule = self.rules.get(kind)?;
        let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut open = vec![(rule, false)];
        while let Some((rule, is_inside)) = open.pop() {
            let is_inside = is_inside || rule.form.starts_with("REPEAT");
            open.extend(rule.parts().map(|part| (part, is_inside)));
            match &rule.form[..] {
                "SYMBOL" if self.is_hidden(&rule.name) && seen.insert((&rule.name, is_inside)) => {
                    open.extend(self.rules.get(&rule.name).map(|rule| (rule, is_inside)));
                }
                "ALIAS" if is_inside => drop(found.insert(rule.text())),
                _ => {}
            }
            if rule.form == "SYMBOL" && is_inside {
                found.insert(&rule.name);
            }
        }
        Some(found)
    }

    /// The punctuation between items and behind them: the kind of the node around it, its text, and its role.
    pub(super) fn punctuation(&self) -> BTreeSet<(&str, &str, Role)> {
        let owners = self.owners();
        let mut found = BTreeSet::new();
        for (name, rule) in &self.rules {
            rule.visit(&mut |part| {
                let Some(content) = part.content.as_deref().filter(|_| part.form.starts_with("REPEAT"))
                else {
                    return;
                };
                let kinds = owners.get(&name[..]).into_iter().flatten();
                let items = item_ends(content);
                found.extend(
                    kinds.flat_map(|kind| items.iter().map(move |(text, role)| (*kind, *text, *role))),
                );
            });
        }
        found
    }

    /// Whether the nodes of a kind are words: the expression of their rule begins with a class of letters.
    pub(super) fn looks_like_a_name(&self, kind: &str) -> bool {
        let Some(rule) = self.rules.get(kind).map(Rule::core).filter(|rule| rule.form == "PATTERN") else {
            return false;
        };
        let class =
            rule.text().trim_start_matches('(').strip_prefix('[').filter(|rest| !rest.starts_with('^'));
        let class = class.and_then(|rest| Some((&rest[..rest.find(']')?], &rest[rest.find(']')?..])));
        class.is_some_and(|(first, rest)| {
            let has_letters = |class: &str| ["a-z", "A-Z", "\\p{"].iter().any(|range| class.contains(range));
            has_letters(first) && !first.contains(' ') && has_letters(rest)
        })
    }

    /// Whether commas separate what the rule of a kind repeats.
    pub(super) fn has_commas(&self, kind: &str) -> bool {
        let mut found = false;
        if let Some(rule) = self.rules.get(kind) {
            rule.visit(&mut |part| {
                let content = part.content.as_deref().filter(|_| part.form.starts_with("REPEAT"));
                found |=
                    content.is_some_and(|content| item_ends(content).iter().any(|(text, _)| *text == ","));
            });
        }
        found
    }

    /// The shortest text of each rule, by its tokens, as far as it needs no pattern and no external token.
    pub(super) fn shortest(&self) -> BTreeMap<&str, String> {
        let mut known: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        // A rule may get shorter when a rule that it uses has got a text.
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for (name, rule) in &self.rules {
                let Some(text) = shortest(rule, &known) else { continue };
                let is_shorter = known.get(&name[..]).is_none_or(|old| text.len() < old.len());
                if is_shorter {
                    known.insert(name, text);
                    has_changed = true;
                }
            }
        }
        known.into_iter().map(|(name, tokens)| (name, joined(&tokens))).collect()
    }

    /// Whether one of the grammar's own tokens has a name with one of these words.
    pub(super) fn has_external(&self, words: &[&str]) -> bool {
        let has = |rule: &Rule| words.iter().any(|word| rule.core().name.contains(word));
        self.externals.iter().any(has)
    }

    /// Whether a token of the grammar can be a line end.
    pub(super) fn has_line_ends(&self) -> bool {
        let mut found = false;
        self.rules.values().for_each(|rule| {
            rule.visit(&mut |part| match &part.form[..] {
                "STRING" => found |= part.text().contains('\n'),
                "PATTERN" => found |= matches!(part.text(), "\\n" | "\\r?\\n" | "\\n+" | "\n" | "[\\r\\n]+"),
                _ => {}
            });
        });
        found || self.has_external(&["newline", "line_end", "automatic_semicolon", "terminator"])
    }
}

/// The punctuation that begins or ends each repetition of a rule, with its role.
fn item_ends(content: &Rule) -> Vec<(&str, Role)> {
    let rule = content.core();
    match &rule.form[..] {
        "CHOICE" => rule.members.iter().flat_map(item_ends).collect(),
        "SEQ" if rule.members.len() > 1 => {
            let first = rule.members.first().map_or(vec![], Rule::strings).into_iter();
            let last = rule.members.last().map_or(vec![], Rule::strings).into_iter();
            let separators = first.filter(|text| is_punctuation(text)).map(|text| (text, Role::Separator));
            let terminators = last.filter(|text| is_punctuation(text)).map(|text| (text, Role::Terminator));
            separators.chain(terminators).collect()
        }
        _ => vec![],
    }
}

/// The tokens of the shortest text of a rule, if all that it needs is known.
fn shortest<'a>(rule: &'a Rule, known: &BTreeMap<&str, Vec<&'a str>>) -> Option<Vec<&'a str>> {
    match &rule.form[..] {
        "BLANK" | "REPEAT" => Some(vec![]),
        "STRING" => Some(vec![rule.text()]),
        "SYMBOL" => known.get(&rule.name[..]).cloned(),
        "SEQ" => rule
            .members
            .iter()
            .map(|part| shortest(part, known))
            .collect::<Option<Vec<_>>>()
            .map(|all| all.concat()),
        "CHOICE" => rule.members.iter().filter_map(|part| shortest(part, known)).min_by_key(Vec::len),
        "PATTERN" => None,
        _ => shortest(rule.content.as_deref()?, known),
    }
}

/// The text of tokens, with a blank between two words.
fn joined(tokens: &[&str]) -> String {
    let mut text = String::new();
    for token in tokens {
        let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        if joins(text.chars().next_back()) && joins(token.chars().next()) {
            text.push(' ');
        }
        text.push_str(token);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of statements, each with a semicolon, and a call with arguments between commas, in a hidden rule.
    const RULES: &str = r#"{
        "word": "identifier",
        "rules": {
            "block": {"type": "SEQ", "members": [
                {"type": "STRING", "value": "{"},
                {"type": "REPEAT", "content": {"type": "SEQ", "members": [
                    {"type": "SYMBOL", "name": "call"}, {"type": "STRING", "value": ";"}]}},
                {"type": "STRING", "value": "}"}]},
            "call": {"type": "PREC", "value": 1, "content": {"type": "SEQ", "members": [
                {"type": "SYMBOL", "name": "identifier"}, {"type": "SYMBOL", "name": "_arguments"}]}},
            "_arguments": {"type": "SEQ", "members": [
                {"type": "SYMBOL", "name": "block"},
                {"type": "REPEAT", "content": {"type": "SEQ", "members": [
                    {"type": "STRING", "value": ","}, {"type": "SYMBOL", "name": "block"}]}}]},
            "empty": {"type": "CHOICE", "members": [
                {"type": "SYMBOL", "name": "block"}, {"type": "STRING", "value": "do"}]},
            "identifier": {"type": "PATTERN", "value": "[a-z]+"}
        }
    }"#;

    #[test]
    fn punctuation_belongs_to_the_kinds_whose_nodes_hold_it() {
        let rules = Rules::read(RULES);
        let found: Vec<_> = rules.punctuation().into_iter().collect();
        assert_eq!(found, [("block", ";", Role::Terminator), ("call", ",", Role::Separator)]);
    }

    #[test]
    fn the_shortest_text_of_a_rule_needs_no_pattern() {
        let rules = Rules::read(RULES);
        let shortest = rules.shortest();
        assert_eq!(shortest.get("block").map(String::as_str), Some("{}"));
        assert_eq!(shortest.get("empty").map(String::as_str), Some("do"));
        assert_eq!(shortest.get("call"), None);
    }

    #[test]
    fn a_rule_repeats_what_its_hidden_rules_repeat() {
        let rules = Rules::read(RULES);
        assert_eq!(rules.repeated("call"), Some(BTreeSet::from(["block"])));
        assert_eq!(rules.repeated("block"), Some(BTreeSet::from(["call"])));
        assert_eq!(rules.repeated("nothing"), None);
    }

    #[test]
    fn a_text_of_another_form_gives_no_rules() {
        assert!(Rules::read("[]").rules.is_empty());
    }
}
