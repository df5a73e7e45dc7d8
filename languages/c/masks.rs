//! What real C programs contain although the grammar lacks it: macros before declarations, code for C++, conditions that
//! cut through statements.

use super::code::{Code, FAR, MODIFIERS};
use crate::lexer::TokenKind;
use crate::lexis::Lexis;
use crate::sitter::Mask;
use std::ops::Range;

/// A macro before a declaration, and an attribute behind a star, is read as a qualifier, so that it belongs to the declaration.
pub(crate) const QUALIFIERS: Mask = Mask { word: "const", parts: qualifiers };

/// Code for C++ is not read at all.
pub(super) const FOREIGN: Mask = Mask { word: "", parts: foreign };

/// The lines of conditions are not read: the parts between them may be no whole statements.
pub(crate) const CONDITIONS: Mask = Mask { word: "", parts: conditions };

/// The fewest letters of a macro, as many as what the parser sees in its place.
const SHORTEST: usize = QUALIFIERS.word.len();

/// The macros before declarations, with their arguments: `API int f();`, `DEPRECATED("g") API int f();`; and the attributes of what a
/// pointer's declaration declares: `int *__attribute__((a)) f();`. O(tokens).
fn qualifiers(text: &[u8], lexis: &Lexis) -> Vec<Range<usize>> {
    let code = Code::new(text, lexis);
    let mut found = Vec::new();
    let (mut is_start, mut at) = (true, 0);
    while at < code.tokens.len() {
        if code.is_directive(at) {
            (is_start, at) = (true, code.line_end(at));
            continue;
        }
        if is_start {
            let mut next = at;
            loop {
                while MODIFIERS.contains(&code.word(next)) || code.word(next) == b"typedef" {
                    next += 1;
                }
                let Some(end) = code.macro_end(next) else { break };
                if !code.declares(end) && code.macro_end(end).is_none() {
                    break;
                }
                found.push(code.tokens[next].start as usize..code.tokens[end - 1].end as usize);
                next = end;
            }
            at = next.max(at);
        }
        if code.word(at) == b"*" {
            while let Some(end) = code.attribute_end(at + 1) {
                found.push(code.tokens[at + 1].start as usize..code.tokens[end - 1].end as usize);
                at = end - 1;
            }
        }
        is_start = matches!(code.word(at), b"{" | b"}" | b";");
        at += 1;
    }
    found
}

/// The start of a condition whose first part was found already: what ends it goes alone.
const ELSEWHERE: usize = usize::MAX;

/// The parts of conditions that only C++ reads, with the directives around them. O(tokens).
fn foreign(text: &[u8], lexis: &Lexis) -> Vec<Range<usize>> {
    let code = Code::new(text, lexis);
    let mut found = Vec::new();
    // For each open condition: where a part that only C++ reads begins, if this is one.
    let mut open: Vec<Option<usize>> = Vec::new();
    for (start, line) in code.directives() {
        let here = code.tokens[start].start as usize..line;
        match code.word(start + 1) {
            b"if" | b"ifdef" => open.push(code.is_for_cpp(start, line).then_some(here.start)),
            b"ifndef" => open.push(None),
            b"else" | b"elif" => {
                if let Some(Some(from)) = open.last_mut() {
                    let first = std::mem::replace(from, ELSEWHERE);
                    found.push(first.min(here.start)..here.end);
                }
            }
            b"endif" => match open.pop() {
                Some(Some(ELSEWHERE)) => found.push(here),
                Some(Some(from)) => found.push(from..here.end),
                _ => {}
            },
            _ => {}
        }
    }
    // Of nested parts, only the outermost one counts.
    found.sort_unstable_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    found.retain(|range| {
        let is_new = range.start >= end;
        end = end.max(range.end);
        is_new
    });
    found
}

/// The lines that begin, continue or end a condition. O(tokens).
fn conditions(text: &[u8], lexis: &Lexis) -> Vec<Range<usize>> {
    let code = Code::new(text, lexis);
    let is_condition =
        |at: usize| matches!(code.word(at + 1), b"if" | b"ifdef" | b"ifndef" | b"else" | b"elif" | b"endif");
    let lines = code.directives().filter(|(at, _)| is_condition(*at));
    lines.map(|(at, end)| code.tokens[at].start as usize..end).collect()
}

