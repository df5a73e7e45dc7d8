//! A descent: the progress of an algorithm from a base to a smaller program. It keeps the best program, and
//! asks for verdicts.

use crate::asker::{Asker, FAR, Halt};
use crate::contents::{base_of, contents_of};
use crate::driver::Query;
use crate::isolate::{Goal, Outcome, dd_ahead};
use crate::{Contents, Verdict};
use lopper_languages::Parsed;
use lopper_languages::edit::{Edit, FileId};
use lopper_languages::measure::Measure;
use lopper_passes::{Base, Group, Unit, WHITE_SPACE};
use std::ops::Range;
use std::sync::Arc;

/// The state of an algorithm; see the module.
pub(super) struct Descent<'a> {
    /// The algorithm's name.
    name: &'static str,
    base: Base,
    best: Arc<Contents>,
    measure: Measure,
    /// Whether candidates that the grammar refuses are never tested.
    stays_in_grammar: bool,
    asker: &'a mut dyn Asker,
}

impl<'a> Descent<'a> {
    /// A descent from `base`, which the test accepts.
    pub(super) fn new(
        name: &'static str,
        base: Base,
        stays_in_grammar: bool,
        asker: &'a mut dyn Asker,
    ) -> Self {
        let (measure, best) = (base.measure(), Arc::new(contents_of(&base)));
        asker.begins(&best);
        Self { name, base, best, measure, stays_in_grammar, asker }
    }

    /// The files from which the algorithm, or its current repetition, started.
    pub(super) fn files(&self) -> Vec<(FileId, Arc<Parsed>)> {
        self.base.files().map(|(id, file)| (id, Arc::clone(file))).collect()
    }

    /// The best program so far.
    pub(super) fn best(&self) -> Arc<Contents> {
        Arc::clone(&self.best)
    }

    /// The measure of the best program so far.
    pub(super) fn measure(&self) -> Measure {
        self.measure
    }

    /// Parses the best program as the base for the next repetition.
    pub(super) fn parse_best(&mut self) {
        self.base = base_of(&self.best, &self.base);
    }

    /// Tests the best program with this text for a file; returns whether it is accepted. If it is also
    /// smaller, it becomes the best program. `ahead` gives the texts that follow if it is not accepted.
    ///
    /// # Errors
    /// If the run is over.
    pub(super) fn accepts(
        &mut self,
        file: FileId,
        text: Vec<u8>,
        ahead: &mut dyn Iterator<Item = Vec<u8>>,
    ) -> Result<bool, Halt> {
        let (base, stays) = (Arc::clone(self.base.file(file)), self.stays_in_grammar);
        if stays && !is_grammatical(&base, &text) {
            self.asker.refused(self.name);
            return Ok(false);
        }
        let ahead = ahead.take(FAR).filter(|text| !stays || is_grammatical(&base, text));
        let (best, name) = (Arc::clone(&self.best), self.name);
        let query = |text: Vec<u8>| {
            let mut contents = (*best).clone();
            contents[file as usize].content = Arc::new(text);
            Query::new(contents, name)
        };
        let wanted = query(text);
        let contents = wanted.contents.clone();
        let verdict = self.asker.verdict(wanted, &mut ahead.map(query))?;
        if verdict == Verdict::Interesting {
            self.keep(contents)?;
        }
        Ok(verdict == Verdict::Interesting)
    }

    /// Makes an accepted program the best one if it is smaller than that.
    fn keep(&mut self, contents: Contents) -> Result<(), Halt> {
        let lexes = self.base.files.iter().map(|file| file.language.lexis());
        let measures =
            contents.iter().zip(lexes).map(|(file, lexis)| Measure::of_file(&file.path, file, lexis));
        let measure = measures.fold(Measure::default(), Measure::plus);
        if (measure, &contents) >= (self.measure, &self.best) {
            return Ok(());
        }
        let before = std::mem::replace(&mut self.measure, measure);
        self.best = Arc::new(contents);
        Ok(self.asker.accepted(self.name, &self.best, before, measure)?)
    }

