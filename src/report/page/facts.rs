//! The facts about a run: how to repeat it, what it cost, and what it found besides.

use super::recorder::VERDICTS;
use super::{Account, counted, escaped, number_of};
use crate::journal::Session;
use crate::oracle::Verdict;
use crate::oracle::command::quoted;
use crate::report::events::{Ending, Start};
use std::ffi::OsString;
use std::fmt::Write;

/// The command line of the run.
pub(super) fn command(start: &Start) -> String {
    line(&start.session)
}

/// The command line of a process.
pub(super) fn line(session: &Session) -> String {
    let words = session.arguments.iter();
    let words = words.map(|word| quoted(&OsString::from(word.clone()).to_string_lossy()));
    std::iter::once("lopper".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// How the run ended, in a sentence.
pub(super) fn end(ending: &Ending) -> String {
    match (ending.reason.as_str(), &ending.error) {
        (_, Some(error)) => format!("An error ended the run: {error}."),
        ("nothing-more", None) => "No pass finds anything more.".to_owned(),
        ("max-tests", None) => "The limit on runs of the test ended the reduction.".to_owned(),
        ("max-time", None) => "The limit on time ended the reduction.".to_owned(),
        ("asked", None) => "The user ended the reduction early.".to_owned(),
        _ => "The run was stopped before its end.".to_owned(),
    }
}

/// Names and values, in plain text.
pub(super) fn list(account: &Account) -> Vec<(&'static str, String)> {
    let Account { start, recorder, ending, .. } = account;
    let run = &start.run;
    let mut facts = vec![
        ("command", command(start)),
        ("folder", OsString::from(start.session.folder.clone()).to_string_lossy().into_owned()),
        ("test", start.test.clone()),
        (
            "version",
            format!(
                "lopper {}, language {}, goal {}, effort {}",
                run.lopper, run.language, run.goal, run.effort
            ),
        ),
    ];
    if let Some(algorithm) = &run.algorithm {
        facts.push(("algorithm", algorithm.clone()));
    }
    if let Some(failure) = &run.failure {
        facts.push(("failure", failure.clone()));
    }
    if !run.protect.is_empty() {
        facts.push(("protected", run.protect.join(", ")));
    }
    let follows = if run.limit_follows { ", falling as the runs become faster" } else { "" };
    let memory = run
        .memory()
        .map_or_else(|| "no limit on memory".to_owned(), |bytes| format!("{} MB of memory", bytes >> 20));
    facts.push(("limits of a run", format!("{:.2} s{follows}; {memory}", run.limit().as_secs_f64())));
    let (runs, hits) = recorder.runs;
    let seconds = recorder.time.as_secs_f64();
    facts
        .push(("runs", format!("{runs}, {seconds:.1} s in the test; {} reused", number_of(hits, "verdict"))));
    let counts = VERDICTS.iter().zip(recorder.counts).filter(|(_, count)| *count > 0);
    let counts: Vec<String> = counts.map(|((_, said), count)| format!("{said}: {count}")).collect();
    facts.push(("verdicts", counts.join("; ")));
    facts.push(("result", ending_place(start, ending)));
    if let Some(fingerprint) = &ending.fingerprint {
        facts.push(("fingerprint", fingerprint.clone()));
    }
    facts
}

fn ending_place(start: &Start, ending: &Ending) -> String {
    let Ending { tokens, bytes, lines, .. } = ending;
    format!(
        "{}: {}, {}, {}",
        start.output,
        counted(*tokens),
        number_of(*bytes, "byte"),
        number_of(*lines, "line")
    )
}

/// What the run found besides its result, in sentences.
pub(super) fn findings(account: &Account) -> Vec<String> {
    let recorder = account.recorder;
    let mut findings = Vec::new();
    if let Some(tally) = recorder.flicker {
        findings.push(format!(
            "The test flickers: it accepted the original in {} of {} runs.",
            tally.accepted, tally.runs
        ));
    }
    if recorder.retreats > 0 {
        findings.push(format!(
            "The best program turned out to be boring {}, and the run went back.",
            number_of(recorder.retreats, "time")
        ));
    }
    for ((verdict, said), count) in VERDICTS.iter().zip(recorder.counts) {
        if count > 0 && matches!(verdict, Verdict::TimedOut | Verdict::OutOfMemory) {
            findings.push(format!("For {}, {said}.", number_of(count, "candidate")));
        }
    }
    for other in recorder.others.values() {
        findings.push(format!(
            "A candidate of {} fails in another way: {}",
            counted(other.tokens),
            other.signature
        ));
    }
    for (pass, (message, count)) in &recorder.bugs {
        findings
            .push(format!("A bug in pass {pass} lost candidates ({}): {message}", number_of(*count, "time")));
    }
    findings
}

/// A text as HTML; what stands between two backticks is code.
pub(super) fn with_code(text: &str) -> String {
    let parts: Vec<String> = text.split('`').map(escaped).collect();
    if parts.len().is_multiple_of(2) {
        return parts.join("`");
    }
    let part = |(number, part): (usize, &String)| match number % 2 {
        0 => part.clone(),
        _ => format!("<code>{part}</code>"),
    };
    parts.iter().enumerate().map(part).collect()
}

/// Writes the facts and the findings.
pub(super) fn write(out: &mut String, account: &Account) {
    out.push_str("<h2>The run</h2>\n<table>\n<tbody>\n");
    for (name, value) in list(account) {
        let copy = if name == "command" { " <button data-copy=\"command\">Copy</button>" } else { "" };
        let is_code = matches!(name, "command" | "folder");
        let value =
            if is_code { format!("<code>{}</code>{copy}", escaped(&value)) } else { with_code(&value) };
        let _ = writeln!(out, "<tr><th>{name}</th><td>{value}</td></tr>");
    }
    out.push_str("</tbody>\n</table>\n");
    let findings = findings(account);
    if !findings.is_empty() {
        out.push_str("<h2>Findings</h2>\n<ul>\n");
        findings.iter().for_each(|finding| _ = writeln!(out, "<li>{}</li>", escaped(finding)));
        out.push_str("</ul>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_two_backticks_is_code() {
        assert_eq!(with_code("if `a<b` holds"), "if <code>a&lt;b</code> holds");
        assert_eq!(with_code("a ` and <b>"), "a ` and &lt;b&gt;");
    }
}
