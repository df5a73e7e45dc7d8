//! The lexer that the measure is based on: it ignores blanks and comments, and a string is one token.
//!
//! One hand-written lexer serves every language; a language's table ([`Lexis`]) holds all differences.

use crate::lexis::{Lexis, Quotes};
use std::ops::Range;

/// The kind of a token, only as detailed as passes need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenKind {
    /// An identifier or keyword.
    Word,
    /// A number, with its suffix.
    Number,
    /// A string or character literal, with its prefix, or a regular expression between slashes, with its flags.
    String,
    /// Any other token.
    Operator,
}

/// A token: a byte range and a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The kind.
    pub kind: TokenKind,
}

impl Token {
    /// The token's byte range.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The kind of a bracket, as a number below 3, and its effect on the nesting depth; `None` if the token is
/// not a bracket.
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

/// Adds the brackets of a token to the balance of each kind, `sign` times: Bash has tokens of several, such as `$((`.
pub(crate) fn count_brackets(text: &[u8], token: &Token, sign: isize, balance: &mut [isize; 3]) {
    if token.kind != TokenKind::Operator {
        return;
    }
    for (kind, step) in text[token.range()].chunks(1).filter_map(bracket) {
        balance[kind] += sign * step;
    }
}

/// The tokens of `text`, in order. Any bytes are accepted; each byte that is not valid UTF-8 is a token.
/// Linear, except that an unclosed literal costs a search up to the end of the text, once for each form.
pub fn tokens<'a>(text: &'a [u8], lexis: &'a Lexis) -> Tokens<'a> {
    Tokens {
        text,
        lexis,
        at: 0,
        unclosed: 0,
        unclosed_comment: false,
        here: Vec::new(),
        operand: false,
        vain: 0,
    }
}

/// The iterator that `tokens` returns.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a [u8],
    lexis: &'a Lexis,
    at: usize,
    /// A bit for each form of strings that may span lines: set once the rest of the text is known to have no
    /// closing quote.
    unclosed: u32,
    unclosed_comment: bool,
    /// The strings that were announced on this line, and begin on the next one.
    here: Vec<Range<usize>>,
    /// Whether no regular expression may begin behind the last token: it ends an operand, so that a slash divides, or it
    /// opens a tag.
    operand: bool,
    /// The bytes that were searched in vain for the ends of regular expressions and of strings on the next lines.
    vain: usize,
}

/// The length of a text, times this, is how much of it is searched in vain for such ends.
const VAIN: usize = 8;

/// The longest prefix of a string, in bytes.
pub(crate) const LONGEST_PREFIX: usize = 3;

/// The first character of a text and its length in bytes; `None` if it is not valid UTF-8.
fn character(text: &[u8]) -> Option<(char, usize)> {
    let first = *text.first()?;
    if first.is_ascii() {
        return Some((char::from(first), 1));
    }
    let length = match first {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    };
    let c = std::str::from_utf8(text.get(..length)?).ok()?.chars().next()?;
    Some((c, length))
}

fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    text.windows(needle.len()).position(|w| w == needle)
}

