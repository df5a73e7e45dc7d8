//! Dissolves a module in the one around it, whether its text is in a file of its own or not: the names of one are names of
//! the other then, in paths and in imports.

use super::paths::{Leaf, Paths, rendered};
use crate::referrers::Referrers;
use crate::{Base, Example, File, Grain, Group, Pass, Unit, spellings};
use lopper_languages::bindings::{Definition, Sort, Space};
use lopper_languages::edit::FileId;
use lopper_languages::layout::deletion;
use lopper_languages::tree::NodeId;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "mods",
    summary: "dissolves a module in the one around it, and deletes its file",
    languages: &["rust"],
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "rust",
            before: "=== a/lib.rs\n//! Text.\nmod b;\n#[cfg(not(x))]\npub mod c;\nuse b::{f, g as h};\npub use c::d::*;\nuse core::fmt;\nfn k() { f(c::l(), fmt::n(), h()) }\n=== a/b.rs\n//! Text.\n#![allow(x)]\nuse super::{k, c::l};\nuse core::fmt;\npub(super) fn f() { k(l(), fmt::n()) }\npub fn g() {}\n=== a/c/d.rs\nuse crate::b::{self, f};\npub fn m() { f(); b::g(); super::super::k() }\n=== a/c/mod.rs\npub mod d;\npub fn l() { d::m(); self::d::m() }\n",
            keep: &["fn k", "fn f()", "fn g", "fn m", "fn l"],
            after: "=== a/lib.rs\n//! Text.\npub(crate) fn f() { k(l(), fmt::n()) }\npub fn g() {}\npub fn m() { f(); crate::g(); k() }\npub fn l() { m(); self::m() }\nuse self::g as h;\nuse core::fmt;\nfn k() { f(l(), fmt::n(), h()) }\n",
        },
        Example {
            language: "rust",
            before: "mod a {\n    use super::S;\n    pub struct T(S);\n    pub fn new() -> T { T(S) }\n}\nstruct S;\nfn new() -> a::T { a::new() }\n",
            keep: &["struct S", "struct T", "fn new() ->", "pub fn "],
            after: "    pub struct T(S);\n    pub fn nea() -> T { T(S) }\nstruct S;\nfn new() -> T { nea() }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let referrers = Referrers::new(base);
    let paths = Paths::new(&referrers, PASS.files(base));
    let scopes = scopes(PASS.files(base));
    // A module with modules in other files waits until they are in it.
    let leaves = (0..paths.modules.len()).filter(|&module| paths.files_in(module) == 0);
    let mut names = BTreeMap::new();
    let ways = leaves.map(|module| {
        let way = Dissolving::new(&paths, &scopes, module).and_then(|dissolving| dissolving.unit(&mut names));
        way.into_iter().collect::<Vec<_>>()
    });
    vec![Group::choices(ways.collect::<Vec<_>>()).doubtful()]
}

/// The definitions that are visible in all of a scope, but for members.
type Scopes<'a> = BTreeMap<(FileId, NodeId), Vec<&'a Definition>>;

/// O(definitions log definitions).
fn scopes<'a>(files: impl Iterator<Item = File<'a>>) -> Scopes<'a> {
    let mut scopes = Scopes::new();
    for file in files.filter(|file| file.parsed.is_regular()) {
        let all = file.parsed.bindings(file.id).definitions().iter();
        for definition in all.filter(|d| d.sort.space() == Space::Ordinary) {
            scopes.entry((file.id, definition.scope)).or_default().push(definition);
        }
    }
    scopes
}

/// Ranges of a text, and what replaces them.
type Changes = BTreeMap<(usize, usize), Vec<u8>>;

/// The names that a module has for itself, and the words of its file.
struct Names<'a> {
    defined: BTreeSet<&'a [u8]>,
    /// What it imports, by name.
    imported: BTreeMap<Cow<'a, [u8]>, Vec<Cow<'a, [u8]>>>,
    words: BTreeSet<Vec<u8>>,
}

/// A module on its way into the one around it.
struct Dissolving<'p, 'a> {
    paths: &'p Paths<'a>,
    scopes: &'p Scopes<'a>,
    module: usize,
    parent: usize,
    /// The names of the module's own that get another spelling.
    respelled: BTreeMap<Vec<u8>, Vec<u8>>,
    changes: BTreeMap<FileId, Changes>,
}

