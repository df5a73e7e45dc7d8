//! How much memory processes hold.
//!
//! A limit on the address space would end every program that was built with a sanitizer, since sanitizers
//! reserve terabytes of it. So the resident memory is checked at intervals.

use crate::platform::kilobytes;
use rustix::process::Pid;
use std::fs;

/// Whether these processes together hold more than `limit` bytes of memory. Shared memory counts once, as far
/// as the kernel tells. It takes about 10 microseconds per process, and more only near the limit.
pub(super) fn exceeds(processes: &[Pid], limit: u64) -> bool {
    let resident: Vec<u64> = processes.iter().map(|pid| resident(*pid).unwrap_or(0)).collect();
    if resident.iter().sum::<u64>() <= limit {
        return false;
    }
    let shares = processes.iter().zip(resident).map(|(pid, all)| proportional(*pid).unwrap_or(all));
    shares.sum::<u64>() > limit
}

/// The resident memory of a process, in bytes; `None` if it has ended.
fn resident(pid: Pid) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/statm", pid.as_raw_nonzero())).ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// The same, but memory shared with other processes counts in proportion: slower, and not supported by every
/// kernel.
fn proportional(pid: Pid) -> Option<u64> {
    kilobytes(&fs::read_to_string(format!("/proc/{}/smaps_rollup", pid.as_raw_nonzero())).ok()?, "Pss:")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform;

    #[test]
    fn the_memory_of_this_process_is_known_and_counts_once() {
        let me = rustix::process::getpid();
        let held = vec![1u8; 64 << 20];
        assert!(exceeds(&[me], 64 << 20), "{:?}", resident(me));
        let whole = resident(me).unwrap();
        assert!(!exceeds(&[me], whole * 2) && !exceeds(&[], 0), "{whole}");
        assert!(proportional(me).is_none_or(|share| share > held.len() as u64), "{:?}", proportional(me));
        assert!(platform::memory().is_some_and(|all| all > whole));
    }
}
