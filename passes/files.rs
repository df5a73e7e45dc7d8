//! Deletes folders and files, with what refers to them elsewhere or alone, and the texts of files that must stay. What
//! another file imports from them goes with the entries of tables that it is in, or becomes a constant.

use crate::links::Links;
use crate::referrers::{Referrers, empty};
use crate::uses::without_entry;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::edit::FileId;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
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
        Example {
            language: "javascript",
            before: "=== a.mjs\nimport b from './lib/b.mjs';\nimport { c as d, e } from './lib/c.mjs';\nexport const rules = [\n  ['b', b],\n  ['d', d, 1],\n];\nlog(rules, e(2));\n=== lib/b.mjs\nexport default function () {}\n=== lib/c.mjs\nexport function c() {}\nexport function e() {}\n",
            keep: &["['b', b]", "log(rules, ", "=== lib/b.mjs", "import b", "function ()"],
            after: "=== a.mjs\nimport b from './lib/b.mjs';\nexport const rules = [\n  ['b', b],\n];\nlog(rules, 0);\n=== lib/b.mjs\nexport default function () {}\n",
        },
        Example {
            language: "javascript",
            before: "=== a.js\nmodule.exports = 1;\n=== b.js\nmodule.exports = 2;\n=== index.js\nconst a = require('./a');\nconst b = require('./b');\nmodule.exports = { b, a, c: a.d };\n",
            keep: &["const b", "module.exports = { b", "2;\n"],
            after: "=== b.js\nmodule.exports = 2;\n=== index.js\nconst b = require('./b');\nmodule.exports = { b };\n",
        },
        Example {
            language: "javascript",
            before: "=== a.js\nmodule.exports = 1;\n=== index.js\nexports.b = require('./a');\nexports.c = [1, require('./a')];\nexports.d = require('./a').e(2);\n",
            keep: &["exports.b = ", "exports.c = [1", "exports.d ="],
            after: "=== index.js\nexports.b = 0;\nexports.c = [1];\nexports.d = 0;\n",
        },
        Example {
            language: "python",
            before: "=== m.py\nclass A: pass\nclass B(A): pass\n=== p/__init__.py\nfrom m import A\nx = 1\n=== t.py\nfrom p import A, x\nA.b = 1\nprint(x, A())\n",
            keep: &["print(x, ", "from p import", "x = 1"],
            after: "=== p/__init__.py\nx = 1\n=== t.py\nfrom p import x\nprint(x, 0)\n",
        },
        Example {
            language: "go",
            before: "=== a.go\n// Text.\npackage a\n\nfunc f() {}\n=== b.go\npackage a\n\nfunc g() {}\n",
            keep: &["=== a.go", "package a", "=== b.go", "func g"],
            after: "=== a.go\npackage a=== b.go\npackage a\n\nfunc g() {}\n",
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
    let size: usize = base.files.iter().map(|file| file.text.len()).sum();
    // In a larger base, files go without a look at the trees of others: most go in any case.
    let links = (size < LARGE).then(|| Links::new(base));
    let ways_to_go = |files| ways_to_go(&referrers, files, links.as_ref());
    let places = referrers.places();
    let first = |files: &Vec<FileId>| files.iter().map(|&file| places[file as usize]).min();
    let group = |mut level: Vec<Vec<FileId>>| {
        level.sort_by_key(first);
        let mut subjects = Vec::new();
        let ways = level.into_iter().map(|files| {
            let subject = subject(base, &files);
            let ways = ways_to_go(files);
            subjects.extend((0..ways.len()).map(|way| subject.wrapping_add(way as u64)));
            ways
        });
        Group::choices(ways.collect::<Vec<_>>()).about(subjects)
    };
    let mut groups: Vec<Group> = levels(base).into_iter().map(group).collect();
    let texts = PASS.files(base).filter(|file| !file.text().is_empty());
    let emptied = texts.filter_map(|file| Some((!subject(base, &[file.id]), empty(base, file.id)?)));
    let (subjects, units): (Vec<u64>, Vec<Unit>) = emptied.unzip();
    groups.push(Group::deletions(units).about(subjects));
    groups
}

