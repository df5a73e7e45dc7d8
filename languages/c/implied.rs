//! The places where C before C99 omits `int`: functions and variables without a type.
//!
//! Compilers accept such programs, and reduced programs are full of them; the grammar rejects them.

use super::code::{Code, FAR, MODIFIERS};
use crate::lexer::TokenKind;
use crate::lexis::Lexis;

/// Words that never begin a declaration, although a bracket may follow them.
const STATEMENTS: &[&[u8]] = &[b"if", b"while", b"for", b"switch", b"return", b"sizeof", b"do", b"else"];

/// Words that are a type, or begin one.
const TYPES: &[&[u8]] = &[
    b"int",
    b"char",
    b"float",
    b"double",
    b"void",
    b"long",
    b"short",
    b"signed",
    b"unsigned",
    b"_Bool",
    b"struct",
    b"union",
    b"enum",
    b"typedef",
];

/// The bytes before which `int` is implied, in order. O(tokens).
pub(super) fn implied(text: &[u8], lexis: &Lexis) -> Vec<usize> {
    let code = Code::new(text, lexis);
    let mut found = Vec::new();
    let (mut depth, mut is_start, mut is_statement, mut at) = (0usize, true, true, 0);
    while at < code.tokens.len() {
        let word = code.word(at);
        if code.is_directive(at) {
            at = code.line_end(at);
            continue;
        }
        if is_start {
            let outside = (depth == 0).then_some(is_statement);
            found.extend(code.untyped(at, outside).map(|name| code.tokens[name].start as usize));
        }
        match word {
            b"{" => depth += 1,
            b"}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_start = matches!(word, b"{" | b"}" | b";" | b")");
        // A name behind other brackets may belong to the type or the attribute that they end.
        is_statement = word == b";";
        at += 1;
    }
    found
}

impl Code<'_> {
    /// The name that a declaration without a type at this place begins with, or the stars before the name. `outside` tells for a
    /// place outside of functions whether a declaration begins there for certain.
    fn untyped(&self, start: usize, outside: Option<bool>) -> Option<usize> {
        let modifiers = (start..).take_while(|&at| MODIFIERS.contains(&self.word(at))).count();
        let begin = start + modifiers;
        let name = begin + (begin..).take_while(|&at| self.word(at) == b"*").count();
        let is_word = self.tokens.get(name).is_some_and(|token| token.kind == TokenKind::Word);
        if !is_word || STATEMENTS.contains(&self.word(name)) || TYPES.contains(&self.word(name)) {
            return None;
        }
        let has_list = outside.is_some() && self.word(name + 1) == b"(";
        let is_function = || has_list && self.closing(name + 1).is_some_and(|at| self.is_defined(at));
        let is_declared = match self.word(name + 1) {
            // A name alone is an expression for the grammar, which it accepts.
            b";" => name > start,
            b"=" | b"," | b"[" => true,
            _ => false,
        };
        let is_variable = is_declared && (modifiers > 0 || outside == Some(true));
        (is_variable || is_function()).then_some(begin)
    }

    /// Whether a body follows, possibly after declarations of parameters.
    fn is_defined(&self, at: usize) -> bool {
        let is_end = |at: &usize| matches!(self.word(*at), b"{" | b"}" | b"=" | b"");
        let Some(body) = (at..at + FAR).find(is_end) else { return false };
        let begins = |word: &[u8]| word != b";" && word != b",";
        self.word(body) == b"{" && (body == at || begins(self.word(at)) && self.word(body - 1) == b";")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parsed;
    use crate::c::C;

    /// The text with `@` wherever `int` is implied.
    fn marked(text: &str) -> String {
        let mut out = text.to_owned();
        implied(text.as_bytes(), C.lexis).iter().rev().for_each(|&at| out.insert(at, '@'));
        out
    }

    #[test]
    fn functions_and_variables_without_a_type_are_found() {
        let found = [
            "@main() {}",
            "int x; @f(a) float a; { if (a) {} }",
            "#define A \\\n B\n@f(a, b) {}",
            "static @f() {} static @x = 1, y; extern @z[];",
            "@*f(a) char *a, b; int c; {}",
            "{ static @x; auto @y = 1; }",
            "@a[], *b; int c; @d = 1; @*e;",
        ];
        for text in found {
            assert_eq!(marked(&text.replace('@', "")), text);
        }
    }

    #[test]
    fn no_int_is_implied_beside_a_type_or_outside_a_definition() {
        let others = [
            "int main() { f(x) ; { } }",
            "f(x); int y = 1; struct s { int a; };",
            "static int x; const T y; extern f(int);",
            "int = 3; static char, *a; void;",
            "struct s { int a; } b, *c; int d() { b[0] = 1, *c; } int __attribute__((e)) g = 1;",
            "MACRO(x) int f() {}",
            "T f(a) {} main() { while (x) { } }",
            "f(x) = {",
            "f(((",
        ];
        for text in others {
            let expected = text.replace(" main", " @main");
            let expected = if text.contains("int main") { text.to_owned() } else { expected };
            assert_eq!(marked(text), expected);
        }
    }

    #[test]
    fn the_tree_is_that_of_the_text_with_int_but_spans_the_text_as_it_is() {
        let text = b"x;\nf(a) float a; { return a; }\nmain() { static y; f(x + y); }\n";
        let file = Parsed::new(&C, text.to_vec());
        assert_eq!(file.syntax().errors, 0);
        let tree = file.tree();
        let of_kind = |kind: &str| {
            let nodes = tree.nodes().filter(|&n| tree.kind_name(n) == kind);
            nodes.map(|n| String::from_utf8_lossy(file.node_text(n)).into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(
            of_kind("function_definition"),
            ["f(a) float a; { return a; }", "main() { static y; f(x + y); }"]
        );
        assert_eq!(of_kind("declaration"), ["float a;", "static y;"]);
        assert_eq!(of_kind("primitive_type"), ["float"]);
        let names = |d: &crate::bindings::Definition| file.node_text(d.places[0].name);
        let names: Vec<_> = file.bindings(0).definitions().iter().map(names).collect();
        assert_eq!(names, [&b"x"[..], b"f", b"a", b"main", b"y"]);
    }

    #[test]
    fn a_reparse_counts_no_error_where_int_is_implied() {
        let file = Parsed::new(&C, b"int f(int a) { return a; }".to_vec());
        let edit = crate::edit::Edit::delete(0, 0..4);
        let language: &dyn crate::Language = &C;
        assert_eq!(language.reparse(&file, &[edit]), 0);
    }
}
