//! The modules of crates, and the paths and imports that lead through them, read from the tokens: macros have paths, too.

use crate::File;
use crate::referrers::{Referrer, Referrers};
use lopper_languages::edit::FileId;
use lopper_languages::lexer::TokenKind;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A module: a file, or a part of one.
pub(super) struct Module<'a> {
    pub(super) file: File<'a>,
    /// Whether it is the whole file.
    pub(super) is_file: bool,
    /// Its text in its file, with the brackets around it.
    pub(super) text: Range<usize>,
    /// Its name; the root of a crate has none.
    pub(super) name: Option<&'a [u8]>,
    /// The module around it.
    pub(super) parent: Option<usize>,
    /// The item that declares it, in the file of the module around it; `None` if there is not exactly one.
    pub(super) item: Option<Range<usize>>,
}

/// A path of several names, or what stands between the brackets of `pub(super)`.
pub(super) struct Path<'a> {
    pub(super) file: File<'a>,
    /// The module that it is in.
    pub(super) within: usize,
    /// Its names.
    pub(super) segments: Vec<Range<usize>>,
    /// The module that each of them stands for, if it is known.
    pub(super) modules: Vec<Option<usize>>,
    /// Whether it says where an item is visible.
    pub(super) is_restriction: bool,
}

/// One of the paths of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leaf<'a> {
    pub(super) segments: Vec<Cow<'a, [u8]>>,
    /// The name behind `as`.
    pub(super) alias: Option<Cow<'a, [u8]>>,
    /// Whether it imports all names.
    pub(super) is_all: bool,
}

impl<'a> Leaf<'a> {
    /// The name that the import gives to what it imports.
    pub(super) fn bound(&self) -> Option<Cow<'a, [u8]>> {
        self.alias.as_ref().or(self.segments.last()).filter(|_| !self.is_all).cloned()
    }
}

/// An import.
pub(super) struct Import<'a> {
    pub(super) file: File<'a>,
    /// The module that it is in.
    pub(super) within: usize,
    /// Whether it is in a function of that module.
    pub(super) is_local: bool,
    /// All of it, with attributes.
    pub(super) whole: Range<usize>,
    /// What stands behind `use`.
    pub(super) tree: Range<usize>,
    pub(super) leaves: Vec<Leaf<'a>>,
}

