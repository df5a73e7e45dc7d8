//! The goal `time`: no candidate becomes the program whose test is slow compared with the fastest program so far.
//!
//! Only a run tells how long a candidate's test takes, and never twice the same. So candidates are proposed for their
//! tokens, as ever, and one that takes more than twice as long as the fastest program is refused, however small it is.
//! The times of runs are in the journal, so a resumed run refuses the same candidates; and tests run one at a time, so
//! that they do not slow each other down.

use std::time::Duration;

/// A program is slow if its run takes more than this many times as long, and this much longer.
const SLOW: u32 = 2;
const NOISE: Duration = Duration::from_millis(20);

/// The time of the fastest program so far; see the module.
#[derive(Debug)]
pub(crate) struct Fastest(Duration);

impl Fastest {
    /// For an original whose run takes this time.
    pub(crate) fn new(original: Duration) -> Self {
        Self(original)
    }

    /// Whether a run of this time is slow.
    pub(crate) fn is_slow(&self, time: Duration) -> bool {
        time > (self.0 * SLOW).max(self.0 + NOISE)
    }

    /// Learns the time of the program now.
    pub(crate) fn committed(&mut self, time: Duration) {
        self.0 = self.0.min(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_slow_if_it_takes_more_than_twice_as_long_as_the_fastest_one() {
        let millis = Duration::from_millis;
        let mut fastest = Fastest::new(millis(500));
        assert_eq!([1000, 1001].map(|time| fastest.is_slow(millis(time))), [false, true]);
        fastest.committed(millis(100));
        fastest.committed(millis(150));
        assert_eq!([200, 201].map(|time| fastest.is_slow(millis(time))), [false, true]);
        fastest.committed(millis(3));
        assert_eq!([23, 24].map(|time| fastest.is_slow(millis(time))), [false, true], "that may be chance");
    }
}
