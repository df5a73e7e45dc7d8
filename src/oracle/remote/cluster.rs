//! A cluster that is in use: its connections, its store, and whether it is still there.

use super::address::Address;
use super::channel::{Access, Connections, Lane, Line, soon};
use super::store::Store;
use super::trouble::{Trouble, lost, no_instance};
use crate::error::UserError;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::longrunning::CancelOperationRequest;
use bazel_remote_apis::google::longrunning::operations_client::OperationsClient;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tonic::{Code, Status};

/// How long a cluster may be silent before it is given up, so that the user knows within 30 s.
const PATIENCE: Duration = Duration::from_secs(16);
/// As [`PATIENCE`], before the first answer: the address may be wrong.
const PATIENCE_AT_FIRST: Duration = Duration::from_secs(5);
/// The time between two looks at whether the cluster is there.
const LOOK: Duration = Duration::from_secs(1);
/// The time between two questions to a cluster that runs something, and the time for the answer.
const ASK: Duration = Duration::from_secs(4);
/// The number of workers that share a connection. Servers allow some 100 requests at once on each.
const SHARE: usize = 50;
/// How long the end waits for requests that cancel runs.
const CANCELS: Duration = Duration::from_secs(2);

/// Where tests run, and how.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address.
    pub address: Address,
    /// How to get access.
    pub access: Access,
    /// The properties that a worker must have.
    pub properties: Vec<(String, String)>,
    /// The variables of the test's environment.
    pub variables: Vec<(String, String)>,
    /// Files and folders that the test needs besides its own.
    pub with: Vec<PathBuf>,
}

/// What has happened so far, for the log.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) runs: AtomicU64,
    pub(super) cached: AtomicU64,
    pub(super) repeated: AtomicU64,
    pub(super) cancelled: AtomicU64,
}

/// The last requests that failed, with none between that succeeded.
#[derive(Clone, Debug)]
struct Silence {
    since: Instant,
    said: String,
}

/// The cluster; see the module.
#[derive(Debug)]
pub struct Cluster {
    pub(super) settings: Settings,
    /// `None` once it is dropped.
    runtime: Option<Runtime>,
    connections: Connections,
    lanes: Vec<Lane>,
    pub(super) store: Store,
    silence: Mutex<Option<Silence>>,
    /// The error with which the cluster was given up, once it is.
    gone: watch::Sender<Option<UserError>>,
    /// The number of runs that wait for an answer.
    pub(super) waiting: AtomicUsize,
    pub(super) counts: Counts,
    /// The requests that cancel runs.
    cancels: Mutex<JoinSet<()>>,
}

