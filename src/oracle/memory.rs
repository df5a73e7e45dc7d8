//! Memory: how much of it processes hold, and how much the machine has.
//!
//! A limit on the address space would end every program that was built with a sanitizer, since sanitizers
//! reserve terabytes of it. So the resident memory is checked at intervals.

use rustix::process::Pid;
use std::fs;
use std::path::{Path, PathBuf};

/// The smallest default limit of a run, in bytes, if the machine has so much.
const LEAST: u64 = 1 << 30;

/// The default memory limit of a run, in bytes: three quarters of the memory, divided by the number of
/// processors, but at least 1 GiB if that is within the three quarters. It does not depend on the number of
/// workers, since the result must not depend on it. `None` if the size of the memory is unknown.
pub fn default_limit() -> Option<u64> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    Some(share(machine()?, processors))
}

fn share(total: u64, processors: usize) -> u64 {
    let usable = total / 4 * 3;
    (usable / processors as u64).max(usable.min(LEAST))
}

/// The bytes of memory that this process may use: those of the machine, or fewer in a control group.
pub fn machine() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    let total = kilobytes(&meminfo, "MemTotal:")?;
    Some(groups().iter().filter_map(|folder| group_limit(folder)).fold(total, u64::min))
}

/// The most memory that this process has held, in bytes.
pub fn peak() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// The folders of this process's control groups, of version 2 and of version 1.
fn groups() -> Vec<PathBuf> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let of_line = |line: &str| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let root = match controllers {
            "" => Path::new("/sys/fs/cgroup"),
            _ if controllers.split(',').any(|c| c == "memory") => Path::new("/sys/fs/cgroup/memory"),
            _ => return None,
        };
        // In a container the path may be the host's, and the root the container's own.
        let folder = root.join(path.trim_start_matches('/'));
        let above = folder.ancestors().take_while(|folder| folder.starts_with(root)).map(Path::to_owned);
        Some(above.collect::<Vec<_>>())
    };
    groups.lines().filter_map(of_line).flatten().collect()
}

fn group_limit(folder: &Path) -> Option<u64> {
    let text = |name: &str| fs::read_to_string(folder.join(name));
    text("memory.max").or_else(|_| text("memory.limit_in_bytes")).ok()?.trim().parse().ok()
}

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

/// The value in bytes of a line in a /proc file, where it is given in kB.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(number * 1024)
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

    #[test]
    fn the_memory_of_this_process_is_known_and_counts_once() {
        let me = rustix::process::getpid();
        let held = vec![1u8; 64 << 20];
        assert!(exceeds(&[me], 64 << 20), "{:?}", resident(me));
        let whole = resident(me).unwrap();
        assert!(!exceeds(&[me], whole * 2) && !exceeds(&[], 0), "{whole}");
        assert!(proportional(me).is_none_or(|share| share > held.len() as u64), "{:?}", proportional(me));
        assert!(machine().is_some_and(|all| all > whole));
    }
}
