//! Extrapolation: which constructors may stand at all in a place that had to stay as it is.
//!
//! Pike, "SmartCheck: Automatic and Efficient Counterexample Reduction and Generalization" (Haskell 2014): a place of
//! tree-shaped data that may not vary at random may still have several constructors, each with some arguments. Here a
//! constructor is an alternative of a nonterminal. All else is as in the example.

use crate::derivations::DEPTH;
use crate::grammar::kind;
use crate::pattern::{Alternative, Constructors, Fixed, Node, Pattern, Sort};
use crate::random::Random;
use lopper_engine::Verdict;
use lopper_languages::grammar::{Generator, Grammar, Nonterminal, Parser, RuleId, Symbol};
use std::collections::BTreeMap;

/// The search for constructors: asks for batches of texts and learns their verdicts. What comes of it depends on the
/// seed and the verdicts, not on the size of the batches.
#[derive(Debug)]
pub struct Extrapolating {
    grammar: &'static Grammar,
    example: Vec<u8>,
    /// What is asked, place by place and alternative by alternative.
    questions: Vec<Question>,
    known: BTreeMap<Vec<u8>, Verdict>,
    asked: Vec<Vec<u8>>,
}

/// An alternative in a place.
#[derive(Debug)]
struct Question {
    start: usize,
    end: usize,
    nonterminal: Nonterminal,
    rule: RuleId,
    /// The texts that were drawn for it.
    drawn: Vec<String>,
}

impl Extrapolating {
    /// For the places of a pattern of this parser's grammar that had to stay, with so many different texts for each
    /// alternative at most.
    pub fn new(pattern: &Pattern, parser: &'static Parser, seed: u64, tries: usize) -> Self {
        let grammar = parser.grammar();
        let mut generator = Generator::new(grammar, 0, DEPTH);
        let mut questions: Vec<Question> = Vec::new();
        for fixed in &pattern.fixed {
            let Sort::Nonterminal(name) = &fixed.sort else { continue };
            let Some(nonterminal) = grammar.named(name) else { continue };
            let is_known = |q: &Question| {
                (q.start, q.end, q.nonterminal) == (fixed.range.start, fixed.range.end, nonterminal)
            };
            let alternatives = grammar.alternatives(nonterminal);
            if alternatives.len() < 2 || grammar.is_lexical(nonterminal) || questions.iter().any(is_known) {
                continue;
            }
            for rule in alternatives {
                let mut random = Random::part(seed, questions.len() as u64);
                // What is there is known to fail.
                let own = &pattern.example[fixed.range.clone()];
                let own = String::from_utf8_lossy(own).into_owned();
                let mut drawn: Vec<String> =
                    if is_own(pattern, fixed, name, grammar, rule) { vec![own] } else { Vec::new() };
                for _ in 0..2 * tries {
                    let text = text_of(grammar, &mut generator, rule, &mut random);
                    if drawn.len() < tries && !drawn.contains(&text) {
                        drawn.push(text);
                    }
                }
                questions.push(Question {
                    start: fixed.range.start,
                    end: fixed.range.end,
                    nonterminal,
                    rule,
                    drawn,
                });
            }
        }
        let known = [(pattern.example.clone(), Verdict::Interesting)].into();
        Self { grammar, example: pattern.example.clone(), questions, known, asked: Vec::new() }
    }

    /// The next texts to test, so many at most; none when all is known.
    pub fn ask(&mut self, most: usize) -> &[Vec<u8>] {
        self.asked.clear();
        for question in &self.questions {
            for text in question.texts(&self.example) {
                match self.known.get(&text) {
                    Some(Verdict::Interesting) => break,
                    Some(_) => {}
                    None if self.asked.contains(&text) => {}
                    None => self.asked.push(text),
                }
                if self.asked.len() >= most.max(1) {
                    return &self.asked;
                }
            }
        }
        &self.asked
    }

    /// Learns the verdicts on the texts of the last batch, or on its first ones.
    pub fn learn(&mut self, verdicts: &[Verdict]) {
        self.known.extend(self.asked.drain(..).zip(verdicts.iter().copied()));
    }

    /// What was found, in the order in which the places were found to have to stay.
    pub fn found(&self) -> Vec<Constructors> {
        let mut found: Vec<Constructors> = Vec::new();
        for question in &self.questions {
            let range = question.start..question.end;
            let nonterminal = self.grammar.name(question.nonterminal).to_owned();
            if found.last().is_none_or(|last| last.range != range || last.nonterminal != nonterminal) {
                found.push(Constructors { range, nonterminal, alternatives: Vec::new() });
            }
            let texts = question.texts(&self.example);
            let fails = |text: &Vec<u8>| self.known.get(text) == Some(&Verdict::Interesting);
            let first = texts.iter().position(fails);
            let asked = first.map_or(texts.len(), |first| first + 1);
            let is_known = |text: &&Vec<u8>| self.known.contains_key(*text);
            let drawn = texts[..asked].iter().filter(is_known).count();
            let instance = first.map(|first| question.drawn[first].clone().into_bytes());
            let shown = shown(self.grammar, question.rule);
            let alternative = Alternative { shown, drawn, instance };
            found.last_mut().into_iter().for_each(|place| place.alternatives.push(alternative.clone()));
        }
        found
    }
}

impl Question {
    /// The example with each of the drawn texts in the place.
    fn texts(&self, example: &[u8]) -> Vec<Vec<u8>> {
        let (before, after) = (&example[..self.start], &example[self.end..]);
        self.drawn.iter().map(|text| [before, text.as_bytes(), after].concat()).collect()
    }
}

/// Whether the example has an alternative in a place.
fn is_own(pattern: &Pattern, fixed: &Fixed, nonterminal: &str, grammar: &Grammar, rule: RuleId) -> bool {
    let is_there = |node: &Node| node.range == fixed.range && node.kind == nonterminal;
    let Some(node) = pattern.nodes.iter().position(is_there) else { return false };
    let symbols = grammar.rule(rule).right.iter().map(|symbol| match symbol {
        Symbol::Nonterminal(below) => grammar.name(*below).to_owned(),
        terminal => kind(Some(terminal)),
    });
    pattern.children(node).map(|child| pattern.nodes[child].kind.clone()).eq(symbols)
}

/// A random text of an alternative.
fn text_of(
    grammar: &'static Grammar,
    generator: &mut Generator<'static>,
    rule: RuleId,
    random: &mut Random,
) -> String {
    let mut out = String::new();
    for symbol in &grammar.rule(rule).right {
        match symbol {
            Symbol::Literal(text) => out.push_str(text),
            Symbol::Class(class) => out.push(class.nth(random.below(class.len()))),
            Symbol::Nonterminal(below) => {
                generator.reseed(random.next());
                out.push_str(&generator.derivation_from(*below).text(grammar));
            }
        }
    }
    out
}

/// An alternative, as patterns are written.
fn shown(grammar: &Grammar, rule: RuleId) -> String {
    let symbol = |symbol: &Symbol| match symbol {
        Symbol::Nonterminal(below) => format!("<{}>", grammar.name(*below).trim_matches(['<', '>'])),
        terminal => kind(Some(terminal)),
    };
    grammar.rule(rule).right.iter().map(symbol).collect()
}
