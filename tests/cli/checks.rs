//! The checks of the user's test before the run, each with a clear message.

use super::{C, NEEDLE, needle};
use crate::Checked;
use crate::kit::{Finished, Project, names_in};
use std::error::Error;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Runs a project with a bad test; no file may be written.
fn refused(script: &str, code: i32) -> Result<Finished, Box<dyn Error>> {
    let project = Project::with(script, "a.c", C)?;
    let run = project.reduce(&["./test.sh", "a.c"])?.exits_with(code)?;
    assert_eq!(names_in(&project.folder())?, ["a.c", "test.sh"], "nothing is written");
    project.is_left_clean()?;
    Ok(run)
}

#[test]
fn a_test_that_is_not_executable_is_reported_with_the_command_to_fix_it() -> Checked {
    let project = needle()?;
    fs::set_permissions(project.path("test.sh"), fs::Permissions::from_mode(0o644))?;
    let run = project.reduce(&["./test.sh", "a.c"])?.exits_with(2)?;
    run.says(&["test.sh", "is not executable", "chmod +x", "-- sh"])?;
    Ok(())
}

#[test]
fn a_missing_test_is_named() -> Checked {
    let project = needle()?;
    project.reduce(&["./none.sh", "a.c"])?.exits_with(2)?.says(&["'./none.sh' does not exist"])?;
    project.reduce(&["none", "a.c"])?.exits_with(2)?.says(&["'none' does not exist", "PATH"])?;
    project.reduce(&["a.c", "--", "none"])?.exits_with(2)?.says(&["'none' does not exist", "PATH"])?;
    Ok(())
}

#[test]
fn a_test_that_is_a_folder_is_refused() -> Checked {
    let project = needle()?;
    fs::create_dir(project.path("sub"))?;
    project.reduce(&["./sub", "a.c"])?.exits_with(2)?.says(&["sub' is a folder"])?;
    Ok(())
}

#[test]
fn a_test_whose_interpreter_is_missing_is_reported() -> Checked {
    let project = needle()?;
    project.executable("test.sh", "#!/no/such/interpreter\nexit 0\n")?;
    let run = project.reduce(&["./test.sh", "a.c"])?.exits_with(3)?;
    run.says(&["test.sh", "cannot be started", "interpreter"])?;
    project.is_left_clean()
}

#[test]
fn a_test_without_an_interpreter_line_is_reported_with_the_missing_line() -> Checked {
    let project = needle()?;
    project.executable("test.sh", "grep -q needle \"$1\"\n")?;
    let run = project.reduce(&["./test.sh", "a.c"])?.exits_with(3)?;
    run.says(&["test.sh", "cannot be started", "#!/bin/sh"])?;
    Ok(())
}

#[test]
fn a_test_that_refuses_the_original_shows_its_exit_code_its_words_and_what_to_try() -> Checked {
    let run = refused("echo some words; echo an error >&2; exit 7", 3)?;
    run.says(&[
        "does not accept the original",
        "exit code 7",
        "some words",
        "an error",
        "mktemp -d",
        "echo $?",
    ])?;
    Ok(())
}

#[test]
fn the_command_to_try_does_what_the_test_did() -> Checked {
    let project = Project::new()?;
    project.script("it's my test.sh", "echo got \"$(basename \"$1\")\"; exit 9")?;
    project.file("a b.c", C)?;
    let run = project.reduce(&["./it's my test.sh", "a b.c"])?.exits_with(3)?;
    let line = run.stderr.lines().find_map(|l| l.trim().strip_prefix("help: try "));
    let mut shell = project.command("sh");
    shell.args(["-c", line.ok_or("there is nothing to try")?]).stdout(std::process::Stdio::piped());
    assert_eq!(project.spawn(shell)?.finish()?.stdout, "got a b.c\n9\n", "{}", run.stderr);
    Ok(())
}

#[test]
fn of_long_output_the_end_is_shown() -> Checked {
    let run = refused("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i + 1)); done; exit 1", 3)?;
    let run = run.says(&["line 2999"])?;
    assert!(run.stderr.lines().count() < 30, "{}", run.stderr);
    Ok(())
}

