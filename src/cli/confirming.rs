//! Confirms generated texts by a test: keeps those that fail.

use super::Exit;
use super::limits::Limits;
use super::signals::catch_signals;
use crate::error::UserError;
use crate::generalization::verdicts;
use crate::oracle::command::TestCommand;
use crate::oracle::{Contents, Fault, NamedFile, Verdict};
use crate::report;
use crate::run::End;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The texts that a test accepts, and how the runs ended. The time of the first run limits the others.
pub(super) fn failing(
    limits: &Limits,
    test: &Path,
    name: &str,
    texts: Vec<Vec<u8>>,
) -> Result<(Vec<Vec<u8>>, Exit), UserError> {
    let Some(first) = texts.first() else { return Ok((texts, Exit::Reduced)) };
    let interrupt = catch_signals()?;
    let options = limits.options(Instant::now(), &interrupt)?;
    let first: Contents = vec![NamedFile::new(name, first.as_slice())];
    let command = TestCommand::program(test)?;
    let mut test = limits.test(command.into(), &[Arc::clone(&first[0].path)], &options, &interrupt)?;
    let candidates: Vec<Contents> = texts.iter().map(|text| vec![first[0].with(text.clone())]).collect();
    let ended = test.run_and_watch(&first).map(|run| {
        test.limit = limits.run(run.time);
        test.deadline = options.deadline;
        let mut listener = report::runs(limits.verbosity());
        let (verdicts, end, _) = verdicts(&candidates, &test, &options, &mut listener);
        (verdicts, end)
    });
    let left = test.close();
    if !left.is_empty() {
        report::remark(&super::left_behind(&left));
    }
    let (verdicts, end) = match ended {
        Ok((_, End::Broken(error))) | Err(Fault::Broken(error)) => return Err(error),
        Err(Fault::Interrupted | Fault::Cancelled) => return Ok((Vec::new(), Exit::Interrupted)),
        Ok(ended) => ended,
    };
    let is_failing = |verdict: &Verdict| *verdict == Verdict::Interesting;
    let invalid = verdicts.iter().filter(|verdict| **verdict == Verdict::Invalid).count();
    let tested = verdicts.len();
    let failing = texts.into_iter().zip(&verdicts).filter(|(_, verdict)| is_failing(verdict));
    let failing: Vec<Vec<u8>> = failing.map(|(text, _)| text).collect();
    report::remark(&format!("{} of {tested} texts fail, {invalid} are invalid", failing.len()));
    let exit = if matches!(end, End::Interrupted) { Exit::Interrupted } else { Exit::Reduced };
    Ok((failing, exit))
}
