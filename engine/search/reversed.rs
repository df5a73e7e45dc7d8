//! Reversed: any search, with the units in the opposite order.
//!
//! Which of two interesting candidates comes first can decide how small the result gets; a second attempt from the
//! other end is independent of the first one.

use super::{Chance, Kind, Outline, Search};

/// A search over units that are numbered from the last to the first.
struct Reversed {
    inner: Box<dyn Search>,
    /// The number of units in the group.
    count: usize,
    /// The taken units, sorted.
    taken: Vec<usize>,
}

/// Starts the search of a kind over the units of `outline` that are in `units`, which is sorted, from the other end.
pub(crate) fn start(kind: &Kind, outline: Outline, units: &[usize]) -> Box<dyn Search> {
    let count = outline.choices.len();
    let Outline { mut choices, mut weights, floor, chance } = outline;
    choices.reverse();
    weights.reverse();
    let inner = (kind.start)(Outline { choices, weights, floor, chance }, turned(units, count));
    Box::new(Reversed { inner, count, taken: Vec::new() })
}

/// The units by their numbers from the other end, sorted if `units` is.
fn turned(units: &[usize], count: usize) -> Vec<usize> {
    units.iter().rev().map(|unit| count - 1 - unit).collect()
}

impl Search for Reversed {
    fn ask(&mut self) -> Option<Vec<usize>> {
        self.inner.ask().map(|units| turned(&units, self.count))
    }

    fn learn(&mut self, accepted: bool) {
        self.inner.learn(accepted);
        self.taken = turned(self.inner.taken(), self.count);
    }

    fn taken(&self) -> &[usize] {
        &self.taken
    }

    fn ahead(&self, count: usize) -> Vec<Vec<usize>> {
        self.inner.ahead(count).iter().map(|units| turned(units, self.count)).collect()
    }

    fn odds(&self) -> f64 {
        self.inner.odds()
    }

    fn chance(&self) -> Chance {
        self.inner.chance()
    }

    fn fork(&self) -> Box<dyn Search> {
        Box::new(Self { inner: self.inner.fork(), count: self.count, taken: self.taken.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{outline, run};
    use super::*;

    fn reversed(outline: Outline, units: Vec<usize>) -> Box<dyn Search> {
        start(super::super::named("ordered").unwrap(), outline, &units)
    }

    #[test]
    fn the_first_units_come_first() {
        let (taken, asked) = run(reversed, outline(3), |units| !units.contains(&1));
        assert_eq!(taken, [0, 2]);
        assert_eq!(asked, [vec![0], vec![0, 1], vec![0, 2]]);
    }

    #[test]
    fn a_choice_begins_with_its_last_alternative() {
        let choices = Outline { choices: vec![0, 0, 1, 1], ..outline(4) };
        let (taken, _) = run(reversed, choices, |_| true);
        assert_eq!(taken, [1, 3]);
    }
}
