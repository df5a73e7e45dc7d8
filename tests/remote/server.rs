//! A small server with the Remote Execution API, in this process, whose manners can be as bad as those of a real one.

use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::longrunning::operations_server::{Operations, OperationsServer};
use bazel_remote_apis::google::longrunning::{self, Operation, operation};
use bazel_remote_apis::google::protobuf::{Any, Empty};
use bazel_remote_apis::google::rpc;
use prost::Message;
use std::collections::{HashMap, VecDeque};
use std::error::Error;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::pin::Pin;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio_stream::Stream;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Certificate, Identity, Server, ServerTlsConfig};
use tonic::{Code, Request, Response, Status};

/// How a server answers a request to execute something.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    /// With the result.
    Result,
    /// With a status in place of an answer.
    Status(Code),
    /// With a run whose status is this one.
    Failed(Code),
    /// With a run that the worker ended with an exit code.
    Killed(i32),
    /// Not at all: the connection ends in the middle.
    Ended,
    /// As if its store had lost everything.
    Emptied,
    /// Not before the run is cancelled.
    Waits,
}

/// What a server did.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) executions: usize,
    pub(crate) waits: usize,
    pub(crate) cancelled: Vec<String>,
    /// The sizes of the blobs of each request.
    pub(crate) sent: Vec<Vec<usize>>,
    pub(crate) actions: Vec<api::Action>,
    pub(crate) commands: Vec<api::Command>,
}

#[derive(Debug, Default)]
struct State {
    blobs: HashMap<String, Vec<u8>>,
    results: HashMap<String, api::ActionResult>,
    /// The next answers; then all are results.
    answers: VecDeque<Answer>,
    /// Ended operations that are waited for.
    ended: HashMap<String, api::ExecuteResponse>,
    cancels: HashMap<String, Arc<Notify>>,
    seen: Seen,
}

/// What a server demands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Demands {
    pub(crate) instance: String,
    pub(crate) token: Option<String>,
    /// A folder with server.pem and server.key, and the authority ca.pem if clients need a certificate, too.
    pub(crate) tls: Option<(std::path::PathBuf, bool)>,
}

#[derive(Clone)]
struct Service {
    state: Arc<Mutex<State>>,
    demands: Demands,
}

/// The server; it ends when it is dropped.
pub(crate) struct Fake {
    service: Service,
    pub(crate) port: u16,
    _runtime: tokio::runtime::Runtime,
}

impl Fake {
    pub(crate) fn start(demands: Demands, answers: &[Answer]) -> Result<Self, Box<dyn Error>> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let state = State { answers: answers.iter().copied().collect(), ..State::default() };
        let service = Service { state: Arc::new(Mutex::new(state)), demands: demands.clone() };
        let _inside = runtime.enter();
        let incoming = TcpIncoming::bind("127.0.0.1:0".parse()?)?;
        let port = incoming.local_addr()?.port();
        let mut server = Server::builder();
        if let Some((folder, asks)) = &demands.tls {
            let read = |name: &str| fs::read(folder.join(name));
            let mut tls =
                ServerTlsConfig::new().identity(Identity::from_pem(read("server.pem")?, read("server.key")?));
            if *asks {
                tls = tls.client_ca_root(Certificate::from_pem(read("ca.pem")?));
            }
            server = server.tls_config(tls)?;
        }
        let router = server
            .add_service(api::capabilities_server::CapabilitiesServer::new(service.clone()))
            .add_service(api::content_addressable_storage_server::ContentAddressableStorageServer::new(
                service.clone(),
            ))
            .add_service(api::execution_server::ExecutionServer::new(service.clone()))
            .add_service(OperationsServer::new(service.clone()));
        drop(runtime.spawn(router.serve_with_incoming(incoming)));
        drop(_inside);
        Ok(Self { service, port, _runtime: runtime })
    }

    pub(crate) fn address(&self) -> String {
        format!("reapi://127.0.0.1:{}/{}", self.port, self.service.demands.instance)
    }

    pub(crate) fn seen<T>(&self, look: impl FnOnce(&Seen) -> T) -> T {
        look(&self.service.state().seen)
    }
}

type Answers = Pin<Box<dyn Stream<Item = Result<Operation, Status>> + Send>>;

