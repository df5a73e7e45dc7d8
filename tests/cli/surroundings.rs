//! The environment of a run: limits, signals, temporary folders, and remains of other runs.

use super::{C, NEEDLE};
use crate::Checked;
use crate::kit::{Finished, Project, has, is_above_permissions, names_in, skip};
use rustix::process::Signal;
use std::process::{Command, Stdio};

/// Runs these shell lines in the project, where `lopper` is the command.
fn shell(project: &Project, lines: &str) -> Result<Finished, Box<dyn std::error::Error>> {
    let lines = lines.replace("lopper", env!("CARGO_BIN_EXE_lopper"));
    let mut command = project.command("sh");
    command.args(["-c", &lines]).stdout(Stdio::piped()).stderr(Stdio::piped());
    project.spawn(command)?.finish()
}

/// Whether processes can get namespaces of their own.
fn can_unshare() -> bool {
    let mut may = Command::new("unshare");
    may.args(["-m", "mount", "--bind", "/tmp", "/tmp"]).stderr(Stdio::null());
    may.status().is_ok_and(|status| status.success())
}

#[test]
fn remains_of_killed_helpers_are_removed_at_the_next_start() -> Checked {
    // Both are stopped first: a helper that sees the end of Lopper before its own would clean up.
    let kills = "[ -e \"$OUTSIDE/go\" ] && { read -r _ _ _ parent _ </proc/$PPID/stat; \
                 kill -STOP $parent $PPID; kill -9 $parent $PPID; sleep 1000; }";
    let project = Project::with(&format!("{kills}\n{NEEDLE}"), "a.c", C)?;
    std::fs::write(project.outside().join("go"), "")?;
    let run = project.reduce(&["./test.sh", "a.c", "-j", "1"])?;
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&run.status), Some(9), "{}", run.stderr);
    std::fs::remove_file(project.outside().join("go"))?;
    let left = names_in(&project.tmp())?;
    assert!(left.len() == 1 && left[0].starts_with("lopper-"), "nobody could remove it: {left:?}");
    // The folder of a run that is still going is kept.
    let slow = "[ -e \"$OUTSIDE/slow\" ] && { pwd >\"$OUTSIDE/at\"; while [ -e \"$OUTSIDE/slow\" ]; do sleep 0.01; done; }";
    project.script("slow.sh", &format!("{slow}\n{NEEDLE}"))?;
    std::fs::write(project.outside().join("slow"), "")?;
    let mut other = project.start(&["reduce", "./slow.sh", "a.c", "-j", "1", "-o", "other.c"])?;
    other.wait_until("the slow test", || !project.reported("at").is_empty())?;
    project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    let at = project.reported("at");
    assert!(std::path::Path::new(at.trim()).exists(), "{at}");
    assert!(!names_in(&project.tmp())?.contains(&left[0]));
    std::fs::remove_file(project.outside().join("slow"))?;
    other.finish()?.exits_with(0)?;
    // The hidden process still runs.
    for (pid, _) in project.descendants()? {
        if let Some(pid) = rustix::process::Pid::from_raw(pid) {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
    }
    project.is_left_clean()
}

#[test]
fn the_folder_for_temporary_files_may_be_relative_or_unset_and_one_that_is_not_there_is_named() -> Checked {
    let script =
        format!("case $PWD in /*) ;; *) exit 1;; esac; case $TMPDIR in /*) ;; *) exit 1;; esac; {NEEDLE}");
    let project = Project::with(&script, "a.c", C)?;
    std::fs::create_dir(project.path("tmp"))?;
    for tmp in ["tmp", "./tmp/", ""] {
        let run = shell(&project, &format!("TMPDIR={tmp} exec lopper reduce ./test.sh a.c"))?;
        run.exits_with(0).map_err(|e| format!("TMPDIR={tmp}: {e}"))?;
    }
    assert_eq!(names_in(&project.path("tmp"))?, [] as [String; 0]);
    let run = shell(&project, "TMPDIR=/no/such exec lopper reduce ./test.sh a.c")?.exits_with(2)?;
    run.says(&["no working folder can be created in '/no/such'", "No such file", "TMPDIR"])?;
    Ok(())
}

