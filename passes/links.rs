//! Links: the definitions of a base, each joined with what stands for the same thing in other files.
//!
//! In C and C++, names of file scope are the same in all files, unless they are static, and so are members. In Python,
//! a name is that of the module from which it is imported, by its own name, by a star or through the module; members
//! of one name are the same in all files, as they are in one file, since only types could tell them apart. In JavaScript,
//! a name is what a module exports under it, and members are as in Python. In Go, a name is that of its package, by itself or
//! behind the name of the package.

use crate::file::Key;
use crate::javascript::joins::Joined;
use crate::referrers::{Referrer, Referrers};
use crate::{Base, File, go, javascript};
use lopper_languages::bindings::{Definition, Sort, Space, Use};
use lopper_languages::edit::FileId;
use lopper_languages::references::{Form, Naming};
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

/// The definitions of a base.
pub(crate) struct Links<'a> {
    base: &'a Base,
    /// By the first part of each.
    joined: BTreeMap<Key, Definition>,
    /// The first part of what each other part belongs to.
    first: BTreeMap<Key, Key>,
}

impl<'a> Links<'a> {
    /// The links of a base; without any effort if it has one file. O(names log names).
    pub(crate) fn new(base: &'a Base) -> Self {
        let mut links = Self { base, joined: BTreeMap::new(), first: BTreeMap::new() };
        if base.is_of_several() {
            let mut joining =
                Joining { referrers: Referrers::new(base), first: BTreeMap::new(), uses: Vec::new() };
            joining.join_externals();
            [Naming::Modules, Naming::Specifiers].into_iter().for_each(|naming| joining.join_members(naming));
            joining.join_imports();
            joining.join_scripts();
            joining.join_packages();
            links.build(joining);
        }
        links
    }

    fn file(&self, id: FileId) -> File<'a> {
        File { id, parsed: self.base.file(id) }
    }

    /// All definitions, in the order of the files and of the text.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = (Key, &Definition)> {
        let files = self.base.files().filter(|(_, parsed)| parsed.is_regular());
        let keys = files.flat_map(|(id, parsed)| {
            let count = parsed.bindings(id).definitions().len();
            (0..count).map(move |index| (id, index))
        });
        keys.filter(|key| self.key(*key) == *key).map(|key| (key, self.get(key)))
    }

    /// The definitions that are joined of several files.
    pub(crate) fn joined(&self) -> impl Iterator<Item = &Definition> {
        self.joined.values()
    }

    /// Whether a definition of a file is joined with something in another one.
    pub(crate) fn is_joined(&self, part: Key) -> bool {
        self.joined.contains_key(&self.key(part))
    }

    /// The definition that a file's definition is a part of. O(log definitions).
    pub(crate) fn key(&self, part: Key) -> Key {
        self.first.get(&part).copied().unwrap_or(part)
    }

    /// The definition with this key.
    pub(crate) fn get(&self, key: Key) -> &Definition {
        self.joined.get(&key).unwrap_or_else(|| &self.base.file(key.0).bindings(key.0).definitions()[key.1])
    }

    /// Makes joined definitions of their parts.
    fn build(&mut self, mut joining: Joining<'_>) {
        let parts: Vec<Key> = joining.first.keys().copied().collect();
        let mut groups: BTreeMap<Key, Vec<Key>> = BTreeMap::new();
        parts.into_iter().for_each(|part| groups.entry(joining.find(part)).or_default().push(part));
        let mut uses: BTreeMap<Key, Vec<Use>> = BTreeMap::new();
        for (part, used) in std::mem::take(&mut joining.uses) {
            let first = joining.find(part);
            groups.entry(first).or_insert_with(|| vec![first]);
            uses.entry(first).or_default().push(used);
        }
        for (first, parts) in groups {
            let more = uses.remove(&first).unwrap_or_default();
            let files: BTreeSet<FileId> =
                parts.iter().map(|part| part.0).chain(more.iter().map(|used| used.file)).collect();
            if files.len() < 2 {
                // Parts in one file stay what they are there.
                continue;
            }
            let whole = self.whole(&parts, more);
            self.first.extend(parts.into_iter().map(|part| (part, first)));
            self.joined.insert(first, whole);
        }
    }

    fn whole(&self, parts: &[Key], more: Vec<Use>) -> Definition {
        let definitions: Vec<&Definition> =
            parts.iter().map(|&(id, index)| &self.file(id).bindings().definitions()[index]).collect();
        let sort = definitions.iter().map(|d| d.sort).find(|&sort| sort != Sort::Import);
        let mut calls: Vec<_> = definitions.iter().flat_map(|d| d.calls.iter().copied()).collect();
        let more: BTreeSet<Use> = more.into_iter().collect();
        for file in more.iter().map(|used| used.file).collect::<BTreeSet<_>>() {
            let called = self.file(file).bindings().calls().iter();
            calls.extend(called.filter(|call| more.contains(&Use { file, name: call.callee })));
        }
        let mut places: Vec<_> = definitions.iter().flat_map(|d| d.places.iter().copied()).collect();
        let mut uses: Vec<Use> =
            definitions.iter().flat_map(|d| d.uses.iter().copied()).chain(more).collect();
        places.sort_unstable_by_key(|place| (place.file, place.name));
        uses.sort_unstable();
        uses.dedup();
        calls.sort_unstable();
        calls.dedup();
        Definition { sort: sort.unwrap_or(Sort::Import), scope: definitions[0].scope, places, uses, calls }
    }
}

