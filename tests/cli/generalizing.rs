//! `lopper generalize`: the pattern of a failing file.

use super::grammars::ARITHMETIC;
use crate::Checked;
use crate::kit::Project;

#[test]
fn the_pattern_of_a_grammar_is_the_published_one_for_every_number_of_workers() -> Checked {
    let project = Project::with("grep -q '[(][(].*[0-9].*[)][)]' \"$1\"", "sum.txt", "1+((2*3/4))\n")?;
    project.file("arithmetic.json", ARITHMETIC)?;
    let mut patterns = Vec::new();
    for jobs in ["1", "2", "8"] {
        let words = ["generalize", "./test.sh", "sum.txt", "--grammar", "arithmetic.json", "-j", jobs];
        let json = format!("{jobs}.json");
        let run = project.lopper(&[&words[..], &["--json", &json]].concat())?.exits_with(0)?;
        assert_eq!(run.stdout, "((<expr>))\n");
        run.says(&["100 of 100 fresh instances fail"])?;
        patterns.push(project.read(&json)?);
    }
    assert!(patterns.iter().all(|pattern| *pattern == patterns[0]), "{patterns:?}");
    project.file("other.txt", "7*((8))")?;
    let found = project.lopper(&["match", "1.json", "other.txt"])?.exits_with(0)?;
    assert_eq!(found.stdout, "other.txt:1:3: ((8))\n  <expr> = \"8\"\n");
    Ok(())
}

#[test]
fn the_pattern_of_a_program_tells_what_may_vary() -> Checked {
    let text = "int unused;\nint main(void) {\n    int x = 3;\n    return x / 0;\n}\n";
    let project = Project::with("grep -q 'return .* / 0;' \"$1\"", "a.c", text)?;
    project.file("small.c", "int main(void) {\n    return 1 / 0;\n}\n")?;
    let words = ["generalize", "./test.sh", "a.c", "--reduced", "small.c", "--require", "none"];
    let outputs = ["--json", "p.json", "--html", "p.html", "--instances", "20", "--budget", "600"];
    let run = project.lopper(&[&words[..], &outputs[..]].concat())?.exits_with(0)?;
    assert!(run.stdout.contains("return <expression> / 0;\n"), "{}", run.stdout);
    run.says(&["20 of 20 fresh instances fail", "\"0\" is not <expression>"])?;
    assert!(project.read("p.html")?.contains("&lt;expression&gt;</a> / 0;"));
    project.lopper(&["match", "-q", "p.json", "a.c"])?.exits_with(0)?;
    let one =
        project.lopper(&["fuzz", "p.json", "--from", "a.c", "-n", "3", "--one", "--json"])?.exits_with(0)?;
    assert!(
        one.stdout.lines().all(|line| line.contains("return ") && line.contains(" / 0;")),
        "{}",
        one.stdout
    );
    Ok(())
}

#[test]
fn a_pattern_is_printed_even_if_its_file_cannot_be_written_and_no_input_is_overwritten() -> Checked {
    let project = Project::with("grep -q '[(][(].*[0-9].*[)][)]' \"$1\"", "sum.txt", "1+((2))\n")?;
    project.file("arithmetic.json", ARITHMETIC)?;
    let words = ["generalize", "./test.sh", "sum.txt", "--grammar", "arithmetic.json", "--instances", "5"];
    for (option, output, what) in [
        ("--json", "test.sh", "the output is the test"),
        ("--html", "arithmetic.json", "the output is the grammar"),
        ("--json", "./sum.txt", "the output is an input"),
    ] {
        let before = project.read(output)?;
        let run = project.lopper(&[&words[..], &[option, output]].concat())?.exits_with(2)?;
        run.says(&[what, &format!("choose another path with {option}")])?;
        assert_eq!(project.read(output)?, before, "{output}");
    }
    let run = project.lopper(&[&words[..], &["--json", "no/such/folder.json"]].concat())?.exits_with(2)?;
    assert_eq!(run.stdout, "((<expr>))\n");
    Ok(())
}

#[test]
fn what_cannot_be_generalized_is_refused() -> Checked {
    let project = Project::with("grep -q needle \"$1\"", "a.c", "needle;\n")?;
    project.lopper(&["generalize", "./test.sh", "a.c", "--min-rate", "2"])?.exits_with(2)?;
    project.lopper(&["generalize", "a.c"])?.exits_with(2)?.says(&["no test"])?;
    project.file("b.c", "nothing;\n")?;
    project.lopper(&["generalize", "./test.sh", "b.c"])?.exits_with(3)?;
    let other = project.lopper(&["generalize", "./test.sh", "a.c", "--reduced", "b.c"])?;
    other.exits_with(3)?.says(&["does not accept 'b.c'"])?;
    Ok(())
}
