//! Referrers: the statements and links that name a file, elsewhere in the base.

use crate::uses::without_entry;
use crate::{Base, File, Unit};
use lopper_languages::edit::FileId;
use lopper_languages::references::{Form, Item, Naming, Paths, Statement};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

/// The number of files that the text of another one may move to, each of which is tried.
pub(crate) const HOSTS: usize = 4;

/// A place that names files: a statement of a file, by its index, or a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Referrer {
    pub(crate) file: FileId,
    pub(crate) statement: Option<usize>,
}

/// The referrers of all files of a base.
pub(crate) struct Referrers<'a> {
    pub(crate) base: &'a Base,
    pub(crate) paths: Paths,
    /// In the order of the base.
    by_target: BTreeMap<FileId, Vec<Referrer>>,
    /// What the items of each statement name, if any of them names a file.
    targets: BTreeMap<Referrer, Vec<Option<FileId>>>,
}

impl<'a> Referrers<'a> {
    /// Linear in the texts, times the logarithm of the number of files.
    pub(crate) fn new(base: &'a Base) -> Self {
        let mut paths = Paths::new(base.files.iter().map(|file| &*file.path));
        let files = base.files().filter(|(_, file)| file.is_regular());
        files.for_each(|(id, file)| paths.note_package(id, &file.text));
        let mut all = Self { base, paths, by_target: BTreeMap::new(), targets: BTreeMap::new() };
        for (id, file) in base.files() {
            if !file.is_regular() {
                let link = Referrer { file: id, statement: None };
                let target = all.paths.relative(id, &String::from_utf8_lossy(&file.text));
                target.iter().for_each(|&target| all.add(target, link));
                continue;
            }
            for (index, statement) in file.references().iter().enumerate() {
                let by = Referrer { file: id, statement: Some(index) };
                let target = |item: &Item| all.paths.target(id, &file.text, item);
                let targets: Vec<Option<FileId>> = statement.items.iter().map(target).collect();
                if targets.iter().any(Option::is_some) {
                    targets.iter().flatten().for_each(|&target| all.add(target, by));
                    all.targets.insert(by, targets);
                }
            }
        }
        all
    }

    fn add(&mut self, target: FileId, by: Referrer) {
        let referrers = self.by_target.entry(target).or_default();
        if referrers.last() != Some(&by) {
            referrers.push(by);
        }
    }

    /// The places that name a file, in the order of the base.
    pub(crate) fn of(&self, file: FileId) -> &[Referrer] {
        self.by_target.get(&file).map_or(&[], Vec::as_slice)
    }

    /// What the items of a statement name.
    pub(crate) fn targets(&self, by: Referrer) -> &[Option<FileId>] {
        self.targets.get(&by).map_or(&[], Vec::as_slice)
    }

    /// The module that `b` is in a file's `from a import b`.
    pub(crate) fn submodule(&self, file: FileId, module: &str, name: &Range<usize>) -> Option<FileId> {
        let name = String::from_utf8_lossy(&self.base.file(file).text[name.clone()]).into_owned();
        let dot = if module.ends_with('.') { "" } else { "." };
        self.paths.module(file, &format!("{module}{dot}{name}"))
    }

