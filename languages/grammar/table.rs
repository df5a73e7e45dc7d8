//! A grammar prepared for parsing: its rules in sequence, and the first bytes of their texts.

use super::rules::{Class, Grammar, Nonterminal, RuleId, Symbol};
use std::ops::Range;

/// A dot: a position in a rule, before a symbol or at the end. The dots of all rules are numbered
/// consecutively.
pub(super) type Dot = u32;

/// The symbol behind a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    Nonterminal(Nonterminal),
    /// Index into the table's literals.
    Literal(u32),
    /// Index into the table's classes.
    Class(u32),
    /// None: the rule is complete.
    End(RuleId),
}

/// A grammar prepared for parsing.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) after: Vec<After>,
    /// The first dot of each rule, and last that of the rule above the start symbol.
    pub(super) starts: Vec<Dot>,
    pub(super) literals: Vec<Vec<u8>>,
    pub(super) classes: Vec<Class>,
    pub(super) nullable: Vec<bool>,
    pub(super) alternatives: Vec<Range<RuleId>>,
    /// The nonterminal of each rule.
    pub(super) left: Vec<Nonterminal>,
    /// The possible first bytes of each rule's texts.
    pub(super) first: Vec<Bytes>,
    /// Whether each rule derives the empty text.
    pub(super) empty: Vec<bool>,
    /// The rule of each dot.
    rules: Vec<RuleId>,
    /// The length of the longest terminal in bytes.
    pub(super) longest: usize,
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bytes([u64; 4]);

impl Bytes {
    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    pub(super) fn has(self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    fn with(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl Table {
    pub(super) fn new(grammar: &Grammar) -> Self {
        let nullable = grammar.nullable();
        let mut table = Self {
            after: Vec::new(),
            starts: Vec::new(),
            literals: Vec::new(),
            classes: Vec::new(),
            alternatives: grammar.nonterminals().map(|n| grammar.alternatives(n)).collect(),
            left: grammar.rules().iter().map(|r| r.left).collect(),
            first: Vec::new(),
            empty: Vec::new(),
            rules: Vec::new(),
            longest: 4,
            nullable,
        };
        for (rule, id) in grammar.rules().iter().zip(0..) {
            table.rule(&rule.right, id);
        }
        let top = [Symbol::Nonterminal(grammar.start())];
        table.rule(&top, grammar.rules().len() as RuleId);
        table.find_first(grammar);
        let lengths = table.literals.iter().map(Vec::len);
        table.longest = lengths.chain(table.classes.iter().map(|_| 4)).max().unwrap_or(1);
        table
    }

    fn rule(&mut self, right: &[Symbol], id: RuleId) {
        self.starts.push(self.after.len() as Dot);
        for symbol in right {
            let after = match symbol {
                Symbol::Nonterminal(n) => After::Nonterminal(*n),
                Symbol::Literal(text) => {
                    self.literals.push(text.clone().into_bytes());
                    After::Literal(self.literals.len() as u32 - 1)
                }
                Symbol::Class(class) => {
                    self.classes.push(class.clone());
                    After::Class(self.classes.len() as u32 - 1)
                }
            };
            self.after.push(after);
        }
        self.after.push(After::End(id));
        self.rules.resize(self.after.len(), id);
    }

    fn find_first(&mut self, grammar: &Grammar) {
        let null = |symbol: &Symbol| symbol.nonterminal().is_some_and(|n| self.nullable[n.index()]);
        self.empty = grammar.rules().iter().map(|rule| rule.right.iter().all(null)).collect();
        let mut of: Vec<Bytes> = vec![Bytes::default(); grammar.names().len()];
        let first = |right: &[Symbol], of: &[Bytes]| {
            let mut bytes = Bytes::default();
            for symbol in right {
                match symbol {
                    Symbol::Nonterminal(n) => bytes = bytes.with(of[n.index()]),
                    Symbol::Literal(text) => text.bytes().take(1).for_each(|b| bytes.insert(b)),
                    Symbol::Class(class) => class.first_bytes().for_each(|b| bytes.insert(b)),
                }
                if !null(symbol) {
                    break;
                }
            }
            bytes
        };
        grammar.until_nothing_changes(|rule| {
            let known = of[rule.left.index()];
            let more = known.with(first(&rule.right, &of));
            of[rule.left.index()] = more;
            more != known
        });
        self.first = grammar.rules().iter().map(|rule| first(&rule.right, &of)).collect();
    }

    /// The dot at the end of a rule.
    pub(super) fn end(&self, rule: RuleId) -> Dot {
        self.starts.get(rule as usize + 1).map_or(self.after.len() as Dot, |&next| next) - 1
    }

    /// The dot at the end of the rule above the start symbol.
    pub(super) fn top(&self) -> Dot {
        self.after.len() as Dot - 1
    }

    /// The rules of a nonterminal.
    pub(super) fn alternatives(&self, nonterminal: Nonterminal) -> Range<RuleId> {
        self.alternatives[nonterminal.index()].clone()
    }

    /// The nonterminal behind a dot, if there is one.
    pub(super) fn symbol(&self, dot: Dot) -> Option<Nonterminal> {
        match self.after[dot as usize] {
            After::Nonterminal(nonterminal) => Some(nonterminal),
            _ => None,
        }
    }

    /// Whether there is a class behind a dot.
    pub(super) fn is_class(&self, dot: Dot) -> bool {
        matches!(self.after[dot as usize], After::Class(_))
    }

    /// The length in bytes of the terminal before `dot` if that terminal ends at `end`; `None` for a
    /// nonterminal.
    pub(super) fn terminal_before(&self, dot: Dot, text: &[u8], end: usize) -> Option<usize> {
        match self.after[dot as usize - 1] {
            After::Literal(literal) => Some(self.literals[literal as usize].len()),
            // Back to the first byte of the character.
            After::Class(_) => (1..=4).find(|length| text[end - length] & 0xc0 != 0x80),
            _ => None,
        }
    }

    /// The length in bytes of the match of the terminal behind a dot at the start of `text`; `None` if there
    /// is no match.
    pub(super) fn scanned(&self, dot: Dot, text: &[u8]) -> Option<usize> {
        match self.after[dot as usize] {
            After::Literal(literal) => {
                let literal = &self.literals[literal as usize];
                text.starts_with(literal).then_some(literal.len())
            }
            After::Class(class) => self.classes[class as usize].read_from(text).map(|(_, length)| length),
            _ => None,
        }
    }

    /// The rule of a dot.
    pub(super) fn rule_of(&self, dot: Dot) -> RuleId {
        self.rules[dot as usize]
    }

    /// The nonterminal of the rule of a dot; `None` for the rule above the start symbol.
    pub(super) fn left(&self, dot: Dot) -> Option<Nonterminal> {
        self.left.get(self.rules[dot as usize] as usize).copied()
    }

    /// The nonterminal that is complete at a dot; `None` if the dot is not at an end, or for the rule above
    /// the start symbol.
    pub(super) fn completed(&self, dot: Dot) -> Option<Nonterminal> {
        match self.after[dot as usize] {
            After::End(rule) => self.left.get(rule as usize).copied(),
            _ => None,
        }
    }
}
