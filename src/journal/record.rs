//! The records of a journal: one JSON object per line.

use crate::oracle::Verdict;
use crate::platform;
use lopper_engine::effort::Effort;
use lopper_engine::flicker::Tally;
use lopper_languages::measure::Goal;
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// An xxh3-128, written as 32 hexadecimal digits.
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
        key.map(Self).ok_or_else(|| format!("'{text}' is not a key"))
    }
}

/// A word of a command line, or a path: text if it is UTF-8, otherwise bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Word {
    /// UTF-8.
    Text(String),
    /// Not UTF-8.
    Bytes(Vec<u8>),
}

impl From<&OsStr> for Word {
    fn from(word: &OsStr) -> Self {
        word.to_str()
            .map_or_else(|| Self::Bytes(word.as_encoded_bytes().to_vec()), |text| Self::Text(text.to_owned()))
    }
}

impl From<&PathBuf> for Word {
    fn from(path: &PathBuf) -> Self {
        Self::from(path.as_os_str())
    }
}

impl From<Word> for OsString {
    fn from(word: Word) -> Self {
        match word {
            Word::Text(text) => text.into(),
            Word::Bytes(bytes) => platform::word(bytes),
        }
    }
}

/// The form of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// A single file.
    #[default]
    File,
    /// Several files, whose paths are those on the command line, as far as possible.
    Files,
    /// A folder: the test gets its path.
    Folder,
}

/// The properties that identify a run: only a run with the same header may continue its journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of Lopper.
    pub lopper: String,
    /// The base name of the file or the folder; of several files, their paths.
    pub name: String,
    /// What the input is.
    #[serde(default)]
    pub form: Form,
    /// The content of the input.
    pub input: Key,
    /// The globs that choose files, as on the command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub globs: Vec<String>,
    /// The test: the content of its program, its arguments and the files that they name.
    pub test: Key,
    /// Files named by the arguments that the test itself writes; their content does not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<Word>,
    /// How the original fails, if candidates are held to that; the form of
    /// [`Failure::record`](crate::conditions::Failure::record).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The name of the language.
    pub language: String,
    /// The content of the user's grammar, if the language is given by one.
    pub grammar: Option<Key>,
    /// Whether only candidates that the grammar accepts are tested.
    #[serde(default)]
    pub stay_in_grammar: bool,
    /// The parts of the file that must stay, as on the command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub protect: Vec<String>,
    /// The name of the published algorithm that replaces passes and search.
    pub algorithm: Option<String>,
    /// The name of what the measure puts first.
    #[serde(default = "tokens")]
    pub goal: String,
    /// The name of the effort.
    #[serde(default = "quick")]
    pub effort: String,
    /// The name of the search.
    pub search: String,
    /// The names of the passes.
    pub passes: Vec<String>,
    /// How often the test accepted the original before the run, if it flickers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flicker: Option<Tally>,
    /// The time of the run on the original, in microseconds.
    #[serde(default)]
    pub first_run: u64,
    /// The time limit of one run of the test, in microseconds.
    pub limit: u64,
    /// Whether the limit follows the program as it shrinks.
    #[serde(default)]
    pub limit_follows: bool,
    /// The memory limit of one run of the test, in bytes; 0 is no limit.
    pub memory: u64,
}

/// The goal of a journal that names none.
fn tokens() -> String {
    Goal::Tokens.name().to_owned()
}

/// The effort of a journal that names none.
fn quick() -> String {
    Effort::Quick.name().to_owned()
}

impl Header {
    /// The time limit of one run of the test.
    pub fn limit(&self) -> Duration {
        Duration::from_micros(self.limit)
    }

    /// The memory limit of one run of the test, in bytes, if any.
    pub fn memory(&self) -> Option<u64> {
        Some(self.memory).filter(|&bytes| bytes > 0)
    }

