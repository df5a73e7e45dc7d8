//! How a run failed: its exit code or signal, and the text that names the failure.

use super::cleaning::{cleaned, escaped, loosened};
use super::condition::signal_name;
use super::marks::{FORMS, Form, Frames, Which};
use crate::oracle::Contents;
use crate::oracle::executor::Run;
use crate::platform;
use regex::bytes::{Captures, Regex, RegexBuilder};
use std::fmt;
use std::sync::LazyLock;

/// The failure of a run, without all that changes from run to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// How the run ended.
    end: End,
    /// The report, if there is one.
    mark: Option<Mark>,
    is_crash: bool,
}

/// A cleaned report.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mark {
    report: String,
    /// The function at the top of the stack trace.
    frame: Option<String>,
    /// Whether this is a crash, and the program reports no ordinary error before it: a compiler that crashes after an
    /// error stumbles over its own repairs, which is another failure.
    comes_first: bool,
}

/// An ordinary error, as compilers report the errors of a program. sed understands this expression, too.
pub const ORDINARY_ERROR: &str = concat!(
    r"^([^[:space:]].*[:)] )?(FATAL |[Ff]atal |SYNTAX |[Ss]yntax )?(ERROR|[Ee]rror)",
    r"(\[[[:alnum:]_]+\]| [A-Z]*[0-9]+)?:([[:space:]]|$)",
);

static ORDINARY: LazyLock<Option<Regex>> = LazyLock::new(|| regex(ORDINARY_ERROR));

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Code(i32),
    Signal(i32),
    Limit,
}

/// A failure other than the one that is looked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slip {
    /// What names the failure; candidates with the same signature fail in the same way.
    pub signature: String,
}

impl Slip {
    /// The failure that a script reports: the last line of its output names it.
    pub(super) fn told(run: &Run) -> Self {
        let line = run.last_lines(1).pop().unwrap_or_default();
        let signature =
            if line.trim().is_empty() { "another failure".to_owned() } else { line.trim().to_owned() };
        Self { signature }
    }
}

/// The character between the parts of a report in a journal. No report contains it.
const SEPARATOR: char = '\u{1f}';
/// The last of these parts, if no ordinary error comes before the report.
const FIRST: &str = "first";

/// A form of report, ready for use.
struct Matcher {
    form: &'static Form,
    report: Regex,
    needs: Option<Regex>,
    frame: Option<[Regex; 2]>,
}

/// An expression whose `^` and `$` are the ends of lines.
fn regex(text: &str) -> Option<Regex> {
    RegexBuilder::new(text).multi_line(true).build().ok()
}

static MATCHERS: LazyLock<Vec<Matcher>> = LazyLock::new(|| {
    let frames = |frames: &Frames| Some([regex(frames.frame)?, regex(frames.handler)?]);
    let matcher = |form: &'static Form| {
        let frame = form.frame.and_then(frames);
        Some(Matcher { form, report: regex(form.report)?, needs: form.needs.and_then(regex), frame })
    };
    FORMS.iter().filter_map(matcher).collect()
});

impl Failure {
    /// The failure of a run on a candidate. In O(length of the output).
    pub fn of(run: &Run, candidate: &Contents) -> Self {
        let end = match run.status {
            Ok(status) => {
                platform::signal_of(status).map_or(End::Code(status.code().unwrap_or(0)), End::Signal)
            }
            Err(_) => End::Limit,
        };
        let [stdout, stderr] = &run.output;
        let found = MATCHERS.iter().find_map(|matcher| {
            [stderr, stdout]
                .into_iter()
                .find_map(|output| Some((matcher.form, matcher.mark(output, candidate)?)))
        });
        let died = matches!(end, End::Signal(_)) || matches!(end, End::Code(129..=159));
        let is_crash = died || found.as_ref().is_some_and(|(form, _)| form.is_crash);
        Self { end, mark: found.map(|(_, mark)| mark), is_crash }
    }

    /// Whether this tells the failure from others: a success without a report does not.
    pub fn is_one(&self) -> bool {
        let is_reported = self.mark.is_some() && (self.is_crash || self.end != End::Code(0));
        is_reported || matches!(self.end, End::Signal(_) | End::Code(2..))
    }

    /// What this failure and another of the same candidate have in common; `None` if they end differently.
    pub fn common(self, other: &Self) -> Option<Self> {
        let marks = self.mark.zip(other.mark.as_ref());
        let mark = marks.and_then(|(mark, other)| mark.common(other));
        (self.end == other.end).then_some(Self { end: self.end, mark, is_crash: self.is_crash })
    }

    /// Whether a candidate with this failure fails as the original does. If that reports no ordinary error before its
    /// crash, neither does the candidate.
    pub fn is_like(&self, original: &Self) -> bool {
        let has_mark = match (&self.mark, &original.mark) {
            (Some(own), Some(wanted)) => own.is_same(wanted) && (own.comes_first || !wanted.comes_first),
            (own, wanted) => own.is_none() && wanted.is_none(),
        };
        has_mark && self.end == original.end && self.is_crash == original.is_crash
    }

    /// This failure as a find of its own: only if it is a bug of the tool that runs.
    pub(super) fn slip(&self) -> Option<Slip> {
        let signature = self.mark.as_ref().map_or_else(|| self.end.to_string(), ToString::to_string);
        self.is_crash.then_some(Slip { signature })
    }

