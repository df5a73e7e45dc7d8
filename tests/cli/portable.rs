//! The runner for systems other than Linux, which knows only process groups: here it runs on Linux.

use super::{C, NEEDLE};
use crate::Checked;
use crate::kit::{Finished, Project, Running, has, skip};
use rustix::process::{Pid, Signal, kill_process};
use std::error::Error;
use std::process::Stdio;

/// Starts `lopper` with this runner.
fn start(project: &Project, arguments: &[&str]) -> Result<Running, Box<dyn Error>> {
    let mut command = project.command(env!("CARGO_BIN_EXE_lopper"));
    command.env("LOPPER_RUNNER", "portable").args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    project.spawn(command)
}

fn run(project: &Project, arguments: &[&str]) -> Result<Finished, Box<dyn Error>> {
    start(project, arguments)?.finish()
}

#[test]
fn a_reduction_gives_the_same_result_and_says_what_is_not_promised() -> Checked {
    let project =
        Project::with(&format!("touch left; mkdir -p d/e; echo >\"$TMPDIR/x\"\n{NEEDLE}"), "a.c", C)?;
    project.reduce(&["./test.sh", "a.c", "-o", "linux.c"])?.exits_with(0)?;
    for jobs in ["1", "3"] {
        let arguments = ["reduce", "./test.sh", "a.c", "-o", "portable.c", "--jobs", jobs];
        run(&project, &arguments)?.exits_with(0)?.says(&["may survive", "docs/packages.md"])?;
        assert_eq!(project.read("portable.c")?, project.read("linux.c")?);
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn a_test_that_is_late_dies_with_its_group() -> Checked {
    for script in
        ["sleep 1000 & sleep 1001", "trap '' TERM INT HUP\nsleep 1000 & while :; do sleep 1001; done"]
    {
        let project = Project::with(script, "a.c", C)?;
        let late = run(&project, &["reduce", "./test.sh", "a.c", "--timeout", "1"])?.exits_with(3)?;
        late.says(&["takes too long", "stopped after"])?;
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn processes_under_timeout_are_killed_with_the_test() -> Checked {
    if !has("timeout") || !has("ps") {
        skip("processes_under_timeout_are_killed_with_the_test", "there is no timeout, or no ps");
        return Ok(());
    }
    let project = Project::with("timeout 60 sleep 1000", "a.c", C)?;
    run(&project, &["reduce", "./test.sh", "a.c", "--timeout", "1"])?.exits_with(3)?;
    project.is_left_clean()
}

#[test]
fn children_that_a_test_leaves_in_its_group_are_killed() -> Checked {
    for background in ["sleep 1000 >/dev/null 2>&1 &", "sleep 1000 &"] {
        let project = Project::with(&format!("{background}\n{NEEDLE}"), "a.c", C)?;
        run(&project, &["reduce", "./test.sh", "a.c"])?.exits_with(0)?;
        assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
        project.is_left_clean()?;
    }
    Ok(())
}

/// A run that hangs in a test after its first success.
fn hanging() -> Result<(Project, Running), Box<dyn Error>> {
    let hangs = "grep -q needle \"$1\" || exit 1; cmp -s \"$1\" \"$OUTSIDE/../here/a.c\" && exit 0";
    let script = format!("{hangs}\ntouch \"$OUTSIDE/hangs\"; sleep 1000 & sleep 1001");
    let project = Project::with(&script, "a.c", C)?;
    let mut run = start(&project, &["reduce", "./test.sh", "a.c", "--timeout", "900"])?;
    run.wait_until("a test that hangs", || project.outside().join("hangs").exists())?;
    Ok((project, run))
}

#[test]
fn ctrl_c_ends_a_test_that_hangs() -> Checked {
    let (project, run) = hanging()?;
    run.signal(Signal::INT)?;
    run.finish()?.exits_with(130)?;
    assert_eq!(project.read("a.reduced.c")?, C);
    project.is_left_clean()
}

#[test]
fn a_test_ends_with_lopper_even_if_that_is_killed() -> Checked {
    let (project, run) = hanging()?;
    run.signal(Signal::KILL)?;
    drop(run.finish()?);
    project.is_left_clean()
}

#[test]
fn a_helper_that_was_killed_is_replaced() -> Checked {
    let once = "[ -e \"$OUTSIDE/killed\" ] || { touch \"$OUTSIDE/killed\"; kill -9 $PPID; }";
    let project = Project::with(&format!("{once}\n{NEEDLE}"), "a.c", C)?;
    run(&project, &["reduce", "./test.sh", "a.c", "--jobs", "1"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    let always = Project::with("kill -9 $PPID", "a.c", C)?;
    run(&always, &["reduce", "./test.sh", "a.c", "--jobs", "1"])?
        .exits_with(3)?
        .says(&["killed the process that runs it"])?;
    Ok(())
}

#[test]
fn a_process_that_leaves_the_group_is_left_alone() -> Checked {
    let script = format!("setsid sleep 1000 >/dev/null 2>&1 &\n{NEEDLE}");
    let project = Project::with(&script, "a.c", C)?;
    run(&project, &["reduce", "./test.sh", "a.c", "--max-tests", "3"])?.exits_with(0)?;
    let left = project.descendants()?;
    assert!(!left.is_empty() && left.iter().all(|(_, line)| line.contains("sleep 1000")), "{left:?}");
    for pid in left.into_iter().filter_map(|(pid, _)| Pid::from_raw(pid)) {
        kill_process(pid, Signal::KILL)?;
    }
    project.is_left_clean()
}

#[test]
fn the_output_of_a_test_is_kept_and_its_status_is_exact() -> Checked {
    let project = Project::new()?;
    project.file("a.c", C)?;
    let crash = "grep -q needle \"$1\" && { echo broken needle >&2; kill -SEGV $$; }; exit 3";
    project.script("crash.sh", crash)?;
    let arguments =
        ["reduce", "a.c", "--signal", "SEGV", "--stderr", "broken needle", "--", "./crash.sh", "{}"];
    run(&project, &arguments)?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    Ok(())
}

#[test]
fn a_server_is_refused() -> Checked {
    let project = Project::with(NEEDLE, "a.c", C)?;
    run(&project, &["reduce", "--server", "./test.sh", "a.c"])?.exits_with(2)?.says(&["needs Linux"])?;
    Ok(())
}
