//! The keywords that a bare `end` closes: `begin` in Pascal, but also `case` and `record`; `if`, `function` and loops in Lua,
//! Ruby and Julia.
//!
//! Which ones, the text shows: with these keywords, each `end` has a partner, and few of them have none.

use crate::lexer::Token;
use std::collections::{BTreeMap, HashMap};

/// What a keyword that opens a block is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opener {
    /// A condition comes first, and `else` may follow.
    Condition,
    /// A value comes first, then cases.
    Choice,
    /// What is repeated comes after a condition or range.
    Loop,
    /// A name and parameters come first.
    Function,
    /// A name or the like comes first, if anything.
    Other,
    /// Nothing comes first; handlers may follow.
    Plain,
}

impl Opener {
    /// What a keyword in lower case is for.
    pub(super) fn of(word: &[u8]) -> Self {
        match word {
            b"if" | b"unless" | b"ifdef" | b"ifndef" => Self::Condition,
            b"case" | b"casex" | b"casez" | b"switch" | b"match" | b"select" => Self::Choice,
            b"for" | b"foreach" | b"while" | b"until" | b"parfor" | b"with" => Self::Loop,
            b"function" | b"def" | b"defp" | b"defmacro" | b"macro" | b"fun" | b"fn" | b"sub" | b"proc"
            | b"procedure" | b"task" => Self::Function,
            b"begin" | b"do" | b"try" | b"quote" | b"loop" | b"repeat" | b"receive" => Self::Plain,
            _ => Self::Other,
        }
    }
}

/// The keywords that a bare `end` closes in some language: those first that it closes in the most of the languages that have
/// them.
const WORDS: &[&[u8]] = &[
    b"begin",
    b"try",
    b"case",
    b"record",
    b"quote",
    b"receive",
    b"asm",
    b"struct",
    b"sig",
    b"object",
    b"do",
    b"loop",
    b"let",
    b"class",
    b"module",
    b"defmodule",
    b"defmacro",
    b"defp",
    b"def",
    b"macro",
    b"fun",
    b"fn",
    b"function",
    b"switch",
    b"if",
    b"unless",
    b"while",
    b"foreach",
    b"parfor",
    b"for",
    b"until",
    b"match",
    b"interface",
    b"with",
    b"union",
    b"type",
];

/// If more than one of this many `end`s, or as many keywords, have no partner, the words are no keywords.
const RARE: usize = 8;

/// The number of times that each keyword may join or leave.
const ROUNDS: usize = 4;

/// A keyword where a statement begins, or elsewhere: some open blocks only in one of these places, since they stand behind a
/// statement in the other (`return if a`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    /// The place in [`WORDS`].
    word: usize,
    is_first: bool,
}

impl Class {
    /// Whether it may stand behind a statement.
    fn is_behind(self) -> bool {
        !self.is_first && matches!(Opener::of(WORDS[self.word]), Opener::Condition | Opener::Loop)
    }
}

/// An occurrence of a keyword, or of `end`.
struct Event {
    at: usize,
    /// The innermost brackets around it.
    level: usize,
    /// `None` for `end`.
    class: Option<Class>,
}

/// The pairs of tokens of which the first opens what the second, one of these bare `end`s, closes; `is_named` tells which words are known to be closed otherwise,
/// and `comments` where a comment may begin and end. Linear, times the number of keywords.
pub(super) fn openers(
    text: &[u8],
    tokens: &[Token],
    partners: &[Option<u32>],
    comments: &HashMap<usize, usize>,
    ends: &[usize],
    is_named: impl Fn(&[u8]) -> bool,
) -> Vec<(usize, usize)> {
    if ends.is_empty() {
        return Vec::new();
    }
    let mut events = events(text, tokens, partners, comments, ends, is_named);
    // What stands in different brackets has nothing to do with each other.
    events.sort_by_key(|event| (event.level, event.at));
    let mut chosen: BTreeMap<Class, bool> =
        events.iter().filter_map(|event| Some((event.class?, true))).collect();
    let mut classes: Vec<Class> = chosen.keys().copied().collect();
    classes.sort_by_key(|class| std::cmp::Reverse((class.is_behind(), class.word)));
    let mut least = unmatched(&events, &chosen);
    // One keyword after the other leaves, or joins again, where fewer are without a partner then: the doubtful ones first.
    for _ in 0..ROUNDS {
        let before = least;
        for &class in &classes {
            if least > 0 {
                let mut changed = chosen.clone();
                changed.entry(class).and_modify(|opens| *opens = !*opens);
                let left = unmatched(&events, &changed);
                if left < least {
                    (chosen, least) = (changed, left);
                }
            }
        }
        if least == before {
            break;
        }
    }
    if least > ends.len() / RARE {
        return Vec::new();
    }
    pairs(&events, &chosen)
}

