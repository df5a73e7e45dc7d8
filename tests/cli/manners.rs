//! Help, versions, completions and manual pages.

use crate::Checked;
use crate::kit::{Project, has, names_in, skip};
use std::error::Error;
use std::process::Stdio;

/// The commands, as the help lists them.
fn commands(project: &Project) -> Result<Vec<String>, Box<dyn Error>> {
    listed(&project.lopper(&["--help"])?.exits_with(0)?.stdout)
}

/// The commands in a help.
fn listed(help: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let list = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    let names = list.ok_or("no list of commands")?.lines().filter(|line| !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    Ok(names.filter(|name| *name != "help").map(str::to_owned).collect())
}

#[test]
fn the_short_help_of_every_command_fits_a_screen_and_the_long_one_tells_more() -> Checked {
    let project = Project::new()?;
    let mut left = vec![Vec::new()];
    let mut count = 0;
    while let Some(path) = left.pop() {
        let shown = |form: &str| -> Result<String, Box<dyn Error>> {
            let mut command = project.command(env!("CARGO_BIN_EXE_lopper"));
            command.args(&path).arg(form).env("COLUMNS", "80").stdout(Stdio::piped()).stderr(Stdio::piped());
            Ok(project.spawn(command)?.finish()?.exits_with(0)?.stdout)
        };
        let (short, long) = (shown("-h")?, shown("--help")?);
        // The last row has the next prompt.
        assert!(short.lines().count() <= 23, "{path:?}: {} lines", short.lines().count());
        assert!(short.lines().all(|line| line.chars().count() <= 80), "{short}");
        let words = |help: &str| help.split_whitespace().count();
        // The short help may end with a sentence about the long one.
        assert!(words(&long) + 20 >= words(&short), "{path:?}: {long}");
        if long.contains("Commands:\n") {
            left.extend(listed(&long)?.into_iter().map(|name| [path.clone(), vec![name]].concat()));
        }
        count += 1;
    }
    assert!(count > 25, "{count} commands");
    Ok(())
}

#[test]
fn the_help_of_reduce_has_its_options_in_groups() -> Checked {
    let help = Project::new()?.lopper(&["reduce", "--help"])?.exits_with(0)?.stdout;
    let after = |heading: &str| help.split(&format!("\n{heading}:\n")).nth(1).unwrap_or_default();
    for (heading, option) in [("Result", "--output"), ("Limits", "--jobs"), ("Passes and search", "--pass")] {
        let first = after(heading).lines().next().unwrap_or_default();
        assert!(first.contains(option), "{heading}: {first}");
    }
    Ok(())
}

#[test]
fn the_long_version_names_the_grammars() -> Checked {
    let project = Project::new()?;
    let short = project.lopper(&["-V"])?.exits_with(0)?.stdout;
    assert_eq!(short.trim(), format!("lopper {}", env!("CARGO_PKG_VERSION")));
    let long = project.lopper(&["--version"])?.exits_with(0)?.stdout;
    for grammar in ["tree-sitter-c", "tree-sitter-python"] {
        let line = long.lines().find_map(|line| line.strip_prefix(&format!("{grammar} ")));
        let version = line.ok_or_else(|| format!("no {grammar} in: {long}"))?;
        assert!(version.split('.').all(|part| part.parse::<u32>().is_ok()), "{version}");
    }
    let grammars = long.lines().filter(|line| line.starts_with("tree-sitter-")).count();
    let languages = project.lopper(&["languages"])?.exits_with(0)?.stdout;
    let built = languages.lines().filter(|line| line.contains(" .") && !line.contains("not in this build"));
    // Each language has a grammar of its own but text, which has none, and SMT-LIB and WebAssembly text, which have Scheme's.
    assert_eq!(grammars, built.count() - 3, "{long}");
    Ok(())
}

#[test]
fn bash_completes_commands_and_options() -> Checked {
    if !has("bash") {
        skip("bash_completes_commands_and_options", "there is no bash");
        return Ok(());
    }
    let project = Project::new()?;
    let script = project.lopper(&["completions", "bash"])?.exits_with(0)?.stdout;
    project.file("lopper.bash", script)?;
    for (words, wanted) in [
        ("red", "reduce"),
        ("reduce --max-te", "--max-tests"),
        ("replay --he", "--help"),
        ("--ver", "--version"),
    ] {
        let count = words.split(' ').count();
        let (last, line) = (words.split(' ').next_back().unwrap_or_default(), format!("lopper {words}"));
        let ask = format!(
            "source ./lopper.bash; COMP_WORDS=({line}); COMP_CWORD={count}; _lopper lopper '{last}' lopper; \
             echo \"${{COMPREPLY[@]}}\""
        );
        let mut command = project.command("bash");
        command.args(["-c", &ask]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let said = project.spawn(command)?.finish()?.exits_with(0)?.stdout;
        assert!(said.split_whitespace().any(|word| word == wanted), "{words}: {said}");
    }
    for shell in ["zsh", "fish", "powershell"] {
        let script = project.lopper(&["completions", shell])?.exits_with(0)?.stdout;
        assert!(script.contains("max-tests"), "{shell}");
        assert!(!script.contains("rehearse"), "{shell} offers what is for Lopper itself");
    }
    Ok(())
}

#[test]
fn fish_and_zsh_read_their_completions() -> Checked {
    let project = Project::new()?;
    for (shell, ask) in [
        ("fish", "source ./script; complete -C 'lopper red'; complete -C 'lopper reduce --max-te'"),
        ("zsh", "zsh -n ./script && grep -o 'reduce\\|--max-tests' script"),
    ] {
        if !has(shell) {
            skip("fish_and_zsh_read_their_completions", &format!("there is no {shell}"));
            continue;
        }
        project.file("script", project.lopper(&["completions", shell])?.exits_with(0)?.stdout)?;
        let mut command = project.command(shell);
        command.args(["-c", ask]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let run = project.spawn(command)?.finish()?.exits_with(0)?;
        assert!(
            run.stdout.contains("reduce") && run.stdout.contains("--max-tests"),
            "{shell}: {}",
            run.stdout
        );
        assert_eq!(run.stderr, "", "{shell}");
    }
    Ok(())
}

#[test]
fn every_command_has_a_manual_page() -> Checked {
    let project = Project::new()?;
    project.lopper(&["man", "pages"])?.exits_with(0)?.says(&["'pages'"])?;
    let pages = names_in(&project.path("pages"))?;
    for name in commands(&project)? {
        assert!(pages.contains(&format!("lopper-{name}.1")), "{name}: {pages:?}");
    }
    let page = project.read("pages/lopper-reduce.1")?;
    assert!(page.contains(".SH \"PASSES AND SEARCH\"") && page.contains("max\\-tests"), "{page}");
    project.file("taken", "")?;
    project.lopper(&["man", "taken/pages"])?.exits_with(2)?.says(&["cannot be written to 'taken/pages'"])?;
    Ok(())
}
