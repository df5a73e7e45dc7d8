//! The asker of this package: gets every verdict for a search, within the user's limits, and counts and
//! reports every run.

use crate::driver::{PassStats, Query};
#[cfg(feature = "cli")]
use crate::error::UserError;
use crate::fastest::Fastest;
use crate::oracle::memo::Memo;
use crate::oracle::{Contents, Fault, Timed, Verdict, contents};
use crate::run::{End, Event, Listener, Options, Stats};
use crate::time_limit::TimeLimit;
use crate::workers::{Foresee, Runner};
use lopper_engine::asker::{Asker, FAR, Halt, Stop};
use lopper_languages::measure::{Goal, Measure};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// An asker with limits; see the module. The driver keeps a memo itself and calls [`LimitedAsker::answer`].
/// For all other searches this is an [`Asker`] with a memo.
pub(crate) struct LimitedAsker<'t, 'a> {
    options: &'a Options,
    listener: &'a mut Listener<'a>,
    runner: Runner<'t>,
    memo: Memo,
    stats: Stats,
    /// The time limit, if it is not the test's own.
    limit: Option<TimeLimit>,
    /// The fastest program, if the goal is time.
    fastest: Option<Fastest>,
    /// The times of the runs that accepted a candidate since the last commit, by the candidate's key.
    times: HashMap<u128, Duration>,
    /// The reason why the run is over, once it is.
    end: Option<End>,
}

/// A verdict, and whether it comes from an earlier run of Lopper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// What the test said.
    said: Timed,
    /// Whether the candidate is too slow for the goal, although the test may accept it.
    is_slow: bool,
    known: bool,
}

impl Answer {
    /// The verdict for the search.
    pub(crate) fn verdict(self) -> Verdict {
        match self.said.verdict {
            Verdict::Interesting if self.is_slow => Verdict::Boring,
            verdict => verdict,
        }
    }
}

impl Answer {
    /// Whether it comes from an earlier run of Lopper.
    pub(crate) fn is_known(self) -> bool {
        self.known
    }
}

impl<'t, 'a> LimitedAsker<'t, 'a> {
    pub(crate) fn new(options: &'a Options, listener: &'a mut Listener<'a>, runner: Runner<'t>) -> Self {
        let limit = options.limit.map(|first| TimeLimit::new(first, options.flicker.is_none()));
        let fastest = (options.goal == Goal::Time).then(|| Fastest::new(options.first_run));
        let (memo, stats, times) = (Memo::default(), Stats::default(), HashMap::new());
        Self { options, listener, runner, memo, stats, limit, fastest, times, end: None }
    }

    /// Fails if the user has stopped the run, or its time is over.
    pub(crate) fn may_go_on(&self) -> Result<(), End> {
        if (self.options.interrupted)() {
            return Err(End::Interrupted);
        }
        self.options.over().map_or(Ok(()), Err)
    }

    /// The verdict on a query, from an earlier run of Lopper or from the test. `foresee` gives the likely
    /// next queries.
    pub(crate) fn answer(&mut self, query: &Query, foresee: &mut Foresee) -> Result<Answer, End> {
        if !query.last && self.options.max_tests.is_some_and(|max| self.stats.runs >= max) {
            return Err(End::Tests);
        }
        // Only the original is tested alone, to measure how often a test that flickers accepts it.
        let limit = self.limit.as_ref().map(|limit| if query.alone { limit.first() } else { limit.now() });
        let known = self.options.known.get(query.key, limit);
        let timed = known.map_or_else(|| self.runner.verdict(query, limit, foresee), Ok);
        let Timed { verdict, time } = timed.map_err(|fault| match fault {
            Fault::Broken(error) => End::Broken(error),
            Fault::Cancelled => self.options.over().unwrap_or(End::Interrupted),
            Fault::Interrupted => End::Interrupted,
        })?;
        let is_slow =
            query.pass.is_some() && self.fastest.as_ref().is_some_and(|fastest| fastest.is_slow(time));
        if verdict == Verdict::Interesting && !is_slow {
            let slowest = self.times.entry(query.candidate()).or_default();
            *slowest = time.max(*slowest);
        }
        Ok(Answer { said: Timed { verdict, time }, is_slow, known: known.is_some() })
    }

    /// Counts an answer and tells the listener; `count` updates the statistics that the search keeps itself.
    pub(crate) fn answered(
        &mut self,
        query: &Query,
        Answer { said: Timed { verdict, time }, known, .. }: Answer,
        count: impl FnOnce(&mut Stats),
    ) -> Result<(), End> {
        if query.last {
            return self.tell(&Event::Verified { key: query.key, verdict, time, known });
        }
        self.stats.runs += 1;
        self.stats.invalid += usize::from(verdict == Verdict::Invalid);
        self.stats.timed_out += usize::from(verdict == Verdict::TimedOut);
        self.stats.out_of_memory += usize::from(verdict == Verdict::OutOfMemory);
        self.stats.repeats += usize::from(query.repeat > 0);
        count(&mut self.stats);
        let Query { pass, key, ref contents, .. } = *query;
        let event = Event::Tested { pass, key, verdict, time, known, contents, stats: &self.stats };
        (self.listener)(&event).map_err(End::Broken)
    }

    /// Tells the listener of an event.
    pub(crate) fn tell(&mut self, event: &Event) -> Result<(), End> {
        (self.listener)(event).map_err(End::Broken)
    }