#[test]
fn a_test_that_dies_from_a_signal_on_the_original_is_reported() -> Checked {
    refused("kill -SEGV $$", 3)?.says(&["does not accept the original", "signal"])?;
    Ok(())
}

#[test]
fn a_test_that_cannot_tell_of_the_original_is_refused() -> Checked {
    let run = refused("exit 125", 3)?;
    run.says(&[
        "does not accept the original file: it cannot tell",
        "125",
        "help: a tool that the test needs",
        "mktemp -d",
    ])?;
    let project = Project::with("exit 125", "a.c", C)?;
    project.lopper(&["isolate", "./test.sh", "a.c"])?.exits_with(3)?.says(&["125", "cannot tell"])?;
    Ok(())
}

#[test]
fn a_test_and_a_file_in_the_wrong_order_are_recognised() -> Checked {
    let project = needle()?;
    let said = "the test comes first, then the file: lopper";
    project.reduce(&["a.c", "./test.sh"])?.exits_with(2)?.says(&[said, "reduce ./test.sh a.c"])?;
    project.lopper(&["isolate", "a.c", "test.sh"])?.exits_with(2)?.says(&[said, "isolate test.sh a.c"])?;
    // If every file is executable, only the first line distinguishes the two.
    fs::set_permissions(project.path("a.c"), fs::Permissions::from_mode(0o755))?;
    project.reduce(&["./a.c", "./test.sh"])?.exits_with(3)?.says(&[said])?;
    project.script("other.sh", "exit 1")?;
    let run = project.reduce(&["./other.sh", "./test.sh"])?.exits_with(3)?;
    assert!(!run.stderr.contains(said), "a script may be reduced as well: {}", run.stderr);
    Ok(())
}

#[test]
fn a_test_that_is_missing_advises_the_command_that_was_called() -> Checked {
    let project = needle()?;
    for command in ["reduce", "isolate"] {
        let run = project.lopper(&[command, "./none.sh", "a.c"])?.exits_with(2)?;
        let other = if command == "reduce" { "lopper isolate" } else { "lopper reduce" };
        assert!(run.stderr.contains(&format!("lopper {command} TEST FILE")), "{}", run.stderr);
        assert!(!run.stderr.contains(other), "{}", run.stderr);
        fs::set_permissions(project.path("a.c"), fs::Permissions::from_mode(0o644))?;
        let run = project.lopper(&[command, "./a.c", "a.c"])?.exits_with(2)?;
        assert!(run.stderr.contains("chmod +x") && !run.stderr.contains(other), "{}", run.stderr);
    }
    Ok(())
}

#[test]
fn control_characters_of_tests_and_names_are_shown_and_not_obeyed() -> Checked {
    let project = Project::with("printf '\\033[2Jgone\\r\\007\\n'; exit 1", "a\u{1b}[31m.c", C)?;
    for command in ["reduce", "isolate"] {
        let run = project.lopper(&[command, "./test.sh", "a\u{1b}[31m.c"])?.exits_with(3)?;
        let run = run.says(&["\\u{1b}[2Jgone\\r\\u{7}"])?;
        assert!(!run.stderr.contains(['\u{1b}', '\r', '\u{7}']), "{:?}", run.stderr);
    }
    for arguments in
        [&["./no\u{1b}[31mne.sh", "a.c"][..], &["./test.sh", "no\nlopper: fine"], &["--\u{1b}[31m"]]
    {
        let run = project.reduce(arguments)?.exits_with(2)?;
        assert!(
            !run.stderr.contains("\u{1b}[31m") && !run.stderr.contains("\nlopper: fine"),
            "{:?}",
            run.stderr
        );
    }
    Ok(())
}

#[test]
fn a_test_that_accepts_an_empty_file_is_refused() -> Checked {
    refused("exit 0", 3)?.says(&["accepts an empty file", "help:"])?;
    Ok(())
}

