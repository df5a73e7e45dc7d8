//! Flicker: a test that does not give the same answer to the same program each time.
//!
//! A program is then interesting if the test accepts it about as often as the original, and boring if it
//! accepts it at most a quarter as often. Which of the two it is follows from repeated runs by the sequential
//! probability ratio test (A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical
//! Statistics 16(2), 1945, section 3): each answer adds the logarithm of its likelihood ratio to the
//! evidence, until the evidence is large enough.

/// How often the test accepted a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Tally {
    /// The number of runs that accepted it.
    pub accepted: u32,
    /// The number of runs.
    pub runs: u32,
}

/// The rate is measured by runs on the original until this many have accepted it, which bounds the relative
/// error, or until this many were made.
const ACCEPTED: u32 = 16;
const RUNS: u32 = 64;
/// The same if none has accepted it: the test may take long, and is probably broken.
const IN_VAIN: u32 = 16;
/// If fewer than one in `RARE` of these runs accept the original, a verdict takes too many runs: a test that
/// repeats its check until the failure shows needs fewer.
const RARE: u32 = 4;

impl Tally {
    /// One run.
    pub fn once(accepted: bool) -> Self {
        Self { accepted: accepted.into(), runs: 1 }
    }

    /// All runs of both.
    pub fn plus(self, other: Self) -> Self {
        Self { accepted: self.accepted + other.accepted, runs: self.runs + other.runs }
    }

    /// Whether these runs on the original are enough to know how often the test accepts it.
    pub fn is_measured(self) -> bool {
        self.accepted >= ACCEPTED || self.runs >= if self.accepted == 0 { IN_VAIN } else { RUNS }
    }

    /// Whether the test accepts the original, with this tally, too rarely for verdicts.
    pub fn is_hopeless(self) -> bool {
        self.accepted * RARE < self.runs
    }

    /// The number of runs on the original of which at least one accepts it, except with the probability
    /// `missed`.
    pub fn runs_for_one(self, missed: f64) -> u32 {
        (missed.ln() / (1.0 - self.rate()).ln()).ceil() as u32
    }

    /// The expected share of accepted runs, by Laplace's rule of succession: neither 0 nor 1.
    fn rate(self) -> f64 {
        f64::from(self.accepted + 1) / f64::from(self.runs + 2)
    }
}

/// The two hypotheses about a program: how often the test accepts it.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    interesting: f64,
    boring: f64,
}

/// The decision about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// More runs are needed.
    Open,
    /// It is boring.
    Boring,
    /// It is probably interesting: good enough to continue from, not to be the result.
    Likely,
    /// It is interesting.
    Sure,
}

/// The evidence for an interesting program that makes it certain: a boring one reaches it with a probability
/// of at most 10⁻⁸, and one among a thousand candidates with at most 10⁻⁵.
const SURE: f64 = 18.42;
/// The evidence that makes it likely: a boring program reaches it with a probability of at most 1 in 50.
const LIKELY: f64 = 4.0;
/// The evidence that makes it boring: an interesting program reaches it with a probability of at most 4 in
/// 10. To miss one costs little: other passes will propose similar programs.
const BORING: f64 = -1.0;
/// The same for a program that was accepted before: an interesting one is lost with a probability of at most
/// 1 in 50, and a boring one regained with at most 1 in 3,000.
const LOST: f64 = -4.0;
const REGAINED: f64 = 8.0;
/// A program whose rate is between both hypotheses is boring after this number of runs, divided by the rate
/// of the original.
const MOST: f64 = 64.0;
/// The highest rate of boring programs, as a share of the rate of interesting ones, unless they are seen to
/// be accepted more often, and the highest rate that is then assumed.
const QUARTER: f64 = 0.25;
const CLOSEST: f64 = 0.75;
/// The factor of safety for the rate of boring programs that was seen, and the number of runs that it is a
/// share of at least.
const SAFETY: f64 = 1.25;
const FEW: u32 = 20;

impl Rates {
    /// The rates, from the runs on the original and those on all boring programs so far. The original may have
    /// been lucky, so an interesting program is accepted less often by a standard error.
    pub fn new(original: Tally, boring: Tally) -> Self {
        let rate = original.rate();
        let error = (rate * (1.0 - rate) / f64::from(original.runs + 2)).sqrt();
        let interesting = rate - error;
        let seen = SAFETY * f64::from(boring.accepted) / f64::from(boring.runs.max(FEW));
        Self { interesting, boring: seen.clamp(QUARTER * interesting, CLOSEST * interesting) }
    }

    /// The decision about a candidate with this tally.
    pub fn decide(self, tally: Tally) -> Decision {
        self.decide_between(BORING, LIKELY, tally)
    }

    /// The decision about a candidate with this tally that was accepted before: all progress since then is at
    /// stake.
    pub fn reconsider(self, tally: Tally) -> Decision {
        self.decide_between(LOST, REGAINED, tally)
    }

