//! The fingerprint of a result, by which duplicates are found.

use super::{C, NEEDLE, needle};
use crate::Checked;
use crate::kit::Project;
use std::error::Error;

/// The program of the other tests with other names and another layout.
const OTHER: &str = "\
int most=10;
int number(int n){for(int k=0;k<n;k++)needle(k);
  return n;}
int main(void) { return number(most); } // Runs.
";

/// The fingerprint in a summary.
fn printed(summary: &str) -> Result<String, Box<dyn Error>> {
    let line = summary.lines().find_map(|line| line.strip_prefix("fingerprint  "));
    let fingerprint = line.ok_or_else(|| format!("no fingerprint in {summary}"))?;
    assert!(fingerprint.len() == 16 && fingerprint.bytes().all(|c| c.is_ascii_hexdigit()), "{fingerprint}");
    Ok(fingerprint.to_owned())
}

/// The fingerprint of what the passes for comments leave of a program.
fn of(text: &str, needle: &str) -> Result<String, Box<dyn Error>> {
    let project = Project::with(&NEEDLE.replace("needle", needle), "a.c", text)?;
    printed(&project.reduce(&["./test.sh", "a.c", "--pass", "comments"])?.stderr)
}

#[test]
fn results_that_differ_in_names_and_layout_only_have_the_same_fingerprint() -> Checked {
    let fingerprint = of(C, "needle")?;
    assert_eq!(fingerprint, of(OTHER, "needle")?);
    assert_ne!(fingerprint, of(&C.replace("10", "11"), "needle")?);
    assert_ne!(fingerprint, of(&C.replace("needle", "other"), "other")?, "who calls what is not its own");
    Ok(())
}

#[test]
fn summary_events_and_page_tell_the_same_fingerprint() -> Checked {
    let project = needle()?;
    let options = ["./test.sh", "a.c", "--keep-run", "--events", "run.jsonl", "--report", "page.html"];
    let fingerprint = printed(&project.reduce(&options)?.exits_with(0)?.stderr)?;
    let events = project.read("run.jsonl")?;
    let last: serde_json::Value = serde_json::from_str(events.lines().last().unwrap_or_default())?;
    assert_eq!(last["fingerprint"], *fingerprint);
    assert!(project.read("page.html")?.contains(&fingerprint));
    let told = project.lopper(&["report", "a.reduced.c", "--markdown"])?.exits_with(0)?;
    assert!(told.stdout.contains(&format!("- fingerprint: `{fingerprint}`")), "{}", told.stdout);
    Ok(())
}

#[test]
fn what_a_broken_run_leaves_has_no_fingerprint() -> Checked {
    let script = format!("grep -q limit \"$1\" || echo '#' >>\"$OUTSIDE/../here/test.sh\"; {NEEDLE}");
    let project = Project::with(&script, "a.c", C)?;
    let run = project.reduce(&["./test.sh", "a.c", "--events", "run.jsonl", "-j", "1"])?;
    let events = project.read("run.jsonl")?;
    let last: serde_json::Value = serde_json::from_str(events.lines().last().unwrap_or_default())?;
    assert_eq!(
        (&last["reason"], &last["fingerprint"]),
        (&"error".into(), &serde_json::Value::Null),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("fingerprint"), "{}", run.stderr);
    Ok(())
}
