//! Several files and folders as the input.

use super::{C, NEEDLE};
use crate::Checked;
use crate::kit::{Finished, Project, Random, names_in};
use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// A test that finds `needle` in a folder.
pub(super) const BELOW: &str = "grep -rq needle \"$1\"";

/// The kind, the permissions and the content of everything below a folder.
pub(super) fn entries(folder: &Path) -> io::Result<BTreeMap<PathBuf, (u32, Vec<u8>)>> {
    let mut found = BTreeMap::new();
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        for entry in fs::read_dir(folder.join(&below))? {
            let entry = entry?;
            let (path, metadata) = (below.join(entry.file_name()), fs::symlink_metadata(entry.path())?);
            let content = match metadata.file_type() {
                kind if kind.is_dir() => Vec::new(),
                kind if kind.is_symlink() => fs::read_link(entry.path())?.as_os_str().as_bytes().to_vec(),
                _ => fs::read(entry.path())?,
            };
            if metadata.is_dir() {
                open.push(path.clone());
            }
            found.insert(path, (metadata.permissions().mode(), content));
        }
    }
    Ok(found)
}

/// The texts of all files below a folder that are not empty.
pub(super) fn texts(folder: &Path) -> io::Result<Vec<String>> {
    let texts = entries(folder)?.into_values().map(|(_, text)| String::from_utf8_lossy(&text).into_owned());
    let mut texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
    texts.sort();
    Ok(texts)
}

/// A project with `test.sh`, which looks for a needle below a folder, and the folder `p`.
pub(super) fn folder(script: &str) -> Result<Project, Box<dyn Error>> {
    let project = Project::new()?;
    project.script("test.sh", script)?;
    for made in ["p/src/empty", "p/.git", "p/doc"] {
        fs::create_dir_all(project.path(made))?;
    }
    project.file("p/src/a.c", C)?;
    project.file("p/src/b.c", "#include \"b.h\"\nint b(void) { return 1; }\n")?;
    project.file("p/src/b.h", "int b(void);\n")?;
    project.file("p/doc/read.me", "nothing\n")?;
    project.file("p/.git/config", "needle\n")?;
    symlink("src/b.c", project.path("p/link"))?;
    Ok(project)
}

pub(super) fn reduce(project: &Project, more: &[&str]) -> Result<Finished, Box<dyn Error>> {
    project.reduce(&[&["./test.sh", "p"][..], more].concat())
}

#[test]
fn a_folder_is_reduced_to_the_file_that_the_test_needs_and_is_not_touched_itself() -> Checked {
    let project = folder(BELOW)?;
    let before = entries(&project.path("p"))?;
    reduce(&project, &[])?.exits_with(0)?.says(&["files ", "p.reduced"])?;
    assert_eq!(entries(&project.path("p"))?, before);
    let result = entries(&project.path("p.reduced"))?;
    let files: Vec<&[u8]> =
        result.values().map(|(_, text)| &text[..]).filter(|text| !text.is_empty()).collect();
    assert_eq!(files, [b"needle\n"], "{result:?}");
    assert_eq!(names_in(&project.folder())?, ["p", "p.reduced", "test.sh"]);
    project.is_left_clean()
}

#[test]
fn a_test_for_several_files_finds_them_by_name_and_as_arguments() -> Checked {
    let project = Project::new()?;
    project
        .script("test.sh", "[ $# = 2 ] && [ -f sub/b.c ] && grep -q needle \"$1\" && grep -q b sub/b.c")?;
    fs::create_dir(project.path("sub"))?;
    project.file("a.c", C)?;
    project.file("sub/b.c", "int a;\nint b;\n")?;
    let run = project.reduce(&["./test.sh", "a.c", "sub/b.c", "--diff"])?.exits_with(0)?;
    assert!(run.stdout.contains("--- sub/b.c\n+++ ") && run.stdout.contains("-int a;"), "{}", run.stdout);
    assert_eq!((&*project.read("a.reduced/a.c")?, &*project.read("a.reduced/sub/b.c")?), ("needle\n", "b\n"));
    assert_eq!(project.read("a.c")?, C);
    // The same with a command in the place of the script.
    let command = ["a.c", "sub/b.c", "-o", "out", "--", "grep", "-q", "needle", "{}"];
    project.reduce(&command)?.exits_with(0)?;
    project.is_left_clean()
}

