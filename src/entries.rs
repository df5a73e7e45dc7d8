//! The entries of a folder: its files, symbolic links and empty folders, as the files of a candidate.

use crate::error::UserError;
use crate::oracle::{Contents, NamedFile};
use crate::platform::{self, FileKind};
use globset::{Glob, GlobSet, GlobSetBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, DirEntry, FileType};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What nobody reduces: the data of version control, and what tools write beside the sources.
const IGNORED: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    "*.lopper",
    "*.reduced",
];

/// A folder that Cargo writes; it is ignored beside this file.
const TARGET: (&str, &str) = ("target", "Cargo.toml");

/// A file that tools put into folders which they can make again, and how it begins (bford.info/cachedir).
const CACHE: (&str, &[u8]) = ("CACHEDIR.TAG", b"Signature: 8a477f597d28d172789f06886806bc55");

/// The endings of object files, which are ignored beside a source of the same name with one of the other endings: a build
/// that finds one may take it for the result of a source that has changed.
const OBJECTS: (&[&str], &[&str]) = (
    &["o", "obj", "lo", "pyc", "pyo"],
    &["c", "cc", "cpp", "cxx", "c++", "m", "mm", "s", "S", "asm", "f", "f90", "go", "rs", "py"],
);

/// The bits of a mode that are kept: the type, and the permissions without set-user-id and the like.
const KEPT: u32 = 0o170_777;

/// Chooses entries by their paths below the folder.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// What is neither copied nor touched.
    ignore: GlobSet,
    /// What may change; `None` for everything.
    only: Option<GlobSet>,
    /// What must stay.
    keep: GlobSet,
    /// Whether what a build can make again is left out, too.
    without_outputs: bool,
}

/// Reads globs as in `.gitignore`: one without a slash is for names at any depth, another one for paths.
///
/// # Errors
/// If one is invalid.
pub(crate) fn globs<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<GlobSet, UserError> {
    let mut set = GlobSetBuilder::new();
    for text in texts {
        let bare = text.trim_matches('/');
        let within = if bare.contains('/') { bare.to_owned() } else { format!("**/{bare}") };
        // A folder that matches brings along what is in it.
        for pattern in [within.clone(), format!("{within}/**")] {
            let invalid = |e: globset::Error| {
                UserError::usage(format!("the pattern '{text}' is not a glob")).fact(e.kind().to_string())
            };
            set.add(Glob::new(&pattern).map_err(invalid)?);
        }
    }
    set.build().map_err(|e| UserError::usage("the globs cannot be used").fact(e.to_string()))
}

impl Selection {
    /// A selection by globs: what is ignored besides the usual, what alone may change, and what must stay.
    ///
    /// # Errors
    /// If a glob is invalid.
    pub(crate) fn new(ignore: &[String], only: &[String], keep: &[String]) -> Result<Self, UserError> {
        let of = |texts: &[String]| globs(texts.iter().map(String::as_str));
        Ok(Self {
            ignore: globs(IGNORED.iter().copied().chain(ignore.iter().map(String::as_str)))?,
            only: if only.is_empty() { None } else { Some(of(only)?) },
            keep: of(keep)?,
            without_outputs: true,
        })
    }

    /// All but what is usually ignored.
    ///
    /// # Errors
    /// None in practice: these globs are valid.
    pub fn usual() -> Result<Self, UserError> {
        Self::new(&[], &[], &[])
    }

    /// Whether an entry may change.
    pub(crate) fn may_change(&self, path: &Path) -> bool {
        self.only.as_ref().is_none_or(|only| only.is_match(path)) && !self.keep.is_match(path)
    }
}

/// The entries of a folder.
#[derive(Debug, Default)]
pub struct Entries {
    /// What may change, sorted by path.
    pub contents: Contents,
    /// What must stay, sorted by path.
    pub fixed: Contents,
    /// The permissions of all folders, by their paths.
    pub folders: BTreeMap<PathBuf, u32>,
    /// The paths of what was left out: ignored entries, and what is neither a file, a link nor a folder.
    pub ignored: Vec<PathBuf>,
}

/// Reads a folder; all paths begin with `name`. Links are not followed.
///
/// # Errors
/// If something cannot be read, or a file has 4 GiB or more.
pub fn read(folder: &Path, name: &Path, selection: &Selection) -> Result<Entries, UserError> {
    let mut entries = Entries::default();
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        let at = folder.join(&below);
        let here = fs::metadata(&at).map_err(|e| unreadable(&at, &e))?;
        let mode = platform::mode(&here) & KEPT;
        entries.folders.insert(name.join(&below), mode);
        let listed = fs::read_dir(&at).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let listed = listed.map_err(|e| unreadable(&at, &e))?;
        if selection.without_outputs && !below.as_os_str().is_empty() && is_cache(&at, &listed) {
            entries.folders.remove(&name.join(&below));
            entries.ignored.push(below);
            continue;
        }
        let is_crate = listed.iter().any(|entry| entry.file_name() == TARGET.1);
        let names: BTreeSet<OsString> = listed.iter().map(DirEntry::file_name).collect();
        for entry in &listed {
            let path = below.join(entry.file_name());
            let kind = entry.file_type().map_err(|e| unreadable(&entry.path(), &e))?;
            let is_output = is_crate && kind.is_dir() && entry.file_name() == TARGET.0
                || kind.is_file() && is_object(&path, &names);
            if selection.without_outputs && is_output || selection.ignore.is_match(&path) || is_special(kind)
            {
                entries.ignored.push(path);
            } else if kind.is_dir() {
                open.push(path);
            } else {
                let file = one(&entry.path(), &name.join(&path))?;
                let list =
                    if selection.may_change(&path) { &mut entries.contents } else { &mut entries.fixed };
                list.push(file);
            }
        }
        if listed.is_empty() && !below.as_os_str().is_empty() {
            let empty = NamedFile { mode: Some(mode), ..NamedFile::new(name.join(&below), vec![]) };
            let list = if selection.may_change(&below) { &mut entries.contents } else { &mut entries.fixed };
            list.push(empty);
        }
    }
    entries.contents.sort_by(|one, other| one.path.cmp(&other.path));
    entries.fixed.sort_by(|one, other| one.path.cmp(&other.path));
    entries.ignored.sort();
    Ok(entries)
}

