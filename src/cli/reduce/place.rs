//! Where a run writes: the output and the run folder beside it, new or from an earlier run.

use super::arguments::Arguments;
use crate::error::UserError;
use crate::files::{self, Likeness, folder_of, is_taken};
use crate::journal::{Key, Past, RunFolder, held_by};
use crate::oracle::contents::key;
use crate::output::{Target, numbered_path};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The output and its run folder.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) target: Target,
    pub(super) folder: RunFolder,
    /// What the folder's journal tells; `None` in a new one.
    pub(super) past: Option<Past>,
}

impl Place {
    /// The program that the journal ends with, from the run folder or from the output.
    pub(super) fn last_program(&self) -> Option<Vec<u8>> {
        let past = self.past.as_ref()?;
        let last = past.commits.last()?;
        let output = match &self.target {
            Target::File(output) => fs::read(output).ok(),
            Target::Stream(_) => None,
        };
        let is_last = |text: &Vec<u8>| Key(key(&vec![past.file(text.clone())])) == last.key;
        self.folder.best().ok().into_iter().chain(output).find(is_last)
    }
}

/// The run that `--resume` goes on with; `None` where there is none.
///
/// # Errors
/// If its folder is in use, not ours, or damaged.
pub(super) fn earlier(arguments: &Arguments, file: &Path) -> Result<Option<Place>, UserError> {
    if !arguments.resume {
        return Ok(None);
    }
    let target = named(arguments, file);
    let output = match &target {
        Some(Target::File(output)) => Some(output.clone()),
        _ => newest(file),
    };
    let Some(output) = output.filter(|output| RunFolder::is_at(&held_by(output))) else { return Ok(None) };
    let (folder, past) = RunFolder::open(held_by(&output))?;
    let target = target.unwrap_or(Target::File(output));
    Ok(past.is_some().then_some(Place { target, folder, past }))
}

/// The output of the run beside a file that was written to last: of those that are not finished, if there are
/// any.
fn newest(file: &Path) -> Option<PathBuf> {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let (first, second) = (name(&numbered(file, 1))?, name(&numbered(file, 2))?);
    // What stands before and after the number.
    let (begin, end) = second.split_at(second.rfind(".2")?);
    let number = |found: &str| match found.strip_suffix(".lopper")? {
        output if output == first => Some(1),
        output => output.strip_prefix(begin)?.strip_prefix('.')?.strip_suffix(&end[2..])?.parse().ok(),
    };
    let entries = fs::read_dir(folder_of(file)).ok()?.flatten();
    let outputs =
        entries.filter_map(|entry| number(entry.file_name().to_str()?).map(|n| (n, numbered(file, n))));
    let runs = outputs.filter(|(_, output)| RunFolder::is_at(&held_by(output)));
    let rank = |(n, output): &(usize, PathBuf)| {
        let folder = held_by(output);
        // What is wrong with a damaged journal is said when it is opened.
        let finished = RunFolder::look(&folder).is_ok_and(|past| past.is_none_or(|past| past.finished));
        (!finished, RunFolder::written(&folder).unwrap_or(SystemTime::UNIX_EPOCH), *n)
    };
    runs.max_by_key(rank).map(|(_, output)| output)
}

/// A place for a new run. A result of an earlier run is never overwritten unless it is named, and a
/// run that can be resumed is never thrown away. Where the result goes into a stream, the run folder lies where
/// it would lie if none was named.
///
/// # Errors
/// If the folder cannot be made, is in use, or holds a run that is not finished.
pub(super) fn new(arguments: &Arguments, file: &Path) -> Result<Place, UserError> {
    let target = named(arguments, file);
    if let Some(Target::File(output)) = &target {
        let (folder, past) = RunFolder::open(held_by(output))?;
        if past.is_some_and(|past| !past.finished) {
            let shown = folder.path().display();
            return Err(UserError::usage(format!("the run in '{shown}' is not finished"))
                .help("--resume continues it")
                .help("remove the folder to start again"));
        }
        return Ok(Place { target: Target::File(output.clone()), folder, past: None });
    }
    let mut n = 1;
    loop {
        let output = numbered(file, n);
        let folder = held_by(&output);
        if is_taken(&output) {
            // A run that was killed when it removed its folder may have left it empty.
            let _ = fs::remove_dir(folder);
        } else if let Some(folder) = RunFolder::claim(folder)? {
            // Whoever has the folder has the name, also where two runs look for one at once.
            if !is_taken(&output) {
                return Ok(Place { target: target.unwrap_or(Target::File(output)), folder, past: None });
            }
            folder.remove();
        }
        n += 1;
    }
}

/// What the command line names as the place of the result, if it does.
pub(super) fn named(arguments: &Arguments, file: &Path) -> Option<Target> {
    // Behind a link it is the file that is replaced, not the link.
    let in_place = || Target::File(file.canonicalize().unwrap_or_else(|_| file.to_owned()));
    let output = arguments.output.as_ref().map(|output| Target::of(output));
    output.or_else(|| arguments.in_place.then(in_place))
}

fn numbered(file: &Path, n: usize) -> PathBuf {
    numbered_path(file, "reduced", n)
}

/// Where `--in-place` keeps the original.
pub(super) fn backup(file: &Path) -> PathBuf {
    let mut backup = file.as_os_str().to_owned();
    backup.push(".orig");
    backup.into()
}

/// Saves the original that `--in-place` replaces. A backup that is there is never replaced, and has to be
/// the same.
pub(super) fn back_up(
    file: &Path,
    original: &[u8],
    like: &Metadata,
    folder: &RunFolder,
) -> Result<(), UserError> {
    let backup = backup(file);
    let shown = backup.display();
    let is_file = fs::symlink_metadata(&backup).is_ok_and(|metadata| metadata.is_file());
    if is_file && fs::read(&backup).is_ok_and(|old| old == original) {
        return Ok(());
    }
    let created = match is_taken(&backup) {
        true => Err(std::io::ErrorKind::AlreadyExists.into()),
        false => files::create(folder.path(), &backup, original, Some(Likeness::from(like))),
    };
    created.map_err(|e| match e.kind() {
        std::io::ErrorKind::AlreadyExists => {
            UserError::usage(format!("the backup '{shown}' already exists, and differs from the file"))
                .help("move it away, or choose a path for the result with --output")
        }
        _ => UserError::usage(format!("the backup '{shown}' cannot be written")).fact(e.to_string()),
    })
}
