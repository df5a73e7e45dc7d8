//! Known answers of `lopper generalize` for grammars, and the options for what is sure enough.

use super::grammars::ARITHMETIC;
use crate::Checked;
use crate::kit::Project;
use std::error::Error;

const NUMBERS: &str = r#""<int>": ["<positive-int>", "-<positive-int>"],
    "<positive-int>": ["<digit>", "<nonzero-digit><positive-int>"],
    "<digit>": [[{"class": "0-9"}]], "<nonzero-digit>": [[{"class": "1-9"}]]}"#;

/// The pattern of a text by a grammar, as it is printed, and what is said of it.
fn pattern(test: &str, text: &str, grammar: &str, more: &[&str]) -> Result<[String; 2], Box<dyn Error>> {
    let project = Project::with(test, "a.txt", text)?;
    project.file("grammar.json", grammar)?;
    let words = ["generalize", "./test.sh", "a.txt", "--grammar", "grammar.json"];
    let run = project.lopper(&[&words[..], more].concat())?.exits_with(0)?;
    Ok([run.stdout, run.stderr])
}

/// The share of fresh instances that fail.
fn share(said: &str) -> Result<f64, Box<dyn Error>> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "fresh").ok_or_else(|| said.to_owned())?;
    let [failing, _, valid] = &words[at - 3..at] else { return Err(said.into()) };
    Ok(failing.parse::<f64>()? / valid.parse::<f64>()?)
}

#[test]
fn kat_19_a_quote_before_a_closing_tag() -> Checked {
    let program = r#"awk '{ for (i = 1; i <= length($0); i++) { c = substr($0, i, 1)
        if (c == "<" && !quote) tag = 1
        else if (c == ">" && !quote) tag = 0
        else if (c == "\"" || c == "\047" && tag) quote = !quote
        else if (!tag) out = out c } }
        END { exit !(out ~ /[<>]/) }' "$1""#;
    let html = include_str!("../../examples/grammars/html.json");
    let [shown, said] = pattern(program, "<foo>\"bar</foo>", html, &[])?;
    // With many tries there are several answers: about one in a hundred instances of each does not fail.
    let forms = [
        "<opening-tag>\"<plain-text><closing-tag>\n",
        "<<id>>\"<plain-text><closing-tag>\n",
        "<<id>>\"</<id>>\n",
    ];
    assert!(forms.contains(&&*shown), "{shown}");
    assert!(share(&said)? >= 0.9, "{said}");
    Ok(())
}

#[test]
fn kat_20_any_negative_number() -> Checked {
    let test = "case \"$(cat \"$1\")\" in 0|-0) exit 125;; -*) exit 0;; *) exit 1;; esac";
    let grammar = format!("{{\"<start>\": [\"<int>\"], {NUMBERS}");
    assert_eq!(pattern(test, "-17", &grammar, &["--instances", "10"])?[0], "-<positive-int>\n");
    Ok(())
}

#[test]
fn kat_21_numbers_that_fail_together_only_are_no_holes() -> Checked {
    let test = r#"awk -F', ' '{ x = $1 + 0; y = $2 + 0; z = $3 + 0
        if (y < z) found = x < z ? y : z; else found = x > y ? y : x > z ? x : z
        least = x < y ? x : y; least = least < z ? least : z
        most = x > y ? x : y; most = most > z ? most : z
        exit found == x + y + z - least - most }' "$1""#;
    let grammar = format!("{{\"<start>\": [\"<int>, <int>, <int>\"], {NUMBERS}");
    let words = ["--instances", "5", "--reduced", "a.txt"];
    assert_eq!(pattern(test, "2, 1, 3", &grammar, &words)?[0], "2, 1, 3\n");
    Ok(())
}

#[test]
fn kat_23_a_name_that_is_the_same_in_two_places() -> Checked {
    let test = r#"awk -F';' '{ for (i = 1; i <= NF; i++) {
        if ($i ~ /^let /) known[substr($i, 5, 1)] = 1
        if ($i ~ /^print\([a-z]\)$/ && substr($i, 7, 1) in known) exit 0 } exit 1 }' "$1""#;
    let grammar = r#"{"<start>": ["<stmts>"], "<stmts>": ["<stmt>;<stmts>", "<stmt>"],
        "<stmt>": ["let <ID>=<expr>", "print(<expr>)"], "<expr>": ["<ID>", "<NUM>", "<expr>+<expr>"],
        "<ID>": [[{"class": "abcdxyz"}]], "<NUM>": [[{"class": "0-9"}]]}"#;
    let [shown, _] = pattern(test, "let x=1;let a=x+2;print(a)", grammar, &["--instances", "10"])?;
    assert_eq!(shown, "let <$ID_1>=<expr>;print(<$ID_1>)\n");
    Ok(())
}

#[test]
fn a_timeout_is_a_verdict_or_none() -> Checked {
    let project = Project::with("grep -q '[*]' \"$1\" && sleep 60; grep -q '[(]' \"$1\"", "a.txt", "(1)+2")?;
    project.file("grammar.json", ARITHMETIC)?;
    let words = ["generalize", "./test.sh", "a.txt", "--grammar", "grammar.json", "--reduced", "a.txt"];
    let few = ["--budget", "24", "--instances", "0", "--timeout", "1", "-j", "8", "--json", "p.json"];
    let invalid = |as_what: &[&str]| -> Result<bool, Box<dyn Error>> {
        project.lopper(&[&words[..], &few, as_what].concat())?.exits_with(0)?;
        let json = project.read("p.json")?;
        Ok(json.matches("\"invalid\":").count() > json.matches("\"invalid\":0").count())
    };
    assert!(!invalid(&[])?, "by default it is no failure");
    assert!(invalid(&["--timeout-as", "invalid"])?);
    Ok(())
}

#[test]
fn what_few_texts_support_is_weak() -> Checked {
    let project =
        Project::with("grep -q 'return .* / 0;' \"$1\"", "a.c", "int main(void) {\n    return 1 / 0;\n}\n")?;
    let words =
        ["generalize", "./test.sh", "a.c", "--reduced", "a.c", "--require", "none", "--html", "p.html"];
    let few =
        project.lopper(&[&words[..], &["--budget", "60", "--instances", "5"]].concat())?.exits_with(0)?;
    few.says(&["is weak: only", "valid texts were seen to fail"])?;
    assert!(project.read("p.html")?.contains("<span class=\"weak\">weak</span>"));
    Ok(())
}

#[test]
fn holes_become_narrower_until_enough_instances_fail() -> Checked {
    // One term in some fails to fail: the checks do not see it, the fresh instances do.
    let test = "grep -q '^(.*)$' \"$1\" && ! grep -q '[*].*[*]' \"$1\"";
    let words = ["--reduced", "a.txt", "--budget", "900", "--instances", "40"];
    for least in ["0.5", "0.99"] {
        let [_, said] = pattern(test, "(1)", ARITHMETIC, &[&words[..], &["--min-rate", least]].concat())?;
        assert!(share(&said)? >= least.parse()?, "{least}: {said}");
    }
    Ok(())
}