impl<'a> Tokens<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// Skips blanks, line continuations and comments.
    fn skip(&mut self) {
        loop {
            self.at += self.blanks();
            // No comment begins with a letter or a digit.
            if self.rest().first().is_none_or(u8::is_ascii_alphanumeric) || !self.skip_comment() {
                return;
            }
        }
    }

    /// Skips one line continuation or comment; returns whether there was one.
    fn skip_comment(&mut self) -> bool {
        let rest = self.rest();
        if let Some(end) = [&b"\\\n"[..], b"\\\r\n"].into_iter().find(|end| rest.starts_with(end)) {
            self.at += end.len();
            return true;
        }
        // A comment in brackets may open like one up to the end of the line: `--[[` and `--` in Lua.
        for (open, close) in self.lexis.block_comments {
            if rest.starts_with(open.as_bytes()) && !self.unclosed_comment {
                match self.comment(open.as_bytes(), close.as_bytes()) {
                    Some(length) => {
                        self.at += length;
                        return true;
                    }
                    None => self.unclosed_comment = true,
                }
            }
        }
        for open in self.lexis.line_comments {
            if rest.starts_with(open.as_bytes()) && (!self.lexis.separate_comments || self.begins_word()) {
                let length = rest.iter().position(|&c| c == b'\n');
                self.at += length.unwrap_or(rest.len());
                return true;
            }
        }
        false
    }

    /// Whether a word may begin here: behind a blank or what separates commands.
    fn begins_word(&self) -> bool {
        let before = self.text[..self.at].last();
        before.is_none_or(|c| matches!(c, b' ' | b'\t'..=b'\r' | b';' | b'&' | b'|' | b'(' | b')'))
    }

    /// The length of the blanks that start here.
    fn blanks(&self) -> usize {
        let rest = self.rest();
        let mut at = 0;
        loop {
            match rest.get(at) {
                Some(b' ' | b'\t'..=b'\r') => at += 1,
                None | Some(b'!'..=b'~') => return at,
                Some(_) => match character(&rest[at..]).filter(|(c, _)| self.lexis.is_blank(*c)) {
                    Some((_, length)) => at += length,
                    None => return at,
                },
            }
        }
    }

    /// The length of the comment that starts here.
    fn comment(&self, open: &[u8], close: &[u8]) -> Option<usize> {
        let rest = self.rest();
        if !self.lexis.nested_comments {
            return find(&rest[open.len()..], close).map(|inside| open.len() + inside + close.len());
        }
        let (mut depth, mut at) = (0, 0);
        while at < rest.len() {
            if rest[at..].starts_with(open) {
                depth += 1;
                at += open.len();
            } else if rest[at..].starts_with(close) {
                depth -= 1;
                at += close.len();
                if depth == 0 {
                    return Some(at);
                }
            } else {
                at += 1;
            }
        }
        None
    }

    /// The length of the string literal that starts here, prefix included.
    fn string(&mut self) -> Option<usize> {
        let rest = self.rest();
        let length = rest.iter().take(LONGEST_PREFIX).take_while(|c| c.is_ascii_alphanumeric()).count();
        let (prefix, body) = rest.split_at(length);
        let first = *body.first()?;
        let ends_word = |c: &u8| {
            c.is_ascii_alphanumeric() || !c.is_ascii() || matches!(c, b')' | b']' | b'}' | b'`' | b'*' | b'.')
        };
        let inside_word = length == 0 && self.text[..self.at].last().is_some_and(ends_word);
        let forms = (0_u32..).zip(self.lexis.strings);
        for (index, form) in forms.filter(|(_, form)| form.open.as_bytes().first() == Some(&first)) {
            let known = self.unclosed >> index & 1 == 1;
            if known || !body.starts_with(form.open.as_bytes()) || !form.takes(prefix) {
                continue;
            }
            if inside_word && !form.behind_words {
                continue;
            }
            match closing(body, form) {
                Some(end) => return Some(length + end),
                None if form.lines => self.unclosed |= 1 << index,
                None => {}
            }
        }
        None
    }

    /// Looks for the string on the next lines that an operator before this place announces.
    fn announce(&mut self, operator: &[u8]) {
        let Some(form) = self.lexis.here_documents.filter(|_| self.vain <= VAIN * self.text.len()) else {
            return;
        };
        let Some((word, indented)) = form.announced(operator, self.rest()) else { return };
        let line_end = || self.rest().iter().position(|&c| c == b'\n').map(|end| self.at + end);
        let Some(start) = self.here.last().map_or_else(line_end, |before| Some(before.end)) else { return };
        // Behind the string before this one, its line ends first.
        let start = (start + 1).min(self.text.len());
        match form.end(&self.text[start..], word, indented) {
            Some(length) => self.here.push(start..start + length),
            None => self.vain += self.text.len() - start,
        }
    }

    /// The string that was announced on the line before this one, if the blanks up to here end that line.
    fn string_here(&mut self, from: usize) -> Option<Token> {
        let range = self.here.first().filter(|range| range.start <= self.at)?.clone();
        if from > range.start {
            // A token of the line above reaches into it.
            self.here.clear();
            return None;
        }
        self.here.remove(0);
        self.at = range.end;
        Some(Token { start: range.start as u32, end: range.end as u32, kind: TokenKind::String })
    }

    /// The length of the regular expression between slashes that starts here, with its flags.
    fn regex(&mut self) -> Option<usize> {
        let rest = self.rest();
        let is_allowed = self.lexis.regexes.is_some() && !self.operand && self.vain <= VAIN * self.text.len();
        if !is_allowed || rest.first() != Some(&b'/') {
            return None;
        }
        let (mut at, mut in_class) = (1, false);
        loop {
            match rest.get(at) {
                None | Some(b'\n') => {
                    self.vain += at;
                    return None;
                }
                Some(b'\\') => at += 1,
                Some(b'[') => in_class = true,
                Some(b']') => in_class = false,
                Some(b'/') if !in_class => break,
                Some(_) => {}
            }
            at += 1;
        }
        let flags = rest[at + 1..].iter().take_while(|c| c.is_ascii_alphanumeric()).count();
        Some(at + 1 + flags)
    }

    /// Whether no regular expression may begin behind a token of this text.
    fn ends_operand(&self, kind: TokenKind, text: &[u8]) -> bool {
        match kind {
            TokenKind::Word => !self.lexis.regexes.unwrap_or(&[]).iter().any(|word| word.as_bytes() == text),
            TokenKind::Number | TokenKind::String => true,
            // What closes a tag begins with `</`.
            TokenKind::Operator => matches!(text, b")" | b"]" | b"}" | b"++" | b"--" | b"<"),
        }
    }

    /// The length of the word that starts here.
    fn word(&self) -> Option<usize> {
        let rest = self.rest();
        let sigil = character(rest).filter(|(c, _)| self.lexis.sigils.contains(c)).map_or(0, |(_, n)| n);
        let (_, first) = character(&rest[sigil..]).filter(|(c, _)| self.lexis.starts_word(*c))?;
        Some(self.word_behind(sigil + first))
    }

    /// The length of a word, the first bytes of which have already been read.
    fn word_behind(&self, start: usize) -> usize {
        let rest = self.rest();
        let mut at = start;
        loop {
            at += rest[at..].iter().take_while(|c| c.is_ascii_alphanumeric()).count();
            match character(&rest[at..]).filter(|(c, _)| self.lexis.continues_word(*c)) {
                Some((_, length)) => at += length,
                None => return at,
            }
        }
    }

    /// The length of the number that starts here.
    fn number(&self) -> Option<usize> {
        let rest = self.rest();
        let point = usize::from(rest[0] == b'.');
        if !rest.get(point).is_some_and(u8::is_ascii_digit) {
            return None;
        }
        let has_ranges = || self.lexis.operators.contains(&"..");
        let mut at = point + 1;
        while at < rest.len() {
            match rest[at] {
                b'e' | b'E' | b'p' | b'P' if matches!(rest.get(at + 1), Some(b'+' | b'-')) => at += 2,
                b'.' if rest.get(at + 1) == Some(&b'.') && has_ranges() => break,
                c if c.is_ascii_alphanumeric() || c == b'_' || c == b'.' => at += 1,
                c if self.lexis.separators.contains(&c)
                    && rest.get(at + 1).is_some_and(u8::is_ascii_alphanumeric) =>
                {
                    at += 1;
                }
                _ => break,
            }
        }
        Some(at)
    }

    /// The length of the operator that starts here: one character if the table does not list it.
    fn operator(&self) -> usize {
        let rest = self.rest();
        // Every operator of the table consists of at least two adjacent characters.
        if rest[0].is_ascii() && !rest.get(1).is_some_and(u8::is_ascii_punctuation) {
            return 1;
        }
        let mut known = self.lexis.assignments.iter().chain(self.lexis.operators);
        // Comparing the first byte first avoids most comparisons of slices.
        let is_here = |text: &[u8]| text.first() == rest.first() && rest.starts_with(text);
        let operator = known.find(|operator| is_here(operator.as_bytes()));
        operator.map_or_else(|| character(rest).map_or(1, |(_, length)| length), |operator| operator.len())
    }
}

