//! What the user can mend: a title, the facts, what helps; and the exit codes.

use std::fmt;
use std::process::ExitCode;

/// How the command ends, for the caller's shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// A smaller program was found, or the budget ran out, whichever it was and whatever was found by then; the
    /// output holds the best one.
    Reduced = 0,
    /// Lopper itself failed. Please report it.
    Internal = 1,
    /// The command line makes no sense, or a file cannot be read or written.
    Usage = 2,
    /// The test does not recognise the failure, or recognises everything.
    BadTest = 3,
    /// Nothing is left to try, and nothing smaller was found; the output is the input.
    NothingToReduce = 4,
    /// The grammar does not accept all of a file that was only to be parsed.
    Rejected = 5,
    /// Stopped by a signal; the output holds the best program so far.
    Interrupted = 130,
}

impl Exit {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 7] = [
        Self::Reduced,
        Self::Internal,
        Self::Usage,
        Self::BadTest,
        Self::NothingToReduce,
        Self::Rejected,
        Self::Interrupted,
    ];

    /// What it says, in a line.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Reduced => "reduced, or the budget ran out",
            Self::Internal => "a bug in Lopper",
            Self::Usage => "the command line makes no sense, or a file cannot be read or written",
            Self::BadTest => "the test does not recognise the failure, or recognises everything",
            Self::NothingToReduce => "nothing is left to try, and nothing smaller was found",
            Self::Rejected => "the grammar does not accept all of the file (lopper parse)",
            Self::Interrupted => "interrupted; the output holds the best so far",
        }
    }

    /// The list of all, as help texts end with it.
    pub fn help() -> String {
        let line = |exit: Self| format!("\n{:>5}  {}", exit as u8, exit.meaning());
        Self::ALL.into_iter().map(line).fold("Exit codes:".to_owned(), |list, line| list + &line)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Something that the user can mend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserError {
    /// What is wrong, in a line.
    pub title: String,
    /// What was seen, a line each.
    pub facts: Vec<String>,
    /// What to do about it, a line each.
    pub help: Vec<String>,
    /// The exit code.
    pub exit: Exit,
}

impl UserError {
    /// An error of the command line or of files.
    pub fn usage(title: impl Into<String>) -> Self {
        Self { title: title.into(), facts: Vec::new(), help: Vec::new(), exit: Exit::Usage }
    }

    /// An error of the user's test.
    pub fn bad_test(title: impl Into<String>) -> Self {
        Self { exit: Exit::BadTest, ..Self::usage(title) }
    }

    /// No thread can be started.
    pub fn no_threads(cause: &dyn std::error::Error) -> Self {
        Self::usage("no threads can be started")
            .fact(cause.to_string())
            .help("this shell limits how many processes there may be: see ulimit -u, or use fewer --jobs")
    }

    /// A bug in Lopper.
    pub fn internal() -> Self {
        Self { exit: Exit::Internal, ..Self::usage("this is a bug in Lopper") }.help(
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
