//! Puts the text of a module in the place of the imports of it in a file that imports it, and deletes the module. Other files lose
//! their imports of it, with what uses them.
//! What the module exports becomes a name of that file; if the module is used as a whole, the object with its exports gets
//! a name. Names that both files have get other spellings. A file in JSON becomes a value.

use super::exports::{DEFAULT, Exported, Exports, Key, WHOLE, is_changed};
use super::imports::{Import, import_of, strings};
use crate::files::without_uses;
use crate::links::Links;
use crate::referrers::{HOSTS, Referrers, way};
use crate::{Base, Example, File, Grain, Group, Pass, Unit, spellings};
use lopper_languages::bindings::{Definition, Space};
use lopper_languages::edit::FileId;
use lopper_languages::layout;
use lopper_languages::references::Naming;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

pub(crate) const PASS: Pass = Pass {
    name: "scripts",
    summary: "puts the text of a module in the place of the imports of it",
    languages: &["javascript"],
    grain: Grain::Coarse,
    several: true,
    examples: &[
        Example {
            language: "javascript",
            before: "=== a.js\nimport c, { f as g, h } from './lib/b.js';\nimport * as n from './n.js';\nlet k = 0;\nlog(c, g(1), h, n.x, n.k, k);\n=== lib/b.js\nimport { y } from './y.js';\nexport function f(z) { return y; }\nconst h = 1;\nexport { h };\nexport default [2];\n=== lib/y.js\nexport const y = 3;\n=== n.js\nexport var x = 4, k = 5;\n",
            keep: &["log(", "function", "[2]", "return y", "= 1;", "= 3;", "x = 4", "= 5"],
            after: "=== a.js\nconst y = 3;\nfunction g(z) { return y; }\nconst h = 1;\nconst c = [2];\nvar x = 4, a = 5;\nlet k = 0;\nlog(c, g(1), h, x, a, k);\n",
        },
        Example {
            language: "javascript",
            before: "=== a.js\nconst { f, g: h } = require('./lib/b');\nconst n = require('./n'), fs = require('fs');\nvar p = require('./package.json');\nlog(f(1), h, n.x(2), p.version, require('./lib/c').z, fs, require('./lib/e').w);\n=== lib/b.js\nconst c = require('./d');\nexports.f = function (a) { return exports.g; };\nexports.g = c;\nexports.unused = 1;\n=== lib/c.js\nmodule.exports = { z: [3], y };\nfunction y() {}\n=== lib/e.js\nconst v = exports.w = 6;\nexports = module.exports = exports;\n=== n.js\nconst f = 4;\nconst x = () => f;\nmodule.exports = { x, f };\n=== package.json\n{ \"version\": \"5\" }\n",
            keep: &["log(", "(1)", "(a) { return ", "d');", "[3]", "= 4", "() =>", "= 6", "\"5\"", "y() {}"],
            after: "=== a.js\nconst h = require('./lib/d');\nconst f = function (a) { return h; };\nconst b = 4;\nconst x = () => b;\nconst fs = require('fs');\nvar p = { \"version\": \"5\" };\nconst z = [3];\nfunction y() {}\nconst w = 6;\nlog(f(1), h, x(2), p.version, z, fs, w);\n",
        },
        Example {
            language: "javascript",
            before: "=== a.js\nconst C = require('./lib/c');\nconst d = require('./lib/d');\nmodule.exports = C;\nlog(new C(), Object.keys(d));\n=== lib/c.js\nclass B extends require('./e') {}\nmodule.exports = B;\n=== lib/d.js\nconst C = require('../a');\nexports.x = 1;\n=== lib/e.js\nexports = module.exports = class {};\nmodule.exports.z = 7;\n",
            keep: &["new ", "extends ", "Object.keys(", "class {}", "x = 1", "z = 7"],
            after: "=== lib/d.js\nconst e = class {};\ne.z = 7;\nclass C extends e {}\nconst d = module.exports;\nlog(new C(), Object.keys(d));\nexports.x = 1;\n",
        },
        Example {
            language: "javascript",
            before: "=== lib/f.js\nexport function f() {}\n=== lib/g.js\nlet x;\nexport { x as y };\n=== lib/index.js\nexport * from './f.js';\nexport { y as g } from './g.js';\n=== main.js\nimport { f, g } from './lib/index.js';\nlog(f, g);\n",
            keep: &["log(", "() {}", "let "],
            after: "=== main.js\nfunction f() {}\nlet g;\nlog(f, g);\n",
        },
        Example {
            language: "javascript",
            before: "=== a.mjs\nimport * as n from './n.mjs';\nimport { x } from './n.mjs';\nconst y = 2;\nlog(n, n.x, x, y);\n=== n.mjs\nconst x = 1;\nfunction y() {}\nexport { x, y as z };\nexport default [y];\n",
            keep: &["log(n, n.x, x, y)", "function", "x = 1", "y = 2", "["],
            after: "=== a.mjs\nconst x = 1;\nfunction z() {}\nconst a = [z];\nconst n = { default: a, x, z };\nconst y = 2;\nlog(n, n.x, x, y);\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let referrers = Referrers::new(base);
    let imports = imports(&referrers);
    // A module that imports others of the base waits until they are in it, and so does one that another one moves to.
    let (leaves, others): (Vec<FileId>, Vec<FileId>) =
        imports.keys().copied().partition(|&module| referrers.is_leaf(module));
    let mut hosts = BTreeSet::new();
    let mut gone = BTreeSet::new();
    let (first, later): (Vec<FileId>, Vec<FileId>) = others.into_iter().partition(|module| {
        let Some(host) = host(&imports[module]) else { return true };
        let is_apart = !hosts.contains(module) && !gone.contains(&host);
        if is_apart {
            hosts.insert(host);
            gone.insert(*module);
        }
        is_apart
    });
    let group = |modules: Vec<FileId>| {
        let mut hosts = BTreeMap::new();
        let ways = |module| match host(&imports[&module]) {
            Some(host) => ways_to_move(&referrers, module, host, &imports[&module], &mut hosts),
            None => Vec::new(),
        };
        Group::choices(modules.into_iter().map(ways).collect::<Vec<_>>())
    };
    let mut groups: Vec<Group> = [leaves, first, later].map(group).into();
    let mut several = imports.iter().filter(|(_, places)| host(places).is_none()).peekable();
    if several.peek().is_some() {
        let links = Links::new(base);
        let ways = several.map(|(&module, places)| ways_among_several(&referrers, &links, module, places));
        groups.push(Group::choices(ways.collect::<Vec<_>>()));
    }
    groups
}

/// The ways to move a module into one of the files that import it, while the others lose what they import.
fn ways_among_several(
    referrers: &Referrers<'_>,
    links: &Links<'_>,
    module: FileId,
    places: &[(FileId, Import)],
) -> Vec<Unit> {
    let hosts: BTreeSet<FileId> = places.iter().map(|(file, _)| *file).collect();
    let into = |host: FileId| {
        let goes = |file: FileId| file == module;
        let others = referrers.of(module).iter().filter(|by| ![module, host].contains(&by.file));
        let without: Vec<Unit> = others.flat_map(|by| referrers.without_in(*by, &goes)).collect();
        let mut pair = [module, host];
        pair.sort_unstable();
        let uses = without_uses(links, referrers.base, &pair, &without).unwrap_or_default();
        let own: Vec<(FileId, Import)> = places.iter().filter(|(file, _)| *file == host).copied().collect();
        // The last of the ways leaves all others that name the module as they are.
        let moved = ways_to_move(referrers, module, host, &own, &mut BTreeMap::new()).pop()?;
        Some(Unit::together(std::iter::once(moved).chain(without).chain(uses)))
    };
    hosts.into_iter().take(HOSTS).filter_map(into).collect()
}

/// A file that modules move to, with its names.
struct Host<'a> {
    file: File<'a>,
    /// All names that stand for themselves, in any scope.
    names: BTreeSet<&'a [u8]>,
    /// Those that it defines for all of its text.
    globals: BTreeMap<&'a [u8], usize>,
    /// Those that it does not define.
    free: BTreeSet<&'a [u8]>,
    words: BTreeSet<Vec<u8>>,
    /// The names of the modules that have moved there.
    arrived: BTreeSet<Vec<u8>>,
}

impl<'a> Host<'a> {
    fn new(file: File<'a>) -> Self {
        let globals = file.definitions().enumerate().filter(|(_, definition)| is_global(definition));
        Self {
            file,
            names: names_in(file),
            globals: globals.map(|(index, _)| (name_of(file, index), index)).collect(),
            free: free(file).collect(),
            words: spellings::words(&[file]),
            arrived: BTreeSet::new(),
        }
    }

    fn has(&self, name: &[u8]) -> bool {
        self.names.contains(name) || self.arrived.contains(name)
    }
}

/// The only file that imports a module.
fn host(places: &[(FileId, Import)]) -> Option<FileId> {
    let host = places[0].0;
    places.iter().all(|(file, _)| *file == host).then_some(host)
}

/// The imports of all files, by what they import. Linear in the places that name files.
fn imports(referrers: &Referrers<'_>) -> BTreeMap<FileId, Vec<(FileId, Import)>> {
    let mut imports: BTreeMap<FileId, Vec<(FileId, Import)>> = BTreeMap::new();
    for file in PASS.files(referrers.base) {
        for (string, target) in strings(referrers, file) {
            if let (Some(import), Some(target)) = (import_of(file, string), target) {
                imports.entry(target).or_default().push((file.id, import));
            }
        }
    }
    imports
}

/// The ways to move a module into a file, by the imports of it there.
fn ways_to_move<'a>(
    referrers: &'a Referrers<'a>,
    module: FileId,
    host: FileId,
    places: &[(FileId, Import)],
    hosts: &mut BTreeMap<FileId, Host<'a>>,
) -> Vec<Unit> {
    let file = |id: FileId| File { id, parsed: referrers.base.file(id) };
    if host == module {
        return Vec::new();
    }
    let places: Vec<Import> = places.iter().map(|(_, import)| *import).collect();
    let (module, host) = (file(module), file(host));
    let moved: Vec<Vec<Unit>> = match module.language().name() {
        "json" => value(module, host, &places).into_iter().collect(),
        _ if PASS.is_for_language(module.language()) && module.parsed.is_regular() => {
            let host = hosts.entry(host.id).or_insert_with(|| Host::new(host));
            let way = |whole| Moving::new(referrers, module, host, whole).units(&places);
            let ways: Vec<(Vec<Unit>, Vec<Vec<u8>>)> = [false, true].into_iter().filter_map(way).collect();
            let mut moved = Vec::new();
            for (units, names) in ways {
                host.arrived.extend(names);
                moved.push(units);
            }
            moved
        }
        _ => Vec::new(),
    };
    let goes = |id: FileId| id == module.id;
    let others = referrers.of(module.id).iter();
    let others = others.filter(|by| file(by.file).language().naming() != Naming::Specifiers);
    let others: Vec<Unit> = others.flat_map(|by| referrers.without_in(*by, &goes)).collect();
    let mut ways = Vec::new();
    for units in moved {
        let units = || units.iter().cloned().chain([Unit::Remove { file: module.id }]);
        if !others.is_empty() {
            ways.push(Unit::together(units().chain(others.iter().cloned())));
        }
        ways.push(Unit::together(units()));
    }
    ways
}

