//! The engine with a predicate in place of a process, and a log of its events.

use lopper::languages::measure::Measure;
use lopper::languages::{Parsed, lexer, named, text::TEXT};
use lopper::oracle::contents::base_of;
use lopper::oracle::{Contents, Test, Verdict};
use lopper::passes::Base;
use lopper::reduce::reduce;
use lopper::run::{Event, Options, Reduced};
use std::sync::Arc;
use std::time::Duration;

/// A base of one file.
pub(crate) fn base(language: &str, text: &[u8]) -> Base {
    let language = named(language).unwrap_or(&TEXT);
    Base { files: vec![Arc::new(Parsed::new(language, text.to_vec()))] }
}

/// The files of a candidate as one text, in the form of an example of a pass.
pub(crate) fn as_example(contents: &Contents) -> String {
    let like = Base { files: Vec::new() };
    base_of(contents, &like).to_example()
}

/// The tokens of a text.
pub(crate) fn tokens(language: &str, text: &[u8]) -> Vec<Vec<u8>> {
    let lexis = named(language).unwrap_or(&TEXT).lexis();
    lexer::tokens(text, lexis).map(|token| text[token.range()].to_vec()).collect()
}

/// All events of the engine, in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Log {
    /// The pass, the verdict and the number of every run of the test; second looks have no pass.
    pub(crate) tested: Vec<(Option<&'static str>, Verdict, usize)>,
    /// Every candidate that became the best, and its measure.
    pub(crate) accepted: Vec<(Vec<u8>, Measure)>,
    /// Every pass that panicked, and its message.
    pub(crate) bugs: Vec<(&'static str, String)>,
    /// The time limits that followed the first one.
    pub(crate) limits: Vec<Duration>,
    /// The number of times that the test was said to flicker.
    pub(crate) flickers: usize,
    /// The number of times that the best program was taken back.
    pub(crate) retreats: usize,
    /// The passes that were skipped, each with the number of runs before.
    pub(crate) skipped: Vec<(String, usize)>,
}

impl Log {
    fn hear(&mut self, event: &Event) {
        match event {
            Event::Tested { pass, verdict, stats, .. } => self.tested.push((*pass, *verdict, stats.runs)),
            Event::Accepted { contents, measure, limit, .. } => {
                self.limits.extend(*limit);
                self.accepted.push((contents[0].to_vec(), *measure));
            }
            Event::Bug { pass, message, .. } => self.bugs.push((*pass, message.clone())),
            Event::Flickers { .. } => self.flickers += 1,
            Event::Retreat => self.retreats += 1,
            Event::Skipped { pass, runs, .. } => self.skipped.push(((*pass).to_owned(), *runs)),
            Event::Verified { .. } | Event::Sweep { .. } | Event::Probation { .. } => {}
        }
    }
}

/// Reduces with these options and logs the events.
pub(crate) fn reduced_with(base: Base, test: &dyn Test, options: &Options) -> (Reduced, Log) {
    let mut log = Log::default();
    let outcome = reduce(base, test, options, &mut |event| {
        log.hear(event);
        Ok(())
    });
    (outcome, log)
}

/// Reduces `text` as long as `keep` holds; returns the result as text.
pub(crate) fn reduced(language: &str, text: &str, keep: impl Fn(&[u8]) -> bool + Sync) -> String {
    let test = |contents: &Contents| verdict(keep(&contents[0]));
    let (outcome, log) = reduced_with(base(language, text.as_bytes()), &test, &Options::default());
    assert_eq!(log.bugs, [], "no pass may panic");
    String::from_utf8_lossy(&outcome.contents[0]).into_owned()
}

fn verdict(interesting: bool) -> Verdict {
    if interesting { Verdict::Interesting } else { Verdict::Boring }
}
