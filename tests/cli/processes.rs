//! Processes: a hanging test is killed, an interrupted run keeps its result, and no process is left behind.

use super::{C, NEEDLE, needle};
use crate::Checked;
use crate::kit::{Project, has, skip};
use rustix::process::Signal;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn a_test_that_hangs_on_the_original_is_stopped_with_its_children() -> Checked {
    let project = Project::with("sleep 1000 & sleep 1001", "a.c", C)?;
    let run = project.reduce(&["./test.sh", "a.c", "--timeout", "1"])?.exits_with(3)?;
    run.says(&["takes too long", "stopped after", "--timeout"])?;
    project.is_left_clean()
}

#[test]
fn a_small_time_limit_is_kept_and_shown_as_it_was_given() -> Checked {
    let project = Project::with("sleep 1000", "a.c", C)?;
    let run = project.reduce(&["./test.sh", "a.c", "--timeout", "0.3"])?.exits_with(3)?;
    run.says(&["it was stopped after 0.3 s\n", "--timeout 3 gives it more time"])?;
    project.script("test.sh", NEEDLE)?;
    project.reduce(&["./test.sh", "a.c", "--timeout", "0.75", "--keep-run"])?.exits_with(0)?;
    assert!(project.read("a.reduced.c.lopper/journal.jsonl")?.contains("\"limit\":750000,"));
    assert!(project.read("a.reduced.c.lopper/log.txt")?.contains("limits of one test: 0.75 s,"));
    let run = project.reduce(&["./test.sh", "a.c", "--timeout", "0.0000001"])?.exits_with(2)?;
    run.says(&["at least 0.000001"])?;
    Ok(())
}

#[test]
fn a_test_that_hangs_ends_with_the_time_for_all_of_them() -> Checked {
    let project = Project::new()?;
    project.file("a.c", C)?;
    let count = project.outside().join("count");
    let script = format!("echo . >>{0}; [ $(wc -l <{0}) -gt 5 ] && sleep 1000\n{NEEDLE}", count.display());
    project.script("test.sh", &script)?;
    let run = project.reduce(&["./test.sh", "a.c", "--timeout", "900", "--max-time", "2"])?;
    run.says(&["--max-time", "is reached"])?;
    project.is_left_clean()
}

#[test]
fn a_test_that_ignores_the_request_to_end_is_killed() -> Checked {
    let project = Project::with("trap '' TERM INT HUP\nsleep 1000 & while :; do sleep 1001; done", "a.c", C)?;
    project.reduce(&["./test.sh", "a.c", "--timeout", "1"])?.exits_with(3)?.says(&["takes too long"])?;
    project.is_left_clean()
}

#[test]
fn children_that_a_test_leaves_running_are_killed() -> Checked {
    let project = Project::with(&format!("sleep 1000 >/dev/null 2>&1 &\n{NEEDLE}"), "a.c", C)?;
    project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    project.is_left_clean()
}

#[test]
fn children_that_keep_the_output_open_do_not_delay_the_run() -> Checked {
    let project = Project::with(&format!("sleep 1000 &\n{NEEDLE}"), "a.c", C)?;
    project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    project.is_left_clean()
}

#[test]
fn children_in_a_session_of_their_own_are_killed() -> Checked {
    if !has("setsid") {
        skip("children_in_a_session_of_their_own_are_killed", "there is no setsid");
        return Ok(());
    }
    let project =
        Project::with(&format!("setsid sleep 60 >/dev/null 2>&1 &\n{NEEDLE}"), "a.txt", "one needle two")?;
    project.reduce(&["./test.sh", "a.txt"])?.exits_with(0)?;
    project.is_left_clean()
}

#[test]
fn processes_under_timeout_are_killed_with_the_test() -> Checked {
    if !has("timeout") {
        skip("processes_under_timeout_are_killed_with_the_test", "there is no timeout");
        return Ok(());
    }
    let project = Project::with("timeout 60 sleep 1000", "a.c", C)?;
    project.reduce(&["./test.sh", "a.c", "--timeout", "1"])?.exits_with(3)?.says(&["takes too long"])?;
    project.is_left_clean()
}

