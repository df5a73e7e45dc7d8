//! Pairs of tags in text: `<a>` and `</a>`, `\begin{a}` and `\end{a}`, and pairs of keywords that do the same.

use super::keywords::Keyword;
use super::openers::{Opener, levels};
use crate::lexer::Token;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// A way to write tags.
struct Form {
    open: &'static [u8],
    close: &'static [u8],
    /// The token at the end of both tags.
    end: u8,
}

/// The forms; a closing tag may begin like an opening one.
const FORMS: &[Form] =
    &[Form { open: b"<", close: b"</", end: b'>' }, Form { open: b"\\begin{", close: b"\\end{", end: b'}' }];

/// What a tag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Opens,
    Closes,
    /// It needs no partner: `<a/>`.
    Single,
    /// A keyword inside an element, such as `then` and `else`.
    Divides(Divider),
}

/// What a keyword inside an element begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Divider {
    /// What the condition or the like before it is for: `then`, `do`.
    Body,
    /// A part that may go, with a condition or the like of its own: `elsif`, `catch`.
    HeadedPart,
    /// A part that may go: `else`.
    Part,
}

impl Divider {
    /// The effect of a word in an element that such a keyword opens.
    fn of(word: &[u8], opener: Opener) -> Option<Self> {
        let is = |words: &[&[u8]]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
        let has_branches = matches!(opener, Opener::Condition | Opener::Choice | Opener::Loop);
        let has_handlers = matches!(opener, Opener::Plain | Opener::Function);
        let begins_body = match opener {
            Opener::Condition => is(&[b"then"]),
            Opener::Choice => is(&[b"of", b"is", b"in"]),
            Opener::Loop => is(&[b"do", b"loop"]),
            Opener::Function | Opener::Other | Opener::Plain => false,
        };
        if begins_body {
            Some(Self::Body)
        } else if has_branches && is(&[b"elif", b"elsif", b"elseif"])
            || has_handlers && is(&[b"catch", b"except", b"rescue"])
        {
            Some(Self::HeadedPart)
        } else if has_branches && is(&[b"else"]) || has_handlers && is(&[b"finally", b"ensure"]) {
            Some(Self::Part)
        } else {
            None
        }
    }
}

/// A tag, as tokens.
struct Tag<'a> {
    name: Cow<'a, [u8]>,
    tokens: Range<usize>,
    sort: Sort,
    /// What it is for, if it is a keyword, and what divides the element that it opens.
    opener: Option<Opener>,
    dividers: Vec<(usize, Divider)>,
}

impl Tag<'_> {
    fn of(keyword: &Keyword, first: usize) -> Self {
        let sort = if keyword.opens { Sort::Opens } else { Sort::Closes };
        Self {
            name: Cow::Owned(keyword.name.clone()),
            tokens: first..first + keyword.tokens,
            sort,
            opener: Some(keyword.opener),
            dividers: Vec::new(),
        }
    }
}

/// The pairs of tags of a text.
#[derive(Debug, Default)]
pub(super) struct Tags {
    /// For each token that begins a single tag, or one with a partner: the end of the tag, as a token, and its sort.
    pub(super) begins: HashMap<usize, (usize, Sort)>,
    /// For each keyword that opens an element: what it is for.
    pub(super) openers: HashMap<usize, Opener>,
    /// The number of tags without a partner, keywords among them.
    pub(super) unmatched: usize,
}

