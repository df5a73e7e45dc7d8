//! One run of a command on a cluster: sends what it needs, waits for its end, and tries again if the cluster fails.

use super::channel::{Lane, Line};
use super::cluster::Cluster;
use super::tree::{Blob, Digest};
use super::trouble::{ATTEMPTS, Trouble, WORKERS, failed, pause};
use crate::error::UserError;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::longrunning::{Operation, operation};
use bazel_remote_apis::google::rpc;
use prost::Message;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tonic::{Code, Status, Streaming};

/// The largest message about a result.
const MESSAGE: usize = 64 << 20;
/// The longest time for which a run that has begun may be without a result, besides its limit.
const SLACK: Duration = Duration::from_secs(30);
/// How long a run that is stopped waits for the name of its operation.
const NAME: Duration = Duration::from_millis(500);

/// How a run ended.
#[derive(Clone, Debug)]
pub(super) enum Ended {
    /// By itself.
    Itself(Box<api::ActionResult>),
    /// At its time limit.
    TooLate,
    /// The worker ended it, each time that it was tried: with this message.
    Killed(String),
}

/// What is known of the operation on the cluster.
#[derive(Clone, Debug, Default)]
pub(super) enum Underway {
    /// There is none, as far as this side knows.
    #[default]
    Nothing,
    /// The request is under way: there may be one, without a name yet.
    Asked,
    /// There is one of this name.
    Named(String),
}

/// One run.
#[derive(Debug)]
pub(super) struct Execution<'a> {
    pub(super) cluster: &'a Cluster,
    pub(super) worker: usize,
    pub(super) action: Digest,
    /// All that the run needs.
    pub(super) blobs: Vec<&'a Blob>,
    /// The time limit.
    pub(super) limit: Duration,
    /// Whether the output is wanted.
    pub(super) watch: bool,
    /// The operation.
    pub(super) operation: watch::Sender<Underway>,
}

