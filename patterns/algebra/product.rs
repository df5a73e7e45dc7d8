//! Products: the grammar of exactly those texts that satisfy a formula.
//!
//! A nonterminal of the product is one of the base grammar with a state of the automaton. The states that can occur are
//! found from the leaves up; then everything that the start symbol does not lead to goes. The product has one tree for every
//! tree of the base grammar that satisfies the formula, so it is as ambiguous as the base grammar, and no more.

use super::automaton::{Automaton, Reading, State};
use lopper_languages::grammar::{Fold, Grammar, Nonterminal, RuleId, Symbol};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A grammar that derives exactly the texts with a tree whose root has a wanted state.
#[derive(Clone, Debug)]
pub struct Product<'g> {
    pub(super) grammar: &'g Grammar,
    /// The nonterminals: those of the base grammar with their states.
    pub(super) nonterminals: Vec<(Nonterminal, State)>,
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

/// A product with more rules than there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// How many rules there may be.
    pub limit: usize,
    /// The subtree, by its number, that has most states.
    pub subtree: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the grammar would have more than {} rules", self.limit)
    }
}

impl std::error::Error for TooLarge {}

impl<'g> Product<'g> {
    /// The product of the automaton's grammar with the automaton, where the root's state is `wanted`. O(rules of the
    /// result), before unreachable ones go.
    ///
    /// # Errors
    /// If there would be more than `limit` rules.
    pub fn new(
        automaton: &Automaton<'g>,
        wanted: &dyn Fn(&State) -> bool,
        limit: usize,
    ) -> Result<Self, TooLarge> {
        let mut building = Building::new(automaton, limit);
        building.saturate()?;
        Ok(building.product(wanted))
    }

