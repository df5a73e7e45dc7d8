//! How often fresh instances of a pattern fail, and how sure that is.

use crate::pattern::Rate;
use statrs::distribution::{Beta, ContinuousCDF};

/// The one-sided lower bound of a rate of which `successes` of `trials` were seen.
///
/// Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial"
/// (Biometrika 26, 1934).
pub fn lower_bound(successes: usize, trials: usize, confidence: f64) -> f64 {
    if successes == 0 || successes > trials {
        return 0.0;
    }
    let beta = Beta::new(successes as f64, (trials - successes + 1) as f64);
    beta.map_or(0.0, |beta| beta.inverse_cdf(1.0 - confidence))
}

/// So many trials, all successful, give a bound of `rate` with this confidence. At least 1.
pub fn trials_for(rate: f64, confidence: f64) -> usize {
    let trials = ((1.0 - confidence).ln() / rate.ln()).ceil();
    if trials.is_finite() { trials.max(1.0) as usize } else { 1 }
}

impl Rate {
    /// The rate of so many failing, valid and invalid instances.
    pub fn new(failing: usize, valid: usize, invalid: usize, confidence: f64) -> Self {
        Self { failing, valid, invalid, confidence, bound: lower_bound(failing, valid, confidence) }
    }

    /// The share of failing instances among the valid ones; 0 if there are none.
    pub fn share(&self) -> f64 {
        if self.valid == 0 { 0.0 } else { self.failing as f64 / self.valid as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_are_those_of_the_tables() {
        let bounds = [
            (10, 10, 0.741),
            (29, 29, 0.902),
            (59, 59, 0.950),
            (100, 100, 0.970),
            (299, 299, 0.990),
            (1000, 1000, 0.997),
            (982, 1000, 0.973),
        ];
        for (successes, trials, bound) in bounds {
            let found = lower_bound(successes, trials, 0.95);
            assert!((found - bound).abs() < 0.0006, "{successes} of {trials}: {found}");
        }
        assert_eq!(lower_bound(0, 10, 0.95), 0.0);
        assert!((lower_bound(982, 1000, 0.975) - 0.972).abs() < 0.0006);
    }

    #[test]
    fn as_many_trials_as_the_rate_needs() {
        assert_eq!([0.9, 0.95, 0.99].map(|rate| trials_for(rate, 0.95)), [29, 59, 299]);
        assert_eq!(trials_for(0.0, 0.95), 1);
    }
}
