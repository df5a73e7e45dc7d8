//! Halving: the units of a chunk are tested together, and a chunk that fails is split in two.
//!
//! Group testing as in Hwang, "A Method for Detecting All Defective Members in a Population by Group Testing"
//! (JASA 1972): if each unit is accepted with probability p, chunks of about 1/-ln(p) units pay best. The
//! search learns p from its verdicts. Later units come first, since a use follows its definition.
//!
//! Chunks are tested in batches. All chunks of a batch are tested separately against the same ground, so the
//! queries of a batch do not depend on its verdicts. Then the chunks that succeeded are tested together. If
//! they fail together, bisection finds the longest prefix of them that can be taken together, and the chunk
//! after that prefix counts as failed. Batches grow as long as no chunks conflict; the number of workers has
//! no influence on their size.

use super::rounds::Rounds;
use super::{Chance, Outline, Search};
use std::ops::Range;

/// Halving over the units of an outline. No subset is tested twice; O(k log n) tests if k of n units must
/// stay, and about n if most must. The result is not 1-minimal by itself: a unit that failed early may be
/// accepted after others have been taken, which the next sweep finds.
#[derive(Clone, Debug)]
struct Halving {
    rounds: Rounds,
    /// The units of this round, in the order in which they are tried.
    round: Vec<usize>,
    /// The number of units in `round` that are decided, in `chunks` or in `batch`.
    begun: usize,
    /// The parts of `round` that still have to be tested, the next one last.
    chunks: Vec<Chunk>,
    /// The number of splits so far.
    splits: usize,
    /// The largest number of chunks in the next batch.
    width: usize,
    batch: Batch,
}

/// A part of a round.
#[derive(Clone, Debug)]
struct Chunk {
    range: Range<usize>,
    /// The number of the split that made it, if any. Both halves never stand in one batch: if the first half
    /// is taken, the second one is tested on top of it.
    split: Option<usize>,
}

/// Chunks that are tested against the same ground.
#[derive(Clone, Debug, Default)]
struct Batch {
    chunks: Vec<Chunk>,
    /// The number of chunks with a verdict.
    decided: usize,
    failed: Vec<Chunk>,
    /// The chunks that succeeded and are not yet taken.
    good: Vec<Chunk>,
    merge: Option<Merge>,
}

/// The bisection for the longest prefix of `good` that can be taken together: `wanted` chunks are tested
/// next, `works` chunks are accepted together, `fails` chunks are not, or are one more than there are.
#[derive(Clone, Copy, Debug)]
struct Merge {
    works: usize,
    fails: usize,
    wanted: usize,
}

/// The largest number of chunks in any batch.
const WIDEST: usize = 256;
/// The probability that chunks which succeeded separately also succeed together.
const WHOLE_MERGE: f64 = 0.9;
/// The factor by which batches grow if no chunks conflict, and shrink otherwise.
const GROWTH: usize = 4;

/// Starts a search over the units of `outline` that are in `units`, which is sorted.
pub(super) fn start(outline: Outline, units: Vec<usize>) -> Box<dyn Search> {
    Box::new(Halving::new(outline, units))
}

impl Halving {
    fn new(outline: Outline, units: Vec<usize>) -> Self {
        let mut search = Self {
            rounds: Rounds::new(outline, units),
            round: Vec::new(),
            begun: 0,
            chunks: Vec::new(),
            splits: 0,
            width: 1,
            batch: Batch::default(),
        };
        search.next_round();
        search
    }

    fn next_round(&mut self) {
        self.round = self.rounds.next_round();
        self.begun = 0;
    }

    /// Fills the next batch; `false` if there is nothing left to test.
    fn next_batch(&mut self) -> bool {
        self.batch = Batch::default();
        if self.chunks.is_empty() && self.begun == self.round.len() {
            self.next_round();
        }
        while self.batch.chunks.len() < self.width
            && let Some(chunk) = self.next_chunk()
        {
            if chunk.range.len() > self.rounds.outline.chance.batch() && !self.stays_whole(&chunk.range) {
                // Half of a failed chunk may be larger than a chunk should be by now.
                self.split(&chunk.range);
            } else {
                self.batch.chunks.push(chunk);
            }
        }
        !self.batch.chunks.is_empty()
    }

    /// The next chunk that may join the batch.
    fn next_chunk(&mut self) -> Option<Chunk> {
        let meets = |chunk: &Chunk| {
            let batch = &self.batch.chunks;
            chunk.split.is_none() || batch.iter().all(|other| other.split != chunk.split)
        };
        if let Some(next) = self.chunks.iter().rposition(meets) {
            return Some(self.chunks.remove(next));
        }
        let range = self.next_range();
        self.begun = range.end;
        (!range.is_empty()).then_some(Chunk { range, split: None })
    }

