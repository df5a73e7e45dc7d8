//! The loop: schedule a pass, search its groups, commit what the test accepts, until nothing changes.

use crate::error::UserError;
use crate::oracle::memo::{self, Memo};
use crate::oracle::{Contents, Fault, Test, Verdict};
use crate::schedule::{BaseId, Filter, Schedule, worth};
use crate::search::{Ddmin, Halving, Outline, Search};
use lopper_languages::Parsed;
use lopper_languages::edit::Candidate;
use lopper_languages::measure::Measure;
use lopper_passes::{Base, Group, Pass};
use rayon::prelude::*;
use std::collections::HashSet;
use std::hash::Hasher;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;
use xxhash_rust::xxh3::Xxh3;

/// Which search decides what to test next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchKind {
    /// [`Halving`].
    #[default]
    Halving,
    /// [`Ddmin`], after one attempt to take all units at once.
    Ddmin,
}

/// What a reduction may use and how long it may take.
#[derive(Clone, Debug)]
pub struct Options {
    /// The passes, in the order of the registry.
    pub passes: Vec<&'static Pass>,
    /// The search.
    pub search: SearchKind,
    /// How many runs of the test there may be.
    pub max_tests: Option<usize>,
    /// When to stop.
    pub deadline: Option<Instant>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            passes: lopper_passes::PASSES.iter().collect(),
            search: SearchKind::default(),
            max_tests: None,
            deadline: None,
        }
    }
}

/// What a pass did in a whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassStats {
    /// Candidates that were proposed.
    pub proposed: usize,
    /// Candidates that the grammar refused.
    pub refused: usize,
    /// Runs of the test.
    pub runs: usize,
    /// Candidates that became the best.
    pub accepted: usize,
    /// Tokens and bytes that it took away; negative if it traded one for the other.
    pub tokens: i64,
    /// See `tokens`.
    pub bytes: i64,
}

/// What happened in a whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Runs of the test, those before the reduction not included.
    pub runs: usize,
    /// Candidates whose verdict was known.
    pub memo_hits: usize,
    /// Verdicts other than `Interesting` and `Boring`.
    pub invalid: usize,
    /// See `invalid`.
    pub timed_out: usize,
    /// By pass, in the order of the options.
    pub passes: Vec<(&'static str, PassStats)>,
}

/// Why a reduction ended.
#[derive(Clone, Debug)]
pub enum End {
    /// No pass finds anything more.
    Fixpoint,
    /// The runs that were allowed are used up.
    Tests,
    /// The time is over.
    Time,
    /// The user stopped it.
    Interrupted,
    /// The test or the disk failed.
    Broken(UserError),
}

/// What happens while a reduction runs.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The test has run.
    Tested {
        /// The pass that proposed the candidate.
        pass: &'static str,
        /// What the test said.
        verdict: Verdict,
        /// Runs so far.
        runs: usize,
    },
    /// A candidate is the best now.
    Accepted {
        /// The pass that proposed it.
        pass: &'static str,
        /// Its files.
        contents: &'a Contents,
        /// Its measure.
        measure: Measure,
        /// Runs so far.
        runs: usize,
    },
    /// A pass failed in a way that is our fault.
    Bug {
        /// The pass.
        pass: &'static str,
        /// What it said.
        message: String,
    },
}

/// Hears of events. What it answers to `Accepted` decides whether the reduction may go on: the best
/// candidate must be safe before anything else happens.
pub type Listener<'a> = dyn FnMut(&Event) -> Result<(), UserError> + 'a;

/// What is left when a reduction has ended.
#[derive(Debug)]
pub struct Outcome {
    /// The best candidate's files.
    pub contents: Contents,
    /// Their measure.
    pub measure: Measure,
    /// Why it ended.
    pub end: End,
    /// What happened.
    pub stats: Stats,
}

