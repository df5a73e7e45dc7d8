//! `--format`: the result in the layout of a user's formatter.

use super::flicker::sometimes_wrong;
use super::grammars::ARITHMETIC;
use super::{C, NEEDLE, needle};
use crate::Checked;
use crate::kit::{Project, names_in};

/// A formatter that reads standard input, and one that changes a file.
const FORMATTERS: [&str; 2] = ["sed 's/needle/  &  ;/'", "sed -i 's/needle/  &  ;/' {}"];

#[test]
fn a_formatter_lays_out_the_result_by_standard_input_or_in_a_file() -> Checked {
    for formatter in FORMATTERS {
        let project = needle()?;
        let run = project.reduce(&["./test.sh", "a.c", "--format", formatter, "--diff"])?.exits_with(0)?;
        assert_eq!(project.read("a.reduced.c")?.trim_end(), "  needle  ;", "{formatter}");
        assert!(run.stdout.contains("+  needle  ;"), "{}", run.stdout);
        assert_eq!(names_in(&project.folder())?, ["a.c", "a.reduced.c", "test.sh"]);
        let plain = project.reduce(&["./test.sh", "a.c", "-o", "b.c"])?.exits_with(0)?;
        let fingerprint = |text: &str| text.lines().find(|l| l.starts_with("fingerprint")).map(str::to_owned);
        assert_eq!(fingerprint(&run.stderr), fingerprint(&plain.stderr), "the layout does not count");
    }
    Ok(())
}

#[test]
fn the_formatter_sees_the_name_of_the_file_and_nothing_of_it_is_read_by_a_shell() -> Checked {
    let name = "a $(touch gone) 'b;.c";
    let project = Project::with(NEEDLE, name, C)?;
    project
        .script("format.sh", "case $1 in *\\;.c) printf '\\n' >>\"$1\" ;; esac; pwd >>\"$OUTSIDE/folder\"")?;
    project.reduce(&["./test.sh", name, "-o", "b.c", "--format", "./format.sh {}"])?.exits_with(0)?;
    assert_eq!(project.read("b.c")?, "needle\n\n");
    assert_ne!(project.reported("folder").trim(), project.folder().display().to_string());
    assert_eq!(names_in(&project.folder())?, [name, "b.c", "format.sh", "test.sh"]);
    Ok(())
}

#[test]
fn a_formatter_that_fails_or_spoils_the_result_leaves_it_and_a_line_says_why() -> Checked {
    let cases = [
        ("sh -c 'echo wrong brace >&2; exit 3'", "exit status: 3: wrong brace"),
        ("true", "printed nothing"),
        ("sleep 100", "did not end within 2 s"),
        ("sed s/needle/thread/", "the test refuses what the formatter makes"),
        ("sed -i s/needle/thread/ {}", "the test refuses what the formatter makes"),
    ];
    for (formatter, why) in cases {
        let project = needle()?;
        let arguments = ["./test.sh", "a.c", "--format", formatter, "--timeout", "2"];
        let run = project.reduce(&arguments)?.exits_with(0)?.says(&["not formatted", why])?;
        assert_eq!(run.stderr.matches("not formatted").count(), 1, "{}", run.stderr);
        assert_eq!(project.read("a.reduced.c")?.trim(), "needle", "{formatter}");
        let quiet = [&arguments[..], &["-q", "-o", "b.c"]].concat();
        assert_eq!(project.reduce(&quiet)?.exits_with(0)?.stderr, "", "{formatter}");
    }
    Ok(())
}

#[test]
fn a_formatter_that_does_not_exist_is_refused_before_the_run() -> Checked {
    let project = needle()?;
    for formatter in ["no-such-formatter -q", "./none {}", "sed | sed", ""] {
        project.reduce(&["./test.sh", "a.c", "--format", formatter])?.exits_with(2)?;
    }
    assert_eq!(names_in(&project.folder())?, ["a.c", "test.sh"]);
    Ok(())
}

