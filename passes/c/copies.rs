//! Puts the text of a header in the place of the `#include` in every file that needs it, and deletes the header.

use super::FAMILY;
use super::includes::put;
use crate::referrers::{Referrer, Referrers};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::edit::FileId;
use lopper_languages::references::Naming;
use std::collections::BTreeSet;

pub(crate) const PASS: Pass = Pass {
    name: "copies",
    summary: "puts the text of a header in the place of every `#include` of it, and deletes the header",
    languages: FAMILY,
    pump: true,
    several: true,
    examples: &[
        Example {
            language: "c",
            before: "=== a.c\n#include \"s.h\"\nint a(struct s *p) { return p->x; }\n=== b.c\n#include \"s.h\"\nint b(struct s *p) { return p->x; }\n=== c.c\n#include \"s.h\"\nint c;\n=== s.h\nstruct s { int x; };\n",
            keep: &[
                "=== a.c",
                "=== b.c",
                "=== c.c",
                "struct s { int x; }",
                "int a(struct s *p)",
                "int b(struct s *p)",
                "int c;",
            ],
            after: "=== a.c\nstruct s { int x; };\nint a(struct s *p) { return p->x; }\n=== b.c\nstruct s { int x; };\nint b(struct s *p) { return p->x; }\n=== c.c\nint c;\n",
        },
        Example {
            language: "cpp",
            before: "=== a.cc\n#include \"s.hpp\"\nstatic n a;\n=== b.cc\n#include \"s.hpp\"\nstatic n b;\n=== s.hpp\ntypedef int n;\n",
            keep: &["=== a.cc", "=== b.cc", "typedef", "static n a;", "static n b;"],
            after: "=== a.cc\ntypedef int n;\nstatic n a;\n=== b.cc\ntypedef int n;\nstatic n b;\n",
        },
        Example {
            language: "c",
            before: "=== a.c\n#define N a\n#include \"t.def\"\n#undef N\n#define N b\n#include \"t.def\"\n=== t.def\nint N = 2;\n",
            keep: &["#define N a\n", "#undef N", "#define N b\n", "int N = 2;"],
            after: "=== a.c\n#define N a\nint N = 2;\n#undef N\n#define N b\nint N = 2;\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The largest number of copies.
const MOST: usize = 8;

fn plan(base: &Base) -> Vec<Group> {
    let referrers = Referrers::new(base);
    // What is included may be in no language, as in `t.def`.
    let headers = base.files().filter(|(_, parsed)| parsed.is_regular());
    let headers = headers.map(|(id, parsed)| ways_to_copy(&referrers, File { id, parsed }));
    vec![Group::choices(headers)]
}

/// The ways to copy a header into several of the files that include it: those that are included nowhere themselves and
/// have one of its names, all that have one of its names, and all; and into every place where it is included, if a file
/// does so several times.
fn ways_to_copy(referrers: &Referrers<'_>, header: File<'_>) -> Vec<Unit> {
    let file = |id: FileId| File { id, parsed: referrers.base.file(id) };
    let includes = |by: &&Referrer| {
        file(by.file).language().naming() == Naming::Includes
            && by.statement.is_some()
            && by.file != header.id
    };
    let places: Vec<Referrer> = referrers.of(header.id).iter().filter(includes).copied().collect();
    if !(2..=MOST).contains(&places.len()) {
        return Vec::new();
    }
    let mut all = places.clone();
    all.dedup_by_key(|by| by.file);
    let names: BTreeSet<&[u8]> = header
        .definitions()
        .filter_map(|definition| Some(header.node_text(header.places(definition).next()?.name)))
        .collect();
    let needs = |by: &Referrer| {
        let file = file(by.file);
        file.tokens().iter().any(|token| names.contains(&file.text()[token.range()]))
    };
    let is_header = |by: &Referrer| {
        let mut others = referrers.of(by.file).iter().filter(|other| other.file != by.file);
        others.any(|other| file(other.file).language().naming() == Naming::Includes)
    };
    let needing: Vec<Referrer> = all.iter().copied().filter(needs).collect();
    let sources: Vec<Referrer> = needing.iter().copied().filter(|by| !is_header(by)).collect();
    let mut ways = vec![sources, needing, all, places];
    ways.dedup();
    ways.iter().filter(|hosts| hosts.len() > 1).map(|hosts| copied(referrers, header.id, hosts)).collect()
}

/// The unit that puts the text of a header in the place of these statements, and deletes what else names it.
fn copied(referrers: &Referrers<'_>, header: FileId, hosts: &[Referrer]) -> Unit {
    let copies = hosts.iter().filter_map(|host| {
        let place = referrers.statement(*host)?.range.clone();
        Some(put(referrers, header, (host.file, place), Vec::new()))
    });
    let others = referrers.of(header).iter().filter(|by| !hosts.contains(by) && by.file != header);
    let goes = |file: FileId| file == header;
    let dropped = others.flat_map(|&by| referrers.without_in(by, &goes));
    Unit::together(copies.chain([Unit::Remove { file: header }]).chain(dropped))
}
