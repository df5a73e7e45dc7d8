//! Reacts to the events of a reduction: audience, journal and output.

use crate::cli::input::measure;
use crate::conditions::Slips;
use crate::error::UserError;
use crate::journal::{Keeper, Other};
use crate::oracle::Contents;
use crate::oracle::watch::Watch;
use crate::output::Saved;
use crate::report::Audience;
use crate::run::Event;
use lopper_languages::measure::Measure;
use lopper_passes::Base;
use std::sync::Arc;

/// All listeners, and the best program.
pub(super) struct Listeners {
    pub(super) audience: Audience,
    pub(super) keeper: Keeper,
    pub(super) output: Saved,
    pub(super) watch: Watch,
    /// Candidates that failed in another way, and the languages for their measure.
    pub(super) slips: Arc<Slips>,
    pub(super) base: Base,
    /// Whether the journal must know a program before it is on the disk.
    pub(super) syncs: bool,
    /// The best program, which must be on the disk, and its measure.
    pub(super) best: (Contents, Measure),
    /// Whether the best program is from the journal, and the run has not caught up with it yet.
    pub(super) is_ahead: bool,
}

impl Listeners {
    /// Handles an event; the best program is saved when this returns.
    pub(super) fn hear(&mut self, event: &Event) -> Result<(), UserError> {
        self.audience.event(event);
        if let Event::Tested { key, .. } = event {
            self.keep_other(*key)?;
        }
        let Event::Accepted { contents, measure, .. } = event else {
            return self.keeper.hear(event).map(drop);
        };
        self.refuse_edited_test()?;
        if !self.is_ahead {
            self.best = ((*contents).clone(), *measure);
        }
        if self.keeper.hear(event)? {
            self.best = ((*contents).clone(), *measure);
            self.is_ahead = false;
            // A resumed run would refuse what the journal does not know.
            if self.syncs {
                self.keeper.sync()?;
            }
            self.output.replace(contents)?;
        }
        Ok(())
    }

    /// Saves the candidate with this key if it failed in another way.
    fn keep_other(&mut self, key: u128) -> Result<(), UserError> {
        let Some((slip, candidate)) = self.slips.take(key) else { return Ok(()) };
        let Measure { tokens, bytes, .. } = measure(&candidate, &self.base);
        let other = Other { signature: slip.signature, tokens, bytes };
        if self.keeper.keep_other(other.clone(), &candidate)? {
            self.audience.met(&other);
        }
        Ok(())
    }

    /// Fails if the test was edited; then the journal records which verdicts do not count.
    pub(super) fn refuse_edited_test(&mut self) -> Result<(), UserError> {
        let Some(file) = self.watch.changed() else { return Ok(()) };
        let error = UserError::bad_test(format!("'{}' was changed during the run", file.display()))
            .fact("verdicts since then cannot be combined with earlier ones, and are discarded")
            .help("start a new run with the edited test; its input may be the result so far");
        self.keeper.doubt()?;
        Err(error)
    }
}
