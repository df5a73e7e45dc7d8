//! The rules of docs/architecture.md that the compiler does not check: who may start processes, who may
//! print, and which part may depend on which.

use crate::Checked;
use crate::kit::{Project, skip};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files below a folder of the repository, with their texts.
fn sources(folder: &str) -> Result<Vec<(PathBuf, String)>, Box<dyn Error>> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path)?;
                found.push((path.strip_prefix(root())?.to_owned(), text));
            }
        }
    }
    found.sort();
    if found.is_empty() { Err(format!("there are no sources in {folder}").into()) } else { Ok(found) }
}

/// The sources of all crates but the benchmarks.
fn all_sources() -> Result<Vec<(PathBuf, String)>, Box<dyn Error>> {
    let folders = ["src", "engine", "patterns", "passes", "languages"].map(sources);
    folders.into_iter().collect::<Result<Vec<_>, _>>().map(|all| all.concat())
}

/// The lines of code in `texts` that contain any of these words, as `file:line: text`.
fn lines_with(sources: &[(PathBuf, String)], texts: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, source) in sources {
        for (number, line) in (1..).zip(source.lines()) {
            let is_comment = line.trim_start().starts_with("//");
            if !is_comment && texts.iter().any(|text| line.contains(text)) {
                found.push(format!("{}:{number}: {}", path.display(), line.trim()));
            }
        }
    }
    found
}

#[test]
fn only_the_process_file_of_each_runner_starts_processes() -> Checked {
    let runners = ["src/oracle/linux/process.rs", "src/oracle/portable/process.rs"].map(Path::new);
    // A file of tests, which starts a program that harms a working folder.
    let tests = Path::new("src/oracle/linux/refilling.rs");
    let sources = all_sources()?.into_iter().filter(|(path, _)| path != tests);
    let (starters, others): (Vec<_>, Vec<_>) = sources.partition(|(path, _)| runners.contains(&&**path));
    let starts = ["Command::new", "posix_spawn", "::fork(", ".exec()"];
    assert_eq!(lines_with(&others, &starts), [] as [String; 0]);
    let spawns = lines_with(&others, &[".spawn("]);
    // Tasks of the runtime behind the executor for clusters are no processes either.
    let tasks = ["scope.spawn(", "handle.spawn(", "tokio::spawn("];
    let spawns: Vec<&String> = spawns.iter().filter(|l| !tasks.iter().any(|task| l.contains(task))).collect();
    assert!(spawns.iter().all(|l| l.contains("thread") || l.contains("builder")), "{spawns:?}");
    assert!(!lines_with(&starters, &starts).is_empty(), "they start processes: the search works");
    Ok(())
}

#[test]
fn only_cli_loading_loads_grammars() -> Checked {
    let (loading, others): (Vec<_>, Vec<_>) =
        all_sources()?.into_iter().partition(|(path, _)| path == Path::new("src/cli/loading.rs"));
    assert_eq!(lines_with(&others, &["tree_sitter_loader"]), [] as [String; 0]);
    assert!(!lines_with(&loading, &["tree_sitter_loader"]).is_empty(), "the search works");
    let outside = others.iter().filter(|(path, _)| !path.starts_with("languages")).cloned();
    assert_eq!(lines_with(&outside.collect::<Vec<_>>(), &["tree_sitter::"]), [] as [String; 0]);
    Ok(())
}

#[test]
fn only_oracle_remote_is_asynchronous() -> Checked {
    let (remote, others): (Vec<_>, Vec<_>) =
        all_sources()?.into_iter().partition(|(path, _)| path.starts_with("src/oracle/remote"));
    let crates = ["tokio", "tonic::", "prost", "bazel_remote_apis", ".await", "async fn"];
    let is_code =
        |(path, _): &&(PathBuf, String)| !path.components().any(|part| part.as_os_str() == "samples");
    let code: Vec<_> = others.iter().filter(is_code).cloned().collect();
    assert_eq!(lines_with(&code, &crates), [] as [String; 0]);
    assert!(!lines_with(&remote, &crates).is_empty(), "the search works");
    let text = fs::read_to_string(root().join("Cargo.toml"))?;
    assert!(text.contains("default = [\"cli\"]"), "the feature is off by default");
    Ok(())
}

