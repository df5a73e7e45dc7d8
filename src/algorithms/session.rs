//! What an algorithm needs and owes: it asks here, and the limits, the memo and the listener are seen to.

use crate::driver::{PassStats, Query};
use crate::isolate::{Goal, Outcome as Said, dd_ahead};
use crate::oracle::contents::{base_of, contents_of, key};
use crate::oracle::memo::Memo;
use crate::oracle::{Contents, Verdict};
use crate::reduce::{Account, End, Event, Outcome};
use crate::workers::{FAR, Runner};
use lopper_languages::Parsed;
use lopper_languages::edit::{Edit, FileId};
use lopper_languages::measure::Measure;
use lopper_passes::{Base, Group, Unit, named};
use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

/// A run of an algorithm.
pub(crate) struct Session<'t, 'a> {
    name: &'static str,
    base: Base,
    best: Arc<Contents>,
    measure: Measure,
    runner: Runner<'t>,
    memo: Memo,
    stats: PassStats,
    account: Account<'a>,
}

impl<'t, 'a> Session<'t, 'a> {
    /// A run that starts from `base`, which the test accepts.
    pub(crate) fn new(name: &'static str, base: Base, runner: Runner<'t>, account: Account<'a>) -> Self {
        let best = contents_of(&base);
        let mut memo = Memo::default();
        memo.insert(key(&best), Verdict::Interesting);
        let (measure, best) = (base.measure(), Arc::new(best));
        Self { name, base, best, measure, runner, memo, stats: PassStats::default(), account }
    }

    /// The files as they were when the algorithm began, or began again.
    pub(crate) fn files(&self) -> Vec<(FileId, Arc<Parsed>)> {
        self.base.files().map(|(id, file)| (id, Arc::clone(file))).collect()
    }

    /// The best program so far.
    pub(crate) fn best(&self) -> Arc<Contents> {
        Arc::clone(&self.best)
    }

    /// Makes the best program the one to start from.
    pub(crate) fn parse_best(&mut self) {
        self.base = base_of(&self.best, &self.base);
    }

    /// Whether the test accepts the best program with this text for a file; the best one is replaced if
    /// it does and the new one is smaller. `ahead` are the texts that follow if it does not.
    ///
    /// # Errors
    /// Why the run is over.
    pub(crate) fn accepts(
        &mut self,
        file: FileId,
        text: Vec<u8>,
        ahead: &mut dyn Iterator<Item = Vec<u8>>,
    ) -> Result<bool, End> {
        self.account.may_go_on()?;
        let base = Arc::clone(self.base.file(file));
        let stays = self.account.options.stay_in_grammar;
        if stays && !is_grammatical(&base, &text) {
            self.stats.refused += 1;
            return Ok(false);
        }
        let ahead = ahead.filter(|text| !stays || is_grammatical(&base, text));
        self.stats.proposed += 1;
        let query = |text: Vec<u8>| {
            let mut contents = (*self.best).clone();
            contents[file as usize].content = Arc::new(text);
            Query::new(contents, self.name)
        };
        let wanted = query(text);
        let key = wanted.key;
        if let Some(verdict) = self.memo.get(key) {
            return Ok(verdict == Verdict::Interesting);
        }
        self.account.may_run(self.stats.runs)?;
        let known = self.account.known(key);
        let is_open = |query: &Query| !self.memo.knows(query.key) && self.account.known(query.key).is_none();
        let mut ahead = ahead.take(FAR).map(query).filter(is_open);
        let verdict = known.map_or_else(|| self.runner.verdict_before(&wanted, &mut ahead), Ok);
        let verdict = verdict.map_err(|fault| self.account.end(fault))?;
        self.memo.insert(key, verdict);
        self.stats.runs += 1;
        self.count();
        self.account.tested(Some(self.name), key, verdict, known.is_some())?;
        if verdict == Verdict::Interesting {
            self.keep(wanted.contents)?;
        }
        Ok(verdict == Verdict::Interesting)
    }

    /// Makes an accepted program the best one if it is smaller.
    fn keep(&mut self, contents: Contents) -> Result<(), End> {
        let lexes = self.base.files.iter().map(|file| file.language.lexis());
        let measures = contents.iter().zip(lexes).map(|(text, lexis)| Measure::of(text, lexis));
        let measure = measures.fold(Measure::default(), Measure::plus);
        if (measure, &contents) >= (self.measure, &self.best) {
            return Ok(());
        }
        self.stats.accepted += 1;
        self.stats.tokens += self.measure.tokens as i64 - measure.tokens as i64;
        self.stats.bytes += self.measure.bytes as i64 - measure.bytes as i64;
        (self.best, self.measure) = (Arc::new(contents), measure);
        let (pass, runs) = (Some(self.name), self.stats.runs);
        let event = Event::Accepted { pass, contents: &self.best, measure, runs };
        self.account.tell(&event)
    }

