//! Refined grammars: the rules of a base grammar, with nonterminals that derive fewer texts.

use lopper_languages::grammar::{Class, Grammar, RuleId, Symbol};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A grammar whose rules are those of a base grammar, with refined nonterminals in place of some nonterminals.
#[derive(Clone, Debug)]
pub struct RefinedGrammar<'g> {
    pub(super) grammar: &'g Grammar,
    /// The names of the nonterminals, `<` and `>` included, all different.
    pub(super) names: Vec<String>,
    /// The rules of each nonterminal.
    pub(super) rules: Vec<Vec<Refined>>,
    /// The nonterminals that the start symbol stands for.
    pub(super) starts: Vec<usize>,
}

/// A rule of the base grammar with a nonterminal of the product at each nonterminal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Refined {
    pub(super) rule: RuleId,
    pub(super) parts: Vec<RefinedPart>,
}

impl Refined {
    /// The refined nonterminals in it.
    pub(super) fn below(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().filter_map(|part| match part {
            RefinedPart::Nonterminal(n) => Some(*n),
            _ => None,
        })
    }
}

/// What stands at a symbol of a refined rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RefinedPart {
    /// The literal of the base rule.
    Literal,
    /// One character of the base rule's class.
    Char(char),
    /// The characters of the base rule's class but for these.
    Except(Vec<char>),
    /// A nonterminal of the product.
    Nonterminal(usize),
}

impl<'g> RefinedGrammar<'g> {
    /// The part of it that its start leads to, without nonterminals that derive no text and without repeated rules.
    /// Linear in the symbols of all rules, but for the sorting.
    pub(super) fn cleaned(self) -> Self {
        let productive = self.productive();
        let is_useful = |refined: &&Refined| refined.below().all(|n| productive[n]);
        let mut starts: Vec<usize> = self.starts.iter().copied().filter(|&start| productive[start]).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut reached: BTreeSet<usize> = starts.iter().copied().collect();
        let mut open = starts.clone();
        while let Some(nonterminal) = open.pop() {
            let rules = self.rules[nonterminal].iter().filter(is_useful);
            open.extend(rules.flat_map(Refined::below).filter(|&n| reached.insert(n)));
        }
        let numbers: BTreeMap<usize, usize> =
            reached.iter().enumerate().map(|(new, &old)| (old, new)).collect();
        let renumbered = |part: &RefinedPart| match part {
            RefinedPart::Nonterminal(n) => RefinedPart::Nonterminal(numbers[n]),
            other => other.clone(),
        };
        let rules = reached.iter().map(|&n| {
            let parts = |refined: &Refined| refined.parts.iter().map(renumbered).collect();
            let useful = self.rules[n].iter().filter(is_useful);
            let mut rules: Vec<Refined> =
                useful.map(|refined| Refined { rule: refined.rule, parts: parts(refined) }).collect();
            rules.sort();
            rules.dedup();
            rules
        });
        Self {
            grammar: self.grammar,
            rules: rules.collect(),
            names: reached.iter().map(|&n| self.names[n].clone()).collect(),
            starts: starts.iter().map(|start| numbers[start]).collect(),
        }
    }