/// The messages of a channel as a stream.
struct Received(tokio::sync::mpsc::Receiver<Result<Operation, Status>>);

impl Stream for Received {
    type Item = Result<Operation, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

fn any<M: Message>(message: &M) -> Any {
    Any { type_url: String::new(), value: message.encode_to_vec() }
}

impl Service {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check<T>(&self, request: &Request<T>, instance: &str) -> Result<(), Status> {
        if let Some(token) = &self.demands.token {
            let given = request.metadata().get("authorization").and_then(|value| value.to_str().ok());
            if given != Some(&*format!("Bearer {token}")) {
                return Err(Status::unauthenticated("the token is not valid"));
            }
        }
        if instance != self.demands.instance {
            return Err(Status::invalid_argument(format!("no such instance: {instance}")));
        }
        Ok(())
    }

    fn blob<M: Message + Default>(&self, digest: &Option<api::Digest>) -> Result<M, Status> {
        let hash = digest.as_ref().map(|digest| digest.hash.clone()).unwrap_or_default();
        let state = self.state();
        let bytes = state.blobs.get(&hash).ok_or_else(|| Status::failed_precondition("a blob is missing"))?;
        M::decode(&**bytes).map_err(|e| Status::invalid_argument(e.to_string()))
    }

    fn unpack(&self, digest: &Option<api::Digest>, to: &Path) -> Result<(), Status> {
        let directory: api::Directory = self.blob(digest)?;
        fs::create_dir_all(to)?;
        for file in &directory.files {
            let hash = file.digest.as_ref().map(|digest| digest.hash.clone()).unwrap_or_default();
            let bytes = self.state().blobs.get(&hash).cloned();
            let bytes = bytes.ok_or_else(|| Status::failed_precondition("a blob is missing"))?;
            fs::write(to.join(&file.name), bytes)?;
            let mode = if file.is_executable { 0o755 } else { 0o644 };
            fs::set_permissions(to.join(&file.name), fs::Permissions::from_mode(mode))?;
        }
        for link in &directory.symlinks {
            std::os::unix::fs::symlink(&link.target, to.join(&link.name))?;
        }
        directory.directories.iter().try_for_each(|below| self.unpack(&below.digest, &to.join(&below.name)))
    }

