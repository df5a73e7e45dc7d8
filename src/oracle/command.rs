//! The command line of the test: its program and its arguments.

use crate::error::UserError;
use crate::platform::{self, is_path};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// The placeholder for the candidate's path in a command.
const PLACE: &str = "{}";

/// The program and its arguments, before the placeholder is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCommand {
    /// The absolute path of the program, so that it can be started from any folder.
    pub program: PathBuf,
    arguments: Vec<OsString>,
    /// If it is a server, the number of answers after which it is replaced.
    answers: Option<NonZeroU32>,
}

impl TestCommand {
    /// A test program that gets the candidate as its only argument.
    ///
    /// # Errors
    /// If there is no such program, or it cannot be executed.
    pub fn program(test: &Path) -> Result<Self, UserError> {
        Ok(Self { program: find_test(test)?, arguments: vec![PLACE.into()], answers: None })
    }

    /// A command line. `{}` stands for the candidate's path; without `{}`, the path is the last argument. A
    /// first word without a slash is looked up on the PATH only, as a shell does.
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
        Ok(Self { program: find_command(Path::new(program))?, arguments, answers: None })
    }

    /// The command line of a server, which starts once, and is replaced after so many answers: docs/servers.md
    /// describes it. It runs in a folder of its own, so words with a `.` or a `/` that name files or folders become
    /// absolute paths.
    ///
    /// # Errors
    /// If there is no such program, it cannot be executed, or there is a placeholder.
    pub fn server(command: &[OsString], answers: NonZeroU32) -> Result<Self, UserError> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(UserError::usage("the command of the server is empty"));
        };
        if arguments.iter().any(contains_place) {
            return Err(UserError::usage("a server starts before there is a candidate")
                .fact(format!("so there is no path to put in the place of {PLACE}"))
                .help(
                    "it gets the path of each candidate in a line on its standard input: see docs/servers.md",
                ));
        }
        let absolute = |word: &OsString| {
            let is_path = word.as_encoded_bytes().iter().any(|byte| b"./".contains(byte));
            let there = Some(Path::new(word)).filter(|path| is_path && path.exists());
            there.and_then(|path| std::path::absolute(path).ok()).map_or_else(|| word.clone(), OsString::from)
        };
        let arguments = arguments.iter().map(absolute).collect();
        Ok(Self { program: find_command(Path::new(program))?, arguments, answers: Some(answers) })
    }

    /// If it is a server, the number of answers after which it is replaced.
    pub fn answers(&self) -> Option<NonZeroU32> {
        self.answers
    }

    /// The arguments for a candidate of several files. A word `{}` becomes all their paths; inside another
    /// word, `{}` becomes the first path.
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

    /// This command without some variables of the environment.
    ///
    /// # Errors
    /// If there is no `env` on the PATH.
    pub fn without_variables(&self, names: &[OsString]) -> Result<Self, UserError> {
        let unset = names.iter().flat_map(|name| [OsString::from("-u"), name.clone()]);
        let arguments = unset.chain([self.program.clone().into()]).chain(self.arguments.iter().cloned());
        Ok(Self { program: find_command(Path::new("env"))?, arguments: arguments.collect(), ..self.clone() })
    }

    /// This command with the candidate as its standard input, too.
    ///
    /// # Errors
    /// If there is no `sh` on the PATH.
    pub fn with_input(&self) -> Result<Self, UserError> {
        let shell = ["-c", "exec \"$@\" <\"$0\"", PLACE].map(OsString::from);
        let arguments =
            shell.into_iter().chain([self.program.clone().into()]).chain(self.arguments.iter().cloned());
        Ok(Self { program: find_command(Path::new("sh"))?, arguments: arguments.collect(), answers: None })
    }

    /// The files of the test, as far as Lopper can know: the program, and the absolute paths among the
    /// arguments.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let named = self.arguments.iter().map(Path::new).filter(|path| path.is_absolute());
        std::iter::once(&*self.program).chain(named)
    }

    /// A hash of everything that the verdicts depend on, as far as Lopper can know: the content of the
    /// program, the arguments, and the content of those files named by the arguments that are in `files`. An
    /// xxh3-128, in O(bytes of the files).
    pub fn fingerprint<'a>(&self, files: impl Iterator<Item = &'a Path>) -> u128 {
        let mut hash = Xxh3::new();
        for path in files {
            let mut buffer = [0; 64 << 10];
            // If a path is not a file, or cannot be read, only its name is hashed.
            let mut file = path.is_file().then(|| File::open(path).ok()).flatten();
            while let Some(n @ 1..) = file.as_mut().and_then(|file| file.read(&mut buffer).ok()) {
                hash.update(&buffer[..n]);
            }
        }
        for argument in &self.arguments {
            hash.update(&argument.len().to_le_bytes());
            hash.update(argument.as_encoded_bytes());
        }
        if self.answers.is_some() {
            hash.update(b"server");
        }
        hash.digest128()
    }

    /// The command for a shell, to be copied and pasted. A server is asked one question.
    pub fn shown(&self, paths: &[PathBuf]) -> String {
        let words = self.words(paths).into_iter();
        let command = words.map(|w| quoted(&w.to_string_lossy())).collect::<Vec<_>>().join(" ");
        if self.answers.is_none() {
            return command;
        }
        let text = |path: &PathBuf| {
            format!("\"{}\"", path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\""))
        };
        let texts: Vec<String> = paths.iter().map(text).collect();
        let (first, all) = (texts.first().map_or("\"\"", |text| text), texts.join(", "));
        let line = format!(
            "{{\"serial\": 1, \"path\": {first}, \"paths\": [{all}], \"folder\": \".\", \"tmp\": \".\"}}"
        );
        format!("printf '%s\\n' {} | {command}", quoted(&line))
    }

    /// The command for a reader: as [`TestCommand::shown`] for one path, with the program's name in place of its path.
    pub fn briefly(&self, path: &Path) -> String {
        let name = self.program.file_name().map_or_else(|| self.program.clone().into(), OsStr::to_owned);
        let words = std::iter::once(name).chain(self.arguments_of(&[path.to_owned()]));
        let plain = |word: &str| if word == PLACE { word.to_owned() } else { quoted(word) };
        words.map(|word| plain(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
    }
}

fn contains_place(argument: &OsString) -> bool {
    first_place(argument.as_encoded_bytes()).is_some()
}

fn first_place(word: &[u8]) -> Option<usize> {
    word.windows(PLACE.len()).position(|part| part == PLACE.as_bytes())
}

/// The word with each `{}` replaced by the path.
fn put_in_place(argument: &OsString, path: &Path) -> OsString {
    let mut whole = OsString::new();
    let mut rest = argument.as_encoded_bytes();
    while let Some(at) = first_place(rest) {
        whole.push(platform::word(rest[..at].to_vec()));
        whole.push(path);
        rest = &rest[at + PLACE.len()..];
    }
    whole.push(platform::word(rest.to_vec()));
    whole
}

/// A word, quoted so that a POSIX shell takes it literally.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The absolute path of a test: an executable file, or a program on the PATH.
fn find_test(test: &Path) -> Result<PathBuf, UserError> {
    let here = std::path::absolute(test).ok();
    match here.clone().and_then(platform::program).or_else(|| on_path(test)) {
        Some(path) => Ok(path),
        None => match here.filter(|path| path.exists()) {
            Some(path) => Err(not_executable(&path)),
            None => Err(missing(test)),
        },
    }
}

/// The absolute path of a command's program.
fn find_command(program: &Path) -> Result<PathBuf, UserError> {
    let here = std::path::absolute(program).ok();
    if is_path(program) {
        let path = here.ok_or_else(|| missing(program))?;
        return platform::program(path.clone()).ok_or_else(|| match path.exists() {
            true => not_executable(&path),
            false => missing(program),
        });
    }
    on_path(program).ok_or_else(|| match here.filter(|path| path.exists()) {
        Some(_) => {
            missing(program).help(format!("write ./{} for the file in the current folder", program.display()))
        }
        None => missing(program),
    })
}

/// Whether the path is an executable file.
pub fn is_executable(path: &Path) -> bool {
    platform::program(path.to_owned()).is_some_and(|program| program == path)
}

fn on_path(program: &Path) -> Option<PathBuf> {
    if is_path(program) {
        return None;
    }
    let folders = std::env::var_os("PATH")?;
    // A folder on the PATH may be relative, and the test runs in another folder.
    let paths = std::env::split_paths(&folders).map(|folder| std::path::absolute(folder.join(program)));
    paths.flatten().find_map(platform::program)
}

fn named(test: &Path) -> String {
    format!("the test '{}'", test.display())
}

fn missing(test: &Path) -> UserError {
    let error = UserError::usage(format!("{} does not exist", named(test)));
    match is_path(test) {
        true => error.help("name an executable file, or a program on the PATH"),
        false => error.fact("there is no such program on the PATH"),
    }
}

fn not_executable(path: &Path) -> UserError {
    match path.metadata() {
        Ok(metadata) if metadata.is_dir() => UserError::usage(format!("{} is a folder", named(path))),
        Ok(_) => {
            let shown = quoted(&path.to_string_lossy());
            UserError::usage(format!("{} is not executable", named(path)))
                .help(format!("chmod +x {shown}"))
                .help(format!("or name its interpreter in a command, after the file: -- sh {shown} {{}}"))
        }
        Err(e) => UserError::usage(format!("{} cannot be read", named(path))).fact(e.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_candidate_replaces_the_braces_or_comes_last() -> Result<(), UserError> {
        let line = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(Into::into).collect();
            TestCommand::line(&words).map(|c| c.shown(&["/t/a b.c".into()]))
        };
        assert!(line(&["sh", "x={}", "y"])?.ends_with("/sh 'x=/t/a b.c' y"));
        assert!(line(&["sh", "-c"])?.ends_with("/sh -c '/t/a b.c'"));
        assert!(line(&["sh", "{}:{}", "{}{}"])?.ends_with("/sh '/t/a b.c:/t/a b.c' '/t/a b.c/t/a b.c'"));
        Ok(())
    }

    #[test]
    fn the_error_names_a_missing_test() {
        let error = TestCommand::program(Path::new("no/such test.sh"));
        assert!(error.is_err_and(|e| e.title == "the test 'no/such test.sh' does not exist"));
    }
}
