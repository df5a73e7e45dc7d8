//! The user's request to stop, in the form in which each system can wait for it.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::Interrupt;
#[cfg(windows)]
pub use windows::Interrupt;
