//! `lopper.toml`: values for options that the command line leaves open.

use super::{C, needle};
use crate::Checked;
use crate::kit::{Project, skip};
use std::error::Error;
use std::fs;

/// Writes the configuration of the user.
fn of_user(project: &Project, text: &str) -> Checked {
    let folder = project.configuration().join("lopper");
    fs::create_dir_all(&folder)?;
    Ok(fs::write(folder.join("lopper.toml"), text)?)
}

/// The row of a table that begins with this name.
fn row(table: &str, name: &str) -> Result<String, Box<dyn Error>> {
    let row = table.lines().find_map(|line| line.strip_prefix(name));
    Ok(row.ok_or_else(|| format!("no '{name}' in:\n{table}"))?.trim().to_owned())
}

#[test]
fn the_command_line_wins_over_the_file_beside_the_test_and_that_over_the_users() -> Checked {
    let project = needle()?;
    fs::create_dir(project.path("tests"))?;
    fs::rename(project.path("test.sh"), project.path("tests/test.sh"))?;
    project.file("tests/lopper.toml", "jobs = 1\ntimeout = 2.5\n")?;
    of_user(&project, "timeout = 7\nmax-tests = 5\n[languages]\n\".inc\" = \"c\"\n")?;
    let shown = ["tests/test.sh", "a.c", "-j", "2", "--show-config"];
    let table = project.reduce(&shown)?.exits_with(0)?.stdout;
    let jobs = row(&table, "jobs")?;
    assert!(jobs.starts_with("2 ") && jobs.ends_with("command line"), "{table}");
    let timeout = row(&table, "timeout")?;
    assert!(timeout.starts_with("2.5 ") && timeout.ends_with("here/tests/lopper.toml"), "{table}");
    let most = row(&table, "max-tests")?;
    assert!(most.starts_with("5 ") && most.ends_with("config/lopper/lopper.toml"), "{table}");
    assert!(row(&table, "max-time")?.ends_with("default"), "{table}");
    assert!(row(&table, "language of .inc")?.starts_with("c "), "{table}");
    assert!(!project.path("a.reduced.c").exists(), "nothing runs");
    Ok(())
}

#[test]
fn the_values_are_used_and_the_journal_tells_them() -> Checked {
    let project = needle()?;
    project.file("lopper.toml", "max-tests = 3\n")?;
    let run = project.reduce(&["./test.sh", "a.c", "--keep-run"])?.exits_with(0)?;
    run.says(&["the limit of --max-tests is reached"])?;
    assert!(project.read("a.reduced.c.lopper/journal.jsonl")?.contains("--max-tests=3"));
    fs::remove_file(project.path("lopper.toml"))?;
    // A run that continues uses the options with which it began.
    let run = project.lopper(&["undo", "a.reduced.c", "--to", "0"])?.exits_with(0)?;
    run.says(&["the limit of --max-tests is reached"])?;
    Ok(())
}

#[test]
fn a_test_without_a_file_has_its_configuration_in_the_current_folder() -> Checked {
    let project = needle()?;
    project.file("lopper.toml", "max-tests = 3\n")?;
    let run = project.reduce(&["a.c", "--", "grep", "-q", "needle", "{}"])?.exits_with(0)?;
    run.says(&["the limit of --max-tests is reached"])?;
    Ok(())
}

/// The language in which a file is reduced.
fn language_of(project: &Project, name: &str, options: &[&str]) -> Result<String, Box<dyn Error>> {
    let line = [&["./test.sh", name, "--ui", "json", "-o", "/dev/null"], options].concat();
    let events = project.reduce(&line)?.exits_with(0)?.stdout;
    let start = events.lines().next().and_then(|line| line.split("\"language\":\"").nth(1));
    Ok(start.and_then(|rest| rest.split('"').next()).ok_or("no language")?.to_owned())
}

