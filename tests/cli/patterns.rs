//! Patterns on the command line: instances, and files in which they are found.

use super::grammars::ARITHMETIC;
use crate::Checked;
use crate::kit::Project;
use std::error::Error;
use std::fs;

fn project() -> Result<Project, Box<dyn Error>> {
    let project = Project::new()?;
    project.file("arithmetic.json", ARITHMETIC)?;
    project.file("double.txt", "((<expr>))\n")?;
    project.file("a.txt", "1+((2*3/4))\n")?;
    project.file("b.txt", "(1)+(2)\n")?;
    Ok(project)
}

const GRAMMAR: [&str; 2] = ["--grammar", "arithmetic.json"];

fn run(project: &Project, arguments: &[&str], code: i32) -> Result<String, Box<dyn Error>> {
    Ok(project.lopper(&[arguments, &GRAMMAR].concat())?.exits_with(code)?.stdout)
}

#[test]
fn match_ends_as_grep_does_and_says_where() -> Checked {
    let project = project()?;
    let found = run(&project, &["match", "double.txt", "a.txt", "b.txt"], 0)?;
    assert_eq!(found, "a.txt:1:3: ((2*3/4))\n  <expr> = \"2*3/4\"\n");
    assert_eq!(run(&project, &["match", "double.txt", "b.txt"], 1)?, "");
    assert_eq!(run(&project, &["match", "-q", "double.txt", "a.txt"], 0)?, "");
    run(&project, &["match", "double.txt", "none.txt"], 2)?;
    run(&project, &["match", "double.txt"], 2)?;
    assert_eq!(run(&project, &["match", "((<expr>))", "a.txt"], 0)?, found);
    project
        .lopper(&["match", "none", "a.txt", GRAMMAR[0], GRAMMAR[1]])?
        .exits_with(2)?
        .says(&["'none' cannot be read"])?;
    project
        .lopper(&["match", "double.txt", "a.txt"])?
        .exits_with(2)?
        .says(&["not a pattern", "--grammar"])?;
    Ok(())
}

#[test]
fn files_are_sorted_by_the_patterns_of_a_folder() -> Checked {
    let project = project()?;
    fs::create_dir(project.path("known"))?;
    fs::create_dir(project.path("finds"))?;
    project.file("known/double.txt", "((<expr>))")?;
    project.file("known/zero.txt", "<factor>/0")?;
    for (name, text) in [("1", "((0/0))"), ("2", "1/0"), ("3", "1"), ("4", "no sum")] {
        project.file(&format!("finds/{name}"), text)?;
    }
    let sorted = run(&project, &["match", "--classify", "known", "finds"], 0)?;
    assert_eq!(sorted, "finds/1: double zero\nfinds/2: zero\nfinds/3: -\nfinds/4: -\n");
    assert_eq!(run(&project, &["match", "--classify", "known", "finds/3"], 1)?, "finds/3: -\n");
    Ok(())
}

#[test]
fn the_same_seed_gives_the_same_instances() -> Checked {
    let project = project()?;
    let texts = |seed: &str| run(&project, &["fuzz", "double.txt", "-n", "20", "--seed", seed], 0);
    let first = texts("1")?;
    assert_eq!(texts("1")?, first);
    assert_ne!(texts("2")?, first);
    assert_eq!(first.lines().count(), 20);
    assert!(first.lines().all(|line| line.starts_with("((") && line.ends_with("))")), "{first}");
    run(&project, &["fuzz", "double.txt", "-n", "20", "--seed", "1", "-o", "out"], 0)?;
    assert_eq!(project.read("out/20.txt")?, first.lines().last().unwrap_or_default());
    run(&project, &["fuzz", "double.txt", "-o", "out"], 2)?;
    run(&project, &["match", "-q", "double.txt", "out"], 0)?;
    Ok(())
}