impl Cluster {
    /// Connects to a cluster, for so many workers.
    ///
    /// # Errors
    /// If it cannot be reached, refuses access, or cannot run tests.
    pub fn connect(settings: Settings, workers: usize) -> Result<Arc<Self>, UserError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("remote")
            .enable_all()
            .build()
            .map_err(|e| UserError::no_threads(&e))?;
        let address = &settings.address;
        let (connections, lanes) = {
            let _inside = runtime.enter();
            let connections = Connections::new(address, &settings.access)?;
            let lanes: Vec<Lane> = (0..workers.div_ceil(SHARE).max(1)).map(|_| connections.lane()).collect();
            (connections, lanes)
        };
        let capabilities = runtime.block_on(first_answer(address, &connections, &lanes[0]))?;
        let batch = check(address, &capabilities)?;
        let cluster = Arc::new(Self {
            store: Store::new(address, batch),
            runtime: Some(runtime),
            connections,
            lanes,
            silence: Mutex::default(),
            gone: watch::Sender::new(None),
            waiting: AtomicUsize::default(),
            counts: Counts::default(),
            cancels: Mutex::default(),
            settings,
        });
        if let Some(handle) = cluster.handle() {
            let weak = Arc::downgrade(&cluster);
            drop(handle.spawn(watch_over(weak)));
        }
        Ok(cluster)
    }

    /// A handle of the runtime.
    pub(super) fn handle(&self) -> Option<&Handle> {
        self.runtime.as_ref().map(Runtime::handle)
    }

    /// The lane of a worker.
    pub(super) fn lane(&self, worker: usize) -> &Lane {
        &self.lanes[worker / SHARE % self.lanes.len()]
    }

    /// A line of a lane.
    pub(super) fn line(&self, lane: &Lane) -> Line {
        self.connections.line(lane)
    }

    /// Takes note of an answer.
    pub(super) fn heard(&self) {
        *self.silence.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Takes note of a request that failed.
    pub(super) fn silent(&self, said: String) {
        let mut silence = self.silence.lock().unwrap_or_else(PoisonError::into_inner);
        let since = silence.as_ref().map_or_else(Instant::now, |silence| silence.since);
        *silence = Some(Silence { since, said });
    }

    /// Whether the token was renewed, so that a request that was refused may be tried again.
    pub(super) fn has_new_token(&self) -> bool {
        self.connections.renew_token()
    }

    /// The error with which the cluster was given up, if it was.
    pub fn gone(&self) -> Option<UserError> {
        self.gone.borrow().clone()
    }

    /// Waits until the cluster is given up.
    pub(super) async fn is_gone(&self) -> UserError {
        let mut gone = self.gone.subscribe();
        match gone.wait_for(Option::is_some).await.map(|error| error.clone()) {
            Ok(Some(error)) => error,
            _ => std::future::pending().await,
        }
    }

    /// Cancels an operation. The run does not wait for that.
    pub(super) fn cancel(self: &Arc<Self>, worker: usize, name: String) {
        self.counts.cancelled.fetch_add(1, Ordering::Relaxed);
        let Some(handle) = self.handle() else { return };
        let line = self.line(self.lane(worker));
        let address = self.settings.address.clone();
        let mut cancels = self.cancels.lock().unwrap_or_else(PoisonError::into_inner);
        while cancels.try_join_next().is_some() {}
        let cancel = async move {
            let mut client = OperationsClient::new(line);
            // A server that does not know how to cancel runs the test to its end, which nobody waits for.
            let _ = soon(CANCELS, &address, client.cancel_operation(CancelOperationRequest { name })).await;
        };
        cancels.spawn_on(cancel, handle);
    }

    /// Waits for the requests that cancel runs.
    pub(super) fn settle(&self) {
        let cancels = std::mem::take(&mut *self.cancels.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(handle) = self.handle() {
            let _ = handle.block_on(async { tokio::time::timeout(CANCELS, cancels.join_all()).await });
        }
    }

    /// Gives the cluster up if it has been silent for too long.
    fn look(&self) {
        let silence = self.silence.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(Silence { since, said }) = silence
            && since.elapsed() >= PATIENCE
        {
            self.gone.send_if_modified(|gone| {
                let is_first = gone.is_none();
                if is_first {
                    *gone = Some(lost(&self.settings.address, &said));
                }
                is_first
            });
        }
    }

    /// Asks on every lane whether the cluster is still there. A dead connection is replaced.
    async fn ask(&self) {
        for lane in &self.lanes {
            match ask(&self.settings.address, self.line(lane)).await {
                Err(Trouble::Unreachable(said)) => {
                    self.silent(said);
                    self.connections.replace(lane);
                }
                _ => self.heard(),
            }
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // The task that watches over the cluster may hold its last reference, and must not wait for itself.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Watches over a cluster as long as it is in use.
async fn watch_over(cluster: Weak<Cluster>) {
    let mut asked = Instant::now();
    loop {
        tokio::time::sleep(LOOK).await;
        let Some(cluster) = cluster.upgrade() else { return };
        cluster.look();
        if asked.elapsed() >= ASK && cluster.waiting.load(Ordering::Relaxed) > 0 {
            let also = Arc::clone(&cluster);
            drop(tokio::spawn(async move { also.ask().await }));
            asked = Instant::now();
        }
    }
}

/// Asks a server what it can do.
async fn ask(address: &Address, line: Line) -> Result<api::ServerCapabilities, Trouble> {
    use api::capabilities_client::CapabilitiesClient;
    let request = api::GetCapabilitiesRequest { instance_name: address.instance.clone() };
    let mut client = CapabilitiesClient::new(line);
    soon(ASK, address, client.get_capabilities(request)).await.map(tonic::Response::into_inner)
}

/// The first answer of a server.
async fn first_answer(
    address: &Address,
    connections: &Connections,
    lane: &Lane,
) -> Result<api::ServerCapabilities, UserError> {
    use api::capabilities_client::CapabilitiesClient;
    let start = Instant::now();
    loop {
        let request = api::GetCapabilitiesRequest { instance_name: address.instance.clone() };
        let mut client = CapabilitiesClient::new(connections.line(lane));
        let answer = tokio::time::timeout(PATIENCE_AT_FIRST, client.get_capabilities(request));
        let status = match answer.await {
            Ok(Ok(answer)) => return Ok(answer.into_inner()),
            Ok(Err(status)) => status,
            Err(_) => Status::unavailable("there was no answer"),
        };
        let trouble = match status.code() {
            Code::InvalidArgument | Code::NotFound => return Err(no_instance(address, status.message())),
            Code::Unimplemented => {
                return Err(UserError::usage(format!(
                    "what answers at {address} does not have the Remote Execution API"
                )));
            }
            _ => Trouble::of(&status, address, false),
        };
        match trouble {
            Trouble::Refused(error) => return Err(error),
            trouble if start.elapsed() >= PATIENCE_AT_FIRST => {
                return Err(UserError::usage(format!("the cluster at {address} does not answer"))
                    .fact(trouble.said())
                    .help(
                        "is the address right, and does the server use TLS? reapi:// and grpcs:// differ",
                    ));
            }
            _ => tokio::time::sleep(Duration::from_millis(500)).await,
        }
    }
}

/// Checks that a cluster can run tests; returns the most bytes of blobs that it takes in one request.
fn check(address: &Address, capabilities: &api::ServerCapabilities) -> Result<i64, UserError> {
    let lacks = |what: &str| Err(UserError::usage(format!("the cluster at {address} {what}")));
    let Some(execution) = capabilities.execution_capabilities.as_ref().filter(|own| own.exec_enabled) else {
        return lacks("stores files, but runs nothing for you");
    };
    let sha256 = api::digest_function::Value::Sha256 as i32;
    let functions = &execution.digest_functions;
    if execution.digest_function != sha256 && !functions.contains(&sha256) {
        return lacks("does not name files by SHA-256, and Lopper has no other way");
    }
    Ok(capabilities.cache_capabilities.as_ref().map_or(0, |own| own.max_batch_total_size_bytes))
}