/// The units that put a file in JSON in the place of a call of `require`.
fn value(module: File<'_>, host: File<'_>, places: &[Import]) -> Option<Vec<Unit>> {
    let &[Import::Call(call)] = places else { return None };
    Some(vec![put(module, host, host.range(call), BTreeMap::new())])
}

/// Ranges of a text, and what replaces them.
type Changes = BTreeMap<(usize, usize), Vec<u8>>;

fn put(module: File<'_>, host: File<'_>, range: Range<usize>, changes: Changes) -> Unit {
    let changes = changes.into_iter().map(|((start, end), by)| (start as u32..end as u32, by));
    let range = range.start as u32..range.end as u32;
    Unit::Put { file: host.id, range, from: module.id, changes: changes.collect(), rest: Vec::new() }
}

/// Who uses something that the module exports.
#[derive(Default)]
struct Wanted {
    /// The definitions of the host that stand for it.
    locals: Vec<usize>,
    /// The expressions of the host that stand for it.
    uses: Vec<NodeId>,
}

/// A module on its way into the file that imports it.
struct Moving<'a, 'h> {
    referrers: &'a Referrers<'a>,
    module: File<'a>,
    host: File<'a>,
    there: &'h Host<'a>,
    exports: Exports<'a>,
    /// Whether the host uses the object with all exports.
    whole: bool,
    wanted: BTreeMap<Key<'a>, Wanted>,
    /// The statements, or the items of declarations, that import in the host.
    gone: Vec<NodeId>,
    /// The names there for an object with all that the module exports, where not only its members are used.
    namespaces: Vec<&'a [u8]>,
    /// What they define there.
    removed: BTreeSet<usize>,
    /// Exports in the host of what the module exports, and what they become.
    again: Vec<(NodeId, Vec<(Key<'a>, Key<'a>)>)>,
    /// The new names of the module's definitions.
    respelled: BTreeMap<usize, Vec<u8>>,
    /// The words of the module, and new names.
    words: Option<BTreeSet<Vec<u8>>>,
}

