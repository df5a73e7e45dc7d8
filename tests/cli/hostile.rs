//! Tests that reach beyond their folder: files behind their links and mounts are never touched, and a helper
//! that such a test stops or blocks delays nothing else.

use super::{C, NEEDLE};
use crate::Checked;
use crate::kit::{Finished, Project, has, is_above_permissions, names_in, skip};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Files that a test directs Lopper to; all of them must be kept.
fn precious(project: &Project) -> std::io::Result<()> {
    fs::create_dir_all(project.outside().join("precious/sub"))?;
    fs::write(project.outside().join("precious/one"), "1")?;
    fs::write(project.outside().join("precious/sub/two"), "2")
}

/// Fails unless all of them are there.
fn is_untouched(project: &Project) -> Checked {
    for name in ["precious/one", "precious/sub/two"] {
        fs::metadata(project.outside().join(name)).map_err(|e| format!("{name}: {e}"))?;
    }
    Ok(())
}

/// Runs `lopper reduce ./test.sh a.c` in a mount namespace of its own; `None` if the system allows none.
fn in_own_namespace(project: &Project) -> Result<Option<Finished>, Box<dyn std::error::Error>> {
    let mut may = Command::new("unshare");
    may.args(["-m", "mount", "--bind", "/tmp", "/tmp"]).stderr(Stdio::null());
    if !may.status().is_ok_and(|status| status.success()) {
        return Ok(None);
    }
    let mut command = project.command("unshare");
    command.args(["-m", env!("CARGO_BIN_EXE_lopper"), "reduce", "./test.sh", "a.c", "-j", "1"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    project.spawn(command)?.finish().map(Some)
}

#[test]
fn mounts_in_the_folders_of_a_test_are_not_emptied_but_named() -> Checked {
    for mount in [
        "mkdir m; mount --bind \"$OUTSIDE/precious\" m",
        "mount --bind \"$OUTSIDE/precious\" \"$TMPDIR\"",
        "mount --bind \"$OUTSIDE/precious\" \"$TMPDIR/..\"",
        "mkdir a a/b; mount --bind \"$OUTSIDE\" a/b",
    ] {
        let project = Project::with(&format!("{NEEDLE} || exit 1; {mount}; exit 0"), "a.c", C)?;
        precious(&project)?;
        let Some(run) = in_own_namespace(&project)? else {
            skip("mounts_in_the_folders_of_a_test_are_not_emptied_but_named", "nothing can be mounted");
            return Ok(());
        };
        is_untouched(&project).map_err(|e| format!("{mount}: {e}\n{}", run.stderr))?;
        run.exits_with(3)?.says(&["the test leaves something that cannot be removed", "lopper-"])?;
    }
    Ok(())
}

#[test]
fn a_mount_that_is_left_once_causes_only_a_warning() -> Checked {
    let once = "[ -e \"$OUTSIDE/once\" ] || { : >\"$OUTSIDE/once\"; mkdir m; mount --bind \"$OUTSIDE/precious\" m; }";
    let project = Project::with(&format!("{once}\n{NEEDLE}"), "a.c", C)?;
    precious(&project)?;
    let Some(run) = in_own_namespace(&project)? else {
        skip("a_mount_that_is_left_once_causes_only_a_warning", "nothing can be mounted");
        return Ok(());
    };
    is_untouched(&project)?;
    run.exits_with(0)?
        .says(&["the test left something that could not be removed", "/work/m': it is a mount"])?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    Ok(())
}

#[test]
fn a_test_that_takes_the_null_device_away_is_no_problem() -> Checked {
    let takes = "mount --bind /dev/null /dev/null && mount -o remount,bind,nodev /dev/null";
    let project = Project::with(&format!("{NEEDLE} || exit 1; {takes}"), "a.c", C)?;
    let Some(run) = in_own_namespace(&project)? else {
        skip("a_test_that_takes_the_null_device_away_is_no_problem", "nothing can be mounted");
        return Ok(());
    };
    run.exits_with(0)?;
    Ok(())
}

#[test]
fn a_mount_that_is_left_by_a_test_that_refuses_the_original_is_named() -> Checked {
    let project = Project::with("mkdir m; mount --bind \"$OUTSIDE/precious\" m; exit 1", "a.c", C)?;
    precious(&project)?;
    let Some(run) = in_own_namespace(&project)? else {
        skip("a_mount_that_is_left_by_a_test_that_refuses_the_original_is_named", "nothing can be mounted");
        return Ok(());
    };
    is_untouched(&project)?;
    run.exits_with(3)?.says(&[
        "does not accept the original",
        "left behind: '",
        "/work/m': it is a mount",
    ])?;
    Ok(())
}

#[test]
fn links_in_the_folders_of_a_test_are_not_followed() -> Checked {
    for replace in [
        "rm -rf \"$TMPDIR\"; ln -s \"$OUTSIDE/precious\" \"$TMPDIR\"",
        "d=$PWD; cd /; rm -rf \"$d\"; ln -s \"$OUTSIDE/precious\" \"$d\"",
        "ln -s \"$OUTSIDE/precious\" link; ln -s \"$OUTSIDE/precious/sub\" \"$TMPDIR/link\"",
    ] {
        let project = Project::with(&format!("{NEEDLE} || exit 1; {replace}; exit 0"), "a.c", C)?;
        precious(&project)?;
        let run = project.reduce(&["./test.sh", "a.c"])?;
        is_untouched(&project).map_err(|e| format!("{replace}: {e}"))?;
        run.exits_with(0).map_err(|e| format!("{replace}: {e}"))?;
        assert_eq!(project.read("a.reduced.c")?.trim(), "needle", "{replace}");
        project.is_left_clean().map_err(|e| format!("{replace}: {e}"))?;
    }
    Ok(())
}

#[test]
fn a_link_in_place_of_the_whole_working_folder_is_not_emptied() -> Checked {
    let replace = "d=${PWD%/work}; cd /; mv \"$d\" \"$OUTSIDE/moved.$$\"; ln -s \"$OUTSIDE/precious\" \"$d\"";
    let once = format!("[ -e \"$OUTSIDE/once\" ] || {{ : >\"$OUTSIDE/once\"; {replace}; exit 0; }}");
    let project = Project::with(&format!("{once}\n{NEEDLE}"), "a.c", C)?;
    precious(&project)?;
    let run = project.reduce(&["./test.sh", "a.c"])?;
    is_untouched(&project)?;
    run.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    project.is_left_clean()
}

#[test]
fn nobody_else_can_guess_or_enter_a_working_folder_or_read_a_candidate() -> Checked {
    use std::os::unix::fs::PermissionsExt;
    let script =
        "stat -c '%a %n' \"$PWD/..\" \"$1\" >>\"$OUTSIDE/modes\"; echo \"$PWD\" >>\"$OUTSIDE/names\"";
    let project = Project::with(&format!("{script}\n{NEEDLE}"), "a.c", C)?;
    for (mode, shown) in [(0o600, "600 "), (0o755, "755 ")] {
        fs::set_permissions(project.path("a.c"), fs::Permissions::from_mode(mode))?;
        project.reduce(&["./test.sh", "a.c", "-j", "1"])?.exits_with(0)?;
        let modes = project.reported("modes");
        assert!(modes.lines().all(|line| line.starts_with("700 ") || line.starts_with(shown)), "{modes}");
        fs::remove_file(project.outside().join("modes"))?;
    }
    let names = project.reported("names");
    let made: BTreeSet<&str> = names.lines().collect();
    assert_eq!(
        made.len(),
        4,
        "each time one for the third run on the original, and one for all others: {names}"
    );
    project.is_left_clean()
}

#[test]
fn the_files_of_a_folder_have_their_permissions_in_the_copy() -> Checked {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::with("exec \"$1/sub/tool\" \"$1\"", "unused", "")?;
    fs::create_dir_all(project.path("all/sub"))?;
    fs::write(project.path("all/sub/tool"), "#!/bin/sh\ngrep -q needle \"$1/a\"\n")?;
    fs::set_permissions(project.path("all/sub/tool"), fs::Permissions::from_mode(0o755))?;
    for (name, text) in [("a", "needle"), ("b", "hay"), ("c", "hay")] {
        fs::write(project.path("all").join(name), text)?;
    }
    project.lopper(&["isolate", "./test.sh", "all", "--mode", "min"])?.exits_with(0)?;
    let left = project.path("all.failing");
    assert_eq!(names_in(&left)?, ["a", "sub"]);
    project.is_left_clean()
}

#[test]
fn above_something_that_cannot_be_removed_cleaning_is_quick_and_says_what_stays() -> Checked {
    let name = "above_something_that_cannot_be_removed_cleaning_is_quick_and_says_what_stays";
    let deep = "d/".repeat(60);
    let script = format!("{NEEDLE} || exit 1; mkdir -p {deep}; : >{deep}file; chattr +i {deep}file; exit 0");
    let project = Project::with(&script, "a.c", C)?;
    // All paths that the test creates are below this project.
    let release =
        || Command::new("chattr").args(["-R", "-i"]).arg(project.tmp()).stderr(Stdio::null()).status();
    fs::write(project.tmp().join("try"), "")?;
    let try_it =
        Command::new("chattr").arg("+i").arg(project.tmp().join("try")).stderr(Stdio::null()).status();
    if !try_it.is_ok_and(|status| status.success()) {
        skip(name, "files cannot be made immutable here");
        return Ok(());
    }
    release()?;
    fs::remove_file(project.tmp().join("try"))?;
    let run = project.reduce(&["./test.sh", "a.c", "-j", "1"]);
    release()?;
    run?.exits_with(3)?.says(&["the test leaves something that cannot be removed", "d/d/d", "protected"])?;
    Ok(())
}

#[test]
fn a_test_that_stops_its_helper_now_and_then_costs_time_and_no_more() -> Checked {
    let once = "[ -e \"$OUTSIDE/once\" ] || { : >\"$OUTSIDE/once\"; kill -STOP $PPID; }";
    let project = Project::with(&format!("{once}\n{NEEDLE}"), "a.txt", "one\ntwo needle three\nfour\n")?;
    let run = project.reduce(&["./test.sh", "a.txt", "--timeout", "30"])?.exits_with(0)?;
    run.says(&[" 0 timed out"])?;
    assert_eq!(project.read("a.reduced.txt")?.trim(), "needle");
    project.is_left_clean()
}

#[test]
fn a_helper_that_is_stopped_all_the_time_delays_neither_the_run_nor_ctrl_c() -> Checked {
    let stops = "(while :; do kill -STOP $PPID; done) >/dev/null 2>&1 &";
    let script = format!("p=$PPID; : >\"$OUTSIDE/begun\"; {}\nsleep 1000", stops.replace("$PPID", "$p"));
    let project = Project::with(&script, "a.c", C)?;
    let start = Instant::now();
    project.reduce(&["./test.sh", "a.c", "--timeout", "1"])?.exits_with(3)?.says(&["takes too long"])?;
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    project.is_left_clean()?;
    fs::remove_file(project.outside().join("begun"))?;
    let mut run = project.start(&["reduce", "./test.sh", "a.c", "--timeout", "900"])?;
    run.wait_until("the test", || project.outside().join("begun").exists())?;
    run.signal(rustix::process::Signal::INT)?;
    let start = Instant::now();
    run.finish()?.exits_with(130)?;
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    project.is_left_clean()
}

/// A program that sleeps as root, whoever starts it; `None` if the system allows none.
fn sleeps_as_root(project: &Project) -> Option<String> {
    let program = project.outside().join("as-root");
    let copied = is_above_permissions()
        && fs::copy("/usr/bin/setpriv", &program).is_ok()
        && fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o4755)).is_ok();
    copied.then(|| format!("{} --reuid=0 --clear-groups sleep 60", program.display()))
}

