//! `lopper reduce --algorithm`: the published algorithms, as a user starts them.

use super::{C, NEEDLE, needle};
use crate::Checked;
use crate::kit::Project;

const NAMES: [&str; 15] = [
    "default",
    "ddmin-lines",
    "ddmin-tokens",
    "hdd",
    "hdd*",
    "hdd-delete",
    "hdd-delete*",
    "gtr",
    "gtr*",
    "perses",
    "perses*",
    "perses-bases",
    "perses-bases*",
    "keep-list",
    "keep-list*",
];

#[test]
fn every_algorithm_reduces_and_says_how_many_runs_it_took() -> Checked {
    for name in NAMES {
        let project = needle()?;
        let run = project.reduce(&["--algorithm", name, "./test.sh", "a.c"])?.exits_with(0)?;
        assert!(run.runs()? > 0, "{name}");
        let result = project.read("a.reduced.c")?;
        assert!(result.contains("needle") && result.len() < C.len(), "{name}: {result}");
        project.is_left_clean()?;
    }
    Ok(())
}

const ARITHMETIC: &str = include_str!("../../examples/grammars/arithmetic.json");
const MARKUP: &str = include_str!("../../examples/grammars/html.json");

/// Whether `((` precedes `))`, and whether a bracket ends in a division by zero.
const DOUBLED: &str = "grep -q '[(][(].*[)][)]' \"$1\"";
const DIVIDED: &str = "grep -q '/0[)]' \"$1\"";
/// Whether a program that removes markup leaves some.
const LEAVES_MARKUP: &str = r##"awk '{ for (i = 1; i <= length($0); i++) { c = substr($0, i, 1)
  if (c == "<" && !quote) tag = 1; else if (c == ">" && !quote) tag = 0
  else if (c == "\"" || (c == "\047" && tag)) quote = !quote; else if (!tag) out = out c } }
  END { exit out !~ /[<>]/ }' "$1""##;

/// The result of an algorithm on a text with a user's grammar, and the texts that it tests, including the
/// original. The test is a script.
fn by_grammar(
    (algorithm, grammar): (&str, &str),
    text: &str,
    script: &str,
) -> Result<(String, Vec<String>), Box<dyn std::error::Error>> {
    let script = format!("cat \"$1\" >> \"$OUTSIDE/tested\"; echo >> \"$OUTSIDE/tested\"\n{script}");
    let project = Project::with(&script, "a.txt", text)?;
    project.file("grammar.json", grammar)?;
    // With one worker no test runs ahead, so every run counts.
    let arguments = ["--grammar", "grammar.json", "--algorithm", algorithm, "-j", "1", "./test.sh", "a.txt"];
    project.reduce(&arguments)?.exits_with(0)?;
    project.is_left_clean()?;
    let result = project.read("a.reduced.txt")?;
    let tested = project.reported("tested");
    let tested: Vec<String> = tested.split('\n').map(str::to_owned).collect();
    // The test runs three times on the original and once on an empty file before the search, and on the result
    // after it.
    let [first, second, third, empty, between @ .., last, _] = &tested[..] else {
        return Err("too few runs".into());
    };
    assert_eq!([first, second, third, empty, last], [text, text, text, "", &result], "{tested:?}");
    Ok((result, [std::slice::from_ref(first), between].concat()))
}