impl<'a, 'h> Moving<'a, 'h> {
    fn new(referrers: &'a Referrers<'a>, module: File<'a>, there: &'h Host<'a>, whole: bool) -> Self {
        Self {
            referrers,
            module,
            host: there.file,
            there,
            exports: Exports::new(module),
            whole,
            wanted: BTreeMap::new(),
            gone: Vec::new(),
            namespaces: Vec::new(),
            removed: BTreeSet::new(),
            again: Vec::new(),
            respelled: BTreeMap::new(),
            words: None,
        }
    }

    /// The units that move the module, and the names that it brings along; `None` if the text of the host cannot say what
    /// it says now.
    fn units(mut self, places: &[Import]) -> Option<(Vec<Unit>, Vec<Vec<u8>>)> {
        for place in places {
            match *place {
                Import::Statement(statement) => self.read_statement(statement)?,
                Import::Call(call) => self.read_call(call)?,
                Import::Dynamic => return None,
            }
        }
        let is_whole = self.wanted.contains_key(WHOLE);
        if is_whole != self.whole || !self.whole && !self.exports.is_known {
            return None;
        }
        for (key, _) in self.exports.members.iter().filter(|_| !self.whole) {
            self.wanted.entry(key).or_default();
        }
        let names = self.names()?;
        let mut changes = match self.whole {
            true => self.object(&names[WHOLE]),
            false => self.declared(&names),
        };
        self.add_namespaces(&names, &mut changes);
        self.take_back(&mut changes)?;
        self.set_apart(&names, &mut changes);
        let own = self.module.definitions().enumerate().filter(|(_, d)| is_global(d));
        let own = own.map(|(index, _)| match self.respelled.get(&index) {
            Some(new) => new.clone(),
            None => name_of(self.module, index).to_vec(),
        });
        let brought = own.chain(names.values().cloned()).collect();
        Some((self.in_host(places, &names, changes)?, brought))
    }

