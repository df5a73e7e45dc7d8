//! Definitions that a program has no way to: functions and types that only others of that sort mention, or nothing does.

use crate::file::Key;
use crate::links::Links;
use crate::{Base, File};
use lopper_languages::bindings::{Definition, Place, Sort};
use lopper_languages::edit::FileId;
use lopper_languages::references::Naming;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

/// The dead functions and types of a base in languages that `counts`, without those inside others. O(names, and the
/// nodes around each).
pub(crate) fn dead(base: &Base, links: &Links<'_>, counts: impl Fn(File<'_>) -> bool) -> Vec<Key> {
    let file = |id: FileId| File { id, parsed: base.file(id) };
    let is_definition = |d: &Definition| matches!(d.sort, Sort::Function | Sort::Type);
    let mut of_node: BTreeMap<(FileId, NodeId), Key> = BTreeMap::new();
    for (key, definition) in links.definitions().filter(|(_, d)| is_definition(d)) {
        // A type parameter stands for no more than itself.
        let is_inside = |place: &Place| base.file(place.file).tree().is_within(definition.scope, place.whole);
        let places = definition.places.iter().filter(|place| counts(file(place.file)) && !is_inside(place));
        of_node.extend(places.map(|place| ((place.file, place.whole), key)));
    }
    let around = |id: FileId, node: NodeId| {
        let tree = base.file(id).tree();
        tree.ancestors(node).find_map(|n| of_node.get(&(id, n)).copied())
    };
    let mentions = mentions(base);
    // For each definition: those that live if it does. `None` stands for what is outside of all definitions.
    let mut gives_life: BTreeMap<Option<Key>, Vec<Key>> = BTreeMap::new();
    for (key, definition) in links.definitions().filter(|(_, d)| is_definition(d)) {
        let Some(first) = definition.places.first() else { continue };
        let name = file(first.file).node_text(first.name);
        let is_owed = |place: &&Place| file(place.file).has(place.whole, Role::Override);
        let implicit = definition.places.iter().filter(|place| is_implicit(name) || is_owed(place));
        let from = implicit.map(|place| around(place.file, place.whole));
        let from = from.chain(definition.uses.iter().map(|used| around(used.file, used.name)));
        let mentions = mentions.get(name).into_iter().flatten();
        let from = from.chain(mentions.map(|&(id, name)| around(id, name)));
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

/// By their spelling, the names that may stand for a definition elsewhere, in languages whose names are not followed from file
/// to file: those without a definition, and imports.
fn mentions(base: &Base) -> BTreeMap<&[u8], Vec<(FileId, NodeId)>> {
    let followed = [Naming::Includes, Naming::Modules, Naming::Specifiers];
    let mut mentions: BTreeMap<&[u8], Vec<(FileId, NodeId)>> = BTreeMap::new();
    let files = base.files().filter(|(_, parsed)| parsed.is_regular());
    for (id, parsed) in files.filter(|(_, parsed)| !followed.contains(&parsed.language.naming())) {
        let bindings = parsed.bindings(id);
        let free = bindings.free().flat_map(|(_, names)| names.iter().copied());
        let imports = bindings.definitions().iter().filter(|d| d.sort == Sort::Import);
        let imports = imports.flat_map(|d| d.places.iter().map(|place| place.name));
        for name in free.chain(imports) {
            mentions.entry(parsed.node_text(name)).or_default().push((id, name));
        }
    }
    mentions
}

/// Whether something calls what has this name although no program mentions it: the language, or what runs tests.
fn is_implicit(name: &[u8]) -> bool {
    let is_special = name.starts_with(b"__") && name.ends_with(b"__");
    let lower = name.to_ascii_lowercase();
    is_special
        || name == b"init"
        || [&b"test"[..], b"setup", b"teardown", b"main"].iter().any(|start| lower.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the dead definitions of a program.
    fn dead_names(language: &str, text: &str) -> Vec<String> {
        let base = Base::of_example(language, text);
        let links = Links::new(&base);
        let name = |key: &Key| {
            let place = links.get(*key).places[0];
            String::from_utf8_lossy(base.file(place.file).node_text(place.name)).into_owned()
        };
        dead(&base, &links, |_| true).iter().map(name).collect()
    }

    #[test]
    fn what_only_dead_functions_use_is_dead() {
        let text = "package p\nfunc a() { b() }\nfunc b() { a(); c() }\nfunc c() {}\nfunc d() {}\nfunc init() { d() }\nfunc main() { var x = d }\n";
        assert_eq!(dead_names("go", text), ["a", "b", "c"]);
    }

    #[test]
    fn a_type_parameter_does_not_stand_for_its_function() {
        let text = "fn a<T>(x: T) { b(x) }\nfn b<U>(x: U) {}\nfn c<V>(x: V) {}\nfn main() { a(1) }\n";
        assert_eq!(dead_names("rust", text), ["c"]);
    }

    #[test]
    fn what_a_trait_asks_for_is_not_dead() {
        let text = "struct S;\nimpl T for S { fn a() { S::b() } }\nimpl S { fn b() {} fn c() {} }\n";
        assert_eq!(dead_names("rust", text), ["c"]);
    }

    #[test]
    fn a_module_may_have_something_that_is_used() {
        let text =
            "mod a { impl S { pub fn f(&self) {} pub fn g(&self) {} } }\nstruct S;\nfn main() { S.f() }\n";
        assert_eq!(dead_names("rust", text), ["g"]);
    }

    #[test]
    fn what_another_file_may_mean_is_not_dead() {
        let text = "=== a/a.go\npackage a\nfunc F() { g() }\nfunc g() {}\nfunc h() {}\nfunc K() {}\n=== m.go\npackage main\nimport \"a\"\nfunc main() { a.F(); k() }\nfunc d() { a.K() }\n";
        assert_eq!(dead_names("go", text), ["h", "K", "d"]);
        let text = "=== a.rs\npub fn f() {}\npub fn g() {}\npub fn h() {}\n=== main.rs\nmod a;\nuse a::f;\nfn main() { a::h() }\n";
        assert_eq!(dead_names("rust", text), ["g"]);
    }
}
