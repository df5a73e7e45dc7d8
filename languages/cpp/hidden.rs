//! The parts of a text that compilers accept and tree-sitter's grammar does not: the parser does not see them,
//! since its repair of an error can break a whole name space apart.

use crate::c::named_constants::of_cpp;
use crate::lexer::{Token, bracket, tokens};
use crate::lexis::Lexis;
use std::ops::Range;

/// The parts to hide, in order: attributes behind the name of a name space or of a variable, `__extension__`, `_Complex`,
/// `constexpr` or `inline` behind `friend`, the class of a pointer to a member, the `template` of an explicit instantiation
/// elsewhere, `const` in the default of a template's parameter, `typename` of a returned value, and the second `...` of two.
///
/// The parser sees `friend` in the place of attributes and `friend`, `decltype` in the place of other spellings of it,
/// `template` for `extern template` before a class, an ordinary member in the place of one that is an operator or that a
/// pointer selects, `+` for a comma between expressions in `decltype`, and a name for `TRUE` where the file defines it. O(tokens).
pub(super) fn hidden(text: &[u8], lexis: &Lexis) -> Vec<(Range<usize>, &'static str)> {
    let tokens: Vec<Token> = tokens(text, lexis).collect();
    let word = |at: usize| tokens.get(at).map_or(&b""[..], |token: &Token| &text[token.range()]);
    let before = |at: usize| at.checked_sub(1).map_or(&b""[..], word);
    let range = |from: usize, to: usize| tokens[from].start as usize..tokens[to - 1].end as usize;
    let mut found = of_cpp(text, lexis);
    let mut braces = Braces::default();
    let mut at = 0;
    while at < tokens.len() {
        braces.see(word(at));
        if let Some((to, word)) = seen(&word, at)
            && !text[range(at, to)][..word.len()].contains(&b'\n')
        {
            found.push((range(at, to), word));
            at = to;
            continue;
        }
        if word(at) == b"decltype" {
            found.extend(commas(&word, at + 1).map(|comma| (range(comma, comma + 1), "+")));
        }
        let end = match word(at) {
            b"__extension__" | b"_Complex" => at + 1,
            b"__attribute__" if is_behind_variable(&word, at, &braces) => {
                bracket_end(&word, at + 1).unwrap_or(at)
            }
            b"constexpr" | b"inline" if before(at) == b"friend" => at + 1,
            b"template" if before(at) == b"extern" && !matches!(word(at + 1), b"class" | b"struct") => at + 1,
            b"const" if before(at) == b"=" => at + 1,
            b"typename" if before(at) == b"return" => at + 1,
            b"..." if before(at) == b"..." => at + 1,
            b"__attribute__" if is_behind_namespace(&word, at) => bracket_end(&word, at + 1).unwrap_or(at),
            b"::" if at > 0 && word(at + 1) == b"*" && word(at - 1) != b">" => {
                found.push((range(at - 1, at + 1), ""));
                at
            }
            _ => at,
        };
        if end > at && end <= tokens.len() {
            found.push((range(at, end), ""));
        }
        at = end.max(at + 1);
    }
    found.sort_by_key(|(range, _)| range.start);
    found
}

/// The tokens of a pair of brackets that are looked at.
const FAR: usize = 256;

/// The commas between the expressions in a parenthesis, but not those between the arguments of a template.
fn commas<'a>(word: &impl Fn(usize) -> &'a [u8], open: usize) -> impl Iterator<Item = usize> {
    let (mut found, mut depth, mut angles) = (Vec::new(), 0, 0);
    for at in open..open + FAR {
        depth += bracket(word(at)).map_or(0, |(_, step)| step);
        match word(at) {
            _ if depth == 0 => break,
            b"<" if depth == 1 => angles += 1,
            b">" if depth == 1 => angles -= 1,
            b">>" if depth == 1 => angles -= 2,
            b"," if depth == 1 && angles == 0 => found.push(at),
            _ => {}
        }
    }
    found.into_iter()
}

/// What the parser sees in the place of the tokens from here on, with the token behind them.
fn seen<'a>(word: &impl Fn(usize) -> &'a [u8], at: usize) -> Option<(usize, &'static str)> {
    let is_class = |at: usize| matches!(word(at), b"class" | b"struct" | b"union");
    let is_member = |at: usize| at > 0 && matches!(word(at - 1), b"." | b"->");
    match word(at) {
        b"[" if word(at + 1) == b"[" => {
            let end = bracket_end(word, at).filter(|&end| word(end) == b"friend")?;
            Some((end + 1, "friend"))
        }
        b"__typeof" | b"__typeof__" | b"__decltype" if word(at + 1) == b"(" => Some((at + 1, "decltype")),
        b"extern" if word(at + 1) == b"template" && is_class(at + 2) => Some((at + 2, "template")),
        b"->*" => Some((at + 1, "->")),
        b".*" => Some((at + 1, ".")),
        b"operator" if is_member(at) && word(at + 1) != b"new" && word(at + 1) != b"delete" => {
            let end = if matches!(word(at + 1), b"(" | b"[") { at + 3 } else { at + 2 };
            (word(end) == b"(").then_some((end, "f"))
        }
        _ => None,
    }
}

/// The braces around a token.
#[derive(Default)]
struct Braces {
    /// For each brace: whether it is that of a class.
    open: Vec<bool>,
    /// Whether a word of a class stands between the last brace or `;` and here, and no parameters follow it.
    is_class: bool,
    /// Whether `typedef` stands there.
    is_typedef: bool,
}