    /// Reads an import, or an export of what the module has, in the host.
    fn read_statement(&mut self, statement: NodeId) -> Option<()> {
        let host = self.host;
        if self.whole || !self.exports.objects.is_empty() {
            return None;
        }
        if host.kind_name(statement) == "export_statement" {
            let clause = host.named_children(statement).find(|&n| host.kind_name(n) != "string")?;
            let items = host.named_children(clause).filter(|_| host.kind_name(clause) == "export_clause");
            let mut again = Vec::new();
            for item in items {
                let (name, other) = self.names_of(item)?;
                self.wanted.entry(host.node_text(name)).or_default();
                again.push((host.node_text(name), host.node_text(other)));
            }
            self.again.push((statement, again));
            return Some(());
        }
        let clause = host.named_children(statement).find(|&n| host.kind_name(n) == "import_clause");
        for part in clause.into_iter().flat_map(|clause| host.named_children(clause)) {
            match host.kind_name(part) {
                "identifier" => self.want(DEFAULT, part)?,
                "namespace_import" => self.want_members(host.named_children(part).next()?)?,
                _ => {
                    for item in host.named_children(part) {
                        let (name, local) = self.names_of(item)?;
                        self.want(host.node_text(name), local)?;
                    }
                }
            }
        }
        self.gone.push(statement);
        Some(())
    }

    /// The first and the last name of an item such as `a as b`.
    fn names_of(&self, item: NodeId) -> Option<(NodeId, NodeId)> {
        let is_name = |&n: &NodeId| matches!(self.host.kind_name(n), "identifier" | "default");
        let mut names = self.host.children(item).filter(is_name);
        let first = names.next()?;
        Some((first, names.last().unwrap_or(first)))
    }

    /// Reads a call of `require` in the host.
    fn read_call(&mut self, call: NodeId) -> Option<()> {
        let host = self.host;
        if self.exports.is_modern {
            return None;
        }
        let member = host.parent(call).filter(|_| !self.whole).and_then(|n| self.member(n, call));
        let value = member.map_or(call, |(member, _)| member);
        let parent = host.parent(value)?;
        let above = host.parent(parent)?;
        if host.kind_name(parent) == "expression_statement" && above == NodeId::ROOT && member.is_none() {
            self.gone.push(parent);
            return Some(());
        }
        let is_declared =
            host.kind_name(parent) == "variable_declarator" && host.parent(above) == Some(NodeId::ROOT);
        let name = host.named_children(parent).next().filter(|_| is_declared);
        match (member, name.map(|name| (name, host.kind_name(name)))) {
            (Some((_, key)), Some((name, "identifier"))) => self.want(key, name)?,
            (None, Some((name, "identifier"))) if self.whole => self.want(WHOLE, name)?,
            (None, Some((name, "identifier"))) => self.want_members(name)?,
            (None, Some((name, "object_pattern"))) if !self.whole => {
                for item in host.named_children(name) {
                    match host.kind_name(item) {
                        "shorthand_property_identifier_pattern" => self.want(host.node_text(item), item)?,
                        "pair_pattern" => {
                            let mut parts = host.named_children(item);
                            let key = parts.next().filter(|&n| host.kind_name(n) == "property_identifier")?;
                            self.want(host.node_text(key), parts.last()?)?;
                        }
                        _ => return None,
                    }
                }
            }
            (Some((member, key)), _) => {
                self.wanted.entry(key).or_default().uses.push(member);
                return Some(());
            }
            _ => {
                self.wanted.entry(WHOLE).or_default().uses.push(call);
                return Some(());
            }
        }
        let is_only =
            host.named_children(above).filter(|&n| host.kind_name(n) == "variable_declarator").count() == 1;
        self.gone.push(if is_only { above } else { parent });
        Some(())
    }

    /// The member expression with this object and the name of its property, unless that is assigned to.
    fn member(&self, node: NodeId, object: NodeId) -> Option<(NodeId, Key<'a>)> {
        let host = self.host;
        let mut parts = host.named_children(node);
        let is_member = host.kind_name(node) == "member_expression" && parts.next() == Some(object);
        let key = parts.next().filter(|&n| is_member && host.kind_name(n) == "property_identifier")?;
        let is_plain = !host.parent(node).is_some_and(|above| is_changed(host, above, node));
        is_plain.then(|| (node, host.node_text(key)))
    }

    /// Notes what a name of the host stands for.
    fn want(&mut self, key: Key<'a>, name: NodeId) -> Option<()> {
        let local = self.host.bindings().of(name)?;
        self.wanted.entry(key).or_default().locals.push(local);
        self.removed.insert(local);
        Some(())
    }

    /// Notes the members of the module that the host uses behind a name of the module.
    fn want_members(&mut self, name: NodeId) -> Option<()> {
        let host = self.host;
        let definition = host.definition(name)?;
        if definition.places.len() != 1 {
            return None;
        }
        let member = |used: NodeId| self.member(host.parent(used)?, used);
        match uses(host, definition).map(member).collect::<Option<Vec<_>>>() {
            Some(members) => {
                members
                    .into_iter()
                    .for_each(|(member, key)| self.wanted.entry(key).or_default().uses.push(member));
                self.removed.extend(host.bindings().of(name));
            }
            None if self.exports.is_modern && self.exports.stars.is_empty() => {
                let all: Vec<Key<'a>> = self.exports.all.keys().copied().collect();
                for key in all {
                    self.wanted.entry(key).or_default();
                }
                self.namespaces.push(host.node_text(name));
            }
            None => return None,
        }
        Some(())
    }

    /// What stands for an export of the module.
    fn exported(&self, key: Key<'_>) -> Option<Exported> {
        let known = self.exports.all.get(key).copied();
        match (known, &self.exports.stars[..]) {
            (None, &[source]) if key != DEFAULT => Some(Exported::Elsewhere(source, None)),
            _ => known,
        }
    }

