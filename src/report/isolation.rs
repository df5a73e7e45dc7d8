//! The results of `lopper isolate`: a passing and a failing input, and their difference.

use super::summary::runs_line;
use super::{Verbosity, diff, line};
use crate::error::UserError;
use crate::oracle::Verdict;
use crate::oracle::{Contents, NamedFile};
use crate::run::{Event, Stats};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The number of parts of a difference that are shown one by one, and the length of each, in characters.
const SHOWN: usize = 12;
const LENGTH: usize = 40;

/// One of the two inputs.
#[derive(Debug)]
pub(crate) struct Side {
    /// The number of its parts.
    pub(crate) count: usize,
    /// Its files.
    pub(crate) files: Contents,
    /// The path at which it was saved.
    pub(crate) place: Option<String>,
}

/// The result for an input.
#[derive(Debug)]
pub(crate) struct Finding<'a> {
    /// The input's path.
    pub(crate) input: &'a str,
    /// The noun for its parts.
    pub(crate) noun: &'a str,
    /// The number of its parts.
    pub(crate) total: usize,
    /// The passing input.
    pub(crate) passing: Side,
    /// The failing input.
    pub(crate) failing: Side,
    /// The parts that only the failing input has.
    pub(crate) difference: Vec<&'a str>,
    /// The reason why there is no passing input.
    pub(crate) remark: Option<String>,
}

impl Finding<'_> {
    /// The triple and the difference, as text.
    pub(crate) fn text(&self) -> String {
        let plural = |count| if count == 1 { "" } else { "s" };
        let (noun, total) = (self.noun, self.total);
        let mut out = format!("{}: {total} {noun}{}\n", self.input, plural(total));
        for (name, side) in [("passing", &self.passing), ("failing", &self.failing)] {
            let place = side.place.as_deref().unwrap_or("");
            let remark = self.remark.as_deref().filter(|_| name == "passing").unwrap_or(place);
            let _ = writeln!(out, "{}", format!("{name:11} {:>6}  {remark}", side.count).trim_end());
        }
        let _ = writeln!(out, "{:11} {:>6}  {}", "difference", self.difference.len(), self.parts());
        let name = |side: &Side, word: &str| side.place.clone().unwrap_or_else(|| word.to_owned());
        let names = (name(&self.passing, "passing"), name(&self.failing, "failing"));
        for path in self.paths() {
            let text = |side: &Side| {
                let found = side.files.iter().find(|file| *file.path == *path);
                found.map(|found| found.content.to_vec()).unwrap_or_default()
            };
            // The path below the input folder.
            let inside: PathBuf = path.components().skip(1).collect();
            let inside =
                if inside == Path::new("") { String::new() } else { format!("/{}", inside.display()) };
            let names = (format!("{}{inside}", names.0), format!("{}{inside}", names.1));
            out += &diff(&text(&self.passing), &text(&self.failing), (&names.0, &names.1));
        }
        out
    }

    /// The parts of the difference, if they are few and short enough.
    fn parts(&self) -> String {
        let shown = |part: &&str| {
            let mut chars = part.trim_end_matches('\n').chars();
            let begun: String = chars.by_ref().take(LENGTH).collect();
            let rest = if chars.next().is_some() { "..." } else { "" };
            format!("{begun:?}{rest}")
        };
        let mut parts: Vec<String> = self.difference.iter().take(SHOWN).map(shown).collect();
        if self.difference.len() > SHOWN {
            parts.push("...".to_owned());
        }
        parts.join(" ")
    }

    /// The paths of all files that differ, sorted.
    fn paths(&self) -> BTreeSet<&Path> {
        let (passing, failing) = (&self.passing.files, &self.failing.files);
        let differs = |file: &&NamedFile| !passing.contains(file) || !failing.contains(file);
        passing.iter().chain(failing).filter(differs).map(|file| &*file.path).collect()
    }
}

/// The numbers of test runs, and the time.
pub(crate) fn effort(stats: &Stats, time: Duration) -> String {
    format!("{}\ntime     {:>9.1} s", runs_line(stats), time.as_secs_f64())
}

/// A listener that prints every run of the test, if the verbosity asks for it.
pub(crate) fn runs(verbosity: Verbosity) -> impl FnMut(&Event) -> Result<(), UserError> {
    move |event| {
        if let (Event::Tested { verdict, stats, .. }, Verbosity::Verbose) = (event, verbosity) {
            line(&format!("{:>6}  {}", stats.runs, said(*verdict)));
        }
        Ok(())
    }
}

/// A verdict on an input, in words.
pub(crate) fn said(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Interesting => "fails",
        Verdict::Boring => "passes",
        Verdict::Invalid => "cannot tell",
        Verdict::TimedOut => "takes too long",
        Verdict::OutOfMemory => "takes too much memory",
    }
}
