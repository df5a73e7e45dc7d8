//! The processes that descend from our tests, and how they are ended.
//!
//! Only these processes are ever killed. A process that was a child of this one before it became Lopper
//! (`exec` keeps children) is not one of them, and neither are its descendants. Every wait has a limit: we
//! may lack the permission to kill a process, or it may be stuck in the kernel for ever.

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

/// The time limit for waiting until killed processes are gone.
pub(super) const DEATH: Duration = Duration::from_secs(2);

/// Our children, by process id.
#[derive(Debug)]
pub(super) struct Family {
    tests: BTreeSet<u32>,
    helpers: BTreeSet<u32>,
    /// Children from before this process became Lopper.
    strangers: BTreeSet<u32>,
    /// Whether other processes than tests and helpers may leave orphans to us.
    is_shared: bool,
    /// Processes that were killed in vain, and are not waited for again.
    survivors: Vec<Pid>,
    /// The folders in which the paths lie that TMPDIR names for our tests: they are in the environment of every
    /// process that a test starts.
    marks: Vec<Vec<u8>>,
    /// A server, and the processes that it started before it was ready: they stay when a run ends.
    servers: BTreeSet<u32>,
}

/// The family. It is locked while a child is started, so that no child is ever taken for an orphan.
pub(super) fn family() -> MutexGuard<'static, Family> {
    static FAMILY: Mutex<Family> = Mutex::new(Family {
        tests: BTreeSet::new(),
        helpers: BTreeSet::new(),
        strangers: BTreeSet::new(),
        is_shared: false,
        survivors: Vec::new(),
        marks: Vec::new(),
        servers: BTreeSet::new(),
    });
    FAMILY.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Family {
    /// Records that a test was started.
    pub(super) fn has_test(&mut self, test: &Child) {
        self.tests.insert(test.id());
    }

    /// Records that a helper was started.
    pub(super) fn has_helper(&mut self, helper: &Child) {
        self.helpers.insert(helper.id());
    }

    /// Records that tests will be started with this folder as TMPDIR, or with one inside it.
    pub(super) fn marks(&mut self, folder: &Path) {
        let mark = folder.as_os_str().as_bytes();
        if !self.marks.iter().any(|known| known == mark) {
            self.marks.push(mark.to_vec());
        }
    }

    /// Records the processes of the only server; there may be none any more.
    pub(super) fn has_server(&mut self, processes: &[Pid]) {
        self.servers = processes.iter().map(|pid| pid.as_raw_nonzero().get().cast_unsigned()).collect();
    }

    /// Our children and their descendants that do not belong to a server.
    fn of_tests(&self) -> Vec<Pid> {
        let is_server = |pid: &Pid| self.servers.contains(&pid.as_raw_nonzero().get().cast_unsigned());
        let mut all = all_descendants();
        all.retain(|pid| !is_server(pid));
        all
    }

    /// As [`end_all_children`], but a server stays.
    fn end_tests(&mut self) -> Option<Pid> {
        let deadline = Instant::now() + DEATH;
        let mut survivor = None;
        // What a server does not reap stays in the list of its children.
        let mut ended: Vec<Pid> = Vec::new();
        loop {
            let mut all = self.of_tests();
            all.retain(|pid| !ended.contains(pid));
            if all.is_empty() || Instant::now() > deadline {
                return survivor;
            }
            survivor = self.kill(&all, deadline).or(survivor);
            for &pid in &all {
                let _ = waitpid(Some(pid), WaitOptions::NOHANG);
            }
            ended.extend(all);
        }
    }

    /// Whether a child is an orphan that a test has left to us.
    fn is_orphan(&self, pid: u32) -> bool {
        let has_mark = || {
            let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            self.marks.iter().any(|mark| environment.windows(mark.len()).any(|part| part == mark))
        };
        !self.helpers.contains(&pid) && !self.strangers.contains(&pid) && (!self.is_shared || has_mark())
    }

    /// Kills processes, and waits until they have ended or the deadline is reached. Returns a process that
    /// has survived for the first time.
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

/// Makes this process the parent of all processes that tests leave running, so that they can be found. If the
/// kernel refuses that, only process groups are cleaned up. `is_shared` means that this program may start
/// processes of its own.
///
/// Orphans of strangers become our children, too. If there are strangers, a process counts as a test's only
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

/// Waits for a helper that was told to quit or is gone, and kills it if it does not end. The processes that
/// it leaves become our children, and are ended.
pub(super) fn end_helper(child: &mut Child, patience: Duration) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // A stopped helper cannot quit.
        let _ = end(pid, Signal::CONT);
        if !ends_before(pid, Instant::now() + patience) {
            // Fails if the helper has ended meanwhile.
            let _ = child.kill();
            ends_before(pid, Instant::now() + DEATH);
        }
    }
    // Reaps the helper, if it has ended.
    let _ = child.try_wait();
    family().helpers.remove(&child.id());
    end_orphans(0);
}