    /// A spelling of a name that neither file has.
    fn other(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let words = self.words.get_or_insert_with(|| spellings::words(&[self.module]));
        let (there, arrived) = (&self.there.words, &self.there.arrived);
        let new = spellings::unlike(name, |new| {
            words.contains(new) || there.contains(new) || arrived.contains(new)
        })?;
        words.insert(new.clone());
        Some(new)
    }

    /// The names in the host of all that is wanted.
    fn names(&mut self) -> Option<BTreeMap<Key<'a>, Vec<u8>>> {
        let in_module = names_in(self.module);
        let mut names = BTreeMap::new();
        let wanted: Vec<(Key<'a>, Vec<&'a [u8]>)> = self
            .wanted
            .iter()
            .map(|(key, wanted)| {
                (*key, wanted.locals.iter().map(|&local| name_of(self.host, local)).collect())
            })
            .collect();
        for (key, locals) in wanted {
            let own = match self.exported(key) {
                Some(Exported::Own(own)) if !self.whole || self.exports.whole.len() == 1 => Some(own),
                Some(_) => None,
                None if self.whole => None,
                None if self.exports.is_modern => return None,
                // An object has no member of this name.
                None => {
                    names.insert(key, b"undefined".to_vec());
                    continue;
                }
            };
            let stem = || self.module.parsed.path.file_stem().map(|stem| stem.as_encoded_bytes());
            let plain = own.map(|own| name_of(self.module, own));
            let usual = match key {
                WHOLE | DEFAULT => plain.or(stem().filter(|stem| is_identifier(stem))).unwrap_or(b"exported"),
                key => key,
            };
            let local = locals.iter().find(|&&local| local == usual).or(locals.first());
            let preferred = match local {
                Some(&local) => local.to_vec(),
                None if self.there.has(usual) => self.other(usual)?,
                None => usual.to_vec(),
            };
            let name = match own {
                Some(own) if self.respelled.contains_key(&own) => self.respelled[&own].clone(),
                Some(_) if plain == Some(&*preferred) || !in_module.contains(&*preferred) => preferred,
                Some(_) if plain.is_some_and(|plain| !self.there.has(plain)) => plain?.to_vec(),
                Some(_) => self.other(plain?)?,
                None if in_module.contains(&*preferred) => self.other(&preferred)?,
                None => preferred,
            };
            if let Some(own) = own {
                self.respelled.insert(own, name.clone());
            }
            names.insert(key, name);
        }
        Some(names)
    }

    /// The changes of the module that make all it exports an object with this name.
    fn object(&self, name: &[u8]) -> Changes {
        let mut changes = Changes::new();
        let file = self.module;
        let all = self.exports.all.get(WHOLE);
        match (all, &self.exports.whole[..]) {
            (Some(Exported::Own(_)), &[(statement, _)]) => cut(file, statement, &mut changes),
            (Some(Exported::Value(_)), &[(statement, value)]) => {
                let range = file.range(statement).start..file.range(value).start;
                change(&mut changes, range, [b"const ", name, b" = "].concat());
            }
            _ => {
                let keyword: &[u8] = if all.is_some() { b"let " } else { b"const " };
                change(&mut changes, 0..0, [keyword, name, b" = {};\n"].concat());
            }
        }
        let is_replaced = |n: &NodeId| self.exports.whole.iter().any(|(statement, _)| statement == n);
        let idle = self.exports.statements.iter().filter(|(n, keys)| keys.is_empty() && !is_replaced(n));
        idle.for_each(|(statement, _)| cut(file, *statement, &mut changes));
        for range in self.exports.objects.iter().map(|&n| file.range(n)) {
            if !overlaps(&changes, &range) {
                change(&mut changes, range, name.to_vec());
            }
        }
        changes
    }

    /// The changes of the module that make what it exports definitions with these names.
    fn declared(&self, names: &BTreeMap<Key<'a>, Vec<u8>>) -> Changes {
        let file = self.module;
        let mut changes = Changes::new();
        for &(statement, part) in &self.exports.declarations {
            change(&mut changes, file.range(statement).start..file.range(part).start, Vec::new());
        }
        for &(assignment, value) in &self.exports.chained {
            change(&mut changes, file.range(assignment).start..file.range(value).start, Vec::new());
        }
        for (&statement, keys) in &self.exports.statements {
            let mut values: Vec<(NodeId, &[u8])> = Vec::new();
            let mut sources: Vec<Vec<u8>> = Vec::new();
            // An `export *` names nothing.
            let keys_are_unknown = keys.is_empty();
            let keys = keys.iter().copied();
            let is_starred = |key: &Key<'_>| keys_are_unknown && !self.exports.all.contains_key(key);
            for key in keys.chain(names.keys().copied().filter(is_starred)) {
                let (Some(name), Some(exported)) = (names.get(key), self.exported(key)) else { continue };
                match exported {
                    Exported::Value(value) => values.push((value, name)),
                    Exported::Elsewhere(source, there) if file.parent(source) == Some(statement) => {
                        let there = there.map_or(key, |there| file.node_text(there));
                        let item =
                            if there == &**name { name.clone() } else { [there, b" as ", name].concat() };
                        let path = self.path(file.node_text(source));
                        sources.push([b"import { ", &item[..], b" } from ", &path, b";"].concat());
                    }
                    _ => {}
                }
            }
            let range = file.range(statement);
            if values.is_empty() && sources.is_empty() {
                cut(file, statement, &mut changes);
                continue;
            }
            if values.is_empty() {
                change(&mut changes, range, sources.join(&b'\n'));
                continue;
            }
            values.sort_unstable();
            let mut end = range.start;
            for (value, name) in values {
                let begin: &[u8] = if end == range.start { b"" } else { b";\n" };
                let place = file.range(value);
                change(&mut changes, end..place.start, [begin, b"const ", name, b" = "].concat());
                end = place.end;
            }
            if !matches!(file.text()[end..range.end].trim_ascii(), b"" | b";") {
                change(&mut changes, end..range.end, b";".to_vec());
            }
        }
        for (key, member) in &self.exports.members {
            let range = file.range(*member);
            if let Some(name) = names.get(key).filter(|_| !overlaps(&changes, &range)) {
                change(&mut changes, range, name.clone());
            }
        }
        changes
    }

    /// Adds the objects that stand for all that the module exports.
    fn add_namespaces(&self, names: &BTreeMap<Key<'a>, Vec<u8>>, changes: &mut Changes) {
        if self.namespaces.is_empty() {
            return;
        }
        let items = self.exports.all.keys().filter_map(|&key| Some((key, names.get(key)?)));
        let item = |(key, name): (Key<'a>, &Vec<u8>)| match key == &name[..] {
            true => name.clone(),
            false => [key, b": ", name].concat(),
        };
        let items = items.map(item).collect::<Vec<_>>().join(&b", "[..]);
        let object = |name: &&[u8]| [b"const ", *name, b" = { ", &items, b" };"].concat();
        let text = self.module.text();
        let line: &[u8] = if text.ends_with(b"\n") || text.is_empty() { b"" } else { b"\n" };
        let objects = self.namespaces.iter().map(object).collect::<Vec<_>>().join(&b'\n');
        change(changes, text.len()..text.len(), [line, &objects, b"\n"].concat());
    }

    /// The quoted path of a module, as the host names it.
    fn path(&self, quoted: &[u8]) -> Vec<u8> {
        let folder = |file: File<'a>| file.parsed.path.parent().unwrap_or(Path::new(""));
        let (from, to) = (folder(self.module), folder(self.host));
        let path = String::from_utf8_lossy(&quoted[1..quoted.len().saturating_sub(1).max(1)]).into_owned();
        if from == to || !path.starts_with('.') {
            return quoted.to_vec();
        }
        let now = way(to, &from.join(path)).to_string_lossy().into_owned();
        let start = if now.starts_with("..") { "" } else { "./" };
        [&quoted[..1], start.as_bytes(), now.as_bytes(), &quoted[..1]].concat()
    }

    /// Changes the module's own imports: they count from another folder, and the host need not import itself.
    fn take_back(&mut self, changes: &mut Changes) -> Option<()> {
        let file = self.module;
        let mut of_host = None;
        for (string, target) in strings(self.referrers, file) {
            let range = file.range(string);
            let Some(import) = import_of(file, string).filter(|_| !overlaps(changes, &range)) else {
                continue;
            };
            if target != Some(self.host.id) {
                let path = self.path(file.node_text(string));
                if path != file.node_text(string) {
                    change(changes, range, path);
                }
                continue;
            }
            let Import::Call(call) = import else { return None };
            let declarator = file.parent(call).filter(|&n| file.kind_name(n) == "variable_declarator");
            let own = declarator.and_then(|n| file.bindings().of(file.named_children(n).next()?));
            let statement = declarator.and_then(|n| file.parent(n));
            let is_only =
                |n: NodeId| file.named_children(n).count() == 1 && file.parent(n) == Some(NodeId::ROOT);
            let of_host = of_host.get_or_insert_with(|| Exports::new(self.host));
            match (of_host.all.get(WHOLE), own, statement) {
                (Some(&Exported::Own(there)), Some(own), Some(statement))
                    if is_only(statement) && !self.respelled.contains_key(&own) =>
                {
                    cut(file, statement, changes);
                    self.respelled.insert(own, name_of(self.host, there).to_vec());
                }
                _ => change(changes, file.range(call), b"module.exports".to_vec()),
            }
        }
        Some(())
    }

    /// Gives names of the module that meet those of the host other spellings.
    fn set_apart(&mut self, names: &BTreeMap<Key<'a>, Vec<u8>>, changes: &mut Changes) {
        let file = self.module;
        let there = self.there;
        let new: BTreeSet<&[u8]> = names.values().map(Vec::as_slice).collect();
        let removed = std::mem::take(&mut self.removed);
        let is_taken = |name: &[u8]| {
            there.globals.get(name).is_some_and(|index| !removed.contains(index))
                || there.free.contains(name)
                || there.arrived.contains(name)
                || new.contains(name)
        };
        for (index, definition) in file.definitions().enumerate() {
            let name = name_of(file, index);
            if is_global(definition)
                && !self.respelled.contains_key(&index)
                && is_taken(name)
                && let Some(other) = self.other(name)
            {
                self.respelled.insert(index, other);
            }
        }
        for (index, new) in &self.respelled {
            let definition = &file.bindings().definitions()[*index];
            if name_of(file, *index) == &**new {
                continue;
            }
            let places = definition.places.iter().map(|place| place.name);
            for name in places.chain(uses(file, definition)) {
                let range = file.range(name);
                if !overlaps(changes, &range) {
                    change(changes, range, renamed(file, name, new));
                }
            }
        }
    }

    /// The units in the host.
    fn in_host(
        self,
        places: &[Import],
        names: &BTreeMap<Key<'a>, Vec<u8>>,
        changes: Changes,
    ) -> Option<Vec<Unit>> {
        let host = self.host;
        let top = |place: &Import| {
            let (Import::Statement(node) | Import::Call(node)) = *place else { return None };
            std::iter::once(node).chain(host.ancestors(node)).find(|&n| host.parent(n) == Some(NodeId::ROOT))
        };
        let first = places.iter().filter_map(top).min()?;
        let mut units = Vec::new();
        let replaced = self.gone.contains(&first);
        let range = host.range(first);
        let range = if replaced { range } else { range.start..range.start };
        units.push(put(self.module, host, range, changes));
        units.extend(self.gone.iter().filter(|&&n| n != first).map(|&n| host.drop(n)));
        for (statement, items) in &self.again {
            let item = |(key, other): &(Key<'a>, Key<'a>)| match &names[key][..] == *other {
                true => names[key].clone(),
                false => [&names[key][..], b" as ", other].concat(),
            };
            let items: Vec<Vec<u8>> = items.iter().map(item).collect();
            units
                .push(host.replace(*statement, [b"export { ", &items.join(&b", "[..])[..], b" };"].concat()));
        }
        for (key, wanted) in &self.wanted {
            let name = &names[key];
            units.extend(wanted.uses.iter().map(|&n| host.replace(n, name.clone())));
            for &local in wanted.locals.iter().filter(|&&local| name_of(host, local) != &**name) {
                let definition = &host.bindings().definitions()[local];
                if definition.places.len() > 1 {
                    return None;
                }
                units.extend(uses(host, definition).map(|n| {
                    let range = host.range(n);
                    host.write(range, renamed(host, n, name))
                }));
            }
        }
        Some(units)
    }
}

