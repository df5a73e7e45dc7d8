//! The library as programs use it: texts in memory, closures and commands as tests, limits, listeners.
//!
//! A binary of its own: it becomes the parent of processes that its commands leave behind, which other tests
//! do not expect.

use lopper::{End, ErrorKind, Event, Reducer, Reduction, UserError, Verdict};
use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The result of a test: an error is reported, where a panic would hide it.
type Checked = Result<(), Box<dyn Error>>;

const PROGRAM: &str = "int half(int a) {\n    return a / 2;\n}\n\nint main() {\n    return half(7) / 0;\n}\n";

fn divides_by_zero(candidate: &[u8]) -> bool {
    String::from_utf8_lossy(candidate).contains("/ 0")
}

fn text(reduction: &Reduction) -> String {
    String::from_utf8_lossy(reduction.text()).into_owned()
}

#[test]
fn a_closure_is_a_test_and_the_history_leads_from_the_text_to_the_result() -> Checked {
    let reduction = Reducer::new("crash.c", PROGRAM).reduce(divides_by_zero)?;
    assert_eq!(text(&reduction), "/ 0\n");
    assert!(matches!(reduction.end, End::Fixpoint) && reduction.confirmed, "{reduction:?}");
    let sizes: Vec<usize> = reduction.history.iter().map(|commit| commit.tokens).collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b) && sizes[0] < reduction.before.tokens, "{sizes:?}");
    let last = reduction.history.last().ok_or("nothing was accepted")?;
    assert_eq!((last.tokens, last.bytes), (2, 4));
    assert_eq!((reduction.after.tokens, reduction.after.bytes), (2, 4));
    assert!(last.pass.is_some() && last.runs <= reduction.stats.runs, "{reduction:?}");
    Ok(())
}

#[test]
fn the_result_and_the_history_do_not_depend_on_the_number_of_jobs() -> Checked {
    let run = |jobs| Reducer::new("crash.c", PROGRAM).jobs(jobs).reduce(divides_by_zero);
    let (one, three) = (run(1)?, run(3)?);
    assert_eq!((one.files, one.history, one.stats), (three.files, three.history, three.stats));
    Ok(())
}

#[test]
fn several_files_are_reduced_together() -> Checked {
    let reducer = || Reducer::new("a.c", PROGRAM).file("b.py", "import os\nprint(1)\nprint(2)\n");
    let reduction = reducer().reduce_files(|files| {
        divides_by_zero(&files[0]) && String::from_utf8_lossy(&files[1]).contains("print(2)")
    })?;
    let files: Vec<(&str, &[u8])> = reduction.files.iter().map(|(name, text)| (&**name, &**text)).collect();
    assert_eq!(files, [("a.c", &b"/ 0\n"[..]), ("b.py", b"print(2)\n")]);
    let refused = reducer().reduce(divides_by_zero);
    assert!(refused.is_err_and(|error| error.to_string().contains("reduce_files")));
    Ok(())
}

#[test]
fn a_command_is_a_test_and_finds_nothing_but_the_file_in_its_folder() -> Checked {
    let script = r#"test "$(ls)" = crash.c && grep -q '/ 0' "$1""#;
    let reduction =
        Reducer::new("crash.c", PROGRAM).jobs(2).reduce_with_command(&["sh", "-c", script, "test"])?;
    assert_eq!(text(&reduction), "/ 0\n");
    assert!(reduction.confirmed);
    Ok(())
}

#[test]
fn a_command_that_exceeds_its_time_limit_has_no_verdict() -> Checked {
    let script = r#"grep -q main "$1" || sleep 60; grep -q '/ 0' "$1""#;
    let reduction = Reducer::new("crash.c", PROGRAM)
        .run_time(Duration::from_secs(1))
        .max_tests(4)
        .reduce_with_command(&["sh", "-c", script, "test"])?;
    assert!(reduction.stats.timed_out > 0 && text(&reduction).contains("main"), "{reduction:?}");
    Ok(())
}

#[test]
fn the_limits_say_why_it_ended_and_the_best_is_kept() -> Checked {
    let reducer = || Reducer::new("crash.c", PROGRAM);
    let few = reducer().max_tests(5).reduce(divides_by_zero)?;
    assert!(matches!(few.end, End::Tests) && few.stats.runs == 5, "{few:?}");
    assert!(few.confirmed && few.after.tokens < few.before.tokens, "{few:?}");
    let late = reducer().max_time(Duration::ZERO).reduce(divides_by_zero)?;
    assert!(matches!(late.end, End::Time) && text(&late) == PROGRAM, "{late:?}");
    let stopped = reducer().stop_when(|| true).reduce(divides_by_zero)?;
    assert!(matches!(stopped.end, End::Interrupted) && !stopped.confirmed, "{stopped:?}");
    Ok(())
}

