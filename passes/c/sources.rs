//! Appends a source file to another one, and deletes it with what names it in a Makefile.

use super::FAMILY;
use super::includes::{Change, put};
use crate::links::is_static;
use crate::referrers::{Referrer, Referrers};
use crate::spellings;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Sort, Space};
use lopper_languages::edit::FileId;
use lopper_languages::references::Statement;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass = Pass {
    name: "sources",
    summary: "appends a source file to another one",
    languages: FAMILY,
    grain: Grain::Coarse,
    several: true,
    examples: &[
        Example {
            language: "c",
            before: "=== Makefile\nOBJS = a.o src/b.o\nsrc/b.o: src/b.c\n\tcc -c src/b.c\n=== a.c\nint a() { return 1; }\n=== src/b.c\n#include \"b.h\"\nint b() { return 2; }\n=== src/b.h\n",
            keep: &["OBJS = a.o", "int a()", "#include", "b.h", "int b()"],
            after: "=== Makefile\nOBJS = a.o\n=== a.c\nint a() { return 1; }\n#include \"src/b.h\"\nint b() { return 2; }\n=== src/b.h\n",
        },
        Example {
            language: "cpp",
            before: "=== a.cc\nint a = 1;\n=== b.cc\nint b = 2;\n=== c.cc\nint c = 3;\n",
            keep: &["int a", "int b", "=== c.cc", "int c"],
            after: "=== c.cc\nint c = 3;\nint b = 2;\nint a = 1;\n",
        },
        Example {
            language: "c",
            before: "=== a.c\nstatic int k = 1;\nstruct s { int a; };\nint a(void) { return k; }\n=== b.c\nstatic int k = 2;\nstruct s { long b; };\nint b(struct s *p) { return k; }\n",
            keep: &["k = 1", "int a(void) { return k; }", " = 2;", "int a;", "long b;", "int b(struct "],
            after: "=== a.c\nstatic int k = 1;\nstruct s { int a; };\nint a(void) { return k; }\nstatic int c = 2;\nstruct d { long b; };\nint b(struct d *p) { return c; }\n",
        },
        Example {
            language: "c",
            before: "=== a.c\nenum { K = 2, L };\nint n = K;\nint a(void) { return f() + n; }\n=== b.c\nenum { K = 3 };\nstatic int n = K;\nstatic int f(void) { return n; }\nint b(void) { return f(); }\n",
            keep: &["K = 2, L", "int n = K;", "return f() + n; }", " = 3 }", "static int ", "int b(void)"],
            after: "=== a.c\nenum { K = 2, L };\nint n = K;\nint a(void) { return f() + n; }\nenum { c = 3 };\nstatic int d = c;\nstatic int e(void) { return d; }\nint b(void) { return e(); }\n",
        },
        Example {
            language: "c",
            before: "=== a.c\n#include \"k.h\"\nint a(struct k *p) { return p->a; }\n=== b/b.c\n#include \"../k.h\"\n#include <stdio.h>\nint b(struct k *p) { return puts(p); }\n=== k.h\nstruct k { int a; };\n",
            keep: &[
                "=== a.c",
                "int a(struct k *p) { return p->a; }",
                "stdio",
                "int b(",
                "=== k.h\nstruct k { int a; };",
            ],
            after: "=== a.c\n#include \"k.h\"\nint a(struct k *p) { return p->a; }\n#include <stdio.h>\nint b(struct k *p) { return puts(p); }\n=== k.h\nstruct k { int a; };\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The endings of the names of files that are included.
const HEADERS: [&str; 7] = ["h", "hh", "hpp", "hxx", "h++", "inc", "def"];

fn plan(base: &Base) -> Vec<Group> {
    let referrers = Referrers::new(base);
    let is_header = |file: FileId| {
        let ending = base.file(file).path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        HEADERS.contains(&&*ending)
    };
    let sources: Vec<FileId> = PASS.files(base).map(|file| file.id).filter(|&id| !is_header(id)).collect();
    // Pairs that share no file, and then the pairs of their neighbours, so that the units of a group are independent.
    let pairs = |skip: usize| {
        let pairs = sources.get(skip..).unwrap_or_default().chunks_exact(2);
        Group::choices(
            pairs.map(|pair| [joined(&referrers, pair[0], pair[1]), joined(&referrers, pair[1], pair[0])]),
        )
    };
    vec![pairs(0), pairs(1)]
}

/// A unit that appends a file to another one. Names that each of the two has for itself stay apart, and headers that the
/// other file includes already are not included again: many have no guard.
fn joined(referrers: &Referrers<'_>, from: FileId, to: FileId) -> Unit {
    let base = referrers.base;
    let file = |id: FileId| File { id, parsed: base.file(id) };
    let end = base.file(to).text.len();
    let named = referrers.without(&[from]);
    let changes = [apart(file(from), file(to)), repeated(referrers, file(from), file(to))].concat();
    let moved = [put(referrers, from, (to, end..end), changes), Unit::Remove { file: from }];
    Unit::together(moved.into_iter().chain(named))
}

/// The changes of a file that leave out the headers that the other file includes in any case.
fn repeated(referrers: &Referrers<'_>, from: File<'_>, to: File<'_>) -> Vec<Change> {
    let is_unconditional = |statement: &Statement| {
        let path = to.innermost_at(statement.items[0].range.clone());
        path.is_some_and(|node| to.ancestors(node).nth(1) == Some(NodeId::ROOT))
    };
    let there = headers(referrers, to).filter(|(statement, _)| is_unconditional(statement));
    let there: BTreeSet<Header<'_>> = there.map(|(_, header)| header).collect();
    let again = headers(referrers, from).filter(|(_, header)| there.contains(header));
    again.map(|(s, _)| (s.range.start as u32..s.range.end as u32, Vec::new())).collect()
}

/// A header: a file of the base, or what stands in the directive.
type Header<'a> = Result<FileId, &'a [u8]>;

/// The headers that a file includes, but for those that are meant to be included several times, each with its directive.
fn headers<'a>(
    referrers: &'a Referrers<'_>,
    file: File<'a>,
) -> impl Iterator<Item = (&'a Statement, Header<'a>)> {
    let statements = file.parsed.references().iter().enumerate();
    statements.filter_map(move |(index, statement)| {
        let [item] = &statement.items[..] else { return None };
        let text = &file.text()[item.range.clone()];
        let is_table = REPEATED.iter().any(|ending| text.trim_ascii_end().ends_with(ending));
        let targets = referrers.targets(Referrer { file: file.id, statement: Some(index) });
        let target = targets.first().copied().flatten();
        (!is_table).then(|| (statement, target.ok_or(text)))
    })
}

/// How the directives end whose files are included several times, each time with other macros.
const REPEATED: [&[u8]; 4] = [b".inc\"", b".def\"", b".inc>", b".def>"];

/// The changes of a file that give the names of its own other spellings, where the other file has such a name, too.
fn apart(from: File<'_>, to: File<'_>) -> Vec<Change> {
    let there: BTreeMap<(Space, &[u8]), &Definition> =
        globals(to).map(|d| ((d.sort.space(), to.node_text(d.places[0].name)), d)).collect();
    // A static name also meets an external one, and a name without a definition: that is external, too.
    let free = to.bindings().free().filter(|(space, _)| *space == Space::Ordinary);
    let free: BTreeSet<&[u8]> = free.map(|(_, names)| to.node_text(names[0])).collect();
    let meets = |definition: &&Definition| {
        let name = from.node_text(definition.places[0].name);
        let other = there.get(&(definition.sort.space(), name));
        let is_hidden = matches!(definition.sort, Sort::Function | Sort::Variable);
        let meets = match is_hidden {
            true => other.is_some() || free.contains(name),
            false => other.is_some_and(|other| is_own(to, other)),
        };
        meets && is_own(from, definition)
    };
    let meeting: Vec<&Definition> = globals(from).filter(meets).collect();
    if meeting.is_empty() {
        return Vec::new();
    }
    let mut words = spellings::words(&[from, to]);
    let mut changes = Vec::new();
    for definition in meeting {
        let name = from.node_text(definition.places[0].name);
        let Some(new) = spellings::other(name, &mut words) else { continue };
        let names = from.places(definition).map(|place| place.name).chain(from.uses(definition));
        let names: BTreeSet<NodeId> = names.collect();
        changes.extend(names.into_iter().map(|name| {
            let range = from.range(name);
            (range.start as u32..range.end as u32, new.clone())
        }));
    }
    changes
}

/// The definitions of file scope.
fn globals<'a>(file: File<'a>) -> impl Iterator<Item = &'a Definition> {
    file.definitions().filter(|d| d.scope == NodeId::ROOT && !matches!(d.sort, Sort::Parameter | Sort::Label))
}

/// Whether a definition is one of its file alone: it is static, a type with a body, or a constant of one.
fn is_own(file: File<'_>, definition: &Definition) -> bool {
    let has_body = || file.places(definition).any(|place| file.node_text(place.whole).contains(&b'{'));
    match definition.sort {
        Sort::Function | Sort::Variable => is_static(file, definition),
        Sort::Tag | Sort::Type => has_body(),
        Sort::Constant => true,
        _ => false,
    }
}
