//! Signatures: a unit's change and its neighbourhood, hashed to a number.
//!
//! If the signature of a failed unit occurs again, the verdict is likely to be the same.

use crate::{Base, File, Group, Source, Unit, inside};
use lopper_languages::bindings::Place;
use lopper_languages::edit::FileId;
use lopper_languages::lexer::Token;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

impl Group {
    /// The signatures of all units. Units that look the same are distinguished by their order. O(n log n) for n units and tokens of
    /// the base.
    pub fn signatures(&self, base: &Base) -> Vec<u64> {
        let mut seen: BTreeMap<u64, u32> = BTreeMap::new();
        let signature = |unit: &Unit| {
            let mut hash = DefaultHasher::new();
            sign(unit, base, &mut hash);
            let count = seen.entry(hash.finish()).or_default();
            *count += 1;
            count.hash(&mut hash);
            hash.finish()
        };
        self.units().iter().map(signature).collect()
    }

    /// Identifies a unit in coarse sweeps: by what it is about and by the magnitude of its weight. If the pass does not
    /// tell what a unit is about, it is about a node that begins with certain tokens, if it deletes a large one.
    pub fn subject(&self, base: &Base, unit: usize) -> Option<u64> {
        let mut hash = DefaultHasher::new();
        match self.subjects.get(unit) {
            Some(subject) => subject.hash(&mut hash),
            None => beginning(self.units().get(unit)?, base)?.hash(&mut hash),
        }
        self.weight(base, unit).checked_ilog2().hash(&mut hash);
        Some(hash.finish())
    }
}

/// A node with fewer tokens has no beginning by which it can be told from others, and the number of tokens in that.
const LARGE: usize = 32;
const HEAD: usize = 12;

/// Identifies a unit that deletes or replaces a large node by the first tokens of the node and of its replacement.
fn beginning(unit: &Unit, base: &Base) -> Option<u64> {
    let mut hash = DefaultHasher::new();
    let mut head = |file: FileId, range: Range<usize>| {
        let tokens = base.file(file).tokens_in(range);
        let texts = tokens.iter().map(|token| &base.file(file).text[token.range()]);
        texts.take(HEAD).for_each(|text| text.hash(&mut hash));
        tokens.len()
    };
    let of_node = |file: FileId, node| base.file(file).tree().range(node);
    let (file, node) = match unit {
        Unit::Drop { file, node } | Unit::Replace { file, node, .. } => (*file, *node),
        _ => return None,
    };
    let tokens = head(file, of_node(file, node));
    match unit {
        Unit::Replace { by: Source::Node(by), .. } => drop(head(file, of_node(file, *by))),
        Unit::Replace { by: Source::Inside(by), .. } => drop(head(file, inside(base, file, *by))),
        Unit::Drop { .. } | Unit::Replace { by: Source::Text(_), .. } => {}
        _ => return None,
    }
    (tokens >= LARGE).then(|| hash.finish())
}

fn sign(unit: &Unit, base: &Base, hash: &mut DefaultHasher) {
    std::mem::discriminant(unit).hash(hash);
    match unit {
        Unit::Drop { file, node } => {
            sign_range(base, *file, base.file(*file).tree().range(*node), hash);
            uses_left(File { id: *file, parsed: base.file(*file) }, *node).hash(hash);
        }
        Unit::Replace { file, node, by } => {
            let tree = base.file(*file).tree();
            sign_range(base, *file, tree.range(*node), hash);
            std::mem::discriminant(by).hash(hash);
            match by {
                Source::Text(text) => text.hash(hash),
                Source::Expansion { what, converted, .. } => {
                    converted.hash(hash);
                    sign_range(base, *file, tree.range(*what), hash);
                }
                Source::Spread { function, converted, unused, .. } => {
                    (converted, unused).hash(hash);
                    sign_range(base, *file, tree.range(*function), hash);
                }
                Source::Node(node) | Source::Inside(node) => {
                    sign_range(base, *file, tree.range(*node), hash);
                }
            }
        }
        Unit::Cut { file, range } | Unit::DropAt { file, range } | Unit::Blank { file, range, .. } => {
            sign_range(base, *file, range.start as usize..range.end as usize, hash);
        }
        Unit::Unwrap { file, open, close } => {
            sign_range(base, *file, *open as usize..*close as usize + 1, hash);
        }
        Unit::Tokens { file, first, mask } => {
            mask.hash(hash);
            let tokens = base.file(*file).tokens();
            let last = first + (15 - mask.leading_zeros());
            if let (Some(first), Some(last)) = (tokens.get(*first as usize), tokens.get(last as usize)) {
                sign_range(base, *file, first.start as usize..last.end as usize, hash);
            }
        }
        Unit::Put { file, range, from, changes, rest } => {
            sign_range(base, *file, range.start as usize..range.end as usize, hash);
            (base.file(*from).hash(), changes, rest).hash(hash);
        }
        Unit::Write { file, range, text } => {
            sign_range(base, *file, range.start as usize..range.end as usize, hash);
            text.hash(hash);
        }
        Unit::Move { file, to } => (&base.file(*file).path, to).hash(hash),
        // A file that must stay is worth another try when it is half as large.
        Unit::Remove { file } => {
            let file = base.file(*file);
            (&file.path, file.measure().tokens.checked_ilog2()).hash(hash);
        }
        Unit::Together(units) => units.iter().for_each(|unit| sign(unit, base, hash)),
    }
}

