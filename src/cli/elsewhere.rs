//! The test in another place: in a folder of its own, and maybe under another name of the file.
//!
//! Each worker has a folder of its own, so a test whose answer depends on the folder rejects what it should accept.

use super::executor::Site;
use super::limits::Limits;
use super::start_up::timed;
use crate::conditions::TestPlan;
use crate::error::UserError;
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::ground::Ground;
use crate::oracle::interrupt::Interrupt;
use crate::oracle::{Contents, Fault, NamedFile, Test, Verdict};
use crate::run::Options;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What is needed to make the test again.
#[derive(Clone, Copy)]
pub(super) struct Elsewhere<'a> {
    pub(super) limits: &'a Limits,
    /// Where tests run.
    pub(super) site: &'a Site,
    pub(super) options: &'a Options,
    pub(super) interrupt: &'a Interrupt,
    /// The path of the original, or of the first of several files.
    pub(super) file: &'a Path,
    /// The paths that the test gets on the original.
    pub(super) arguments: &'a [Arc<Path>],
    /// The files beside every candidate.
    pub(super) fixed: &'a [NamedFile],
}

/// What the test's answer on the original depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depends {
    /// Neither on the folder nor on chance, as far as these runs tell.
    No,
    /// On the folder.
    OnFolder,
    /// On chance.
    OnChance,
}

impl Elsewhere<'_> {
    /// A test by this plan, in a folder of its own, on candidates with the paths of this one.
    pub(super) fn test(&self, plan: &TestPlan, candidate: &Contents) -> Result<CommandOracle, Fault> {
        let arguments = self.arguments_for(candidate);
        let modes = Ground::modes_of([(Arc::clone(&arguments[0]), self.file.to_owned())]);
        let ground = Ground { files: self.fixed.to_vec(), ..modes };
        let executor = self.site.executor(plan, &arguments, ground, 1, self.interrupt);
        let executor = executor.map_err(Fault::Broken)?;
        let mut test = CommandOracle::on(executor, plan.clone(), self.limits.first_run());
        test.memory = Some(self.limits.memory()).filter(|&bytes| bytes > 0);
        Ok(test)
    }

    /// Judges a candidate by this plan in place of the test's own; also returns the time.
    pub(super) fn judge(
        &self,
        test: &CommandOracle,
        plan: &TestPlan,
        candidate: &Contents,
    ) -> Result<(Verdict, Duration), Fault> {
        let mut other = self.test(plan, candidate)?;
        (other.limit, other.memory, other.deadline) = (test.limit, test.memory, test.deadline);
        let judged = timed(&other, candidate);
        other.close();
        judged
    }

    /// The paths of a candidate for the test: its file, the folder with its files, or several files, which always
    /// have the same names.
    pub(super) fn arguments_for(&self, candidate: &Contents) -> Vec<Arc<Path>> {
        let first = &candidate[0].path;
        match (self.arguments, first.components().next()) {
            ([_], Some(folder)) if self.file.is_dir() => vec![Path::new(&folder).into()],
            ([_], _) => vec![Arc::clone(first)],
            (several, _) => several.to_vec(),
        }
    }

    /// The original under another name: a file, or all that is in a folder. `None` for several files, and if some
    /// files stay beside every candidate.
    pub(super) fn under_another_name(&self, original: &Contents) -> Option<Contents> {
        match (&original[..], self.arguments, self.fixed) {
            (_, [_], []) if self.file.is_dir() => Some(original.iter().map(below_another).collect()),
            ([file], [_], []) => Some(vec![renamed(file)]),
            _ => None,
        }
    }

    /// Whether this plan accepts a candidate.
    pub(super) fn accepts(
        &self,
        test: &CommandOracle,
        plan: &TestPlan,
        candidate: &Contents,
    ) -> Result<bool, Fault> {
        Ok(self.judge(test, plan, candidate)?.0 == Verdict::Interesting)
    }

    /// Finds out whether a test that has accepted the original depends on the folder or on chance. That takes one run
    /// in another folder and under another name, and up to four more if it rejects the original there. A test that
    /// depends on the name alone can be used, since candidates keep it. Also returns the time of the first run. `None`
    /// if there is no other place: on a full disk, for a server, which would have to start again, and for several
    /// files, since a command may have its arguments in any order.
    pub(super) fn compare(
        &self,
        test: &CommandOracle,
        original: &Contents,
    ) -> Result<Option<(Depends, Duration)>, Fault> {
        let another = match self.under_another_name(original) {
            Some(another) if !test.plan.has_server() => another,
            _ => return Ok(None),
        };
        let (verdict, time) = match self.judge(test, &test.plan, &another) {
            Err(Fault::Broken(_)) => return Ok(None),
            judged => judged?,
        };
        if verdict == Verdict::Interesting {
            return Ok(Some((Depends::No, time)));
        }
        let again = |candidate: &Contents| self.accepts(test, &test.plan, candidate);
        let depends = if again(original)? {
            if again(&another)? { Depends::OnChance } else { Depends::No }
        } else if test.run(0, original)? != Verdict::Interesting || again(original)? {
            Depends::OnChance
        } else {
            Depends::OnFolder
        };
        Ok(Some((depends, time)))
    }
}

/// The remark on a test that depends on the folder.
pub(super) fn depends_on_folder() -> UserError {
    UserError::bad_test("the answer of the test depends on the folder")
        .fact("each of the --jobs runs it in a folder of its own")
}

/// The same file of a folder, if that has another name.
fn below_another(file: &NamedFile) -> NamedFile {
    let below: PathBuf = file.path.components().skip(1).collect();
    NamedFile { path: Path::new("another").join(below).into(), ..file.clone() }
}

/// The same file under another name with the same ending.
fn renamed(file: &NamedFile) -> NamedFile {
    let ending = file.path.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
    NamedFile::new(format!("another{ending}"), file.to_vec())
}
