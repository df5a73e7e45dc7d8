//! Escape: a bounded search for programs that no single step reaches.
//!
//! At the fixpoint each unit of each pass fails by itself. Which program that is depends on luck: on which of two
//! interesting candidates came first. Five things are independent of that luck. A unit that failed on an earlier base may
//! succeed on this one, since something far from it has changed. Two units may succeed together, and
//! those that concern the same name, or lie side by side, are the likeliest. A token may stand for another one without harm, which
//! makes what only the other one needs deletable; so may the shortest text that a sample of the language has for a whole node.
//! And the reduction can be repeated from an earlier program, with everything in the opposite order: what is known by then
//! costs no run.

use super::branch::{Origin, Pumping};
use super::candidate::{Prepared, prepare};
use super::trust::Entry;
use super::{Asked, Driver, ESCAPE, PassStats, Purpose, Query, Reply};
use crate::Verdict;
use crate::effort::Effort;
use crate::index::PassIndex;
use crate::layered::Layered;
use crate::schedule::{BaseId, Stage};
use lopper_languages::edit::Edit;
use lopper_languages::lexer::TokenKind;
use lopper_languages::measure::Measure;
use lopper_languages::shortest_texts::shortest_texts;
use lopper_languages::tree::NodeId;
use lopper_passes::{Base, File, Grain, Group, Pass, Unit};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// The progress of the escape.
#[derive(Clone, Default)]
pub(super) struct Escape {
    pub(super) effort: Effort,
    /// Whether the user has asked to go on without it.
    pub(super) is_over: bool,
    /// All runs for it.
    runs: usize,
    /// The runs since the last success.
    in_vain: usize,
    /// A base, the ways out to be tried on it, and the index of the next one.
    due: Option<(BaseId, Arc<Vec<Try>>, usize)>,
    /// The numbers of tokens of the programs from which the reduction was repeated.
    repeated: BTreeSet<usize>,
    pub(super) stats: PassStats,
}

/// A way out of a local minimum.
#[derive(Clone)]
enum Try {
    /// A unit of a group of a pass, by their indices.
    One(PassIndex, usize, usize),
    /// Two units at once, the first one of this pass.
    Pair(PassIndex, [Unit; 2]),
    /// A token in the place of another one, or the shortest text of its kind in the place of a node.
    Exchange(Box<Unit>),
    /// The reduction repeated from an earlier program.
    Repeat(Entry),
}

/// The reduction is repeated from the first programs that are this many times as large as the result.
const REPEATED_AT: [usize; 3] = [2, 4, 8];
/// The number of units that are tried by themselves: those that come first in the order of the passes.
const SINGLE: usize = 4_000;
/// The number of single units that are paired with each other: those that come first in the order of the passes.
const PAIRED: usize = 600;
/// The number of pairs that are tried on a base: the closest ones.
const PAIRS: usize = 400;
/// The number of tokens up to which a program's tokens are exchanged for others.
const EXCHANGED: usize = 256;
/// The number of tokens between two units that lie side by side.
const NEAR: usize = 3;

impl Escape {
    /// Keeps what is due on a base that gets another number.
    pub(super) fn renumber(&mut self, before: BaseId, now: BaseId) {
        if let Some((base, ..)) = self.due.as_mut().filter(|(base, ..)| *base == before) {
            *base = now;
        }
    }
}

impl Driver {
    /// Tries the next way out; `false` if the stage is another one, if none is left, or if the effort does not allow
    /// more runs.
    pub(super) fn try_escape(&mut self) -> bool {
        if self.schedule.stage() != Stage::Escape {
            return false;
        }
        if self.escape.is_over || self.escape_budget() == 0 {
            return false;
        }
        match self.next_try() {
            None => return false,
            Some(Try::Repeat(entry)) => {
                self.escape.repeated.insert(entry.measure.tokens);
                self.repeat(entry);
            }
            Some(units) => self.try_units(&units),
        }
        true
    }

    /// The number of runs that the escape may still use.
    fn escape_budget(&self) -> usize {
        let Escape { effort, runs, in_vain, .. } = self.escape;
        effort.budget(self.measure.tokens, runs, in_vain, self.runs.saturating_sub(runs))
    }

