//! Units after which a program uses names that nothing in it defines any more, as far as their spelling tells.

use crate::{Base, File, Unit};
use lopper_languages::bindings::Sort;
use lopper_languages::edit::FileId;
use std::collections::{BTreeMap, BTreeSet};

/// The places of the names of a file.
pub(crate) struct Names<'a> {
    file: FileId,
    /// Where each name stands; in broken texts, the parser may see names that are no tokens.
    places: BTreeMap<&'a [u8], Vec<u32>>,
    /// Where each name is defined, in the order of the text, and whether as a parameter or label, which nothing elsewhere uses.
    defined: Vec<(u32, &'a [u8], bool)>,
}

impl<'a> Names<'a> {
    /// The names of a file. O(tokens log tokens).
    pub(crate) fn new(file: File<'a>) -> Self {
        let mut defined: Vec<(u32, &[u8], bool)> = Vec::new();
        for definition in file.definitions() {
            let is_inner = matches!(definition.sort, Sort::Parameter | Sort::Label);
            let places = file.places(definition).map(|place| place.name);
            let places = places.map(|name| (file.range(name).start as u32, file.node_text(name), is_inner));
            defined.extend(places);
        }
        defined.sort_unstable();
        let known: BTreeSet<&[u8]> = defined.iter().map(|(_, name, _)| *name).collect();
        let mut places: BTreeMap<&[u8], Vec<u32>> = BTreeMap::new();
        for token in file.tokens() {
            let text = &file.text()[token.range()];
            if known.contains(text) {
                places.entry(text).or_default().push(token.start);
            }
        }
        Self { file: file.id, places, defined }
    }

    /// Whether a unit deletes all definitions of a name, and leaves uses of it. O(places of the names that it deletes).
    pub(crate) fn lacks(&self, base: &Base, unit: &Unit) -> bool {
        let mut gone = Vec::new();
        unit.deleted(base, self.file, &|_| true, &mut gone);
        let is_gone = |place: u32| gone.iter().any(|range| range.contains(&place));
        let deleted = gone.iter().flat_map(|range| {
            let from = self.defined.partition_point(|(place, ..)| *place < range.start);
            let deleted = self.defined[from..].iter().take_while(|(place, ..)| *place < range.end);
            deleted.filter(|(.., is_inner)| !is_inner).map(|(_, name, _)| *name)
        });
        let deleted: BTreeSet<&[u8]> = deleted.collect();
        deleted.into_iter().any(|name| {
            let places = self.places.get(name).into_iter().flatten();
            let mut left = places.filter(|&&place| !is_gone(place)).peekable();
            let is_definition =
                |place: &u32| self.defined.binary_search_by_key(place, |(place, ..)| *place).is_ok();
            left.peek().is_some() && !left.any(is_definition)
        })
    }
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
