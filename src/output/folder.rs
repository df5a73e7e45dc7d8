//! A folder that always holds a whole program of several files. Each program is written to a new folder, which then
//! takes the place of the old one in one step.

use crate::entries;
use crate::error::UserError;
use crate::files::{folder_of, is_taken};
use crate::oracle::{Contents, NamedFile};
use crate::platform::{self, FileKind, Identity, Stamp, identity_of_entry, stamp};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the new folder in the run folder, where it gets its files.
const NEW: &str = "new";

/// The name of the old folder in the run folder, where two folders cannot exchange their names in one step.
const ASIDE: &str = "new.old";

/// The name of the result in the run folder, once its files have taken the places of the user's.
const PLACED: &str = "placed";

/// The name of a backup in the run folder, before it is whole.
const BACKUP: &str = "backup";

/// The permissions of folders, by their paths in a program.
pub(crate) type FolderModes = Arc<BTreeMap<PathBuf, u32>>;

/// A folder as the result; see the module.
#[derive(Debug)]
pub(crate) struct FolderOutput {
    path: PathBuf,
    /// The run folder, which is on the same file system, and to which only we may write.
    staging: PathBuf,
    /// What the paths of all files begin with.
    name: PathBuf,
    /// The permissions of the original's folders.
    modes: FolderModes,
    /// Files beside every program.
    fixed: Contents,
    /// The files that we have written: content and permissions, and how the file on the disk is recognised.
    written: BTreeMap<Arc<Path>, (NamedFile, Stamp)>,
    /// The identity of the folder that we put at the path, once that is known.
    own: Option<Identity>,
}

impl FolderOutput {
    /// A result at `path`, prepared in the folder `staging`. The paths of its files lose the beginning `name`; folders
    /// get the permissions of the original's. Nothing is written yet.
    pub(crate) fn new(
        path: PathBuf,
        staging: &Path,
        name: &Path,
        modes: FolderModes,
        fixed: Contents,
    ) -> Self {
        let (staging, name) = (staging.to_owned(), name.to_owned());
        Self { path, staging, name, modes, fixed, written: BTreeMap::new(), own: None }
    }

    /// The path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The result is at `path` now: its files have taken the places of those there. The folder itself moves into the run
    /// folder, for a run that is resumed.
    pub(crate) fn move_to(&mut self, path: &Path) {
        let own = std::mem::replace(&mut self.path, path.to_owned());
        let placed = placed_in(&self.staging);
        // A folder of somebody else stays where it is. Without one in the run folder, one here is as good.
        if self.own.is_none() || self.own == identity_of_entry(&own) {
            let moved = remove(&placed).and_then(|()| platform::set_mode(&own, 0o700));
            let _ = moved.and_then(|()| fs::rename(own, placed));
        }
    }

    /// Puts a program in the place of the one before. Files that are the same in both become further links to the
    /// same file, and are not written again.
    ///
    /// # Errors
    /// If it cannot be written; then the folder is as before.
    pub(crate) fn replace(&mut self, contents: &Contents) -> Result<(), UserError> {
        self.exchange(contents).map_err(|e| {
            UserError::usage(format!("the result cannot be written to '{}'", self.path.display()))
                .fact(e.to_string())
                .help("choose another path with --output")
        })
    }

    fn exchange(&mut self, contents: &Contents) -> io::Result<()> {
        let new = self.staging.join(NEW);
        remove(&new)?;
        platform::create_private(&new)?;
        let written = self.fill(&new, contents)?;
        // A folder is renamed only by somebody who may write to it.
        let mode = self.modes.get(&self.name).map_or(0o755, |mode| mode & 0o777);
        platform::set_mode(&new, mode | 0o700)?;
        if is_taken(&self.path) {
            self.refuse_another(&self.path)?;
            let there = fs::symlink_metadata(&self.path)?;
            platform::set_mode(&self.path, platform::mode(&there) & 0o777 | 0o700)?;
            swap(&new, &self.path)?;
            // Somebody may have put another folder there at the last moment, and gets it back.
            if let Err(e) = self.refuse_another(&new) {
                swap(&new, &self.path)?;
                return Err(e);
            }
            // What stays of the old program is removed before the next one, or with the run folder.
            let _ = remove(&new);
        } else {
            platform::rename_new(&new, &self.path)?;
        }
        self.written = written;
        self.own = identity_of_entry(&self.path);
        platform::set_mode(&self.path, mode)?;
        platform::sync_folder(&folder_of(&self.path))
    }

