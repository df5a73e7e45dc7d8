//! Both forms of the command line, and its options.

use super::{C, NEEDLE, needle};
use crate::Checked;
use crate::kit::{Project, names_in};

#[test]
fn a_command_with_braces_for_the_candidate_may_replace_the_test() -> Checked {
    let project = needle()?;
    project.reduce(&["a.c", "--", "grep", "-q", "needle", "{}"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    let inside = ["a.c", "-o", "b.c", "--", "sh", "-c", "f=$1; grep -q needle ${f#file=}", "-", "file={}"];
    project.reduce(&inside)?.exits_with(0)?;
    assert_eq!(project.read("b.c")?.trim(), "needle");
    Ok(())
}

#[test]
fn without_braces_the_candidate_comes_last() -> Checked {
    let project = needle()?;
    project.reduce(&["a.c", "--", "grep", "-q", "needle"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    Ok(())
}

#[test]
fn braces_may_stand_more_than_once() -> Checked {
    let project = needle()?;
    let command = ["a.c", "--", "sh", "-c", "cmp -s \"$1\" \"$2\" && grep -q needle \"$2\"", "-", "{}", "{}"];
    project.reduce(&command)?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    Ok(())
}

#[test]
fn a_command_may_name_a_script_here_by_its_path() -> Checked {
    let project = needle()?;
    project.reduce(&["a.c", "--", "./test.sh"])?.exits_with(0)?;
    project.reduce(&["test.sh", "a.c"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.2.c")?.trim(), "needle");
    Ok(())
}

#[test]
fn an_invalid_command_line_is_a_usage_error_with_the_right_form() -> Checked {
    let project = needle()?;
    for arguments in [
        &[][..],
        &["a.c"],
        &["./test.sh", "a.c", "--", "grep"],
        &["./test.sh", "a.c", "--no-such-option"],
        &["./test.sh", "a.c", "-q", "-v"],
        &["./test.sh", "a.c", "--pass", "lines", "--skip-pass", "lines"],
    ] {
        let run = project.reduce(arguments)?.exits_with(2)?;
        let run = run.says(&["lopper reduce"]).map_err(|e| format!("{arguments:?}: {e}"))?;
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
    assert_eq!(names_in(&project.folder())?, ["a.c", "test.sh"], "nothing is written");
    Ok(())
}

#[test]
fn a_file_without_a_test_is_told_how_to_name_one() -> Checked {
    needle()?.reduce(&["a.c"])?.exits_with(2)?.says(&["no test", "lopper reduce FILE -- COMMAND"])?;
    Ok(())
}

#[test]
fn bad_numbers_are_refused_with_the_option_that_has_them() -> Checked {
    let project = needle()?;
    for (option, value) in [
        ("--timeout", "0"),
        ("--timeout", "abc"),
        ("--timeout", "nan"),
        ("--timeout", "inf"),
        ("--timeout=-1", ""),
        ("--max-time", "0"),
        ("--max-time", "1e999"),
        ("--max-tests", "many"),
        ("--max-tests=-1", ""),
        ("--memory-limit", "0"),
        ("--memory-limit", "2 apples"),
        ("--jobs", "0"),
        ("--jobs", "99999999"),
    ] {
        let mut arguments = vec!["./test.sh", "a.c", option];
        arguments.extend((!value.is_empty()).then_some(value));
        let name = option.split('=').next().unwrap_or(option);
        project.reduce(&arguments)?.exits_with(2)?.says(&[name])?;
    }
    Ok(())
}

#[test]
fn an_unknown_pass_is_refused_with_the_names_of_all() -> Checked {
    let project = needle()?;
    for option in ["--pass", "--skip-pass"] {
        let run = project.reduce(&["./test.sh", "a.c", option, "lines,nonsense"])?.exits_with(2)?;
        run.says(&["there is no pass 'nonsense'", "delete", "token-windows"])?;
    }
    Ok(())
}

#[test]
fn a_name_with_a_slip_is_answered_with_the_one_that_was_meant() -> Checked {
    let project = needle()?;
    for (option, written, meant) in
        [("--pass", "token_windows", "token-windows"), ("--language", "pyton", "python")]
    {
        let run = project.reduce(&["./test.sh", "a.c", option, written])?.exits_with(2)?;
        run.says(&[written, &format!("help: did you mean '{meant}'?")])?;
    }
    for (line, meant) in [(&["reduc"][..], "reduce"), (&["reduce", "--max-test", "3"], "--max-tests")] {
        project.lopper(line)?.exits_with(2)?.says(&["similar", meant])?;
    }
    Ok(())
}

#[test]
fn an_unknown_language_is_refused_with_the_names_of_all() -> Checked {
    let run = needle()?.reduce(&["./test.sh", "a.c", "--language", "klingon"])?.exits_with(2)?;
    run.says(&["there is no language 'klingon'", "python", "c", "text"])?;
    Ok(())
}

#[test]
fn an_unknown_search_is_refused_with_the_names_of_all() -> Checked {
    let run = needle()?.reduce(&["./test.sh", "a.c", "--search", "luck"])?.exits_with(2)?;
    run.says(&["luck", "halving", "ddmin"])?;
    Ok(())
}

#[test]
fn only_the_chosen_passes_run() -> Checked {
    let project = Project::with(NEEDLE, "a.txt", "one\n\ntwo needle three\nfour\n")?;
    project.reduce(&["./test.sh", "a.txt", "--pass", "lines"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.txt")?, "two needle three\n");
    project.reduce(&["./test.sh", "a.txt", "--pass", "white-space", "-o", "b"])?.exits_with(0)?;
    assert_eq!(project.read("b")?, "one\ntwo needle three\nfour\n");
    Ok(())
}

#[test]
fn skipped_passes_do_not_run() -> Checked {
    let project = needle()?;
    let run = project
        .reduce(&["./test.sh", "a.c", "-v", "--skip-pass", "delete,lines,definitions"])?
        .exits_with(0)?;
    // Each line has the number of the run, the verdict and the pass.
    let told = |line: &str| line.split_whitespace().nth(2).map(|word| word.trim_end_matches(':').to_owned());
    let passes: Vec<String> = run.stderr.lines().filter_map(told).collect();
    let worked = |pass: &str| passes.iter().any(|told| told == pass);
    assert!(worked("bodies") && worked("optional"), "{}", run.stderr);
    assert!(!worked("delete") && !worked("lines") && !worked("definitions"), "{}", run.stderr);
    Ok(())
}

#[test]
fn the_language_of_the_name_can_be_overruled() -> Checked {
    // A test that shows the language of the file: in C a comment is no token, in text it is.
    let project = Project::with(NEEDLE, "a.c", "/* needle hay */\nint more\n")?;
    let arguments = ["./test.sh", "a.c", "--pass", "comments,delete", "-o"];
    project.reduce(&[&arguments[..], &["as-c.c"]].concat())?.exits_with(0)?;
    assert_eq!(project.read("as-c.c")?.trim(), "/* needle hay */");
    project.reduce(&[&arguments[..], &["as-text.c", "--language", "text"]].concat())?.exits_with(0)?;
    assert_eq!(project.read("as-text.c")?.trim(), "needle");
    Ok(())
}

#[test]
fn max_tests_is_obeyed_and_reported() -> Checked {
    let project = Project::with(&format!("echo >>\"$OUTSIDE/runs\"\n{NEEDLE}"), "a.c", C)?;
    let run = project.reduce(&["./test.sh", "a.c", "--max-tests", "3", "-j", "1"])?;
    let run = run.exits_with(0)?.says(&["--max-tests"])?;
    assert_eq!(run.runs()?, 3);
    // The test is checked before the reduction, and the result is verified after it.
    let made = project.reported("runs").lines().count();
    assert!((3 + 3..=3 + 6).contains(&made), "{made}");
    assert!(project.read("a.reduced.c")?.contains("needle"));
    Ok(())
}

#[test]
fn no_tests_at_all_leave_the_file_as_it_is() -> Checked {
    let project = needle()?;
    let run = project.reduce(&["./test.sh", "a.c", "--max-tests", "0"])?;
    assert_eq!(run.runs()?, 0);
    assert_eq!(project.read("a.reduced.c")?, C);
    Ok(())
}

#[test]
fn max_time_ends_the_run_with_the_best_so_far() -> Checked {
    // However slow the machine is, the time ends after something was deleted and before everything was.
    let script = format!(
        "cmp -s \"$1\" \"$OUTSIDE/smaller\" && exit 0\ntest -e \"$OUTSIDE/smaller\" && sleep 1000\n\
         {NEEDLE} || exit 1\ntest $(wc -c <\"$1\") -eq {} || cp \"$1\" \"$OUTSIDE/smaller\"",
        20 * C.len()
    );
    let project = Project::with(&script, "a.c", C.repeat(20))?;
    let run = project.reduce(&["./test.sh", "a.c", "--max-time", "8", "--timeout", "1000", "-j", "1"])?;
    run.exits_with(0)?.says(&["--max-time"])?;
    let result = project.read("a.reduced.c")?;
    assert!(result.contains("needle") && result.len() < 20 * C.len(), "{result}");
    Ok(())
}

#[test]
fn quiet_says_nothing_at_all() -> Checked {
    let project = needle()?;
    let run = project.reduce(&["./test.sh", "a.c", "-q"])?.exits_with(0)?;
    assert_eq!((run.stdout, run.stderr), (String::new(), String::new()));
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    project.reduce(&["./test.sh", "no.c", "-q"])?.exits_with(2)?.says(&["no.c"])?;
    Ok(())
}

#[test]
fn verbose_tells_the_runs_of_the_test_in_order() -> Checked {
    let project = needle()?;
    let run = project.reduce(&["./test.sh", "a.c", "-v"])?.exits_with(0)?;
    let told = |verdict| run.stderr.lines().filter(|l| l.split_whitespace().nth(1) == Some(verdict)).count();
    assert!(told("Interesting") > 0 && told("Boring") > 0, "{}", run.stderr);
    let first = |line: &str| line.split_whitespace().next().and_then(|word| word.parse::<usize>().ok());
    let numbers: Vec<usize> = run.stderr.lines().filter_map(first).collect();
    assert!(numbers.windows(2).all(|w| w[0] < w[1]), "{numbers:?}");
    assert!(numbers.last().is_some_and(|&last| last <= run.runs().unwrap_or(0)), "{numbers:?}");
    assert_eq!(run.stdout, "");
    Ok(())
}

#[test]
fn the_summary_says_how_much_smaller_the_program_is() -> Checked {
    let run = needle()?.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    let run = run.says(&["tokens", "bytes", "lines", "runs", "time", "delete", "a.reduced.c"])?;
    let line = run.stderr.lines().find(|l| l.starts_with("bytes")).unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words[1..4], [&*C.len().to_string(), "->", "7"], "{line}");
    assert_eq!(run.stdout, "", "what is said goes to standard error");
    Ok(())
}

#[test]
fn diff_prints_a_unified_diff_on_standard_output_and_nothing_else() -> Checked {
    let project = Project::with(NEEDLE, "a.txt", "one\nneedle\ntwo\n")?;
    let arguments = ["./test.sh", "a.txt", "--pass=lines", "--diff", "-o", "b.txt"];
    let run = project.reduce(&arguments)?.exits_with(0)?;
    assert_eq!(run.stdout, "--- a.txt\n+++ b.txt\n@@ -1,3 +1 @@\n-one\n needle\n-two\n");
    let quiet = project.reduce(&[&arguments[..], &["-q"]].concat())?.exits_with(0)?;
    assert_eq!((quiet.stdout, quiet.stderr), (run.stdout, String::new()));
    Ok(())
}

#[test]
fn both_searches_keep_the_needle_and_little_else() -> Checked {
    let project = needle()?;
    for search in ["halving", "ddmin"] {
        project.reduce(&["./test.sh", "a.c", "--search", search, "-o", search])?.exits_with(0)?;
        let result = project.read(search)?;
        assert!(result.contains("needle") && result.trim().len() < 10, "{search}: {result}");
    }
    Ok(())
}

#[test]
fn the_same_result_comes_out_for_any_number_of_processors() -> Checked {
    let project =
        Project::with("cc -fsyntax-only \"$1\" 2>/dev/null && grep -q 'for.*int' \"$1\"", "a.c", C)?;
    if !crate::kit::has("cc") {
        crate::kit::skip("the_same_result_comes_out_for_any_number_of_processors", "there is no cc");
        return Ok(());
    }
    for jobs in ["1", "2", "3"] {
        project.reduce(&["./test.sh", "a.c", "-j", jobs, "-o", jobs, "--max-tests", "60"])?.exits_with(0)?;
        assert_eq!(project.read(jobs)?, project.read("1")?, "-j {jobs}");
    }
    Ok(())
}

#[test]
fn a_word_without_a_slash_in_a_command_is_looked_up_on_the_path_alone() -> Checked {
    let project = needle()?;
    std::fs::create_dir(project.path("sh"))?;
    project.script("grep", "echo the wrong one >&2; exit 1")?;
    project.reduce(&["a.c", "-o", "b.c", "--", "sh", "-c", NEEDLE, "sh"])?.exits_with(0)?;
    project.reduce(&["a.c", "-o", "b.c", "--", "grep", "-q", "needle", "{}"])?.exits_with(0)?;
    project.script("mine.sh", NEEDLE)?;
    let run = project.reduce(&["a.c", "--", "mine.sh", "{}"])?.exits_with(2)?;
    run.says(&["'mine.sh' does not exist", "PATH", "./mine.sh"])?;
    project.reduce(&["a.c", "-o", "b.c", "--", "./mine.sh", "{}"])?.exits_with(0)?;
    // The test is a path: an executable file in the current folder comes before the PATH.
    project.reduce(&["mine.sh", "a.c", "-o", "b.c"])?.exits_with(0)?;
    project.reduce(&["sh", "a.c", "-o", "b.c"])?.exits_with(3)?.says(&["/sh"])?;
    assert_eq!(project.read("b.c")?.trim(), "needle");
    Ok(())
}

#[test]
fn all_braces_of_a_word_are_replaced() -> Checked {
    let project = needle()?;
    let command = ["a.c", "--", "sh", "-c", "test {} = \"$1\" && cat {} {} | grep -q needle", "sh", "{}"];
    project.reduce(&command)?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle");
    Ok(())
}

#[test]
fn a_time_limit_beyond_the_clock_is_no_limit() -> Checked {
    for option in ["--timeout", "--max-time"] {
        for time in ["1e19", "1e300"] {
            let project = needle()?;
            project.reduce(&["./test.sh", "a.c", option, time])?.exits_with(0)?;
            assert_eq!(project.read("a.reduced.c")?.trim(), "needle", "{option} {time}");
        }
    }
    Ok(())
}

#[test]
fn however_a_budget_ends_without_a_smaller_program_the_exit_code_is_the_same() -> Checked {
    let project = Project::with("cmp -s \"$1\" \"$OUTSIDE/../here/a.c\"", "a.c", C)?;
    for budget in [["--max-tests", "0"], ["--max-tests", "1"], ["--max-time", "0.000001"]] {
        project.reduce(&[&["./test.sh", "a.c"][..], &budget].concat())?.exits_with(0)?.says(&[budget[0]])?;
    }
    project.reduce(&["./test.sh", "a.c"])?.exits_with(4)?;
    Ok(())
}
