//! The files that a result may replace, and those that it may not.

use super::{C, NEEDLE, needle};
use crate::Checked;
use crate::kit::{Finished, Project, has, is_above_permissions, names_in, skip};
use std::error::Error;
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::Stdio;

/// Reports whether a run in place on a.c has begun, and where a.c is.
const IN_PLACE: &str = "file=\"$OUTSIDE/../here/a.c\"; test -d \"$file.lopper\" &&";

fn out(project: &Project) -> Result<Finished, Box<dyn Error>> {
    project.reduce(&["./test.sh", "a.c", "-o", "out.c"])
}

#[test]
fn a_result_goes_through_a_link_which_stays() -> Checked {
    for there in [true, false] {
        let project = needle()?;
        fs::create_dir(project.path("sub"))?;
        symlink("sub/second.c", project.path("out.c"))?;
        symlink("real.c", project.path("sub/second.c"))?;
        if there {
            project.file("sub/real.c", "old")?;
        }
        out(&project)?.exits_with(0)?.says(&["sub/real.c"])?;
        assert!(fs::symlink_metadata(project.path("out.c"))?.is_symlink());
        assert!(fs::symlink_metadata(project.path("sub/second.c"))?.is_symlink());
        assert_eq!(project.read("sub/real.c")?.trim(), "needle");
        assert_eq!(names_in(&project.path("sub"))?, ["real.c", "second.c"]);
    }
    Ok(())
}

#[test]
fn a_result_for_a_pipe_arrives_once_and_whole_and_the_run_can_be_resumed() -> Checked {
    if !has("mkfifo") {
        skip("a_result_for_a_pipe_arrives_once_and_whole_and_the_run_can_be_resumed", "there is no mkfifo");
        return Ok(());
    }
    let project = needle()?;
    assert!(project.command("mkfifo").arg("out.c").status()?.success());
    let read = |max: &str| -> Result<String, Box<dyn Error>> {
        let mut reader = project.command("cat");
        reader.arg("out.c").stdout(Stdio::piped());
        let reader = project.spawn(reader)?;
        let arguments = ["./test.sh", "a.c", "-o", "out.c", "--resume", "--max-tests", max];
        project.reduce(&arguments)?.exits_with(0)?;
        Ok(reader.finish()?.stdout)
    };
    let first = read("4")?;
    assert!(first.contains("needle") && first.matches("needle").count() == 1, "{first}");
    assert!(project.path("a.reduced.c.lopper").exists(), "the run folder lies beside the input");
    assert_eq!(read("1000")?.trim(), "needle");
    assert!(fs::symlink_metadata(project.path("out.c"))?.file_type().is_fifo());
    assert_eq!(names_in(&project.folder())?, ["a.c", "out.c", "test.sh"]);
    Ok(())
}

#[test]
fn a_file_that_replaces_a_pipe_during_the_run_is_left_alone() -> Checked {
    if !has("mkfifo") {
        skip("a_file_that_replaces_a_pipe_during_the_run_is_left_alone", "there is no mkfifo");
        return Ok(());
    }
    // Once the run folder exists, the place of the output has been chosen.
    let takes = "cd \"$OUTSIDE/../here\"; [ ! -d a.reduced.c.lopper ] || [ -L out.c ] || { rm out.c; ln -s dear out.c; }";
    let project = Project::with(&format!("({takes})\n{NEEDLE}"), "a.c", C)?;
    project.file("dear", "dear")?;
    assert!(project.command("mkfifo").arg("out.c").status()?.success());
    let run = project.reduce(&["./test.sh", "a.c", "-o", "out.c"])?.exits_with(2)?;
    run.says(&["something else has taken its place", "the result is in"])?;
    assert_eq!(project.read("dear")?, "dear");
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    Ok(())
}