#[test]
fn what_is_protected_stays_as_it_is() -> Checked {
    let project = needle()?;
    let run = project.reduce(&["./test.sh", "a.c", "--protect", "1", "--format", "sed s/Counts/counts/"])?;
    run.exits_with(0)?.says(&["the formatter changes what is protected"])?;
    assert!(project.read("a.reduced.c")?.starts_with("/* Counts. */\n"));
    Ok(())
}

#[test]
fn what_stays_in_a_grammar_stays_there_when_it_is_formatted() -> Checked {
    let project = Project::with("grep -q '(1' \"$1\"", "sum.txt", "2+(1*3)\n")?;
    project.file("arithmetic.json", ARITHMETIC)?;
    let reduced = |output: &str, formatter: &str| {
        let grammar = ["--grammar", "arithmetic.json", "--stay-in-grammar", "--format", formatter];
        project.reduce(&[&grammar[..], &["./test.sh", "sum.txt", "-o", output]].concat())?.exits_with(0)
    };
    reduced("refused.txt", "sed 's/$/+/'")?.says(&["the grammar refuses what the formatter makes"])?;
    assert_eq!(project.read("refused.txt")?.trim(), "(1)");
    reduced("accepted.txt", "sed 's/1/1+1/'")?;
    assert_eq!(project.read("accepted.txt")?.trim(), "(1+1)");
    Ok(())
}

#[test]
fn without_layout_the_white_space_of_the_result_is_that_of_the_file() -> Checked {
    let text = "int   needle;\n\n\n\nint   thread ;\n";
    let project = Project::with("grep -q needle \"$1\" && grep -q 'int *thread' \"$1\"", "a.c", text)?;
    let reduced = |output: &str, format: &[&str]| {
        let passes = ["./test.sh", "a.c", "--pass", "comments,white-space", "-o", output];
        project
            .reduce(&[&passes[..], format].concat())?
            .exits_with(4)
            .or_else(|_| project.reduce(&[&passes[..], format].concat())?.exits_with(0))?;
        project.read(output)
    };
    assert_eq!(reduced("usual.c", &[])?, "int needle;\nint thread;\n");
    assert_eq!(reduced("none.c", &["--format", "none"])?, text);
    project.file("lopper.toml", "format = \"none\"\n")?;
    assert_eq!(reduced("configured.c", &[])?, text);
    let shown = project.reduce(&["./test.sh", "a.c", "--show-config"])?.exits_with(0)?.stdout;
    assert!(shown.lines().any(|line| line.starts_with("format ") && line.contains("none")), "{shown}");
    Ok(())
}

#[test]
fn a_result_gets_the_usual_layout_unless_the_test_refuses_it_or_size_counts() -> Checked {
    let text = "void f() { int needle=1; int thread=needle; for(;;)thread ++;\n }\nint other;\n";
    let usual = "void f() {\n  int needle = 1;\n  int thread = needle;\n  for (;;)\n    thread++;\n}\n";
    let kept = "grep -q 'int needle' \"$1\" && grep -q 'for *(;;)' \"$1\" && tr -d ' \\n' <\"$1\" | grep -q 'thread=needle;for(;;)thread++;}'";
    let reduced = |test: &str, options: &[&str]| -> Result<(String, String), Box<dyn std::error::Error>> {
        let project = Project::with(test, "a.c", text)?;
        let arguments = ["./test.sh", "a.c", "--pass", "delete,white-space"];
        let run = project.reduce(&[&arguments[..], options].concat())?.exits_with(0)?;
        Ok((project.read("a.reduced.c")?, run.stderr))
    };
    assert_eq!(reduced(kept, &[])?.0, usual);
    let (refused, said) = reduced(&format!("{kept} && grep -q needle=1 \"$1\""), &[])?;
    assert!(refused.contains("int needle=1;") && !said.contains("not formatted"), "{refused}{said}");
    for options in [["--goal", "bytes"], ["--format", "none"]] {
        let (shortest, _) = reduced(kept, &options)?;
        assert!(shortest.len() < usual.len() && shortest.contains("int needle=1;"), "{shortest}");
    }
    Ok(())
}

