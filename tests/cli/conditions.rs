//! Conditions on the results of commands, in place of a script as the test.

use super::C;
use crate::Checked;
use crate::kit::{Finished, Project, has, skip};
use std::error::Error;

/// A tool that refuses files without `needle`, and crashes on those with it, each time at another address.
const TOOL: &str = "\
if grep -q needle \"$1\"; then
    echo \"compiling $1\"
    echo \"tool: eval.c:77: eval: Assertion \\`depth < 16' failed at 0x$$.\" >&2
    exit 3
fi
grep -q limit \"$1\" && { echo 'internal error at table.c:9' >&2; exit 3; }
echo ok
exit 1";

fn project() -> std::io::Result<Project> {
    let project = Project::new()?;
    project.script("tool.sh", TOOL)?;
    project.file("a.c", C)?;
    Ok(project)
}

/// Reduces `a.c` by these conditions on the tool.
fn reduce(project: &Project, conditions: &[&str]) -> Result<Finished, Box<dyn Error>> {
    project.reduce(&[&["a.c", "-o", "small.c"], conditions, &["--", "./tool.sh", "{}"]].concat())
}

#[test]
fn the_exit_code_and_the_outputs_of_a_command_replace_a_script() -> Checked {
    let project = project()?;
    for (conditions, sentence) in [
        (&["--stderr", "Assertion .depth"][..], "`tool.sh {}` prints /Assertion .depth/ on standard error"),
        (
            &["--exit-code", "3", "--not-any-output", "internal"],
            "exits with code 3 and does not print /internal/",
        ),
        (&["--exit-code", "nonzero", "--stdout", "^compiling"], "does not exit with code 0 and prints"),
        (&["--any-output", "eval: Assert", "--not-stdout", "ok"], "does not print /ok/ on standard output"),
    ] {
        let run = reduce(&project, conditions)?.exits_with(0)?;
        run.says(&["a candidate is interesting if", sentence])?;
        assert_eq!(project.read("small.c")?, "needle\n", "{conditions:?}");
    }
    project.is_left_clean()
}

#[test]
fn a_signal_counts_when_a_shell_reports_it_too() -> Checked {
    let project = Project::new()?;
    project.file("a.c", C)?;
    for script in
        ["grep -q needle \"$1\" && kill -SEGV $$; exit 1", "grep -q needle \"$1\" && exit 139; exit 1"]
    {
        project.script("tool.sh", script)?;
        reduce(&project, &["--signal", "SIGSEGV"])?.exits_with(0)?.says(&["`tool.sh {}` dies by SIGSEGV"])?;
        assert_eq!(project.read("small.c")?, "needle\n");
    }
    reduce(&project, &["--signal", "SIGNAL"])?.exits_with(2)?.says(&["no such signal"])?;
    Ok(())
}

#[test]
fn a_candidate_fails_as_the_original_does_whatever_address_it_reports() -> Checked {
    let project = project()?;
    let run = reduce(&project, &["--like-original"])?.exits_with(0)?;
    run.says(&["exits with code 3", "tool: eval.c:77: eval: Assertion `depth < 16' failed at ADDRESS."])?;
    assert_eq!(
        project.read("small.c")?,
        "needle\n",
        "the other crash, at table.c:9, is not taken for this one"
    );
    project.is_left_clean()
}

#[test]
fn an_original_that_does_not_fail_cannot_be_followed() -> Checked {
    let project = project()?;
    project.file("a.c", "int fine;\n")?;
    let run = reduce(&project, &["--like-original"])?.exits_with(3)?;
    run.says(&[
        "nothing tells how the original fails",
        "it exits with code 1",
        "\n    ok\n",
        "--stderr REGEX",
    ])?;
    project.script("tool.sh", "test -e $OUTSIDE/once && exit 4; touch $OUTSIDE/once; exit 5")?;
    reduce(&project, &["--like-original"])?
        .exits_with(3)?
        .says(&["does not end in the same way each time"])?;
    project.is_left_clean()
}