#[test]
fn a_listener_hears_of_every_run_and_every_commit() -> Checked {
    let (mut runs, mut sizes) = (0, Vec::new());
    let reduction = Reducer::new("crash.c", PROGRAM)
        .listener(|event| match event {
            Event::Tested { .. } => runs += 1,
            Event::Accepted { measure, .. } => sizes.push(measure.tokens),
            _ => {}
        })
        .reduce(divides_by_zero)?;
    assert_eq!(runs, reduction.stats.runs);
    assert_eq!(sizes, reduction.history.iter().map(|commit| commit.tokens).collect::<Vec<_>>());
    Ok(())
}

/// The text of an error of the test.
fn bad_test(result: Result<Reduction, UserError>) -> Result<String, Box<dyn Error>> {
    let error = result.err().ok_or("it was reduced")?;
    assert_eq!(error.kind, ErrorKind::BadTest, "{error}");
    Ok(error.to_string())
}

fn refusal(result: Result<Reduction, UserError>) -> Result<String, Box<dyn Error>> {
    Ok(result.err().ok_or("it was reduced")?.to_string())
}

#[test]
fn a_test_that_does_not_accept_the_text_is_refused_at_once() -> Checked {
    let reducer = || Reducer::new("crash.c", PROGRAM);
    let never = bad_test(reducer().reduce(|_| false))?;
    assert!(never.contains("does not accept the original"), "{never}");
    let unsure = bad_test(reducer().reduce(|_| Verdict::Invalid))?;
    assert!(unsure.contains("Invalid"), "{unsure}");
    let calls = AtomicUsize::new(0);
    let once = bad_test(reducer().reduce(|_| calls.fetch_add(1, Ordering::Relaxed) == 0))?;
    assert!(once.contains("does not accept the original any more"), "{once}");
    let command = bad_test(reducer().reduce_with_command(&["sh", "-c", "echo not here; exit 3"]))?;
    assert!(command.contains("exit status: 3") && command.contains("not here"), "{command}");
    let missing = refusal(reducer().reduce_with_command(&["no-such-program"]))?;
    assert!(missing.contains("does not exist"), "{missing}");
    Ok(())
}

#[test]
fn files_for_a_command_have_plain_names_and_different_ones() -> Checked {
    for name in ["../crash.c", "a/crash.c", "/crash.c", "crash.c/", "", ".", "..", "a.c"] {
        let reducer = Reducer::new("a.c", PROGRAM).file(name, PROGRAM);
        let error = refusal(reducer.reduce_with_command(&["true"]))?;
        assert!(error.contains(&format!("'{name}'")), "{error}");
    }
    Ok(())
}

#[test]
fn a_closure_that_panics_ends_the_reduction_and_costs_nothing_that_was_found() -> Checked {
    for jobs in [1, 3] {
        let test = |candidate: &[u8]| {
            assert!(candidate.len() > 10, "too short for me");
            divides_by_zero(candidate)
        };
        let reduction = Reducer::new("crash.c", PROGRAM).jobs(jobs).reduce(test)?;
        let error = reduction.end.error().ok_or("it did not break off")?.to_string();
        assert!(error.contains("panicked") && error.contains("too short for me"), "{error}");
        assert!(divides_by_zero(reduction.text()), "{reduction:?}");
    }
    Ok(())
}

/// The output of an example. `cargo test` builds all examples; with `--test library`, `--examples` must be
/// given as well.
fn example(name: &str) -> Result<String, Box<dyn Error>> {
    let this = std::env::current_exe()?;
    let built = this.parent().and_then(Path::parent).ok_or("this program has no folder")?;
    let temporary = tempfile::tempdir()?;
    let mut command = Command::new(built.join("examples").join(name));
    let output = command.env("TMPDIR", temporary.path()).current_dir(temporary.path()).output();
    let output = output.map_err(|e| format!("{name}: {e}; cargo build --examples builds it"))?;
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read_dir(temporary.path())?.count(), 0, "{name} left files");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
    Ok(String::from_utf8(output.stdout)?)
}

#[test]
fn the_example_with_a_closure_shows_every_commit_and_the_result() -> Checked {
    let shown = example("reduce_with_closure")?;
    assert!(shown.starts_with("run ") && shown.ends_with("\n((((\n"), "{shown}");
    Ok(())
}

#[test]
fn the_example_with_a_command_ends_with_two_lines_that_are_not_sorted() -> Checked {
    let shown = example("reduce_with_command")?;
    let lines: Vec<&str> = shown.lines().collect();
    let [said, first, second] = lines[..] else { return Err(shown.into()) };
    assert!(said.ends_with("Fixpoint") && first > second, "{shown}");
    Ok(())
}

#[test]
fn the_example_with_a_pass_of_its_own_takes_only_what_that_pass_takes() -> Checked {
    let rest = "def f(x):\n    y = g(x)\n    log(y)\n    return y\n\nf(1)\n";
    assert_eq!(example("custom_pass")?, rest);
    Ok(())
}
