//! The fault suite: faults of tests, disks and users. Each fault has its verdict or its message, and leaves
//! no process and no file behind.

use super::{C, NEEDLE, needle};
use crate::Checked;
use crate::kit::{Project, has, names_in, skip};
use rustix::process::Signal;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Side effects of a test. They do not change its verdict on `NEEDLE`, so the result is the same as without
/// them.
const HARMLESS: &[(&str, &str)] = &[
    ("leaves a child that ignores SIGTERM", "(trap '' TERM HUP INT; sleep 1000) >/dev/null 2>&1 &"),
    ("detaches a grandchild with setsid", "(setsid sleep 1000 >/dev/null 2>&1 &)"),
    (
        "detaches a chain of sessions",
        "setsid sh -c 'setsid sh -c \"setsid sleep 1000 & sleep 1000\" & sleep 1000' >/dev/null 2>&1 &",
    ),
    ("leaves a child that forks on and on", "(while :; do sleep 0.01 & sleep 0.01; done) >/dev/null 2>&1 &"),
    ("prints a megabyte of nothing", "head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2"),
    ("prints bytes that are no text", "printf '\\377\\376\\000\\200'"),
    ("changes the folder", "f=$(pwd)/$(basename \"$1\"); cd /; set -- \"$f\""),
    ("removes its input in the end", "trap 'rm -f \"$1\"' EXIT"),
    ("removes its own folder in the end", "trap 'cd /; rm -rf \"${1%/*}\"' EXIT"),
    ("removes its folder and puts a file there", "trap 'd=${1%/*}; cd /; rm -rf \"$d\"; : >\"$d\"' EXIT"),
    ("writes over its input in the end", "trap 'echo needle needle needle >\"$1\"' EXIT"),
    ("makes its folder read-only in the end", "trap 'mkdir -p a/b; : >a/b/c; chmod -R a-w .' EXIT"),
    (
        "fills its folder with files",
        "mkdir -p d/d/d; for i in 1 2 3 4 5 6 7 8 9; do : >d/d/d/$i; ln -s / d/$i; done",
    ),
    ("leaves files in TMPDIR", "mktemp >/dev/null; mktemp -d >/dev/null"),
    ("leaves a pipe with a name", "mkfifo pipe"),
    ("closes standard input", "exec 0<&-"),
    ("closes all it has", "exec 0<&- 1>&- 2>&-"),
    ("reads standard input to its end", "cat >/dev/null"),
    ("stops a child of its own", "sleep 1000 & kill -STOP $!"),
    ("leaves its group", "true; { kill -0 $$; }"),
];

/// The ways in which a test can end with the verdict `Boring` on every candidate.
fn dies_of(signal: &str) -> String {
    format!("{NEEDLE} || kill -{signal} $$\ncmp -s \"$1\" \"$OUTSIDE/../here/a.txt\" || kill -{signal} $$")
}

#[test]
fn side_effects_of_a_test_change_no_verdict_and_leave_nothing_behind() -> Checked {
    for (what, script) in HARMLESS {
        if script.contains("setsid") && !has("setsid") {
            skip(what, "there is no setsid");
            continue;
        }
        let project =
            Project::with(&format!("{script}\n{NEEDLE}"), "a.txt", "one\ntwo needle three\nfour\n")?;
        let run =
            project.reduce(&["./test.sh", "a.txt"])?.exits_with(0).map_err(|e| format!("{what}: {e}"))?;
        assert_eq!(project.read("a.reduced.txt")?.trim(), "needle", "{what}: {}", run.stderr);
        assert_eq!(names_in(&project.folder())?, ["a.reduced.txt", "a.txt", "test.sh"], "{what}");
        project.is_left_clean().map_err(|e| format!("{what}: {e}"))?;
    }
    Ok(())
}

#[test]
fn a_test_that_dies_of_any_signal_is_boring() -> Checked {
    let signals = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
        "ALRM", "TERM", "XCPU", "XFSZ", "VTALRM", "PROF", "IO", "SYS",
    ];
    for signal in signals {
        let project = Project::with(&dies_of(signal), "a.txt", "one needle two")?;
        project.reduce(&["./test.sh", "a.txt"])?.exits_with(4).map_err(|e| format!("{signal}: {e}"))?;
        assert_eq!(project.read("a.reduced.txt")?, "one needle two", "{signal}");
        assert_eq!(names_in(&project.folder())?, ["a.reduced.txt", "a.txt", "test.sh"], "no core: {signal}");
        project.is_left_clean().map_err(|e| format!("{signal}: {e}"))?;
    }
    Ok(())
}

