//! The connections to a cluster: encrypted, with a token, and replaced when they are dead.

use super::address::Address;
use super::trouble::Trouble;
use crate::error::UserError;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use prost::Message;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tonic::metadata::{Ascii, BinaryMetadataValue, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Request, Status};

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(5);
/// The time after which the system asks whether the other machine is still there.
const KEEPALIVE: Duration = Duration::from_secs(10);
/// What a request is known by, for those who run the cluster.
const METADATA: &str = "build.bazel.remote.execution.v2.requestmetadata-bin";

/// How to get access to a cluster.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// A file with the certificates of authorities to trust besides those of the system, as PEM.
    pub authority: Option<PathBuf>,
    /// Files with the user's own certificate and its key, as PEM.
    pub identity: Option<(PathBuf, PathBuf)>,
    /// The token.
    pub token: Token,
}

/// Where a token is.
#[derive(Clone, Default)]
pub enum Token {
    /// There is none.
    #[default]
    None,
    /// This is it.
    Known(String),
    /// It is in a file, and may change during a run.
    File(PathBuf),
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::Known(_) => "Known",
            Self::File(_) => "File",
        })
    }
}

impl Token {
    fn read(&self) -> Result<Option<MetadataValue<Ascii>>, UserError> {
        let token = match self {
            Self::None => return Ok(None),
            Self::Known(token) => token.clone(),
            Self::File(path) => fs::read_to_string(path).map_err(|e| unreadable(path, &e))?,
        };
        let value = format!("Bearer {}", token.trim());
        let mut value: MetadataValue<Ascii> = value
            .parse()
            .map_err(|_| UserError::usage("the token for the cluster has characters that no token has"))?;
        value.set_sensitive(true);
        Ok(Some(value))
    }
}

fn unreadable(path: &Path, e: &std::io::Error) -> UserError {
    UserError::usage(format!("the file '{}' cannot be read", path.display())).fact(e.to_string())
}

/// What is added to every request.
#[derive(Clone)]
pub(super) struct Stamp {
    token: Arc<Mutex<Option<MetadataValue<Ascii>>>>,
    metadata: BinaryMetadataValue,
}

impl Interceptor for Stamp {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let token = self.token.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(token) = token {
            request.metadata_mut().insert("authorization", token);
        }
        request.metadata_mut().insert_bin(METADATA, self.metadata.clone());
        Ok(request)
    }
}

/// A connection for requests.
pub(super) type Line = InterceptedService<Channel, Stamp>;

/// A connection that can be replaced; a number tells how often it was.
#[derive(Debug)]
pub(super) struct Lane {
    channel: Mutex<Channel>,
    pub(super) replaced: watch::Sender<u64>,
}

/// All that is needed to make connections.
pub(super) struct Connections {
    endpoint: Endpoint,
    stamp: Stamp,
    source: Token,
}

impl std::fmt::Debug for Connections {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connections").field("to", self.endpoint.uri()).finish_non_exhaustive()
    }
}

impl Connections {
    /// Prepares connections; none is made yet.
    ///
    /// # Errors
    /// If a file cannot be read, or is not what it should be.
    pub(super) fn new(address: &Address, access: &Access) -> Result<Self, UserError> {
        let invalid = |e: tonic::transport::Error| {
            let mut text = e.to_string();
            let mut reason = std::error::Error::source(&e);
            while let Some(error) = reason {
                text = format!("{text}: {error}");
                reason = error.source();
            }
            UserError::usage(format!("no connection to {address} can be prepared")).fact(text)
        };
        let mut endpoint = Endpoint::from_shared(address.url())
            .map_err(invalid)?
            .connect_timeout(CONNECT)
            .tcp_nodelay(true)
            .tcp_keepalive(Some(KEEPALIVE))
            .tcp_keepalive_interval(Some(KEEPALIVE / 4))
            .tcp_keepalive_retries(Some(3));
        if address.tls {
            endpoint = endpoint.tls_config(tls(access)?).map_err(invalid)?;
        }
        let details = api::ToolDetails {
            tool_name: "lopper".to_owned(),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let metadata = api::RequestMetadata {
            tool_details: Some(details),
            tool_invocation_id: std::process::id().to_string(),
            action_mnemonic: "Test".to_owned(),
            ..api::RequestMetadata::default()
        };
        let metadata = BinaryMetadataValue::from_bytes(&metadata.encode_to_vec());
        let token = Arc::new(Mutex::new(access.token.read()?));
        Ok(Self { endpoint, stamp: Stamp { token, metadata }, source: access.token.clone() })
    }

    /// A connection that is made with its first request.
    pub(super) fn lane(&self) -> Lane {
        Lane { channel: Mutex::new(self.endpoint.connect_lazy()), replaced: watch::Sender::new(0) }
    }

    /// A line for requests.
    pub(super) fn line(&self, lane: &Lane) -> Line {
        let channel = lane.channel.lock().unwrap_or_else(PoisonError::into_inner).clone();
        InterceptedService::new(channel, self.stamp.clone())
    }

    /// Replaces a dead connection. All that waits on it has to try again.
    pub(super) fn replace(&self, lane: &Lane) {
        *lane.channel.lock().unwrap_or_else(PoisonError::into_inner) = self.endpoint.connect_lazy();
        lane.replaced.send_modify(|number| *number += 1);
    }

    /// Reads the token again if it is in a file; returns whether there is another one now.
    pub(super) fn renew_token(&self) -> bool {
        let Ok(now) = self.source.read() else { return false };
        let mut token = self.stamp.token.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = *token != now;
        *token = now;
        is_new
    }
}

fn tls(access: &Access) -> Result<ClientTlsConfig, UserError> {
    let read = |path: &Path| fs::read(path).map_err(|e| unreadable(path, &e));
    let mut tls = ClientTlsConfig::new().with_native_roots();
    if let Some(path) = &access.authority {
        tls = tls.ca_certificate(Certificate::from_pem(read(path)?));
    }
    if let Some((certificate, key)) = &access.identity {
        tls = tls.identity(Identity::from_pem(read(certificate)?, read(key)?));
    }
    Ok(tls)
}

/// Waits for an answer, and takes a server that is silent for too long as one that cannot be reached.
pub(super) async fn soon<T>(
    limit: Duration,
    address: &Address,
    answer: impl Future<Output = Result<T, Status>>,
) -> Result<T, Trouble> {
    match tokio::time::timeout(limit, answer).await {
        Ok(answer) => answer.map_err(|status| Trouble::of(&status, address, false)),
        Err(_) => Err(Trouble::Unreachable(format!("there was no answer in {} s", limit.as_secs()))),
    }
}
