//! The processes of a test, as far as the system can keep them together.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{Group, Guard, LISTING, SHORTCOMING, number_of, prepare, status_of, wait};
#[cfg(windows)]
pub(crate) use windows::{Group, Guard, LISTING, SHORTCOMING, number_of, prepare, status_of, wait};
