//! The names that single statements of a small text define, as far as their first words tell: in `signal clock : bit;`, the name
//! follows a keyword, and occurs again behind the statement.

use crate::File;
use lopper_languages::lexer::TokenKind;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;
use std::ops::Range;

/// The number of words at the beginning of a statement among which its name is.
const WORDS: usize = 4;

/// The number of tokens up to which a text counts as small: a larger one has many definitions, and other passes delete most of them.
pub(super) const SMALL: usize = 2_000;

/// A statement that defines a name.
pub(super) struct Defined<'a> {
    /// The statement.
    pub(super) node: NodeId,
    /// The indices of its tokens, without the punctuation at its end.
    pub(super) tokens: Range<usize>,
    /// The index of the token that is the name.
    pub(super) name: usize,
    /// The words before the name.
    pub(super) keywords: Vec<&'a [u8]>,
    /// The indices of the tokens that are the name elsewhere.
    pub(super) uses: Vec<usize>,
}

/// The statements that begin with a word, each with the indices of its tokens, without the punctuation at its end. A text that is not
/// [`SMALL`] has none.
pub(super) fn statements(file: File<'_>) -> impl Iterator<Item = (NodeId, Range<usize>)> {
    let tokens = file.tokens();
    let is_small = tokens.len() <= SMALL;
    file.with(Role::Statement).filter(move |_| is_small).filter_map(move |node| {
        let range = file.range(node);
        let last = file.children(node).last().filter(|&n| file.has(n, Role::Separator));
        let end = last.map_or(range.end, |n| file.range(n).start);
        let from = tokens.partition_point(|token| token.range().start < range.start);
        let to = tokens.partition_point(|token| token.range().end <= end);
        (from < to && tokens[from].kind == TokenKind::Word).then_some((node, from..to))
    })
}

/// The indices of the tokens that are each word.
pub(super) fn places(file: File<'_>) -> BTreeMap<&[u8], Vec<usize>> {
    let mut places: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for (at, token) in file.tokens().iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Word) {
        places.entry(&file.text()[token.range()]).or_default().push(at);
    }
    places
}

/// The statements of a text that define a name which is used only behind them, in the order of the text. O(n log n) for n tokens.
pub(super) fn defined(file: File<'_>) -> Vec<Defined<'_>> {
    let places = places(file);
    let words = |range: &Range<usize>| {
        let tokens = file.tokens()[range.clone()].iter().take(WORDS);
        let words = tokens.take_while(|token| token.kind == TokenKind::Word);
        words.map(|token| &file.text()[token.range()]).collect::<Vec<_>>()
    };
    let mut counts: BTreeMap<Vec<&[u8]>, usize> = BTreeMap::new();
    for (_, range) in statements(file) {
        let words = words(&range);
        (1..=words.len()).for_each(|count| *counts.entry(words[..count].to_vec()).or_default() += 1);
    }
    let defines = |(node, tokens): (NodeId, Range<usize>)| {
        let words = words(&tokens);
        let named = |index: usize| {
            let name = tokens.start + index;
            let (first, uses) = places.get(words[index])?.split_first()?;
            let is_used = *first == name && !uses.is_empty() && uses.iter().all(|&at| at >= tokens.end);
            let (keywords, uses, tokens) = (words[..index].to_vec(), uses.to_vec(), tokens.clone());
            is_used.then_some(Defined { node, tokens, name, keywords, uses })
        };
        (1..words.len()).filter(|&index| counts[&words[..=index]] == 1).find_map(named)
    };
    statements(file).filter_map(defines).collect()
}
