//! Tries a grammar in another process, both sides: a grammar that crashes or hangs costs that process only.

use super::loading::{load, unusable};
use super::{Exit, given};
use crate::error::UserError;
use crate::oracle;
use crate::platform;
use lopper_languages::Parsed;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of the subcommand, which is for Lopper itself.
const SUBCOMMAND: &str = "rehearse";
/// How long a grammar may take to be compiled and loaded.
const COMPILING: Duration = Duration::from_secs(600);
/// How long it may take to parse the shortest text, and each further piece of this many bytes.
const PARSING: Duration = Duration::from_secs(10);
const PIECE: usize = 100 << 10;
/// The bytes that are parsed at most besides the text itself, and the texts.
const MOST: usize = 2 << 20;
const VERSIONS: usize = 64;

/// Loads a grammar, and parses a text and broken versions of it.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The grammar, as --grammar-lib takes it
    grammar: String,
    /// The text
    file: Option<PathBuf>,
}

/// The side of the other process.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let (loaded, _) = load(&arguments.grammar)?;
    let language = loaded.into_language().map_err(|e| unusable(&arguments.grammar).fact(e.to_string()))?;
    let Some(file) = &arguments.file else { return Ok(Exit::Reduced) };
    let text = given::read(file)?;
    Parsed::new(language, text.clone());
    let versions = (MOST / text.len().max(1)).min(VERSIONS);
    for version in 0..versions {
        let length = text.len() / versions;
        // One without a part of the text, and one that ends there.
        let (from, to) = (version * length, (version + 1) * length);
        Parsed::new(language, [&text[..from], &text[to..]].concat());
        Parsed::new(language, text[..from].to_vec());
    }
    Ok(Exit::Reduced)
}

/// Tries the grammar on a text in another process.
///
/// # Errors
/// If it crashes or hangs. If it cannot be loaded, there is no error: loading it here says why.
pub(super) fn rehearse(grammar: &str, text: &[u8]) -> Result<(), UserError> {
    let failed = |e: std::io::Error| UserError::usage("the grammar cannot be tried").fact(e.to_string());
    let mut file = tempfile::NamedTempFile::new().map_err(failed)?;
    file.write_all(text).map_err(failed)?;
    let arguments: Vec<OsString> = vec![SUBCOMMAND.into(), grammar.into(), file.path().into()];
    let parsing = PARSING.saturating_mul(1 + u32::try_from(text.len() / PIECE).unwrap_or(u32::MAX));
    let loading = if Path::new(grammar).is_dir() { COMPILING } else { PARSING };
    let attempts =
        [(&arguments[..2], loading, "when it was loaded"), (&arguments[..], parsing, "on this file")];
    for (arguments, limit, when) in attempts {
        let Some(status) = oracle::rehearse(arguments, limit).map_err(failed)? else {
            return Err(unusable(grammar)
                .fact(format!("it took more than {} s {when}", limit.as_secs()))
                .help(AS_TEXT));
        };
        let signal = platform::signal_of(status);
        if signal.is_some_and(|signal| [SIGINT, SIGTERM].contains(&signal)) {
            return Err(UserError::interrupted());
        }
        let how = signal.map_or_else(|| status.to_string(), |signal| format!("signal {signal}"));
        match status.code() {
            Some(0) => {}
            // An error that the user can fix.
            Some(2) => return Ok(()),
            _ => {
                return Err(unusable(grammar)
                    .fact(format!("it crashed {when}, in a process of its own: {how}"))
                    .help(AS_TEXT));
            }
        }
    }
    Ok(())
}

const AS_TEXT: &str = "without a grammar, --language text reduces any file";
