//! Choice-sequence reduction: shrinks a derivation by shrinking the choices in it, so that every candidate
//! belongs to the language of the grammar.
//!
//! After MacIver and Donaldson, "Test-Case Reduction via Test-Case Generation: Insights from the Hypothesis
//! Reducer" (ECOOP 2020). A candidate is a sequence of choices that replays to a text; it must be below the
//! best one in shortlex order: shorter, or as long and lexicographically less. Alternatives are ordered by
//! cost (`lopper_languages::grammar::Choices`), so a smaller sequence is a simpler one.

use crate::Verdict;
use lopper_languages::grammar::{Choices, Derivation, Grammar};
use std::collections::BTreeMap;
use std::convert::Infallible;

/// The result of a reduction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The smallest interesting derivation that was found.
    pub derivation: Derivation,
    /// The choices that lead to it.
    pub sequence: Vec<u32>,
    /// Its text.
    pub text: String,
    /// The number of test runs, including the first one on the original. Each text is tested once.
    pub runs: usize,
}

/// The length of the longest chunk of choices that is deleted, or set to 0, in one step.
const CHUNK: usize = 8;

/// Reduces a derivation as long as `test` finds its text interesting. Five steps are repeated until none of
/// them helps: delete chunks of choices, from the end to the start; set chunks of choices to 0; lower each
/// choice; swap choices in descending order; and, only if nothing else helps, lower a choice and delete a
/// later chunk. The result is 1-minimal in all of these steps. `None` if the original is not interesting.
///
/// At worst O(n²) runs of the test for each success, with n choices.
pub fn reduce(
    grammar: &Grammar,
    derivation: &Derivation,
    mut test: impl FnMut(&str) -> Verdict,
) -> Option<Reduced> {
    let sure = |text: &str| Ok::<_, Infallible>(test(text) == Verdict::Interesting);
    try_reduce(grammar, derivation, sure).unwrap_or_else(|never| match never {})
}

/// As [`reduce`], for a test that decides whether a text is interesting, and may fail to decide it.
///
/// # Errors
/// Any error of the test.
pub fn try_reduce<E>(
    grammar: &Grammar,
    derivation: &Derivation,
    test: impl FnMut(&str) -> Result<bool, E>,
) -> Result<Option<Reduced>, E> {
    let choices = Choices::new(grammar);
    let sequence = choices.sequence(derivation);
    let text = derivation.text(grammar);
    let best = Reduced { derivation: derivation.clone(), sequence, text: text.clone(), runs: 0 };
    let mut reducer = Reducer { grammar, choices, test, known: BTreeMap::new(), best };
    if !reducer.is_interesting(&text)? {
        return Ok(None);
    }
    loop {
        let before = reducer.best.sequence.clone();
        reducer.delete()?;
        reducer.zero()?;
        reducer.lower()?;
        reducer.swap()?;
        if reducer.best.sequence == before && !reducer.lower_and_delete()? {
            return Ok(Some(reducer.best));
        }
    }
}

struct Reducer<'g, F> {
    grammar: &'g Grammar,
    choices: Choices<'g>,
    test: F,
    /// Whether each tested text is interesting.
    known: BTreeMap<String, bool>,
    best: Reduced,
}

