//! The page of a run: its result, its course, and why each token of the result is still there. One file without any
//! other, readable without scripts.

mod curve;
mod facts;
mod film;
mod isolation;
mod markdown;
mod recorder;
mod result;
mod why;

pub(crate) use isolation::{Isolated, isolation};
pub(crate) use markdown::{markdown, pattern_in_markdown};
pub(crate) use recorder::Recorder;

use super::events::{Ending, Start};
use super::{share, visible};
use lopper_languages::Language;
use lopper_patterns::{Names, Pattern};
use recorder::Step;
use serde_json::{Value, json};
use std::fmt::Write;

/// All that a page tells.
pub(crate) struct Account<'a> {
    /// The beginning of the run.
    pub(crate) start: &'a Start,
    /// Its course.
    pub(crate) recorder: &'a Recorder,
    /// Its end.
    pub(crate) ending: &'a Ending,
    /// The result.
    pub(crate) result: &'a [u8],
    /// The language of the file.
    pub(crate) language: &'static dyn Language,
}

/// The number of commits that the table lists, in a run with very many.
const LISTED: usize = 6000;

/// Where a pattern has its place. No text of a run can hold this, since each `<` in it is escaped.
const PATTERN: &str = "<!-- pattern -->\n";

/// What a page may load and run: nothing from elsewhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// The page, in HTML.
pub(crate) fn html(account: &Account) -> String {
    let Account { start, recorder, ending, result, .. } = account;
    let name = escaped(&start.run.name);
    let share = share(ending.tokens, start.tokens);
    let film = film::film(recorder);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{name} – Lopper</title>\n<style>\n{}</style>\n\
         </head>\n<body>\n<h1>{name}: {} → {}</h1>\n\
         <p class=\"dim\">{share} of the tokens are left: {} of {} bytes, {} of {} lines. {}</p>\n",
        include_str!("page.css"),
        start.tokens,
        counted(ending.tokens),
        ending.bytes,
        start.bytes,
        ending.lines,
        start.lines,
        escaped(&facts::end(ending)),
    );
    result::write(&mut out, account);
    out.push_str(PATTERN);
    facts::write(&mut out, account);
    write_curves(&mut out, account);
    write_film(&mut out, film.as_ref());
    write_passes(&mut out, account);
    write_commits(&mut out, &recorder.steps);
    let command = facts::command(start);
    let data = json!({ "result": String::from_utf8_lossy(result), "command": command, "film": film });
    let _ = write!(
        out,
        "<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{}</script>\n</body>\n</html>\n",
        in_element(&data),
        include_str!("page.js")
    );
    out
}

/// The page with what is known of the pattern of the failing files.
pub(crate) fn with_pattern(page: &str, pattern: &Pattern, names: &Names) -> String {
    let sections = pattern.to_sections(names);
    let told = "<p class=\"dim\">Each hole in the text below stands for texts with which the file fails, too: a click tells some.</p>";
    page.replacen(PATTERN, &format!("<h2>When does it fail?</h2>\n{told}\n{sections}"), 1)
}

/// JSON as the text of an element: no text in it can end the element.
fn in_element(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}

/// Any text as HTML shows it, with hidden characters made visible.
fn escaped(text: &str) -> String {
    lopper_patterns::escaped(visible(text).as_bytes())
}

/// A number of tokens, in words.
fn counted(tokens: usize) -> String {
    number_of(tokens, "token")
}

/// A number of things, in words.
fn number_of(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// The pass that proposed a candidate.
fn said_by(pass: Option<&str>) -> &str {
    pass.unwrap_or("return to an earlier program")
}

fn write_curves(out: &mut String, Account { start, recorder, .. }: &Account) {
    let curve = |x: fn(&Step) -> f64, end: f64, name: &str| {
        let steps = recorder.steps.iter().map(|step| (x(step), step.tokens));
        let points: Vec<(f64, usize)> = std::iter::once((0.0, start.tokens)).chain(steps).collect();
        curve::svg(&points, end, name, "tokens")
    };
    let runs = curve(|step| step.runs as f64, recorder.runs.0 as f64, "runs of the test");
    let time = curve(|step| step.time.as_secs_f64(), recorder.time.as_secs_f64(), "seconds in the test");
    let _ = write!(
        out,
        "<h2>The course</h2>\n<div class=\"curves\">\n{runs}\n{time}\n</div>\n<p class=\"dim\">The seconds are those of all \
         runs, one after the other; with several workers, less time passed.</p>\n"
    );
}

fn write_film(out: &mut String, film: Option<&Value>) {
    out.push_str("<h2>The film</h2>\n");
    let Some(last) = film.and_then(|film| film["steps"].as_array()).map(Vec::len) else {
        out.push_str("<p>No program of the run differs from the original, or the programs are too large for this page.</p>\n");
        return;
    };
    let _ = write!(
        out,
        "<p id=\"needs-scripts\">The film of all commits needs scripts; the table of commits below does not.</p>\n\
         <div class=\"film\"><button id=\"back\" aria-label=\"previous commit\">◀</button>\
         <input type=\"range\" id=\"slider\" min=\"0\" max=\"{last}\" value=\"0\" aria-label=\"commit\">\
         <button id=\"next\" aria-label=\"next commit\">▶</button><span id=\"caption\" aria-live=\"polite\"></span></div>\n\
         <pre id=\"frame\"></pre>\n"
    );
}

fn write_passes(out: &mut String, Account { ending, .. }: &Account) {
    out.push_str("<h2>The passes</h2>\n");
    if ending.passes.is_empty() {
        out.push_str("<p>No pass has proposed a candidate.</p>\n");
        return;
    }
    out.push_str(
        "<table>\n<thead><tr><th>pass</th><th class=\"n\">proposed</th><th class=\"n\">tested</th>\
         <th class=\"n\">accepted</th><th class=\"n\">tokens</th><th class=\"n\">bytes</th></tr></thead>\n<tbody>\n",
    );
    for work in &ending.passes {
        let stats = &work.stats;
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td></tr>",
            escaped(&work.pass),
            stats.proposed,
            stats.runs,
            stats.accepted,
            -stats.tokens,
            -stats.bytes
        );
    }
    out.push_str("</tbody>\n</table>\n");
}

