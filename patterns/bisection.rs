//! Bisection: from which number, or which length of a string, on does it fail, and up to which?
//!
//! After the idea of Kampmann, Havrikov, Soremekun and Zeller, "When does my program do this? Learning circumstances of
//! software behavior" (ESEC/FSE 2020), to learn ranges of values of an input's parts.

use crate::pattern::{Interval, Sort};
use lopper_engine::Verdict;

/// A value of the example that ranges are searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// The node.
    pub(crate) node: usize,
    /// Whether it is the length of a string, and not a number.
    pub(crate) is_length: bool,
    /// The value in the example.
    pub(crate) own: i64,
    /// The greatest value that is tried; the least is 0.
    pub(crate) most: i64,
}

/// A search for one end of the range around a value that fails. O(log of the range) questions.
#[derive(Clone, Debug)]
struct Edge {
    failing: i64,
    /// A value farther out that does not fail.
    beyond: Option<i64>,
    step: i64,
    /// Where the values end.
    limit: i64,
}

impl Edge {
    fn new(own: i64, limit: i64) -> Self {
        Self { failing: own, beyond: None, step: 1, limit }
    }

    /// The value to try next; `None` once the end is known.
    fn next(&self) -> Option<i64> {
        let sign = if self.limit < self.failing { -1 } else { 1 };
        match self.beyond {
            None if self.failing == self.limit => None,
            None => {
                let step = self.step.min(self.failing.abs_diff(self.limit).try_into().unwrap_or(i64::MAX));
                Some(self.failing + sign * step)
            }
            Some(beyond) if self.failing.abs_diff(beyond) <= 1 => None,
            Some(beyond) => Some(self.failing + (beyond - self.failing) / 2),
        }
    }

    fn learn(&mut self, value: i64, fails: bool) {
        if fails {
            (self.failing, self.step) = (value, self.step.saturating_mul(2));
        } else {
            self.beyond = Some(value);
        }
    }

    /// The end, if there is one.
    fn end(&self) -> Option<i64> {
        self.beyond.map(|_| self.failing)
    }
}

/// The search for both ends: first upwards.
#[derive(Clone, Debug)]
pub(crate) struct Bisection {
    pub(crate) value: Value,
    up: Edge,
    down: Edge,
}

impl Bisection {
    pub(crate) fn new(value: Value) -> Self {
        let (up, down) = (Edge::new(value.own, value.most), Edge::new(value.own, 0));
        Self { value, up, down }
    }

    /// The value to try next; `None` once both ends are known.
    pub(crate) fn next(&self) -> Option<i64> {
        self.up.next().or_else(|| self.down.next())
    }

    /// Takes the verdict for the value that was tried.
    pub(crate) fn learn(&mut self, verdict: Verdict) {
        let fails = verdict == Verdict::Interesting;
        match (self.up.next(), self.down.next()) {
            (Some(value), _) => self.up.learn(value, fails),
            (None, Some(value)) => self.down.learn(value, fails),
            (None, None) => {}
        }
    }

    /// The range as the sort of a hole; `None` if only the example's own value fails.
    pub(crate) fn sort(&self) -> Option<Sort> {
        let interval = Interval { least: self.down.end(), most: self.up.end() };
        let only = interval.least == Some(self.value.own) && interval.most == Some(self.value.own)
            || interval.most == Some(0);
        let sort = if self.value.is_length { Sort::Length } else { Sort::Number };
        (!only).then(|| sort(interval))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(own: i64, most: i64, fails: impl Fn(i64) -> bool) -> (Option<Sort>, usize) {
        let mut search = Bisection::new(Value { node: 0, is_length: false, own, most });
        let mut asked = 0;
        while let Some(value) = search.next() {
            assert!((0..=most).contains(&value), "{value}");
            asked += 1;
            search.learn(fails(value).into());
        }
        (search.sort(), asked)
    }

    proptest! {
        #[test]
        fn both_ends_of_a_range_are_found(least in 0i64..2000, count in 1i64..2000, at in 0i64..2000, open in any::<bool>()) {
            let own = least + at % count;
            let most = if open { i64::MAX } else { least + count - 1 };
            let (sort, asked) = found(own, 1 << 31, |value| (least..=most).contains(&value));
            let interval = Interval {
                least: (least > 0).then_some(least),
                most: (!open).then_some(most),
            };
            let is_one = interval.least.is_some() && interval.least == interval.most;
            let expected = (!is_one && interval.most != Some(0)).then_some(Sort::Number(interval));
            prop_assert_eq!(sort, expected);
            prop_assert!(asked < 100, "{}", asked);
        }
    }
}
