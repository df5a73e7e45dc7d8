//! The files and words on the command line: reads files, and recognises words in the wrong order.

use crate::conditions::TestPlan;
use crate::error::UserError;
use crate::oracle::command::{TestCommand, is_executable, quoted};
use crate::output::is_same_file;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The test, from the first of the words before `--`. `subcommand` and `usage` are for the error if there is
/// no such program.
pub(super) fn test_program(
    test: &Path,
    files: &[PathBuf],
    subcommand: &str,
    usage: &str,
) -> Result<TestCommand, UserError> {
    TestCommand::program(test).map_err(|e| match files {
        [file] if is_executable(file) => swapped(e, subcommand, test, file),
        _ => e.help(usage),
    })
}

/// The words of a command in an option, divided as a shell does; no shell runs it.
///
/// # Errors
/// If there are no words, or some that only a shell understands.
pub(super) fn words(command: &str) -> Result<Vec<OsString>, UserError> {
    let words = shell_words::split(command).map_err(|e| {
        UserError::usage(format!("the command {} cannot be read", quoted(command))).fact(e.to_string())
    })?;
    let is_for_a_shell =
        |word: &String| ["|", "||", "&&", ";", ">", "<", "2>&1", "&"].contains(&word.as_str());
    if let Some(word) = words.iter().find(|word| is_for_a_shell(word)) {
        return Err(UserError::usage(format!("the command {} has a '{word}'", quoted(command)))
            .fact("no shell runs it, so the program would get that as an argument")
            .help("a shell runs sh -c 'COMMAND \"$1\"' sh {}"));
    }
    let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    if words.is_empty() {
        return Err(UserError::usage("an option names an empty command"));
    }
    Ok(words)
}

/// Refuses to write where the test or the grammar is; `option` names the path.
///
/// # Errors
/// If one of them is there, under whatever name.
pub(super) fn refuse_overwriting(
    output: &Path,
    plan: &TestPlan,
    grammar: Option<&Path>,
    option: &str,
) -> Result<(), UserError> {
    let tests = plan.files().map(|test| (test, "test"));
    let mut used = tests.chain(grammar.map(|grammar| (grammar, "grammar")));
    used.find(|(path, _)| is_same_file(path, output)).map_or(Ok(()), |(_, what)| {
        Err(UserError::usage(format!("the output is the {what}"))
            .fact(format!("'{}' would be overwritten", output.display()))
            .help(format!("choose another path with {option}")))
    })
}

/// Adds the right order to an error, if the test and the file seem to be swapped.
pub(super) fn swapped(error: UserError, subcommand: &str, test: &Path, file: &Path) -> UserError {
    let (test, file) = (quoted(&test.to_string_lossy()), quoted(&file.to_string_lossy()));
    error.help(format!("the test comes first, then the file: lopper {subcommand} {file} {test}"))
}

/// Whether the file looks like a test and the test does not: it has no line that names an interpreter.
pub(super) fn look_swapped(test: &Path, file: &Path) -> bool {
    let begins = |path: &Path, with: &[u8]| fs::read(path).is_ok_and(|text| text.starts_with(with));
    is_executable(file) && begins(file, b"#!") && !begins(test, b"#!") && !begins(test, b"\x7fELF")
}

/// The bytes of the user's file.
///
/// # Errors
/// If it cannot be read or is too large.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, UserError> {
    if file.is_dir() {
        return Err(unreadable(file, &ErrorKind::IsADirectory.into())
            .help("lopper reduce, check and isolate take folders; this command takes files"));
    }
    let text = fs::read(file).map_err(|e| unreadable(file, &e))?;
    if u32::try_from(text.len()).is_err() {
        return Err(UserError::usage(format!("the file '{}' is too large", file.display()))
            .fact("files of 4 GiB or more cannot be reduced"));
    }
    Ok(text)
}

/// The error for a file that cannot be read.
pub(super) fn unreadable(file: &Path, error: &std::io::Error) -> UserError {
    UserError::usage(format!("the file '{}' cannot be read", file.display())).fact(error.to_string())
}

/// The name of a file.
///
/// # Errors
/// If it is not UTF-8, or the path is that of a folder without a name, such as `..`.
pub(super) fn file_name(file: &Path) -> Result<String, UserError> {
    let name = file.file_name().ok_or_else(|| unreadable(file, &ErrorKind::IsADirectory.into()))?;
    name.to_str()
        .map(str::to_owned)
        .ok_or_else(|| UserError::usage(format!("the name of '{}' is not UTF-8", file.display())))
}

/// The path of a file or folder, resolved if necessary so that it ends in a name, unlike `.` and `..`.
///
/// # Errors
/// If it does not exist, or is the root of the file system.
pub(super) fn with_name(path: PathBuf) -> Result<PathBuf, UserError> {
    if path.file_name().is_some() {
        return Ok(path);
    }
    let shown = path.display();
    let whole = path.canonicalize().map_err(|e| unreadable(&path, &e))?;
    if whole.file_name().is_none() {
        return Err(UserError::usage(format!("'{shown}' has no name"))
            .fact("the test gets a copy of the folder under its own name")
            .help("copy the relevant files into another folder, and name that"));
    }
    Ok(whole)
}

/// The names of files that the test gets in one folder.
///
/// # Errors
/// If one is not UTF-8, or two are the same.
pub(super) fn distinct_names(files: &[PathBuf]) -> Result<Vec<String>, UserError> {
    let names = files.iter().map(|file| file_name(file)).collect::<Result<Vec<_>, _>>()?;
    if let Some(twice) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        return Err(UserError::usage(format!("two files are called '{}'", twice.1))
            .fact("the test gets all files in one folder, so their names must differ"));
    }
    Ok(names)
}
