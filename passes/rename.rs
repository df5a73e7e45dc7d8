//! Gives a name a short spelling, wherever it stands for the same thing.
//!
//! Where the text does not parse, has no grammar, or is in a language without bindings, all tokens with the same spelling count as one
//! name. So do names that nothing defines, which mean something to a compiler, but not to a parser or a formatter.

use crate::links::Links;
use crate::uses::short_names;
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::edit::FileId;
use lopper_languages::lexer::TokenKind;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "rename",
    summary: "shortens names to one letter: those that the program defines, and others where the test allows it",
    grain: Grain::Finish,
    examples: &[
        Example {
            language: "c",
            before: "int first, a;\nint twice(int value) { return value + first; }\nint main() { return twice(a); }\n",
            keep: &["main"],
            after: "int b, a;\nint c(int d) { return d + b; }\nint main() { return c(a); }\n",
        },
        Example {
            language: "cpp",
            before: "void f(class Value *, Other);\nvoid f(Value *, Other) {}\n",
            keep: &["void f(class ", "*, Other)"],
            after: "void f(class a *, Other);\nvoid f(a *, Other) {}\n",
        },
        Example {
            language: "python",
            before: "from m import name\nclass Table:\n    def get(self, key=name): return self.get(key=key)\n",
            keep: &["get"],
            after: "from m import a\nclass b:\n    def get(d, e=a): return d.get(e=e)\n",
        },
        Example {
            language: "python",
            before: "class Case(TestCase):\n    def test_that_it_adds(self): pass\n",
            keep: &["TestCase", "  def test"],
            after: "class a(TestCase):\n    def test(c): pass\n",
        },
        Example {
            language: "python",
            before: "=== main.py\nfrom table import Table, first as last\nprint(Table().get(last))\n=== table.py\nclass Table:\n    def get(self, key): return key\nfirst = 1\n",
            keep: &["print", "from table", "=== table.py"],
            after: "=== main.py\nfrom table import a, c as d\nprint(a().b(d))\n=== table.py\nclass a:\n    def b(d, e): return e\nc = 1\n",
        },
        Example {
            language: "python",
            before: "Menu = List['Menu', 'Menus']\nd = {'key': 1}\nprint(d[key])\n",
            keep: &["List[", "Menus", "d = {'key': 1}", "print(d[key])"],
            after: "a = List['a', 'Menus']\nd = {'key': 1}\nprint(d[key])\n",
        },
        Example {
            language: "sql",
            before: "CREATE FUNCTION position() RETURNS int BEGIN ATOMIC SELECT; END\n",
            keep: &["CREATE FUNCTION", "RETURNS int", "ATOMIC"],
            after: "CREATE FUNCTION a() RETURNS int BEGIN ATOMIC SELECT; END\n",
        },
        Example {
            language: "ruby",
            before: "class Average\nend\nresult //\n",
            keep: &["class A", "end", "//"],
            after: "class A\nend\na //\n",
        },
        Example {
            language: "text",
            before: "let name = other(name);\n",
            keep: &["let", "("],
            after: "let b = c(b);\n",
        },
        Example {
            language: "javascript",
            before: "import { name } from \"m\";\nfunction twice(value) { return value + name; }\ntwice(2);\n",
            keep: &["import"],
            after: "import { a } from \"m\";\nfunction b(c) { return c + a; }\nb(2);\n",
        },
        Example {
            language: "rust",
            before: "fn twice(value: u8) -> u8 { let total = value; total + value }\nfn main() { twice(2); }\n",
            keep: &["main"],
            after: "fn a(b: u8) -> u8 { let c = b; c + b }\nfn main() { a(2); }\n",
        },
        Example {
            language: "rust",
            before: "struct Pair { first: u8 }\nfn f(first: u8) { let Pair { first } = Pair { first }; g(first); }\n",
            keep: &["fn f(", "g("],
            after: "struct a { b: u8 }\nfn f(b: u8) { let a { b } = a { b }; g(b); }\n",
        },
        Example {
            language: "javascript",
            before: "=== a.mjs\nimport first, { second } from './b.mjs';\nlog(first, second);\n=== b.mjs\nexport default function fallback() {}\nexport const second = 2;\n",
            keep: &["log("],
            after: "=== a.mjs\nimport a, { b } from './b.mjs';\nlog(a, b);\n=== b.mjs\nexport default function a() {}\nexport const b = 2;\n",
        },
        Example {
            language: "java",
            before: "class First {\n    int twice(int value) { return value + value; }\n    int main() { return twice(2); }\n}\n",
            keep: &["main"],
            after: "class a {\n    int b(int c) { return c + c; }\n    int main() { return b(2); }\n}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let links = Links::new(base);
    let (mut ways, reserved) = joined_ways(base, &links);
    ways.extend(PASS.files(base).flat_map(|file| own_ways(file, &links, &reserved)));
    let (free, spelled) = (Group::deletions(free_names(base)), Group::deletions(spelled_names(base)));
    vec![Group::choices(ways).doubtful(), free.doubtful(), spelled.doubtful()]
}

/// For each spelling that several names have, defined or not, the unit that shortens all of them: what is reached behind the name of a
/// class, such as `b` in `A::b`, may be another name for the bindings than its definition.
fn spelled_names(base: &Base) -> Vec<Unit> {
    let mut taken: BTreeSet<&[u8]> = BTreeSet::new();
    let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
    let mut nodes: BTreeMap<&[u8], Vec<(FileId, NodeId)>> = BTreeMap::new();
    for file in PASS.files(base).filter(|file| file.parsed.syntax().errors == 0) {
        taken.extend(file.tokens().iter().map(|token| &file.text()[token.range()]));
        let definitions = file.definitions().map(|definition| definition.places[0].name);
        let free = file.bindings().free().filter_map(|(_, names)| names.first().copied());
        definitions.chain(free).for_each(|name| *counts.entry(file.node_text(name)).or_default() += 1);
        for name in file.with(Role::Name) {
            nodes.entry(file.node_text(name)).or_default().push((file.id, name));
        }
    }
    nodes.retain(|text, _| text.len() > 1 && counts.get(text).is_some_and(|&count| count > 1));
    shortened(&taken, nodes)
}

/// For each spelling, the unit that gives all its nodes a short one that is not taken.
fn shortened(taken: &BTreeSet<&[u8]>, nodes: BTreeMap<&[u8], Vec<(FileId, NodeId)>>) -> Vec<Unit> {
    let mut names = short_names().filter(|name| !taken.contains(name.as_bytes()));
    let shortened = |(text, nodes): (&[u8], Vec<(FileId, NodeId)>)| {
        let by = names.next().filter(|short| short.len() < text.len()).map(Source::made)?;
        let replaced = |(file, node): (FileId, NodeId)| Unit::Replace { file, node, by: by.clone() };
        Some(Unit::together(nodes.into_iter().map(replaced)))
    };
    nodes.into_iter().filter_map(shortened).collect()
}

/// For each spelling of a name that no file defines, the unit that shortens it in all files.
fn free_names(base: &Base) -> Vec<Unit> {
    let mut taken: BTreeSet<&[u8]> = BTreeSet::new();
    let mut defined: BTreeSet<&[u8]> = BTreeSet::new();
    let mut spellings: BTreeMap<&[u8], Vec<(FileId, NodeId)>> = BTreeMap::new();
    for file in PASS.files(base) {
        taken.extend(file.tokens().iter().map(|token| &file.text()[token.range()]));
        let places = file.definitions().flat_map(|definition| file.places(definition));
        let introduced = file.bindings().introduced().flatten().copied();
        defined.extend(places.map(|place| place.name).chain(introduced).map(|name| file.node_text(name)));
        // Where the text does not parse, `own_ways` has them.
        if file.parsed.syntax().errors == 0 {
            for name in file.bindings().free().flat_map(|(_, names)| names) {
                spellings.entry(file.node_text(*name)).or_default().push((file.id, *name));
            }
        }
    }
    spellings.retain(|text, _| text.len() > 1 && !defined.contains(text));
    shortened(&taken, spellings)
}

/// For each name that several files have, the way to shorten it in all of them; and the short names.
fn joined_ways(base: &Base, links: &Links<'_>) -> (Vec<Vec<Unit>>, BTreeSet<String>) {
    let mut taken: BTreeSet<&[u8]> = BTreeSet::new();
    if links.joined().next().is_some() {
        for file in PASS.files(base) {
            taken.extend(file.tokens().iter().map(|token| &file.text()[token.range()]));
        }
    }
    let mut names = short_names().filter(|name| !taken.contains(name.as_bytes()));
    let mut reserved = BTreeSet::new();
    let mut ways = Vec::new();
    for definition in links.joined() {
        let places = definition.places.iter().map(|place| (place.file, place.name));
        let uses = definition.uses.iter().map(|used| (used.file, used.name));
        let text = |(file, node): (FileId, NodeId)| base.file(file).node_text(node);
        let name = text((definition.places[0].file, definition.places[0].name));
        // An import under another name has a name of its own; the default of a module may have several.
        let own: BTreeSet<&[u8]> = places.clone().map(text).collect();
        let mut nodes: Vec<(FileId, NodeId)> =
            places.chain(uses).filter(|&node| own.contains(text(node))).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let Some(short) = Some(()).filter(|()| name.len() > 1).and_then(|()| names.next()) else { continue };
        if short.len() < name.len() {
            let by = Source::made(short.clone());
            let replaced = nodes.into_iter().map(|(file, node)| Unit::Replace { file, node, by: by.clone() });
            ways.push(vec![Unit::together(replaced)]);
            reserved.insert(short);
        }
    }
    (ways, reserved)
}

/// For each name that only this file has, the ways to shorten it: to letters alone or, where a tool looks at how a name begins, as at
/// that of a test, to its first word.
fn own_ways(file: File, links: &Links<'_>, reserved: &BTreeSet<String>) -> Vec<Vec<Unit>> {
    let taken = file.tokens().iter().map(|token| &file.text()[token.range()]);
    let taken: BTreeSet<&[u8]> = taken.chain(reserved.iter().map(String::as_bytes)).collect();
    let names = short_names().filter(|name| !taken.contains(name.as_bytes()));
    let (unknown, quoted) = (spelled_alike(file), quoted_words(file));
    let own = file.definitions().enumerate().filter(|(index, _)| !links.is_joined((file.id, *index)));
    let bound = own.map(|(_, d)| file.places(d).map(|place| place.name).chain(file.uses(d)).collect());
    let bound = united(file, bound).into_iter();
    // A name that is resolved in one place and unresolved in another counts as one name.
    let bound = bound.filter(|nodes: &Vec<NodeId>| nodes.iter().all(|&n| file.has(n, Role::Name)));
    // A path has no name of its own.
    let bound = bound.filter(|nodes: &Vec<_>| !unknown.contains_key(file.node_text(nodes[0])));
    // A name of one letter cannot get shorter.
    let introduced = file.bindings().introduced().map(<[NodeId]>::to_vec);
    let long = bound
        .chain(unknown.values().cloned())
        .chain(introduced)
        .filter(|nodes| file.node_text(nodes[0]).len() > 1);
    let mut used = BTreeSet::new();
    let mut first_word = |nodes: &[NodeId]| {
        let word = first_word(std::str::from_utf8(file.node_text(nodes[0])).ok()?)?;
        let longer =
            std::iter::once(word.to_owned()).chain(short_names().map(|name| format!("{word}{name}")));
        let mut free = longer.filter(|name| !taken.contains(name.as_bytes()));
        let name = free.find(|name| used.insert(name.clone()))?;
        renamed(file, nodes, &name)
    };
    let ways = |(nodes, name): (Vec<NodeId>, String)| {
        let short = renamed(file, &nodes, &name);
        // In some languages, only names with a capital stand for a type, a module or a component.
        let is_capital = file.node_text(nodes[0]).first().is_some_and(u8::is_ascii_uppercase);
        let capital = Some(name.to_ascii_uppercase()).filter(|c| is_capital && !taken.contains(c.as_bytes()));
        let capital = capital.and_then(|capital| renamed(file, &nodes, &capital));
        let places = quoted.get(file.node_text(nodes[0])).map_or(&[][..], Vec::as_slice);
        let in_strings = in_strings(file, &nodes, places, &name);
        let also_quoted = short.clone().filter(|_| !in_strings.is_empty());
        let also_quoted = also_quoted.map(|short| Unit::together(std::iter::once(short).chain(in_strings)));
        also_quoted.into_iter().chain(short).chain(capital).chain(first_word(&nodes)).collect::<Vec<_>>()
    };
    long.zip(names).map(ways).filter(|ways| !ways.is_empty()).collect()
}

/// The nodes of names, those together that are one node somewhere: a variable and a field in `A { a }`. O(nodes log nodes).
fn united(file: File<'_>, names: impl Iterator<Item = Vec<NodeId>>) -> Vec<Vec<NodeId>> {
    let mut all: Vec<Vec<NodeId>> = Vec::new();
    let mut known: BTreeMap<NodeId, usize> = BTreeMap::new();
    for mut nodes in names {
        let is_shared = |n: &NodeId| file.has(*n, Role::Shorthand);
        let others: BTreeSet<usize> = nodes.iter().filter_map(|n| known.get(n).copied()).collect();
        let index = others.first().copied().unwrap_or(all.len());
        for other in others {
            nodes.append(&mut all[other]);
            nodes.sort_unstable();
            nodes.dedup();
        }
        known.extend(nodes.iter().copied().filter(is_shared).map(|n| (n, index)));
        match all.get_mut(index) {
            Some(first) => *first = nodes,
            None => all.push(nodes),
        }
    }
    all.retain(|nodes| !nodes.is_empty());
    all
}

/// Where the strings of a file contain each word. O(bytes log words).
fn quoted_words(file: File<'_>) -> BTreeMap<&[u8], Vec<Range<usize>>> {
    let is_word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
    let mut words: BTreeMap<&[u8], Vec<Range<usize>>> = BTreeMap::new();
    for token in file.tokens().iter().filter(|token| token.kind == TokenKind::String) {
        let mut end = token.range().start;
        for word in file.text()[token.range()].split(|c| !is_word(c)) {
            words.entry(word).or_default().push(end..end + word.len());
            end += word.len() + 1;
        }
    }
    words
}

/// Puts a new name for these nodes where strings contain the old one: a type's name in quotes, or a key.
fn in_strings(file: File<'_>, nodes: &[NodeId], places: &[Range<usize>], name: &str) -> Vec<Unit> {
    // A name in a string that is computed from it is a node.
    let is_text = |range: &&Range<usize>| !nodes.iter().any(|&node| file.range(node).start == range.start);
    let put = |range: &Range<usize>| {
        let range = range.start as u32..range.end as u32;
        Unit::Write { file: file.id, range, text: name.as_bytes().to_vec() }
    };
    places.iter().filter(is_text).map(put).collect()
}

/// The first word of a name such as `test_that_it_adds` or `TestSums`; `None` if it has only one.
fn first_word(name: &str) -> Option<&str> {
    let ends = |&(at, c): &(usize, char)| at > 1 && (c == '_' || c.is_uppercase());
    name.char_indices().find(ends).map(|(at, _)| &name[..at])
}

/// The names that are unresolved because the file, or a part of it, does not parse, or its language has no bindings: for each spelling,
/// all tokens with it.
fn spelled_alike(file: File<'_>) -> BTreeMap<&[u8], Vec<NodeId>> {
    let knows_names = file.with(Role::Name).next().is_some();
    let is_bound = file.definitions().next().is_some() || file.bindings().free().next().is_some();
    if is_bound && file.parsed.syntax().errors == 0 {
        return BTreeMap::new();
    }
    let words = file.tokens().iter().filter(|token| token.kind == TokenKind::Word);
    let nodes = words.filter_map(|token| file.innermost_at(token.range()));
    let names = nodes.filter(|&node| file.is_named(node) && (!knows_names || file.has(node, Role::Name)));
    let mut spellings: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
    names.for_each(|node| spellings.entry(file.node_text(node)).or_default().push(node));
    spellings.retain(|_, nodes| nodes.iter().any(|&node| file.bindings().of(node).is_none()));
    spellings
}

fn renamed(file: File, nodes: &[NodeId], name: &str) -> Option<Unit> {
    if file.node_text(nodes[0]).len() <= name.len() {
        return None;
    }
    let replaced = nodes.iter().map(|&node| file.write(file.range(node), name));
    Some(Unit::Together(replaced.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_languages::Parsed;
    use lopper_languages::c::C;
    use std::sync::Arc;

    fn renamed_as_one(text: &str) -> Option<String> {
        let base = Base { files: vec![Arc::new(Parsed::new(&C, text.into()))] };
        assert!(base.file(0).syntax().errors > 0, "the text must not parse");
        let group = plan(&base).into_iter().next()?;
        let all: Vec<usize> = (0..group.units().len()).collect();
        let candidate = group.render(&base, &all).ok()?;
        String::from_utf8(candidate.apply(0, &base.file(0).text)).ok()
    }

    #[test]
    fn names_of_one_spelling_are_renamed_together_although_they_may_be_several() {
        let text = "auto f() { struct a { struct history; }; return a(); }\nusing b = decltype(f());\nstruct b::history {};\n";
        let base = crate::tests::base("cpp", text.as_bytes());
        let candidate = Group::deletions(spelled_names(&base)).render(&base, &[0]).unwrap();
        let after = String::from_utf8(candidate.apply(0, text.as_bytes())).unwrap();
        assert_eq!(after, text.replace("history", "c"));
    }

    #[test]
    fn unresolved_names_are_renamed_by_their_spelling() {
        let lost = "g_78[][0] * g_166 = g_78[0];";
        assert_eq!(renamed_as_one(lost).as_deref(), Some("a[][0] * b = a[0];"));
    }

    #[test]
    fn a_name_that_is_resolved_in_one_place_and_not_in_another_is_one_name() {
        let both = "int total; f(){ total = 1; } total[][0], * other = 2;";
        assert_eq!(renamed_as_one(both).as_deref(), Some("int a; f(){ a = 1; } a[][0], * b = 2;"));
    }
}