#[test]
fn a_resumed_run_knows_how_the_original_failed() -> Checked {
    let project = project()?;
    let run = reduce(&project, &["--like-original", "--max-tests", "3"])?.exits_with(0)?;
    run.says(&["--resume"])?;
    // The tool counts its runs on the original from now on.
    let run = reduce(&project, &["--like-original", "--resume"])?.exits_with(0)?;
    run.says(&["resuming", "Assertion `depth < 16' failed at ADDRESS."])?;
    assert_eq!(project.read("small.c")?, "needle\n");
    reduce(&project, &["--like-original", "--max-tests", "3"])?.exits_with(0)?;
    reduce(&project, &["--exit-code", "3", "--resume"])?.exits_with(2)?.says(&["the test", "has changed"])?;
    project.is_left_clean()
}

#[test]
fn other_commands_have_to_accept_or_refuse_a_candidate() -> Checked {
    let project = project()?;
    let run = project.reduce(&[
        "a.c",
        "-o",
        "small.c",
        "--require",
        "grep -q main {}",
        "--require",
        "grep -q 'int count'",
        "--reject",
        "grep -q void",
        "--stderr",
        "Assertion",
        "--",
        "./tool.sh",
    ])?;
    run.exits_with(3)?.says(&["does not accept the original", "`grep -q void {}` accepts it"])?;
    let run = reduce(
        &project,
        &["--require", "grep -q main {}", "--require", "grep -q 'int count'", "--stderr", "Ass"],
    )?;
    run.exits_with(0)?.says(&["and `grep -q 'int count' {}` accepts it"])?;
    let small = project.read("small.c")?;
    assert!(
        ["needle", "main", "int count"].iter().all(|word| small.contains(word)) && !small.contains("limit"),
        "{small}"
    );
    project.is_left_clean()
}

#[test]
fn two_commands_differ_without_any_test() -> Checked {
    let project = Project::new()?;
    project.file("a.c", C)?;
    // One of them sees the needle.
    project.script("one.sh", "grep -c needle \"$1\"; exit 0")?;
    project.script("two.sh", "echo 0")?;
    let run =
        project.reduce(&["a.c", "-o", "small.c", "--differs", "./one.sh {}", "./two.sh"])?.exits_with(0)?;
    run.says(&["the results of `one.sh {}` and `two.sh {}` differ"])?;
    assert_eq!(project.read("small.c")?, "needle\n");
    project.is_left_clean()
}

#[test]
fn isolate_takes_conditions_too() -> Checked {
    let project = project()?;
    let run =
        project.lopper(&["isolate", "a.c", "--stderr", "Assertion", "--", "./tool.sh"])?.exits_with(0)?;
    let run = run.says(&["prints /Assertion/ on standard error"])?;
    assert!(run.stdout.contains("needle"), "{}", run.stdout);
    project.is_left_clean()
}

#[test]
fn generalize_takes_conditions_too() -> Checked {
    let project = project()?;
    let arguments = ["a.c", "--like-original", "--require", "none", "--budget", "150", "--", "./tool.sh"];
    let run = project.lopper(&[&["generalize"], &arguments[..]].concat())?.exits_with(0)?;
    let run = run.says(&["exits with code 3", "Assertion `depth < 16' failed at ADDRESS."])?;
    assert!(run.stdout.contains("needle"), "{}", run.stdout);
    let run = project.reduce(&["a.c", "-o", "b.c", "--generalize", "--like-original", "--", "./tool.sh"])?;
    let run = run.exits_with(0)?;
    assert!(run.stdout.contains("needle"), "{}", run.stdout);
    project.is_left_clean()
}

#[test]
fn a_condition_that_makes_no_sense_is_refused_with_help() -> Checked {
    let project = project()?;
    reduce(&project, &["--stderr", "Assertion ("])?.exits_with(2)?.says(&["cannot be read", "backslash"])?;
    reduce(&project, &["--exit-code", "256"])?.exits_with(2)?.says(&["nor 'nonzero'"])?;
    reduce(&project, &["--require", "grep x {} | wc"])?.exits_with(2)?.says(&["has a '|'", "sh -c"])?;
    reduce(&project, &["--require", "grep 'x {}"])?.exits_with(2)?.says(&["cannot be read"])?;
    reduce(&project, &["--require", ""])?.exits_with(2)?.says(&["empty command"])?;
    let run = project.reduce(&["a.c", "--require", "true", "--stderr", "x"])?.exits_with(2)?;
    run.says(&["no command that has to meet them", "-- COMMAND {}"])?;
    project.is_left_clean()
}

