//! A context-free grammar as data: names, rules in the order of the file, terminals.

use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;

/// A nonterminal: its index in [`Grammar::names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nonterminal(pub u32);

impl Nonterminal {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A rule: its index in the grammar. The rules of one nonterminal are neighbours, in the file's order.
pub type RuleId = u32;

/// A set of characters: sorted, disjoint, inclusive ranges.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class {
    /// The class as the file writes it: `a-z0-9_`.
    pub source: String,
    ranges: Vec<(char, char)>,
}

impl Class {
    /// Reads a class: characters and ranges such as `a-z`; a minus at either end stands for itself. `None` if
    /// the class is empty or a range is reversed.
    pub fn read(source: &str) -> Option<Self> {
        let chars: Vec<char> = source.chars().collect();
        let mut ranges = Vec::new();
        let mut at = 0;
        while at < chars.len() {
            let is_range = at + 2 < chars.len() && chars[at + 1] == '-';
            let last = if is_range { chars[at + 2] } else { chars[at] };
            if chars[at] > last {
                return None;
            }
            ranges.push((chars[at], last));
            at += if is_range { 3 } else { 1 };
        }
        ranges.sort_unstable();
        let mut merged: Vec<(char, char)> = Vec::new();
        for (from, to) in ranges {
            match merged.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => merged.push((from, to)),
            }
        }
        (!merged.is_empty()).then(|| Self { source: source.to_owned(), ranges: merged })
    }

    /// Whether `c` is in the set.
    pub fn has(&self, c: char) -> bool {
        self.ranges.iter().any(|&(from, to)| (from..=to).contains(&c))
    }

    /// The number of characters in the set; at least 1.
    pub fn len(&self) -> usize {
        self.ranges.iter().map(|&(from, to)| (from..=to).count()).sum()
    }

    /// Never true: a class has at least one character.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The ranges of the characters in the set, ends included, ascending.
    pub(super) fn ranges(&self) -> &[(char, char)] {
        &self.ranges
    }

    /// The character with this index, in ascending order; the index is taken modulo [`Class::len`].
    pub fn nth(&self, index: usize) -> char {
        let mut left = index % self.len().max(1);
        for &(from, to) in &self.ranges {
            let count = (from..=to).count();
            match (from..=to).nth(left) {
                Some(c) => return c,
                None => left -= count,
            }
        }
        '\0'
    }

    /// The index of a character; 0 for one that is not in the set.
    pub fn index(&self, c: char) -> usize {
        let mut before = 0;
        for &(from, to) in &self.ranges {
            if (from..=to).contains(&c) {
                return before + (from..c).count();
            }
            before += (from..=to).count();
        }
        0
    }

    /// The character of the class at the start of `text`, if there is one, and its length in bytes.
    pub(super) fn read_from(&self, text: &[u8]) -> Option<(char, usize)> {
        let c = first_char(text)?;
        self.has(c).then(|| (c, c.len_utf8()))
    }

    /// The first bytes of the characters in the set.
    pub(super) fn first_bytes(&self) -> impl Iterator<Item = u8> {
        let first = |c: char| {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes);
            bytes[0]
        };
        self.ranges.iter().flat_map(move |&(from, to)| first(from)..=first(to))
    }
}

/// The character at the start of `text`, if that is UTF-8.
fn first_char(text: &[u8]) -> Option<char> {
    let length = match *text.first()? {
        0..=0x7f => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xff => 4,
        _ => return None,
    };
    std::str::from_utf8(text.get(..length)?).ok()?.chars().next()
}

/// A symbol on the right side of a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Symbol {
    /// A nonterminal.
    Nonterminal(Nonterminal),
    /// A literal text; never empty.
    Literal(String),
    /// Any one character of a class.
    Class(Class),
}

impl Symbol {
    /// The nonterminal, if the symbol is one.
    pub fn nonterminal(&self) -> Option<Nonterminal> {
        match self {
            Symbol::Nonterminal(nonterminal) => Some(*nonterminal),
            _ => None,
        }
    }
}

/// One alternative of a nonterminal.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The nonterminal.
    pub left: Nonterminal,
    /// The symbols of the right side; none for the empty text.
    pub right: Vec<Symbol>,
    /// The probability with which a generator chooses the alternative, if the file gives one.
    pub probability: Option<f64>,
}

/// A context-free grammar that has been checked: every nonterminal is reachable and derives a text, and none
/// derives only itself, so every text has finitely many trees.
#[derive(Clone, Debug, PartialEq)]
pub struct Grammar {
    pub(super) names: Vec<String>,
    pub(super) rules: Vec<Rule>,
    /// The rules of each nonterminal.
    pub(super) alternatives: Vec<Range<RuleId>>,
    pub(super) start: Nonterminal,
    /// Which nonterminals are tokens: trees do not show what is inside them.
    pub(super) lexical: Vec<bool>,
    /// Unused parts of the file, a line each.
    pub(super) remarks: Vec<String>,
}

impl Grammar {
    /// The names of the nonterminals, `<` and `>` included, in the order of the file.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of a nonterminal.
    pub fn name(&self, nonterminal: Nonterminal) -> &str {
        &self.names[nonterminal.index()]
    }

    /// The nonterminal of this name, `<` and `>` included.
    pub fn named(&self, name: &str) -> Option<Nonterminal> {
        self.names.iter().position(|n| n == name).map(|i| Nonterminal(i as u32))
    }

    /// All rules.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// A rule.
    pub fn rule(&self, rule: RuleId) -> &Rule {
        &self.rules[rule as usize]
    }

