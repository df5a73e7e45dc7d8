//! Appends a file to another one of its package, or of the only package that imports it: `p.f` is `f` there. Imports go to the
//! head of that file; names that both packages have get other spellings.

use crate::referrers::Referrers;
use crate::{Base, Example, File, Grain, Group, Pass, Unit, spellings};
use lopper_languages::bindings::{Definition, Sort, Space};
use lopper_languages::layout::deletion;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

pub(crate) const PASS: Pass = Pass {
    name: "packages",
    summary: "appends a file to another one of its package, or of the only package that imports it",
    languages: &["go"],
    grain: Grain::Coarse,
    several: true,
    examples: &[
        Example {
            language: "go",
            before: "=== a.go\n// Package a is short.\npackage a\n\nimport \"fmt\"\n\nfunc f() { fmt.Println(g()) }\n=== b.go\npackage a\n\nimport (\n\tform \"fmt\"\n\t\"os\"\n)\n\nfunc g() string { return form.Sprint(os.Args) }\n",
            keep: &["func f() { fmt.Println(g()) }", "func g()", ".Sprint(os.Args)", "\"fmt\""],
            after: "=== a.go\n// Package a is short.\npackage a\nimport \"os\"\n\nimport \"fmt\"\n\nfunc f() { fmt.Println(g()) }\nfunc g() string { return fmt.Sprint(os.Args) }\n",
        },
        Example {
            language: "go",
            before: "=== cmd/m.go\npackage main\n\nimport \"x.org/y/lib/q\"\n\ntype T struct{ q.U }\n\nfunc main() { g(q.F(q.V), T{}) }\n\nfunc g(a, b any) {}\n=== go.mod\nmodule x.org/y\n=== lib/q/q.go\npackage q\n\nimport \"os\"\n\ntype U struct{ g int }\n\nvar V = os.Args\n\nfunc F(a any) int { return g(a) }\n\nfunc g(a any) int { return 1 }\n",
            keep: &[
                "type T struct{ ",
                "type U struct{ g int }",
                "V = os.Args",
                "T{})",
                "func F",
                "=== go.mod",
            ],
            after: "=== cmd/m.go\npackage main\nimport \"os\"\n\ntype T struct{ U }\n\nfunc main() { g(F(V), T{}) }\n\nfunc g(a, b any) {}\ntype U struct{ g int }\n\nvar V = os.Args\n\nfunc F(a any) int { return c(a) }\n\nfunc c(a any) int { return 1 }\n=== go.mod\nmodule x.org/y\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let referrers = Referrers::new(base);
    let sources: Vec<Source<'_>> = PASS.files(base).filter_map(Source::new).collect();
    let mut packages: BTreeMap<(&Path, &[u8]), Vec<&Source<'_>>> = BTreeMap::new();
    sources.iter().for_each(|source| packages.entry(source.package()).or_default().push(source));
    // What builds the package does not need what only its tests have.
    packages.values_mut().for_each(|files| files.sort_by_key(|source| source.is_test));
    // Pairs that share no file, and then the pairs of their neighbours, so that the units of a group are independent.
    let pairs = |skip: usize| {
        let pairs =
            packages.values().flat_map(move |files| files.get(skip..).unwrap_or_default().chunks_exact(2));
        Group::choices(pairs.map(|pair| {
            let ways = [(pair[0], pair[1]), (pair[1], pair[0])];
            // What only tests have is not part of the package.
            let ways = ways.into_iter().filter(|(from, to)| to.is_test || !from.is_test);
            ways.filter_map(|(from, to)| joined(&referrers, from, to, &Renaming::default()))
                .collect::<Vec<_>>()
        }))
    };
    let (first, later) = importers(base, &sources, &packages);
    let dissolved = |all: Vec<Dissolving<'_, '_>>| {
        Group::choices(
            all.into_iter().map(|dissolving| dissolving.unit(&referrers).into_iter().collect::<Vec<_>>()),
        )
    };
    vec![dissolved(first), dissolved(later), pairs(0), pairs(1)]
}

/// An import of a package.
pub(super) struct Import<'a> {
    node: NodeId,
    /// The name that is written before the path.
    pub(super) alias: Option<&'a [u8]>,
    /// The path, without quotes.
    pub(super) path: &'a [u8],
}

impl<'a> Import<'a> {
    /// The name of the package in the file, if it is that of the end of the path.
    fn name(&self) -> &'a [u8] {
        let last = || self.path.rsplit(|&c| c == b'/').next().unwrap_or_default();
        self.alias.unwrap_or_else(last)
    }
}