/// Identifies files by their paths: in coarse sweeps, a file that must stay need not be asked for again whenever its text changes.
fn subject(base: &Base, files: &[FileId]) -> u64 {
    let mut hash = DefaultHasher::new();
    files.iter().for_each(|&file| base.file(file).path.hash(&mut hash));
    hash.finish()
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

/// The size of a large base, in bytes.
const LARGE: usize = 1 << 20;
/// What is used in more places is left to other passes.
const MOST: usize = 512;

/// The ways to delete files (sorted): with what refers to them, perhaps with whole lines of recipes, with the uses of what others
/// import from them, or alone.
fn ways_to_go(referrers: &Referrers<'_>, files: Vec<FileId>, links: Option<&Links<'_>>) -> Vec<Unit> {
    let remove = |&file: &FileId| Unit::Remove { file };
    let removed = || files.iter().map(remove);
    let without = referrers.without(&files);
    let without_lines = referrers.without_lines(&files);
    let alone = match files[..] {
        [file] => Unit::Remove { file },
        _ => Unit::together(removed()),
    };
    if without.is_empty() {
        return vec![alone];
    }
    let uses = links.and_then(|links| without_uses(links, referrers.base, &files, &without));
    let with_uses = uses.map(|uses| without.iter().cloned().chain(uses).collect());
    let ways = [without_lines, with_uses, Some(without)].into_iter().flatten();
    let ways = ways.map(|without| Unit::together(removed().chain(without)));
    // An import of a file that is gone would only fail.
    let alone = Some(Unit::together([alone])).filter(|_| !referrers.are_imports(&files));
    ways.chain(alone).collect()
}

/// The units that take away the uses of what the deleted parts of other files define: imports, above all. Other files may import
/// it from there again. `None` if there are none, or too many.
pub(crate) fn without_uses(
    links: &Links<'_>,
    base: &Base,
    files: &[FileId],
    without: &[Unit],
) -> Option<Vec<Unit>> {
    let range = |unit: &Unit| match unit {
        Unit::DropAt { file, range } | Unit::Cut { file, range } => {
            Some((*file, range.start as usize..range.end as usize))
        }
        _ => None,
    };
    let mut parts: Vec<(FileId, Range<usize>)> = without.iter().filter_map(range).collect();
    parts.sort_unstable_by_key(|(file, range)| (*file, range.start));
    let going = Going { links, base, files, parts };
    let mut units = Vec::new();
    for (file, part) in &going.parts {
        let file = File { id: *file, parsed: base.file(*file) };
        if files.binary_search(&file.id).is_err() {
            units.extend(going.without_uses_of(file, part)?);
        }
        if units.len() > MOST {
            return None;
        }
    }
    Some(units).filter(|units| !units.is_empty())
}

/// What goes with files that are deleted.
struct Going<'a> {
    links: &'a Links<'a>,
    base: &'a Base,
    files: &'a [FileId],
    /// The parts of other files that name them, in order.
    parts: Vec<(FileId, Range<usize>)>,
}

impl Going<'_> {
    /// Whether a node goes with the files.
    fn goes(&self, id: FileId, node: NodeId) -> bool {
        let range = self.base.file(id).tree().range(node);
        let next = self.parts.partition_point(|(file, part)| (*file, part.end) < (id, range.end));
        let is_in = |(file, part): &(FileId, Range<usize>)| *file == id && part.start <= range.start;
        self.files.binary_search(&id).is_ok() || self.parts.get(next).is_some_and(is_in)
    }

    /// The units that take away the uses of what a part of a file defines; `None` if there are too many.
    fn without_uses_of(&self, file: File<'_>, part: &Range<usize>) -> Option<Vec<Unit>> {
        let Some(node) = file.innermost_at(part.clone()) else { return Some(Vec::new()) };
        let is_in = |range: Range<usize>| part.start <= range.start && range.end <= part.end;
        let names = file.bindings().within(file.tree(), node);
        let defined: BTreeSet<usize> =
            names.filter(|(name, _)| is_in(file.range(*name))).map(|(_, index)| index).collect();
        let mut units = Vec::new();
        for index in defined {
            let own = &file.bindings().definitions()[index];
            if !file.places(own).all(|place| is_in(file.range(place.name))) {
                continue;
            }
            let definition = self.links.get(self.links.key((file.id, index)));
            if definition.uses.len() > MOST {
                return None;
            }
            let is_left = |id: FileId, node: NodeId| !self.goes(id, node);
            let again = definition.places.iter().filter(|place| is_left(place.file, place.name));
            units.extend(again.map(|place| Unit::Drop { file: place.file, node: place.whole }));
            let uses = definition.uses.iter().filter(|used| is_left(used.file, used.name));
            units.extend(uses.map(|used| {
                without_entry(File { id: used.file, parsed: self.base.file(used.file) }, used.name)
            }));
        }
        Some(units)
    }
}
