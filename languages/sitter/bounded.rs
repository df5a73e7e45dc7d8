//! Parses whose work is bounded: on some texts the generated lexers take time that is quadratic in the length of a line.
//!
//! A token that may begin at any character and end only far behind it, such as a regular expression of JavaScript, is looked for again
//! and again. The bound counts how much text the parser asks for, not seconds, so a text has a tree on every machine or on none.

use std::cell::Cell;
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, Parser, Tree};

/// The bytes that the parser gets at a time.
const CHUNK: usize = 1 << 12;
/// How many times the parser may read a whole text before it is broken off.
const TIMES: usize = 256;

/// The parser's tree of a text, from the tree of a text before it if there is one; `None` if it took too much work.
pub(super) fn parse(parser: &mut Parser, text: &[u8], old: Option<&Tree>) -> Option<Tree> {
    let room = Cell::new(TIMES * (text.len() + CHUNK));
    let mut read = |at: usize, _| {
        let chunk = &text[at.min(text.len())..(at + CHUNK).min(text.len())];
        room.set(room.get().saturating_sub(chunk.len()));
        chunk
    };
    // The parser calls this only now and then, between tokens.
    let mut go_on = |_: &_| if room.get() == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    // A parse that was broken off would be continued otherwise.
    parser.reset();
    parser.parse_with_options(&mut read, old, Some(ParseOptions::new().progress_callback(&mut go_on)))
}
