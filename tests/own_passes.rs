//! A command with passes of its own, which have every fault that a pass can have.
//!
//! Without a test harness, since this very program is also started as a helper: then Lopper's `main` runs.

#[allow(dead_code, unused_imports, reason = "the other tests need it all")]
mod kit;

use kit::{Project, names_in};
use lopper::cli::main_with;
use lopper::oracle::is_helper;
use lopper::passes::{Base, Group, Pass, Unit};
use std::error::Error;
use std::process::{ExitCode, Stdio};

const fn pass(name: &'static str, plan: fn(&Base) -> Vec<Group>) -> Pass {
    Pass { name, proves: true, plan, ..Pass::DEFAULT }
}

static PASSES: [Pass; 2] = [pass("beyond", beyond), pass("panics", panics)];

/// Deletes words, and bytes beyond the end.
fn beyond(base: &Base) -> Vec<Group> {
    let cut = |range| Unit::Cut { file: 0, range };
    let end = base.files[0].text.len() as u32;
    let words = base.files[0].tokens().iter().map(|token| cut(token.start..token.end));
    vec![Group::deletions(words.chain([cut(end..end + 7), cut(end + 100..end + 200)]))]
}

fn panics(base: &Base) -> Vec<Group> {
    panic!("no plan for {} files", base.files.len())
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    match std::env::args().nth(1) {
        Some(word) if ["reduce", "passes"].contains(&&*word) || is_helper(word.as_ref()) => {
            Ok(main_with(&PASSES).into())
        }
        // Options of the test harness are ignored.
        Some(word) if ["--list", "--ignored"].contains(&&*word) => Ok(ExitCode::SUCCESS),
        _ => bugs_in_passes_cost_only_candidates_and_are_reported_with_advice().map(|()| ExitCode::SUCCESS),
    }
}

fn bugs_in_passes_cost_only_candidates_and_are_reported_with_advice() -> Result<(), Box<dyn Error>> {
    let project = Project::with("grep -q needle \"$1\"", "a.txt", "one two needle three four")?;
    let lopper = |arguments: &[&str]| {
        let mut command = project.command(std::env::current_exe()?);
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        project.spawn(command)?.finish()
    };
    let run = lopper(&["reduce", "./test.sh", "a.txt"])?.exits_with(0)?.says(&[
        "lopper: a bug in pass 'beyond' lost candidates (",
        "lopper: a bug in pass 'panics' lost candidates (",
        " times), but the result is safe: no plan for 1 files\n  help: please report it, with the input and log.txt \
         from the run folder; --skip-pass panics avoids it\n",
        "lopper: no pass finds anything more\n",
        "lopper: the log to send with a bug report is in a.reduced.txt.lopper\n",
    ])?;
    assert_eq!(project.read("a.reduced.txt")?.trim(), "needle");
    assert!(!run.stderr.contains("panicked at"), "a backtrace is for the log: {}", run.stderr);
    let log = project.read("a.reduced.txt.lopper/log.txt")?;
    for said in ["panicked at tests/own_passes.rs", "a bug in pass 'panics': no plan", "end: no pass finds"] {
        assert!(log.contains(said), "{said} is not in:\n{log}");
    }
    project.is_left_clean()?;
    // Following the advice helps: without the pass, no message mentions it.
    let run = lopper(&["reduce", "./test.sh", "a.txt", "--skip-pass", "panics,beyond"])?.exits_with(4)?;
    assert!(!run.stderr.contains("a bug"), "{}", run.stderr);
    let names = ["a.reduced.2.txt", "a.reduced.txt", "a.reduced.txt.lopper", "a.txt", "test.sh"];
    assert_eq!(names_in(&project.folder())?, names);
    assert_eq!(lopper(&["passes"])?.exits_with(0)?.stdout.lines().count(), PASSES.len());
    project.is_left_clean()
}