#[test]
fn a_test_that_accepts_a_trivial_file_is_remarked_upon_and_used() -> Checked {
    let project = Project::with("grep -q main \"$1\"", "a.c", C)?;
    let run = project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    run.says(&["the test accepts a trivial file\n  it is: int main(void) { return 0; }\n  help: "])?;
    assert_eq!(project.read("a.reduced.c")?, "main\n");
    let run = project.reduce(&["./test.sh", "a.c", "--quiet", "-o", "b.c"])?.exits_with(0)?;
    assert_eq!(run.stderr, "");
    let run = needle()?.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    assert!(!run.stderr.contains("trivial"), "{}", run.stderr);
    Ok(())
}

#[test]
fn a_slow_run_and_its_start_up_are_told_before_a_search() -> Checked {
    let project = Project::with("sleep 0.3; grep -q needle \"$1\"", "a.c", C)?;
    let most = " s are start-up\n  help: --server keeps the tool running, and lopper check says more";
    let limits = ["./test.sh", "a.c", "--max-tests", "1"];
    for command in ["reduce", "isolate"] {
        let run = project.lopper(&[&[command], &limits[..]].concat())?.exits_with(0)?;
        run.says(&["a run of the test takes ", most])?;
    }
    project.script("test.sh", "grep -q needle \"$1\" && sleep 3")?;
    let run = project.reduce(&[&limits[..], &["-o", "b.c"]].concat())?.exits_with(0)?;
    assert!(run.stderr.contains(" s are start-up\n") && !run.stderr.contains("--server"), "{}", run.stderr);
    Ok(())
}

/// A script that writes the path of each candidate down, and ends as `holds` does.
fn noting(holds: &str) -> String {
    format!("echo \"$1\" >>\"$OUTSIDE/paths\"\n{holds}")
}

#[test]
fn the_last_run_on_the_original_is_in_another_folder_and_under_another_name() -> Checked {
    let project = Project::with(&noting(NEEDLE), "a.c", C)?;
    let run = project.reduce(&["./test.sh", "a.c", "-j", "1", "--max-tests", "1"])?.exits_with(0)?;
    assert!(!run.stderr.contains("folder"), "{}", run.stderr);
    let paths = project.reported("paths");
    let [first, second, third, fourth, ..] = &paths.lines().collect::<Vec<_>>()[..] else {
        return Err(paths.into());
    };
    assert!(first == second && first == fourth && first.ends_with("/a.c"), "{paths}");
    assert!(third.ends_with("/another.c") && third.rsplit_once('/') != first.rsplit_once('/'), "{paths}");
    project.is_left_clean()
}

#[test]
fn a_test_that_depends_on_the_name_of_the_file_is_used_in_silence() -> Checked {
    let script = noting(&format!("test \"$(basename \"$1\")\" = a.c && {NEEDLE}"));
    let project = Project::with(&script, "a.c", C)?;
    let run = project.reduce(&["./test.sh", "a.c", "-j", "1"])?.exits_with(0)?;
    assert!(!run.stderr.contains("depends") && !run.stderr.contains("flickers"), "{}", run.stderr);
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    let paths = project.reported("paths");
    let names: Vec<&str> = paths.lines().filter_map(|path| path.rsplit('/').next()).collect();
    assert_eq!(names[..6], ["a.c", "a.c", "another.c", "a.c", "another.c", "a.c"], "{paths}");
    Ok(())
}

#[test]
fn a_test_that_depends_on_the_folder_is_remarked_upon() -> Checked {
    let script = "test -e $OUTSIDE/here || pwd >$OUTSIDE/here; test \"$(pwd)\" = \"$(cat $OUTSIDE/here)\"";
    let project = Project::with(&format!("{script} && {NEEDLE}"), "a.c", C)?;
    let run = project.reduce(&["./test.sh", "a.c", "-j", "1"])?.exits_with(0)?;
    run.says(&["the answer of the test depends on the folder", "--jobs runs it in a folder of its own"])?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    Ok(())
}