    /// The next chunk of the round: as many units as pay best together, and enough to weigh as much as the
    /// floor.
    fn next_range(&self) -> Range<usize> {
        let batch = self.begun + self.rounds.outline.chance.batch();
        let mut weight = 0;
        let mut end = self.begun;
        while end < self.round.len() && (end < batch || weight < self.rounds.outline.floor) {
            weight += self.rounds.outline.weights[self.round[end]];
            end += 1;
        }
        self.begun..end
    }

    /// Whether a chunk weighs too little to be split.
    fn stays_whole(&self, chunk: &Range<usize>) -> bool {
        self.rounds.stay_whole(&self.round[chunk.clone()])
    }

    /// Leaves both halves of a chunk for later batches. The chunk has at least two units.
    fn split(&mut self, chunk: &Range<usize>) {
        let middle = self.middle(chunk.clone());
        self.splits += 1;
        for range in [middle..chunk.end, chunk.start..middle] {
            self.chunks.push(Chunk { range, split: Some(self.splits) });
        }
    }

    /// The index that divides a chunk's weight in half; both parts have units.
    fn middle(&self, chunk: Range<usize>) -> usize {
        let weight = |i: usize| self.rounds.outline.weights[self.round[i]].max(1);
        let total: usize = chunk.clone().map(weight).sum();
        let mut sum = 0;
        for i in chunk.start..chunk.end - 1 {
            sum += weight(i);
            if 2 * sum >= total {
                return i + 1;
            }
        }
        chunk.end - 1
    }

    /// The units of these chunks.
    fn units(&self, chunks: &[Chunk]) -> Vec<usize> {
        chunks.iter().flat_map(|chunk| &self.round[chunk.range.clone()]).copied().collect()
    }

    /// The taken units and those of these chunks, sorted.
    fn with(&self, chunks: &[Chunk]) -> Vec<usize> {
        self.rounds.with(self.units(chunks))
    }

    /// Takes the first `count` chunks that succeeded.
    fn take(&mut self, count: usize) {
        let chunks: Vec<Chunk> = self.batch.good.drain(..count).collect();
        let units = self.units(&chunks);
        self.rounds.take(&units);
    }

    /// Takes the successful chunks of the batch, or begins to test them together; every chunk has its
    /// verdict.
    fn begin_merge(&mut self) {
        match self.batch.good.len() {
            0 => self.end_batch(true),
            1 => {
                self.take(1);
                self.end_batch(true);
            }
            all => self.batch.merge = Some(Merge { works: 1, fails: all + 1, wanted: all }),
        }
    }

    fn learn_merge(&mut self, merge: Merge, accepted: bool) {
        let Merge { mut works, mut fails, wanted } = merge;
        *(if accepted { &mut works } else { &mut fails }) = wanted;
        if works + 1 < fails {
            self.batch.merge = Some(Merge { works, fails, wanted: (works + fails) / 2 });
            return;
        }
        let all = self.batch.good.len();
        self.take(works);
        if works == all {
            let smooth = self.batch.chunks.len() == self.batch.failed.len() + all;
            self.end_batch(smooth);
            return;
        }
        // The next chunk conflicts with the taken ones.
        let culprit = self.batch.good.remove(0);
        self.batch.failed.push(culprit);
        match self.batch.good.len() {
            0 => self.end_batch(false),
            left => self.batch.merge = Some(Merge { works: 0, fails: left + 1, wanted: left }),
        }
    }

    /// Splits the failed chunks, and sets the size of the next batch: larger if no chunks conflicted, unless
    /// every chunk failed and will be split, which says only that the chunks are too large.
    fn end_batch(&mut self, smooth: bool) {
        let mut batch = std::mem::take(&mut self.batch);
        let apart: Vec<Chunk> = batch.failed.drain(..).filter(|c| !self.stays_whole(&c.range)).collect();
        if !smooth {
            self.width = (self.width / GROWTH).max(1);
        } else if apart.len() < batch.chunks.len() {
            self.width = (self.width * GROWTH).min(WIDEST);
        }
        apart.iter().rev().for_each(|chunk| self.split(&chunk.range));
    }
}

impl Search for Halving {
    fn ask(&mut self) -> Option<Vec<usize>> {
        if self.batch.chunks.is_empty() && !self.next_batch() {
            return None;
        }
        let Batch { chunks, decided, good, merge, .. } = &self.batch;
        Some(match merge {
            Some(merge) => self.with(&good[..merge.wanted]),
            None => self.with(&chunks[*decided..=*decided]),
        })
    }

    fn learn(&mut self, accepted: bool) {
        if let Some(merge) = self.batch.merge {
            return self.learn_merge(merge, accepted);
        }
        let Some(chunk) = self.batch.chunks.get(self.batch.decided).cloned() else { return };
        self.batch.decided += 1;
        self.rounds.outline.chance.learn(accepted, chunk.range.len());
        if accepted {
            self.batch.good.push(chunk);
        } else {
            self.batch.failed.push(chunk);
        }
        if self.batch.decided == self.batch.chunks.len() {
            self.begin_merge();
        }
    }