/// Ends the orphans of tests that run without a helper, after one of these tests has ended. As soon as no
/// test runs, all children except helpers are orphans, for instance by `setsid` or by a double fork. While
/// another test runs, they may belong to it, and are left alone.
pub(super) fn end_orphans(test: u32) {
    let mut family = family();
    family.tests.remove(&test);
    if !family.tests.is_empty() {
        return;
    }
    let deadline = Instant::now() + DEATH;
    // A process may start another one while it is examined, and leave it to us: another round finds that.
    loop {
        let all = children(std::process::id()).into_iter().filter(|pid| family.is_orphan(*pid));
        let orphans: Vec<Pid> = all.flat_map(descendants).collect();
        let _ = family.kill(&orphans, deadline);
        for &pid in &orphans {
            // Killed processes become our children one by one, as their parents end.
            let _ = waitpid(Some(pid), WaitOptions::NOHANG);
        }
        if orphans.iter().all(|pid| family.survivors.contains(pid)) || Instant::now() > deadline {
            return;
        }
    }
}

/// All our children and their descendants, except those that belong to a server.
pub(super) fn children_of_tests() -> Vec<Pid> {
    family().of_tests()
}

/// All our children and their descendants.
pub(super) fn all_descendants() -> Vec<Pid> {
    children(std::process::id()).into_iter().flat_map(descendants).collect()
}

/// Kills and reaps all children and their descendants except a server, until only unkillable ones remain: for a
/// process that has no other children. A killed process leaves its children to us, so this takes a few rounds.
/// Returns a process that could not be killed for the first time.
pub(super) fn end_all_children(test: u32) -> Option<Pid> {
    let mut family = family();
    family.tests.remove(&test);
    if !family.servers.is_empty() {
        return family.end_tests();
    }
    let mut survivor = None;
    let deadline = Instant::now() + DEATH;
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, _))) => {
                family.survivors.retain(|survivor| *survivor != pid);
            }
            Err(Errno::INTR) => {}
            Ok(None) => {
                let all = all_descendants();
                survivor = family.kill(&all, deadline).or(survivor);
                if all.iter().all(|pid| family.survivors.contains(pid)) || Instant::now() > deadline {
                    return survivor;
                }
            }
            Err(_) => return survivor,
        }
    }
}

/// Whether a process ends before the deadline; a zombie counts as ended.
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

/// A process and all its current descendants.
pub(super) fn descendants(pid: u32) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut open = vec![pid];
    while let Some(pid) = open.pop() {
        open.extend(children(pid));
        found.extend(i32::try_from(pid).ok().and_then(Pid::from_raw));
    }
    found
}

/// The current children of a process.
pub(super) fn children(pid: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let of_task = |task: std::fs::DirEntry| {
        let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        children.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>()
    };
    tasks.flat_map(of_task).collect()
}

/// Signals a process. It is not an error if the process is gone.
pub(super) fn end(pid: Pid, signal: Signal) -> Result<(), Errno> {
    match kill_process(pid, signal) {
        Err(Errno::SRCH) => Ok(()),
        sent => sent,
    }
}
