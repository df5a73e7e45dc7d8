//! A folder that always holds a whole program of several files. There are two folders in turn: the one that nobody sees is
//! brought up to date, and then takes the place of the other one in one step. So a new program costs what has changed.

use crate::entries;
use crate::error::UserError;
use crate::files::{folder_of, is_taken};
use crate::oracle::{Contents, NamedFile};
use crate::platform::{self, FileKind, Identity, Stamp, identity_of_entry, stamp};
use crate::report;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder, Metadata, OpenOptions};
use std::io::{self, Write};
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the other folder in the run folder, where it gets its files.
const NEW: &str = "new";

/// The name of the old folder in the run folder, where two folders cannot exchange their names in one step.
const ASIDE: &str = "new.old";

/// The name of the result in the run folder, once its files have taken the places of the user's.
const PLACED: &str = "placed";

/// The name of a backup in the run folder, before it is whole.
const BACKUP: &str = "backup";

/// The permissions of folders, by their paths in a program.
pub(crate) type FolderModes = Arc<BTreeMap<PathBuf, u32>>;

/// What we have put into a folder, by the paths in a program, and how a file is recognised on the disk.
type Written = BTreeMap<Arc<Path>, (NamedFile, Option<Stamp>)>;

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
    /// What is in the folder.
    written: Written,
    /// What is in the other one, if it can be used.
    other: Option<Written>,
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
        Self { path, staging, name, modes, fixed, written: Written::new(), other: None, own: None }
    }

    /// Takes over the folder that is there already, with this program in it.
    pub(crate) fn take_over(&mut self, contents: &Contents) {
        let entry = |file: &NamedFile| {
            (Arc::clone(&file.path), (file.clone(), stamp_of(&self.path.join(self.below(file)))))
        };
        self.written = contents.iter().chain(&self.fixed).map(entry).collect();
        self.own = identity_of_entry(&self.path);
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
        // What somebody else has made stays where it is. Without a folder in the run folder, one here is as good.
        if self.own == identity_of_entry(&own) && self.own_files(&own, &self.written).is_some() {
            let moved = remove(&placed).and_then(|()| platform::set_mode(&own, 0o700));
            let _ = moved.and_then(|()| fs::rename(own, placed));
        }
    }

    /// Puts a program in the place of the one before. Files that are the same in both are links to the same file, and are
    /// not written again. What somebody else has changed in the folder meanwhile is kept beside it.
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
        let held = match self.other.take() {
            // The files are links to those that everybody sees, and may have changed with them.
            Some(held) if held.iter().all(|(path, entry)| is_same(&new.join(self.cut(path)), entry)) => held,
            _ => {
                remove(&new)?;
                platform::create_private(&new)?;
                Written::new()
            }
        };
        let written = self.fill(&new, &held, contents)?;
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
            let before = std::mem::replace(&mut self.written, written);
            self.own = identity_of_entry(&self.path);
            match self.own_files(&new, &before) {
                Some(own) if own == before.len() => self.other = Some(before),
                Some(_) => {}
                None => {
                    self.keep_changed(&new)?;
                    // A file that was changed at the last moment may be a link to one of the new program.
                    let path = |path| self.path.join(self.cut(path));
                    if !self.written.iter().all(|(at, entry)| is_same(&path(at), entry)) {
                        return self.exchange(contents);
                    }
                }
            }
        } else {
            platform::rename_new(&new, &self.path)?;
            self.written = written;
            self.own = identity_of_entry(&self.path);
        }
        platform::set_mode(&self.path, mode)?;
        platform::sync_folder(&folder_of(&self.path))
    }

    /// Fails if this is not the folder that we put at the path, or took over.
    fn refuse_another(&self, at: &Path) -> io::Result<()> {
        let is_ours = || self.own.is_none() || self.own == identity_of_entry(at);
        match fs::symlink_metadata(at)?.is_dir() && is_ours() {
            true => Ok(()),
            false => Err(io::Error::other("something else has taken its place")),
        }
    }

    /// The path of a file below the folder.
    fn below<'a>(&self, file: &'a NamedFile) -> &'a Path {
        self.cut(&file.path)
    }

    /// A path in a program, below the folder.
    fn cut<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.name).unwrap_or(path)
    }

    /// The number of files that are in a folder as we have written them; `None` if there is anything else.
    fn own_files(&self, folder: &Path, written: &Written) -> Option<usize> {
        let mut open = vec![PathBuf::new()];
        let mut own = 0;
        while let Some(below) = open.pop() {
            for entry in fs::read_dir(folder.join(&below)).ok()? {
                let entry = entry.ok()?;
                let path = below.join(entry.file_name());
                match written.get(&*self.name.join(&path)) {
                    Some(known) if is_same(&entry.path(), known) => own += 1,
                    None if entry.file_type().is_ok_and(|kind| kind.is_dir()) => open.push(path),
                    _ => return None,
                }
            }
        }
        Some(own)
    }

    /// Moves a folder in which somebody else has worked to the side.
    fn keep_changed(&self, folder: &Path) -> io::Result<()> {
        let numbered = |n: usize| {
            let mut path = self.path.clone().into_os_string();
            path.push(if n == 1 { ".changed".to_owned() } else { format!(".changed.{n}") });
            PathBuf::from(path)
        };
        let free = (1..).map(numbered).find(|path| !is_taken(path)).unwrap_or_else(|| numbered(1));
        platform::rename_new(folder, &free)?;
        report::remark(&format!(
            "'{}' was changed during the run; what was there is in '{}' now",
            self.path.display(),
            free.display()
        ));
        Ok(())
    }

    /// Makes a folder in which this is held one with a program and the fixed files; returns how they can be recognised.
    fn fill(&self, new: &Path, held: &Written, contents: &Contents) -> io::Result<Written> {
        let all = || contents.iter().chain(&self.fixed);
        let stays = |file: &NamedFile| held.get(&file.path).filter(|(old, _)| is_alike(old, file));
        let now: BTreeMap<&Path, &NamedFile> = all().map(|file| (self.below(file), file)).collect();
        let gone =
            held.values().filter(|(old, _)| now.get(self.below(old)).is_none_or(|file| !is_alike(old, file)));
        let gone: Vec<&Path> = gone.map(|(old, _)| self.below(old)).collect();
        let added: Vec<&NamedFile> = all().filter(|file| stays(file).is_none()).collect();
        let changed = gone.iter().copied().chain(added.iter().map(|file| self.below(file)));
        let above: BTreeSet<&Path> = changed.flat_map(|path| path.ancestors().skip(1)).collect();
        let above: Vec<&Path> = above.into_iter().filter(|path| !path.as_os_str().is_empty()).collect();
        // Read-only folders are open as long as their entries change.
        let mut modes: BTreeMap<&Path, u32> = BTreeMap::new();
        for &path in &above {
            // A link may be where a folder has to be.
            let there = fs::symlink_metadata(new.join(path)).ok().filter(Metadata::is_dir);
            modes.extend(there.map(|there| (path, platform::mode(&there))));
        }
        modes.keys().try_for_each(|path| platform::set_mode(&new.join(path), 0o700))?;
        for path in gone {
            let at = new.join(path);
            if fs::symlink_metadata(&at)?.is_dir() { fs::remove_dir(&at)? } else { fs::remove_file(&at)? }
        }
        let is_needed = |folder: &Path| {
            let mut from = now.range::<Path, _>((Bound::Excluded(folder), Bound::Unbounded));
            from.next().is_some_and(|(path, _)| path.starts_with(folder))
        };
        let mut emptied = modes.keys().rev().filter(|path| !is_needed(path) && is_taken(&new.join(path)));
        emptied.try_for_each(|path| fs::remove_dir(new.join(path)))?;

        let mut written: Written =
            all().filter_map(|file| Some((Arc::clone(&file.path), (file.clone(), stays(file)?.1)))).collect();
        let mut made = BTreeSet::new();
        let mut fresh = Vec::new();
        for file in added {
            let below = self.below(file);
            let at = new.join(below);
            make_folders(new, below.parent().unwrap_or(Path::new("")), &mut made)?;
            if !self.links(file, below, &at) {
                write(&at, file)?;
                if entries::kind(file) == FileKind::File {
                    fresh.push(at.clone());
                }
            }
            written.insert(Arc::clone(&file.path), (file.clone(), stamp_of(&at)));
        }
        platform::sync_files(&fresh.iter().collect::<Vec<_>>(), new)?;
        // The permission to write is taken away last, and from the inside out.
        for below in above.iter().rev().filter(|path| is_needed(path)) {
            if let Some(mode) = self.modes.get(&self.name.join(below)).or_else(|| modes.get(below)) {
                platform::set_mode(&new.join(below), mode & 0o777)?;
            }
        }
        Ok(written)
    }

    /// Makes the file of the last program another link, if it is the same and nobody has changed it.
    fn links(&self, file: &NamedFile, below: &Path, at: &Path) -> bool {
        let there = self.path.join(below);
        self.written.get(&file.path).is_some_and(|entry| {
            entry.1.is_some()
                && is_alike(&entry.0, file)
                && is_same(&there, entry)
                && fs::hard_link(there, at).is_ok()
        })
    }

    /// Makes sure that the result is on the disk. If it cannot be written to its place, it gets a new name beside
    /// `input`, in the current folder, or in the temporary folder.
    ///
    /// # Errors
    /// If the result is not at its place. The error names its path, and so does [`FolderOutput::path`], if it was
    /// written at all.
    pub(crate) fn settle(&mut self, contents: &Contents, input: &Path) -> Result<(), UserError> {
        let settled = self.settle_somewhere(contents, input);
        // What cannot be removed does not harm.
        self.other = None;
        let _ = remove(&self.staging.join(NEW));
        settled
    }

    fn settle_somewhere(&mut self, contents: &Contents, input: &Path) -> Result<(), UserError> {
        let is_there = |file: &NamedFile| {
            let entry = self.written.get(&file.path).filter(|(old, _)| is_alike(old, file));
            entry.is_some_and(|entry| is_same(&self.path.join(self.below(file)), entry))
        };
        let is_whole = self.written.len() == contents.len() + self.fixed.len();
        if is_whole && contents.iter().chain(&self.fixed).all(is_there) {
            return Ok(());
        }
        let Err(failed) = self.replace(contents) else { return Ok(()) };
        let mut failed = UserError { help: Vec::new(), ..failed };
        for folder in [folder_of(input), ".".into(), std::env::temp_dir()] {
            let folder = std::path::absolute(&folder).unwrap_or(folder);
            let path = free_folder(&folder.join(input.file_name().unwrap_or_default()));
            let written =
                DirBuilder::new().create(&path).and_then(|()| self.fill(&path, &Written::new(), contents));
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
    output.fill(path, &Written::new(), contents).map(drop)
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

/// Whether two files of programs are the same, without a look at their bytes.
fn is_alike(one: &NamedFile, other: &NamedFile) -> bool {
    Arc::ptr_eq(&one.content, &other.content) && one.mode == other.mode
}

/// Recognises a plain file.
fn stamp_of(at: &Path) -> Option<Stamp> {
    fs::symlink_metadata(at).ok().filter(Metadata::is_file).as_ref().map(stamp)
}

/// Whether a file, a link or an empty folder on the disk is still as we have written it.
fn is_same(at: &Path, (file, known): &(NamedFile, Option<Stamp>)) -> bool {
    match entries::kind(file) {
        FileKind::Link => {
            fs::read_link(at).is_ok_and(|target| target.as_os_str().as_encoded_bytes() == &file[..])
        }
        FileKind::Folder => {
            let is_dir = fs::symlink_metadata(at).is_ok_and(|metadata| metadata.is_dir());
            is_dir && fs::read_dir(at).is_ok_and(|mut entries| entries.next().is_none())
        }
        _ => known.is_some() && stamp_of(at) == *known,
    }
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
        // A third program: the folder of the first one is brought up to date.
        let third =
            vec![second[0].clone(), file("N/link", "b", 0o120_777), file("N/new/c", "four", 0o100_644)];
        output.replace(&third)?;
        assert_eq!((kept, fs::read_link(path.join("link"))?), (inode("a")?, PathBuf::from("b")));
        assert!(!path.join("empty").exists() && !path.join("sub").exists());
        assert_eq!((mode("fixed")?, fs::read(path.join("new/c"))?), (0o400, b"four".to_vec()));
        output.replace(&first)?;
        assert_eq!((mode("sub")?, mode("empty")?, inode("a")?), (0o555, 0o700, kept));
        output.settle(&first, &path)?;
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
        let aside = folder.path().join("N.reduced.changed");
        assert_eq!(fs::read(aside.join("a"))?, b"changed by somebody", "nobody's work is lost");
        // What is only deleted is no work.
        output.replace(&program)?;
        fs::remove_file(path.join("a"))?;
        output.replace(&program)?;
        output.replace(&program)?;
        assert_eq!((fs::read(path.join("a"))?, fs::read_dir(folder.path())?.count()), (b"one".to_vec(), 3));
        fs::remove_dir_all(&path)?;
        output.settle(&program, &path)?;
        assert_eq!(fs::read(path.join("a"))?, b"one");
        Ok(())
    }
}
