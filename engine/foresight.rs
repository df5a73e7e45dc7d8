//! Foresight: the queries that a driver will make after the current one, so that their tests can run ahead.
//!
//! First come the queries that are certain whatever the verdicts, then those of the likeliest futures, found
//! by telling verdicts to clones of the driver. Foresight never changes the decisions of the driver.

use crate::Verdict;
use crate::driver::{Driver, Query};
use std::collections::{BTreeMap, BinaryHeap};

/// A clone of the driver at a possible point in the future, with a verdict that it has not learned yet.
struct Future {
    likelihood: f64,
    driver: Driver,
    verdict: Verdict,
}

impl PartialEq for Future {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Future {}

impl PartialOrd for Future {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Future {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.likelihood.total_cmp(&other.likelihood)
    }
}

/// The queries of `driver` after `query`, its last one: first the certain ones, then the most probable ones.
/// At most `count`, without those whose verdicts are known. A future less probable than `likely` is not worth a run.
pub fn foresee(
    driver: &Driver,
    query: &Query,
    count: usize,
    known: &BTreeMap<u128, Verdict>,
    likely: f64,
) -> Vec<Query> {
    let mut foreseen = driver.ahead(count + known.len());
    foreseen.retain(|q| !known.contains_key(&q.key) && q.key != query.key);
    foreseen.truncate(count);
    let mut futures = BinaryHeap::new();
    branch(&mut futures, driver, (1.0, likely), query, known);
    while foreseen.len() < count
        && let Some(Future { likelihood, mut driver, verdict }) = futures.pop()
    {
        driver.learn(verdict);
        let Some(next) = driver.ask() else { continue };
        branch(&mut futures, &driver, (likelihood, likely), &next, known);
        // A query that must run alone waits until it is the current one.
        let is_new = next.key != query.key && !next.alone && foreseen.iter().all(|q| q.key != next.key);
        if is_new && !known.contains_key(&next.key) {
            foreseen.push(next);
        }
    }
    foreseen
}

/// Adds the futures of a driver, which itself has this likelihood, after the verdict on its query, if they are likely enough.
fn branch(
    futures: &mut BinaryHeap<Future>,
    driver: &Driver,
    (likelihood, least): (f64, f64),
    query: &Query,
    known: &BTreeMap<u128, Verdict>,
) {
    let (yes, no) = match known.get(&query.key) {
        Some(Verdict::Interesting) => (1.0, 0.0),
        Some(_) => (0.0, 1.0),
        None => (query.chance, 1.0 - query.chance),
    };
    for (verdict, chance) in [(Verdict::Interesting, yes), (Verdict::Boring, no)] {
        let likelihood = likelihood * chance;
        if likelihood >= least {
            futures.push(Future { likelihood, driver: driver.clone(), verdict });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::means::Alone;
    use crate::search::SEARCHES;
    use lopper_languages::{Parsed, named};
    use lopper_passes::{Base, PASSES};
    use std::collections::BTreeSet;
    use std::sync::Arc;

    const TEXT: &str = "int a; int b(int x) { if (x) return x + a; return b(x - 1); } int c;";

    fn driver() -> Driver {
        let file = Parsed::new(named("c").unwrap(), TEXT.as_bytes().to_vec());
        let passes: Vec<_> = PASSES.iter().collect();
        Driver::new(Base { files: vec![Arc::new(file)] }, &passes, &SEARCHES[0], Arc::new(Alone))
    }

    fn verdict(query: &Query) -> Verdict {
        let has = |word: &[u8]| query.contents[0].windows(word.len()).any(|w| w == word);
        if has(b"b(") && has(b"return") { Verdict::Interesting } else { Verdict::Boring }
    }

    #[test]
    fn the_query_after_a_known_verdict_is_foreseen() {
        let mut driver = driver();
        let mut next = driver.ask();
        let mut steps = 0;
        while let Some(query) = next {
            let known = BTreeMap::from([(query.key, verdict(&query))]);
            let foreseen = foresee(&driver, &query, 8, &known, 0.05);
            driver.learn(verdict(&query));
            next = driver.ask();
            let is_foreseen = |next: &Query| foreseen.iter().any(|q| q.key == next.key);
            assert!(next.as_ref().is_none_or(is_foreseen), "step {steps}");
            steps += 1;
        }
        assert!(steps > 20, "{steps}");
    }

    #[test]
    fn each_query_is_foreseen_once_unless_its_verdict_is_known() {
        let mut driver = driver();
        let mut known = BTreeMap::new();
        while let Some(query) = driver.ask() {
            let foreseen = foresee(&driver, &query, 4, &known, 0.05);
            let keys: BTreeSet<u128> = foreseen.iter().map(|q| q.key).collect();
            assert!(foreseen.len() <= 4 && keys.len() == foreseen.len());
            assert!(!keys.contains(&query.key) && keys.iter().all(|key| !known.contains_key(key)));
            // Every second verdict is known before its query.
            known.extend(foreseen.iter().step_by(2).map(|q| (q.key, verdict(q))));
            let runs = driver.runs();
            assert_eq!((driver.ask().map(|q| q.key), driver.runs()), (Some(query.key), runs), "untouched");
            driver.learn(verdict(&query));
        }
        assert!(known.len() > 20);
    }
}