    /// Fails if this is not the folder that we put at the path. What is there before we have written anything has been
    /// checked by the caller: it is empty, or the result of the run that is resumed.
    fn refuse_another(&self, at: &Path) -> io::Result<()> {
        let is_ours = || self.own.is_none() || self.own == identity_of_entry(at);
        match fs::symlink_metadata(at)?.is_dir() && is_ours() {
            true => Ok(()),
            false => Err(io::Error::other("something else has taken its place")),
        }
    }

    /// The path of a file below the folder.
    fn below<'a>(&self, file: &'a NamedFile) -> &'a Path {
        file.path.strip_prefix(&self.name).unwrap_or(&file.path)
    }

    /// Writes a program and the fixed files to a new folder; returns how the files can be recognised.
    fn fill(&self, new: &Path, contents: &Contents) -> io::Result<BTreeMap<Arc<Path>, (NamedFile, Stamp)>> {
        let mut written = BTreeMap::new();
        let mut made = BTreeSet::new();
        let mut fresh = Vec::new();
        for file in contents.iter().chain(&self.fixed) {
            let below = self.below(file);
            let at = new.join(below);
            make_folders(new, below.parent().unwrap_or(Path::new("")), &mut made)?;
            if !self.links(file, below, &at) {
                write(&at, file)?;
                fresh.push(at.clone());
            }
            if let Ok(metadata) = fs::symlink_metadata(&at)
                && metadata.is_file()
            {
                written.insert(Arc::clone(&file.path), (file.clone(), stamp(&metadata)));
            }
        }
        let is_file = |path: &&PathBuf| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
        platform::sync_files(&fresh.iter().filter(is_file).collect::<Vec<_>>(), new)?;
        // The permission to write is taken away last, and from the inside out.
        for below in made.iter().rev() {
            if let Some(mode) = self.modes.get(&self.name.join(below)) {
                platform::set_mode(&new.join(below), mode & 0o777)?;
            }
        }
        Ok(written)
    }

    /// Makes the file of the last program another link, if it is the same and nobody has changed it.
    fn links(&self, file: &NamedFile, below: &Path, at: &Path) -> bool {
        let Some((old, known)) = self.written.get(&file.path) else { return false };
        let there = self.path.join(below);
        let is_same = Arc::ptr_eq(&old.content, &file.content) && old.mode == file.mode;
        is_same
            && fs::symlink_metadata(&there)
                .is_ok_and(|metadata| metadata.is_file() && stamp(&metadata) == *known)
            && fs::hard_link(there, at).is_ok()
    }

    /// Makes sure that the result is on the disk. If it cannot be written to its place, it gets a new name beside
    /// `input`, in the current folder, or in the temporary folder.
    ///
    /// # Errors
    /// If the result is not at its place. The error names its path, and so does [`FolderOutput::path`], if it was
    /// written at all.
    pub(crate) fn settle(&mut self, contents: &Contents, input: &Path) -> Result<(), UserError> {
        let holds = contents.iter().filter(|file| self.written.contains_key(&file.path)).all(|file| {
            let (old, known) = &self.written[&file.path];
            let there = fs::symlink_metadata(self.path.join(self.below(file)));
            Arc::ptr_eq(&old.content, &file.content) && there.is_ok_and(|metadata| stamp(&metadata) == *known)
        });
        if holds && !self.written.is_empty() && self.path.is_dir() {
            return Ok(());
        }
        let Err(failed) = self.replace(contents) else { return Ok(()) };
        let mut failed = UserError { help: Vec::new(), ..failed };
        for folder in [folder_of(input), ".".into(), std::env::temp_dir()] {
            let folder = std::path::absolute(&folder).unwrap_or(folder);
            let path = free_folder(&folder.join(input.file_name().unwrap_or_default()));
            let written = DirBuilder::new().create(&path).and_then(|()| self.fill(&path, contents));
            match written {
                Ok(_) => {
                    self.path = path;
                    return Err(failed.fact(format!("the result is in '{}'", self.path.display())));
                }
                Err(e) => failed = failed.fact(format!("nor to '{}': {e}", folder.display())),
            }
        }
        Err(failed)
    }
}