#[test]
fn only_report_prints() -> Checked {
    // A helper answers Lopper on its standard output.
    let helper = Path::new("src/oracle/portable/helper.rs");
    let (report, others): (Vec<_>, Vec<_>) =
        all_sources()?.into_iter().partition(|(path, _)| path.starts_with("src/report") || path == helper);
    let prints = ["print!(", "println!(", "dbg!(", "io::stdout(", "io::stderr(", " stdout()", " stderr()"];
    assert_eq!(lines_with(&others, &prints), [] as [String; 0]);
    assert!(!lines_with(&report, &prints).is_empty(), "report prints: the search works");
    Ok(())
}

/// The packages that a package depends on, including those for its tests.
fn dependencies(package: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let text = fs::read_to_string(root().join(package).join("Cargo.toml"))?;
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            inside = section.contains("dependencies");
        } else if inside && let Some(end) = line.find(['.', '=', ' ']) {
            found.push(line[..end].to_owned());
        }
    }
    Ok(found)
}

#[test]
fn no_crate_depends_on_a_crate_above_it() -> Checked {
    let languages = dependencies("languages")?;
    assert!(languages.iter().any(|d| d == "tree-sitter"), "the list is read: {languages:?}");
    assert!(!languages.iter().any(|d| d.starts_with("lopper")), "{languages:?}");
    let passes = dependencies("passes")?;
    assert!(passes.iter().any(|d| d == "lopper-languages"), "{passes:?}");
    let above = ["lopper", "lopper-engine"];
    assert!(!passes.iter().any(|d| above.contains(&&**d) || d.starts_with("tree-sitter")), "{passes:?}");
    let patterns = dependencies("patterns")?;
    let own: Vec<&String> = patterns.iter().filter(|d| d.starts_with("lopper")).collect();
    assert_eq!(own, ["lopper-engine", "lopper-languages"]);
    assert!(!patterns.iter().any(|d| d.starts_with("tree-sitter")), "{patterns:?}");
    let engine = dependencies("engine")?;
    assert!(engine.iter().any(|d| d == "lopper-passes"), "{engine:?}");
    let above = ["lopper", "lopper-patterns"];
    assert!(!engine.iter().any(|d| above.contains(&&**d) || d.starts_with("tree-sitter")), "{engine:?}");
    // Packages with side effects: threads, signals, system calls, the command line.
    let acts = ["rayon", "rustix", "signal-hook", "clap", "tempfile"];
    assert!(!engine.iter().any(|d| acts.contains(&&**d)), "{engine:?}");
    Ok(())
}

#[test]
fn the_library_does_not_depend_on_the_crates_of_the_command() -> Checked {
    let text = fs::read_to_string(root().join("Cargo.toml"))?;
    let section = text.split("[dependencies]").nth(1).and_then(|rest| rest.split("\n[").next());
    let lines: Vec<&str> = section.ok_or("there are no dependencies")?.trim().lines().collect();
    for name in ["clap", "serde", "serde_json", "shell-words", "signal-hook", "similar", "tempfile"] {
        let line = format!("{name} = {{ workspace = true, optional = true }}");
        assert!(lines.contains(&&*line), "{name} is not optional: {lines:?}");
        assert!(text.contains(&format!("\"dep:{name}\"")), "no feature brings {name}");
    }
    let needed: Vec<&&str> = lines.iter().filter(|line| !line.contains("optional")).collect();
    assert_eq!(needed.len(), 6, "is all of this needed without the command? {needed:?}");
    Ok(())
}

#[test]
fn a_language_never_names_a_pass() -> Checked {
    assert_eq!(lines_with(&sources("languages")?, &["lopper_passes"]), [] as [String; 0]);
    Ok(())
}

#[test]
fn a_generic_pass_asks_for_roles_never_for_kinds_of_nodes() -> Checked {
    // A pass may ask whether two nodes have the same kind, whatever its name is.
    let kinds = ["kind_name", "grammar_kind", "Kind(", "tree_sitter"];
    let mut lines = lines_with(&sources("passes")?, &kinds);
    lines.retain(|line| {
        let own = ["c", "cpp", "go", "html", "java", "javascript", "llvm", "python", "rust"];
        !own.iter().any(|own| line.starts_with(&format!("passes/{own}/")))
    });
    assert_eq!(lines, [] as [String; 0]);
    Ok(())
}