impl<E, F: FnMut(&str) -> Result<bool, E>> Reducer<'_, F> {
    fn is_interesting(&mut self, text: &str) -> Result<bool, E> {
        if let Some(&known) = self.known.get(text) {
            return Ok(known);
        }
        self.best.runs += 1;
        let interesting = (self.test)(text)?;
        self.known.insert(text.to_owned(), interesting);
        Ok(interesting)
    }

    /// Makes these choices the best ones if they replay to an interesting text and are below the best ones.
    fn attempt(&mut self, sequence: &[u32]) -> Result<bool, E> {
        let Some((derivation, used)) = self.choices.replay(sequence) else { return Ok(false) };
        let best = &self.best.sequence;
        if (used.len(), &used) >= (best.len(), best) {
            return Ok(false);
        }
        let text = derivation.text(self.grammar);
        let interesting = self.is_interesting(&text)?;
        if interesting {
            self.best = Reduced { derivation, sequence: used, text, runs: self.best.runs };
        }
        Ok(interesting)
    }

    fn len(&self) -> usize {
        self.best.sequence.len()
    }

    /// Deletes chunks of choices, long ones first, from the end to the start.
    fn delete(&mut self) -> Result<(), E> {
        for size in (1..=CHUNK).rev() {
            let mut next = self.len().checked_sub(size);
            while let Some(at) = next {
                let gone = without(&self.best.sequence, at, size);
                next = if self.attempt(&gone)? {
                    self.len().checked_sub(size).map(|last| last.min(at))
                } else {
                    at.checked_sub(1)
                };
            }
        }
        Ok(())
    }

    /// Sets chunks of choices to 0, long ones first.
    fn zero(&mut self) -> Result<(), E> {
        for size in [CHUNK, CHUNK / 2, CHUNK / 4, 1] {
            let mut at = 0;
            while at < self.len() {
                let end = (at + size).min(self.len());
                if self.best.sequence[at..end].iter().any(|&choice| choice > 0) {
                    let mut sequence = self.best.sequence.clone();
                    sequence[at..end].fill(0);
                    self.attempt(&sequence)?;
                }
                at += size;
            }
        }
        Ok(())
    }

    /// Lowers each choice as far as possible.
    fn lower(&mut self) -> Result<(), E> {
        let mut at = 0;
        while at < self.len() {
            for lower in 0..self.best.sequence[at] {
                let mut sequence = self.best.sequence.clone();
                sequence[at] = lower;
                if self.attempt(&sequence)? {
                    break;
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// Swaps choices that are in descending order.
    fn swap(&mut self) -> Result<(), E> {
        let mut first = 0;
        while first < self.len() {
            let mut second = first + 1;
            while first < self.len() && second < self.len() {
                if self.best.sequence[first] > self.best.sequence[second] {
                    let mut sequence = self.best.sequence.clone();
                    sequence.swap(first, second);
                    self.attempt(&sequence)?;
                }
                second += 1;
            }
            first += 1;
        }
        Ok(())
    }

    /// Lowers a choice and deletes a later chunk, since a smaller subtree needs fewer choices. Ends with the
    /// first success.
    fn lower_and_delete(&mut self) -> Result<bool, E> {
        let sequence = self.best.sequence.clone();
        for (at, &choice) in sequence.iter().enumerate() {
            for lower in 0..choice {
                let mut lowered = sequence.clone();
                lowered[at] = lower;
                for from in at + 1..sequence.len() {
                    for size in 1..=CHUNK.min(sequence.len() - from) {
                        if self.attempt(&without(&lowered, from, size))? {
                            return Ok(true);
                        }
                    }
                }
            }
        }
        Ok(false)
    }
}

fn without(sequence: &[u32], from: usize, count: usize) -> Vec<u32> {
    [&sequence[..from], &sequence[from + count..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_languages::grammar::{Generator, Parser};
    use proptest::prelude::*;

    fn arithmetic() -> Parser {
        let json = include_str!("../examples/grammars/arithmetic.json");
        Parser::new(Grammar::read(json).unwrap())
    }

    fn verdict(interesting: bool) -> Verdict {
        if interesting { Verdict::Interesting } else { Verdict::Boring }
    }

    /// Whether the text contains `((` and later `))`.
    fn double(text: &str) -> bool {
        text.find("((").is_some_and(|at| text[at + 2..].contains("))"))
    }

    #[test]
    fn the_published_results_take_the_published_number_of_runs() {
        let parser = arithmetic();
        let reduced = |text: &str, wanted: fn(&str) -> bool| {
            let (derivation, _) = parser.derivation(text.as_bytes()).unwrap();
            reduce(parser.grammar(), &derivation, |text| verdict(wanted(text))).unwrap()
        };
        let first = reduced("1+((2*3/4))", double);
        assert_eq!((first.text.as_str(), first.runs), ("((0))", 23));
        assert_eq!(first.sequence, [0, 0, 4, 0, 0, 4, 0, 0, 0, 0, 0]);
        let second = reduced("1+((2*3)/0)", |text| text.contains("/0)"));
        assert_eq!((second.text.as_str(), second.runs), ("(0/0)", 33));
        assert_eq!(second.sequence, [0, 0, 4, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn a_boring_original_is_not_reduced() {
        let parser = arithmetic();
        let (derivation, _) = parser.derivation(b"1").unwrap();
        assert_eq!(reduce(parser.grammar(), &derivation, |_| Verdict::TimedOut), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn every_candidate_is_grammatical_and_the_result_is_small(seed in any::<u64>()) {
            let parser = arithmetic();
            let derivation = Generator::new(parser.grammar(), seed, 7).derivation();
            let text = derivation.text(parser.grammar());
            let (wanted, mut texts) = (text.matches('5').count().min(2), Vec::new());
            let reduced = reduce(parser.grammar(), &derivation, |text| {
                texts.push(text.to_owned());
                verdict(text.matches('5').count() >= wanted)
            });
            let reduced = reduced.expect("the original is interesting");
            prop_assert!(texts.iter().all(|text| parser.accepts(text.as_bytes())));
            prop_assert_eq!(texts.len(), reduced.runs);
            prop_assert_eq!(&reduced.derivation.text(parser.grammar()), &reduced.text);
            // No single step leads from `5.5` to `55`.
            prop_assert!(reduced.text.len() <= [1, 1, 3][wanted], "{} from {}", reduced.text, text);
        }
    }
}