#[test]
fn a_test_confirms_instances() -> Checked {
    let project = project()?;
    project.script("test.sh", "! grep -q '[+]' \"$1\"")?;
    let words = ["fuzz", "double.txt", "-n", "60", "--confirm", "./test.sh"];
    let run = project.lopper(&[&words[..], &GRAMMAR].concat())?.exits_with(0)?;
    let kept = run.stdout.lines().count();
    assert!((1..60).contains(&kept) && run.stdout.lines().all(|line| !line.contains('+')), "{}", run.stdout);
    run.says(&[&format!("{kept} of 60 fresh instances fail")])?;
    project.script("test.sh", "false")?;
    project.lopper(&[&words[..], &GRAMMAR].concat())?.exits_with(3)?.says(&["own example"])?;
    Ok(())
}

const SOURCE: &str = "typedef signed char byte;\nbyte state;\nint run(int x) {\n    if (x) {\n        log(x);\n        \
                      state |= 7;\n    }\n    return 0;\n}\n";

#[test]
fn a_pattern_of_source_code_is_read_from_its_text_form() -> Checked {
    let project = Project::new()?;
    project.file("a.c", "int x = ((7));\n")?;
    project.file("b.c", "int x = (7);\n")?;
    let pattern = "int <name> = ((<expression>));";
    project.file("p.txt", pattern)?;
    let expected = "a.c:1:1: int x = ((7));\n  <name> = \"x\"\n  <expression> = \"7\"\n";
    for given in [&["match", pattern][..], &["match", "p.txt"], &["match", "p.txt", "--language", "c"]] {
        assert_eq!(project.lopper(&[given, &["a.c", "b.c"]].concat())?.exits_with(0)?.stdout, expected);
    }
    let words = ["fuzz", pattern, "--language", "c", "-n", "5", "--seed", "3"];
    let texts = project.lopper(&words)?.exits_with(0)?.stdout;
    assert_eq!(texts.lines().count(), 5);
    assert!(texts.lines().all(|line| line.starts_with("int ") && line.contains(" = ((")), "{texts}");
    assert_eq!(project.lopper(&words)?.exits_with(0)?.stdout, texts);
    project.lopper(&["fuzz", pattern])?.exits_with(2)?.says(&["--language"])?;
    project.lopper(&["match", "none.txt", "a.c"])?.exits_with(2)?.says(&["cannot be read", "has a hole"])?;
    let nowhere = project.lopper(&["match", "int <operator> x;", "a.c"])?.exits_with(2)?;
    nowhere.says(&["<operator> in line 1 stands where nothing of that sort can be"])?;
    Ok(())
}

#[test]
fn a_looser_match_is_told_and_can_be_ruled_out() -> Checked {
    let project = Project::new()?;
    project.file("a.c", SOURCE)?;
    let moved = ["match", "<name>(char <$name_1>) {\n    <$name_1> |= 7;\n}\n", "a.c"];
    let found = project.lopper(&moved)?.exits_with(0)?.stdout;
    assert!(
        found.starts_with("a.c:3:1: int run(int x) {\n  a looser match: definitions are elsewhere"),
        "{found}"
    );
    assert!(found.contains("  <$name_1> = \"state\"\n"), "{found}");
    let inside = ["match", "int <name>(int x) {\n    <name> |= 7;\n}\n", "a.c"];
    let found = project.lopper(&inside)?.exits_with(0)?.stdout;
    assert!(
        found.starts_with("a.c:3:1: int run(int x) {\n  a looser match: there is more between"),
        "{found}"
    );
    for option in ["--close", "--exact"] {
        project.lopper(&[&inside[..], &[option]].concat())?.exits_with(1)?;
    }
    fs::create_dir(project.path("known"))?;
    project.file("known/or.txt", inside[1])?;
    let sorted = project.lopper(&["match", "--classify", "known", "a.c"])?.exits_with(0)?;
    assert_eq!(sorted.stdout, "a.c: ~or\n");
    project.lopper(&["match", "--classify", "known", "a.c", "--close"])?.exits_with(1)?;
    Ok(())
}
