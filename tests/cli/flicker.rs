//! Tests that flicker, by a script that counts its runs on each candidate.

use super::C;
use crate::Checked;
use crate::kit::Project;
use std::fs;

/// Begins a script: `$n` is the number of this run on this candidate, and `$h` a number that is different for
/// each candidate.
const COUNTS: &str =
    "h=$(cksum <\"$1\" | cut -d' ' -f1); echo >>\"$OUTSIDE/$h\"; n=$(grep -c '' \"$OUTSIDE/$h\")";

/// A test that looks for a needle, and is wrong if this condition holds.
fn wrong_if(condition: &str) -> std::io::Result<Project> {
    let script = format!(
        "{COUNTS}\ngrep -q needle \"$1\"; answer=$?\nif {condition}; then exit $((1 - answer)); fi\nexit $answer"
    );
    Project::with(&script, "a.c", C)
}

/// Wrong in about one of eight runs; the original is refused in its second run, and in no other.
const SOMETIMES: &str = "test $(((h / 7 + n * 5) % 8)) = 0 && ! cmp -s \"$1\" \"$OUTSIDE/../here/a.c\" || \
                         { test $n = 2 && cmp -s \"$1\" \"$OUTSIDE/../here/a.c\"; }";

/// A project whose test is sometimes wrong.
pub(super) fn sometimes_wrong() -> std::io::Result<Project> {
    wrong_if(SOMETIMES)
}

#[test]
fn a_test_that_flickers_is_measured_before_the_run_and_its_result_is_interesting() -> Checked {
    let project = wrong_if(SOMETIMES)?;
    let run = project.reduce(&["./test.sh", "a.c", "-j", "1"])?.exits_with(0)?;
    let run =
        run.says(&["the test flickers", "does not always accept the original", "flicker ", "help: "])?;
    assert!(run.stderr.contains("16 runs one after the other accepted it 16 times"), "{}", run.stderr);
    assert_eq!(project.read("a.reduced.c")?, "needle\n");
    project.is_left_clean()
}

#[test]
fn a_test_that_turns_out_to_flicker_during_the_run_is_measured_then() -> Checked {
    // The first runs are right, and the second ones on all but the original are wrong.
    let project = wrong_if("test $n = 2 && ! cmp -s \"$1\" \"$OUTSIDE/../here/a.c\"")?;
    let run = project.reduce(&["./test.sh", "a.c", "-j", "1"])?.exits_with(0)?;
    let found = "the test flickers: in another run, it gave another answer to the same program";
    run.says(&[found, "16 runs one after the other accepted it 16 times", "at the same time", "--jobs 1"])?;
    assert_eq!(project.read("a.reduced.c")?, "needle\n");
    Ok(())
}

#[test]
fn a_test_that_refuses_the_original_in_its_third_run_is_measured_before_the_run() -> Checked {
    let project = wrong_if("test $n = 3 && cmp -s \"$1\" \"$OUTSIDE/../here/a.c\"")?;
    let run = project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    run.says(&["the test flickers", "does not always accept the original"])?;
    Ok(())
}

#[test]
fn a_test_that_hardly_ever_accepts_the_original_is_refused_with_what_to_do() -> Checked {
    let project = wrong_if("grep -q count \"$1\" && test $((n % 8)) != 1")?;
    let run = project.reduce(&["./test.sh", "a.c"])?.exits_with(3)?;
    run.says(&["too rarely", "of 64 runs on the original", "8 accepted it", "repeat its check up to"])?;
    Ok(())
}

#[test]
fn a_resumed_run_of_a_test_that_flickers_gives_the_same_bytes_after_as_many_runs() -> Checked {
    // On a busy machine a run may reach the automatic limit of a second, which would be another answer.
    let words = ["./test.sh", "a.c", "-j", "1", "--timeout", "60"];
    let whole = wrong_if(SOMETIMES)?;
    let runs = whole.reduce(&words)?.exits_with(0)?.runs()?;
    let parts = wrong_if(SOMETIMES)?;
    let mut resumed = 0;
    for limit in (20..).step_by(25) {
        let limit = limit.to_string();
        let stops = ["--resume", "--max-tests", &limit];
        let run = parts.reduce(&[&words[..], &stops].concat())?.exits_with(0)?;
        assert!(parts.read("a.reduced.c")?.contains("needle"), "after {limit} runs");
        if run.stderr.contains("no pass finds anything more") {
            assert_eq!(run.runs()?, runs);
            break;
        }
        resumed += 1;
    }
    assert!(resumed > 2, "{resumed}");
    assert_eq!(parts.read("a.reduced.c")?, whole.read("a.reduced.c")?);
    Ok(())
}