    /// Tells the listener that a candidate is the best now; it is saved when this returns.
    pub(crate) fn tell_best(
        &mut self,
        pass: Option<&'static str>,
        contents: &Contents,
        measure: Measure,
    ) -> Result<(), End> {
        let runs = self.stats.runs;
        let time = self.times.remove(&contents::key(contents));
        // No earlier candidate becomes the program any more.
        self.times.clear();
        if let (Some(fastest), Some(time)) = (&mut self.fastest, time) {
            fastest.committed(time);
        }
        let limit = self.limit.as_mut().zip(time).and_then(|(limit, time)| limit.committed(time));
        self.tell(&Event::Accepted { pass, contents, measure, runs, limit })
    }

    /// The test flickers: from now on the time limit is that of the original.
    pub(crate) fn flickers(&mut self) {
        if let Some(limit) = &mut self.limit {
            limit.stays();
        }
    }

    /// Ends the run by an error.
    #[cfg(feature = "cli")]
    pub(crate) fn fail(&mut self, error: UserError) -> Stop {
        self.end = Some(End::Broken(error));
        Stop
    }

    /// The reason why the search ended, and the statistics.
    pub(crate) fn ended(self, halt: Option<Halt>) -> (End, Stats) {
        let end = match halt {
            None => End::Fixpoint,
            Some(Halt::Stop) => self.end.unwrap_or(End::Interrupted),
            Some(Halt::Obstacle(obstacle)) => End::Broken(obstacle.into()),
        };
        (end, self.stats)
    }

    /// Ends the run if a step has failed.
    fn or_stop<T>(&mut self, step: Result<T, End>) -> Result<T, Stop> {
        step.map_err(|end| {
            self.end = Some(end);
            Stop
        })
    }

    /// The statistics of an algorithm or of isolation, which count as a pass.
    fn stats_of(&mut self, pass: &'static str) -> &mut PassStats {
        let passes = &mut self.stats.passes;
        let at = passes.iter().position(|(name, _)| *name == pass).unwrap_or_else(|| {
            passes.push((pass, PassStats::default()));
            passes.len() - 1
        });
        &mut passes[at].1
    }

    /// As [`Asker::verdict`], for a search that makes the queries of `ahead` whatever the verdicts are.
    ///
    /// # Errors
    /// If the run is over.
    #[cfg(feature = "cli")]
    pub(crate) fn verdict_of_many(
        &mut self,
        query: &Query,
        ahead: &mut dyn Iterator<Item = Query>,
    ) -> Result<Verdict, Stop> {
        self.verdict_or_stop(query, ahead, Last::Any)
    }

    fn verdict_or_stop(
        &mut self,
        query: &Query,
        ahead: &mut dyn Iterator<Item = Query>,
        last: Last,
    ) -> Result<Verdict, Stop> {
        if let Some(pass) = query.pass {
            self.stats_of(pass).proposed += 1;
        }
        let verdict = self.verdict_or_end(query, ahead, last);
        self.or_stop(verdict)
    }

    /// As [`Asker::verdict`], with the reason for an end.
    fn verdict_or_end(
        &mut self,
        query: &Query,
        ahead: &mut dyn Iterator<Item = Query>,
        last: Last,
    ) -> Result<Verdict, End> {
        self.may_go_on()?;
        if !self.options.protected.is_kept(&query.contents) {
            return Ok(Verdict::Boring);
        }
        let known = self.memo.get(query.key);
        self.stats.memo_hits = self.memo.hits();
        if let Some(verdict) = known {
            return Ok(verdict);
        }
        let (memo, options) = (std::mem::take(&mut self.memo), self.options);
        let is_open = |query: &Query| !memo.knows(query.key) && !options.known.has(query.key);
        let mut ahead = ahead.take(FAR).filter(is_open);
        let answer = self.answer(query, &mut in_order(&mut ahead, last));
        self.memo = memo;
        let answer = answer?;
        self.memo.insert(query.key, answer.verdict());
        if let Some(pass) = query.pass {
            self.stats_of(pass).runs += 1;
        }
        self.answered(query, answer, |_| ())?;
        Ok(answer.verdict())
    }
}

/// The last one of the queries that a search makes in order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// The first interesting one: the search goes on from there.
    Interesting,
    /// The last one, whatever the verdicts are.
    #[cfg(feature = "cli")]
    Any,
}

/// The foresight of a search that makes these queries in order.
fn in_order<'f>(
    ahead: &'f mut dyn Iterator<Item = Query>,
    last: Last,
) -> impl FnMut(usize, &BTreeMap<u128, Verdict>, f64) -> Vec<Query> + 'f {
    let mut seen: Vec<Query> = Vec::new();
    move |count, known, _| {
        let mut foreseen = Vec::new();
        let mut next = 0;
        while foreseen.len() < count {
            if next == seen.len() {
                let Some(query) = ahead.next() else { break };
                seen.push(query);
            }
            match known.get(&seen[next].key) {
                Some(Verdict::Interesting) if last == Last::Interesting => break,
                Some(_) => {}
                None => foreseen.push(seen[next].clone()),
            }
            next += 1;
        }
        foreseen
    }
}

impl Asker for LimitedAsker<'_, '_> {
    fn begins(&mut self, original: &Contents) {
        self.memo.insert(contents::key(original), Verdict::Interesting);
    }

    fn verdict(&mut self, query: Query, ahead: &mut dyn Iterator<Item = Query>) -> Result<Verdict, Stop> {
        self.verdict_or_stop(&query, ahead, Last::Interesting)
    }

    fn refused(&mut self, pass: &'static str) {
        self.stats_of(pass).refused += 1;
    }

    fn accepted(
        &mut self,
        pass: &'static str,
        best: &Contents,
        before: Measure,
        now: Measure,
    ) -> Result<(), Stop> {
        self.stats_of(pass).count_accepted(before, now);
        let told = self.tell_best(Some(pass), best, now);
        self.or_stop(told)
    }
}
