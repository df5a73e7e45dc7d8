//! Deletes lines that belong together, such as `.cfi_startproc` and `.cfi_endproc`: both of a pair, but not what stands between. So for
//! the tags of a template, such as `{#if a}` and `{/if}`, or `{% if a %}` and `{% endif %}`.
//!
//! Which lines belong together is told by their first words: each line with the one closes the last open line with the other.
//! A label closes the loop that names it.

use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::lexer::TokenKind;
use lopper_languages::lexis::Lexis;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "pairs",
    summary: "deletes pairs of lines or tags that open and close something, but not what stands between",
    languages: &["text"],
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "text",
            before: "f:\n\t.cfi_startproc\n\tmov a, b\n\t.cfi_endproc\ng:\n\t.cfi_startproc\n\tret\n\t.cfi_endproc\n",
            keep: &["f:", "mov a, b", "g:\n\t.cfi_startproc", "ret"],
            after: "f:\n\tmov a, b\ng:\n\t.cfi_startproc\n\tret\n\t.cfi_endproc\n",
        },
        Example {
            language: "text",
            before: "begin a\n  begin b\n    one\n  end\n  two\nend\n#if X\nthree\n#endif\n",
            keep: &["begin b", "one", "two", "three"],
            after: "  begin b\n    one\n  end\n  two\nthree\n",
        },
        Example {
            language: "text",
            before: "      do 10 i = 1, n\n        a(i) = 0\n   10 continue\n      do 20 i = 1, n\n        b(i) = 0\n   20 continue\n",
            keep: &["a(i) = 0", "b(i) = 0", "do 20", "20 continue"],
            after: "        a(i) = 0\n      do 20 i = 1, n\n        b(i) = 0\n   20 continue\n",
        },
        Example {
            language: "text",
            before: "{#each a as {b}}<p>{b}</p>{/each}\n{% for c in d %}{{if}} e {{ end }}{% endfor %}\n",
            keep: &["<p>{b}</p>", "{% for c in d %}", " e ", "{% endfor %}"],
            after: "<p>{b}</p>\n{% for c in d %} e {% endfor %}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let pairs = PASS.files(base).flat_map(|file| {
        let both = move |(open, close)| Unit::together([file.cut(open), file.cut(close)]);
        pairs(file).into_iter().chain(labelled(file)).chain(tags(file)).map(both)
    });
    vec![Group::deletions(pairs)]
}

/// The pairs of lines. O(lines), times the number of words that may close others.
fn pairs(file: File<'_>) -> Vec<(Range<usize>, Range<usize>)> {
    let lexis = file.language().lexis();
    let mut lines: BTreeMap<&[u8], Vec<Range<usize>>> = BTreeMap::new();
    for line in file.lines() {
        let word = first_word(&file.text()[line.clone()], lexis);
        if !word.is_empty() {
            lines.entry(word).or_default().push(line);
        }
    }
    let mut found = Vec::new();
    for (closing, ends) in lines.iter().filter(|(word, _)| closes(word)) {
        let partners =
            lines.iter().filter(|(word, starts)| opens(word, closing) && starts.len() <= ends.len());
        // `#endif` closes `#if` and `#ifdef`.
        let mut starts: Vec<&Range<usize>> = partners.flat_map(|(_, starts)| starts).collect();
        starts.sort_by_key(|line| line.start);
        found.extend(matched(&starts, ends).unwrap_or_default());
    }
    found
}

/// The lines that begin a loop up to a label, as `do 10 i = 1, n`, with the lines that begin with that label. O(tokens).
fn labelled(file: File<'_>) -> Vec<(Range<usize>, Range<usize>)> {
    let mut loops: BTreeMap<&[u8], Vec<Range<usize>>> = BTreeMap::new();
    let mut labels: BTreeMap<&[u8], Range<usize>> = BTreeMap::new();
    for line in file.lines() {
        let tokens = file.parsed.tokens_in(line.clone());
        let is_number = |at: usize| tokens.get(at).is_some_and(|token| token.kind == TokenKind::Number);
        let text = |at: usize| &file.text()[tokens[at].range()];
        if is_number(0) {
            labels.insert(text(0), line);
        } else if is_number(1) && text(0).eq_ignore_ascii_case(b"do") {
            loops.entry(text(1)).or_default().push(line);
        }
    }
    // A label that ends several loops stays.
    let alone = loops.into_iter().filter_map(|(label, lines)| Some((label, <[_; 1]>::try_from(lines).ok()?)));
    alone.filter_map(|(label, [line])| Some((line, labels.get(label)?.clone()))).collect()
}

