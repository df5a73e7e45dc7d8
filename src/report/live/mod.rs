//! The live view of a reduction on a terminal: a thread draws what the run is doing, and reads keys.
//!
//! The reduction only updates a state behind a lock. Whatever is looked at, the same candidates are tested in the same
//! order. Keys can let the run wait, end it, and change the number of workers, which changes no candidate. A skipped
//! pass and a return to an earlier commit change the course, and the journal tells them.

mod estimate;
mod keys;
mod layout;
mod program;
mod screen;
mod state;

pub(crate) use screen::restore;

use super::messages;
use crate::run::Event;
use estimate::Estimate;
use keys::Command;
use lopper_engine::effort::Effort;
use lopper_languages::measure::Measure;
use program::Pane;
use screen::Screen;
use state::State;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The intervals between looks at the keyboard, between pictures of a run that goes on, and between looks of a run that
/// waits.
const KEYS: Duration = Duration::from_millis(50);
const PICTURES: Duration = Duration::from_millis(200);
const WAITS: Duration = Duration::from_millis(50);

/// What the user's keys may do to the run.
#[derive(Clone)]
pub(crate) struct Controls {
    /// Set when the pass at work shall be skipped.
    pub(crate) skip: Arc<AtomicBool>,
    /// The number of workers, if fewer than there are.
    pub(crate) workers: Arc<AtomicUsize>,
    /// The limits of the run: on runs of the test, and on time.
    pub(crate) limits: (Option<usize>, Option<Instant>),
    /// How far the run looks for more, if it uses most of the passes, so that something is known of its length.
    pub(crate) effort: Option<Effort>,
    /// The commit to which the run shall return once it has ended.
    pub(crate) undo: Arc<OnceLock<usize>>,
    /// Set when the run shall end with what it has, as at the end of its time.
    pub(crate) finish: Arc<AtomicBool>,
    /// Whether the run is over anyway: then no pause lasts.
    pub(crate) is_over: Arc<dyn Fn() -> bool + Send + Sync>,
}

/// The view; see the module. The terminal is as before once this is dropped.
pub(crate) struct Live {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What the reduction and the thread share.
struct Shared {
    state: Mutex<State>,
    controls: Controls,
    is_paused: AtomicBool,
    /// Set when the thread shall end.
    is_done: AtomicBool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Live {
    /// Starts the view of a reduction of this program with so many workers. `None` if the terminal cannot be used, as by a
    /// process in the background.
    pub(crate) fn start(
        name: &str,
        original: (&[u8], Measure),
        jobs: usize,
        controls: Controls,
    ) -> Option<Self> {
        let screen = Screen::enter()?;
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                limits: controls.limits,
                estimate: Estimate::new(original.1.tokens, controls.effort),
                ..State::new(name, original, jobs)
            }),
            controls,
            is_paused: AtomicBool::new(false),
            is_done: AtomicBool::new(false),
        });
        messages::hold();
        let viewer = Viewer {
            shared: Arc::clone(&shared),
            screen,
            pane: Pane::default(),
            helps: false,
            undo: None,
            drawn: None,
        };
        let thread = std::thread::Builder::new().name("view".into()).spawn(|| viewer.work());
        // Without the thread, the screen is gone already; so are the messages that it would have shown.
        let thread = thread.map_err(|_| messages::release()).ok()?;
        Some(Self { shared, thread: Some(thread) })
    }

    /// Takes note of an event; waits during a pause.
    pub(crate) fn hear(&self, event: &Event) {
        self.shared.state().hear(event);
        while self.shared.is_paused.load(Ordering::Relaxed) && !(self.shared.controls.is_over)() {
            let begin = Instant::now();
            std::thread::sleep(WAITS);
            self.shared.state().paused += begin.elapsed();
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.shared.is_done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been logged; the terminal is as before.
            let _ = thread.join();
        }
        messages::release();
    }
}

