//! Working folders of many files, in which files stay from one run of the test to the next.

use super::folder::{TempFolder, WorkFolder};
use crate::oracle::ground::Ground;
use crate::oracle::{Contents, NamedFile};
use lopper_patterns::Random;
use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsStr;
use std::fs::{self, File, FileTimes, OpenOptions};
use std::io::{self, Seek, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::SystemTime;

type Checked = Result<(), Box<dyn Error>>;

const FILE: u32 = 0o100_000;
const LINK: u32 = 0o120_777;
const FOLDER: u32 = 0o040_000;

/// Everything about an entry that a test can see: its path, kind and permissions, its bytes, and its extended
/// attributes.
type Seen = (PathBuf, u32, Vec<u8>, Vec<u8>);

/// The entries below a folder, in the order in which the file system lists them.
fn listed(folder: &Path) -> io::Result<Vec<Seen>> {
    let mut seen = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        for entry in fs::read_dir(folder.join(&below))? {
            let entry = entry?;
            let (path, metadata) = (below.join(entry.file_name()), fs::symlink_metadata(entry.path())?);
            let content = match metadata.file_type() {
                kind if kind.is_dir() => Vec::new(),
                kind if kind.is_symlink() => fs::read_link(entry.path())?.as_os_str().as_bytes().to_vec(),
                kind if kind.is_file() => fs::read(entry.path())?,
                _ => b"special".to_vec(),
            };
            let mut attributes = vec![0; 1000];
            let length = rustix::fs::llistxattr(entry.path(), &mut *attributes).unwrap_or(0);
            attributes.truncate(length);
            if metadata.is_dir() {
                open.push(path.clone());
            }
            seen.push((path, metadata.mode(), content, attributes));
        }
    }
    Ok(seen)
}

/// A tree of files with links, empty folders, odd names, and several permissions.
fn tree(random: &mut Random) -> Contents {
    let folders: Vec<Vec<u8>> = (0..40)
        .map(|i| match random.below(4) {
            0 => format!("p/{i}").into_bytes(),
            1 => format!("p/{}/sub{i}", random.below(9)).into_bytes(),
            2 => format!("p/{}/\u{e4} {i}/deep/deeper", random.below(9)).into_bytes(),
            _ => b"p".to_vec(),
        })
        .collect();
    let mut files = BTreeMap::new();
    for i in 0..640 {
        let mut name = folders[random.below(folders.len())].clone();
        name.push(b'/');
        name.extend([&b"f"[..], b"\xff\n", b"-x", b"a b"][random.below(4)]);
        name.extend(format!("{i}").as_bytes());
        let (kind, content) = match random.below(20) {
            0 => (LINK, b"f1".to_vec()),
            1 => (FOLDER | 0o755, Vec::new()),
            2 => (FILE | 0o755, Vec::new()),
            3 => (FILE | 0o400, vec![b'y'; random.below(90_000)]),
            _ => (FILE | 0o644, vec![b'x'; random.below(300)]),
        };
        let path: Arc<Path> = Path::new(OsStr::from_bytes(&name)).into();
        files.insert(Arc::clone(&path), NamedFile { path, content: Arc::new(content), mode: Some(kind) });
    }
    files.into_values().collect()
}

/// A candidate: some files are missing, some have other contents or permissions, some are links.
fn candidate(random: &mut Random, all: &Contents) -> Contents {
    let mut contents = all.clone();
    for _ in 0..random.below(4) {
        let start = random.below(contents.len());
        let end = (start + random.below(30)).min(contents.len());
        drop(contents.drain(start..end));
    }
    for _ in 0..random.below(6) {
        let at = random.below(contents.len());
        let file = &mut contents[at];
        match random.below(3) {
            0 if file.mode.is_some_and(|mode| mode & FILE == FILE) => *file = file.with(b"other".to_vec()),
            1 if file.mode == Some(FILE | 0o644) => file.mode = Some(FILE | 0o600),
            2 if file.mode == Some(FILE | 0o644) => {
                (file.content, file.mode) = (Arc::new(b"f2".to_vec()), Some(LINK))
            }
            _ => {}
        }
    }
    contents
}

/// What a test may do to its folder. Errors are ignored: an earlier change may be in the way.
fn harm(random: &mut Random, work: &Path) -> io::Result<()> {
    let all = listed(work)?;
    let one = |random: &mut Random, wanted: u32| {
        let some: Vec<&Seen> = all.iter().filter(|seen| seen.1 & 0o170_000 == wanted).collect();
        work.join(&some[random.below(some.len())].0)
    };
    let (file, other, folder) = (one(random, FILE), one(random, FILE), one(random, FOLDER));
    let new = folder.join("built.o");
    match random.below(20) {
        0 => fs::write(&new, "output"),
        1 => fs::create_dir_all(folder.join("__pycache__/deep")),
        2 => OpenOptions::new().append(true).open(&file)?.write_all(b"more"),
        3 => {
            // The same size and the same times.
            let before = fs::metadata(&file)?;
            let mut opened = OpenOptions::new().write(true).open(&file)?;
            opened.rewind()?;
            opened.write_all(&vec![b'z'; before.size() as usize])?;
            let times = FileTimes::new().set_modified(before.modified()?).set_accessed(before.accessed()?);
            opened.set_times(times)
        }
        4 => fs::rename(&file, &other),
        5 => fs::rename(&file, &new).and_then(|()| fs::rename(&new, &file)),
        6 => fs::set_permissions(&file, fs::Permissions::from_mode(0o000)),
        7 => fs::set_permissions(&folder, fs::Permissions::from_mode(0o500)),
        8 => fs::remove_file(&file),
        9 => fs::remove_dir_all(&folder),
        10 => fs::remove_file(&file).and_then(|()| fs::create_dir(&file)),
        11 => fs::remove_dir_all(&folder).and_then(|()| symlink("/", &folder)),
        12 => File::open(&file)?.set_times(FileTimes::new().set_modified(SystemTime::UNIX_EPOCH)),
        13 => {
            let (second, away) = (one(random, FOLDER), work.join("away"));
            fs::rename(&folder, &away)?;
            fs::rename(&second, &folder)?;
            fs::rename(&away, &second)
        }
        14 => {
            let away = work.join("away");
            fs::rename(&folder, &away)?;
            fs::rename(&away, &folder)
        }
        15 => fs::hard_link(&file, &new),
        16 => Ok(rustix::fs::setxattr(&folder, "user.seen", b"1", rustix::fs::XattrFlags::empty())?),
        17 => Ok(rustix::fs::setxattr(&file, "user.seen", b"1", rustix::fs::XattrFlags::empty())?),
        18 => OpenOptions::new().write(true).open(&file)?.set_len(1),
        _ => fs::read(&file).map(drop),
    }
}