/// A file with its package.
pub(super) struct Source<'a> {
    pub(super) file: File<'a>,
    pub(super) is_test: bool,
    /// The clause with the name of the package, and that name.
    clause: Range<usize>,
    pub(super) name: &'a [u8],
    pub(super) imports: Vec<Import<'a>>,
}

impl<'a> Source<'a> {
    /// A file of which it is known what it imports; `None` if a name may come from any import, or if it is not only Go.
    pub(super) fn new(file: File<'a>) -> Option<Self> {
        let is_clause = |&n: &NodeId| file.kind_name(n) == "package_clause";
        let clause =
            file.named_children(NodeId::ROOT).find(is_clause).filter(|_| file.parsed.is_regular())?;
        let name = file.node_text(file.named_children(clause).next()?);
        let declarations =
            file.named_children(NodeId::ROOT).filter(|&n| file.kind_name(n) == "import_declaration");
        let specs =
            declarations.flat_map(|n| file.descendants(n)).filter(|&n| file.kind_name(n) == "import_spec");
        let import = |node: NodeId| {
            let parts: Vec<NodeId> = file.named_children(node).collect();
            let (&path, alias) = parts.split_last()?;
            let path = file.node_text(path);
            let path = path.get(1..path.len().checked_sub(1)?)?;
            Some(Import { node, alias: alias.first().map(|&n| file.node_text(n)), path })
        };
        let imports: Vec<Import<'a>> = specs.filter_map(import).collect();
        let is_test =
            file.parsed.path.file_stem().is_some_and(|stem| stem.as_encoded_bytes().ends_with(b"_test"));
        let is_known = !imports.iter().any(|import| import.alias == Some(b".") || import.path == b"C");
        is_known.then(|| Self { file, is_test, clause: file.range(clause), name, imports })
    }

    pub(super) fn folder(&self) -> &'a Path {
        self.file.parsed.path.parent().unwrap_or(Path::new(""))
    }

    pub(super) fn package(&self) -> (&'a Path, &'a [u8]) {
        (self.folder(), self.name)
    }

    /// What the file defines for all of its package.
    pub(super) fn globals(&self) -> impl Iterator<Item = &'a Definition> {
        let file = self.file;
        let of_package = |d: &Definition| {
            d.scope == NodeId::ROOT && d.sort.space() == Space::Ordinary && d.sort != Sort::Import
        };
        let name = move |d: &Definition| file.node_text(d.places[0].name);
        file.definitions().filter(move |d| of_package(d) && !matches!(name(d), b"init" | b"_"))
    }

    /// The uses of an imported package, each with the whole that it begins, and the name behind it: `p.f`, `p` and `f`.
    /// `None` if it is used in another way.
    pub(super) fn uses(&self, import: &Import<'a>, name: &[u8]) -> Option<Vec<(NodeId, NodeId, NodeId)>> {
        let file = self.file;
        let is_of_import = |d: &&Definition| {
            d.sort == Sort::Import
                && file.node_text(d.places[0].name).ends_with(name)
                && file.tree().is_within(d.places[0].name, import.node)
        };
        let bound = file.definitions().filter(is_of_import).flat_map(|d| file.uses(d));
        let free = file
            .bindings()
            .free()
            .filter(|(space, names)| *space == Space::Ordinary && file.node_text(names[0]) == name);
        let all: BTreeSet<NodeId> = bound.chain(free.flat_map(|(_, names)| names.iter().copied())).collect();
        let whole = |used: NodeId| {
            let whole = file.parent(used)?;
            let is_whole = matches!(file.kind_name(whole), "selector_expression" | "qualified_type");
            let mut parts = file.named_children(whole).filter(|_| is_whole);
            (parts.next() == Some(used)).then_some((whole, used, parts.next()?))
        };
        all.into_iter().map(whole).collect()
    }

    /// The unit that deletes an import, or the declaration that has only this one.
    fn without(&self, import: &Import<'a>) -> Unit {
        let above =
            self.file.ancestors(import.node).find(|&n| self.file.kind_name(n) == "import_declaration");
        let is_alone = |n: &NodeId| {
            self.imports.iter().filter(|other| self.file.tree().is_within(other.node, *n)).count() == 1
        };
        self.file.drop(above.filter(is_alone).unwrap_or(import.node))
    }
}

