//! The page about an isolation: what it tells of the run.

use super::Arguments;
use super::answer::ending;
use super::inputs::Input;
use crate::isolation::Isolation;
use crate::journal::Session;
use crate::output;
use crate::report;
use crate::report::page::{self, Isolated};
use lopper_engine::isolate::inputs::{Made, files};
use std::time::Instant;

/// The course of a run.
pub(super) struct Course<'a> {
    /// How Lopper was started.
    pub(super) session: &'a Session,
    /// When it was started.
    pub(super) start: Instant,
    /// The test, in a sentence.
    pub(super) test: String,
    /// For each saved pair of inputs, the runs before, and the number of parts in which they differ.
    pub(super) steps: Vec<(usize, usize)>,
    /// All runs.
    pub(super) runs: usize,
}

impl Course<'_> {
    /// Writes the page, if the user wants one; the result does not depend on it.
    pub(super) fn publish(&self, arguments: &Arguments, input: &Input, isolation: &Isolation, answer: &str) {
        let Some(path) = &arguments.report else { return };
        let page = self.page(arguments, input, isolation, answer);
        match output::write(path, page.as_bytes()) {
            Err(error) => report::error(&error),
            Ok(()) if arguments.limits.quiet => {}
            Ok(()) => report::remark(&format!("the page about the run is in '{}'", path.display())),
        }
    }

    fn page(&self, arguments: &Arguments, input: &Input, isolation: &Isolation, answer: &str) -> String {
        let failing = files(&input.changes, &isolation.best[1]).unwrap_or_default();
        page::isolation(&Isolated {
            session: self.session,
            facts: vec![
                ("test", self.test.clone()),
                ("mode", arguments.mode.name().to_owned()),
                ("end", ending(isolation)),
                ("runs", format!("{}, in {:.1} s", self.runs, self.start.elapsed().as_secs_f64())),
                ("version", format!("lopper {}", env!("CARGO_PKG_VERSION"))),
            ],
            answer,
            steps: &self.steps,
            runs: self.runs,
            failing: failing.iter().map(|file| (file.path.display().to_string(), file.to_vec())).collect(),
        })
    }
}

/// The number of parts in which two results differ.
pub(super) fn differing([passing, failing]: &[Made; 2]) -> usize {
    let of_one = |(passing, failing): (&Vec<usize>, &Vec<usize>)| {
        failing.iter().filter(|part| passing.binary_search(part).is_err()).count()
    };
    passing.iter().zip(failing).map(of_one).sum()
}
