//! The options for a server as the test, and `lopper server`, which prints servers that are ready for use.

use super::Exit;
use super::given::words;
use crate::error::UserError;
use crate::oracle::command::TestCommand;
use crate::report;
use std::num::NonZeroU32;

/// See the module.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct ServerOptions {
    /// A test that starts once, and answers for each candidate in a line
    ///
    /// This command runs as long as Lopper (docs/servers.md; `lopper server python` prints one).
    #[arg(long, hide_short_help = true, value_name = "COMMAND", allow_hyphen_values = true)]
    server: Option<String>,
    /// Start the server anew after N answers [default: 1000]
    #[arg(long, hide_short_help = true, value_name = "N", requires = "server")]
    server_answers: Option<NonZeroU32>,
}

/// The number of answers after which a server is replaced by default: enough to make its start cheap, and few
/// enough for one that leaks memory.
const ANSWERS: NonZeroU32 = NonZeroU32::MIN.saturating_add(999);

impl ServerOptions {
    /// The server, if there is one.
    ///
    /// # Errors
    /// If there is no such program.
    pub(super) fn command(&self) -> Result<Option<TestCommand>, UserError> {
        let answers = self.server_answers.unwrap_or(ANSWERS);
        self.server.as_ref().map(|line| TestCommand::server(&words(line)?, answers)).transpose()
    }
}

/// Prints a server to start from (docs/servers.md): `lopper server python > lopper_server.py`
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The language of the server
    language: Ready,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Ready {
    /// Imports modules or pytest once, and forks for each candidate; ready for use
    Python,
    /// An example for Node.js, in which the check has to be replaced
    Node,
}

/// Prints the server.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    report::answer(match arguments.language {
        Ready::Python => include_str!("../../servers/lopper_server.py"),
        Ready::Node => include_str!("../../servers/lopper_server.js"),
    })?;
    Ok(Exit::Reduced)
}
