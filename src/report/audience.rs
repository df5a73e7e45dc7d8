//! Everybody who watches a reduction: lines or a live view on the terminal, events for other
//! programs, and the page about the run.

use super::events::{Ending, EventWriter, Start};
use super::page::{self, Account, Recorder};
use super::progress::Progress;
use super::{Live, Ui, Verbosity};
use crate::journal::Other;
use crate::run::Event;
use lopper_engine::flicker::Tally;
use lopper_languages::Language;
use lopper_languages::measure::Measure;

/// See the module.
pub(crate) struct Audience {
    progress: Progress,
    live: Option<Live>,
    events: Option<EventWriter>,
    recorder: Option<Recorder>,
    start: Option<Start>,
}

impl Audience {
    /// The audience of a reduction from a program of this measure.
    pub(crate) fn new(
        ui: Ui,
        verbosity: Verbosity,
        original: Measure,
        live: Option<Live>,
        events: Option<EventWriter>,
        recorder: Option<Recorder>,
    ) -> Self {
        let ui = if live.is_some() { Ui::None } else { ui };
        Self { progress: Progress::new(ui, verbosity, original), live, events, recorder, start: None }
    }

    /// The run begins.
    pub(crate) fn begins(&mut self, start: Start) {
        self.start = self.recorder.is_some().then(|| start.clone());
        if let Some(events) = &mut self.events {
            events.begins(start);
        }
    }

    /// Handles an event.
    pub(crate) fn event(&mut self, event: &Event) {
        self.progress.event(event);
        if let Some(events) = &mut self.events {
            events.hear(event);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.hear(event);
        }
        // Last, since a pause waits here.
        if let Some(live) = &self.live {
            live.hear(event);
        }
    }

    /// A candidate is the smallest one so far that fails in another way.
    pub(crate) fn met(&mut self, other: &Other) {
        if let Some(events) = &mut self.events {
            events.met(other);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.met(other);
        }
    }

    /// Nothing more is tried: what follows is the summary.
    pub(crate) fn finish(&mut self) {
        self.live = None;
        self.progress.finish();
    }

    /// The run has ended with this result. Returns the page about it, if one is wanted.
    pub(crate) fn ends(
        &mut self,
        ending: Ending,
        result: &[u8],
        language: &'static dyn Language,
    ) -> Option<String> {
        let (start, recorder) = (self.start.as_ref(), self.recorder.as_ref());
        let account = |(start, recorder)| Account { start, recorder, ending: &ending, result, language };
        let page = start.zip(recorder).map(account).map(|account| page::html(&account));
        if let Some(error) = self.events.as_mut().and_then(|events| events.ends(ending)) {
            super::remark(&format!("the events could not be written: {error}; the result is not affected"));
        }
        page
    }

    /// How often the test accepted the original, if it flickers.
    pub(crate) fn flicker(&self) -> Option<Tally> {
        self.progress.flicker
    }

    /// Whether a bug in a pass was found.
    pub(crate) fn has_bugs(&self) -> bool {
        self.progress.has_bugs()
    }
}