#[test]
fn published_algorithms_give_the_published_answers_on_a_grammar() -> Checked {
    let valid = format!(
        "{} parse --check --grammar \"$OUTSIDE/../here/grammar.json\" \"$1\" || exit 125\n",
        env!("CARGO_BIN_EXE_lopper")
    );
    for (algorithm, validates, doubled, divided) in [
        ("hdd-delete", false, ("(())", 11), ("/0)", 12)),
        ("hdd-delete", true, ("((4))", 14), ("((3)/0)", 21)),
        ("hdd", false, ("0+((0))", 7), ("0+(0/0)", 7)),
        ("perses-bases", false, ("((4))", 14), ("(2/0)", 12)),
    ] {
        for (text, holds, (result, count)) in
            [("1+((2*3/4))", DOUBLED, doubled), ("1+((2*3)/0)", DIVIDED, divided)]
        {
            let script = if validates { format!("{valid}{holds}") } else { holds.to_owned() };
            let (found, tested) = by_grammar((algorithm, ARITHMETIC), text, &script)?;
            assert_eq!((&*found, tested.len()), (result, count), "{algorithm}: {tested:?}");
            let (again, _) = by_grammar((&format!("{algorithm}*"), ARITHMETIC), text, &script)?;
            assert!(again == result || algorithm == "perses-bases", "{algorithm}*: {again}");
        }
    }
    for algorithm in ["gtr", "gtr*", "perses"] {
        assert_eq!(by_grammar((algorithm, ARITHMETIC), "1+((2*3/4))", DOUBLED)?.0, "((2))", "{algorithm}");
        assert_eq!(by_grammar((algorithm, ARITHMETIC), "1+((2*3)/0)", DIVIDED)?.0, "(2/0)", "{algorithm}");
    }
    Ok(())
}

#[test]
fn the_textbook_perses_tests_in_the_published_order() -> Checked {
    let check = |text, holds, expected: &str| {
        let (_, tested) = by_grammar(("perses-bases", ARITHMETIC), text, holds)?;
        assert_eq!(tested, expected.split(' ').collect::<Vec<_>>());
        Ok::<_, Box<dyn std::error::Error>>(())
    };
    let expected = "1+((2*3/4)) ((2*3/4)) (2*3/4) 2*3/4 3/4 4 2 3 (3/4) (4) (2) (3) ((3/4)) ((4))";
    check("1+((2*3/4))", DOUBLED, expected)?;
    let expected = "1+((2*3)/0) ((2*3)/0) (2*3)/0 2*3 3 0 (2*3) 2 (3) (0) (2/0) (3/0)";
    check("1+((2*3)/0)", DIVIDED, expected)
}

#[test]
fn on_a_grammar_too_successes_in_different_places_are_combined_only_by_repeating() -> Checked {
    let text = "<foo>\"bar</foo>";
    let (result, tested) = by_grammar(("perses-bases", MARKUP), text, LEAVES_MARKUP)?;
    assert_eq!((&*result, tested.len()), ("<foo>\"</foo>", 14), "{tested:?}");
    for algorithm in ["perses*", "perses-bases*"] {
        assert_eq!(by_grammar((algorithm, MARKUP), text, LEAVES_MARKUP)?.0, "<f>\"</f>", "{algorithm}");
    }
    Ok(())
}

#[test]
fn blanks_of_a_grammar_are_deleted_only_with_the_text_around_them() -> Checked {
    let grammar = r#"{"<start>": ["<e>"], "<e>": ["(<e>)", " a ", "b<e>"]}"#;
    for algorithm in ["gtr*", "perses", "perses-bases"] {
        let (result, tested) = by_grammar((algorithm, grammar), "(b( a ))", "grep -q ' a ' \"$1\"")?;
        assert_eq!(result, " a ", "{algorithm}: {tested:?}");
    }
    Ok(())
}

#[test]
fn choices_give_the_published_answers_on_a_grammar() -> Checked {
    for (text, holds, result, count) in
        [("1+((2*3/4))", DOUBLED, "((0))", 23), ("1+((2*3)/0)", DIVIDED, "(0/0)", 33)]
    {
        let (found, tested) = by_grammar(("choices", ARITHMETIC), text, holds)?;
        assert_eq!((&*found, tested.len()), (result, count), "{tested:?}");
    }
    // A final line end that the grammar does not know is kept.
    let project = Project::with(DOUBLED, "a.txt", "1+((2))\n")?;
    project.file("grammar.json", ARITHMETIC)?;
    project
        .reduce(&["--grammar", "grammar.json", "--algorithm", "choices", "./test.sh", "a.txt"])?
        .exits_with(0)?;
    assert_eq!(project.read("a.reduced.txt")?, "((0))\n");
    Ok(())
}

