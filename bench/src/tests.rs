//! Tests of the whole crate: repeats agree, and the corpus works.

use crate::config::{Config, Engine, Setup};
use crate::corpus::{Case, cases};
use crate::minimal::{accepted, deletions};
use crate::ours::{self, Limits};
use crate::record::Record;
use crate::simulate::{Arguments, World, simulate};
use crate::{Cli, Command, oracle};
use clap::Parser;
use lopper::error::UserError;
use lopper::languages::{Parsed, named};
use lopper::oracle::interrupt::Interrupt;
use lopper::oracle::{Contents, Verdict};
use lopper::passes::Base;
use lopper::run::Options;
use lopper::search::SEARCHES;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;

type Checked = Result<(), Box<dyn std::error::Error>>;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// An interrupt that never occurs, as long as the other end is kept.
fn quiet() -> std::io::Result<(Interrupt, UnixStream)> {
    let (reader, writer) = UnixStream::pair()?;
    Ok((Interrupt::new(reader), writer))
}

fn setup(config: &str) -> Result<(Setup, usize), UserError> {
    let config = Config::read(config, 1)?;
    let Engine::Lopper(setup) = config.engine else { panic!("it is Lopper") };
    Ok((setup, config.jobs))
}

fn base(language: &str, text: &str) -> Base {
    let language = named(language).expect("the language exists");
    Base { files: vec![Arc::new(Parsed::new(language, text.into()))] }
}

fn contains(words: &'static [&'static str]) -> impl Fn(&Contents) -> Verdict + Sync {
    move |contents| {
        let text = String::from_utf8_lossy(&contents[0]).into_owned();
        let all = words.iter().all(|word| text.contains(word));
        if all { Verdict::Interesting } else { Verdict::Boring }
    }
}

const PROGRAM: &str =
    "int a = 1;\nint f(int x, int y) { if (x) { return g(y, 2) + x; } return 0; }\nint b;\n";

#[test]
fn two_configurations_compared_twice_agree_exactly_with_a_scripted_test() -> Checked {
    let test = contains(&["f(", "g(", "b;"]);
    for config in ["default", "ddmin", "j3"] {
        let (setup, jobs) = setup(config)?;
        let options = Options { passes: setup.passes, search: setup.search, jobs, ..Options::default() };
        let run = || ours::measured(base("c", PROGRAM), &test, &options);
        let (first, second) = (run()?, run()?);
        assert!(first.ok && first.end == "fixpoint", "{first:?}");
        assert!(first.agrees_with(&second), "{config}: {first:?} and {second:?}");
        assert_eq!(first.passes, second.passes);
    }
    Ok(())
}

#[test]
fn two_configurations_compared_twice_agree_exactly_on_a_real_case() -> Checked {
    let (interrupt, _open) = quiet()?;
    let case = Case::read(&corpus().join("json-inherits-itself"))?;
    for config in ["default", "only=delete+lines,j2"] {
        let (setup, jobs) = setup(config)?;
        let limits = Limits { tests: Some(30), seconds: None };
        let run = || ours::run(&case, &setup, jobs, limits, &interrupt);
        let (first, second) = (run()?, run()?);
        assert!(first.ok, "{first:?}");
        assert!(first.agrees_with(&second), "{config}: {first:?} and {second:?}");
    }
    Ok(())
}

#[test]
fn a_case_may_be_a_folder_and_its_records_tell_all_files_apart() -> Checked {
    use std::os::unix::fs::PermissionsExt;
    let (interrupt, _open) = quiet()?;
    let place = tempfile::tempdir()?;
    let at = |path: &str| place.path().join("case").join(path);
    std::fs::create_dir_all(at("input/src"))?;
    for (path, text) in [("input/a.py", "import src.b\nneedle\n"), ("input/src/b.py", "x = 1\nneedle\n")] {
        std::fs::write(at(path), text)?;
    }
    std::fs::write(
        at("interesting.sh"),
        "#!/bin/sh\ncd \"$1\" && cat a.py src/b.py | grep -c needle | grep -q 2\n",
    )?;
    std::fs::set_permissions(at("interesting.sh"), std::fs::Permissions::from_mode(0o755))?;
    let case = Case::read(&at(""))?;
    let (setup, jobs) = setup("default,without=paths")?;
    let run = || ours::run(&case, &setup, jobs, Limits::default(), &interrupt);
    let (first, second) = (run()?, run()?);
    assert!(first.ok && first.agrees_with(&second), "{first:?}");
    assert_eq!(first.text, "==> input/a.py <==\nneedle\n==> input/src/b.py <==\nneedle\n");
    let base = case.base();
    let test = oracle::of_case(&case, &case.original(), false, 1, &interrupt)?;
    let found = accepted(&deletions(&base), &test, 1)?;
    let paths: std::collections::BTreeSet<_> =
        found.iter().map(|one| one.path.display().to_string()).collect();
    assert_eq!(paths.into_iter().collect::<Vec<_>>(), ["input/a.py", "input/src/b.py"]);
    // The parts of each file change places.
    let permuted = crate::permute::permuted(&base, 1, |base| Ok(base.files.len() == 2))?;
    assert_eq!(permuted.files.len(), 2);
    Ok(())
}