impl<'p, 'a> Dissolving<'p, 'a> {
    fn new(paths: &'p Paths<'a>, scopes: &'p Scopes<'a>, module: usize) -> Option<Self> {
        let parent = paths.modules[module].parent?;
        let (respelled, changes) = Default::default();
        Some(Self { paths, scopes, module, parent, respelled, changes })
    }

    /// The unit that dissolves the module; `None` if a path through it cannot be expressed.
    fn unit(mut self, names: &mut BTreeMap<usize, Names<'a>>) -> Option<Unit> {
        let there = names.entry(self.parent).or_insert_with(|| self.names_of(self.parent));
        self.respell(there);
        let there = &*there;
        for &path in self.paths.through(self.module) {
            self.change_path(path)?;
        }
        for &statement in self.paths.imports_through(self.module) {
            self.change_import(statement, there);
        }
        self.units()
    }

    /// The definitions of a module that are visible in it.
    fn definitions(&self, module: usize) -> &'p [&'a Definition] {
        let module = &self.paths.modules[module];
        let file = module.file;
        let text = module.text.clone();
        let body = || file.tree().at(text.clone()).or_else(|| file.innermost_at(text.clone()));
        let scope = if module.is_file { Some(NodeId::ROOT) } else { body() };
        scope.and_then(|scope| self.scopes.get(&(file.id, scope))).map_or(&[], Vec::as_slice)
    }

    fn names_of(&self, module: usize) -> Names<'a> {
        let file = self.paths.modules[module].file;
        let name = |d: &Definition| file.node_text(d.places[0].name);
        // A function may have the name of a module.
        let modules: Vec<Range<usize>> = self
            .paths
            .modules_in(module)
            .filter_map(|child| self.paths.modules[child].item.clone())
            .collect();
        let is_module = |d: &Definition| {
            let start = file.range(d.places[0].name).start;
            modules.iter().any(|item| item.contains(&start))
        };
        let definitions = self.definitions(module).iter().copied();
        let defined = definitions.filter(|d| d.sort != Sort::Import && !is_module(d)).map(name).collect();
        let mut imported = BTreeMap::new();
        for statement in self.paths.imports_in(module) {
            for leaf in &statement.leaves {
                imported.extend(leaf.bound().map(|name| (name, leaf.segments.clone())));
            }
        }
        Names { defined, imported, words: spellings::words(&[file]) }
    }

    /// Gives names of the module that its parent defines, too, other spellings.
    fn respell(&mut self, there: &mut Names<'a>) {
        let file = self.paths.modules[self.module].file;
        let name = |d: &Definition| file.node_text(d.places[0].name);
        let meeting: Vec<&Definition> = self
            .definitions(self.module)
            .iter()
            .copied()
            .filter(|d| d.sort != Sort::Import && self.has(there, name(d)))
            .collect();
        if meeting.is_empty() {
            return;
        }
        let own = spellings::words(&[file]);
        for definition in meeting {
            let Some(new) =
                spellings::unlike(name(definition), |new| own.contains(new) || there.words.contains(new))
            else {
                continue;
            };
            there.words.insert(new.clone());
            let places = definition.places.iter().map(|place| place.name);
            for node in places.chain(file.uses(definition)) {
                let range = file.range(node);
                self.changes.entry(file.id).or_default().insert((range.start, range.end), new.clone());
            }
            self.respelled.insert(name(definition).to_vec(), new);
        }
    }

    fn change(&mut self, file: FileId, range: Range<usize>, by: Vec<u8>) {
        self.changes.entry(file).or_default().insert((range.start, range.end), by);
    }

    /// The path of a module, from the root of its crate.
    fn absolute(&self, module: usize) -> Vec<u8> {
        let mut names: Vec<&[u8]> =
            self.paths.around(module).filter_map(|module| self.paths.modules[module].name).collect();
        names.push(b"crate");
        names.reverse();
        names.join(&b"::"[..])
    }

    /// Takes the module out of a path.
    fn change_path(&mut self, path: usize) -> Option<()> {
        let path = &self.paths.paths[path];
        let text = |at: usize| path.file.text().get(path.segments[at].clone()).unwrap_or_default();
        let file = path.file.id;
        let last = path.segments.len() - 1;
        let named = path.modules.iter().position(|&module| module == Some(self.module));
        let above = |at: usize| at.checked_sub(1).map_or(Some(path.within), |before| path.modules[before]);
        let up = (0..=last).find(|&at| {
            text(at) == b"super" && above(at) == Some(self.module) && path.modules[at] == Some(self.parent)
        });
        if let Some(at) = up {
            if path.is_restriction {
                if self.paths.modules[self.parent].parent.is_none() {
                    self.change(file, path.segments[at].clone(), b"crate".to_vec());
                }
                return Some(());
            }
            let next = path.segments.get(at + 1)?;
            self.change(file, path.segments[at].start..next.start, Vec::new());
        }
        let Some(at) = named.filter(|&at| !matches!(text(at), b"self" | b"super")) else { return Some(()) };
        let Some(next) = path.segments.get(at + 1) else {
            // What the module gives to its parent under its own name.
            let name = text(at);
            if !self.gives(name) {
                return None;
            }
            if let Some(new) = self.respelled.get(name).cloned() {
                self.change(file, path.segments[at].clone(), new);
            }
            return Some(());
        };
        let is_import = at == 0 && ![self.parent, self.module].contains(&path.within);
        let by = if is_import { [&self.absolute(self.parent)[..], b"::"].concat() } else { Vec::new() };
        self.change(file, path.segments[at].start..next.start, by);
        if let Some(new) = self.respelled.get(text(at + 1)) {
            self.change(file, next.clone(), new.clone());
        }
        Some(())
    }

    /// Takes the module out of an import, and what its parent has without one.
    fn change_import(&mut self, statement: usize, there: &Names<'a>) {
        let statement = &self.paths.imports[statement];
        let now: Vec<Option<Leaf<'a>>> =
            statement.leaves.iter().map(|leaf| self.changed(statement.within, leaf, there)).collect();
        if now.iter().map(Option::as_ref).eq(statement.leaves.iter().map(Some)) {
            return;
        }
        let left: Vec<Leaf<'a>> = now.into_iter().flatten().collect();
        match &left[..] {
            [] => {
                let whole = deletion(statement.file.parsed, statement.whole.clone());
                self.change(statement.file.id, whole, Vec::new());
            }
            left => self.change(statement.file.id, statement.tree.clone(), rendered(left)),
        }
    }

    /// What a path of an import becomes; `None` if it goes.
    fn changed(&self, within: usize, leaf: &Leaf<'a>, there: &Names<'a>) -> Option<Leaf<'a>> {
        let modules = self.paths.resolve(within, &leaf.segments);
        // Paths through an import of the module itself name its parent now. What else has the module's name stays imported.
        if !leaf.is_all && modules.last() == Some(&Some(self.module)) {
            let name = leaf.segments.last().filter(|name| self.gives(name))?;
            if [self.module, self.parent].contains(&within) {
                return None;
            }
            let mut now = leaf.clone();
            if let Some(new) = self.respelled.get(&**name) {
                now.alias = leaf.bound();
                *now.segments.last_mut()? = Cow::Owned(new.clone());
            }
            return Some(now);
        }
        let above = leaf.segments.len().checked_sub(if leaf.is_all { 1 } else { 2 });
        let from = above.and_then(|at| modules[at]);
        let is_here = within == self.module;
        let is_of_module = from == Some(self.module);
        let is_of_own = is_of_module || is_here && from == Some(self.parent);
        let mut now = leaf.clone();
        let name = leaf.segments.last().filter(|_| !leaf.is_all);
        if let Some(new) = name.and_then(|name| self.respelled.get(&**name)).filter(|_| is_of_module) {
            now.alias = leaf.bound();
            *now.segments.last_mut()? = Cow::Owned(new.clone());
        }
        if is_of_own && (is_here || within == self.parent) {
            let is_plain = now.alias.as_ref().is_none_or(|alias| &**alias == b"_" || Some(alias) == name);
            if leaf.is_all || is_plain && now.segments.last() == name {
                return None;
            }
            now.segments = vec![Cow::Borrowed(b"self"), now.segments.pop()?];
            return Some(now);
        }
        // The parent has something else under this name, or the same.
        let is_taken = |name: &Cow<'a, [u8]>| self.has(there, name);
        if is_here && leaf.bound().is_some_and(|name| is_taken(&name)) {
            return None;
        }
        self.shorten(within, &mut now.segments, &modules);
        Some(now)
    }

    /// Whether the parent imports something else from the module under this name: `use a::a`.
    fn gives(&self, name: &[u8]) -> bool {
        let leaves = self.paths.imports_in(self.parent).flat_map(|import| &import.leaves);
        let mut from_here = leaves.filter(|leaf| {
            let modules = self.paths.resolve(self.parent, &leaf.segments);
            let above = leaf.segments.len().checked_sub(if leaf.is_all { 1 } else { 2 });
            above.and_then(|at| modules[at]) == Some(self.module)
        });
        let file = self.paths.modules[self.module].file;
        let is_own =
            || self.definitions(self.module).iter().any(|d| file.node_text(d.places[0].name) == name);
        from_here.any(|leaf| match leaf.bound() {
            Some(bound) => *bound == *name,
            None => is_own(),
        })
    }

    /// Whether the parent has a name that does not come from the module.
    fn has(&self, there: &Names<'a>, name: &[u8]) -> bool {
        let imported = there.imported.get(name);
        let comes_from_here = |segments: &Vec<Cow<'a, [u8]>>| {
            self.paths.resolve(self.parent, segments).contains(&Some(self.module))
        };
        there.defined.contains(name) || imported.is_some_and(|segments| !comes_from_here(segments))
    }

    /// Takes the module out of the path of an import.
    fn shorten(&self, within: usize, segments: &mut Vec<Cow<'a, [u8]>>, modules: &[Option<usize>]) {
        let above = |at: usize| at.checked_sub(1).map_or(Some(within), |before| modules[before]);
        let goes = |at: usize| match &segments[at][..] {
            b"super" => above(at) == Some(self.module) && modules[at] == Some(self.parent),
            b"self" | b"crate" => false,
            _ => modules[at] == Some(self.module),
        };
        let gone: Vec<bool> = (0..segments.len()).map(goes).collect();
        let is_named = gone.first() == Some(&true)
            && &*segments[0] != b"super"
            && ![self.parent, self.module].contains(&within);
        let mut gone = gone.into_iter();
        segments.retain(|_| !gone.next().unwrap_or(false));
        if is_named {
            segments.insert(0, Cow::Owned(self.absolute(self.parent)));
        }
    }

    fn units(mut self) -> Option<Unit> {
        let module = &self.paths.modules[self.module];
        let parent = self.paths.modules[self.parent].file.id;
        let item = module.item.clone()?;
        let file = module.file;
        let mut units = Vec::new();
        if module.is_file {
            let mut changes = self.changes.remove(&file.id).unwrap_or_default();
            let head = head(file);
            changes.retain(|(start, _), _| *start >= head.end);
            changes.insert((head.start, head.end), Vec::new());
            let changes = disjoint(changes).map(|(range, by)| (range.start as u32..range.end as u32, by));
            let range = item.start as u32..item.end as u32;
            let (changes, rest) = (changes.collect(), Vec::new());
            units.push(Unit::Put { file: parent, range, from: file.id, changes, rest });
            units.push(Unit::Remove { file: file.id });
        } else {
            let body = module.text.clone();
            self.change(file.id, deletion(file.parsed, item.start..body.start + 1), Vec::new());
            self.change(file.id, deletion(file.parsed, body.end - 1..body.end), Vec::new());
        }
        for (file, changes) in self.changes {
            let write = |(range, text): (Range<usize>, Vec<u8>)| {
                let range = range.start as u32..range.end as u32;
                Unit::Write { file, range, text }
            };
            units.extend(disjoint(changes).map(write));
        }
        Some(Unit::together(units))
    }
}

