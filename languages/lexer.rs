//! The lexer behind the measure: blanks and comments do not count, a string is one token.
//!
//! One hand-written lexer serves every language; what differs is how comments are written.

/// How a language writes comments; everything else about tokens is common.
#[derive(Clone, Copy, Debug)]
pub struct Lexis {
    /// What opens a comment that ends with its line, such as `//`.
    pub line_comments: &'static [&'static str],
    /// What opens and closes a comment, such as `/*` and `*/`.
    pub block_comments: &'static [(&'static str, &'static str)],
}

/// What a token is; only as fine as passes need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Identifiers and keywords.
    Word,
    /// Numbers, suffixes included.
    Number,
    /// String and character literals, prefix included.
    String,
    /// Everything else.
    Operator,
}

/// A token: a byte range and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// What it is.
    pub kind: TokenKind,
}

impl Token {
    /// The token's byte range.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Longest first, so that the first match is the right one.
const OPERATORS: &[&[u8]] = &[
    b"...", b"<<=", b">>=", b"**=", b"//=", b"->", b":=", b"++", b"--", b"<<", b">>", b"**", b"//", b"<=",
    b">=", b"==", b"!=", b"&&", b"||", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"^=", b"|=", b"##",
];

/// Which kind of bracket a token is, a number below 3, and by how much it changes the depth; `None` if it
/// is none.
pub fn bracket(token: &[u8]) -> Option<(usize, isize)> {
    match token {
        b"(" => Some((0, 1)),
        b")" => Some((0, -1)),
        b"[" => Some((1, 1)),
        b"]" => Some((1, -1)),
        b"{" => Some((2, 1)),
        b"}" => Some((2, -1)),
        _ => None,
    }
}

/// The tokens of `text`, in order. Any bytes are accepted. Linear but for unclosed literals, which
/// are looked for at most to the end of the text, once for each kind of quote.
pub fn tokens<'a>(text: &'a [u8], lexis: &'a Lexis) -> Tokens<'a> {
    Tokens { text, lexis, at: 0, unclosed: [false; 2], unclosed_comment: false }
}

/// The iterator that `tokens` returns.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a [u8],
    lexis: &'a Lexis,
    at: usize,
    /// No closing `"""` (0) or `'''` (1) follows any more: not looked for again.
    unclosed: [bool; 2],
    unclosed_comment: bool,
}

fn is_blank(c: u8) -> bool {
    matches!(c, b' ' | 0x09..=0x0d | 0x1c..=0x1f | 0x85 | 0xa0)
}

fn is_word_start(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'_' || c == b'$'
}

fn is_word(c: u8) -> bool {
    is_word_start(c) || c.is_ascii_digit()
}

fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    text.windows(needle.len()).position(|w| w == needle)
}

impl Tokens<'_> {
    /// Skips one blank, line continuation or comment; says whether there was one.
    fn skip(&mut self) -> bool {
        let rest = &self.text[self.at..];
        if is_blank(rest[0]) {
            self.at += 1;
            return true;
        }
        if rest.starts_with(b"\\\n") {
            self.at += 2;
            return true;
        }
        for open in self.lexis.line_comments {
            if rest.starts_with(open.as_bytes()) {
                let length = rest.iter().position(|&c| c == b'\n');
                self.at += length.unwrap_or(rest.len());
                return true;
            }
        }
        for (open, close) in self.lexis.block_comments {
            if rest.starts_with(open.as_bytes()) && !self.unclosed_comment {
                match find(&rest[open.len()..], close.as_bytes()) {
                    Some(inside) => {
                        self.at += open.len() + inside + close.len();
                        return true;
                    }
                    None => self.unclosed_comment = true,
                }
            }
        }
        false
    }

    /// The length of the string literal that starts here, its prefix of up to two letters included.
    fn string(&mut self) -> Option<usize> {
        let rest = &self.text[self.at..];
        let prefix = rest.iter().take(2).take_while(|c| c.is_ascii_alphabetic()).count();
        let quote = *rest.get(prefix)?;
        if quote != b'"' && quote != b'\'' {
            return None;
        }
        let body = &rest[prefix..];
        let which = usize::from(quote == b'\'');
        if body.starts_with(&[quote; 3]) && !self.unclosed[which] {
            if let Some(end) = closing(body, 3, |rest| rest.starts_with(&[quote; 3]), false) {
                return Some(prefix + end + 3);
            }
            self.unclosed[which] = true;
        }
        closing(body, 1, |rest| rest[0] == quote, true).map(|end| prefix + end + 1)
    }
}

