//! Gives folders and files short names, with all that names them.

use crate::referrers::{Referrer, Referrers, uses_of_import};
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::edit::FileId;
use lopper_languages::references::{Form, Item, Naming, Statement, module_path};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) const PASS: Pass = Pass {
    name: "paths",
    summary: "gives folders and files short names, wherever they are named",
    grain: Grain::Finish,
    several: true,
    examples: &[
        Example {
            language: "c",
            before: "=== Makefile\nall: source/main.o out/main.o\n=== include/stack.h\nint a;\n=== source/main.c\n#include \"../include/stack.h\"\n#include <stdio.h>\n",
            keep: &["=== Makefile", "all: "],
            after: "=== Makefile\nall: c/f.o out/f.o\n=== b/e.h\nint a;\n=== c/f.c\n#include \"../b/e.h\"\n#include <stdio.h>\n",
        },
        Example {
            language: "python",
            before: "=== shapes/__init__.py\nfrom .square import Square\n=== shapes/square.py\nSquare = 1\n=== test_all.py\nimport shapes.square\nfrom shapes import square, Square\nprint(shapes.square.Square, square.Square)\n",
            keep: &["=== test_all.py", "import"],
            after: "=== a/__init__.py\nfrom .b import Square\n=== a/b.py\nSquare = 1\n=== test_all.py\nimport a.b\nfrom a import b, Square\nprint(a.b.Square, b.Square)\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let renaming = Renaming { referrers: Referrers::new(base) };
    let (folders, files) = entries(base);
    let taken = words(base);
    let names: Vec<String> =
        short_names().filter(|name| !taken.contains(name.as_bytes())).take(MOST).collect();
    let mut names = names.iter();
    let mut unit = |(path, files): (PathBuf, Vec<FileId>)| {
        let stem = path.file_stem()?.to_str()?;
        let is_declared = files.iter().any(|&id| path == *base.file(id).path && renaming.is_declared(id));
        let is_special = stem.starts_with('.') || stem.starts_with("__") || is_declared;
        let short = names.as_slice().first().filter(|short| short.len() < stem.len() && !is_special)?;
        names.next();
        let ending = path
            .extension()
            .filter(|_| files.len() == 1 && base.file(files[0]).path == path.as_path().into());
        let to = ending.map_or(PathBuf::from(short), |ending| Path::new(short).with_extension(ending));
        Some(renaming.unit(&path, &path.with_file_name(to), &files))
    };
    let groups: Vec<Vec<Unit>> = folders
        .into_iter()
        .chain([files])
        .map(|level| level.into_iter().filter_map(&mut unit).collect())
        .collect();
    groups.into_iter().map(Group::deletions).collect()
}

/// No more folders and files than this get short names.
const MOST: usize = 600;

/// An entry's path, and the files that it is or contains.
type Entry = (PathBuf, Vec<FileId>);

/// The folders by their depth, and the files.
fn entries(base: &Base) -> (Vec<Vec<Entry>>, Vec<Entry>) {
    let mut folders: Vec<BTreeMap<PathBuf, Vec<FileId>>> = Vec::new();
    let mut files = Vec::new();
    for (id, file) in base.files() {
        files.push((file.path.to_path_buf(), vec![id]));
        let above: Vec<&Path> =
            file.path.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty()).collect();
        for (depth, folder) in above.into_iter().rev().enumerate() {
            if folders.len() == depth {
                folders.push(BTreeMap::new());
            }
            folders[depth].entry(folder.to_path_buf()).or_default().push(id);
        }
    }
    (folders.into_iter().map(|level| level.into_iter().collect()).collect(), files)
}

/// All words of the texts, and the stems of all names.
fn words(base: &Base) -> BTreeSet<Vec<u8>> {
    let texts = PASS
        .files(base)
        .flat_map(|file| file.tokens().iter().map(move |token| file.text()[token.range()].to_vec()));
    let parts = base.files.iter().flat_map(|file| file.path.iter());
    let stems =
        parts.filter_map(|part| Path::new(part).file_stem()).map(|stem| stem.as_encoded_bytes().to_vec());
    texts.filter(|word| word.len() < 3).chain(stems).collect()
}

/// The names of one letter, then those of two.
fn short_names() -> impl Iterator<Item = String> {
    let letters = || ('a'..='z').map(String::from);
    letters().chain(letters().flat_map(move |one| letters().map(move |other| format!("{one}{other}"))))
}

struct Renaming<'a> {
    referrers: Referrers<'a>,
}

/// A new name in the place of a component of a path, counted from the folder above all.
struct Change<'a> {
    depth: usize,
    name: &'a str,
    stem: &'a str,
}

