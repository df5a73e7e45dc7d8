//! How much memory a run may take.

use crate::platform;

/// The smallest default limit of a run, in bytes, if the machine has so much.
const LEAST: u64 = 1 << 30;

/// The default memory limit of a run, in bytes: three quarters of the memory, divided by the number of
/// processors, but at least 1 GiB if that is within the three quarters. It does not depend on the number of
/// workers, since the result must not depend on it. `None` if the size of the memory is unknown.
pub fn default_limit() -> Option<u64> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    Some(share(platform::memory()?, processors))
}

fn share(total: u64, processors: usize) -> u64 {
    let usable = total / 4 * 3;
    (usable / processors as u64).max(usable.min(LEAST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_limit_is_a_share_of_the_memory_and_at_least_a_gigabyte_if_there_is_one() {
        let gib = |n: u64| n << 30;
        assert_eq!(share(gib(16), 4), gib(3));
        assert_eq!(share(gib(16), 64), gib(1), "small shares");
        assert_eq!(share(gib(1), 8), gib(1) / 4 * 3, "there is no more");
    }
}
