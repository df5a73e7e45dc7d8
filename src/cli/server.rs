//! The options for a server as the test.

use super::given::words;
use crate::error::UserError;
use crate::oracle::command::TestCommand;
use std::num::NonZeroU32;

/// See the module.
#[derive(Debug, Default, clap::Args)]
pub(super) struct ServerOptions {
    /// A test that starts once: this command runs as long as Lopper, and answers for each candidate in a line
    /// of JSON, as docs/servers.md describes
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    server: Option<String>,
    /// Start the server anew after N answers [default: 1000]
    #[arg(long, value_name = "N", requires = "server")]
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
