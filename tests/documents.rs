//! README.md and docs/: links lead somewhere, every command is understood, and those of the guides run.

mod guides;
mod packages;

use crate::Checked;
use crate::cli::loading::json_grammar;
use crate::kit::{Project, has, names_in, skip};
use guides::{AS_WRITTEN, GUIDES, Guide, IN_OWN_TESTS, OF_CARGO};
use std::error::Error;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program of several functions, which the compiler of [`stage`] does not survive.
const CRASH: &str = "\
int limit = 10;
int twice(int value) { return value * 2; }
int needle(int depth) { return depth < limit ? depth : twice(depth); }
int other(int a, int b) { return a + b; }
int main(void) {
    int sum = 0;
    for (int i = 0; i < limit; i++) sum += needle(i);
    return other(sum, 1) == 0;
}
";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README.md and all pages, as paths from the root, but the generated manual of the passes.
fn pages() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let names = names_in(&root().join("docs"))?;
    let pages = names.into_iter().filter(|name| name.ends_with(".md") && name != "passes.md");
    Ok([PathBuf::from("README.md")]
        .into_iter()
        .chain(pages.map(|name| Path::new("docs").join(name)))
        .collect())
}

/// The blocks of a page that a shell would run.
pub(crate) fn blocks(page: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let text = fs::read_to_string(root().join(page))?;
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split_once("```"));
    Ok(blocks.map(|(block, _)| block.to_owned()).collect())
}

/// What a link to this heading says behind the `#`.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
}