/// Parts that are being joined.
struct Joining<'a> {
    referrers: Referrers<'a>,
    /// For each part another one of the same thing, of which the first one leads to itself.
    first: BTreeMap<Key, Key>,
    /// Names that stand for a part, without a definition in their own file.
    uses: Vec<(Key, Use)>,
}

impl<'a> Joining<'a> {
    /// The files whose names are linked in this way.
    fn files(&self, naming: Naming) -> impl Iterator<Item = File<'a>> + use<'a> {
        let files = self.referrers.base.files().map(|(id, parsed)| File { id, parsed });
        files.filter(move |file| file.parsed.is_regular() && file.language().naming() == naming)
    }

    fn find(&mut self, part: Key) -> Key {
        let mut at = *self.first.entry(part).or_insert(part);
        while let Some(&next) = self.first.get(&at).filter(|&&next| next != at) {
            at = next;
        }
        self.first.insert(part, at);
        at
    }

    fn join(&mut self, one: Key, other: Key) {
        let (one, other) = (self.find(one), self.find(other));
        self.first.insert(one.max(other), one.min(other));
    }

    /// Joins parts under one name, and adds the names that stand for them.
    fn join_named<N: Ord>(&mut self, parts: impl IntoIterator<Item = (N, Key)>) -> BTreeMap<N, Key> {
        let mut known: BTreeMap<N, Key> = BTreeMap::new();
        for (name, part) in parts {
            match known.get(&name) {
                Some(&first) => self.join(first, part),
                None => drop(known.insert(name, part)),
            }
        }
        known
    }

    /// Joins names of file scope, in C and C++.
    fn join_externals(&mut self) {
        let mut parts = Vec::new();
        let mut free = Vec::new();
        for file in self.files(Naming::Includes) {
            for (index, definition) in file.definitions().enumerate() {
                let is_local = matches!(definition.sort, Sort::Parameter | Sort::Label);
                if definition.scope == NodeId::ROOT && !is_local && !is_static(file, definition) {
                    let name = file.node_text(definition.places[0].name);
                    parts.push(((definition.sort.space(), name), (file.id, index)));
                }
            }
            for (space, names) in file.bindings().free() {
                let space = if space == Space::Qualified { Space::Ordinary } else { space };
                free.push(((space, file.node_text(names[0])), (file.id, names.to_vec())));
            }
        }
        let known = self.join_named(parts);
        for (name, (file, names)) in free {
            if let Some(&part) = known.get(&name) {
                self.uses.extend(names.into_iter().map(|name| (part, Use { file, name })));
            }
        }
    }

