//! The input of a reduction or a check: a file, several files, or a folder.

use super::given::{self, file_name, with_name};
use super::language::Choice;
use crate::entries::{self, Entries, Selection};
use crate::error::UserError;
use crate::files::folder_of;
use crate::journal::Form;
use crate::oracle::contents::key;
use crate::oracle::ground::Ground;
use crate::oracle::{Contents, NamedFile};
use crate::output::{numbered_folder, numbered_path};
use lopper_languages::Parsed;
use lopper_languages::measure::Measure;
use lopper_passes::Base;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The number of entries that are named.
const SHOWN: usize = 5;

/// The input; see the module.
#[derive(Debug)]
pub(super) struct Input {
    /// The first path as the user named it, or the candidate that is followed.
    pub(super) path: PathBuf,
    pub(super) form: Form,
    /// What may change, sorted by path unless it is a single file.
    pub(super) original: Contents,
    /// What is beside every candidate, and stays.
    pub(super) fixed: Contents,
    /// The paths that the test gets, relative to its folder.
    pub(super) arguments: Vec<Arc<Path>>,
    /// The permissions of the folders, by their paths for the test.
    pub(super) folders: Arc<BTreeMap<PathBuf, u32>>,
    /// Where each of several files is, and the folder in which a new one would be.
    pub(super) places: BTreeMap<PathBuf, PathBuf>,
    root: PathBuf,
    /// What was left out of a folder.
    pub(super) ignored: Vec<PathBuf>,
}

impl Form {
    /// The path that stands for the input, and the form of what these paths name.
    ///
    /// # Errors
    /// If a folder has no name.
    pub(super) fn named(paths: &[PathBuf]) -> Result<(PathBuf, Self), UserError> {
        match paths {
            // Without a slash at the end: what belongs to a folder lies beside it.
            [path] if path.is_dir() => Ok((with_name(path.components().collect())?, Self::Folder)),
            [path] => Ok((path.clone(), Self::File)),
            [path, ..] => Ok((path.clone(), Self::Files)),
            [] => Err(UserError::usage("there is no file")),
        }
    }

    /// The n-th path for a result beside what `file` names.
    pub(super) fn numbered(self, file: &Path, n: usize) -> PathBuf {
        match self {
            Self::File => numbered_path(file, "reduced", n),
            Self::Files => numbered_folder(&file.with_extension(""), n),
            Self::Folder => numbered_folder(file, n),
        }
    }
}

impl Input {
    /// Reads what the user named: these files, or what is at `path`. `source` tells where the content of a path is.
    ///
    /// # Errors
    /// If something cannot be read, or nothing may change.
    pub(super) fn read(
        selection: &Selection,
        form: Form,
        paths: &[PathBuf],
        path: &Path,
        source: impl Fn(&Path) -> PathBuf,
    ) -> Result<Self, UserError> {
        let input = match form {
            Form::File => Self::file(path, &source(path))?,
            Form::Files => Self::files(paths, source, selection)?,
            Form::Folder => Self::folder(path, &source(path), selection)?,
        };
        if input.original.is_empty() {
            return Err(UserError::usage(format!(
                "there is nothing to reduce in '{}'",
                input.path.display()
            ))
            .fact("no file may change")
            .help("see --only, --keep and --ignore"));
        }
        Ok(input)
    }

    fn file(path: &Path, source: &Path) -> Result<Self, UserError> {
        let name = file_name(path)?;
        let file = NamedFile::new(&name, given::read(source)?);
        Ok(Self {
            path: path.to_owned(),
            form: Form::File,
            arguments: vec![Arc::clone(&file.path)],
            original: vec![file],
            fixed: Contents::new(),
            folders: Arc::default(),
            places: BTreeMap::new(),
            root: PathBuf::new(),
            ignored: Vec::new(),
        })
    }

