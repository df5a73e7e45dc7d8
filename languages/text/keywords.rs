//! Pairs of keywords in text: `begin` and `end`, `module` and `endmodule`, `if` and `end if`.
//!
//! Many languages enclose their blocks in keywords. The text shows which ones: a word opens blocks if `end` with the same
//! word closes them, and if the two are balanced, so that `point` and `endpoint` in prose stay words. What a bare `end` closes,
//! `openers.rs` finds.

use super::openers::{Opener, openers};
use crate::lexer::Token;
use std::collections::{HashMap, HashSet};

/// A keyword that opens or closes a block.
#[derive(Debug)]
pub(super) struct Keyword {
    /// What both keywords of a pair have in common, in lower case, such as `module`.
    pub(super) name: Vec<u8>,
    pub(super) opens: bool,
    /// The tokens that it consists of: one, or two as in `end if`.
    pub(super) tokens: usize,
    /// What it is for, if it opens a block.
    pub(super) opener: Opener,
}

/// The name of all keywords that a bare `end` closes.
const BARE: &[u8] = b"begin";

/// Keywords that open blocks under another name, with that name.
const OTHERS: &[(&[u8], &[u8])] =
    &[(b"casex", b"case"), (b"casez", b"case"), (b"ifdef", b"if"), (b"ifndef", b"if")];

/// The keyword that opens blocks occurs at most this many times as often as the one that closes them: in some languages
/// an `if` on one line has no end.
const OPENED: usize = 2;

/// A keyword that begins with `end`.
struct End {
    at: usize,
    /// The name in the same word, as in `endmodule`.
    joined: Option<Vec<u8>>,
    /// The word behind, which may be the name, as in `end if`, or the name of a procedure.
    next: Option<Vec<u8>>,
}

/// The keywords of a text by their first tokens; `comments` tells where a comment may begin and end. Linear.
pub(super) fn keywords(
    text: &[u8],
    tokens: &[Token],
    partners: &[Option<u32>],
    comments: &HashMap<usize, usize>,
) -> HashMap<usize, Keyword> {
    let mut ends: Vec<End> = (0..tokens.len()).filter_map(|at| end(text, tokens, at)).collect();
    if ends.is_empty() {
        return HashMap::new();
    }
    let name = |end: &End| end.joined.clone().or_else(|| end.next.clone());
    let known = balanced(&read(text, tokens, &ends, name));
    for end in &mut ends {
        end.next = end.next.take().filter(|name| known.contains(name));
    }
    let mut all = read(text, tokens, &ends, name);
    let named = balanced(&all);
    all.retain(|(_, keyword)| named.contains(&keyword.name));
    let bare: Vec<usize> = ends.iter().filter(|end| name(end).is_none()).map(|end| end.at).collect();
    for (first, last) in openers(text, tokens, partners, comments, &bare, |word| named.contains(word)) {
        let opener = Opener::of(&text[tokens[first].range()].to_ascii_lowercase());
        all.push((first, Keyword { name: BARE.to_vec(), opens: true, tokens: 1, opener }));
        all.push((last, closing(BARE.to_vec(), 1)));
    }
    all.into_iter().collect()
}

/// The closing keyword whose first token this is.
fn end(text: &[u8], tokens: &[Token], at: usize) -> Option<End> {
    let token = tokens[at];
    let word = &text[token.range()];
    let rest = word.get(..3).filter(|end| end.eq_ignore_ascii_case(b"end")).map(|_| &word[3..])?;
    let joined = rest.strip_prefix(b"_").unwrap_or(rest);
    if !rest.is_empty() {
        return is_word(joined).then(|| End { at, joined: Some(joined.to_ascii_lowercase()), next: None });
    }
    let is_near = |next: &&Token| !text[token.end as usize..next.start as usize].contains(&b'\n');
    let next = tokens.get(at + 1).filter(is_near).map(|next| text[next.range()].to_ascii_lowercase());
    // `end else` ends one block and begins another one.
    Some(End { at, joined: None, next: next.filter(|next| is_word(next) && next != b"else") })
}

fn is_word(token: &[u8]) -> bool {
    token.len() > 1 && token.iter().all(|c| c.is_ascii_alphabetic() || *c == b'_')
}

/// All keywords that open or close a block of one of the names that `name` gives the closing ones, with their first
/// tokens, in order.
fn read(
    text: &[u8],
    tokens: &[Token],
    ends: &[End],
    name: impl Fn(&End) -> Option<Vec<u8>>,
) -> Vec<(usize, Keyword)> {
    let closed: HashSet<Vec<u8>> = ends.iter().filter_map(&name).collect();
    let mut keywords = Vec::new();
    let mut ends = ends.iter().peekable();
    let mut at = 0;
    while at < tokens.len() {
        let mut length = 1;
        if let Some(end) = ends.next_if(|end| end.at == at) {
            length += usize::from(end.next.is_some());
            keywords.extend(name(end).map(|name| (at, closing(name, length))));
        } else {
            let word = text[tokens[at].range()].to_ascii_lowercase();
            let opener = Opener::of(&word);
            let other = OTHERS.iter().find(|(other, _)| *other == word).map(|(_, name)| name.to_vec());
            let name = other.unwrap_or(word);
            if closed.contains(&name) {
                keywords.push((at, Keyword { name, opens: true, tokens: 1, opener }));
            }
        }
        at += length;
    }
    keywords
}

fn closing(name: Vec<u8>, tokens: usize) -> Keyword {
    Keyword { name, opens: false, tokens, opener: Opener::Plain }
}

/// The names whose blocks are all opened before they are closed, and mostly closed.
fn balanced(keywords: &[(usize, Keyword)]) -> HashSet<Vec<u8>> {
    let mut counts: HashMap<&[u8], (usize, usize)> = HashMap::new();
    let mut lacking: HashSet<&[u8]> = HashSet::new();
    for (_, keyword) in keywords {
        let (opened, closed) = counts.entry(&keyword.name).or_default();
        *(if keyword.opens { &mut *opened } else { &mut *closed }) += 1;
        if closed > opened {
            lacking.insert(&keyword.name);
        }
    }
    let is_balanced = |(name, (opened, closed)): &(&[u8], (usize, usize))| {
        *closed > 0 && *opened <= OPENED * closed && !lacking.contains(name)
    };
    counts.into_iter().filter(is_balanced).map(|(name, _)| name.to_vec()).collect()
}
