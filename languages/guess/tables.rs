//! What names of kinds and fields mean in most grammars; and the lexical table, layout and constants of a grammar.

use super::rules::{Rule, Rules};
use crate::layout::Layout;
use crate::lexis::Lexis;
use crate::role::Role;

/// The last words of names for statements, definitions and the like.
pub(super) const STATEMENTS: &[&str] =
    &["statement", "stmt", "declaration", "decl", "definition", "directive", "import", "command"];
/// The last words of names for parts of sequences of other sorts; they count only inside a sequence.
pub(super) const ITEMS: &[&str] = &[
    "item", "field", "member", "case", "arm", "entry", "pair", "rule", "method", "function", "export",
    "pragma",
];
/// The last words of names for blocks.
pub(super) const BLOCKS: &[&str] = &[
    "block",
    "body",
    "suite",
    "list",
    "declarations",
    "definitions",
    "statements",
    "members",
    "imports",
    "section",
    "document",
];
/// The last words of names for blocks with nothing but statements, whatever these are called.
pub(super) const SEQUENCES: &[&str] =
    &["block", "body", "suite", "declarations", "definitions", "statements", "members"];
/// Words in names for lists of names that are exported or imported.
pub(super) const PUBLIC: &[&str] = &["export", "exports", "import", "imports"];
/// Words in names for lists of other things than statements.
pub(super) const NO_SEQUENCES: &[&str] =
    &["argument", "arguments", "parameter", "parameters", "initializer", "type"];
/// The last words of names for names.
pub(super) const NAMES: &[&str] = &["identifier", "name", "variable", "id", "ident"];
/// The last words of names for literals.
pub(super) const LITERALS: &[&str] = &[
    "literal",
    "integer",
    "int",
    "float",
    "number",
    "decimal",
    "string",
    "char",
    "character",
    "boolean",
    "bool",
    "true",
    "false",
    "null",
    "nil",
    "none",
    "undefined",
    "regex",
    "rune",
];
/// Words in names for nodes whose blanks are significant.
pub(super) const VERBATIM: &[&str] = &["string", "heredoc", "raw", "quasiquote"];
/// Words in names for comments.
pub(super) const COMMENTS: &[&str] = &["comment", "haddock", "doccomment"];
/// Fields with a part that can replace the whole statement.
pub(super) const BODIES: &[&str] = &["body", "consequence", "consequent", "alternative", "then", "else"];
/// Words in names for functions.
pub(super) const FUNCTIONS: &[&str] =
    &["function", "func", "fn", "method", "procedure", "def", "definition", "constructor", "subroutine"];
/// Fields, and last words of names, for the parameters of a function.
pub(super) const PARAMETERS: &[&str] = &["parameters", "params", "patterns"];
/// Words in names for calls.
pub(super) const CALLS: &[&str] = &["call", "invocation", "apply", "application", "creation", "new"];
/// Fields for the arguments of a call.
pub(super) const ARGUMENTS: &[&str] = &["arguments", "args"];
/// Words in names for variables.
pub(super) const VARIABLES: &[&str] =
    &["variable", "var", "let", "const", "val", "binding", "assign", "assignment", "declarator"];
/// Fields for the value of a variable.
pub(super) const VALUES: &[&str] = &["value", "right", "initializer", "init", "default"];
/// Fields for the variable that a value is given to.
pub(super) const TARGETS: &[&str] = &["name", "left", "pattern", "target"];
/// Words in names for accesses.
pub(super) const ACCESSES: &[&str] = &[
    "call",
    "field",
    "member",
    "index",
    "subscript",
    "selector",
    "parenthesized",
    "dereference",
    "access",
    "attribute",
    "cast",
];

/// Words in names for assignments.
pub(super) const ASSIGNMENTS: &[&str] = &["assign", "assignment"];
/// Words in names for loops and the like, which have a variable of their own.
pub(super) const LOOPS: &[&str] = &["for", "foreach", "generator", "comprehension", "receive"];
/// Words in names for what has variables of its own although it may have no body.
pub(super) const BRANCHES: &[&str] =
    &["lambda", "closure", "clause", "case", "alternative", "comprehension", "for", "foreach", "let"];
/// Words in names for operations.
pub(super) const OPERATIONS: &[&str] = &["binary", "operator", "operation", "op"];
/// Operators that give the name on their left a value.
pub(super) const GIVING: &[&str] = &["=", ":=", "<-", "<<-"];
/// Fields for patterns, whose names are defined.
pub(super) const PATTERNS: &[&str] = &["pattern", "pat", "lhs"];
/// Fields for a name that is defined.
pub(super) const DEFINED: &[&str] = &["name", "pattern", "declarator", "left", "lhs", "alias"];
/// Words in names for a name with the module or object that it belongs to.
pub(super) const QUALIFIED: &[&str] =
    &["qualified", "scoped", "path", "dotted", "namespace", "relative", "long", "extended"];
