//! Definitions that edits leave without a use: where a language refuses unused names, as Go does, they go with the last use.

use crate::uses::statement;
use crate::{Base, File, removal};
use lopper_languages::Fault;
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::edit::{Edit, FileId};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;

/// What goes may have been the last use of something else; after this many rounds, the rest stays.
const ROUNDS: usize = 16;

/// Adds the edits that delete imports and local variables whose last use the edits delete. Linear in the names in what goes
/// and their uses, in each round.
pub(crate) fn remove(base: &Base, edits: &mut Vec<Edit>) {
    let files: BTreeSet<FileId> = edits.iter().map(|edit| edit.file).collect();
    let strict = files.into_iter().filter(|&id| base.file(id).language.refuses(Fault::Unused));
    for file in strict.map(|id| File { id, parsed: base.file(id) }) {
        let mut known = 0;
        let mut idle: BTreeSet<NodeId> = BTreeSet::new();
        for _ in 0..ROUNDS {
            let changed = Changed::new(file, edits);
            let names = edits[known..]
                .iter()
                .filter(|edit| edit.file == file.id)
                .flat_map(|edit| file.starting_in(edit.start..edit.end).filter(|&n| file.has(n, Role::Name)));
            let indices: BTreeSet<usize> = names.filter_map(|name| file.bindings().of(name)).collect();
            known = edits.len();
            let definitions = indices.into_iter().map(|index| &file.bindings().definitions()[index]);
            let unused: Vec<&Definition> =
                definitions.filter(|d| must_be_used(d) && !changed.is_used(d)).collect();
            let places = unused.iter().flat_map(|d| file.places(d).map(|place| place.name));
            let targets = unused.iter().flat_map(|d| file.uses(d));
            let fresh: Vec<NodeId> =
                places.chain(targets).filter(|&n| !changed.is_gone(n) && idle.insert(n)).collect();
            let mut drops = Vec::new();
            for name in fresh {
                without(file, name, &idle, edits, &mut drops);
            }
            removal::remove(base, drops, edits);
            if edits.len() == known {
                break;
            }
        }
    }
}

/// Whether the language refuses the definition without a use: parameters and what a file defines for others need none.
fn must_be_used(definition: &Definition) -> bool {
    definition.sort == Sort::Import || definition.sort == Sort::Variable && definition.scope != NodeId::ROOT
}

/// The ranges of a file that edits replace, in order, with the texts that stand there.
struct Changed<'e, 'a> {
    file: File<'a>,
    edits: Vec<&'e Edit>,
}

impl<'e, 'a> Changed<'e, 'a> {
    fn new(file: File<'a>, edits: &'e [Edit]) -> Self {
        let mut edits: Vec<&Edit> = edits.iter().filter(|edit| edit.file == file.id).collect();
        edits.sort_by_key(|edit| (edit.start, edit.end));
        Self { file, edits }
    }

    fn is_gone(&self, name: NodeId) -> bool {
        let range = self.file.range(name);
        self.edits.iter().any(|edit| edit.start <= range.start && range.end <= edit.end)
    }

    /// Whether a use of a definition is left, or a new text has its name.
    fn is_used(&self, definition: &Definition) -> bool {
        let file = self.file;
        let read = |n: NodeId| !is_set(file, n) && !self.is_gone(n);
        let Some(used) = file.uses(definition).next() else { return true };
        let name = file.node_text(used);
        let is_word = |text: &[u8]| {
            let is_part = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || !c.is_ascii();
            text.split(|&c| !is_part(c)).any(|word| word == name)
        };
        file.uses(definition).any(read) || self.edits.iter().any(|edit| is_word(&edit.text))
    }
}

/// The list of names or targets that a name is an item of, or the name, if it is followed by what gives it a value.
fn set(file: File<'_>, name: NodeId) -> Option<(NodeId, NodeId)> {
    let is_list = |n: &NodeId| !file.has(*n, Role::Expression) && !file.has(*n, Role::Statement);
    let list = file.parent(name).filter(is_list);
    let mut around = std::iter::once(name).chain(list);
    around
        .find_map(|n| Some((n, file.next_sibling(n).filter(|&n| matches!(file.node_text(n), b"=" | b":="))?)))
}

/// Whether a name is only given a value.
fn is_set(file: File<'_>, name: NodeId) -> bool {
    set(file, name).is_some()
}

/// Deletes an unused name: with its statement if all names beside it are unused, too; only with the operator behind it in the
/// head of a longer statement; otherwise a blank name stands for it.
fn without(
    file: File<'_>,
    name: NodeId,
    idle: &BTreeSet<NodeId>,
    edits: &mut Vec<Edit>,
    drops: &mut Vec<(FileId, NodeId)>,
) {
    let blank = Edit::replace(file.id, file.range(name), &b"_"[..]);
    let Some((list, operator)) = set(file, name).filter(|&(list, _)| list != name) else {
        let place = file.definition(name).and_then(|d| file.places(d).find(|place| place.name == name));
        match place.filter(|place| file.has(place.whole, Role::Statement)) {
            Some(place) => drops.push((file.id, place.whole)),
            None => edits.push(blank),
        }
        return;
    };
    let is_unused = |n: NodeId| idle.contains(&n) || file.node_text(n) == b"_";
    let around = file.parent(list).unwrap_or(list);
    let whole = statement(&file, name);
    let is_long = file.named_children(around).count() > 2 || file.child_with(whole, Role::Body).is_some();
    if !file.named_children(list).all(is_unused) {
        edits.push(blank);
    } else if is_long {
        let end = file.next_sibling(operator).map_or(file.range(operator).end, |n| file.range(n).start);
        edits.push(Edit::delete(file.id, file.range(list).start..end));
    } else {
        drops.push((file.id, whole));
    }
}
