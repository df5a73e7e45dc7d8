//! A closure as the test: what it panics with ends the reduction, and costs nothing that was found.

use crate::error::UserError;
use crate::oracle::{Contents, Fault, Test, Verdict};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A test that is a closure.
pub(super) struct Closure<F>(pub(super) F);

impl<F: Fn(&Contents) -> Verdict + Sync> Test for Closure<F> {
    fn run(&self, _worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        // What the closure leaves in disorder is its own: nothing of ours is behind it.
        let verdict = catch_unwind(AssertUnwindSafe(|| (self.0)(candidate)));
        verdict.map_err(|panic| Fault::Broken(panicked(&*panic)))
    }
}

fn panicked(panic: &(dyn Any + Send)) -> UserError {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    let error = UserError::bad_test("the test panicked");
    let error = text.into_iter().fold(error, UserError::fact);
    error.help("let it return Verdict::Invalid where it cannot tell whether the failure is there")
}
