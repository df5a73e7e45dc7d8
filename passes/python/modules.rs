//! Puts the definitions of a module in the place of an import of it, and deletes the module or, if it is that of a
//! package, its text. Uses of the module's names through its own name lose that name, and other files import from the
//! file that has the definitions now, and strings with the module's dotted name get that of this file. A name that both
//! files define gets another spelling. The fixtures of a
//! `conftest.py` go to the head of a test.

use super::collisions::Spellings;
use super::strings::Strings;
use crate::referrers::{HOSTS, Referrer, Referrers, empty, uses_of_import};
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::edit::FileId;
use lopper_languages::references::{Form, Item, Naming, Statement, module_path};
use lopper_languages::tree::NodeId;
use std::cmp::Reverse;
use std::ops::Range;
use std::path::Path;

pub(crate) const PASS: Pass = Pass {
    name: "modules",
    summary: "puts the definitions of a module in the place of an import of it",
    languages: &["python"],
    grain: Grain::Coarse,
    several: true,
    examples: &[
        Example {
            language: "python",
            before: "=== main.py\nfrom p.a import f as g, h\nimport p.b, os\nfrom p import c\nprint(g(1), h, p.b.k, c.x(c.y))\n=== p/a.py\nfrom __future__ import division\nfrom .d import i\ndef f(x): return i\nh = 2\n=== p/b.py\nk = 3\n=== p/c.py\ndef x(z): return z\ny = 4\n",
            keep: &["print(", "def f", "h = 2", "k", "def x", "y = 4"],
            after: "=== main.py\nfrom p.d import i\ndef f(x): return i\nh = 2\ng = f\nk = 3\nimport os\ndef x(z): return z\ny = 4\nprint(g(1), h, k, x(y))\n",
        },
        Example {
            language: "python",
            before: "=== tests/conftest.py\nimport pytest\n@pytest.fixture\ndef one():\n    return 1\n=== tests/test_a.py\ndef test(one):\n    assert one\n",
            keep: &["def one():\n    return 1", "def test(one)"],
            after: "=== tests/test_a.py\nimport pytest\n@pytest.fixture\ndef one():\n    return 1\ndef test(one):\n    assert one\n",
        },
        Example {
            language: "python",
            before: "=== p/__init__.py\nfrom .a import f\n=== p/a.py\ndef f(): return 1\n=== tests/test.py\nfrom p import f\nfrom p.a import *\nassert f()\n",
            keep: &["=== p/a.py", "=== tests/", "def f", "assert f()", "from p"],
            after: "=== p/a.py\ndef f(): return 1\n=== tests/test.py\nfrom p.a import f\nfrom p.a import *\nassert f()\n",
        },
        Example {
            language: "python",
            before: "=== p/a.py\nfrom .base import B\nclass A(B): pass\n=== p/base.py\nclass B: pass\n=== p/z.py\nfrom .base import B\nfrom . import base\nclass Z(B, base.B): pass\n",
            keep: &[
                "=== p/a.py\n",
                "=== p/z.py\n",
                "import B",
                "class Z(B, base.B)",
                "class A(B)",
                "class B",
            ],
            after: "=== p/a.py\nclass B: pass\nclass A(B): pass\n=== p/z.py\nfrom .a import B\nfrom . import a as base\nclass Z(B, base.B): pass\n",
        },
        Example {
            language: "python",
            before: "=== a.py\nimport os\nlimit = 3\ndef g(x): return x < limit\ndef f(x): return g(x) and os\n=== main.py\nimport a\nfrom json import limit\ndef g(x): return limit\nprint(a.f(1), a.g(2), g(3))\n=== z.py\nfrom a import f, g as h\nassert h(f(1))\n",
            keep: &[
                "=== main.py",
                "=== z.py",
                "h(f(1))",
                "import os",
                " = 3",
                "x < ",
                "from json",
                "print(",
                "g(3))",
                "def f",
            ],
            after: "=== main.py\nimport os\nlimia = 3\ndef b(x): return x < limia\ndef f(x): return b(x) and os\nfrom json import limit\ndef g(x): return limit\nprint(f(1), b(2), g(3))\n=== z.py\nfrom main import f, b as h\nassert h(f(1))\n",
        },
        Example {
            language: "python",
            before: "=== host.py\nbase = 4\nimport util\ndef g(): return util.f(3)\n=== main.py\nimport host\nprint(host.g())\n=== util.py\nimport host, util as u\nimport host\nfrom host import base\nk = 2\ndef f(x): return x + host.base * u.k + base\n",
            keep: &[
                "=== host.py",
                "=== main.py\n",
                "host.g()",
                "base = 4",
                "k = 2",
                "def f(x): return x + ",
                " * ",
                " + base\n",
                "def g(): return ",
                "f(3)",
            ],
            after: "=== host.py\nbase = 4\nk = 2\ndef f(x): return x + base * k + base\ndef g(): return f(3)\n=== main.py\nimport host\nprint(host.g())\n",
        },
        Example {
            language: "python",
            before: "=== main.py\nimport os\ndef one():\n    from u import f\n    return f()\ndef two():\n    import u\n    return u.f()\nprint(one(), two(), os)\n=== u.py\ndef f(): return 1\n",
            keep: &[
                "import os",
                "def one():\n    ",
                "    return f()\ndef two():\n    ",
                "print(",
                "\ndef f()",
            ],
            after: "=== main.py\nimport os\ndef f(): return 1\ndef one():\n    return f()\ndef two():\n    return f()\nprint(one(), two(), os)\n",
        },
        Example {
            language: "python",
            before: "=== p/__init__.py\n=== p/a.py\nfrom .b import f\nf()\n=== p/b.py\ndef g(): return 1\ndef f(): return g()\n=== tests/test.py\nfrom p.b import f\nfrom mock import patch\nwith patch('p.b.g'), patch(\"p.b\"), patch('p.bc.d', 'p.b.'):\n    f()\n",
            keep: &["=== p/a.py", "=== tests/", "def g", "with patch", "f()\n"],
            after: "=== p/__init__.py\n=== p/a.py\ndef g(): return 1\ndef f(): return g()\nf()\n=== tests/test.py\nfrom p.a import f\nfrom mock import patch\nwith patch('p.a.g'), patch(\"p.a\"), patch('p.bc.d', 'p.b.'):\n    f()\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let referrers = Referrers::new(base);
    let strings = Strings::new(&referrers, PASS.files(base));
    // A module that imports others of the base waits until they are in it.
    let group = |leaf: bool| {
        let modules = PASS.files(base).filter(|file| referrers.is_leaf(file.id) == leaf);
        Group::choices(modules.map(|file| ways_to_move(&referrers, &strings, file.id)))
    };
    let conftests = PASS.files(base).filter(|file| file.parsed.path.ends_with("conftest.py"));
    let conftests = Group::choices(conftests.map(|file| ways_to_join(base, file)));
    vec![group(true), group(false), conftests]
}

/// The ways to put the fixtures that pytest finds in a `conftest.py` into a file of its folder.
fn ways_to_join(base: &Base, conftest: File<'_>) -> Vec<Unit> {
    let folder = conftest.parsed.path.parent().unwrap_or(Path::new(""));
    let is_below = |file: &File<'_>| file.id != conftest.id && file.parsed.path.starts_with(folder);
    let into = |file: File<'_>| {
        let (changes, rest) = Default::default();
        let put = Unit::Put { file: file.id, range: 0..0, from: conftest.id, changes, rest };
        Unit::together([put, Unit::Remove { file: conftest.id }])
    };
    PASS.files(base).filter(is_below).take(HOSTS).map(into).collect()
}

/// The ways to move a module into one of the files that import it.
fn ways_to_move(referrers: &Referrers<'_>, strings: &Strings, module: FileId) -> Vec<Unit> {
    let mut ways = Vec::new();
    for &host in importers(referrers, module).iter().take(HOSTS) {
        let moving = Moving::new(referrers, module, host);
        let Some(elsewhere) = moving.elsewhere() else { continue };
        let named = strings.moved(referrers, module, host, |name| moving.spellings.of(name));
        for here in [false, true].into_iter().filter_map(|lifted| moving.in_host(lifted)) {
            if !named.is_empty() {
                let units = [&here[..], &elsewhere, &named].concat();
                ways.extend(ways_to_go(referrers.base, module, units));
            }
            ways.extend(ways_to_go(referrers.base, module, [here, elsewhere.clone()].concat()));
        }
    }
    ways
}

/// Whether what names a module is an import of it.
fn is_import(referrers: &Referrers<'_>, by: &Referrer) -> bool {
    referrers.base.file(by.file).language.naming() == Naming::Modules
}

/// The files that import a module, in the order of the base.
pub(super) fn importers(referrers: &Referrers<'_>, module: FileId) -> Vec<FileId> {
    let imports = referrers.of(module).iter().filter(|by| is_import(referrers, by) && by.file != module);
    let mut files: Vec<FileId> = imports.map(|by| by.file).collect();
    files.dedup();
    files
}

/// The ways to delete a module together with other units: the file, or only the text of a package.
pub(super) fn ways_to_go(base: &Base, module: FileId, units: Vec<Unit>) -> Vec<Unit> {
    let is_package = base.file(module).path.file_stem().is_some_and(|stem| stem == "__init__");
    let gone = [Some(Unit::Remove { file: module }), is_package.then(|| empty(base, module)).flatten()];
    let gone = gone.into_iter().flatten();
    gone.map(|gone| Unit::together(units.iter().cloned().chain([gone]))).collect()
}

/// The units that delete the name of a module where it is no import, as in a build file.
pub(super) fn without_words(referrers: &Referrers<'_>, module: FileId) -> Vec<Unit> {
    let others = referrers.of(module).iter().filter(|by| !is_import(referrers, by));
    others.flat_map(|&by| referrers.without_in(by, &|file| file == module)).collect()
}

/// A text that replaces a range of another one.
type Change = (Range<u32>, Vec<u8>);

/// A module on its way into a file that imports it.
pub(super) struct Moving<'a> {
    referrers: &'a Referrers<'a>,
    module: FileId,
    host: FileId,
    spellings: Spellings<'a>,
}