#[test]
fn a_test_that_cannot_run_or_rejects_the_original_is_explained() -> Checked {
    for (what, text, said) in [
        ("a missing interpreter", "#!/no/such/shell\n", &["cannot be started", "interpreter"][..]),
        ("no interpreter at all", "plain text\n", &["cannot be started", "#!/bin/sh"]),
        ("nothing in it", "", &["cannot be started"]),
        ("a hang", "#!/bin/sh\nsleep 1000\n", &["takes too long"]),
        (
            "a hang that ignores requests",
            "#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 1000; done\n",
            &["too long"],
        ),
        ("a hang in another session", "#!/bin/sh\nsetsid -w sleep 1000\n", &["takes too long"]),
        ("a stop", "#!/bin/sh\nkill -STOP $$\n", &["takes too long"]),
        ("a crash", "#!/bin/sh\nkill -SEGV $$\n", &["was ended by a signal"]),
        (
            "its parent's death",
            "#!/bin/sh\nkill -9 $PPID\nsleep 1000\n",
            &["killed the process that runs it"],
        ),
        ("always yes", "#!/bin/sh\nexit 0\n", &["accepts an empty file"]),
        ("always no", "#!/bin/sh\nexit 1\n", &["does not accept the original"]),
    ] {
        let project = Project::new()?;
        project.executable("test.sh", text)?;
        project.file("a.c", C)?;
        let run = project.reduce(&["./test.sh", "a.c", "--timeout", "1"])?.exits_with(3);
        run.and_then(|run| run.says(said)).map_err(|e| format!("{what}: {e}"))?;
        assert_eq!(names_in(&project.folder())?, ["a.c", "test.sh"], "{what}");
        project.is_left_clean().map_err(|e| format!("{what}: {e}"))?;
    }
    Ok(())
}

