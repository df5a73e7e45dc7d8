//! Second looks for a search that asks once for each candidate: does the test give the same answer again?
//!
//! The passes look for themselves (`engine/driver/looks.rs`). Delta debugging and generalization take each answer for the
//! truth, so a contradiction ends them, and they begin again with a test that repeats its runs (`oracle/repeated.rs`).

use crate::asker::LimitedAsker;
use crate::driver::Query;
use crate::error::UserError;
use crate::oracle::{Contents, Verdict};
use crate::run::{End, Stats};
use lopper_engine::asker::{Asker, Halt, Stop};
use lopper_languages::measure::Measure;
use std::iter::empty;

/// The number of verdicts from one look to the next.
const VERDICTS: usize = 32;

/// What there is to look at; see the module.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    /// The last interesting and the last boring candidate, and the number of runs on it.
    last: [Option<(Query, u32)>; 2],
    /// The verdicts since the last look.
    verdicts: usize,
    /// Which of the two is looked at next.
    next: usize,
    /// Whether a look has contradicted the first verdict.
    has_contradicted: bool,
}

impl Looks {
    /// The number of verdicts that leave room for the looks in so many runs.
    pub(crate) fn room(runs: usize) -> usize {
        runs.saturating_sub(runs / (VERDICTS + 1) + 2)
    }

    /// Whether a look has contradicted the first verdict: the test flickers.
    pub(crate) fn has_contradicted(&self) -> bool {
        self.has_contradicted
    }

    /// Learns a verdict; returns whether a look is due.
    fn learn(&mut self, query: &Query, verdict: Verdict) -> bool {
        let side = match verdict {
            Verdict::Interesting => 0,
            Verdict::Boring => 1,
            _ => return false,
        };
        self.last[side] = Some((query.clone(), 1));
        self.verdicts += 1;
        self.verdicts >= VERDICTS
    }

    /// The query for the next look, and whether the candidate was interesting.
    fn ask(&mut self) -> Option<(Query, bool)> {
        self.verdicts = 0;
        let side = self.next;
        self.next = 1 - side;
        let (query, runs) = self.last[side].as_mut()?;
        let again = query.clone().repeated(*runs);
        *runs += 1;
        Some((again, side == 0))
    }
}

/// An asker that looks again; without looks, just an asker.
pub(crate) struct Looking<'l, 't, 'a> {
    pub(crate) asker: LimitedAsker<'t, 'a>,
    pub(crate) looks: Option<&'l mut Looks>,
}

impl Looking<'_, '_, '_> {
    /// As [`LimitedAsker::verdict_of_many`].
    pub(crate) fn verdict_of_many(
        &mut self,
        query: &Query,
        ahead: &mut dyn Iterator<Item = Query>,
    ) -> Result<Verdict, Stop> {
        let verdict = self.asker.verdict_of_many(query, ahead)?;
        self.look_after(query, verdict)
    }

    /// Looks at the last interesting and the last boring candidate, at the end of a search.
    pub(crate) fn look_at_last(&mut self) -> Result<(), Stop> {
        self.look()?;
        self.look()
    }

    /// As [`LimitedAsker::ended`].
    pub(crate) fn ended(self, halt: Option<Halt>) -> (End, Stats) {
        self.asker.ended(halt)
    }

    fn look_after(&mut self, query: &Query, verdict: Verdict) -> Result<Verdict, Stop> {
        let is_due = self.looks.as_mut().is_some_and(|looks| looks.learn(query, verdict));
        if is_due {
            self.look()?;
        }
        Ok(verdict)
    }

    fn look(&mut self) -> Result<(), Stop> {
        let Some(looks) = self.looks.as_mut() else { return Ok(()) };
        let Some((query, was_interesting)) = looks.ask() else { return Ok(()) };
        let verdict = self.asker.verdict_of_many(&query, &mut empty())?;
        if was_interesting == (verdict == Verdict::Interesting) {
            return Ok(());
        }
        looks.has_contradicted = true;
        let error = UserError::bad_test("the test does not give the same answer each time");
        Err(self.asker.fail(error))
    }
}

impl Asker for Looking<'_, '_, '_> {
    fn begins(&mut self, original: &Contents) {
        self.asker.begins(original);
    }

    fn verdict(&mut self, query: Query, ahead: &mut dyn Iterator<Item = Query>) -> Result<Verdict, Stop> {
        let verdict = self.asker.verdict(query.clone(), ahead)?;
        self.look_after(&query, verdict)
    }

    fn refused(&mut self, pass: &'static str) {
        self.asker.refused(pass);
    }

    fn accepted(
        &mut self,
        pass: &'static str,
        best: &Contents,
        before: Measure,
        now: Measure,
    ) -> Result<(), Stop> {
        self.asker.accepted(pass, best, before, now)
    }
}