    /// Which nonterminals derive a text.
    fn productive(&self) -> Vec<bool> {
        let mut users: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.names.len()];
        for (nonterminal, rules) in self.rules.iter().enumerate() {
            for (at, refined) in rules.iter().enumerate() {
                refined.below().for_each(|n| users[n].push((nonterminal, at)));
            }
        }
        let mut missing: Vec<Vec<usize>> = self
            .rules
            .iter()
            .map(|rules| rules.iter().map(|refined| refined.below().count()).collect())
            .collect();
        let mut productive = vec![false; self.names.len()];
        let is_done = |missing: &[usize]| missing.contains(&0);
        let mut open: VecDeque<usize> = (0..self.names.len()).filter(|&n| is_done(&missing[n])).collect();
        while let Some(nonterminal) = open.pop_front() {
            if std::mem::replace(&mut productive[nonterminal], true) {
                continue;
            }
            for &(user, at) in &users[nonterminal] {
                missing[user][at] -= 1;
                if missing[user][at] == 0 {
                    open.push_back(user);
                }
            }
        }
        productive
    }

    /// The base grammar.
    pub fn grammar(&self) -> &'g Grammar {
        self.grammar
    }

    /// The names of the nonterminals, `<` and `>` included.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The rules of a nonterminal in words, such as `"(" <expr D> ")"`, in the order of the base grammar.
    pub fn rules_of(&self, name: &str) -> Vec<String> {
        let at = self.names.iter().position(|known| known == name);
        at.map_or(Vec::new(), |at| self.rules[at].iter().map(|refined| self.shown(refined)).collect())
    }

    fn shown(&self, refined: &Refined) -> String {
        let right = &self.grammar.rule(refined.rule).right;
        let part = |(symbol, part): (&Symbol, &RefinedPart)| match (symbol, part) {
            (_, RefinedPart::Nonterminal(n)) => self.names[*n].clone(),
            (Symbol::Literal(text), _) => format!("{text:?}"),
            (_, RefinedPart::Char(c)) => format!("{:?}", c.to_string()),
            (Symbol::Class(class), RefinedPart::Except(chars)) if !chars.is_empty() => {
                format!("[{}]", class_of(others(class, chars)))
            }
            (Symbol::Class(class), _) => format!("[{}]", class.source),
            (Symbol::Nonterminal(n), _) => self.grammar.name(*n).to_owned(),
        };
        right.iter().zip(&refined.parts).map(part).collect::<Vec<_>>().join(" ")
    }

    /// How many nonterminals and rules it has; the start symbol counts once.
    pub fn size(&self) -> (usize, usize) {
        let own = |start: &usize| !self.is_used(*start);
        let merged = self.starts.iter().filter(|start| own(start)).count();
        let rules: usize = self.rules.iter().map(Vec::len).sum();
        match self.starts.len() {
            0 => (0, 0),
            1 if merged == 1 => (self.names.len(), rules),
            _ => {
                let start_rules: usize = self.starts.iter().map(|&start| self.rules[start].len()).sum();
                let gone: usize =
                    self.starts.iter().filter(|s| own(s)).map(|&start| self.rules[start].len()).sum();
                (self.names.len() - merged + 1, rules - gone + start_rules)
            }
        }
    }

    /// Whether it derives no text at all.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Whether a nonterminal stands in a rule.
    fn is_used(&self, nonterminal: usize) -> bool {
        let uses = |part: &RefinedPart| *part == RefinedPart::Nonterminal(nonterminal);
        self.rules.iter().flatten().any(|refined| refined.parts.iter().any(uses))
    }

    /// The grammar in JSON, in the canonical shape with `[start]` and `[grammar]`.
    pub fn to_json(&self) -> Value {
        let names = &self.names;
        let mut rules = Map::new();
        let alternatives = |nonterminal: usize| -> Vec<Value> {
            self.rules[nonterminal].iter().map(|refined| self.alternative(refined)).collect()
        };
        let start = match self.starts[..] {
            [only] => names[only].clone(),
            _ => {
                let all: Vec<Value> = self.starts.iter().flat_map(|&start| alternatives(start)).collect();
                let base = self.grammar.name(self.grammar.start());
                let free = |name: &String| !names.contains(name);
                let name = std::iter::successors(Some(base.to_owned()), |name| Some(format!("<{name}>")));
                let name = name.take(100).find(free).unwrap_or_default();
                rules.insert(name.clone(), Value::from(all));
                name
            }
        };
        for (at, name) in names.iter().enumerate() {
            if self.starts.len() == 1 || !self.starts.contains(&at) || self.is_used(at) {
                rules.insert(name.clone(), Value::from(alternatives(at)));
            }
        }
        json!({ "[start]": start, "[grammar]": rules })
    }

    fn alternative(&self, refined: &Refined) -> Value {
        let right = &self.grammar.rule(refined.rule).right;
        let part = |(symbol, part): (&Symbol, &RefinedPart)| match (symbol, part) {
            (_, RefinedPart::Nonterminal(n)) => Value::from(self.names[*n].as_str()),
            (_, RefinedPart::Char(c)) => json!({ "lit": c.to_string() }),
            (Symbol::Class(class), RefinedPart::Except(chars)) if chars.is_empty() => {
                json!({ "class": class.source })
            }
            (Symbol::Class(class), RefinedPart::Except(chars)) => {
                json!({ "class": class_of(others(class, chars)) })
            }
            (Symbol::Literal(text), _) => json!({ "lit": text }),
            (Symbol::Class(class), _) => json!({ "class": class.source }),
            (Symbol::Nonterminal(n), _) => Value::from(self.grammar.name(*n)),
        };
        Value::from(right.iter().zip(&refined.parts).map(part).collect::<Vec<_>>())
    }
}

/// A class of characters, given in ascending order, as grammar files write it.
fn class_of(chars: impl Iterator<Item = char>) -> String {
    let mut ranges: Vec<(char, char)> = Vec::new();
    let mut has_minus = false;
    for c in chars {
        match ranges.last_mut() {
            _ if c == '-' => has_minus = true,
            Some((_, last)) if *last as u32 + 1 == c as u32 => *last = c,
            _ => ranges.push((c, c)),
        }
    }
    let mut text = String::from(if has_minus { "-" } else { "" });
    for (first, last) in ranges {
        match last as u32 - first as u32 {
            0 => text.push(first),
            1 => text.extend([first, last]),
            _ => text.extend([first, '-', last]),
        }
    }
    text
}

/// The characters of a class but for these, ascending.
pub(super) fn others<'a>(class: &'a Class, chars: &'a [char]) -> impl Iterator<Item = char> + 'a {
    (0..class.len()).map(|i| class.nth(i)).filter(|c| !chars.contains(c))
}
