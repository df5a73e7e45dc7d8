//! The rules of a macro: what they match, and what they put in its place. Tokens only: no fragment is parsed, its end is
//! guessed from what may follow it.

use lopper_languages::lexer::{self, Token, TokenKind, bracket};
use lopper_languages::lexis::Lexis;
use std::collections::BTreeMap;
use std::ops::Range;

/// How deep repetitions are followed.
const DEPTH: usize = 16;
/// How long the text of one call may become.
const TEXT: usize = 1 << 18;

/// Some tokens, with their brackets in pairs.
pub(super) struct Code<'a> {
    text: &'a [u8],
    tokens: &'a [Token],
    /// For an opening bracket, the closing one; for another token, itself.
    partners: Vec<usize>,
}

/// One rule of a macro.
pub(super) struct Rule<'a> {
    code: &'a Code<'a>,
    pattern: Vec<Part<'a>>,
    body: Range<usize>,
}

/// What a pattern consists of. Brackets are words, too.
enum Part<'a> {
    Word(&'a [u8]),
    Fragment { name: &'a [u8], kind: &'a [u8] },
    Repeat { parts: Vec<Part<'a>>, separator: Option<&'a [u8]>, sign: &'a [u8] },
}

/// What a name in a pattern stands for.
enum Value<'a> {
    /// A text, and whether it is an expression with an operator.
    One(&'a [u8], bool),
    Many(Vec<Value<'a>>),
}

impl<'a> Code<'a> {
    pub(super) fn new(text: &'a [u8], tokens: &'a [Token]) -> Self {
        let mut partners: Vec<usize> = (0..tokens.len()).collect();
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match bracket(&text[token.range()]) {
                Some((kind, 1)) => open.push((kind, at)),
                Some((kind, _)) if open.last().is_some_and(|(last, _)| *last == kind) => {
                    let begin = open.pop().map_or(at, |(_, begin)| begin);
                    partners[begin] = at;
                }
                _ => {}
            }
        }
        Self { text, tokens, partners }
    }

    /// The text of a token; empty behind the last one.
    pub(super) fn word(&self, at: usize) -> &'a [u8] {
        self.tokens.get(at).map_or(b"", |token| &self.text[token.range()])
    }

    /// Where a token ends.
    pub(super) fn end(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.text.len(), |token| token.end as usize)
    }

    /// The bracket that closes this one, or the token itself.
    pub(super) fn partner(&self, at: usize) -> Option<usize> {
        self.partners.get(at).copied()
    }

    /// Whether a word is among the tokens of a text.
    pub(super) fn mentions(text: &[u8], lexis: &Lexis, word: &[u8]) -> bool {
        lexer::tokens(text, lexis).any(|token| &text[token.range()] == word)
    }

    /// Whether a text is several statements, and whether it is an expression with an operator.
    pub(super) fn shape(text: &[u8], lexis: &Lexis) -> (bool, bool) {
        let tokens: Vec<Token> = lexer::tokens(text, lexis).collect();
        let code = Code::new(text, &tokens);
        let is_block = code.top(0..tokens.len()).any(|at| code.word(at) == b";") || code.word(0) == b"let";
        (is_block, code.has_operator(0..tokens.len()))
    }

    /// The tokens in a range that are in no bracket there.
    fn top(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let next = move |at: &usize| Some(self.partners[*at] + 1).filter(|at| *at < range.end);
        std::iter::successors(Some(range.start).filter(|at| *at < range.end), next)
    }

    /// Whether what these tokens are together with may have to stand in brackets.
    fn has_operator(&self, range: Range<usize>) -> bool {
        let is_tight = |word: &[u8]| matches!(word, b"." | b"::" | b"?" | b"!") || bracket(word).is_some();
        let is_operator = |at: usize| {
            self.tokens[at].kind == TokenKind::Operator && !is_tight(self.word(at)) || self.word(at) == b"as"
        };
        self.top(range).any(is_operator)
    }

    fn is_closing(&self, at: usize) -> bool {
        matches!(self.word(at), b"" | b")" | b"]" | b"}")
    }
}

