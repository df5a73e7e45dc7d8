//! This machine in the place of a cluster that has been given up.

use super::{Cluster, Remote};
use crate::error::UserError;
use crate::oracle::Fault;
use crate::oracle::executor::{Executor, Job, Run};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

/// Makes an executor on this machine.
type Make = dyn Fn() -> Result<Box<dyn Executor>, UserError> + Send + Sync;
/// Tells the user that the cluster has been given up, and why.
type Tell = dyn Fn(&UserError) + Send + Sync;

/// Runs the test on a cluster, and on this machine once the cluster has been given up.
pub struct Fallback {
    remote: Remote,
    cluster: Arc<Cluster>,
    make: Box<Make>,
    tell: Box<Tell>,
    local: OnceLock<Result<Box<dyn Executor>, UserError>>,
    /// The number of runs that may begin on this machine. There may be more workers than that.
    free: Mutex<usize>,
    changed: Condvar,
    /// Whether each worker's run was cancelled.
    cancelled: Vec<AtomicBool>,
}

impl fmt::Debug for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fallback").field("remote", &self.remote).field("local", &self.local).finish()
    }
}

impl Fallback {
    /// An executor for `workers` workers, of whom `at_once` run on this machine at the same time.
    pub fn new(
        cluster: Arc<Cluster>,
        remote: Remote,
        (workers, at_once): (usize, usize),
        make: Box<Make>,
        tell: Box<Tell>,
    ) -> Self {
        let cancelled = (0..workers).map(|_| AtomicBool::default()).collect();
        let (local, changed) = (OnceLock::new(), Condvar::new());
        Self { remote, cluster, make, tell, local, free: Mutex::new(at_once), changed, cancelled }
    }

    /// The executor on this machine. The first caller makes it, and tells the user.
    fn local(&self, why: &UserError) -> Result<&dyn Executor, Fault> {
        let make = || {
            (self.tell)(why);
            (self.make)()
        };
        self.local
            .get_or_init(make)
            .as_ref()
            .map(|local| &**local)
            .map_err(|error| Fault::Broken(error.clone()))
    }

    fn run_here(&self, worker: usize, job: &Job, why: &UserError) -> Result<Run, Fault> {
        let local = self.local(why)?;
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free == 0 && !self.cancelled[worker].load(Ordering::SeqCst) {
            free = self.changed.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        if self.cancelled[worker].load(Ordering::SeqCst) {
            return Err(Fault::Cancelled);
        }
        *free -= 1;
        drop(free);
        let run = local.execute(worker, job);
        *self.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.changed.notify_one();
        run
    }
}

impl Executor for Fallback {
    fn execute(&self, worker: usize, job: &Job) -> Result<Run, Fault> {
        self.cancelled[worker].store(false, Ordering::SeqCst);
        if self.cluster.gone().is_none() {
            match self.remote.execute(worker, job) {
                Err(Fault::Broken(_)) if self.cluster.gone().is_some() => {}
                run => return run,
            }
        }
        match self.cluster.gone() {
            Some(why) => self.run_here(worker, job, &why),
            None => Err(Fault::Cancelled),
        }
    }

    fn cancel(&self, worker: usize) {
        self.cancelled[worker].store(true, Ordering::SeqCst);
        self.remote.cancel(worker);
        if let Some(Ok(local)) = self.local.get() {
            local.cancel(worker);
        }
        // A worker that has looked at its mark already is waiting now.
        drop(self.free.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    fn close(&self) {
        (0..self.cancelled.len()).for_each(|worker| self.cancel(worker));
        self.remote.close();
        if let Some(Ok(local)) = self.local.get() {
            local.close();
        }
    }

    fn left(&self) -> Vec<String> {
        self.local.get().and_then(|local| local.as_ref().ok()).map_or_else(Vec::new, |local| local.left())
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn account(&self) -> Option<String> {
        self.remote.account()
    }
}