/// Writes files to a new folder at `path`, without the beginning `name` of their paths.
///
/// # Errors
/// If it cannot be written.
pub fn write_new(path: &Path, name: &Path, contents: &Contents) -> io::Result<()> {
    write_like(path, name, contents, Arc::default())
}

/// As [`write_new`], with these permissions for the folders in it. The folder itself is for its owner alone.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write_like(
    path: &Path,
    name: &Path,
    contents: &Contents,
    modes: FolderModes,
) -> io::Result<()> {
    remove(path)?;
    platform::create_private(path)?;
    let output = FolderOutput::new(path.to_owned(), path, name, modes, Contents::new());
    output.fill(path, contents).map(drop)
}

/// Where a run folder has the result whose files have taken the places of the user's.
pub(crate) fn placed_in(run: &Path) -> PathBuf {
    run.join(PLACED)
}

/// Where a run folder has the backup of a folder before that is whole.
pub(crate) fn backup_in(run: &Path) -> PathBuf {
    run.join(BACKUP)
}

/// Removes the folders that results and backups have left in a run folder.
///
/// # Errors
/// If one cannot be removed.
pub(crate) fn clear(run: &Path) -> io::Result<()> {
    [NEW, ASIDE, PLACED, BACKUP].iter().try_for_each(|name| remove(&run.join(name)))
}

/// The n-th path for a result beside a folder.
pub(crate) fn numbered_folder(folder: &Path, n: usize) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    match n {
        1 => folder.with_file_name(format!("{name}.reduced")),
        n => folder.with_file_name(format!("{name}.reduced.{n}")),
    }
}

/// The first of these paths that does not exist.
fn free_folder(folder: &Path) -> PathBuf {
    let path = |n: usize| numbered_folder(folder, n);
    (1..).map(path).find(|path| !is_taken(path)).unwrap_or_else(|| path(1))
}

/// Lets two folders exchange their names. On a file system that cannot do that in one step, the second one has another
/// name in the run folder for a moment.
fn swap(new: &Path, old: &Path) -> io::Result<()> {
    if platform::exchange(new, old)? {
        return Ok(());
    }
    let aside = new.with_file_name(ASIDE);
    remove(&aside)?;
    fs::rename(old, &aside)?;
    if let Err(e) = fs::rename(new, old) {
        fs::rename(&aside, old)?;
        return Err(e);
    }
    fs::rename(aside, new)
}

/// Creates the folders of a path below a new folder, and remembers them.
fn make_folders(new: &Path, below: &Path, made: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    if below.as_os_str().is_empty() || made.contains(below) {
        return Ok(());
    }
    make_folders(new, below.parent().unwrap_or(Path::new("")), made)?;
    made.insert(below.to_owned());
    match DirBuilder::new().create(new.join(below)) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => Err(e),
        _ => Ok(()),
    }
}

/// Writes a new file, symbolic link or empty folder.
pub(super) fn write(at: &Path, file: &NamedFile) -> io::Result<()> {
    match entries::kind(file) {
        FileKind::Link => return platform::symlink(&platform::word(file.to_vec()), at),
        FileKind::Folder => DirBuilder::new().create(at)?,
        _ => OpenOptions::new().write(true).create_new(true).open(at)?.write_all(file)?,
    }
    file.mode.map_or(Ok(()), |mode| platform::set_mode(at, mode & 0o777))
}