#[test]
fn a_pass_in_the_folder_of_a_language_is_for_that_language() -> Checked {
    let passes = sources("passes")?;
    let mut own = 0;
    for pass in lopper::passes::PASSES {
        let named = lines_with(&passes, &[&format!("name: \"{}\"", pass.name)]);
        let folder = named.iter().find_map(|line| line.strip_prefix("passes/")?.split_once('/'));
        if let Some((language, _)) = folder {
            assert!(pass.languages.contains(&language), "{pass:?} is for {:?}", pass.languages);
            own += 1;
        }
    }
    assert!(own > 0, "no pass is a language's own: the search does not work");
    Ok(())
}

#[test]
fn engine_passes_patterns_and_languages_have_no_side_effects() -> Checked {
    let pure: Vec<_> =
        [sources("engine")?, sources("passes")?, sources("patterns")?, sources("languages")?].concat();
    let effects = [
        "std::fs",
        "std::net",
        "std::thread",
        "std::time",
        "std::env",
        "Instant::now",
        "SystemTime",
        "rand::",
    ];
    assert_eq!(lines_with(&pure, &effects), [] as [String; 0]);
    Ok(())
}

#[test]
fn every_source_file_says_in_its_first_line_what_it_is_and_is_short() -> Checked {
    let mut all = Vec::new();
    for folder in ["src", "engine", "passes", "patterns", "languages", "tests", "examples"] {
        all.extend(sources(folder)?);
    }
    for (path, text) in all {
        assert!(text.starts_with("//! "), "{} does not say what it is", path.display());
        assert!(text.lines().count() <= 1000, "{} has {} lines", path.display(), text.lines().count());
    }
    Ok(())
}

#[test]
fn every_pass_has_a_file_of_its_own() -> Checked {
    let passes = sources("passes")?;
    let mut files = Vec::new();
    for pass in lopper::passes::PASSES {
        let named = lines_with(&passes, &[&format!("name: \"{}\"", pass.name)]);
        let [place] = &named[..] else { return Err(format!("{pass:?} is at {named:?}").into()) };
        files.extend(place.split(':').next().map(str::to_owned));
    }
    files.sort();
    let all = files.len();
    files.dedup();
    assert_eq!(files.len(), all, "a file has two passes: {files:?}");
    Ok(())
}

#[test]
fn the_manual_of_the_passes_is_up_to_date() -> Checked {
    let manual = fs::read_to_string(root().join("docs/passes.md"))?;
    let run = Project::new()?.lopper(&["passes", "--markdown"])?.exits_with(0)?;
    assert!(run.stdout == manual, "run: lopper passes --markdown > docs/passes.md");
    Ok(())
}

#[test]
fn the_page_about_adding_a_pass_shows_neighbours_in_the_registry() -> Checked {
    let page = fs::read_to_string(root().join("docs/adding-a-pass.md"))?;
    let registry = fs::read_to_string(root().join("passes/lib.rs"))?;
    let shown = page.split("    // ...\n").nth(1).and_then(|rest| rest.split("];").next());
    let shown = shown.ok_or("docs/adding-a-pass.md shows no line of the registry")?;
    let neighbours: String = shown
        .lines()
        .filter(|line| !line.contains("trailing_blanks"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_ne!(shown, neighbours, "the page adds the pass trailing_blanks");
    assert!(
        registry.contains(&neighbours),
        "passes/lib.rs does not have these lines in this order:\n{neighbours}"
    );
    Ok(())
}

#[test]
fn the_table_of_the_languages_is_up_to_date() -> Checked {
    let table = fs::read_to_string(root().join("docs/languages.md"))?;
    let run = Project::new()?.lopper(&["languages", "--markdown"])?.exits_with(0)?;
    // The table is from a build with all languages.
    let missing: Vec<&str> = run.stdout.lines().filter(|line| !table.lines().any(|l| l == *line)).collect();
    let command = "cargo run --features typescript,csharp,kotlin -- languages --markdown > docs/languages.md";
    assert!(missing.is_empty(), "run: {command}\n{missing:#?}");
    for (name, ..) in lopper::languages::ON_REQUEST {
        assert!(table.contains(&format!("\n| {name} | ")), "run: {command}");
    }
    Ok(())
}

/// The module of a source file, as the names from the crate's root down.
fn module(path: &Path) -> Vec<String> {
    let inside =
        path.strip_prefix(path.components().next().map_or(Path::new(""), |c| c.as_os_str().as_ref()));
    let path = inside.unwrap_or(path).with_extension("");
    let mut names: Vec<String> = path.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    names.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
    names
}

/// The paths that a `use` brings in, with braces taken apart.
fn expanded(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.trim().to_owned()] };
    let (mut depth, mut part, mut parts) = (0, String::new(), Vec::new());
    for c in rest.trim_end().trim_end_matches('}').chars().chain([',']) {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ',' && depth == 0 {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| expanded(&format!("{}{}", before.trim(), part.trim()))).collect()
}

/// The modules of `all` that a file imports, but for those that it is in or that are in it: a module may share its work
/// among files below it.
fn imports(own: &[String], text: &str, all: &[Vec<String>]) -> Vec<Vec<String>> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let uses = code.split("use ").skip(1).filter_map(|rest| rest.split_once(';')).map(|(path, _)| path);
    let mut found = Vec::new();
    for path in uses.flat_map(expanded) {
        let mut names: Vec<String> = path.split("::").map(|name| name.trim().to_owned()).collect();
        let mut from = match names.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("super" | "self") => own.to_vec(),
            _ => continue,
        };
        while let Some(first) =
            names.first().filter(|name| ["crate", "super", "self"].contains(&name.as_str()))
        {
            if first == "super" {
                from.pop();
            }
            names.remove(0);
        }
        from.extend(names);
        let module = all.iter().filter(|module| from.starts_with(module)).max_by_key(|module| module.len());
        found.extend(module.filter(|module| !own.starts_with(module) && !module.starts_with(own)).cloned());
    }
    found
}

