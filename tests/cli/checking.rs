//! `lopper check`: each finding is provoked once.

use super::{C, NEEDLE};
use crate::Checked;
use crate::kit::{Finished, Project};
use std::error::Error;
use std::fs;
use std::process::Stdio;

/// Checks a test of these lines on a program with a needle; nothing in the project's folder may change.
fn check(script: &str, code: i32) -> Result<(Project, Finished), Box<dyn Error>> {
    let project = Project::with(script, "a.c", C)?;
    let run = project.lopper(&["check", "./test.sh", "a.c"])?.exits_with(code)?;
    Ok((project, run))
}

/// Whether the answer contains all these texts.
fn tells(run: &Finished, texts: &[&str]) -> Checked {
    let missing: Vec<&&str> = texts.iter().filter(|text| !run.stdout.contains(**text)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("{missing:?} not in:\n{}", run.stdout).into()) }
}

/// What the command to try with a finding prints.
fn tried(project: &Project, run: &Finished, finding: &str) -> Result<String, Box<dyn Error>> {
    let lines = run.stdout.lines().skip_while(|line| !line.contains(finding));
    let shown = lines.filter_map(|line| line.trim().strip_prefix("help: try ")).next();
    let mut shell = project.command("sh");
    shell.arg("-c").arg(shown.ok_or_else(|| format!("no command:\n{}", run.stdout))?).stdout(Stdio::piped());
    Ok(project.spawn(shell)?.finish()?.stdout)
}

#[test]
fn a_good_test_has_no_fault() -> Checked {
    let (project, run) = check(NEEDLE, 0)?;
    tells(&run, &["accepted in 3 of 3 runs", "empty file     not accepted", "trivial file   not accepted"])?;
    tells(&run, &["other folder   accepted", "other name     accepted", "no fault was found"])?;
    project.forget_advice(&run)?;
    project.is_left_clean()
}

#[test]
fn a_test_that_accepts_anything_is_shown_with_folders_in_which_to_try_it() -> Checked {
    let (project, run) = check("exit 0", 3)?;
    tells(
        &run,
        &["the test accepts an empty file", "the test accepts a trivial file", "cannot be used as it is"],
    )?;
    for finding in ["accepts an empty file", "accepts a trivial file"] {
        assert_eq!(tried(&project, &run, finding)?, "0\n", "the command does what the check did");
    }
    Ok(())
}

#[test]
fn a_test_that_changes_its_mind_is_told_with_its_rate() -> Checked {
    let script = "n=$(cat $OUTSIDE/n 2>/dev/null || echo 0); echo $((n + 1)) >$OUTSIDE/n; test $n -ne 1";
    let (_, run) = check(script, 3)?;
    tells(&run, &["does not give the same answer each time", "in 2 of 3 runs", "/original && "])?;
    Ok(())
}

#[test]
fn a_test_that_lacks_a_file_beside_the_input_is_told_which_one() -> Checked {
    let project = Project::with("cat b.h | grep -q wanted && grep -q needle \"$1\"", "a.c", C)?;
    project.file("b.h", "wanted\n")?;
    project.file("c.h", "not wanted by anybody\n")?;
    let run = project.lopper(&["check", "./test.sh", "a.c"])?.exits_with(3)?;
    tells(&run, &["the test needs a file beside the input: b.h\n", "by absolute paths"])?;
    assert_eq!(tried(&project, &run, "beside the input")?, "0\n", "with the file");
    Ok(())
}

#[test]
fn a_command_that_reads_standard_input_is_recognised() -> Checked {
    let project = Project::new()?;
    project.file("a.c", C)?;
    let run = project.lopper(&["check", "a.c", "--", "sh", "-c", "grep -q needle"])?.exits_with(3)?;
    tells(&run, &["reads the program from standard input", "COMMAND < \"$1\""])?;
    assert_eq!(tried(&project, &run, "standard input")?, "0\n", "with the file as standard input");
    Ok(())
}

