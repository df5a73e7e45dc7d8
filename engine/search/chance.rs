//! The probability that a unit is accepted, learned from verdicts.

/// A running estimate of the probability that a unit is accepted. Older verdicts count less, by a factor for
/// each unit tested since.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    accepted: f64,
    decided: f64,
}

/// The factor by which each further unit lowers the weight of older verdicts; so about the last fourteen
/// units matter.
const DISCOUNT: f64 = 0.93;
/// The number of units that the first guess counts as.
const PRIOR: f64 = 4.0;

impl Chance {
    /// A guess between 0 and 1, before any verdict.
    pub fn guess(chance: f64) -> Self {
        Self { accepted: PRIOR * chance, decided: PRIOR }
    }

    /// Learns that this many units were accepted together, or that they failed together. A failure counts as
    /// many units as failed as the estimate expects, given that at least one of them did.
    pub fn learn(&mut self, accepted: bool, units: usize) {
        let keep = DISCOUNT.powi(i32::try_from(units).unwrap_or(i32::MAX));
        let count = units as f64;
        let blamed = if accepted { 0.0 } else { count * (1.0 - self.value()) / (1.0 - self.of(units)) };
        self.accepted = self.accepted * keep + count - blamed.min(count);
        self.decided = self.decided * keep + count;
    }

    /// The estimate, from 0.01 to 0.9999.
    pub fn value(&self) -> f64 {
        (self.accepted / self.decided).clamp(0.01, 0.9999)
    }

    /// The probability that this many units are accepted together.
    pub fn of(&self, units: usize) -> f64 {
        self.value().powi(i32::try_from(units).unwrap_or(i32::MAX))
    }

    /// The best number of units to test together: about 1/-ln(p), where a test is most informative.
    pub fn batch(&self) -> usize {
        (1.0 / -self.value().ln()).max(1.0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_make_chunks_smaller_and_successes_make_them_grow_again() {
        let mut chance = Chance::guess(0.9999);
        assert!(chance.batch() > 5000);
        for _ in 0..20 {
            chance.learn(false, 1);
        }
        assert_eq!(chance.batch(), 1);
        for _ in 0..16 {
            chance.learn(true, chance.batch());
        }
        assert!(chance.batch() > 1);
    }
}
