//! Formulas over patterns of source code, and patterns inserted into files.

use crate::Checked;
use crate::kit::Project;
use std::error::Error;
use std::fs;

/// A call of deepcopy for a range, with any further arguments and statements.
const PATTERN: &str = r#"{"lopper_pattern": 1, "language": "python", "text": "", "example": "deepcopy(range())\n", "nodes": [
{"kind":"module","start":0,"end":18,"last":16},
{"kind":"statements","start":0,"end":0,"last":2,"hole":0},
{"kind":"expression_statement","start":0,"end":17,"last":15},
{"kind":"call","start":0,"end":17,"last":15},
{"kind":"identifier","start":0,"end":8,"last":5},
{"kind":"argument_list","start":8,"end":17,"last":15},
{"kind":"(","start":8,"end":9,"last":7,"unnamed":true},
{"kind":"call","start":9,"end":16,"last":13},
{"kind":"identifier","start":9,"end":14,"last":9},
{"kind":"argument_list","start":14,"end":16,"last":13},
{"kind":"(","start":14,"end":15,"last":11,"unnamed":true},
{"kind":"items","start":15,"end":15,"last":12,"hole":1},
{"kind":")","start":15,"end":16,"last":13,"unnamed":true},
{"kind":"items","start":16,"end":16,"last":14,"hole":2},
{"kind":")","start":16,"end":17,"last":15,"unnamed":true},
{"kind":"statements","start":18,"end":18,"last":16,"hole":3}],
"holes": [{"sort":{"statements":"module"},"evidence":{"draws":33,"failing":29,"passing":0,"invalid":0,"instances":[],"counterexample":null}},
{"sort":{"items":"argument_list"},"evidence":{"draws":29,"failing":29,"passing":0,"invalid":0,"instances":[],"counterexample":null}},
{"sort":{"items":"argument_list"},"evidence":{"draws":29,"failing":29,"passing":0,"invalid":0,"instances":[],"counterexample":null}},
{"sort":{"statements":"module"},"evidence":{"draws":31,"failing":29,"passing":0,"invalid":0,"instances":[],"counterexample":null}}], "fixed": []}"#;

fn project() -> Result<Project, Box<dyn Error>> {
    let project = Project::new()?;
    project.file("d.json", PATTERN)?;
    fs::create_dir(project.path("files"))?;
    project.file("files/none.py", "import os\nif os:\n    a = [1, os]\n    print(a)\n")?;
    project.file(
        "files/one.py",
        "def f():\n    # a comment\n    return deepcopy(  # another\n        range(3))\n",
    )?;
    project.file("files/two.py", "deepcopy(range())\na = [deepcopy(range(1), {})]\n")?;
    Ok(project)
}

#[test]
fn files_that_satisfy_a_formula_are_named() -> Checked {
    let project = project()?;
    for (formula, names) in [
        ("D", &["one", "two"][..]),
        ("!D", &["none"]),
        ("D = 1", &["one"]),
        ("D >= 2", &["two"]),
        ("D <= 1", &["none", "one"]),
        ("D > 2", &[]),
    ] {
        let words = ["match", "--pattern", "D=d.json", "--where", formula, "files"];
        let run = project.lopper(&words)?.exits_with(i32::from(names.is_empty()))?;
        let expected: String = names.iter().map(|name| format!("files/{name}.py\n")).collect();
        assert_eq!(run.stdout, expected, "{formula}");
    }
    let run = project.lopper(&["match", "-q", "--pattern", "D=d.json", "--where", "D", "files/none.py"])?;
    assert_eq!(run.exits_with(1)?.stdout, "");
    project.lopper(&["match", "--where", "E", "files"])?.exits_with(2)?.says(&["names a pattern 'E'"])?;
    project.lopper(&["match", "--pattern", "D=d.json", "files"])?.exits_with(2)?;
    Ok(())
}

#[test]
fn a_pattern_is_inserted_where_its_type_is_admitted() -> Checked {
    let project = project()?;
    project.script(
        "test.sh",
        "python3 -c 'import sys; compile(open(sys.argv[1]).read(), \"x\", \"exec\")' \"$1\" || exit 125
grep -q 'deepcopy(range(' \"$1\"",
    )?;
    let words =
        ["fuzz", "d.json", "--into", "files/none.py", "-n", "30", "--seed", "1", "--confirm", "./test.sh"];
    let run = project.lopper(&[&words[..], &["-o", "out"]].concat())?.exits_with(0)?;
    run.says(&["30 of 30 fresh instances fail"])?;
    let texts: Vec<String> =
        (1..=30).map(|number| project.read(&format!("out/{number:02}.py"))).collect::<Result<_, _>>()?;
    assert!(texts.iter().all(|text| text.contains("deepcopy(range(")), "{texts:?}");
    // As an expression in a list, and as a statement in a block.
    assert!(
        texts.iter().any(|text| text.contains("[1, deepcopy(") || text.contains("[deepcopy(")),
        "{texts:?}"
    );
    assert!(texts.iter().any(|text| text.contains("\n    deepcopy(")), "{texts:?}");
    project.lopper(&["match", "--pattern", "D=d.json", "--where", "!D", "out"])?.exits_with(1)?;
    project.lopper(&["fuzz", "d.json", "--into", "test.sh"])?.exits_with(2)?.says(&["names no file"])?;
    Ok(())
}

#[test]
fn derivation_trees_are_counted_as_in_the_algebra_of_grammars() -> Checked {
    let project = Project::new()?;
    project.file("g.json", include_str!("../../examples/grammars/arithmetic.json"))?;
    project.file("d", "((<expr>))")?;
    project.file("z", "<factor>/0")?;
    fs::create_dir(project.path("t"))?;
    for (number, text) in
        ["((2))", "(((1)))", "((1))+((2))", "1/0", "((0/0))", "1/0/0", "1+"].iter().enumerate()
    {
        project.file(&format!("t/{number}"), text)?;
    }
    for (formula, names) in
        [("D = 1", "04"), ("D = 2", "12"), ("Z & !D", "35"), ("D & Z", "4"), ("!D", "35"), ("Z >= 2", "")]
    {
        let patterns = ["--pattern", "D=d", "--pattern", "Z=z", "--grammar", "g.json"];
        let run = project.lopper(&[&["match", "--where", formula], &patterns[..], &["t"]].concat())?;
        let found: String = run.stdout.lines().map(|line| line.trim_start_matches("t/")).collect();
        assert_eq!(found, names, "{formula}");
    }
    Ok(())
}