/// Where, from `from` on, `closes` holds outside backslash escapes.
fn closing(body: &[u8], from: usize, closes: impl Fn(&[u8]) -> bool, one_line: bool) -> Option<usize> {
    let mut at = from;
    while at < body.len() {
        if closes(&body[at..]) {
            return Some(at);
        }
        match body[at] {
            b'\\' if at + 1 < body.len() => at += 2,
            b'\\' => return None,
            b'\n' if one_line => return None,
            _ => at += 1,
        }
    }
    None
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        while self.at < self.text.len() {
            if self.skip() {
                continue;
            }
            let rest = &self.text[self.at..];
            let (length, kind) = if let Some(length) = self.string() {
                (length, TokenKind::String)
            } else if rest[0].is_ascii_digit()
                || (rest[0] == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit))
            {
                (number(rest), TokenKind::Number)
            } else if is_word_start(rest[0]) {
                let length = rest.iter().take_while(|&&c| is_word(c)).count();
                (length, TokenKind::Word)
            } else {
                let operator = OPERATORS.iter().find(|o| rest.starts_with(o));
                (operator.map_or(1, |o| o.len()), TokenKind::Operator)
            };
            let start = self.at;
            self.at += length;
            return Some(Token { start: start as u32, end: self.at as u32, kind });
        }
        None
    }
}

fn number(rest: &[u8]) -> usize {
    let mut at = if rest[0] == b'.' { 2 } else { 1 };
    while at < rest.len() {
        match rest[at] {
            b'e' | b'E' | b'p' | b'P' if matches!(rest.get(at + 1), Some(b'+' | b'-')) => at += 2,
            c if c.is_ascii_alphanumeric() || c == b'_' || c == b'.' => at += 1,
            _ => break,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    const C: Lexis = Lexis { line_comments: &["//"], block_comments: &[("/*", "*/")] };
    const PYTHON: Lexis = Lexis { line_comments: &["#"], block_comments: &[] };

    fn split(text: &str, lexis: &Lexis) -> Vec<String> {
        let range = |t: Token| String::from_utf8_lossy(&text.as_bytes()[t.range()]).into_owned();
        tokens(text.as_bytes(), lexis).map(range).collect()
    }

    #[test]
    fn comments_and_blanks_do_not_count() {
        assert_eq!(split("a/*b*/+ c// d\n;", &C), ["a", "+", "c", ";"]);
        assert_eq!(split("a // b # c", &PYTHON), ["a", "//", "b"]);
    }

    #[test]
    fn a_string_is_one_token_with_its_prefix() {
        assert_eq!(split(r#"f(rb"\"x" 'y')"#, &PYTHON), ["f", "(", r#"rb"\"x""#, "'y'", ")"]);
        assert_eq!(split("'''a\n'b''' c", &PYTHON), ["'''a\n'b'''", "c"]);
        assert_eq!(split("L\"w\" abc\"x\"", &C), ["L\"w\"", "abc", "\"x\""]);
    }

    #[test]
    fn what_is_not_closed_is_single_characters() {
        assert_eq!(split("\"a\nb", &C), ["\"", "a", "b"]);
        assert_eq!(split("/* a", &C), ["/", "*", "a"]);
        assert_eq!(split("\"\"\" x", &PYTHON), ["\"\"", "\"", "x"]);
    }

    #[test]
    fn numbers_keep_their_exponents_and_suffixes() {
        assert_eq!(split("1e-5f+.5 0x1p+3L 1..2", &C), ["1e-5f", "+", ".5", "0x1p+3L", "1..2"]);
    }

    #[test]
    fn operators_are_as_long_as_possible() {
        assert_eq!(split("a<<=b->c...d", &C), ["a", "<<=", "b", "->", "c", "...", "d"]);
    }
}
