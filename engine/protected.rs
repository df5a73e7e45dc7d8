//! Texts that every candidate must contain, byte for byte and in their order: what the user protects.

use crate::contents::Contents;
use memchr::memmem::find;

/// Texts that every candidate must contain. The default protects nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Protected {
    /// The texts, in the order of the original. They are in the first file.
    texts: Vec<Vec<u8>>,
}

impl Protected {
    /// These texts, in the order of the original.
    pub fn new(texts: Vec<Vec<u8>>) -> Self {
        Self { texts }
    }

    /// Whether a candidate contains all protected texts in their order. Linear in the candidate.
    pub fn is_kept(&self, contents: &Contents) -> bool {
        let mut rest: &[u8] = contents.first().map_or(&[], |file| file);
        self.texts.iter().all(|text| {
            let found = find(rest, text);
            rest = found.map_or(&[], |at| &rest[at + text.len()..]);
            found.is_some()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contents::NamedFile;

    #[test]
    fn texts_must_stay_in_their_order_and_may_not_overlap() {
        let protected = Protected::new(vec![b"ab".to_vec(), b"bc".to_vec()]);
        let is_kept = |text: &str| protected.is_kept(&vec![NamedFile::new("a", text)]);
        assert!(is_kept("xabybcz"));
        assert!(!is_kept("abc"));
        assert!(!is_kept("bcab"));
        assert!(Protected::default().is_kept(&Vec::new()));
    }
}
