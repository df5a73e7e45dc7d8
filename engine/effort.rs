//! Effort: how many runs of the test a reduction may spend on leaving a local minimum.

/// How many runs a reduction may spend beyond single steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// None.
    Quick,
    /// At most half of the other runs, at most an [`IN_VAIN`]th of them since the last success, and only while the program is
    /// larger than [`SMALL`].
    #[default]
    Normal,
    /// As many as the other runs, and as many again after each success.
    High,
}

/// The number of tokens up to which a program counts as small: it can be read at a glance, so a smaller one is worth
/// little.
pub const SMALL: usize = 64;

/// The share of the other runs after which [`Effort::Normal`] gives up. On two folders and a crash of rustc, half of the other
/// runs (1,100 to 5,700) found nothing.
pub const IN_VAIN: usize = 6;

impl Effort {
    /// All efforts.
    pub const ALL: [Self; 3] = [Self::Quick, Self::Normal, Self::High];

    /// The name for users.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Normal => "normal",
            Self::High => "high",
        }
    }

    /// A description in one line.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Quick => "stop where no single step makes the program smaller",
            Self::Normal => {
                "then look further, in at most half as many runs, if more than 64 tokens are left"
            }
            Self::High => "look further whatever is left, and go on while it helps",
        }
    }

    /// The number of runs that may still be spent beyond single steps on a program of this many tokens, after
    /// `spent` in all and `in_vain` since the last success, and `others` runs.
    pub fn budget(self, tokens: usize, spent: usize, in_vain: usize, others: usize) -> usize {
        match self {
            Self::Quick => 0,
            Self::Normal if tokens <= SMALL => 0,
            Self::Normal => {
                (others / 2).saturating_sub(spent).min((others / IN_VAIN).saturating_sub(in_vain))
            }
            Self::High => others.saturating_sub(in_vain),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effort_sets_a_limit_to_runs() {
        assert_eq!(Effort::Quick.budget(1000, 0, 0, 1000), 0);
        assert_eq!(Effort::Normal.budget(65, 49, 0, 100), 1);
        assert_eq!(Effort::Normal.budget(65, 15, 15, 100), 1);
        assert_eq!(Effort::Normal.budget(65, 20, 16, 100), 0, "it has found nothing for long");
        assert_eq!(Effort::Normal.budget(65, 60, 0, 100), 0, "half of the runs are spent");
        assert_eq!(Effort::Normal.budget(64, 0, 0, 100), 0, "the program is small");
        assert_eq!(Effort::High.budget(2, 1000, 90, 100), 10);
        assert_eq!(Effort::High.budget(2, 1000, 100, 100), 0, "it no longer helps");
    }
}
