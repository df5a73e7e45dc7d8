//! How likely a unit is to be accepted, learned from verdicts.

/// A running estimate: older experience counts less, unit by unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    accepted: f64,
    decided: f64,
}

/// What older experience still counts after one more unit; so about the last fourteen units matter.
const DISCOUNT: f64 = 0.93;
/// How many units the first guess counts for.
const PRIOR: f64 = 4.0;

impl Chance {
    /// A guess between 0 and 1, before any experience.
    pub fn guess(chance: f64) -> Self {
        Self { accepted: PRIOR * chance, decided: PRIOR }
    }

    /// Learns that this many units were accepted together, or that they were not: then as many of them
    /// are to blame as was to be expected, given that one is.
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

    /// How likely so many units are to be accepted together.
    pub fn of(&self, units: usize) -> f64 {
        self.value().powi(i32::try_from(units).unwrap_or(i32::MAX))
    }

    /// How many units to test at once: about 1/-ln(p), where a test tells most.
    pub fn batch(&self) -> usize {
        (1.0 / -self.value().ln()).max(1.0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_make_batches_small_and_successes_make_them_grow_again() {
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
