//! Permuted programs: the same failure, with top-level items, statements and names in another order.

use lopper::error::UserError;
use lopper::languages::edit::{Candidate, Edit};
use lopper::languages::role::Role;
use lopper::languages::tree::NodeId;
use lopper::passes::{Base, File};
use std::ops::Range;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Random numbers that a seed determines.
struct Random {
    seed: u64,
    drawn: u64,
}

impl Random {
    /// A number below `end`, which is not 0. The bias is below one in 2^32 for all lists that fit into memory.
    fn below(&mut self, end: usize) -> usize {
        self.drawn += 1;
        let bytes = [self.seed.to_le_bytes(), self.drawn.to_le_bytes()].concat();
        (xxh3_64(&bytes) % end as u64) as usize
    }

    /// The numbers below `end` in a random order (Fisher and Yates).
    fn order(&mut self, end: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..end).collect();
        (1..end).rev().for_each(|last| order.swap(last, self.below(last + 1)));
        order
    }
}

/// A change that may be refused as a whole, and is then tried in parts.
#[derive(Clone, Debug)]
enum Change {
    /// These items, which follow each other, change places.
    Shuffle(Vec<Range<usize>>),
    /// These names are respelled.
    Respell(Vec<Range<usize>>, String),
}

/// The greatest number of runs that a permutation of each sort may take, of all files together.
const RUNS: usize = 120;

