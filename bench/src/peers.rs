//! Results of other reducers, measured elsewhere: a JSON line each, with `case`, `reducer`, `bytes`,
//! `tokens`, `calls` and `wall`.

use crate::record::{Record, Size};
use lopper::error::UserError;
use serde::Deserialize;
use std::path::Path;

#[derive(Debug, Deserialize)]
struct Peer {
    case: String,
    reducer: String,
    #[serde(default)]
    jobs: Option<u32>,
    #[serde(default = "yes")]
    ok: bool,
    #[serde(default)]
    timed_out: bool,
    bytes: usize,
    tokens: usize,
    calls: usize,
    wall: f64,
}

fn yes() -> bool {
    true
}

/// Reads such a file; the names of the reducers become configurations.
///
/// # Errors
///
/// If the file cannot be read, or has another form.
pub(crate) fn read(path: &Path) -> Result<Vec<Record>, UserError> {
    let failed = |e: String| UserError::usage(format!("'{}' cannot be used", path.display())).fact(e);
    let text = std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
    text.lines().map(|line| record(line).map_err(|e| failed(e.to_string()))).collect()
}

fn record(line: &str) -> Result<Record, serde_json::Error> {
    let Peer { case, reducer, jobs, ok, timed_out, bytes, tokens, calls, wall } = serde_json::from_str(line)?;
    Ok(Record {
        case,
        config: jobs.map_or_else(|| reducer.clone(), |jobs| format!("{reducer} (j{jobs})")),
        ok,
        end: if timed_out { "time" } else { "fixpoint" }.to_owned(),
        to: Size { tokens, bytes },
        runs: calls,
        wall,
        ..Record::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_becomes_a_record() -> Result<(), serde_json::Error> {
        let line = r#"{"case":"a","reducer":"x","jobs":2,"ok":true,"timed_out":true,"bytes":9,"tokens":3,"calls":5,"wall":1.5,"cpu":2}"#;
        let record = record(line)?;
        assert_eq!((record.config.as_str(), record.to.tokens, record.runs), ("x (j2)", 3, 5));
        assert!(record.is_cut_short());
        Ok(())
    }
}