/// Reduces `base`, which the test must accept. Sequential and deterministic: the candidates depend on
/// the base, the options and the verdicts only.
pub fn reduce(base: Base, test: &dyn Test, options: &Options, listener: &mut Listener) -> Outcome {
    let contents: Contents = base.files.iter().map(|f| Arc::new(f.text.clone())).collect();
    let mut memo = Memo::default();
    memo.insert(memo::key(&contents), Verdict::Interesting);
    let mut reduction = Reduction {
        measure: base.measure(),
        base: Arc::new(base),
        id: 0,
        best: contents,
        test,
        options,
        listener,
        memo,
        failed: HashSet::new(),
        stats: Stats {
            passes: options.passes.iter().map(|p| (p.name, PassStats::default())).collect(),
            ..Stats::default()
        },
    };
    let end = reduction.run().err().unwrap_or(End::Fixpoint);
    reduction.stats.memo_hits = reduction.memo.hits();
    Outcome { contents: reduction.best, measure: reduction.measure, end, stats: reduction.stats }
}

struct Reduction<'a> {
    /// What passes plan against; behind `best` while a group is searched.
    base: Arc<Base>,
    id: BaseId,
    best: Contents,
    measure: Measure,
    test: &'a dyn Test,
    options: &'a Options,
    listener: &'a mut Listener<'a>,
    memo: Memo,
    /// Units that failed in this sweep, by what they change and what stands beside it.
    failed: HashSet<u64>,
    stats: Stats,
}

/// A pass at work.
#[derive(Clone, Copy)]
struct Turn {
    pass: &'static Pass,
    index: usize,
    filter: Filter,
}

