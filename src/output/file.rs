//! The result on disk: always the best program so far, replaced atomically.

use crate::error::UserError;
use crate::files::{self, folder_of, is_taken};
use crate::platform::{self, Identity, Likeness, identity};
use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The maximal number of links in a chain, as in Linux.
const LINKS: usize = 40;

/// The place of the result, as the user named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A file, behind all links, whether it exists or not.
    File(PathBuf),
    /// A device, a pipe, or an open file such as `/dev/stdout`: data written to it cannot be replaced.
    Stream(Stream),
}

/// A path to a stream, and the identity of the stream at the time when the user named it. Nothing is written
/// to another file that takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    path: PathBuf,
    known: Option<Identity>,
}

impl Target {
    /// The target of a path. Links are followed as in a shell's redirection.
    pub fn of(path: &Path) -> Self {
        let mut at = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let mut shown = path.to_owned();
        for _ in 0..LINKS {
            let Ok(link) = fs::read_link(&at) else { break };
            // The content of these links is a description, not always a path.
            if platform::describes_open_files(&at) {
                let known = identity(path);
                return Self::Stream(Stream { path: path.to_owned(), known });
            }
            at = folder_of(&at).join(&link);
            shown = folder_of(&shown).join(link);
        }
        match fs::metadata(&at) {
            Ok(found) if !found.is_file() && !found.is_dir() => {
                Self::Stream(Stream { path: path.to_owned(), known: identity(&at) })
            }
            _ => Self::File(shown),
        }
    }
}

/// A file that always holds a whole program, or a stream that gets one at the end.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    is_stream: bool,
    /// The identity of the original stream: nothing is written to another file that takes its place.
    known: Option<Identity>,
    /// The folder for the temporary file that is renamed to it.
    staging: PathBuf,
    /// The permissions and the owner for a new file.
    like: Option<Likeness>,
    /// The content at our last look, if the file is the user's work: it is replaced only as long as this
    /// content is unchanged.
    guarded: Option<Vec<u8>>,
}

impl Output {
    /// A result at `path`; a link there is replaced itself. Nothing is written yet.
    pub fn new(path: PathBuf) -> Self {
        let staging = folder_of(&path);
        Self { path, is_stream: false, known: None, staging, like: None, guarded: None }
    }

    /// A result at a target. It is prepared in the folder `staging` on the same file system. A new file gets
    /// the permissions and the owner of `like`.
    pub fn at(target: &Target, staging: &Path, like: &Metadata) -> Self {
        let (path, is_stream, known) = match target {
            Target::File(path) => (path.clone(), false, None),
            Target::Stream(Stream { path, known }) => (path.clone(), true, *known),
        };
        Self { path, is_stream, known, staging: staging.to_owned(), like: Some(like.into()), guarded: None }
    }

    /// From now on, replaces the file only if its content was last written by us; now that is `content`.
    pub fn guard(&mut self, content: &[u8]) {
        self.guarded = Some(content.to_vec());
    }

    /// The path of the result.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the file's content atomically: a reader sees the old or the new content, never a part.
    /// Permissions and owner of an existing file are kept. A stream gets nothing before [`Output::settle`].
    ///
    /// # Errors
    /// If the folder cannot be written to, or another writer has changed the file; the file is unchanged
    /// then.
    pub fn replace(&mut self, content: &[u8]) -> Result<(), UserError> {
        if self.is_stream {
            return Ok(());
        }
        let old = fs::symlink_metadata(&self.path).ok().filter(Metadata::is_file);
        let like = old.as_ref().map(Likeness::from).or(self.like);
        let replaced = match &self.guarded {
            Some(last) => files::replace_if(&self.staging, &self.path, content, like, |at| holds(at, last)),
            None => files::replace(&self.staging, &self.path, content, like).map(|()| true),
        };
        let is_untouched = replaced.map_err(|e| {
            UserError::usage(format!("the result cannot be written to '{}'", self.path.display()))
                .fact(e.to_string())
                .help(match e.kind() {
                    io::ErrorKind::FileTooLarge => "the shell limits the size of files: see ulimit -f",
                    _ => "choose another path with --output",
                })
        })?;
        if !is_untouched {
            return Err(UserError::usage(format!("'{}' was changed during the run", self.path.display()))
                .fact("another program has changed it, so it is left unchanged"));
        }
        if let Some(guarded) = &mut self.guarded {
            *guarded = content.to_vec();
        }
        Ok(())
    }

    /// Whether no other writer has changed a guarded file.
    pub fn is_untouched(&self) -> bool {
        self.guarded.as_ref().is_none_or(|content| holds(&self.path, content))
    }