/// The modules, paths and imports of a base.
pub(super) struct Paths<'a> {
    pub(super) modules: Vec<Module<'a>>,
    pub(super) paths: Vec<Path<'a>>,
    pub(super) imports: Vec<Import<'a>>,
    /// The modules in a module, by name.
    children: BTreeMap<(usize, &'a [u8]), usize>,
    /// The modules that a module imports, by name.
    bound: BTreeMap<(usize, Cow<'a, [u8]>), usize>,
    through: BTreeMap<usize, Vec<usize>>,
    imports_through: BTreeMap<usize, Vec<usize>>,
    imports_in: BTreeMap<usize, Vec<usize>>,
    /// The number of modules in files of their own that a file, or a part of it, declares.
    files_in: BTreeMap<usize, usize>,
}

/// Modules within more modules than this do not count.
const DEPTH: usize = 64;

impl<'a> Paths<'a> {
    /// Those of these files. O(tokens log tokens).
    pub(super) fn new(referrers: &Referrers<'a>, files: impl Iterator<Item = File<'a>>) -> Self {
        let mut all = Self {
            modules: Vec::new(),
            paths: Vec::new(),
            imports: Vec::new(),
            children: BTreeMap::new(),
            bound: BTreeMap::new(),
            through: BTreeMap::new(),
            imports_through: BTreeMap::new(),
            imports_in: BTreeMap::new(),
            files_in: BTreeMap::new(),
        };
        let files: Vec<File<'a>> = files.filter(|file| file.parsed.is_regular()).collect();
        for &file in &files {
            let text = 0..file.text().len();
            all.modules.push(Module { file, is_file: true, text, name: None, parent: None, item: None });
        }
        let ids: BTreeMap<FileId, usize> = files.iter().enumerate().map(|(at, file)| (file.id, at)).collect();
        let mut declared = BTreeSet::new();
        for (at, &file) in files.iter().enumerate() {
            Reading { all: &mut all, file, ids: &ids, declared: &mut declared }
                .read(at, &targets(referrers, file));
        }
        all.link();
        all
    }

    /// A module, and those around it.
    pub(super) fn around(&self, module: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(module), |&module| self.modules[module].parent).take(DEPTH)
    }

    /// The modules that a module declares.
    pub(super) fn modules_in(&self, module: usize) -> impl Iterator<Item = usize> {
        self.children.range((module, &b""[..])..(module + 1, &b""[..])).map(|(_, &child)| child)
    }

    /// The number of modules in files of their own that are in a module.
    pub(super) fn files_in(&self, module: usize) -> usize {
        self.files_in.get(&module).copied().unwrap_or(0)
    }

    /// The paths that lead through a module, or out of it.
    pub(super) fn through(&self, module: usize) -> &[usize] {
        self.through.get(&module).map_or(&[], Vec::as_slice)
    }

    /// The imports in a module, and those whose paths lead through it.
    pub(super) fn imports_through(&self, module: usize) -> &[usize] {
        self.imports_through.get(&module).map_or(&[], Vec::as_slice)
    }

    /// The imports in a module, but for those in functions.
    pub(super) fn imports_in(&self, module: usize) -> impl Iterator<Item = &Import<'a>> {
        let all = self.imports_in.get(&module).into_iter().flatten();
        all.map(|&at| &self.imports[at]).filter(|import| !import.is_local)
    }

    /// The modules that the names of a path in a module stand for.
    pub(super) fn resolve(&self, within: usize, segments: &[Cow<'a, [u8]>]) -> Vec<Option<usize>> {
        let mut at = None;
        let mut found = Vec::with_capacity(segments.len());
        for (index, name) in segments.iter().enumerate() {
            let from = if index == 0 { Some(within) } else { at };
            at = from.and_then(|from| match &name[..] {
                b"crate" if index == 0 => self.around(within).last(),
                b"self" => Some(from),
                b"super" => self.modules[from].parent,
                name => {
                    let child = self.children.get(&(from, name)).copied();
                    child.or_else(|| {
                        self.bound.get(&(from, Cow::Borrowed(name))).copied().filter(|_| index == 0)
                    })
                }
            });
            found.push(at);
        }
        found
    }

    /// Finds what paths and imports stand for.
    fn link(&mut self) {
        for (at, module) in self.modules.iter().enumerate() {
            let (Some(parent), Some(name)) = (module.parent, module.name) else { continue };
            self.children.entry((parent, name)).or_insert(at);
        }
        for at in (0..self.modules.len()).filter(|&at| self.modules[at].is_file) {
            let around: Vec<usize> = self.around(at).skip(1).collect();
            for module in around {
                *self.files_in.entry(module).or_default() += 1;
                if self.modules[module].is_file {
                    break;
                }
            }
        }
        for import in self.imports.iter().filter(|import| !import.is_local) {
            for leaf in &import.leaves {
                let module = self.resolve(import.within, &leaf.segments).last().copied().flatten();
                if let (Some(module), Some(name)) = (module, leaf.bound()) {
                    self.bound.insert((import.within, name), module);
                }
            }
        }
        for at in 0..self.paths.len() {
            let path = &self.paths[at];
            let names: Vec<Cow<'a, [u8]>> =
                path.segments.iter().map(|range| Cow::Borrowed(&path.file.text()[range.clone()])).collect();
            let modules = self.resolve(path.within, &names);
            let passed: BTreeSet<usize> = modules.iter().copied().flatten().chain([path.within]).collect();
            passed.into_iter().for_each(|module| self.through.entry(module).or_default().push(at));
            self.paths[at].modules = modules;
        }
        for (at, import) in self.imports.iter().enumerate() {
            let named =
                import.leaves.iter().flat_map(|leaf| self.resolve(import.within, &leaf.segments)).flatten();
            let passed: BTreeSet<usize> = named.chain([import.within]).collect();
            self.imports_in.entry(import.within).or_default().push(at);
            passed.into_iter().for_each(|module| self.imports_through.entry(module).or_default().push(at));
        }
    }
}

