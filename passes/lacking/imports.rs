//! Imports by name, and whether a candidate leaves one without what it imports.

use super::joined;
use crate::referrers::{Referrer, Referrers};
use crate::{Base, File};
use lopper_languages::Parsed;
use lopper_languages::edit::{Candidate, Edit, FileId};
use lopper_languages::lexer::tokens;
use lopper_languages::references::{Form, Naming, Statement};
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The names that modules in Python import from each other as soon as they are loaded, by the file that defines them.
#[derive(Default)]
pub(super) struct Imports(BTreeMap<FileId, Imported>);

/// What other files import from a file.
#[derive(Default)]
struct Imported {
    names: Vec<Name>,
    /// Where the file defines each of the names, in the order of the text.
    places: Vec<(u32, usize)>,
}

struct Name {
    text: Vec<u8>,
    places: Vec<u32>,
    /// The statements that import it.
    imports: Vec<(FileId, Range<usize>)>,
}

impl Imports {
    /// The imports of all files; without any effort if there is one module. O(names log names).
    pub(super) fn new(base: &Base) -> Self {
        let mut imports = Self::default();
        let is_module = |(_, parsed): &(FileId, &Arc<Parsed>)| {
            parsed.is_regular() && parsed.language.naming() == Naming::Modules
        };
        let modules: Vec<File<'_>> =
            base.files().filter(is_module).map(|(id, parsed)| File { id, parsed }).collect();
        if modules.len() < 2 {
            return imports;
        }
        let referrers = Referrers::new(base);
        let mut known: BTreeMap<(FileId, Vec<u8>), usize> = BTreeMap::new();
        for file in modules {
            for (index, statement) in file.parsed.references().iter().enumerate() {
                if !is_outermost(file, statement) {
                    continue;
                }
                let targets = referrers.targets(Referrer { file: file.id, statement: Some(index) });
                for (item, target) in statement.items.iter().zip(targets) {
                    let (Form::Name { name, .. }, Some(target)) = (&item.form, *target) else { continue };
                    let text = &file.text()[name.clone()];
                    let imported = imports.0.entry(target).or_default();
                    let number = *known.entry((target, text.to_vec())).or_insert_with(|| {
                        let target = File { id: target, parsed: base.file(target) };
                        imported.names.push(Name::new(target, text));
                        imported.names.len() - 1
                    });
                    imported.names[number].imports.push((file.id, statement.range.clone()));
                }
            }
        }
        for imported in imports.0.values_mut() {
            let names = imported.names.iter().enumerate();
            let places =
                names.flat_map(|(number, name)| name.places.iter().map(move |&place| (place, number)));
            imported.places = places.collect();
            imported.places.sort_unstable();
        }
        imports
    }

    /// Whether a file no longer defines a name that another one still imports. O(log names) for each name whose definition
    /// the candidate deletes, and for each of its imports.
    pub(super) fn lack(&self, base: &Base, candidate: &Candidate) -> bool {
        candidate.files().any(|file| {
            let Some(imported) = self.0.get(&file) else { return false };
            let gone = deleted(candidate, file);
            let is_gone = |place: u32| {
                let next = gone.partition_point(|range| range.end <= place);
                gone.get(next).is_some_and(|range| range.start <= place)
            };
            gone.iter().any(|range| {
                let from = imported.places.partition_point(|(place, _)| *place < range.start);
                let places = imported.places[from..].iter().take_while(|(place, _)| *place < range.end);
                places.map(|(_, name)| &imported.names[*name]).any(|name| {
                    name.places.iter().all(|&place| is_gone(place))
                        && !adds(base, candidate, file, &name.text)
                        && name.imports.iter().any(|(by, range)| leaves(candidate, *by, range))
                })
            })
        })
    }
}

impl Name {
    /// A name with its definitions in a file.
    fn new(file: File<'_>, text: &[u8]) -> Self {
        let defined = file.definitions().enumerate().filter(|(index, definition)| {
            definition.scope == NodeId::ROOT
                && !file.bindings().is_member(*index)
                && file.node_text(definition.places[0].name) == text
        });
        let places = defined.flat_map(|(_, definition)| file.places(definition));
        let places = places.map(|place| file.range(place.name).start as u32).collect();
        Self { text: text.to_vec(), places, imports: Vec::new() }
    }
}

/// Whether a statement runs whenever its module is loaded.
fn is_outermost(file: File<'_>, statement: &Statement) -> bool {
    let node = file.innermost_at(statement.range.clone());
    node.and_then(|node| file.parent(node)) == Some(NodeId::ROOT)
}

/// What a candidate deletes or replaces in a file.
fn deleted(candidate: &Candidate, file: FileId) -> Vec<Range<u32>> {
    if candidate.removes(file) {
        return std::iter::once(0..u32::MAX).collect();
    }
    joined(candidate.edits_of(file).iter().map(|edit| edit.start as u32..edit.end as u32).collect())
}

/// Whether a word is in what a candidate adds to a file.
fn adds(base: &Base, candidate: &Candidate, file: FileId, word: &[u8]) -> bool {
    let lexis = base.file(file).language.lexis();
    let has_word = |edit: &Edit| tokens(&edit.text, lexis).any(|token| &edit.text[token.range()] == word);
    !candidate.removes(file) && candidate.edits_of(file).iter().any(has_word)
}

/// Whether a candidate leaves a statement as it is.
fn leaves(candidate: &Candidate, file: FileId, range: &Range<usize>) -> bool {
    let overlaps = |edit: &Edit| edit.start < range.end && range.start < edit.end;
    !candidate.removes(file) && !candidate.edits_of(file).iter().any(overlaps)
}