    fn files(
        paths: &[PathBuf],
        source: impl Fn(&Path) -> PathBuf,
        selection: &Selection,
    ) -> Result<Self, UserError> {
        let (root, names) = names(paths)?;
        let mut contents = Contents::new();
        for (path, name) in paths.iter().map(|path| source(path)).zip(&names) {
            // A link on the command line stands for its file.
            let file = path.canonicalize().unwrap_or(path);
            contents.push(entries::one(&file, name)?);
        }
        let arguments = contents.iter().map(|file| Arc::clone(&file.path)).collect();
        contents.sort_by(|one, other| one.path.cmp(&other.path));
        let (original, fixed) = contents.into_iter().partition(|file| selection.may_change(&file.path));
        let path = paths[0].clone();
        let (form, folders, ignored) = (Form::Files, Arc::default(), Vec::new());
        let places = names.into_iter().zip(paths.iter().cloned()).collect();
        Ok(Self { path, form, original, fixed, arguments, folders, places, root, ignored })
    }

    fn folder(path: &Path, source: &Path, selection: &Selection) -> Result<Self, UserError> {
        let name = PathBuf::from(path.file_name().unwrap_or_default());
        let Entries { contents, fixed, folders, ignored } = entries::read(source, &name, selection)?;
        Ok(Self {
            path: path.to_owned(),
            form: Form::Folder,
            original: contents,
            fixed,
            arguments: vec![name.into()],
            folders: Arc::new(folders),
            places: BTreeMap::new(),
            root: PathBuf::new(),
            ignored,
        })
    }