impl Braces {
    /// Passes the next token.
    fn see(&mut self, word: &[u8]) {
        match word {
            b"class" | b"struct" | b"union" => self.is_class = true,
            b"typedef" => self.is_typedef = true,
            b"=" | b")" => self.is_class = false,
            b"{" => self.open.push(std::mem::take(&mut self.is_class)),
            b"}" => drop(self.open.pop()),
            b";" => self.is_class = false,
            _ => {}
        }
        self.is_typedef &= word != b";";
    }
}

/// Whether the word at a token begins attributes behind the name of a variable that has a value, or is no member.
fn is_behind_variable<'a>(word: &impl Fn(usize) -> &'a [u8], at: usize, braces: &Braces) -> bool {
    let is_name =
        |text: &[u8]| text.last().is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'_' || *c == b']');
    let is_behind_star = at > 1 && word(at - 1) == b"*" && word(at - 2) == b"(";
    let is_behind_name = || {
        let end = bracket_end(word, at + 1).map_or(&b""[..], word);
        let is_member = braces.is_typedef || braces.open.last() == Some(&true);
        let is_alone = end == b"=" || matches!(end, b";" | b",") && !is_member;
        is_alone
            && is_name(word(at - 1))
            && !matches!(word(at - 1), b"struct" | b"class" | b"union" | b"enum")
    };
    is_behind_star || at > 0 && is_behind_name()
}

/// Whether the word before `namespace`, a name and perhaps other attributes.
fn is_behind_namespace<'a>(word: &impl Fn(usize) -> &'a [u8], at: usize) -> bool {
    let before = |steps: usize| at.checked_sub(steps).map_or(&b""[..], word);
    if before(1) == b")" && before(2) == b")" {
        let attribute = (1..at).take(32).find(|steps| before(*steps) == b"__attribute__");
        return attribute.is_some_and(|steps| is_behind_namespace(word, at - steps));
    }
    before(1) == b"namespace"
        || before(2) == b"namespace"
        || (before(2) == b"::" && before(4) == b"namespace")
}

/// The token behind a pair of brackets, if the second one is within [`FAR`] tokens.
fn bracket_end<'a>(word: &impl Fn(usize) -> &'a [u8], open: usize) -> Option<usize> {
    let mut depth = 0;
    let is_closed = |at: &usize| {
        depth += bracket(word(*at)).map_or(0, |(_, step)| step);
        depth <= 0
    };
    (open..open + FAR).find(is_closed).filter(|&last| last > open).map(|last| last + 1)
}

#[cfg(test)]
mod tests {
    use crate::Parsed;
    use crate::cpp::CPP;

    #[test]
    fn what_the_grammar_lacks_is_no_error_and_stays_in_the_text() {
        let texts = [
            "namespace n __attribute__ ((__visibility__ (\"default\"))) { int a; }\n",
            "namespace a::b __attribute__((x)) __attribute__((y)) { }\n",
            "inline namespace __attribute__((x)) { }\n",
            "__extension__ template <class T> using t = int;\n",
            "struct s { [[nodiscard]] friend constexpr bool f(s); };\n",
            "template <class T, class C> struct p<T C::*> { };\n",
            "extern template b& c<d>(b&);\nextern template int e::f(int);\n",
            "template <class T> struct q { template <class U = const T> U f() { return typename T::t(); } };\n",
            "template <class R, class... A> void f(R (*)(A......));\n_Complex double z;\n",
            "extern \"C\" __typeof(f) g;\nstatic __typeof__ (h) i __attribute__((weakref(\"h\")));\n",
            "typedef void (*__attribute__((x)) p)();\nvoid q(int a __attribute__((x)) = 1) { int b __attribute__((y)) = a; }\n",
            "template <class T> auto f(T a) -> decltype(a.f(g<T, int>()), (void)a.h(), int());\n",
            "int r = (s->*t)() + (s.*t)() + s.operator->() + s->operator()(1) + s.operator==(u);\n",
        ];
        for text in texts {
            let file = Parsed::new(&CPP, text.into());
            let errors = |node: &crate::tree::NodeId| file.tree().is_error(*node);
            assert_eq!((file.syntax().errors, file.tree().nodes().find(errors)), (0, None), "{text}");
            assert_eq!(*file.text, text.as_bytes());
        }
    }

    #[test]
    fn only_such_parts_are_hidden() {
        let hidden = |text: &str| {
            let hidden = super::hidden(text.as_bytes(), CPP.lexis);
            hidden.into_iter().map(|(range, _)| range).collect::<Vec<_>>()
        };
        assert!(
            hidden("namespace n { int f() __attribute__((x)); a b::c; d *e; constexpr int g; }").is_empty()
        );
        assert!(hidden("namespace n __attribute__((x)").is_empty());
        assert!(hidden(&format!("namespace n __attribute__(({})) {{ }}", "x ".repeat(300))).is_empty());
        assert!(hidden("struct s { int a __attribute__((x)); }; typedef int t __attribute__((x)); enum __attribute__((x)) e;").is_empty());
        assert!(hidden("typeof a; extern template int f<a>(); struct s { s *operator->(); };").len() == 1);
        assert_eq!(hidden("a b::*c; friend inline d;"), [2..5, 16..22]);
    }
}
