//! Units after which a program uses names that nothing in it defines any more, as far as their spelling tells.

use crate::{Base, File, Unit};
use lopper_languages::bindings::Sort;
use lopper_languages::edit::FileId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The files in which bindings leave many uses open: those in C++.
pub(crate) struct Lacking<'a>(Vec<Names<'a>>);

impl<'a> Lacking<'a> {
    /// The names of those of these files that are in C++. O(tokens log tokens).
    pub(crate) fn new(files: impl Iterator<Item = File<'a>>) -> Self {
        Self(files.filter(|file| file.language().name() == "cpp").map(Names::new).collect())
    }

    /// For each unit, whether names lack definitions after it; empty if there is no file in C++.
    pub(crate) fn among(&self, base: &Base, units: &[Unit]) -> Vec<bool> {
        let lacks = |unit: &Unit| self.0.iter().any(|names| names.lacks(base, unit));
        if self.0.is_empty() { Vec::new() } else { units.iter().map(lacks).collect() }
    }
}

/// The places of the names of a file.
struct Names<'a> {
    file: FileId,
    names: BTreeMap<&'a [u8], Places>,
    /// Where names are defined, in the order of the text, but for parameters and labels, which nothing elsewhere uses.
    defined: Vec<(u32, &'a [u8])>,
}

/// Where a name stands, in the order of the text.
#[derive(Default)]
struct Places {
    definitions: Vec<u32>,
    /// All of them; in broken texts, the parser may see names that are no tokens.
    all: Vec<u32>,
}

impl<'a> Names<'a> {
    /// The names of a file. O(tokens log tokens).
    fn new(file: File<'a>) -> Self {
        let mut names: BTreeMap<&[u8], Places> = BTreeMap::new();
        let mut defined: Vec<(u32, &[u8])> = Vec::new();
        for definition in file.definitions() {
            let is_inner = matches!(definition.sort, Sort::Parameter | Sort::Label);
            for place in file.places(definition) {
                let (start, text) = (file.range(place.name).start as u32, file.node_text(place.name));
                names.entry(text).or_default().definitions.push(start);
                defined.extend((!is_inner).then_some((start, text)));
            }
        }
        defined.sort_unstable();
        for token in file.tokens() {
            if let Some(places) = names.get_mut(&file.text()[token.range()]) {
                places.all.push(token.start);
            }
        }
        Self { file: file.id, names, defined }
    }

    /// Whether a unit deletes all definitions of a name, and leaves uses of it. O(log) for each definition that it deletes,
    /// and, if none of the name is left, for each place of the name.
    fn lacks(&self, base: &Base, unit: &Unit) -> bool {
        let mut gone = Vec::new();
        unit.deleted(base, self.file, &|_| true, &mut gone);
        let gone = joined(gone);
        let is_left = |place: &u32| {
            let next = gone.partition_point(|range| range.end <= *place);
            gone.get(next).is_none_or(|range| *place < range.start)
        };
        let deleted = gone.iter().flat_map(|range| {
            let from = self.defined.partition_point(|(place, _)| *place < range.start);
            self.defined[from..].iter().take_while(|(place, _)| *place < range.end).map(|(_, name)| *name)
        });
        let deleted: BTreeSet<&[u8]> = deleted.collect();
        let mut places = deleted.into_iter().filter_map(|name| self.names.get(name));
        places.any(|places| !places.definitions.iter().any(is_left) && places.all.iter().any(is_left))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::base;

    #[test]
    fn names_lack_a_definition_if_a_use_and_no_other_definition_stays() {
        let text =
            b"struct a { int n; }; void g(a x);\nint f(int); int f(char);\nint h() { return b.n + f(1); }\nvoid j() { int i = 0; }\nint k(int i) { return i; }\n";
        let base = base("cpp", text);
        let file = File { id: 0, parsed: base.file(0) };
        let lacks = |texts: &[&str]| {
            let node = |text: &str| file.tree().nodes().find(|&n| file.node_text(n) == text.as_bytes());
            let units = texts.iter().map(|text| file.drop(node(text).unwrap()));
            Names::new(file).lacks(&base, &Unit::together(units))
        };
        let class = "struct a { int n; }";
        assert!(lacks(&[class]) && lacks(&[class, "void g(a x);"]), "a field is a name, too");
        assert!(!lacks(&[class, "void g(a x);", "int h() { return b.n + f(1); }"]));
        assert!(!lacks(&["int i = 0;"]), "i is a parameter elsewhere");
        assert!(!lacks(&["int f(int);"]) && lacks(&["int f(int);", "int f(char);"]));
    }
}
