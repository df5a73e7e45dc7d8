//! Other spellings of names that meet when the texts of two files become one.

use crate::File;
use std::collections::BTreeSet;

/// The words of files.
pub(crate) fn words(files: &[File<'_>]) -> BTreeSet<Vec<u8>> {
    let of = |file: &File<'_>| {
        let text = file.text();
        file.parsed.tokens().iter().map(move |token| text[token.range()].to_vec()).collect::<Vec<_>>()
    };
    files.iter().flat_map(of).collect()
}

/// Another spelling of a name, which is no longer: a program with it is not larger. It becomes one of the words, of
/// which it was none.
pub(crate) fn other(name: &[u8], words: &mut BTreeSet<Vec<u8>>) -> Option<Vec<u8>> {
    let new = unlike(name, |new| words.contains(new))?;
    words.insert(new.clone());
    Some(new)
}

/// Another spelling of a name, which is no longer, and is not taken.
pub(crate) fn unlike(name: &[u8], is_taken: impl Fn(&[u8]) -> bool) -> Option<Vec<u8>> {
    // A digit cannot be a whole name.
    let digits = (b'0'..=b'9').filter(|_| name.len() > 1);
    let last = (b'a'..=b'z').chain(b'A'..=b'Z').chain(digits);
    let mut spellings = last.map(|last| [&name[..name.len().saturating_sub(1)], &[last]].concat());
    spellings.find(|new| !is_taken(new))
}
