//! Users' grammars, and the commands that show trees and generate texts.

use crate::Checked;
use crate::kit::Project;
use lopper::languages::grammar::{Grammar, Parser};

pub(crate) const ARITHMETIC: &str = include_str!("../../examples/grammars/arithmetic.json");

fn project() -> Result<Project, Box<dyn std::error::Error>> {
    let project = Project::with("grep -q '[(][(].*[0-9].*[)][)]' \"$1\"", "sum.txt", "1+((2*3/4))\n")?;
    project.file("arithmetic.json", ARITHMETIC)?;
    Ok(project)
}

#[test]
fn a_file_is_reduced_by_the_users_grammar() -> Checked {
    let project = project()?;
    let run = project.reduce(&["./test.sh", "sum.txt", "--grammar", "arithmetic.json"])?.exits_with(0)?;
    assert_eq!(project.read("sum.reduced.txt")?.trim_end(), "((0))");
    assert!(run.runs()? < 60, "{}", run.stderr);
    Ok(())
}

#[test]
fn a_grammar_that_cannot_be_used_is_explained() -> Checked {
    let project = project()?;
    project.file("bad.json", r#"{"<start>": ["<a>"], "<b>": ["<b>"]}"#)?;
    let run = project.reduce(&["./test.sh", "sum.txt", "--grammar", "bad.json"])?.exits_with(2)?;
    run.says(&["'bad.json' cannot be used", "undefined: <start> uses <a>", "help: define <a>"])?;
    project.file("worse.json", "{")?;
    project.lopper(&["parse", "sum.txt", "--grammar", "worse.json"])?.exits_with(2)?.says(&["JSON"])?;
    project.lopper(&["parse", "sum.txt", "--grammar", "none.json"])?.exits_with(2)?.says(&["none.json"])?;
    let both = ["parse", "sum.txt", "--grammar", "arithmetic.json", "--language", "c"];
    project.lopper(&both)?.exits_with(2)?;
    Ok(())
}

#[test]
fn parse_shows_each_node_with_its_bytes_text_and_roles() -> Checked {
    let project = project()?;
    project.file("a.py", "def f():\n    return 1\n")?;
    project.file("a.c", "int a; // b\n")?;
    let tree = |arguments: &[&str]| -> Result<String, Box<dyn std::error::Error>> {
        Ok(project.lopper(&[&["parse"], arguments].concat())?.exits_with(0)?.stdout)
    };
    let python = tree(&["a.py"])?;
    assert!(python.starts_with("module 0..22 [block]\n  function_definition 0..21 ["), "{python}");
    assert!(python.contains("\n        integer 20..21 \"1\" ["), "{python}");
    assert!(tree(&["a.c"])?.contains("comment 7..11 \"// b\" [optional, comment]"));
    let sum = tree(&["sum.txt", "--grammar", "arithmetic.json"])?;
    assert!(sum.contains("\n  <expr> 0..11 [block, filler \"0\"]\n    <term> 0..1 [optional, "), "{sum}");
    assert!(sum.contains("\n    + 1..2 \"+\" [separator]\n"), "{sum}");
    project.file("lines.json", r#"{"<start>": ["a\n<start>", ""]}"#)?;
    project.file("lines.txt", "a\na\n")?;
    let lines = tree(&["lines.txt", "--grammar", "lines.json"])?;
    assert_eq!(lines.lines().nth(2), Some("  \"a\\n\" 2..4 \"a\\n\" [optional]"), "{lines}");
    let json = tree(&["a.c", "--json"])?;
    let line = r#"{"node":5,"parent":0,"kind":"comment","start":7,"end":11,"facts":["optional","comment"],"text":"// b"}"#;
    assert!(json.lines().any(|l| l == line), "{json}");
    Ok(())
}

#[test]
fn parse_shows_the_rejected_text_and_the_number_of_trees() -> Checked {
    let project = project()?;
    project.file("wrong.txt", "1+2)")?;
    let wrong = project.lopper(&["parse", "wrong.txt", "--grammar", "arithmetic.json"])?.exits_with(5)?;
    assert!(wrong.stdout.contains("ERROR 3..4 \")\" [error, optional]"), "{}", wrong.stdout);
    wrong.says(&["does not accept: 1"])?;
    project.file("sums.json", r#"{"<start>": ["<start>+<start>", "1"]}"#)?;
    project.file("ones.txt", "1+1+1+1")?;
    let ones = project.lopper(&["parse", "ones.txt", "--grammar", "sums.json"])?.exits_with(0)?;
    ones.says(&["5 trees"])?;
    project.file("ones.txt", "1".to_owned() + &"+1".repeat(200))?;
    let many = project.lopper(&["parse", "ones.txt", "--grammar", "sums.json"])?.exits_with(0)?;
    many.says(&["the grammar has more than 10^38 trees for it"])?;
    Ok(())
}

#[test]
fn parse_checks_a_file_in_silence() -> Checked {
    let project = project()?;
    for (name, text, code) in [
        ("right.txt", "1+2", 0),
        ("line.txt", "1+2\n", 0),
        ("wrong.txt", "1+2)", 5),
        ("empty.txt", "", 5),
        ("right.py", "a = 1\n", 0),
        ("wrong.py", "a = = 1\n", 5),
        ("any.text", "a = = 1\n", 0),
    ] {
        project.file(name, text)?;
        let grammar = ["--grammar", "arithmetic.json"];
        let grammar = if name.ends_with(".txt") { &grammar[..] } else { &[] };
        let run = project.lopper(&[&["parse", "--check", name], grammar].concat())?.exits_with(code)?;
        assert_eq!((&*run.stdout, &*run.stderr), ("", ""), "{name}");
        project.lopper(&[&["parse", name], grammar].concat())?.exits_with(code)?;
    }
    project.lopper(&["parse", "--check", "none.txt"])?.exits_with(2)?;
    Ok(())
}

#[test]
fn generate_writes_texts_of_the_grammar_the_same_for_the_same_seed() -> Checked {
    let project = project()?;
    let texts = |seed: &str| -> Result<String, Box<dyn std::error::Error>> {
        let arguments = ["generate", "--grammar", "arithmetic.json", "--count", "50", "--seed", seed];
        Ok(project.lopper(&arguments)?.exits_with(0)?.stdout)
    };
    let first = texts("1")?;
    assert_eq!(first.lines().count(), 50);
    assert!(first == texts("1")? && first != texts("2")?);
    let parser = Parser::new(Grammar::read(ARITHMETIC).map_err(|p| format!("{p:?}"))?);
    assert!(first.lines().all(|line| parser.accepts(line.as_bytes())));
    Ok(())
}

#[test]
fn with_stay_in_grammar_no_candidate_outside_the_grammar_is_tested() -> Checked {
    let grammar = Parser::new(Grammar::read(ARITHMETIC).map_err(|p| format!("{p:?}"))?);
    let script = "cat \"$1\" > \"$OUTSIDE/$(ls \"$OUTSIDE\" | wc -l).$$\"; grep -q '[(][(]' \"$1\"";
    let project = || -> Result<Project, Box<dyn std::error::Error>> {
        let project = Project::with(script, "sum.txt", "1+((2*3/4))\n")?;
        project.file("arithmetic.json", ARITHMETIC)?;
        Ok(project)
    };
    // With one worker no run is cancelled before it has written its line.
    let stays = ["-j", "1", "--grammar", "arithmetic.json", "--stay-in-grammar", "./test.sh", "sum.txt"];
    for algorithm in ["default", "hdd-delete", "ddmin-tokens", "perses", "keep-list", "choices"] {
        let project = project()?;
        project.reduce(&[&["--algorithm", algorithm][..], &stays].concat())?.exits_with(0)?;
        let tested = crate::kit::names_in(&project.outside())?;
        assert!(tested.len() > 3, "{algorithm}");
        for name in tested {
            let text = std::fs::read(project.outside().join(name))?;
            assert_eq!(grammar.errors(&text), 0, "{algorithm}: {}", String::from_utf8_lossy(&text));
        }
    }
    // Without the option, a text that the test accepts is found, whatever the grammar says.
    let project = project()?;
    project.reduce(&["--grammar", "arithmetic.json", "./test.sh", "sum.txt"])?.exits_with(0)?;
    assert_eq!(project.read("sum.reduced.txt")?.trim_end(), "((");
    Ok(())
}

#[test]
fn only_a_file_of_the_grammar_can_stay_in_it() -> Checked {
    let project = project()?;
    project.reduce(&["--stay-in-grammar", "./test.sh", "sum.txt"])?.exits_with(2)?.says(&["--grammar"])?;
    project.file("wrong.txt", "1+((2)))")?;
    let arguments = ["--grammar", "arithmetic.json", "--stay-in-grammar", "./test.sh", "wrong.txt"];
    project.reduce(&arguments)?.exits_with(2)?.says(&["the grammar does not accept the file"])?;
    Ok(())
}

#[test]
fn a_run_that_stays_in_the_grammar_is_resumed_only_with_that_option() -> Checked {
    const JOURNAL: &str = "out.txt.lopper/journal.jsonl";
    const STAYS: &str = "--stay-in-grammar";
    let project = project()?;
    let run = |more: &[&str]| {
        let arguments = ["--grammar", "arithmetic.json", "--max-tests", "3", "-o", "out.txt"];
        project.reduce(&[&arguments, more, &["./test.sh", "sum.txt"]].concat())
    };
    run(&[STAYS])?.exits_with(0)?;
    run(&["--resume"])?.exits_with(2)?.says(&["was with --stay-in-grammar then, and is without it now"])?;
    run(&[STAYS, "--resume"])?.exits_with(0)?;
    std::fs::remove_dir_all(project.path("out.txt.lopper"))?;
    run(&[])?.exits_with(0)?;
    run(&[STAYS, "--resume"])?
        .exits_with(2)?
        .says(&["was without --stay-in-grammar then, and is with it now"])?;
    // Journals from before the option are of runs without it.
    let journal = project.read(JOURNAL)?;
    let older = journal.replacen("\"stay_in_grammar\":false,", "", 1);
    assert_ne!(journal, older);
    project.file(JOURNAL, older)?;
    run(&["--resume"])?.exits_with(0)?;
    Ok(())
}

#[test]
fn nested_tags_cost_less_than_two_runs_a_level() -> Checked {
    const MARKUP: &str = include_str!("../../examples/grammars/html.json");
    let runs = |depth: usize| -> Result<usize, Box<dyn std::error::Error>> {
        let opening: String = (0..depth).map(|i| format!("<t{}>", i % 10)).collect();
        let closing: String = (0..depth).rev().map(|i| format!("</t{}>", i % 10)).collect();
        let script = "grep -q '<t5>.*x.*</t5>' \"$1\"";
        let project = Project::with(script, "a.html", format!("{opening}x{closing}"))?;
        project.file("html.json", MARKUP)?;
        let run = project.reduce(&["--grammar", "html.json", "./test.sh", "a.html"])?.exits_with(0)?;
        assert_eq!(project.read("a.reduced.html")?, "<t5>x</t5>");
        run.runs()
    };
    let (few, many) = (runs(16)?, runs(64)?);
    assert!(many < few + 2 * 48, "{few} runs, then {many}");
    Ok(())
}
