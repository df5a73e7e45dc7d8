//! `lopper generalize --excerpt`, and `lopper match` with what it finds.

use crate::Checked;
use crate::kit::{Finished, Project};
use std::error::Error;
use std::fs;

/// A reduction makes `a += c` of the cause, which the program does not have.
const TEST: &str = "grep -q '^def' \"$1\" && grep -Eq '([a-z]+) = \\1 [+] c|[a-z]+ [+]= c' \"$1\"";

const PROGRAM: &str = "import os

def outer(text):
    out = ''
    if text:
        for c in text:
            print(os.sep)
            out = out + c
    return out
";

#[test]
fn a_program_is_known_by_its_excerpt_where_the_minimum_was_rewritten() -> Checked {
    let project = Project::with(TEST, "a.py", PROGRAM)?;
    let words = ["generalize", "./test.sh", "a.py", "--excerpt", "--json", "p.json", "--html", "p.html"];
    let run = project.lopper(&[&words[..], &["--instances", "20"]].concat())?.exits_with(0)?;
    run.says(&["of the file fail by themselves"])?;
    let json = project.read("p.json")?;
    assert!(json.contains("+= c"), "the minimum was rewritten: {json}");
    project.lopper(&["match", "--close", "p.json", "a.py"])?.exits_with(1)?;
    let found = project.lopper(&["match", "p.json", "a.py"])?.exits_with(0)?;
    let shown = "a.py:3:1: def outer(text):\n  a looser match: there is more between the parts of the excerpt\n  \
                 line 4: out = ''\n  line 8: out = out + c\n";
    assert!(found.stdout.starts_with(shown), "{}", found.stdout);
    assert!(project.read("p.html")?.contains("What fails without being rewritten"));

    project.file("other.py", PROGRAM.replace("out + c", "c + out"))?;
    project.lopper(&["match", "p.json", "other.py"])?.exits_with(1)?;
    let renamed = PROGRAM.replace("out", "result").replace("outer", "inner");
    project.file("renamed.py", renamed)?;
    project.lopper(&["match", "-q", "p.json", "renamed.py"])?.exits_with(0)?;
    std::fs::create_dir(project.path("bugs"))?;
    project.file("bugs/joins.json", json)?;
    let sorted = project.lopper(&["match", "--classify", "bugs", "a.py", "other.py"])?.exits_with(0)?;
    assert_eq!(sorted.stdout, "a.py: joins\nother.py: -\n");
    Ok(())
}

#[test]
fn the_excerpt_does_not_depend_on_the_number_of_workers() -> Checked {
    let project = Project::with(TEST, "a.py", PROGRAM)?;
    let mut patterns = Vec::new();
    for jobs in ["1", "4"] {
        let words = ["generalize", "./test.sh", "a.py", "--excerpt", "--json", "p.json", "-j", jobs];
        project.lopper(&[&words[..], &["--instances", "5"]].concat())?.exits_with(0)?;
        patterns.push(project.read("p.json")?);
    }
    assert_eq!(patterns[0], patterns[1]);
    Ok(())
}

/// A test of assignments for which a file without `pass` is rewritten to that.
const REWRITTEN: &str = "grep -Eq '^([a-z]+ = [a-z]+|pass)$' \"$1\"";

#[test]
fn an_excerpt_that_is_in_almost_every_program_is_left_out() -> Checked {
    let text = "import sys\nfirst = second\nprint(first)\n";
    let project = Project::with(REWRITTEN, "a.py", text)?;
    let words = ["generalize", "./test.sh", "a.py", "--excerpt", "--json", "p.json", "--instances", "5"];
    project.lopper(&words)?.exits_with(0)?.says(&["the excerpt is left out: too many programs"])?;
    assert!(!project.read("p.json")?.contains("\"excerpt\""));
    project.lopper(&["match", "p.json", "a.py"])?.exits_with(1)?;
    Ok(())
}

/// A test that writes down each of its runs. With a file `slow` it does not end from the run with this number on.
fn counting(slow_from: usize) -> String {
    format!(
        "echo >> \"$OUTSIDE/runs\"\n\
         if test -f \"$OUTSIDE/slow\" && test $(wc -l < \"$OUTSIDE/runs\") -ge {slow_from}\n\
         then touch \"$OUTSIDE/reached\"; sleep 1000; fi\n{TEST}"
    )
}

fn runs(project: &Project) -> Result<usize, Box<dyn Error>> {
    Ok(fs::read_to_string(project.outside().join("runs"))?.lines().count())
}

