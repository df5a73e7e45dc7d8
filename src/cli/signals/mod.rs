//! How the user ends a run from outside: one file per system.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(super) use unix::{catch_signals, prepare};
#[cfg(windows)]
pub(super) use windows::{catch_signals, prepare};
