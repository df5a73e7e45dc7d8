//! `lopper generalize`: the pattern of a failing file.

use super::grammars::ARITHMETIC;
use crate::Checked;
use crate::kit::{self, Project};
use std::error::Error;
use std::fs;

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
fn a_folder_with_one_text_is_generalized_as_it_is() -> Checked {
    let project = Project::new()?;
    // The test needs the empty file beside, and the path of the text.
    let looks = "cd \"$1\" && [ -f empty ] && grep -q 'return .* / 0;' src/a.c";
    project.script("test.sh", looks)?;
    fs::create_dir_all(project.path("p/src"))?;
    project.file("p/empty", "")?;
    project.file("p/src/a.c", "int unused;\nint main(void) {\n    int x = 3;\n    return x / 0;\n}\n")?;
    project.file("p/src/b.c", "int unused;\n")?;
    let budget = ["--instances", "20", "--budget", "400", "--require", "none"];
    let several = project.lopper(&[&["generalize", "./test.sh", "p"], &budget[..]].concat())?;
    several.exits_with(2)?.says(&["2 files in 'p' have a text", "lopper reduce TEST p"])?;
    project.reduce(&["./test.sh", "p", "--skip-pass", "paths"])?.exits_with(0)?;
    for words in [&["p.reduced"][..], &["p.reduced/", "--max-tests", "1"]] {
        let run = project.lopper(&[&["generalize", "./test.sh"], words, &budget[..]].concat())?;
        let run = run.exits_with(0)?.says(&["20 of 20 fresh instances fail"])?;
        assert!(run.stdout.contains("/ 0;\n") && run.stdout.contains('<'), "{}", run.stdout);
    }
    project.is_left_clean()
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
fn constructors_are_told_for_the_places_that_must_stay() -> Checked {
    let project = Project::with("grep -q '/0)' \"$1\"", "sum.txt", "(2/0)\n")?;
    project.file("arithmetic.json", ARITHMETIC)?;
    let words = ["generalize", "./test.sh", "sum.txt", "--grammar", "arithmetic.json", "--instances", "5"];
    let mut patterns = Vec::new();
    for jobs in ["1", "4"] {
        let more = ["--constructors", "-j", jobs, "--json", "p.json"];
        let run = project.lopper(&[&words[..], &more].concat())?.exits_with(0)?;
        assert_eq!(run.stdout, "(<factor>/0)\n");
        run.says(&["\"0/0\" can be <term>+<expr> (\"", ", too"])?;
        patterns.push(project.read("p.json")?);
    }
    assert!(patterns[0].contains("\"constructors\"") && patterns[0] == patterns[1], "{patterns:?}");
    project.lopper(&["match", "-q", "p.json", "sum.txt"])?.exits_with(0)?;
    project.lopper(&["generalize", "./test.sh", "sum.txt", "--constructors"])?.exits_with(2)?;
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
    assert!(!project.path("a.pattern.c.lopper").exists());
    Ok(())
}

/// A test that writes down each of its runs. With a file `slow` it does not end from the run with this number on.
fn counting(test: &str, slow_from: usize) -> String {
    format!(
        "echo >> \"$OUTSIDE/runs\"\n\
         if test -f \"$OUTSIDE/slow\" && test $(wc -l < \"$OUTSIDE/runs\") -ge {slow_from}\n\
         then touch \"$OUTSIDE/reached\"; sleep 1000; fi\n{test}"
    )
}

const DIVISION: &str = "int unused;\nint main(void) {\n    int x = 3;\n    return x / 0;\n}\n";
const GENERALIZE: [&str; 9] =
    ["generalize", "./test.sh", "a.c", "--json", "p.json", "--require", "none", "--instances", "20"];

fn runs(project: &Project) -> Result<usize, Box<dyn Error>> {
    Ok(fs::read_to_string(project.outside().join("runs"))?.lines().count())
}

#[test]
fn the_budget_bounds_all_runs_and_fewer_instances_than_wanted_are_told() -> Checked {
    // Of eight texts that fail seven are said to be invalid.
    let test = "grep -q 'return .* / 0;' \"$1\" || exit 1\n\
                grep -q 'return 1 / 0;' \"$1\" && exit 0\n\
                test $(( $(cksum <\"$1\" | cut -d' ' -f1) % 8 )) = 0 || exit 125";
    let project = Project::with(&counting(test, 0), "a.c", "int main(void) {\n    return 1 / 0;\n}\n")?;
    let words =
        ["generalize", "-j1", "./test.sh", "a.c", "--reduced", "a.c", "--require", "none", "--budget"];
    let none = [&words[..], &["0", "--instances", "0"]].concat();
    project.lopper(&none)?.exits_with(0)?;
    let before = runs(&project)?;
    let run = project.lopper(&[&words[..], &["200"]].concat())?.exits_with(0)?;
    run.says(&[" of the 100 wanted instances were valid when the search ended"])?;
    let all = runs(&project)? - before;
    assert!((100..=200 + before).contains(&all), "{before}, {all}");
    Ok(())
}

#[test]
fn a_run_that_was_killed_is_resumed_with_the_same_bytes_and_no_answered_question_is_asked_again() -> Checked {
    let test = "grep -q 'return .* / 0;' \"$1\"";
    let words = |jobs: &'static str| [&GENERALIZE[..], &["--budget", "300", "-j", jobs]].concat();
    let project = Project::with(&counting(test, 0), "a.c", DIVISION)?;
    let whole = project.lopper(&words("1"))?.exits_with(0)?;
    let (json, all) = (project.read("p.json")?, runs(&project)?);
    for jobs in ["2", "8"] {
        project.lopper(&words(jobs))?.exits_with(0)?;
        assert_eq!(project.read("p.json")?, json, "{jobs}");
    }
    // In the reduction, and in the generalization.
    for (slow_from, jobs) in [(20, "1"), (all / 2, "1"), (all - 30, "2")] {
        let project = Project::with(&counting(test, slow_from), "a.c", DIVISION)?;
        fs::write(project.outside().join("slow"), "")?;
        let long = [&words(jobs)[..], &["--timeout", "900"]].concat();
        let mut run = project.start(&long)?;
        run.wait_until("a slow test", || project.outside().join("reached").exists())?;
        run.signal(rustix::process::Signal::KILL)?;
        run.finish()?;
        fs::remove_file(project.outside().join("slow"))?;
        let before = runs(&project)?;
        let resumed = project.lopper(&[&long[..], &["--resume"]].concat())?.exits_with(0)?;
        assert_eq!(resumed.stdout, whole.stdout, "{slow_from}");
        resumed.says(&["verdicts are known"])?;
        assert_eq!(project.read("p.json")?, json, "{slow_from}");
        // Once on the original, those in flight, and with two workers some that were of no use.
        let spare = if jobs == "1" { 2 } else { 100 };
        assert!(runs(&project)? <= all + spare, "{slow_from}: {before} and {} of {all}", runs(&project)?);
        project.is_left_clean()?;
        assert!(!project.path("p.pattern.json.lopper").exists());
    }
    Ok(())
}

#[test]
fn a_journal_of_another_run_is_refused() -> Checked {
    let project = Project::with(&counting("grep -q 'return .* / 0;' \"$1\"", 60), "a.c", DIVISION)?;
    fs::write(project.outside().join("slow"), "")?;
    let words = [&GENERALIZE[..], &["--timeout", "900"]].concat();
    let mut run = project.start(&words)?;
    run.wait_until("a slow test", || project.outside().join("reached").exists())?;
    run.signal(rustix::process::Signal::KILL)?;
    run.finish()?;
    fs::remove_file(project.outside().join("slow"))?;
    let other = [&words[..5], &["--require", "true", "--timeout", "900", "--resume"]].concat();
    project.lopper(&other)?.exits_with(2)?.says(&["belongs to a different run", "syntax check"])?;
    // A new run takes another folder.
    project.lopper(&[&words[..], &["--budget", "20"]].concat())?.exits_with(0)?;
    assert!(project.path("p.pattern.json.lopper").exists());
    Ok(())
}

#[test]
fn reduce_generalizes_its_result_and_can_be_resumed() -> Checked {
    let test = "grep -q 'return .* / 0;' \"$1\"";
    let words = ["reduce", "./test.sh", "a.c", "--timeout", "900", "-j", "1", "--generalize"];
    let project = Project::with(&counting(test, 0), "a.c", DIVISION)?;
    let whole = project.lopper(&words)?.exits_with(0)?;
    let reduced = project.read("a.reduced.c")?;
    assert!(whole.stdout.contains("<expression> / 0"), "{}", whole.stdout);
    let all = runs(&project)?;
    whole.says(&["fresh instances fail"])?;
    project.is_left_clean()?;
    let project = Project::with(&counting(test, all - 20), "a.c", DIVISION)?;
    fs::write(project.outside().join("slow"), "")?;
    let mut run = project.start(&words)?;
    run.wait_until("a slow test", || project.outside().join("reached").exists())?;
    run.signal(rustix::process::Signal::KILL)?;
    run.finish()?;
    fs::remove_file(project.outside().join("slow"))?;
    let resumed = project.lopper(&[&words[..], &["--resume"]].concat())?.exits_with(0)?;
    assert!(resumed.stdout.contains("<expression> / 0"), "{}", resumed.stdout);
    assert_eq!(project.read("a.reduced.c")?, reduced);
    // The tests on the original and on the result, and the one in flight.
    assert!(runs(&project)? <= all + 6, "{} of {all}", runs(&project)?);
    project.is_left_clean()
}

#[test]
fn each_of_several_files_varies_in_turn_beside_the_others() -> Checked {
    let test = "grep -q '[(][(].*[)][)]' \"$1\" && grep -q '[*]' \"$2\" && echo \"$(cat \"$1\")\" >> \"$OUTSIDE/first\"";
    let project = Project::with(test, "a.txt", "1+((2))")?;
    project.file("b.txt", "3*4+5")?;
    project.file("arithmetic.json", ARITHMETIC)?;
    let words = ["generalize", "./test.sh", "a.txt", "b.txt", "--grammar", "arithmetic.json"];
    let outputs = ["--instances", "5", "--json", "known", "--html", "pages"];
    let run = project.lopper(&[&words[..], &outputs].concat())?.exits_with(0)?;
    assert_eq!(run.stdout, "a.txt:\n((<expr>))\n\nb.txt:\n<factor>*<term>\n");
    // While the second one varies, the first one is as it was given.
    assert_eq!(project.reported("first").lines().last(), Some("1+((2))"));
    let found = project.lopper(&["match", "known/b.txt.json", "b.txt"])?.exits_with(0)?;
    assert!(found.stdout.starts_with("b.txt:1:1: 3*4"), "{}", found.stdout);
    assert!(project.read("pages/a.txt.html")?.contains("((<a"));

    project.file("small.txt", "((2))")?;
    let few = project.lopper(&[&words[..], &["--reduced", "small.txt"]].concat())?.exits_with(2)?;
    few.says(&["as many reduced files as files"])?;
    fs::create_dir(project.path("other"))?;
    project.file("other/a.txt", "1")?;
    let same = project.lopper(&["generalize", "./test.sh", "a.txt", "other/a.txt"])?.exits_with(2)?;
    same.says(&["two files are called 'a.txt'"])?;
    let no_folder = [&words[..], &["--json", "a.txt"]].concat();
    project.lopper(&no_folder)?.exits_with(2)?.says(&["--json and --html name folders"])?;
    Ok(())
}

#[test]
fn the_usual_check_of_a_language_tells_invalid_texts_from_passing_ones() -> Checked {
    for (program, file, text, what) in [
        ("node", "a.js", "let a = 1;\nlet b = a / 0;\n", "let a' \"$1\" && grep -q '/ 0;"),
        ("rustc", "a.rs", "pub fn f() -> u8 { 1 / g() }\nfn g() -> u8 { 0 }\n", "/ g()"),
    ] {
        if !kit::has(program) {
            kit::skip("the usual check", &format!("{program} is missing"));
            continue;
        }
        let project = Project::with(&format!("grep -q '{what}' \"$1\""), file, text)?;
        let words = ["generalize", "./test.sh", file, "--reduced", file, "--json", "p.json"];
        let budget = ["--budget", "80", "--instances", "0"];
        project.lopper(&[&words[..], &budget].concat())?.exits_with(0)?;
        let invalid =
            |json: &str| json.matches("\"invalid\":").count() > json.matches("\"invalid\":0").count();
        assert!(invalid(&project.read("p.json")?), "{file}: no text was invalid");
        project.lopper(&[&words[..], &budget, &["--require", "none"]].concat())?.exits_with(0)?;
        assert!(!invalid(&project.read("p.json")?), "{file}: nothing tells invalid texts");
    }
    Ok(())
}
