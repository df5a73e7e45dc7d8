//! The options for conditions on the results of commands, which replace a script as the test.

use super::given::{test_program, words};
use super::server::ServerOptions;
use crate::conditions::{Condition, ExitCode, Stream, TestPlan, signal};
use crate::error::UserError;
use crate::oracle::command::{TestCommand, is_executable};
use std::ffi::OsString;
use std::path::PathBuf;

/// The heading in help texts.
const HEADING: &str = "Conditions (all must hold; the exit code of the test then has no other meaning)";

/// See the module.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = HEADING)]
pub(super) struct Conditions {
    /// The command exits with this code: a number, or `nonzero`
    #[arg(long, hide_short_help = true, value_name = "N")]
    exit_code: Option<ExitCode>,
    /// The command dies by this signal, such as SEGV or ABRT, or exits with 128 plus its number
    #[arg(long, hide_short_help = true, value_name = "NAME", value_parser = signal, conflicts_with = "exit_code")]
    signal: Option<i32>,
    /// This regular expression matches a part of standard error
    ///
    /// `^` and `$` are the ends of lines.
    #[arg(long, hide_short_help = true, value_name = "REGEX")]
    stderr: Vec<String>,
    /// As --stderr, for standard output
    #[arg(long, hide_short_help = true, value_name = "REGEX")]
    stdout: Vec<String>,
    /// As --stderr, for either of the two
    #[arg(long, hide_short_help = true, value_name = "REGEX")]
    any_output: Vec<String>,
    /// This regular expression matches no part of standard error
    #[arg(long, hide_short_help = true, value_name = "REGEX")]
    not_stderr: Vec<String>,
    /// As --not-stderr, for standard output
    #[arg(long, hide_short_help = true, value_name = "REGEX")]
    not_stdout: Vec<String>,
    /// As --not-stderr, for both
    #[arg(long, hide_short_help = true, value_name = "REGEX")]
    not_any_output: Vec<String>,
    /// The command fails as it does on the original
    ///
    /// The exit code or signal is the same, and so is the assertion, panic, exception or report, without addresses,
    /// numbers and paths.
    #[arg(long)]
    like_original: bool,
    /// This command has to refuse the candidate (any exit code but 0)
    #[arg(long, hide_short_help = true, value_name = "COMMAND")]
    reject: Vec<String>,
    /// The exit codes or the outputs of these two commands differ
    #[arg(long, hide_short_help = true, num_args = 2, value_names = ["COMMAND_A", "COMMAND_B"])]
    differs: Vec<String>,
    #[command(flatten)]
    server: ServerOptions,
}

/// The commands that have to accept every candidate.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = HEADING)]
pub(super) struct RequireOptions {
    /// A command that has to accept the candidate, too
    ///
    /// An example is 'gcc -fsyntax-only {}'. It accepts by exit code 0. Otherwise the candidate is invalid.
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    pub(super) require: Vec<String>,
}

impl Conditions {
    /// The test and the files, from the words before and behind `--`: the test and the files; only the files, if
    /// there is a command; or only the files, if --require, --reject or --differs name commands.
    ///
    /// # Errors
    /// If there is no such test, a condition makes no sense, or there is too little on the command line.
    pub(super) fn plan_and_files(
        &self,
        require: &[String],
        paths: &[PathBuf],
        command: &[OsString],
        subcommand: &str,
        usage: &str,
        most_files: usize,
    ) -> Result<(TestPlan, Vec<PathBuf>), UserError> {
        let names_commands = !(require.is_empty() && self.reject.is_empty() && self.differs.is_empty());
        let server = self.server.command()?;
        // A script beside the file is more likely a test than one of several files.
        let is_reduction = ["reduce", "check"].contains(&subcommand) && paths.len() > 1;
        let looks_like_test = is_reduction && paths.iter().any(|path| is_executable(path));
        let (main, files) = match (paths, command) {
            (_, [_, ..]) if looks_like_test => {
                return Err(UserError::usage("there is both a test and a command").help(usage));
            }
            (_, []) if looks_like_test && server.is_some() => {
                return Err(UserError::usage("there is both a test and a server").help(usage));
            }
            (files, []) if server.is_some() && (1..=most_files).contains(&files.len()) => (server, files),
            _ if server.is_some() => {
                return Err(UserError::usage("there is both a test and a server").help(usage));
            }
            (files, [_, ..]) if files.len() <= most_files => (Some(TestCommand::line(command)?), files),
            (_, [_, ..]) => return Err(UserError::usage("there is both a test and a command").help(usage)),
            // A second word is the file, and the first one the test, whatever the conditions are.
            ([file], []) if names_commands => (None, std::slice::from_ref(file)),
            ([test, files @ ..], []) if !files.is_empty() => {
                (Some(test_program(test, files, subcommand, usage)?), files)
            }
            _ => return Err(UserError::usage("there is a file but no test").help(usage)),
        };
        Ok((self.plan(main, require)?, files.to_vec()))
    }

    fn plan(&self, main: Option<TestCommand>, require: &[String]) -> Result<TestPlan, UserError> {
        let has_main = main.is_some();
        let mut plan = main.map_or_else(TestPlan::without_command, TestPlan::from);
        for condition in self.conditions() {
            plan = plan.condition(condition?);
        }
        if self.like_original {
            plan = plan.like_original();
        }
        if plan.has_conditions() && plan.has_server() {
            return Err(UserError::usage("there are conditions on the exit code or the output of a server")
                .fact("a server answers for many candidates, and each answer is the verdict")
                .help(
                    "check the condition in the server; --require, --reject and --differs run other commands",
                ));
        }
        if plan.has_conditions() && !has_main {
            return Err(UserError::usage("there are conditions, but no command that has to meet them")
                .help("add the command after the file: -- COMMAND {}"));
        }
        for command in require {
            plan = plan.require(line(command)?);
        }
        for command in &self.reject {
            plan = plan.reject(line(command)?);
        }
        for pair in self.differs.chunks_exact(2) {
            plan = plan.differs([line(&pair[0])?, line(&pair[1])?]);
        }
        Ok(plan)
    }

    /// The conditions on the main command.
    fn conditions(&self) -> impl Iterator<Item = Result<Condition, UserError>> {
        let outputs = [
            (Stream::Stderr, &self.stderr, true),
            (Stream::Stdout, &self.stdout, true),
            (Stream::Both, &self.any_output, true),
            (Stream::Stderr, &self.not_stderr, false),
            (Stream::Stdout, &self.not_stdout, false),
            (Stream::Both, &self.not_any_output, false),
        ];
        let outputs = outputs.into_iter().flat_map(|(stream, expressions, wanted)| {
            expressions.iter().map(move |expression| Condition::output(stream, expression, wanted))
        });
        let exit = self.exit_code.map(|code| Ok(Condition::Exit(code)));
        let signal = self.signal.map(|signal| Ok(Condition::Signal(signal)));
        exit.into_iter().chain(signal).chain(outputs)
    }
}

/// The command in an option.
fn line(command: &str) -> Result<TestCommand, UserError> {
    TestCommand::line(&words(command)?)
}
