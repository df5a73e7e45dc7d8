//! Folders with the files of findings, in which the user can try the test.

use crate::cli::elsewhere::Elsewhere;
use crate::conditions::TestPlan;
use crate::oracle::Contents;
use crate::oracle::command::quoted;
use crate::output::write_new;
use std::io;
use std::path::{Path, PathBuf};

/// A command for a shell that runs a command in this folder.
fn in_folder(folder: &Path, command: &str) -> String {
    format!("try (cd {} && {command}); echo $?", quoted(&folder.to_string_lossy()))
}

/// The folders; the folder around them is made for the first finding.
#[derive(Debug, Default)]
pub(in crate::cli) struct Kept(Option<PathBuf>);

impl Kept {
    /// Keeps a candidate under a name; returns the command to try, or why there is none.
    pub(super) fn command(
        &mut self,
        name: &str,
        candidate: &Contents,
        elsewhere: &Elsewhere,
        plan: &TestPlan,
    ) -> String {
        self.command_as(name, candidate, elsewhere, plan, str::to_owned)
    }

    /// As [`Kept::command`], for a command that is changed.
    pub(super) fn command_as(
        &mut self,
        name: &str,
        candidate: &Contents,
        elsewhere: &Elsewhere,
        plan: &TestPlan,
        change: impl Fn(&str) -> String,
    ) -> String {
        let kept = self.keep(name, &[&candidate[..], elsewhere.fixed].concat());
        let arguments = elsewhere.arguments_for(candidate);
        let paths: Vec<PathBuf> = arguments.iter().map(|path| path.to_path_buf()).collect();
        kept.map_or_else(
            |e| format!("the file could not be kept for you: {e}"),
            |folder| in_folder(&folder, &change(&plan.shown(&paths))),
        )
    }

    fn keep(&mut self, name: &str, candidate: &Contents) -> io::Result<PathBuf> {
        let root = match &self.0 {
            Some(root) => root.clone(),
            None => {
                let root = tempfile::Builder::new().prefix("lopper-check-").tempdir()?.keep();
                self.0.insert(root).clone()
            }
        };
        let folder = root.join(name);
        write_new(&folder, Path::new(""), candidate)?;
        Ok(folder)
    }
}
