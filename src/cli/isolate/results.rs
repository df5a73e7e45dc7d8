//! The places where `lopper isolate` writes: a passing and a failing result for each input, under unused
//! names.

use super::inputs::Input;
use crate::error::UserError;
use crate::files;
use crate::output::{Output, numbered_path};
use crate::platform;
use lopper_engine::isolate::inputs::Made;
use lopper_engine::isolate::{Changes, Goal};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The words in the names of the two results, in order.
const WORDS: [&str; 2] = ["passing", "failing"];

/// For each input, the places of the wanted results. The places are taken with the first result, in one step,
/// so that nothing is overwritten and two simultaneous runs never share a place.
pub(super) struct Places<'a> {
    input: &'a Input,
    wanted: [bool; 2],
    /// The paths from which the names of the results are made.
    models: Vec<PathBuf>,
    taken: Vec<[Option<PathBuf>; 2]>,
}

impl<'a> Places<'a> {
    /// Places in a folder, which is created, or beside the inputs, whose paths end in names.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub(super) fn new(folder: Option<&Path>, goal: Goal, input: &'a Input) -> Result<Self, UserError> {
        if let Some(folder) = folder {
            make(folder)?;
        }
        let model = |path: &PathBuf| match (folder, path.file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => path.clone(),
        };
        let models: Vec<PathBuf> = input.paths.iter().map(model).collect();
        // Removes temporary files of killed runs. The names that they were meant for are unknown.
        models.iter().for_each(|path| files::sweep(&files::folder_of(path), None));
        let wanted = [goal.maximises(), goal.minimises()];
        Ok(Self { input, wanted, taken: vec![[None, None]; models.len()], models })
    }

    /// The paths of an input's passing and failing results, if they were written.
    pub(super) fn of(&self, input: usize) -> &[Option<PathBuf>; 2] {
        &self.taken[input]
    }

    /// Writes the wanted ones of the best passing and failing inputs.
    ///
    /// # Errors
    /// If one cannot be written.
    pub(super) fn save(&mut self, best: &[Made; 2]) -> Result<(), UserError> {
        (0..self.models.len()).try_for_each(|i| self.save_input(i, best))
    }

    fn save_input(&mut self, i: usize, best: &[Made; 2]) -> Result<(), UserError> {
        let changes = &self.input.changes[i];
        if self.taken[i] == [None, None] {
            self.taken[i] = take(&self.models[i], self.wanted, changes.is_folder())?;
        }
        for (place, made) in self.taken[i].iter().zip(best) {
            if let Some(place) = place {
                save(place, &self.input.arguments[i], changes, &made[i])?;
            }
        }
        Ok(())
    }

    /// Makes sure that the best inputs are on the disk. If they cannot be written to their places, they get
    /// new names, beside the inputs, in the current folder, or in the temporary folder.
    ///
    /// # Errors
    /// If a result is not at its place. The error names its path, and so does [`Places::of`], if it was
    /// written at all.
    pub(super) fn settle(&mut self, best: &[Made; 2]) -> Result<(), UserError> {
        let mut moved: Option<UserError> = None;
        for i in 0..self.models.len() {
            let Err(error) = self.save_input(i, best) else { continue };
            let failed = moved.unwrap_or(UserError { help: Vec::new(), ..error });
            moved = Some(self.save_elsewhere(i, best, failed));
        }
        moved.map_or(Ok(()), Err)
    }

    fn save_elsewhere(&mut self, i: usize, best: &[Made; 2], mut failed: UserError) -> UserError {
        let input = &self.input.paths[i];
        for folder in [files::folder_of(input), ".".into(), std::env::temp_dir()] {
            let folder = std::path::absolute(&folder).unwrap_or(folder);
            self.models[i] = folder.join(input.file_name().unwrap_or_default());
            self.taken[i] = [None, None];
            match self.save_input(i, best) {
                Ok(()) => {
                    let places = self.taken[i].iter().flatten();
                    return places
                        .fold(failed, |e, place| e.fact(format!("a result is in '{}'", place.display())));
                }
                Err(e) => {
                    failed = failed.fact(format!("nor to '{}': {}", folder.display(), e.facts.join(", ")))
                }
            }
        }
        self.taken[i] = [None, None];
        failed
    }
}

/// Takes the first unused places beside a path, both with the same number.
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
        // The places were created empty a moment ago, so they hold no user's work.
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
        // Fails if the file was never written.
        let _ = fs::remove_file(path(&file.path));
    }
    for file in files {
        let path = path(&file.path);
        path.parent().filter(|_| changes.is_folder()).map_or(Ok(()), make)?;
        Output::new(path.clone()).replace(&file.content)?;
        if let Some(mode) = file.mode {
            let set = platform::set_mode(&path, mode);
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
