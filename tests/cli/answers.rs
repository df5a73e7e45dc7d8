//! The commands that only print information: passes, languages, help.

use super::needle;
use crate::Checked;
use crate::kit::{Project, skip};
use lopper::passes::PASSES;
use std::path::Path;
use std::process::Stdio;

#[test]
fn passes_lists_every_pass_with_its_summary() -> Checked {
    let run = Project::new()?.lopper(&["passes"])?.exits_with(0)?;
    assert_eq!(run.stdout.lines().count(), PASSES.len());
    for (pass, line) in PASSES.iter().zip(run.stdout.lines()) {
        assert!(line.starts_with(pass.name) && line.contains(pass.summary), "{line}");
        // A pass for only some languages lists them.
        let several = if pass.several { "several files" } else { "" };
        let own = pass.languages.join(" and ");
        let between = if several.is_empty() || own.is_empty() { "" } else { " in " };
        let is_limited = pass.several || !own.is_empty();
        assert_eq!(line.ends_with(&format!(" ({several}{between}{own} only)")), is_limited, "{line}");
    }
    assert_eq!(run.stderr, "");
    Ok(())
}

#[test]
fn passes_with_a_name_shows_the_examples_of_that_pass_alone() -> Checked {
    let project = Project::new()?;
    for pass in PASSES {
        let run = project.lopper(&["passes", pass.name])?.exits_with(0)?;
        assert!(run.stdout.contains(pass.name) && run.stdout.contains(pass.summary), "{}", run.stdout);
        for example in pass.examples {
            let shown = |text: &str| run.stdout.contains(text.trim_end_matches('\n'));
            assert!(shown(example.before) && shown(example.after), "{}", run.stdout);
        }
        assert_eq!(run.stdout.matches("\n## ").count() + 1, 1, "one heading: {}", run.stdout);
    }
    Ok(())
}

#[test]
fn passes_with_a_wrong_name_shows_the_right_ones() -> Checked {
    let run = Project::new()?.lopper(&["passes", "nonsense"])?.exits_with(2)?;
    run.says(&["there is no pass 'nonsense'", "delete", "white-space"])?;
    Ok(())
}

#[test]
fn passes_as_markdown_has_a_section_for_each_and_closes_every_fence() -> Checked {
    let run = Project::new()?.lopper(&["passes", "--markdown"])?.exits_with(0)?;
    for pass in PASSES {
        assert!(run.stdout.contains(&format!("\n## {}\n", pass.name)), "{}", pass.name);
    }
    let fences: Vec<&str> = run.stdout.lines().filter(|l| l.starts_with("```")).collect();
    let examples: usize = PASSES.iter().map(|p| p.examples.len()).sum();
    assert_eq!(fences.len(), 4 * examples);
    assert!(fences.chunks(2).all(|pair| pair[0] != "```" && pair[1] == "```"), "{fences:?}");
    Project::new()?.lopper(&["passes", "--markdown", "delete"])?.exits_with(2)?;
    Ok(())
}

#[test]
fn languages_lists_every_language_with_its_endings() -> Checked {
    let run = Project::new()?.lopper(&["languages"])?.exits_with(0)?;
    for language in lopper::languages::all() {
        let line = run.stdout.lines().find(|l| l.split_whitespace().next() == Some(language.name()));
        let line = line.ok_or_else(|| format!("{language:?} is not there:\n{}", run.stdout))?;
        for ending in language.extensions() {
            assert!(line.split_whitespace().any(|word| word == format!(".{ending}")), "{line}");
        }
    }
    Ok(())
}

#[test]
fn help_names_both_forms() -> Checked {
    let run = Project::new()?.lopper(&["reduce", "--help"])?.exits_with(0)?;
    for text in ["TEST FILE", "FILE -- COMMAND"] {
        assert!(run.stdout.contains(text), "'{text}' is not in:\n{}", run.stdout);
    }
    Ok(())
}

#[test]
fn no_command_and_an_unknown_command_are_usage_errors() -> Checked {
    let project = Project::new()?;
    project.lopper::<&str>(&[])?.exits_with(2)?.says(&["reduce", "passes", "languages"])?;
    project.lopper(&["nonsense"])?.exits_with(2)?.says(&["nonsense"])?;
    assert!(project.lopper(&["--version"])?.exits_with(0)?.stdout.starts_with("lopper "));
    Ok(())
}

#[test]
fn the_help_and_the_readme_have_every_exit_code() -> Checked {
    use lopper::cli::Exit;
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"))?;
    for arguments in [&["--help"][..], &["reduce", "--help"]] {
        let help = Project::new()?.lopper(arguments)?.exits_with(0)?.stdout;
        for exit in Exit::ALL {
            assert!(help.contains(&format!("{}  {}", exit as u8, exit.meaning())), "{help}");
            assert!(readme.contains(&format!("| {} | {} |", exit as u8, exit.meaning())), "{exit:?}");
        }
    }
    Ok(())
}

#[test]
fn an_answer_that_cannot_be_written_is_an_error_unless_its_reader_has_gone_away() -> Checked {
    let project = needle()?;
    project.file("g.json", "{\"<start>\": [\"a\", \"b\"]}")?;
    project.reduce(&["./test.sh", "a.c", "-o", "out.c", "--keep-run"])?.exits_with(0)?;
    let commands: [&[&str]; 10] = [
        &["--help"],
        &["--version"],
        &["passes"],
        &["languages"],
        &["parse", "a.c"],
        &["generate", "--grammar", "g.json"],
        &["replay", "out.c"],
        &["isolate", "./test.sh", "a.c"],
        &["reduce", "./test.sh", "a.c", "--diff"],
        &["reduce", "./test.sh", "a.c", "-o", "/proc/self/fd/1"],
    ];
    for arguments in commands {
        let run = |stdout: Stdio| {
            let mut command = project.command(env!("CARGO_BIN_EXE_lopper"));
            command.args(arguments).stdout(stdout).stderr(Stdio::piped());
            project.spawn(command)?.finish()
        };
        let (reader, writer) = std::io::pipe()?;
        drop(reader);
        let quiet = run(writer.into())?.exits_with(0).map_err(|e| format!("{arguments:?}: {e}"))?;
        assert!(!quiet.stderr.contains("error"), "{arguments:?}: {}", quiet.stderr);
        if Path::new("/dev/full").exists() {
            let full = std::fs::File::options().write(true).open("/dev/full")?;
            let failed = run(full.into())?.exits_with(2).map_err(|e| format!("{arguments:?}: {e}"))?;
            failed.says(&["error: ", "No space left"]).map_err(|e| format!("{arguments:?}: {e}"))?;
        } else {
            skip(
                "an_answer_that_cannot_be_written_is_an_error_unless_its_reader_has_gone_away",
                "there is no /dev/full",
            );
        }
    }
    Ok(())
}
