//! Definitions that a program has no way to: functions and types that only others of that sort mention, or nothing does.

use crate::links::{Key, Links};
use crate::{Base, File};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::edit::FileId;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

/// The dead functions and types of a base in languages that `counts`, without those inside others. O(names, and the
/// nodes around each).
pub(crate) fn dead(base: &Base, links: &Links<'_>, counts: impl Fn(File<'_>) -> bool) -> Vec<Key> {
    let file = |id: FileId| File { id, parsed: base.file(id) };
    let is_definition = |d: &Definition| matches!(d.sort, Sort::Function | Sort::Type);
    let mut of_node: BTreeMap<(FileId, NodeId), Key> = BTreeMap::new();
    for (key, definition) in links.definitions().filter(|(_, d)| is_definition(d)) {
        let places = definition.places.iter().filter(|place| counts(file(place.file)));
        of_node.extend(places.map(|place| ((place.file, place.whole), key)));
    }
    let around = |id: FileId, node: NodeId| {
        let tree = base.file(id).tree();
        tree.ancestors(node).find_map(|n| of_node.get(&(id, n)).copied())
    };
    // For each definition: those that live if it does. `None` stands for what is outside of all definitions.
    let mut gives_life: BTreeMap<Option<Key>, Vec<Key>> = BTreeMap::new();
    for (key, definition) in links.definitions().filter(|(_, d)| is_definition(d)) {
        let name = definition.places.first().map(|place| file(place.file).node_text(place.name));
        let implicit = definition.places.iter().filter(|_| name.is_some_and(is_implicit));
        let from = implicit.map(|place| around(place.file, place.whole));
        let from = from.chain(definition.uses.iter().map(|used| around(used.file, used.name)));
        from.for_each(|from| gives_life.entry(from).or_default().push(key));
    }
    let mut live: BTreeSet<Key> = BTreeSet::new();
    let mut due: Vec<Option<Key>> = vec![None];
    while let Some(from) = due.pop() {
        for &key in gives_life.get(&from).into_iter().flatten() {
            if live.insert(key) {
                due.push(Some(key));
            }
        }
    }
    let dead: BTreeSet<Key> = of_node.values().copied().filter(|key| !live.contains(key)).collect();
    let is_inner = |key: &&Key| {
        let mut places = links.get(**key).places.iter();
        places.any(|place| around(place.file, place.whole).is_some_and(|outer| dead.contains(&outer)))
    };
    dead.iter().filter(|key| !is_inner(key)).copied().collect()
}

/// Whether something calls what has this name although no program mentions it: the language, or what runs tests.
fn is_implicit(name: &[u8]) -> bool {
    let is_special = name.starts_with(b"__") && name.ends_with(b"__");
    let lower = name.to_ascii_lowercase();
    is_special || [&b"test"[..], b"setup", b"teardown", b"main"].iter().any(|start| lower.starts_with(start))
}