    /// The statement of a referrer; `None` for a link.
    pub(crate) fn statement(&self, by: Referrer) -> Option<&'a Statement> {
        self.base.file(by.file).references().get(by.statement?)
    }

    /// Whether a file names another one of the base.
    pub(crate) fn is_leaf(&self, file: FileId) -> bool {
        let from = Referrer { file, statement: Some(0) };
        self.targets.range(from..).next().is_none_or(|(by, _)| by.file != file)
    }

    /// The place of each file if each comes after the first file that names it, with what it names itself next to it: what is
    /// needed for one purpose is together. Linear in the places that name files.
    pub(crate) fn places(&self) -> Vec<usize> {
        let files = || 0..self.base.files.len() as FileId;
        let roots = files().filter(|file| !self.by_target.contains_key(file));
        let mut places = vec![usize::MAX; self.base.files.len()];
        let mut next = 0;
        for root in roots.chain(files()) {
            let mut left = vec![root];
            while let Some(file) = left.pop() {
                let place = &mut places[file as usize];
                if *place == usize::MAX {
                    *place = next;
                    next += 1;
                    left.extend(self.named_by(file).rev());
                }
            }
        }
        places
    }

    /// The files that a file names, in the order of its text.
    fn named_by(&self, file: FileId) -> impl DoubleEndedIterator<Item = FileId> {
        let by = |statement| Referrer { file, statement };
        let targets = self.targets.range(by(None)..=by(Some(usize::MAX)));
        targets.flat_map(|(_, targets)| targets.iter().flatten()).copied()
    }

    /// The units that delete what names these files (sorted) in other files.
    pub(crate) fn without(&self, files: &[FileId]) -> Vec<Unit> {
        let goes = |file: FileId| files.binary_search(&file).is_ok();
        self.outside(files).into_iter().flat_map(|by| self.without_in(by, &goes)).collect()
    }

    /// The places that name one of these files (sorted) in other files, in the order of the base.
    fn outside(&self, files: &[FileId]) -> BTreeSet<Referrer> {
        let all = files.iter().flat_map(|&file| self.of(file)).copied();
        all.filter(|by| files.binary_search(&by.file).is_err()).collect()
    }

    /// Whether what names these files (sorted) in other files does so by imports and includes that begin a line.
    pub(crate) fn are_imports(&self, files: &[FileId]) -> bool {
        let is_import = |by: Referrer| {
            let text = &self.base.file(by.file).text;
            self.statement(by).is_some_and(|statement| {
                let start = statement.range.start;
                (start == 0 || text.get(start - 1) == Some(&b'\n'))
                    && !statement.items.iter().any(|item| matches!(item.form, Form::Word(_)))
            })
        };
        self.outside(files).into_iter().all(is_import)
    }

    /// As `without`, but a line of a recipe goes whole with the last file that it names: what else looks like a path
    /// there, such as `-I.`, does nothing without it. `None` if there is no such line.
    pub(crate) fn without_lines(&self, files: &[FileId]) -> Option<Vec<Unit>> {
        let goes = |file: FileId| files.binary_search(&file).is_ok();
        let mut units = Vec::new();
        let mut has_line = false;
        for by in self.outside(files) {
            let named = || self.targets(by).iter().flatten();
            let line = self.statement(by).filter(|line| self.is_of_recipe(by.file, line));
            let line =
                line.filter(|_| named().count() < self.targets(by).len() && named().all(|&file| goes(file)));
            has_line |= line.is_some();
            match line {
                Some(line) => {
                    let range = line.range.start as u32..line.range.end as u32;
                    units.push(Unit::DropAt { file: by.file, range });
                }
                None => units.extend(self.without_in(by, &goes)),
            }
        }
        has_line.then_some(units)
    }

    fn is_of_recipe(&self, file: FileId, line: &Statement) -> bool {
        let before = line.range.start.checked_sub(1);
        line.rule.is_none() && before.is_some_and(|at| self.base.file(file).text[at] == b'\t')
    }

    /// The units that take what names files out of a statement, or delete a link to one.
    pub(crate) fn without_in(&self, by: Referrer, goes: &dyn Fn(FileId) -> bool) -> Vec<Unit> {
        let file = by.file;
        let Some(statement) = self.statement(by) else { return vec![Unit::Remove { file }] };
        let here = File { id: file, parsed: self.base.file(file) };
        let mut units = Vec::new();
        let mut goes = statement.items.iter().zip(self.targets(by)).map(|(item, target)| {
            let goes = target.is_some_and(goes);
            let call = if goes { loading(here, &item.range) } else { None };
            units.extend(call.map(|call| without_entry(here, call)));
            goes && call.is_none()
        });
        let ranges = statement.without(here.text(), |_| goes.next().unwrap_or(false));
        let unit = |range: Range<usize>| {
            let is_whole = range == statement.range;
            let range = range.start as u32..range.end as u32;
            if is_whole { Unit::DropAt { file, range } } else { Unit::Cut { file, range } }
        };
        units.extend(ranges.into_iter().map(unit));
        units
    }
}