/// The files of the modules that a file declares, by the places of their names.
fn targets(referrers: &Referrers<'_>, file: File<'_>) -> BTreeMap<usize, FileId> {
    let mut found = BTreeMap::new();
    for (index, statement) in file.parsed.references().iter().enumerate() {
        let targets = referrers.targets(Referrer { file: file.id, statement: Some(index) });
        for (item, target) in statement.items.iter().zip(targets) {
            found.extend(target.map(|target| (item.range.start, target)));
        }
    }
    found
}

/// A file that is being read.
struct Reading<'r, 'a> {
    all: &'r mut Paths<'a>,
    file: File<'a>,
    /// The modules that are whole files.
    ids: &'r BTreeMap<FileId, usize>,
    /// Those that have been declared.
    declared: &'r mut BTreeSet<usize>,
}

impl<'a> Reading<'_, 'a> {
    fn word(&self, at: usize) -> &'a [u8] {
        self.file.tokens().get(at).map_or(b"", |token| &self.file.text()[token.range()])
    }

    fn range(&self, at: usize) -> Range<usize> {
        let end = self.file.text().len();
        self.file.tokens().get(at).map_or(end..end, |token| token.range())
    }

    fn is_name(&self, at: usize) -> bool {
        self.file.tokens().get(at).is_some_and(|token| token.kind == TokenKind::Word)
    }

    fn read(&mut self, module: usize, targets: &BTreeMap<usize, FileId>) {
        let mut within = module;
        // For each open bracket, the module around the one that it opens.
        let mut open: Vec<Option<usize>> = Vec::new();
        // Where the item begins that the next token is in.
        let mut start = 0;
        let mut at = 0;
        while at < self.file.tokens().len() {
            let begins = at == start || matches!(self.word(at - 1), b"pub" | b")" | b"]");
            match self.word(at) {
                b"mod" if begins && self.is_name(at + 1) && self.word(at + 2) == b";" => {
                    let item = self.range(start).start..self.range(at + 2).end;
                    let target = targets.get(&self.range(at + 1).start).and_then(|file| self.ids.get(file));
                    if let Some(&target) = target {
                        self.declare(target, within, self.word(at + 1), item);
                    }
                    at += 2;
                }
                b"mod" if begins && self.is_name(at + 1) && self.word(at + 2) == b"{" => {
                    let (file, from) = (self.file, self.range(at + 2).start);
                    open.push(Some(within));
                    let item = self.range(start).start..from;
                    let (text, name) = (from..file.text().len(), Some(self.word(at + 1)));
                    let parent = Some(within);
                    within = self.all.modules.len();
                    self.all.modules.push(Module {
                        file,
                        is_file: false,
                        text,
                        name,
                        parent,
                        item: Some(item),
                    });
                    at += 2;
                }
                b"use" if begins && self.file.tokens().len() > at + 1 && self.word(at + 1) != b"<" => {
                    let is_local = open.last().is_some_and(Option::is_none);
                    at = self.read_import(start, at, within, is_local);
                }
                b"{" => open.push(None),
                b"}" => {
                    if let Some(Some(around)) = open.pop() {
                        self.all.modules[within].text.end = self.range(at).end;
                        within = around;
                    }
                }
                _ => at = self.read_path(at, within),
            }
            if matches!(self.word(at), b";" | b"{" | b"}") {
                start = at + 1;
            }
            at += 1;
        }
        // Without its closing bracket, a module cannot be dissolved.
        while let Some(around) = open.pop() {
            if let Some(around) = around {
                self.all.modules[within].item = None;
                within = around;
            }
        }
    }

    fn declare(&mut self, target: usize, parent: usize, name: &'a [u8], item: Range<usize>) {
        let is_first = self.declared.insert(target);
        let is_around = self.all.around(parent).any(|module| module == target);
        let module = &mut self.all.modules[target];
        if is_first && !is_around {
            (module.parent, module.name, module.item) = (Some(parent), Some(name), Some(item));
        } else {
            module.item = None;
        }
    }

    /// Reads the path that begins with a token, if there is one, and returns the last token that it has read.
    fn read_path(&mut self, start: usize, within: usize) -> usize {
        let before = start.checked_sub(1).map_or(&b""[..], |before| self.word(before));
        if !self.is_name(start) || matches!(before, b"::" | b".") {
            return start;
        }
        let mut at = start;
        let mut segments = vec![self.range(at)];
        while self.word(at + 1) == b"::" && self.is_name(at + 2) {
            at += 2;
            segments.push(self.range(at));
        }
        let is_restriction = start > 1
            && before == b"("
            && self.word(start - 2) == b"pub"
            && self.word(start) == b"super"
            && self.word(at + 1) == b")";
        if segments.len() > 1 || is_restriction {
            let (file, modules) = (self.file, Vec::new());
            self.all.paths.push(Path { file, within, segments, modules, is_restriction });
        }
        at
    }

    /// Reads an import, and returns its last token.
    fn read_import(&mut self, start: usize, at: usize, within: usize, is_local: bool) -> usize {
        let count = self.file.tokens().len();
        let end = (at + 1..count).find(|&at| self.word(at) == b";").unwrap_or(count - 1);
        let mut leaves = Vec::new();
        // The names before each open bracket.
        let mut above: Vec<usize> = Vec::new();
        let mut path: Vec<Cow<'a, [u8]>> = Vec::new();
        let mut next = at + 1;
        let mut is_due = false;
        let (mut alias, mut is_all) = (None, false);
        let is_external = self.word(next) == b"::";
        while next <= end {
            match self.word(next) {
                b"::" => {}
                b"{" => above.push(path.len()),
                b"*" => (is_due, is_all) = (true, true),
                b"as" => {
                    next += 1;
                    alias = Some(Cow::Borrowed(self.word(next)));
                }
                b"," | b"}" | b";" => {
                    if is_due {
                        let mut segments = path.clone();
                        if segments.len() > 1 && segments.last().is_some_and(|last| &**last == b"self") {
                            segments.pop();
                        }
                        leaves.push(Leaf { segments, alias: alias.take(), is_all });
                    }
                    (is_due, is_all) = (false, false);
                    path.truncate(above.last().copied().unwrap_or(0));
                    if self.word(next) == b"}" {
                        above.pop();
                        path.truncate(above.last().copied().unwrap_or(0));
                    }
                }
                word => {
                    path.push(Cow::Borrowed(word));
                    is_due = true;
                }
            }
            next += 1;
        }
        if !is_external {
            let whole = self.range(start).start..self.range(end).end;
            let tree = self.range(at + 1).start..self.range(end).start;
            self.all.imports.push(Import { file: self.file, within, is_local, whole, tree, leaves });
        }
        end
    }
}

