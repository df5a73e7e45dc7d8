//! Puts the text of a header in the place of the first `#include` of it, and deletes the header.

use super::FAMILY;
use crate::referrers::{HOSTS, Referrer, Referrers, way};
use crate::{Base, Example, Grain, Group, Pass, Unit};
use lopper_languages::edit::FileId;
use lopper_languages::references::{Form, Naming};
use std::ops::Range;
use std::path::Path;

pub(crate) const PASS: Pass = Pass {
    name: "includes",
    summary: "puts the text of a header in the place of an `#include`, and deletes the header",
    languages: FAMILY,
    grain: Grain::Coarse,
    several: true,
    examples: &[
        Example {
            language: "c",
            before: "=== lib/a.h\n#include \"b.h\"\nint a();\n=== lib/b.h\n#pragma once\nint b();\n=== main.c\n#include <stdio.h>\n#include \"lib/a.h\"\n#include \"lib/b.h\"\nint main() { return a() + b(); }\n",
            keep: &["#include <stdio.h>", "int a();", "int b();", "int main() { return a() + b(); }"],
            after: "=== main.c\n#include <stdio.h>\n#pragma once\nint b();\nint a();\nint main() { return a() + b(); }\n",
        },
        Example {
            language: "cpp",
            before: "=== include/a.hpp\n#include \"../b.hpp\"\nstruct a { b x; };\n=== src/main.cc\n#include \"../include/a.hpp\"\na y;\n",
            keep: &["b.hpp", "struct a { b x; };", "a y;"],
            after: "=== src/main.cc\n#include \"../b.hpp\"\nstruct a { b x; };\na y;\n",
        },
        Example {
            language: "c",
            before: "=== a.c\n#include \"t.def\"\n=== t.def\nint n;\n",
            keep: &["int n;"],
            after: "=== a.c\nint n;\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let referrers = Referrers::new(base);
    // A header that includes others waits until they are in it.
    [true, false]
        .map(|leaf| {
            // What is included may be in no language, as in `t.def`.
            let headers =
                base.files().filter(|(id, file)| file.is_regular() && referrers.is_leaf(*id) == leaf);
            Group::choices(headers.map(|(id, _)| ways_to_move(&referrers, id)))
        })
        .into()
}

/// The ways to move a header into one of the files that include it.
fn ways_to_move(referrers: &Referrers<'_>, header: FileId) -> Vec<Unit> {
    let includes = |by: &&Referrer| {
        let naming = referrers.base.file(by.file).language.naming();
        naming == Naming::Includes && by.statement.is_some() && by.file != header
    };
    let mut hosts: Vec<Referrer> = referrers.of(header).iter().filter(includes).copied().collect();
    hosts.dedup_by_key(|by| by.file);
    let into = |host: &Referrer| {
        let place = referrers.statement(*host)?.range.clone();
        let others = referrers.of(header).iter().filter(|by| *by != host && by.file != header);
        let goes = |file: FileId| file == header;
        let put = put(referrers, header, (host.file, place), Vec::new());
        let dropped = others.flat_map(|&by| referrers.without_in(by, &goes));
        Some(Unit::together([put, Unit::Remove { file: header }].into_iter().chain(dropped)))
    };
    hosts.iter().take(HOSTS).filter_map(into).collect()
}

/// A text that replaces a range of another one.
pub(super) type Change = (Range<u32>, Vec<u8>);

/// A unit that puts the text of a file in a place of another one, with changes; what it still includes keeps its
/// meaning.
pub(super) fn put(
    referrers: &Referrers<'_>,
    from: FileId,
    (file, range): (FileId, Range<usize>),
    mut changes: Vec<Change>,
) -> Unit {
    let base = referrers.base;
    let folder = |id: FileId| base.file(id).path.parent().unwrap_or(Path::new(""));
    if folder(from) != folder(file) {
        for statement in base.file(from).references() {
            for item in &statement.items {
                let Form::Text(path) = &item.form else { continue };
                let quoted = base.file(from).text.get(item.range.start) == Some(&b'"');
                let is_near = !path.starts_with('/')
                    && (path.starts_with('.') || referrers.paths.relative(from, path).is_some());
                let range = item.range.start as u32..item.range.end as u32;
                let is_changed = |(other, _): &Change| other.start < range.end && range.start < other.end;
                if quoted && is_near && !changes.iter().any(is_changed) {
                    let now = way(folder(file), &folder(from).join(path));
                    changes.push((range, format!("\"{}\"", now.display()).into_bytes()));
                }
            }
        }
    }
    changes.sort_unstable_by_key(|(range, _)| range.start);
    let range = range.start as u32..range.end as u32;
    Unit::Put { file, range, from, changes: changes.into(), rest: Vec::new() }
}
