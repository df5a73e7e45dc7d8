//! Where `lopper isolate` writes: for each input what passes and what fails, in places that nothing had before.

use crate::error::UserError;
use crate::files;
use crate::isolate::{Changes, Goal};
use crate::output::{Output, numbered_path};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What stands in the names of the two results, in their order.
const WORDS: [&str; 2] = ["passing", "failing"];

/// For each input the places of what passes and what fails, as far as they are wanted. A place is taken with the
/// first result, in one step, so that nothing is overwritten and two runs at once never have the same.
pub(super) struct Places {
    wanted: [bool; 2],
    /// The paths that the names of the results are made of.
    inputs: Vec<PathBuf>,
    taken: Vec<[Option<PathBuf>; 2]>,
}

impl Places {
    /// Places in a folder, which is made, or beside the inputs, whose paths end in names.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub(super) fn new(folder: Option<&Path>, goal: Goal, inputs: &[PathBuf]) -> Result<Self, UserError> {
        if let Some(folder) = folder {
            make(folder)?;
        }
        let path = |path: &PathBuf| match (folder, path.file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => path.clone(),
        };
        let inputs: Vec<PathBuf> = inputs.iter().map(path).collect();
        // What a killed run was about to rename; under which name, only it knew.
        inputs.iter().for_each(|path| files::sweep(&files::folder_of(path), None));
        Ok(Self {
            wanted: [goal.maximises(), goal.minimises()],
            taken: vec![[None, None]; inputs.len()],
            inputs,
        })
    }

    /// Where what passes and what fails of an input was written.
    pub(super) fn of(&self, input: usize) -> &[Option<PathBuf>; 2] {
        &self.taken[input]
    }

    /// Writes what passes and what fails, as far as it is wanted, of inputs at these paths in a candidate.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn save(
        &mut self,
        arguments: &[Arc<Path>],
        changes: &[Changes],
        passing: &[Vec<usize>],
        failing: &[Vec<usize>],
    ) -> Result<(), UserError> {
        for (i, changes) in changes.iter().enumerate() {
            if self.taken[i] == [None, None] {
                self.taken[i] = take(&self.inputs[i], self.wanted, changes.is_folder())?;
            }
            for (place, made) in self.taken[i].iter().zip([&passing[i], &failing[i]]) {
                if let Some(place) = place {
                    save(place, &arguments[i], changes, made)?;
                }
            }
        }
        Ok(())
    }
}

/// Takes the first places beside a path that nothing has yet, with the same number.
fn take(input: &Path, wanted: [bool; 2], folder: bool) -> Result<[Option<PathBuf>; 2], UserError> {
    let create = |path: &Path| if folder { fs::create_dir(path) } else { File::create_new(path).map(drop) };
    let give_back = |path: &Path| if folder { fs::remove_dir(path) } else { fs::remove_file(path) };
    let mut number = 1;
    loop {
        let mut places = [None, None];
        let mut taken = true;
        for side in (0..2).filter(|&side| wanted[side]) {
            let place = numbered_path(input, WORDS[side], number);
            match create(&place) {
                Ok(()) => places[side] = Some(place),
                Err(e) if e.kind() == ErrorKind::AlreadyExists => taken = false,
                Err(e) => return Err(unwritable(&place, &e)),
            }
        }
        if taken {
            return Ok(places);
        }
        // What was empty a moment ago is nobody's.
        places.iter().flatten().for_each(|place| drop(give_back(place)));
        number += 1;
    }
}

/// Writes an input with some changes to a place: a file, or a folder of files.
fn save(place: &Path, argument: &Path, changes: &Changes, made: &[usize]) -> Result<(), UserError> {
    let all: Vec<usize> = (0..changes.count()).collect();
    let files = changes.files(made).unwrap_or_default();
    let path = |file: &Path| match file.strip_prefix(argument) {
        Ok(inside) if inside != Path::new("") => place.join(inside),
        _ => place.to_owned(),
    };
    let stale = [changes.files(&all), changes.files(&[])].into_iter().flatten().flatten();
    for file in stale.filter(|file| files.iter().all(|other| other.path != file.path)) {
        // What was never written need not go.
        let _ = fs::remove_file(path(&file.path));
    }
    for file in files {
        let path = path(&file.path);
        path.parent().filter(|_| changes.is_folder()).map_or(Ok(()), make)?;
        Output::new(path.clone()).replace(&file.content)?;
        if let Some(mode) = file.mode {
            let set = fs::set_permissions(&path, fs::Permissions::from_mode(mode));
            set.map_err(|e| unwritable(&path, &e))?;
        }
    }
    Ok(())
}

fn make(folder: &Path) -> Result<(), UserError> {
    fs::create_dir_all(folder).map_err(|e| {
        UserError::usage(format!("the folder '{}' cannot be created", folder.display())).fact(e.to_string())
    })
}

fn unwritable(place: &Path, e: &io::Error) -> UserError {
    UserError::usage(format!("the result cannot be written to '{}'", place.display()))
        .fact(e.to_string())
        .help("choose another path with --output")
}