#[test]
fn a_result_for_standard_output_or_a_device_replaces_neither() -> Checked {
    let project = needle()?;
    let run = project.reduce(&["./test.sh", "a.c", "-q", "-o", "/proc/self/fd/1"])?.exits_with(0)?;
    assert_eq!((run.stdout.trim(), &*run.stderr), ("needle", ""));
    let mut shell = project.command("sh");
    let line = "\"$0\" reduce ./test.sh a.c -q -o /proc/self/fd/1 --diff >both";
    shell.args(["-c", line, env!("CARGO_BIN_EXE_lopper")]);
    project.spawn(shell)?.finish()?.exits_with(0)?;
    let both = project.read("both")?;
    assert!(both.starts_with("needle\n---"), "what was written is not overwritten: {both}");
    fs::remove_file(project.path("both"))?;
    let made = project.command("mknod").args(["null", "c", "1", "3"]).stderr(Stdio::null()).status();
    if made.is_ok_and(|status| status.success()) {
        project.reduce(&["./test.sh", "a.c", "-o", "null"])?.exits_with(0)?;
        assert!(fs::metadata(project.path("null"))?.file_type().is_char_device());
        fs::remove_file(project.path("null"))?;
    } else {
        skip("a_result_for_standard_output_or_a_device_replaces_neither", "no device can be made here");
    }
    assert_eq!(names_in(&project.folder())?, ["a.c", "test.sh"]);
    Ok(())
}

#[test]
fn neither_the_test_nor_the_input_is_overwritten_under_any_name() -> Checked {
    let project = needle()?;
    let test = project.read("test.sh")?;
    for (file, what) in [("test.sh", "the output is the test"), ("a.c", "the output is the input")] {
        fs::hard_link(project.path(file), project.path("hard"))?;
        symlink(file, project.path("soft"))?;
        for name in [file, "hard", "soft"] {
            project.reduce(&["./test.sh", "a.c", "-o", name])?.exits_with(2)?.says(&[what])?;
            let quoted = project.path("test.sh").display().to_string();
            project.reduce(&["a.c", "-o", name, "--", "sh", &quoted, "{}"])?.exits_with(2)?.says(&[what])?;
        }
        fs::remove_file(project.path("hard"))?;
        fs::remove_file(project.path("soft"))?;
    }
    project.file("g.json", "{\"<start>\": [\"\"]}")?;
    let run = project.reduce(&["./test.sh", "a.c", "--grammar", "g.json", "-o", "./g.json"])?;
    run.exits_with(2)?.says(&["the output is the grammar"])?;
    fs::remove_file(project.path("g.json"))?;
    project.reduce(&["./test.sh", "test.sh", "--in-place"])?.exits_with(2)?.says(&["is the test"])?;
    assert_eq!((project.read("test.sh")?, &*project.read("a.c")?), (test, C));
    assert_eq!(names_in(&project.folder())?, ["a.c", "test.sh"]);
    Ok(())
}

#[test]
fn nothing_is_written_through_links_that_were_planted_in_a_run_folder() -> Checked {
    for name in ["temporary", "journal.jsonl", "log.txt", "best", "output-of-original.txt"] {
        for link in [|a: &Path, b: &Path| symlink(a, b), |a: &Path, b: &Path| fs::hard_link(a, b)] {
            let project = needle()?;
            let victim = project.file("victim", "precious")?;
            let folder = project.path("out.c.lopper");
            fs::create_dir(&folder)?;
            fs::set_permissions(&folder, fs::Permissions::from_mode(0o777))?;
            link(&victim, &folder.join(name))?;
            let run = out(&project)?;
            assert_eq!(project.read("victim")?, "precious", "{name}: {}", run.stderr);
        }
    }
    Ok(())
}

#[test]
fn a_run_folder_is_for_its_owner_alone() -> Checked {
    let project = needle()?;
    let folder = project.path("out.c.lopper");
    let mode = || fs::metadata(&folder).map(|metadata| metadata.mode() & 0o777);
    let options = ["./test.sh", "a.c", "-o", "out.c", "--max-tests", "2"];
    project.reduce(&options)?.exits_with(0)?;
    assert_eq!(mode()?, 0o700);
    for name in names_in(&folder)? {
        assert_eq!(fs::metadata(folder.join(&name))?.mode() & 0o777, 0o600, "{name}");
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777))?;
    project.reduce(&[&options[..], &["--resume"]].concat())?.exits_with(0)?;
    assert_eq!(mode()?, 0o755, "nobody else may write to it any more");
    if !is_above_permissions() {
        skip("a_run_folder_is_for_its_owner_alone", "nothing can be given to another user");
        return Ok(());
    }
    chown(&folder, Some(1), Some(1))?;
    let run = project.reduce(&[&options[..], &["--resume"]].concat())?.exits_with(2)?;
    run.says(&["belongs to another user", "--output"])?;
    Ok(())
}

