//! The events of a reduction for other programs.

use super::flicker::sometimes_wrong;
use super::{C, needle};
use crate::Checked;
use crate::kit::{Project, has, skip};
use serde_json::Value;
use std::error::Error;
use std::path::Path;
use std::process::Stdio;

/// The lines of a text as JSON.
fn lines(text: &str) -> Result<Vec<Value>, Box<dyn Error>> {
    let lines =
        text.lines().map(|line| serde_json::from_str(line).map_err(|e| format!("{e}: {line}").into()));
    lines.collect()
}

/// The values of a field in the events with this name.
fn field<'a>(lines: &'a [Value], event: &str, field: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["event"] == event).map(|line| &line[field]).collect()
}

/// Checks a file of events by docs/events.schema.json; `false` if there is no validator.
fn is_valid(project: &Project, name: &str) -> Result<bool, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = project.command("python3");
    command.arg(root.join("tests/kit/validate.py")).arg(root.join("docs/events.schema.json"));
    command.arg(project.path(name)).stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = project.spawn(command)?.finish()?;
    match run.status.code() {
        Some(77) => Ok(false),
        _ => run.exits_with(0).map(|_| true),
    }
}

#[test]
fn events_tell_a_whole_run_and_replay_reads_them() -> Checked {
    let project = needle()?;
    project.reduce(&["./test.sh", "a.c", "--keep-run", "--events", "run.jsonl"])?.exits_with(0)?;
    let text = project.read("run.jsonl")?;
    let events = lines(&text)?;
    assert_eq!(events[0]["event"], "start");
    assert_eq!((&events[0]["schema"], &events[0]["run"]["name"]), (&1.into(), &"a.c".into()));
    let last = events.last().ok_or("no events")?;
    assert_eq!((&last["event"], &last["reason"]), (&"end".into(), &"nothing-more".into()));
    assert_eq!(last["bytes"], project.read("a.reduced.c")?.len());
    assert_eq!(last["runs"], field(&events, "verdict", "key").len());
    let numbers = field(&events, "commit", "number");
    let wanted: Vec<Value> = (1..=numbers.len()).map(Value::from).collect();
    assert!(!numbers.is_empty() && numbers.into_iter().eq(&wanted), "{text}");
    assert_eq!(field(&events, "commit", "tokens").last(), Some(&&last["tokens"]));
    assert!(!field(&events, "sweep", "stage").is_empty());
    let from_events = project.lopper(&["replay", "run.jsonl"])?.exits_with(0)?.stdout;
    assert_eq!(from_events, project.lopper(&["replay", "a.reduced.c"])?.exits_with(0)?.stdout);
    Ok(())
}

#[test]
fn all_events_obey_the_schema() -> Checked {
    if !has("python3") {
        skip("all_events_obey_the_schema", "there is no python3");
        return Ok(());
    }
    let project = needle()?;
    // A second failure, for a finding.
    project.script(
        "two.sh",
        "grep -q needle \"$1\" && { echo \"two: eval.c:77: eval: Assertion \\`depth < 16' failed\" >&2; exit 3; }
grep -q limit \"$1\" && { echo 'internal error at table.c:9' >&2; exit 3; }
exit 1",
    )?;
    let runs: [(&str, &[&str]); 4] = [
        ("plain.jsonl", &["./test.sh", "a.c"]),
        ("stopped.jsonl", &["./test.sh", "a.c", "-o", "b.c", "--max-tests", "9"]),
        ("resumed.jsonl", &["./test.sh", "a.c", "-o", "b.c", "--resume"]),
        (
            "other.jsonl",
            &["a.c", "-o", "c.c", "--like-original", "--events", "other.jsonl", "--", "./two.sh", "{}"],
        ),
    ];
    for (name, arguments) in runs {
        let option: &[&str] = if arguments.contains(&"--events") { &[] } else { &["--events", name] };
        project.reduce(&[arguments, option].concat())?.exits_with(0)?;
        if !is_valid(&project, name)? {
            skip("all_events_obey_the_schema", "python3 has no jsonschema");
            return Ok(());
        }
    }
    let flickering = sometimes_wrong()?;
    flickering.reduce(&["./test.sh", "a.c", "-j", "1", "--events", "flickers.jsonl"])?.exits_with(0)?;
    is_valid(&flickering, "flickers.jsonl")?;
    for (project, name, finding) in
        [(&project, "other.jsonl", "other-failure"), (&flickering, "flickers.jsonl", "flicker")]
    {
        let text = project.read(name)?;
        assert!(field(&lines(&text)?, "finding", "finding").contains(&&finding.into()), "{name}");
    }
    let known = lines(&project.read("resumed.jsonl")?)?[0]["known"].as_u64();
    assert!(known.is_some_and(|known| known >= 9), "{known:?}");
    project.file("wrong.jsonl", project.read("plain.jsonl")?.replace("\"runs\":", "\"run\":"))?;
    assert!(is_valid(&project, "wrong.jsonl").is_err(), "the schema refuses what lacks a field");
    Ok(())
}

#[test]
fn with_ui_json_standard_output_has_the_events_and_standard_error_nothing() -> Checked {
    let events = |jobs: &str| -> Result<Vec<Value>, Box<dyn Error>> {
        let project = needle()?;
        let run = project.reduce(&["./test.sh", "a.c", "--ui", "json", "-j", jobs])?.exits_with(0)?;
        assert_eq!(run.stderr, "");
        let mut events = lines(&run.stdout)?;
        events.retain(|line| line["event"] != "start");
        for line in events.iter_mut().filter_map(Value::as_object_mut) {
            line.remove("seconds");
            line.remove("time");
        }
        Ok(events)
    };
    let alone = events("1")?;
    assert!(alone.len() > 20);
    assert_eq!(alone, events("4")?, "the events do not depend on the number of workers");
    let project = needle()?;
    for more in [&["--diff"][..], &["-o", "/dev/stdout"]] {
        let arguments = [&["./test.sh", "a.c", "--ui", "json"][..], more].concat();
        project.reduce(&arguments)?.exits_with(2)?.says(&["--events"])?;
    }
    Ok(())
}

#[test]
fn events_never_overwrite_the_input_the_test_or_the_result() -> Checked {
    let project = needle()?;
    std::os::unix::fs::symlink("a.c", project.path("link"))?;
    for (path, what) in [("a.c", "input"), ("link", "input"), ("test.sh", "test"), ("out.c", "result")] {
        let run = project.reduce(&["./test.sh", "a.c", "-o", "out.c", "--events", path])?.exits_with(2)?;
        run.says(&[what, "--events"])?;
    }
    assert_eq!(project.read("a.c")?, C);
    project
        .reduce(&["./test.sh", "a.c", "--events", "none/run.jsonl"])?
        .exits_with(2)?
        .says(&["none/run.jsonl"])?;
    Ok(())
}

#[test]
fn a_reduction_does_not_need_the_readers_of_its_events() -> Checked {
    let project = needle()?;
    let run = project.reduce(&["./test.sh", "a.c", "--events", "/dev/full"])?.exits_with(0)?;
    run.says(&["the events could not be written", "the result is not affected"])?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    Ok(())
}

#[test]
fn without_progress_the_summary_remains() -> Checked {
    for ui in ["none", "plain", "live"] {
        let run = needle()?.reduce(&["./test.sh", "a.c", "--ui", ui])?.exits_with(0)?.says(&["tokens"])?;
        assert!(!run.stderr.contains('\u{1b}'), "nothing is live in a pipe: {}", run.stderr);
    }
    Ok(())
}
