//! Signatures: what a unit changes and what stands beside it, as a number.
//!
//! Where the signature of a unit that failed comes again, the answer of the test is likely to be the
//! same.

use crate::{Base, Group, Source, Unit};
use lopper_languages::edit::FileId;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

impl Group {
    /// The signatures of all units. Units that look the same are told apart by their order.
    /// Linear in the tokens of all units.
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
}

fn sign(unit: &Unit, base: &Base, hash: &mut DefaultHasher) {
    std::mem::discriminant(unit).hash(hash);
    match unit {
        Unit::Drop { file, node } => sign_range(base, *file, base.file(*file).tree().range(*node), hash),
        Unit::Replace { file, node, by } => {
            let tree = base.file(*file).tree();
            sign_range(base, *file, tree.range(*node), hash);
            std::mem::discriminant(by).hash(hash);
            match by {
                Source::Text(text) => text.hash(hash),
                Source::Expansion { what, .. } => sign_range(base, *file, tree.range(*what), hash),
                Source::Node(node) | Source::Inside(node) => {
                    sign_range(base, *file, tree.range(*node), hash);
                }
            }
        }
        Unit::Cut { file, range } | Unit::Blank { file, range, .. } => {
            sign_range(base, *file, range.start as usize..range.end as usize, hash);
        }
        Unit::Unwrap { file, open, close } => {
            sign_range(base, *file, *open as usize..*close as usize + 1, hash);
        }
        Unit::Tokens { file, first, mask } => {
            mask.hash(hash);
            let tokens = &base.file(*file).tokens;
            let last = first + (15 - mask.leading_zeros());
            if let (Some(first), Some(last)) = (tokens.get(*first as usize), tokens.get(last as usize)) {
                sign_range(base, *file, first.start as usize..last.end as usize, hash);
            }
        }
        Unit::Together(units) => units.iter().for_each(|unit| sign(unit, base, hash)),
    }
}

/// Hashes the tokens of a range and those beside it; of a range inside a token, its bytes.
fn sign_range(base: &Base, id: FileId, range: Range<usize>, hash: &mut DefaultHasher) {
    let file = base.file(id);
    let from = file.tokens.partition_point(|t| (t.start as usize) < range.start);
    let to = file.tokens.partition_point(|t| (t.end as usize) <= range.end).max(from);
    let text = |token: usize| file.tokens.get(token).map(|t| &file.text[t.range()]);
    (from.checked_sub(1).and_then(text), text(to)).hash(hash);
    if from == to {
        file.text[range].hash(hash);
    }
    (from..to).for_each(|token| text(token).hash(hash));
}
