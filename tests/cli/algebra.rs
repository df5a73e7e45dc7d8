//! `lopper grammar`, as a user starts it.

use crate::Checked;
use crate::kit::{Finished, Project};

const GRAMMAR: &str = include_str!("../../examples/grammars/arithmetic.json");
const DOUBLE: &str = "D=((<expr>))";
const ZERO: &str = "Z=<factor>/0";

fn grammar(project: &Project, arguments: &[&str]) -> Result<Finished, Box<dyn std::error::Error>> {
    project.lopper(&[&["grammar"], arguments].concat())
}

fn project() -> Result<Project, Box<dyn std::error::Error>> {
    let project = Project::new()?;
    project.file("g.json", GRAMMAR)?;
    Ok(project)
}

#[test]
fn texts_with_and_without_a_cause_are_counted_by_length() -> Checked {
    let project = project()?;
    let run = grammar(&project, &["count", "--grammar", "g.json", "--length", "6"])?.exits_with(0)?;
    assert_eq!(run.stdout, "1 10\n2 120\n3 1750\n4 24420\n5 342990\n6 4804800\n");
    let arguments = ["count", "--grammar", "g.json", "--length", "7", "--pattern", DOUBLE, "--pattern", ZERO];
    let run = grammar(&project, &[&arguments[..], &["--where", "!(D & Z)"]].concat())?.exits_with(0)?;
    assert!(run.stdout.ends_with("\n7 67297770\n"), "{}", run.stdout);
    Ok(())
}

#[test]
fn drawn_texts_are_accepted_and_others_are_not() -> Checked {
    let project = project()?;
    let about = ["--grammar", "g.json", "--pattern", DOUBLE, "--pattern", ZERO, "--where", "D & !Z"];
    let run = grammar(
        &project,
        &[&["sample", "--length", "9", "--count", "40", "--seed", "3"], &about[..]].concat(),
    )?
    .exits_with(0)?;
    let texts: Vec<&str> = run.stdout.lines().collect();
    assert!(texts.len() == 40 && texts.iter().all(|text| text.len() == 9), "{texts:?}");
    for (number, text) in texts.iter().enumerate() {
        project.file(&format!("{number}.txt"), format!("{text}\n"))?;
    }
    let names: Vec<String> = (0..40).map(|number| format!("{number}.txt")).collect();
    let files: Vec<&str> = names.iter().map(String::as_str).collect();
    let run = grammar(&project, &[&["accepts"], &about[..], &files].concat())?.exits_with(0)?;
    assert_eq!(run.stdout, "");
    project.file("bad.txt", "((1))/0")?;
    project.file("wrong.txt", "((1)")?;
    let run = grammar(&project, &[&["accepts"], &about[..], &["0.txt", "bad.txt", "wrong.txt"]].concat())?;
    assert_eq!(run.exits_with(1)?.stdout, "bad.txt: not accepted\nwrong.txt: not accepted\n");
    Ok(())
}

#[test]
fn the_grammar_of_a_formula_is_a_grammar_for_every_other_command() -> Checked {
    let project = project()?;
    project.file("d.txt", "((<expr>))\n")?;
    let arguments = ["with", "--grammar", "g.json", "--pattern", "D=@d.txt"];
    let run = grammar(&project, &arguments)?.exits_with(0)?.says(&["12 nonterminals, 66 rules"])?;
    project.file("with.json", &run.stdout)?;
    for (text, code) in [("1+((2*3/4))", 0), ("(1)+(2)", 5)] {
        project.file("t.txt", text)?;
        project.lopper(&["parse", "--grammar", "with.json", "--check", "t.txt"])?.exits_with(code)?;
    }
    let shown = grammar(&project, &["show", "--grammar", "with.json"])?.exits_with(0)?;
    assert_eq!(shown.stdout.lines().count(), 12);
    Ok(())
}

#[test]
fn what_cannot_be_answered_is_said() -> Checked {
    let project = project()?;
    let about = |more: &[&str]| -> Result<Finished, Box<dyn std::error::Error>> {
        grammar(&project, &[&["with", "--grammar", "g.json", "--pattern", DOUBLE], more].concat())
    };
    about(&["--where", "D & E"])?.exits_with(2)?.says(&["names a pattern 'E'", "--pattern 'E=...'"])?;
    about(&["--where", "D &"])?.exits_with(2)?.says(&["cannot be read", "at byte 4"])?;
    about(&["--pattern", ZERO])?.exits_with(2)?.says(&["several patterns and no formula"])?;
    about(&["--pattern", "X=((<oops>))", "--where", "X"])?.exits_with(2)?.says(&["'X' cannot be used"])?;
    about(&["--pattern", "X=<expr>", "--where", "X"])?.exits_with(2)?.says(&["a single hole"])?;
    about(&["--pattern", "nameless", "--where", "D"])?.exits_with(2)?.says(&["has no name"])?;
    about(&["--where", "D & !D"])?.exits_with(1)?.says(&["no text of the grammar"])?;
    Ok(())
}
