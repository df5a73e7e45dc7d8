//! The summary at the end: sizes, runs, time, the work of each pass; and the diff.

use crate::driver::PassStats;
use crate::run::Stats;
use lopper_engine::flicker::Tally;
use lopper_languages::measure::Measure;
use std::ffi::OsStr;
use std::fmt::Write;
use std::time::Duration;

/// The facts of a finished reduction.
#[derive(Debug)]
pub(crate) struct Summary<'a> {
    /// The number of files in the original and in the result, if there are several.
    pub(crate) files: Option<(usize, usize)>,
    /// The original and the result: measure and number of lines.
    pub(crate) before: (Measure, usize),
    /// See `before`.
    pub(crate) after: (Measure, usize),
    /// The statistics of the run.
    pub(crate) stats: &'a Stats,
    /// How often the test accepted the original, if it flickers.
    pub(crate) flicker: Option<Tally>,
    /// The wall time.
    pub(crate) time: Duration,
    /// The fingerprint of the result, if it has one.
    pub(crate) fingerprint: Option<&'a str>,
    /// The place of the result.
    pub(crate) output: &'a str,
}

impl Summary<'_> {
    /// The summary as text.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        let ((before, lines_before), (after, lines_after)) = (self.before, self.after);
        let files = self.files.map(|(from, to)| ("files", from, to));
        let sizes = [
            ("tokens", before.tokens, after.tokens),
            ("bytes", before.bytes, after.bytes),
            ("lines", lines_before, lines_after),
        ];
        for (unit, from, to) in files.into_iter().chain(sizes) {
            let _ = writeln!(out, "{unit:8} {from:>9} -> {to:<7} ({})", super::share(to, from));
        }
        let _ = writeln!(out, "{}", runs_line(self.stats));
        if let Some(original) = self.flicker {
            let _ = writeln!(out, "{}", super::flicker::line(original, self.stats));
        }
        let _ = writeln!(out, "time     {:>9.1} s", self.time.as_secs_f64());
        if let Some(fingerprint) = self.fingerprint {
            let _ = writeln!(out, "fingerprint  {fingerprint}");
        }
        let _ = writeln!(
            out,
            "\n{:16} {:>8} {:>8} {:>8} {:>6} {:>8} {:>8} {:>8}",
            "pass", "planned", "refused", "proposed", "runs", "accepted", "tokens", "bytes"
        );
        for (name, pass) in self.stats.passes.iter().filter(|(_, p)| p.proposed > 0) {
            let PassStats { planned, refused, proposed, runs, accepted, tokens, bytes } = pass;
            let _ = writeln!(
                out,
                "{name:16} {planned:>8} {refused:>8} {proposed:>8} {runs:>6} {accepted:>8} {:>8} {:>8}",
                -tokens, -bytes
            );
        }
        let _ = writeln!(out, "\n{}", super::visible_line(self.output));
        out
    }
}

/// The number of test runs, and their verdicts.
pub(super) fn runs_line(stats: &Stats) -> String {
    let Stats { runs, memo_hits, invalid, timed_out, out_of_memory, .. } = stats;
    let mut line = format!("runs     {runs:>9} ({memo_hits} verdicts reused, {invalid} could not tell");
    let _ = write!(line, ", {timed_out} timed out");
    if *out_of_memory > 0 {
        let _ = write!(line, ", {out_of_memory} out of memory");
    }
    line + ")"
}

/// The changes from `before` to `after`, as a unified diff.
pub(crate) fn diff<N: AsRef<OsStr> + ?Sized>(before: &[u8], after: &[u8], names: (&N, &N)) -> String {
    let (old, new) = (named(names.0.as_ref()), named(names.1.as_ref()));
    if before != after && (before.contains(&0) || after.contains(&0)) {
        return format!("Binary files {} and {} differ\n", old.trim_end(), new.trim_end());
    }
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let diff = similar::TextDiff::from_lines(&*before, &*after);
    diff.unified_diff().header(&old, &new).to_string()
}

/// A name in the header of a diff, as `patch` and `git apply` read it: on one line, whatever its bytes are, and with its
/// end marked if it has a space.
fn named(name: &OsStr) -> String {
    let is_odd = |c: char| c.is_control() || c == '"' || c == '\\';
    match name.to_str() {
        Some(plain) if !plain.contains(is_odd) && plain.contains(' ') => format!("{plain}\t"),
        Some(plain) if !plain.contains(is_odd) => plain.to_owned(),
        _ => {
            let byte = |&byte: &u8| match byte {
                b'"' | b'\\' => format!("\\{}", char::from(byte)),
                b' '..=b'~' => char::from(byte).to_string(),
                _ => format!("\\{byte:03o}"),
            };
            format!("\"{}\"", name.as_encoded_bytes().iter().map(byte).collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn a_name_in_a_diff_is_on_one_line_and_has_an_end() {
        let header = |name: &[u8]| {
            let text = diff(b"", b"a\n", (OsStr::new("x"), OsStr::from_bytes(name)));
            text.lines().nth(1).unwrap().to_owned()
        };
        assert_eq!(header("\u{e4}.c".as_bytes()), "+++ \u{e4}.c");
        assert_eq!(header(b"a b.c"), "+++ a b.c\t");
        assert_eq!(header(b"\xff\n\".c"), "+++ \"\\377\\012\\\".c\"");
        assert_eq!(diff(b"\0", b"", ("a b", "c")), "Binary files a b and c differ\n");
    }
}