/// The uses of a definition, but for the words of imports and exports that only look like uses.
fn uses<'a>(file: File<'a>, definition: &'a Definition) -> impl Iterator<Item = NodeId> + use<'a> {
    let is_use = move |&name: &NodeId| {
        let Some(parent) = file.parent(name) else { return true };
        match file.kind_name(parent) {
            "import_specifier" => false,
            "export_specifier" => file.named_children(parent).next() == Some(name),
            _ => true,
        }
    };
    file.uses(definition).filter(is_use)
}

fn name_of<'a>(file: File<'a>, definition: usize) -> &'a [u8] {
    file.node_text(file.bindings().definitions()[definition].places[0].name)
}

fn is_global(definition: &Definition) -> bool {
    definition.scope == NodeId::ROOT && definition.sort.space() == Space::Ordinary
}

/// The names that a file uses, but does not define.
fn free<'a>(file: File<'a>) -> impl Iterator<Item = &'a [u8]> {
    let is_of_list = move |&name: &NodeId| {
        file.parent(name)
            .is_some_and(|n| matches!(file.kind_name(n), "import_specifier" | "export_specifier"))
    };
    let free = file.bindings().free().filter(|(space, _)| *space == Space::Ordinary);
    free.filter(move |(_, names)| !names.iter().all(is_of_list))
        .map(move |(_, names)| file.node_text(names[0]))
}