#[test]
fn every_case_of_the_corpus_is_accepted_by_its_test_and_an_empty_file_is_not() -> Checked {
    use lopper::oracle::Test;
    let (interrupt, _open) = quiet()?;
    let cases = cases(&[corpus()])?;
    assert!(cases.len() >= 4);
    for case in cases {
        let original = case.original();
        let test = oracle::of_case(&case, &original, false, 1, &interrupt)
            .map_err(|e| format!("{}: {e}", case.name))?;
        let empty = original.iter().map(|file| file.with(Vec::new())).collect();
        let empty = test.run(0, &empty).map_err(oracle::user_error)?;
        assert_ne!(empty, Verdict::Interesting, "{}", case.name);
    }
    Ok(())
}

#[test]
fn what_can_still_be_deleted_is_found_with_its_line() -> Checked {
    let base = base("python", "def f(a, b):\n    return a\nx = 1\n");
    let found = accepted(&deletions(&base), &contains(&["def f(a", "return a"]), 2)?;
    let lines =
        |line: usize| found.iter().filter(|d| d.line == line).map(|d| d.text.as_str()).collect::<Vec<_>>();
    assert!(lines(1).contains(&"b"), "{found:?}");
    assert!(lines(3).contains(&"x = 1"), "{found:?}");
    assert!(!lines(2).contains(&"a"), "{found:?}");
    Ok(())
}

#[test]
fn what_is_1_minimal_is_called_so() -> Checked {
    let found = accepted(&deletions(&base("c", "f(b)")), &contains(&["f(b)"]), 1)?;
    assert_eq!(found, []);
    Ok(())
}

fn arguments(words: &str) -> Result<Arguments, Box<dyn std::error::Error>> {
    let words = format!("lopper-bench simulate {words}");
    let Command::Simulate(arguments) = Cli::try_parse_from(words.split(' '))?.command else {
        return Err("that is another command".into());
    };
    Ok(arguments)
}

#[test]
fn a_simulation_finds_all_that_may_go_with_any_number_of_workers() -> Checked {
    let arguments = arguments("--items 60 -p 0.7 --conflicts 0.3 --cluster 3 --latency 0")?;
    let world = World::new(&arguments, 7);
    let one = simulate(&world, &arguments, &SEARCHES[0], 1)?;
    let four = simulate(&world, &arguments, &SEARCHES[0], 4)?;
    assert_eq!((one.runs, one.left, &one.result), (four.runs, four.left, &four.result));
    // The last two tests are those of the result, which are no runs of the search.
    assert_eq!(one.runs + 2, one.tests, "one worker does nothing in vain");
    assert!(four.tests >= four.runs);
    assert!(one.left < 60);
    Ok(())
}

#[test]
fn a_world_keeps_what_is_needed_and_one_of_each_pair() -> Checked {
    let arguments = arguments("--items 40 -p 1 --conflicts 1 --latency 0")?;
    let world = World::new(&arguments, 1);
    assert!(world.accepts(&world.text()));
    assert!(!world.accepts(b""));
    for search in SEARCHES {
        assert_eq!(simulate(&world, &arguments, search, 1)?.left, 20, "{}", search.name);
    }
    Ok(())
}

#[test]
fn records_survive_being_written_and_read() -> Checked {
    let (setup, _) = setup("default")?;
    let options = Options { passes: setup.passes, ..Options::default() };
    let record = ours::measured(base("c", PROGRAM), &contains(&["b;"]), &options)?;
    let again: Record = serde_json::from_str(&serde_json::to_string(&record)?)?;
    assert_eq!(record, again);
    Ok(())
}

#[test]
fn every_command_in_the_pages_is_understood() -> Checked {
    let mut count = 0;
    for page in ["measuring", "results", "servers"] {
        let text = std::fs::read_to_string(format!("{}/../docs/{page}.md", env!("CARGO_MANIFEST_DIR")))?;
        let text = text
            .replace(" \\\n", " ")
            .replace(" ...", "")
            .replace("-p P ", "-p 0.5 ")
            .replace(['"', '\''], "");
        for line in text.lines().filter(|line| line.starts_with("lopper-bench ")) {
            let words = line.split(" #").next().unwrap_or_default().split_whitespace();
            let read = Cli::try_parse_from(words).map_err(|e| format!("docs/{page}.md: {line}\n{e}"))?;
            if let Command::Run(run) = read.command {
                for config in &run.configs {
                    Config::read(config, 1).map_err(|e| format!("docs/{page}.md: {line}\n{e}"))?;
                }
            }
            count += 1;
        }
    }
    assert!(count > 20, "{count} commands: the search works");
    Ok(())
}