#[test]
fn what_a_test_depends_on_is_named() -> Checked {
    let project = Project::with(&format!("test \"$SPECIAL\" = yes && {NEEDLE}"), "a.c", C)?;
    let mut command = project.command(env!("CARGO_BIN_EXE_lopper"));
    command.args(["check", "./test.sh", "a.c"]).env("SPECIAL", "yes").stdout(Stdio::piped());
    let run = project.spawn(command)?.finish()?.exits_with(0)?;
    tells(&run, &["depends on the environment", "it needs SPECIAL\n", "the test can be used"])?;
    assert_eq!(tried(&project, &run, "depends on the environment")?, "1\n", "without it");
    let (project, run) = check(&format!("test \"$(basename \"$1\")\" = a.c && {NEEDLE}"), 0)?;
    tells(&run, &["other name     not accepted", "depends on the name of the file", "'another.c'"])?;
    assert_eq!(tried(&project, &run, "depends on the name")?, "1\n");
    let script = "test -e $OUTSIDE/here || pwd >$OUTSIDE/here; test \"$(pwd)\" = \"$(cat $OUTSIDE/here)\"";
    let (project, run) = check(&format!("{script} && {NEEDLE}"), 3)?;
    tells(&run, &["other folder   not accepted", "depends on the folder"])?;
    assert_eq!(tried(&project, &run, "depends on the folder")?, "1\n");
    Ok(())
}

#[test]
fn what_a_failure_like_the_original_depends_on_is_named_too() -> Checked {
    let project = Project::new()?;
    project.file("a.c", C)?;
    let script = "test \"$(basename \"$1\")\" = a.c || { echo fatal: no; exit 3; }; echo internal error at x.c:7; exit 3";
    project.script("tool.sh", &format!("grep -q needle \"$1\" || exit 1; {script}"))?;
    let run = project.lopper(&["check", "a.c", "--like-original", "--", "./tool.sh"])?.exits_with(0)?;
    tells(&run, &["reports \"internal error at x.c:7\"", "other name     not accepted", "'another.c'"])
}

#[test]
fn a_test_that_writes_outside_of_its_folder_is_told_where() -> Checked {
    let (project, run) = check(&format!("echo >>\"$(dirname \"$0\")/log.txt\"; {NEEDLE}"), 0)?;
    tells(&run, &["files outside of the test's folder changed", "/log.txt\n", "$TMPDIR"])?;
    let before = project.read("log.txt")?.lines().count();
    assert_eq!(tried(&project, &run, "files outside")?, "0\n");
    assert_eq!(project.read("log.txt")?.lines().count(), before + 1);
    Ok(())
}

#[test]
fn start_up_that_takes_most_of_a_run_is_told() -> Checked {
    let (_, run) = check(&format!("sleep 0.3; {NEEDLE}"), 0)?;
    tells(
        &run,
        &["of a run are start-up", "hundreds of runs", "/empty && time ", "--server", "no fault was found"],
    )
}

#[test]
fn a_test_that_refuses_the_original_is_explained_with_its_output() -> Checked {
    let (_, run) = check("echo the tool is not there; exit 7", 3)?;
    tells(
        &run,
        &["does not accept the original file", "exit code 7", "the tool is not there", "/original && "],
    )?;
    let project = Project::with(NEEDLE, "a.c", C)?;
    let run = project.lopper(&["check", "a.c", "--like-original", "--", "./test.sh"])?.exits_with(3)?;
    run.says(&["nothing tells how the original fails"])?;
    fs::remove_file(project.path("a.c"))?;
    project.lopper(&["check", "./test.sh", "a.c"])?.exits_with(2)?.says(&["'a.c' cannot be read"])?;
    Ok(())
}

