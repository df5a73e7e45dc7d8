//! The means that the caller lends to the engine: processors, and the user's request to stop.

use std::fmt;

/// The caller's means. They change no decision: `each` does the same work in any order, and after
/// `is_to_stop` there are no further decisions.
pub trait Means: Send + Sync {
    /// Whether the user wants to stop. The engine checks it where a decision takes long; once it is true, the
    /// driver soon asks for nothing more.
    fn is_to_stop(&self) -> bool;

    /// Calls `work` once with each number below `count`, and returns when all calls have returned. The calls
    /// may run at the same time, in any order.
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync));
}

impl fmt::Debug for dyn Means {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Means")
    }
}

/// One processor, and no request to stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Means for Alone {
    fn is_to_stop(&self) -> bool {
        false
    }

    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(work);
    }
}

/// The numbers below `count` for which `holds` is true, in ascending order.
pub(crate) fn numbers_where(
    means: &dyn Means,
    count: usize,
    holds: &(dyn Fn(usize) -> bool + Sync),
) -> Vec<usize> {
    use std::sync::atomic::{AtomicBool, Ordering};
    let held: Vec<AtomicBool> = std::iter::repeat_with(AtomicBool::default).take(count).collect();
    means.each(count, &|number| held[number].store(holds(number), Ordering::Relaxed));
    (0..count).filter(|&number| held[number].load(Ordering::Relaxed)).collect()
}
