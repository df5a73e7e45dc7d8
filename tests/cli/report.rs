//! The page about a run, as text and in a browser.

use super::grammars::ARITHMETIC;
use super::{C, NEEDLE, needle};
use crate::Checked;
use crate::kit::{Project, has, skip};
use std::error::Error;
use std::process::Stdio;

/// The text of an element of a page as Chromium shows it, after a script has run in it.
fn dumped(project: &Project, page: &str, script: &str) -> Result<(String, String), Box<dyn Error>> {
    let text = project.read(page)?.replace("</body>", &format!("<script>{script}</script></body>"));
    let path = project.file("tried.html", text)?;
    let mut command = project.command("chromium");
    let profile = format!("--user-data-dir={}", project.outside().join("profile").display());
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        "--v=0",
        &profile,
    ]);
    command.args(["--virtual-time-budget=3000", "--dump-dom"]).arg(format!("file://{}", path.display()));
    let run = project.spawn({
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    })?;
    let run = run.finish()?.exits_with(0)?;
    Ok((run.stdout, run.stderr))
}

/// Moves the slider to its end, and to commit 1; copies the result; and tells what was seen.
const USE: &str = r##"
const seen = [], slider = document.getElementById("slider"), frame = document.getElementById("frame");
const to = (n) => { slider.value = n; slider.dispatchEvent(new Event("input")); };
to(slider.max); seen.push(document.getElementById("caption").textContent);
to(1); seen.push(frame.querySelectorAll("del").length + " parts deleted");
document.getElementById("next").click(); seen.push("now at " + slider.value);
let last = program(data.film.steps.length); seen.push(last === data.result ? "the film ends with the result" : last);
const told = (text) => { seen.push("copied " + JSON.stringify(text)); return Promise.resolve(); };
Object.defineProperty(navigator, "clipboard", { value: { writeText: told } });
document.querySelector("button[data-copy=result]").click();
const token = document.querySelector("#result a"); location.hash = token.getAttribute("href");
const why = document.querySelector(token.getAttribute("href")); seen.push(getComputedStyle(why).display);
const out = document.createElement("p"); out.id = "seen"; out.textContent = seen.join("|"); document.body.append(out);
"##;

#[test]
fn the_page_of_a_run_and_that_of_its_journal_tell_the_same() -> Checked {
    let project = needle()?;
    project
        .reduce(&["./test.sh", "a.c", "--keep-run", "--report", "live.html"])?
        .exits_with(0)?
        .says(&["live.html"])?;
    project.script("test.sh", "echo ran >>\"$OUTSIDE/again\"; exit 1")?;
    project.lopper(&["report", "a.reduced.c", "-o", "later.html"])?.exits_with(0)?;
    assert_eq!(project.reported("again"), "", "no test runs for a page");
    let pages = [project.read("live.html")?, project.read("later.html")?];
    let [live, later] = pages.map(|page| {
        page.lines()
            .filter(|line| !line.starts_with("<tr><th>result</th>"))
            .map(|l| l.to_owned() + "\n")
            .collect::<String>()
    });
    assert_eq!(live, later);
    for part in [
        "a.c: 48 → 1 token<",
        "Why is <code>needle</code> still here?",
        "the failure is gone",
        "<svg",
        "All ",
    ] {
        assert!(live.contains(part), "{part}: {live}");
    }
    for loads in ["http:", "https:", " src=", "@import", "url("] {
        assert!(!live.contains(loads), "the page loads nothing: {loads}");
    }
    Ok(())
}

#[test]
fn the_page_tells_which_condition_did_not_hold_and_what_the_test_printed() -> Checked {
    let project = needle()?;
    project
        .script("syntax.sh", "grep -q main \"$1\" || { echo first; echo 'error: no <main>' >&2; exit 1; }")?;
    let line = ["a.c", "--require", "./syntax.sh {}", "--report", "page.html", "--", "./test.sh", "{}"];
    project.reduce(&line)?.exits_with(0)?;
    let page = project.read("page.html")?;
    let told = "the test could not tell: <samp>`syntax.sh {}` refuses it; error: no &lt;main&gt;</samp>";
    assert!(page.contains(told), "{page}");
    Ok(())
}

#[test]
fn the_film_moves_and_the_result_can_be_copied_in_a_browser() -> Checked {
    let name = "the_film_moves_and_the_result_can_be_copied_in_a_browser";
    if !has("chromium") {
        skip(name, "there is no chromium");
        return Ok(());
    }
    let hostile = "int a; // </script><script>alert(1)</script> <!-- \u{202e} ä 😀 &amp; \"'\n";
    let project = Project::with(NEEDLE, "a.c", format!("{hostile}{C}"))?;
    project.reduce(&["./test.sh", "a.c", "--protect", "1", "--report", "page.html"])?.exits_with(0)?;
    let (shown, said) = dumped(&project, "page.html", USE)?;
    let seen = shown.split("<p id=\"seen\">").nth(1).and_then(|rest| rest.split("</p>").next());
    let seen = seen.ok_or_else(|| format!("the script did not end: {said}\n{shown}"))?;
    let parts: Vec<&str> = seen.split('|').collect();
    assert!(parts[0].starts_with("Commit ") && parts[0].contains(" → "), "{seen}");
    assert!(parts[1].ends_with(" parts deleted") && parts[1] != "0 parts deleted", "{seen}");
    assert_eq!(&parts[2..4], ["now at 2", "the film ends with the result"]);
    assert!(parts[4].starts_with("copied \"int a; // ") && parts[4].contains("😀"), "{seen}");
    assert_eq!(parts[5], "block");
    let console: Vec<&str> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert_eq!(console, [] as [&str; 0]);
    Ok(())
}