/// The occurrences of keywords that have no name of their own behind `end`.
fn events(
    text: &[u8],
    tokens: &[Token],
    partners: &[Option<u32>],
    comments: &HashMap<usize, usize>,
    ends: &[usize],
    is_named: impl Fn(&[u8]) -> bool,
) -> Vec<Event> {
    let levels = levels(partners);
    let places = WORDS.iter().enumerate().filter(|(_, word)| !is_named(word));
    let known: HashMap<&[u8], usize> = places.map(|(place, word)| (*word, place)).collect();
    let mut ends = ends.iter().peekable();
    let mut events = Vec::new();
    // Whether the `do` of a loop is still to come.
    let mut in_head = false;
    let mut is_first = true;
    let mut before = 0;
    let mut comment_end = 0;
    for (at, token) in tokens.iter().enumerate() {
        let bytes = &text[token.range()];
        let gap = &text[before..token.start as usize];
        is_first |= gap.contains(&b'\n');
        let last = before.checked_sub(1).map(|last| text[last]).filter(|_| gap.is_empty());
        before = token.end as usize;
        comment_end = comments.get(&at).copied().unwrap_or(comment_end);
        if at < comment_end {
            ends.next_if(|&&end| end == at);
            continue;
        }
        if ends.next_if(|&&end| end == at).is_some() {
            events.push(Event { at, level: levels[at], class: None });
            (is_first, in_head) = (false, false);
            continue;
        }
        let word = Some(bytes.to_ascii_lowercase()).filter(|word| word.len() < 10);
        let known = word.as_deref().and_then(|word| known.get(word).copied());
        // `a.if`, `:if` and `@if` are names.
        let known = known.filter(|_| !matches!(last, Some(b'.' | b':' | b'@' | b'$' | b'-')));
        match known {
            Some(word) if in_head && WORDS[word] == b"do" => in_head = false,
            Some(word) => {
                in_head |= Opener::of(WORDS[word]) == Opener::Loop;
                events.push(Event { at, level: levels[at], class: Some(Class { word, is_first }) });
            }
            None => {}
        }
        is_first = matches!(
            bytes,
            b";" | b"then" | b"do" | b"else" | b"=" | b"begin" | b"return" | b"local" | b"and" | b"|"
        );
    }
    events
}

/// The number of `end`s and of chosen keywords that have no partner in the same brackets. An `end` in brackets without any
/// keyword is the last index of a list, or something else.
fn unmatched(events: &[Event], chosen: &BTreeMap<Class, bool>) -> usize {
    let in_brackets = |events: &[Event]| {
        let (mut lone, mut open) = (0, 0);
        for event in events {
            match event.class {
                Some(class) => open += usize::from(chosen.get(&class) == Some(&true)),
                None if open > 0 => open -= 1,
                None => lone += 1,
            }
        }
        let has_keywords = events.iter().any(|event| event.class.is_some());
        if has_keywords || events[0].level == usize::MAX { lone + open } else { 0 }
    };
    events.chunk_by(|a, b| a.level == b.level).map(in_brackets).sum()
}

/// Each `end` with the last open keyword in the same brackets.
fn pairs(events: &[Event], chosen: &BTreeMap<Class, bool>) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for events in events.chunk_by(|a, b| a.level == b.level) {
        let mut open = Vec::new();
        for event in events {
            match event.class {
                Some(class) if chosen.get(&class) == Some(&true) => open.push(event.at),
                Some(_) => {}
                None => found.extend(open.pop().map(|opening| (opening, event.at))),
            }
        }
    }
    found
}

/// For each token, and for the end of the text, the innermost pair of brackets around the place before it.
pub(super) fn levels(partners: &[Option<u32>]) -> Vec<usize> {
    let mut open = vec![usize::MAX];
    let mut levels = Vec::with_capacity(partners.len() + 1);
    levels.push(usize::MAX);
    for (at, partner) in partners.iter().enumerate() {
        match partner {
            Some(partner) if *partner as usize > at => open.push(at),
            Some(_) => {
                open.pop();
            }
            None => {}
        }
        levels.push(open.last().copied().unwrap_or(usize::MAX));
    }
    levels
}