    fn taken(&self) -> &[usize] {
        self.rounds.taken()
    }

    fn ahead(&self, count: usize) -> Vec<Vec<usize>> {
        let Batch { chunks, decided, merge, .. } = &self.batch;
        let rest = if merge.is_some() { &[] } else { chunks.get(decided + 1..).unwrap_or(&[]) };
        rest.iter().take(count).map(|chunk| self.with(std::slice::from_ref(chunk))).collect()
    }

    fn odds(&self) -> f64 {
        let Batch { chunks, decided, merge, .. } = &self.batch;
        match merge {
            Some(Merge { fails, .. }) if *fails > self.batch.good.len() => WHOLE_MERGE,
            Some(_) => 0.5,
            None => {
                chunks.get(*decided).map_or(0.5, |chunk| self.rounds.outline.chance.of(chunk.range.len()))
            }
        }
    }

    fn chance(&self) -> Chance {
        self.rounds.outline.chance
    }

    fn fork(&self) -> Box<dyn Search> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(choices: Vec<usize>, chance: f64) -> Outline {
        let weights = vec![1; choices.len()];
        Outline { weights, choices, floor: 0, chance: Chance::guess(chance) }
    }

    /// Runs the search; returns the taken units and the number of tests.
    fn run(outline: Outline, accepts: impl Fn(&[usize]) -> bool) -> (Vec<usize>, usize) {
        let units = (0..outline.choices.len()).collect();
        let mut search = Halving::new(outline, units);
        let mut tests = 0;
        while let Some(wanted) = search.ask() {
            assert!(wanted.windows(2).all(|w| w[0] < w[1]), "sorted, no unit twice");
            assert_eq!(search.ask().as_ref(), Some(&wanted), "asking twice changes nothing");
            tests += 1;
            search.learn(accepts(&wanted));
        }
        (search.taken().to_vec(), tests)
    }

    #[test]
    fn three_units_that_stay_are_found_among_a_thousand_in_few_tests() {
        let stay = [17, 500, 501];
        let all = outline((0..1000).collect(), 0.9999);
        let (taken, tests) = run(all, |units| !units.iter().any(|u| stay.contains(u)));
        assert_eq!(taken.len(), 997);
        assert!(tests < 60, "{tests}");
    }

    #[test]
    fn if_most_units_stay_there_is_about_one_test_per_unit() {
        let all = outline((0..200).collect(), 0.9999);
        let (taken, tests) = run(all, |units| units.iter().all(|u| u % 20 == 0));
        assert_eq!(taken.len(), 10);
        assert!(tests < 240, "{tests}");
    }

    #[test]
    fn each_choice_takes_its_first_alternative_that_works() {
        // Three choices of three alternatives: the second of the first choice, the first of the second, and
        // none of the third are accepted.
        let all = outline(vec![0, 0, 0, 1, 1, 1, 2, 2, 2], 0.5);
        let (taken, _) = run(all, |units| units.iter().all(|u| [1, 2, 3, 4].contains(u)));
        assert_eq!(taken, [1, 3]);
    }

    #[test]
    fn a_chunk_that_weighs_no_more_than_the_floor_is_not_split() {
        let mut all = outline((0..64).collect(), 0.9999);
        all.floor = 16;
        let (taken, tests) = run(all, |units| !units.contains(&5));
        assert_eq!(taken, (16..64).collect::<Vec<_>>());
        assert_eq!(tests, 5);
    }

    #[test]
    fn all_but_one_of_conflicting_units_are_taken() {
        // Every unit may be taken alone; one of 10, 20 and 30 must stay.
        let all = outline((0..64).collect(), 0.3);
        let (taken, tests) = run(all, |units| [10, 20, 30].iter().any(|unit| !units.contains(unit)));
        assert_eq!(taken.len(), 63);
        assert!(tests < 90, "{tests}");
    }

    #[test]
    fn the_queries_ahead_are_asked_whatever_the_verdicts() {
        let accepts = |units: &[usize]| units.iter().all(|unit| unit % 3 == 0);
        let mut search = Halving::new(outline((0..200).collect(), 0.3), (0..200).collect());
        let mut foreseen = 0;
        while let Some(wanted) = search.ask() {
            let ahead = search.ahead(5);
            foreseen += ahead.len();
            let mut other = search.clone();
            search.learn(accepts(&wanted));
            other.learn(!accepts(&wanted));
            if let Some(next) = ahead.first() {
                assert_eq!((search.ask().as_ref(), other.ask().as_ref()), (Some(next), Some(next)));
            }
        }
        assert!(foreseen > 500, "{foreseen}");
    }

    #[test]
    fn a_search_without_units_asks_nothing() {
        assert_eq!(run(outline(vec![], 0.5), |_| true), (vec![], 0));
    }
}