#[test]
fn a_test_that_takes_too_long_or_too_much_is_shown_with_a_folder_in_which_to_try_it() -> Checked {
    let project = Project::with("test -e go || sleep 1000", "a.c", C)?;
    let run = project.lopper(&["check", "./test.sh", "a.c", "--timeout", "0.5"])?.exits_with(3)?;
    tells(&run, &["the test takes too long", "--timeout 5 gives it more time", "/original && "])?;
    Ok(())
}

#[test]
fn a_test_that_accepts_the_original_only_later_is_shown_with_a_folder_in_which_to_try_it() -> Checked {
    let script = "n=$(cat $OUTSIDE/n 2>/dev/null || echo 0); echo $((n + 1)) >$OUTSIDE/n; test $n -gt 4";
    let (project, run) = check(script, 3)?;
    tells(&run, &["does not give the same answer twice", "/original && "])?;
    assert_eq!(tried(&project, &run, "same answer twice")?, "0\n");
    Ok(())
}

/// A project with `test.sh` of this line, and the folder `p` with two sources and a link.
fn folder(script: &str) -> Result<Project, Box<dyn Error>> {
    let project = Project::new()?;
    project.script("test.sh", script)?;
    fs::create_dir_all(project.path("p/src"))?;
    project.file("p/src/a.c", C)?;
    project.file("p/b.c", "int b;\n")?;
    std::os::unix::fs::symlink("b.c", project.path("p/link"))?;
    Ok(project)
}

#[test]
fn a_test_for_a_folder_is_tried_as_a_whole() -> Checked {
    let project = folder("grep -q needle \"$1/src/a.c\"")?;
    let run = project.lopper(&["check", "./test.sh", "p"])?.exits_with(0)?;
    tells(&run, &["accepted in 3 of 3 runs", "empty files    not accepted", "other folder   accepted"])?;
    tells(&run, &["other name     accepted", "no fault was found"])?;
    assert!(!run.stdout.contains("trivial"), "{}", run.stdout);
    project.forget_advice(&run)?;
    project.is_left_clean()
}

#[test]
fn a_finding_about_a_folder_comes_with_a_copy_of_the_folder() -> Checked {
    let project = folder("[ \"${1##*/}\" = p ] && [ -h \"$1/link\" ] && grep -q . \"$1/src/a.c\"")?;
    let run = project.lopper(&["check", "./test.sh", "p/"])?.exits_with(0)?;
    tells(&run, &["depends on the name of the folder", "the same files as 'another'"])?;
    assert_eq!(tried(&project, &run, "depends on the name")?, "1\n");
    project.script("test.sh", "[ -h \"$1/link\" ] && [ -e \"$1/src/a.c\" ]")?;
    let run = project.lopper(&["check", "./test.sh", "p"])?.exits_with(3)?;
    tells(&run, &["the test accepts nothing but empty files"])?;
    assert_eq!(tried(&project, &run, "nothing but empty files")?, "0\n");
    Ok(())
}

#[test]
fn a_test_for_several_files_gets_all_of_them_in_every_trial() -> Checked {
    let project = folder("[ $# = 2 ] && grep -q needle \"$1\" && [ -e \"$2\" ]")?;
    let run = project.lopper(&["check", "./test.sh", "p/src/a.c", "p/b.c"])?.exits_with(0)?;
    tells(&run, &["accepted in 3 of 3 runs", "other folder   accepted", "no fault was found"])?;
    let run = project.lopper(&["check", "./test.sh", "p/b.c", "p/src/a.c"])?.exits_with(3)?;
    tells(&run, &["does not accept the original"])?;
    assert_eq!(tried(&project, &run, "does not accept")?, "1\n");
    assert!(!project.path("p/b.c.lopper").exists());
    // With all but one of several files beside each candidate, the test still gets all paths.
    let only = ["./test.sh", "p/src/a.c", "p/b.c", "--only", "a.c"];
    let run = project.reduce(&only)?.exits_with(0)?;
    assert!(!run.stderr.contains("depends on the folder"), "{}", run.stderr);
    Ok(())
}
