//! Tests as Lopper runs them: signals, limits, and the check of the original.

use crate::corpus::Case;
use lopper::conditions::TestPlan;
use lopper::error::UserError;
use lopper::oracle::command::TestCommand;
use lopper::oracle::command_oracle::CommandOracle;
use lopper::oracle::ground::Ground;
use lopper::oracle::interrupt::Interrupt;
use lopper::oracle::{Contents, Fault, Verdict};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time limit of the first run of a test.
const FIRST_LIMIT: Duration = Duration::from_secs(300);
/// The least automatic time limit, so that the load of the machine does not change the results.
const LEAST_LIMIT: Duration = Duration::from_secs(5);

/// Makes Ctrl-C and SIGTERM end the running tests; finished records are kept.
///
/// # Errors
///
/// If the signal handlers cannot be installed.
pub(crate) fn catch_signals() -> Result<Interrupt, UserError> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let register = || -> std::io::Result<Interrupt> {
        let (reader, writer) = UnixStream::pair()?;
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::low_level::pipe::register(signal, writer.try_clone()?)?;
        }
        Ok(Interrupt::new(reader))
    };
    register().map_err(|e| UserError::usage("signals cannot be caught").fact(e.to_string()))
}

/// A test that has been seen to accept the original.
///
/// # Errors
///
/// If the test cannot be run, or does not accept the original.
pub(crate) fn checked(
    command: TestCommand,
    file_name: &str,
    original: &Contents,
    jobs: usize,
    timeout: Option<Duration>,
    interrupt: &Interrupt,
) -> Result<CommandOracle, UserError> {
    let arguments = [Path::new(file_name).into()];
    let limit = timeout.unwrap_or(FIRST_LIMIT);
    let (plan, interrupt) = (TestPlan::from(command.clone()), interrupt.clone());
    let mut test = if command.answers().is_some() {
        let (helper, ground) = (PathBuf::from("/proc/self/exe"), Ground::default());
        CommandOracle::with_helper(plan, &arguments, jobs, limit, interrupt, helper, ground)?
    } else {
        CommandOracle::new(plan, &arguments, jobs, limit, interrupt)?
    };
    let first = test.run_and_watch(original).map_err(user_error)?;
    if first.verdict != Verdict::Interesting {
        let mut error =
            UserError::bad_test(format!("the test '{}' does not accept the file", command.program.display()))
                .fact(format!("it said {:?}", first.verdict));
        if let Some(line) = first.run.last_lines(1).pop() {
            error = error.fact(line);
        }
        return Err(error);
    }
    test.limit = timeout.unwrap_or((first.time * 10).max(LEAST_LIMIT));
    Ok(test)
}

/// The test of a case, its script or its server, which has been seen to accept the case's input.
///
/// # Errors
/// As for [`checked`].
pub(crate) fn of_case(
    case: &Case,
    original: &Contents,
    has_server: bool,
    jobs: usize,
    interrupt: &Interrupt,
) -> Result<CommandOracle, UserError> {
    checked(case.command(has_server)?, &case.file_name, original, jobs, case.timeout, interrupt)
}

/// A message for the user about a run without a verdict.
pub(crate) fn user_error(fault: Fault) -> UserError {
    match fault {
        Fault::Broken(error) => error,
        Fault::Interrupted | Fault::Cancelled => UserError::interrupted(),
    }
}