#[test]
fn every_link_between_the_pages_leads_somewhere() -> Checked {
    let mut broken = Vec::new();
    for page in pages()? {
        let text = fs::read_to_string(root().join(&page))?;
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            if link.contains("://") {
                continue;
            }
            let target = match path {
                "" => root().join(&page),
                _ => root().join(&page).with_file_name(path),
            };
            let headings = || -> Result<Vec<String>, Box<dyn Error>> {
                let text = fs::read_to_string(&target)?;
                Ok(text.lines().filter(|l| l.starts_with('#')).map(|l| anchor(l.trim_matches('#'))).collect())
            };
            let leads = target.exists() && (heading.is_empty() || headings()?.iter().any(|h| h == heading));
            if !leads {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert_eq!(broken, [] as [String; 0]);
    Ok(())
}

#[test]
fn every_page_is_in_the_book() -> Checked {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md"))?;
    let pages = names_in(&root().join("docs"))?;
    let missing = pages.iter().filter(|name| name.ends_with(".md") && *name != "SUMMARY.md");
    let missing: Vec<_> = missing.filter(|name| !summary.contains(&format!("]({name})"))).collect();
    assert_eq!(missing, [] as [&String; 0]);
    Ok(())
}

#[test]
fn every_command_in_the_pages_is_understood() -> Checked {
    let project = Project::new()?;
    let mut count = 0;
    for page in pages()? {
        for line in blocks(&page)?.iter().flat_map(|block| block.lines()) {
            // A list of forms, such as `grammar with|count`, is no command.
            let is_form = |line: &&str| line.replace(" | ", "").contains('|');
            let Some(line) = line.strip_prefix("lopper ").filter(|line| !is_form(line)) else {
                continue;
            };
            let piped = line.match_indices(" | ").map(|(at, _)| &line[..at]);
            let piped = piped.into_iter().find(|before| before.matches('\'').count() % 2 == 0);
            let line = piped.unwrap_or(line).split(" #").next().and_then(|line| line.split("; ").next());
            let line = line.and_then(|line| line.split(" < ").next()).unwrap_or_default();
            let line =
                line.replace("[OPTIONS] ", "").replace("--seed S", "--seed 1").replace(" -n N", " -n 1");
            // The help is asked for in place of the test's command, or at the end; before that, clap reads all options.
            let options = line.match_indices(" -- ").map(|(at, _)| &line[..at]);
            let options = options.into_iter().find(|before| before.matches('\'').count() % 2 == 0);
            let asked = format!("{} -h", options.unwrap_or(line.trim_end()));
            let asked = asked.replace("--to N", "--to 1").replace("SHELL", "bash").replace(['[', ']'], "");
            let mut command = project.command("sh");
            command.args(["-c", &format!("exec \"$0\" {asked}"), env!("CARGO_BIN_EXE_lopper")]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let run = project.spawn(command)?.finish()?;
            assert!(run.status.success(), "{}: lopper {line}\n{}", page.display(), run.stderr);
            count += 1;
        }
    }
    assert!(count > 60, "{count} commands: the search works");
    Ok(())
}

#[test]
fn the_workflow_of_a_release_is_yaml_and_its_scripts_exist() -> Checked {
    let workflow = root().join(".github/workflows/release.yml");
    if !workflow.exists() {
        skip("the_workflow_of_a_release_is_yaml_and_its_scripts_exist", "a crate has no workflows");
        return Ok(());
    }
    let text = fs::read_to_string(&workflow)?;
    let project = Project::new()?;
    project.lopper(&["parse".as_ref(), "--check".as_ref(), workflow.as_os_str()])?.exits_with(0)?;
    let words = text.split(|c: char| c.is_whitespace() || "'\"(){}".contains(c));
    let scripts: Vec<&str> = words.filter(|word| word.starts_with("packaging/")).collect();
    assert!(scripts.len() >= 3, "{scripts:?}");
    for script in scripts {
        let mode =
            fs::metadata(root().join(script)).map_err(|e| format!("{script}: {e}"))?.permissions().mode();
        assert!(mode & 0o111 != 0, "{script} is a program");
    }
    Ok(())
}

/// The files and tools that the guides speak of.
pub(crate) fn stage() -> Result<Project, Box<dyn Error>> {
    let project = Project::new()?;
    let tools = project.outside().join("bin");
    fs::create_dir(&tools)?;
    symlink(env!("CARGO_BIN_EXE_lopper"), tools.join("lopper"))?;
    for (name, lines) in [
        // Dies of a function, and adds wrongly with optimisation.
        (
            "mycc",
            "for word; do\n\
                 shift\n\
                 case $word in *.c)\n\
                     if grep -q 'needle(i' \"$word\"; then\n\
                         echo 'mycc: parse.c:7: Assertion depth < MAX failed' >&2; kill -ABRT $$\n\
                     fi\n\
                     case \"$*\" in *-O2*) sed 's/1 + 1/1 + 2/' \"$word\" >changed.c; word=changed.c;; esac\n\
                 esac\n\
                 set -- \"$@\" \"$word\"\n\
             done\n\
             exec gcc \"$@\"",
        ),
        (
            "mylint",
            "grep -q lambda \"$1\" || exit 0\n\
             echo \"thread 'main' panicked at src/rules/lambdas.rs:14:9:\" >&2\n\
             echo 'index out of bounds: the len is 0 but the index is 0' >&2; exit 101",
        ),
    ] {
        let path = project.script(name, lines)?;
        fs::rename(path, tools.join(name))?;
    }
    project.script("test.sh", "grep -q 'needle(i' \"$1\"")?;
    project.file("crash.c", CRASH)?;
    project.file(
        "wrong.c",
        "#include <stdio.h>\nint a = 3;\nint main(void) { printf(\"%d\\n\", 1 + 1); return 0; }\n",
    )?;
    project.file(
        "module.py",
        "import os\n\ndef f(a):\n    return lambda b: a + b\n\nprint(f(1)(2), os.sep)\n",
    )?;
    let basket = "def total(prices):\n    return sum(prices) // 2\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n";
    project.file("test_basket.py", basket)?;
    fs::create_dir(project.path("project"))?;
    project.file("project/main.py", "import table\n\nprint('begin')\nprint(table.NAMES['y'])\n")?;
    project.file("project/table.py", "NAMES = {'x': 1}\nOTHERS = [2, 3]\n")?;
    project.file("project/notes.txt", "Nothing needs this.\n")?;
    Ok(project)
}

/// Runs blocks of a page, as a user would paste them; lines that need what is missing here are left out.
pub(crate) fn run(page: &str, project: &Project, block: &str) -> Checked {
    let missing = |line: &&str| {
        let needs = [
            ("gcc", "gcc"),
            ("mycc", "gcc"),
            ("cc -c", "cc"),
            ("crash/crash.c", "cc"),
            ("clang-format", "clang-format"),
            ("clang", "clang"),
            ("pytest", "pytest"),
            ("basket", "pytest"),
            ("unittest", "python3"),
            ("python", "python3"),
            ("node", "node"),
            ("jq ", "jq"),
            ("/usr/bin/time", "time"),
        ];
        let needed = needs.iter().find(|(word, tool)| line.contains(word) && !has(tool));
        if let Some((_, tool)) = needed {
            skip(page, &format!("there is no {tool} for: {line}"));
        }
        needed.is_some() || line.starts_with("cargo ")
    };
    let bounded = |line: &str| {
        let bounds = [
            ("lopper reduce ", "--max-tests 20 "),
            ("lopper generalize ", "--max-time 5 "),
            ("lopper isolate ", "--max-tests 50 "),
        ];
        let bound = bounds.iter().find(|(begin, _)| line.starts_with(begin) && !block.contains("--max-"));
        bound.map_or(line.to_owned(), |(begin, most)| line.replacen(begin, &format!("{begin}{most}"), 1))
    };
    let lines: Vec<String> = block.lines().filter(|line| !missing(line)).map(bounded).collect();
    // The result of this small program has fewer commits.
    let lines = lines.join("\n").replace("--to 12", "--to 1");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = project.command("sh");
    command.env("PATH", format!("{}:{path}", project.outside().join("bin").display()));
    command.env("JSON_GRAMMAR", json_grammar()?).env("XDG_CACHE_HOME", project.outside());
    command.args(["-ec", &lines]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = project.spawn(command)?.finish()?;
    match run.status.success() {
        true => Ok(()),
        false => Err(format!("{page}:\n{lines}\n{}\n{}", run.stdout, run.stderr).into()),
    }
}

#[test]
fn a_beginner_gets_through_the_first_five_minutes() -> Checked {
    if !has("gcc") {
        skip("a_beginner_gets_through_the_first_five_minutes", "there is no gcc");
        return Ok(());
    }
    let project = stage()?;
    for block in blocks(Path::new("docs/start.md"))? {
        run("docs/start.md", &project, &block)?;
    }
    assert!(project.read("small.c")?.len() < 60, "{}", project.read("small.c")?);
    assert!(project.read("crash.html")?.contains("<h2>The film</h2>"));
    assert_eq!(project.read("crash.c")?, CRASH);
    Ok(())
}

#[test]
fn every_recipe_works() -> Checked {
    let project = stage()?;
    for block in blocks(Path::new("docs/recipes.md"))? {
        if block.contains("interesting.sh") {
            fs::copy(project.path("test.sh"), project.path("interesting.sh"))?;
        }
        run("docs/recipes.md", &project, &block)?;
    }
    let module = project.read("module.reduced.py")?;
    assert!(module.contains("lambda") && module.len() < 40, "{module}");
    assert!(!project.path("project.reduced/notes.txt").exists());
    Ok(())
}

#[test]
fn the_commands_of_the_guides_run() -> Checked {
    for page in AS_WRITTEN {
        for block in blocks(Path::new(page))? {
            run(page, &stage()?, &block)?;
        }
    }
    Ok(())
}

/// The examples, and what the guides speak of besides the files of [`stage`].
fn furnished() -> Result<Project, Box<dyn Error>> {
    let project = stage()?;
    for (from, name) in [
        ("examples/crash/interesting.sh", "examples/crash/interesting.sh"),
        ("examples/crash/crash.c", "examples/crash/crash.c"),
        ("examples/grammars/arithmetic.json", "examples/grammars/arithmetic.json"),
        ("servers/lopper_server.py", "lopper_server.py"),
    ] {
        let to = project.path(name);
        fs::create_dir_all(to.parent().ok_or("no folder")?)?;
        fs::copy(root().join(from), to)?;
    }
    for (name, lines) in [
        (
            "mytool",
            "grep -qF '[[' \"$1\" && kill -SEGV $$\n\
             grep -q 'needle(i' \"$1\" && echo 'mytool: assertion failed: depth < MAX_DEPTH' >&2 && exit 3\n\
             exit 0",
        ),
        // Dies of the same function in the words of a compiler of bench/conditions.
        (
            "avr-gcc",
            "for word; do\n\
                 if grep -qs 'needle(i' \"$word\"; then\n\
                     m='internal compiler error: in fold_builtin_atomic_always_lock_free'\n\
                     echo \"$m, at builtins.c:5727\" >&2; exit 1\n\
                 fi\n\
             done",
        ),
        ("myloop", "grep -q lambda \"$1\" && sleep 1000\nexit 0"),
        ("mynode", "shift; sed 's/log(a)/log(a + 1)/' \"$1\" >changed.js; node changed.js"),
    ] {
        let path = project.script(name, lines)?;
        fs::rename(path, project.outside().join("bin").join(name))?;
    }
    project.script("several.sh", "cd \"$1\" || exit 125\npython3 main.py 2>&1 | grep -q '^KeyError: '")?;
    project.file("check.py", "def check(path):\n    return 'needle' in open(path).read()\n")?;
    let sum = "import unittest\n\n\nclass TestSum(unittest.TestCase):\n    def test_sum(self):\n        \
               self.assertEqual(1 + 1, 3)\n";
    project.file("test_sum.py", sum)?;
    Ok(project)
}

/// A block with what its words stand for; lines that still name something else are left out, and returned, too.
fn made_real(block: &str, words: &[(&str, &str)]) -> (String, Vec<String>) {
    let replace = |line: &str| {
        let line = words.iter().fold(line.to_owned(), |line, (word, real)| line.replacen(word, real, 1));
        // A script that is there already is never overwritten.
        line.replace("lopper init ", "rm -f interesting.sh; lopper init ")
    };
    let others = ["cargo ", "perf ", "lopper-bench ", "CASE", "PATTERN.json"];
    let (left, lines): (Vec<String>, Vec<String>) =
        block.lines().map(replace).partition(|line| others.iter().any(|other| line.contains(other)));
    (lines.join("\n"), left)
}

/// Runs the commands of a page, at least so many of them.
fn commands_run(name: &str, least: usize) -> Checked {
    let Guide { page, prepared, words } =
        GUIDES.iter().find(|guide| guide.page == name).ok_or("there is no such page")?;
    let mut count = 0;
    for block in blocks(Path::new(page))? {
        let (lines, left_out) = made_real(&block, words);
        // bench/tests/pages.rs runs those of lopper-bench, and .ci/pages those of cargo and perf.
        let elsewhere = ["lopper-bench ", "alias lopper-bench", "cargo ", "perf "];
        let nowhere = left_out.iter().find(|line| !elsewhere.iter().any(|begin| line.starts_with(begin)));
        if let Some(line) = nowhere {
            return Err(format!("{page}: nothing runs this command: {line}").into());
        }
        let is_script = lines.starts_with("#!");
        let is_part = !is_script && !lines.contains("lopper ");
        // The parts of scripts are those of the examples, which tests/examples.rs runs.
        if lines.is_empty() || is_part || is_script && !lines.contains("mytool") {
            continue;
        }
        let project = furnished()?;
        run(page, &project, prepared)?;
        if is_script {
            project.executable("script.sh", &lines)?;
        }
        run(page, &project, if is_script { "lopper reduce script.sh crash.c" } else { &lines })?;
        count += lines.lines().filter(|line| line.contains("lopper ") || line.contains("mytool")).count();
    }
    assert!(count >= least, "{count} commands ran: the search works");
    Ok(())
}

#[test]
fn every_page_with_commands_is_in_a_list_of_those_whose_commands_run() -> Checked {
    let mut wrong = Vec::new();
    for page in pages()? {
        let name = page.to_string_lossy().into_owned();
        let guides = GUIDES.iter().filter(|guide| guide.page == name).count();
        let others = [AS_WRITTEN, IN_OWN_TESTS, OF_CARGO].concat();
        let lists = guides + others.iter().filter(|page| **page == name).count();
        let has_commands =
            fs::read_to_string(root().join(&page))?.contains("```sh") || name.ends_with("guarding.md");
        if lists != usize::from(has_commands) {
            wrong.push(name);
        }
    }
    assert_eq!(wrong, [] as [String; 0]);
    Ok(())
}

#[test]
fn every_command_of_cargo_in_the_pages_has_a_rule_in_the_checks() -> Checked {
    let script = root().join(".ci/pages");
    if !script.exists() || !has("bash") {
        skip("docs/", "a crate has no .ci/, and its scripts need bash");
        return Ok(());
    }
    let project = Project::new()?;
    let mut command = project.command(script);
    command.arg("--list").stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = project.spawn(command)?.finish()?.exits_with(0)?;
    let commands = run.stdout.lines().filter(|line| line.starts_with("$ ")).count();
    assert!(commands > 12, "{commands} commands: the search works\n{}", run.stdout);
    Ok(())
}

/// What the guard's page needs of the library with the bug, as it reads texts of the page's grammar.
const PYTOML: &str = "\
import tomllib

def read(value):
    if isinstance(value, str):
        return value.removeprefix('\\n')
    if isinstance(value, list):
        items = [read(item) for item in value]
        if len({type(item) for item in items}) > 1:
            raise ValueError('an array of several types')
        return items
    if isinstance(value, dict):
        return {key: read(item) for key, item in value.items()}
    return value

def loads(text):
    return read(tomllib.loads(text))
";

#[test]
fn the_commands_about_guarding_run() -> Checked {
    let page = "docs/guarding.md";
    let tries = Command::new("python3").args(["-c", "import tomllib"]).stderr(Stdio::null()).status();
    if !tries.is_ok_and(|status| status.success()) {
        skip(page, "there is no python3 with tomllib");
        return Ok(());
    }
    let text = fs::read_to_string(root().join(page))?;
    let judge = text.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
    let test = text.split("`test.sh` is `").nth(1).and_then(|rest| rest.split('`').next());
    let project = stage()?;
    project.file("judge.py", judge.ok_or("no judge")?)?;
    project.file("pytoml.py", PYTOML)?;
    project.script("test.sh", test.ok_or("no test")?)?;
    fs::copy(root().join("examples/grammars/toml.json"), project.path("toml.json"))?;
    run(
        page,
        &project,
        "mkdir finds; echo '{\"i\": 1, \"s\": \"a = 1\\n\"}' | tee failing.jsonl >passing.jsonl",
    )?;
    let mut count = 0;
    for line in text.lines().filter_map(|line| line.strip_prefix("$ ")) {
        // A few texts are enough; the first find is that of the page.
        let line = line.replace(" -n 200 --seed 1", " -n 5 --seed 1").replace(" -n 150 ", " -n 5 ");
        let line = line.replace("-o finds", "-o found").replace("generalize ", "generalize --max-time 5 ");
        project.file("finds/1.txt", "p = \"\\n]\"\n")?;
        run(page, &project, &line)?;
        count += 1;
    }
    assert!(count > 8, "{count} commands ran: the search works");
    assert_eq!(project.read("small.txt")?, "_ = \"\\n\"\n");
    Ok(())
}

#[cfg(not(feature = "remote"))]
#[test]
fn the_commands_about_clusters_run() {
    skip("docs/remote.md", "this build lacks the feature remote");
}

#[test]
fn the_commands_about_adding_a_language_run() -> Checked {
    commands_run("docs/adding-a-language.md", 8)
}

#[test]
fn the_commands_of_the_readme_run() -> Checked {
    commands_run("README.md", 24)
}

#[test]
fn the_commands_about_generalizing_run() -> Checked {
    commands_run("docs/generalizing.md", 8)
}

#[test]
fn the_commands_about_grammars_run() -> Checked {
    commands_run("docs/grammars.md", 11)
}

#[test]
fn the_commands_about_isolating_run() -> Checked {
    commands_run("docs/isolating.md", 4)
}

#[test]
fn the_commands_about_several_files_run() -> Checked {
    commands_run("docs/several-files.md", 3)
}

#[test]
fn the_commands_about_servers_run() -> Checked {
    commands_run("docs/servers.md", 5)
}

#[test]
fn the_commands_about_measuring_run() -> Checked {
    commands_run("docs/measuring.md", 2)?;
    commands_run("docs/results.md", 1)
}

#[test]
fn the_commands_with_scripts_of_the_benchmark_run() -> Checked {
    for (page, least) in [("docs/watching.md", 1), ("docs/conditions.md", 2)] {
        match root().join("bench").exists() {
            true => commands_run(page, least)?,
            false => skip(page, "a crate has no bench/"),
        }
    }
    Ok(())
}

#[test]
fn the_commands_about_writing_a_test_run() -> Checked {
    commands_run("docs/writing-a-test.md", 12)
}