impl Code<'_> {
    /// The first token of each directive, and the byte at which its line ends.
    fn directives(&self) -> impl Iterator<Item = (usize, usize)> {
        let starts = (0..self.tokens.len()).filter(|&at| self.is_directive(at));
        starts.map(|at| (at, self.line_end_byte(at)))
    }

    /// Whether the condition of a directive holds for C++ alone.
    fn is_for_cpp(&self, start: usize, line: usize) -> bool {
        let end = self.tokens.partition_point(|token| (token.start as usize) < line);
        let has = |wanted: &[u8]| (start..end).any(|at| self.word(at) == wanted);
        has(b"__cplusplus") && !has(b"!") && !has(b"||")
    }

    /// The token behind a word that may be a macro, and behind its arguments.
    fn macro_end(&self, at: usize) -> Option<usize> {
        let token = self.tokens.get(at).filter(|token| token.kind == TokenKind::Word)?;
        let word = &self.text[token.range()];
        let is_capital = |c: &u8| c.is_ascii_uppercase() || c.is_ascii_digit() || *c == b'_';
        if word.len() < SHORTEST || !word.iter().all(is_capital) {
            return None;
        }
        if self.word(at + 1) == b"(" { self.closing(at + 1) } else { Some(at + 1) }
    }

    /// The token after an attribute at this place.
    fn attribute_end(&self, at: usize) -> Option<usize> {
        let is_attribute = matches!(self.word(at), b"__attribute__" | b"__attribute");
        if is_attribute && self.word(at + 1) == b"(" { self.closing(at + 1) } else { None }
    }

    /// Whether a type and a name follow.
    fn declares(&self, at: usize) -> bool {
        let is_word = |at: usize| self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Word);
        let is_part = |at: &usize| is_word(*at) || self.word(*at) == b"*";
        let end = at + (at..at + FAR).take_while(is_part).count();
        let words = (at..end).filter(|&at| is_word(at) && !MODIFIERS.contains(&self.word(at)));
        words.count() >= 2 && matches!(self.word(end), b"(" | b";" | b"=" | b"[" | b"," | b"{" | b":")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parsed;
    use crate::c::C;
    use proptest::prelude::*;

    fn parts<'a>(mask: &Mask, text: &'a str) -> Vec<&'a str> {
        (mask.parts)(text.as_bytes(), C.lexis).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn macros_before_declarations_are_found_and_types_are_not() {
        let found = "#define EXPORT\nEXPORT int f(int);\nstatic OLD_API(\"g\") EXPORT char *g();\nint x; EXPORT struct s { DEPRECATED int y; };\n";
        assert_eq!(parts(&QUALIFIERS, found), ["EXPORT", "OLD_API(\"g\")", "EXPORT", "EXPORT", "DEPRECATED"]);
        let others =
            "UINT32 x; STREAM *f(); HANDLE const y = 1; { VALUE = 2; CHECK(x); MACRO(x) { } } API int g();\n";
        assert_eq!(parts(&QUALIFIERS, others), [""; 0]);
    }

    #[test]
    fn the_attributes_of_what_a_pointer_is_declared_for_are_found() {
        let text = "void *__attribute__((a)) __attribute__((b(2)))\nf(int c) __attribute__((d));\n";
        assert_eq!(parts(&QUALIFIERS, text), ["__attribute__((a))", "__attribute__((b(2)))"]);
        assert_eq!(Parsed::new(&C, text.into()).syntax().errors, 0);
    }

    #[test]
    fn code_for_cpp_is_found_with_the_directives_around_it() {
        let text = "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint x;\n#if defined (__cplusplus)\n#if 1\n}\n#endif\n#else\nint y;\n#endif\n#ifndef __cplusplus\n#endif\n";
        let expected = [
            "#ifdef __cplusplus\nextern \"C\" {\n#endif",
            "#if defined (__cplusplus)\n#if 1\n}\n#endif\n#else",
            "#endif",
        ];
        assert_eq!(parts(&FOREIGN, text), expected);
        assert_eq!(parts(&FOREIGN, "#endif\n#else\n#ifdef __cplusplus\n"), [""; 0]);
        let three = "#if __cplusplus > 1\n{\n#elif A\n#else\n#endif";
        assert_eq!(parts(&FOREIGN, three), ["#if __cplusplus > 1\n{\n#elif A", "#else", "#endif"]);
    }

    #[test]
    fn conditions_are_found_line_by_line() {
        let text = "# if A \\\n  B\nx\n#else /* c */\n#define y\n#endif";
        assert_eq!(parts(&CONDITIONS, text), ["# if A \\\n  B", "#else /* c */", "#endif"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn parts_lie_apart_in_the_text_and_are_no_shorter_than_their_word(
            pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24),
        ) {
            let text: String = pieces.concat();
            for mask in C.masks {
                let found = (mask.parts)(text.as_bytes(), C.lexis);
                prop_assert!(found.iter().all(|range| range.end <= text.len()));
                prop_assert!(found.iter().all(|range| range.start + mask.word.len().max(1) <= range.end));
                prop_assert!(found.windows(2).all(|two| two[0].end <= two[1].start), "{:?} in {}", found, text);
            }
            let file = Parsed::new(&C, text.clone().into_bytes());
            prop_assert!(file.tree().nodes().all(|node| file.tree().range(node).end <= text.len()));
        }
    }

    /// What conditions and macros are made of, in any order.
    const PIECES: &[&str] = &[
        "#ifdef __cplusplus\n",
        "#if defined(__cplusplus) && A\n",
        "#ifndef B\n",
        "#if A \\\n B\n",
        "#elif C\n",
        "#else\n",
        "#endif\n",
        "#",
        "extern \"C\" {\n",
        "}\n",
        "{",
        "LIB_API ",
        "LIB_OLD(\"x\") ",
        "LIB_OLD(",
        "static ",
        "int f(void);\n",
        "struct s x",
        ";\n",
    ];

    fn texts_of(file: &Parsed, kind: &str) -> Vec<String> {
        let tree = file.tree();
        let nodes = tree.nodes().filter(|&node| tree.kind_name(node) == kind);
        nodes.map(|node| String::from_utf8_lossy(file.node_text(node)).into_owned()).collect()
    }

    #[test]
    fn a_macro_belongs_to_the_declaration_behind_it() {
        let text = "#ifdef __cplusplus\nextern \"C\" {\n#endif\nLIB_API int f(const char *s);\nLIB_OLD(\"f\") LIB_API int g(void);\n#ifdef __cplusplus\n}\n#endif\n";
        let file = Parsed::new(&C, text.into());
        // The bracket that only C++ has.
        assert_eq!(file.syntax().errors, 1);
        assert_eq!(
            texts_of(&file, "declaration"),
            ["LIB_API int f(const char *s);", "LIB_OLD(\"f\") LIB_API int g(void);"]
        );
        assert_eq!(texts_of(&file, "type_qualifier"), ["LIB_API", "const", "LIB_OLD(\"f\")", "LIB_API"]);
        assert_eq!(*file.text, text.as_bytes());
    }

    #[test]
    fn a_condition_that_cuts_through_a_statement_breaks_no_function() {
        let text = "int f(int x) {\n  return x +\n#if A\n  1 +\n#else\n  2 +\n#endif\n  3;\n}\n";
        let file = Parsed::new(&C, text.into());
        assert_eq!(file.syntax().errors, 0);
        assert_eq!(texts_of(&file, "function_definition"), [text.trim_end()]);
    }

    #[test]
    fn a_text_that_the_grammar_accepts_is_read_as_it_is() {
        let file = Parsed::new(&C, b"LIB_HANDLE x;\n#if A\nint y;\n#endif\n".into());
        assert_eq!((texts_of(&file, "preproc_if").len(), texts_of(&file, "type_identifier").len()), (1, 1));
    }
}
