//! The journal: a killed run continues to the same bytes, and commits can be shown and undone.

use super::{C, NEEDLE, needle};
use crate::Checked;
use crate::kit::{Finished, Project, names_in, tokens};
use crate::reliability::attempts;
use rustix::process::Signal;
use std::error::Error;
use std::fs;

/// A test for a longer run: seven words must be kept, and its runs are counted.
const SEVEN: &str = "echo . >>\"$OUTSIDE/runs\"; text=$(cat \"$1\")
for word in needle limit return count main void '++'; do case $text in *\"$word\"*) ;; *) exit 1 ;; esac; done";

/// Kills Lopper as soon as the journal has as many lines as $OUTSIDE/kill gives.
const KILLS: &str = "journal=\"$OUTSIDE/../here/out.c.lopper/journal.jsonl\"
[ -f \"$OUTSIDE/kill\" ] && [ -f \"$journal\" ] && read -r lines <\"$OUTSIDE/kill\" &&
[ \"$(wc -l <\"$journal\")\" -ge \"$lines\" ] && kill -9 \"$(cat \"$OUTSIDE/pid\")\"";

const JOURNAL: &str = "out.c.lopper/journal.jsonl";

fn project() -> std::io::Result<Project> {
    Project::with(&format!("{KILLS}\n{SEVEN}"), "a.c", C.repeat(6))
}

/// Reduces a.c to out.c with these further arguments.
fn reduce(project: &Project, more: &[&str]) -> Result<Finished, Box<dyn Error>> {
    let mut arguments = vec!["./test.sh", "a.c", "-o", "out.c"];
    arguments.extend(more);
    project.reduce(&arguments)
}

/// The number of runs of the test.
fn runs(project: &Project) -> usize {
    project.reported("runs").lines().count()
}

/// A run that is killed once its journal has this many lines.
fn killed(project: &Project, lines: usize, jobs: &str) -> Checked {
    fs::write(project.outside().join("kill"), format!("{lines}\n"))?;
    let run = project.start(&["reduce", "./test.sh", "a.c", "-o", "out.c", "-j", jobs])?;
    fs::write(project.outside().join("pid"), run.id().to_string())?;
    let run = run.finish()?;
    fs::remove_file(project.outside().join("kill"))?;
    match std::os::unix::process::ExitStatusExt::signal(&run.status) {
        Some(9) => Ok(()),
        _ => Err(format!("not killed at line {lines}: {}\n{}", run.status, run.stderr).into()),
    }
}

/// Kills a run at many places, `step` journal lines apart: each time the result is whole and interesting, and
/// resuming gives the bytes of an uninterrupted run.
fn survives_kills(step: usize, most: usize) -> Checked {
    let whole = project()?;
    reduce(&whole, &["--keep-run"])?.exits_with(0)?;
    let lines = whole.read(JOURNAL)?.lines().count();
    let expected = whole.read("out.c")?;
    let places: Vec<usize> = (2..lines - 2).step_by(step).take(most).collect();
    assert_eq!(places.len(), most, "the run is long enough: {lines} lines");
    for (i, place) in places.into_iter().enumerate() {
        let project = project()?;
        let jobs = ["1", "2"][i % 2];
        killed(&project, place, jobs)?;
        project.is_left_clean().map_err(|e| format!("killed at {place}: {e}"))?;
        let text = project.read("out.c")?;
        let words = ["needle", "limit", "return", "count", "main", "void", "++"];
        assert!(words.iter().all(|word| text.contains(word)), "killed at {place}: {text}");
        if i % 3 == 2 {
            // A power cut loses data that was not yet on disk, even in the middle of a line.
            let journal = fs::read(project.path(JOURNAL))?;
            fs::write(project.path(JOURNAL), &journal[..journal.len() - i % 97])?;
        }
        reduce(&project, &["--resume"])?.exits_with(0)?;
        assert!(project.read("out.c")? == expected, "killed at {place}");
        assert_eq!(names_in(&project.folder())?, ["a.c", "out.c", "test.sh"]);
    }
    Ok(())
}

#[test]
fn a_run_that_is_killed_anywhere_continues_to_the_same_bytes() -> Checked {
    survives_kills(27, 8)
}

#[test]
#[ignore = "takes minutes: the same at 200 places"]
fn a_run_that_is_killed_at_two_hundred_places_continues_to_the_same_bytes() -> Checked {
    survives_kills(1, usize::try_from(attempts(200))?)
}

#[test]
fn a_resumed_run_repeats_no_known_verdict() -> Checked {
    let whole = project()?;
    reduce(&whole, &["-j", "1"])?.exits_with(0)?;
    let project = project()?;
    let stopped = reduce(&project, &["-j", "1", "--max-tests", "100"])?.exits_with(0)?;
    stopped.says(&["with --resume to continue", "out.c.lopper"])?;
    reduce(&project, &["-j", "1", "--resume"])?.exits_with(0)?.says(&["100 verdicts are known"])?;
    // Two more runs on the result, and one on the original.
    assert_eq!(runs(&project), runs(&whole) + 2);
    assert_eq!(project.read("out.c")?, whole.read("out.c")?);
    assert_eq!(names_in(&project.folder())?, ["a.c", "out.c", "test.sh"]);
    Ok(())
}

#[test]
fn ctrl_c_and_resuming_give_the_same_bytes() -> Checked {
    let whole = project()?;
    reduce(&whole, &[])?.exits_with(0)?;
    let project = project()?;
    let mut run = project.start(&["reduce", "./test.sh", "a.c", "-o", "out.c"])?;
    run.wait_until("some runs", || runs(&project) > 60)?;
    run.signal(Signal::INT)?;
    run.finish()?.exits_with(130)?.says(&["with --resume to continue"])?;
    reduce(&project, &["--resume"])?.exits_with(0)?;
    assert_eq!(project.read("out.c")?, whole.read("out.c")?);
    project.is_left_clean()
}

#[test]
fn without_a_name_the_newest_run_is_resumed_or_a_new_one_begins() -> Checked {
    let project = needle()?;
    for _ in 0..2 {
        project.reduce(&["./test.sh", "a.c", "--max-tests", "2"])?.exits_with(0)?;
    }
    project.reduce(&["./test.sh", "a.c", "--resume"])?.exits_with(0)?.says(&["a.reduced.2.c"])?;
    assert_eq!(project.read("a.reduced.2.c")?.trim(), "needle");
    project.reduce(&["./test.sh", "a.c", "--resume"])?.exits_with(0)?.says(&["a.reduced.c"])?;
    project.reduce(&["./test.sh", "a.c", "--resume"])?.exits_with(0)?.says(&["a.reduced.3.c"])?;
    let names = ["a.c", "a.reduced.2.c", "a.reduced.3.c", "a.reduced.c", "test.sh"];
    assert_eq!(names_in(&project.folder())?, names);
    Ok(())
}

#[test]
fn a_run_in_place_is_resumed_from_the_original() -> Checked {
    let project = needle()?;
    project.reduce(&["./test.sh", "a.c", "--in-place", "--max-tests", "3"])?.exits_with(0)?;
    let smaller = project.read("a.c")?;
    assert_ne!(smaller, C);
    project.file("a.c", "edited since, with a needle")?;
    let run = project.reduce(&["./test.sh", "a.c", "--in-place", "--resume"])?.exits_with(2)?;
    run.says(&["changed after the run wrote it"])?;
    project.file("a.c", smaller)?;
    project.reduce(&["./test.sh", "a.c", "--in-place", "--resume"])?.exits_with(0)?;
    assert_eq!((project.read("a.c")?.trim(), &*project.read("a.c.orig")?), ("needle", C));
    assert_eq!(names_in(&project.folder())?, ["a.c", "a.c.orig", "test.sh"]);
    Ok(())
}

#[test]
fn a_journal_of_another_run_is_refused_with_the_reason() -> Checked {
    let project = project()?;
    reduce(&project, &["--max-tests", "20"])?.exits_with(0)?;
    let (journal, output) = (project.read(JOURNAL)?, project.read("out.c")?);
    let refused = |more: &[&str], reason: &str| -> Checked {
        let mut arguments = vec!["--resume"];
        arguments.extend(more);
        reduce(&project, &arguments)?.exits_with(2)?.says(&["belongs to a different run", reason])?;
        assert_eq!((project.read(JOURNAL)?, project.read("out.c")?), (journal.clone(), output.clone()));
        Ok(())
    };
    refused(&["--skip-pass", "lines"], "these passes are not used now: lines\n")?;
    refused(&["--search", "ddmin"], "search")?;
    refused(&["--language", "text"], "language")?;
    refused(&["--algorithm", "hdd"], "the algorithm was default, and is hdd now")?;
    refused(&["--timeout", "7.5"], "7.5 s now")?;
    refused(&["--memory-limit", "64M"], "67108864 now")?;
    let (test, file) = (project.read("test.sh")?, project.read("a.c")?);
    project.script("test.sh", "exit 0")?;
    refused(&[], "the test")?;
    project.executable("test.sh", &test)?;
    project.file("a.c", "another")?;
    refused(&[], "has changed since then")?;
    project.file("a.c", file)?;
    project.file(JOURNAL, journal.replacen(env!("CARGO_PKG_VERSION"), "0.0.7", 1))?;
    let run = reduce(&project, &["--resume"])?.exits_with(2)?;
    run.says(&["0.0.7", env!("CARGO_PKG_VERSION")])?;
    project.is_left_clean()
}

#[test]
fn a_journal_of_a_run_with_another_grammar_or_algorithm_is_refused_with_the_reason() -> Checked {
    let project = project()?;
    let with = |grammar: &str| project.file("a.json", format!("{{\"<start>\": [\"\", {grammar}]}}"));
    with(r#""<c><start>"], "<c>": ["/", ".", "-""#)?;
    let first = ["--grammar", "a.json", "--max-tests", "3"];
    reduce(&project, &first)?.exits_with(0)?;
    with(r#""<c><start>"], "<c>": [".", "/", "-""#)?;
    let refused = |more: &[&str], reason: &str| -> Checked {
        let arguments = [more, &["--resume"]].concat();
        reduce(&project, &arguments)?.exits_with(2)?.says(&["belongs to a different run", reason])?;
        Ok(())
    };
    refused(&first, "the grammar has changed")?;
    refused(&[], "the language was grammar, and is c now")?;
    with(r#""<c><start>"], "<c>": ["/", ".", "-""#)?;
    reduce(&project, &[&first[..], &["--resume"]].concat())?.exits_with(0)?;
    fs::remove_dir_all(project.path("out.c.lopper"))?;
    reduce(&project, &["--algorithm", "hdd", "--max-tests", "3"])?.exits_with(0)?;
    refused(&["--algorithm", "perses"], "the algorithm was hdd, and is perses now")?;
    refused(&[], "the algorithm was hdd, and is default now")?;
    reduce(&project, &["--algorithm", "hdd", "--resume"])?.exits_with(0)?;
    Ok(())
}

#[test]
fn a_run_that_can_be_resumed_is_kept() -> Checked {
    let project = project()?;
    reduce(&project, &["--max-tests", "20"])?.exits_with(0)?;
    let journal = project.read(JOURNAL)?;
    reduce(&project, &[])?.exits_with(2)?.says(&["not finished", "--resume", "remove the folder"])?;
    assert_eq!(project.read(JOURNAL)?, journal);
    Ok(())
}

#[test]
fn a_journal_that_is_damaged_in_the_middle_is_refused_with_the_line() -> Checked {
    let project = project()?;
    reduce(&project, &["--max-tests", "20"])?.exits_with(0)?;
    let journal = project.read(JOURNAL)?;
    let lines: Vec<&str> = journal.lines().collect();
    let damaged = format!("{}\n\u{fffd}{{\n{}\n", lines[..4].join("\n"), lines[4..].join("\n"));
    project.file(JOURNAL, damaged)?;
    reduce(&project, &["--resume"])?.exits_with(2)?.says(&["damaged", "line 5", "remove"])?;
    project.lopper(&["replay", "out.c"])?.exits_with(2)?.says(&["line 5"])?;
    Ok(())
}

#[test]
fn two_runs_with_one_folder_exclude_each_other() -> Checked {
    let slow =
        "test -s \"$1\" && test -d \"$OUTSIDE/../here/out.c.lopper\" && touch \"$OUTSIDE/slow\" && sleep 30";
    let project = Project::with(&format!("{slow}\n{NEEDLE}"), "a.c", C)?;
    let mut first = project.start(&["reduce", "./test.sh", "a.c", "-o", "out.c", "--timeout", "60"])?;
    first.wait_until("a slow run", || project.outside().join("slow").exists())?;
    let id = format!("process {}", first.id());
    project.script("quick.sh", NEEDLE)?;
    for arguments in
        [&["./quick.sh", "a.c", "-o", "out.c"][..], &["./test.sh", "a.c", "-o", "out.c", "--resume"]]
    {
        let second = project.reduce(arguments)?.exits_with(2)?;
        second.says(&["another lopper", &id, "out.c.lopper", "--output"])?;
    }
    project.lopper(&["undo", "out.c", "--to", "0"])?.exits_with(2)?.says(&["another lopper"])?;
    project.lopper(&["replay", "out.c"])?.exits_with(0)?;
    first.signal(Signal::TERM)?;
    first.finish()?.exits_with(130)?;
    project.is_left_clean()
}

#[test]
fn two_runs_that_look_for_a_name_at_once_find_two() -> Checked {
    let project = needle()?;
    let runs: Vec<_> =
        (0..4).map(|_| project.start(&["reduce", "./test.sh", "a.c"])).collect::<Result<_, _>>()?;
    for run in runs {
        run.finish()?.exits_with(0)?;
    }
    let names = ["a.c", "a.reduced.2.c", "a.reduced.3.c", "a.reduced.4.c", "a.reduced.c", "test.sh"];
    assert_eq!(names_in(&project.folder())?.len(), names.len());
    Ok(())
}

/// The sizes in bytes that `lopper replay` lists.
fn commits(project: &Project) -> Result<Vec<usize>, Box<dyn Error>> {
    let shown = project.lopper(&["replay", "out.c"])?.exits_with(0)?.stdout;
    let rows = shown.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>());
    let rows = rows.filter(|words| words.len() == 5);
    Ok(rows.map(|words| words[2].parse()).collect::<Result<_, _>>()?)
}

#[test]
fn the_commits_of_a_run_can_be_shown_and_undone() -> Checked {
    let project = project()?;
    let shortest = ["--keep-run", "--format", "none"];
    reduce(&project, &shortest)?.exits_with(0)?.says(&["lopper replay", "lopper undo"])?;
    let (result, before) = (project.read("out.c")?, commits(&project)?);
    assert_eq!(before.last(), Some(&result.len()));
    let asked = runs(&project);
    let to = (before.len() / 2).to_string();
    project.lopper(&["undo", "out.c.lopper", "--to", &to])?.exits_with(0)?;
    let after = commits(&project)?;
    assert_eq!(after[..before.len() / 2], before[..before.len() / 2], "the road up to there is the same");
    assert_ne!(project.read("out.c")?, result, "the abandoned result is barred");
    assert!(project.read("out.c")?.contains("needle"));
    assert!(runs(&project) > asked, "the rest is looked for anew");
    let last = (after.len() + 1).to_string();
    project.lopper(&["undo", "out.c", "--to", &last])?.exits_with(2)?.says(&["there is no commit"])?;
    project.is_left_clean()
}

#[test]
fn undo_begins_with_the_program_of_that_commit() -> Checked {
    // It hangs while $OUTSIDE/hang exists, except on the original.
    let hangs = "test -f \"$OUTSIDE/hang\" && ! cmp -s \"$1\" \"$OUTSIDE/../here/a.c\" && \
                 touch \"$OUTSIDE/hangs\" && sleep 1000";
    let project = Project::with(&format!("{hangs}\n{SEVEN}"), "a.c", C.repeat(6))?;
    reduce(&project, &["--keep-run", "--timeout", "100"])?.exits_with(0)?;
    let before = commits(&project)?;
    for to in [before.len() / 2, 0] {
        fs::write(project.outside().join("hang"), "")?;
        let _ = fs::remove_file(project.outside().join("hangs"));
        let mut run = project.start(&["undo", "out.c", "--to", &to.to_string()])?;
        run.wait_until("a new run", || project.outside().join("hangs").exists())?;
        let size = to.checked_sub(1).map_or(C.len() * 6, |last| before[last]);
        assert_eq!(project.read("out.c")?.len(), size, "commit {to}");
        run.signal(Signal::INT)?;
        run.finish()?.exits_with(130)?;
        assert_eq!(project.read("out.c")?.len(), size, "commit {to}");
    }
    project.is_left_clean()
}

#[test]
fn the_log_has_the_command_the_options_the_events_and_the_reason_for_the_end() -> Checked {
    let hangs = "grep -q 'return to' \"$1\" || { grep -q limit \"$1\" || exit 1; sleep 1000; }";
    let project = Project::with(&format!("{hangs}\n{NEEDLE}"), "a.c", C)?;
    let options = ["-j", "1", "--timeout", "0.5", "--skip-pass", "lines,tokens", "--max-tests", "20"];
    reduce(&project, &options)?.exits_with(0)?;
    let said = |texts: &[&str]| -> Checked {
        let log = project.read("out.c.lopper/log.txt")?;
        match texts.iter().find(|text| !log.contains(**text)) {
            Some(text) => Err(format!("'{text}' is not in:\n{log}").into()),
            None => Ok(()),
        }
    };
    let tokens = tokens("c", C.as_bytes()).len();
    said(&[
        &format!("lopper {}, process ", env!("CARGO_PKG_VERSION")),
        "command: lopper reduce ./test.sh a.c -o out.c -j 1 --timeout 0.5 --skip-pass lines,tokens",
        "workers: 1",
        &format!("input: a.c, {} bytes, {} lines, {tokens} tokens, language c", C.len(), C.lines().count()),
        "not used: lines, tokens",
        "limits of one test: 0.5 s, memory ",
        "sweep: Reduce, floor ",
        "commit 1: ",
        ": it took too long",
        ": TimedOut, a candidate of ",
        "end: the limit of --max-tests is reached",
        "all workers: ",
    ])?;
    reduce(&project, &[&options[..4], &options[4..6], &["--resume", "--keep-run"]].concat())?
        .exits_with(0)?;
    said(&["resuming; 20 verdicts are known", "sweep: Finish", "end: no pass finds anything more"])?;
    Ok(())
}

#[test]
fn without_a_run_folder_there_is_nothing_to_show() -> Checked {
    let project = needle()?;
    project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    for command in [&["replay", "a.reduced.c"][..], &["undo", "a.reduced.c", "--to", "1"]] {
        project.lopper(command)?.exits_with(2)?.says(&["no journal", "--keep-run"])?;
    }
    Ok(())
}

#[test]
fn the_run_folder_has_the_tests_output_on_the_original_and_the_best_program() -> Checked {
    let project = Project::with(&format!("echo said; echo . >>\"$OUTSIDE/runs\"\n{NEEDLE}"), "a.c", C)?;
    reduce(&project, &["--keep-run"])?.exits_with(0)?;
    assert_eq!(project.read("out.c.lopper/output-of-original.txt")?, "said\n");
    assert_eq!(project.read("out.c.lopper/best")?, project.read("out.c")?);
    let names = ["best", "journal.jsonl", "log.txt", "output-of-original.txt"];
    assert_eq!(names_in(&project.path("out.c.lopper"))?, names);
    // Resuming finds everything it needs in the folder, and leaves it in place.
    let asked = runs(&project);
    reduce(&project, &["--resume"])?.exits_with(0)?;
    assert_eq!(runs(&project), asked + 3, "the original, and the result twice");
    assert!(project.path(JOURNAL).exists());
    // A finished run is replaced by a new one.
    reduce(&project, &[])?.exits_with(0)?;
    assert!(!project.path("out.c.lopper").exists());
    Ok(())
}