/// Removes a folder and everything in it, read-only or not. A missing one is not an error.
pub(crate) fn remove(folder: &Path) -> io::Result<()> {
    if !is_taken(folder) {
        return Ok(());
    }
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        platform::set_mode(&path, 0o700)?;
        for entry in fs::read_dir(&path)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                open.push(entry.path());
            }
        }
    }
    fs::remove_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    fn file(path: &str, text: &str, mode: u32) -> NamedFile {
        NamedFile { mode: Some(mode), ..NamedFile::new(path, text) }
    }

    #[test]
    fn a_program_takes_the_place_of_the_last_one_with_modes_links_and_empty_folders()
    -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let (run, path) = (folder.path().join("run"), folder.path().join("N.reduced"));
        fs::create_dir(&run)?;
        let modes = [("N", 0o755), ("N/sub", 0o555)].map(|(path, mode)| (PathBuf::from(path), mode));
        let fixed = vec![file("N/fixed", "f", 0o100_400)];
        let mut output = FolderOutput::new(path.clone(), &run, Path::new("N"), Arc::new(modes.into()), fixed);
        let first = vec![
            file("N/a", "one", 0o100_755),
            file("N/empty", "", 0o040_700),
            file("N/link", "a", 0o120_777),
            file("N/sub/b", "two", 0o100_644),
        ];
        output.replace(&first)?;
        let second = vec![first[0].clone(), file("N/sub/b", "three", 0o100_644)];
        let inode = |name: &str| fs::symlink_metadata(path.join(name)).map(|metadata| metadata.ino());
        let (kept, link) = (inode("a")?, fs::read_link(path.join("link"))?);
        output.replace(&second)?;
        assert_eq!((kept, link), (inode("a")?, PathBuf::from("a")), "the same file stays");
        let mode = |name: &str| fs::metadata(path.join(name)).map(|metadata| metadata.mode() & 0o777);
        assert_eq!((mode("a")?, mode("sub")?, mode("fixed")?), (0o755, 0o555, 0o400));
        assert_eq!(fs::read(path.join("sub/b"))?, b"three");
        assert!(!path.join("empty").exists() && !path.join("link").exists());
        assert_eq!(fs::read_dir(&run)?.count(), 0);
        remove(&path)?;
        Ok(())
    }

    #[test]
    fn a_folder_that_somebody_has_put_in_its_place_is_left_alone() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("run"))?;
        let mut output =
            FolderOutput::new(at("N.reduced"), &at("run"), Path::new("N"), Arc::default(), vec![]);
        output.replace(&vec![file("N/a", "one", 0o100_644)])?;
        fs::rename(at("N.reduced"), at("moved"))?;
        fs::create_dir(at("N.reduced"))?;
        fs::write(at("N.reduced/letter"), "dear")?;
        let second = vec![file("N/a", "two", 0o100_644)];
        assert!(output.replace(&second).is_err());
        assert_eq!(fs::read(at("N.reduced/letter"))?, b"dear");
        assert!(
            output
                .settle(&second, &at("N"))
                .is_err_and(|error| error.to_string().contains("the result is in"))
        );
        assert_eq!(fs::read(output.path().join("a"))?, b"two");
        assert_eq!(
            (fs::read(at("N.reduced/letter"))?, fs::read(at("moved/a"))?),
            (b"dear".to_vec(), b"one".to_vec())
        );
        Ok(())
    }

    #[test]
    fn a_file_that_was_changed_meanwhile_is_written_again() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("N.reduced");
        let run = folder.path().join("run");
        fs::create_dir(&run)?;
        let mut output = FolderOutput::new(path.clone(), &run, Path::new("N"), Arc::default(), vec![]);
        let program = vec![file("N/a", "one", 0o100_644)];
        output.replace(&program)?;
        fs::write(path.join("a"), "changed by somebody")?;
        output.replace(&program)?;
        assert_eq!(fs::read(path.join("a"))?, b"one");
        fs::remove_dir_all(&path)?;
        output.settle(&program, &path)?;
        assert_eq!(fs::read(path.join("a"))?, b"one");
        Ok(())
    }
}
