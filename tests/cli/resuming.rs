//! Resuming: the right run is continued, from its last state, and the messages describe the files on disk.

use super::{C, NEEDLE, needle};
use crate::Checked;
use crate::kit::{Finished, Project};
use std::error::Error;
use std::fs;

/// The size of the result in bytes, from the summary.
fn bytes(run: &Finished) -> Result<usize, Box<dyn Error>> {
    let line = run.stderr.lines().find(|line| line.starts_with("bytes ")).ok_or("no summary")?;
    Ok(line.split_whitespace().nth(3).ok_or("no result")?.parse()?)
}

#[test]
fn a_run_in_place_can_be_undone_and_resumed() -> Checked {
    // With $OUTSIDE/slow, the test is slow except on the original.
    let slow = "test -f \"$OUTSIDE/slow\" && ! cmp -s \"$1\" \"$OUTSIDE/../here/a.c.orig\" && \
                touch \"$OUTSIDE/reached\" && sleep 1000";
    let project = Project::with(&format!("{slow}\n{NEEDLE}"), "a.c", C)?;
    let arguments = ["./test.sh", "a.c", "--in-place", "--keep-run", "--timeout", "900"];
    project.reduce(&arguments)?.exits_with(0)?;
    let result = project.read("a.c")?;
    project.lopper(&["undo", "a.c", "--to", "2"])?.exits_with(0)?;
    let second = project.read("a.c")?;
    assert_ne!(second, result, "the abandoned result is barred");
    assert!(second.contains("needle"));
    // A run that is stopped before it has caught up with its journal can be resumed, too.
    fs::write(project.outside().join("slow"), "")?;
    let mut run = project.start(&["undo", "a.c", "--to", "1"])?;
    run.wait_until("a slow test", || project.outside().join("reached").exists())?;
    run.signal(rustix::process::Signal::KILL)?;
    run.finish()?;
    fs::remove_file(project.outside().join("slow"))?;
    project.reduce(&[&arguments[..], &["--resume"]].concat())?.exits_with(0)?;
    assert!(project.read("a.c")?.contains("needle"));
    assert_eq!(project.read("a.c.orig")?, C);
    project.lopper(&["undo", "a.c", "--to", "0"])?.exits_with(0)?;
    project.file("a.c", "edited since, with a needle")?;
    project
        .lopper(&["undo", "a.c", "--to", "1"])?
        .exits_with(2)?
        .says(&["changed after the run wrote it"])?;
    project.is_left_clean()
}

#[test]
fn an_undo_that_fails_leaves_the_journal_as_it_was() -> Checked {
    let project = needle()?;
    project.reduce(&["./test.sh", "a.c", "-o", "out.c", "--keep-run"])?.exits_with(0)?;
    let read =
        || Ok::<_, Box<dyn Error>>((project.read("out.c.lopper/journal.jsonl")?, project.read("out.c")?));
    let before = read()?;
    fs::rename(project.path("test.sh"), project.path("moved.sh"))?;
    project.lopper(&["undo", "out.c", "--to", "1"])?.exits_with(2)?.says(&["test.sh' does not exist"])?;
    assert_eq!(read()?, before);
    project.script("test.sh", "exit 1")?;
    project.lopper(&["undo", "out.c", "--to", "1"])?.exits_with(2)?.says(&["the test"])?;
    assert_eq!(read()?, before);
    fs::rename(project.path("moved.sh"), project.path("test.sh"))?;
    fs::rename(project.path("a.c"), project.path("moved.c"))?;
    project.lopper(&["undo", "out.c", "--to", "1"])?.exits_with(2)?.says(&["cannot be read"])?;
    assert_eq!(read()?, before);
    fs::rename(project.path("moved.c"), project.path("a.c"))?;
    project.lopper(&["undo", "out.c", "--to", "1"])?.exits_with(0)?;
    Ok(())
}

