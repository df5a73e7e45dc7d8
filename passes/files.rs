//! Deletes folders and files, with what refers to them elsewhere or alone, and the texts of files that must stay.

use crate::referrers::{Referrers, empty};
use crate::{Base, Example, Grain, Group, Pass, Unit};
use lopper_languages::edit::FileId;
use std::collections::{BTreeMap, BTreeSet};
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
            before: "=== Makefile\nOBJS = main.o \\\n  out/util.o\nout/util.o: util.c util.h\n\tcc -c util.c -o out/util.o\n=== docs/a/b.md\nText.\n=== main.c\n#include <stdio.h>\n#include \"util.h\"\nint main() { return 0; }\n=== util.c\n#include \"util.h\"\n=== util.h\nint util();\n",
            keep: &["OBJS = main.o", "#include <stdio.h>", "int main"],
            after: "=== Makefile\nOBJS = main.o\n=== main.c\n#include <stdio.h>\nint main() { return 0; }\n",
        },
        Example {
            language: "python",
            before: "=== p/__init__.py\nfrom . import a, b\n=== p/a.py\nx = 1\n=== p/b.py\nfrom .a import (\n    x,\n)\ntry:\n    import p.a\nexcept ImportError:\n    raise\ny = 2\n=== q/c.py\n",
            keep: &["=== p/__init__.py", "=== p/b.py", "y = 2", "try:"],
            after: "=== p/__init__.py\n=== p/b.py\ntry:\n    pass\nexcept ImportError:\n    raise\ny = 2\n",
        },
        Example {
            language: "c",
            before: "=== Makefile\nall: a.c\n\tcc a.c\n\tcc -c -I. b.c -o b.out\n=== a.c\nint a;\n=== b.c\nint b;\n",
            keep: &["all: ", "\tcc a.c\n", "int a;"],
            after: "=== Makefile\nall: a.c\n\tcc a.c\n=== a.c\nint a;\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    if !base.is_of_several() {
        return Vec::new();
    }
    let referrers = Referrers::new(base);
    let mut groups: Vec<Group> = levels(base)
        .into_iter()
        .map(|level| Group::choices(level.into_iter().map(|files| ways_to_go(&referrers, files))))
        .collect();
    let texts = PASS.files(base).filter(|file| !file.text().is_empty());
    groups.push(Group::deletions(texts.map(|file| empty(base, file.id))));
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

/// The ways to delete files (sorted): with what refers to them, perhaps with whole lines of recipes, or alone.
fn ways_to_go(referrers: &Referrers<'_>, files: Vec<FileId>) -> Vec<Unit> {
    let remove = |&file: &FileId| Unit::Remove { file };
    let removed = || files.iter().map(remove);
    let without = referrers.without(&files);
    let without_lines = referrers.without_lines(&files);
    let alone = match files[..] {
        [file] => Unit::Remove { file },
        _ => Unit::together(removed()),
    };
    if without.is_empty() {
        vec![alone]
    } else {
        let ways = [without_lines, Some(without)].into_iter().flatten();
        let ways = ways.map(|without| Unit::together(removed().chain(without)));
        ways.chain([Unit::together([alone])]).collect()
    }
}