#[test]
fn a_parent_that_ignores_the_ends_of_its_children_is_no_problem() -> Checked {
    let project = Project::with(NEEDLE, "a.c", C)?;
    let run = shell(&project, "trap '' CHLD; exec lopper reduce ./test.sh a.c")?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle", "{}", run.stderr);
    project.is_left_clean()
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_with_a_cause() -> Checked {
    for script in [NEEDLE.to_owned(), format!("trap 'head -c 100000 /dev/zero >big' EXIT; {NEEDLE}")] {
        let project = Project::with(&script, "a.c", C.repeat(100))?;
        let run = shell(&project, "ulimit -f 1; exec lopper reduce ./test.sh a.c")?.exits_with(2)?;
        run.says(&["File too large", "ulimit -f"])?;
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn a_limit_on_processes_is_an_error_with_a_cause_or_costs_speed() -> Checked {
    if !is_above_permissions() || !has("setpriv") || !has("prlimit") {
        let name = "a_limit_on_processes_is_an_error_with_a_cause_or_costs_speed";
        skip(name, "this needs root, setpriv and prlimit");
        return Ok(());
    }
    let project = Project::with("exec grep -q needle \"$1\"", "a.txt", "one needle two")?;
    let root = project.folder();
    let root = root.parent().ok_or("no folder")?;
    // A user of this test's own, since the limit counts all processes of the user.
    assert!(Command::new("chown").args(["-R", "64913:64913"]).arg(root).status()?.success());
    let mut failed = 0;
    for limit in 1..14 {
        let run = shell(
            &project,
            &format!(
                "exec setpriv --reuid=64913 --regid=64913 --clear-groups prlimit --nproc={limit} lopper reduce ./test.sh a.txt -j 2"
            ),
        )?;
        match run.status.code() {
            Some(0) => {}
            Some(2) => {
                failed += 1;
                run.says(&["can be started", "ulimit -u"]).map_err(|e| format!("{limit}: {e}"))?;
            }
            _ => return Err(format!("{limit}: {}\n{}", run.status, run.stderr).into()),
        }
        project.is_left_clean().map_err(|e| format!("{limit}: {e}"))?;
    }
    assert!(failed > 0, "the limit has no effect here");
    Ok(())
}

#[test]
fn a_lack_of_processes_or_of_standard_input_is_reported() -> Checked {
    if !can_unshare() {
        skip("a_lack_of_processes_or_of_standard_input_is_reported", "nothing can be mounted here");
        return Ok(());
    }
    let project = Project::with(NEEDLE, "a.c", C)?;
    let hidden = |folder: &str| {
        format!("exec unshare -m sh -c 'mount -t tmpfs none {folder} && exec lopper reduce ./test.sh a.c'")
    };
    shell(&project, &hidden("/proc"))?.exits_with(2)?.says(&["there is no /proc"])?;
    shell(&project, &hidden("/dev"))?.exits_with(2)?.says(&["'/dev/null', the standard input"])?;
    Ok(())
}

#[test]
fn a_test_that_is_just_being_written_is_waited_for() -> Checked {
    let project = Project::with(NEEDLE, "a.c", C)?;
    let busy = "exec 3>>test.sh; sleep 0.3 & exec 3>&-; exec lopper reduce ./test.sh a.c";
    shell(&project, busy)?.exits_with(0)?;
    // A resource that is never released is an error with its cause.
    let busy = "exec 3>>test.sh; lopper reduce ./test.sh a.c";
    shell(&project, busy)?.exits_with(3)?.says(&["cannot be started", "busy"])?;
    Ok(())
}

#[test]
fn containers_in_which_processes_have_the_same_numbers_can_share_a_folder() -> Checked {
    if !can_unshare() {
        skip(
            "containers_in_which_processes_have_the_same_numbers_can_share_a_folder",
            "there are no containers",
        );
        return Ok(());
    }
    let project = Project::with(&format!("sleep 0.02\n{NEEDLE}"), "a.c", C)?;
    let one = |name: &str| format!("unshare -pf --mount-proc lopper reduce -q -j 1 ./test.sh a.c -o {name}");
    shell(&project, &format!("{} & {} && wait $!", one("1.c"), one("2.c")))?.exits_with(0)?;
    for name in ["1.c", "2.c"] {
        assert_eq!(project.read(name)?.trim(), "needle");
    }
    project.is_left_clean()
}
