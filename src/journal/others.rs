//! The smallest candidate of each other failure that a reduction meets: a second bug is a gift, not noise.

use super::record::Other;
use std::path::Path;

/// The number of failures that are kept: a signature that holds what changes from run to run would fill the disk.
const MOST: usize = 20;

/// The other failures, in the order in which they were first met.
#[derive(Clone, Debug, Default)]
pub struct Others(Vec<Other>);

impl Others {
    /// Takes a candidate that is the first or the smallest with its failure; returns its number, from 1.
    pub fn take(&mut self, other: &Other) -> Option<usize> {
        let known = self.0.iter().position(|known| known.signature == other.signature);
        let Some(at) = known else {
            if self.0.len() == MOST {
                return None;
            }
            self.0.push(other.clone());
            return Some(self.0.len());
        };
        let size = |other: &Other| (other.tokens, other.bytes);
        if size(other) >= size(&self.0[at]) {
            return None;
        }
        self.0[at] = other.clone();
        Some(at + 1)
    }

    /// The failures with their numbers.
    pub fn list(&self) -> impl Iterator<Item = (usize, &Other)> {
        (1..).zip(&self.0)
    }
}

/// The name of the file with the candidate of this number, for a reduction of the file `name`.
pub fn other_name(number: usize, name: &str) -> String {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
    ending.map_or_else(|| format!("other-{number}"), |ending| format!("other-{number}.{ending}"))
}