#[test]
fn a_run_that_was_formatted_can_be_resumed_listed_and_undone() -> Checked {
    for place in [&[][..], &["--in-place"]] {
        let project = needle()?;
        let output = if place.is_empty() { "a.reduced.c" } else { "a.c" };
        let format = ["./test.sh", "a.c", "--format", "sed s/needle/&;/", "--keep-run"];
        let arguments = [&format[..], place].concat();
        project.reduce(&[&arguments[..], &["--max-tests", "5"]].concat())?.exits_with(0)?;
        assert!(project.read(output)?.contains("needle;"), "{}", project.read(output)?);
        let resumed = [&arguments[..], &["--resume"]].concat();
        project.reduce(&[&resumed[..], &["--max-tests", "2"]].concat())?.exits_with(0)?;
        assert!(project.read(output)?.contains("needle;"), "{}", project.read(output)?);
        for _ in 0..2 {
            project.reduce(&resumed)?.exits_with(0)?;
            assert_eq!(project.read(output)?.trim(), "needle;");
        }
        let listed = project.lopper(&["replay", output])?.exits_with(0)?.stdout;
        let whole = Project::with(NEEDLE, "a.c", C)?;
        whole.reduce(&["./test.sh", "a.c", "--keep-run", "-j", "1"])?.exits_with(0)?;
        assert_eq!(listed, whole.lopper(&["replay", "a.reduced.c"])?.exits_with(0)?.stdout);
        project.lopper(&["undo", output, "--to", "1"])?;
        assert!(project.read(output)?.contains("needle;"), "{}", project.read(output)?);
    }
    Ok(())
}

#[test]
fn of_a_folder_each_file_that_has_changed_is_formatted() -> Checked {
    for place in [&[][..], &["--in-place"]] {
        let project = Project::new()?;
        project
            .script("test.sh", "cd \"$1\" && grep -q needle a.c && grep -q needle b.c && grep -q needle c")?;
        std::fs::create_dir(project.path("p"))?;
        for name in ["p/a.c", "p/b.c", "p/c"] {
            project.file(name, if name == "p/b.c" { "needle" } else { C })?;
        }
        let format = ["./test.sh", "p", "--format", "sed s/needle/&;/", "--keep-run"];
        let arguments = [&format[..], place].concat();
        let output = if place.is_empty() { "p.reduced" } else { "p" };
        let read = |name: &str| project.read(&format!("{output}/{name}")).map(|text| text.trim().to_owned());
        project.reduce(&[&arguments[..], &["--max-tests", "30"]].concat())?.exits_with(0)?;
        assert!(read("a.c")?.contains("needle;") && !read("c")?.contains("needle;"), "{}", read("a.c")?);
        let resumed = [&arguments[..], &["--resume"]].concat();
        for options in [&["--max-tests", "5"][..], &[], &[]] {
            project.reduce(&[&resumed[..], options].concat())?.exits_with(0)?;
            let text = read("a.c")?;
            assert!(text.contains("needle;") && !text.contains("needle;;"), "{text}");
        }
        assert_eq!([read("a.c")?, read("b.c")?, read("c")?], ["needle;", "needle", "needle"]);
    }
    Ok(())
}

#[test]
fn a_test_that_flickers_decides_about_the_layout_by_several_runs() -> Checked {
    let project = sometimes_wrong()?;
    let script = project.read("test.sh")?;
    let counting = "#!/bin/sh\ngrep -q 'needle ;' \"$1\" && echo run >>\"$OUTSIDE/runs\"\n";
    project.executable("test.sh", &script.replacen("#!/bin/sh\n", counting, 1))?;
    let arguments = ["./test.sh", "a.c", "-j", "1", "--format", "sed 's/needle/& ;/'"];
    project.reduce(&arguments)?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle ;");
    assert!(project.reported("runs").lines().count() > 1, "{}", project.reported("runs"));
    Ok(())
}
