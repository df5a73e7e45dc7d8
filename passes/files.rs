//! Deletes folders and files, with what refers to them elsewhere or alone, and the texts of files that must stay.

use crate::{Base, Example, Grain, Group, Pass, Unit};
use lopper_languages::edit::FileId;
use lopper_languages::references::Paths;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;

pub(crate) const PASS: Pass = Pass {
    name: "files",
    summary: "deletes folders and files, with what refers to them, or their texts",
    grain: Grain::Coarse,
    several: true,
    proves: true,
    examples: &[
        Example {
            language: "c",
            before: "=== Makefile\nOBJS = main.o util.o\nutil.o: util.c util.h\n\tcc -c util.c\n=== docs/a/b.md\nText.\n=== main.c\n#include <stdio.h>\n#include \"util.h\"\nint main() { return 0; }\n=== util.c\n#include \"util.h\"\n=== util.h\nint util();\n",
            keep: &["OBJS = main.o", "#include <stdio.h>", "int main"],
            after: "=== Makefile\nOBJS = main.o\n=== main.c\n#include <stdio.h>\nint main() { return 0; }\n",
        },
        Example {
            language: "python",
            before: "=== p/__init__.py\nfrom . import a, b\n=== p/a.py\nx = 1\n=== p/b.py\nfrom .a import (\n    x,\n)\ntry:\n    import p.a\nexcept ImportError:\n    raise\ny = 2\n=== q/c.py\n",
            keep: &["=== p/__init__.py", "=== p/b.py", "y = 2", "try:"],
            after: "=== p/__init__.py\n=== p/b.py\ntry:\n    pass\nexcept ImportError:\n    raise\ny = 2\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    if !base.is_of_several() {
        return Vec::new();
    }
    let named = Named::new(base);
    let mut groups: Vec<Group> = levels(base)
        .into_iter()
        .map(|level| Group::choices(level.into_iter().map(|files| named.ways_to_go(base, files))))
        .collect();
    let texts = PASS.files(base).filter(|file| !file.text().is_empty());
    groups.push(Group::deletions(texts.map(|file| file.cut(0..file.text().len()))));
    groups
}

/// The files below each folder, and each file, by the depth of their paths. O(files), times the depth.
fn levels(base: &Base) -> Vec<Vec<Vec<FileId>>> {
    let mut levels: Vec<BTreeMap<PathBuf, Vec<FileId>>> = Vec::new();
    for (id, file) in base.files() {
        let mut above = PathBuf::new();
        for (depth, component) in file.path.components().enumerate() {
            above.push(component);
            if levels.len() == depth {
                levels.push(BTreeMap::new());
            }
            levels[depth].entry(above.clone()).or_default().push(id);
        }
    }
    // What has the same files as the folder above it needs no second look.
    let mut seen = BTreeSet::new();
    let entries = levels.into_iter().map(|level| level.into_values().collect::<Vec<_>>());
    let fresh = entries.map(|level| {
        let key = |files: &Vec<FileId>| (files.first().copied(), files.len());
        level.into_iter().filter(|files| files.len() < base.files.len() && seen.insert(key(files))).collect()
    });
    fresh.collect()
}

/// What names each file, elsewhere in the base.
struct Named {
    /// For each file that is named, the files and the statements in them that name it, or the links that lead to it.
    by_target: BTreeMap<FileId, Vec<(FileId, Option<usize>)>>,
    /// For each of these statements, what its items name.
    targets: BTreeMap<(FileId, usize), Vec<Option<FileId>>>,
}

impl Named {
    /// Linear in the texts, times the logarithm of the number of files.
    fn new(base: &Base) -> Self {
        let paths = Paths::new(base.files.iter().map(|file| &*file.path));
        let mut named = Self { by_target: BTreeMap::new(), targets: BTreeMap::new() };
        for (id, file) in base.files() {
            if !file.is_regular() {
                let target = paths.relative(id, &String::from_utf8_lossy(&file.text));
                target.iter().for_each(|&target| named.add(target, (id, None)));
                continue;
            }
            for (index, statement) in file.references().iter().enumerate() {
                let targets: Vec<Option<FileId>> =
                    statement.items.iter().map(|item| paths.target(id, &file.text, item)).collect();
                if targets.iter().any(Option::is_some) {
                    targets.iter().flatten().for_each(|&target| named.add(target, (id, Some(index))));
                    named.targets.insert((id, index), targets);
                }
            }
        }
        named
    }

    fn add(&mut self, target: FileId, by: (FileId, Option<usize>)) {
        let all = self.by_target.entry(target).or_default();
        if all.last() != Some(&by) {
            all.push(by);
        }
    }

    /// The ways to delete files (sorted): with what names them, or alone.
    fn ways_to_go(&self, base: &Base, files: Vec<FileId>) -> Vec<Unit> {
        let goes = |id: &FileId| files.binary_search(id).is_ok();
        let remove = |&file: &FileId| Unit::Remove { file };
        let by = files.iter().filter_map(|file| self.by_target.get(file)).flatten();
        let by: BTreeSet<(FileId, Option<usize>)> = by.copied().filter(|(file, _)| !goes(file)).collect();
        let alone = Unit::together(files.iter().map(remove));
        if by.is_empty() {
            return vec![alone];
        }
        let mut units: Vec<Unit> = files.iter().map(remove).collect();
        for (id, index) in by {
            match index {
                None => units.push(Unit::Remove { file: id }),
                Some(index) => units.extend(self.without(base, id, index, &goes)),
            }
        }
        vec![Unit::together(units), alone]
    }

    /// The units that take what names these files out of a statement.
    fn without(&self, base: &Base, id: FileId, index: usize, goes: &dyn Fn(&FileId) -> bool) -> Vec<Unit> {
        let statement = &base.file(id).references()[index];
        let targets = &self.targets[&(id, index)];
        let mut targets = targets.iter();
        let ranges =
            statement.without(|_| targets.next().is_some_and(|target| target.as_ref().is_some_and(goes)));
        let unit = |range: Range<usize>| {
            let whole = range == statement.range;
            let range = range.start as u32..range.end as u32;
            if whole { Unit::DropAt { file: id, range } } else { Unit::Cut { file: id, range } }
        };
        ranges.into_iter().map(unit).collect()
    }
}
