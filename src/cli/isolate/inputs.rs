//! The inputs of `lopper isolate`: files or a folder, and the changes between passing and failing ones.

use super::Arguments;
use crate::cli::given::{distinct_names, read, unreadable, with_name};
use crate::entries::{self, Selection};
use crate::error::UserError;
use crate::oracle::Contents;
use crate::platform::{self, FileKind};
use lopper_engine::isolate::inputs::Variant;
use lopper_engine::isolate::{By, Changes, Goal};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The failing inputs, as changes from the passing ones.
#[derive(Debug)]
pub(super) struct Input {
    by: By,
    /// Whether passing inputs are given: then the differences are divided into parts, and otherwise the
    /// failing inputs.
    pub(super) from_passing: bool,
    /// The paths as the user named them.
    pub(super) paths: Vec<PathBuf>,
    /// The paths for the test, relative to its folder.
    pub(super) arguments: Vec<Arc<Path>>,
    pub(super) changes: Vec<Changes>,
}

/// Reads the inputs and computes the changes between them.
pub(super) fn input(arguments: &Arguments, paths: Vec<PathBuf>) -> Result<Input, UserError> {
    if !arguments.passing.is_empty() && arguments.passing.len() != paths.len() {
        return Err(UserError::usage("there must be as many passing inputs as failing ones").fact(format!(
            "--passing names {}, but {} should fail",
            arguments.passing.len(),
            paths.len()
        )));
    }
    let paths = paths.into_iter().map(with_name).collect::<Result<Vec<_>, _>>()?;
    if arguments.search == Variant::Ddmin && (arguments.mode != Goal::Min || paths.len() > 1) {
        return Err(UserError::usage("--search ddmin requires --mode min and a single file")
            .help("lopper isolate --search ddmin --mode min TEST FILE"));
    }
    if arguments.by == Some(By::Hunks) && arguments.passing.is_empty() {
        return Err(UserError::usage(
            "--by hunks requires a passing input: hunks are differences between two files",
        )
        .help("name one with --passing, or use --by lines"));
    }
    let names = distinct_names(&paths)?;
    let at: Vec<Arc<Path>> = names.iter().map(|name| Path::new(name).into()).collect();
    let folders = paths.iter().filter(|path| path.is_dir()).count();
    let by = arguments.by.unwrap_or(if folders > 0 { By::Files } else { By::Lines });
    if (by == By::Files) != (folders == paths.len()) || by == By::Files && paths.len() > 1 {
        return Err(UserError::usage("--by files requires one folder, and every other --by requires files")
            .help("lopper isolate --by files TEST FOLDER"));
    }
    let changes = |(i, path): (usize, &PathBuf)| {
        let passing = arguments.passing.get(i);
        if by == By::Files {
            let old = passing.map_or_else(|| Ok(Contents::new()), |folder| files_in(folder, &at[i]))?;
            return Ok(Changes::of_folder(&old, &files_in(path, &at[i])?));
        }
        let old = passing.map_or_else(|| Ok(Vec::new()), |file| read(file))?;
        let text = read(path)?;
        let language = arguments.language.language(&names[i], &text)?;
        Ok(Changes::of_text(by, &at[i], language, &old, &text).with_mode(mode(path)?))
    };
    let changes = paths.iter().enumerate().map(changes).collect::<Result<Vec<_>, UserError>>()?;
    let input = Input { by, from_passing: !arguments.passing.is_empty(), paths, arguments: at, changes };
    input.refuse_inputs_without_parts()?;
    Ok(input)
}

/// The permissions of a file.
fn mode(path: &Path) -> Result<u32, UserError> {
    let metadata = fs::metadata(path).map_err(|e| unreadable(path, &e))?;
    Ok(platform::mode(&metadata) & 0o777)
}

/// All files below a folder, sorted, with paths below a folder of this name. Links are left out.
fn files_in(folder: &Path, name: &Path) -> Result<Contents, UserError> {
    let mut found = entries::read(folder, name, &Selection::usual()?)?.contents;
    found.retain(|file| entries::kind(file) == FileKind::File);
    found.iter_mut().for_each(|file| file.mode = file.mode.map(|mode| mode & 0o777));
    Ok(found)
}

impl Input {
    /// Whether the failing inputs equal the passing ones, which are empty by default.
    pub(super) fn is_passing_one(&self) -> bool {
        self.changes.iter().all(|changes| {
            changes.count() == 0
                && (self.from_passing
                    || changes.files(&[]).is_some_and(|f| f.iter().all(|f| f.content.is_empty())))
        })
    }

    /// Refuses inputs without any part of the requested kind.
    fn refuse_inputs_without_parts(&self) -> Result<(), UserError> {
        if self.is_passing_one() || self.changes.iter().any(|changes| changes.count() > 0) {
            return Ok(());
        }
        let shown: Vec<String> = self.paths.iter().map(|path| format!("'{}'", path.display())).collect();
        Err(UserError::usage(format!("there are no {}s in {}", self.by.noun(), shown.join(", ")))
            .help("--by lines and --by characters take any text apart"))
    }

    /// The noun for the parts into which the inputs are divided.
    pub(super) fn noun(&self) -> &'static str {
        if self.from_passing && self.by != By::Hunks { "change" } else { self.by.noun() }
    }
}