    /// As `accepts`, but never tests a text that the grammar refuses.
    ///
    /// # Errors
    /// If the run is over.
    pub(super) fn accepts_grammatical(
        &mut self,
        file: FileId,
        text: Vec<u8>,
        ahead: &mut dyn Iterator<Item = Vec<u8>>,
    ) -> Result<bool, Halt> {
        let base = Arc::clone(self.base.file(file));
        if is_grammatical(&base, &text) {
            let mut ahead = ahead.take(FAR).filter(|text| is_grammatical(&base, text));
            return self.accepts(file, text, &mut ahead);
        }
        self.asker.refused(self.name);
        Ok(false)
    }

    /// Minimises a list of elements by dd. `render` gives the file's text with some of them, or `None` if
    /// there is no such text. The text with all of them must be accepted.
    ///
    /// # Errors
    /// If the run is over.
    pub(super) fn least<T: Clone + Ord>(
        &mut self,
        file: FileId,
        elements: &[T],
        render: impl Fn(&[T]) -> Option<Vec<u8>>,
    ) -> Result<Vec<T>, Halt> {
        self.least_of(file, elements, render, false)
    }

    /// As `least`; with `grammatical`, never tests a text that the grammar refuses.
    fn least_of<T: Clone + Ord>(
        &mut self,
        file: FileId,
        elements: &[T],
        render: impl Fn(&[T]) -> Option<Vec<u8>>,
        grammatical: bool,
    ) -> Result<Vec<T>, Halt> {
        let accepts = if grammatical { Self::accepts_grammatical } else { Self::accepts };
        let test = |kept: &[T], ahead: &mut dyn Iterator<Item = Vec<T>>| {
            let mut ahead = ahead.filter_map(|kept| render(&kept));
            let accepted = render(kept).map(|text| accepts(self, file, text, &mut ahead)).transpose()?;
            Ok(if accepted == Some(true) { Outcome::Fail } else { Outcome::Unresolved })
        };
        dd_ahead::<T, Halt>(Goal::Min, elements, test).map(|triple| triple.failing)
    }

    /// Normalises white space, as in a run without an algorithm, as far as the test accepts it. Never tests a
    /// text that the grammar refuses.
    ///
    /// # Errors
    /// If the run is over.
    pub(super) fn tidy(&mut self) -> Result<(), Halt> {
        self.parse_best();
        let base = self.base.clone();
        let planned = (WHITE_SPACE.plan)(&base);
        for (id, file) in base.files() {
            let is_of_file = |unit: &&Unit| matches!(unit, Unit::Blank { file, .. } if *file == id);
            let units = planned.iter().flat_map(|group| group.units()).filter(is_of_file).cloned();
            let group = Group::deletions(units.chain(edges(id, file)));
            let all: Vec<usize> = (0..group.units().len()).collect();
            let render = |kept: &[usize]| {
                let gone: Vec<usize> =
                    all.iter().copied().filter(|u| kept.binary_search(u).is_err()).collect();
                match &gone[..] {
                    [] => Some(file.text.to_vec()),
                    gone => Some(group.render(&base, gone).ok()?.apply(id, &file.text)),
                }
            };
            if !all.is_empty() {
                self.least_of(id, &all, render, true)?;
            }
        }
        Ok(())
    }
}

/// Units that delete the white space before the first token and after the last one, except for one line end.
fn edges(id: FileId, file: &Parsed) -> Vec<Unit> {
    let text = &file.text;
    let first = file.tokens().first().map_or(text.len(), |token| token.range().start);
    let last = file.tokens().last().map_or(text.len(), |token| token.range().end);
    let last = last + usize::from(text.get(last) == Some(&b'\n'));
    let is_blank = |range: &Range<usize>| !range.is_empty() && text[range.clone()].trim_ascii().is_empty();
    let cut = |range: Range<usize>| Unit::Cut { file: id, range: range.start as u32..range.end as u32 };
    [0..first, last..text.len()].into_iter().filter(is_blank).map(cut).collect()
}

/// Whether the grammar finds no more errors in the text than in the file. Only the part that differs, and as
/// little as possible around it, is parsed again.
fn is_grammatical(file: &Parsed, text: &[u8]) -> bool {
    let old = &file.text;
    let before = old.iter().zip(text).take_while(|(a, b)| a == b).count();
    let rests = old[before..].iter().rev().zip(text[before..].iter().rev());
    let after = rests.take_while(|(a, b)| a == b).count();
    let edit = Edit::replace(0, before..old.len() - after, text[before..text.len() - after].to_vec());
    file.language.reparse(file, &[edit]) <= file.syntax().errors
}