    /// The form in a journal, which [`Failure::recorded`] reads.
    pub fn record(&self) -> String {
        let end = match self.end {
            End::Code(code) => format!("code {code}"),
            End::Signal(signal) => format!("signal {signal}"),
            End::Limit => "limit 0".to_owned(),
        };
        let crash = if self.is_crash { "crash" } else { "error" };
        self.mark.as_ref().map_or(format!("{end} {crash}"), |Mark { report, frame, comes_first }| {
            let frame = frame.as_deref().unwrap_or_default();
            let first = if *comes_first { FIRST } else { "" };
            format!("{end} {crash} {report}{SEPARATOR}{frame}{SEPARATOR}{first}")
        })
    }

    /// Reads what [`Failure::record`] has written; `None` if it is damaged.
    pub fn recorded(text: &str) -> Option<Self> {
        let mut words = text.splitn(4, ' ');
        let (kind, number) = (words.next()?, words.next()?.parse().ok()?);
        let end = match kind {
            "code" => End::Code(number),
            "signal" => End::Signal(number),
            "limit" => End::Limit,
            _ => return None,
        };
        let is_crash = words.next()? == "crash";
        let mark = words.next().map(|text| {
            let mut parts = text.split(SEPARATOR);
            let report = parts.next().unwrap_or_default().to_owned();
            let frame = parts.next().filter(|frame| !frame.is_empty()).map(str::to_owned);
            Mark { report, frame, comes_first: parts.next() == Some(FIRST) }
        });
        Some(Self { end, mark, is_crash })
    }

    /// The exit code by which a shell reports the end.
    pub fn shell_status(&self) -> i32 {
        match self.end {
            End::Code(code) => code,
            End::Signal(signal) => 128 + signal,
            End::Limit => 124,
        }
    }

    /// An extended regular expression for grep that finds the report in an output in which every run of white space
    /// was replaced by one space; `None` if there is no report.
    pub fn pattern(&self) -> Option<String> {
        let Mark { report, frame, .. } = self.mark.as_ref()?;
        let frame = frame.as_ref().map_or_else(String::new, |frame| format!(".*{}", escaped(frame)));
        Some(format!("{}{frame}", loosened(report)))
    }

    /// As [`Failure::pattern`], for the report without the stack trace; `None` if ordinary errors may come before it.
    pub fn pattern_before_errors(&self) -> Option<String> {
        self.mark.as_ref().filter(|mark| mark.comes_first).map(|mark| loosened(&mark.report))
    }
}

impl Matcher {
    /// The cleaned text that names the failure.
    fn mark(&self, output: &[u8], candidate: &Contents) -> Option<Mark> {
        if self.needs.as_ref().is_some_and(|needs| !needs.is_match(output)) {
            return None;
        }
        let mut reports = self.report.captures_iter(output);
        let report = match self.form.which {
            Which::First => reports.next(),
            Which::Last => reports.last(),
        }?;
        let text = group(&report)?;
        let line = String::from_utf8_lossy(text.as_bytes());
        let report = cleaned(&line, candidate, self.form.keeps_quotes);
        let before = &output[..text.start()];
        let lines = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let has_errors = ORDINARY.as_ref().is_some_and(|error| error.is_match(&before[..lines]));
        let comes_first = self.form.is_crash && !has_errors;
        Some(Mark { report, frame: self.frame(&output[text.end()..]), comes_first })
    }

    /// The first function in the stack trace below the frames that handle the failure.
    fn frame(&self, trace: &[u8]) -> Option<String> {
        /// The frames that are looked at: a deep recursion has thousands.
        const FRAMES: usize = 12;
        let [frame, handler] = self.frame.as_ref()?;
        let start = group(&frame.captures(trace)?)?.start();
        let frames = frame.captures_iter(first_stack(trace, start)).take(FRAMES);
        let names: Vec<&[u8]> = frames.filter_map(|found| Some(group(&found)?.as_bytes())).collect();
        let first = names.iter().rposition(|name| handler.is_match(name)).map_or(0, |last| last + 1);
        names.get(first).or(names.last()).map(|name| String::from_utf8_lossy(name).trim().to_owned())
    }
}

impl Mark {
    /// Whether two reports name the same failure.
    fn is_same(&self, other: &Self) -> bool {
        self.report == other.report && self.frame == other.frame
    }

    /// What two reports of the same candidate have in common, if they name the same failure.
    fn common(self, other: &Self) -> Option<Self> {
        let comes_first = self.comes_first && other.comes_first;
        self.is_same(other).then_some(Self { comes_first, ..self })
    }
}

/// The lines of a stack trace, from that of its first frame on: a sanitizer also shows where memory was freed and
/// allocated.
fn first_stack(trace: &[u8], first: usize) -> &[u8] {
    let start = trace[..first].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let lines = trace[start..].split_inclusive(|&byte| byte == b'\n');
    let belongs =
        |line: &&[u8]| matches!(line.first(), Some(b' ' | b'\t' | b'#')) && !line.trim_ascii().is_empty();
    let length: usize = lines.take_while(belongs).map(<[u8]>::len).sum();
    &trace[start..start + length]
}

/// The first group that took part in a match.
fn group<'t>(found: &Captures<'t>) -> Option<regex::bytes::Match<'t>> {
    found.iter().skip(1).flatten().next()
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report)?;
        self.frame.as_ref().map_or(Ok(()), |frame| write!(f, " in {frame}"))
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exits with code {code}"),
            Self::Signal(signal) => write!(f, "dies by {}", signal_name(*signal)),
            Self::Limit => f.write_str("reaches a limit"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.end)?;
        let Some(mark) = &self.mark else { return Ok(()) };
        write!(f, " and reports \"{mark}\"")?;
        if mark.comes_first { f.write_str(" with no ordinary error before it") } else { Ok(()) }
    }
}