#[test]
fn a_resumed_run_that_stops_before_its_last_state_reports_the_result_on_disk() -> Checked {
    let project = Project::with(NEEDLE, "a.c", C.repeat(4))?;
    let arguments = ["./test.sh", "a.c", "-o", "out.c", "-j", "1"];
    project
        .reduce(&[&arguments[..], &["--max-tests", "9"]].concat())?
        .exits_with(0)?
        .says(&["with --resume to continue"])?;
    let before = project.read("out.c")?;
    for less in [&["--max-tests", "1"][..], &["--max-tests", "5"], &["--max-time", "0.000001"]] {
        let run = project.reduce(&[&arguments[..], less, &["--resume", "--diff"]].concat())?.exits_with(0)?;
        assert_eq!(project.read("out.c")?, before, "{less:?}");
        assert_eq!(bytes(&run)?, before.len(), "{less:?}");
        let added =
            run.stdout.lines().filter(|line| line.starts_with(['+', ' ']) && !line.starts_with("+++"));
        assert_eq!(added.map(|line| &line[1..]).collect::<Vec<_>>(), before.lines().collect::<Vec<_>>());
    }
    // A power cut may have lost the copy in the run folder.
    fs::write(project.path("out.c.lopper/best"), "torn")?;
    project.reduce(&[&arguments[..], &["--resume", "--max-tests", "1"]].concat())?.exits_with(0)?;
    assert_eq!(project.read("out.c")?, before);
    project.reduce(&[&arguments[..], &["--resume"]].concat())?.exits_with(0)?;
    assert_eq!(project.read("out.c")?.trim(), "needle");
    Ok(())
}

#[test]
fn without_a_name_an_unfinished_run_is_found_past_gaps_and_finished_runs() -> Checked {
    let project = needle()?;
    let begin = |more: &[&str]| project.reduce(&[&["./test.sh", "a.c"], more].concat())?.exits_with(0);
    let remove = |output: &str| {
        fs::remove_dir_all(project.path(&format!("{output}.lopper")))?;
        fs::remove_file(project.path(output))
    };
    begin(&["--max-tests", "2"])?.says(&["a.reduced.c"])?;
    begin(&["--max-tests", "2"])?.says(&["a.reduced.2.c"])?;
    begin(&["--keep-run"])?.says(&["a.reduced.3.c"])?;
    fs::create_dir(project.path("a.reduced.4x.c.lopper"))?;
    begin(&["--resume", "--max-tests", "3"])?.says(&["verdicts are known", "a.reduced.2.c"])?;
    remove("a.reduced.c")?;
    begin(&["--resume"])?.says(&["verdicts are known", "a.reduced.2.c"])?;
    assert_eq!(project.read("a.reduced.2.c")?.trim(), "needle");
    begin(&["--resume"])?.says(&["verdicts are known", "a.reduced.3.c"])?;
    Ok(())
}

#[test]
fn a_test_that_is_edited_during_the_run_ends_it_and_its_later_verdicts_do_not_count() -> Checked {
    // Once a commit is on disk, the user edits the test so that it accepts everything.
    let edits = "here=\"$OUTSIDE/../here\"; test -f \"$OUTSIDE/edit\" && cmp -s \"$1\" \"$here/a.c\" || \
                 { test -f \"$OUTSIDE/edit\" && test -d \"$here/out.c.lopper\" && test $(wc -c <\"$here/out.c\") -lt 100 \
                 && rm \"$OUTSIDE/edit\" && cp \"$here/new.sh\" \"$here/test.sh\"; }";
    let project = Project::with(&format!("{edits}\n{NEEDLE}"), "a.c", C)?;
    project.script("new.sh", "exit 0")?;
    let test = project.read("test.sh")?;
    fs::write(project.outside().join("edit"), "")?;
    let arguments = ["./test.sh", "a.c", "-o", "out.c", "-j", "1"];
    let run = project.reduce(&arguments)?.exits_with(3)?;
    let run = run.says(&["test.sh' was changed during the run", "are discarded", "help:"])?;
    assert!(!run.stderr.contains("with --resume to continue"), "{}", run.stderr);
    let result = project.read("out.c")?;
    assert!(result.contains("needle"), "nothing of what the new one said was taken: {result}");
    assert_eq!(bytes(&run)?, result.len());
    project.reduce(&[&arguments[..], &["--resume"]].concat())?.exits_with(2)?.says(&["the test"])?;
    // With the former test, its earlier verdicts still count.
    project.executable("test.sh", &test)?;
    project.reduce(&[&arguments[..], &["--resume"]].concat())?.exits_with(0)?.says(&["are known"])?;
    assert_eq!(project.read("out.c")?.trim(), "needle");
    project.is_left_clean()
}