#[test]
fn the_endings_of_names_decide_about_languages() -> Checked {
    let project = needle()?;
    project.file("table.x.inc", C)?;
    project.file("lopper.toml", "[languages]\n\".inc\" = \"python\"\n\".x.inc\" = \"c\"\n")?;
    let language = |options: &[&str]| language_of(&project, "table.x.inc", options);
    assert_eq!(language(&[])?, "c", "the longest ending decides");
    assert_eq!(language(&["--language", "java"])?, "java");
    assert_eq!(language(&["--ending", "table.x.inc=lua"])?, "lua");
    Ok(())
}

#[test]
fn a_script_without_an_ending_is_read_in_the_language_of_its_interpreter() -> Checked {
    let project = Project::new()?;
    project.script("test.sh", "grep -q needle \"$1\"")?;
    let language = |name: &str, text: &str| -> Result<String, Box<dyn Error>> {
        project.file(name, text)?;
        language_of(&project, name, &[])
    };
    assert_eq!(language("deploy", "#!/usr/bin/env python3\nneedle = 1\n")?, "python");
    assert_eq!(
        language("deploy.js", "#!/usr/bin/env python3\nneedle = 1\n")?,
        "javascript",
        "the name counts more"
    );
    Ok(())
}

#[test]
fn a_language_that_this_build_lacks_is_named_with_how_to_get_it() -> Checked {
    let Some((name, endings, feature)) =
        lopper::languages::ON_REQUEST.iter().find(|(name, ..)| lopper::languages::named(name).is_none())
    else {
        skip("a_language_that_this_build_lacks_is_named_with_how_to_get_it", "this build has all languages");
        return Ok(());
    };
    let project = Project::new()?;
    project.script("test.sh", "grep -q needle \"$1\"")?;
    let file = format!("a.{}", endings[0]);
    project.file(&file, "needle; more\n")?;
    let help = format!("cargo install --features {feature}");
    project.reduce(&["./test.sh", &file])?.exits_with(0)?.says(&[name, "are reduced as text", &help])?;
    for options in [&["--quiet"][..], &["--language", "c"]] {
        let run = project.reduce(&[&["./test.sh", &file, "-o", "b"], options].concat())?.exits_with(0)?;
        assert!(!run.stderr.contains(&help), "{options:?}: {}", run.stderr);
    }
    let run = project.reduce(&["./test.sh", &file, "--language", name])?.exits_with(2)?;
    run.says(&[&format!("this build lacks the language '{name}'"), &help])?;
    Ok(())
}

#[test]
fn a_wrong_key_or_value_is_an_error_that_names_the_file_and_what_was_meant() -> Checked {
    let project = needle()?;
    for (text, said) in [
        ("job = 2\n", "did you mean 'jobs'?"),
        ("max_tests = 2\n", "did you mean 'max-tests'?"),
        ("colour = 2\n", "the keys are jobs, timeout, memory-limit, max-tests, max-time, format, languages"),
        ("jobs = 0\n", "invalid value '0' for '--jobs <N>'"),
        ("timeout = -1\n", "invalid value '-1' for '--timeout <SECONDS>'"),
        ("timeout = \"\"\n", "--timeout <SECONDS>"),
        ("jobs = [1]\n", "'jobs' is neither a number nor a text"),
        ("jobs = 1\njobs = 2\n", "line 2: "),
        ("languages = \"c\"\n", "'languages' is not a table"),
        ("[languages]\n\".inc\" = \"klingon\"\n", "the language of '.inc' does not exist"),
    ] {
        project.file("lopper.toml", text)?;
        let run = project.reduce(&["./test.sh", "a.c"])?.exits_with(2)?;
        run.says(&["lopper.toml' cannot be used", said]).map_err(|e| format!("{text}: {e}"))?;
    }
    project.file("lopper.toml", b"\xff")?;
    project.reduce(&["./test.sh", "a.c"])?.exits_with(2)?.says(&["lopper.toml' cannot be used"])?;
    assert!(!project.path("a.reduced.c").exists());
    // What has nothing to do with limits does not read it.
    project.lopper(&["languages"])?.exits_with(0)?;
    Ok(())
}
