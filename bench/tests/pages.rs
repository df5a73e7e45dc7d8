//! Every command of lopper-bench in docs/ runs, on a small case and with small numbers.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

type Checked = Result<(), Box<dyn Error>>;

/// Options with numbers, and what takes their place.
const NUMBERS: [(&str, &str); 12] = [
    ("--max-tests", "3"),
    ("--max-time", "5"),
    ("-r", "2"),
    ("-n", "2"),
    ("--items", "16"),
    ("-p", "0.5"),
    ("--workers", "1,2"),
    ("-w", "1,2"),
    ("--cluster", "2"),
    ("--latency", "5"),
    ("--sizes", "1"),
    ("--repeats", "1"),
];

/// Other reducers, which may be missing.
const OTHERS: [&str; 2] = ["cvise", "shrinkray"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".."))
}

fn has(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(tool).is_file())
}

fn skip(line: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED {line}: {why}");
}

/// A folder with a small case, a result, and what was measured elsewhere.
fn stage() -> Result<tempfile::TempDir, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let case = folder.path().join("cases/small");
    fs::create_dir_all(&case)?;
    let test = case.join("interesting.sh");
    fs::write(&test, "#!/bin/sh\ngrep -q needle \"$1\"\n")?;
    fs::set_permissions(&test, fs::Permissions::from_mode(0o755))?;
    fs::write(case.join("input.c"), "int a;\nint needle;\nint f(void) { return a; }\n")?;
    fs::write(case.join("check.py"), "def check(path):\n    return 'needle' in open(path).read()\n")?;
    let server = root().join("servers/lopper_server.py");
    fs::write(case.join("case.toml"), format!("server = [\"python3\", {server:?}, \"--\", \"check.py\"]\n"))?;
    fs::write(folder.path().join("result.c"), "int needle;\n")?;
    let peer = r#"{"case":"small","reducer":"x","jobs":2,"ok":true,"timed_out":false,"bytes":9,"tokens":3,"calls":5,"wall":1.5,"cpu":2}"#;
    fs::write(folder.path().join("peers.jsonl"), format!("{peer}\n"))?;
    Ok(folder)
}

/// The words behind `lopper-bench`, for the small case. `None` if they need a program that is missing.
fn words(line: &str) -> Option<Vec<String>> {
    let text = line.split(" #").next().unwrap_or_default().replace(['"', '\''], "").replace(" ...", "");
    let mut words: Vec<String> = Vec::new();
    let mut cases = BTreeSet::new();
    for word in text.split_whitespace().skip(1) {
        let is_case = ["CASE", "bench/corpus", "bench/servers"].iter().any(|begin| word.starts_with(begin));
        let number = words.last().and_then(|last| NUMBERS.iter().find(|(option, _)| option == last));
        match (number, is_case) {
            (Some((_, small)), _) => words.push((*small).to_owned()),
            (None, true) if cases.insert("small") => words.push("cases/small".to_owned()),
            (None, true) => {}
            (None, false) => words.push(
                word.replace("languages/c/", &format!("{}/languages/c/", root().display()))
                    .replace("path/to/", "cases/small/"),
            ),
        }
    }
    if words.first().is_some_and(|command| command == "run") && !text.contains("--max-tests") {
        words.extend(["--max-tests", "3"].map(str::to_owned));
    }
    let missing = OTHERS.iter().find(|other| text.contains(*other) && !has(other));
    let server = (text.contains("-c server") && !has("python3")).then_some(&"python3");
    if let Some(tool) = missing.or(server) {
        skip(line, &format!("there is no {tool}"));
        return None;
    }
    Some(words)
}

/// The pages, in a fixed order.
fn pages() -> Result<BTreeSet<PathBuf>, Box<dyn Error>> {
    let entries = fs::read_dir(root().join("docs"))?.map(|entry| Ok(entry?.path()));
    let pages = entries.collect::<std::io::Result<BTreeSet<_>>>()?;
    Ok(pages.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect())
}

/// The commands in the blocks of a page.
fn commands(page: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let text = fs::read_to_string(page)?.replace(" \\\n", " ");
    Ok(text.lines().filter(|line| line.starts_with("lopper-bench ")).map(str::to_owned).collect())
}

#[test]
fn every_command_of_lopper_bench_in_the_pages_runs() -> Checked {
    let mut count = 0;
    for page in pages()? {
        let stage = stage()?;
        for line in commands(&page)? {
            let Some(words) = words(&line) else {
                // A table of what other reducers did.
                fs::write(stage.path().join("others.jsonl"), "")?;
                continue;
            };
            let mut command = Command::new(env!("CARGO_BIN_EXE_lopper-bench"));
            command.args(&words).current_dir(&stage).stdin(Stdio::null());
            let run = command.output()?;
            let said = String::from_utf8_lossy(&run.stderr);
            // `minimal` says by 1 that something can still be deleted.
            let is_fine = run.status.success() || words[0] == "minimal" && run.status.code() == Some(1);
            assert!(is_fine, "{}: {line}\n{words:?}\n{said}", page.display());
            count += 1;
        }
    }
    assert!(count > 25, "{count} commands ran");
    Ok(())
}