/// Wrong in about one of eight runs; in the second run on the original it always is.
const WRONG: &str = "test $n = 2 -a \"$(cat \"$1\")\" = \"$(cat \"$OUTSIDE/../here/a.c\")\" || test $(((h / 7 + n * 5) % 8)) = 0";

#[test]
fn a_published_algorithm_repeats_runs_until_they_are_certain() -> Checked {
    let project = wrong_if(WRONG)?;
    for algorithm in ["perses", "ddmin-lines"] {
        let run = project.reduce(&["./test.sh", "a.c", "--algorithm", algorithm, "-o", "small.c"])?;
        run.exits_with(0)?.says(&["the test flickers", "until its verdict is certain"])?;
        let right = ["a.c", "--algorithm", algorithm, "-o", "right.c", "--", "grep", "-q", "needle"];
        project.reduce(&right)?.exits_with(0)?;
        assert_eq!(project.read("small.c")?, project.read("right.c")?, "{algorithm}");
        fs::remove_dir_all(project.outside())?;
        fs::create_dir(project.outside())?;
    }
    project.is_left_clean()
}

#[test]
fn isolation_and_generalization_repeat_runs_until_they_are_certain() -> Checked {
    let project = wrong_if(WRONG)?;
    let run = project.lopper(&["isolate", "--mode", "min", "./test.sh", "a.c"])?.exits_with(0)?;
    run.says(&["the test flickers"])?;
    let failing = project.read("a.failing.c")?;
    assert!(failing.contains("needle") && failing.lines().count() == 1, "{failing}");
    let words =
        ["generalize", "./test.sh", "a.c", "--require", "none", "--instances", "10", "--budget", "300"];
    let run = project.lopper(&words)?.exits_with(0)?;
    assert!(run.stdout.contains("needle"), "{}", run.stdout);
    run.says(&["the test flickers", "10 of 10 fresh instances fail"])?;
    Ok(())
}

/// Right in the first run on each candidate, wrong in the second one, and right from then on; always right on the original.
const LATER: &str = "test $n = 2 && ! cmp -s \"$1\" \"$OUTSIDE/../here/a.c\"";
const FOUND: &str = "the test flickers: in another run, it gave another answer to the same program";

#[test]
fn an_isolation_that_meets_a_contradiction_begins_again_with_repeated_runs() -> Checked {
    for mode in ["min", "max", "diff"] {
        let right = Project::with("grep -q needle \"$1\"", "a.c", C)?;
        let expected = right.lopper(&["isolate", "--mode", mode, "./test.sh", "a.c"])?.exits_with(0)?;
        let project = wrong_if(LATER)?;
        let run = project.lopper(&["isolate", "--mode", mode, "./test.sh", "a.c"])?.exits_with(0)?;
        let run = run.says(&[FOUND, "16 runs one after the other accepted it 16 times"])?;
        assert_eq!(run.stdout, expected.stdout, "{mode}");
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn a_generalization_that_meets_a_contradiction_begins_again_with_repeated_runs() -> Checked {
    let project = wrong_if(LATER)?;
    // The reduced file is the input, so that the reduction does not meet the contradiction.
    project.file("small.c", "needle;\n")?;
    let words = ["generalize", "./test.sh", "a.c", "--reduced", "small.c", "--require", "none"];
    let run = project.lopper(&[&words[..], &["--instances", "10", "--budget", "200"]].concat())?;
    let run = run.exits_with(0)?;
    assert!(run.stdout.contains("needle"), "{}", run.stdout);
    assert_eq!(run.stderr.matches(FOUND).count(), 1, "{}", run.stderr);
    run.says(&["10 of 10 fresh instances fail"])?;
    Ok(())
}

#[test]
fn a_generalization_goes_on_with_what_its_reduction_has_found_out_about_the_test() -> Checked {
    let project = wrong_if(LATER)?;
    let words =
        ["generalize", "./test.sh", "a.c", "--require", "none", "--instances", "10", "--budget", "200"];
    let run = project.lopper(&words)?.exits_with(0)?;
    assert_eq!(run.stderr.matches(FOUND).count(), 1, "{}", run.stderr);
    assert!(run.stdout.contains("needle"), "{}", run.stdout);
    Ok(())
}