#[test]
fn the_condition_that_the_original_does_not_meet_is_named() -> Checked {
    let project = project()?;
    let run = reduce(&project, &["--exit-code", "3", "--stderr", "overflow"])?.exits_with(3)?;
    run.says(&[
        "does not accept the original",
        "this does not hold: it prints /overflow/ on standard error",
        "Assertion `depth",
    ])?;
    project.is_left_clean()
}

#[test]
fn the_flood_of_a_tool_is_searched_at_both_ends() -> Checked {
    let project = Project::new()?;
    project.file("a.c", C)?;
    project.script("tool.sh", "echo first; yes | head -c 3000000; grep -q needle \"$1\" && echo last")?;
    reduce(&project, &["--stdout", "^first$", "--stdout", "^last$"])?.exits_with(0)?;
    assert_eq!(project.read("small.c")?, "needle\n");
    project.is_left_clean()
}

#[test]
fn a_second_bug_that_the_reduction_meets_is_kept_and_can_be_reduced_in_its_turn() -> Checked {
    let project = project()?;
    let conditions = ["--like-original", "--require", "grep -q e"];
    let run = reduce(&project, &conditions)?.exits_with(0)?;
    let run =
        run.says(&["failed in other ways", "small.c.lopper/other-1.c", "internal error at table.c:9"])?;
    assert!(!run.stderr.contains("other-2"), "one of each: {}", run.stderr);
    let other = project.read("small.c.lopper/other-1.c")?;
    assert!(other.contains("limit") && !other.contains("needle"), "{other}");
    let arguments = ["small.c.lopper/other-1.c", "--like-original", "-o", "second.c", "--", "./tool.sh"];
    project.reduce(&arguments)?.exits_with(0)?;
    assert_eq!(project.read("second.c")?, "limit\n");
    assert_eq!(project.read("small.c")?, "needle\n");
    Ok(())
}

#[test]
fn another_failure_is_followed_by_its_number_or_by_its_text() -> Checked {
    let project = project()?;
    let run = reduce(&project, &["--like-original"])?.exits_with(0)?;
    run.says(&["other-1.c", "run the same command with --resume --follow 1"])?;
    let resume = |options: &[&str]| reduce(&project, &[&["--like-original", "--resume"], options].concat());
    let run = resume(&["--follow", "1", "--max-tests", "3"])?.exits_with(0)?;
    run.says(&["fails in this way: internal error at table.c:9"])?;
    resume(&["--follow", "1"])?.exits_with(0)?.says(&["resuming"])?;
    assert_eq!(project.read("small.c.lopper/other-1.reduced.c")?, "limit\n");
    resume(&["--follow", "table.c"])?.exits_with(0)?;
    assert_eq!(project.read("small.c.lopper/other-1.reduced.2.c")?, "limit\n");
    assert_eq!(project.read("small.c")?, "needle\n", "the result of the first run stays");
    project.is_left_clean()
}

#[test]
fn a_failure_that_nobody_has_met_cannot_be_followed() -> Checked {
    let project = project()?;
    let follow = |signature| reduce(&project, &["--like-original", "--resume", "--follow", signature]);
    follow("1")?.exits_with(2)?.says(&["no earlier run of a.c to follow", "--output"])?;
    reduce(&project, &["--like-original"])?.exits_with(0)?;
    follow("2")?.exits_with(2)?.says(&["named by 2", "1: internal error at table.c:9", "--follow 1"])?;
    let no_resume = reduce(&project, &["--like-original", "--follow", "1"])?.exits_with(2)?;
    no_resume.says(&["--resume"])?;
    project.file("b.c", "needle\n")?;
    project.reduce(&["b.c", "--keep-run", "--", "grep", "-q", "needle"])?;
    let run = project.reduce(&["b.c", "--resume", "--follow", "1", "--", "grep", "-q", "needle"])?;
    run.exits_with(2)?.says(&["no candidate failed in another way", "b.reduced.c.lopper"])?;
    Ok(())
}