/// All names of a file that stand for themselves, in any scope.
fn names_in<'a>(file: File<'a>) -> BTreeSet<&'a [u8]> {
    let defined = file.definitions().filter(|d| d.sort.space() == Space::Ordinary);
    defined.map(|d| file.node_text(d.places[0].name)).chain(free(file)).collect()
}

fn is_identifier(name: &[u8]) -> bool {
    name.iter().all(|&c| c.is_ascii_alphanumeric() || c == b'_') && !name[0].is_ascii_digit()
}

/// A name in the place of another one, which may stand for a property, too.
fn renamed(file: File<'_>, node: NodeId, new: &[u8]) -> Vec<u8> {
    let old = file.node_text(node);
    let parent = file.parent(node);
    let names = parent.map_or(0, |n| file.named_children(n).count());
    match (file.kind_name(node), parent.map(|n| file.kind_name(n))) {
        ("shorthand_property_identifier" | "shorthand_property_identifier_pattern", _) => {
            [old, b": ", new].concat()
        }
        (_, Some("import_specifier")) if names == 1 => [old, b" as ", new].concat(),
        (_, Some("export_specifier")) if names == 1 => [new, b" as ", old].concat(),
        _ => new.to_vec(),
    }
}

fn change(changes: &mut Changes, range: Range<usize>, by: Vec<u8>) {
    changes.insert((range.start, range.end), by);
}

fn cut(file: File<'_>, statement: NodeId, changes: &mut Changes) {
    change(changes, layout::deletion(file.parsed, file.range(statement)), Vec::new());
}