    /// Runs an action. A run longer than its limit has no result.
    fn run(&self, digest: &api::Digest) -> Result<Option<api::ActionResult>, Status> {
        let action: api::Action = self.blob(&Some(digest.clone()))?;
        let command: api::Command = self.blob(&action.command_digest)?;
        let folder = tempfile::tempdir()?;
        self.unpack(&action.input_root_digest, folder.path())?;
        let variables = command.environment_variables.iter().map(|v| (&v.name, &v.value));
        let output = folder.path().with_extension("out");
        let errors = folder.path().with_extension("err");
        let mut child = Command::new(&command.arguments[0])
            .args(&command.arguments[1..])
            .env_clear()
            .envs(variables)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(fs::File::create(&output)?)
            .stderr(fs::File::create(&errors)?)
            .spawn()?;
        let limit = action.timeout.map_or(3600, |timeout| u64::try_from(timeout.seconds).unwrap_or(0));
        let end = Instant::now() + Duration::from_secs(limit);
        let status = loop {
            match child.try_wait()? {
                Some(status) => break status,
                None if Instant::now() >= end => {
                    child.kill()?;
                    child.wait()?;
                    return Ok(None);
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        let mut files = Vec::new();
        for path in &command.output_paths {
            let Ok(contents) = fs::read(folder.path().join(path)) else { continue };
            let hash = ring::digest::digest(&ring::digest::SHA256, &contents);
            let hash = hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
            let size_bytes = i64::try_from(contents.len()).unwrap_or(0);
            let digest = Some(api::Digest { hash, size_bytes });
            files.push(api::OutputFile { path: path.clone(), digest, ..api::OutputFile::default() });
        }
        let (stdout_raw, stderr_raw) = (fs::read(&output)?, fs::read(&errors)?);
        fs::remove_file(output)?;
        fs::remove_file(errors)?;
        Ok(Some(api::ActionResult {
            exit_code: status.code().unwrap_or(-1),
            output_files: files,
            stdout_raw,
            stderr_raw,
            ..api::ActionResult::default()
        }))
    }

    async fn answer(&self, name: String, answer: Answer, action: api::Digest) -> Result<Operation, Status> {
        let failed = |code: Code| {
            let status = Some(rpc::Status { code: code as i32, message: "made up".into(), details: vec![] });
            api::ExecuteResponse { status, ..api::ExecuteResponse::default() }
        };
        let response = match answer {
            Answer::Failed(code) => failed(code),
            Answer::Killed(code) => api::ExecuteResponse {
                result: Some(api::ActionResult { exit_code: code, ..api::ActionResult::default() }),
                ..api::ExecuteResponse::default()
            },
            Answer::Waits => {
                let cancel = Arc::clone(self.state().cancels.entry(name.clone()).or_default());
                cancel.notified().await;
                failed(Code::Cancelled)
            }
            _ => {
                let known = self.state().results.get(&action.hash).cloned();
                let cached_result = known.is_some();
                let result = match known {
                    Some(result) => Some(result),
                    None => {
                        let (service, action) = (self.clone(), action.clone());
                        let run = tokio::task::spawn_blocking(move || service.run(&action));
                        run.await.map_err(|e| Status::internal(e.to_string()))??
                    }
                };
                match result {
                    None => failed(Code::DeadlineExceeded),
                    Some(result) => {
                        self.state().results.insert(action.hash, result.clone());
                        api::ExecuteResponse {
                            result: Some(result),
                            cached_result,
                            ..api::ExecuteResponse::default()
                        }
                    }
                }
            }
        };
        self.state().ended.insert(name.clone(), response.clone());
        let result = Some(operation::Result::Response(any(&response)));
        Ok(Operation { name, metadata: None, done: true, result })
    }
}

#[tonic::async_trait]
impl api::capabilities_server::Capabilities for Service {
    async fn get_capabilities(
        &self,
        request: Request<api::GetCapabilitiesRequest>,
    ) -> Result<Response<api::ServerCapabilities>, Status> {
        self.check(&request, &request.get_ref().instance_name)?;
        let sha256 = api::digest_function::Value::Sha256 as i32;
        Ok(Response::new(api::ServerCapabilities {
            execution_capabilities: Some(api::ExecutionCapabilities {
                digest_function: sha256,
                exec_enabled: true,
                ..api::ExecutionCapabilities::default()
            }),
            ..api::ServerCapabilities::default()
        }))
    }
}

#[tonic::async_trait]
impl api::content_addressable_storage_server::ContentAddressableStorage for Service {
    type GetTreeStream = tokio_stream::Empty<Result<api::GetTreeResponse, Status>>;
    type GetChunkMappingStream = tokio_stream::Empty<Result<api::GetChunkMappingResponse, Status>>;

    async fn get_chunk_mapping(
        &self,
        _: Request<api::GetChunkMappingRequest>,
    ) -> Result<Response<Self::GetChunkMappingStream>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn register_chunk_mapping(
        &self,
        _: Request<tonic::Streaming<api::RegisterChunkMappingRequest>>,
    ) -> Result<Response<api::RegisterChunkMappingResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn find_missing_blobs(
        &self,
        request: Request<api::FindMissingBlobsRequest>,
    ) -> Result<Response<api::FindMissingBlobsResponse>, Status> {
        self.check(&request, &request.get_ref().instance_name)?;
        let mut missing = request.into_inner().blob_digests;
        let state = self.state();
        missing.retain(|digest| !state.blobs.contains_key(&digest.hash));
        Ok(Response::new(api::FindMissingBlobsResponse { missing_blob_digests: missing }))
    }

    async fn batch_update_blobs(
        &self,
        request: Request<api::BatchUpdateBlobsRequest>,
    ) -> Result<Response<api::BatchUpdateBlobsResponse>, Status> {
        self.check(&request, &request.get_ref().instance_name)?;
        let mut state = self.state();
        let requests = request.into_inner().requests;
        state.seen.sent.push(requests.iter().map(|one| one.data.len()).collect());
        for one in requests {
            state.blobs.insert(one.digest.unwrap_or_default().hash, one.data);
        }
        Ok(Response::new(api::BatchUpdateBlobsResponse::default()))
    }

    async fn batch_read_blobs(
        &self,
        _: Request<api::BatchReadBlobsRequest>,
    ) -> Result<Response<api::BatchReadBlobsResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn get_tree(
        &self,
        _: Request<api::GetTreeRequest>,
    ) -> Result<Response<Self::GetTreeStream>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn split_blob(
        &self,
        _: Request<api::SplitBlobRequest>,
    ) -> Result<Response<api::SplitBlobResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn splice_blob(
        &self,
        _: Request<api::SpliceBlobRequest>,
    ) -> Result<Response<api::SpliceBlobResponse>, Status> {
        Err(Status::unimplemented(""))
    }
}

#[tonic::async_trait]
impl api::execution_server::Execution for Service {
    type ExecuteStream = Answers;
    type WaitExecutionStream = Answers;

    async fn execute(
        &self,
        request: Request<api::ExecuteRequest>,
    ) -> Result<Response<Self::ExecuteStream>, Status> {
        self.check(&request, &request.get_ref().instance_name)?;
        let digest = request.into_inner().action_digest.unwrap_or_default();
        let (name, answer) = {
            let action: Result<api::Action, Status> = self.blob(&Some(digest.clone()));
            let command = action.as_ref().ok().and_then(|action| self.blob(&action.command_digest).ok());
            let mut state = self.state();
            state.seen.executions += 1;
            state.seen.actions.extend(action);
            state.seen.commands.extend(command);
            let answer = state.answers.pop_front().unwrap_or(Answer::Result);
            if matches!(answer, Answer::Emptied) {
                state.blobs.clear();
            }
            (format!("operations/{}", state.seen.executions), answer)
        };
        if let Answer::Status(code) = answer {
            return Err(Status::new(code, "made up"));
        }
        let begun = Operation { name: name.clone(), ..Operation::default() };
        if let Answer::Ended = answer {
            let service = self.clone();
            drop(tokio::spawn(async move { service.answer(name, answer, digest).await }));
            let ended = [Ok(begun), Err(Status::unavailable("made up"))];
            return Ok(Response::new(Box::pin(tokio_stream::iter(ended))));
        }
        if let Answer::Waits = answer {
            // A client that stops the run now does not know the name yet.
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let (sender, receiver) = tokio::sync::mpsc::channel(2);
        let _ = sender.send(Ok(begun)).await;
        let service = self.clone();
        drop(tokio::spawn(async move {
            let _ = sender.send(service.answer(name, answer, digest).await).await;
        }));
        Ok(Response::new(Box::pin(Received(receiver))))
    }

    async fn wait_execution(
        &self,
        request: Request<api::WaitExecutionRequest>,
    ) -> Result<Response<Self::WaitExecutionStream>, Status> {
        let name = request.into_inner().name;
        let mut state = self.state();
        state.seen.waits += 1;
        let response =
            state.ended.get(&name).cloned().ok_or_else(|| Status::not_found("no such operation"))?;
        let result = Some(operation::Result::Response(any(&response)));
        let ended = Operation { name, metadata: None, done: true, result };
        Ok(Response::new(Box::pin(tokio_stream::iter([Ok(ended)]))))
    }
}

#[tonic::async_trait]
impl Operations for Service {
    async fn cancel_operation(
        &self,
        request: Request<longrunning::CancelOperationRequest>,
    ) -> Result<Response<Empty>, Status> {
        let name = request.into_inner().name;
        let mut state = self.state();
        if let Some(cancel) = state.cancels.get(&name) {
            cancel.notify_one();
        }
        state.seen.cancelled.push(name);
        Ok(Response::new(Empty {}))
    }

    async fn list_operations(
        &self,
        _: Request<longrunning::ListOperationsRequest>,
    ) -> Result<Response<longrunning::ListOperationsResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn get_operation(
        &self,
        _: Request<longrunning::GetOperationRequest>,
    ) -> Result<Response<Operation>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn delete_operation(
        &self,
        _: Request<longrunning::DeleteOperationRequest>,
    ) -> Result<Response<Empty>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn wait_operation(
        &self,
        _: Request<longrunning::WaitOperationRequest>,
    ) -> Result<Response<Operation>, Status> {
        Err(Status::unimplemented(""))
    }
}
