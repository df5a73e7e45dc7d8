//! Products: the grammar of exactly those texts that satisfy a formula.
//!
//! A nonterminal of the product is one of the base grammar with a state of the automaton. The states that can occur are
//! found from the leaves up; then the rules are made from the start symbol down, only those that it leads to. The product has
//! one tree for every tree of the base grammar that satisfies the formula, so it is as ambiguous as the base grammar, and no
//! more.

use super::automaton::{Automaton, Reading, State};
use super::refined::{Refined, RefinedGrammar, RefinedPart};
use lopper_languages::grammar::{Fold, Grammar, Nonterminal, RuleId, Symbol};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A refined grammar with more rules than there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// How many rules there may be.
    pub limit: usize,
    /// The subtree, by its number, that has most states.
    pub subtree: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the grammar would be larger than {} rules", self.limit)
    }
}

impl std::error::Error for TooLarge {}

/// How many numbers the states may have together, for each rule that there may be: states of deep subtrees are large.
const NUMBERS_PER_RULE: usize = 20;

impl<'g> RefinedGrammar<'g> {
    /// The product of the automaton's grammar with the automaton, where the root satisfies the automaton's formula.
    /// O(states · rules being read · log), and O(rules of the result).
    ///
    /// # Errors
    /// If there would be more than `limit` rules, or the states are too many to find out.
    pub fn product(automaton: &Automaton<'g>, limit: usize) -> Result<Self, TooLarge> {
        let mut building = Building::new(automaton, limit);
        building.saturate()?;
        building.rules()
    }
}

/// One more symbol of a rule: what stood there, and the reading before.
#[derive(Clone, Debug)]
struct Step {
    before: usize,
    part: RefinedPart,
}

/// A product while its states are found.
struct Building<'a, 'g> {
    automaton: &'a Automaton<'g>,
    limit: usize,
    /// All states, with their nonterminals, and the complete readings that lead to each.
    states: Vec<(Nonterminal, State)>,
    complete: Vec<Vec<usize>>,
    numbers: BTreeMap<(Nonterminal, State), usize>,
    /// The states of each nonterminal.
    of: Vec<Vec<usize>>,
    /// All readings, with the last step of each way to them.
    readings: Vec<Reading>,
    steps: Vec<Vec<Step>>,
    reading_numbers: BTreeMap<Reading, usize>,
    /// The readings whose next symbol is each nonterminal.
    waiting: Vec<Vec<usize>>,
    /// Readings and states that have not been combined with the others yet.
    new_readings: Vec<usize>,
    new_states: Vec<usize>,
    step_count: usize,
    /// How many numbers the states and readings have.
    size: usize,
}

impl<'a, 'g> Building<'a, 'g> {
    fn new(automaton: &'a Automaton<'g>, limit: usize) -> Self {
        let count = automaton.grammar().names().len();
        let (states, complete, numbers, readings, steps, reading_numbers) = Default::default();
        let (new_readings, new_states) = Default::default();
        Self {
            automaton,
            limit,
            states,
            complete,
            numbers,
            of: vec![Vec::new(); count],
            readings,
            steps,
            reading_numbers,
            waiting: vec![Vec::new(); count],
            new_readings,
            new_states,
            step_count: 0,
            size: 0,
        }
    }

    /// Combines readings with states until no combination is new.
    fn saturate(&mut self) -> Result<(), TooLarge> {
        for rule in 0..self.automaton.grammar().rules().len() as RuleId {
            let begin = self.automaton.begin(rule);
            self.reading(begin, None)?;
        }
        loop {
            if let Some(reading) = self.new_readings.pop() {
                self.read_on(reading)?;
            } else if let Some(state) = self.new_states.pop() {
                let nonterminal = self.states[state].0.0 as usize;
                self.of[nonterminal].push(state);
                for at in 0..self.waiting[nonterminal].len() {
                    self.combine(self.waiting[nonterminal][at], state)?;
                }
            } else {
                return Ok(());
            }
        }
    }

    /// Reads all that may stand at the next symbol of a rule.
    fn read_on(&mut self, number: usize) -> Result<(), TooLarge> {
        let automaton = self.automaton;
        let (rule, at) = self.readings[number].place();
        let Some(symbol) = automaton.grammar().rule(rule).right.get(at) else {
            return self.end(number, rule);
        };
        match symbol {
            Symbol::Literal(text) => {
                let next = automaton.terminal(&self.readings[number], text.as_bytes());
                self.reading(next, Some(Step { before: number, part: RefinedPart::Literal }))
            }
            Symbol::Class(class) => {
                let mut chars = automaton.chars(rule, at);
                chars.retain(|c| class.has(*c));
                for &c in &chars {
                    let next = automaton.class(&self.readings[number], Some(c));
                    self.reading(next, Some(Step { before: number, part: RefinedPart::Char(c) }))?;
                }
                if class.len() > chars.len() {
                    let next = automaton.class(&self.readings[number], None);
                    self.reading(next, Some(Step { before: number, part: RefinedPart::Except(chars) }))?;
                }
                Ok(())
            }
            Symbol::Nonterminal(n) => {
                let n = n.0 as usize;
                self.waiting[n].push(number);
                for at in 0..self.of[n].len() {
                    self.combine(number, self.of[n][at])?;
                }
                Ok(())
            }
        }
    }