    /// Joins members of one name, among files that are linked in this way.
    fn join_members(&mut self, naming: Naming) {
        let mut parts = Vec::new();
        for file in self.files(naming) {
            let members =
                file.definitions().enumerate().filter(|(index, _)| file.bindings().is_member(*index));
            parts.extend(members.map(|(index, d)| (file.node_text(d.places[0].name), (file.id, index))));
        }
        let known = self.join_named(parts);
        for file in self.files(naming) {
            for (space, names) in file.bindings().free() {
                if let Some(&part) = known.get(file.node_text(names[0])).filter(|_| space == Space::Field) {
                    self.uses.extend(names.iter().map(|&name| (part, Use { file: file.id, name })));
                }
            }
        }
    }

    /// Joins names of modules with their imports, in Python.
    fn join_imports(&mut self) {
        let mut known: BTreeMap<(FileId, &[u8]), Key> = BTreeMap::new();
        for file in self.files(Naming::Modules) {
            let is_global = |(index, d): &(usize, &Definition)| {
                d.scope == NodeId::ROOT && !file.bindings().is_member(*index)
            };
            let globals = file.definitions().enumerate().filter(is_global);
            known.extend(
                globals.map(|(index, d)| ((file.id, file.node_text(d.places[0].name)), (file.id, index))),
            );
        }
        for file in self.files(Naming::Modules) {
            self.join_imports_of(file, &known);
        }
    }

    /// Joins what modules export with the imports of it, in JavaScript.
    fn join_scripts(&mut self) {
        let files: Vec<File<'a>> = self.files(Naming::Specifiers).collect();
        for (part, joined) in javascript::joins::joined(&self.referrers, &files) {
            match joined {
                Joined::Definition(other) => self.join(part, other),
                Joined::Name(file, name) => self.uses.push((part, Use { file, name })),
            }
        }
    }

    /// Joins the names of packages with their uses in other files, in Go.
    fn join_packages(&mut self) {
        let files: Vec<File<'a>> =
            self.files(Naming::Words).filter(|f| f.language().name() == "go").collect();
        for (part, file, name) in go::joins::joined(self.referrers.base, &files) {
            self.uses.push((part, Use { file, name }));
        }
    }

    fn join_imports_of(&mut self, file: File<'a>, known: &BTreeMap<(FileId, &[u8]), Key>) {
        let mut modules: BTreeSet<FileId> = BTreeSet::new();
        let mut stars: BTreeSet<FileId> = BTreeSet::new();
        for (index, statement) in file.parsed.references().iter().enumerate() {
            let by = Referrer { file: file.id, statement: Some(index) };
            let targets = self.referrers.targets(by).to_vec();
            for (item, target) in statement.items.iter().zip(targets) {
                let Some(target) = target else { continue };
                modules.insert(target);
                if matches!(item.form, Form::All(_)) {
                    stars.insert(target);
                }
                let Form::Name { name, alias, .. } = &item.form else { continue };
                let Some(&part) = known.get(&(target, &file.text()[name.clone()])) else { continue };
                let Some(name) = file.innermost_at(name.clone()) else { continue };
                match file.bindings().of(name).filter(|_| alias.is_none()) {
                    Some(own) => self.join(part, (file.id, own)),
                    None => self.uses.push((part, Use { file: file.id, name })),
                }
            }
        }
        for (space, names) in file.bindings().free() {
            let from = match space {
                Space::Ordinary => &stars,
                Space::Field => &modules,
                _ => continue,
            };
            let mut parts = from.iter().filter_map(|&module| known.get(&(module, file.node_text(names[0]))));
            if let (Some(&part), None) = (parts.next(), parts.next()) {
                self.uses.extend(names.iter().map(|&name| (part, Use { file: file.id, name })));
            }
        }
    }
}

/// Whether a name of file scope is hidden from other files, in C and C++.
pub(crate) fn is_static(file: File<'_>, definition: &Definition) -> bool {
    let is_static = |whole: NodeId| file.node_text(whole).starts_with(b"static");
    file.places(definition).any(|place| is_static(place.whole))
        && !file.parsed.path.extension().is_some_and(|ending| ending.to_string_lossy().starts_with('h'))
}
