//! A closure as the test. If it panics, the reduction ends with the best program so far.

use crate::error::UserError;
use crate::oracle::{Contents, Fault, Test, Verdict};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A closure as the test.
pub(super) struct Closure<F>(pub(super) F);

impl<F: Fn(&Contents) -> Verdict + Sync> Test for Closure<F> {
    fn run(&self, _worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        // Only the closure's own data can be left inconsistent: it holds none of ours.
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