/// The base with its top-level items, then its statements, then its names in another order that `fails` accepts.
/// The same seed gives the same program.
///
/// # Errors
/// If the test cannot be run.
pub(crate) fn permuted(
    base: &Base,
    seed: u64,
    mut fails: impl FnMut(&Base) -> Result<bool, UserError>,
) -> Result<Base, UserError> {
    let mut random = Random { seed, drawn: 0 };
    let sorts: [fn(File<'_>) -> Vec<Change>; 3] = [top_level_items, statements, names];
    let mut now = base.clone();
    let runs = RUNS.div_ceil(now.files.len().max(1));
    for changes in sorts {
        for id in 0..now.files.len() {
            let all = changes(File { id: id as u32, parsed: &now.files[id] });
            now = applied((&now, id), all, runs, &mut random, &mut fails)?;
        }
    }
    Ok(now)
}

/// The base with as many of the changes of a file as the test accepts: what it refuses is halved.
fn applied(
    (base, id): (&Base, usize),
    all: Vec<Change>,
    runs: usize,
    random: &mut Random,
    fails: &mut impl FnMut(&Base) -> Result<bool, UserError>,
) -> Result<Base, UserError> {
    let mut open = vec![all];
    let (mut edits, mut now) = (Vec::new(), base.clone());
    for _ in 0..runs {
        let Some(changes) = open.pop() else { break };
        let file = &base.files[id];
        let more = changes.iter().flat_map(|change| change.edits(&file.text, random));
        let tried: Vec<Edit> = edits.iter().cloned().chain(more).collect();
        let Ok(candidate) = Candidate::merge(tried.clone()) else { continue };
        let mut changed = base.clone();
        changed.files[id] = Arc::new(file.with_text(candidate.apply(0, &file.text)));
        if tried.len() > edits.len() && fails(&changed)? {
            (edits, now) = (tried, changed);
        } else {
            open.extend(halves(changes).into_iter().rev());
        }
    }
    Ok(now)
}

/// The two halves of a list of changes or of the only change; nothing if that cannot be divided.
fn halves(mut changes: Vec<Change>) -> Vec<Vec<Change>> {
    if changes.len() > 1 {
        let second = changes.split_off(changes.len() / 2);
        return vec![changes, second];
    }
    match changes.pop() {
        Some(Change::Shuffle(mut items)) if items.len() > 3 => {
            let second = items.split_off(items.len() / 2);
            vec![vec![Change::Shuffle(items)], vec![Change::Shuffle(second)]]
        }
        _ => Vec::new(),
    }
}

impl Change {
    fn edits(&self, text: &[u8], random: &mut Random) -> Vec<Edit> {
        match self {
            Self::Shuffle(items) => {
                let moved = items.iter().zip(random.order(items.len()));
                let moved = moved.filter(|(place, from)| **place != items[*from]);
                moved
                    .map(|(place, from)| Edit::replace(0, place.clone(), text[items[from].clone()].to_vec()))
                    .collect()
            }
            Self::Respell(places, name) => places
                .iter()
                .map(|place| Edit::replace(0, place.clone(), name.clone().into_bytes()))
                .collect(),
        }
    }
}

fn top_level_items(file: File<'_>) -> Vec<Change> {
    shuffles(file, &[NodeId::ROOT])
}

/// The statements of each block that contains no other block.
fn statements(file: File<'_>) -> Vec<Change> {
    let has_blocks =
        |node: NodeId| file.descendants(node).any(|inner| inner != node && file.has(inner, Role::Block));
    let blocks: Vec<NodeId> = file.with(Role::Block).filter(|&block| !has_blocks(block)).collect();
    shuffles(file, &blocks)
}

fn shuffles(file: File<'_>, nodes: &[NodeId]) -> Vec<Change> {
    let items = |node: &NodeId| -> Vec<Range<usize>> {
        let items = file.named_children(*node).filter(|&item| !file.has(item, Role::Comment));
        items.map(|item| file.range(item)).collect()
    };
    nodes.iter().map(items).filter(|items| items.len() > 1).map(Change::Shuffle).collect()
}

/// Every name that the file defines gets the spelling of another one, reversed: as long on average, and in another
/// order by the alphabet.
fn names(file: File<'_>) -> Vec<Change> {
    let named = file.definitions().filter_map(|definition| {
        let places: Vec<NodeId> =
            file.places(definition).map(|place| place.name).chain(file.uses(definition)).collect();
        let name = std::str::from_utf8(file.node_text(*places.first()?)).ok()?;
        let turned: String = name.chars().rev().collect();
        let is_word = turned.starts_with(|c: char| c.is_alphabetic());
        let places = places.iter().map(|&node| file.range(node)).collect();
        is_word.then(|| Change::Respell(places, format!("{turned}_")))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper::languages::{self, Parsed};

    fn base(text: &str) -> Base {
        let python = languages::named("python").unwrap();
        Base { files: vec![Arc::new(Parsed::new(python, text.into()))] }
    }

    fn text(base: &Base) -> String {
        String::from_utf8_lossy(&base.files[0].text).into_owned()
    }

    #[test]
    fn a_permuted_program_has_the_same_items_in_another_order() {
        let base = base("first = 1\nsecond = 2\nthird = 3\nfourth = 4\n");
        let permuted = permuted(&base, 3, |_| Ok(true)).unwrap();
        let mut lines: Vec<String> = text(&permuted).lines().map(ToOwned::to_owned).collect();
        assert_ne!(lines.join(" "), "tsrif_ = 1 dnoces_ = 2 driht_ = 3 htruof_ = 4");
        lines.sort();
        assert_eq!(lines, ["dnoces_ = 2", "driht_ = 3", "htruof_ = 4", "tsrif_ = 1"]);
    }

    #[test]
    fn only_changes_that_keep_the_failure_are_made() {
        let base = base("first = 1\nsecond = first\nthird = 3\nfourth = 4\n");
        let fails = |base: &Base| {
            let text = text(base);
            Ok(text
                .find("first = 1")
                .is_some_and(|first| text.find("= first").is_some_and(|used| first < used)))
        };
        for seed in 0..20 {
            assert!(fails(&permuted(&base, seed, fails).unwrap()).unwrap());
        }
        let same = permuted(&base, 1, |_| Ok(false)).unwrap();
        assert_eq!(text(&same), text(&base));
    }
}