#[test]
fn the_short_form_is_markdown_in_which_nothing_of_the_program_is_read_as_markup() -> Checked {
    let project = Project::with("grep -q '```' \"$1\"", "a.md", "one\n```\n<b>two</b>\n")?;
    project.reduce(&["./test.sh", "a.md", "--keep-run"])?.exits_with(0)?;
    let text = project.lopper(&["report", "a.reduced.md", "--markdown"])?.exits_with(0)?.stdout;
    assert!(text.contains("\n````text\n```\n````\n"), "{text}");
    assert!(text.contains("- command: `lopper reduce ./test.sh a.md --keep-run`"), "{text}");
    Ok(())
}

#[test]
fn a_page_has_the_pattern_of_what_fails_and_texts_that_do() -> Checked {
    let project = Project::with("grep -q '[(][(].*[0-9].*[)][)]' \"$1\"", "sum.txt", "1+((2*3/4))\n")?;
    project.file("arithmetic.json", ARITHMETIC)?;
    let run = ["./test.sh", "sum.txt", "--grammar", "arithmetic.json", "--keep-run"];
    project.reduce(&[&run[..], &["--generalize", "--report", "page.html"]].concat())?.exits_with(0)?;
    let grammar = ["generalize", "./test.sh", "sum.txt", "--grammar", "arithmetic.json", "--json", "p.json"];
    project.lopper(&grammar)?.exits_with(0)?;
    project
        .lopper(&["report", "sum.reduced.txt", "--pattern", "p.json", "-o", "later.html"])?
        .exits_with(0)?;
    for page in ["page.html", "later.html"] {
        let page = project.read(page)?;
        let parts = [
            "<h2>When does it fail?</h2>",
            "((<a class=\"hole\" href=\"#hole-0\">&lt;expr&gt;</a>))",
            "100 of 100 fresh instances fail",
            "<li>fails: <code>",
        ];
        parts.iter().for_each(|part| assert!(page.contains(part), "{part}: {page}"));
    }
    let text = project.lopper(&["report", "sum.reduced.txt", "--pattern", "p.json", "--markdown"])?;
    let text = text.exits_with(0)?.stdout;
    assert!(text.contains("place of each hole:\n\n```\n((<expr>))\n```\n"), "{text}");
    project.lopper(&["report", "sum.reduced.txt", "--pattern", "sum.txt"])?.exits_with(2)?;
    Ok(())
}

#[test]
fn a_file_that_has_changed_since_the_run_has_no_page() -> Checked {
    let project = needle()?;
    project.reduce(&["./test.sh", "a.c", "--keep-run"])?.exits_with(0)?;
    project.file("a.c", format!("{C}\n"))?;
    project.lopper(&["report", "a.reduced.c"])?.exits_with(2)?.says(&["'a.c' has changed since the run"])?;
    project.lopper(&["report", "nothing.c"])?.exits_with(2)?.says(&["there is no journal"])?;
    Ok(())
}

#[test]
fn a_run_that_was_stopped_and_one_in_place_have_pages() -> Checked {
    let project = needle()?;
    project.reduce(&["./test.sh", "a.c", "-o", "b.c", "--max-tests", "12"])?.exits_with(0)?;
    let page = project.lopper(&["report", "b.c"])?.exits_with(0)?.stdout;
    assert!(page.contains("The run was stopped before its end."), "{page}");
    project.reduce(&["./test.sh", "a.c", "--in-place", "--keep-run"])?.exits_with(0)?;
    let page = project.lopper(&["report", "a.c"])?.exits_with(0)?.stdout;
    assert!(page.contains("a.c: 48 → 1 token<"), "{page}");
    Ok(())
}

#[test]
fn the_only_file_that_is_left_of_a_folder_is_shown_with_its_path_and_in_its_language() -> Checked {
    let project = Project::new()?;
    project.script("test.sh", "grep -q needle \"$1/src/a.c\"")?;
    std::fs::create_dir_all(project.path("p/src"))?;
    project.file("p/Makefile", "all:\n\tcc src/a.c\n")?;
    project.file("p/src/a.c", "int a;\nint needle(void);\n")?;
    project.reduce(&["./test.sh", "p", "--keep-run"])?.exits_with(0)?;
    let told = project.lopper(&["report", "p.reduced.lopper", "--markdown"])?.exits_with(0)?;
    assert!(told.stdout.contains("```c\n==> p/src/a.c <==\nneedle\n```"), "{}", told.stdout);
    Ok(())
}