/// How a file names the root of its modules: by the folder from which all names count, or from its own folder.
enum Root {
    Folder(usize),
    Own,
}

impl<'a> Moving<'a> {
    pub(super) fn new(referrers: &'a Referrers<'a>, module: FileId, host: FileId) -> Self {
        Self { referrers, module, host, spellings: Spellings::new(referrers, module, host) }
    }

    fn file(&self, id: FileId) -> File<'_> {
        File { id, parsed: self.referrers.base.file(id) }
    }

    /// What changes in the host, which gets the text of the module in the place of its first import of it, or, lifted,
    /// before the function or the block with that import. `None` if a use of the module cannot be expressed.
    pub(super) fn in_host(&self, lifted: bool) -> Option<Vec<Unit>> {
        let mut units = Vec::new();
        let mut place = None;
        let mut rest: Vec<u8> = Vec::new();
        for &by in self.referrers.of(self.module).iter().filter(|by| by.file == self.host) {
            let statement = self.referrers.statement(by)?;
            for item in self.items(by, statement) {
                self.take_in(statement, item, &mut units, &mut rest)?;
            }
            let is_whole = self.items(by, statement).count() == statement.items.len();
            let is_first = place.is_none();
            if is_first {
                let root = self.root(self.host, self.items(by, statement).next()?)?;
                let start = statement.range.start;
                let range = match (lifted, is_whole) {
                    (true, _) => self.before(statement)?,
                    (false, true) => statement.range.clone(),
                    (false, false) => start..start,
                };
                place = Some((range, root));
            }
            if !is_first || !is_whole || lifted {
                units.extend(self.referrers.without_in(by, &|file| file == self.module));
            }
        }
        let (range, root) = place?;
        units.push(Unit::Put {
            file: self.host,
            range: range.start as u32..range.end as u32,
            from: self.module,
            changes: self.changes(&root).into(),
            rest,
        });
        Some(units)
    }

    /// The place before the outermost statement that a statement of the host is in; `None` if it is in no other one.
    fn before(&self, statement: &Statement) -> Option<Range<usize>> {
        let file = self.file(self.host);
        let node = file.innermost_at(statement.range.clone())?;
        let path = std::iter::once(node).chain(file.ancestors(node));
        let start = file.range(path.take_while(|&n| n != NodeId::ROOT).last()?).start;
        (start < statement.range.start).then_some(start..start)
    }

    /// What changes in other files than the two; `None` if an import of the module cannot be expressed.
    fn elsewhere(&self) -> Option<Vec<Unit>> {
        let mut units = without_words(self.referrers, self.module);
        for &by in self.referrers.of(self.module) {
            if is_import(self.referrers, &by) && ![self.module, self.host].contains(&by.file) {
                units.extend(self.redirected(by, self.referrers.statement(by)?)?);
            }
        }
        Some(units)
    }

    /// The items of a statement that name the module.
    fn items<'s>(
        &self,
        by: Referrer,
        statement: &'s Statement,
    ) -> impl Iterator<Item = &'s Item> + use<'s, '_> {
        let pairs = statement.items.iter().zip(self.referrers.targets(by));
        pairs.filter(|(_, target)| **target == Some(self.module)).map(|(item, _)| item)
    }

    /// Whether an item of `from a import b` is a module.
    fn is_module(&self, file: FileId, module: &str, name: &Range<usize>) -> bool {
        self.referrers.submodule(file, module, name) == Some(self.module)
    }

    /// Adds what an import in the host becomes beside the definitions.
    fn take_in(
        &self,
        statement: &Statement,
        item: &Item,
        units: &mut Vec<Unit>,
        rest: &mut Vec<u8>,
    ) -> Option<()> {
        let file = self.file(self.host);
        let text = |range: &Range<usize>| &file.text()[range.clone()];
        match &item.form {
            Form::Name { module, name, alias } if self.is_module(self.host, module, name) => {
                units.extend(self.unqualified(file, alias.as_ref().unwrap_or(name))?);
            }
            Form::Name { name, alias: Some(alias), .. } => {
                let end: &[u8] = if rest.is_empty() { b"" } else { b"\n" };
                let now = self.spellings.of(text(name)).unwrap_or(text(name));
                rest.extend([end, text(alias), b" = ", now].concat());
            }
            Form::Module { alias: Some(alias), .. } => units.extend(self.unqualified(file, alias)?),
            Form::Module { module, .. } => {
                let name = item.range.start..item.range.start + module.len();
                units.extend(self.unqualified(file, &name)?);
            }
            Form::All(_) | Form::Name { .. } => {}
            Form::Text(_) | Form::Specifier { .. } | Form::Declared(_) | Form::Word(_) => return None,
        }
        (!statement.items.is_empty()).then_some(())
    }

    /// The imports in another file, from the host.
    fn redirected(&self, by: Referrer, statement: &Statement) -> Option<Vec<Unit>> {
        let file = self.file(by.file);
        let of_module: Vec<&Item> = self.items(by, statement).collect();
        let host = self.name(
            by.file,
            &self.root(by.file, of_module[0])?,
            &module_path(&self.file(self.host).parsed.path),
        )?;
        let text = |range: &Range<usize>| String::from_utf8_lossy(&file.text()[range.clone()]).into_owned();
        let replace = |range: &Range<usize>, by: String| {
            Some(file.replace(file.tree().at(range.clone())?, Source::made(by)))
        };
        let is_module = |item: &&Item| match &item.form {
            Form::Name { module, name, .. } => self.is_module(by.file, module, name),
            _ => false,
        };
        if let Some(place) = statement.module.as_ref().filter(|_| !of_module.iter().any(is_module)) {
            let all = of_module.len() == statement.items.len();
            let first = all.then(|| replace(place, host)).flatten()?;
            let respelled = |item: &&Item| match &item.form {
                Form::Name { name, alias, .. } => {
                    let now =
                        String::from_utf8_lossy(self.spellings.of(&file.text()[name.clone()])?).into_owned();
                    replace(name, if alias.is_some() { now } else { format!("{now} as {}", text(name)) })
                }
                _ => None,
            };
            return Some(std::iter::once(first).chain(of_module.iter().filter_map(respelled)).collect());
        }
        let change = |item: &Item| match &item.form {
            Form::Module { alias: Some(_), module } => {
                replace(&(item.range.start..item.range.start + module.len()), host.clone())
            }
            Form::Module { module, .. } if !module.contains('.') => {
                replace(&item.range, format!("{host} as {module}"))
            }
            Form::Name { name, alias, .. } if statement.items.len() == 1 => {
                let bound = text(alias.as_ref().unwrap_or(name));
                let dot = host.rfind('.').map_or(0, |at| at + 1);
                let (package, name) = host.split_at(dot);
                let package =
                    if package.trim_matches('.').is_empty() { package } else { &package[..dot - 1] };
                let import = match package {
                    "" => format!("import {name} as {bound}"),
                    _ => format!("from {package} import {name} as {bound}"),
                };
                replace(&statement.range, import)
            }
            _ => None,
        };
        of_module.into_iter().map(change).collect()
    }

    /// The root of the name by which an item names the module.
    fn root(&self, file: FileId, item: &Item) -> Option<Root> {
        let (Form::Module { module, .. } | Form::Name { module, .. } | Form::All(module)) = &item.form else {
            return None;
        };
        if module.starts_with('.') {
            return Some(Root::Own);
        }
        let name = match &item.form {
            Form::Name { name, .. } if self.is_module(file, module, name) => 1,
            _ => 0,
        };
        let path = module_path(&self.file(self.module).parsed.path);
        path.len().checked_sub(module.split('.').count() + name).map(Root::Folder)
    }

    /// The dotted name of a module or a package in a file.
    fn name(&self, file: FileId, root: &Root, path: &[String]) -> Option<String> {
        let own = &self.file(file).parsed.path;
        let folder: Vec<String> =
            own.parent()?.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        match *root {
            Root::Folder(length) => {
                let name = path.get(length..).filter(|name| !name.is_empty())?;
                let above = &module_path(&self.file(self.module).parsed.path)[..length];
                path.starts_with(above).then(|| name.join("."))
            }
            Root::Own => {
                let common = folder.iter().zip(path).take_while(|(a, b)| a == b).count();
                Some(".".repeat(folder.len() - common + 1) + &path[common..].join("."))
            }
        }
    }

    /// The changes in the module's text: its own imports count from another folder, and those of the host and of itself go.
    fn changes(&self, root: &Root) -> Vec<Change> {
        let file = self.file(self.module);
        let mut changes = Vec::new();
        for statement in file.parsed.references() {
            let mut own = Vec::new();
            for item in &statement.items {
                let plain = self.plain_names(root, item);
                own.push(is_of_future(item) || plain.is_some());
                changes.extend(plain.into_iter().flatten());
            }
            let mut own = own.into_iter();
            let cut = statement.without(file.text(), |_| own.next().unwrap_or(false));
            let gone = cut == [statement.range.clone()];
            if let Some(place) = statement.module.clone().filter(|_| !gone)
                && let Some(name) = self.moved_name(root, &file.text()[place.clone()])
            {
                changes.push((place.start as u32..place.end as u32, name.into_bytes()));
            }
            let filler: &[u8] =
                if gone && is_indented(file.text(), statement.range.start) { b"pass" } else { b"" };
            changes
                .extend(cut.into_iter().map(|range| (range.start as u32..range.end as u32, filler.to_vec())));
        }
        changes.extend(self.spellings.changes(file));
        // Of changes that overlap, the longer one has the other in itself.
        changes.sort_by_key(|(range, _)| (range.start, Reverse(range.end)));
        changes.dedup_by(|(next, _), (kept, _)| next.start < kept.end);
        changes
    }

    /// The changes in the module's text without an import of the host or of itself: it has their names without that.
    /// `None` if the item names another module, or if the module uses it in another way than for its names.
    fn plain_names(&self, root: &Root, item: &Item) -> Option<Vec<Change>> {
        let file = self.file(self.module);
        let named = |dotted: &str| {
            let mut files = [self.host, self.module].into_iter();
            files.find(|&other| self.is_name_of(root, dotted, other))
        };
        let (goes, bound) = match &item.form {
            Form::Name { module, name, alias } => {
                let dot = if module.ends_with('.') { "" } else { "." };
                let whole = format!("{module}{dot}{}", String::from_utf8_lossy(&file.text()[name.clone()]));
                match named(&whole) {
                    Some(goes) => (goes, alias.as_ref().unwrap_or(name).clone()),
                    None => {
                        let is_name = self.referrers.submodule(self.module, module, name).is_none();
                        return named(module).filter(|_| is_name && alias.is_none()).map(|_| Vec::new());
                    }
                }
            }
            Form::Module { module, alias } => {
                let whole = item.range.start..item.range.start + module.len();
                (named(module)?, alias.clone().unwrap_or(whole))
            }
            Form::All(module) => return named(module).map(|_| Vec::new()),
            Form::Text(_) | Form::Specifier { .. } | Form::Declared(_) | Form::Word(_) => return None,
        };
        let change = |(attribute, name): (NodeId, NodeId)| {
            let range = file.range(attribute);
            let name = file.node_text(name);
            let now = self.spellings.of(name).filter(|_| goes == self.module).unwrap_or(name);
            (range.start as u32..range.end as u32, now.to_vec())
        };
        Some(attributes(file, &bound)?.into_iter().map(change).collect())
    }

    /// Whether a dotted name in the module is that of a file. A short name may be that of a library, too.
    fn is_name_of(&self, root: &Root, dotted: &str, file: FileId) -> bool {
        let path = module_path(&self.file(file).parsed.path);
        if let Some(named) = self.above(dotted) {
            return named == path;
        }
        let parts: Vec<&str> = dotted.split('.').collect();
        match *root {
            Root::Folder(length) => path.get(length..).is_some_and(|path| path == parts),
            Root::Own => path
                .len()
                .checked_sub(parts.len())
                .is_some_and(|length| path[length..] == parts && (length == 0 || parts.len() > 1)),
        }
    }

    /// The path of a relative name in the module.
    fn above(&self, name: &str) -> Option<Vec<String>> {
        let rest = name.trim_start_matches('.');
        let up = name.len() - rest.len();
        let own = &self.file(self.module).parsed.path;
        let folder: Vec<String> =
            own.parent()?.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let mut path = folder.get(..(folder.len() + 1).checked_sub(up).filter(|_| up > 0)?)?.to_vec();
        path.extend(rest.split('.').filter(|part| !part.is_empty()).map(str::to_owned));
        Some(path)
    }

    /// The relative name of a module in the moved text, as the host names it.
    fn moved_name(&self, root: &Root, name: &[u8]) -> Option<String> {
        let name: String = String::from_utf8_lossy(name).split_whitespace().collect();
        self.name(self.host, root, &self.above(&name)?).filter(|now| *now != name)
    }

    /// The units that turn `m.f` into `f`, for all uses of the module under the name that is bound at this place; `None`
    /// if it is used in another way.
    fn unqualified(&self, file: File<'_>, bound: &Range<usize>) -> Option<Vec<Unit>> {
        let unit = |(attribute, name): (NodeId, NodeId)| match self.spellings.of(file.node_text(name)) {
            Some(now) => file.replace(attribute, Source::made(String::from_utf8_lossy(now).into_owned())),
            None => file.replace(attribute, name),
        };
        Some(attributes(file, bound)?.into_iter().map(unit).collect())
    }
}

/// The uses of a module under the (dotted) name that is bound at this place, each with the name of the module that it is
/// for: `m.f` with `f`. `None` if the module is used in another way.
fn attributes(file: File<'_>, bound: &Range<usize>) -> Option<Vec<(NodeId, NodeId)>> {
    let name = &file.text()[bound.clone()];
    let first = name.iter().position(|&c| c == b'.').unwrap_or(name.len());
    let mut found = Vec::new();
    for used in uses_of_import(file, &(bound.start..bound.start + first)) {
        let mut path = std::iter::once(used).chain(file.ancestors(used));
        if path.find(|&n| file.node_text(n) == name).is_none() {
            // Another module of the same package.
            continue;
        }
        let attribute: NodeId = path.next().filter(|&n| file.kind_name(n) == "attribute")?;
        found.push((attribute, file.children(attribute).last()?));
    }
    Some(found)
}

/// Whether an item is for the compiler, and stands at the head of a file.
fn is_of_future(item: &Item) -> bool {
    matches!(&item.form, Form::Name { module, .. } if module == "__future__")
}

fn is_indented(text: &[u8], at: usize) -> bool {
    at > 0 && text[at - 1] != b'\n'
}
