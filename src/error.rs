//! Errors that the user can fix: a title, facts and help.

use lopper_engine::isolate::Obstacle;
use std::fmt;

/// The kind of an error, which decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The command line or the call makes no sense, or a file cannot be read or written.
    Usage,
    /// The test does not recognise the failure, or recognises everything.
    BadTest,
    /// The user stopped the run before there was a result.
    Interrupted,
    /// Lopper itself failed. Please report it.
    Internal,
}

/// An error that the user can fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserError {
    /// The error, in one line.
    pub title: String,
    /// The observed facts, one line each.
    pub facts: Vec<String>,
    /// Ways to fix it, one line each.
    pub help: Vec<String>,
    /// The kind.
    pub kind: ErrorKind,
}

impl UserError {
    /// An error in the command line or the call, or with a file.
    pub fn usage(title: impl Into<String>) -> Self {
        Self { title: title.into(), facts: Vec::new(), help: Vec::new(), kind: ErrorKind::Usage }
    }

    /// An error in the user's test.
    pub fn bad_test(title: impl Into<String>) -> Self {
        Self { kind: ErrorKind::BadTest, ..Self::usage(title) }
    }

    /// The error for a run that the user stopped.
    pub fn interrupted() -> Self {
        Self { kind: ErrorKind::Interrupted, ..Self::usage("interrupted") }
    }

    /// The error for threads that cannot be started.
    pub fn no_threads(cause: &dyn std::error::Error) -> Self {
        Self::usage("no threads can be started")
            .fact(cause.to_string())
            .help("the shell limits the number of processes: see ulimit -u, or use fewer --jobs")
    }

    /// The error for a bug in Lopper.
    pub fn internal() -> Self {
        Self { kind: ErrorKind::Internal, ..Self::usage("this is a bug in Lopper") }.help(
            "please report it, with the input and log.txt from the run folder, NAME.lopper, if there is one",
        )
    }

    /// Adds a fact.
    pub fn fact(mut self, fact: impl Into<String>) -> Self {
        self.facts.push(fact.into());
        self
    }

    /// Adds a piece of help.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }
}

impl fmt::Display for UserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.title)?;
        for fact in &self.facts {
            write!(f, "\n  {fact}")?;
        }
        for help in &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UserError {}

impl From<Obstacle> for UserError {
    fn from(obstacle: Obstacle) -> Self {
        let error = Self::bad_test(obstacle.to_string());
        match obstacle {
            Obstacle::NotFailing => error
                .fact("exit code 0 of the test means that the failure is there, 125 that it cannot tell")
                .help("does the test look for the failure in the file that it gets as its argument?"),
            Obstacle::CannotTell => error
                .fact("exit code 125 of the test means that it cannot tell, 0 that the failure is there")
                .help("does the test need a file that is not in its folder? the folder holds only the input"),
            Obstacle::NotPassing => error
                .fact("the search needs a passing input to start from")
                .help("make the test look for the failure's own message")
                .help("or name an input that passes with --passing"),
            Obstacle::FailureNotReproduced => {
                error.fact("the test could not tell, or took too long").help("--timeout gives it more time")
            }
            Obstacle::NoCall => error,
        }
    }
}
