//! What a test needs besides its file: the file's name, the environment, standard input, files beside it.

use super::kept::Kept;
use super::{Trial, accepts, say};
use crate::cli::elsewhere::Elsewhere;
use crate::error::UserError;
use crate::files::folder_of;
use crate::journal::Form;
use crate::oracle::command::{TestCommand, quoted};
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::{Contents, Fault, NamedFile, Test, Verdict};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The files beside the input that are tried: their number, and the bytes of each.
const BESIDE: (usize, u64) = (64, 1 << 20);
/// The time that the search for a variable of the environment may take if every run reaches its limit.
const PATIENCE: Duration = Duration::from_secs(200);
/// Variables that every program may rely on; Lopper sets the last one.
const USUAL: &[&str] = &["PATH", "HOME", "TMPDIR"];

/// What a test that refuses the original lacks, with a command to try if a folder may be kept for it.
pub(in crate::cli) fn missing(
    elsewhere: &Elsewhere,
    test: &CommandOracle,
    original: &Contents,
    kept: Option<&mut Kept>,
) -> Result<Option<UserError>, Fault> {
    let is_below = |file: &NamedFile| file.path.components().count() > 1;
    if elsewhere.file.is_dir() || original.iter().chain(elsewhere.fixed).any(is_below) {
        return Ok(None);
    }
    if let Some(needed) = files_beside(elsewhere, test, original)? {
        let names: Vec<String> = needed.iter().map(|file| file.path.display().to_string()).collect();
        let files = if names.len() == 1 { "a file" } else { "files" };
        let error =
            UserError::bad_test(format!("the test needs {files} beside the input: {}", names.join(", ")));
        let error = error.fact("the test runs in a folder that holds only a copy of the input");
        let with_files = [original.clone(), needed].concat();
        let tried = kept.map(|kept| kept.command("with-files", &with_files, elsewhere, &test.plan));
        let error = tried.into_iter().fold(error, UserError::help);
        let advice = "name such files by absolute paths in the test, for example with -I for headers";
        return Ok(Some(error.help(advice)));
    }
    // A server has the standard input for its questions, and there is one standard input for several files.
    if test.plan.has_server() || original.len() > 1 {
        return Ok(None);
    }
    let with_input = test.plan.clone().with_commands(TestCommand::with_input).map_err(Fault::Broken)?;
    let reads_input = elsewhere.accepts(test, &with_input, original)?;
    Ok(reads_input.then(|| {
        let error = UserError::bad_test("the test reads the program from standard input")
            .fact("Lopper gives it the path of the program, and nothing on standard input");
        let given = |command: &str| format!("{command} <{}", quoted(&original[0].path.to_string_lossy()));
        let tried = kept.map(|kept| kept.command_as("original", original, elsewhere, &test.plan, given));
        let error = tried.into_iter().fold(error, UserError::help);
        error.help("let a shell open the file: -- sh -c 'COMMAND < \"$1\"' sh {}")
    }))
}

/// The files beside the input without which the test refuses it, if it accepts it with them.
fn files_beside(
    elsewhere: &Elsewhere,
    test: &CommandOracle,
    original: &Contents,
) -> Result<Option<Vec<NamedFile>>, Fault> {
    let (most, bytes) = BESIDE;
    let beside = fs::read_dir(folder_of(elsewhere.file)).into_iter().flatten().flatten();
    let is_small = |entry: &fs::DirEntry| entry.metadata().is_ok_and(|m| m.is_file() && m.len() <= bytes);
    let mut paths: Vec<_> = beside.filter(is_small).map(|entry| entry.path()).collect();
    let is_known = |path: &Path| {
        let mut known = original.iter().chain(elsewhere.fixed);
        path.file_name().is_none_or(|name| known.any(|file| *file.path == *name))
    };
    paths.retain(|path| !is_known(path));
    paths.sort();
    if paths.is_empty() || paths.len() > most {
        return Ok(None);
    }
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let read = |path: &std::path::PathBuf| Some(NamedFile::new(&name(path)?, fs::read(path).ok()?));
    let files: Vec<NamedFile> = paths.iter().filter_map(read).collect();
    let with = |files: &[NamedFile]| [original.clone(), files.to_vec()].concat();
    if test.run(0, &with(&files))? != Verdict::Interesting {
        return Ok(None);
    }
    let mut needed = files;
    let mut at = 0;
    while at < needed.len() {
        let file = needed.remove(at);
        if test.run(0, &with(&needed))? != Verdict::Interesting {
            needed.insert(at, file);
            at += 1;
        }
    }
    Ok(Some(needed))
}

/// Whether the test accepts the original under another name.
pub(super) fn name(trial: &Trial, test: &CommandOracle, kept: &mut Kept) -> Result<Option<UserError>, Fault> {
    let elsewhere = trial.elsewhere();
    let Some(renamed) = elsewhere.under_another_name(&trial.input.original) else { return Ok(None) };
    let accepted = elsewhere.accepts(test, &test.plan, &renamed)?;
    say("other name", accepts(if accepted { Verdict::Interesting } else { Verdict::Boring }))?;
    let (what, same) = match trial.input.form {
        Form::Folder => ("folder", "files"),
        _ => ("file", "text"),
    };
    let name = &elsewhere.arguments_for(&renamed)[0];
    Ok((!accepted).then(|| {
        UserError::bad_test(format!("the test depends on the name of the {what}"))
            .fact(format!("it does not accept the same {same} as '{}'", name.display()))
            .fact(format!("that is no obstacle: candidates keep the name of the {what}"))
            .help(kept.command("other-name", &renamed, &elsewhere, &test.plan))
    }))
}

/// Whether the test accepts the original without the user's environment; finds the variable that it needs.
pub(super) fn environment(
    trial: &Trial,
    test: &CommandOracle,
    kept: &mut Kept,
) -> Result<Option<UserError>, Fault> {
    let names = std::env::vars_os().map(|(name, _)| name);
    let names: Vec<OsString> = names.filter(|name| USUAL.iter().all(|usual| name != usual)).collect();
    let accepts_without = |names: &[OsString]| {
        let plan = test.plan.clone().with_commands(|command| command.without_variables(names));
        trial.elsewhere().accepts(test, &plan.map_err(Fault::Broken)?, &trial.input.original)
    };
    if names.is_empty() || accepts_without(&names)? {
        say("environment", "accepted with only PATH, HOME and TMPDIR")?;
        return Ok(None);
    }
    say("environment", "not accepted with only PATH, HOME and TMPDIR")?;
    let error = UserError::bad_test("the test depends on the environment");
    let most = test.limit.saturating_mul(u32::try_from(names.len()).unwrap_or(u32::MAX));
    let can_search = most < PATIENCE;
    let mut needed = Vec::new();
    for name in names.iter().filter(|_| can_search) {
        if !accepts_without(std::slice::from_ref(name))? {
            needed.push(name.to_string_lossy().into_owned());
        }
    }
    let error = if needed.is_empty() { error } else { error.fact(format!("it needs {}", needed.join(", "))) };
    let (original, elsewhere) = (&trial.input.original, trial.elsewhere());
    let bare = kept.command_as("original", original, &elsewhere, &test.plan, |command| {
        format!("env -i PATH=\"$PATH\" HOME=\"$HOME\" TMPDIR=/tmp sh -c {}", quoted(command))
    });
    Ok(Some(
        error
            .help(bare)
            .help("set what it needs inside of the test, so that it gives the same answer everywhere"),
    ))
}