/// The other spellings of the names of a package.
type Renaming<'a> = BTreeMap<&'a [u8], Vec<u8>>;

/// The units that append a file to another one, with its imports at the head; `None` if both give one name to different
/// packages.
fn joined(
    referrers: &Referrers<'_>,
    from: &Source<'_>,
    to: &Source<'_>,
    renaming: &Renaming<'_>,
) -> Option<Unit> {
    let file = from.file;
    let mut changes: BTreeMap<(usize, usize), Vec<u8>> = BTreeMap::new();
    let mut added = Vec::new();
    changes.insert((0, from.clause.end), Vec::new());
    for declaration in
        file.named_children(NodeId::ROOT).filter(|&n| file.kind_name(n) == "import_declaration")
    {
        let range = deletion(file.parsed, file.range(declaration));
        changes.insert((range.start, range.end), Vec::new());
    }
    for import in &from.imports {
        let is_blank = import.alias == Some(b"_");
        let same = to
            .imports
            .iter()
            .find(|other| other.path == import.path && (other.alias == Some(b"_")) == is_blank);
        match same {
            Some(other) if other.name() != import.name() => {
                for (_, used, _) in from.uses(import, import.name())? {
                    let range = file.range(used);
                    changes.insert((range.start, range.end), other.name().to_vec());
                }
            }
            Some(_) => {}
            None if !is_blank && to.imports.iter().any(|other| other.name() == import.name()) => return None,
            None => added.extend([b"\nimport ", file.node_text(import.node)].concat()),
        }
    }
    for definition in from.globals() {
        let Some(new) = renaming.get(file.node_text(definition.places[0].name)) else { continue };
        for node in file.places(definition).map(|place| place.name).chain(file.uses(definition)) {
            let range = file.range(node);
            changes.insert((range.start, range.end), new.clone());
        }
    }
    let changes = changes.into_iter().map(|((start, end), by)| (start as u32..end as u32, by)).collect();
    let end = to.file.text().len() as u32;
    let put = Unit::Put { file: to.file.id, range: end..end, from: file.id, changes, rest: Vec::new() };
    let imports = (!added.is_empty()).then(|| to.file.write(to.clause.end..to.clause.end, added));
    let moved = [put, Unit::Remove { file: file.id }].into_iter().chain(imports);
    Some(Unit::together(moved.chain(referrers.without(&[file.id]))))
}

/// A package on its way into the only one that imports it.
struct Dissolving<'p, 'a> {
    from: &'p Source<'a>,
    /// The files of the other package, and the imports of this one in them.
    hosts: Vec<&'p Source<'a>>,
    imports: Vec<(&'p Source<'a>, &'p Import<'a>)>,
}

/// The packages of one file that only one other package imports, which is not among them, and then the others.
fn importers<'p, 'a>(
    base: &'a Base,
    sources: &'p [Source<'a>],
    packages: &BTreeMap<(&'a Path, &'a [u8]), Vec<&'p Source<'a>>>,
) -> (Vec<Dissolving<'p, 'a>>, Vec<Dissolving<'p, 'a>>) {
    let folders = Folders::new(base);
    let mut imports: BTreeMap<PathBuf, Vec<(&Source<'a>, &Import<'a>)>> = BTreeMap::new();
    for source in sources {
        for import in &source.imports {
            if let Some(folder) = folders.of(import.path) {
                imports.entry(folder).or_default().push((source, import));
            }
        }
    }
    let mut gone = BTreeSet::new();
    let mut kept = BTreeSet::new();
    let (mut first, mut later) = (Vec::new(), Vec::new());
    for (package, files) in packages {
        let (&[from], Some(imports)) = (&files[..], imports.remove(package.0)) else { continue };
        let host = imports[0].0.package();
        if from.is_test || host == *package || imports.iter().any(|(source, _)| source.package() != host) {
            continue;
        }
        let is_apart = !kept.contains(package) && !gone.contains(&host);
        if is_apart {
            gone.insert(*package);
            kept.insert(host);
        }
        let dissolving = Dissolving { from, hosts: packages[&host].clone(), imports };
        if is_apart { first.push(dissolving) } else { later.push(dissolving) }
    }
    (first, later)
}

