//! The options for where tests run: on this machine, or on a cluster with the Remote Execution API.

use super::beside::Beside;
use crate::conditions::TestPlan;
use crate::error::UserError;
use crate::oracle::executor::Executor;
use crate::oracle::ground::Ground;
use crate::oracle::interrupt::Interrupt;
use crate::oracle::local;
#[cfg(feature = "remote")]
use crate::oracle::remote::{Access, Address, Cluster, Fallback, Remote, Settings, Token};
use crate::oracle::system::is_of_system;
use crate::platform::executable;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The variable that may hold a token.
#[cfg(feature = "remote")]
const TOKEN: &str = "LOPPER_EXECUTOR_TOKEN";

/// See the module.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Where tests run")]
pub(super) struct ExecutorOptions {
    /// Run the test on this machine (local), or on a cluster: reapi://HOST:PORT[/INSTANCE]
    ///
    /// The cluster must have the Remote Execution API, as Buildbarn, BuildGrid and NativeLink do (docs/remote.md). -j is
    /// the number of runs at once there. The connection is encrypted, except on this machine; grpcs:// encrypts it there,
    /// too.
    #[arg(long, hide_short_help = true, value_name = "WHERE", default_value = LOCAL)]
    executor: String,
    /// Trust the certificates of this authority, too (PEM)
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    executor_ca: Option<PathBuf>,
    /// Identify yourself to the cluster by this certificate (PEM)
    #[arg(long, hide_short_help = true, value_name = "FILE", requires = "executor_key")]
    executor_certificate: Option<PathBuf>,
    /// The key of --executor-certificate (PEM)
    #[arg(long, hide_short_help = true, value_name = "FILE", requires = "executor_certificate")]
    executor_key: Option<PathBuf>,
    /// Identify yourself to the cluster by the token in this file
    ///
    /// The file is read again if the cluster refuses the token. Without this option, the variable LOPPER_EXECUTOR_TOKEN may
    /// hold a token.
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    executor_token_file: Option<PathBuf>,
    /// Use only workers with this property, such as OSFamily=linux
    #[arg(long, hide_short_help = true, value_name = "KEY=VALUE", value_parser = pair)]
    executor_property: Vec<(String, String)>,
    /// Set a variable for the test on the cluster; without VALUE, to what it is here
    ///
    /// The test sees no other variables of this machine there.
    #[arg(long, hide_short_help = true, value_name = "NAME[=VALUE]", value_parser = variable)]
    executor_env: Vec<(String, String)>,
    /// Send everything to the cluster without encryption, whatever the network between
    #[arg(long, hide_short_help = true)]
    executor_plaintext: bool,
    /// Send this file or folder to the cluster, too
    ///
    /// Test and paths keep their places relative to each other, so the test finds them from its own folder: $(dirname "$0").
    /// Small files below that folder that the test names are sent without this option, and Lopper says which; folders,
    /// hidden files, and files elsewhere are not.
    #[arg(long, hide_short_help = true, value_name = "PATH", num_args = 1)]
    with: Vec<PathBuf>,
    /// Go on with this machine if the cluster does not answer any more
    #[arg(long, hide_short_help = true)]
    fallback_local: bool,
}

/// The number of files that are named.
const NAMED: usize = 5;

/// The name of this machine as an executor.
const LOCAL: &str = "local";

/// Reads a property.
fn pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(key, _)| !key.is_empty());
    pair.map(|(key, value)| (key.to_owned(), value.to_owned()))
        .ok_or_else(|| "it must have the form KEY=VALUE".to_owned())
}

/// Reads a variable of the environment.
fn variable(text: &str) -> Result<(String, String), String> {
    if text.contains('=') {
        return pair(text);
    }
    std::env::var(text).map(|value| (text.to_owned(), value)).map_err(|e| e.to_string())
}

impl ExecutorOptions {
    /// Whether tests run on a cluster.
    pub(super) fn is_remote(&self) -> bool {
        self.executor != LOCAL
    }

    /// What the test names beside it, if it runs on a cluster. `input` is the input, which is sent with each candidate.
    pub(super) fn beside(&self, plan: &TestPlan, input: &[PathBuf]) -> Beside {
        if !self.is_remote() {
            return Beside::default();
        }
        Beside::of(plan, &[&self.with, input].concat())
    }

    /// Files and folders of this machine that the text of a test names by absolute paths, and that neither a cluster gets
    /// nor a system has.
    pub(super) fn not_sent(&self, plan: &TestPlan, beside: &Beside) -> Vec<PathBuf> {
        let is_sent = |path: &Path| {
            let with = self.with.iter().filter_map(|path| std::path::absolute(path).ok());
            let beside = beside.sent.iter().cloned();
            plan.files().map(Path::to_owned).chain(with).chain(beside).any(|sent| path.starts_with(sent))
        };
        let mut found = BTreeSet::new();
        for program in plan.files().filter(|path| !is_of_system(path)) {
            let Ok(text) = std::fs::read_to_string(program) else { continue };
            let ends = |c: char| c.is_whitespace() || "\"'`;|&()<>=:$".contains(c);
            let paths =
                text.split(ends).filter(|word| word.starts_with('/') && word.len() > 1).map(Path::new);
            let is_missing = |path: &&Path| path.exists() && !is_of_system(path) && !is_sent(path);
            found.extend(paths.filter(is_missing).map(Path::to_owned));
        }
        found.into_iter().take(NAMED).collect()
    }