#[test]
fn no_two_files_import_each_other_however_many_files_lie_between() -> Checked {
    for folder in ["src", "engine", "patterns", "passes", "languages"] {
        let files: Vec<_> =
            sources(folder)?.into_iter().filter(|(path, _)| !path.ends_with("tests.rs")).collect();
        let all: Vec<Vec<String>> = files.iter().map(|(path, _)| module(path)).collect();
        let mut open: Vec<(Vec<String>, Vec<Vec<String>>)> =
            files.iter().zip(&all).map(|((_, text), own)| (own.clone(), imports(own, text, &all))).collect();
        assert!(open.iter().any(|(_, imports)| !imports.is_empty()), "the imports of {folder} are read");
        // Whatever imports nothing that is open can be set aside; what remains in the end is a circle.
        loop {
            let names: Vec<Vec<String>> = open.iter().map(|(own, _)| own.clone()).collect();
            let before = open.len();
            open.retain(|(_, imports)| imports.iter().any(|module| names.contains(module)));
            if open.len() == before {
                break;
            }
        }
        let circle: Vec<String> = open.iter().map(|(own, _)| own.join("/")).collect();
        assert_eq!(circle, [] as [String; 0], "a circle in {folder}");
    }
    Ok(())
}

#[test]
fn the_addresses_of_the_project_stand_in_one_place() -> Checked {
    let read = |path: &str| fs::read_to_string(root().join(path)).map_err(|e| format!("{path}: {e}"));
    let manifest = read("Cargo.toml")?;
    let Some(of_all) = manifest.split("[workspace.package]").nth(1) else {
        skip("the_addresses_of_the_project_stand_in_one_place", "a crate has no workspace");
        return Ok(());
    };
    let value = |key: &str| of_all.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
    let addresses =
        ["repository", "authors"].map(|key| value(key).unwrap_or_default().trim_matches(['[', ']', '"']));
    assert!(addresses.iter().all(|address| address.len() > 10), "{addresses:?}");
    let members =
        ["languages", "passes", "patterns", "engine", "bench"].map(|member| format!("{member}/Cargo.toml"));
    for member in members.iter().filter(|member| !member.starts_with("bench")) {
        assert!(read(member)?.contains("\nrepository.workspace = true\n"), "{member}");
    }
    let mut files =
        vec!["Cargo.toml", "README.md", "pyproject.toml", "docs/packages.md", "packaging/release"];
    files.extend(members.iter().map(String::as_str));
    for address in addresses {
        let places = files.iter().map(|path| Ok(read(path)?.matches(address).count()));
        assert_eq!(places.sum::<Result<usize, String>>()?, 1, "{address}");
    }
    assert!(manifest.contains("\npkg-url = \"{ repo }/"), "cargo binstall asks the repository");
    Ok(())
}
