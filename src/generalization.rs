//! Generalizing: a search for a pattern asks, the test answers.

use crate::asker::LimitedAsker;
use crate::oracle::{Contents, Fault, Test, Verdict};
use crate::run::{End, Listener, Options, Stats};
use crate::workers::with_runner;
use lopper_engine::asker::{Asker, Halt, Stop};
use lopper_engine::driver::Query;
use lopper_patterns::{Generalizing, Outcome};

/// So many texts are drawn ahead, for the workers.
const AHEAD: usize = 32;

/// What runs of this search are counted under.
const NAME: &str = "generalize";

/// Asks the test about texts until the pattern is found. `like` are the files of a candidate, the first of which the texts
/// replace. The pattern does not depend on `options.jobs`.
pub(crate) fn generalize(
    search: &mut Generalizing,
    like: &Contents,
    test: &dyn Test,
    options: &Options,
    listener: &mut Listener,
) -> (End, Stats) {
    let query = |text: &Vec<u8>| {
        let mut contents = like.clone();
        if let Some(file) = contents.first_mut() {
            *file = file.with(text.clone());
        }
        Query::new(contents, NAME)
    };
    with_runner(test, options.jobs, |runner| {
        let mut asker = LimitedAsker::new(options, listener, runner);
        let most = if options.jobs > 1 { AHEAD } else { 1 };
        let mut ask = || -> Result<(), Stop> {
            loop {
                let queries: Vec<Query> = search.ask(most).iter().map(query).collect();
                let mut queries = queries.into_iter();
                let Some(first) = queries.next() else { return Ok(()) };
                let verdict = asker.verdict(first, &mut queries)?;
                search.tell(&[outcome(verdict)]);
            }
        };
        let halt = ask().err().map(Halt::from);
        asker.ended(halt)
    })
}

/// What a verdict says about a pattern.
pub(crate) fn outcome(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Interesting => Outcome::Interesting,
        Verdict::Boring => Outcome::Boring,
        Verdict::Invalid => Outcome::Invalid,
        Verdict::TimedOut | Verdict::OutOfMemory => Outcome::TimedOut,
    }
}

/// A test of which a second one says whether what is boring is valid at all.
pub(crate) struct Required<'t> {
    pub(crate) test: &'t dyn Test,
    /// Accepts what is valid.
    pub(crate) check: &'t dyn Test,
}

impl Test for Required<'_> {
    fn run(&self, worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        let verdict = self.test.run(worker, candidate)?;
        if verdict != Verdict::Boring || self.check.run(worker, candidate)? == Verdict::Interesting {
            return Ok(verdict);
        }
        Ok(Verdict::Invalid)
    }

    fn cancel(&self, worker: usize) {
        self.test.cancel(worker);
        self.check.cancel(worker);
    }
}
