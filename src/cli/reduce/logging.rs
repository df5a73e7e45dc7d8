//! The debug log's lines about a run as a whole: its beginning, its end, and panics.

use crate::cli::size::shown;
use crate::conditions::Judgement;
use crate::error::UserError;
use crate::journal::{Header, Log, Session};
use crate::oracle::command::quoted;
use crate::platform;
use crate::run::Options;
use lopper_languages::measure::Measure;
use std::backtrace::Backtrace;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

/// Logs the command line, the options and the machine.
pub(super) fn begin(log: &Log, session: &Session, options: &Options) {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let Session { process, arguments, folder } = session;
    log.note(&format!("lopper {}, process {process}, {since} s since 1970", env!("CARGO_PKG_VERSION")));
    let words = arguments.iter().map(|word| quoted(&OsString::from(word.clone()).to_string_lossy()));
    let words = std::iter::once("lopper".to_owned()).chain(words).collect::<Vec<_>>().join(" ");
    log.note(&format!("command: {words}"));
    log.note(&format!("in: {}", OsString::from(folder.clone()).to_string_lossy()));
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    let memory = platform::memory().map_or_else(|| "unknown".to_owned(), shown);
    log.note(&format!("on: {system} {machine}, {processors} processors, memory {memory}"));
    log.note(&format!("workers: {}", options.jobs));
}

/// Logs the input, the passes and the limits.
pub(super) fn describe(log: &Log, header: &Header, unused: &[&str], size: &Measure, first: &Judgement) {
    let Header { name, language, .. } = header;
    let Measure { tokens, bytes, lines, .. } = size;
    log.note(&format!(
        "input: {}, {bytes} bytes, {lines} lines, {tokens} tokens, language {language}",
        quoted(name)
    ));
    match &header.algorithm {
        Some(algorithm) => log.note(&format!("algorithm: {algorithm}")),
        None => log.note(&format!(
            "search: {}, {} passes; not used: {}",
            header.search,
            header.passes.len(),
            if unused.is_empty() { "none".to_owned() } else { unused.join(", ") }
        )),
    }
    let seconds = header.limit().as_secs_f64();
    log.note(&format!("limits of one test: {seconds} s, memory {}", shown(header.memory)));
    log.note(&format!("first test: {:.3} s", first.time.as_secs_f64()));
}

/// Logs the end of the run.
pub(super) fn end(log: &Log, ending: &str, summary: &str, error: Option<&UserError>) {
    log.note(&format!("end: {ending}\n{}", summary.trim_end()));
    if let Some(error) = error {
        log.note(&format!("error: {error}"));
    }
    if let Some(bytes) = platform::peak_memory() {
        log.note(&format!("Lopper itself held {} of memory at most", shown(bytes)));
    }
    if log.left_out() > 0 {
        log.note(&format!("{} lines were left out, since the log is full", log.left_out()));
    }
}

/// Sends panics to the log. A panic in a pass costs only its candidate; any other ends the command.
pub(super) fn log_panics(log: Arc<Log>) {
    /// The number of panics with a backtrace: further ones tell nothing new, and each takes time.
    const TRACED: usize = 20;
    let seen = AtomicUsize::new(0);
    std::panic::set_hook(Box::new(move |panic| {
        if seen.fetch_add(1, Ordering::Relaxed) < TRACED {
            log.note(&format!("{panic}\n{}", Backtrace::force_capture()));
        }
    }));
}
