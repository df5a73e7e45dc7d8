//! What joins the names of files of Go: those of a package in its files, and behind its name in others.

use super::packages::{Folders, Source};
use crate::file::Key;
use crate::{Base, File};
use lopper_languages::bindings::Space;
use lopper_languages::edit::FileId;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a package defines, by name.
type Globals<'a> = BTreeMap<&'a [u8], Key>;

/// Names that stand for definitions in other files. O(names log names).
pub(crate) fn joined<'a>(base: &'a Base, files: &[File<'a>]) -> Vec<(Key, FileId, NodeId)> {
    let sources: Vec<Source<'a>> = files.iter().filter_map(|&file| Source::new(file)).collect();
    let folders = Folders::new(base);
    let mut found = Vec::new();
    let mut packages: BTreeMap<(&Path, &[u8]), Globals<'_>> = BTreeMap::new();
    let mut names: BTreeMap<PathBuf, &[u8]> = BTreeMap::new();
    for source in &sources {
        let globals = packages.entry(source.package()).or_default();
        for definition in source.globals() {
            let name = definition.places[0].name;
            if let Some(index) = source.file.bindings().of(name) {
                globals.entry(source.file.node_text(name)).or_insert((source.file.id, index));
            }
        }
        if !source.is_test {
            names.insert(source.folder().to_owned(), source.name);
        }
    }
    for source in &sources {
        let file = source.file;
        let globals = &packages[&source.package()];
        for (_, free) in file.bindings().free().filter(|(space, _)| *space == Space::Ordinary) {
            let known = globals.get(file.node_text(free[0]));
            found.extend(
                known.into_iter().flat_map(|&key| free.iter().map(move |&name| (key, file.id, name))),
            );
        }
        for import in &source.imports {
            let Some(folder) = folders.of(import.path) else { continue };
            let Some(&package) = names.get(&folder) else { continue };
            let Some(globals) = packages.get(&(folder.as_path(), package)) else { continue };
            let uses = source.uses(import, import.alias.unwrap_or(package)).unwrap_or_default();
            found.extend(uses.into_iter().filter_map(|(_, _, name)| {
                globals.get(file.node_text(name)).map(|&key| (key, file.id, name))
            }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_package_are_those_of_its_files_and_of_what_imports_it() {
        let text = "=== a.go\npackage main\nimport q \"m/p\"\nfunc main() { g(q.F(q.K)); h() }\n=== b.go\npackage main\nfunc g(a int) {}\n=== go.mod\nmodule m\n=== p/c.go\npackage p\nconst K = 1\nfunc F(a int) q { return h(a) }\n=== p/d.go\npackage p\nfunc h(a int) int { return a }\n";
        let base = Base::of_example("go", text);
        let file = |id: FileId| File { id, parsed: base.file(id) };
        let files: Vec<File<'_>> =
            base.files().map(|(id, _)| file(id)).filter(|f| f.language().name() == "go").collect();
        let shown = |(key, user, name): (Key, FileId, NodeId)| {
            let place = file(key.0).bindings().definitions()[key.1].places[0].name;
            assert_eq!(file(key.0).node_text(place), file(user).node_text(name));
            let path = |id: FileId| file(id).parsed.path.display().to_string();
            format!(
                "{} of {} in {}",
                String::from_utf8_lossy(file(user).node_text(name)),
                path(key.0),
                path(user)
            )
        };
        let all: Vec<String> = joined(&base, &files).into_iter().map(shown).collect();
        let expected =
            ["g of b.go in a.go", "F of p/c.go in a.go", "K of p/c.go in a.go", "h of p/d.go in p/c.go"];
        assert_eq!(all, expected, "the h of main is unknown");
    }
}