#[test]
fn what_is_kept_stays_beside_every_candidate_and_what_is_ignored_is_not_there() -> Checked {
    let project = folder(&format!("[ -f \"$1/doc/read.me\" ] && ! [ -e \"$1/.git\" ] && {BELOW}"))?;
    let read = |path: &str| project.read(path);
    reduce(&project, &["--keep", "doc", "--ignore", "b.*"])?.exits_with(0)?;
    assert_eq!(read("p.reduced/doc/read.me")?, "nothing\n");
    assert_eq!(texts(&project.path("p.reduced"))?, ["needle\n", "nothing\n"]);
    reduce(&project, &["--only", "src/a.c", "-o", "only"])?.exits_with(0)?;
    assert_eq!((&*read("only/src/a.c")?, &*read("only/src/b.h")?), ("needle\n", "int b(void);\n"));
    assert!(fs::symlink_metadata(project.path("only/link"))?.is_symlink());
    project.script("test.sh", "test -e \"$1/.git\"")?;
    reduce(&project, &[])?.exits_with(3)?.says(&["without .git"])?;
    reduce(&project, &["--only", "none"])?.exits_with(2)?.says(&["nothing to reduce"])?;
    reduce(&project, &["--keep", "[x"])?.exits_with(2)?.says(&["is not a glob"])?;
    Ok(())
}

#[test]
fn a_folder_that_is_not_a_result_is_never_replaced() -> Checked {
    let project = folder(BELOW)?;
    fs::create_dir(project.path("dear"))?;
    project.file("dear/letter", "dear")?;
    reduce(&project, &["-o", "dear"])?.exits_with(2)?.says(&["exists already"])?;
    reduce(&project, &["-o", "/dev/stdout"])?.exits_with(2)?.says(&["the result is a folder"])?;
    reduce(&project, &["--generalize"])?.exits_with(2)?.says(&["for a single file, and not for a folder"])?;
    assert_eq!(project.read("dear/letter")?, "dear");
    fs::create_dir(project.path("p.reduced"))?;
    reduce(&project, &[])?.exits_with(0)?.says(&["p.reduced.2"])?;
    Ok(())
}

#[test]
fn a_run_on_a_folder_is_resumed_undone_and_the_same_for_every_number_of_workers() -> Checked {
    let project = folder(BELOW)?;
    reduce(&project, &["-o", "one", "-j", "1"])?.exits_with(0)?;
    reduce(&project, &["-o", "four", "-j", "4"])?.exits_with(0)?;
    let whole = entries(&project.path("one"))?;
    assert_eq!(entries(&project.path("four"))?, whole);
    for stop in ["1", "3", "6"] {
        let run = reduce(&project, &["-o", stop, "-j", "1", "--max-tests", stop])?.exits_with(0)?;
        run.says(&["--resume"])?;
        let between = entries(&project.path(stop))?;
        reduce(&project, &["-o", stop, "-j", "1", "--resume", "--max-tests", "1"])?.exits_with(0)?;
        assert_eq!(entries(&project.path(stop))?, between, "a run that has not caught up leaves the result");
        reduce(&project, &["-o", stop, "-j", "1", "--resume"])?
            .exits_with(0)?
            .says(&["verdicts are known"])?;
        assert_eq!(entries(&project.path(stop))?, whole);
    }
    reduce(&project, &["-o", "kept", "--keep-run"])?.exits_with(0)?;
    project.lopper(&["replay", "kept"])?.exits_with(0)?;
    project.lopper(&["undo", "kept", "--to", "1"])?.exits_with(0)?;
    assert_ne!(entries(&project.path("kept"))?, whole, "the abandoned result is barred");
    reduce(&project, &["-o", "kept"])?.exits_with(0)?;
    assert_eq!(entries(&project.path("kept"))?, whole, "a result that is named is replaced");
    assert!(!project.path("kept.changed").exists());
    reduce(&project, &["-o", "kept", "--keep-run"])?.exits_with(2)?.says(&["exists already"])?;
    fs::remove_dir_all(project.path("kept"))?;
    reduce(&project, &["-o", "kept", "--keep-run"])?.exits_with(0)?;
    project.file("p/doc/read.me", "edited")?;
    reduce(&project, &["-o", "kept", "--resume"])?.exits_with(2)?.says(&["has changed since then"])?;
    project.is_left_clean()
}