#[test]
fn a_test_may_write_to_the_files_that_its_command_names_and_be_touched() -> Checked {
    let project = needle()?;
    let log = project.file("log", "")?.display().to_string();
    let touch = "touch \"$OUTSIDE/../here/test.sh\"; echo . >>\"$2\"";
    let test = project.script("test.sh", &format!("{touch}\n{NEEDLE}"))?.display().to_string();
    let stopped = ["a.c", "-j", "1", "--max-tests", "3", "--", &test, "{}", &log];
    project.reduce(&stopped)?.exits_with(0)?.says(&["with --resume to continue"])?;
    project.reduce(&["a.c", "-j", "1", "--resume", "--", &test, "{}", &log])?.exits_with(0)?;
    fs::remove_file(project.path("a.reduced.c"))?;
    project.reduce(&["a.c", "-j", "1", "--", &test, "{}", &log])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    Ok(())
}

#[test]
fn the_time_limit_that_a_commit_lowers_is_in_the_journal_and_a_resumed_run_has_it_again() -> Checked {
    // Only the original is slow, so the limit falls with the first commit, even on a busy machine.
    let script = format!("cmp -s \"$1\" \"$OUTSIDE/../here/a.c\" && sleep 3; {NEEDLE}");
    let project = Project::with(&script, "a.c", C)?;
    let reduce = |options: &[&str]| {
        let arguments = ["./test.sh", "a.c", "-o", "out.c", "-j", "1", "--keep-run", "--resume"];
        project.reduce(&[&arguments[..], options].concat())?.exits_with(0)
    };
    let limits = || -> Result<Vec<String>, Box<dyn Error>> {
        let journal = project.read("out.c.lopper/journal.jsonl")?;
        let of_commits = journal.lines().filter(|line| line.contains(r#""record":"commit""#));
        let limit = |line: &str| Some(line.split_once(r#""limit":"#)?.1.trim_end_matches('}').to_owned());
        Ok(of_commits.filter_map(limit).collect())
    };
    reduce(&["--max-tests", "8"])?;
    let before = limits()?;
    assert!(!before.is_empty(), "{}", project.read("out.c.lopper/journal.jsonl")?);
    reduce(&[])?;
    assert_eq!(limits()?[..before.len()], before);
    assert!(project.read("out.c.lopper/log.txt")?.contains("the time limit of a test run is"));
    let journal = project.read("out.c.lopper/journal.jsonl")?;
    let repeats = |key: &str| journal.matches(key).count();
    let keys =
        journal.lines().filter_map(|line| line.split_once(r#""record":"verdict","key":"#)?.1.get(..34));
    for key in keys {
        assert!(repeats(&format!(r#""record":"verdict","key":{key}"#)) == 1, "{key} was asked again");
    }
    Ok(())
}

#[test]
fn a_run_toward_another_goal_is_another_run() -> Checked {
    let project = needle()?;
    let reduce = |options: &[&str]| project.reduce(&[&["./test.sh", "a.c", "-o", "out.c"], options].concat());
    reduce(&["--goal", "lines", "--max-tests", "3"])?.exits_with(0)?;
    reduce(&["--resume"])?.exits_with(2)?.says(&["the goal was lines, and is tokens now"])?;
    reduce(&["--goal", "lines", "--resume"])?.exits_with(0)?.says(&["resuming"])?;
    assert_eq!(project.read("out.c")?, "needle\n");
    reduce(&["--goal", "speed"])?.exits_with(2)?.says(&["tokens", "bytes", "lines", "time"])?;
    let fast = ["./test.sh", "a.c", "-o", "fast.c", "--goal", "time", "-j", "2"];
    project.reduce(&fast)?.exits_with(0)?;
    assert!(project.read("fast.c")?.contains("needle"));
    Ok(())
}