    /// How many nonterminals and rules it has; the start symbol counts once.
    pub fn size(&self) -> (usize, usize) {
        let own = |start: &usize| !self.is_used(*start);
        let merged = self.starts.iter().filter(|start| own(start)).count();
        let rules: usize = self.rules.iter().map(Vec::len).sum();
        match self.starts.len() {
            0 => (0, 0),
            1 if merged == 1 => (self.nonterminals.len(), rules),
            _ => {
                let start_rules: usize = self.starts.iter().map(|&start| self.rules[start].len()).sum();
                let gone: usize =
                    self.starts.iter().filter(|s| own(s)).map(|&start| self.rules[start].len()).sum();
                (self.nonterminals.len() - merged + 1, rules - gone + start_rules)
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

    /// The names of the nonterminals: that of the base grammar, with a number if it has several states.
    fn names(&self) -> Vec<String> {
        let mut total: BTreeMap<Nonterminal, usize> = BTreeMap::new();
        self.nonterminals.iter().for_each(|(n, _)| *total.entry(*n).or_default() += 1);
        let taken: BTreeSet<&String> = self.grammar.names().iter().collect();
        let mut seen: BTreeMap<Nonterminal, usize> = BTreeMap::new();
        let name = |(n, _): &(Nonterminal, State)| {
            let base = self.grammar.name(*n);
            if total[n] == 1 {
                return base.to_owned();
            }
            let number = seen.entry(*n).or_default();
            loop {
                *number += 1;
                let name = format!("{} {number}>", base.trim_end_matches('>'));
                if !taken.contains(&name) {
                    return name;
                }
            }
        };
        self.nonterminals.iter().map(name).collect()
    }

    /// The grammar in JSON, in the canonical shape with `[start]` and `[grammar]`.
    pub fn to_json(&self) -> Value {
        let names = self.names();
        let mut rules = Map::new();
        let alternatives = |nonterminal: usize| -> Vec<Value> {
            self.rules[nonterminal].iter().map(|refined| self.alternative(refined, &names)).collect()
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

    fn alternative(&self, refined: &Refined, names: &[String]) -> Value {
        let right = &self.grammar.rule(refined.rule).right;
        let part = |(symbol, part): (&Symbol, &RefinedPart)| match (symbol, part) {
            (_, RefinedPart::Nonterminal(n)) => Value::from(names[*n].as_str()),
            (_, RefinedPart::Char(c)) => json!({ "lit": c.to_string() }),
            (Symbol::Class(class), RefinedPart::Except(chars)) if chars.is_empty() => {
                json!({ "class": class.source })
            }
            (Symbol::Class(class), RefinedPart::Except(chars)) => {
                let rest = (0..class.len()).map(|i| class.nth(i)).filter(|c| !chars.contains(c));
                json!({ "class": class_of(rest) })
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

/// A product that grows from the leaves up.
struct Building<'a, 'g> {
    automaton: &'a Automaton<'g>,
    limit: usize,
    /// The states of each nonterminal, as nonterminals of the product, in the order in which they were found.
    states: Vec<Vec<usize>>,
    /// How many of them every rule has been combined with.
    known: Vec<usize>,
    numbers: BTreeMap<(Nonterminal, State), usize>,
    nonterminals: Vec<(Nonterminal, State)>,
    rules: Vec<Vec<Refined>>,
    count: usize,
}

impl<'a, 'g> Building<'a, 'g> {
    fn new(automaton: &'a Automaton<'g>, limit: usize) -> Self {
        let count = automaton.grammar().names().len();
        Self {
            automaton,
            limit,
            states: vec![Vec::new(); count],
            known: vec![0; count],
            numbers: BTreeMap::new(),
            nonterminals: Vec::new(),
            rules: Vec::new(),
            count: 0,
        }
    }

    /// Combines rules with states until no combination is new.
    fn saturate(&mut self) -> Result<(), TooLarge> {
        let mut is_first = true;
        loop {
            let before: Vec<usize> = self.states.iter().map(Vec::len).collect();
            for rule in 0..self.automaton.grammar().rules().len() as RuleId {
                let reading = self.automaton.begin(rule);
                self.combine(rule, &reading, &mut Vec::new(), is_first, &before)?;
            }
            self.known = before;
            is_first = false;
            if self.states.iter().zip(&self.known).all(|(states, known)| states.len() == *known) {
                return Ok(());
            }
        }
    }

    /// Adds all refinements of a rule that begin with these parts and, unless `is_new`, have a state that was not known. The
    /// states to combine are those `before` this round.
    fn combine(
        &mut self,
        rule: RuleId,
        reading: &Reading,
        parts: &mut Vec<RefinedPart>,
        is_new: bool,
        before: &[usize],
    ) -> Result<(), TooLarge> {
        let grammar = self.automaton.grammar();
        let Some(symbol) = grammar.rule(rule).right.get(parts.len()) else {
            return if is_new { self.add(rule, reading, parts) } else { Ok(()) };
        };
        let mut options: Vec<(RefinedPart, Reading, bool)> = Vec::new();
        match symbol {
            Symbol::Literal(text) => {
                let next = self.automaton.terminal(reading, text.as_bytes());
                options.push((RefinedPart::Literal, next, is_new));
            }
            Symbol::Class(class) => {
                let mut chars = self.automaton.chars(rule, parts.len());
                chars.retain(|c| class.has(*c));
                for &c in &chars {
                    options.push((RefinedPart::Char(c), self.automaton.class(reading, Some(c)), is_new));
                }
                if class.len() > chars.len() {
                    let next = self.automaton.class(reading, None);
                    options.push((RefinedPart::Except(chars), next, is_new));
                }
            }
            Symbol::Nonterminal(n) => {
                let n = n.0 as usize;
                for (at, &state) in self.states[n][..before[n]].iter().enumerate() {
                    let next = self.automaton.nonterminal(reading, &self.nonterminals[state].1);
                    options.push((RefinedPart::Nonterminal(state), next, is_new || at >= self.known[n]));
                }
            }
        }
        for (part, next, is_new) in options {
            parts.push(part);
            self.combine(rule, &next, parts, is_new, before)?;
            parts.pop();
        }
        Ok(())
    }

    fn add(&mut self, rule: RuleId, reading: &Reading, parts: &[RefinedPart]) -> Result<(), TooLarge> {
        let key = (self.automaton.grammar().rule(rule).left, self.automaton.end(reading));
        let number = match self.numbers.get(&key) {
            Some(&number) => number,
            None => {
                let number = self.nonterminals.len();
                self.states[key.0.0 as usize].push(number);
                self.nonterminals.push(key.clone());
                self.rules.push(Vec::new());
                self.numbers.insert(key, number);
                number
            }
        };
        self.rules[number].push(Refined { rule, parts: parts.to_vec() });
        self.count += 1;
        if self.count > self.limit {
            let subtree = self.automaton.largest(self.nonterminals.iter().map(|(_, state)| state));
            return Err(TooLarge { limit: self.limit, subtree });
        }
        Ok(())
    }

    /// The part of it that wanted start symbols lead to.
    fn product(self, wanted: &dyn Fn(&State) -> bool) -> Product<'g> {
        let grammar = self.automaton.grammar();
        let start = self.states[grammar.start().0 as usize].iter();
        let starts: Vec<usize> = start.copied().filter(|&n| wanted(&self.nonterminals[n].1)).collect();
        let mut reached: BTreeSet<usize> = starts.iter().copied().collect();
        let mut open = starts.clone();
        while let Some(nonterminal) = open.pop() {
            for part in self.rules[nonterminal].iter().flat_map(|refined| &refined.parts) {
                if let RefinedPart::Nonterminal(n) = part
                    && reached.insert(*n)
                {
                    open.push(*n);
                }
            }
        }
        // In the order of the base grammar, and of states.
        let mut order: Vec<usize> = reached.into_iter().collect();
        order.sort_by_key(|&n| &self.nonterminals[n]);
        let numbers: BTreeMap<usize, usize> =
            order.iter().enumerate().map(|(new, &old)| (old, new)).collect();
        let renumbered = |part: &RefinedPart| match part {
            RefinedPart::Nonterminal(n) => RefinedPart::Nonterminal(numbers[n]),
            other => other.clone(),
        };
        let rules = order.iter().map(|&n| {
            let mut rules: Vec<Refined> = self.rules[n]
                .iter()
                .map(|r| Refined { rule: r.rule, parts: r.parts.iter().map(renumbered).collect() })
                .collect();
            rules.sort();
            rules
        });
        let mut starts: Vec<usize> = starts.iter().map(|n| numbers[n]).collect();
        starts.sort_unstable();
        Product {
            grammar,
            rules: rules.collect(),
            nonterminals: order.iter().map(|&n| self.nonterminals[n].clone()).collect(),
            starts,
        }
    }
}