    /// As `accepts`, but for a text that the grammar refuses: that is not tested.
    ///
    /// # Errors
    /// Why the run is over.
    pub(crate) fn accepts_grammatical(
        &mut self,
        file: FileId,
        text: Vec<u8>,
        ahead: &mut dyn Iterator<Item = Vec<u8>>,
    ) -> Result<bool, End> {
        let base = Arc::clone(self.base.file(file));
        if is_grammatical(&base, &text) {
            let mut ahead = ahead.take(FAR).filter(|text| is_grammatical(&base, text));
            return self.accepts(file, text, &mut ahead);
        }
        self.stats.refused += 1;
        Ok(false)
    }

    /// The elements that stay when as many as possible go, by dd; `render` gives the file's text with
    /// some of them, or `None` if there is no such text. The text with all of them must be accepted.
    ///
    /// # Errors
    /// Why the run is over.
    pub(crate) fn least<T: Clone + Eq + Hash>(
        &mut self,
        file: FileId,
        elements: &[T],
        render: impl Fn(&[T]) -> Option<Vec<u8>>,
    ) -> Result<Vec<T>, End> {
        self.least_of(file, elements, render, false)
    }

    /// The same; `grammatical` if what the grammar refuses is not tested.
    fn least_of<T: Clone + Eq + Hash>(
        &mut self,
        file: FileId,
        elements: &[T],
        render: impl Fn(&[T]) -> Option<Vec<u8>>,
        grammatical: bool,
    ) -> Result<Vec<T>, End> {
        let accepts = if grammatical { Self::accepts_grammatical } else { Self::accepts };
        let test = |kept: &[T], ahead: &mut dyn Iterator<Item = Vec<T>>| {
            let mut ahead = ahead.filter_map(|kept| render(&kept));
            let accepted = render(kept).map(|text| accepts(self, file, text, &mut ahead)).transpose()?;
            Ok(if accepted == Some(true) { Said::Fail } else { Said::Unresolved })
        };
        dd_ahead::<T, End>(Goal::Min, elements, test).map(|triple| triple.failing)
    }

    /// White space becomes what a reader expects, as in a run without an algorithm, as far as the test accepts
    /// it. Only what the grammar accepts is tested.
    ///
    /// # Errors
    /// Why the run is over.
    pub(crate) fn tidy(&mut self) -> Result<(), End> {
        self.parse_best();
        let base = self.base.clone();
        let planned = named("white-space").map_or_else(Vec::new, |pass| (pass.plan)(&base));
        for (id, file) in base.files() {
            let is_of_file = |unit: &&Unit| matches!(unit, Unit::Blank { file, .. } if *file == id);
            let units = planned.iter().flat_map(|group| group.units()).filter(is_of_file).cloned();
            let group = Group::deletions(units.chain(edges(id, file)));
            let all: Vec<usize> = (0..group.units().len()).collect();
            let render = |kept: &[usize]| {
                let gone: Vec<usize> =
                    all.iter().copied().filter(|u| kept.binary_search(u).is_err()).collect();
                match &gone[..] {
                    [] => Some(file.text.clone()),
                    gone => Some(group.render(&base, gone).ok()?.apply(id, &file.text)),
                }
            };
            if !all.is_empty() {
                self.least_of(id, &all, render, true)?;
            }
        }
        Ok(())
    }

    /// What is left when the run is over.
    pub(crate) fn finish(mut self, end: End) -> Outcome {
        self.count();
        Outcome { contents: (*self.best).clone(), measure: self.measure, end, stats: self.account.stats }
    }

    /// Brings what is counted up to date.
    fn count(&mut self) {
        let stats = &mut self.account.stats;
        stats.runs = self.stats.runs;
        stats.memo_hits = self.memo.hits();
        stats.passes = vec![(self.name, self.stats)];
    }
}

/// The white space before the first token and behind the last one, but for one line end.
fn edges(id: FileId, file: &Parsed) -> Vec<Unit> {
    let text = &file.text;
    let first = file.tokens.first().map_or(text.len(), |token| token.range().start);
    let last = file.tokens.last().map_or(text.len(), |token| token.range().end);
    let last = last + usize::from(text.get(last) == Some(&b'\n'));
    let is_blank = |range: &Range<usize>| !range.is_empty() && text[range.clone()].trim_ascii().is_empty();
    let cut = |range: Range<usize>| Unit::Cut { file: id, range: range.start as u32..range.end as u32 };
    [0..first, last..text.len()].into_iter().filter(is_blank).map(cut).collect()
}

/// Whether the grammar finds no more wrong with the text than with the file. The part that differs is
/// read again, and as little as possible beside it.
fn is_grammatical(file: &Parsed, text: &[u8]) -> bool {
    let old = &file.text;
    let before = old.iter().zip(text).take_while(|(a, b)| a == b).count();
    let rests = old[before..].iter().rev().zip(text[before..].iter().rev());
    let after = rests.take_while(|(a, b)| a == b).count();
    let edit = Edit::replace(0, before..old.len() - after, text[before..text.len() - after].to_vec());
    file.language.reparse(file, &[edit], text) <= file.syntax.errors
}
