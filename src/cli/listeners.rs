//! Who hears of what happens in a reduction, and what is kept of it.

use crate::error::UserError;
use crate::journal::Keeper;
use crate::oracle::Contents;
use crate::output::Output;
use crate::reduce::Event;
use crate::report::Progress;
use lopper_languages::measure::Measure;

/// All that hear of events, and the best program.
pub(super) struct Listeners {
    pub(super) progress: Progress,
    pub(super) keeper: Keeper,
    pub(super) output: Output,
    pub(super) in_place: bool,
    /// The best program and its measure: what is to be on the disk.
    pub(super) best: (Contents, Measure),
    /// Whether that is the journal's, which the run has yet to catch up with.
    pub(super) is_ahead: bool,
}

impl Listeners {
    /// Hears of an event; the best program is safe when this returns.
    pub(super) fn hear(&mut self, event: &Event) -> Result<(), UserError> {
        self.progress.event(event);
        let Event::Accepted { contents, measure, .. } = event else {
            return self.keeper.hear(event).map(drop);
        };
        if !self.is_ahead {
            self.best = ((*contents).clone(), *measure);
        }
        if self.keeper.hear(event)? {
            self.best = ((*contents).clone(), *measure);
            self.is_ahead = false;
            // What the file may hold is what the journal knows, or going on would refuse it.
            if self.in_place {
                self.keeper.sync()?;
            }
            self.output.replace(&contents[0])?;
        }
        Ok(())
    }
}
