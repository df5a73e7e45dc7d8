//! The test as the user named it: which program, with which arguments.

use crate::error::UserError;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// Where the candidate's path goes in a command.
const PLACE: &str = "{}";

/// The program to run and its arguments, before the candidate's path is put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCommand {
    /// Absolute, so that it can be started from any folder.
    pub program: PathBuf,
    arguments: Vec<OsString>,
}

impl TestCommand {
    /// A test program that gets the candidate as its only argument.
    ///
    /// # Errors
    /// If there is no such program, or it cannot be executed.
    pub fn program(test: &Path) -> Result<Self, UserError> {
        Ok(Self { program: resolve(test)?, arguments: vec![PLACE.into()] })
    }

    /// A command line; `{}` stands for the candidate, which comes last if there is none.
    ///
    /// # Errors
    /// If there is no such program, or it cannot be executed.
    pub fn line(command: &[OsString]) -> Result<Self, UserError> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(UserError::usage("there is no command after --"));
        };
        let mut arguments = arguments.to_vec();
        if !arguments.iter().any(contains_place) {
            arguments.push(PLACE.into());
        }
        Ok(Self { program: resolve(Path::new(program))?, arguments })
    }

    /// The arguments for a candidate at `path`.
    pub fn arguments(&self, path: &Path) -> Vec<OsString> {
        self.arguments_of(&[path.to_owned()])
    }

    /// The arguments for a candidate of several files: a word `{}` becomes all their paths, within another
    /// word the first.
    fn arguments_of(&self, paths: &[PathBuf]) -> Vec<OsString> {
        let put = |argument: &OsString| match paths {
            _ if argument == PLACE => paths.iter().map(|path| path.clone().into()).collect(),
            [path, ..] => vec![put_in_place(argument, path)],
            [] => vec![argument.clone()],
        };
        self.arguments.iter().flat_map(put).collect()
    }

    /// The program and its arguments for a candidate of these files.
    pub fn words(&self, paths: &[PathBuf]) -> Vec<OsString> {
        std::iter::once(self.program.clone().into_os_string()).chain(self.arguments_of(paths)).collect()
    }

    /// The files that it is made of, as far as it can be seen: the program, and the absolute paths among the
    /// arguments.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let named = self.arguments.iter().map(Path::new).filter(|path| path.is_absolute());
        std::iter::once(&*self.program).chain(named)
    }

    /// What the verdicts depend on, as far as it can be seen: the content of the program, the arguments,
    /// and the content of the files that these name. A xxh3-128, in O(bytes of the files).
    pub fn fingerprint(&self) -> u128 {
        let mut hash = Xxh3::new();
        for path in self.files() {
            let mut buffer = [0; 64 << 10];
            // What is no file, or cannot be read, is known by its name alone.
            let mut file = path.is_file().then(|| File::open(path).ok()).flatten();
            while let Some(n @ 1..) = file.as_mut().and_then(|file| file.read(&mut buffer).ok()) {
                hash.update(&buffer[..n]);
            }
        }
        for argument in &self.arguments {
            hash.update(&argument.len().to_le_bytes());
            hash.update(argument.as_encoded_bytes());
        }
        hash.digest128()
    }

    /// The command for a shell, to copy and paste.
    pub fn shown(&self, path: &Path) -> String {
        let words = self.words(&[path.to_owned()]).into_iter();
        words.map(|w| quoted(&w.to_string_lossy())).collect::<Vec<_>>().join(" ")
    }
}

fn contains_place(argument: &OsString) -> bool {
    argument.to_str().is_some_and(|a| a.contains(PLACE))
}

fn put_in_place(argument: &OsString, path: &Path) -> OsString {
    match argument.to_str().and_then(|a| a.split_once(PLACE)) {
        Some((before, after)) => {
            let mut whole = OsString::from(before);
            whole.push(path);
            whole.push(after);
            whole
        }
        None => argument.clone(),
    }
}

/// A word as a POSIX shell takes it literally.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The absolute path of a test: a file, or a program on the PATH.
fn resolve(test: &Path) -> Result<PathBuf, UserError> {
    let named = |path: &Path| format!("the test '{}'", path.display());
    let path = match std::path::absolute(test) {
        Ok(path) if path.exists() => path,
        _ if test.components().count() == 1 => on_path(test).ok_or_else(|| {
            UserError::usage(format!("{} does not exist", named(test)))
                .fact("there is no such file here, and no such program on the PATH")
        })?,
        _ => {
            return Err(UserError::usage(format!("{} does not exist", named(test)))
                .help("usage: lopper reduce TEST FILE, or lopper reduce FILE -- COMMAND {}"));
        }
    };
    match path.metadata() {
        Ok(m) if m.is_dir() => Err(UserError::usage(format!("{} is a folder", named(&path)))),
        Ok(m) if m.permissions().mode() & 0o111 == 0 => {
            let shown = quoted(&path.to_string_lossy());
            Err(UserError::usage(format!("{} is not executable", named(&path)))
                .help(format!("chmod +x {shown}"))
                .help(format!("or name its interpreter: lopper reduce FILE -- sh {shown} {{}}")))
        }
        Ok(_) => Ok(path),
        Err(e) => Err(UserError::usage(format!("{} cannot be read", named(&path))).fact(e.to_string())),
    }
}

fn on_path(program: &Path) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let executable =
        |path: &PathBuf| path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
    std::env::split_paths(&folders).map(|f| f.join(program)).find(executable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_candidate_stands_where_the_braces_are_or_last() -> Result<(), UserError> {
        let line = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(Into::into).collect();
            TestCommand::line(&words).map(|c| c.shown(Path::new("/t/a b.c")))
        };
        assert!(line(&["sh", "x={}", "y"])?.ends_with("/sh 'x=/t/a b.c' y"));
        assert!(line(&["sh", "-c"])?.ends_with("/sh -c '/t/a b.c'"));
        Ok(())
    }

    #[test]
    fn a_test_that_is_not_there_is_named() {
        let error = TestCommand::program(Path::new("no/such test.sh"));
        assert!(error.is_err_and(|e| e.title == "the test 'no/such test.sh' does not exist"));
    }
}