/// A file or a symbolic link, under the path `name` of a candidate.
///
/// # Errors
/// If it cannot be read, or has 4 GiB or more.
pub(crate) fn one(path: &Path, name: &Path) -> Result<NamedFile, UserError> {
    let metadata = fs::symlink_metadata(path).map_err(|e| unreadable(path, &e))?;
    let content = match metadata.is_symlink() {
        true => fs::read_link(path).map(|target| target.into_os_string().into_encoded_bytes()),
        false => fs::read(path),
    };
    let content = content.map_err(|e| unreadable(path, &e))?;
    if u32::try_from(content.len()).is_err() {
        return Err(UserError::usage(format!("the file '{}' is too large", path.display()))
            .fact("files of 4 GiB or more cannot be reduced"));
    }
    Ok(NamedFile {
        path: name.into(),
        content: Arc::new(content),
        mode: Some(platform::mode(&metadata) & KEPT),
    })
}

/// The type of a candidate's file.
pub(crate) fn kind(file: &NamedFile) -> FileKind {
    FileKind::of(file.mode)
}

/// Whether a folder says that it holds nothing but what can be made again.
fn is_cache(folder: &Path, listed: &[DirEntry]) -> bool {
    let is_tag =
        |entry: &DirEntry| entry.file_name() == CACHE.0 && entry.file_type().is_ok_and(|k| k.is_file());
    if !listed.iter().any(is_tag) {
        return false;
    }
    let mut beginning = [0; CACHE.1.len()];
    let tag = fs::File::open(folder.join(CACHE.0));
    tag.and_then(|mut tag| tag.read_exact(&mut beginning)).is_ok() && beginning == CACHE.1
}

/// Whether a file is the object file of a source beside it.
fn is_object(path: &Path, beside: &BTreeSet<OsString>) -> bool {
    let (objects, sources) = OBJECTS;
    let is_one = path.extension().is_some_and(|ending| objects.iter().any(|object| ending == *object));
    let has =
        |ending: &&str| path.with_extension(ending).file_name().is_some_and(|name| beside.contains(name));
    is_one && sources.iter().any(has)
}

fn is_special(kind: FileType) -> bool {
    !kind.is_file() && !kind.is_dir() && !kind.is_symlink()
}

fn unreadable(path: &Path, error: &io::Error) -> UserError {
    UserError::usage(format!("'{}' cannot be read", path.display()))
        .fact(error.to_string())
        .help("--ignore leaves it out, if the failure does not need it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    fn names(contents: &Contents) -> Vec<String> {
        contents.iter().map(|file| file.path.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_folder_is_read_with_links_empty_folders_and_odd_names() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let at = |path: &str| folder.path().join(path);
        for made in ["sub/empty", ".git/objects", "target"] {
            fs::create_dir_all(at(made))?;
        }
        for (path, text) in [("a.py", "a"), ("sub/b.o", "b"), ("target/c", "c"), (".git/d", "d")] {
            fs::write(at(path), text)?;
        }
        fs::write(folder.path().join(OsStr::from_bytes(b"\xff\n")), "odd")?;
        symlink("nowhere", at("link"))?;
        let selection = Selection::new(&["*.o".into()], &[], &["sub".into()])?;
        let entries = read(folder.path(), Path::new("N"), &selection)?;
        assert_eq!(names(&entries.contents), ["N/a.py", "N/link", "N/target/c", "N/\u{fffd}\n"]);
        assert_eq!(names(&entries.fixed), ["N/sub/empty"]);
        assert_eq!(entries.ignored, [".git", "sub/b.o"].map(PathBuf::from));
        assert_eq!(**entries.contents[1], *b"nowhere");
        fs::write(at("Cargo.toml"), "")?;
        for (path, text) in [("x.o", ""), ("y.o", ""), ("y.c", ""), ("z/CACHEDIR.TAG", "other")] {
            fs::create_dir_all(at(path).parent().unwrap())?;
            fs::write(at(path), text)?;
        }
        fs::create_dir(at("sub/out"))?;
        fs::write(at("sub/out/CACHEDIR.TAG"), [CACHE.1, b"\n"].concat())?;
        let entries = read(folder.path(), Path::new("N"), &Selection::usual()?)?;
        assert_eq!(entries.ignored, [".git", "sub/out", "target", "y.o"].map(PathBuf::from));
        for path in ["x.o", "y.o", "y.c", "z/CACHEDIR.TAG"] {
            fs::remove_file(at(path))?;
        }
        let entries = read(folder.path(), Path::new("N"), &Selection::new(&[], &["*.py".into()], &[])?)?;
        assert_eq!(names(&entries.contents), ["N/a.py"]);
        assert!(
            entries.ignored.contains(&"target".into()) && entries.folders.contains_key(Path::new("N/sub"))
        );
        Ok(())
    }
}