/// The rules of the definition that the code consists of. `None` if it is no such definition.
pub(super) fn rules<'a>(code: &'a Code<'a>) -> Option<Vec<Rule<'a>>> {
    let open = (0..code.tokens.len()).find(|&at| bracket(code.word(at)).is_some())?;
    let close = code.partners[open];
    let mut rules = Vec::new();
    let mut at = open + 1;
    while at < close {
        let (end, begin) = (code.partners[at], code.partners[at] + 2);
        let body = code.partner(begin)?;
        if end == at || code.word(end + 1) != b"=>" || body <= begin {
            return None;
        }
        let pattern = parts(code, at + 1..end, 0)?;
        rules.push(Rule { code, pattern, body: begin + 1..body });
        at = body + 1 + usize::from(code.word(body + 1) == b";");
    }
    Some(rules)
}

/// What stands behind the bracket that closes a repetition.
struct Tail<'a> {
    separator: Option<&'a [u8]>,
    sign: &'a [u8],
    end: usize,
}

fn tail<'a>(code: &Code<'a>, close: usize) -> Option<Tail<'a>> {
    let is_sign = |at: usize| matches!(code.word(at), b"*" | b"+" | b"?");
    if is_sign(close + 1) {
        return Some(Tail { separator: None, sign: code.word(close + 1), end: close + 2 });
    }
    let separator = Some(code.word(close + 1));
    is_sign(close + 2).then(|| Tail { separator, sign: code.word(close + 2), end: close + 3 })
}

fn parts<'a>(code: &Code<'a>, range: Range<usize>, depth: usize) -> Option<Vec<Part<'a>>> {
    let mut parts = Vec::new();
    let mut at = range.start;
    while at < range.end {
        if code.word(at) != b"$" {
            parts.push(Part::Word(code.word(at)));
            at += 1;
        } else if code.word(at + 1) == b"(" && depth < DEPTH {
            let close = code.partners[at + 1];
            let Tail { separator, sign, end } = tail(code, close)?;
            let inner = self::parts(code, at + 2..close, depth + 1)?;
            parts.push(Part::Repeat { parts: inner, separator, sign });
            at = end;
        } else if code.word(at + 2) == b":" {
            parts.push(Part::Fragment { name: code.word(at + 1), kind: code.word(at + 3) });
            at += 4;
        } else {
            return None;
        }
    }
    Some(parts)
}

impl Rule<'_> {
    /// What the rule puts in the place of a call with these arguments; `None` if it does not match them.
    pub(super) fn expand(&self, code: &Code<'_>, arguments: Range<usize>) -> Option<Vec<u8>> {
        let mut values = BTreeMap::new();
        let end = matched(&self.pattern, code, arguments.clone(), &mut values)?;
        let values = values.iter().map(|(name, value)| (*name, value)).collect();
        let mut text = Vec::new();
        write(self.code, self.body.clone(), &values, &mut text)?;
        (end == arguments.end).then_some(text)
    }
}