#[test]
fn edits_during_a_run_in_place_are_kept_and_the_result_is_written_beside_the_file() -> Checked {
    let early = format!("{IN_PLACE} echo 'my needle' >\"$file\"");
    let late = format!("{IN_PLACE} test $(wc -c <\"$file\") -lt 9 && echo 'my needle' >\"$file\"");
    let removed = format!("{IN_PLACE} rm -f \"$file\"");
    for edit in [early, late, removed] {
        let project = Project::with(&format!("{edit}\n{NEEDLE}"), "a.c", C)?;
        let run = project.reduce(&["./test.sh", "a.c", "--in-place", "-j", "1"])?.exits_with(2)?;
        let run = run.says(&["a.c' was changed during the run", "the result is in", "a.reduced.c"])?;
        assert!(!run.stderr.contains("with --resume to continue"), "{edit}: {}", run.stderr);
        assert_eq!(run.stderr.matches("was changed").count(), 1, "{edit}: {}", run.stderr);
        match project.path("a.c").exists() {
            true => assert_eq!(project.read("a.c")?, "my needle\n", "{edit}"),
            false => assert!(edit.contains("rm -f"), "{edit}"),
        }
        let result = project.read("a.reduced.c")?;
        assert!(result.contains("needle") && result.len() < C.len(), "{edit}: {result}");
        assert_eq!(project.read("a.c.orig")?, C);
        let bytes = run.stderr.lines().find(|line| line.starts_with("bytes")).ok_or("no summary")?;
        assert!(
            bytes.contains(&format!("-> {} ", result.len())),
            "what is reported is what is there: {bytes}"
        );
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn a_backup_is_never_replaced_whatever_it_is() -> Checked {
    type Plant = fn(&Project) -> std::io::Result<()>;
    let plants: [(&str, Plant); 4] = [
        ("a link to nothing", |project| symlink("nothing", project.path("a.c.orig"))),
        ("a link to the file itself", |project| symlink("a.c", project.path("a.c.orig"))),
        ("a folder", |project| fs::create_dir(project.path("a.c.orig"))),
        ("a file that cannot be read", |project| {
            project.file("a.c.orig", "the real original")?;
            fs::set_permissions(project.path("a.c.orig"), fs::Permissions::from_mode(0o000))
        }),
    ];
    for (what, plant) in plants {
        let project = needle()?;
        plant(&project)?;
        let before = fs::symlink_metadata(project.path("a.c.orig"))?;
        let run = project.reduce(&["./test.sh", "a.c", "--in-place"])?.exits_with(2)?;
        run.says(&["the backup", "already exists"]).map_err(|e| format!("{what}: {e}"))?;
        let after = fs::symlink_metadata(project.path("a.c.orig"))?;
        assert_eq!((before.ino(), before.mode()), (after.ino(), after.mode()), "{what}");
        assert_eq!(project.read("a.c")?, C, "{what}");
        assert_eq!(names_in(&project.folder())?, ["a.c", "a.c.orig", "test.sh"], "{what}");
    }
    Ok(())
}

#[test]
fn the_result_has_the_permissions_and_the_owner_of_the_input() -> Checked {
    let project = needle()?;
    fs::set_permissions(project.path("a.c"), fs::Permissions::from_mode(0o750))?;
    if is_above_permissions() {
        chown(project.path("a.c"), Some(1), Some(2))?;
    } else {
        skip(
            "the_result_has_the_permissions_and_the_owner_of_the_input",
            "nothing can be given to another user",
        );
    }
    let input = fs::metadata(project.path("a.c"))?;
    project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    project.reduce(&["./test.sh", "a.c", "--in-place"])?.exits_with(0)?;
    for name in ["a.c", "a.c.orig", "a.reduced.c"] {
        let result = fs::metadata(project.path(name))?;
        let likeness = |metadata: &fs::Metadata| (metadata.mode(), metadata.uid(), metadata.gid());
        assert_eq!(likeness(&result), likeness(&input), "{name}");
    }
    Ok(())
}

#[test]
fn a_result_whose_folder_is_removed_is_written_elsewhere_and_the_message_names_the_path() -> Checked {
    let removes = "d=\"$OUTSIDE/../here/sub\"; test -f \"$d/out.c\" && test $(wc -c <\"$d/out.c\") -lt 100 && rm -rf \"$d\"";
    let project = Project::with(&format!("{removes}\n{NEEDLE}"), "a.c", C)?;
    fs::create_dir(project.path("sub"))?;
    let run = project.reduce(&["./test.sh", "a.c", "-o", "sub/out.c", "-j", "1"])?.exits_with(2)?;
    let run = run.says(&["cannot be written", "the result is in", "a.reduced.c"])?;
    assert!(
        !run.stderr.contains("with --resume to continue"),
        "there is no journal any more: {}",
        run.stderr
    );
    let result = project.read("a.reduced.c")?;
    assert!(result.contains("needle") && result.len() < 100, "{result}");
    assert_eq!(names_in(&project.folder())?, ["a.c", "a.reduced.c", "test.sh"]);
    // The input's folder, and the current folder, may be gone as well.
    let removes = removes.replace("out.c\"", "a.reduced.c\"");
    project.script("test.sh", &format!("{removes}\n{NEEDLE}"))?;
    for current in [project.folder(), project.path("sub")] {
        fs::create_dir_all(project.path("sub"))?;
        project.file("sub/a.c", C)?;
        let input = project.path("sub/a.c");
        let mut command = project.command(env!("CARGO_BIN_EXE_lopper"));
        command.current_dir(&current).arg("reduce").arg(project.path("test.sh")).arg(input);
        command.args(["-j", "1"]).stderr(Stdio::piped());
        let run = project.spawn(command)?.finish()?.exits_with(2)?.says(&["the result is in '"])?;
        let place = run.stderr.split("the result is in '").nth(1).and_then(|rest| rest.split('\'').next());
        let place = std::path::PathBuf::from(place.ok_or("no place")?);
        assert!(fs::read_to_string(&place)?.contains("needle"), "{}", run.stderr);
        fs::remove_file(place)?;
    }
    project.is_left_clean()
}

#[test]
fn remains_of_killed_commands_are_removed_and_those_of_running_ones_are_kept() -> Checked {
    let project = needle()?;
    fs::create_dir(project.path("a.reduced.c.lopper"))?;
    project.reduce(&["./test.sh", "a.c", "--max-tests", "2"])?.exits_with(0)?;
    let (gone, mine) = (u32::MAX, std::process::id());
    project.file(&format!("a.reduced.c.lopper/.best.{gone}-1.abc.tmp"), "")?;
    project.reduce(&["./test.sh", "a.c", "--resume"])?.exits_with(0)?.says(&["a.reduced.c"])?;
    assert_eq!(names_in(&project.folder())?, ["a.c", "a.reduced.c", "test.sh"]);
    let stat = fs::read_to_string("/proc/self/stat")?;
    let start = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(19)).ok_or("no start")?;
    let used = format!(".a.failing.c.{mine}-{start}.abc.tmp");
    project.file(&used, "")?;
    project.file(&format!(".a.failing.c.{gone}-1.abc.tmp"), "")?;
    project.file(&format!(".a.failing.c.{mine}-1.abc.tmp"), "")?;
    let run: Vec<&str> = vec!["isolate", "--mode", "min", "./test.sh", "a.c"];
    project.lopper(&run)?.exits_with(0)?;
    assert_eq!(names_in(&project.folder())?, [&used, "a.c", "a.failing.c", "a.reduced.c", "test.sh"]);
    Ok(())
}

#[test]
fn an_unusable_run_folder_does_not_stop_a_run_without_a_name() -> Checked {
    let project = needle()?;
    symlink("/nowhere", project.path("a.reduced.c.lopper"))?;
    symlink("nothing", project.path("a.reduced.2.c"))?;
    project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?.says(&["a.reduced.3.c"])?;
    let names = ["a.c", "a.reduced.2.c", "a.reduced.3.c", "a.reduced.c.lopper", "test.sh"];
    assert_eq!(names_in(&project.folder())?, names);
    project.is_left_clean()
}
