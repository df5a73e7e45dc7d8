//! The place of a run: the output and the run folder beside it, new or from an earlier run.

use super::arguments::Arguments;
use crate::cli::given::unreadable;
use crate::cli::input::Input;
use crate::error::UserError;
use crate::files::{self, folder_of, is_taken};
use crate::journal::{Form, Key, Past, RunFolder, held_by};
use crate::oracle::Contents;
use crate::oracle::contents::key;
use crate::output::{Target, backup_in, found_in_place, placed_in, write_like};
use crate::platform::{self, Likeness};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// The output and its run folder.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) target: Target,
    pub(super) folder: RunFolder,
    /// The content of the folder's journal; `None` in a new folder.
    pub(super) past: Option<Past>,
}

impl Place {
    /// The last program in the journal, from the run folder or from the output, where a formatter may have laid it out.
    pub(super) fn last_program(&self, input: &Input) -> Option<Contents> {
        let past = self.past.as_ref()?;
        let last = past.commits.last()?;
        let output = match &self.target {
            Target::File(output) => input.saved(output),
            Target::Stream(_) => None,
        };
        let best = self.folder.best().ok().map(|text| vec![input.original[0].with(text)]);
        let placed = self.placed(input);
        let is_last = |key: Key| key == last.key || past.formatted == Some(key);
        best.into_iter().chain(output).chain(placed).find(|program| is_last(Key(key(program))))
    }

    /// The program whose files have taken the places of the user's, if they have.
    fn placed(&self, input: &Input) -> Option<Contents> {
        if input.form == Form::File { None } else { input.saved(&placed_in(self.folder.path())) }
    }

    /// The user's files as the earlier run has left them: the original, the program that took its place, or parts of two
    /// programs, if the run was killed while one took the place of the other.
    ///
    /// # Errors
    /// If somebody has changed a file since.
    pub(super) fn found_in_place(&self, input: &Input) -> Result<Contents, UserError> {
        let is_own =
            |program: &Contents| self.past.as_ref().is_some_and(|past| past.written.contains(&key(program)));
        let before = self.placed(input).filter(is_own).unwrap_or_else(|| input.original.clone());
        let after = match &self.target {
            Target::File(output) => input.saved(output).filter(is_own),
            Target::Stream(_) => None,
        };
        let programs: Vec<&Contents> = std::iter::once(&before).chain(&after).collect();
        let found = found_in_place(&programs, |path| input.place(path));
        found
            .and_then(|found| found_in_place(&[&input.fixed], |path| input.place(path)).map(|_| found))
            .map_err(|at| {
                UserError::usage(format!("'{}' was changed after the run wrote it", at.display()))
                    .fact("continuing would overwrite those changes")
                    .help("save it elsewhere, and restore the original from what ends in .orig")
            })
    }
}

/// The run that `--resume` continues; `None` if there is none.
///
/// # Errors
/// If its folder is in use, belongs to another user, or is damaged.
pub(super) fn earlier(arguments: &Arguments, file: &Path, form: Form) -> Result<Option<Place>, UserError> {
    if !arguments.resume {
        return Ok(None);
    }
    let Some((target, output)) = of_earlier(arguments, file, form) else { return Ok(None) };
    let (folder, past) = RunFolder::open(held_by(&output))?;
    let target = target.unwrap_or(Target::File(output));
    Ok(past.is_some().then_some(Place { target, folder, past }))
}

/// The place that the command line names for the result, and the output beside which there is a run folder.
pub(super) fn of_earlier(
    arguments: &Arguments,
    file: &Path,
    form: Form,
) -> Option<(Option<Target>, PathBuf)> {
    let target = named(arguments, file, form);
    let output = match &target {
        Some(Target::File(output)) => Some(output.clone()),
        _ => newest(file, form),
    };
    let output = output.filter(|output| RunFolder::is_at(&held_by(output)))?;
    Some((target, output))
}

/// The output of the last run on what is at a path, if it went to its default place.
pub(in crate::cli) fn last_output(input: &Path) -> Option<PathBuf> {
    let (file, form) = Form::named(&[input.to_owned()]).ok()?;
    newest(&file, form)
}

/// The output of the last run beside a file, by the time of the last write; unfinished runs come first.
fn newest(file: &Path, form: Form) -> Option<PathBuf> {
    let numbered = |n| form.numbered(file, n);
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let (first, second) = (name(&numbered(1))?, name(&numbered(2))?);
    // The parts before and after the number.
    let (begin, end) = second.split_at(second.rfind(".2")?);
    let number = |found: &str| match found.strip_suffix(".lopper")? {
        output if output == first => Some(1),
        output => output.strip_prefix(begin)?.strip_prefix('.')?.strip_suffix(&end[2..])?.parse().ok(),
    };
    let entries = fs::read_dir(folder_of(file)).ok()?.flatten();
    let outputs = entries.filter_map(|entry| number(entry.file_name().to_str()?).map(|n| (n, numbered(n))));
    let runs = outputs.filter(|(_, output)| RunFolder::is_at(&held_by(output)));
    let rank = |(n, output): &(usize, PathBuf)| {
        let folder = held_by(output);
        // A damaged journal is reported when it is opened.
        let finished = RunFolder::look(&folder).is_ok_and(|past| past.is_none_or(|past| past.finished));
        (!finished, RunFolder::written(&folder).unwrap_or(SystemTime::UNIX_EPOCH), *n)
    };
    runs.max_by_key(rank).map(|(_, output)| output)
}

