//! The user's request to stop, as a flag that a handler of the console sets.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that is set when the user wants to stop, and stays so.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// An interrupt from a flag.
    pub fn new(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }

    /// An interrupt that is never raised.
    ///
    /// # Errors
    /// Never.
    pub fn never() -> io::Result<Self> {
        Ok(Self(Arc::default()))
    }

    /// Whether the user wants to stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
