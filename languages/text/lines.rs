//! Where lines of text begin, and how far they are indented.
//!
//! In the fixed form of Fortran, the first columns have a meaning of their own: a letter in the first is a comment, a number
//! before the sixth a label, and any character in the sixth goes on with the line before. None of these is an indentation.

use crate::layout::line_start;

/// The column in which a statement of the fixed form begins; the one before it is for the mark of a continued line.
const STATEMENT: usize = 6;

/// How the lines of a text are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    /// The indentation may have a meaning.
    Indented,
    /// The fixed form of Fortran.
    Fixed,
}

/// The columns from one tab stop to the next, as terminals and most compilers have it.
const TAB: usize = 8;

/// The number of columns that the beginning of a line takes.
fn width(beginning: &[u8]) -> usize {
    beginning.iter().fold(0, |column, &c| if c == b'\t' { (column / TAB + 1) * TAB } else { column + 1 })
}

impl Lines {
    /// The form of a text. It is the fixed form if nothing contradicts that, and a statement begins where it must. Linear.
    pub(super) fn of(text: &[u8]) -> Self {
        let mut has_statement = false;
        for line in text.split(|&c| c == b'\n').map(<[u8]>::trim_ascii_end) {
            let column = line.iter().take_while(|&&c| c == b' ').count();
            let Some(&first) = line.get(column) else { continue };
            let is_mark = matches!(first, b'*' | b'!' | b'#')
                || first.eq_ignore_ascii_case(&b'c') && !line.get(1).is_some_and(u8::is_ascii_alphanumeric);
            let is_allowed = match column {
                0 => is_mark || first.is_ascii_digit(),
                1..STATEMENT => first.is_ascii_digit() || column + 1 == STATEMENT,
                _ => first.is_ascii_alphabetic() || first == b'!',
            };
            if !is_allowed {
                return Self::Indented;
            }
            has_statement |= column >= STATEMENT && first != b'!';
        }
        if has_statement { Self::Fixed } else { Self::Indented }
    }

    /// The column of what begins a line here; `None` if it goes on with the line before.
    pub(super) fn column(self, text: &[u8], start: usize) -> Option<usize> {
        let column = width(&text[line_start(text, start)..start]);
        match self {
            Self::Indented => Some(column),
            Self::Fixed if column + 1 == STATEMENT => None,
            Self::Fixed => Some(column.max(STATEMENT)),
        }
    }

    /// Whether a comment begins here that takes the whole line.
    pub(super) fn is_comment(self, text: &[u8], start: usize) -> bool {
        let is_mark = |c: &u8| !c.is_ascii_digit() && *c != b'#';
        self == Self::Fixed
            && text.get(start).is_some_and(is_mark)
            && (start == 0 || text[start - 1] == b'\n')
    }
}