impl<'a> Dissolving<'_, 'a> {
    fn unit(&self, referrers: &Referrers<'_>) -> Option<Unit> {
        let renaming = self.renaming();
        let mut units = Vec::new();
        for (source, import) in &self.imports {
            units.push(source.without(import));
            let name = import.alias.unwrap_or(self.from.name);
            for (whole, _, name) in source.uses(import, name)? {
                let name = source.file.node_text(name);
                let now = renaming.get(name).map_or(name, Vec::as_slice);
                units.push(source.file.write(source.file.range(whole), now));
            }
        }
        units.push(joined(referrers, self.from, self.imports[0].0, &renaming)?);
        Some(Unit::together(units))
    }

    /// Other spellings for names that the other package has, too, anywhere.
    fn renaming(&self) -> Renaming<'a> {
        let ordinary = |file: File<'a>| {
            let names = file.definitions().filter(|d| d.sort.space() == Space::Ordinary);
            names.map(move |d| file.node_text(d.places[0].name))
        };
        let taken: BTreeSet<&[u8]> = self.hosts.iter().flat_map(|host| ordinary(host.file)).collect();
        let files: Vec<File<'_>> =
            self.hosts.iter().copied().chain([self.from]).map(|host| host.file).collect();
        let mut words = spellings::words(&files);
        let names = self.from.globals().map(|d| self.from.file.node_text(d.places[0].name));
        let names = names.filter(|name| taken.contains(name));
        names.filter_map(|name| Some((name, spellings::other(name, &mut words)?))).collect()
    }
}

/// The folders of modules, by the names of the modules.
pub(super) struct Folders<'a> {
    modules: Vec<(&'a [u8], &'a Path)>,
}

