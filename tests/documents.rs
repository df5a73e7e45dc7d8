//! README.md and docs/: links lead somewhere, every command is understood, and those of the guides run.

use crate::Checked;
use crate::kit::{Project, has, names_in, skip};
use std::error::Error;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;

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
fn blocks(page: &Path) -> Result<Vec<String>, Box<dyn Error>> {
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
            let Some(line) = line.strip_prefix("lopper ").filter(|line| !line.contains('|')) else {
                continue;
            };
            let line = line.split(" #").next().and_then(|line| line.split("; ").next());
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

/// The files and tools that the guides speak of.
fn stage() -> Result<Project, Box<dyn Error>> {
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
fn run(page: &str, project: &Project, block: &str) -> Checked {
    let missing = |line: &&str| {
        let needs =
            [("gcc", "gcc"), ("mycc", "gcc"), ("pytest", "pytest"), ("basket", "pytest"), ("jq ", "jq")];
        let needed = needs.iter().find(|(word, tool)| line.contains(word) && !has(tool));
        if let Some((_, tool)) = needed {
            skip(page, &format!("there is no {tool} for: {line}"));
        }
        needed.is_some() || line.starts_with("cargo ")
    };
    let bounded = |line: &str| match line.strip_prefix("lopper reduce ") {
        Some(rest) if !block.contains("--max-") => format!("lopper reduce --max-tests 20 {rest}"),
        _ => line.to_owned(),
    };
    let lines: Vec<String> = block.lines().filter(|line| !missing(line)).map(bounded).collect();
    // The result of this small program has fewer commits.
    let lines = lines.join("\n").replace("--to 12", "--to 1");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = project.command("sh");
    command.env("PATH", format!("{}:{path}", project.outside().join("bin").display()));
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
    for page in ["configuration", "events", "journal", "report"] {
        let page = format!("docs/{page}.md");
        for block in blocks(Path::new(&page))? {
            run(&page, &stage()?, &block)?;
        }
    }
    Ok(())
}