/// Stops a run with SIGKILL in the run of the test with this number, and resumes it.
fn killed_and_resumed(words: &[&str], slow_from: usize) -> Result<(Project, Finished), Box<dyn Error>> {
    let project = Project::with(&counting(slow_from), "a.py", PROGRAM)?;
    fs::write(project.outside().join("slow"), "")?;
    let mut run = project.start(words)?;
    run.wait_until("a slow test", || project.outside().join("reached").exists())?;
    run.signal(rustix::process::Signal::KILL)?;
    run.finish()?;
    fs::remove_file(project.outside().join("slow"))?;
    let resumed = project.lopper(&[words, &["--resume"]].concat())?.exits_with(0)?;
    let resumed = resumed.says(&["verdicts are known", "of the file fail by themselves"])?;
    Ok((project, resumed))
}

#[test]
fn a_search_for_an_excerpt_that_was_killed_is_resumed_with_the_same_bytes_and_no_answered_question_is_asked_again()
-> Checked {
    let words = |jobs: &'static str, more: &[&'static str]| {
        let own = ["generalize", "./test.sh", "a.py", "--json", "p.json", "--timeout", "900", "-j", jobs];
        [&own[..], &["--instances", "5", "--budget", "120", "--require", "none"], more].concat()
    };
    let project = Project::with(&counting(0), "a.py", PROGRAM)?;
    project.lopper(&words("1", &[]))?.exits_with(0)?;
    let without = runs(&project)?;
    let project = Project::with(&counting(0), "a.py", PROGRAM)?;
    let whole = project.lopper(&words("1", &["--excerpt"]))?.exits_with(0)?;
    let (json, all) = (project.read("p.json")?, runs(&project)?);
    for jobs in ["2", "8"] {
        project.lopper(&words(jobs, &["--excerpt"]))?.exits_with(0)?;
        assert_eq!(project.read("p.json")?, json, "{jobs}");
    }
    // While the file is reduced to the excerpt, and while that is generalized.
    assert!(all > without + 12, "the excerpt took {} runs", all - without);
    for (slow_from, jobs) in [(without + 4, "1"), (without + 4, "8"), (all - 4, "1"), (all - 4, "2")] {
        let (project, resumed) = killed_and_resumed(&words(jobs, &["--excerpt"]), slow_from)?;
        assert_eq!(resumed.stdout, whole.stdout, "{slow_from} {jobs}");
        assert_eq!(project.read("p.json")?, json, "{slow_from} {jobs}");
        // Once on the original, twice on the excerpt, and the one in flight. Several workers make runs that are of no use, too.
        let made = runs(&project)?;
        assert!(jobs != "1" || made <= all + 4, "{slow_from}: {made} of {all}");
        project.is_left_clean()?;
        assert!(!project.path("p.pattern.json.lopper").exists());
    }
    Ok(())
}

#[test]
fn reduce_generalizes_an_excerpt_too_and_can_be_resumed() -> Checked {
    let words = ["reduce", "./test.sh", "a.py", "--timeout", "900", "-j", "1", "--generalize", "--excerpt"];
    let project = Project::with(&counting(0), "a.py", PROGRAM)?;
    let whole = project.lopper(&words)?.exits_with(0)?;
    let whole = whole.says(&["of the file fail by themselves", "fresh instances fail"])?;
    let all = runs(&project)?;
    let (project, resumed) = killed_and_resumed(&words, all - 4)?;
    assert_eq!(resumed.stdout, whole.stdout);
    // The tests on the original, twice on the result of each reduction, and the one in flight.
    assert!(runs(&project)? <= all + 8, "{} of {all}", runs(&project)?);
    project.is_left_clean()?;
    project.lopper(&["reduce", "./test.sh", "a.py", "--excerpt"])?.exits_with(2)?;
    Ok(())
}

#[test]
fn an_excerpt_that_fails_outside_of_definitions_only_is_found_there_only() -> Checked {
    let text = "import sys\n\ndef run(a):\n    b = a\n    return b\n\nfirst = second\nprint(first)\n";
    let project = Project::with(REWRITTEN, "a.py", text)?;
    let words = ["generalize", "./test.sh", "a.py", "--excerpt", "--json", "p.json", "--instances", "5"];
    let run = project.lopper(&words)?.exits_with(0)?;
    run.says(&["the excerpt is not looked for in a function_definition: in \"def run(a):\" it passes"])?;
    let found = project.lopper(&["match", "p.json", "a.py"])?.exits_with(0)?;
    assert!(found.stdout.starts_with("a.py:7:1: first = second\n"), "{}", found.stdout);
    project.file("other.py", text.replace("first = second\n", ""))?;
    project.lopper(&["match", "p.json", "other.py"])?.exits_with(1)?;
    project.file("inner.py", "if a:\n    x = y\n")?;
    project.lopper(&["match", "p.json", "inner.py"])?.exits_with(0)?;
    Ok(())
}