#[test]
fn a_test_that_writes_where_other_runs_write_is_remarked_upon_if_several_run_at_a_time() -> Checked {
    let script = format!("echo >>\"$(dirname \"$0\")/log.txt\"; {NEEDLE}");
    for (jobs, told) in [("1", false), ("2", true)] {
        let project = Project::with(&script, "a.c", C)?;
        let run = project.reduce(&["./test.sh", "a.c", "-j", jobs])?.exits_with(0)?;
        assert_eq!(run.stderr.contains("files outside of the test's folder changed"), told, "{}", run.stderr);
        assert_eq!(run.stderr.contains("/log.txt\n"), told, "{}", run.stderr);
    }
    Ok(())
}

#[test]
fn a_test_that_lacks_a_file_or_its_standard_input_is_told_so_by_every_command() -> Checked {
    let project = Project::with("cat b.h | grep -q wanted && grep -q needle \"$1\"", "a.c", C)?;
    project.file("b.h", "wanted\n")?;
    for command in ["reduce", "generalize"] {
        let run = project.lopper(&[command, "./test.sh", "a.c"])?.exits_with(3)?;
        run.says(&["the test needs a file beside the input: b.h\n", "by absolute paths"])?;
    }
    let run = project.reduce(&["a.c", "--", "sh", "-c", "grep -q needle"])?.exits_with(3)?;
    run.says(&["reads the program from standard input", "COMMAND < \"$1\""])?;
    Ok(())
}

#[test]
fn a_test_that_alternates_whatever_the_file_is_refused() -> Checked {
    for first in ["0", "1"] {
        let script = format!(
            "n=$(cat \"$OUTSIDE/n\" 2>/dev/null || echo {first})\necho $((n + 1)) >\"$OUTSIDE/n\"\nexit $((n % 2))"
        );
        refused(&script, 3)?.says(&["accepts an empty file"])?;
    }
    Ok(())
}

#[test]
fn a_test_that_needs_its_own_folder_is_explained() -> Checked {
    refused("test -f ./test.sh && grep -q needle \"$1\"", 3)?.says(&[
        "the test needs a file beside the input: test.sh\n",
        "a folder that holds only a copy of the input",
        "absolute paths",
    ])?;
    Ok(())
}

#[test]
fn a_test_that_removes_files_never_runs_in_the_folder_of_the_input() -> Checked {
    let project = Project::with("rm -rf \"${1%/*}\"/* ./*\nexit 1", "a.c", C)?;
    project.file("dear", "dear")?;
    project.reduce(&["./test.sh", "a.c"])?.exits_with(3)?;
    assert_eq!(names_in(&project.folder())?, ["a.c", "dear", "test.sh"]);
    Ok(())
}

#[test]
fn a_test_that_rejects_the_result_in_the_end_is_reported() -> Checked {
    let script = "test -f \"$OUTSIDE/closed\" && exit 1\ngrep -q needle \"$1\" || exit 1\n\
                  test $(wc -c <\"$1\") -lt 20 && touch \"$OUTSIDE/closed\"\nexit 0";
    let project = Project::with(script, "a.c", C)?;
    let run = project.reduce(&["./test.sh", "a.c"])?.exits_with(3)?;
    run.says(&["does not accept the original any more", "of 16 runs", "does the test still work"])?;
    assert!(project.read("a.reduced.c")?.contains("needle"), "the result is kept");
    Ok(())
}

#[test]
fn a_test_that_breaks_during_the_run_ends_it_with_the_result_so_far() -> Checked {
    let script = format!(
        "{NEEDLE} || exit 1\ntest $(wc -c <\"$1\") -lt 100 && rm \"$OUTSIDE/../here/test.sh\"\nexit 0"
    );
    let project = Project::with(&script, "a.c", C)?;
    let run = project.reduce(&["./test.sh", "a.c"])?.exits_with(3)?;
    run.says(&["test.sh", "cannot be started"])?;
    let result = project.read("a.reduced.c")?;
    assert!(result.contains("needle") && result.len() < 100, "{result}");
    project.is_left_clean()
}
