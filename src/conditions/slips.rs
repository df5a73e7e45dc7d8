//! Candidates that failed in another way, until the search asks for their verdicts.
//!
//! Workers also run candidates that the search then never asks for. Only those that it asks for are reported, so
//! that the report does not depend on the number of workers.

use super::Slip;
use crate::oracle::Contents;
use crate::oracle::contents::key;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The number of candidates that wait at most: far more than workers run ahead.
const MOST: usize = 512;

/// The candidates; see the module.
#[derive(Debug, Default)]
pub struct Slips(Mutex<VecDeque<(u128, Slip, Contents)>>);

impl Slips {
    /// Adds a candidate.
    pub fn add(&self, slip: Slip, candidate: &Contents) {
        let mut slips = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slips.len() == MOST {
            slips.pop_front();
        }
        slips.push_back((key(candidate), slip, candidate.clone()));
    }

    /// Removes and returns the candidate with this key, if it failed in another way.
    pub fn take(&self, key: u128) -> Option<(Slip, Contents)> {
        let mut slips = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = slips.iter().position(|(other, ..)| *other == key)?;
        slips.remove(at).map(|(_, slip, candidate)| (slip, candidate))
    }
}
