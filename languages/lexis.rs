//! Lexical tables: the forms of comments, strings, words and operators in a language, as data.

/// The lexical rules of a language. [`Lexis::DEFAULT`] suits most languages.
#[derive(Clone, Copy, Debug)]
pub struct Lexis {
    /// The markers that open a comment up to the end of the line, such as `//`.
    pub line_comments: &'static [&'static str],
    /// The pairs of markers that open and close a comment, such as `/*` and `*/`.
    pub block_comments: &'static [(&'static str, &'static str)],
    /// Whether comments nest.
    pub nested_comments: bool,
    /// Whether a comment up to the end of the line must begin a word: in Bash, `$#` opens none.
    pub separate_comments: bool,
    /// The forms of strings and characters. If two forms open alike, the longer one comes first.
    pub strings: &'static [Quotes],
    /// The form of strings that begin on the next line and end with a word at the beginning of a line.
    pub here_documents: Option<HereDocuments>,
    /// If slashes may enclose a regular expression: the words behind which a value begins, such as `return`. Behind
    /// another word, a literal or a closing bracket, a slash divides.
    pub regexes: Option<&'static [&'static str]>,
    /// Characters that may precede a word and belong to it, such as the `'` of Rust's lifetimes.
    pub sigils: &'static [char],
    /// Characters that words may contain besides the letters and digits of Unicode (XID), such as `_`.
    pub letters: &'static [char],
    /// Characters that may separate the digits of a number, besides `_`.
    pub separators: &'static [u8],
    /// Blanks besides the space and the control characters from tab to carriage return.
    pub blanks: &'static [char],
    /// Operators and other punctuation of several characters, except those in `assignments`. If two begin
    /// alike, the longer one comes first.
    pub operators: &'static [&'static str],
    /// Operators that also assign, such as `+=`: another operator followed by `=`.
    pub assignments: &'static [&'static str],
    /// The operators between an object and the name of its part, such as `.`.
    pub accesses: &'static [&'static str],
    /// The names of the first parameter of a method that stands for the object it is called on, such as
    /// `self`.
    pub receivers: &'static [&'static str],
    /// A short name of a type that numbers have, if it may stand for a type parameter; otherwise empty.
    pub number_type: &'static str,
    /// Names of types that need no definition or import, if the shortest text for a type cannot stand for all types.
    pub common_types: &'static [&'static str],
    /// The lines that are addressed to a preprocessor.
    pub directives: Option<Directives>,
    /// The usual width of a level of indentation in blanks.
    pub indentation: u8,
    /// Whether blanks usually surround a colon that ends no label, as in `class A : B`.
    pub has_spaced_colons: bool,
    /// Whether a program consists of lists in brackets whose items only blanks separate, as in Lisp.
    pub is_of_lists: bool,
    /// Whether results get the usual layout: a line for each statement, and blanks around operators.
    pub is_laid_out: bool,
}

impl Lexis {
    /// A good guess for an unknown language.
    pub const DEFAULT: Self = Self {
        line_comments: &[],
        block_comments: &[],
        nested_comments: false,
        separate_comments: false,
        strings: &[
            Quotes { lines: true, ..Quotes::of("\"\"\"") },
            Quotes { lines: true, ..Quotes::of("'''") },
            Quotes::of("\""),
            Quotes { behind_words: false, ..Quotes::of("'") },
        ],
        here_documents: None,
        regexes: None,
        sigils: &[],
        letters: &['_', '$'],
        separators: &[],
        blanks: &['\u{1c}', '\u{1d}', '\u{1e}', '\u{1f}', '\u{85}', '\u{a0}'],
        operators: &[
            "...", "->", ":=", "++", "--", "<<", ">>", "**", "//", "<=", ">=", "==", "!=", "&&", "||", "##",
        ],
        assignments: &["<<=", ">>=", "**=", "//=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="],
        accesses: &[".", "->"],
        receivers: &[],
        number_type: "",
        common_types: &[],
        directives: None,
        indentation: 4,
        has_spaced_colons: false,
        is_of_lists: false,
        is_laid_out: false,
    };

    /// Whether a word may contain this character after its first one.
    pub fn continues_word(&self, c: char) -> bool {
        self.letters.contains(&c) || unicode_ident::is_xid_continue(c)
    }

    /// Whether a word may begin with this character.
    pub fn starts_word(&self, c: char) -> bool {
        self.letters.contains(&c) || unicode_ident::is_xid_start(c)
    }