    fn combine(&mut self, reading: usize, state: usize) -> Result<(), TooLarge> {
        let next = self.automaton.nonterminal(&self.readings[reading], &self.states[state].1);
        self.reading(next, Some(Step { before: reading, part: RefinedPart::Nonterminal(state) }))
    }

    /// Adds a way to a reading.
    fn reading(&mut self, reading: Reading, step: Option<Step>) -> Result<(), TooLarge> {
        if self.automaton.rejects_reading(&reading) {
            return Ok(());
        }
        let number = match self.reading_numbers.get(&reading) {
            Some(&number) => number,
            None => {
                let number = self.readings.len();
                self.size += reading.size();
                self.readings.push(reading.clone());
                self.steps.push(Vec::new());
                self.reading_numbers.insert(reading, number);
                self.new_readings.push(number);
                number
            }
        };
        self.steps[number].extend(step);
        self.step_count += 1;
        self.check(self.step_count)
    }

    /// Adds the state of a complete reading.
    fn end(&mut self, reading: usize, rule: RuleId) -> Result<(), TooLarge> {
        let state = self.automaton.end(&self.readings[reading]);
        if self.automaton.rejects(&state) {
            return Ok(());
        }
        let key = (self.automaton.grammar().rule(rule).left, state);
        let number = match self.numbers.get(&key) {
            Some(&number) => number,
            None => {
                let number = self.states.len();
                self.size += key.1.size();
                self.states.push(key.clone());
                self.complete.push(Vec::new());
                self.numbers.insert(key, number);
                self.new_states.push(number);
                number
            }
        };
        self.complete[number].push(reading);
        Ok(())
    }

    fn check(&self, rules: usize) -> Result<(), TooLarge> {
        if rules <= self.limit && self.size / NUMBERS_PER_RULE <= self.limit {
            return Ok(());
        }
        let subtree = self.automaton.largest(self.states.iter().map(|(_, state)| state));
        Err(TooLarge { limit: self.limit, subtree })
    }

    /// The rules that wanted start symbols lead to.
    fn rules(self) -> Result<RefinedGrammar<'g>, TooLarge> {
        let grammar = self.automaton.grammar();
        let start = self.of[grammar.start().0 as usize].iter();
        let starts: Vec<usize> =
            start.copied().filter(|&state| self.automaton.holds(&self.states[state].1)).collect();
        let mut reached: BTreeSet<usize> = starts.iter().copied().collect();
        let mut rules: Vec<Vec<Refined>> = vec![Vec::new(); self.states.len()];
        let mut count = 0;
        let mut open = starts.clone();
        while let Some(state) = open.pop() {
            self.rules_of(state, &mut rules[state], &mut count)?;
            open.extend(rules[state].iter().flat_map(Refined::below).filter(|&n| reached.insert(n)));
        }
        // In the order of the base grammar, and of states.
        let mut order: Vec<usize> = (0..self.states.len()).collect();
        order.sort_by_key(|&state| &self.states[state]);
        let mut numbers = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| numbers[old] = new);
        let mut sorted = vec![Vec::new(); order.len()];
        for (old, mut rules) in rules.into_iter().enumerate() {
            for part in rules.iter_mut().flat_map(|refined| &mut refined.parts) {
                if let RefinedPart::Nonterminal(n) = part {
                    *n = numbers[*n];
                }
            }
            sorted[numbers[old]] = rules;
        }
        let bases: Vec<Nonterminal> = order.iter().map(|&state| self.states[state].0).collect();
        let is_reached: Vec<bool> = order.iter().map(|state| reached.contains(state)).collect();
        let product = RefinedGrammar {
            grammar,
            names: names(grammar, &bases, &is_reached),
            rules: sorted,
            starts: starts.iter().map(|&start| numbers[start]).collect(),
        };
        Ok(product.cleaned())
    }

    /// Adds all rules of a state: each way from the beginning of a rule to a complete reading.
    fn rules_of(&self, state: usize, rules: &mut Vec<Refined>, count: &mut usize) -> Result<(), TooLarge> {
        // Backwards: the reading, and what stands behind it, the last symbol first.
        let mut open: Vec<(usize, Vec<RefinedPart>)> =
            self.complete[state].iter().map(|&reading| (reading, Vec::new())).collect();
        while let Some((reading, mut behind)) = open.pop() {
            let (rule, at) = self.readings[reading].place();
            if at == 0 {
                behind.reverse();
                rules.push(Refined { rule, parts: behind });
                *count += 1;
                self.check(*count)?;
                continue;
            }
            for step in &self.steps[reading] {
                let mut behind = behind.clone();
                behind.push(step.part.clone());
                open.push((step.before, behind));
            }
        }
        Ok(())
    }
}

/// The names of nonterminals: those of the base grammar, with a number if several states are reached.
fn names(grammar: &Grammar, bases: &[Nonterminal], is_reached: &[bool]) -> Vec<String> {
    let mut total: BTreeMap<Nonterminal, usize> = BTreeMap::new();
    let reached = bases.iter().zip(is_reached).filter(|(_, reached)| **reached);
    reached.for_each(|(n, _)| *total.entry(*n).or_default() += 1);
    let taken: BTreeSet<&String> = grammar.names().iter().collect();
    let mut seen: BTreeMap<Nonterminal, usize> = BTreeMap::new();
    let name = |(n, is_reached): (&Nonterminal, &bool)| {
        let base = grammar.name(*n);
        if !is_reached || total.get(n) == Some(&1) {
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
    bases.iter().zip(is_reached).map(name).collect()
}
