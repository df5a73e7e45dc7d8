//! Why candidates were refused: the condition that did not hold, and what the test printed, in a line each. Kept for a page
//! about the run, and only until the search asks for the verdict.

use crate::oracle::executor::Run;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of remarks that wait at most: far more than workers run ahead.
const MOST: usize = 512;
/// The length of a remark, in characters, at most.
const LENGTH: usize = 160;

/// The remarks, by the keys of candidates; see the module.
#[derive(Debug, Default)]
pub struct Remarks {
    is_wanted: AtomicBool,
    waiting: Mutex<VecDeque<(u128, Arc<str>)>>,
}

impl Remarks {
    /// Keeps remarks from now on.
    pub fn want(&self) {
        self.is_wanted.store(true, Ordering::Relaxed);
    }

    /// Whether remarks are kept.
    pub fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::Relaxed)
    }

    /// Adds a remark on the candidate with this key: the condition that does not hold, if there are conditions, and the
    /// output.
    pub fn add(&self, key: u128, unmet: Option<&str>, run: &Run) {
        let text = run.text();
        let parts = [unmet, telling_line(&text)];
        let remark = parts.into_iter().flatten().map(brief).collect::<Vec<_>>().join("; ");
        if remark.is_empty() {
            return;
        }
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() == MOST {
            waiting.pop_front();
        }
        waiting.push_back((key, remark.into()));
    }

    /// Removes and returns the remark on the candidate with this key.
    pub fn take(&self, key: u128) -> Option<Arc<str>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let at = waiting.iter().position(|(other, _)| *other == key)?;
        waiting.remove(at).map(|(_, remark)| remark)
    }
}

/// The first line with an error, or else the first line that is not blank.
fn telling_line(text: &str) -> Option<&str> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.clone().next();
    lines.find(|line| line.to_lowercase().contains("error")).or(first)
}

/// The beginning of a line.
fn brief(line: &str) -> String {
    match line.char_indices().nth(LENGTH) {
        Some((end, _)) => line[..end].to_owned() + "…",
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_tells_more_than_the_first_line() {
        let text = "\na.c: In function 'f':\na.c:1: error: 'x' undeclared\na.c:2: error: more\n";
        assert_eq!(telling_line(text), Some("a.c:1: error: 'x' undeclared"));
        assert_eq!(telling_line("one\ntwo\n"), Some("one"));
        assert_eq!(telling_line(" \n"), None);
        assert_eq!(brief(&"ä".repeat(200)).chars().count(), LENGTH + 1);
    }
}
