//! The terminal of the live view: styled lines, of which only those that have changed are written.

use crate::report::terminal;
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::style::{Attribute, Color, ContentStyle, StyledContent};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};
use crossterm::{Command, execute, queue};
use std::io::{Stderr, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use unicode_width::UnicodeWidthChar;

/// A style of text; without colours, attributes alone distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Bold,
    Dim,
    Curve,
    Deleted,
    Inserted,
    Warning,
}

/// A line: pieces of text with their styles.
pub(super) type Line = Vec<(Style, String)>;

/// Whether the terminal is in the state of the view.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Gives the terminal back as it was, if a view has taken it: for a process that ends at once. The view may hold the
/// lock of standard error, so this writes without it.
pub(crate) fn restore() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        let _ = disable_raw_mode();
        let mut text = String::new();
        let leaves = LeaveAlternateScreen.write_ansi(&mut text).and_then(|()| Show.write_ansi(&mut text));
        if leaves.is_ok() {
            terminal::write_unlocked(&text);
        }
    }
}

/// The terminal; as before once this is dropped.
pub(super) struct Screen {
    to: Stderr,
    has_colours: bool,
    is_taken: bool,
    shown: Vec<String>,
    size: (u16, u16),
}

impl Screen {
    /// Takes the terminal; `None` if it cannot be used.
    pub(super) fn enter() -> Option<Self> {
        if !terminal::is_in_foreground() {
            return None;
        }
        let has_colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let mut screen = Self { to: stderr(), has_colours, is_taken: false, shown: Vec::new(), size: (0, 0) };
        screen.take().ok()?;
        Some(screen)
    }

    fn take(&mut self) -> std::io::Result<()> {
        IS_TAKEN.store(true, Ordering::SeqCst);
        self.is_taken = true;
        enable_raw_mode()?;
        execute!(self.to, EnterAlternateScreen, Hide)
    }

    /// Leaves the terminal as it was. A terminal that is gone needs nothing.
    pub(super) fn leave(&mut self) {
        if !std::mem::take(&mut self.is_taken) {
            return;
        }
        let _ = execute!(self.to, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
        IS_TAKEN.store(false, Ordering::SeqCst);
        self.forget();
    }

    /// Stops this process as Ctrl-Z does, until the shell lets it go on.
    pub(super) fn suspend(&mut self) {
        self.leave();
        terminal::suspend();
        let _ = self.take();
    }

    /// Draws everything anew next time.
    pub(super) fn forget(&mut self) {
        (self.shown, self.size) = (Vec::new(), (0, 0));
    }

    /// The number of columns and lines.
    pub(super) fn size(&self) -> (usize, usize) {
        let (columns, lines) = size().unwrap_or((80, 24));
        (usize::from(columns).max(1), usize::from(lines).max(1))
    }

    /// Shows these lines from the top down.
    pub(super) fn draw(&mut self, lines: &[Line]) {
        // A terminal that is gone does not stop the run.
        let _ = self.try_draw(lines);
    }

    fn try_draw(&mut self, lines: &[Line]) -> std::io::Result<()> {
        let now = size().unwrap_or((80, 24));
        if now != self.size {
            queue!(self.to, Clear(ClearType::All))?;
            (self.size, self.shown) = (now, Vec::new());
        }
        let (columns, rows) = (usize::from(now.0), usize::from(now.1));
        for row in 0..rows {
            let text = lines.get(row).map_or_else(String::new, |line| self.rendered(line, columns));
            if self.shown.get(row) != Some(&text) {
                let at = u16::try_from(row).unwrap_or(u16::MAX);
                queue!(self.to, MoveTo(0, at))?;
                self.to.write_all(text.as_bytes())?;
                queue!(self.to, Clear(ClearType::UntilNewLine))?;
                if row < self.shown.len() { self.shown[row] = text } else { self.shown.push(text) }
            }
        }
        self.to.flush()
    }

    /// A line as the terminal reads it, at most so wide.
    fn rendered(&self, line: &Line, columns: usize) -> String {
        let mut out = String::new();
        let mut left = columns.saturating_sub(1);
        for (style, text) in line {
            let (text, width) = clipped(text, left);
            left -= width;
            match content_style(*style, self.has_colours) {
                None => out.push_str(text),
                Some(style) => out.push_str(&StyledContent::new(style, text).to_string()),
            }
        }
        out
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Does what Ctrl-C does without a live view.
pub(super) fn interrupt() {
    terminal::interrupt();
}

fn content_style(style: Style, has_colours: bool) -> Option<ContentStyle> {
    let attribute =
        |attribute: Attribute| ContentStyle { attributes: attribute.into(), ..ContentStyle::default() };
    let coloured = |colour: Color, without: Attribute| match has_colours {
        true => ContentStyle { foreground_color: Some(colour), ..ContentStyle::default() },
        false => attribute(without),
    };
    Some(match style {
        Style::Plain => return None,
        Style::Bold => attribute(Attribute::Bold),
        Style::Dim => attribute(Attribute::Dim),
        Style::Curve => coloured(Color::Blue, Attribute::NormalIntensity),
        Style::Deleted => {
            let style = coloured(Color::Red, Attribute::CrossedOut);
            ContentStyle { attributes: style.attributes | Attribute::CrossedOut, ..style }
        }
        Style::Inserted => coloured(Color::Green, Attribute::Underlined),
        Style::Warning => coloured(Color::Yellow, Attribute::Reverse),
    })
}

/// The beginning of a text that fits so many columns, and its width.
fn clipped(text: &str, columns: usize) -> (&str, usize) {
    let mut width = 0;
    for (at, c) in text.char_indices() {
        let of_c = c.width().unwrap_or(0);
        if width + of_c > columns {
            return (&text[..at], width);
        }
        width += of_c;
    }
    (text, width)
}

/// The width of a line in columns.
pub(super) fn width(line: &Line) -> usize {
    line.iter().map(|(_, text)| clipped(text, usize::MAX).1).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_clipped_by_its_width() {
        assert_eq!(clipped("abc", 2), ("ab", 2));
        assert_eq!(clipped("漢字", 3), ("漢", 2));
        assert_eq!(clipped("e\u{301}x", 1), ("e\u{301}", 1));
    }

    #[test]
    fn without_colours_attributes_tell_what_was_deleted() {
        let style = content_style(Style::Deleted, false).unwrap();
        assert!(style.foreground_color.is_none() && style.attributes.has(Attribute::CrossedOut));
    }
}
