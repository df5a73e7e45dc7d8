//! The situations, and the script for each.

use crate::conditions::{Failure, ORDINARY_ERROR};
use crate::error::UserError;
use crate::oracle::command::quoted;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const CRASH: &str = include_str!("scripts/crash.sh");
const FIRST: &str = include_str!("scripts/first.sh");
const HANG: &str = include_str!("scripts/hang.sh");
const PYTHON_TEST: &str = include_str!("scripts/python-test.sh");
const REFUSED: &str = include_str!("scripts/refused.sh");
const REPORT: &str = include_str!("scripts/report.sh");
const SANITIZED: &str = include_str!("scripts/sanitized.sh");
const SECOND: &str = include_str!("scripts/second.sh");
const WRONG_CODE: &str = include_str!("scripts/wrong-code.sh");

/// The warnings of C compilers that hint at undefined behaviour, as errors.
const STRICT_C: &str = "-Werror=implicit-int -Werror=implicit-function-declaration -Werror=int-conversion \
                        -Werror=incompatible-pointer-types -Werror=return-type -Werror=uninitialized";
const STRICT_CPP: &str = "-Werror=return-type -Werror=uninitialized";

/// A situation.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Situation {
    /// A tool crashes, or reports an assertion, a panic, an exception, an internal error, a sanitizer's finding
    Crash {
        /// The file
        file: PathBuf,
        /// The command that fails; `{}` stands for the path of the file
        #[arg(last = true, value_name = "COMMAND", required = true)]
        command: Vec<OsString>,
    },
    /// A compiler makes wrong code: the program prints something else than with another compiler
    #[command(override_usage = "lopper init wrong-code [OPTIONS] --suspect CC --reference CC FILE")]
    WrongCode {
        /// The program
        file: PathBuf,
        /// The suspected compiler, with its options: 'gcc -O2'
        #[arg(long, value_name = "CC")]
        suspect: String,
        /// A compiler, or options, that make right code: 'gcc -O0'
        #[arg(long, value_name = "CC")]
        reference: String,
        /// A second compiler that makes right code: 'clang'
        #[arg(long, value_name = "CC")]
        second: Option<String>,
    },
    /// One tool accepts the file, and another one refuses it
    Refused {
        /// The file
        file: PathBuf,
        /// The command that accepts the file: 'gcc -c {}'
        #[arg(long, value_name = "COMMAND")]
        accepts: String,
        /// The command that refuses it
        #[arg(last = true, value_name = "COMMAND", required = true)]
        command: Vec<OsString>,
    },
    /// A test in pytest fails
    Pytest {
        /// The test's node id: FILE::TEST, or FILE::CLASS::TEST
        #[arg(value_name = "NODE_ID")]
        node: String,
        /// The interpreter
        #[arg(long, value_name = "PROGRAM", default_value = "python3")]
        python: String,
    },
    /// A test in unittest fails
    Unittest {
        /// The file with the test
        file: PathBuf,
        /// The test: CLASS.TEST
        test: String,
        /// The interpreter
        #[arg(long, value_name = "PROGRAM", default_value = "python3")]
        python: String,
    },
    /// A tool does not end in the time given by --seconds
    Hang {
        /// The file
        file: PathBuf,
        /// The command that hangs
        #[arg(last = true, value_name = "COMMAND", required = true)]
        command: Vec<OsString>,
    },
}

/// What is known about a situation.
#[derive(Debug)]
pub(super) struct Known {
    /// How the failing command fails on the original.
    pub(super) failure: Option<Failure>,
    /// Whether the reference compiler has sanitizers.
    pub(super) has_sanitizers: bool,
    /// The time limit of each tool.
    pub(super) seconds: u32,
}

impl Situation {
    /// The file.
    pub(super) fn file(&self) -> &Path {
        match self {
            Self::Crash { file, .. }
            | Self::WrongCode { file, .. }
            | Self::Refused { file, .. }
            | Self::Unittest { file, .. }
            | Self::Hang { file, .. } => file,
            Self::Pytest { node, .. } => Path::new(node.split("::").next().unwrap_or(node)),
        }
    }

    /// The command whose failure on the original is the one to look for.
    ///
    /// # Errors
    /// If it cannot be made from what the user named.
    pub(super) fn failing_command(&self, name: &Path) -> Result<Option<Vec<OsString>>, UserError> {
        Ok(match self {
            Self::Crash { command, .. } | Self::Refused { command, .. } => Some(command.clone()),
            Self::Pytest { node, python, .. } => {
                let (_, test) = node.split_once("::").ok_or_else(|| {
                    UserError::usage(format!("'{node}' names no test"))
                        .help("write FILE::TEST, as pytest prints it")
                })?;
                let options = ["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"];
                Some(words(&[&[python.as_str()], &options[..], &[format!("{{}}::{test}").as_str()]].concat()))
            }
            Self::Unittest { test, python, .. } => {
                Some(words(&["sh", "-c", &unittest_line(python, test, name), "sh"]))
            }
            Self::WrongCode { .. } | Self::Hang { .. } => None,
        })
    }

