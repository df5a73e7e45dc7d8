//! Folders and several files that are replaced by the result, and runs on them that are resumed, undone or told.

use super::folders::{BELOW, entries, folder, reduce, texts};
use super::{C, NEEDLE};
use crate::Checked;
use crate::kit::{Project, Random, names_in};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

#[test]
fn in_place_the_files_of_a_folder_are_replaced_at_the_end_and_a_backup_stays() -> Checked {
    let project = folder(BELOW)?;
    let before = entries(&project.path("p"))?;
    reduce(&project, &["--in-place", "--max-tests", "3"])?.exits_with(0)?.says(&["--resume"])?;
    let between = entries(&project.path("p"))?;
    assert_ne!(between, before);
    assert!(between.contains_key(Path::new(".git/config")), "what is ignored is not touched");
    let saved = entries(&project.path("p.orig"))?;
    assert!(saved.iter().all(|(path, entry)| before.get(path) == Some(entry)));
    assert!(!project.path("p.reduced").exists());
    // The next run starts from the result of this one.
    let again = reduce(&project, &["--in-place"])?.exits_with(2)?;
    again.says(&["the backup 'p.orig' already exists"])?;
    fs::rename(project.path("p.orig"), project.path("first.orig"))?;
    reduce(&project, &["--in-place"])?.exits_with(0)?;
    assert_eq!(texts(&project.path("p"))?, ["needle\n"; 2], "one of them is in .git");
    assert!(!project.path("p/doc").exists() && project.path("p/.git/config").exists());
    Ok(())
}

#[test]
fn in_place_a_file_that_somebody_changes_during_the_run_is_left_alone() -> Checked {
    let project = Project::new()?;
    fs::create_dir(project.path("sub"))?;
    project.file("a.c", C)?;
    project.file("sub/b.c", "int a;\nint b;\n")?;
    project.script("test.sh", &format!("echo mine >\"$OUTSIDE/../here/sub/b.c\"; {NEEDLE}"))?;
    let files = ["./test.sh", "a.c", "sub/b.c", "--in-place"];
    project.reduce(&files)?.exits_with(2)?.says(&["was changed during the run", "a.reduced"])?;
    assert_eq!((&*project.read("a.c")?, &*project.read("sub/b.c")?), (C, "mine\n"));
    project.script("test.sh", NEEDLE)?;
    for backup in ["a.c.orig", "sub/b.c.orig"] {
        fs::remove_file(project.path(backup))?;
    }
    fs::remove_dir_all(project.path("a.reduced"))?;
    fs::remove_dir_all(project.path("a.reduced.lopper"))?;
    project.reduce(&files)?.exits_with(0)?;
    assert_eq!(project.read("a.c")?, "needle\n");
    assert!(!project.path("sub").join("b.c").exists());
    assert_eq!(project.read("sub/b.c.orig")?, "mine\n");
    Ok(())
}

#[test]
fn a_folder_in_place_is_resumed_undone_and_told_from_its_backup() -> Checked {
    let project = folder(BELOW)?;
    let read = |path: &str| entries(&project.path(path));
    reduce(&project, &["-o", "whole"])?.exits_with(0)?;
    let in_place = |more: &[&str]| reduce(&project, &[&["--in-place", "--keep-run"], more].concat());
    in_place(&["--max-tests", "3"])?.exits_with(0)?.says(&["--resume"])?;
    let (between, saved) = (read("p")?, read("p.orig")?);
    in_place(&["--max-tests", "4"])?.exits_with(2)?.says(&["--resume continues the run"])?;
    reduce(&project, &["--resume"])?.exits_with(2)?.says(&["has changed since then", "with --in-place"])?;
    // A run that has not caught up with its journal leaves the result of the first one in place.
    in_place(&["--resume", "--max-tests", "1"])?.exits_with(0)?;
    assert_eq!(read("p")?, between);
    let run = in_place(&["--resume", "--diff"])?.exits_with(0)?.says(&["verdicts are known"])?;
    assert!(run.stdout.contains("--- p/doc/read.me\n+++ /dev/null"), "{}", run.stdout);
    let result = read("p")?;
    assert_eq!(texts(&project.path("p"))?, ["needle\n"; 2], "one of them is in .git");
    assert_eq!(texts(&project.path("whole"))?, ["needle\n"]);
    // A run is named by the folder, by the result that it had, and by its journal.
    for name in ["p", "p.reduced", "p.reduced.lopper", "p/"] {
        let list = project.lopper(&["replay", name])?.exits_with(0)?;
        assert!(list.stdout.contains("finished"), "{}", list.stdout);
    }
    let page = project.lopper(&["report", "p", "--markdown"])?.exits_with(0)?;
    assert!(page.stdout.contains("needle"), "{}", page.stdout);
    project.lopper(&["undo", "p", "--to", "1"])?.exits_with(0)?;
    assert_ne!(read("p")?, result, "the abandoned result is barred");
    assert!(texts(&project.path("p"))?.iter().any(|text| text.contains("needle")));
    project.lopper(&["undo", "p", "--to", "0"])?.exits_with(0)?;
    assert_eq!(read("p.orig")?, saved, "the backup is never replaced");
    assert!(!project.path("p.reduced").exists());
    project.is_left_clean()
}

