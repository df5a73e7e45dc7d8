//! The definitions in a text, as far as its words and lines tell.
//!
//! In most languages a line that defines a name begins with a keyword (`function f`, `let rec x`, `package body p`) or with the name and a
//! sign (`x : integer`, `x := 1`). Which words and signs these are, the text shows: most of the names there occur there first, and
//! elsewhere later.

use crate::File;
use crate::reach::{Item, Reach, items_of, mention};
use lopper_languages::lexer::Token;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A word that follows a keyword at least this many times, always with another name behind it, is a part of the keyword.
const OFTEN: usize = 3;
/// A keyword defines names if at least this many follow it.
const NAMES: usize = 3;

/// Signs that follow a name which a line defines.
const SIGNS: &[&[u8]] = &[b":", b"=", b":=", b"<-", b"::"];

/// What the statements of a text reach. O(n log n) for n nodes and tokens.
pub(crate) fn reach(file: File<'_>) -> Reach {
    let mut items = items(file);
    let names = define(file, &mut items);
    mention(file, &mut items, |at, _| {
        // What closes a block repeats the name of what it closes.
        let closes = at.checked_sub(1).is_some_and(|before| lower(file, &file.tokens()[before]) == b"end");
        names.get(&lower(file, &file.tokens()[at])).copied().filter(|_| !closes)
    });
    Reach::new(file.id, items, names.len())
}

/// The statements that begin a line, each before those in it.
fn items(file: File<'_>) -> Vec<Item> {
    let begins_line = |start: usize| {
        let before = file.text()[..start].iter().rev().find(|&&c| c == b'\n' || !c.is_ascii_whitespace());
        before.is_none_or(|&c| c == b'\n')
    };
    let is_item = |n: &NodeId| file.has(*n, Role::Statement) && begins_line(file.range(*n).start);
    items_of(file, file.nodes().filter(is_item))
}

/// How a line begins that may define a name.
struct Head {
    item: usize,
    /// The keyword or sign, in lower case.
    by: Vec<u8>,
    /// The index of the name's token.
    token: usize,
}

/// Gives items the names that they define; returns the numbers of the names.
fn define(file: File<'_>, items: &mut [Item]) -> BTreeMap<Vec<u8>, u32> {
    let tokens = file.tokens();
    let word = |at: usize| tokens.get(at).map(|token| lower(file, token)).filter(|word| is_name(word));
    // Several items may begin with the same token: the outermost one is what defines.
    let mut starts = BTreeSet::new();
    let firsts: Vec<(usize, usize)> = (0..items.len())
        .map(|item| (item, tokens.partition_point(|token| token.start < items[item].range.start)))
        .filter(|&(_, first)| first < tokens.len() && starts.insert(first))
        .collect();
    let parts = parts(firsts.iter().map(|&(_, first)| first), &word);
    let mut heads = Vec::new();
    for (item, first) in firsts {
        let Some(keyword) = word(first) else { continue };
        let sign = tokens.get(first + 1).map(|token| &file.text()[token.range()]);
        if let Some(&sign) = SIGNS.iter().find(|&&known| Some(known) == sign) {
            heads.push(Head { item, by: sign.to_vec(), token: first });
            continue;
        }
        let mut at = first + 1;
        while word(at).is_some_and(|word| parts.contains(&(keyword.clone(), word))) {
            at += 1;
        }
        if keyword != b"end" && word(at).is_some() {
            heads.push(Head { item, by: keyword, token: at });
        }
    }
    let defining = defining(file, &heads);
    let mut names = BTreeMap::new();
    for head in heads.iter().filter(|head| defining.contains(&head.by)) {
        let next = names.len() as u32;
        let number = *names.entry(lower(file, &tokens[head.token])).or_insert(next);
        items[head.item].names.push(number);
        items[head.item].stays = false;
    }
    names
}

/// A word behind a keyword.
#[derive(Default)]
struct Behind {
    /// How often it stands there.
    count: usize,
    /// The names that follow it.
    names: BTreeSet<Vec<u8>>,
    /// Whether anything else does at least once.
    has_other: bool,
}