/// The thread that draws.
struct Viewer {
    shared: Arc<Shared>,
    screen: Screen,
    pane: Pane,
    helps: bool,
    /// The number of a commit, while the user types it.
    undo: Option<String>,
    drawn: Option<Instant>,
}

impl Viewer {
    fn work(mut self) {
        while !self.shared.is_done.load(Ordering::Relaxed) {
            let is_due = self.drawn.is_none_or(|drawn| drawn.elapsed() >= PICTURES);
            if is_due {
                self.draw();
            }
            while let Some(command) = keys::next(KEYS) {
                if !self.obey(command) {
                    return;
                }
                self.draw();
            }
        }
    }

    fn draw(&mut self) {
        let is_paused = self.shared.is_paused.load(Ordering::Relaxed);
        let finishes = self.shared.controls.finish.load(Ordering::Relaxed);
        let mode = match (finishes, is_paused) {
            (true, _) => layout::Mode::Finishing,
            (_, true) => layout::Mode::Paused,
            _ => layout::Mode::Working,
        };
        let mut state = self.shared.state().clone();
        state.jobs = self.workers(state.jobs);
        self.pane.update(&state);
        let size = self.screen.size();
        let question = self.question(&state);
        let lines = layout::lines(&state, &mut self.pane, mode, self.helps, question.as_deref(), size);
        self.screen.draw(&lines);
        self.drawn = Some(Instant::now());
    }

    /// The number of workers that may run tests, of so many.
    fn workers(&self, jobs: usize) -> usize {
        self.shared.controls.workers.load(Ordering::Relaxed).clamp(1, jobs.max(1))
    }

    /// The question for the number of a commit, and what has been typed.
    fn question(&self, state: &State) -> Option<String> {
        let typed = self.undo.as_ref()?;
        Some(format!("return to which commit, from 0 to {}? {typed}_  (Enter; Esc: none)", state.commits))
    }

    /// Ends the run, which then returns to the commit whose number was typed. If there is none, the question stays.
    fn confirm(&mut self) {
        let Some(number) = self.undo.take().and_then(|typed| typed.parse().ok()) else { return };
        if number <= self.shared.state().commits {
            // A second answer comes too late.
            let _ = self.shared.controls.undo.set(number);
            self.shared.controls.finish.store(true, Ordering::Relaxed);
        } else {
            self.undo = Some(String::new());
        }
    }

    /// Does what a key asks for; returns whether the view goes on.
    fn obey(&mut self, command: Command) -> bool {
        match command {
            Command::Pause => _ = self.shared.is_paused.fetch_xor(true, Ordering::Relaxed),
            Command::Finish => self.shared.controls.finish.store(true, Ordering::Relaxed),
            Command::Interrupt => {
                // A second Ctrl-C ends this process at once, so the terminal must be as before by then.
                self.screen.leave();
                screen::interrupt();
                return false;
            }
            Command::Suspend => self.screen.suspend(),
            Command::Help => self.helps = !self.helps,
            Command::Diff => self.pane.toggle_diff(&self.shared.state().clone()),
            Command::Scroll(lines) => self.pane.scroll(lines),
            Command::Turn(pages) => self.pane.turn(pages),
            Command::Skip => self.shared.controls.skip.store(true, Ordering::Relaxed),
            Command::Workers(more) => {
                let now = self.workers(self.shared.state().jobs);
                let number = now.saturating_add_signed(more).max(1);
                self.shared.controls.workers.store(number, Ordering::Relaxed);
            }
            Command::Undo => self.undo = Some(String::new()),
            Command::Digit(digit) => {
                if let Some(typed) = self.undo.as_mut().filter(|typed| typed.len() < 9) {
                    typed.push(digit);
                }
            }
            Command::Erase => _ = self.undo.as_mut().and_then(String::pop),
            Command::Confirm => self.confirm(),
            Command::Follow => {
                self.undo = None;
                self.helps = false;
                self.pane.follow();
            }
            Command::Redraw => self.screen.forget(),
        }
        true
    }
}
