//! Deletes letters of words that got no short name, in files without a grammar: at all places of a word together.
//!
//! Of a name that must begin with `cluster`, for instance, that much stays.

use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::lexer::TokenKind;
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "letters",
    summary: "deletes letters of a word, at all of its places, in files without a grammar",
    languages: &["text"],
    grain: Grain::Finish,
    examples: &[
        Example {
            language: "text",
            before: "cluster_one a cluster_one\nlonger",
            keep: &["cluster", "ng"],
            after: "cluster a cluster\nng",
        },
        Example { language: "text", before: "zwölf", keep: &["ö"], after: "ö" },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The widths of the windows, in bytes.
const WIDTHS: [usize; 3] = [16, 4, 1];

fn plan(base: &Base) -> Vec<Group> {
    let words: Vec<(File<'_>, Vec<Range<usize>>)> = PASS
        .files(base)
        .flat_map(|file| places(file).into_iter().map(move |places| (file, places)))
        .collect();
    let group = |width: usize| {
        Group::deletions(words.iter().flat_map(|(file, places)| windows(*file, places, width)))
            .beyond_grammar()
    };
    WIDTHS.map(group).into()
}

/// The places of each word of several letters.
fn places(file: File<'_>) -> Vec<Vec<Range<usize>>> {
    let mut places: BTreeMap<&[u8], Vec<Range<usize>>> = BTreeMap::new();
    for token in file.tokens().iter().filter(|token| token.kind == TokenKind::Word) {
        places.entry(&file.text()[token.range()]).or_default().push(token.range());
    }
    places.into_values().filter(|places| places[0].len() > 1).collect()
}

/// The windows of a word, but for one that is the whole word.
fn windows(file: File<'_>, places: &[Range<usize>], width: usize) -> Vec<Unit> {
    let first = places[0].clone();
    let windows = file.windows(first.clone(), width).filter(|window| *window != first);
    let everywhere = |window: Range<usize>| {
        let (from, to) = (window.start - first.start, window.end - first.start);
        Unit::together(places.iter().map(|place| file.cut(place.start + from..place.start + to)))
    };
    windows.map(everywhere).collect()
}