    fn next_try(&mut self) -> Option<Try> {
        if self.escape.due.as_ref().is_none_or(|(base, ..)| *base != self.id) {
            let mut tries = self.singles();
            if self.escape.effort == Effort::High && self.measure.tokens <= EXCHANGED {
                tries.extend(self.shortest_nodes());
                tries.extend(self.exchanges());
            }
            tries.extend(self.pairs());
            tries.extend(self.earlier().into_iter().map(Try::Repeat));
            self.escape.due = Some((self.id, Arc::new(tries), 0));
        }
        let (_, tries, next) = self.escape.due.as_mut()?;
        *next += 1;
        tries.get(*next - 1).cloned()
    }

    /// The programs from which the reduction is repeated, the smallest first.
    fn earlier(&self) -> Vec<Entry> {
        let now = self.measure.tokens;
        let at_least = |tokens: usize| {
            let entries = self.trust.history.iter().rev();
            entries.filter(|entry| entry.measure.tokens >= tokens).min_by_key(|entry| entry.measure.tokens)
        };
        let mut entries: Vec<Entry> =
            REPEATED_AT.iter().filter_map(|times| at_least(now * times)).cloned().collect();
        entries.dedup_by_key(|entry| entry.measure.tokens);
        entries.retain(|entry| !self.escape.repeated.contains(&entry.measure.tokens));
        entries
    }

    /// Repeats the reduction from an earlier program, with groups and units in the opposite order.
    fn repeat(&mut self, entry: Entry) {
        let schedule = self.schedule.of_repetition(&self.passes, &entry.measure);
        let mut driver = self.from(entry.contents, entry.measure, schedule);
        driver.is_reversed = !self.is_reversed;
        driver.pumping = Pumping::default();
        // What failed in smaller programs may succeed in this one.
        driver.failed = Layered::default();
        self.open_branch(driver, Origin::Escape, self.escape_budget());
    }

    fn try_units(&mut self, units: &Try) {
        let Some(prepared) = self.way_out(units) else { return };
        match self.remembered(prepared.key) {
            Some(verdict) => drop(self.learn_way_out(prepared, verdict)),
            None => {
                let query = self.repeated(prepared.query(ESCAPE, 0.1));
                self.asked = Some(Asked { query, purpose: Purpose::WayOut(prepared) });
            }
        }
    }

    /// The candidate of one unit, or of two at once, if it is worth a run: smaller than the trunk, and not known to be boring.
    fn way_out(&self, units: &Try) -> Option<Prepared> {
        let base = &self.base;
        let prepared = match units {
            Try::One(pass, group, unit) => {
                let plan = self.plan(*pass);
                let group = plan.get(*group)?;
                self.guarded(*pass, || prepare(base, group, &[*unit]))
            }
            Try::Pair(pass, units) => {
                self.guarded(*pass, || prepare(base, &Group::deletions(units.clone()), &[0, 1]))
            }
            Try::Exchange(unit) => Some(prepare(base, &Group::deletions([Unit::clone(unit)]), &[0])),
            Try::Repeat(_) => None,
        };
        let is_exchange = matches!(units, Try::Exchange(_));
        prepared.flatten().filter(|prepared| {
            let is_below = || prepared.is_below(self.measure, &self.best, self.goal);
            prepared.grammatical
                && (self.is_smaller(&prepared.measure) || is_exchange && is_below())
                && self.protected.is_kept(&prepared.contents)
                && !self.has_boring_words(prepared)
                && !self.is_hopeless(prepared)
        })
    }

    /// Learns the verdict on units of the escape.
    pub(super) fn learn_way_out(&mut self, prepared: Prepared, verdict: Verdict) -> Reply {
        if verdict != Verdict::Interesting {
            // A candidate with as many tokens may have the words of the trunk itself.
            if prepared.measure.tokens < self.measure.tokens {
                self.boring_words.insert(prepared.words, ());
            }
            return Reply::Same;
        }
        self.count_escaped(self.measure, prepared.measure);
        self.accept(ESCAPE, prepared.contents, prepared.measure);
        self.commit();
        self.schedule.landed();
        self.better()
    }

