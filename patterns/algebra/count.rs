//! Counts: how many trees of each length a product has, exactly, and one of them with equal chances.

use super::refined::{RefinedGrammar, RefinedPart, others};
use crate::random::Random;
use lopper_languages::grammar::{Derivation, RuleId, Step, Symbol};
use num_bigint::BigUint;

/// The numbers of derivation trees of a product by the length of their texts, in characters. If the base grammar is not
/// ambiguous, that is the number of texts.
#[derive(Debug)]
pub struct Lengths<'p> {
    product: &'p RefinedGrammar<'p>,
    /// By nonterminal and length.
    trees: Vec<Vec<BigUint>>,
    /// By nonterminal, rule, and number of symbols read: the ways to derive a text of each length from these symbols.
    prefixes: Vec<Vec<Vec<Vec<BigUint>>>>,
}

/// The least symbols of a text: characters, or a nonterminal.
enum Weight {
    /// Texts of this length, so many of them.
    Fixed(usize, BigUint),
    Nonterminal(usize),
}

impl<'p> Lengths<'p> {
    /// Counts up to a length. O(rules · length²) multiplications.
    pub fn new(product: &'p RefinedGrammar<'p>, longest: usize) -> Self {
        let count = product.names.len();
        let prefixes = product.rules.iter().map(|rules| {
            let empty = |symbols: usize| vec![Vec::with_capacity(longest + 1); symbols + 1];
            rules.iter().map(|refined| empty(refined.parts.len())).collect()
        });
        let prefixes = prefixes.collect();
        let mut lengths = Self { product, trees: vec![Vec::new(); count], prefixes };
        let order = lengths.order();
        for length in 0..=longest {
            for &nonterminal in &order {
                let rules = 0..product.rules[nonterminal].len();
                let ways = rules.map(|rule| lengths.ways(nonterminal, rule, None, length)).sum();
                lengths.trees[nonterminal].push(ways);
            }
            lengths.extend_prefixes(length);
        }
        lengths
    }

    /// The trees of all texts of a length; 0 beyond the longest that was counted.
    pub fn trees(&self, length: usize) -> BigUint {
        self.product.starts.iter().filter_map(|&start| self.trees[start].get(length)).sum()
    }

    /// A tree of a length; every one has the same chance. `None` if there is none, or none was counted.
    pub fn sample(&self, length: usize, random: &mut Random) -> Option<Derivation> {
        let starts = self.product.starts.iter().map(|&start| (start, self.trees[start].get(length)));
        let weights: Vec<(usize, BigUint)> = starts.filter_map(|(s, n)| Some((s, n?.clone()))).collect();
        let start = weighted(&weights, random)?;
        let mut derivation = Derivation::default();
        // Nonterminals are still to be expanded, in the order of the text.
        let mut open = vec![Open::Nonterminal(start, length)];
        while let Some(next) = open.pop() {
            match next {
                Open::Char(c) => derivation.steps.push(Step::Char(c)),
                Open::Nonterminal(n, length) => {
                    let rules = self.prefixes[n].iter().enumerate();
                    let ways =
                        |prefixes: &[Vec<BigUint>]| prefixes.last().and_then(|p| p.get(length)).cloned();
                    let weights: Vec<(usize, BigUint)> =
                        rules.filter_map(|(rule, p)| Some((rule, ways(p)?))).collect();
                    let rule = weighted(&weights, random)?;
                    derivation.steps.push(Step::Rule(self.product.rules[n][rule].rule));
                    self.split(n, rule, length, random, &mut open)?;
                }
            }
        }
        Some(derivation)
    }

    /// Shares out a length among the symbols of a rule, the last one first.
    fn split(
        &self,
        nonterminal: usize,
        rule: usize,
        mut length: usize,
        random: &mut Random,
        open: &mut Vec<Open>,
    ) -> Option<()> {
        let refined = &self.product.rules[nonterminal][rule];
        for (at, part) in refined.parts.iter().enumerate().rev() {
            match self.weight(refined.rule, at, part) {
                Weight::Fixed(own, _) => {
                    length -= own;
                    open.extend(self.char(refined.rule, at, part, random).map(Open::Char));
                }
                Weight::Nonterminal(n) => {
                    let before = &self.prefixes[nonterminal][rule][at];
                    let ways = |own: usize| (own, &before[length - own] * &self.trees[n][own]);
                    let weights: Vec<(usize, BigUint)> = (0..=length).map(ways).collect();
                    let own = weighted(&weights, random)?;
                    length -= own;
                    open.push(Open::Nonterminal(n, own));
                }
            }
        }
        Some(())
    }

    /// A character for a part that is a class; `None` for any other part.
    fn char(&self, rule: RuleId, at: usize, part: &RefinedPart, random: &mut Random) -> Option<char> {
        match (&self.product.grammar.rule(rule).right[at], part) {
            (Symbol::Class(_), RefinedPart::Char(c)) => Some(*c),
            (Symbol::Class(class), RefinedPart::Except(chars)) => {
                let all: Vec<char> = others(class, chars).collect();
                all.get(random.below(all.len().max(1))).copied()
            }
            _ => None,
        }
    }

