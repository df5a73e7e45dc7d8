//! Appends a source file to another one, and deletes it with what names it in a Makefile.

use super::FAMILY;
use super::includes::put;
use crate::referrers::Referrers;
use crate::{Base, Example, Grain, Group, Pass, Unit};
use lopper_languages::edit::FileId;

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
    ],
    plan,
    ..Pass::DEFAULT
};

/// The endings of the names of files that are included.
const HEADERS: [&str; 7] = ["h", "hh", "hpp", "hxx", "h++", "inc", "def"];

fn plan(base: &Base) -> Vec<Group> {
    if !base.is_of_several() {
        return Vec::new();
    }
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

/// A unit that appends a file to another one.
fn joined(referrers: &Referrers<'_>, from: FileId, to: FileId) -> Unit {
    let end = referrers.base.file(to).text.len();
    let named = referrers.without(&[from]);
    let moved = [put(referrers, from, (to, end..end)), Unit::Remove { file: from }];
    Unit::together(moved.into_iter().chain(named))
}
