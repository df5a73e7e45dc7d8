//! The loop of a generalization: the search for a pattern asks, and the test answers.

use crate::asker::LimitedAsker;
use crate::looks::{Looking, Looks};
use crate::oracle::{Contents, Fault, NamedFile, Test, Verdict};
use crate::run::{End, Listener, Options, Stats};
use crate::workers::with_runner;
use lopper_engine::asker::{Halt, Stop};
use lopper_engine::driver::Query;
use lopper_patterns::{Extrapolating, Generalizing};

/// The number of texts that are drawn ahead for the workers.
const AHEAD: usize = 32;

/// The name under which test runs of this search are counted.
const NAME: &str = "generalize";

/// A search that asks for batches of texts and learns their verdicts.
pub(crate) trait Search {
    /// The next texts to test, about so many at most; none when the search is over.
    fn ask(&mut self, most: usize) -> &[Vec<u8>];

    /// Learns the verdicts on the first texts of the last batch.
    fn learn(&mut self, verdicts: &[Verdict]);
}

impl Search for Generalizing {
    fn ask(&mut self, most: usize) -> &[Vec<u8>] {
        Self::ask(self, most)
    }

    fn learn(&mut self, verdicts: &[Verdict]) {
        Self::learn(self, verdicts);
    }
}

impl Search for Extrapolating {
    fn ask(&mut self, most: usize) -> &[Vec<u8>] {
        Self::ask(self, most)
    }

    fn learn(&mut self, verdicts: &[Verdict]) {
        Self::learn(self, verdicts);
    }
}

/// Tests texts until the search is over. `like` is a candidate whose first file gets the texts. What is found
/// does not depend on `options.jobs`. With `looks`, texts are tested again now and then, and in the end.
pub(crate) fn generalize(
    search: &mut dyn Search,
    like: &Contents,
    test: &dyn Test,
    options: &Options,
    looks: Option<&mut Looks>,
    listener: &mut Listener,
) -> (End, Stats) {
    let query = |text: &Vec<u8>| {
        let mut contents = like.clone();
        if let Some(file) = contents.first_mut() {
            *file = file.with(text.clone());
        }
        Query::new(contents, NAME)
    };
    with_runner(test, options.jobs, &options.workers, |runner| {
        let mut asker = Looking { asker: LimitedAsker::new(options, listener, runner), looks };
        let most = if options.jobs > 1 { AHEAD } else { 1 };
        let mut ask = || -> Result<(), Stop> {
            loop {
                let queries: Vec<Query> = search.ask(most).iter().map(query).collect();
                let mut queries = queries.into_iter();
                let Some(first) = queries.next() else { return asker.look_at_last() };
                let verdict = asker.verdict_of_many(&first, &mut queries)?;
                search.learn(&[verdict]);
            }
        };
        let halt = ask().err().map(Halt::from);
        asker.ended(halt)
    })
}

/// A test with a second one that decides whether a boring candidate is valid.
pub(crate) struct Required<'t> {
    pub(crate) test: &'t dyn Test,
    /// The test that accepts valid candidates.
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

    fn is_shared(&self) -> bool {
        self.test.is_shared()
    }
}

/// A test whose candidates are one file: it gets others beside it, always the same.
pub(crate) struct Beside<'t> {
    pub(crate) test: &'t dyn Test,
    /// The other files.
    pub(crate) rest: &'t [NamedFile],
}

impl Test for Beside<'_> {
    fn run(&self, worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        if self.rest.is_empty() {
            return self.test.run(worker, candidate);
        }
        self.test.run(worker, &[candidate, self.rest].concat())
    }

    fn cancel(&self, worker: usize) {
        self.test.cancel(worker);
    }

    fn is_shared(&self) -> bool {
        self.test.is_shared()
    }
}

/// The test's verdicts on candidates, in this order, as far as the limits allow.
pub(crate) fn verdicts(
    candidates: &[Contents],
    test: &dyn Test,
    options: &Options,
    listener: &mut Listener,
) -> (Vec<Verdict>, End, Stats) {
    let query = |contents: &Contents| Query::new(contents.clone(), NAME);
    with_runner(test, options.jobs, &options.workers, |runner| {
        let mut asker = LimitedAsker::new(options, listener, runner);
        let mut verdicts = Vec::new();
        let mut halt = None;
        for (at, candidate) in candidates.iter().enumerate() {
            match asker.verdict_of_many(&query(candidate), &mut candidates[at + 1..].iter().map(query)) {
                Ok(verdict) => verdicts.push(verdict),
                Err(stop) => {
                    halt = Some(Halt::from(stop));
                    break;
                }
            }
        }
        let (end, stats) = asker.ended(halt);
        (verdicts, end, stats)
    })
}
