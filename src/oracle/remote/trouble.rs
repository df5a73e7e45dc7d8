//! What can go wrong with a cluster, what to do about it, and how to say it.

use super::address::Address;
use crate::error::UserError;
use std::error::Error;
use std::time::Duration;
use tonic::{Code, Status};

/// The number of attempts at one run while the cluster answers other requests.
pub(super) const ATTEMPTS: u32 = 12;
/// The number of attempts at one run whose worker failed.
pub(super) const WORKERS: u32 = 4;
/// The first pause before another attempt; the next ones are longer.
const PAUSE: Duration = Duration::from_millis(100);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// Why a request has no answer, and with that what to do.
#[derive(Clone, Debug)]
pub(super) enum Trouble {
    /// The server cannot be reached, or is about to stop: try again, and give up if that stays so.
    Unreachable(String),
    /// The cluster has too much to do: try again.
    Busy(String),
    /// The worker failed: try again, with another one.
    Worker(String),
    /// The cluster lacks a blob that it had: send all of them again.
    Missing(String),
    /// The operation is not known any more: begin another one.
    Forgotten,
    /// Another attempt would have the same result.
    Refused(UserError),
}

impl Trouble {
    /// What the server says.
    pub(super) fn said(&self) -> String {
        match self {
            Self::Unreachable(text) | Self::Busy(text) | Self::Worker(text) | Self::Missing(text) => {
                text.clone()
            }
            Self::Forgotten => "the cluster does not know the operation any more".to_owned(),
            Self::Refused(error) => error.title.clone(),
        }
    }

    /// The trouble that a status tells of, for a server at this address. With `says_worker`, the status is the result of a
    /// run, and not of a request.
    pub(super) fn of(status: &Status, address: &Address, says_worker: bool) -> Self {
        let said = told(status);
        match status.code() {
            Code::Unauthenticated | Code::PermissionDenied => Self::Refused(no_access(address, &said)),
            Code::InvalidArgument | Code::Unimplemented | Code::OutOfRange => Self::Refused(
                UserError::usage(format!("the cluster at {address} refuses the test")).fact(said),
            ),
            Code::FailedPrecondition => Self::Missing(said),
            Code::NotFound if says_worker => Self::Missing(said),
            Code::NotFound => Self::Forgotten,
            Code::ResourceExhausted => Self::Busy(said),
            _ if says_worker => Self::Worker(said),
            _ => match wrong_certificate(status) {
                Some(why) => Self::Refused(no_trust(address, &why)),
                None => Self::Unreachable(said),
            },
        }
    }
}

/// The pause before an attempt with this number; some more or less, so that not all workers try at once.
pub(super) fn pause(attempt: u32, worker: usize) -> Duration {
    let pause = (PAUSE * (1 << attempt.min(6))).min(LONGEST_PAUSE);
    pause + pause * u32::try_from(worker % 8).unwrap_or(0) / 16
}

/// The error of a connection that cannot be made, with all its reasons.
fn told(status: &Status) -> String {
    let mut text = status.message().to_owned();
    let mut reason = status.source();
    while let Some(error) = reason {
        let next = error.to_string();
        if !text.contains(&next) {
            text = if text.is_empty() { next } else { format!("{text}: {next}") };
        }
        reason = error.source();
    }
    if text.is_empty() { status.code().description().to_owned() } else { text }
}

/// What is wrong with a certificate, if the connection failed for that reason.
fn wrong_certificate(status: &Status) -> Option<String> {
    let text = told(status);
    ["certificate", "tls handshake", "fatal alert", "InvalidContentType", "corrupt message"]
        .iter()
        .any(|sign| text.to_ascii_lowercase().contains(&sign.to_ascii_lowercase()))
        .then_some(text)
}

fn no_trust(address: &Address, why: &str) -> UserError {
    UserError::usage(format!("no trusted connection to {address} can be made"))
        .fact(why)
        .help("--executor-ca names the certificate of the authority that has signed the server's")
        .help("--executor-certificate and --executor-key name your own, if the cluster asks for one")
}

fn no_access(address: &Address, said: &str) -> UserError {
    UserError::usage(format!("the cluster at {address} refuses access")).fact(said).help(
        "--executor-token-file names a file with a token; the variable LOPPER_EXECUTOR_TOKEN may hold one",
    )
}

/// The error for an instance that the cluster does not have.
pub(super) fn no_instance(address: &Address, said: &str) -> UserError {
    let title = match &*address.instance {
        "" => format!("the cluster at {address} has no instance with an empty name"),
        name => format!("the cluster at {address} has no instance '{name}'"),
    };
    UserError::usage(title).fact(said).help("name an instance after the port: reapi://HOST:PORT/INSTANCE")
}

/// The error for a cluster that cannot be reached any more.
pub(super) fn lost(address: &Address, said: &str) -> UserError {
    UserError::usage(format!("the cluster at {address} does not answer"))
        .fact(said)
        .help("to go on there or on this machine: the same command with --resume, with or without --executor")
        .help("--fallback-local goes on with this machine by itself")
}

/// The error for a run for which every attempt failed.
pub(super) fn failed(address: &Address, attempts: u32, said: &str) -> UserError {
    UserError::usage(format!("the cluster at {address} cannot run the test"))
        .fact(format!("{attempts} attempts at the same run failed, the last one for this reason:"))
        .fact(said)
        .help("are the --executor-property right, and do the workers have /bin/sh? see docs/remote.md")
}