impl<'a> Folders<'a> {
    pub(super) fn new(base: &'a Base) -> Self {
        let modules = base.files().filter(|(_, file)| file.path.ends_with("go.mod") && file.is_regular());
        let name = |text: &'a [u8]| {
            let line = text.split(|&c| c == b'\n').find_map(|line| line.strip_prefix(b"module "))?;
            let line = line.split(|c| c.is_ascii_whitespace()).find(|word| !word.is_empty())?;
            Some(line.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or(line))
        };
        let modules = modules.filter_map(|(_, file)| Some((name(&file.text)?, file.path.parent()?)));
        Self { modules: modules.collect() }
    }

    /// The folder of the package with this path, if it is in a module of the base.
    pub(super) fn of(&self, path: &[u8]) -> Option<PathBuf> {
        let below = |&(name, folder): &(&[u8], &'a Path)| {
            let rest = path.strip_prefix(name)?;
            let rest = if rest.is_empty() { rest } else { rest.strip_prefix(b"/")? };
            Some((name.len(), folder.join(std::str::from_utf8(rest).ok()?)))
        };
        // Of modules within others, the innermost one.
        self.modules.iter().filter_map(below).max().map(|(_, folder)| folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_languages::Parsed;
    use lopper_languages::edit::FileId;
    use std::sync::Arc;

    /// The files after the first unit, and how many units there are.
    fn after(text: &str) -> (Vec<String>, usize) {
        let base = Base::of_example("go", text);
        let groups = plan(&base);
        let count = groups.iter().map(|group| group.units().len()).sum();
        let first = groups.iter().find(|group| !group.units().is_empty());
        let candidate = first.and_then(|group| group.render(&base, &[0]).ok());
        let text = |(id, file): (FileId, &Arc<Parsed>)| match &candidate {
            Some(candidate) => candidate.apply(id, &file.text),
            None => file.text.to_vec(),
        };
        let texts = base.files().map(text);
        (texts.map(|text| String::from_utf8_lossy(&text).into_owned()).collect(), count)
    }

    const MODULE: &str = "=== go.mod\nmodule x.org/y // Text.\n";

    #[test]
    fn a_package_has_its_name_from_its_clause_or_from_the_import() {
        for (import, name) in [("\"x.org/y/go-q\"", "q"), ("r \"x.org/y/go-q\"", "r")] {
            let text = format!(
                "{MODULE}=== go-q/q.go\npackage q\nfunc F() {{}}\n=== m.go\npackage main\nimport {import}\nvar a = {name}.F\n"
            );
            let (texts, count) = after(&text);
            assert_eq!((&*texts[2], count), ("package main\nvar a = F\nfunc F() {}\n", 1));
        }
    }

    #[test]
    fn a_definition_with_the_name_of_its_package_is_respelled_if_the_other_package_has_such_a_name() {
        let text = format!(
            "{MODULE}=== q/q.go\npackage q\ntype q int\nvar A q\n=== m.go\npackage main\nimport \"x.org/y/q\"\nvar a = q.A\nfunc f(q int) {{}}\n"
        );
        let expected = "package main\nvar a = A\nfunc f(q int) {}\ntype b int\nvar A b\n";
        assert_eq!(after(&text).0[2], expected);
    }

    #[test]
    fn a_package_that_two_others_import_or_that_is_used_as_a_whole_stays() {
        let q = format!("{MODULE}=== q/q.go\npackage q\nfunc F() {{}}\n");
        let user = |file: &str, name: &str| {
            format!("=== {file}\npackage {name}\nimport \"x.org/y/q\"\nvar a = q.F\n")
        };
        assert_eq!(after(&(q.clone() + &user("m.go", "main"))).1, 1);
        assert_eq!(after(&(q.clone() + &user("m.go", "main") + &user("r/r.go", "r"))).1, 0);
        assert_eq!(after(&(q.clone() + "=== m.go\npackage main\nimport \"x.org/y/q\"\nvar a = q\n")).1, 0);
        assert_eq!(after(&(q + "=== m.go\npackage main\nimport . \"x.org/y/q\"\nvar a = F\n")).1, 0);
    }

    #[test]
    fn files_of_a_package_stay_apart_that_give_one_name_to_different_imports() {
        let files = |path: &str| {
            format!(
                "=== a.go\npackage a\nimport \"text/{path}\"\n=== b.go\npackage a\nimport _ \"os\"\nimport \"html/template\"\n"
            )
        };
        assert_eq!(after(&files("template")).1, 0);
        let (texts, _) = after(&files("scanner"));
        let expected = "package a\nimport \"text/scanner\"\nimport _ \"os\"\nimport \"html/template\"\n";
        assert_eq!(texts[1], expected);
    }

    #[test]
    fn what_only_a_test_has_does_not_move_into_the_package() {
        let (texts, count) = after("=== a.go\npackage a\nvar a int\n=== a_test.go\npackage a\nvar b int\n");
        assert_eq!((&*texts[1], count), ("package a\nvar b int\nvar a int\n", 1));
    }

    #[test]
    fn the_files_of_a_package_meet_before_those_of_its_tests() {
        let files = ["a.go", "a_test.go", "b.go", "b_test.go"].map(|path| format!("=== {path}\npackage a\n"));
        let base = Base::of_example("go", &files.concat());
        let groups = plan(&base);
        let gone = |unit: usize| {
            let candidate = groups[2].render(&base, &[unit]).unwrap();
            base.files().filter(|(id, _)| candidate.removes(*id)).map(|(id, _)| id).collect::<Vec<_>>()
        };
        assert_eq!((0..groups[2].units().len()).map(gone).collect::<Vec<_>>(), [[0], [2], [1], [3]]);
    }

    #[test]
    fn a_package_moves_only_into_one_that_stays() {
        let text = format!(
            "{MODULE}=== m.go\npackage main\nimport \"x.org/y/q\"\nvar a = q.A\n=== q/q.go\npackage q\nimport \"x.org/y/r\"\nvar A = r.A\n=== r/r.go\npackage r\nvar A int\n"
        );
        let base = Base::of_example("go", &text);
        let counts: Vec<usize> = plan(&base).iter().map(|group| group.units().len()).collect();
        assert_eq!(counts, [1, 1, 0, 0]);
    }
}
