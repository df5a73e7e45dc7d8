//! The shortest texts of each kind of node that the samples of a language contain.

use crate::role::Role;
use crate::tree::{Kind, NodeId};
use crate::{Language, Parsed};
use std::collections::BTreeMap;

/// The shortest text of each kind of node in the samples of a language, by tokens, then bytes, then the text, with its number of
/// tokens. Comments and nodes that are not named have none. O(bytes of the samples).
pub fn shortest_texts(language: &'static dyn Language) -> BTreeMap<Kind, (usize, Vec<u8>)> {
    let mut shortest: BTreeMap<Kind, (usize, usize, Vec<u8>)> = BTreeMap::new();
    for (_, text) in language.samples() {
        let sample = Parsed::new(language, text.as_bytes().to_vec());
        let tree = sample.tree();
        let nodes = tree.nodes().filter(|&n| n != NodeId::ROOT && tree.is_named(n));
        for node in nodes.filter(|&n| !tree.has(n, Role::Comment) && !tree.is_error(n)) {
            let range = tree.range(node);
            let text = sample.text[range.clone()].to_vec();
            let own = (sample.tokens_in(range).len(), text.len(), text);
            if own.0 > 0 && shortest.get(&tree.kind(node)).is_none_or(|least| own < *least) {
                shortest.insert(tree.kind(node), own);
            }
        }
    }
    shortest.into_iter().map(|(kind, (tokens, _, text))| (kind, (tokens, text))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_a_sample_has_a_text_that_is_no_longer_than_one_of_its_own() {
        for language in crate::all() {
            let shortest = shortest_texts(*language);
            for (_, text) in language.samples() {
                let sample = Parsed::new(*language, text.as_bytes().to_vec());
                for node in sample.tree().nodes().filter(|&n| n != NodeId::ROOT) {
                    let own = sample.tokens_in(sample.tree().range(node)).len();
                    if let Some((least, text)) = shortest.get(&sample.tree().kind(node)).filter(|_| own > 0) {
                        assert!(*least <= own, "{language:?}: {:?}", String::from_utf8_lossy(text));
                        assert_eq!(sample.with_text(text.clone()).tokens().len(), *least, "{language:?}");
                    }
                }
            }
        }
    }
}
