//! Which processes descend from tests of ours, and how they end.
//!
//! Only these are ever killed: a process that was a child of this one before it became Lopper (`exec` keeps
//! them) is none of them, nor is what such a process starts. Whatever is waited for, is waited for with a
//! limit: a process may not be ours to kill, or may be in the kernel for ever.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::AsFd;
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, kill_process, pidfd_open, wait, waitpid};
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long it may take until what was killed is gone.
pub(super) const DEATH: Duration = Duration::from_secs(2);

/// Our children, by process id.
#[derive(Debug)]
pub(super) struct Family {
    tests: BTreeSet<u32>,
    helpers: BTreeSet<u32>,
    /// Children that were there before us.
    strangers: BTreeSet<u32>,
    /// Whether others than tests and helpers may leave processes to us.
    is_shared: bool,
    /// What has been killed in vain: it is not waited for again.
    survivors: Vec<Pid>,
    /// What is in the environment of all that tests of ours start: the paths that TMPDIR names for them.
    marks: Vec<Vec<u8>>,
}

/// Locked while a child is started, so that none is ever taken for an orphan.
pub(super) fn family() -> MutexGuard<'static, Family> {
    static FAMILY: Mutex<Family> = Mutex::new(Family {
        tests: BTreeSet::new(),
        helpers: BTreeSet::new(),
        strangers: BTreeSet::new(),
        is_shared: false,
        survivors: Vec::new(),
        marks: Vec::new(),
    });
    FAMILY.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Family {
    /// A test was started.
    pub(super) fn has_test(&mut self, test: &Child) {
        self.tests.insert(test.id());
    }

    /// A helper was started.
    pub(super) fn has_helper(&mut self, helper: &Child) {
        self.helpers.insert(helper.id());
    }

    /// Tests are going to be started with this path as TMPDIR.
    pub(super) fn marks(&mut self, tmp: &Path) {
        let mark = tmp.as_os_str().as_bytes();
        if !self.marks.iter().any(|known| known == mark) {
            self.marks.push(mark.to_vec());
        }
    }

    /// Whether a child is what a test has left to us.
    fn is_orphan(&self, pid: u32) -> bool {
        let has_mark = || {
            let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            self.marks.iter().any(|mark| environment.windows(mark.len()).any(|part| part == mark))
        };
        !self.helpers.contains(&pid) && !self.strangers.contains(&pid) && (!self.is_shared || has_mark())
    }

    /// Kills processes, and waits until they have ended or the time is over. Gives one that has survived that
    /// for the first time.
    fn kill(&mut self, all: &[Pid], deadline: Instant) -> Option<Pid> {
        let known = self.survivors.len();
        for &pid in all {
            if end(pid, Signal::KILL) == Err(Errno::PERM) && !self.survivors.contains(&pid) {
                self.survivors.push(pid);
            }
        }
        for &pid in all {
            if !self.survivors.contains(&pid) && !ends_before(pid, deadline) {
                self.survivors.push(pid);
            }
        }
        self.survivors.get(known).copied()
    }
}

/// Lets what tests leave behind become our children, so that it can be found. Where the kernel refuses that,
/// only process groups are cleaned up. `is_shared` says that this program may start processes of its own.
///
/// What strangers leave behind becomes our child too; where there are any, a process is taken for a test's only
/// if its environment says so.
pub(super) fn adopt(is_shared: bool) {
    let me = std::process::id();
    let mut family = family();
    if family.helpers.is_empty() && family.tests.is_empty() {
        family.strangers = children(me).into_iter().collect();
    }
    family.is_shared |= is_shared || !family.strangers.is_empty();
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Waits for a helper that was told to quit or is gone, and kills it if it does not end. What it may have
/// left is ours then, and ends.
pub(super) fn end_helper(child: &mut Child, patience: Duration) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // It may have been stopped; it cannot quit then.
        let _ = end(pid, Signal::CONT);
        if !ends_before(pid, Instant::now() + patience) {
            // Fails if it has ended meanwhile.
            let _ = child.kill();
            ends_before(pid, Instant::now() + DEATH);
        }
    }
    // Reaps it, if it has ended.
    let _ = child.try_wait();
    family().helpers.remove(&child.id());
    end_orphans(0);
}

/// A test of ours has ended, without a helper. Once none runs, whatever children there are but helpers
/// were left behind by one: by `setsid`, or by forking twice. While another runs they may be its own,
/// and are left alone.
pub(super) fn end_orphans(test: u32) {
    let mut family = family();
    family.tests.remove(&test);
    if !family.tests.is_empty() {
        return;
    }
    let deadline = Instant::now() + DEATH;
    // What starts something while it is looked at leaves that to us: another round finds it.
    loop {
        let all = children(std::process::id()).into_iter().filter(|pid| family.is_orphan(*pid));
        let orphans: Vec<Pid> = all.flat_map(descendants).collect();
        let _ = family.kill(&orphans, deadline);
        for &pid in &orphans {
            // What is killed becomes our child one by one, as its parent ends.
            let _ = waitpid(Some(pid), WaitOptions::NOHANG);
        }
        if orphans.iter().all(|pid| family.survivors.contains(pid)) || Instant::now() > deadline {
            return;
        }
    }
}

/// Kills and reaps all children and what they started, until there is none but what cannot be killed: for a
/// process that has no others. What is killed leaves its children to us, so this takes a few rounds. Gives one that
/// could not be killed for the first time.
pub(super) fn end_all_children(test: u32) -> Option<Pid> {
    let mut family = family();
    family.tests.remove(&test);
    let mut survivor = None;
    let deadline = Instant::now() + DEATH;
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, _))) => {
                family.survivors.retain(|survivor| *survivor != pid);
            }
            Err(Errno::INTR) => {}
            Ok(None) => {
                let all: Vec<Pid> = children(std::process::id()).into_iter().flat_map(descendants).collect();
                survivor = family.kill(&all, deadline).or(survivor);
                if all.iter().all(|pid| family.survivors.contains(pid)) || Instant::now() > deadline {
                    return survivor;
                }
            }
            Err(_) => return survivor,
        }
    }
}

/// Whether a process ends before that time; it need not be reaped for that.
pub(super) fn ends_before(pid: Pid, deadline: Instant) -> bool {
    let pidfd = match pidfd_open(pid, PidfdFlags::empty()) {
        Ok(pidfd) => pidfd,
        Err(e) => return e == Errno::SRCH,
    };
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut fds = [PollFd::from_borrowed_fd(pidfd.as_fd(), PollFlags::IN)];
        match poll(&mut fds, Timespec::try_from(left).ok().as_ref()) {
            Ok(0) | Err(Errno::INTR) if left.is_zero() => return false,
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return true,
            Err(_) => return false,
        }
    }
}

/// A process, its children, theirs, and so on, as they are now.
pub(super) fn descendants(pid: u32) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut open = vec![pid];
    while let Some(pid) = open.pop() {
        open.extend(children(pid));
        found.extend(i32::try_from(pid).ok().and_then(Pid::from_raw));
    }
    found
}

/// The children of a process, as they are now.
pub(super) fn children(pid: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let of_task = |task: std::fs::DirEntry| {
        let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        children.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>()
    };
    tasks.flat_map(of_task).collect()
}

/// Signals a process; that it is gone is no error.
pub(super) fn end(pid: Pid, signal: Signal) -> Result<(), Errno> {
    match kill_process(pid, signal) {
        Err(Errno::SRCH) => Ok(()),
        sent => sent,
    }
}