#[test]
fn a_test_that_kills_its_parent_now_and_then_costs_a_run_and_no_more() -> Checked {
    // The first run of each candidate kills the helper, the second one does not.
    let kills = "seen=\"$OUTSIDE/$(cksum <\"$1\" | tr ' ' -)\"; [ -f \"$seen\" ] || { : >\"$seen\"; kill -9 $PPID; sleep 1000; }";
    let project = Project::with(&format!("{kills}\n{NEEDLE}"), "a.txt", "one\ntwo needle three\nfour\n")?;
    project.reduce(&["./test.sh", "a.txt"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.txt")?.trim(), "needle");
    project.is_left_clean()
}

#[test]
fn a_candidate_that_hangs_times_out_and_the_run_continues() -> Checked {
    let hangs = "grep -q one \"$1\" || { trap '' TERM; setsid sleep 1000 & sleep 1000; }";
    let project = Project::with(&format!("{hangs}\n{NEEDLE}"), "a.txt", "one\ntwo needle three\n")?;
    project.reduce(&["./test.sh", "a.txt", "--timeout", "0.3"])?.exits_with(0)?;
    let result = project.read("a.reduced.txt")?;
    assert_eq!(result.split_whitespace().collect::<Vec<_>>(), ["one", "needle"]);
    project.is_left_clean()
}

/// Kills Lopper with SIGKILL while a test runs that tries to survive by all means.
#[test]
fn nothing_survives_when_lopper_itself_is_killed() -> Checked {
    let hides =
        "trap '' TERM HUP INT; setsid sleep 1000 & (setsid sh -c 'sleep 1000 & sleep 1000' &); sleep 1000 &";
    let script = format!(
        "{NEEDLE} || exit 1\n[ -f \"$OUTSIDE/go\" ] || exit 0\n{hides}\n: >\"$OUTSIDE/runs\"\nwait; sleep 1000"
    );
    for jobs in ["1", "4"] {
        let project = Project::with(&script, "a.c", C)?;
        let mut run = project.start(&["reduce", "./test.sh", "a.c", "-j", jobs, "--timeout", "900"])?;
        run.wait_until("the output", || project.path("a.reduced.c").exists())?;
        fs::write(project.outside().join("go"), "")?;
        run.wait_until("a test that hides", || project.outside().join("runs").exists())?;
        run.signal(Signal::KILL)?;
        run.finish()?;
        project.is_left_clean().map_err(|e| format!("{jobs} workers: {e}"))?;
        assert!(project.read("a.reduced.c")?.contains("needle"));
    }
    Ok(())
}

/// After this time, a signal no longer counts as the one before it.
const BETWEEN_SIGNALS: Duration = Duration::from_millis(150);

#[test]
fn a_signal_that_comes_twice_at_once_as_from_timeout_is_one() -> Checked {
    let project = Project::with(&format!("sleep 0.05\n{NEEDLE}"), "a.c", C)?;
    let mut run = project.start(&["reduce", "./test.sh", "a.c"])?;
    run.wait_until("the output", || project.path("a.reduced.c").exists())?;
    run.signal(Signal::INT)?;
    // Signals that are pending at the same time are one.
    std::thread::sleep(Duration::from_millis(5));
    run.signal(Signal::INT)?;
    run.finish()?.exits_with(130)?.says(&["interrupted", "runs "])?;
    project.is_left_clean()
}

#[test]
fn a_second_ctrl_c_ends_the_run_at_once_and_leaves_nothing() -> Checked {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let slow = "[ -f \"$OUTSIDE/go\" ] && { trap '' TERM; : >\"$OUTSIDE/runs\"; sleep 1000; }";
        let project = Project::with(&format!("{slow}\n{NEEDLE}"), "a.c", C)?;
        let mut run = project.start(&["reduce", "./test.sh", "a.c", "--timeout", "900"])?;
        run.wait_until("the output", || project.path("a.reduced.c").exists())?;
        fs::write(project.outside().join("go"), "")?;
        run.wait_until("a slow test", || project.outside().join("runs").exists())?;
        run.signal(signal)?;
        std::thread::sleep(BETWEEN_SIGNALS);
        run.signal(signal)?;
        run.finish()?.exits_with(130)?;
        assert!(project.read("a.reduced.c")?.contains("needle"));
        project.is_left_clean()?;
        fs::remove_file(project.outside().join("go"))?;
        project.reduce(&["./test.sh", "a.c", "--resume"])?.exits_with(0)?;
        assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    }
    Ok(())
}

#[test]
fn under_nohup_the_end_of_the_terminal_is_not_the_end_of_the_run() -> Checked {
    if !has("nohup") {
        skip("under_nohup_the_end_of_the_terminal_is_not_the_end_of_the_run", "there is no nohup");
        return Ok(());
    }
    let project = Project::with(&format!("sleep 0.02\n{NEEDLE}"), "a.c", C)?;
    let mut command = project.command("nohup");
    command.args([env!("CARGO_BIN_EXE_lopper"), "reduce", "./test.sh", "a.c"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = project.spawn(command)?;
    run.wait_until("the output", || project.path("a.reduced.c").exists())?;
    run.signal(Signal::HUP)?;
    run.finish()?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    project.is_left_clean()
}

#[test]
fn an_input_that_vanishes_or_changes_during_the_run_does_not_matter() -> Checked {
    for meanwhile in ["rm -f \"$OUTSIDE/../here/a.c\"", "echo other >\"$OUTSIDE/../here/a.c\""] {
        let project = Project::with(
            &format!("[ -d \"$OUTSIDE/../here/a.reduced.c.lopper\" ] && {meanwhile}\n{NEEDLE}"),
            "a.c",
            C,
        )?;
        project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
        assert_eq!(project.read("a.reduced.c")?.trim(), "needle", "{meanwhile}");
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn a_test_that_vanishes_ends_the_run_with_the_result_so_far() -> Checked {
    let vanishes = "[ \"$(wc -c <\"$1\")\" -lt 100 ] && rm -f \"$OUTSIDE/../here/test.sh\"";
    let project = Project::with(&format!("{NEEDLE} || exit 1\n{vanishes}\nexit 0"), "a.c", C.repeat(3))?;
    let test = project.read("test.sh")?;
    let run = project.reduce(&["./test.sh", "a.c", "-j", "1"])?.exits_with(3)?;
    run.says(&["cannot be started", "with --resume to continue"])?;
    assert!(project.read("a.reduced.c")?.contains("needle"));
    project.is_left_clean()?;
    project.executable("test.sh", &test.replace("rm -f", ": "))?;
    project.reduce(&["./test.sh", "a.c", "--resume"])?.exits_with(2)?.says(&["the test"])?;
    Ok(())
}

/// A small file system in memory, unmounted on drop.
struct Small<'a>(&'a std::path::Path);

impl<'a> Small<'a> {
    fn mount(at: &'a std::path::Path, size: &str) -> Option<Self> {
        fs::create_dir_all(at).ok()?;
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "none"]).arg(at).stderr(Stdio::null());
        let mounted = mount.status().is_ok_and(|status| status.success());
        mounted.then_some(Self(at))
    }
}

impl Drop for Small<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_for_the_result_ends_the_run_with_a_whole_result_that_can_be_resumed() -> Checked {
    let project = Project::with(NEEDLE, "a.c", C.repeat(200))?;
    let small = project.path("small");
    let Some(_mounted) = Small::mount(&small, "256k") else {
        skip(
            "a_full_disk_for_the_result_ends_the_run_with_a_whole_result_that_can_be_resumed",
            "nothing can be mounted here",
        );
        return Ok(());
    };
    let rest = 256 * 1024 - C.len() * 200 - 3 * 4096;
    fs::write(small.join("rest"), vec![b'x'; rest])?;
    let run = project.reduce(&["./test.sh", "a.c", "-o", "small/out.c", "-j", "1"])?.exits_with(2)?;
    run.says(&["cannot be written", "No space left"])?;
    let text = fs::read_to_string(small.join("out.c")).unwrap_or_else(|_| "needle".into());
    assert!(text.contains("needle"), "{text}");
    fs::remove_file(small.join("rest"))?;
    project.reduce(&["./test.sh", "a.c", "-o", "small/out.c", "--resume"])?.exits_with(0)?;
    assert_eq!(fs::read_to_string(small.join("out.c"))?.trim(), "needle");
    project.is_left_clean()
}

#[test]
fn a_test_that_fills_a_small_disk_is_cleaned_up_after() -> Checked {
    let project = Project::with(&format!("head -c 9000000 /dev/zero >\"$TMPDIR/fill\"\n{NEEDLE}"), "a.c", C)?;
    let tmp = project.tmp();
    let Some(_mounted) = Small::mount(&tmp, "4m") else {
        skip("a_test_that_fills_a_small_disk_is_cleaned_up_after", "nothing can be mounted here");
        return Ok(());
    };
    // With more workers, one could fill the disk while another one writes its candidate.
    project.reduce(&["./test.sh", "a.c", "-j", "1"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    project.is_left_clean()
}

#[test]
#[ignore = "takes long: a gigabyte of output for each run"]
fn a_test_that_prints_a_gigabyte_is_no_problem() -> Checked {
    let project = Project::with(&format!("head -c 1000000000 /dev/zero\n{NEEDLE}"), "a.txt", "one needle")?;
    project.reduce(&["./test.sh", "a.txt"])?.exits_with(0)?;
    project.is_left_clean()
}

#[test]
fn a_test_cannot_write_a_file_without_end() -> Checked {
    if !has("truncate") {
        skip("a_test_cannot_write_a_file_without_end", "there is no truncate");
        return Ok(());
    }
    // A hole takes no space, but its end is beyond the limit.
    let script = format!("truncate -s 3G ok || exit 1\ntruncate -s 5G big 2>/dev/null && exit 1\n{NEEDLE}");
    let project = Project::with(&script, "a.txt", "one needle two")?;
    project.reduce(&["./test.sh", "a.txt"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.txt")?.trim(), "needle");
    project.is_left_clean()
}

#[test]
fn a_test_that_eats_memory_is_the_first_to_be_killed() -> Checked {
    let script =
        format!("read -r score </proc/self/oom_score_adj && [ \"$score\" -ge 500 ] || exit 1\n{NEEDLE}");
    let project = Project::with(&script, "a.txt", "one needle two")?;
    if !std::path::Path::new("/proc/self/oom_score_adj").exists() {
        skip("a_test_that_eats_memory_is_the_first_to_be_killed", "this kernel has no scores");
        return Ok(());
    }
    project.reduce(&["./test.sh", "a.txt"])?.exits_with(0)?;
    Ok(())
}

/// Python code that holds this many megabytes for a while.
fn holds(megabytes: usize, then: &str) -> String {
    format!("python3 -c 'import os, time; held = b\"x\" * ({megabytes} << 20); {then}'")
}

#[test]
fn a_candidate_that_takes_too_much_memory_is_stopped_and_counted_and_the_run_continues() -> Checked {
    let alone = holds(300, "time.sleep(1000)");
    let many = format!("for i in 1 2 3 4 5; do setsid {} & done; wait", holds(60, "time.sleep(1000)"));
    for (what, eats) in [("one process", alone), ("several, in sessions of their own", many)] {
        if what != "one process" && !has("setsid") {
            skip(what, "there is no setsid");
            continue;
        }
        let script = format!("grep -q one \"$1\" || {{ {eats}; }}\n{NEEDLE}");
        let project = Project::with(&script, "a.txt", "one\ntwo needle three\n")?;
        let run = project.reduce(&["./test.sh", "a.txt", "--timeout", "900", "--memory-limit", "200M"])?;
        let run = run.exits_with(0).map_err(|e| format!("{what}: {e}"))?;
        run.says(&[" out of memory)", " 0 timed out"]).map_err(|e| format!("{what}: {e}"))?;
        let result = project.read("a.reduced.txt")?;
        assert_eq!(result.split_whitespace().collect::<Vec<_>>(), ["one", "needle"], "{what}");
        project.is_left_clean().map_err(|e| format!("{what}: {e}"))?;
    }
    Ok(())
}

#[test]
fn an_original_that_takes_too_much_memory_is_told_how_to_get_more() -> Checked {
    let script = format!("{}\n{NEEDLE}", holds(300, "time.sleep(1000)"));
    let project = Project::with(&script, "a.txt", "needle")?;
    for command in ["reduce", "isolate"] {
        let limited = [command, "./test.sh", "a.txt", "--timeout", "900", "--memory-limit", "0.1G"];
        let run = project.lopper(&limited)?.exits_with(3)?;
        run.says(&["too much memory", "more than 102.4M", "--memory-limit 409.6M"])?;
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn shared_and_merely_reserved_memory_does_not_count() -> Checked {
    let forks = "[os.fork() or time.sleep(1000) for i in range(8)]; time.sleep(0.3)";
    let reserves = "python3 -c 'import mmap, time; kind = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000
held = mmap.mmap(-1, 1 << 36, flags=kind, prot=mmap.PROT_READ); time.sleep(0.3)'";
    for (what, holds) in [("shared", holds(120, forks)), ("reserved", reserves.to_owned())] {
        let project = Project::with(&format!("{holds} || exit 1\n{NEEDLE}"), "a.txt", "one needle two")?;
        let run = project.reduce(&["./test.sh", "a.txt", "--timeout", "900", "--memory-limit", "400M"])?;
        run.exits_with(0).map_err(|e| format!("{what}: {e}"))?;
        assert_eq!(project.read("a.reduced.txt")?.trim(), "needle", "{what}");
        project.is_left_clean().map_err(|e| format!("{what}: {e}"))?;
    }
    Ok(())
}

#[test]
fn a_read_only_file_system_is_reported_and_nothing_is_lost() -> Checked {
    let project = Project::with(NEEDLE, "a.c", C)?;
    let small = project.path("small");
    let Some(_mounted) = Small::mount(&small, "1m") else {
        skip("a_read_only_file_system_is_reported_and_nothing_is_lost", "nothing can be mounted here");
        return Ok(());
    };
    let arguments = ["./test.sh", "a.c", "-o", "small/out.c", "--max-tests", "4"];
    project.reduce(&arguments)?.exits_with(0)?;
    let before = fs::read(small.join("out.c"))?;
    let remount = |how: &str| Command::new("mount").args(["-o", how]).arg(&small).status();
    assert!(remount("remount,ro")?.success());
    project
        .reduce(&["./test.sh", "a.c", "-o", "small/new.c"])?
        .exits_with(2)?
        .says(&["cannot be written"])?;
    let more = ["./test.sh", "a.c", "-o", "small/out.c", "--resume"];
    project.reduce(&more)?.exits_with(2)?.says(&["cannot be written", "Read-only"])?;
    assert_eq!(fs::read(small.join("out.c"))?, before);
    assert!(remount("remount,rw")?.success());
    project.reduce(&more)?.exits_with(0)?;
    assert_eq!(fs::read_to_string(small.join("out.c"))?.trim(), "needle");
    assert_eq!(names_in(&small)?, ["out.c"]);
    project.is_left_clean()
}

#[test]
fn a_helper_that_is_not_started_by_lopper_ends_at_once() -> Checked {
    let project = needle()?;
    let start = Instant::now();
    project.lopper(&["run-tests-for-lopper"])?.exits_with(1)?;
    assert!(start.elapsed() < Duration::from_secs(60));
    project.is_left_clean()
}
