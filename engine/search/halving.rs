//! Halving: groups are tested together, a group that fails is split in two.
//!
//! Group testing as in Hwang, "A Method for Detecting All Defective Members in a Population by Group
//! Testing" (JASA 1972): with a chance of p for each unit, about 1/-ln(p) of them at once pay best.
//! The chance is learned on the way. Later units come first, since a use follows its definition.
//!
//! Chunks are tested in batches: each by itself, on the same ground, so that no verdict of a batch is
//! needed to know what else it asks for. What succeeded is then taken together; where that fails, the
//! longest prefix that does not is found by bisection, and the chunk after it is dropped. Batches grow
//! as long as nothing conflicts: how many workers there are has no say in it.

use super::rounds::Rounds;
use super::{Chance, Outline, Search};
use std::ops::Range;

/// Halving over the units of an outline. No subset is asked for twice; O(k log n) tests where k of n
/// units stay, and about n where most do. The result is not 1-minimal by itself: a unit that failed
/// early may go after others have gone, which the next sweep finds.
#[derive(Clone, Debug)]
struct Halving {
    rounds: Rounds,
    /// The units of this round, in the order in which they are tried.
    round: Vec<usize>,
    /// How many of `round` are decided or in `chunks`.
    begun: usize,
    /// Parts of `round` that are to be tested, the next one last.
    chunks: Vec<Chunk>,
    /// How many times something was split.
    splits: usize,
    /// How many chunks the next batch may have.
    width: usize,
    batch: Batch,
}

/// A part of a round.
#[derive(Clone, Debug)]
struct Chunk {
    range: Range<usize>,
    /// The split that it came from, if any. Of the two halves of what failed, the second one is tested
    /// on top of the first, or not at all.
    split: Option<usize>,
}

/// Chunks that are tested on the same ground.
#[derive(Clone, Debug, Default)]
struct Batch {
    chunks: Vec<Chunk>,
    /// How many have their verdict.
    decided: usize,
    failed: Vec<Chunk>,
    /// Those that succeeded and are not yet taken.
    good: Vec<Chunk>,
    merge: Option<Merge>,
}

/// The search for the longest prefix of what succeeded that can be taken together: `ask` is tested,
/// `works` do, and `fails` do not, or are more than there are.
#[derive(Clone, Copy, Debug)]
struct Merge {
    works: usize,
    fails: usize,
    wanted: usize,
}

/// How many chunks a batch may have.
const WIDEST: usize = 256;
/// How likely what succeeded alone is to succeed together.
const WHOLE_MERGE: f64 = 0.9;
/// How batches grow when nothing conflicts, and shrink when something does.
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
                // What is left of a chunk that failed may be more than is worth testing together by now.
                self.split(&chunk.range);
            } else {
                self.batch.chunks.push(chunk);
            }
        }
        !self.batch.chunks.is_empty()
    }

    /// The next chunk that may be tested beside those in the batch.
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

    /// As many units as pay best at once, and no fewer than the floor asks for.
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

    /// Whether a chunk weighs too little to be taken apart.
    fn stays_whole(&self, chunk: &Range<usize>) -> bool {
        self.rounds.stay_whole(&self.round[chunk.clone()])
    }

    /// Leaves both halves of a chunk of two units or more for later batches.
    fn split(&mut self, chunk: &Range<usize>) {
        let middle = self.middle(chunk.clone());
        self.splits += 1;
        for range in [middle..chunk.end, chunk.start..middle] {
            self.chunks.push(Chunk { range, split: Some(self.splits) });
        }
    }

    /// Where half of a chunk's weight is on either side; both parts have units.
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

    /// What was taken and these chunks, sorted.
    fn with(&self, chunks: &[Chunk]) -> Vec<usize> {
        self.rounds.with(self.units(chunks))
    }

    /// Takes the first chunks that succeeded.
    fn take(&mut self, count: usize) {
        let chunks: Vec<Chunk> = self.batch.good.drain(..count).collect();
        let units = self.units(&chunks);
        self.rounds.take(&units);
    }

    /// Every chunk of the batch has its verdict.
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
        // The next one cannot go together with these.
        let culprit = self.batch.good.remove(0);
        self.batch.failed.push(culprit);
        match self.batch.good.len() {
            0 => self.end_batch(false),
            left => self.batch.merge = Some(Merge { works: 0, fails: left + 1, wanted: left }),
        }
    }

    /// Splits what failed, and decides how much the next batch may hold: more where nothing conflicts,
    /// but not while all that is known is that too much is tested at once.
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

    /// Runs the search; gives what was taken and how many tests that took.
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
    fn where_most_units_stay_there_is_about_a_test_for_each() {
        let all = outline((0..200).collect(), 0.9999);
        let (taken, tests) = run(all, |units| units.iter().all(|u| u % 20 == 0));
        assert_eq!(taken.len(), 10);
        assert!(tests < 240, "{tests}");
    }

    #[test]
    fn of_each_choice_the_first_alternative_that_works_is_taken() {
        // Three choices of three alternatives: the second of the first, the first of the second, and
        // none of the third are good.
        let all = outline(vec![0, 0, 0, 1, 1, 1, 2, 2, 2], 0.5);
        let (taken, _) = run(all, |units| units.iter().all(|u| [1, 2, 3, 4].contains(u)));
        assert_eq!(taken, [1, 3]);
    }

    #[test]
    fn what_weighs_no_more_than_the_floor_is_not_split() {
        let mut all = outline((0..64).collect(), 0.9999);
        all.floor = 16;
        let (taken, tests) = run(all, |units| !units.contains(&5));
        assert_eq!(taken, (16..64).collect::<Vec<_>>());
        assert_eq!(tests, 5);
    }

    #[test]
    fn of_what_cannot_go_together_all_but_one_goes() {
        // Every unit may go alone; of 10, 20 and 30 one must stay.
        let all = outline((0..64).collect(), 0.3);
        let (taken, tests) = run(all, |units| [10, 20, 30].iter().any(|unit| !units.contains(unit)));
        assert_eq!(taken.len(), 63);
        assert!(tests < 90, "{tests}");
    }

    #[test]
    fn what_is_asked_ahead_is_asked_whatever_the_verdicts() {
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
    fn nothing_to_take_is_no_test() {
        assert_eq!(run(outline(vec![], 0.5), |_| true), (vec![], 0));
    }
}