fn write_commits(out: &mut String, steps: &[Step]) {
    if steps.is_empty() {
        return;
    }
    let _ = write!(
        out,
        "<details>\n<summary>All {} commits</summary>\n<table>\n<thead><tr><th class=\"n\">commit</th><th class=\"n\">run</th>\
         <th class=\"n\">tokens</th><th class=\"n\">bytes</th><th>pass</th></tr></thead>\n<tbody>\n",
        steps.len()
    );
    for (number, step) in (1..).zip(steps).skip(steps.len().saturating_sub(LISTED)) {
        let _ = writeln!(
            out,
            "<tr><td class=n>{number}<td class=n>{}<td class=n>{}<td class=n>{}<td>{}",
            step.runs,
            step.tokens,
            step.bytes,
            escaped(said_by(step.pass))
        );
    }
    out.push_str("</tbody>\n</table>\n</details>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Header, Session, Word};
    use crate::oracle::{NamedFile, Verdict};
    use crate::report::events::SCHEMA;
    use crate::run::{Event, Stats};
    use lopper_languages::measure::Measure;
    use std::time::Duration;

    const HEADER: &str = r#"{"lopper": "0", "name": "<a>.c", "input": "00000000000000000000000000000001",
        "test": "00000000000000000000000000000002", "language": "c", "grammar": null, "algorithm": null, "search": "halving",
        "passes": [], "limit": 1, "memory": 0}"#;

    /// The page of a run that deletes a line in each commit, and tests the deletion of each word that is left.
    fn page(lines: usize, left: usize) -> String {
        let language = lopper_languages::detect("a.c");
        let line = |n: usize| match n + left < lines {
            true => format!("v{n};\n"),
            false => format!("int name_{n} = </script> - {n};\n"),
        };
        let starts: Vec<usize> =
            (0..=lines).scan(0, |at, n| Some(std::mem::replace(at, *at + line(n).len()))).collect();
        let original: Vec<u8> = (0..lines).flat_map(|n| line(n).into_bytes()).collect();
        let program = |from: usize| original[starts[from]..].to_vec();
        let mut recorder = Recorder::new(&vec![NamedFile::new("a", original.clone())]);
        let mut stats = Stats::default();
        let before = Measure::of(&original, language.lexis());
        for from in 1..=lines - left {
            stats.runs = from;
            let contents = vec![NamedFile::new("a.c", program(from))];
            let measure = Measure { tokens: before.tokens - 2 * from, ..before };
            let event = Event::Accepted {
                pass: Some("delete"),
                contents: &contents,
                measure,
                runs: from,
                limit: None,
            };
            recorder.hear(&event);
        }
        let result = program(lines - left);
        for token in lopper_languages::lexer::tokens(&result, language.lexis()) {
            let mut text = result.clone();
            text.drain(token.range());
            let contents = vec![NamedFile::new("a.c", text)];
            recorder.hear(&Event::Tested {
                pass: Some("tokens"),
                key: 0,
                verdict: Verdict::Boring,
                time: Duration::from_millis(1),
                known: false,
                contents: &contents,
                stats: &stats,
            });
        }
        let after = Measure::of(&result, language.lexis());
        let folder = Word::Text("/".to_owned());
        let start = Start {
            schema: SCHEMA,
            run: serde_json::from_str::<Header>(HEADER).unwrap(),
            session: Session { process: 1, arguments: vec![Word::Text("<b>&".to_owned())], folder },
            output: "out.c".to_owned(),
            test: "a candidate is interesting".to_owned(),
            tokens: before.tokens,
            bytes: before.bytes,
            lines,
            jobs: 1,
            known: 0,
        };
        let ending = Ending {
            reason: "nothing-more".to_owned(),
            finished: true,
            error: None,
            tokens: after.tokens,
            bytes: after.bytes,
            lines: left,
            fingerprint: None,
            runs: stats.runs,
            memo_hits: 0,
            passes: Vec::new(),
        };
        html(&Account { start: &start, recorder: &recorder, ending: &ending, result: &result, language })
    }

    #[test]
    fn a_page_of_five_thousand_commits_stays_below_five_megabytes() {
        let page = page(5300, 300);
        assert_eq!(page.matches("<tr><td class=n>").count(), 5000);
        assert!(page.len() < 5_000_000, "{} bytes", page.len());
        assert_eq!(page.matches("</script>").count(), 2, "no text of the program ends an element");
    }

    #[test]
    fn nothing_of_a_run_is_read_as_markup_and_each_token_tells_what_was_tried() {
        let page = page(3, 1);
        assert!(page.contains("<h1>&lt;a&gt;.c: 14 → 10 tokens</h1>"), "{page}");
        assert!(page.contains("&lt;b&gt;&amp;"), "{page}");
        assert!(!page.contains("<b>"));
        let why = "<p>Why is <code>name_2</code> still here?</p><ul><li>without <code>name_2</code>: the failure is gone";
        assert!(page.contains(why), "{page}");
    }
}
