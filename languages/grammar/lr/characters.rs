//! Kinds of characters: those that a grammar never tells apart are one kind.

use crate::grammar::rules::{Class, Grammar, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// The kind of the end of the text.
pub(super) const END: u32 = 0;
/// The mark of ASCII characters that no rule has.
const NONE: u32 = u32::MAX;

/// The kinds of all characters that occur in rules, from 1 on.
#[derive(Debug)]
pub(super) struct Characters {
    ascii: [u32; 128],
    /// The first characters of ranges, ascending, with the last one and its kind.
    ranges: Vec<(char, char, u32)>,
    count: usize,
}

impl Characters {
    pub(super) fn new(grammar: &Grammar) -> Self {
        let symbols = || grammar.rules().iter().flat_map(|rule| &rule.right);
        let classes: BTreeSet<&Class> = symbols()
            .filter_map(|symbol| match symbol {
                Symbol::Class(class) => Some(class),
                _ => None,
            })
            .collect();
        let single: BTreeSet<char> = symbols()
            .filter_map(|symbol| match symbol {
                Symbol::Literal(text) => Some(text.chars()),
                _ => None,
            })
            .flatten()
            .collect();
        // Between two neighbouring bounds all characters are in the same classes.
        let after = |c: char| ((c as u32 + 1)..=0x10_ffff).find_map(char::from_u32);
        let mut bounds: BTreeSet<char> = single.iter().flat_map(|&c| [Some(c), after(c)]).flatten().collect();
        for &(first, last) in classes.iter().flat_map(|class| class.ranges()) {
            bounds.extend([Some(first), after(last)].into_iter().flatten());
        }
        let mut kinds: BTreeMap<(Option<char>, Vec<bool>), u32> = BTreeMap::new();
        let mut ranges = Vec::new();
        let mut bounds = bounds.into_iter().peekable();
        while let Some(first) = bounds.next() {
            let last = match bounds.peek() {
                Some(&next) => (first..next).next_back().unwrap_or(first),
                None => char::MAX,
            };
            let own = single.contains(&first).then_some(first);
            let within: Vec<bool> = classes.iter().map(|class| class.has(first)).collect();
            if own.is_some() || within.contains(&true) {
                let new = kinds.len() as u32 + 1;
                ranges.push((first, last, *kinds.entry((own, within)).or_insert(new)));
            }
        }
        let mut characters = Self { ascii: [NONE; 128], ranges, count: kinds.len() + 1 };
        for c in 0..128u8 {
            characters.ascii[usize::from(c)] = characters.look_up(char::from(c)).unwrap_or(NONE);
        }
        characters
    }

    /// How many kinds there are, with the end of the text.
    pub(super) fn kinds(&self) -> usize {
        self.count
    }

    /// The kind of a character; `None` if no rule has it.
    pub(super) fn kind(&self, c: char) -> Option<u32> {
        match self.ascii.get(c as usize) {
            Some(&kind) => Some(kind).filter(|&kind| kind != NONE),
            None => self.look_up(c),
        }
    }

    fn look_up(&self, c: char) -> Option<u32> {
        let after = self.ranges.partition_point(|(first, ..)| *first <= c);
        let (_, last, kind) = self.ranges.get(after.checked_sub(1)?)?;
        (c <= *last).then_some(*kind)
    }

    /// The kinds of the characters in a class.
    pub(super) fn of_class(&self, class: &Class) -> Vec<u32> {
        let within = self.ranges.iter().filter(|(first, ..)| class.has(*first));
        within.map(|(.., kind)| *kind).collect::<BTreeSet<_>>().into_iter().collect()
    }
}
