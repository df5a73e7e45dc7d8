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
            before: "=== a.h\n#ifndef A_H\n#define A_H\n#ifdef X\nint x;\n#endif\nint a();\n#endif /* A_H */\n=== b.h\n#ifndef B_H\n#define B_H\nint b();\n#endif\n=== main.c\n#include \"a.h\"\n#include \"b.h\"\n#ifdef B_H\nint c;\n#endif\n",
            keep: &["int x;", "int a();", "int b();", "ifdef B_H"],
            after: "=== main.c\n#ifdef X\nint x;\n#endif\nint a();\n#ifndef B_H\n#define B_H\nint b();\n#endif\n#ifdef B_H\nint c;\n#endif\n",
        },
        Example {
            language: "c",
            before: "=== a.h\n#ifndef A_VERSION\n#define A_VERSION 3\nint a();\n#endif\n=== b.h\n#ifndef B_H\nint b();\n#endif\n=== main.c\n#include \"a.h\"\n#include \"b.h\"\nint c;\n",
            keep: &["int a();", "int b();", "int c;"],
            after: "=== main.c\nint a();\nint b();\nint c;\n",
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
    let guard = guard(referrers.base, header).unwrap_or_default();
    let into = |host: &Referrer| {
        let place = referrers.statement(*host)?.range.clone();
        let others = referrers.of(header).iter().filter(|by| *by != host && by.file != header);
        let goes = |file: FileId| file == header;
        let put = put(referrers, header, (host.file, place), guard.clone());
        let dropped = others.flat_map(|&by| referrers.without_in(by, &goes));
        Some(Unit::together([put, Unit::Remove { file: header }].into_iter().chain(dropped)))
    };
    hosts.iter().take(HOSTS).filter_map(into).collect()
}

/// The lines that keep a header from being read twice, unless something else asks for their macro: `#ifndef A`, `#define A` and the
/// last `#endif`. The macro may have a value, or have lost its definition. O(tokens of all files).
fn guard(base: &Base, header: FileId) -> Option<Vec<Change>> {
    let text = &base.file(header).text;
    let mut end = 0;
    let lines = text.split_inclusive(|&c| c == b'\n').map(|line| {
        end += line.len();
        end - line.len()..end
    });
    let directive = |line: Range<usize>| {
        let rest = text[line.clone()].trim_ascii().strip_prefix(b"#")?.trim_ascii_start();
        let end = rest.iter().position(|c| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        Some((line, &rest[..end], rest[end..].trim_ascii()))
    };
    let directives: Vec<_> = lines.filter_map(directive).collect();
    let [(first, b"ifndef", name), inner @ .., (last, b"endif", _)] = &directives[..] else { return None };
    let name = first_word(name);
    let define = match inner.first() {
        Some((_, b"define", same)) if first_word(same) == name && same.ends_with(b"\\") => return None,
        Some((line, b"define", same)) if first_word(same) == name => Some(line),
        _ => None,
    };
    let mut depth = 0;
    let ends_early = directives[..directives.len() - 1].iter().any(|(_, word, _)| {
        match *word {
            b"if" | b"ifdef" | b"ifndef" => depth += 1,
            b"endif" => depth -= 1,
            _ => {}
        }
        depth == 0 || depth == 1 && word.starts_with(b"el")
    });
    let lines: Vec<_> = [Some(first), define, Some(last)].into_iter().flatten().collect();
    let is_asked_for =
        base.files().filter(|(_, file)| file.language.naming() == Naming::Includes).any(|(id, file)| {
            let is_other = |at: usize| id != header || !lines.iter().any(|line| line.contains(&at));
            file.tokens()
                .iter()
                .any(|token| &file.text[token.range()] == name && is_other(token.range().start))
        });
    let goes = !ends_early && !is_asked_for;
    goes.then(|| lines.iter().map(|line| (line.start as u32..line.end as u32, Vec::new())).collect())
}

/// The bytes before the first blank.
fn first_word(text: &[u8]) -> &[u8] {
    text.split(u8::is_ascii_whitespace).next().unwrap_or_default()
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