impl Renaming<'_> {
    fn file(&self, id: FileId) -> File<'_> {
        File { id, parsed: self.referrers.base.file(id) }
    }

    /// Whether another file declares a file as a module, by a name that paths have, too.
    fn is_declared(&self, file: FileId) -> bool {
        let statements = self.referrers.of(file).iter().filter_map(|&by| self.referrers.statement(by));
        statements.flat_map(|statement| &statement.items).any(|item| matches!(item.form, Form::Declared(_)))
    }

    /// A unit that renames an entry, with what names it.
    fn unit(&self, path: &Path, to: &Path, files: &[FileId]) -> Unit {
        let depth = path.iter().count() - 1;
        let name = to.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let stem = to.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let change = Change { depth, name, stem };
        let mut units = Vec::new();
        let mut referrers: BTreeSet<Referrer> = BTreeSet::new();
        for &id in files {
            let own = &self.file(id).parsed.path;
            let below = own.strip_prefix(path).unwrap_or(Path::new(""));
            let now = if below.as_os_str().is_empty() { to.to_path_buf() } else { to.join(below) };
            units.push(Unit::Move { file: id, to: Arc::from(now) });
            referrers.extend(self.referrers.of(id));
        }
        for by in referrers {
            let Some(statement) = self.referrers.statement(by) else { continue };
            units.extend(self.renamed(by, statement, files, &change));
        }
        Unit::together(units)
    }

    /// The changes in a statement that names some of these files.
    fn renamed(
        &self,
        by: Referrer,
        statement: &Statement,
        files: &[FileId],
        change: &Change<'_>,
    ) -> Vec<Unit> {
        let file = self.file(by.file);
        let mut units = Vec::new();
        let mut is_first = true;
        for (item, target) in statement.items.iter().zip(self.referrers.targets(by)) {
            let Some(target) = target.filter(|target| files.binary_search(target).is_ok()) else { continue };
            let path = &self.file(target).parsed.path;
            if file.language().naming() != Naming::Modules {
                units.extend(in_path(file, item, path, change));
                continue;
            }
            let parts = module_path(path);
            match &item.form {
                Form::Module { module, alias } => {
                    let Some(now) = dotted(module, &parts, change) else { continue };
                    let range = item.range.start..item.range.start + module.len();
                    if alias.is_none() {
                        units.extend(uses(file, &range, module, &now));
                    }
                    units.push(file.write(range, now));
                }
                Form::Name { module, name, alias } => {
                    let is_module = self.is_module(file, module, name, target);
                    let above = &parts[..parts.len() - usize::from(is_module).min(parts.len())];
                    if let Some(place) = statement.module.clone().filter(|_| is_first)
                        && let Some(now) = dotted(module, above, change)
                    {
                        units.push(file.write(place, now));
                        is_first = false;
                    }
                    if is_module && parts.len() == change.depth + 1 {
                        let own = String::from_utf8_lossy(&file.text()[name.clone()]).into_owned();
                        if alias.is_none() {
                            units.extend(uses(file, name, &own, change.stem));
                        }
                        units.push(file.write(name.clone(), change.stem.to_owned()));
                    }
                }
                Form::All(module) => {
                    let now = dotted(module, &parts, change);
                    units
                        .extend(statement.module.clone().zip(now).map(|(place, now)| file.write(place, now)));
                }
                Form::Text(_) | Form::Specifier { .. } | Form::Declared(_) | Form::Word(_) => {}
            }
        }
        units
    }

    fn is_module(&self, file: File<'_>, module: &str, name: &Range<usize>, target: FileId) -> bool {
        let name = String::from_utf8_lossy(&file.text()[name.clone()]).into_owned();
        let dot = if module.ends_with('.') { "" } else { "." };
        self.referrers.paths.module(file.id, &format!("{module}{dot}{name}")) == Some(target)
    }
}

/// The change in a path such as `"../a/b.h"` or `a/b.o`.
fn in_path(file: File<'_>, item: &Item, path: &Path, change: &Change<'_>) -> Option<Unit> {
    let (text, start) = match &item.form {
        Form::Text(text) => (text, item.range.start + 1),
        Form::Specifier { path, place } => (path, place.start),
        Form::Word(text) => (text, item.range.start),
        _ => return None,
    };
    let parts: Vec<&str> = text.split('/').collect();
    // The path of a folder may stand for a file in it.
    let stands = path.file_stem().zip(parts.last()).is_some_and(|(stem, last)| {
        matches!(item.form, Form::Specifier { .. }) && !last.as_bytes().starts_with(stem.as_encoded_bytes())
    });
    let back = path.iter().count().checked_sub(change.depth + 1 + usize::from(stands))?;
    let at = parts.len().checked_sub(back + 1)?;
    // An object file may be in another folder than its source.
    let is_elsewhere = matches!(item.form, Form::Word(_)) && back > 0 && {
        let folder = path.iter().nth(change.depth);
        folder.is_none_or(|folder| folder.as_encoded_bytes() != parts[at].as_bytes())
    };
    if is_elsewhere || matches!(parts[at], "" | "." | "..") {
        return None;
    }
    let now = match (back, parts[at].split_once('.')) {
        // An object file, or a file without its ending.
        (0, Some((_, ending))) => format!("{}.{ending}", change.stem),
        (0, None) => change.stem.to_owned(),
        _ => change.name.to_owned(),
    };
    let before: usize = parts[..at].iter().map(|part| part.len() + 1).sum();
    let start = start + before;
    Some(file.write(start..start + parts[at].len(), now))
}

/// A dotted name of the module with these components, with the new name of one of them; `None` if it has not that one.
fn dotted(name: &str, parts: &[String], change: &Change<'_>) -> Option<String> {
    let rest = name.trim_start_matches('.');
    let mut words: Vec<&str> = rest.split('.').filter(|word| !word.is_empty()).collect();
    let at = (change.depth + words.len()).checked_sub(parts.len()).filter(|_| change.depth < parts.len())?;
    *words.get_mut(at)? = change.stem;
    Some(name[..name.len() - rest.len()].to_owned() + &words.join("."))
}

/// The units that rename a module where it is used under a name that is bound at this place.
fn uses(file: File<'_>, place: &Range<usize>, name: &str, now: &str) -> Vec<Unit> {
    let first = place.start..place.start + name.split('.').next().unwrap_or_default().len();
    let whole = uses_of_import(file, &first).into_iter().filter_map(|used| {
        let mut path = std::iter::once(used).chain(file.ancestors(used));
        path.find(|&node| file.node_text(node) == name.as_bytes())
    });
    whole.map(|node| file.write(file.range(node), now.to_owned())).collect()
}