    /// Refuses options of a reduction that need this machine.
    ///
    /// # Errors
    /// If one is given, and the test runs on a cluster.
    pub(super) fn refuse_on_cluster(&self, others: &[(bool, &str, &str)]) -> Result<(), UserError> {
        let other = others.iter().find(|(is_given, ..)| *is_given && self.is_remote());
        other.map_or(Ok(()), |(_, option, why)| {
            Err(UserError::usage(format!("{option} cannot be used with tests on a cluster")).fact(*why))
        })
    }

    /// Whether tests may run on this machine after all.
    pub(super) fn falls_back(&self) -> bool {
        self.fallback_local
    }

    /// The machine or the cluster, for so many runs at once. A cluster gets the files beside the test, too.
    ///
    /// # Errors
    /// If the options make no sense, or the cluster cannot be reached.
    pub(super) fn site(&self, jobs: usize, beside: &Beside) -> Result<Site, UserError> {
        if self.is_remote() {
            return self.cluster(jobs, beside);
        }
        let idle = [
            (self.executor_ca.is_some(), "--executor-ca"),
            (self.executor_certificate.is_some(), "--executor-certificate"),
            (self.executor_token_file.is_some(), "--executor-token-file"),
            (!self.executor_property.is_empty(), "--executor-property"),
            (!self.executor_env.is_empty(), "--executor-env"),
            (self.executor_plaintext, "--executor-plaintext"),
            (!self.with.is_empty(), "--with"),
            (self.fallback_local, "--fallback-local"),
        ];
        match idle.iter().find(|(is_given, _)| *is_given) {
            Some((_, option)) => Err(UserError::usage(format!("{option} is for tests on a cluster"))
                .help("--executor reapi://HOST:PORT names one")),
            None => Ok(Site::Here),
        }
    }

    #[cfg(feature = "remote")]
    fn cluster(&self, jobs: usize, beside: &Beside) -> Result<Site, UserError> {
        if let Some(path) = self.with.iter().find(|path| !path.exists()) {
            return Err(UserError::usage(format!("'{}' of --with does not exist", path.display())));
        }
        let token = match (&self.executor_token_file, std::env::var(TOKEN)) {
            (Some(path), _) => Token::File(path.clone()),
            (None, Ok(token)) => Token::Known(token),
            (None, Err(_)) => Token::None,
        };
        let identity = self.executor_certificate.clone().zip(self.executor_key.clone());
        let mut properties = self.executor_property.clone();
        properties.sort();
        let settings = Settings {
            address: Address::read(&self.executor, self.executor_plaintext)?,
            access: Access { authority: self.executor_ca.clone(), identity, token },
            properties,
            variables: self.executor_env.clone(),
            with: self.with.iter().chain(&beside.sent).cloned().collect(),
        };
        let cluster = Cluster::connect(settings, jobs)?;
        Ok(Site::Cluster { cluster, falls_back: self.fallback_local })
    }

    #[cfg(not(feature = "remote"))]
    fn cluster(&self, _jobs: usize, _beside: &Beside) -> Result<Site, UserError> {
        Err(UserError::usage("this build of Lopper cannot run tests on a cluster")
            .help("cargo install --path . --features remote"))
    }
}

/// Where tests run.
pub(super) enum Site {
    /// On this machine.
    Here,
    /// On a cluster, and here if it does not answer any more and the user wants that.
    #[cfg(feature = "remote")]
    Cluster { cluster: Arc<Cluster>, falls_back: bool },
}

impl Site {
    /// An executor for `jobs` workers and the commands of a test, with these paths of a candidate as arguments, on this
    /// ground.
    ///
    /// # Errors
    /// If no working folder can be made, or a file of the test cannot be sent.
    pub(super) fn executor(
        &self,
        plan: &TestPlan,
        arguments: &[Arc<Path>],
        ground: Ground,
        jobs: usize,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn Executor>, UserError> {
        match self {
            Self::Here => here(plan, arguments, ground, jobs, interrupt),
            #[cfg(feature = "remote")]
            Self::Cluster { cluster, falls_back } => {
                let (commands, cluster) = (plan.commands(), Arc::clone(cluster));
                let remote =
                    Remote::new(Arc::clone(&cluster), commands, arguments, jobs, interrupt, ground.clone())?;
                if !falls_back {
                    return Ok(Box::new(remote));
                }
                let (plan, arguments, interrupt) = (plan.clone(), arguments.to_vec(), interrupt.clone());
                let make = move || here(&plan, &arguments, ground.clone(), jobs, &interrupt);
                let tell = |why: &UserError| {
                    let facts = why.facts.iter().map(|fact| format!("\n  {fact}")).collect::<String>();
                    crate::report::remark(&format!("{}; the run goes on here{facts}", why.title));
                };
                let workers = (jobs, super::limits::processors());
                Ok(Box::new(Fallback::new(cluster, remote, workers, Box::new(make), Box::new(tell))))
            }
        }
    }
}

fn here(
    plan: &TestPlan,
    arguments: &[Arc<Path>],
    ground: Ground,
    jobs: usize,
    interrupt: &Interrupt,
) -> Result<Box<dyn Executor>, UserError> {
    super::remark_shortcoming();
    local::executor(plan.commands(), arguments, jobs, interrupt.clone(), Some(executable()), ground)
}
