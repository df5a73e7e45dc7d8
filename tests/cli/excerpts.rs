//! `lopper generalize --excerpt`, and `lopper match` with what it finds.

use crate::Checked;
use crate::kit::Project;

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

#[test]
fn an_excerpt_that_is_in_almost_every_program_is_left_out() -> Checked {
    let text = "import sys\nfirst = second\nprint(first)\n";
    let project = Project::with("grep -Eq '^[a-z]+ = [a-z]+$' \"$1\"", "a.py", text)?;
    let words = ["generalize", "./test.sh", "a.py", "--excerpt", "--json", "p.json", "--instances", "5"];
    project.lopper(&words)?.exits_with(0)?.says(&["the excerpt is left out: too many programs"])?;
    assert!(!project.read("p.json")?.contains("\"excerpt\""));
    project.lopper(&["match", "p.json", "a.py"])?.exits_with(1)?;
    Ok(())
}