impl Tags {
    /// Finds the pairs that nest properly with each other and with the brackets, whose partners these are. Linear.
    ///
    /// `keywords` are tags, too; their keys are their first tokens.
    pub(super) fn of(
        text: &[u8],
        tokens: &[Token],
        partners: &[Option<u32>],
        keywords: &HashMap<usize, Keyword>,
    ) -> Self {
        let mut found = Self::default();
        let begins = |token: &Token| FORMS.iter().any(|form| text[token.start as usize] == form.close[0]);
        if keywords.is_empty() && !tokens.iter().any(begins) {
            return found;
        }
        let levels = levels(partners);
        let mut open: Vec<Tag<'_>> = Vec::new();
        let mut names: HashMap<Cow<'_, [u8]>, usize> = HashMap::new();
        let mut at = 0;
        while at < tokens.len() {
            let word = || keywords.get(&at).map(|keyword| Tag::of(keyword, at));
            let tag = tag(text, tokens, at).or_else(word);
            let Some(tag) = tag.filter(|tag| levels[tag.tokens.start] == levels[tag.tokens.end]) else {
                let around = open.last_mut().filter(|around| levels[around.tokens.start] == levels[at]);
                if let Some(around) = around
                    && let Some(opener) = around.opener
                    && let Some(divider) = Divider::of(&text[tokens[at].range()], opener)
                {
                    around.dividers.push((at, divider));
                }
                at += 1;
                continue;
            };
            at = tag.tokens.end;
            match tag.sort {
                Sort::Single => {
                    found.begins.insert(tag.tokens.start, (tag.tokens.end, Sort::Single));
                    continue;
                }
                Sort::Opens => {
                    *names.entry(tag.name.clone()).or_default() += 1;
                    open.push(tag);
                    continue;
                }
                Sort::Closes | Sort::Divides(_) => {}
            }
            if names.get(&tag.name).is_none_or(|&count| count == 0) {
                found.unmatched += 1;
                continue;
            }
            while let Some(last) = open.pop() {
                names.entry(last.name.clone()).and_modify(|count| *count -= 1);
                if last.name != tag.name {
                    found.unmatched += 1;
                    continue;
                }
                if levels[last.tokens.start] == levels[tag.tokens.start] {
                    found.begins.insert(last.tokens.start, (last.tokens.end, Sort::Opens));
                    found.begins.insert(tag.tokens.start, (tag.tokens.end, Sort::Closes));
                    found.openers.extend(last.opener.map(|opener| (last.tokens.start, opener)));
                    let divides = |(at, divider)| (at, (at + 1, Sort::Divides(divider)));
                    found.begins.extend(last.dividers.into_iter().map(divides));
                } else {
                    found.unmatched += 2;
                }
                break;
            }
        }
        found.unmatched += open.len();
        found
    }
}

/// The tag that begins with a token. Linear in the tag, in which no other tag begins.
fn tag<'a>(text: &'a [u8], tokens: &[Token], first: usize) -> Option<Tag<'a>> {
    let start = tokens[first].start as usize;
    let (form, opens) = FORMS.iter().find_map(|form| {
        let closes = text[start..].starts_with(form.close);
        (closes || text[start..].starts_with(form.open)).then_some((form, !closes))
    })?;
    let name = start + if opens { form.open } else { form.close }.len();
    let is_part = |c: &u8| !c.is_ascii_whitespace() && !b"<>/{}[]()\"'\\".contains(c);
    let length = text[name..].iter().take_while(|c| is_part(c)).count();
    let name = &text[name..name + length];
    if !name.first().is_some_and(|&c| c.is_ascii_alphabetic() || c == b'_' || !c.is_ascii()) {
        return None;
    }
    let is_lone = |token: &Token, c: u8| token.end - token.start == 1 && text[token.start as usize] == c;
    let mut rest = tokens.iter().enumerate().skip(first + 1);
    let (last, _) =
        rest.find(|(_, token)| is_lone(token, form.end) || text[token.start as usize] == form.open[0])?;
    let sort = match opens {
        true if is_lone(&tokens[last - 1], b'/') => Sort::Single,
        true => Sort::Opens,
        false => Sort::Closes,
    };
    is_lone(&tokens[last], form.end).then_some(Tag {
        name: Cow::Borrowed(name),
        tokens: first..last + 1,
        sort,
        opener: None,
        dividers: Vec::new(),
    })
}