    /// The rules of a nonterminal, in the order of the file.
    pub fn alternatives(&self, nonterminal: Nonterminal) -> Range<RuleId> {
        self.alternatives[nonterminal.index()].clone()
    }

    /// The start symbol.
    pub fn start(&self) -> Nonterminal {
        self.start
    }

    /// Whether a nonterminal is a token: its name starts with an upper-case letter, or `tokens` lists it.
    pub fn is_lexical(&self, nonterminal: Nonterminal) -> bool {
        self.lexical[nonterminal.index()]
    }

    /// Unused parts of the file, a line each.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    pub(super) fn nonterminals(&self) -> impl Iterator<Item = Nonterminal> + use<> {
        (0..self.names.len() as u32).map(Nonterminal)
    }

    /// For each nonterminal, the least value of its rules, or `None` if no rule has a value: a fixpoint.
    /// `of_rule` combines the values of a rule's symbols and must be monotone. Linear in the symbols of all
    /// rules if no value is improved twice, O(rules²) at worst.
    pub(super) fn least<T: Ord + Clone>(
        &self,
        of_rule: impl Fn(&Rule, &dyn Fn(Nonterminal) -> Option<T>) -> Option<T>,
    ) -> Vec<Option<T>> {
        let mut least: Vec<Option<T>> = vec![None; self.names.len()];
        self.until_nothing_changes(|rule| {
            let Some(value) = of_rule(rule, &|n| least[n.index()].clone()) else { return false };
            let known = &mut least[rule.left.index()];
            let is_better = known.as_ref().is_none_or(|known| value < *known);
            if is_better {
                *known = Some(value);
            }
            is_better
        });
        least
    }

    /// Visits every rule, in the file's order, and again whenever `visit` reports a change of a nonterminal
    /// that the rule uses.
    pub(super) fn until_nothing_changes<'a>(&'a self, mut visit: impl FnMut(&'a Rule) -> bool) {
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.names.len()];
        for (rule, id) in self.rules.iter().zip(0..) {
            for n in rule.right.iter().filter_map(Symbol::nonterminal) {
                if users[n.index()].last() != Some(&id) {
                    users[n.index()].push(id);
                }
            }
        }
        let mut todo: VecDeque<usize> = (0..self.rules.len()).collect();
        let mut waits = vec![true; self.rules.len()];
        while let Some(id) = todo.pop_front() {
            waits[id] = false;
            let rule = &self.rules[id];
            if visit(rule) {
                for &user in &users[rule.left.index()] {
                    if !std::mem::replace(&mut waits[user], true) {
                        todo.push_back(user);
                    }
                }
            }
        }
    }

    /// Which nonterminals derive the empty text.
    pub(super) fn nullable(&self) -> Vec<bool> {
        let null = self.least(|rule, known| {
            let mut symbols = rule.right.iter();
            symbols.all(|s| s.nonterminal().is_some_and(|n| known(n).is_some())).then_some(())
        });
        null.into_iter().map(|n| n.is_some()).collect()
    }

    /// For each nonterminal A, the nonterminals B such that A has a rule of B and otherwise only symbols that
    /// derive the empty text.
    pub(super) fn units(&self) -> Vec<Vec<Nonterminal>> {
        let nullable = self.nullable();
        let mut units = vec![Vec::new(); self.names.len()];
        for rule in &self.rules {
            let null = |s: &Symbol| s.nonterminal().is_some_and(|n| nullable[n.index()]);
            let solid = rule.right.iter().filter(|s| !null(s)).count();
            for symbol in &rule.right {
                if let Some(n) = symbol.nonterminal()
                    && solid == usize::from(!null(symbol))
                {
                    units[rule.left.index()].push(n);
                }
            }
        }
        units.iter_mut().for_each(|u| {
            u.sort_unstable();
            u.dedup();
        });
        units
    }
}

impl fmt::Display for Grammar {
    /// The rules, a line for each nonterminal, such as `<a> ::= "b" <c> | `.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for nonterminal in self.nonterminals() {
            let rules: Vec<String> = self.alternatives(nonterminal).map(|r| self.shown(r)).collect();
            writeln!(f, "{} ::= {}", self.name(nonterminal), rules.join(" | "))?;
        }
        Ok(())
    }
}

impl Grammar {
    /// The right side of a rule, for messages.
    pub(super) fn shown(&self, rule: RuleId) -> String {
        let symbol = |s: &Symbol| match s {
            Symbol::Nonterminal(n) => self.name(*n).to_owned(),
            Symbol::Literal(text) => format!("{text:?}"),
            Symbol::Class(class) => format!("[{}]", class.source),
        };
        self.rule(rule).right.iter().map(symbol).collect::<Vec<_>>().join(" ")
    }
}

/// Whether a nonterminal is a token by its name.
pub(super) fn starts_upper_case(name: &str) -> bool {
    name.chars().nth(1).is_some_and(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_its_characters_in_order() {
        let class = Class::read("c-ea_-").unwrap();
        let all: String = (0..class.len()).map(|i| class.nth(i)).collect();
        assert_eq!(all, "-_acde");
        assert!(all.chars().enumerate().all(|(i, c)| class.index(c) == i && class.has(c)));
        assert_eq!(class.read_from("dx".as_bytes()), Some(('d', 1)));
        assert_eq!(Class::read("ä-ü").unwrap().read_from("ö".as_bytes()), Some(('ö', 2)));
        assert_eq!(Class::read("ä-ü").unwrap().read_from(&"ö".as_bytes()[..1]), None);
        assert!(Class::read("z-a").is_none() && Class::read("").is_none());
    }
}