/// Where the part of these tokens ends that matches a pattern; notes what its names stand for.
fn matched<'a>(
    parts: &[Part<'a>],
    code: &Code<'a>,
    range: Range<usize>,
    values: &mut BTreeMap<&'a [u8], Value<'a>>,
) -> Option<usize> {
    let mut at = range.start;
    for part in parts {
        match part {
            Part::Word(word) if at < range.end && code.word(at) == *word => at += 1,
            Part::Word(_) => return None,
            Part::Fragment { name, kind } => {
                let end = fragment(code, at..range.end, kind)?;
                let text = match end == at {
                    true => &b""[..],
                    false => &code.text[code.tokens[at].start as usize..code.end(end - 1)],
                };
                let is_operation = kind.starts_with(b"expr") && code.has_operator(at..end);
                values.insert(name, Value::One(text, is_operation));
                at = end;
            }
            Part::Repeat { parts, separator, sign } => {
                let mut rounds: Vec<BTreeMap<&[u8], Value<'_>>> = Vec::new();
                while rounds.is_empty() || *sign != b"?" {
                    let begin = match separator.filter(|_| !rounds.is_empty()) {
                        Some(word) if at < range.end && code.word(at) == word => at + 1,
                        Some(_) => break,
                        None => at,
                    };
                    let mut round = BTreeMap::new();
                    match matched(parts, code, begin..range.end, &mut round) {
                        Some(end) if end > begin => at = end,
                        _ => break,
                    }
                    rounds.push(round);
                }
                if rounds.is_empty() && *sign == b"+" {
                    return None;
                }
                let mut columns: BTreeMap<&[u8], Vec<Value<'_>>> = BTreeMap::new();
                names(parts, &mut columns);
                for (name, value) in rounds.into_iter().flatten() {
                    columns.entry(name).or_default().push(value);
                }
                values.extend(columns.into_iter().map(|(name, column)| (name, Value::Many(column))));
            }
        }
    }
    Some(at)
}

/// Notes the names in a pattern.
fn names<'a>(parts: &[Part<'a>], found: &mut BTreeMap<&'a [u8], Vec<Value<'a>>>) {
    for part in parts {
        match part {
            Part::Word(_) => {}
            Part::Fragment { name, .. } => drop(found.insert(name, Vec::new())),
            Part::Repeat { parts, .. } => names(parts, found),
        }
    }
}

/// Where a fragment ends that begins at the first of these tokens.
fn fragment(code: &Code<'_>, range: Range<usize>, kind: &[u8]) -> Option<usize> {
    let at = range.start;
    let is = |at: usize, kind| code.tokens.get(at).is_some_and(|token| token.kind == kind);
    if at >= range.end || code.is_closing(at) {
        return (kind == b"vis").then_some(at);
    }
    let is_lifetime = code.word(at).starts_with(b"'") && is(at, TokenKind::Word);
    let end = match kind {
        b"ident" => is(at, TokenKind::Word).then_some(at + 1).filter(|_| !is_lifetime),
        b"lifetime" => is_lifetime.then_some(at + 1),
        b"literal" => {
            let at = at + usize::from(code.word(at) == b"-");
            let is_value = !is(at, TokenKind::Operator) && !is(at, TokenKind::Word);
            (is_value || matches!(code.word(at), b"true" | b"false")).then_some(at + 1)
        }
        b"tt" => Some(code.partners[at] + 1),
        b"block" => (code.word(at) == b"{").then(|| code.partners[at] + 1),
        b"vis" if code.word(at) != b"pub" => Some(at),
        b"vis" if code.word(at + 1) == b"(" => Some(code.partners[at + 1] + 1),
        b"vis" => Some(at + 1),
        b"item" => {
            let end = code.top(range.clone()).find(|&at| matches!(code.word(at), b";" | b"{"));
            end.map(|end| code.partners[end] + 1)
        }
        _ => Some(stretch(code, range.clone(), kind)).filter(|end| *end > at),
    };
    end.filter(|end| *end <= range.end)
}

/// Where a fragment of several tokens ends: before what may follow it, outside of angle brackets.
fn stretch(code: &Code<'_>, range: Range<usize>, kind: &[u8]) -> usize {
    let is_type = matches!(kind, b"ty" | b"path");
    let mut angles = 0_usize;
    for at in code.top(range.clone()) {
        let word = code.word(at);
        let before = at.checked_sub(1).filter(|_| at > range.start).map(|at| code.word(at));
        let is_angle = is_type || angles > 0 || before == Some(b"::");
        match word {
            b"<" | b"<<" if is_angle => angles += word.len(),
            b">" | b">>" if angles > 0 => angles = angles.saturating_sub(word.len()),
            _ if angles > 0 => {}
            _ if code.is_closing(at) => return at,
            b"," | b"=>" => return at,
            b";" if kind != b"pat" => return at,
            b"=" | b"if" | b"in" if kind.starts_with(b"pat") => return at,
            b"|" if kind == b"pat_param" => return at,
            b"=" | b":" | b"|" | b">" | b">>" | b"as" | b"where" | b"{" if is_type => return at,
            b"[" if is_type && before.is_some_and(|word| word != b"&" && word != b"mut") => return at,
            _ => {}
        }
    }
    range.end
}