    fn decide_between(self, boring: f64, likely: f64, tally: Tally) -> Decision {
        let evidence = self.evidence(tally);
        if evidence <= boring {
            Decision::Boring
        } else if evidence >= SURE {
            Decision::Sure
        } else if f64::from(tally.runs) >= MOST / self.interesting {
            Decision::Boring
        } else if evidence >= likely {
            Decision::Likely
        } else {
            Decision::Open
        }
    }

    /// The probability that the next run accepts a program with this tally, which was interesting with the
    /// probability `prior` before its first run.
    pub fn chance(self, tally: Tally, prior: f64) -> f64 {
        let odds = prior / (1.0 - prior) * self.evidence(tally).min(SURE).exp();
        let interesting = odds / (1.0 + odds);
        interesting * self.interesting + (1.0 - interesting) * self.boring
    }

    /// The logarithm of the likelihood ratio.
    fn evidence(self, Tally { accepted, runs }: Tally) -> f64 {
        let Self { interesting, boring } = self;
        let (yes, no) = (interesting / boring, (1.0 - interesting) / (1.0 - boring));
        f64::from(accepted) * yes.ln() + f64::from(runs - accepted) * no.ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ORIGINAL: Tally = Tally { accepted: 16, runs: 18 };

    fn rates() -> Rates {
        Rates::new(ORIGINAL, Tally::default())
    }

    /// The decision after these answers, `Likely` counting as open, and the number of runs that it took.
    fn decided(rates: Rates, mut answers: impl FnMut() -> bool) -> (Decision, u32) {
        let mut tally = Tally::default();
        loop {
            tally = tally.plus(Tally::once(answers()));
            match rates.decide(tally) {
                Decision::Open | Decision::Likely => {}
                decision => return (decision, tally.runs),
            }
        }
    }

    #[test]
    fn the_first_refusal_of_a_test_that_seldom_errs_makes_a_program_boring() {
        assert_eq!(rates().decide(Tally::once(false)), Decision::Boring);
        assert_eq!(rates().decide(Tally::once(true)), Decision::Open);
        let before = Tally { accepted: 1, runs: 2 };
        assert_eq!(rates().reconsider(before), Decision::Open, "an accepted program gets more runs");
    }

    #[test]
    fn a_program_is_likely_interesting_after_three_runs_and_surely_after_fourteen() {
        let after = |runs| rates().decide(Tally { accepted: runs, runs });
        let (open, likely, sure) = (Decision::Open, Decision::Likely, Decision::Sure);
        assert_eq!([after(2), after(3), after(13), after(14)], [open, likely, likely, sure]);
        assert_eq!(rates().reconsider(Tally { accepted: 3, runs: 3 }), open);
    }

    #[test]
    fn a_rare_failure_is_looked_for_more_than_once() {
        let rates = Rates::new(Tally { accepted: 16, runs: 40 }, Tally::default());
        let after = |runs| rates.decide(Tally { accepted: 0, runs });
        assert_eq!((after(1), after(3), after(4)), (Decision::Open, Decision::Open, Decision::Boring));
    }

    #[test]
    fn a_test_that_accepts_boring_programs_often_needs_more_runs() {
        let often = Rates::new(ORIGINAL, Tally { accepted: 40, runs: 100 });
        let runs = |rates| decided(rates, || true).1;
        assert!(runs(often) > 2 * runs(rates()), "{} {}", runs(often), runs(rates()));
        let once = Rates::new(ORIGINAL, Tally { accepted: 1, runs: 1 });
        assert_eq!(runs(once), runs(rates()), "a single mistake tells little");
    }

    #[test]
    fn the_measurement_ends_after_enough_accepted_runs_or_finds_the_test_hopeless() {
        let tally = |accepted, runs| Tally { accepted, runs };
        let ends =
            |accepted, runs| tally(accepted, runs).is_measured() && !tally(accepted, runs - 1).is_measured();
        assert!(tally(16, 16).is_measured());
        assert!(!tally(15, 63).is_measured() && ends(15, 64) && ends(0, 16) && !tally(1, 16).is_measured());
        assert_eq!([tally(15, 64), tally(16, 64)].map(Tally::is_hopeless), [true, false]);
        assert_eq!(tally(10, 20).runs_for_one(0.001), 10);
    }

    proptest! {
        #[test]
        fn a_decision_takes_a_bounded_number_of_runs_and_follows_the_rate(
            accepted in 8u32..=20, seen in 0u32..3, seed in any::<u64>(),
        ) {
            let original = Tally { accepted, runs: 20 };
            let rates = Rates::new(original, Tally { accepted: seen, runs: 40 });
            let mut state = seed;
            let mut uniform = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as f64 / (1u64 << 31) as f64
            };
            let (decision, runs) = decided(rates, || uniform() < rates.boring);
            prop_assert!(decision == Decision::Boring && f64::from(runs) <= MOST / rates.interesting + 1.0);
            let surely = (0..20).filter(|_| decided(rates, || uniform() < rates.interesting).0 == Decision::Sure);
            // Four in ten are missed at most, on average.
            prop_assert!(surely.count() >= 4);
            prop_assert!((0.0..=1.0).contains(&rates.chance(original, 0.2)));
        }
    }
}
