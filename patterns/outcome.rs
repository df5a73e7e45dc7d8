//! What a test says of a text, as far as patterns depend on it.

/// The four outcomes of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The failure is reproduced.
    Interesting,
    /// A valid run without the failure.
    Boring,
    /// Nobody can tell: the text is not valid.
    Invalid,
    /// The test took longer than its limit.
    TimedOut,
}

impl From<bool> for Outcome {
    /// Whether the failure is there.
    fn from(is_there: bool) -> Self {
        if is_there { Self::Interesting } else { Self::Boring }
    }
}