/// The number of uses after which more of them make no difference to the definition.
const FEW_USES: usize = 2;

/// A definition's name is among the first names in it, and what has more places than this is defined by none of them.
const FIRST_NAMES: usize = 16;
const FEW_PLACES: usize = 16;

/// How many uses outside of a node its definition has, up to [`FEW_USES`]; `None` if the node defines nothing. A definition that
/// had to stay is worth another try when hardly anything uses its name any more, wherever the uses were.
fn uses_left(file: File<'_>, node: NodeId) -> Option<usize> {
    let is_its_own = |&(name, definition): &(NodeId, usize)| {
        let definition = &file.bindings().definitions()[definition];
        let is_here = |place: &Place| (place.file, place.name, place.whole) == (file.id, name, node);
        definition.places.len() <= FEW_PLACES && definition.places.iter().any(is_here)
    };
    let (_, definition) = file.bindings().within(file.tree(), node).take(FIRST_NAMES).find(is_its_own)?;
    let uses = file.bindings().definitions()[definition].uses.iter();
    let outside = uses.filter(|used| used.file != file.id || !file.is_within(used.name, node));
    Some(outside.take(FEW_USES).count())
}

/// The number of bytes on each side of a unit that count. A token may be as long as the file.
const BESIDE: usize = 64;

/// Hashes the tokens of a range and their neighbours; for a range inside a token, its bytes.
fn sign_range(base: &Base, id: FileId, range: Range<usize>, hash: &mut DefaultHasher) {
    let file = base.file(id);
    let from = file.tokens().partition_point(|t| (t.start as usize) < range.start);
    let to = file.tokens().partition_point(|t| (t.end as usize) <= range.end).max(from);
    let before = from.checked_sub(1).map(|last| file.tokens()[last].range());
    let left = before.clone().map(|token| {
        let end = token.end.min(range.start);
        &file.text[token.start.max(end.saturating_sub(BESIDE))..end]
    });
    let next =
        before.filter(|token| token.end > range.end).or_else(|| file.tokens().get(to).map(Token::range));
    let right = next.map(|token| {
        let start = token.start.max(range.end);
        &file.text[start..token.end.min(start + BESIDE)]
    });
    (left, right).hash(hash);
    if from == to {
        file.text[range].hash(hash);
    }
    (file.token_hashes().of(from..to), to - from).hash(hash);
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_languages::{Parsed, named, text::TEXT};
    use std::sync::Arc;

    #[test]
    fn in_coarse_sweeps_a_large_node_is_the_same_until_it_is_half_as_large() {
        let subject = |count: usize| {
            let statements = "    x = f(1, 2)\n".repeat(count);
            let text = format!("def one(two, three):\n    four(five)\n{statements}");
            let python = lopper_languages::named("python").unwrap_or(&TEXT);
            let base = Base { files: vec![Arc::new(Parsed::new(python, text.into_bytes()))] };
            let node = base.file(0).tree().children(lopper_languages::tree::NodeId::ROOT).next();
            let unit = node.map(|node| Unit::Drop { file: 0, node });
            Group::deletions(unit).subject(&base, 0)
        };
        assert_eq!(subject(12), subject(11));
        assert_ne!(subject(12), subject(4));
        assert_eq!(subject(1), None, "a small one is told from others by all its tokens");
    }

    fn signature(text: &str, from: usize, to: usize) -> u64 {
        let files = vec![Arc::new(Parsed::new(&TEXT, text.into()))];
        let unit = Unit::Cut { file: 0, range: from as u32..to as u32 };
        Group::deletions(vec![unit]).signatures(&Base { files })[0]
    }

    #[test]
    fn a_definition_is_another_one_when_hardly_anything_uses_it_any_more() {
        let signature = |uses: &str| {
            let text = format!("def f():\n    f()\ndef g():\n    pass\n{uses}");
            let files = vec![Arc::new(Parsed::new(named("python").unwrap(), text.into()))];
            let base = Base { files };
            let file = File { id: 0, parsed: base.file(0) };
            let name = file.definitions().next().unwrap().places[0];
            Group::deletions(vec![file.drop(name.whole)]).signatures(&base)[0]
        };
        let [none, one, two, three] =
            ["a()\na()\na()\n", "f()\na()\na()\n", "f()\nf()\na()\n", "f()\nf()\nf()\n"].map(signature);
        assert_ne!(none, one);
        assert_ne!(one, two);
        assert_eq!(two, three);
    }

    #[test]
    fn the_neighbours_of_a_unit_count_and_distant_tokens_do_not() {
        assert_eq!(signature("a b c d", 2, 3), signature("x a b c", 4, 5));
        assert_ne!(signature("a b c", 2, 3), signature("a b x", 2, 3));
        assert_ne!(signature("a b c", 2, 3), signature("x b c", 2, 3));
    }

    #[test]
    fn inside_a_long_token_only_nearby_bytes_count() {
        let word = "w".repeat(500);
        let other = format!("{word}z");
        assert_eq!(signature(&word, 250, 251), signature(&other, 250, 251));
        assert_ne!(signature(&word, 498, 499), signature(&other, 498, 499));
        assert_ne!(signature(&word, 5, 6), signature(&word, 5, 7));
    }
}
