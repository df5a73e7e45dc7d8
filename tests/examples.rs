//! The examples that users see first: each is reduced as its test requires.

use crate::Checked;
use crate::kit::{Project, has, names_in, skip};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// An example: its folder, the tool that its test needs, and the extension of its program.
type Example = (&'static str, &'static str, &'static str);

const CRASH: Example = ("crash", "cc", "c");
const FAILING_TEST: Example = ("failing-test", "python3", "py");
const FAILING_PYTEST: Example = ("failing-pytest", "pytest", "py");

/// Reduces an example with at most this many runs of its test; the test must accept the result, which must
/// have at most this share of the bytes.
fn reduces((name, tool, ending): Example, runs: usize, percent: usize) -> Checked {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    if !folder.exists() {
        skip(name, "there is no such example yet");
        return Ok(());
    }
    if !has(tool) {
        skip(name, &format!("there is no {tool}"));
        return Ok(());
    }
    let names = names_in(&folder)?;
    let file =
        names.iter().find(|name| name.ends_with(&format!(".{ending}"))).ok_or("there is no program")?;
    // A copy of the example; the run must leave it unchanged.
    let project = Project::new()?;
    let original = fs::read(folder.join(file))?;
    let (test, input) = (project.path("interesting.sh"), project.file(file, &original)?);
    project.executable("interesting.sh", &fs::read_to_string(folder.join("interesting.sh"))?)?;
    let before = fs::metadata(&input)?.modified()?;
    let output = project.outside().join(file);
    let budget = format!("--max-tests={runs}");
    let mut arguments: Vec<&OsStr> = vec!["reduce".as_ref(), budget.as_ref(), "-o".as_ref()];
    arguments.extend([output.as_os_str(), test.as_os_str(), input.as_os_str()]);
    let run = project.start(&arguments)?.finish_within(Duration::from_secs(1800))?.exits_with(0)?;

    let result = fs::read(&output)?;
    let shown = String::from_utf8_lossy(&result);
    assert!(100 * result.len() <= percent * original.len(), "too large:\n{shown}\n{}", run.stderr);
    let mut check = project.command(&test);
    check.current_dir(project.outside()).arg(&output).stdout(Stdio::null()).stderr(Stdio::null());
    let check = project.spawn(check)?.finish()?;
    assert!(check.status.success(), "the test refuses\n{shown}");
    let is_untouched = fs::read(&input)? == original && fs::metadata(&input)?.modified()? == before;
    assert!(is_untouched, "the input was changed");
    // Whether processes are left is tested with `timeout` and `setsid` in cli/processes.rs.
    assert_eq!(names_in(&project.tmp())?, [] as [String; 0], "no working folder is left");
    Ok(())
}

#[test]
fn the_program_that_crashes_shrinks_from_the_start() -> Checked {
    reduces(CRASH, 60, 90)
}

#[test]
fn the_test_that_fails_shrinks_from_the_start() -> Checked {
    reduces(FAILING_TEST, 60, 70)
}

#[test]
fn the_pytest_that_fails_shrinks_from_the_start() -> Checked {
    reduces(FAILING_PYTEST, 60, 70)
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn the_program_that_crashes_is_reduced_to_the_end() -> Checked {
    reduces(CRASH, 100_000, 35)
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn the_test_that_fails_is_reduced_to_the_end() -> Checked {
    reduces(FAILING_TEST, 100_000, 25)
}