    fn weight(&self, rule: RuleId, at: usize, part: &RefinedPart) -> Weight {
        match (&self.product.grammar.rule(rule).right[at], part) {
            (_, RefinedPart::Nonterminal(n)) => Weight::Nonterminal(*n),
            (Symbol::Literal(text), _) => Weight::Fixed(text.chars().count(), BigUint::from(1u32)),
            (Symbol::Class(class), RefinedPart::Except(chars)) => {
                Weight::Fixed(1, BigUint::from(class.len() - chars.len()))
            }
            _ => Weight::Fixed(1, BigUint::from(1u32)),
        }
    }

    /// The ways to derive a text of a length from the first symbols of a rule, all of them for `None`. What is shorter
    /// has been counted; of this length, nonterminals that the grammar may put in this one's place have.
    fn ways(&self, nonterminal: usize, rule: usize, symbols: Option<usize>, length: usize) -> BigUint {
        let refined = &self.product.rules[nonterminal][rule];
        let symbols = symbols.unwrap_or(refined.parts.len());
        let prefixes = &self.prefixes[nonterminal][rule];
        if let Some(known) = prefixes[symbols].get(length) {
            return known.clone();
        }
        let Some(at) = symbols.checked_sub(1) else {
            return BigUint::from(u32::from(length == 0));
        };
        match self.weight(refined.rule, at, &refined.parts[at]) {
            Weight::Fixed(own, count) => match length.checked_sub(own) {
                Some(rest) => self.ways(nonterminal, rule, Some(at), rest) * count,
                None => BigUint::default(),
            },
            Weight::Nonterminal(n) => {
                let zero = BigUint::default();
                let of = |own: usize| self.trees[n].get(own).unwrap_or(&zero);
                let mut ways = BigUint::default();
                for own in 0..=length {
                    if *of(own) != zero {
                        ways += self.ways(nonterminal, rule, Some(at), length - own) * of(own);
                    }
                }
                ways
            }
        }
    }

    /// Remembers the ways for all beginnings of rules, once the trees of this length are counted.
    fn extend_prefixes(&mut self, length: usize) {
        for nonterminal in 0..self.prefixes.len() {
            for rule in 0..self.prefixes[nonterminal].len() {
                for symbols in 0..self.prefixes[nonterminal][rule].len() {
                    let ways = self.ways(nonterminal, rule, Some(symbols), length);
                    self.prefixes[nonterminal][rule][symbols].push(ways);
                }
            }
        }
    }

    /// The nonterminals, each after those that may stand for it while everything beside them is empty. The base grammar
    /// has no circles of these.
    fn order(&self) -> Vec<usize> {
        let rules = &self.product.rules;
        let mut empty = vec![false; rules.len()];
        let is_empty =
            |empty: &[bool], part: &RefinedPart| matches!(part, RefinedPart::Nonterminal(n) if empty[*n]);
        loop {
            let derives = |n: usize| rules[n].iter().any(|r| r.parts.iter().all(|p| is_empty(&empty, p)));
            let more: Vec<bool> = (0..rules.len()).map(|n| empty[n] || derives(n)).collect();
            if more == empty {
                break;
            }
            empty = more;
        }
        let mut order = Vec::new();
        let mut state = vec![0u8; rules.len()];
        for root in 0..rules.len() {
            let mut open = vec![(root, false)];
            while let Some((n, is_done)) = open.pop() {
                if is_done {
                    order.push(n);
                    continue;
                }
                if std::mem::replace(&mut state[n], 1) == 1 {
                    continue;
                }
                open.push((n, true));
                for refined in &rules[n] {
                    for (at, part) in refined.parts.iter().enumerate() {
                        let others = refined.parts.iter().enumerate().filter(|(other, _)| *other != at);
                        if let RefinedPart::Nonterminal(below) = part
                            && others.map(|(_, part)| part).all(|part| is_empty(&empty, part))
                        {
                            open.push((*below, false));
                        }
                    }
                }
            }
        }
        order
    }
}

/// What is still to be written of a tree.
enum Open {
    Nonterminal(usize, usize),
    Char(char),
}

/// One of these, each with the chance of its weight; `None` if all weights are 0.
fn weighted(weights: &[(usize, BigUint)], random: &mut Random) -> Option<usize> {
    let total: BigUint = weights.iter().map(|(_, weight)| weight).sum();
    let mut drawn = below(&total, random)?;
    weights.iter().find_map(|(value, weight)| {
        if drawn < *weight {
            return Some(*value);
        }
        drawn -= weight;
        None
    })
}

/// A number below another one, each with the same chance; `None` if there is none.
fn below(limit: &BigUint, random: &mut Random) -> Option<BigUint> {
    let bits = limit.bits();
    if bits == 0 {
        return None;
    }
    // Too large a number is drawn again: less than every second one is.
    loop {
        let words = bits.div_ceil(32) as usize;
        let mut digits: Vec<u32> = (0..words).map(|_| random.next() as u32).collect();
        if let (Some(last), rest @ 1..) = (digits.last_mut(), bits % 32) {
            *last &= (1 << rest) - 1;
        }
        let number = BigUint::new(digits);
        if number < *limit {
            return Some(number);
        }
    }
}
