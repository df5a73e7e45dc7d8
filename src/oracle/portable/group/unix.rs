//! Process groups: a signal reaches all processes of a group, and only those.

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};

/// What is not promised here.
pub(crate) const SHORTCOMING: &str =
    "a process that leaves its test's process group may survive the test, and --memory-limit has no effect";

/// Makes a command start in a group of its own.
pub(crate) fn prepare(command: &mut Command) {
    command.process_group(0);
}

/// The command that lists all processes of the machine, each in a line with its parent.
pub(crate) const LISTING: Option<[&str; 6]> = Some(["ps", "-A", "-o", "pid=", "-o", "ppid="]);

/// The group of a test, whose first process has not been reaped yet.
#[derive(Debug)]
pub(crate) struct Group {
    first: Pid,
    /// Descendants that may have left the group, as those of timeout(1) do.
    others: Vec<Pid>,
}

impl Group {
    /// The group of a child that was started by a [prepared](prepare) command.
    ///
    /// # Errors
    /// If the child has no process id.
    pub(crate) fn of(child: &mut Child) -> io::Result<Self> {
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let first = pid.ok_or_else(|| io::Error::other("the test has no process id"))?;
        Ok(Self { first, others: Vec::new() })
    }

    /// Takes all descendants into the group, by what the [listing](LISTING) says just now.
    pub(crate) fn take_descendants(&mut self, listing: &str) {
        let number = |word: Option<&str>| Pid::from_raw(word?.parse().ok()?);
        let pair = |line: &str| {
            let mut words = line.split_ascii_whitespace();
            number(words.next()).zip(number(words.next()))
        };
        let pairs: Vec<(Pid, Pid)> = listing.lines().filter_map(pair).collect();
        let mut open = vec![self.first];
        while let Some(parent) = open.pop() {
            let of_parent = pairs.iter().filter(|(_, above)| *above == parent).map(|(child, _)| *child);
            let new: Vec<Pid> = of_parent.filter(|child| !self.others.contains(child)).collect();
            self.others.extend(&new);
            open.extend(new);
        }
    }

    /// Asks the group to end; returns whether it can be asked.
    pub(crate) fn ask(&self) -> bool {
        self.signal(Signal::TERM)
    }

    /// Kills the group. It is not an error if it is gone.
    pub(crate) fn kill(&mut self) {
        self.signal(Signal::KILL);
    }

    fn signal(&self, signal: Signal) -> bool {
        for pid in &self.others {
            let _ = kill_process(*pid, signal);
        }
        kill_process_group(self.first, signal).is_ok()
    }
}

/// Waits for the end of a child, whose id stays its own until it is reaped.
pub(crate) fn wait(child: &mut Child) {
    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return };
    let ends = || waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
    while ends().is_err_and(|e| e == Errno::INTR) {}
}

/// An exit status as a number.
pub(crate) fn number_of(status: ExitStatus) -> i64 {
    status.into_raw().into()
}

/// The exit status that has this number.
pub(crate) fn status_of(number: i64) -> ExitStatus {
    ExitStatus::from_raw(number as i32)
}

/// What makes the tests of a helper end with it: nothing here, if the helper is killed.
#[derive(Debug)]
pub(crate) struct Guard;

impl Guard {
    /// A guard of this process, a helper.
    pub(crate) fn new() -> Self {
        Self
    }
}