/// Whether a change touches a range. O(log changes), since changes are disjoint.
fn overlaps(changes: &Changes, range: &Range<usize>) -> bool {
    let before = changes.range(..(range.end, 0)).next_back();
    before.is_some_and(|((start, end), _)| *end > range.start || (*start..*end) == *range)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the first unit for these files leaves of the other file.
    fn first(text: &str) -> Option<String> {
        let base = Base::of_example("javascript", text);
        let group = plan(&base).into_iter().find(|group| !group.units().is_empty())?;
        let candidate = group.render(&base, &[0]).unwrap();
        let edits = candidate.edits().iter().filter(|edit| edit.file == 0);
        let mut text = base.file(0).text.to_vec();
        edits.rev().for_each(|edit| drop(text.splice(edit.start..edit.end, edit.text.iter().copied())));
        Some(String::from_utf8(text).unwrap())
    }

    #[test]
    fn a_module_that_two_files_import_moves_to_one_of_them_and_the_other_loses_it() {
        let text = "=== a.js\nconst m = require('./m');\nmodule.exports = { m, x: 1 };\n=== b.js\nconst f = require('./m');\nf(2);\n=== m.js\nmodule.exports = (x) => x;\n";
        let base = Base::of_example("javascript", text);
        let groups = plan(&base);
        let ways: Vec<[String; 2]> = (0..groups[3].units().len())
            .map(|unit| {
                let candidate = groups[3].render(&base, &[unit]).unwrap();
                assert!(candidate.removes(2));
                [0, 1].map(|file| String::from_utf8(candidate.apply(file, &base.file(file).text)).unwrap())
            })
            .collect();
        assert_eq!(ways.len(), 2);
        assert!(ways[0][0].starts_with("const m = (x) => x;") && !ways[0][1].contains("f(2)"), "{ways:?}");
        assert_eq!(ways[1], ["module.exports = { x: 1 };\n", "const f = (x) => x;\nf(2);\n"]);
        assert!(groups[..3].iter().all(|group| group.units().is_empty()));
    }

    #[test]
    fn the_main_module_of_a_package_moves_to_what_imports_the_package() {
        let text = "=== a/t.js\nconst { f } = require('..')\nlog(f)\n=== m.js\nexports.f = 1;\n=== package.json\n{\"main\": \"m.js\"}\n";
        assert_eq!(first(text).as_deref(), Some("const f = 1;\nlog(f)\n"));
    }

    #[test]
    fn modules_that_move_at_once_keep_their_names_apart() {
        let modules =
            "=== m.js\nconst x = 1\nexports.f = () => x\n=== n.js\nconst x = 2\nexports.g = () => x\n";
        let text = format!("=== a.js\nlog(require('./m').f)\nlog(require('./n').g)\n{modules}");
        let base = Base::of_example("javascript", &text);
        let group = &plan(&base)[0];
        let both: Vec<usize> =
            [0, 1].map(|choice| (0..).find(|&unit| group.choice(unit) == choice).unwrap()).into();
        let edited = group.render(&base, &both).unwrap().edits().to_vec();
        let texts: Vec<_> = edited.iter().map(|edit| String::from_utf8_lossy(&edit.text)).collect();
        assert!(
            texts.concat().contains("const x = 1") && texts.concat().contains("const a = 2"),
            "{texts:?}"
        );
    }

    #[test]
    fn a_module_that_is_imported_later_stays() {
        assert_eq!(first("=== a.js\nimport('./m.js')\n=== m.js\nexport const f = 1;\n"), None);
    }

    #[test]
    fn a_name_for_all_that_an_es_module_exports_becomes_an_object_where_it_is_a_value() {
        let with = |used: &str| {
            let text = format!("=== a.js\nimport * as m from './m.js'\nlog({used})\n");
            first(&(text + "=== m.js\nexport const f = 1;\n"))
        };
        assert_eq!(with("m, m.f").as_deref(), Some("const f = 1;\nconst m = { f };\nlog(m, m.f)\n"));
        assert_eq!(with("m.f").as_deref(), Some("const f = 1;\nlog(f)\n"));
    }

    #[test]
    fn a_name_that_the_host_imports_twice_becomes_one_name() {
        let text =
            "=== a.js\nconst { x: y } = require('./m')\nlog(y)\nconst { x } = require('./m')\nlog({ x })\n";
        let moved = first(&format!("{text}=== m.js\nconst x = exports.x = 1\n"));
        assert_eq!(moved.as_deref(), Some("const x = 1\nlog(x)\nlog({ x })\n"));
    }

    #[test]
    fn a_name_is_not_caught_by_one_of_an_inner_scope() {
        let text = "=== a.js\nconst m = require('./m')\nlog(f => m.f(f))\n=== m.js\nexports.f = 1\n";
        assert_eq!(first(text).as_deref(), Some("const a = 1\nlog(f => a(f))\n"));
    }

    #[test]
    fn what_a_module_without_export_does_not_have_is_undefined() {
        let text = "=== a.js\nconst { x, y } = require('./m')\nconst m = require('./m')\nlog(x, y, m.z)\n";
        let moved = first(&format!("{text}=== m.js\nexports.x = 1\n"));
        assert_eq!(moved.as_deref(), Some("const x = 1\nlog(x, undefined, undefined)\n"));
        assert_eq!(first("=== a.mjs\nimport { y } from './m.mjs'\n=== m.mjs\nexport const x = 1\n"), None);
    }
}
