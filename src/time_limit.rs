//! The automatic time limit of a run of the test, which follows the program as it shrinks.
//!
//! The first limit is ten times the time of the run on the original. A candidate that loops forever costs that
//! much, even when the program has become so small that a run takes a hundredth. So at each commit, the limit is
//! halved as long as it stays above the geometric mean of the first limit and ten times the run on the committed
//! program, and above three seconds. A program whose runs take a hundredth gets at least a tenth of the first limit,
//! which is a hundred times its own run: the smaller the runs, the more room there is for a machine under load.
//! A machine that suddenly pages or compiles can hold up the shortest run for a second or two, so a limit below three
//! seconds would refuse good candidates, and save little.
//! Powers of two make the limit the same in most runs, although no two runs take exactly as long.
//!
//! The limit depends only on the first limit and on the times of accepted runs, which are all in the journal.
//! For a test that flickers it stays what it was, since such a run goes back to earlier and slower programs.

use crate::oracle::micros;
use std::time::Duration;

/// The limit is at least this many times a run on the program.
const ROOM: u32 = 10;
/// The smallest first limit.
const LEAST: Duration = Duration::from_secs(1);
/// A limit does not fall below this one.
const FLOOR: Duration = Duration::from_secs(3);

/// The default limit, from the time of the first run.
pub(crate) fn usual_limit(first: Duration) -> Duration {
    (first * ROOM).max(LEAST)
}

/// A limit that follows the program; see the module.
#[derive(Debug)]
pub(crate) struct TimeLimit {
    first: Duration,
    now: Duration,
    /// Whether the limit may change.
    follows: bool,
}

impl TimeLimit {
    /// The limit at the beginning of a run.
    pub(crate) fn new(first: Duration, follows: bool) -> Self {
        Self { first, now: first, follows }
    }

    /// The limit on the original.
    pub(crate) fn first(&self) -> Duration {
        self.first
    }

    /// The limit now.
    pub(crate) fn now(&self) -> Duration {
        self.now
    }

    /// Lowers the limit for a program whose run takes this time. Returns the limit if it has changed.
    pub(crate) fn committed(&mut self, time: Duration) -> Option<Duration> {
        let before = self.now;
        while self.follows && enough(self.first, time) <= self.now / 2 {
            self.now = Duration::from_micros(micros(self.now / 2));
        }
        (self.now < before).then_some(self.now)
    }

    /// Sets the limit back to the first one, and leaves it there.
    pub(crate) fn stays(&mut self) {
        self.now = self.first;
        self.follows = false;
    }
}

/// The limit that is enough for a program whose run takes this time.
fn enough(first: Duration, time: Duration) -> Duration {
    let square = first.as_micros().saturating_mul((time * ROOM).as_micros());
    Duration::from_micros(u64::try_from(square.isqrt()).unwrap_or(u64::MAX)).max(FLOOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// The limit after a commit whose run took this long, if the run on the original took 5 s.
    fn after(time: Duration) -> Option<Duration> {
        let mut limit = TimeLimit::new(usual_limit(millis(5000)), true);
        limit.committed(time)
    }

    #[test]
    fn a_tenth_of_the_limit_is_enough_once_runs_take_a_hundredth() {
        assert_eq!(after(millis(5000)), None);
        assert_eq!(after(millis(1300)), None);
        assert_eq!(after(millis(1250)), Some(millis(25_000)));
        assert_eq!(after(millis(50)), Some(millis(6250)), "the smallest half that is not below 5 s");
    }

    #[test]
    fn the_limit_never_falls_below_three_seconds_nor_below_ten_runs() {
        assert_eq!(after(Duration::ZERO), Some(millis(3125)));
        for (first, limit) in [(3, 1000), (599, 5990)] {
            let mut quick = TimeLimit::new(usual_limit(millis(first)), true);
            assert_eq!((quick.committed(Duration::ZERO), quick.now()), (None, millis(limit)));
        }
        for time in (0..5000).step_by(7).map(millis) {
            assert!(after(time).is_none_or(|limit| limit >= time * ROOM), "{time:?}");
        }
    }

    #[test]
    fn the_limit_only_falls_until_it_stays_what_it_was_at_first() {
        let mut limit = TimeLimit::new(millis(50_000), true);
        assert_eq!(limit.committed(millis(50)), Some(millis(6250)));
        assert_eq!((limit.committed(millis(3000)), limit.now()), (None, millis(6250)));
        limit.stays();
        assert_eq!((limit.committed(millis(50)), limit.now()), (None, millis(50_000)));
    }
}