    /// Makes sure that the result is on the disk, or written to the stream. If it cannot be written to its
    /// place, it gets a new name, beside `input`, in the current folder, or in the temporary folder. `waits`
    /// says whether a slow reader of a pipe may delay it.
    ///
    /// # Errors
    /// If the result is not at its place. The error names its path, and so does [`Output::path`], if it was
    /// written at all.
    pub fn settle(&mut self, content: &[u8], input: &Path, waits: bool) -> Result<(), UserError> {
        let failed = match self.is_stream {
            true => match deliver(&self.path, self.known, content, waits) {
                Ok(()) => return Ok(()),
                Err(e) if e.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                Err(e) => {
                    UserError::usage(format!("the result cannot be written to '{}'", self.path.display()))
                        .fact(e.to_string())
                }
            },
            false if holds(&self.path, content) => return Ok(()),
            false => match self.replace(content) {
                Ok(()) => return Ok(()),
                Err(error) => UserError { help: Vec::new(), ..error },
            },
        };
        let mut reasons = Vec::new();
        for folder in [folder_of(input), ".".into(), std::env::temp_dir()] {
            let folder = std::path::absolute(&folder).unwrap_or(folder);
            match create_beside(&folder.join(input.file_name().unwrap_or_default()), content, self.like) {
                Ok(path) => {
                    let error = failed.fact(format!("the result is in '{}'", path.display()));
                    (self.path, self.is_stream) = (path, false);
                    return Err(error);
                }
                Err(e) => reasons.push(format!("nor to '{}': {e}", folder.display())),
            }
        }
        Err(reasons.into_iter().fold(failed, UserError::fact))
    }
}

/// Whether there is a plain file with exactly this content at `path`.
fn holds(path: &Path, content: &[u8]) -> bool {
    let is_alike = |metadata: Metadata| metadata.is_file() && metadata.len() == content.len() as u64;
    fs::symlink_metadata(path).is_ok_and(is_alike) && fs::read(path).is_ok_and(|there| there == content)
}

/// Writes the result to a device or a pipe, or appends it to an open file.
fn deliver(path: &Path, known: Option<Identity>, content: &[u8], waits: bool) -> io::Result<()> {
    if platform::is_standard_output(path) {
        return crate::report::result(content);
    }
    let mut stream = platform::open_stream(path, waits)?;
    if platform::identity_of(&stream) != known {
        return Err(io::Error::other("something else has taken its place"));
    }
    platform::wait_for_reader(&stream)?;
    stream.write_all(content)
}

/// Writes a file, in one step unless it is a stream.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, content: &[u8]) -> Result<(), UserError> {
    match Target::of(path) {
        Target::File(path) => Output::new(path).replace(content),
        Target::Stream(_) => fs::write(path, content).map_err(|error| {
            UserError::usage(format!("'{}' cannot be written", path.display())).fact(error.to_string())
        }),
    }
}

/// Whether two paths lead to the same file, through links or by several names.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    let (a, b) = (identity(a), identity(b));
    a.is_some() && a == b
}

/// Writes a result beside a file, under an unused name.
fn create_beside(file: &Path, content: &[u8], like: Option<Likeness>) -> io::Result<PathBuf> {
    loop {
        let path = free_path(file, "reduced");
        match files::create(&folder_of(&path), &path, content, like) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
            Ok(()) => return Ok(path),
        }
    }
}

/// The n-th path for a result beside a file: the file's name with `word` before its ending, and a number
/// except for the first.
pub fn numbered_path(file: &Path, word: &str, n: usize) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let ending = file.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
    match n {
        1 => file.with_file_name(format!("{stem}.{word}{ending}")),
        n => file.with_file_name(format!("{stem}.{word}.{n}{ending}")),
    }
}

/// The first of these paths that does not exist.
pub fn free_path(file: &Path, word: &str) -> PathBuf {
    let path = |n: usize| numbered_path(file, word, n);
    (1..).map(path).find(|p| !is_taken(p)).unwrap_or_else(|| path(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_files_and_an_open_file_is_a_stream() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("second", path("first"))?;
        std::os::unix::fs::symlink(path("file"), path("second"))?;
        std::os::unix::fs::symlink("/proc/self/fd/1", path("out"))?;
        fs::write(path("plain"), "")?;
        assert_eq!(Target::of(&path("first")), Target::File(path("file")));
        assert_eq!(Target::of(&path("plain")), Target::File(path("plain")));
        assert_eq!(Target::of(Path::new("none/such")), Target::File("none/such".into()));
        assert_eq!(Target::of(folder.path()), Target::File(folder.path().into()));
        for stream in [&path("out"), Path::new("/dev/stdout"), Path::new("/dev/null")] {
            assert!(matches!(Target::of(stream), Target::Stream(found) if found.path == stream));
        }
        Ok(())
    }

    #[test]
    fn a_file_that_replaces_a_pipe_before_the_write_gets_nothing() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let (pipe, dear, input) =
            (folder.path().join("pipe"), folder.path().join("dear"), folder.path().join("in.c"));
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)?;
        let target = Target::of(&pipe);
        fs::write(&dear, "dear")?;
        fs::remove_file(&pipe)?;
        std::os::unix::fs::symlink(&dear, &pipe)?;
        let mut output = Output::at(&target, folder.path(), &fs::metadata(&dear)?);
        assert!(output.settle(b"result", &input, false).is_err());
        assert_eq!(fs::read(&dear)?, b"dear");
        assert_eq!(fs::read(output.path())?, b"result", "{:?}", output.path());
        Ok(())
    }

    #[test]
    fn a_failed_write_leaves_the_old_content_and_no_other_file() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let mut output = Output::new(folder.path().join("out"));
        output.replace(b"one")?;
        output.replace(b"two")?;
        assert_eq!(fs::read(output.path())?, b"two");
        assert_eq!(fs::read_dir(folder.path())?.count(), 1);
        assert!(Output::new(folder.path().join("no/out")).replace(b"").is_err());
        Ok(())
    }
}
