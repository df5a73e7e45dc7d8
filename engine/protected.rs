//! Texts that every candidate must contain, byte for byte and in their order: what the user protects.

use crate::contents::Contents;
use memchr::memmem::find;
use std::path::Path;
use std::sync::Arc;

/// Texts that every candidate must contain. The default protects nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Protected {
    /// For each file of the original that has such texts, its path and the texts in their order.
    files: Vec<(Arc<Path>, Vec<Vec<u8>>)>,
}

impl Protected {
    /// These texts of these files, in the order of the original. Files without texts count as unprotected.
    pub fn new(files: impl IntoIterator<Item = (Arc<Path>, Vec<Vec<u8>>)>) -> Self {
        Self { files: files.into_iter().filter(|(_, texts)| !texts.is_empty()).collect() }
    }

    /// Whether a candidate contains the protected texts of each file in their order: in the file of the same path, or
    /// in another one that has taken them over. Linear in the candidate, for each protected file without its own.
    pub fn is_kept(&self, contents: &Contents) -> bool {
        let kept = |(path, texts): &(Arc<Path>, Vec<Vec<u8>>)| {
            let own = contents.iter().find(|file| file.path == *path);
            own.into_iter().chain(contents).any(|file| contains(file, texts))
        };
        self.files.iter().all(kept)
    }
}

/// Whether a text contains all these texts in their order, without overlaps.
fn contains(text: &[u8], texts: &[Vec<u8>]) -> bool {
    let mut rest = text;
    texts.iter().all(|text| {
        let found = find(rest, text);
        rest = found.map_or(&[], |at| &rest[at + text.len()..]);
        found.is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contents::NamedFile;

    #[test]
    fn texts_must_stay_in_their_order_and_may_not_overlap() {
        let protected = Protected::new([(Path::new("a").into(), vec![b"ab".to_vec(), b"bc".to_vec()])]);
        let is_kept = |text: &str| protected.is_kept(&vec![NamedFile::new("a", text)]);
        assert!(is_kept("xabybcz"));
        assert!(!is_kept("abc"));
        assert!(!is_kept("bcab"));
        let moved = vec![NamedFile::new("b", "ab"), NamedFile::new("c", "abbc")];
        assert!(protected.is_kept(&moved) && !protected.is_kept(&moved[..1].to_vec()));
        assert!(Protected::default().is_kept(&Vec::new()));
    }
}
