//! What stands in a journal: one JSON object a line.

use crate::oracle::Verdict;
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::Duration;

/// A xxh3-128, written as 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Key(pub u128);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        key.to_string()
    }
}

impl TryFrom<String> for Key {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.len() == 32 && text.bytes().all(|c| c.is_ascii_hexdigit());
        let key = if digits { u128::from_str_radix(&text, 16).ok() } else { None };
        key.map(Self).ok_or_else(|| format!("'{text}' is no key"))
    }
}

/// A word of a command line or a path: text wherever it is text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Word {
    /// It is UTF-8.
    Text(String),
    /// It is not.
    Bytes(Vec<u8>),
}

impl From<&OsStr> for Word {
    fn from(word: &OsStr) -> Self {
        word.to_str()
            .map_or_else(|| Self::Bytes(word.as_bytes().to_vec()), |text| Self::Text(text.to_owned()))
    }
}

impl From<Word> for OsString {
    fn from(word: Word) -> Self {
        match word {
            Word::Text(text) => text.into(),
            Word::Bytes(bytes) => Self::from_vec(bytes),
        }
    }
}

/// What a run is about: a journal may be gone on with only by a run of which all this is the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of Lopper.
    pub lopper: String,
    /// The file's base name.
    pub name: String,
    /// The content of the file.
    pub input: Key,
    /// The test: the content of its program, its arguments and the files that they name.
    pub test: Key,
    /// The files that the arguments name and the test itself writes: they do not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<Word>,
    /// The name of the language.
    pub language: String,
    /// The content of the user's grammar, where that is the language.
    pub grammar: Option<Key>,
    /// Whether only what the grammar accepts is tested: then other questions are asked.
    #[serde(default)]
    pub stay_in_grammar: bool,
    /// The name of the published algorithm that stands in for passes and search.
    pub algorithm: Option<String>,
    /// The name of the search.
    pub search: String,
    /// The names of the passes.
    pub passes: Vec<String>,
    /// The time limit of one run of the test, in microseconds.
    pub limit: u64,
    /// How many bytes of memory one run of the test may hold; 0 if that is not limited.
    pub memory: u64,
}

impl Header {
    /// The time limit of one run of the test.
    pub fn limit(&self) -> Duration {
        Duration::from_micros(self.limit)
    }

    /// How many bytes of memory one run of the test may hold, if that is limited.
    pub fn memory(&self) -> Option<u64> {
        Some(self.memory).filter(|&bytes| bytes > 0)
    }

    /// Why a run of which `now` is true cannot go on with this journal; `None` if it can.
    pub fn refuses(&self, now: &Self) -> Option<String> {
        if self.lopper != now.lopper {
            return Some(format!(
                "it was written by Lopper {}, and this is Lopper {}",
                self.lopper, now.lopper
            ));
        }
        if self.name != now.name {
            return Some(format!("it is about '{}', not about '{}'", self.name, now.name));
        }
        if self.input != now.input {
            return Some(format!("'{}' has changed since then", now.name));
        }
        if self.test != now.test {
            return Some("the test, its arguments or a file that they name has changed since then".into());
        }
        if self.grammar != now.grammar && self.language == now.language {
            return Some("the grammar has changed since then".into());
        }
        if self.stay_in_grammar != now.stay_in_grammar && self.language == now.language {
            let with = |header: &Self| if header.stay_in_grammar { "with" } else { "without" };
            let (then, now) = (with(self), with(now));
            return Some(format!("the run was {then} --stay-in-grammar then, and is {now} it now"));
        }
        let algorithm = |header: &Self| header.algorithm.clone().unwrap_or_else(|| "default".into());
        for (what, then, now) in [
            ("language", &self.language, &now.language),
            ("algorithm", &algorithm(self), &algorithm(now)),
            ("search", &self.search, &now.search),
            ("passes", &self.passes.join(", "), &now.passes.join(", ")),
        ] {
            if then != now {
                return Some(format!("the {what} then: {then}; now: {now}"));
            }
        }
        if self.limit != now.limit {
            let seconds = |header: &Self| header.limit().as_secs_f64();
            let (then, now) = (seconds(self), seconds(now));
            return Some(format!("one run of the test might take {then} s then, and {now} s now"));
        }
        (self.memory != now.memory).then(|| {
            let shown = |header: &Self| match header.memory {
                0 => "any number of".to_owned(),
                bytes => bytes.to_string(),
            };
            format!(
                "one run of the test might hold {} bytes of memory then, and {} now",
                shown(self),
                shown(now)
            )
        })
    }
}

/// How a process was started that wrote to the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Its id.
    pub process: u32,
    /// The arguments of the command.
    pub arguments: Vec<Word>,
    /// The folder in which it was started.
    pub folder: Word,
}

/// A program that became the best one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// The key of its content.
    pub key: Key,
    /// The pass that proposed it; none if an earlier program is the best again.
    pub pass: Option<String>,
    /// Its size in tokens.
    pub tokens: usize,
    /// Its size in bytes.
    pub bytes: usize,
    /// How many verdicts had been used.
    pub runs: usize,
}

/// A line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "lowercase")]
pub enum Record {
    /// The first line.
    Run(Header),
    /// A process begins to write.
    Session(Session),
    /// The driver learned a verdict.
    Verdict {
        /// What identifies the run of the test.
        key: Key,
        /// What the test said.
        verdict: Verdict,
    },
    /// There is a new best program. The first one after the header is number 1.
    Commit(Commit),
    /// The commits after a number are abandoned, and what they hold is boring from now on.
    Undo {
        /// The number.
        to: usize,
        /// The keys of the abandoned ones.
        bars: Vec<Key>,
    },
    /// The test was changed at some time since the last commit: the verdicts since then do not count.
    Doubt,
    /// The process stops writing in good order.
    End {
        /// Whether nothing is left to do.
        finished: bool,
    },
}