    /// The reason why a run with the header `now` cannot continue this journal; `None` if it can.
    pub fn refuses(&self, now: &Self) -> Option<String> {
        if self.lopper != now.lopper {
            return Some(format!(
                "it was written by Lopper {}, and this is Lopper {}",
                self.lopper, now.lopper
            ));
        }
        if self.name != now.name {
            return Some(format!("it belongs to '{}', not to '{}'", self.name, now.name));
        }
        // The same files are another input if others of them may change.
        if self.globs != now.globs {
            let shown = |globs: &[String]| {
                if globs.is_empty() { "none".to_owned() } else { globs.join(", ") }
            };
            let (then, now) = (shown(&self.globs), shown(&now.globs));
            return Some(format!("the choice of files was {then}, and is {now} now"));
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
            ("protected part", &self.protect.join(", "), &now.protect.join(", ")),
            ("algorithm", &algorithm(self), &algorithm(now)),
            ("goal", &self.goal, &now.goal),
            ("effort", &self.effort, &now.effort),
            ("search", &self.search, &now.search),
        ] {
            if then != now {
                let named = |value: &str| if value.is_empty() { "none".to_owned() } else { value.to_owned() };
                return Some(format!("the {what} was {}, and is {} now", named(then), named(now)));
            }
        }
        if self.passes != now.passes {
            return Some(other_passes(&self.passes, &now.passes));
        }
        if self.limit != now.limit {
            let seconds = |header: &Self| header.limit().as_secs_f64();
            let (then, now) = (seconds(self), seconds(now));
            return Some(format!("the time limit of a test run was {then} s, and is {now} s now"));
        }
        if self.limit_follows != now.limit_follows {
            return Some("the time limit of a test run followed the program then, and is fixed now".into());
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

/// How the passes of a run differ from those of another one.
fn other_passes(then: &[String], now: &[String]) -> String {
    let without = |all: &[String], others: &[String]| {
        let only: Vec<&str> = all.iter().filter(|name| !others.contains(name)).map(String::as_str).collect();
        only.join(", ")
    };
    match (without(then, now), without(now, then)) {
        (gone, new) if gone.is_empty() && new.is_empty() => "the passes are in another order now".to_owned(),
        (gone, new) if gone.is_empty() => format!("these passes are new: {new}"),
        (gone, new) if new.is_empty() => format!("these passes are not used now: {gone}"),
        (gone, new) => format!("these passes are not used now: {gone}; and these are new: {new}"),
    }
}

/// A process that wrote to the journal.
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
    /// The key of the program.
    pub key: Key,
    /// The pass that proposed it; `None` if an earlier program is the best again.
    pub pass: Option<String>,
    /// Its size in tokens.
    pub tokens: usize,
    /// Its size in bytes.
    pub bytes: usize,
    /// The number of verdicts used until then.
    pub runs: usize,
    /// The time limit of the following runs, in microseconds, if it is another one than before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
}

/// A candidate that fails in another way than the original.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Other {
    /// The text that names the failure.
    pub signature: String,
    /// Its size in tokens.
    pub tokens: usize,
    /// Its size in bytes.
    pub bytes: usize,
}

/// A line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "lowercase")]
pub enum Record {
    /// The first line.
    Run(Box<Header>),
    /// A process begins to write.
    Session(Session),
    /// The driver learned a verdict.
    Verdict {
        /// The key of the test run.
        key: Key,
        /// The verdict.
        verdict: Verdict,
        /// The time of the run in microseconds; if it was too long, its limit.
        #[serde(default)]
        time: u64,
    },
    /// There is a new best program. The first one after the header is number 1.
    Commit(Commit),
    /// A candidate is the smallest one so far with a failure other than the original's.
    Other(Other),
    /// The commits after a number are abandoned, and their programs are boring from now on.
    Undo {
        /// The number.
        to: usize,
        /// The keys of the abandoned programs.
        bars: Vec<Key>,
    },
    /// The result is the last program in another layout, and has this key.
    Format {
        /// The key.
        key: Key,
    },
    /// The user has skipped a pass.
    Skip {
        /// Its name.
        pass: String,
        /// The number of runs before.
        runs: usize,
    },
    /// The test was edited after the last commit: the verdicts since then do not count.
    Doubt,
    /// The test was found to flicker: the verdicts since the last commit do not count, and the following ones are certain.
    Flicker {
        /// How often it accepts the original.
        original: Tally,
    },
    /// The process ends the journal properly.
    End {
        /// Whether the run is complete.
        finished: bool,
    },
}