impl Reduction<'_> {
    /// Sweeps until one commits nothing.
    fn run(&mut self) -> Result<(), End> {
        let mut schedule = Schedule::new(self.options.passes.len());
        loop {
            let before = self.id;
            self.failed.clear();
            schedule.new_sweep();
            while let Some((index, filter)) = schedule.next(self.id, &self.measure) {
                let turn = Turn { pass: self.options.passes[index], index, filter };
                let (id, worth_before, runs) = (self.id, worth(&self.measure), self.stats.runs);
                self.run_pass(turn)?;
                let left = (self.id == id).then_some(id);
                let gain = worth_before - worth(&self.measure);
                schedule.record(index, filter, left, gain, self.stats.runs - runs);
            }
            if self.id == before {
                return Ok(());
            }
        }
    }

    /// Runs a pass once over its groups. After a commit it plans again and goes on with the next group.
    fn run_pass(&mut self, turn: Turn) -> Result<(), End> {
        let mut cursor = 0;
        loop {
            let base = Arc::clone(&self.base);
            let id = self.id;
            let groups = guarded(|| (turn.pass.plan)(&base));
            let groups = self.or_bug(turn, groups)?.unwrap_or_default();
            for group in groups.iter().skip(cursor) {
                cursor += 1;
                self.search(turn, &base, group)?;
                if self.id != id {
                    break;
                }
            }
            if self.id == id {
                return Ok(());
            }
        }
    }

    /// Searches one group and commits what was accepted.
    fn search(&mut self, turn: Turn, base: &Base, group: &Group) -> Result<(), End> {
        let units = self.worth_asking(turn, base, group)?;
        if units.is_empty() {
            return Ok(());
        }
        let count = group.units().len();
        let mut search: Box<dyn Search> = match self.options.search {
            SearchKind::Halving => {
                let outline = Outline {
                    choices: (0..count).map(|unit| group.choice(unit)).collect(),
                    weights: (0..count).map(|unit| group.weight(base, unit)).collect(),
                    chance: self.chance(turn),
                };
                Box::new(Halving::new(outline, units))
            }
            SearchKind::Ddmin => Box::new(Ddmin::new(count)),
        };
        let mut taken: Vec<usize> = Vec::new();
        while let Some(wanted) = search.next() {
            let accepted = self.ask(turn, base, group, &wanted)?;
            if accepted {
                taken = wanted;
            } else if let [unit] = newly(&taken, &wanted)[..] {
                self.failed.insert(signature(turn, base, group, unit));
            }
            search.learn(accepted);
        }
        if !taken.is_empty() {
            self.commit();
        }
        Ok(())
    }

    /// How likely a unit of this pass is to be accepted: what it saw so far, and at first boldly.
    fn chance(&self, turn: Turn) -> f64 {
        let stats = &self.stats.passes[turn.index].1;
        if turn.filter == Filter::Off {
            return 0.1;
        }
        (stats.accepted as f64 + 20.0) / (stats.runs as f64 + 20.1)
    }

    /// The units that did not fail in this sweep and, in a group of doubtful ones, that the grammar
    /// accepts one by one (or, with the filter off, refuses).
    fn worth_asking(&mut self, turn: Turn, base: &Base, group: &Group) -> Result<Vec<usize>, End> {
        let failed = &self.failed;
        let look = group.is_doubtful() || turn.filter == Filter::Off;
        let fits = |unit: &usize| {
            if failed.contains(&signature(turn, base, group, *unit)) {
                return false;
            }
            if !look {
                return true;
            }
            let Ok(candidate) = group.render(base, &[*unit]) else { return false };
            let texts = changed_texts(base, &candidate);
            is_grammatical(base, &candidate, &texts) == (turn.filter == Filter::On)
        };
        let units: Vec<usize> = (0..group.units().len()).collect();
        let fitting = guarded(|| units.into_par_iter().filter(fits).collect::<Vec<_>>());
        let fitting = self.or_bug(turn, fitting)?.unwrap_or_default();
        if look {
            let stats = &mut self.stats.passes[turn.index].1;
            stats.refused += group.units().len() - fitting.len();
        }
        Ok(fitting)
    }

    /// Whether the candidate that takes these units is below the best one, grammatical (if that is
    /// asked for) and interesting. If so it is the best one now.
    fn ask(&mut self, turn: Turn, base: &Base, group: &Group, units: &[usize]) -> Result<bool, End> {
        self.stats.passes[turn.index].1.proposed += 1;
        let rendered = guarded(|| {
            let candidate = group.render(base, units).ok()?;
            let texts = changed_texts(base, &candidate);
            Some((candidate, texts))
        });
        let rendered = self.or_bug(turn, rendered)?.flatten();
        let Some((candidate, texts)) = rendered else { return Ok(false) };
        let Some((contents, measure)) = self.below_best(base, texts.clone()) else { return Ok(false) };
        let key = memo::key(&contents);
        let verdict = match self.memo.get(key) {
            Some(verdict) => verdict,
            None => {
                if turn.filter == Filter::On && !is_grammatical(base, &candidate, &texts) {
                    self.stats.passes[turn.index].1.refused += 1;
                    return Ok(false);
                }
                let verdict = self.test(turn, &contents)?;
                self.memo.insert(key, verdict);
                verdict
            }
        };
        if verdict == Verdict::Interesting {
            self.accept(turn, contents, measure)?;
        }
        Ok(verdict == Verdict::Interesting)
    }

    /// The files and the measure of a candidate, if it is below the best one.
    fn below_best(&self, base: &Base, texts: Vec<(u32, Vec<u8>)>) -> Option<(Contents, Measure)> {
        let mut contents: Contents = Vec::with_capacity(base.files.len());
        let mut measure = Measure::default();
        let mut texts = texts.into_iter().peekable();
        for (id, file) in base.files() {
            match texts.next_if(|(changed, _)| *changed == id) {
                Some((_, text)) => {
                    measure = measure.plus(Measure::of(&text, file.language.lexis()));
                    contents.push(Arc::new(text));
                }
                None => {
                    measure = measure.plus(file.measure());
                    contents.push(Arc::new(file.text.clone()));
                }
            }
        }
        let below = (measure, &contents) < (self.measure, &self.best);
        below.then_some((contents, measure))
    }

    fn test(&mut self, turn: Turn, contents: &Contents) -> Result<Verdict, End> {
        if self.options.max_tests.is_some_and(|max| self.stats.runs >= max) {
            return Err(End::Tests);
        }
        if self.options.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(End::Time);
        }
        let verdict = self.test.run(contents).map_err(|fault| match fault {
            Fault::Interrupted => End::Interrupted,
            Fault::Broken(error) => End::Broken(error),
        })?;
        self.stats.runs += 1;
        self.stats.passes[turn.index].1.runs += 1;
        self.stats.invalid += usize::from(verdict == Verdict::Invalid);
        self.stats.timed_out += usize::from(verdict == Verdict::TimedOut);
        let runs = self.stats.runs;
        self.tell(&Event::Tested { pass: turn.pass.name, verdict, runs })?;
        Ok(verdict)
    }

    fn accept(&mut self, turn: Turn, contents: Contents, measure: Measure) -> Result<(), End> {
        let stats = &mut self.stats.passes[turn.index].1;
        stats.accepted += 1;
        stats.tokens += difference(self.measure.tokens, measure.tokens);
        stats.bytes += difference(self.measure.bytes, measure.bytes);
        self.measure = measure;
        self.best = contents;
        let (contents, runs) = (self.best.clone(), self.stats.runs);
        self.tell(&Event::Accepted { pass: turn.pass.name, contents: &contents, measure, runs })
    }

    /// The best candidate becomes the base: parsed anew, since the error recovery of a reparse may
    /// differ from that of a parse.
    fn commit(&mut self) {
        let parse = |(file, text): (&Arc<Parsed>, &Arc<Vec<u8>>)| {
            if file.text == **text {
                Arc::clone(file)
            } else {
                Arc::new(Parsed::new(file.language, text.to_vec()))
            }
        };
        let files = self.base.files.iter().zip(&self.best).map(parse).collect();
        self.base = Arc::new(Base { files });
        self.id += 1;
    }

    fn tell(&mut self, event: &Event) -> Result<(), End> {
        (self.listener)(event).map_err(End::Broken)
    }

    /// What a part of a pass came to; if it panicked, that is told and costs only this part.
    fn or_bug<T>(&mut self, turn: Turn, result: Result<T, String>) -> Result<Option<T>, End> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(message) => {
                self.tell(&Event::Bug { pass: turn.pass.name, message })?;
                Ok(None)
            }
        }
    }
}