#[test]
fn what_somebody_does_in_the_result_during_the_run_is_kept_and_never_lands() -> Checked {
    // With each run of the test, somebody works in the result.
    let works = "r=\"$OUTSIDE/../here/p.reduced\"; [ -d \"$r\" ] && { echo dear >>\"$r/letter\"; \
                 for f in \"$r\"/src/a.c; do [ -f $f ] && echo mine >>$f; done; }";
    let project = folder(&format!("{works}\n{BELOW}"))?;
    let before = entries(&project.path("p"))?;
    reduce(&project, &["-j", "1"])?
        .exits_with(0)?
        .says(&["was changed during the run", "p.reduced.changed"])?;
    assert_eq!(entries(&project.path("p"))?, before);
    assert!(project.read("p.reduced.changed/letter")?.starts_with("dear\n"));
    let names = names_in(&project.folder())?;
    let kept: Vec<&String> = names.iter().filter(|name| name.contains(".changed")).collect();
    assert!(kept.len() > 1, "{names:?}");
    assert!(kept.iter().all(|name| project.path(name).join("letter").exists()), "{names:?}");
    // The last runs of the test come after the last program.
    let result = texts(&project.path("p.reduced"))?;
    let is_own = |text: &String| text.starts_with("needle\n") || text.starts_with("dear\n");
    assert!(result.iter().all(is_own) && result.iter().any(|text| text.starts_with("needle")), "{result:?}");
    Ok(())
}

#[test]
fn a_run_that_is_killed_while_it_replaces_the_result_leaves_a_whole_one() -> Checked {
    let files = 40;
    let project = Project::new()?;
    // Every program has as many files as the file `count` says, and all of them say the same.
    let whole = "cd \"$1\" && n=$(cat f* | sort -u | wc -l) && [ \"$n\" = 1 ] && [ -f f0 ]";
    project.script("test.sh", whole)?;
    fs::create_dir(project.path("p"))?;
    for number in 0..files {
        project.file(&format!("p/f{number}"), "a b c d e f g h\n")?;
    }
    let mut random = Random(7);
    for _ in 0..100 {
        if project.path("out").exists() && !project.path("out.lopper").exists() {
            // The last run had come to its end.
            fs::remove_dir_all(project.path("out"))?;
        }
        let mut run = project.start(&["reduce", "./test.sh", "p", "-o", "out", "--resume"])?;
        run.wait_until("the result", || project.path("out").exists())?;
        std::thread::sleep(std::time::Duration::from_millis(random.below(60) as u64));
        run.signal(rustix::process::Signal::KILL)?;
        run.finish()?;
        let check = project.command("./test.sh").arg("out").status()?;
        assert!(check.success(), "{:?}", entries(&project.path("out"))?);
    }
    if project.path("out.lopper").exists() {
        project.reduce(&["./test.sh", "p", "-o", "out", "--resume"])?.exits_with(0)?;
    }
    assert_eq!(names_in(&project.folder())?, ["out", "p", "test.sh"]);
    Ok(())
}

