//! What a server is asked, and what its lines mean.

use super::Verdict;
use std::path::{Path, PathBuf};

/// A question to a server.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The number that the answer repeats.
    pub serial: u64,
    /// The paths that a test gets as arguments.
    pub paths: &'a [PathBuf],
    /// The working folder.
    pub folder: &'a Path,
    /// The folder for temporary files.
    pub tmp: &'a Path,
}

/// The meaning of a server's line.
#[derive(Clone, Debug)]
pub enum Message {
    /// The server is ready, and speaks this version of the protocol.
    Ready(u64),
    /// An answer.
    Answer {
        /// The number of the question.
        serial: Option<u64>,
        /// The verdict; `None` if there is no such verdict.
        verdict: Option<Verdict>,
        /// What names the failure of a candidate that is not interesting.
        signature: Option<String>,
    },
    /// Nothing.
    Noise,
}

/// The form of the lines. The helper gets it from the command, since the library has no JSON.
#[derive(Clone, Copy, Debug)]
pub struct Protocol {
    /// Writes a line; `None` if a path is not UTF-8.
    pub request: fn(&Request) -> Option<Vec<u8>>,
    /// Reads a line without its end.
    pub message: fn(&[u8]) -> Message,
}
