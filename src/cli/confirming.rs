//! Confirms generated texts by a test: keeps those that fail.

use super::Exit;
use super::limits::Limits;
use super::signals::catch_signals;
use crate::error::UserError;
use crate::generalization::verdicts;
use crate::oracle::command::TestCommand;
use crate::oracle::ground::Ground;
use crate::oracle::{Contents, Fault, NamedFile, Verdict};
use crate::report;
use crate::run::End;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The texts that a test accepts.
#[derive(Debug)]
pub(super) struct Confirmed {
    pub(super) failing: Vec<Vec<u8>>,
    /// The numbers of texts that the test judged, and of those that are invalid.
    pub(super) tested: usize,
    pub(super) invalid: usize,
    /// How the runs ended.
    pub(super) exit: Exit,
}

/// Runs a test on texts, each in a file of this name. The time of the first run limits the others: that is a run
/// on the example, which the test has to accept, or else on the first text.
///
/// # Errors
/// If the test cannot be run, or does not accept the example.
pub(super) fn confirmed(
    limits: &Limits,
    test: &Path,
    name: &str,
    example: Option<&[u8]>,
    texts: Vec<Vec<u8>>,
) -> Result<Confirmed, UserError> {
    let none = |exit| Confirmed { failing: Vec::new(), tested: 0, invalid: 0, exit };
    let Some(first) = example.or_else(|| texts.first().map(Vec::as_slice)) else {
        return Ok(none(Exit::Reduced));
    };
    let interrupt = catch_signals()?;
    let options = limits.options(Instant::now(), &interrupt)?;
    let first: Contents = vec![NamedFile::new(name, first)];
    let command = TestCommand::program(test)?;
    let mut test = limits.test(
        command.into(),
        &[Arc::clone(&first[0].path)],
        Ground::default(),
        &options,
        &interrupt,
    )?;
    let candidates: Vec<Contents> = texts.iter().map(|text| vec![first[0].with(text.clone())]).collect();
    let ended = test.run_and_watch(&first).and_then(|judgement| {
        if example.is_some() && judgement.verdict != Verdict::Interesting {
            let error = UserError::bad_test("the test does not accept the pattern's own example");
            return Err(Fault::Broken(error));
        }
        test.limit = limits.run(judgement.time);
        test.deadline = options.deadline;
        let mut listener = report::runs(limits.verbosity());
        let (verdicts, end, _) = verdicts(&candidates, &test, &options, &mut listener);
        Ok((verdicts, end))
    });
    let left = test.close();
    if !left.is_empty() {
        report::remark(&super::left_behind(&left));
    }
    let (verdicts, end) = match ended {
        Ok((_, End::Broken(error))) | Err(Fault::Broken(error)) => return Err(error),
        Err(Fault::Interrupted | Fault::Cancelled) => return Ok(none(Exit::Interrupted)),
        Ok(ended) => ended,
    };
    let invalid = verdicts.iter().filter(|verdict| **verdict == Verdict::Invalid).count();
    let failing = texts.into_iter().zip(&verdicts).filter(|(_, verdict)| **verdict == Verdict::Interesting);
    let exit = if matches!(end, End::Interrupted) { Exit::Interrupted } else { Exit::Reduced };
    Ok(Confirmed { failing: failing.map(|(text, _)| text).collect(), tested: verdicts.len(), invalid, exit })
}