#[test]
fn a_folder_is_found_by_every_name_that_it_has() -> Checked {
    let project = Project::new()?;
    project.script("test.sh", BELOW)?;
    let odd: [(&[u8], &[u8]); 8] = [
        (b"sp ace", b"sp ace"),
        (b"new\nline", b"new\nline"),
        (b"-dash", b"./-dash"),
        (b"caf\xc3\xa9", b"caf\xc3\xa9"),
        (b"slash", b"slash/"),
        (b"dots", b"./slash/../dots/."),
        (b"inner", b"slash/../inner//"),
        (b"glob*[x]", b"glob*[x]"),
    ];
    fs::create_dir(project.path("slash"))?;
    for (name, given) in odd {
        let folder = project.folder().join(OsStr::from_bytes(name));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("a.c"), C)?;
        let words = ["./test.sh".as_ref(), OsStr::from_bytes(given), "--in-place".as_ref()];
        project.reduce(&words)?.exits_with(0)?;
        assert_eq!(texts(&folder)?, ["needle\n"], "{folder:?}");
        let mut saved = folder.into_os_string();
        saved.push(".orig");
        assert_eq!(texts(Path::new(&saved))?, [C]);
    }
    symlink("sp ace", project.path("link"))?;
    project.file("sp ace/a.c", C)?;
    project.reduce(&["./test.sh", "link/"])?.exits_with(0)?;
    assert_eq!(texts(&project.path("link.reduced"))?, ["needle\n"]);
    // From inside of the folder.
    let mut command = project.command(env!("CARGO_BIN_EXE_lopper"));
    command.args(["reduce", "../test.sh", "."]).current_dir(project.path("sp ace"));
    project.spawn(command)?.finish()?.exits_with(0)?;
    assert_eq!(texts(&project.path("sp ace.reduced"))?, ["needle\n"]);
    assert_eq!(project.read("sp ace/a.c")?, C);
    project.is_left_clean()
}

#[test]
fn a_result_in_the_input_and_a_test_that_would_be_lost_are_refused_and_idle_globs_are_named() -> Checked {
    let project = folder("grep -rq --include=*.c needle \"$1\"")?;
    let before = entries(&project.folder())?;
    reduce(&project, &["-o", "p/out"])?.exits_with(2)?.says(&["is in the folder that is reduced"])?;
    fs::copy(project.path("test.sh"), project.path("p/test.sh"))?;
    let own = |more: &[&str]| project.reduce(&[&["p/test.sh", "p"], more].concat());
    own(&["--in-place"])?.exits_with(2)?.says(&["the test 'p/test.sh' would be reduced in place"])?;
    fs::remove_file(project.path("p/test.sh"))?;
    assert_eq!(entries(&project.folder())?, before);
    fs::copy(project.path("test.sh"), project.path("p/test.sh"))?;
    let globs = [
        "--keep", "*.md", "--ignore", "doc", "--only", "test.sh", "--only", "s", "--only", "src", "-o", "out",
    ];
    let run =
        own(&globs)?.exits_with(0)?.says(&["--keep '*.md' matches nothing in 'p'", "--only s matches"])?;
    assert!(!run.stderr.contains("--only test.sh"), "{}", run.stderr);
    own(&["--in-place", "--keep", "test.sh"])?.exits_with(0)?;
    assert!(project.read("p/test.sh")?.contains("needle"));
    Ok(())
}

