//! `lopper isolate`, as a user starts it.

use crate::Checked;
use crate::kit::{Finished, Project, names_in};
use std::fs;

/// Fails if a bracket opens before one closes.
const BRACKETS: &str = "grep -q '(.*)' \"$1\"";
const MYSTERY: &str = "V\"/+!aF-(V4EOz*+s/Q,7)2@0_";

fn isolate(project: &Project, arguments: &[&str]) -> Result<Finished, Box<dyn std::error::Error>> {
    project.lopper(&[&["isolate"], arguments].concat())
}

#[test]
fn each_mode_gives_the_published_triple_in_as_many_runs() -> Checked {
    let larger = "V\"/+!aF-V4EOz*+s/Q,7)2@0_";
    for (mode, passing, failing, runs) in [
        ("min", None, Some("()"), 25),
        ("max", Some(larger), None, 9),
        ("diff", Some("z*+s/Q,7)2@0_"), Some("(z*+s/Q,7)2@0_"), 10),
    ] {
        let project = Project::with(BRACKETS, "a.txt", MYSTERY)?;
        let run = isolate(&project, &["--mode", mode, "--by", "characters", "./test.sh", "a.txt"])?;
        let run = run.exits_with(0)?;
        assert_eq!(run.runs()?, runs, "{mode}");
        for (name, expected) in [("a.passing.txt", passing), ("a.failing.txt", failing)] {
            assert_eq!(project.read(name).ok().as_deref(), expected, "{mode}");
        }
        let difference = run.stdout.lines().find(|line| line.starts_with("difference"));
        let marks = if mode == "min" { "\"(\" \")\"" } else { "\"(\"" };
        assert!(difference.is_some_and(|line| line.ends_with(marks)), "{}", run.stdout);
        assert_eq!(project.read("a.txt")?, MYSTERY, "the input is not touched");
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn ddmin_asks_as_often_as_published() -> Checked {
    let project = Project::with(BRACKETS, "a.txt", MYSTERY)?;
    let ddmin = ["--search", "ddmin", "--mode", "min", "--by", "characters"];
    let run = isolate(&project, &[&ddmin[..], &["./test.sh", "a.txt"]].concat())?.exits_with(0)?;
    assert_eq!((run.runs()?, project.read("a.failing.txt")?), (17, "()".to_owned()));
    project.is_left_clean()?;
    project.file("b.txt", MYSTERY)?;
    for arguments in [
        &["--search", "ddmin", "./test.sh", "a.txt"][..],
        &["--search", "ddmin", "--mode", "min", "./test.sh", "a.txt", "b.txt"],
    ] {
        isolate(&project, arguments)?.exits_with(2)?.says(&["--search ddmin", "--mode min"])?;
    }
    Ok(())
}

#[test]
fn by_hunks_the_old_and_the_new_lines_of_a_replacement_are_one_change() -> Checked {
    let new = "same\nnew 1\nnew 2\nsame\nnew 3\nsame\n";
    // The test cannot tell if only a part of the first replacement is applied.
    let script = "grep -q old.1 \"$1\" && grep -q new.1 \"$1\" && exit 125
grep -q new.1 \"$1\" || grep -q old.1 \"$1\" || exit 125; grep -q new.1 \"$1\"";
    let project = Project::with(script, "new.txt", new)?;
    project.file("old.txt", "same\nold 1\nsame\nold 3\nsame\ngone\n")?;
    let run = isolate(&project, &["--by", "hunks", "--passing", "old.txt", "./test.sh", "new.txt"])?;
    let run = run.exits_with(0)?;
    assert!(run.stdout.starts_with("new.txt: 3 hunks\n"), "{}", run.stdout);
    assert!(run.stdout.contains("difference       1  \"-old 1\\nnew 1\\nnew 2\"\n"), "{}", run.stdout);
    assert!(!run.stderr.contains(" 1 could not tell"), "{}", run.stderr);
    isolate(&project, &["--by", "hunks", "./test.sh", "new.txt"])?.exits_with(2)?.says(&["--passing"])?;
    Ok(())
}

const LISTS: &str = "\
def f(a, b):
    x = [1, 2, needle, 4]
    return g(x, a)
print(f(1, 2))
";

#[test]
fn a_file_is_divided_into_the_parts_that_the_option_names() -> Checked {
    for (by, expected) in [
        ("characters", "needle"),
        ("words", "needle, "),
        ("lines", "    x = [1, 2, needle, 4]\n"),
        ("tokens", "needle\n"),
        ("items", "def f():\n    x = [needle]\n    return g()\nprint(f())\n"),
        ("nodes", "def f():\n    x = [needle]\n"),
    ] {
        let project = Project::with("grep -q needle \"$1\"", "a.py", LISTS)?;
        isolate(&project, &["--mode", "min", "--by", by, "./test.sh", "a.py"])?.exits_with(0)?;
        assert_eq!(project.read("a.failing.py")?, expected, "{by}");
    }
    Ok(())
}

#[test]
fn the_result_and_the_runs_are_the_same_for_any_number_of_processors() -> Checked {
    for (mode, by) in [("min", "characters"), ("max", "words"), ("diff", "tokens"), ("diff", "lines")] {
        let mut told = Vec::new();
        for jobs in ["1", "2", "8"] {
            let project = Project::with("sleep 0.00$$; grep -q needle \"$1\"", "a.py", LISTS)?;
            let run = isolate(&project, &["--mode", mode, "--by", by, "-j", jobs, "./test.sh", "a.py"])?
                .exits_with(0)?;
            let files = [project.read("a.passing.py").ok(), project.read("a.failing.py").ok()];
            told.push((run.runs()?, run.stdout, files));
            project.is_left_clean()?;
        }
        assert!(told.iter().all(|one| *one == told[0]), "{mode} {by}: {told:?}");
    }
    Ok(())
}

#[test]
fn the_least_difference_between_two_given_files_is_found_and_shown() -> Checked {
    let project = Project::with("grep -q 'level = 3' \"$1\"", "new.conf", "a = 1\nlevel = 3\nb = 2\nmore\n")?;
    project.file("old.conf", "a = 0\nlevel = 2\nb = 2\n")?;
    let run = isolate(&project, &["--passing", "old.conf", "./test.sh", "new.conf"])?.exits_with(0)?;
    assert!(run.stdout.contains("\n+level = 3\n"), "{}", run.stdout);
    assert!(!run.stdout.contains("+more") && !run.stdout.contains("+a = 1"), "{}", run.stdout);
    let run = isolate(&project, &["--mode", "min", "--passing", "old.conf", "./test.sh", "new.conf"])?;
    run.exits_with(0)?;
    assert!(project.read("new.failing.2.conf")?.starts_with("a = 0\n"), "as little as possible is new");
    Ok(())
}

#[test]
fn several_files_are_several_arguments() -> Checked {
    let project = Project::with("grep -q left \"$1\" && grep -q right \"$2\"", "a.txt", "x\nleft\ny\n")?;
    project.file("b.txt", "right\nz\n")?;
    let run = isolate(&project, &["--mode", "min", "./test.sh", "a.txt", "b.txt"])?.exits_with(0)?;
    assert_eq!(
        (project.read("a.failing.txt")?, project.read("b.failing.txt")?),
        ("left\n".into(), "right\n".into())
    );
    assert!(run.stdout.contains("a.txt: 3 lines") && run.stdout.contains("b.txt: 2 lines"), "{}", run.stdout);
    let command =
        ["a.txt", "b.txt", "-o", "out", "--", "sh", "-c", "grep -q left $1 && grep -q right $2", "-", "{}"];
    isolate(&project, &command)?.exits_with(0)?;
    assert_eq!(names_in(&project.path("out"))?.len(), 4);
    Ok(())
}

#[test]
fn a_folder_is_divided_into_its_files() -> Checked {
    let project = Project::with("test -d \"$1\" && grep -rq needle \"$1\"", "unused", "")?;
    for folder in ["in", "in/sub", "in/sub/deep"] {
        fs::create_dir(project.path(folder))?;
    }
    for (name, text) in [("in/a", "1"), ("in/b", "2"), ("in/sub/c", "needle"), ("in/sub/deep/d", "4")] {
        project.file(name, text)?;
    }
    isolate(&project, &["./test.sh", "in"])?.exits_with(0)?;
    assert_eq!(project.read("in.failing/sub/c")?, "needle");
    let (passing, failing) = (files_below(&project, "in.passing")?, files_below(&project, "in.failing")?);
    assert_eq!(passing.len() + 1, failing.len(), "{passing:?} and {failing:?}");
    isolate(&project, &["--mode", "min", "-o", "out", "./test.sh", "in"])?.exits_with(0)?;
    assert_eq!(files_below(&project, "out/in.failing")?, ["sub/c"]);
    Ok(())
}

fn files_below(project: &Project, folder: &str) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let (mut found, mut open) = (Vec::new(), vec![project.path(folder)]);
    while let Some(next) = open.pop() {
        for name in names_in(&next)? {
            let path = next.join(name);
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(project.path(folder))?.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}

#[test]
fn an_input_that_does_not_fail_or_not_pass_is_named() -> Checked {
    let project =
        Project::with("grep -q missing \"$1\" || { echo nothing here; exit 1; }", "a.txt", "a\nb\n")?;
    let says = ["the input that should fail passes", "exit status: 1", "nothing here", "help: "];
    isolate(&project, &["./test.sh", "a.txt"])?.exits_with(3)?.says(&says)?;
    project.script("always.sh", "true")?;
    for mode in ["max", "diff"] {
        let run = isolate(&project, &["--mode", mode, "./always.sh", "a.txt"])?.exits_with(3)?;
        run.says(&["the input that should pass fails", "--passing"])?;
    }
    project.script("once.sh", "test ! -e $OUTSIDE/ran && touch $OUTSIDE/ran")?;
    isolate(&project, &["./once.sh", "a.txt"])?.exits_with(3)?.says(&["not accept the original any more"])?;
    project.script("then.sh", "test -e $OUTSIDE/then && exit 125; touch $OUTSIDE/then")?;
    isolate(&project, &["./then.sh", "a.txt"])?.exits_with(3)?.says(&["not accept the original any more"])?;
    Ok(())
}

#[test]
fn a_run_that_takes_too_long_is_never_a_pass() -> Checked {
    // Without the needle the test hangs, unless almost nothing is left.
    let script = "grep -q needle \"$1\" && exit 0; test $(wc -l < \"$1\") -le 1 && exit 1; sleep 60";
    let project = Project::with(script, "a.txt", "1\n2\nneedle\n")?;
    let run = isolate(&project, &["--mode", "max", "--timeout", "2", "./test.sh", "a.txt"])?.exits_with(0)?;
    assert!(project.read("a.passing.txt")?.lines().count() <= 1, "{}", run.stdout);
    run.says(&["1 timed out"])?;
    project.is_left_clean()
}

#[test]
fn a_lack_of_passing_inputs_is_reported() -> Checked {
    let project = Project::with("grep -q needle \"$1\" || exit 125", "a.txt", "1\nneedle\n2\n")?;
    let run = isolate(&project, &["./test.sh", "a.txt"])?.exits_with(0)?;
    assert!(run.stdout.contains("No passing input was found"), "{}", run.stdout);
    assert_eq!(project.read("a.failing.txt")?, "needle\n");
    Ok(())
}

#[test]
fn a_budget_keeps_the_best_so_far() -> Checked {
    let project = Project::with(BRACKETS, "a.txt", MYSTERY)?;
    let arguments = ["--mode", "min", "--by", "characters", "--max-tests", "8", "./test.sh", "a.txt"];
    let run = isolate(&project, &arguments)?.exits_with(0)?.says(&["--max-tests"])?;
    assert_eq!(run.runs()?, 8);
    assert_eq!(project.read("a.failing.txt")?, "-(V4EOz7)2@0_");
    Ok(())
}

#[test]
fn ctrl_c_keeps_the_best_so_far() -> Checked {
    let found = "test -e \"$OUTSIDE/../here/a.failing.txt\" && touch \"$OUTSIDE/hangs\" && sleep 1000";
    let script = format!("{found}\n grep -q needle \"$1\"");
    let project = Project::with(&script, "a.txt", "1\n2\n3\nneedle\n5\n6\n7\n8\n")?;
    let mut run = project.start(&["isolate", "--mode", "min", "--timeout", "900", "./test.sh", "a.txt"])?;
    run.wait_until("a success", || project.outside().join("hangs").exists())?;
    run.signal(rustix::process::Signal::INT)?;
    run.finish()?.exits_with(130)?.says(&["interrupted"])?;
    assert_eq!(project.read("a.failing.txt")?, "1\n2\n3\nneedle\n");
    project.is_left_clean()
}

#[test]
fn a_test_that_is_edited_during_the_run_ends_it() -> Checked {
    let edit = "test -e \"$OUTSIDE/../here/a.failing.txt\" && echo '# edited' >>\"$OUTSIDE/../here/test.sh\"";
    let project = Project::with(&format!("{edit}\n{BRACKETS}"), "a.txt", MYSTERY)?;
    let run = isolate(&project, &["--mode", "min", "--by", "characters", "-j", "1", "./test.sh", "a.txt"])?;
    run.exits_with(3)?.says(&[
        "test.sh",
        "was changed during the run",
        "start again with the edited test",
    ])?;
    let kept = project.read("a.failing.txt")?;
    assert!(kept.len() < MYSTERY.len() && kept.contains('('), "the best before the edit is kept: {kept}");
    project.is_left_clean()
}

#[test]
fn results_whose_folder_is_removed_are_written_elsewhere_and_the_message_says_where() -> Checked {
    let remove = "test -e \"$OUTSIDE/../here/out/a.failing.txt\" && rm -rf \"$OUTSIDE/../here/out\"";
    let project = Project::with(&format!("{remove}\n{BRACKETS}"), "a.txt", MYSTERY)?;
    let arguments = ["--mode", "min", "--by", "characters", "-j", "1", "-o", "out", "./test.sh", "a.txt"];
    let run = isolate(&project, &arguments)?.exits_with(2)?;
    run.says(&["the result cannot be written to", "a result is in", "a.failing.txt"])?;
    let kept = project.read("a.failing.txt")?;
    assert!(kept.len() < MYSTERY.len() && kept.contains('('), "{kept}");
    Ok(())
}

#[test]
fn a_search_that_is_stopped_before_it_finds_anything_does_not_claim_to_have_kept_it() -> Checked {
    let project = Project::with(BRACKETS, "a.txt", MYSTERY)?;
    let run = isolate(&project, &["--max-tests", "1", "./test.sh", "a.txt"])?.exits_with(0)?;
    run.says(&["the limit of --max-tests is reached; nothing was found until then"])?;
    assert!(project.read("a.failing.txt").is_err() && project.read("a.passing.txt").is_err());
    Ok(())
}

#[test]
fn a_test_that_cannot_judge_the_input_is_not_reported_as_passing() -> Checked {
    let project = Project::with("echo no compiler; exit 125", "a.txt", "a\nb\n")?;
    let run = isolate(&project, &["./test.sh", "a.txt"])?.exits_with(3)?;
    let run = run.says(&["the test cannot tell whether the input fails", "no compiler", "125"])?;
    assert!(!run.stderr.contains("passes"), "{}", run.stderr);
    Ok(())
}

#[test]
fn an_input_without_such_parts_is_not_blamed_on_the_test() -> Checked {
    let project = Project::with("true", "a.py", "x = 1\n")?;
    project.file("blank.py", " \n")?;
    for (by, file) in [("items", "a.py"), ("nodes", "blank.py"), ("tokens", "blank.py")] {
        let run = isolate(&project, &["--by", by, "./test.sh", file])?.exits_with(2)?;
        run.says(&[&format!("there are no {by} in '{file}'"), "--by lines"])?;
    }
    std::fs::create_dir(project.path("empty"))?;
    isolate(&project, &["./test.sh", "empty"])?.exits_with(3)?.says(&["should pass fails"])?;
    // One of several inputs may lack such parts.
    let run = isolate(&project, &["--mode", "min", "./test.sh", "a.py", "blank.py", "--by", "tokens"])?;
    run.exits_with(0)?;
    Ok(())
}

#[test]
fn a_passing_input_that_fails_is_never_called_passing() -> Checked {
    let project = Project::with("true", "a.txt", "a\nb\n")?;
    project.file("empty.txt", "")?;
    let title = "the input that should pass fails";
    for mode in ["diff", "max"] {
        let run = isolate(&project, &["--mode", mode, "--passing", "a.txt", "./test.sh", "a.txt"])?;
        run.exits_with(3)?.says(&[title, "does not differ"])?;
        let run = isolate(&project, &["--mode", mode, "--passing", "empty.txt", "./test.sh", "a.txt"])?;
        run.exits_with(3)?.says(&[title])?;
        isolate(&project, &["--mode", mode, "./test.sh", "empty.txt"])?.exits_with(3)?.says(&[title])?;
    }
    assert_eq!(names_in(&project.folder())?, ["a.txt", "empty.txt", "test.sh"], "nothing is written");
    Ok(())
}

#[test]
fn a_test_that_accepts_everything_is_reported_with_the_smallest_failing_input() -> Checked {
    let project = Project::with("true", "a.txt", "a\nb\n")?;
    let run = isolate(&project, &["--mode", "min", "./test.sh", "a.txt"])?.exits_with(0)?;
    assert!(run.stdout.contains("An empty input fails, too"), "{}", run.stdout);
    project.file("b.txt", "a\nc\n")?;
    let run = isolate(&project, &["--mode", "min", "--passing", "b.txt", "./test.sh", "a.txt"])?;
    let run = run.exits_with(0)?;
    assert!(run.stdout.contains("The passing input itself fails"), "{}", run.stdout);
    Ok(())
}

#[test]
fn messages_name_the_kind_of_the_parts_and_shorten_long_lists() -> Checked {
    let long = "needle ".repeat(10);
    let project = Project::with("grep -q needle \"$1\"", "a.txt", format!("a\n{long}\n"))?;
    project.file("b.txt", "b\n")?;
    let run = isolate(&project, &["--passing", "b.txt", "./test.sh", "a.txt"])?.exits_with(0)?;
    assert!(run.stdout.starts_with("a.txt: 3 changes\n"), "{}", run.stdout);
    let run = isolate(&project, &["./test.sh", "a.txt"])?.exits_with(0)?;
    assert!(run.stdout.starts_with("a.txt: 2 lines\n"), "{}", run.stdout);
    let cut = format!("difference       1  {:?}...\n", &long[..40]);
    assert!(run.stdout.contains(&cut), "{}", run.stdout);
    Ok(())
}

#[test]
fn isolate_gives_no_advice_about_reduce_for_a_missing_test() -> Checked {
    let project = Project::with(BRACKETS, "a.txt", MYSTERY)?;
    project.file("no.sh", "")?;
    for arguments in [&["./none.sh", "a.txt"][..], &["./no.sh", "a.txt"], &["a.txt", "--", "./none.sh"]] {
        let run = isolate(&project, arguments)?.exits_with(2)?.says(&["help: "])?;
        assert!(!run.stderr.contains("lopper reduce"), "{}", run.stderr);
    }
    Ok(())
}

#[test]
fn files_keep_their_permissions_where_the_test_runs_and_in_the_results() -> Checked {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::with("test -x \"$1\"/run && \"$1\"/run && test ! -x \"$1\"/data", "unused", "")?;
    fs::create_dir(project.path("in"))?;
    project.script("in/run", "true")?;
    for name in ["in/data", "in/more"] {
        project.file(name, "1")?;
    }
    isolate(&project, &["./test.sh", "in"])?.exits_with(0)?;
    let mode = |name: &str| fs::metadata(project.path(name)).map(|m| m.permissions().mode() & 0o777);
    assert_eq!(mode("in.failing/run")?, 0o755);
    // Two inputs may differ only in their permissions.
    fs::create_dir(project.path("old"))?;
    fs::copy(project.path("in/run"), project.path("old/run"))?;
    fs::set_permissions(project.path("old/run"), fs::Permissions::from_mode(0o644))?;
    let run = isolate(&project, &["--passing", "old", "./test.sh", "in"])?.exits_with(0)?;
    assert!(run.stdout.contains("difference       1  \"in/run\"\n"), "{}", run.stdout);
    assert_eq!((mode("in.passing.2/run")?, mode("in.failing.2/run")?), (0o644, 0o755));
    // A file that is divided into parts keeps its permissions.
    project.script("script.sh", "# more\ntrue needle")?;
    let run = ["--mode", "min", "script.sh", "--", "sh", "-c", "\"$0\" && grep -q needle \"$0\"", "{}"];
    isolate(&project, &run)?.exits_with(0)?;
    assert_eq!(mode("script.failing.sh")?, 0o755);
    Ok(())
}

#[test]
fn two_runs_at_once_have_places_of_their_own() -> Checked {
    let project = Project::with("grep -rq needle \"$1\"", "a.txt", "1\nneedle\n2\nneedle\n3\n4\n")?;
    fs::create_dir(project.path("in"))?;
    project.file("in/a", "needle")?;
    for (input, ending) in [("a.txt", ".txt"), ("in", "")] {
        let arguments = ["isolate", "--mode", "min", "-q", "./test.sh", input];
        let runs = (0..8).map(|_| project.start(&arguments)).collect::<Result<Vec<_>, _>>()?;
        let mut told = Vec::new();
        for run in runs {
            let run = run.finish()?.exits_with(0)?;
            let line = run.stdout.lines().find(|line| line.starts_with("failing")).unwrap_or_default();
            told.push(line.split_whitespace().last().unwrap_or_default().to_owned());
        }
        told.sort();
        told.dedup();
        assert_eq!(told.len(), 8, "{told:?}");
        assert!(told.iter().all(|place| place.ends_with(ending) && project.path(place).exists()), "{told:?}");
    }
    project.is_left_clean()
}

#[test]
fn a_folder_is_found_by_any_path_that_leads_to_it() -> Checked {
    let project = Project::with("test -e \"$1\"/sub/needle", "unused", "")?;
    fs::create_dir_all(project.path("in/sub"))?;
    project.file("in/sub/needle", "1")?;
    project.file("in/other", "2")?;
    let test = project.path("test.sh");
    let test = test.to_string_lossy();
    for (from, folder) in [("in", "."), ("in/sub", ".."), ("in", "../in/"), ("in/sub", "../../in/.")] {
        let mut command = project.command(env!("CARGO_BIN_EXE_lopper"));
        command.args(["isolate", "--mode", "min", &test, folder]).current_dir(project.path(from));
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        project.spawn(command)?.finish()?.exits_with(0)?;
        assert_eq!(files_below(&project, "in.failing")?, ["sub/needle"], "{folder}");
        fs::remove_dir_all(project.path("in.failing"))?;
    }
    isolate(&project, &["./test.sh", "/"])?.exits_with(2)?.says(&["'/' has no name", "help: "])?;
    Ok(())
}

#[test]
fn an_invalid_command_line_is_a_usage_error() -> Checked {
    let project = Project::with(BRACKETS, "a.txt", MYSTERY)?;
    fs::create_dir(project.path("folder"))?;
    project.file("folder/a.txt", MYSTERY)?;
    for (arguments, says) in [
        (&["a.txt"][..], "no test"),
        (&["./test.sh", "a.txt", "folder/a.txt"], "two files are called 'a.txt'"),
        (&["./test.sh", "a.txt", "--passing", "a.txt", "--passing", "a.txt"], "as many passing inputs"),
        (&["--by", "files", "./test.sh", "a.txt"], "--by files requires one folder"),
        (&["--by", "lines", "./test.sh", "folder"], "--by files requires one folder"),
        (&["--mode", "least", "./test.sh", "a.txt"], "diff"),
        (&["--language", "klingon", "./test.sh", "a.txt"], "there is no language"),
        (&["./test.sh", "no.txt"], "cannot be read"),
    ] {
        isolate(&project, arguments)?.exits_with(2)?.says(&[says])?;
    }
    Ok(())
}

#[test]
fn a_page_tells_what_was_isolated() -> Checked {
    let project = Project::with("grep -q 'b<' \"$1\"", "a.txt", "a\nb<\nc\nd\n")?;
    let run = project.lopper(&["isolate", "./test.sh", "a.txt", "--report", "page.html"])?.exits_with(0)?;
    run.says(&["the page about the run is in 'page.html'"])?;
    let page = project.read("page.html")?;
    for part in ["<pre>b&lt;\n</pre>", "lopper isolate ./test.sh a.txt --report page.html", "<svg", "+b&lt;"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("b<\n") && !page.contains("<script"), "{page}");
    Ok(())
}