#[test]
fn what_somebody_has_changed_since_a_run_in_place_is_left_alone() -> Checked {
    let project = folder(BELOW)?;
    let in_place = |more: &[&str]| reduce(&project, &[&["--in-place", "--keep", "*.me"], more].concat());
    in_place(&["--max-tests", "4"])?.exits_with(0)?;
    let whole = entries(&project.folder())?;
    let refuses = |path: &str, text: &str, says: &[&str]| -> Checked {
        let before = fs::read(project.path(path)).ok();
        project.file(path, text)?;
        let changed = entries(&project.folder())?;
        in_place(&["--resume"])?.exits_with(2)?.says(says)?;
        project.lopper(&["undo", "p", "--to", "1"])?.exits_with(2)?.says(says)?;
        // The lock of the journal may have made its folder younger, and nothing else.
        assert_eq!(entries(&project.folder())?, changed);
        match before {
            Some(before) => fs::write(project.path(path), before)?,
            None => fs::remove_file(project.path(path))?,
        }
        Ok(())
    };
    refuses("p/src/a.c", "edited, with a needle", &["'p/src/a.c' was changed after the run wrote it"])?;
    refuses("p/doc/read.me", "edited", &["'p/doc/read.me' was changed after the run wrote it"])?;
    refuses("p.orig/src/a.c", "edited", &["has changed since then", "p.orig"])?;
    refuses("p.orig/new", "added", &["has changed since then", "p.orig"])?;
    assert_eq!(entries(&project.folder())?, whole);
    in_place(&["--resume"])?.exits_with(0)?;
    assert_eq!(texts(&project.path("p"))?, ["needle\n", "needle\n", "nothing\n"], "one of them is in .git");
    Ok(())
}

#[test]
fn several_files_in_place_are_resumed_and_undone_from_their_backups() -> Checked {
    let project = Project::new()?;
    fs::create_dir(project.path("sub"))?;
    project.file("a.c", C)?;
    project.file("sub/b.c", "int a;\nint b;\n")?;
    project.script("test.sh", NEEDLE)?;
    for files in [["a.c", "sub/b.c"], ["./sub/../a.c", "sub/b.c"]] {
        let reduce = |more: &[&str]| {
            let words = [&["./test.sh"], &files[..], &["--in-place", "--keep-run"], more].concat();
            project.reduce(&words)
        };
        reduce(&["--max-tests", "6"])?.exits_with(0)?;
        reduce(&["--resume"])?.exits_with(0)?.says(&["verdicts are known"])?;
        assert_eq!(project.read("a.c")?, "needle\n");
        assert!(!project.path("sub/b.c").exists());
        project.lopper(&["undo", "a.reduced", "--to", "1"])?.exits_with(0)?;
        assert!(project.read("a.c")?.contains("needle"));
        project.file("a.c", "edited, with a needle")?;
        reduce(&["--resume"])?.exits_with(2)?.says(&["was changed after the run wrote it"])?;
        for file in ["a.c", "sub/b.c"] {
            fs::rename(project.path(&format!("{file}.orig")), project.path(file))?;
        }
        fs::remove_dir_all(project.path("a.reduced.lopper"))?;
    }
    assert_eq!(names_in(&project.folder())?, ["a.c", "sub", "test.sh"]);
    Ok(())
}

#[test]
fn a_run_in_place_that_is_killed_at_any_moment_is_resumed_and_keeps_its_backup() -> Checked {
    let project = Project::new()?;
    // All files say the same, and fewer words are enough.
    let whole = "cd \"$1\" && n=$(cat f* | sort -u | wc -l) && [ \"$n\" = 1 ] && [ -f f0 ] && grep -q a f0";
    project.script("test.sh", whole)?;
    fs::create_dir_all(project.path("p/.git"))?;
    project.file("p/.git/config", "mine")?;
    for number in 0..40 {
        project.file(&format!("p/f{number}"), "a b c d e f g h\n")?;
    }
    let all: BTreeMap<_, _> = entries(&project.path("p"))?;
    let mut random = Random(11);
    for round in 0..60 {
        let tests = format!("{}", 1 + random.below(40));
        let words =
            ["reduce", "./test.sh", "p", "--in-place", "--keep-run", "--resume", "--max-tests", &tests];
        let mut run = project.start(&words)?;
        std::thread::sleep(std::time::Duration::from_millis(random.below(400) as u64));
        if round % 4 < 3 && !run.has_ended()? {
            run.signal(rustix::process::Signal::KILL)?;
            run.finish()?;
        } else {
            run.finish()?.exits_with(0)?;
        }
        for result in ["p.reduced", "p.orig"].map(|name| project.path(name)) {
            if result.exists() {
                let check = project.command("./test.sh").arg(&result).status()?;
                assert!(check.success(), "{round}: {:?}", entries(&result)?);
            }
        }
        if project.path("p.orig").exists() {
            let saved = entries(&project.path("p.orig"))?;
            assert_eq!(saved.len(), 40, "round {round}");
            assert!(saved.iter().all(|(path, entry)| all.get(path) == Some(entry)), "round {round}");
        }
    }
    project.reduce(&["./test.sh", "p", "--in-place", "--resume"])?.exits_with(0)?;
    assert_eq!(texts(&project.path("p"))?, ["a", "mine"]);
    assert_eq!(project.read("p/.git/config")?, "mine");
    project.is_left_clean()
}