#[test]
fn a_test_that_floods_its_output_or_reads_its_input_is_no_problem() -> Checked {
    let flood = "head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2; cat";
    let project = Project::with(&format!("{flood}\n{NEEDLE}"), "a.txt", "one needle two")?;
    project.reduce(&["./test.sh", "a.txt"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.txt")?.trim(), "needle");
    Ok(())
}

/// Interrupts a run after its first success; it must end soon, keep the best result, and leave nothing
/// behind.
fn interrupted_by(signal: Signal) -> Checked {
    let project = Project::with(&format!("sleep 0.05\n{NEEDLE}"), "a.c", C.repeat(30))?;
    let mut run = project.start(&["reduce", "./test.sh", "a.c", "-o", "out.c"])?;
    let original = C.len() * 30;
    let smaller = || std::fs::metadata(project.path("out.c")).is_ok_and(|m| (m.len() as usize) < original);
    run.wait_until("a first success", smaller)?;
    run.signal(signal)?;
    let start = Instant::now();
    run.finish()?.exits_with(130)?;
    assert!(start.elapsed() < Duration::from_secs(10), "takes {:?} to end", start.elapsed());
    let result = project.read("out.c")?;
    assert!(result.contains("needle") && result.len() < original, "{result}");
    assert_eq!(crate::kit::names_in(&project.folder())?, ["a.c", "out.c", "out.c.lopper", "test.sh"]);
    project.is_left_clean()
}

#[test]
fn ctrl_c_ends_the_run_with_the_result_so_far_and_leaves_nothing() -> Checked {
    interrupted_by(Signal::INT)
}

#[test]
fn a_request_to_end_is_like_ctrl_c() -> Checked {
    interrupted_by(Signal::TERM)
}

#[test]
fn ctrl_c_while_a_test_hangs_ends_the_run_and_the_test() -> Checked {
    // It hangs on programs with the needle except the original, so neither on the empty nor on the trivial file.
    let hangs = "grep -q needle \"$1\" || exit 1; cmp -s \"$1\" \"$OUTSIDE/../here/a.c\" && exit 0";
    let project =
        Project::with(&format!("{hangs}\ntouch \"$OUTSIDE/hangs\"; sleep 1000 & sleep 1001"), "a.c", C)?;
    let mut run = project.start(&["reduce", "./test.sh", "a.c", "--timeout", "900"])?;
    run.wait_until("a test that hangs", || project.outside().join("hangs").exists())?;
    run.signal(Signal::INT)?;
    let start = Instant::now();
    run.finish()?.exits_with(130)?;
    assert!(start.elapsed() < Duration::from_secs(10), "takes {:?} to end", start.elapsed());
    assert_eq!(project.read("a.reduced.c")?, C);
    project.is_left_clean()
}

#[test]
fn ctrl_c_or_the_end_of_the_time_does_not_wait_for_a_large_file_to_be_parsed_and_planned() -> Checked {
    let function = "int f(int a,int b){if(a<b){return a+b*2;}else{for(int i=0;i<a;i++)b+=i;}return b;}";
    for time in [None, Some("0.5")] {
        let project = Project::with(NEEDLE, "a.c", function.repeat(60_000) + "int needle;")?;
        let mut arguments = vec!["reduce", "./test.sh", "a.c"];
        arguments.extend(time.into_iter().flat_map(|time| ["--max-time", time]));
        let mut run = project.start(&arguments)?;
        run.wait_until("the output", || project.path("a.reduced.c").exists())?;
        if time.is_none() {
            run.signal(Signal::INT)?;
        }
        let start = Instant::now();
        run.finish()?
            .exits_with(if time.is_none() { 130 } else { 0 })?
            .says(&["with --resume to continue"])?;
        assert!(start.elapsed() < Duration::from_secs(10), "takes {:?} to end", start.elapsed());
        assert!(project.read("a.reduced.c")? == project.read("a.c")?);
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn ctrl_c_before_the_first_verdict_writes_nothing() -> Checked {
    let project = Project::with("touch \"$OUTSIDE/begun\"; sleep 1000", "a.c", C)?;
    let mut run = project.start(&["reduce", "./test.sh", "a.c"])?;
    run.wait_until("the first run", || project.outside().join("begun").exists())?;
    run.signal(Signal::INT)?;
    run.finish()?.exits_with(130)?;
    assert_eq!(crate::kit::names_in(&project.folder())?, ["a.c", "test.sh"]);
    project.is_left_clean()
}

/// A pipe without a reader.
fn nobody() -> std::io::Result<Stdio> {
    let (reader, writer) = std::io::pipe()?;
    drop(reader);
    Ok(writer.into())
}

#[test]
fn a_reader_of_the_output_that_has_gone_away_is_no_error() -> Checked {
    let project = needle()?;
    for arguments in [
        &["passes", "--markdown"][..],
        &["passes"],
        &["languages"],
        &["reduce", "./test.sh", "a.c", "--diff"],
    ] {
        let mut command = project.command(env!("CARGO_BIN_EXE_lopper"));
        command.args(arguments).stdout(nobody()?).stderr(Stdio::piped());
        let run = project.spawn(command)?.finish()?.exits_with(0)?;
        assert!(!run.stderr.contains("panicked"), "{arguments:?}: {}", run.stderr);
    }
    Ok(())
}

#[test]
fn a_reader_of_the_messages_that_has_gone_away_is_no_error() -> Checked {
    let project = needle()?;
    for (arguments, code) in [(["reduce", "./test.sh", "a.c"], 0), (["reduce", "./test.sh", "none.c"], 2)] {
        let mut command = project.command(env!("CARGO_BIN_EXE_lopper"));
        command.args(arguments).stdout(Stdio::piped()).stderr(nobody()?);
        project.spawn(command)?.finish()?.exits_with(code)?;
    }
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    Ok(())
}