/// The tags of a template that open something, with those that close it. O(nodes), times [`NESTED`].
fn tags(file: File<'_>) -> Vec<(Range<usize>, Range<usize>)> {
    let mut open: Vec<(&[u8], Range<usize>)> = Vec::new();
    let mut found = Vec::new();
    let mut end = 0;
    for tag in file.with(Role::Block).filter(|&n| n != NodeId::ROOT).map(|n| file.range(n)) {
        let is_short = tag.len() <= LONGEST_TAG && file.text()[tag.start] == b'{';
        let Some(named) = named(&file.text()[tag.clone()]).filter(|_| is_short && tag.start >= end) else {
            continue;
        };
        end = tag.end;
        match named {
            Tag::Opening(name) => open.push((name, tag)),
            Tag::Closing(name) => {
                let is_it = |(opened, _): &(&[u8], _)| name.is_empty() || *opened == name;
                let behind = open.iter().rev().take(NESTED).position(is_it);
                if let Some(at) = behind.map(|behind| open.len() - 1 - behind) {
                    found.push((open[at].1.clone(), tag));
                    open.truncate(at);
                }
            }
        }
    }
    found
}

/// The number of open tags among which a closing one looks for its partner: what opens nothing, as `{a}`, looks like one, too.
const NESTED: usize = 64;
/// The number of bytes up to which brackets count as a tag.
const LONGEST_TAG: usize = 200;

/// What a tag opens or closes; an empty name stands for whatever is open.
enum Tag<'t> {
    Opening(&'t [u8]),
    Closing(&'t [u8]),
}

/// What a tag does by its first word: `each` in `{#each a}`, `{/each}` and `{% endeach %}`.
fn named(tag: &[u8]) -> Option<Tag<'_>> {
    let marks = tag.iter().take_while(|c| b"{#%-~^ /".contains(c)).count();
    let (marks, rest) = tag.split_at(marks);
    let name = &rest[..rest.iter().take_while(|c| c.is_ascii_alphabetic()).count()];
    match name.strip_prefix(b"end") {
        _ if marks.contains(&b'/') => Some(Tag::Closing(name)),
        Some(name) => Some(Tag::Closing(name)),
        None => (!name.is_empty()).then_some(Tag::Opening(name)),
    }
}

/// Lines that close others, with these; `None` if not every one has a partner.
fn matched(starts: &[&Range<usize>], ends: &[Range<usize>]) -> Option<Vec<(Range<usize>, Range<usize>)>> {
    let mut open: Vec<Range<usize>> = Vec::new();
    let mut found = Vec::new();
    let mut starts = starts.iter().peekable();
    for end in ends {
        while let Some(start) = starts.next_if(|start| start.start < end.start) {
            open.push((**start).clone());
        }
        found.push((open.pop()?, end.clone()));
    }
    (open.is_empty() && starts.next().is_none()).then_some(found)
}

/// The first word of a line, with the mark before it.
fn first_word<'t>(line: &'t [u8], lexis: &Lexis) -> &'t [u8] {
    let line = line.trim_ascii();
    let mark = line.iter().take_while(|c| c.is_ascii_punctuation()).count();
    let is_part = |c: u8| lexis.continues_word(char::from(c)) && c.is_ascii();
    let length = line[mark..].iter().take_while(|&&c| is_part(c)).count();
    if length == 0 { b"" } else { &line[..mark + length] }
}

/// The parts of words that close something, with the parts of those that open it.
const ENDS: &[(&str, &[&str])] = &[
    ("end", &["start", "begin", "open", ""]),
    ("stop", &["start"]),
    ("close", &["open"]),
    ("leave", &["enter"]),
    ("exit", &["enter", "entry"]),
    ("pop", &["push"]),
    ("done", &["do"]),
    ("fi", &["if"]),
    ("esac", &["case"]),
];

/// Whether a word may close something.
fn closes(word: &[u8]) -> bool {
    ENDS.iter().any(|(end, _)| find(word, end).is_some())
}

/// Whether one word opens what the other one closes: they are the same but for such parts, as `.cfi_startproc` and
/// `.cfi_endproc`, or `#ifdef` and `#endif`.
fn opens(opening: &[u8], closing: &[u8]) -> bool {
    ENDS.iter().any(|(end, starts)| {
        find(closing, end).is_some_and(|at| {
            let (before, after) = (&closing[..at], &closing[at + end.len()..]);
            starts.iter().any(|start| {
                let whole = [before, start.as_bytes(), after].concat();
                let is_longer = start.is_empty() && !after.is_empty() && opening.starts_with(&whole);
                opening != closing && (opening.eq_ignore_ascii_case(&whole) || is_longer)
            })
        })
    })
}

fn find(word: &[u8], part: &str) -> Option<usize> {
    word.windows(part.len()).position(|bytes| bytes.eq_ignore_ascii_case(part.as_bytes()))
}