#[test]
fn choices_take_a_grammar_that_accepts_the_file() -> Checked {
    let project = Project::with("true", "a.txt", "1+2)")?;
    project.file("grammar.json", ARITHMETIC)?;
    let arguments = ["--algorithm", "choices", "./test.sh", "a.txt"];
    project.reduce(&arguments)?.exits_with(2)?.says(&["requires a grammar", "--grammar"])?;
    let run = project.reduce(&[&arguments[..], &["--grammar", "grammar.json"]].concat())?;
    run.exits_with(2)?.says(&["the grammar does not accept the file", "1 bytes", "lopper parse"])?;
    Ok(())
}

#[test]
fn superfluous_white_space_is_deleted_in_the_end() -> Checked {
    let blank = "\n".repeat(30);
    let text = format!("{blank}int a;{blank}int  needle;{blank}int b;{blank}int   needles ( void );{blank}");
    for name in NAMES {
        let project = Project::with("grep -q 'needle *;' \"$1\" && grep -q needles \"$1\"", "a.c", &text)?;
        project.reduce(&["--algorithm", name, "./test.sh", "a.c"])?.exits_with(0)?;
        let result = project.read("a.reduced.c")?;
        assert!(!result.starts_with('\n') && !result.contains("\n\n"), "{name}: {result}");
        assert!(!result.contains("  "), "{name}: {result}");
    }
    // The text that the test needs is kept.
    let project = Project::with("grep -q 'int  needle' \"$1\"", "a.c", &text)?;
    project.reduce(&["--algorithm", "hdd*", "./test.sh", "a.c"])?.exits_with(0)?;
    let result = project.read("a.reduced.c")?;
    assert!(result.contains("int  needle") && !result.contains("\n\n"), "{result}");
    Ok(())
}

#[test]
fn a_limit_leaves_the_best_so_far_on_disk() -> Checked {
    for name in NAMES {
        let project = needle()?;
        let run = project.reduce(&["--algorithm", name, "--max-tests", "4", "./test.sh", "a.c"])?;
        assert_eq!(run.exits_with(0)?.says(&["--max-tests"])?.runs()?, 4, "{name}");
        assert!(project.read("a.reduced.c")?.contains("needle"), "{name}");
    }
    Ok(())
}

#[test]
fn ctrl_c_ends_an_algorithm_with_the_best_so_far_on_disk() -> Checked {
    for name in NAMES {
        let better = "test -e a.reduced.c && ! cmp -s a.c a.reduced.c";
        let hangs = format!("cd \"$OUTSIDE/../here\" && {better} && touch \"$OUTSIDE/hangs\" && sleep 1000");
        let project = Project::with(&format!("({hangs})\n{NEEDLE}"), "a.c", C)?;
        let mut run =
            project.start(&["reduce", "--algorithm", name, "--timeout", "900", "./test.sh", "a.c"])?;
        run.wait_until("a success", || project.outside().join("hangs").exists())?;
        run.signal(rustix::process::Signal::INT)?;
        run.finish()?.exits_with(130)?;
        let result = project.read("a.reduced.c")?;
        assert!(result.contains("needle") && result.len() < C.len(), "{name}: {result}");
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn an_algorithm_knows_neither_passes_nor_searches() -> Checked {
    let project = needle()?;
    for other in [["--pass", "delete"], ["--skip-pass", "delete"], ["--search", "ddmin"]] {
        let arguments = [&["--algorithm", "hdd"][..], &other, &["./test.sh", "a.c"]].concat();
        project.reduce(&arguments)?.exits_with(2)?.says(&["cannot be used with", other[0]])?;
    }
    project.reduce(&["--algorithm", "hd", "./test.sh", "a.c"])?.exits_with(2)?.says(&["perses*"])?;
    Ok(())
}
