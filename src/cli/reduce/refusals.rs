//! Refusals before a reduction writes anything, so that no user loses work.

use super::arguments::Arguments;
use super::place::Place;
use super::watching::Watching;
use crate::cli::given::refuse_overwriting;
use crate::cli::input::Input;
use crate::conditions::TestPlan;
use crate::error::UserError;
use crate::files::{folder_of, is_taken};
use crate::journal::{Form, Header, Past, RunFolder, held_by};
use crate::oracle::NamedFile;
use crate::oracle::contents::key;
use crate::output::{Target, is_same_file};
use crate::report::Ui;
use std::fs;
use std::path::Path;

/// Refuses to write to the test, and to the input without `--in-place`, under any name.
pub(super) fn refuse_other_uses(
    arguments: &Arguments,
    file: &Path,
    form: Form,
    plan: &TestPlan,
) -> Result<(), UserError> {
    if form != Form::File {
        refuse_single_file_uses(arguments, file, form)?;
    }
    let replaced = arguments.replaces_file(form).then_some(file);
    let output = arguments.output.as_deref().or(replaced);
    refuse_other_events(arguments, file, plan, output)?;
    let Some(output) = output else { return Ok(()) };
    let shown = output.display();
    refuse_overwriting(output, plan, arguments.language.grammar(), "--output")?;
    if !arguments.in_place && is_same_file(output, file) {
        return Err(UserError::usage("the output is the input")
            .fact(format!("'{}' would be overwritten", file.display()))
            .help("--in-place replaces the input, and keeps the original beside it"));
    }
    if replaced.is_some() && matches!(Target::of(file), Target::Stream(_)) {
        return Err(UserError::usage(format!("'{shown}' is not a regular file, so it cannot be replaced"))
            .help("choose a path for the result with --output"));
    }
    Ok(())
}

/// Refuses what only a single file can be used for, to replace a folder that is not the result of this run, and to write
/// the result into the input.
fn refuse_single_file_uses(arguments: &Arguments, file: &Path, form: Form) -> Result<(), UserError> {
    if arguments.generalize {
        let what = if form == Form::Folder { "a folder" } else { "several files" };
        return Err(UserError::usage(format!("--generalize is for a single file, and not for {what}"))
            .help("lopper generalize takes the result, or each of several files"));
    }
    let Some(output) = &arguments.output else { return Ok(()) };
    if let Target::Stream(_) = Target::of(output) {
        return Err(UserError::usage(format!(
            "the result is a folder, and cannot be written to '{}'",
            output.display()
        )));
    }
    let whole = |path: &Path| path.canonicalize().ok();
    if form == Form::Folder
        && let (Some(above), Some(input)) = (whole(&folder_of(output)), whole(file))
        && above.starts_with(&input)
    {
        return Err(UserError::usage(format!("'{}' is in the folder that is reduced", output.display()))
            .fact("the result would become a part of the input")
            .help("choose a path outside of that folder with --output"));
    }
    let is_free = !is_taken(output) || fs::read_dir(output).is_ok_and(|mut entries| entries.next().is_none());
    if is_free || RunFolder::is_at(&held_by(output)) {
        return Ok(());
    }
    Err(UserError::usage(format!("'{}' exists already", output.display()))
        .fact("the result would replace it, with everything in it")
        .help("choose another path with --output, or remove it"))
}

/// Refuses to write events or a page over the file, the test, the grammar, the result or each other, and to mix events with
/// other output.
fn refuse_other_events(
    arguments: &Arguments,
    file: &Path,
    plan: &TestPlan,
    output: Option<&Path>,
) -> Result<(), UserError> {
    let Watching { ui, events, report } = &arguments.watching;
    let is_shared = arguments.diff
        || arguments.generalize
        || output.is_some_and(|output| is_same_file(Path::new("/dev/stdout"), output));
    if *ui == Some(Ui::Json) && events.is_none() && is_shared {
        return Err(UserError::usage("--ui json needs standard output for the events")
            .help("write them to a file with --events, or write the other output to one"));
    }
    let mut used = vec![(file, "input")];
    used.extend(output.map(|output| (output, "result")));
    for (path, option, what) in [(events, "--events", "events"), (report, "--report", "page")] {
        let Some(path) = path else { continue };
        refuse_overwriting(path, plan, arguments.language.grammar(), option)?;
        if let Some((_, other)) = used.iter().find(|(other, _)| is_same_file(path, other) || *other == path) {
            return Err(UserError::usage(format!("the {what} would overwrite the {other}"))
                .fact(format!("both are in '{}'", path.display()))
                .help(format!("choose another path with {option}")));
        }
        used.push((path, what));
    }
    Ok(())
}

/// Refuses to continue the journal of a different run.
pub(super) fn refuse_another_run(then: &Header, now: &Header, folder: &RunFolder) -> Result<(), UserError> {
    then.refuses(now).map_or(Ok(()), |reason| {
        let shown = folder.path().display();
        Err(UserError::usage(format!("the journal in '{shown}' belongs to a different run"))
            .fact(reason)
            .help("omit --resume to start a new run; --output gives it a path of its own")
            .help("or remove the folder to start again there"))
    })
}

/// Refuses to continue `--in-place` if the file is not one that the run wrote, since that would overwrite the
/// user's work. Returns the file.
pub(super) fn refuse_edited_file(output: &Path, past: &Past) -> Result<NamedFile, UserError> {
    let content = fs::read(output).map_err(|e| {
        UserError::usage(format!("the file '{}' cannot be read", output.display())).fact(e.to_string())
    })?;
    let file = past.file(content);
    if past.written.contains(&key(&vec![file.clone()])) {
        return Ok(file);
    }
    Err(UserError::usage(format!("'{}' was changed after the run wrote it", output.display()))
        .fact("continuing would overwrite those changes")
        .help("save it elsewhere, and restore the original from the file that ends in .orig"))
}

/// Refuses to continue a run whose result is a folder that holds something else now: the next program would take its place,
/// and what somebody has put there would be lost.
pub(super) fn refuse_edited_result(place: &Place, past: &Past, input: &Input) -> Result<(), UserError> {
    let Target::File(output) = &place.target else { return Ok(()) };
    if !is_taken(output) || input.saved(output).is_some_and(|saved| past.written.contains(&key(&saved))) {
        return Ok(());
    }
    Err(UserError::usage(format!("'{}' was changed after the run wrote it", output.display()))
        .fact("continuing would delete those changes")
        .help("move it elsewhere; then --resume writes the result of the run again"))
}

/// Refuses to put a result in place that lacks the test: a test in the folder that is reduced may change like all else there.
pub(super) fn refuse_to_lose_test(
    arguments: &Arguments,
    plan: &TestPlan,
    input: &Input,
) -> Result<(), UserError> {
    if !arguments.in_place || input.form == Form::File {
        return Ok(());
    }
    let mut places = input.original.iter().map(|file| input.place(&file.path));
    let test = places.find(|place| plan.files().any(|test| is_same_file(test, place)));
    test.map_or(Ok(()), |test| {
        Err(UserError::usage(format!("the test '{}' would be reduced in place", test.display()))
            .fact("it is one of the files that may change")
            .help("--keep or --ignore leaves it as it is; or move it out of the folder"))
    })
}
