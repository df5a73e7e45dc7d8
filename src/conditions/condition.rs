//! One condition on the result of a command: its exit code, its signal, or its output.

use crate::error::UserError;
use crate::oracle::command::quoted;
use crate::oracle::executor::Run;
use crate::platform;
use regex::bytes::{Regex, RegexBuilder};
use std::fmt;

/// A condition.
#[derive(Clone, Debug)]
pub enum Condition {
    /// The exit code.
    Exit(ExitCode),
    /// Death by this signal, or the exit code by which a shell reports it.
    Signal(i32),
    /// Whether a regular expression is found in an output.
    Output {
        /// The output.
        stream: Stream,
        /// The expression.
        regex: Regex,
        /// Whether it has to be found.
        wanted: bool,
    },
}

/// The exit codes that are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitCode {
    /// This one.
    Is(i32),
    /// Any but 0, which includes death by a signal.
    NonZero,
}

impl std::str::FromStr for ExitCode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "nonzero" {
            return Ok(Self::NonZero);
        }
        let code: Option<u8> = text.parse().ok();
        code.map(|code| Self::Is(code.into()))
            .ok_or_else(|| "neither a code from 0 to 255 nor 'nonzero'".to_owned())
    }
}

/// An output of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// Either of the two.
    Both,
}

/// The signals by name: those that end a process that does not catch them.
const SIGNALS: &[(&str, i32)] = &[
    ("HUP", 1),
    ("INT", 2),
    ("QUIT", 3),
    ("ILL", 4),
    ("TRAP", 5),
    ("ABRT", 6),
    ("BUS", 7),
    ("FPE", 8),
    ("KILL", 9),
    ("USR1", 10),
    ("SEGV", 11),
    ("USR2", 12),
    ("PIPE", 13),
    ("ALRM", 14),
    ("TERM", 15),
    ("XCPU", 24),
    ("XFSZ", 25),
    ("SYS", 31),
];

/// The number of a signal, from its name with or without `SIG`, or from its number.
///
/// # Errors
/// If there is no such signal.
pub fn signal(text: &str) -> Result<i32, String> {
    let name = text.to_ascii_uppercase();
    let name = name.strip_prefix("SIG").unwrap_or(&name);
    let named = SIGNALS.iter().find(|(known, _)| *known == name).map(|(_, number)| *number);
    let numbered = || text.parse().ok().filter(|number| (1..=64).contains(number));
    named
        .or_else(numbered)
        .ok_or_else(|| "there is no such signal; names are SEGV, ABRT, FPE and so on".to_owned())
}

/// The name of a signal.
pub(super) fn signal_name(number: i32) -> String {
    let named = SIGNALS.iter().find(|(_, known)| *known == number);
    named.map_or_else(|| format!("signal {number}"), |(name, _)| format!("SIG{name}"))
}

impl Condition {
    /// A condition on an output. `^` and `$` stand for the ends of lines, and the output may have any bytes.
    ///
    /// # Errors
    /// If the expression cannot be read.
    pub fn output(stream: Stream, expression: &str, wanted: bool) -> Result<Self, UserError> {
        let regex = RegexBuilder::new(expression).multi_line(true).build().map_err(|e| {
            let error =
                UserError::usage(format!("the regular expression {} cannot be read", quoted(expression)));
            let error = e.to_string().lines().fold(error, |error, line| error.fact(line.to_owned()));
            error.help("put a backslash before characters such as ( [ { . * + ? | that stand for themselves")
        })?;
        Ok(Self::Output { stream, regex, wanted })
    }

    /// Whether the run of a command meets it. No run that reached a limit does.
    pub fn holds(&self, run: &Run) -> bool {
        let Ok(status) = run.status else { return false };
        match self {
            Self::Exit(ExitCode::Is(code)) => status.code() == Some(*code),
            Self::Exit(ExitCode::NonZero) => !status.success(),
            Self::Signal(signal) => {
                platform::signal_of(status) == Some(*signal) || status.code() == Some(128 + *signal)
            }
            Self::Output { stream, regex, wanted } => {
                let [stdout, stderr] = &run.output;
                let found = match stream {
                    Stream::Stdout => regex.is_match(stdout),
                    Stream::Stderr => regex.is_match(stderr),
                    Stream::Both => regex.is_match(stdout) || regex.is_match(stderr),
                };
                found == *wanted
            }
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit(ExitCode::Is(code)) => write!(f, "exits with code {code}"),
            Self::Exit(ExitCode::NonZero) => f.write_str("does not exit with code 0"),
            Self::Signal(signal) => write!(f, "dies by {}", signal_name(*signal)),
            Self::Output { stream, regex, wanted } => {
                let verb = if *wanted { "prints" } else { "does not print" };
                let place = match stream {
                    Stream::Stdout => " on standard output",
                    Stream::Stderr => " on standard error",
                    Stream::Both => "",
                };
                write!(f, "{verb} /{}/{place}", regex.as_str())
            }
        }
    }
}
