//! A busy machine: whether a run of the test is late because its processes had to wait for a processor or a disk.
//!
//! A run that reaches its time limit counts as boring, so a good candidate is lost if the machine was only busy with
//! other work. The processor time of the run and the states of its processes tell that from a candidate that computes
//! forever, which has used its processor, and from one that waits forever, which sleeps.

use rustix::process::Pid;
use std::fs;
use std::time::Duration;

/// A run has at most this many times its time limit, however busy the machine is.
pub(super) const PATIENCE: u32 = 10;

/// Whether processes are held up by the machine: one of them would run if it could, and together they have used less
/// than half of this time. It takes some 20 microseconds per thread.
pub(super) fn holds_up(processes: &[Pid], limit: Duration) -> bool {
    let used: u64 = processes.iter().filter_map(|pid| ticks(*pid)).sum();
    let least = limit.as_secs_f64() / 2.0 * rustix::param::clock_ticks_per_second() as f64;
    (used as f64) < least && processes.iter().any(|pid| waits(*pid))
}

/// The processor time of a process and of its reaped children, in clock ticks; `None` if it has ended.
fn ticks(pid: Pid) -> Option<u64> {
    used(&fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?)
}

/// The processor time in a stat file: that of the process in the user's code and in the kernel, and of its children.
fn used(stat: &str) -> Option<u64> {
    Some(fields(stat)?.skip(11).take(4).filter_map(|ticks| ticks.parse::<u64>().ok()).sum())
}

/// Whether a thread of a process would run if it could.
fn waits(pid: Pid) -> bool {
    let threads =
        fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())).into_iter().flatten().flatten();
    let mut stats = threads.filter_map(|thread| fs::read_to_string(thread.path().join("stat")).ok());
    stats.any(|stat| would_run(&stat))
}

/// Whether a thread runs, waits for a processor (R), or waits for a disk (D).
fn would_run(stat: &str) -> bool {
    fields(stat).and_then(|mut fields| fields.next()).is_some_and(|state| matches!(state, "R" | "D"))
}

/// The fields of a stat file from the state on. The name of the program stands before them, in parentheses, and may
/// hold anything.
fn fields(stat: &str) -> Option<impl Iterator<Item = &str>> {
    Some(stat.rsplit_once(')')?.1.split_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn the_processor_time_of_a_process_is_that_of_its_children_too() {
        let stat = "7 (a) R 5 (x) S 1 7 7 0 -1 4194304 99 0 0 0 1 20 300 4000 20 0 1 0";
        assert_eq!(
            fields(stat).and_then(|mut fields| fields.next()),
            Some("S"),
            "the name is not taken for a state"
        );
        let used: u64 =
            fields(stat).unwrap().skip(11).take(4).map(|ticks| ticks.parse::<u64>().unwrap()).sum();
        assert_eq!(used, 4321);
    }

    #[test]
    fn a_process_that_computes_is_held_up_only_while_it_has_used_little() {
        let me = rustix::process::getpid();
        assert!(holds_up(&[me], LONG), "this thread runs, and no test has computed for half an hour");
        assert!(!holds_up(&[me], Duration::ZERO), "any time is more than half of nothing");
        assert!(!holds_up(&[], LONG));
    }

    #[test]
    fn a_thread_that_sleeps_is_not_held_up() {
        for (state, held_up) in [("R", true), ("D", true), ("S", false), ("T", false), ("Z", false)] {
            assert_eq!(would_run(&format!("7 (a) R b) {state} 1 7")), held_up, "{state}");
        }
    }
}
