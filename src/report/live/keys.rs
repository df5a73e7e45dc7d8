//! The keys of the live view.

use crate::report::terminal::wait_for_keys;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, poll, read};
use std::time::Duration;

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Pause,
    Finish,
    /// The pass at work.
    Skip,
    /// So many workers more.
    Workers(isize),
    /// To an earlier commit.
    Undo,
    /// A digit of its number.
    Digit(char),
    Erase,
    Confirm,
    Interrupt,
    Suspend,
    Help,
    Diff,
    /// So many lines down.
    Scroll(isize),
    /// So many pages down.
    Turn(isize),
    /// To the last change, and without help or diff.
    Follow,
    Redraw,
}

/// The keys, and what each does, for the help.
pub(super) const HELP: [(&str, &str); 12] = [
    ("q", "finish now: keep the best program, and verify it"),
    ("space, p", "pause, and go on; tests that run end first"),
    ("s", "skip the pass at work until the program is much smaller"),
    ("+ -", "more workers, up to --jobs, or fewer"),
    ("u", "return to an earlier commit, and continue differently"),
    ("d", "the changes to the original as a diff, or the program"),
    ("↑ ↓ PgUp PgDn", "scroll; End: to the end"),
    ("Home", "to the beginning"),
    ("Esc", "follow the changes again"),
    ("?, h", "this help"),
    ("Ctrl-L", "draw everything again"),
    ("Ctrl-C", "stop at once; --resume continues"),
];

/// The next command, if there is one within this time.
pub(super) fn next(wait: Duration) -> Option<Command> {
    let rest = wait_for_keys(wait)?;
    // Without a terminal to read from, there are no keys.
    if !poll(rest).inspect_err(|_| std::thread::sleep(wait)).unwrap_or(false) {
        return None;
    }
    match read().ok()? {
        Event::Key(key) if key.kind != KeyEventKind::Release => command(key),
        Event::Resize(..) => Some(Command::Redraw),
        _ => None,
    }
}

fn command(KeyEvent { code, modifiers, .. }: KeyEvent) -> Option<Command> {
    if modifiers.contains(KeyModifiers::CONTROL) {
        return match code {
            KeyCode::Char('c') => Some(Command::Interrupt),
            KeyCode::Char('z') => Some(Command::Suspend),
            KeyCode::Char('l') => Some(Command::Redraw),
            _ => None,
        };
    }
    Some(match code {
        KeyCode::Char('q') => Command::Finish,
        KeyCode::Char(' ' | 'p') => Command::Pause,
        KeyCode::Char('?' | 'h') => Command::Help,
        KeyCode::Char('s') => Command::Skip,
        KeyCode::Char('+') => Command::Workers(1),
        KeyCode::Char('-') => Command::Workers(-1),
        KeyCode::Char('u') => Command::Undo,
        KeyCode::Char(digit @ '0'..='9') => Command::Digit(digit),
        KeyCode::Backspace => Command::Erase,
        KeyCode::Enter => Command::Confirm,
        KeyCode::Char('d') => Command::Diff,
        KeyCode::Up | KeyCode::Char('k') => Command::Scroll(-1),
        KeyCode::Down | KeyCode::Char('j') => Command::Scroll(1),
        KeyCode::PageUp => Command::Turn(-1),
        KeyCode::PageDown => Command::Turn(1),
        KeyCode::Home => Command::Scroll(isize::MIN / 2),
        KeyCode::End => Command::Scroll(isize::MAX / 2),
        KeyCode::Esc => Command::Follow,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_commands() {
        let of = |code, modifiers| command(KeyEvent::new(code, modifiers));
        assert_eq!(of(KeyCode::Char('q'), KeyModifiers::NONE), Some(Command::Finish));
        assert_eq!(of(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Command::Interrupt));
        assert_eq!(of(KeyCode::Char('c'), KeyModifiers::NONE), None);
        assert_eq!(of(KeyCode::Down, KeyModifiers::NONE), Some(Command::Scroll(1)));
    }
}
