//! The page about an isolation: the results and their differences, the run, and its course. It needs no script.

use super::{POLICY, curve, escaped, facts};
use crate::journal::Session;
use std::fmt::Write;

/// The bytes of a result that are shown, at most.
const SHOWN: usize = 1 << 20;

/// All that the page tells.
pub(crate) struct Isolated<'a> {
    /// How Lopper was started.
    pub(crate) session: &'a Session,
    /// Names and values.
    pub(crate) facts: Vec<(&'static str, String)>,
    /// What was printed: the sizes, and the differences.
    pub(crate) answer: &'a str,
    /// For each saved pair of inputs, the runs before, and the number of parts in which they differ.
    pub(crate) steps: &'a [(usize, usize)],
    /// All runs.
    pub(crate) runs: usize,
    /// The smallest failing inputs, with their names.
    pub(crate) failing: Vec<(String, Vec<u8>)>,
}

/// The page, in HTML.
pub(crate) fn isolation(isolated: &Isolated) -> String {
    let Isolated { session, facts, answer, steps, runs, failing } = isolated;
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Isolation – Lopper</title>\n<style>\n{}</style>\n\
         </head>\n<body>\n<h1>What makes the test fail</h1>\n<h2>The difference</h2>\n<pre>{}</pre>\n",
        include_str!("page.css"),
        escaped(answer),
    );
    for (name, text) in failing {
        let shown = &text[..text.len().min(SHOWN)];
        let more = if shown.len() < text.len() { "\n…" } else { "" };
        let text = escaped(&String::from_utf8_lossy(shown));
        let _ = writeln!(out, "<h2>The failing input: {}</h2>\n<pre>{text}{more}</pre>", escaped(name));
    }
    out.push_str("<h2>The run</h2>\n<table>\n<tbody>\n");
    let command = facts::line(session);
    let _ = writeln!(out, "<tr><th>command</th><td><code>{}</code></td></tr>", escaped(&command));
    for (name, value) in facts {
        let _ = writeln!(out, "<tr><th>{name}</th><td>{}</td></tr>", facts::with_code(value));
    }
    let points: Vec<(f64, usize)> = steps.iter().map(|(runs, parts)| (*runs as f64, *parts)).collect();
    let curve = curve::svg(&points, *runs as f64, "runs of the test", "parts of difference");
    let _ = write!(
        out,
        "</tbody>\n</table>\n<h2>The course</h2>\n<div class=\"curves\">\n{curve}\n</div>\n</body>\n</html>\n"
    );
    out
}