/// The words that are parts of keywords, with the words before them: `rec` in `let rec f`.
fn parts(
    firsts: impl Iterator<Item = usize>,
    word: &impl Fn(usize) -> Option<Vec<u8>>,
) -> BTreeSet<(Vec<u8>, Vec<u8>)> {
    let mut pairs: BTreeMap<(Vec<u8>, Vec<u8>), Behind> = BTreeMap::new();
    for first in firsts {
        let (Some(keyword), Some(part)) = (word(first), word(first + 1)) else { continue };
        let behind = pairs.entry((keyword, part)).or_default();
        behind.count += 1;
        match word(first + 2) {
            Some(name) => drop(behind.names.insert(name)),
            None => behind.has_other = true,
        }
    }
    pairs.retain(|_, behind| behind.count >= OFTEN && !behind.has_other && behind.names.len() >= OFTEN);
    pairs.into_keys().collect()
}

/// The keywords and signs that define names: most of these names occur there first, and half of them elsewhere, too.
fn defining(file: File<'_>, heads: &[Head]) -> BTreeSet<Vec<u8>> {
    let mut first: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    let mut count: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for (at, token) in file.tokens().iter().enumerate() {
        let word = lower(file, token);
        first.entry(word.clone()).or_insert(at);
        *count.entry(word).or_default() += 1;
    }
    let mut at_heads: BTreeMap<(&[u8], Vec<u8>), Range<usize>> = BTreeMap::new();
    for head in heads {
        let name = lower(file, &file.tokens()[head.token]);
        // The first head, and the number of them.
        at_heads.entry((&head.by, name)).or_insert(head.token..head.token).end += 1;
    }
    let mut sums: BTreeMap<&[u8], (usize, usize, usize)> = BTreeMap::new();
    for ((by, name), range) in at_heads {
        let (names, begun, used) = sums.entry(by).or_default();
        *names += 1;
        *begun += usize::from(first.get(&name) == Some(&range.start));
        *used += usize::from(count.get(&name).is_some_and(|&count| count > range.len()));
    }
    let is_defining = |&(names, begun, used): &(usize, usize, usize)| {
        names >= NAMES && 4 * begun >= 3 * names && 2 * used >= names
    };
    sums.into_iter().filter(|(_, sum)| is_defining(sum)).map(|(by, _)| by.to_vec()).collect()
}

/// A token's text in lower case, since many languages do not tell the two apart.
fn lower(file: File<'_>, token: &Token) -> Vec<u8> {
    file.text()[token.range()].to_ascii_lowercase()
}

fn is_name(word: &[u8]) -> bool {
    word.first().is_some_and(|&c| c.is_ascii_alphabetic() || c == b'_')
        && word.iter().all(|&c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'\''))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_languages::{Parsed, text::TEXT};

    /// The names that a text defines, in the order of their first definitions.
    fn defined(text: &str) -> Vec<String> {
        let parsed = Parsed::new(&TEXT, text.into());
        let file = File { id: 0, parsed: &parsed };
        let mut items = items(file);
        let mut names: Vec<_> =
            define(file, &mut items).into_iter().map(|(name, number)| (number, name)).collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| String::from_utf8_lossy(&name).into_owned()).collect()
    }

    #[test]
    fn keywords_define_the_names_behind_them_if_these_occur_there_first() {
        let text = "open List\nopen Map\nopen Seq\nlet rec f x = x\nlet rec g y = f y\nlet rec h z = g z\nlet main = h 1\nlet last = main\n";
        assert_eq!(defined(text), ["f", "g", "h", "main", "last"], "nothing uses what is opened");
        let text = "function one(a) is\n  return a\nend one\nfunction two(b) is\n  return one(b)\nend two\nfunction three(c) is\n  return two(c)\nend three\n";
        assert_eq!(defined(text), ["one", "two", "three"], "what is returned occurs before");
    }

    #[test]
    fn signs_define_the_names_before_them() {
        let text = "one:\n  jmp one\ntwo:\n  jmp one\nthree:\n  jmp two\n";
        assert_eq!(defined(text), ["one", "two", "three"]);
        assert_eq!(defined("one two\nthree four\nfive six\n"), [""; 0], "words that are no keywords");
    }

    #[test]
    fn a_definition_that_is_used_only_by_an_unused_one_goes_with_it() {
        let text = "let a = 1\nlet b = a\nlet c = b\nlet d = 2\nprint d\n";
        let parsed = Parsed::new(&TEXT, text.into());
        let file = File { id: 0, parsed: &parsed };
        let reach = reach(file);
        let roots: Vec<&[u8]> = reach.roots().map(|node| file.node_text(node)).collect();
        assert_eq!(roots, [&b"let c = b"[..], b"print d"]);
        assert_eq!(reach.without(&[0]).len(), 3);
    }
}