/// A place for a new run. The result of an earlier run is overwritten only if the user names it, and a run
/// that can be resumed is never thrown away. If the result goes to a stream, the run folder has its default
/// place.
///
/// # Errors
/// If the folder cannot be created, is in use, or holds an unfinished run.
pub(super) fn new(arguments: &Arguments, file: &Path, form: Form) -> Result<Place, UserError> {
    let target = named(arguments, file, form);
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
        let output = form.numbered(file, n);
        let folder = held_by(&output);
        if is_taken(&output) {
            // A run that was killed while it removed its folder may have left it empty.
            let _ = fs::remove_dir(folder);
        } else if let Some(folder) = RunFolder::claim(folder)? {
            // The folder reserves the name, even if two runs look for one at the same time.
            if !is_taken(&output) {
                return Ok(Place { target: target.unwrap_or(Target::File(output)), folder, past: None });
            }
            folder.remove();
        }
        n += 1;
    }
}

/// The place of the result, if the command line names one.
fn named(arguments: &Arguments, file: &Path, form: Form) -> Option<Target> {
    // The target of a link is replaced, not the link.
    let in_place = || Target::File(file.canonicalize().unwrap_or_else(|_| file.to_owned()));
    let output = arguments.output.as_ref().map(|output| Target::of(output));
    output.or_else(|| arguments.replaces_file(form).then(in_place))
}

/// Where the original of an earlier run is, a file or a folder: in its backup, if the run has replaced the file itself.
pub(super) fn original(arguments: &Arguments, file: &Path) -> PathBuf {
    let backup = backup(file);
    if arguments.in_place && backup.exists() { backup } else { file.to_owned() }
}

/// The path of the original's backup for `--in-place`.
pub(super) fn backup(file: &Path) -> PathBuf {
    let mut backup = file.as_os_str().to_owned();
    backup.push(".orig");
    backup.into()
}

/// Saves the original that `--in-place` replaces. An existing backup is never replaced, and must equal the
/// original.
///
/// # Errors
/// If there is another backup, or none can be written.
pub(super) fn back_up(input: &Input, folder: &RunFolder) -> Result<(), UserError> {
    match input.form {
        Form::Folder => back_up_folder(input, folder),
        _ => input.original.iter().try_for_each(|file| back_up_file(&input.place(&file.path), file, folder)),
    }
}

fn back_up_file(file: &Path, original: &[u8], folder: &RunFolder) -> Result<(), UserError> {
    let backup = backup(file);
    let is_file = fs::symlink_metadata(&backup).is_ok_and(|metadata| metadata.is_file());
    if is_file && fs::read(&backup).is_ok_and(|old| old == original) {
        return Ok(());
    }
    let like = fs::metadata(file).map_err(|e| unreadable(file, &e))?;
    let created = match is_taken(&backup) {
        true => Err(ErrorKind::AlreadyExists.into()),
        false => files::create(folder.path(), &backup, original, Some(Likeness::from(&like))),
    };
    created.map_err(|e| no_backup(&backup, &e))
}

fn back_up_folder(input: &Input, folder: &RunFolder) -> Result<(), UserError> {
    let backup = backup(&input.path);
    if input.saved(&backup).is_some_and(|saved| saved == input.original) {
        return Ok(());
    }
    let new = backup_in(folder.path());
    let all = [&input.original[..], &input.fixed].concat();
    let create = || {
        let modes = Arc::clone(&input.folders);
        write_like(&new, input.prefix(), &all, modes)?;
        platform::rename_new(&new, &backup)?;
        // A folder is renamed only by somebody who may write to it.
        let mode = input.folders.get(input.prefix()).map_or(0o755, |mode| mode & 0o777);
        platform::set_mode(&backup, mode)?;
        platform::sync_folder(&folder_of(&backup))
    };
    let created = if is_taken(&backup) { Err(ErrorKind::AlreadyExists.into()) } else { create() };
    created.map_err(|e| no_backup(&backup, &e))
}

fn no_backup(backup: &Path, error: &io::Error) -> UserError {
    let shown = backup.display();
    match error.kind() {
        ErrorKind::AlreadyExists => {
            UserError::usage(format!("the backup '{shown}' already exists, and differs from the original"))
                .help("--resume continues the run that made it, if that was stopped")
                .help("or move it away, or choose a path for the result with --output")
        }
        _ => UserError::usage(format!("the backup '{shown}' cannot be written")).fact(error.to_string()),
    }
}