/// A random tree of files: links, odd names, empty ones, read-only ones.
fn grow(folder: &Path, random: &mut Random) -> io::Result<()> {
    let mut folders = vec![folder.to_owned()];
    fs::create_dir(folder)?;
    for number in 0..3 + random.below(20) {
        let above = folders[random.below(folders.len())].clone();
        let odd: [&[u8]; 8] =
            [b"a.c", b"b.py", b"sp ace", b"\xff\xfe", b"new\nline", b"-o", b".hidden", b"*?[\\\"'$(x)"];
        let mut name = odd[random.below(odd.len())].to_vec();
        name.extend(number.to_string().bytes());
        let path = above.join(OsStr::from_bytes(&name));
        match random.below(8) {
            0 | 1 => {
                fs::create_dir(&path)?;
                folders.push(path);
            }
            // Links that lead nowhere, out of the folder, to a folder, and to another link.
            2 => symlink("somewhere/else", &path)?,
            3 => symlink(["/etc/passwd", "/none", "..", ".", "../../here"][random.below(5)], &path)?,
            4 => symlink(path.file_name().unwrap_or_default(), &path)?,
            5 => fs::write(&path, "")?,
            6 => fs::write(&path, b"\0\xff binary \0")?,
            _ => fs::write(&path, "int x = 1;\n")?,
        }
    }
    for path in entries(folder)?.keys().map(|below| folder.join(below)).collect::<Vec<_>>() {
        if random.once_in(2) && !path.is_symlink() && !path.is_dir() {
            let mode = [0o444, 0o755, 0o600, 0o400][random.below(4)];
            fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
        }
    }
    fs::write(folder.join("needle.c"), C)
}

/// Takes the permission to write from random folders below this one, and gives others unusual permissions.
fn close(folder: &Path, random: &mut Random) -> io::Result<()> {
    for (path, (mode, _)) in entries(folder)? {
        if mode & 0o170_000 == 0o040_000 && random.once_in(2) {
            let mode = [0o555, 0o500, 0o750][random.below(3)];
            fs::set_permissions(folder.join(path), fs::Permissions::from_mode(mode))?;
        }
    }
    Ok(())
}

#[test]
fn what_was_not_reduced_is_the_same_in_every_byte_and_mode() -> Checked {
    for seed in 0..10 {
        let project = Project::with(BELOW, "unused", "")?;
        let mut random = Random(seed);
        grow(&project.path("p"), &mut random)?;
        close(&project.path("p"), &mut random)?;
        let before = entries(&project.path("p"))?;
        for jobs in ["1", "4"] {
            let run = reduce(&project, &["--only", "needle.c", "-o", jobs, "-j", jobs])?.exits_with(0)?;
            let mut after = entries(&project.path(jobs))?;
            assert_eq!(entries(&project.path("p"))?, before, "{}", run.stderr);
            let name = Path::new("needle.c");
            assert_eq!(after.get(name).map(|(_, text)| &text[..]), Some(&b"needle\n"[..]));
            after.insert(name.into(), before[name].clone());
            assert_eq!(after, before, "seed {seed}, {jobs} workers");
        }
        // In place, what is beside stays as it is, and the backup has all of it.
        reduce(&project, &["--only", "needle.c", "--in-place"])?.exits_with(0)?;
        assert_eq!(entries(&project.path("p.orig"))?, before, "seed {seed}");
        project.file("p/needle.c", C)?;
        assert_eq!(entries(&project.path("p"))?, before, "seed {seed}");
    }
    Ok(())
}

