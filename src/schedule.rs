//! The schedule: which pass works next.
//!
//! A sweep runs passes until each has seen the base as it is. The pass that is expected to take most
//! tokens for each run of the test comes first; what a pass is expected to give is what it gave last
//! time, at a discount, on top of a prior that falls with its place in the registry.

use lopper_languages::measure::Measure;

/// Identifies a base: their number in the order of commits.
pub type BaseId = u64;

/// Whether candidates that the grammar refuses are held back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// They are.
    On,
    /// Only they are tried: what the grammar accepts has had its turn.
    Off,
}

#[derive(Clone, Debug, Default)]
struct Entry {
    /// The base that this pass last left without finding anything more, filter on and off.
    seen: [Option<BaseId>; 2],
    /// What it gave and took when it last ran.
    gain: f64,
    runs: f64,
}

/// A priority queue of passes, by their index.
#[derive(Clone, Debug)]
pub struct Schedule {
    entries: Vec<Entry>,
}

/// What the first pass of the registry is expected to take with a run, as a share of the program;
/// each further one is expected to take this much of the one before.
const SHARE: f64 = 0.1;
const FALL: f64 = 0.5;
/// What a pass gave is expected to be this much less the next time.
const DISCOUNT: f64 = 0.5;

impl Schedule {
    /// A schedule of so many passes.
    pub fn new(passes: usize) -> Self {
        Self { entries: vec![Entry::default(); passes] }
    }

    /// The pass to run next on this base, and whether with the filter; `None` when the sweep is over.
    /// Without the filter only after every pass has had its turn with it.
    pub fn next(&self, base: BaseId, size: &Measure) -> Option<(usize, Filter)> {
        let best = |filter: Filter| {
            let open = |entry: &Entry| entry.seen[filter as usize] != Some(base);
            let open = self.entries.iter().enumerate().filter(|(_, e)| open(e));
            let rated = open.map(|(i, e)| (i, e.rate(i, size)));
            rated.reduce(|a, b| if b.1 > a.1 { b } else { a }).map(|(i, _)| (i, filter))
        };
        best(Filter::On).or_else(|| best(Filter::Off))
    }

    /// Tells that a pass has run: on which base it ended, what it gave, and what runs it took.
    pub fn record(&mut self, pass: usize, filter: Filter, left: Option<BaseId>, gain: f64, runs: usize) {
        let entry = &mut self.entries[pass];
        entry.seen[filter as usize] = left;
        entry.gain = gain;
        entry.runs = runs as f64;
    }

    /// Starts a new sweep: every pass is asked again.
    pub fn new_sweep(&mut self) {
        for entry in &mut self.entries {
            entry.seen = [None; 2];
        }
    }
}

impl Entry {
    fn rate(&self, place: usize, size: &Measure) -> f64 {
        let place = i32::try_from(place).unwrap_or(i32::MAX);
        let prior = worth(size) * SHARE * FALL.powi(place);
        (self.gain * DISCOUNT + prior) / (self.runs + 1.0)
    }
}

/// A measure as a single number: tokens, with bytes as small change.
pub fn worth(measure: &Measure) -> f64 {
    measure.tokens as f64 + measure.token_bytes as f64 / 16.0 + measure.bytes as f64 / 64.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Measure = Measure { tokens: 1000, token_bytes: 4000, bytes: 5000 };

    #[test]
    fn passes_come_in_registry_order_until_they_show_what_they_give() {
        let mut schedule = Schedule::new(3);
        assert_eq!(schedule.next(0, &SIZE), Some((0, Filter::On)));
        schedule.record(0, Filter::On, Some(0), 0.0, 50);
        assert_eq!(schedule.next(0, &SIZE), Some((1, Filter::On)));
        schedule.record(1, Filter::On, None, 5000.0, 10);
        assert_eq!(schedule.next(1, &SIZE), Some((1, Filter::On)), "it gave most");
    }

    #[test]
    fn the_filter_comes_off_only_after_every_pass_had_its_turn() {
        let mut schedule = Schedule::new(2);
        for pass in 0..2 {
            schedule.record(pass, Filter::On, Some(7), 0.0, 1);
        }
        assert_eq!(schedule.next(7, &SIZE), Some((0, Filter::Off)));
        assert_eq!(schedule.next(8, &SIZE), Some((0, Filter::On)), "another base");
        for pass in 0..2 {
            schedule.record(pass, Filter::Off, Some(7), 0.0, 1);
        }
        assert_eq!(schedule.next(7, &SIZE), None);
        schedule.new_sweep();
        assert!(schedule.next(7, &SIZE).is_some());
    }
}
