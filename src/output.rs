//! The result on disk: at every moment the best program so far, replaced in one step.

use crate::error::UserError;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that always holds a whole program.
#[derive(Clone, Debug)]
pub struct Output {
    path: PathBuf,
    temporary: PathBuf,
}

impl Output {
    /// A result at `path`; nothing is written yet.
    pub fn new(path: PathBuf) -> Self {
        let mut temporary = path.clone().into_os_string();
        temporary.push(format!(".{}.tmp", std::process::id()));
        Self::by_way_of(path, temporary.into())
    }

    /// A result at `path` that is written to `temporary` first, on the same file system.
    pub fn by_way_of(path: PathBuf, temporary: PathBuf) -> Self {
        Self { path, temporary }
    }

    /// Where the result is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the file's content: a temporary file, flushed to disk, then renamed. A
    /// reader sees the old or the new content, never a part. Permissions of an existing file are
    /// kept.
    ///
    /// # Errors
    /// If the folder cannot be written to; the old content is still there then.
    pub fn replace(&self, content: &[u8]) -> Result<(), UserError> {
        self.try_replace(content).map_err(|e| {
            UserError::usage(format!("the result cannot be written to '{}'", self.path.display()))
                .fact(e.to_string())
                .help("name another place with --output")
        })
    }

    fn try_replace(&self, content: &[u8]) -> io::Result<()> {
        let write = || {
            let mut file = File::create(&self.temporary)?;
            if let Ok(old) = fs::metadata(&self.path) {
                file.set_permissions(old.permissions())?;
            }
            file.write_all(content)?;
            file.sync_data()?;
            fs::rename(&self.temporary, &self.path)
        };
        write().inspect_err(|_| {
            let _ = fs::remove_file(&self.temporary);
        })
    }
}

/// The n-th path beside a file for what becomes of it: its name with `word` before its ending, and a number
/// but for the first.
pub fn numbered_path(file: &Path, word: &str, n: usize) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let ending = file.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
    match n {
        1 => file.with_file_name(format!("{stem}.{word}{ending}")),
        n => file.with_file_name(format!("{stem}.{word}.{n}{ending}")),
    }
}

/// The first of these paths that nothing has yet.
pub fn free_path(file: &Path, word: &str) -> PathBuf {
    let path = |n: usize| numbered_path(file, word, n);
    (1..).map(path).find(|p| !p.exists()).unwrap_or_else(|| path(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_content_and_no_other_file() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let output = Output::new(folder.path().join("out"));
        output.replace(b"one")?;
        output.replace(b"two")?;
        assert_eq!(fs::read(output.path())?, b"two");
        assert_eq!(fs::read_dir(folder.path())?.count(), 1);
        assert!(Output::new(folder.path().join("no/out")).replace(b"").is_err());
        Ok(())
    }
}