/// Runs a part of a pass; a panic becomes its message.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        text.unwrap_or_else(|| "no message".to_owned())
    })
}

fn difference(before: usize, after: usize) -> i64 {
    before as i64 - after as i64
}

/// What of `wanted` was not yet taken; both are sorted.
fn newly(taken: &[usize], wanted: &[usize]) -> Vec<usize> {
    wanted.iter().copied().filter(|unit| taken.binary_search(unit).is_err()).collect()
}

/// The files that a candidate changes, with their new texts.
fn changed_texts(base: &Base, candidate: &Candidate) -> Vec<(u32, Vec<u8>)> {
    let changed = base.files().filter(|(id, _)| !candidate.edits_of(*id).is_empty());
    changed.map(|(id, file)| (id, candidate.apply(id, &file.text))).collect()
}

/// Whether the grammar finds no more wrong with the candidate than with the base.
fn is_grammatical(base: &Base, candidate: &Candidate, texts: &[(u32, Vec<u8>)]) -> bool {
    texts.iter().all(|(id, text)| {
        let file = base.file(*id);
        file.language.reparse(file, candidate.edits_of(*id), text) <= file.syntax.errors
    })
}

/// What a unit changes and the tokens beside it, as a hash: where this comes again, the answer of the
/// test is likely to be the same.
fn signature(turn: Turn, base: &Base, group: &Group, unit: usize) -> u64 {
    let mut hash = Xxh3::new();
    hash.write_usize(turn.index);
    hash.write_u8(turn.filter as u8);
    if let Ok(candidate) = group.render(base, &[unit]) {
        for edit in candidate.edits() {
            let file = base.file(edit.file);
            let before = file.tokens.partition_point(|t| (t.end as usize) <= edit.start);
            let after = file.tokens.partition_point(|t| (t.start as usize) < edit.end);
            let token = |i: usize| file.tokens.get(i).map_or(&b""[..], |t| &file.text[t.range()]);
            let beside = [before.checked_sub(1).map_or(&b""[..], token), token(after)];
            for part in [beside[0], &file.text[edit.start..edit.end], &edit.text, beside[1]] {
                hash.write_usize(part.len());
                hash.update(part);
            }
        }
    }
    hash.finish()
}