/// A command in the project that runs as the user nobody, who may write there.
fn as_nobody(project: &Project) -> Result<Command, Box<dyn std::error::Error>> {
    let root = project.folder();
    let root = root.parent().ok_or("no folder")?;
    let changed = Command::new("chown").args(["-R", "65534:65534"]).arg(root).status()?;
    assert!(changed.success());
    let mut command = project.command("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(command)
}

/// Whether commands can run as the user nobody.
fn can_be_nobody() -> bool {
    is_above_permissions() && has("setpriv")
}

#[test]
fn a_process_that_lopper_may_not_kill_delays_nothing() -> Checked {
    let name = "a_process_that_lopper_may_not_kill_delays_nothing";
    let project = Project::new()?;
    if !can_be_nobody() {
        skip(name, "this needs root and setpriv");
        return Ok(());
    }
    let mut command = as_nobody(&project)?;
    let Some(sleeps) = sleeps_as_root(&project) else {
        skip(name, "there is no setpriv to copy");
        return Ok(());
    };
    project.script("test.sh", &format!("{sleeps} >/dev/null 2>&1 &\n{NEEDLE}"))?;
    project.file("a.txt", "one\ntwo needle three\n")?;
    command.args([env!("CARGO_BIN_EXE_lopper"), "reduce", "./test.sh", "a.txt"]);
    let start = Instant::now();
    project.spawn(command)?.finish()?.exits_with(0)?.says(&["process ", "could not be killed"])?;
    assert!(start.elapsed() < Duration::from_secs(50), "{:?}", start.elapsed());
    assert_eq!(project.read("a.reduced.txt")?.trim(), "needle");
    assert_eq!(names_in(&project.tmp())?, [] as [String; 0]);
    Ok(())
}

#[test]
fn a_child_from_before_the_start_of_lopper_is_not_killed() -> Checked {
    let project =
        Project::with(&format!("setsid sleep 1000 >/dev/null 2>&1 &\n{NEEDLE}"), "a.txt", "one needle")?;
    if !has("setsid") {
        skip("a_child_from_before_the_start_of_lopper_is_not_killed", "there is no setsid");
        return Ok(());
    }
    // The second one becomes Lopper's child only later.
    let script = format!(
        "sleep 77 & echo $! >\"$OUTSIDE/pid\"; sh -c 'sleep 0.3; env -i sleep 78 & echo $! >\"$OUTSIDE/pid2\"' & exec {} reduce ./test.sh a.txt -j 1",
        env!("CARGO_BIN_EXE_lopper")
    );
    project.script("test.sh", &format!("setsid sleep 1000 >/dev/null 2>&1 &\nsleep 0.1\n{NEEDLE}"))?;
    project.script("slow", &script)?;
    let mut command = project.command(project.path("slow"));
    // The command does not wait for processes that outlive it.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    project.spawn(command)?.finish()?.exits_with(0)?;
    for name in ["pid", "pid2"] {
        let pid = project.reported(name);
        let line = fs::read(Path::new("/proc").join(pid.trim()).join("cmdline")).unwrap_or_default();
        assert!(line.starts_with(b"sleep"), "{name}: {pid} is {:?}", String::from_utf8_lossy(&line));
        assert!(Command::new("kill").arg(pid.trim()).status()?.success());
    }
    project.is_left_clean()
}

#[test]
fn a_test_that_forbids_its_folders_is_no_problem() -> Checked {
    for forbid in ["chmod 000 .", "chmod 000 ..", "mkdir -p a/b; : >a/b/c; chmod 000 a/b a . .. \"$TMPDIR\""]
    {
        let script = format!("{NEEDLE}; s=$?; {forbid}; exit $s");
        let project = Project::with(&script, "a.txt", "one\ntwo needle three\n")?;
        let mut command = if can_be_nobody() {
            let mut command = as_nobody(&project)?;
            command.arg(env!("CARGO_BIN_EXE_lopper"));
            command
        } else {
            let mut command = project.command(env!("CARGO_BIN_EXE_lopper"));
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command
        };
        command.args(["reduce", "./test.sh", "a.txt"]);
        project.spawn(command)?.finish()?.exits_with(0).map_err(|e| format!("{forbid}: {e}"))?;
        assert_eq!(project.read("a.reduced.txt")?.trim(), "needle", "{forbid}");
        project.is_left_clean().map_err(|e| format!("{forbid}: {e}"))?;
    }
    Ok(())
}
