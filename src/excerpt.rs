//! Excerpts of a program: what is left of it if nothing is rewritten, only deleted.
//!
//! A reduction rewrites a program, so its result is seldom found in the original. An excerpt always is.

use crate::oracle::contents::key;
use crate::oracle::{Contents, Fault, Known, Test, Verdict};
use lopper_languages::Parsed;
use lopper_languages::lexer;
use lopper_patterns::{Closeness, Ground, Needle, Pattern};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Larger candidates are not embedded to see whether they are excerpts, which would take seconds. What is deleted in them
/// are whole functions and statements, as a rule. A smaller limit lets programs pass that are none, and nothing below it is then.
const MOST_TOKENS: usize = 10_000;

/// A test that accepts only excerpts of a program that another test accepts, too. The candidates are one file.
pub(crate) struct Excerpts<'t> {
    pub(crate) test: &'t dyn Test,
    /// The program.
    pub(crate) original: &'t Parsed,
    /// What the other test is known to say.
    pub(crate) known: &'t Known,
    /// How often the other test was run.
    pub(crate) runs: AtomicUsize,
}

impl Excerpts<'_> {
    /// Whether all tokens of a text are those of the program, in the same order. Linear.
    fn has_tokens(&self, text: &[u8]) -> bool {
        let lexis = self.original.language.lexis();
        let mut all = lexer::tokens(&self.original.text, lexis);
        let is_there =
            |token: lexer::Token| all.any(|other| self.original.text[other.range()] == text[token.range()]);
        lexer::tokens(text, lexis).all(is_there)
    }

    /// Whether the nodes of a text are those of the program, too, unless it is long.
    fn has_nodes(&self, text: &[u8]) -> bool {
        let language = self.original.language;
        if lexer::tokens(text, language.lexis()).nth(MOST_TOKENS).is_some() {
            return true;
        }
        let candidate = Pattern::of_example(&Parsed::new(language, text.to_vec()));
        is_found(&candidate, self.original, Closeness::Embedded)
    }
}

impl Test for Excerpts<'_> {
    fn run(&self, worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        let Some(text) = candidate.first().filter(|text| self.has_tokens(text)) else {
            return Ok(Verdict::Boring);
        };
        let known = self.known.get(key(candidate), None).map(|known| known.verdict);
        let run = || {
            self.runs.fetch_add(1, Ordering::Relaxed);
            self.test.run(worker, candidate)
        };
        let verdict = known.map_or_else(run, Ok)?;
        Ok(if verdict == Verdict::Interesting && !self.has_nodes(text) { Verdict::Boring } else { verdict })
    }

    fn cancel(&self, worker: usize) {
        self.test.cancel(worker);
    }
}

/// Whether a pattern is found in a program, no looser than `loosest`.
pub(crate) fn is_found(pattern: &Pattern, program: &Parsed, loosest: Closeness) -> bool {
    Needle::new(pattern, program.language).find(&Ground::new(program), loosest).is_some()
}