#[test]
fn what_stays_of_a_random_tree_is_as_it_was_for_every_number_of_workers() -> Checked {
    // What the test wants to keep is in the middle of all sorts of files that go.
    let kept = "cd \"$1\" && grep -q needle needle.c && [ -h kept/link ] && [ \"$(readlink kept/link)\" = ../gone ] && \
                [ -d kept/empty ] && [ -x kept/tool ] && ! [ -s kept/nothing ] && [ -f kept/nothing ]";
    for seed in 0..6 {
        let project = Project::with(kept, "unused", "")?;
        let mut random = Random(seed);
        let p = project.path("p");
        grow(&p, &mut random)?;
        fs::create_dir_all(p.join("kept/empty"))?;
        symlink("../gone", p.join("kept/link"))?;
        for (name, mode) in [("tool", 0o555), ("nothing", 0o444)] {
            fs::write(p.join("kept").join(name), "")?;
            fs::set_permissions(p.join("kept").join(name), fs::Permissions::from_mode(mode))?;
        }
        close(&p, &mut random)?;
        let before = entries(&p)?;
        let results = ["1", "4"].map(|jobs| -> Result<_, Box<dyn Error>> {
            reduce(&project, &["-o", jobs, "-j", jobs])?.exits_with(0)?;
            Ok(entries(&project.path(jobs))?)
        });
        let [one, four] = results;
        let (one, four) = (one?, four?);
        assert_eq!(one, four, "seed {seed}");
        assert_eq!(entries(&p)?, before, "seed {seed}");
        for (path, entry) in one.iter().filter(|(path, _)| path.starts_with("kept")) {
            assert_eq!(Some(entry), before.get(path), "seed {seed}: {}", path.display());
        }
        assert_eq!(one.len(), 6, "seed {seed}: {one:?}");
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn a_folder_without_the_failure_and_other_faults_have_clear_messages() -> Checked {
    let project = folder("exit 1")?;
    reduce(&project, &[])?.exits_with(3)?.says(&["cp -R p", "does not accept the original"])?;
    project.script("test.sh", "exit 0")?;
    let accepts_all = reduce(&project, &[])?.exits_with(3)?.says(&["accepts nothing but empty files"])?;
    assert!(!accepts_all.stderr.contains(".git"), "what the copy lacks has nothing to do with that");
    fs::create_dir(project.path("q"))?;
    project.reduce(&["./test.sh", "q"])?.exits_with(2)?.says(&["nothing to reduce"])?;
    project
        .lopper(&["generalize", "./test.sh", "q"])?
        .exits_with(2)?
        .says(&["0 files in 'q' have a text", "lopper reduce TEST q"])?;
    project.script("test.sh", NEEDLE)?;
    project.file("one.c", C)?;
    project.reduce(&["./test.sh", "one.c", "./one.c"])?.exits_with(2)?.says(&["named twice"])?;
    assert!(names_in(&project.folder())?.iter().all(|name| !name.contains("reduced")));
    project.is_left_clean()
}

#[test]
fn in_a_folder_of_many_files_no_run_finds_what_an_earlier_one_did() -> Checked {
    let project = Project::new()?;
    // The test needs most of the files, and leaves a mess.
    project.script(
        "test.sh",
        "cd \"$1\" || exit 125\n\
         { [ -e out ] || [ -e d7/out ] || grep -rlq dirty .; } && { echo mess >>\"$OUTSIDE/bad\"; exit 125; }\n\
         echo run >>\"$OUTSIDE/runs\"\n\
         grep -q needle d7/f7 && [ $(find . -type f | wc -l) -ge 590 ]; result=$?\n\
         mkdir out d7/out; echo dirty >out/x\n\
         for f in d3/f3 d19/f1; do [ -e $f ] && echo dirty >>$f; done\n\
         [ -e d5/f5 ] && mv d5/f5 d5/f6; rm -f d1/f1; chmod 500 d2\n\
         exit $result",
    )?;
    for folder in 0..20 {
        fs::create_dir_all(project.path(&format!("p/d{folder}")))?;
        for file in 0..30 {
            let text = if (folder, file) == (7, 7) { "needle\n" } else { "text\n" };
            project.file(&format!("p/d{folder}/f{file}"), text)?;
        }
    }
    for jobs in ["1", "2"] {
        let out = format!("out{jobs}");
        reduce(&project, &["-j", jobs, "-o", &out, "--max-tests", "60"])?.exits_with(0)?;
    }
    assert_eq!(project.reported("bad"), "");
    assert!(project.reported("runs").lines().count() > 60);
    assert_eq!(entries(&project.path("out1"))?, entries(&project.path("out2"))?);
    project.is_left_clean()
}