/// Writes the tokens of a body as they are spaced there, with values in the places of names.
fn write(
    code: &Code<'_>,
    range: Range<usize>,
    values: &BTreeMap<&[u8], &Value<'_>>,
    text: &mut Vec<u8>,
) -> Option<()> {
    let mut at = range.start;
    while at < range.end {
        if at > range.start {
            text.extend_from_slice(&code.text[code.end(at - 1)..code.tokens[at].start as usize]);
        }
        let (word, next) = (code.word(at), code.word(at + 1));
        if let Some(end) = lone_angle(text).filter(|_| word == b">") {
            text.truncate(end);
            at += 1;
            continue;
        }
        if word != b"$" {
            text.extend_from_slice(word);
            at += 1;
            continue;
        }
        if next == b"(" {
            let close = code.partners[at + 1];
            let Tail { separator, end, .. } = tail(code, close)?;
            repeat(code, at + 2..close, separator, values, text)?;
            at = end;
            continue;
        }
        match values.get(next) {
            _ if next == b"crate" => text.extend_from_slice(next),
            Some(Value::One(value, is_operation)) => {
                let is_operand = |word: &[u8]| {
                    !matches!(word, b"," | b";" | b"=" | b"=>" | b":" | b"") && bracket(word).is_none()
                };
                let before = if at > range.start { code.word(at - 1) } else { b"" };
                let behind = if at + 2 < range.end { code.word(at + 2) } else { b"" };
                let in_brackets = *is_operation && (is_operand(before) || is_operand(behind));
                let (open, close): (&[u8], &[u8]) = if in_brackets { (b"(", b")") } else { (b"", b"") };
                text.extend([open, value, close].concat());
            }
            Some(Value::Many(_)) => return None,
            None => text.extend([word, next].concat()),
        }
        at += 2;
    }
    Some(())
}

/// Where an angle bracket begins that ends a text, with the colons before it: if the next one closes it, both may go, and the
/// grammar knows no empty ones.
fn lone_angle(text: &[u8]) -> Option<usize> {
    let before = text.trim_ascii_end().strip_suffix(b"<").filter(|before| !before.ends_with(b"<"))?;
    Some(before.strip_suffix(b"::").unwrap_or(before).len())
}

/// Writes what is repeated as often as its names have values.
fn repeat(
    code: &Code<'_>,
    range: Range<usize>,
    separator: Option<&[u8]>,
    values: &BTreeMap<&[u8], &Value<'_>>,
    text: &mut Vec<u8>,
) -> Option<()> {
    let named = range.clone().filter(|&at| code.word(at) == b"$").map(|at| code.word(at + 1));
    let columns: Vec<(&[u8], &Vec<Value<'_>>)> = named
        .filter_map(|name| match values.get_key_value(name)? {
            (name, Value::Many(column)) => Some((*name, column)),
            _ => None,
        })
        .collect();
    let count = columns.first()?.1.len();
    if columns.iter().any(|(_, column)| column.len() != count) {
        return None;
    }
    for round in 0..count {
        if text.len() > TEXT {
            return None;
        }
        if round > 0 {
            text.extend_from_slice(separator.unwrap_or_default());
            text.push(b' ');
        }
        let mut values = values.clone();
        values.extend(columns.iter().map(|(name, column)| (*name, &column[round])));
        write(code, range.clone(), &values, text)?;
    }
    Some(())
}