/// Fields for the name of a member of an object or module.
pub(super) const MEMBERS: &[&str] =
    &["member", "field", "property", "attribute", "name", "method", "selector"];
/// Fields for what is called.
pub(super) const CALLEES: &[&str] = &[
    "function",
    "callee",
    "name",
    "method",
    "target",
    "operator",
    "expr",
    "subroutine",
    "constructor",
    "type",
];
/// The last words of names for nodes that define a name.
pub(super) const DEFINITIONS: &[&str] = &[
    "definition",
    "declaration",
    "decl",
    "def",
    "declarator",
    "binding",
    "bind",
    "item",
    "specifier",
    "specification",
    "spec",
    "statement",
    "clause",
    "field",
    "member",
    "variant",
    "enumerator",
    "function",
    "method",
    "procedure",
    "constructor",
    "subroutine",
    "class",
    "struct",
    "module",
    "type",
    "assignment",
    "constant",
    "head",
    "header",
    "signature",
];
/// The last words of names for the part of a function before its body.
pub(super) const HEADS: &[&str] =
    &["specification", "spec", "signature", "head", "header", "prototype", "declarator", "statement"];
/// Words in names for nodes that define nothing, whatever else their names say.
pub(super) const NO_DEFINITIONS: &[&str] = &[
    "call",
    "invocation",
    "expression",
    "expr",
    "access",
    "reference",
    "argument",
    "arguments",
    "initializer",
    "return",
    "end",
    "attribute",
];
/// The sorts of definitions, as captures spell them, by words in names, the most telling first.
pub(super) const SORTS: &[(&[&str], &str)] = &[
    (&["parameter", "param"], "parameter"),
    (&["field", "property", "component", "member"], "field"),
    (&["variant", "enumerator", "enumeral"], "constant"),
    (
        &["function", "func", "fn", "fun", "method", "procedure", "constructor", "subroutine", "subprogram"],
        "function",
    ),
    (
        &[
            "class",
            "struct",
            "structure",
            "record",
            "enum",
            "union",
            "interface",
            "trait",
            "type",
            "newtype",
            "data",
            "protocol",
            "contract",
        ],
        "type",
    ),
    (&["module", "namespace", "package"], "namespace"),
    (&["macro"], "macro"),
    (
        &[
            "variable",
            "var",
            "let",
            "const",
            "constant",
            "val",
            "value",
            "binding",
            "bind",
            "object",
            "number",
            "assign",
            "assignment",
        ],
        "variable",
    ),
];

/// The words of a kind's name.
pub(super) struct Words<'a>(pub(super) Vec<&'a str>);

impl<'a> Words<'a> {
    pub(super) fn of(name: &'a str) -> Self {
        Self(name.split(['_', '-', '.']).filter(|word| !word.is_empty()).collect())
    }

    pub(super) fn has(&self, known: &[&str]) -> bool {
        self.0.iter().any(|word| known.contains(word))
    }

    pub(super) fn last_is(&self, known: &[&str]) -> bool {
        self.0.last().is_some_and(|word| known.contains(word))
    }
}

/// The role of the nodes of a supertype, by its name.
pub(super) fn role_of_supertype(name: &str) -> Option<Role> {
    let words = Words::of(name);
    let known: [(&[&str], Role); 4] = [
        (&["expression", "expr", "exp", "value"], Role::Expression),
        (STATEMENTS, Role::Statement),
        (&["type"], Role::Type),
        (&["literal"], Role::Literal),
    ];
    known.iter().find(|(last, _)| words.last_is(last)).map(|(_, role)| *role)
}

/// The markers of comments that end with another one.
const PAIRS: &[(&str, &str)] = &[
    ("/*", "*/"),
    ("(*", "*)"),
    ("{-", "-}"),
    ("<!--", "-->"),
    ("--[[", "]]"),
    ("#|", "|#"),
    ("#=", "=#"),
    ("/+", "+/"),
];

/// The lexical table: that of unknown languages, with the comments of the grammar.
pub(super) fn lexis(rules: &Rules) -> Lexis {
    let mut markers: Vec<String> = Vec::new();
    for rule in rules.extras.iter().map(|extra| rules.rules.get(&extra.name)) {
        let Some(rule) = rule else { continue };
        rule.visit(&mut |part| {
            if part.form == "STRING" || part.form == "PATTERN" {
                markers.extend(marker(part));
            }
        });
    }
    markers.sort_unstable();
    markers.dedup();
    let pairs = PAIRS.iter().filter(|(open, _)| markers.iter().any(|marker| marker == open));
    let opens_pair = |marker: &&String| PAIRS.iter().any(|(open, _)| marker == open);
    let is_end =
        |marker: &&String| PAIRS.iter().any(|(_, close)| close.ends_with(&marker[..]) && *marker != "#");
    let lines = markers.iter().filter(|marker| !opens_pair(marker) && !is_end(marker));
    Lexis {
        line_comments: Vec::leak(lines.map(|marker| &*marker.clone().leak()).collect()),
        block_comments: Vec::leak(pairs.copied().collect()),
        ..Lexis::DEFAULT
    }
}