/// The call that loads a module by the path in this range, which is all that it takes: without the path, it would only fail.
fn loading(file: File<'_>, path: &Range<usize>) -> Option<NodeId> {
    if file.language().naming() != Naming::Specifiers {
        return None;
    }
    let string = file.parent(file.innermost_at(path.clone())?)?;
    let arguments = file.parent(string).filter(|&n| file.has(n, Role::Arguments))?;
    let is_only = file.named_children(arguments).count() == 1;
    file.parent(arguments).filter(|&n| is_only && file.has(n, Role::Call))
}

/// The uses of what an import binds at this place, but for the words of other imports, which look like uses.
pub(crate) fn uses_of_import(file: File<'_>, place: &Range<usize>) -> Vec<NodeId> {
    let statements = file.parsed.references();
    let is_import = |node: &NodeId| {
        let start = file.range(*node).start;
        let before = statements.partition_point(|statement| statement.range.start <= start);
        before.checked_sub(1).is_some_and(|last| start < statements[last].range.end)
    };
    let definition = file.innermost_at(place.clone()).and_then(|node| file.definition(node));
    let uses = definition.into_iter().flat_map(|definition| file.uses(definition));
    uses.filter(|node| !is_import(node)).collect()
}

/// A unit that deletes the text of a file but for what every file of its language needs, but not the file. `None` if there is
/// no more than that.
pub(crate) fn empty(base: &Base, file: FileId) -> Option<Unit> {
    let file = File { id: file, parsed: base.file(file) };
    let end = file.text().len();
    let needed = file.children(NodeId::ROOT).filter(|&n| file.has(n, Role::Needed)).map(|n| file.range(n));
    let needed: Vec<Range<usize>> = needed.collect();
    if needed.is_empty() {
        return Some(file.cut(0..end));
    }
    let starts = std::iter::once(0).chain(needed.iter().map(|range| range.end));
    let gaps = starts.zip(needed.iter().map(|range| range.start).chain([end])).map(|(start, end)| start..end);
    let is_text = |gap: &Range<usize>| !file.text()[gap.clone()].trim_ascii().is_empty();
    let cuts: Vec<Unit> = gaps.filter(is_text).map(|gap| file.cut(gap)).collect();
    (!cuts.is_empty()).then(|| Unit::together(cuts))
}

/// The path of a file, from a folder.
pub(crate) fn way(folder: &Path, file: &Path) -> PathBuf {
    let plain = |path: &Path| {
        let mut parts: Vec<String> = Vec::new();
        for component in path.components() {
            match component {
                Component::ParentDir if parts.last().is_some_and(|last| last != "..") => drop(parts.pop()),
                Component::ParentDir => parts.push("..".into()),
                Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
                _ => {}
            }
        }
        parts
    };
    let (folder, file) = (plain(folder), plain(file));
    let common = folder.iter().zip(&file).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", folder.len() - common);
    up.chain(file[common..].iter().map(String::as_str)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_after_the_first_one_that_names_it_and_beside_what_it_names() {
        let base = Base::of_example(
            "javascript",
            "=== a.js\n=== b.js\nrequire('./d');\n=== c.js\n=== d.js\nrequire('./a');\n=== m.js\nrequire('./b');\nrequire('./c');\nrequire('./a');\n=== n.js\nrequire('./m');\n",
        );
        let places = Referrers::new(&base).places();
        let mut files: Vec<usize> = (0..places.len()).collect();
        files.sort_by_key(|&file| places[file]);
        let names: String = files.iter().map(|&file| base.files[file].path.display().to_string()).collect();
        assert_eq!(names, "n.jsm.jsb.jsd.jsa.jsc.js");
    }

    #[test]
    fn files_that_name_each_other_have_places() {
        let base = Base::of_example(
            "javascript",
            "=== a.js\nrequire('./b');\n=== b.js\nrequire('./a');\n=== c.js\n",
        );
        assert_eq!(Referrers::new(&base).places(), [1, 2, 0]);
    }
}
