//! Halving: groups are tested together, a group that fails is split in two.
//!
//! Group testing as in Hwang, "A Method for Detecting All Defective Members in a Population by Group
//! Testing" (JASA 1972): with a chance of p for each unit, about 1/-ln(p) of them at once pay best.
//! The chance is learned on the way. Later units come first, since a use follows its definition.

use super::{Chance, Outline, Search};

/// Halving over the units of an outline. No subset is asked for twice; O(k log n) tests where k of n
/// units stay, and about n where most do. The result is not 1-minimal by itself: a unit that failed
/// early may go after others have gone, which the next sweep finds.
#[derive(Clone, Debug)]
pub struct Halving {
    outline: Outline,
    /// The units of this round, in the order in which they are tried.
    round: Vec<usize>,
    /// How many of `round` are decided or in `chunks`.
    begun: usize,
    /// Parts of `round` that are to be tested, the next one last.
    chunks: Vec<std::ops::Range<usize>>,
    /// The second alternatives of choices whose first one failed, and so on.
    later: Vec<usize>,
    taken: Vec<usize>,
}

impl Halving {
    /// A search over the units of `outline` that are in `units`, which is sorted.
    pub fn new(outline: Outline, units: Vec<usize>) -> Self {
        let mut search = Self {
            outline,
            round: Vec::new(),
            begun: 0,
            chunks: Vec::new(),
            later: units,
            taken: Vec::new(),
        };
        search.next_round();
        search
    }

    /// Takes the first open alternative of every choice into a new round.
    fn next_round(&mut self) {
        let mut units = std::mem::take(&mut self.later);
        units.sort_unstable();
        self.round.clear();
        self.begun = 0;
        for unit in units {
            let choice = self.outline.choices[unit];
            match self.round.last() {
                Some(&first) if self.outline.choices[first] == choice => self.later.push(unit),
                _ => self.round.push(unit),
            }
        }
        self.round.reverse();
    }

    /// As many units as pay best at once, and no fewer than the floor asks for.
    fn next_chunk(&self) -> std::ops::Range<usize> {
        let batch = self.begun + self.outline.chance.batch();
        let mut weight = 0;
        let mut end = self.begun;
        while end < self.round.len() && (end < batch || weight < self.outline.floor) {
            weight += self.outline.weights[self.round[end]];
            end += 1;
        }
        self.begun..end
    }

    /// Whether a chunk weighs too little to be taken apart.
    fn stays_whole(&self, chunk: &std::ops::Range<usize>) -> bool {
        self.outline.floor > 0 && self.weight(chunk) <= self.outline.floor
    }

    fn weight(&self, chunk: &std::ops::Range<usize>) -> usize {
        self.round[chunk.clone()].iter().map(|&unit| self.outline.weights[unit]).sum()
    }

    /// Splits the chunk that is next, of two units or more.
    fn split_last(&mut self) {
        if let Some(chunk) = self.chunks.pop() {
            let middle = self.middle(chunk.clone());
            self.chunks.push(middle..chunk.end);
            self.chunks.push(chunk.start..middle);
        }
    }

    /// Where half of a chunk's weight is on either side; both parts have units.
    fn middle(&self, chunk: std::ops::Range<usize>) -> usize {
        let weight = |i: usize| self.outline.weights[self.round[i]].max(1);
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
}

impl Search for Halving {
    fn next(&mut self) -> Option<Vec<usize>> {
        if self.chunks.is_empty() {
            if self.begun == self.round.len() {
                self.next_round();
            }
            if self.round.is_empty() {
                return None;
            }
            let chunk = self.next_chunk();
            self.begun = chunk.end;
            self.chunks.push(chunk);
        }
        // What is left of a chunk that failed may be more than is worth testing together by now.
        while let Some(chunk) = self.chunks.last().cloned()
            && chunk.len() > self.outline.chance.batch()
            && !self.stays_whole(&chunk)
        {
            self.split_last();
        }
        let chunk = self.chunks.last().cloned()?;
        let mut wanted = self.taken.clone();
        wanted.extend(&self.round[chunk]);
        wanted.sort_unstable();
        Some(wanted)
    }

    fn learn(&mut self, accepted: bool) {
        let Some(chunk) = self.chunks.pop() else { return };
        let units = &self.round[chunk.clone()];
        if accepted {
            self.taken.extend(units);
            self.taken.sort_unstable();
            // Its choice is made: the other alternatives are off.
            let choices = &self.outline.choices;
            let made: std::collections::BTreeSet<usize> = units.iter().map(|&u| choices[u]).collect();
            self.later.retain(|&u| !made.contains(&choices[u]));
            self.outline.chance.learn(true, chunk.len());
        } else if chunk.len() == 1 || self.stays_whole(&chunk) {
            self.outline.chance.learn(false, 1);
        } else {
            self.chunks.push(chunk);
            self.split_last();
        }
    }

    fn chance(&self) -> Chance {
        self.outline.chance
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
        while let Some(wanted) = search.next() {
            assert!(wanted.windows(2).all(|w| w[0] < w[1]), "sorted, no unit twice");
            assert_eq!(search.next().as_ref(), Some(&wanted), "asking twice changes nothing");
            tests += 1;
            search.learn(accepts(&wanted));
        }
        (search.taken, tests)
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
        assert!(tests < 260, "{tests}");
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
    fn nothing_to_take_is_no_test() {
        assert_eq!(run(outline(vec![], 0.5), |_| true), (vec![], 0));
    }
}