    /// The name under which journals and messages know the input.
    pub(super) fn name(&self) -> String {
        match self.form {
            Form::File | Form::Folder => self.arguments[0].to_string_lossy().into_owned(),
            Form::Files => {
                let names = self.arguments.iter().map(|path| path.to_string_lossy());
                names.collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// A sentence on what the test does not find in its copy of the folder, if anything.
    pub(super) fn left_out(&self) -> Option<String> {
        let shown = self.ignored.iter().take(SHOWN).map(|path| path.display().to_string());
        let shown = shown.collect::<Vec<_>>().join(", ");
        let more = self.ignored.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!self.ignored.is_empty()).then(|| format!("its copy of the folder is without {shown}{more}"))
    }

    /// Whether one of its entries, by the path below the folder, is such a one.
    pub(super) fn has(&self, is_such: impl Fn(&Path) -> bool) -> bool {
        let files = self.original.iter().chain(&self.fixed).map(|file| &*file.path);
        let all = files.chain(self.folders.keys().map(PathBuf::as_path));
        let mut below = all.filter_map(|path| path.strip_prefix(self.prefix()).ok());
        below.any(&is_such) || self.ignored.iter().any(|path| is_such(path))
    }

    /// What the paths of all files begin with, and what the paths in the result do without.
    pub(super) fn prefix(&self) -> &Path {
        if self.form == Form::Folder { &self.arguments[0] } else { Path::new("") }
    }

    /// Where a file or a folder of the input is.
    pub(super) fn place(&self, path: &Path) -> PathBuf {
        match self.form {
            Form::File => self.path.clone(),
            Form::Files => self.places.get(path).cloned().unwrap_or_else(|| self.root.join(path)),
            Form::Folder => self.path.join(path.strip_prefix(self.prefix()).unwrap_or(path)),
        }
    }

    /// The program that a result holds, without what stays; `None` if it cannot be read.
    pub(super) fn saved(&self, output: &Path) -> Option<Contents> {
        if self.form == Form::File {
            return Some(vec![self.original[0].with(fs::read(output).ok()?)]);
        }
        let mut contents = entries::read(output, self.prefix(), &Selection::default()).ok()?.contents;
        contents.retain(|file| self.fixed.iter().all(|fixed| fixed.path != file.path));
        Some(contents)
    }

    /// Identifies the input, with all that stays.
    pub(super) fn key(&self) -> u128 {
        if self.fixed.is_empty() {
            key(&self.original)
        } else {
            key(&[&self.original[..], &self.fixed].concat())
        }
    }

    /// What every candidate stands on.
    pub(super) fn ground(&self) -> Ground {
        match self.form {
            Form::File => Ground::modes_of([(Arc::clone(&self.arguments[0]), self.path.clone())]),
            _ => Ground { files: self.fixed.clone(), ..Ground::default() },
        }
    }

    /// The original as a base, with each file in its language; and the key of the user's grammar, by its content. Call
    /// this once.
    ///
    /// # Errors
    /// If there is no such language, or the grammar cannot be used.
    pub(super) fn base(&self, choice: &Choice) -> Result<(Base, Option<u128>), UserError> {
        let parsed = |file: &NamedFile, language| {
            let parsed = Parsed::at(Arc::clone(&file.path), language, Arc::clone(&file.content));
            Arc::new(parsed.with_mode(file.mode))
        };
        if let (Form::File, [file]) = (self.form, &self.original[..]) {
            let (language, grammar) = choice.language_and_key(&file.path.to_string_lossy(), file)?;
            return Ok((Base { files: vec![parsed(file, language)] }, grammar));
        }
        let headers_are_cpp = headers_are_cpp(&self.original);
        let files = self.original.iter().map(|file| {
            let name = file.path.to_string_lossy();
            let name = if headers_are_cpp && name.ends_with(".h") { "x.hpp".into() } else { name };
            Ok(parsed(file, choice.language_of_several(&name, file)?))
        });
        Ok((Base { files: files.collect::<Result<_, UserError>>()? }, None))
    }
}

/// Whether the headers of a project are in C++: it has sources in C++, and none in C.
fn headers_are_cpp(contents: &Contents) -> bool {
    let has = |language: &str| {
        let is_source = |file: &&NamedFile| file.path.extension().is_some_and(|ending| ending != "h");
        let mut sources = contents.iter().filter(is_source);
        sources.any(|file| lopper_languages::detect(&file.path.to_string_lossy()).name() == language)
    };
    has("cpp") && !has("c")
}

/// The measure of files in their languages.
pub(super) fn measure(contents: &Contents, base: &Base) -> Measure {
    lopper_engine::contents::base_of(contents, base).measure()
}

/// The paths of files for the test: as on the command line, or below the folder that all of them are in; and the folder
/// to which they are relative.
///
/// # Errors
/// If two are the same.
fn names(paths: &[PathBuf]) -> Result<(PathBuf, Vec<PathBuf>), UserError> {
    let is_plain = |path: &PathBuf| path.components().all(|part| matches!(part, Component::Normal(_)));
    let clean: Vec<PathBuf> = paths
        .iter()
        .map(|path| path.components().filter(|part| *part != Component::CurDir).collect())
        .collect();
    let (root, names) = match clean.iter().all(is_plain) {
        true => (PathBuf::new(), clean),
        false => {
            let whole: Vec<PathBuf> = paths.iter().map(|path| whole(path)).collect();
            let common = whole
                .iter()
                .skip(1)
                .fold(whole[0].parent().map(Path::to_owned), |folder, file| common(folder, file));
            let common = common.unwrap_or_default();
            let names = whole.iter().map(|path| path.strip_prefix(&common).unwrap_or(path).to_owned());
            let names = names.collect();
            (common, names)
        }
    };
    if let Some((_, twice)) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        return Err(UserError::usage(format!("'{}' is named twice", twice.display())));
    }
    Ok((root, names))
}

/// The path of a file from the root, without links, even if a result has no such file any more.
fn whole(path: &Path) -> PathBuf {
    let beside = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(beside).unwrap_or_else(|| path.to_owned())
}

/// The deepest folder that holds both a folder and a file.
fn common(folder: Option<PathBuf>, file: &Path) -> Option<PathBuf> {
    folder?.ancestors().find(|above| file.starts_with(above)).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_keep_their_paths_or_those_below_their_common_folder() {
        let names = |paths: &[&str]| {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            let shown = |path: &PathBuf| path.display().to_string();
            names(&paths).map(|(root, names)| (shown(&root), names.iter().map(shown).collect::<Vec<_>>()))
        };
        let are = |root: &str, names: [&str; 2]| (root.to_owned(), names.map(str::to_owned).to_vec());
        assert_eq!(names(&["./src/a.c", "inc/b.h"]).unwrap(), are("", ["src/a.c", "inc/b.h"]));
        assert_eq!(names(&["/p/src/a.c", "/p/src/sub/b.h"]).unwrap(), are("/p/src", ["a.c", "sub/b.h"]));
        assert!(names(&["a.c", "./a.c"]).is_err());
    }

    #[test]
    fn headers_belong_to_the_language_of_the_sources() {
        let of =
            |names: &[&str]| headers_are_cpp(&names.iter().map(|name| NamedFile::new(name, "")).collect());
        assert!(of(&["a.h", "b.cc"]) && !of(&["a.h", "b.cc", "c.c"]) && !of(&["a.h"]));
    }
}