/// The text of an import of these paths, behind `use`.
pub(super) fn rendered(leaves: &[Leaf<'_>]) -> Vec<u8> {
    let items: Vec<(&[Cow<'_, [u8]>], &Leaf<'_>)> =
        leaves.iter().map(|leaf| (&leaf.segments[..], leaf)).collect();
    list(&items)
}

fn list(items: &[(&[Cow<'_, [u8]>], &Leaf<'_>)]) -> Vec<u8> {
    let groups = items.chunk_by(|(a, _), (b, _)| !a.is_empty() && a.first() == b.first());
    let parts: Vec<Vec<u8>> = groups.map(part).collect();
    match &parts[..] {
        [part] => part.clone(),
        _ => [b"{", &parts.join(&b", "[..])[..], b"}"].concat(),
    }
}

/// The text of paths that begin with the same name.
fn part(items: &[(&[Cow<'_, [u8]>], &Leaf<'_>)]) -> Vec<u8> {
    let (path, leaf) = items[0];
    let alias = leaf.alias.as_ref().map_or(Vec::new(), |alias| [b" as ", &alias[..]].concat());
    match (path, items.len()) {
        ([], _) if leaf.is_all => b"*".to_vec(),
        ([], _) => [b"self", &alias[..]].concat(),
        ([name], 1) if !leaf.is_all => [&name[..], &alias].concat(),
        ([name, ..], _) => {
            let rest: Vec<_> = items.iter().map(|(path, leaf)| (&path[1..], *leaf)).collect();
            [&name[..], b"::", &list(&rest)].concat()
        }
    }
}