    /// Whether this character is white space.
    pub fn is_blank(&self, c: char) -> bool {
        matches!(c, ' ' | '\t'..='\r') || self.blanks.contains(&c)
    }

    /// Whether a text is an operator that also assigns.
    pub fn is_assignment(&self, text: &[u8]) -> bool {
        is_in(self.assignments, text)
    }

    /// Whether a text is an operator between an object and the name of its part.
    pub fn is_access(&self, text: &[u8]) -> bool {
        is_in(self.accesses, text)
    }

    /// Whether a method's parameter of this name stands for the object that the method is called on.
    pub fn is_receiver(&self, name: &[u8]) -> bool {
        is_in(self.receivers, name)
    }

    /// Whether byte `left` directly followed by `right` could be read as part of one token although the two
    /// bytes belong to different tokens. In doubt the answer is yes, which costs a blank.
    pub fn joins(&self, left: u8, right: u8) -> bool {
        // Bytes outside ASCII may belong to a letter.
        let word = |c: u8| !c.is_ascii() || self.continues_word(char::from(c));
        let opens = |c: u8| self.strings.iter().any(|form| form.open.as_bytes().first() == Some(&c));
        let comments = self.line_comments.iter().chain(self.block_comments.iter().map(|(open, _)| open));
        let mut several = self.operators.iter().chain(self.assignments).chain(comments);
        match (left, right) {
            (l, r) if word(l) && (word(r) || opens(r)) => true,
            (l, b'.') if l.is_ascii_digit() => true,
            (b'.', r) if r.is_ascii_digit() => true,
            (l, r) if l.is_ascii_punctuation() && r.is_ascii_punctuation() => {
                several.any(|text| text.as_bytes().windows(2).any(|two| two == [l, r]))
            }
            _ => false,
        }
    }
}

fn is_in(known: &[&str], text: &[u8]) -> bool {
    known.iter().any(|known| known.as_bytes() == text)
}

/// One form of strings or characters.
#[derive(Clone, Copy, Debug)]
pub struct Quotes {
    /// The opening quote.
    pub open: &'static str,
    /// The closing quote.
    pub close: &'static str,
    /// The prefixes, made of letters and digits, that may precede the opening quote.
    pub prefixes: &'static [&'static str],
    /// Whether a literal of this form may stand without a prefix.
    pub bare: bool,
    /// Whether prefixes may also be written in capitals.
    pub any_case: bool,
    /// Whether a backslash escapes the character after it.
    pub escapes: bool,
    /// Whether a literal of this form may span lines.
    pub lines: bool,
    /// Whether a literal of this form holds exactly one character or escape.
    pub single: bool,
    /// Whether a literal of this form may directly follow a word or a closing bracket. In prose and in YAML, it may
    /// not: `don't`.
    pub behind_words: bool,
}

impl Quotes {
    /// A literal between two of these quotes, on one line and with escapes.
    pub const fn of(quote: &'static str) -> Self {
        Self {
            open: quote,
            close: quote,
            prefixes: &[],
            bare: true,
            any_case: false,
            escapes: true,
            lines: false,
            single: false,
            behind_words: true,
        }
    }

    /// Whether a literal of this form may have this text, which may be empty, as its prefix.
    pub fn takes(&self, prefix: &[u8]) -> bool {
        let is = |known: &&str| match self.any_case {
            true => known.as_bytes().eq_ignore_ascii_case(prefix),
            false => known.as_bytes() == prefix,
        };
        (self.bare && prefix.is_empty()) || self.prefixes.iter().any(is)
    }
}

/// The form of strings that an operator and a word announce: they begin on the next line, and end with that word at the
/// beginning of a line.
#[derive(Clone, Copy, Debug)]
pub struct HereDocuments {
    /// The operator in front of the word, such as `<<`.
    pub open: &'static str,
    /// What may follow the operator directly: then the closing word may be indented.
    pub marks: &'static [u8],
    /// Whether blanks may stand in front of the announcing word.
    pub blanks: bool,
    /// Whether the closing word may have more beside it on its line, and be indented without a mark.
    pub inline: bool,
}

