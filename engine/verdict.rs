//! What the test says of a candidate.

/// What the user's test says of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The failure is reproduced.
    Interesting,
    /// A valid run without the failure.
    Boring,
    /// Cannot tell: the test ended with exit code 125, as for `git bisect run`.
    Invalid,
    /// The test took longer than its limit.
    TimedOut,
    /// The test held more memory than its limit.
    OutOfMemory,
}

impl From<bool> for Verdict {
    /// Whether the failure is there.
    fn from(is_there: bool) -> Self {
        if is_there { Self::Interesting } else { Self::Boring }
    }
}