    /// The line of a script that runs the failing test of Python.
    fn python_line(&self, name: &Path) -> String {
        match self {
            Self::Unittest { test, python, .. } => unittest_line(python, test, name),
            _ => in_script(&self.failing_command(name).ok().flatten().unwrap_or_default()),
        }
    }

    /// A command that accepts a trivial program if the reference compiler has sanitizers.
    pub(super) fn probe(&self) -> Option<Vec<OsString>> {
        let Self::WrongCode { reference, .. } = self else { return None };
        let script = format!("{reference} -w -fsanitize=address,undefined \"$1\" -o probe && ./probe");
        Some(words(&["sh", "-c", &script, "sh", "{}"]))
    }

    /// The script, for a file with this name.
    pub(super) fn script(&self, known: &Known, name: &Path) -> String {
        let report = known.failure.as_ref().map_or_else(String::new, report_lines);
        let status = known.failure.as_ref().map_or(0, Failure::shell_status).to_string();
        let is_cpp = name.extension().is_some_and(|ending| ending != "c" && ending != "i");
        let script = match self {
            Self::Crash { command, .. } => CRASH.replace("@COMMAND@", &in_script(command)),
            Self::Hang { command, .. } => HANG.replace("@COMMAND@", &in_script(command)),
            Self::Refused { command, accepts, .. } => {
                let accepts =
                    if accepts.contains("{}") { accepts.clone() } else { format!("{accepts} {{}}") };
                REFUSED
                    .replace("@COMMAND@", &in_script(command))
                    .replace("@ACCEPTS@", &accepts.replace("{}", "\"$1\""))
            }
            Self::Pytest { .. } | Self::Unittest { .. } => {
                PYTHON_TEST.replace("@COMMAND@", &self.python_line(name)).replace("@MODULE@", &module(name))
            }
            Self::WrongCode { suspect, reference, second, .. } => {
                let second =
                    second.as_ref().map_or_else(String::new, |second| SECOND.replace("@SECOND@", second));
                let sanitized = if known.has_sanitizers { SANITIZED } else { "" };
                WRONG_CODE
                    .replace("@SECOND@", &second)
                    .replace("@SANITIZED@", sanitized)
                    .replace("@STRICT@", if is_cpp { STRICT_CPP } else { STRICT_C })
                    .replace("@SUSPECT@", suspect)
                    .replace("@REFERENCE@", reference)
            }
        };
        let script = script.replace("@REPORT@", &report).replace("@STATUS@", &status);
        script.replace("@SECONDS@", &known.seconds.to_string())
    }

    /// A command line that does the same without a script, if there is one.
    pub(super) fn command_line(&self) -> Option<String> {
        let file = quoted(&self.file().to_string_lossy());
        let line = |command: &[OsString]| {
            let words = command.iter().map(|word| match word.to_string_lossy() {
                word if word == "{}" => word.into_owned(),
                word => quoted(&word),
            });
            words.collect::<Vec<_>>().join(" ")
        };
        match self {
            Self::Crash { command, .. } => {
                Some(format!("lopper reduce {file} --like-original -- {}", line(command)))
            }
            Self::Refused { command, accepts, .. } => Some(format!(
                "lopper reduce {file} --like-original --require {} -- {}",
                quoted(accepts),
                line(command)
            )),
            _ => None,
        }
    }
}

/// The lines of a script that look for the report.
fn report_lines(failure: &Failure) -> String {
    let put = |script: &str, pattern: String| script.replace("@PATTERN@", &quoted(&pattern));
    let report = failure.pattern().map_or_else(String::new, |pattern| put(REPORT, pattern));
    let first = failure.pattern_before_errors().map_or_else(String::new, |pattern| put(FIRST, pattern));
    report + &first.replace("@ERROR@", &quoted(&format!("/{ORDINARY_ERROR}/q")))
}

/// Runs a test of the module, which is imported from the current folder: that holds the candidate.
fn unittest_line(python: &str, test: &str, name: &Path) -> String {
    format!("{} -B -m unittest {}", quoted(python), quoted(&format!("{}.{test}", module(name))))
}

/// The module in a file of Python.
fn module(name: &Path) -> String {
    name.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

/// A command as a line of a script, with the script's argument for the file. The script runs in another folder, so
/// a program with a path gets its absolute one.
fn in_script(command: &[OsString]) -> String {
    let mut command = command.to_vec();
    if let Some(program) = command.first_mut()
        && program.to_string_lossy().contains('/')
        && let Ok(path) = std::path::absolute(&program)
    {
        *program = path.into();
    }
    let has_place = command.iter().any(|word| word.to_string_lossy().contains("{}"));
    let put = |word: &OsString| {
        let word = word.to_string_lossy();
        let parts: Vec<String> =
            word.split("{}").map(|part| if part.is_empty() { String::new() } else { quoted(part) }).collect();
        if word.is_empty() { quoted("") } else { parts.join("\"$1\"") }
    };
    let line = command.iter().map(put).collect::<Vec<_>>().join(" ");
    if has_place { line } else { format!("{line} \"$1\"") }
}