impl HereDocuments {
    /// The closing word, and whether it may be indented, if this operator with the text behind it announces a string.
    pub(crate) fn announced<'a>(&self, operator: &[u8], behind: &'a [u8]) -> Option<(&'a [u8], bool)> {
        let is_mark = |c: &u8| self.marks.contains(c);
        let marked = operator.strip_prefix(self.open.as_bytes())?;
        let (marked, behind) = match (marked, behind) {
            ([], [mark, behind @ ..]) if is_mark(mark) => (true, behind),
            ([], _) => (false, behind),
            ([mark], _) if is_mark(mark) => (true, behind),
            _ => return None,
        };
        let blank = |c: &&u8| self.blanks && matches!(c, b' ' | b'\t');
        let behind = &behind[behind.iter().take_while(blank).count()..];
        let behind = match behind {
            [b'"' | b'\'' | b'`' | b'\\', behind @ ..] => behind,
            _ => behind,
        };
        let length = behind.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count();
        let word = &behind[..length];
        let is_word = word.first().is_some_and(|c| !c.is_ascii_digit());
        is_word.then_some((word, marked || self.inline))
    }

    /// The end of a string that starts here, behind its closing word; `None` if that is missing.
    pub(crate) fn end(&self, text: &[u8], word: &[u8], indented: bool) -> Option<usize> {
        let mut at = 0;
        for line in text.split_inclusive(|&c| c == b'\n') {
            let blanks = line.iter().take_while(|c| indented && matches!(c, b' ' | b'\t')).count();
            if let Some(behind) = line[blanks..].strip_prefix(word) {
                let is_last = |c: &u8| match self.inline {
                    true => !c.is_ascii_alphanumeric() && *c != b'_',
                    false => matches!(c, b'\n' | b'\r'),
                };
                if behind.first().is_none_or(is_last) {
                    return Some(at + blanks + word.len());
                }
            }
            at += line.len();
        }
        None
    }
}

/// The form of preprocessor lines.
#[derive(Clone, Copy, Debug)]
pub struct Directives {
    /// The character that begins such a line.
    pub mark: &'static str,
    /// The directives that open a conditional part of the text.
    pub opens: &'static [&'static str],
    /// The directives that close it.
    pub closes: &'static [&'static str],
}

impl Directives {
    /// The effect of the directive of this name on the nesting depth of such parts.
    pub(crate) fn step(&self, name: &[u8]) -> isize {
        isize::from(is_in(self.opens, name)) - isize::from(is_in(self.closes, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables of all languages.
    fn tables() -> impl Iterator<Item = (&'static str, &'static Lexis)> {
        crate::all().iter().map(|language| (language.name(), language.lexis()))
    }

    #[test]
    fn of_two_forms_that_begin_alike_the_longer_one_comes_first() {
        for (name, lexis) in tables() {
            let operators: Vec<&str> = lexis.assignments.iter().chain(lexis.operators).copied().collect();
            let opens: Vec<&str> = lexis.strings.iter().map(|form| form.open).collect();
            for texts in [operators, opens] {
                for (i, text) in texts.iter().enumerate() {
                    let hidden =
                        texts[i + 1..].iter().find(|later| later != &text && later.starts_with(text));
                    assert_eq!(hidden, None, "{name}: {text} is found before");
                }
            }
        }
    }

    #[test]
    fn an_assignment_with_an_operator_is_the_operator_and_an_equals_sign() {
        for (name, lexis) in tables() {
            let is_one = |text: &&str| text.len() > 1 && text.ends_with('=');
            assert!(lexis.assignments.iter().all(is_one), "{name}: {:?}", lexis.assignments);
        }
    }

    #[test]
    fn the_lexer_looks_for_prefixes_as_long_as_any() {
        let forms = tables().flat_map(|(_, lexis)| lexis.strings);
        let longest = forms.flat_map(|form| form.prefixes).map(|prefix| prefix.len()).max();
        assert!(longest <= Some(crate::lexer::LONGEST_PREFIX), "{longest:?}");
    }

    #[test]
    fn whether_two_bytes_join_follows_the_table() {
        let (c, python) = (crate::c::C.lexis, crate::python::PYTHON.lexis);
        assert!(c.joins(b'+', b'+') && !python.joins(b'+', b'+'));
        assert!(python.joins(b'*', b'*') && !c.joins(b'*', b'*'));
        assert!(c.joins(b'/', b'*') && !python.joins(b'/', b'*'));
        assert!(c.joins(b'n', b'"') && c.joins(0xa4, b'a') && c.joins(b'1', b'.') && !c.joins(b'a', b'('));
    }
}
