//! Deletes a declaration that equals another one but for the declared name, and lets the uses refer to the other.
//!
//! The languages without bindings do not tell what declares a name; the first occurrence of a word is taken for it. For the
//! others, `merges` does this.

use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::lexer::TokenKind;
use lopper_languages::tree::{Kind, NodeId};
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "duplicates",
    summary: "deletes a declaration that equals another one but for the name, and lets the uses refer to the other",
    needs: |language| language.bindings_query().is_empty(),
    examples: &[
        Example {
            language: "text",
            before: "(declare-fun a () Int)\n(declare-fun b () Int)\n(assert (< a (* b 2)))\n",
            keep: &["(assert (< ", " (* ", " 2)))", "(declare-fun a"],
            after: "(declare-fun a () Int)\n(assert (< a (* a 2)))\n",
        },
        Example {
            language: "text",
            before: "wire [3:0] in;\nwire [3:0] out;\nwire clock;\nassign out = in & clock;\n",
            keep: &["wire [3:0] ", "wire clock", "assign ", " = ", " & clock"],
            after: "wire [3:0] in;\nwire clock;\nassign in = in & clock;\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The most tokens of a declaration.
const LONGEST: usize = 24;
/// The number of other declarations that are tried in place of one.
const STAND_INS: usize = 2;

/// All of a declaration but its name: its kind, its tokens with an empty one in the name's place, and this place.
type Shape<'a> = (Kind, Vec<&'a [u8]>, usize);

fn plan(base: &Base) -> Vec<Group> {
    vec![Group::choices(PASS.files(base).flat_map(ways)).doubtful()]
}

/// For each declaration, the ways to let another one replace it. The later of two declarations is deleted first.
fn ways(file: File<'_>) -> Vec<Vec<Unit>> {
    let places = places(file);
    let alike = declarations(file, &places);
    // Where a shape of an outer node is alike, too, its brackets or its line go with the declaration.
    let mut outermost: BTreeMap<usize, NodeId> = BTreeMap::new();
    for &(whole, first) in alike.values().flatten() {
        let known = outermost.entry(first).or_insert(whole);
        *known = whole.min(*known);
    }
    let word = |token: usize| &file.text()[file.tokens()[token].range()];
    let ways = |declared: &[(NodeId, usize)], at: usize| {
        let (whole, first) = declared[at];
        let others = declared[..at].iter().rev().chain(&declared[at + 1..]).take(STAND_INS);
        let merged = others.map(|(_, other)| merge(file, whole, &places[word(first)], word(*other)));
        if outermost[&first] == whole { merged.collect() } else { Vec::new() }
    };
    alike.values().flat_map(|declared| (0..declared.len()).rev().map(move |at| ways(declared, at))).collect()
}

/// The tokens that are each word, in order.
fn places(file: File<'_>) -> BTreeMap<&[u8], Vec<usize>> {
    let mut places: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for (at, token) in file.tokens().iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Word) {
        places.entry(&file.text()[token.range()]).or_default().push(at);
    }
    places
}

/// The nodes with the first occurrence of a word that occurs outside them, too, each with its token; by shape, and only
/// where a shape has several. O(tokens * depth).
fn declarations<'a>(
    file: File<'a>,
    places: &BTreeMap<&'a [u8], Vec<usize>>,
) -> BTreeMap<Shape<'a>, Vec<(NodeId, usize)>> {
    let mut alike: BTreeMap<Shape<'_>, Vec<(NodeId, usize)>> = BTreeMap::new();
    let mut firsts: Vec<(usize, usize)> = places.values().map(|all| (all[0], all[all.len() - 1])).collect();
    firsts.sort_unstable();
    for (first, last) in firsts.into_iter().filter(|(first, last)| first != last) {
        let own = file.tokens()[first].range();
        let (end, tokens) = (file.tokens()[last].end as usize, file.tokens());
        let Some(leaf) = file.at(own.clone()) else { continue };
        let mut inner = own.clone();
        for node in file.ancestors(leaf) {
            let range = file.range(node);
            let parts = file.tokens_in(range.clone());
            if parts.len() > LONGEST || end <= range.end {
                break;
            }
            if !file.is_optional(node) || range == inner {
                continue;
            }
            inner = range;
            let from = tokens.partition_point(|token| (token.start as usize) < inner.start);
            let mut shape: Vec<&[u8]> = parts.iter().map(|token| &file.text()[token.range()]).collect();
            shape[first - from] = b"";
            alike.entry((file.kind(node), shape, first - from)).or_default().push((node, first));
        }
    }
    alike.retain(|_, declared| declared.len() > 1);
    alike
}

/// The unit that deletes a declaration and puts another word in the place of the declared one everywhere else.
fn merge(file: File<'_>, whole: NodeId, places: &[usize], by: &[u8]) -> Unit {
    let inside: Range<usize> = file.range(whole);
    let ranges = places.iter().map(|&token| file.tokens()[token].range());
    let uses = ranges.filter(|range| !inside.contains(&range.start));
    Unit::together(uses.map(|range| file.write(range, by)).chain([file.drop(whole)]))
}