impl Execution<'_> {
    /// Runs the command, and tries again as long as that may help.
    ///
    /// # Errors
    /// If it does not help.
    pub(super) async fn run(&self) -> Result<Ended, UserError> {
        let (mut attempts, mut failures) = (0, 0);
        let mut busy: Option<Instant> = None;
        loop {
            let trouble = match self.attempt().await {
                Ok(ended) => {
                    self.cluster.heard();
                    self.set(Underway::Nothing);
                    return Ok(ended);
                }
                Err(trouble) => trouble,
            };
            self.cluster.counts.repeated.fetch_add(1, Ordering::Relaxed);
            let said = trouble.said();
            let address = &self.cluster.settings.address;
            match trouble {
                Trouble::Refused(_) if attempts == 0 && self.cluster.has_new_token() => {}
                Trouble::Refused(error) => return Err(error),
                Trouble::Unreachable(said) => self.cluster.silent(said),
                Trouble::Forgotten => self.set(Underway::Nothing),
                Trouble::Missing(_) => {
                    self.set(Underway::Nothing);
                    self.cluster.store.forget(self.blobs.iter().copied());
                }
                Trouble::Worker(_) => {
                    self.set(Underway::Nothing);
                    self.cluster.heard();
                    failures += 1;
                }
                Trouble::Busy(_) => {
                    self.set(Underway::Nothing);
                    self.cluster.heard();
                    // A cluster may have much to do for a while.
                    let since = *busy.get_or_insert_with(Instant::now);
                    if since.elapsed() < BUSY {
                        attempts = attempts.min(ATTEMPTS / 2);
                    }
                }
            }
            attempts += 1;
            if failures >= WORKERS {
                return Ok(Ended::Killed(said));
            }
            if attempts >= ATTEMPTS {
                return Err(failed(address, attempts, &said));
            }
            tokio::time::sleep(pause(attempts, self.worker)).await;
        }
    }

    fn set(&self, operation: Underway) {
        self.operation.send_replace(operation);
    }

    /// The name of the operation if it is under way.
    pub(super) fn operation(&self) -> Option<String> {
        match &*self.operation.borrow() {
            Underway::Named(name) => Some(name.clone()),
            Underway::Nothing | Underway::Asked => None,
        }
    }

    /// Continues a stopped run until its operation has a name by which it can be cancelled, for at most [`NAME`].
    pub(super) async fn name(&self, run: impl Future<Output = Result<Ended, UserError>>) {
        let mut operation = self.operation.subscribe();
        let named = operation.wait_for(|operation| !matches!(operation, Underway::Asked));
        let _ = tokio::time::timeout(NAME, async {
            tokio::select! {
                _ = run => {}
                _ = named => {}
            }
        })
        .await;
    }

    async fn attempt(&self) -> Result<Ended, Trouble> {
        let lane = self.cluster.lane(self.worker);
        let mut replaced = lane.replaced.subscribe();
        tokio::select! {
            ended = self.ask(lane) => ended,
            _ = replaced.changed() => Err(Trouble::Unreachable("the connection was lost".to_owned())),
        }
    }

    async fn ask(&self, lane: &Lane) -> Result<Ended, Trouble> {
        let line = self.cluster.line(lane);
        let trouble = |status: Status| Trouble::of(&status, &self.cluster.settings.address, false);
        let mut client =
            api::execution_client::ExecutionClient::new(line.clone()).max_decoding_message_size(MESSAGE);
        let stream = match self.operation() {
            Some(name) => client.wait_execution(api::WaitExecutionRequest { name }).await,
            None => {
                self.cluster.store.send(&line, self.blobs.iter().copied()).await?;
                self.set(Underway::Asked);
                client.execute(self.request()).await.inspect_err(|_| self.set(Underway::Nothing))
            }
        };
        self.end(&line, stream.map_err(trouble)?.into_inner()).await
    }

    fn request(&self) -> api::ExecuteRequest {
        api::ExecuteRequest {
            instance_name: self.cluster.settings.address.instance.clone(),
            action_digest: Some(self.action.into()),
            digest_function: api::digest_function::Value::Sha256 as i32,
            inline_stdout: self.watch,
            inline_stderr: self.watch,
            ..api::ExecuteRequest::default()
        }
    }

    /// Follows an operation to its end.
    async fn end(&self, line: &Line, mut stream: Streaming<Operation>) -> Result<Ended, Trouble> {
        let address = &self.cluster.settings.address;
        let mut latest: Option<Instant> = None;
        loop {
            let next = stream.message();
            let next = match latest {
                None => next.await,
                Some(latest) => match tokio::time::timeout_at(latest.into(), next).await {
                    Ok(next) => next,
                    // The worker does not keep to the limit.
                    Err(_) => return Ok(Ended::TooLate),
                },
            };
            let next = next.map_err(|status| Trouble::of(&status, address, false))?;
            let Some(operation) = next else {
                return Err(Trouble::Unreachable("the server ended the answer too soon".to_owned()));
            };
            self.cluster.heard();
            if !operation.name.is_empty() {
                self.set(Underway::Named(operation.name.clone()));
            }
            if is_executing(&operation) {
                latest.get_or_insert_with(|| Instant::now() + self.limit * 2 + SLACK);
            }
            if !operation.done {
                continue;
            }
            self.set(Underway::Nothing);
            let answer = match operation.result {
                Some(operation::Result::Response(any)) => api::ExecuteResponse::decode(&*any.value)
                    .map_err(|e| Trouble::Worker(format!("the result cannot be read: {e}")))?,
                Some(operation::Result::Error(status)) => {
                    return Err(Trouble::of(&plain(status), address, true));
                }
                None => return Err(Trouble::Worker("the operation has no result".to_owned())),
            };
            return self.judge(line, answer).await;
        }
    }

    /// What an answer says about the run.
    async fn judge(&self, line: &Line, answer: api::ExecuteResponse) -> Result<Ended, Trouble> {
        let address = &self.cluster.settings.address;
        match answer.status.filter(|status| status.code != Code::Ok as i32) {
            Some(status) if status.code == Code::DeadlineExceeded as i32 => return Ok(Ended::TooLate),
            Some(status) => return Err(Trouble::of(&plain(status), address, true)),
            None => {}
        }
        let Some(mut result) = answer.result else {
            return Err(Trouble::Worker("the answer has no result".to_owned()));
        };
        let has_failed = result.exit_code != 0 || result.output_files.is_empty();
        if self.watch || has_failed {
            for (raw, digest) in [
                (&mut result.stdout_raw, &result.stdout_digest),
                (&mut result.stderr_raw, &result.stderr_digest),
            ] {
                if let Some(digest) = digest.as_ref().filter(|_| raw.is_empty()) {
                    *raw = self.cluster.store.read(line, digest).await?;
                }
            }
        }
        if has_failed {
            let said = String::from_utf8_lossy(&result.stderr_raw);
            let last = said.trim_end().lines().next_back().unwrap_or_default();
            let text = format!("the worker ended the run with exit code {}", result.exit_code);
            let text = if last.is_empty() { text } else { format!("{text}: {last}") };
            return Err(Trouble::Worker(text));
        }
        let counts = &self.cluster.counts;
        counts.cached.fetch_add(u64::from(answer.cached_result), Ordering::Relaxed);
        Ok(Ended::Itself(Box::new(result)))
    }
}

/// How long a cluster may refuse a run because it has too much to do.
const BUSY: Duration = Duration::from_secs(300);

fn plain(status: rpc::Status) -> Status {
    Status::new(Code::from(status.code), status.message)
}

/// Whether the server says that the command runs now.
fn is_executing(operation: &Operation) -> bool {
    let metadata = operation.metadata.as_ref();
    let metadata = metadata.and_then(|any| api::ExecuteOperationMetadata::decode(&*any.value).ok());
    metadata.is_some_and(|metadata| metadata.stage == api::execution_stage::Value::Executing as i32)
}