#[test]
fn what_was_made_of_another_failure_stays_when_its_run_folder_goes() -> Checked {
    let project = project()?;
    reduce(&project, &["--like-original", "--require", "grep -q e"])?.exits_with(0)?;
    project.reduce(&["small.c.lopper/other-1.c", "--like-original", "--", "./tool.sh"])?.exits_with(0)?;
    let made = project.read("small.c.lopper/other-1.reduced.c")?;
    // The next run meets no other failure, and does not keep its folder.
    project.reduce(&["a.c", "-o", "small.c", "--", "grep", "-q", "needle"])?.exits_with(0)?;
    assert!(!project.path("small.c.lopper/journal.jsonl").exists());
    assert_eq!(project.read("small.c.lopper/other-1.reduced.c")?, made);
    Ok(())
}

#[test]
fn other_failures_are_the_same_for_every_number_of_processors_and_after_a_break() -> Checked {
    let found = |sessions: &[&[&str]]| -> Result<(String, String), Box<dyn Error>> {
        let project = project()?;
        for session in sessions {
            reduce(&project, &[&["--like-original"], *session].concat())?.exits_with(0)?;
        }
        let journal = project.read("small.c.lopper/journal.jsonl")?;
        let others: Vec<&str> = journal.lines().filter(|line| line.contains("\"other\"")).collect();
        Ok((project.read("small.c.lopper/other-1.c")?, others.join("\n")))
    };
    let alone = found(&[&["-j", "1"]])?;
    assert!(alone.1.contains("internal error at table.c:9"), "{alone:?}");
    assert_eq!(found(&[&["-j", "8"]])?, alone);
    assert_eq!(found(&[&["-j", "2", "--max-tests", "9"], &["-j", "2", "--resume"]])?, alone);
    Ok(())
}

#[test]
fn a_script_tells_another_failure_by_exit_code_101() -> Checked {
    let script = "grep -q needle \"$1\" && exit 0; grep -q limit \"$1\" && { echo the table overflows; exit 101; }; exit 1";
    let project = Project::with(script, "a.c", C)?;
    let run = project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    run.says(&["a.reduced.c.lopper/other-1.c", "the table overflows"])?;
    let follow = ["./test.sh", "a.c", "--resume", "--follow", "the table overflows"];
    project.reduce(&follow)?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c.lopper/other-1.reduced.c")?, "limit\n");
    Ok(())
}

#[test]
fn conditions_in_place_of_a_script_lead_to_the_same_bytes_after_as_many_runs() -> Checked {
    if !has("cc") {
        skip("conditions_in_place_of_a_script_lead_to_the_same_bytes_after_as_many_runs", "there is no cc");
        return Ok(());
    }
    let script = "cc -fsyntax-only \"$1\" 2>errors && exit 1\ngrep -q 'redefinition of' errors || exit 1\n\
                  grep -q main \"$1\" || exit 125";
    let twice = "int twice(int x) {\n    return x + x;\n}\n";
    let project = Project::with(script, "a.c", format!("{twice}{C}{twice}"))?;
    let by_script = project.reduce(&["./test.sh", "a.c", "-j", "1", "-o", "b.c"])?.exits_with(0)?;
    let conditions = ["--exit-code", "nonzero", "--stderr", "redefinition of", "--require", "grep -q main"];
    let words = ["a.c", "-j", "1", "-o", "c.c"];
    let command = ["--", "cc", "-fsyntax-only", "{}"];
    let by_conditions = project.reduce(&[&words[..], &conditions, &command].concat())?.exits_with(0)?;
    assert!(project.read("b.c")?.contains("main") && project.read("b.c")?.len() < 40);
    assert_eq!(project.read("c.c")?, project.read("b.c")?);
    assert_eq!(by_conditions.runs()?, by_script.runs()?);
    Ok(())
}
