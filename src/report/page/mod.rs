//! The page of a run: its result, its course, and why each token of the result is still there. One file without any
//! other, readable without scripts.

mod curve;
mod edits;
mod facts;
mod film;
mod markdown;
mod recorder;
mod result;
mod why;

pub(crate) use markdown::markdown;
pub(crate) use recorder::{Recorder, as_one};

use super::events::{Ending, Start};
use super::visible;
use lopper_languages::Language;
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

/// What a page may load and run: nothing from elsewhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// The page, in HTML.
pub(crate) fn html(account: &Account) -> String {
    let Account { start, recorder, ending, result, .. } = account;
    let name = escaped(&start.run.name);
    let share = 100.0 * ending.tokens as f64 / start.tokens.max(1) as f64;
    let film = film::film(recorder);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{name} – Lopper</title>\n<style>\n{}</style>\n\
         </head>\n<body>\n<h1>{name}: {} → {}</h1>\n\
         <p class=\"dim\">{share:.1} % of the tokens are left: {} of {} bytes, {} of {} lines. {}</p>\n",
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
    if tokens == 1 { "1 token".to_owned() } else { format!("{tokens} tokens") }
}

/// The pass that proposed a candidate.
fn said_by(pass: Option<&str>) -> &str {
    pass.unwrap_or("return to an earlier program")
}

fn write_curves(out: &mut String, Account { start, recorder, .. }: &Account) {
    let curve = |x: fn(&Step) -> f64, end: f64, name: &str| {
        let steps = recorder.steps.iter().map(|step| (x(step), step.tokens));
        let points: Vec<(f64, usize)> = std::iter::once((0.0, start.tokens)).chain(steps).collect();
        curve::svg(&points, end, name)
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
