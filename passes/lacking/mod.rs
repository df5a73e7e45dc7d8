//! Units after which compilers refuse a program, as far as its spelling tells: it uses names that nothing in it defines any
//! more, a function no longer returns, or a class lacks a member that it must have.

mod calls;
mod imports;
mod models;
mod names;
mod parts;

pub use self::names::{Lack, Names};

use self::parts::Parts;
use crate::{Base, File, Unit};
use lopper_languages::Fault;
use std::ops::Range;

/// What a base cannot do without.
pub(crate) struct Lacking {
    /// The names of the files in languages whose compilers demand definitions of them.
    names: Names,
    /// The parts of the files in languages whose compilers demand them.
    parts: Vec<Parts>,
}

impl Lacking {
    /// What these files cannot do without. O(tokens log tokens).
    pub(crate) fn new<'a>(files: impl Iterator<Item = File<'a>>) -> Self {
        let files: Vec<File<'a>> = files.collect();
        let demands = |file: &&File<'a>| file.language().refuses(Fault::Undefined);
        let names = Names::of(files.iter().filter(demands).map(|&file| (file, true)));
        let parts = files.iter().filter(|file| file.language().has_stubs());
        Self { names, parts: parts.map(|&file| Parts::new(file)).collect() }
    }

    /// For each unit, whether the program lacks something after it; empty if nothing is known of the files.
    pub(crate) fn among(&self, base: &Base, units: &[Unit]) -> Vec<bool> {
        if self.names.is_empty() && self.parts.is_empty() {
            return Vec::new();
        }
        let lacks = |unit: &Unit| {
            self.names.lack_after(base, unit) || self.parts.iter().any(|parts| parts.lacks(base, unit))
        };
        units.iter().map(lacks).collect()
    }
}

/// Ranges in order, those that overlap as one.
fn joined(mut ranges: Vec<Range<u32>>) -> Vec<Range<u32>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<u32>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}