/// The end of a string whose prefix has been read; `None` if it is not closed.
fn closing(body: &[u8], form: &Quotes) -> Option<usize> {
    let mut at = form.open.len();
    if form.single && body.get(at) != Some(&b'\\') {
        let (c, length) = character(&body[at..])?;
        let end = at + length;
        let closes = c != '\n' && body[end..].starts_with(form.close.as_bytes());
        return closes.then_some(end + form.close.len());
    }
    while at < body.len() {
        if body[at..].starts_with(form.close.as_bytes()) {
            return Some(at + form.close.len());
        }
        match body[at] {
            b'\\' if form.escapes && at + 1 < body.len() => at += 2,
            b'\\' if form.escapes => return None,
            b'\n' if !form.lines => return None,
            _ => at += 1,
        }
    }
    None
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let from = self.at;
        self.skip();
        if let Some(token) = self.string_here(from) {
            return Some(token);
        }
        let first = *self.rest().first()?;
        let (length, kind) = if let Some(length) = self.string() {
            (length, TokenKind::String)
        } else if let Some(length) = self.regex() {
            (length, TokenKind::String)
        } else if first.is_ascii_alphabetic() {
            (self.word_behind(0), TokenKind::Word)
        } else if let Some(length) = self.number() {
            (length, TokenKind::Number)
        } else if let Some(length) = self.word() {
            (length, TokenKind::Word)
        } else {
            (self.operator(), TokenKind::Operator)
        };
        let start = self.at;
        self.at += length;
        if kind == TokenKind::Operator {
            self.announce(&self.text[start..self.at]);
        }
        self.operand = self.lexis.regexes.is_some() && self.ends_operand(kind, &self.text[start..self.at]);
        Some(Token { start: start as u32, end: self.at as u32, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::c::C;
    use crate::python::PYTHON;

    fn split(text: &str, language: &crate::sitter::Grammar) -> Vec<String> {
        split_by(text, language.lexis)
    }

    fn split_by(text: &str, lexis: &Lexis) -> Vec<String> {
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
    fn a_slash_opens_a_regular_expression_only_where_a_value_may_begin() {
        let javascript = |text| split(text, &crate::javascript::JAVASCRIPT);
        assert_eq!(javascript("a = /[/'`]\\//g.b"), ["a", "=", "/[/'`]\\//g", ".", "b"]);
        assert_eq!(javascript("return /`/ / 2"), ["return", "/`/", "/", "2"]);
        assert_eq!(javascript("a / b / `c`"), ["a", "/", "b", "/", "`c`"]);
        assert_eq!(javascript("(a) / b /= 1"), ["(", "a", ")", "/", "b", "/=", "1"]);
        assert_eq!(javascript("x = /a\n/"), ["x", "=", "/", "a", "/"]);
        assert_eq!(javascript("<b>c</b></d>"), ["<", "b", ">", "c", "<", "/", "b", ">", "<", "/", "d", ">"]);
        assert_eq!(split("x if /'/ =~ y", &crate::ruby::RUBY), ["x", "if", "/'/", "=~", "y"]);
    }

    #[test]
    fn a_string_on_the_next_lines_is_one_token_with_the_word_that_ends_it() {
        let bash = |text| split(text, &crate::bash::BASH);
        assert_eq!(
            bash("a <<E; b\ndon't # c\n E\nEs\nE\nd '"),
            ["a", "<<", "E", ";", "b", "don't # c\n E\nEs\nE", "d", "'"]
        );
        assert_eq!(
            bash("a <<-'E' << \"F\" # b\n\n\tE\nf\nF"),
            ["a", "<<-", "'E'", "<<", "\"F\"", "\n\tE", "f\nF"]
        );
        assert_eq!(bash("$((1<<b)) <<<E\nE\n"), ["$((", "1", "<<", "b", "))", "<<<", "E", "E"]);
        let ruby = |text| split(text, &crate::ruby::RUBY);
        assert_eq!(
            ruby("f(<<~E, 1)\n  it's\n  E\ng << E\nE"),
            ["f", "(", "<<", "~", "E", ",", "1", ")", "  it's\n  E", "g", "<<", "E", "E"]
        );
        let php = |text| split(text, &crate::php::PHP);
        assert_eq!(php("f(<<<E\n  it's\n Es\n  E);"), ["f", "(", "<<<", "E", "  it's\n Es\n  E", ")", ";"]);
    }

    #[test]
    fn a_string_on_the_next_lines_whose_end_is_missing_is_none() {
        assert_eq!(split("a <<E\nb 'c'\n", &crate::bash::BASH), ["a", "<<", "E", "b", "'c'"]);
        assert_eq!(split("a <<E 'b\nE\nc'", &crate::bash::BASH), ["a", "<<", "E", "'b\nE\nc'"]);
    }

    #[test]
    fn a_comment_of_bash_and_yaml_begins_a_word() {
        assert_eq!(split("a $# b;# c", &crate::bash::BASH), ["a", "$", "#", "b", ";"]);
        assert_eq!(split("a#b # c", &crate::yaml::YAML), ["a", "#", "b"]);
    }

    #[test]
    fn an_apostrophe_in_prose_opens_no_string() {
        assert_eq!(
            split("don't 'x y' can't", &crate::yaml::YAML),
            ["don", "'", "t", "'x y'", "can", "'", "t"]
        );
        assert_eq!(split_by("it's 'x y'", &Lexis::DEFAULT), ["it", "'", "s", "'x y'"]);
        assert_eq!(split("return'x'", &crate::javascript::JAVASCRIPT), ["return", "'x'"]);
    }

    #[test]
    fn a_raw_string_of_rust_has_no_escapes() {
        let rust = |text| split(text, &crate::rust::RUST);
        assert_eq!(
            rust(r##"r"\" + r#"a"b"# + b"\"""##),
            [r##"r"\""##, "+", r##"r#"a"b"#"##, "+", r#"b"\"""#]
        );
        assert_eq!(rust(r###"r##"a"#b"## c"###), [r###"r##"a"#b"##"###, "c"]);
    }

    #[test]
    fn an_apostrophe_separates_the_digits_of_a_number_of_cpp() {
        assert_eq!(split("1'000 + 'a'", &crate::cpp::CPP), ["1'000", "+", "'a'"]);
    }

    #[test]
    fn a_raw_string_of_cpp_needs_its_prefix() {
        let cpp = |text| split_by(text, crate::cpp::CPP.lexis);
        assert_eq!(
            cpp(r#"f("(a)", R"(b "c\")" u8R"()")"#),
            ["f", "(", "\"(a)\"", ",", r#"R"(b "c\")""#, r#"u8R"()""#, ")"]
        );
        assert_eq!(cpp("a::b<=>c.*d->*e"), ["a", "::", "b", "<=>", "c", ".*", "d", "->*", "e"]);
    }

    #[test]
    fn only_a_prefix_of_the_language_belongs_to_a_string() {
        assert_eq!(split("x in\"ab\" or Rb'c'", &PYTHON), ["x", "in", "\"ab\"", "or", "Rb'c'"]);
        assert_eq!(split("u8\"a\" LL'b' U'c' l'd'", &C), ["u8\"a\"", "LL", "'b'", "U'c'", "l", "'d'"]);
    }

    #[test]
    fn the_quote_of_a_character_may_also_begin_a_lifetime() {
        const RAW: Quotes = Quotes { close: "\"#", prefixes: &["r"], escapes: false, ..Quotes::of("#\"") };
        const CHARACTER: Quotes = Quotes { single: true, prefixes: &["b"], ..Quotes::of("'") };
        let lexis = Lexis {
            strings: const { &[RAW, Quotes::of("\""), CHARACTER] },
            sigils: &['\''],
            operators: &["..", "::"],
            nested_comments: true,
            block_comments: &[("/*", "*/")],
            ..Lexis::DEFAULT
        };
        let text = "f<'a>(b'x', '\\'', 'é', &'static str) r#\"a\"b\\\"# /* a /* b */ c */ 0..9 1.5";
        let expected = [
            "f",
            "<",
            "'a",
            ">",
            "(",
            "b'x'",
            ",",
            "'\\''",
            ",",
            "'é'",
            ",",
            "&",
            "'static",
            "str",
            ")",
            "r#\"a\"b\\\"#",
            "0",
            "..",
            "9",
            "1.5",
        ];
        assert_eq!(split_by(text, &lexis), expected);
    }

    #[test]
    fn letters_of_all_scripts_make_words_and_other_characters_are_one_token_each() {
        assert_eq!(split("größe = 名2+½🦀", &PYTHON), ["größe", "=", "名2", "+", "½", "🦀"]);
        assert_eq!(split_by("a\u{85}b\u{a0}c", &Lexis::DEFAULT), ["a", "b", "c"]);
        assert_eq!(split("a\u{a0}b", &PYTHON), ["a", "\u{a0}", "b"]);
        assert_eq!(tokens(b"a\x85\xc3", &Lexis::DEFAULT).count(), 3);
    }

    #[test]
    fn a_line_continuation_is_no_token() {
        assert_eq!(split("a\\\nb\\\r\nc\\d", &C), ["a", "b", "c", "\\", "d"]);
    }

    #[test]
    fn an_unclosed_quote_or_comment_is_read_as_punctuation() {
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
        assert_eq!(split("**a@=++b", &PYTHON), ["**", "a", "@=", "+", "+", "b"]);
        assert_eq!(split("**a@=++b", &C), ["*", "*", "a", "@", "=", "++", "b"]);
    }
}