#[test]
fn a_folder_with_parts_of_two_programs_is_what_a_killed_run_leaves_and_is_resumed() -> Checked {
    let project = folder(BELOW)?;
    let in_place = |more: &[&str]| reduce(&project, &[&["--in-place", "--keep-run"], more].concat());
    let (run, result) = (project.path("p.reduced.lopper/placed"), project.path("p.reduced"));
    // Killed in the middle of the first replacement: a part of the folder is as it was.
    in_place(&["--max-tests", "3"])?.exits_with(0)?;
    fs::rename(&run, &result)?;
    for gone in ["doc/read.me", "src/b.h"] {
        fs::create_dir_all(project.path("p").join(gone).parent().ok_or("no folder")?)?;
        fs::copy(project.path("p.orig").join(gone), project.path("p").join(gone))?;
    }
    in_place(&["--resume", "--max-tests", "1"])?.exits_with(0)?;
    let first = entries(&run)?;
    assert!(first.iter().all(|(path, _)| project.path("p").join(path).exists()));
    assert!(!project.path("p/doc").exists() && !result.exists());
    // Killed in the middle of the next one, from the first result to the second one.
    let saved = project.path("saved");
    project.command("cp").arg("-a").args([&run, &saved]).status()?;
    in_place(&["--resume"])?.exits_with(0)?;
    fs::rename(&run, &result)?;
    fs::rename(&saved, &run)?;
    for (path, _) in first.iter().filter(|(_, (mode, _))| mode & 0o170_000 == 0o100_000) {
        fs::copy(run.join(path), project.path("p").join(path)).or_else(|_| {
            fs::create_dir_all(project.path("p").join(path.parent().unwrap_or(Path::new(""))))?;
            fs::copy(run.join(path), project.path("p").join(path))
        })?;
    }
    assert!(texts(&project.path("p"))?.iter().any(|text| text.contains("int main")));
    in_place(&["--resume"])?.exits_with(0)?;
    assert_eq!(texts(&project.path("p"))?, ["needle\n"; 2], "one of them is in .git");
    Ok(())
}

#[test]
fn in_place_links_modes_and_new_names_land_and_nothing_unknown_is_overwritten() -> Checked {
    let project = Project::new()?;
    // The test wants short names, as the pass for paths gives them.
    let script = "cd \"$1\" && ! [ -e long-name.c ] && grep -q needle * 2>/dev/null && [ -h \"$(find . -type l)\" ] || \
                  { [ -e long-name.c ] && grep -q needle long-name.c && [ -h a-long-link ]; }";
    project.script("test.sh", script)?;
    fs::create_dir(project.path("p"))?;
    project.file("p/long-name.c", "needle\n")?;
    fs::set_permissions(project.path("p/long-name.c"), fs::Permissions::from_mode(0o750))?;
    symlink("nowhere", project.path("p/a-long-link"))?;
    reduce(&project, &["--in-place"])?.exits_with(0)?;
    let result = entries(&project.path("p"))?;
    let kinds: Vec<u32> = result.values().map(|(mode, _)| mode & 0o170_777).collect();
    assert_eq!(kinds.len(), 2, "{result:?}");
    assert!(kinds.contains(&0o120_777) && kinds.contains(&0o100_750), "{result:?}");
    assert!(result.keys().all(|path| path.as_os_str().len() <= 3), "{result:?}");
    // What is ignored has the short names now.
    fs::remove_dir_all(project.path("p"))?;
    fs::rename(project.path("p.orig"), project.path("p"))?;
    for name in result.keys() {
        fs::write(project.path("p").join(name), "mine")?;
    }
    let ignored = ["--in-place", "--ignore", "?", "--ignore", "?.c"];
    reduce(&project, &ignored)?.exits_with(2)?.says(&["is in the way of the result", "p.reduced"])?;
    for name in result.keys() {
        assert_eq!(fs::read(project.path("p").join(name))?, b"mine");
    }
    assert_eq!(project.read("p/long-name.c")?, "needle\n");
    assert_eq!(texts(&project.path("p.reduced"))?, ["needle\n", "nowhere"]);
    Ok(())
}