fn folders() -> Result<[WorkFolder; 2], Box<dyn Error>> {
    let parent = Arc::new(TempFolder::new()?);
    let new = |reuses| WorkFolder::new(Arc::clone(&parent), Arc::new(Ground::default()), reuses);
    Ok([new(true)?, new(false)?])
}

fn inodes(folder: &Path, contents: &Contents) -> io::Result<Vec<u64>> {
    contents.iter().map(|file| Ok(fs::symlink_metadata(folder.join(&file.path))?.ino())).collect()
}

#[test]
fn whatever_a_test_does_the_next_one_finds_a_fresh_copy_of_its_candidate() -> Checked {
    let mut stayed = 0;
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let all = tree(&mut random);
        let [mut reused, mut fresh] = folders()?;
        let mut last: BTreeMap<Arc<Path>, u64> = BTreeMap::new();
        for round in 0..12 {
            let contents = candidate(&mut random, &all);
            let earliest = SystemTime::now();
            reused.fill(&contents)?;
            fresh.fill(&contents)?;
            let (found, wanted) = (listed(&reused.work())?, listed(&fresh.work())?);
            assert!(found == wanted, "seed {seed}, round {round}: {:?}", difference(&found, &wanted));
            let mut previous = SystemTime::UNIX_EPOCH;
            for file in &contents {
                let time = fs::symlink_metadata(reused.work().join(&file.path))?.modified()?;
                // The clock of a file system lags behind by a tick at most.
                assert!(time + std::time::Duration::from_millis(20) > earliest, "{:?} is old", file.path);
                let is_folder = file.mode.is_some_and(|mode| mode & 0o170_000 == FOLDER);
                assert!(time >= previous || is_folder, "{:?} is older than the one before it", file.path);
                previous = if is_folder { previous } else { time };
            }
            let now: BTreeMap<_, _> =
                contents.iter().map(|file| &file.path).zip(inodes(&reused.work(), &contents)?).collect();
            stayed += now.iter().filter(|(path, inode)| last.get(&***path) == Some(*inode)).count();
            last = now.into_iter().map(|(path, inode)| (Arc::clone(path), inode)).collect();
            for _ in 0..random.below(6) {
                let _ = harm(&mut random, &reused.work());
            }
        }
    }
    // A file system may also give an inode again to another file.
    assert!(stayed > 12 * 11 * 500 / 3, "only {stayed} files stayed");
    Ok(())
}

/// The first entry that differs.
fn difference<'a>(found: &'a [Seen], wanted: &'a [Seen]) -> Option<(&'a Path, u32, &'a Path, u32)> {
    let pair = found.iter().zip(wanted).find(|(one, other)| one != other)?;
    Some((&pair.0.0, pair.0.1, &pair.1.0, pair.1.1))
}

#[test]
fn a_test_that_writes_through_a_mapping_does_not_change_the_next_candidate() -> Checked {
    // A mapping that is read first changes the file, on tmpfs, without any new time but that of the access.
    let script = "import mmap, sys\n\
        with open(sys.argv[1], 'r+b') as file, mmap.mmap(file.fileno(), 0) as data:\n    \
            data[0] = data[0] + 1\n";
    let contents: Contents = (0..600).map(|i| NamedFile::new(format!("p/{i:03}"), "some text")).collect();
    let [mut folder, _] = folders()?;
    for i in 0..4 {
        folder.fill(&contents)?;
        let file = folder.work().join(format!("p/{:03}", 100 * i));
        let status = Command::new("python3").args(["-c", script]).arg(&file).status()?;
        assert!(status.success() && fs::read(&file)? == b"tome text");
    }
    folder.fill(&contents)?;
    for file in &contents {
        assert_eq!(fs::read(folder.work().join(&file.path))?, b"some text", "{:?}", file.path);
    }
    Ok(())
}

#[test]
fn files_that_were_only_read_stay_where_they_are() -> Checked {
    let contents: Contents =
        (0..600).map(|i| NamedFile::new(format!("p/{}/{i:03}", i % 7), "text")).collect();
    let [mut folder, _] = folders()?;
    folder.fill(&contents)?;
    let before = inodes(&folder.work(), &contents)?;
    listed(&folder.work())?;
    folder.fill(&contents)?;
    assert_eq!(inodes(&folder.work(), &contents)?, before);
    folder.forget();
    let held = File::open(folder.work().join("p/0/000"))?;
    folder.fill(&contents)?;
    // The old file is still open, so that its inode is not given to another one.
    assert!(fs::metadata(folder.work().join("p/0/000"))?.ino() != held.metadata()?.ino());
    Ok(())
}