/// Changes of which none is within another one: of those that overlap, the first one, and of those that begin together, the
/// longest.
fn disjoint(changes: Changes) -> impl Iterator<Item = (Range<usize>, Vec<u8>)> {
    let mut all: Vec<((usize, usize), Vec<u8>)> = changes.into_iter().collect();
    all.sort_by_key(|((start, end), _)| (*start, std::cmp::Reverse(*end)));
    let mut last = 0;
    all.into_iter().filter_map(move |((start, end), by)| {
        let is_free = start >= last;
        last = if is_free { end } else { last };
        is_free.then_some((start..end, by))
    })
}

/// What a file begins with that is about the file itself: comments and attributes.
fn head(file: File<'_>) -> Range<usize> {
    let word = |at: usize| file.tokens().get(at).map_or(&b""[..], |token| &file.text()[token.range()]);
    let mut at = 0;
    while word(at) == b"#" && word(at + 1) == b"!" {
        let mut depth = 0_usize;
        let is_end = |at: &usize| {
            match word(*at) {
                b"[" => depth += 1,
                b"]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        };
        at = (at + 2..file.tokens().len()).find(is_end).map_or(file.tokens().len(), |end| end + 1);
    }
    0..file.tokens().get(at).map_or(file.text().len(), |token| token.range().start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text after the first unit, for a single file.
    fn dissolved(text: &str) -> Option<String> {
        let base = Base::of_example("rust", text);
        let groups = plan(&base);
        let candidate = groups.iter().find_map(|group| group.render(&base, &[0]).ok())?;
        String::from_utf8(candidate.apply(0, text.as_bytes())).ok()
    }

    #[test]
    fn an_import_without_a_path_stays_as_it_is() {
        let text = "mod a {\n    use {*};\n    use *;\n}\nuse {};\n";
        assert_eq!(dissolved(text).as_deref(), Some("    use {*};\n    use *;\nuse {};\n"));
    }

    #[test]
    fn a_function_keeps_the_name_that_it_shares_with_its_module() {
        let text = "mod a {\n    pub fn a() { crate::a(); }\n}\nmod b {\n    use crate::a;\n    fn f() { a(); super::a() }\n}\nuse a::a;\n";
        let after =
            "    pub fn a() { crate::a(); }\nmod b {\n    use crate::a;\n    fn f() { a(); super::a() }\n}\n";
        assert_eq!(dissolved(text).as_deref(), Some(after));
        assert_eq!(dissolved(&text.replace("a::a", "a::*")).as_deref(), Some(after));
        // Nothing else than the module has the name.
        let other = dissolved(&text.replace("use a::a;", "use a::c;"));
        assert!(other.is_some_and(|text| text.starts_with("mod a {")));
    }

    #[test]
    fn a_function_with_the_name_of_a_module_meets_only_other_functions() {
        let text =
            "mod a {\n    pub fn b() {}\n    pub fn a() {}\n}\nmod b {\n    pub fn f() {}\n}\nuse a::b;\n";
        let after = "    pub fn b() {}\n    pub fn a() {}\nmod b {\n    pub fn f() {}\n}\n";
        assert_eq!(dissolved(text).as_deref(), Some(after));
    }

    #[test]
    fn a_module_without_an_end_or_that_several_files_declare_stays() {
        let files = "=== a.rs\nmod c;\n=== b.rs\nmod c;\n=== c.rs\nfn f() {}\n";
        for text in ["mod a {\n    fn f() {}\n", files] {
            let groups = plan(&Base::of_example("rust", text));
            assert!(groups.iter().all(|group| group.units().is_empty()), "{groups:?}");
        }
    }

    #[test]
    fn paths_from_elsewhere_lead_to_the_module_around() {
        let text = "mod a {\n    pub mod b {\n        pub fn f() {}\n    }\n}\nmod c {\n    use crate::a::b::{self, f as g};\n    fn h() { b::f(); m!(super::a::b::f); g() }\n}\n";
        let base = Base::of_example("rust", text);
        let after = |unit: usize| {
            let candidate = plan(&base)[0].render(&base, &[unit]).ok()?;
            String::from_utf8(candidate.apply(0, text.as_bytes())).ok()
        };
        let expected = "mod a {\n        pub fn f() {}\n}\nmod c {\n    use crate::a::f as g;\n    fn h() { crate::a::f(); m!(super::a::f); g() }\n}\n";
        let all: Vec<String> = (0..3).filter_map(after).collect();
        assert!(all.contains(&expected.to_owned()), "{all:#?}");
    }
}
