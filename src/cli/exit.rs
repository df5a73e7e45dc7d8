//! The exit codes of the command.

use crate::error::ErrorKind;
use std::process::ExitCode;

/// The exit code of the command, for the caller's shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// A smaller program was found, or a limit ended the run, whatever was found until then; the output holds
    /// the best program.
    Reduced = 0,
    /// Lopper itself failed. Please report it.
    Internal = 1,
    /// The command line makes no sense, or a file cannot be read or written.
    Usage = 2,
    /// The test does not recognise the failure, or recognises everything.
    BadTest = 3,
    /// Nothing smaller was found, and nothing is left to try; the output is the input.
    NothingToReduce = 4,
    /// The grammar does not accept the whole file of a command that only parses.
    Rejected = 5,
    /// A pattern was not found. The exit code is 1, as for grep.
    NotFound = 6,
    /// Stopped by a signal; the output holds the best program so far.
    Interrupted = 130,
}

impl Exit {
    /// All exit codes, in ascending order.
    pub const ALL: [Self; 7] = [
        Self::Reduced,
        Self::Internal,
        Self::Usage,
        Self::BadTest,
        Self::NothingToReduce,
        Self::Rejected,
        Self::Interrupted,
    ];

    /// The meaning, in one line.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Reduced => "reduced, or a limit on tests or time was reached",
            Self::Internal => "a bug in Lopper",
            Self::Usage => "wrong command line, or a file that cannot be read or written",
            Self::BadTest => {
                "the test cannot be used: it rejects the original file, for example, or accepts an empty one"
            }
            Self::NothingToReduce => "all passes ended, and no smaller program was found",
            Self::Rejected => "the grammar does not accept the whole file (lopper parse)",
            Self::NotFound => "the pattern was not found (lopper match)",
            Self::Interrupted => "interrupted; the output holds the best program so far",
        }
    }

    /// The list of all exit codes, for the end of help texts.
    pub fn help() -> String {
        let line = |exit: Self| format!("\n{:>5}  {}", exit as u8, exit.meaning());
        Self::ALL.into_iter().map(line).fold("Exit codes:".to_owned(), |list, line| list + &line)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(if exit == Exit::NotFound { 1 } else { exit as u8 })
    }
}

impl From<ErrorKind> for Exit {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Usage => Self::Usage,
            ErrorKind::BadTest => Self::BadTest,
            ErrorKind::Interrupted => Self::Interrupted,
            ErrorKind::Internal => Self::Internal,
        }
    }
}
