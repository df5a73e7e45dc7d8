//! Texts of a file with changes, for another place.

use crate::File;
use lopper_languages::layout;
use lopper_languages::lexer::tokens;
use lopper_languages::tree::NodeId;
use std::ops::Range;

/// A range of bytes, and the text in its place. Both ends of the range are ends of tokens.
pub(super) type Change = (Range<usize>, Vec<u8>);

/// A change of a node to a text.
pub(super) fn change(file: File<'_>, node: NodeId, by: impl Into<Vec<u8>>) -> Change {
    (file.range(node), by.into())
}

/// The text of a range with changes, which do not overlap, for a place whose line is indented by `to`. O(length of the
/// text, and changes).
pub(super) fn changed(file: File<'_>, range: Range<usize>, to: &[u8], mut changes: Vec<Change>) -> Vec<u8> {
    let text = layout::moved(file.parsed, range.clone(), to);
    changes.sort_by_key(|(range, _)| range.start);
    let mut changes = changes.into_iter().peekable();
    let mut out = Vec::with_capacity(text.len());
    let (mut end, mut behind) = (0, range.start);
    // Both texts have the same tokens; only the white space before them may differ.
    for (token, place) in tokens(&text, file.language().lexis()).zip(file.tokens_in(range)) {
        let (at, word) = (place.start as usize, token.range());
        if at >= behind {
            out.extend(&text[end..word.start]);
            match changes.next_if(|(range, _)| range.start <= at) {
                Some((range, by)) => {
                    out.extend(by);
                    behind = range.end;
                }
                None => out.extend(&text[word.clone()]),
            }
        }
        end = word.end;
    }
    out.extend(&text[end..]);
    out
}
