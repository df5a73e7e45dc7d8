//! Where a run writes: the output and the run folder beside it, new or from an earlier run.

use super::reduce::Arguments;
use crate::error::UserError;
use crate::journal::{Past, RunFolder, held_by};
use crate::output::numbered_path;
use std::fs;
use std::path::{Path, PathBuf};

/// The output and its run folder.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) output: PathBuf,
    pub(super) folder: RunFolder,
    /// What the folder's journal tells; `None` in a new one.
    pub(super) past: Option<Past>,
}

/// The run that `--resume` goes on with; `None` where there is none.
///
/// # Errors
/// If its folder is in use or damaged.
pub(super) fn earlier(arguments: &Arguments, file: &Path) -> Result<Option<Place>, UserError> {
    let outputs = match named(arguments, file) {
        Some(output) => vec![output],
        None => (1..).map(|n| numbered(file, n)).take_while(|p| p.exists() || held_by(p).exists()).collect(),
    };
    let newest = outputs.into_iter().rev().find(|output| RunFolder::is_at(&held_by(output)));
    let Some(output) = newest.filter(|_| arguments.resume) else { return Ok(None) };
    let (folder, past) = RunFolder::open(held_by(&output))?;
    Ok(past.is_some().then_some(Place { output, folder, past }))
}

/// A place for a new run. A result of an earlier run is never overwritten unless it is named, and a
/// run that can be resumed is never thrown away.
///
/// # Errors
/// If the folder cannot be made, is in use, or holds a run that is not finished.
pub(super) fn new(arguments: &Arguments, file: &Path) -> Result<Place, UserError> {
    if let Some(output) = named(arguments, file) {
        let (folder, past) = RunFolder::open(held_by(&output))?;
        if past.is_some_and(|past| !past.finished) {
            let shown = folder.path().display();
            return Err(UserError::usage(format!("there is a run in '{shown}' that is not finished"))
                .help("--resume goes on with it")
                .help("remove the folder to start afresh"));
        }
        return Ok(Place { output, folder, past: None });
    }
    let mut n = 1;
    loop {
        let output = numbered(file, n);
        // Whoever makes the folder has the name, also where two runs look for one at once.
        match fs::create_dir(held_by(&output)) {
            Ok(()) if output.exists() => drop(fs::remove_dir(held_by(&output))),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            // Opening says what is wrong, if it goes wrong again.
            Ok(()) | Err(_) => {
                let (folder, _) = RunFolder::open(held_by(&output))?;
                return Ok(Place { output, folder, past: None });
            }
        }
        n += 1;
    }
}

/// The output that the command line names, if it does.
fn named(arguments: &Arguments, file: &Path) -> Option<PathBuf> {
    // Behind a link it is the file that is replaced, not the link.
    let in_place = || file.canonicalize().unwrap_or_else(|_| file.to_owned());
    arguments.output.clone().or_else(|| arguments.in_place.then(in_place))
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
