//! Verdicts: what the test decides about a candidate.

/// The verdict of the user's test on a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The failure is reproduced.
    Interesting,
    /// A valid run without the failure.
    Boring,
    /// The test cannot tell: it ended with exit code 125, as for `git bisect run`.
    Invalid,
    /// The test took longer than its limit.
    TimedOut,
    /// The test held more memory than its limit.
    OutOfMemory,
}

impl From<bool> for Verdict {
    /// The verdict for whether the failure is reproduced.
    fn from(reproduced: bool) -> Self {
        if reproduced { Self::Interesting } else { Self::Boring }
    }
}