/// The characters with which a part of a comment's rule begins, if they can open a comment.
fn marker(part: &Rule) -> Option<String> {
    let is_pattern = part.form == "PATTERN";
    let mut found = String::new();
    let mut characters = part.text().chars().peekable();
    while let Some(c) = characters.next() {
        let escaped = (is_pattern && c == '\\').then(|| characters.next()).flatten();
        let c = escaped.unwrap_or(c);
        let is_plain = escaped.is_some() || !is_pattern || !"[](){}.*+?|^$".contains(c);
        let is_repeated = is_pattern && matches!(characters.peek(), Some('*' | '+' | '?' | '{'));
        if !is_plain || is_repeated || !(c.is_ascii_punctuation()) {
            break;
        }
        found.push(c);
    }
    (!found.is_empty() && found.len() <= 4 && !found.starts_with('\\')).then_some(found)
}

/// Whether line ends and indentation are significant. If nothing is known, both may be.
pub(super) fn layout(rules: &Rules) -> Layout {
    if rules.rules.is_empty() || rules.has_external(&["indent", "layout"]) {
        Layout::Indented
    } else if rules.has_line_ends() {
        Layout::Lines
    } else {
        Layout::Free
    }
}

/// The keywords of a grammar among these.
fn keywords<'k>(rules: &Rules, known: &[&'k str]) -> Vec<&'k str> {
    let mut found = vec![false; known.len()];
    rules.rules.values().for_each(|rule| {
        rule.visit(&mut |part| {
            if part.form == "STRING"
                && let Some(index) = known.iter().position(|word| *word == part.text())
            {
                found[index] = true;
            }
        });
    });
    known.iter().zip(found).filter(|(_, found)| *found).map(|(word, _)| *word).collect()
}

/// The simplest expressions: zero, which all languages have that compute, and the empty values.
pub(super) fn constants(rules: &Rules) -> Vec<&'static str> {
    let mut constants = vec!["0"];
    constants.extend(keywords(rules, &["null", "nil", "undefined", "None"]));
    constants.extend(keywords(rules, &["\""]).iter().map(|_| "\"\""));
    constants.push("1");
    constants
}

/// The words for falsehood and truth.
pub(super) fn truths(rules: &Rules) -> Vec<(&'static str, &'static str)> {
    let known = [("false", "true"), ("False", "True"), ("#f", "#t")];
    let all = |pair: &&(&str, &str)| keywords(rules, &[pair.0, pair.1]).len() == 2;
    known.iter().filter(all).copied().collect()
}

/// The smallest statements that use a value: a `return`, if the grammar has the word.
pub(super) fn consumers(rules: &Rules) -> &'static [(&'static str, &'static str)] {
    if keywords(rules, &["return"]).is_empty() { &[] } else { &[("return ", "")] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules of a grammar whose only extra is a comment with this rule.
    fn with_comment(rule: &str) -> Rules {
        Rules::read(&format!(
            r#"{{"extras": [{{"type": "SYMBOL", "name": "comment"}}], "rules": {{"comment": {rule}}}}}"#
        ))
    }

    #[test]
    fn comments_are_found_in_strings_and_patterns() {
        let line = r##"{"type": "TOKEN", "content": {"type": "SEQ", "members": [
            {"type": "STRING", "value": "//"}, {"type": "PATTERN", "value": ".*"}]}}"##;
        assert_eq!(lexis(&with_comment(line)).line_comments, ["//"]);
        let pattern = r##"{"type": "TOKEN", "content": {"type": "PATTERN", "value": "#.*"}}"##;
        assert_eq!(lexis(&with_comment(pattern)).line_comments, ["#"]);
        let block = r##"{"type": "SEQ", "members": [{"type": "STRING", "value": "/*"},
            {"type": "PATTERN", "value": "[^*]*\\*+([^/*][^*]*\\*+)*"}, {"type": "STRING", "value": "/"}]}"##;
        let lexis = lexis(&with_comment(block));
        assert_eq!((lexis.line_comments, lexis.block_comments), (&[][..], &[("/*", "*/")][..]));
    }

    #[test]
    fn the_layout_is_the_strictest_if_nothing_is_known() {
        assert_eq!(layout(&Rules::default()), Layout::Indented);
        assert_eq!(layout(&with_comment(r##"{"type": "STRING", "value": "#"}"##)), Layout::Free);
        assert_eq!(layout(&with_comment(r##"{"type": "PATTERN", "value": "\\n"}"##)), Layout::Lines);
    }

    #[test]
    fn constants_are_the_keywords_of_the_grammar() {
        let rules = with_comment(
            r##"{"type": "CHOICE", "members": [{"type": "STRING", "value": "true"},
            {"type": "STRING", "value": "false"}, {"type": "STRING", "value": "nil"}]}"##,
        );
        assert_eq!(constants(&rules), ["0", "nil", "1"]);
        assert_eq!(truths(&rules), [("false", "true")]);
    }
}