    /// The queries for the next units, which are certain if none of them succeeds.
    pub(super) fn escape_ahead(&self, count: usize) -> Vec<Query> {
        let Some((base, tries, next)) = &self.escape.due else { return Vec::new() };
        if *base != self.id {
            return Vec::new();
        }
        let units = tries.iter().skip(*next).take_while(|next| !matches!(next, Try::Repeat(_)));
        // Most of them need no run; to look through all of them would cost more than a run does.
        let prepared = units.take(4 * count).filter_map(|units| self.way_out(units));
        let open = prepared.filter(|prepared| !self.memo.knows(prepared.key));
        open.take(count).map(|prepared| prepared.query(ESCAPE, 0.1)).collect()
    }

    /// Counts a run for the escape.
    pub(super) fn count_escape_run(&mut self) {
        self.escape.runs += 1;
        self.escape.in_vain += 1;
        self.escape.stats.proposed += 1;
        self.escape.stats.runs += 1;
    }

    /// Counts a smaller program that the escape has found.
    pub(super) fn count_escaped(&mut self, before: Measure, after: Measure) {
        // Another program of the same size is only a beginning.
        if after.tokens < before.tokens {
            self.escape.in_vain = 0;
        }
        self.escape.stats.count_accepted(before, after);
    }

    /// The units of all passes that delete or replace something. Those that failed on this base cost no run.
    fn singles(&self) -> Vec<Try> {
        let mut singles = Vec::new();
        for pass in self.single_steps() {
            let plan = self.plan(pass);
            let groups = plan.iter().enumerate().filter(|(_, group)| !group.is_beyond_grammar());
            let units =
                groups.flat_map(|(number, group)| (0..group.units().len()).map(move |unit| (number, unit)));
            singles
                .extend(units.map(|(group, unit)| Try::One(pass, group, unit)).take(SINGLE - singles.len()));
        }
        singles
    }

    /// The passes whose units are steps of their own: the others enlarge the program, or rename.
    fn single_steps(&self) -> impl Iterator<Item = PassIndex> {
        let is_step = |pass: &Pass| !pass.pump && !matches!(pass.grain, Grain::Finish | Grain::Branch);
        (0..self.passes.len()).map(PassIndex).filter(move |&index| is_step(self.pass(index)))
    }

    /// Pairs of units that failed by themselves, the closest ones first. Quadratic in [`PAIRED`].
    fn pairs(&self) -> Vec<Try> {
        let touched = self.touched();
        let occurrences = occurrences(&self.base);
        let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
        for (first, (.., one)) in touched.iter().enumerate() {
            for (second, (.., other)) in touched.iter().enumerate().skip(first + 1) {
                pairs.extend(one.distance(other, &occurrences).map(|distance| (distance, first, second)));
            }
        }
        pairs.sort_unstable();
        pairs.truncate(PAIRS);
        let pair = |(_, one, other): (usize, usize, usize)| {
            let ((pass, one, _), (_, other, _)) = (&touched[one], &touched[other]);
            Try::Pair(*pass, [one.clone(), other.clone()])
        };
        pairs.into_iter().map(pair).collect()
    }

    /// Each token in the place of each other one of its kind that comes before it in the order of lengths and bytes, so that the
    /// exchanges come to an end. Quadratic in [`EXCHANGED`].
    fn exchanges(&self) -> Vec<Try> {
        let mut texts: BTreeSet<(TokenKind, usize, &[u8])> = BTreeSet::new();
        for (_, file) in self.base.files() {
            let all = file
                .tokens()
                .iter()
                .map(|token| (token.kind, token.range().len(), &file.text[token.range()]));
            texts.extend(all);
        }
        let mut exchanges = Vec::new();
        for (id, file) in self.base.files() {
            for token in file.tokens() {
                let (kind, range) = (token.kind, token.range());
                let own = (kind, range.len(), &file.text[range]);
                let others = texts.range((kind, 0, &[][..])..own);
                exchanges.extend(others.map(|(.., text)| {
                    let range = token.start..token.end;
                    Try::Exchange(Box::new(Unit::Write { file: id, range, text: text.to_vec() }))
                }));
            }
        }
        exchanges
    }

    /// Each node as the shortest text of its kind that a sample of its language has, the largest nodes first.
    fn shortest_nodes(&self) -> Vec<Try> {
        let mut shorter = Vec::new();
        for (id, parsed) in self.base.files() {
            let (file, shortest) = (File { id, parsed }, shortest_texts(parsed.language));
            for node in file.nodes().filter(|&node| node != NodeId::ROOT) {
                let own = file.tokens_in(file.range(node)).len();
                if let Some((_, text)) = shortest.get(&file.kind(node)).filter(|(least, _)| *least < own) {
                    let unit = file.write(file.range(node), text.clone());
                    shorter.push((Reverse(own), Try::Exchange(Box::new(unit))));
                }
            }
        }
        shorter.sort_by_key(|(tokens, _)| *tokens);
        shorter.into_iter().map(|(_, shorter)| shorter).collect()
    }

    /// The first units of the passes that delete or replace something, each edit once, with what they change.
    fn touched(&self) -> Vec<(PassIndex, Unit, Touched)> {
        let base = &*self.base;
        let mut seen = BTreeSet::new();
        let mut touched = Vec::new();
        for index in self.single_steps() {
            for group in self.plan(index).iter().filter(|group| !group.is_beyond_grammar()) {
                for (number, unit) in group.units().iter().enumerate() {
                    if touched.len() >= PAIRED {
                        return touched;
                    }
                    let found = self.guarded(index, || Touched::by(base, group, number)).flatten();
                    if let Some(found) = found.filter(|found| seen.insert(found.edits.clone())) {
                        touched.push((index, unit.clone(), found));
                    }
                }
            }
        }
        touched
    }
}

/// What a unit changes.
struct Touched {
    /// The edits: units of different passes may make the same ones.
    edits: Vec<Edit>,
    /// The indices of the tokens that it changes, in the file of the first edit.
    tokens: Range<usize>,
    /// The words that it deletes.
    words: BTreeSet<Vec<u8>>,
}

impl Touched {
    /// What a unit of a group changes; `None` if it cannot be rendered.
    fn by(base: &Base, group: &Group, unit: usize) -> Option<Self> {
        let candidate = group.render(base, &[unit]).ok()?;
        let first = candidate.edits().first()?;
        let last = candidate.edits_of(first.file).last()?;
        let tokens = base.file(first.file).tokens();
        let index = |at: usize| tokens.partition_point(|token| token.range().end <= at);
        let words = candidate.edits().iter().flat_map(|edit| {
            let file = base.file(edit.file);
            let words =
                file.tokens_in(edit.start..edit.end).iter().filter(|token| token.kind == TokenKind::Word);
            words.map(|token| file.text[token.range()].to_vec())
        });
        Some(Self {
            tokens: index(first.start)..index(last.end),
            words: words.collect(),
            edits: candidate.edits().to_vec(),
        })
    }

    /// Whether all edits of another unit lie within edits of this one.
    fn contains(&self, other: &Self) -> bool {
        let covers = |one: &Edit, other: &Edit| {
            one.file == other.file && one.start <= other.start && other.end <= one.end
        };
        other.edits.iter().all(|edit| self.edits.iter().any(|mine| covers(mine, edit)))
    }

    /// How far two units are from each other; `None` if they have nothing to do with each other, or one contains the
    /// other.
    fn distance(&self, other: &Self, occurrences: &BTreeMap<Vec<u8>, usize>) -> Option<usize> {
        if self.edits[0].file != other.edits[0].file || self.contains(other) || other.contains(self) {
            return None;
        }
        let gap =
            self.tokens.start.max(other.tokens.start).saturating_sub(self.tokens.end.min(other.tokens.end));
        // The rarer a common word is, the more the two units have to do with each other.
        let common = self.words.intersection(&other.words).filter_map(|word| occurrences.get(word)).min();
        match common {
            Some(&count) => Some(2 * count + gap.min(NEAR)),
            None => (gap < NEAR).then_some(2 * NEAR + gap),
        }
    }
}

/// How often each word occurs.
fn occurrences(base: &Base) -> BTreeMap<Vec<u8>, usize> {
    let mut counts = BTreeMap::new();
    for (_, file) in base.files() {
        for token in file.tokens().iter().filter(|token| token.kind == TokenKind::Word) {
            *counts.entry(file.text[token.range()].to_vec()).or_default() += 1;
        }
    }
    counts
}
