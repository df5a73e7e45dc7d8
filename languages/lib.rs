//! Languages: how bytes become a tree with roles, and the few facts that passes need. Pure.
//!
//! No crate above this one depends on tree-sitter, and this one knows nothing of passes, processes, files or
//! clocks. A language is a folder and an entry in [`all`].

pub mod bash;
pub mod bindings;
pub mod c;
pub mod cpp;
#[cfg(feature = "csharp")]
pub mod csharp;
pub mod css;
mod detect;
pub mod edit;
pub mod go;
pub mod grammar;
mod guess;
pub mod html;
pub mod java;
pub mod javascript;
pub mod json;
#[cfg(feature = "kotlin")]
pub mod kotlin;
pub mod layout;
pub mod lexer;
pub mod lexis;
pub mod llvm;
pub mod lua;
pub mod measure;
pub mod php;
pub mod python;
pub mod references;
pub mod role;
pub mod ruby;
pub mod rust;
pub mod scheme;
pub mod shortest_texts;
pub mod sitter;
mod slots;
pub mod smtlib;
pub mod sql;
pub mod text;
mod token_hashes;
pub mod toml;
pub mod tree;
#[cfg(feature = "typescript")]
pub mod typescript;
pub mod wat;
pub mod words;
pub mod yaml;

use bindings::Bindings;
pub use detect::{detect, detect_by_interpreter, missing};
use edit::{Candidate, Edit, FileId};
use layout::Layout;
use lexer::Token;
use lexis::Lexis;
use measure::Measure;
use references::{Naming, Statement};
use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, LazyLock, OnceLock};
use token_hashes::TokenHashes;
use tree::{NodeId, Tree};
use xxhash_rust::xxh3::xxh3_128;

/// How well one node fits into the place of another, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// The nodes have the same kind.
    SameKind,
    /// The kinds share a supertype.
    Related,
    /// The parser would accept the kind in that place.
    Allowed,
    /// None of these; the reparse may still accept the text.
    Unlikely,
}

/// How a declaration tells the type of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typing {
    /// It need not tell it.
    None,
    /// The type stands before the name.
    Before,
    /// The type stands behind the name and this text.
    Behind(&'static str),
}

/// A fault for which compilers of some languages refuse a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A name that nothing defines.
    Undefined,
    /// An import or a local variable that nothing uses.
    Unused,
}

/// The result of parsing a text.
pub struct Syntax {
    /// The tree.
    pub tree: Tree,
    /// The number of bytes inside errors plus missing nodes: 0 for a text that the grammar accepts.
    pub errors: usize,
    /// Data of the language's own, for its `reparse`.
    pub state: Box<dyn Any + Send + Sync>,
}

impl fmt::Debug for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Syntax")
            .field("tree", &self.tree)
            .field("errors", &self.errors)
            .finish_non_exhaustive()
    }
}

/// A language: how bytes become a tree with roles, and the few facts that passes need.
pub trait Language: Send + Sync {
    /// The name, as `--language` takes it.
    fn name(&self) -> &'static str;

    /// The endings of file names in this language, without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// The forms of comments, strings, words and operators.
    fn lexis(&self) -> &'static Lexis;

    /// Whether line ends and indentation are significant.
    fn layout(&self) -> Layout;

    /// The simplest expressions, simplest first; empty if the language has none.
    fn constants(&self) -> &'static [&'static str];

    /// Pairs of constants of which the first is false and the second true; empty if the language has none.
    fn truths(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Whether its compilers refuse programs with such a fault.
    fn refuses(&self, fault: Fault) -> bool {
        let _ = fault;
        false
    }

    /// How a declaration tells the type of a name.
    fn typing(&self) -> Typing {
        Typing::None
    }

    /// The smallest statements that use a value, as the text before the value and the text behind it, without the
    /// `;` that may end them; empty if the language has none.
    fn consumers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// How files of this language name other files.
    fn naming(&self) -> Naming {
        Naming::Words
    }

    /// Whether its compilers demand that functions return: then bodies have stubs ([`tree::Tree::stub`]).
    fn has_stubs(&self) -> bool {
        false
    }

    /// The query that gives nodes their roles; empty if the language has none.
    fn roles(&self) -> &str {
        ""
    }

    /// The query for the definitions and uses of names; empty if the language has none.
    fn bindings_query(&self) -> &str {
        ""
    }

    /// Sample texts with every important construct, for tests and manuals: file name and text.
    fn samples(&self) -> &'static [(&'static str, &'static str)];

    /// Parses any bytes; never fails.
    fn parse(&self, text: &[u8]) -> Syntax;

    /// The errors (as in [`Syntax::errors`]) of `base`'s text after `edits`. An implementation may parse
    /// incrementally, starting from `base`, or only the items around the edits; its error recovery may then
    /// differ from that of a parse from scratch.
    fn reparse(&self, base: &Parsed, edits: &[Edit]) -> usize;

    /// The parser, if the language is a grammar that the user supplied.
    fn parser(&'static self) -> Option<&'static grammar::Parser> {
        None
    }

    /// The definitions and uses of names in a file of this language, under the file's id in the base; empty
    /// if the language does not resolve names.
    fn bindings(&self, id: FileId, file: &Parsed) -> Bindings {
        let _ = (id, file);
        Bindings::default()
    }

    /// The number of semantic errors in a file that compilers refuse it for: names without declarations, operands of wrong types, and
    /// the like; 0 if the language does not know.
    fn semantic_errors(&self, file: &Parsed) -> usize {
        let _ = file;
        0
    }

    /// How well `node` fits into the place of `slot`; both are nodes of `base`.
    fn fit(&self, base: &Parsed, slot: NodeId, node: NodeId) -> Fit;
}

impl fmt::Debug for dyn Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One file of a base: text, tokens and tree. Immutable. A symbolic link and an empty folder are files, too, without
/// anything to edit.
#[derive(Debug)]
pub struct Parsed {
    /// Where it is, below the folder in which the test runs; empty for a text without a name.
    pub path: Arc<Path>,
    /// The language.
    pub language: &'static dyn Language,
    /// The type and the permissions, as in stat(2); `None` for a file with those of the input's file at this path.
    pub mode: Option<u32>,
    /// The bytes; of a symbolic link, its target.
    pub text: Arc<Vec<u8>>,
    /// What follows from the text, each computed when it is first asked for: many files of a folder are deleted
    /// before anything but their size is of interest.
    measure: OnceLock<Measure>,
    tokens: OnceLock<Vec<Token>>,
    token_hashes: OnceLock<TokenHashes>,
    syntax: OnceLock<Syntax>,
    bindings: OnceLock<Box<Resolved>>,
    /// Whether the text is valid UTF-8 and has characters of several bytes.
    has_long_characters: OnceLock<bool>,
    is_balanced: OnceLock<bool>,
    semantic_errors: OnceLock<usize>,
    references: OnceLock<Vec<Statement>>,
    hash: OnceLock<u128>,
    words: OnceLock<u128>,
}

/// The bits of a mode that tell the type of a file, and their value for a file with text, as in stat(2).
const TYPE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;

/// The bindings of a file under an id. A file has the same id in all bases of a run, so the list has one entry.
#[derive(Debug)]
struct Resolved {
    id: FileId,
    bindings: Bindings,
    /// The bindings under other ids.
    others: OnceLock<Box<Resolved>>,
}

impl Parsed {
    /// Parses a text without a name.
    pub fn new(language: &'static dyn Language, text: Vec<u8>) -> Self {
        Self::at(Arc::from(Path::new("")), language, text)
    }

    /// Parses the text of the file at this path, from scratch.
    pub fn at(path: Arc<Path>, language: &'static dyn Language, text: impl Into<Arc<Vec<u8>>>) -> Self {
        Self {
            path,
            language,
            mode: None,
            text: text.into(),
            measure: OnceLock::new(),
            tokens: OnceLock::new(),
            token_hashes: OnceLock::new(),
            syntax: OnceLock::new(),
            bindings: OnceLock::new(),
            has_long_characters: OnceLock::new(),
            is_balanced: OnceLock::new(),
            semantic_errors: OnceLock::new(),
            references: OnceLock::new(),
            hash: OnceLock::new(),
            words: OnceLock::new(),
        }
    }

    /// The same file with this type and these permissions.
    pub fn with_mode(self, mode: Option<u32>) -> Self {
        Self { mode, ..self }
    }

    /// The same file with another text, parsed from scratch.
    pub fn with_text(&self, text: impl Into<Arc<Vec<u8>>>) -> Self {
        Self::at(Arc::clone(&self.path), self.language, text).with_mode(self.mode)
    }

    /// The same file at another path.
    pub fn with_path(&self, path: Arc<Path>) -> Self {
        Self::at(path, self.language, Arc::clone(&self.text)).with_mode(self.mode)
    }

    /// Whether the file has a text that may be edited: it is neither a symbolic link nor an empty folder.
    pub fn is_regular(&self) -> bool {
        self.mode.is_none_or(|mode| matches!(mode & TYPE, 0 | REGULAR))
    }

    /// The tokens that the measure counts.
    pub fn tokens(&self) -> &[Token] {
        self.tokens.get_or_init(|| lexer::tokens(&self.text, self.language.lexis()).collect())
    }

    /// The hashes of runs of these tokens.
    pub fn token_hashes(&self) -> &TokenHashes {
        self.token_hashes.get_or_init(|| TokenHashes::new(&self.text, self.tokens()))
    }

    /// The tree and the parser's errors.
    pub fn syntax(&self) -> &Syntax {
        self.syntax.get_or_init(|| self.language.parse(&self.text))
    }

    fn has_long_characters(&self) -> bool {
        let found = || !self.text.is_ascii() && std::str::from_utf8(&self.text).is_ok();
        *self.has_long_characters.get_or_init(found)
    }

    /// A byte range, widened to all characters that it touches if the text is valid UTF-8. O(1).
    pub fn whole_characters(&self, range: Range<usize>) -> Range<usize> {
        // A byte of a character other than its first.
        let is_inside = |at: &usize| self.text.get(*at).is_some_and(|byte| byte & 0xc0 == 0x80);
        if !self.has_long_characters() || range.is_empty() {
            return range;
        }
        let before = (range.start.saturating_sub(3)..=range.start).rev().find(|at| !is_inside(at));
        let after = (range.end..range.end + 4).find(|at| !is_inside(at));
        before.unwrap_or(range.start)..after.unwrap_or(range.end)
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.syntax().tree
    }

    /// The definitions and uses of names, if the file has this id in its base. Computed once for each id.
    pub fn bindings(&self, id: FileId) -> &Bindings {
        let mut cache = &self.bindings;
        loop {
            let resolved = cache.get_or_init(|| {
                let bindings = self.language.bindings(id, self);
                Box::new(Resolved { id, bindings, others: OnceLock::new() })
            });
            if resolved.id == id {
                return &resolved.bindings;
            }
            cache = &resolved.others;
        }
    }

    /// The number of semantic errors: see [`Language::semantic_errors`]. Computed once.
    pub fn semantic_errors(&self) -> usize {
        *self.semantic_errors.get_or_init(|| self.language.semantic_errors(self))
    }

    /// The statements that name other files, in the order of the text; found without a tree.
    pub fn references(&self) -> &[Statement] {
        let naming = self.language.naming();
        self.references.get_or_init(|| references::statements(naming, &self.text, self.language.lexis()))
    }

    /// The text of a node.
    pub fn node_text(&self, node: NodeId) -> &[u8] {
        &self.text[self.tree().range(node)]
    }

    /// A candidate that edits this file under this id, with a blank inserted wherever an edit would join two
    /// tokens; unchanged if blanks are part of the grammar.
    pub fn spaced(&self, id: FileId, candidate: Candidate) -> Candidate {
        match self.language.layout() {
            Layout::Exact => candidate,
            _ => candidate.spaced(id, &self.text, self.language.lexis(), |at| self.is_inside_token(at)),
        }
    }

    /// The measure of the file.
    pub fn measure(&self) -> Measure {
        *self.measure.get_or_init(|| Measure::of_file(&self.path, &self.text, self.language.lexis()))
    }

    /// The xxh3-128 of the text.
    pub fn hash(&self) -> u128 {
        *self.hash.get_or_init(|| xxh3_128(&self.text))
    }

    /// The hash of the words: see [`words::hash_words`].
    pub fn words(&self) -> u128 {
        *self.words.get_or_init(|| words::hash_words(self.language, &self.text))
    }

    /// Whether the edits delete and insert as many opening as closing brackets of each kind. Linear in the
    /// deleted and inserted text.
    pub fn keeps_balance(&self, edits: &[Edit]) -> bool {
        let mut balance = [0_isize; 3];
        for edit in edits {
            let taken = self.tokens_in(edit.start..edit.end);
            taken.iter().for_each(|token| lexer::count_brackets(&self.text, token, -1, &mut balance));
            let brought = lexer::tokens(&edit.text, self.language.lexis());
            brought.for_each(|token| lexer::count_brackets(&edit.text, &token, 1, &mut balance));
        }
        balance == [0; 3]
    }

    /// Whether the text has as many opening as closing brackets of each kind. Where `case` of Bash has lone ones, for
    /// example, the balance of an edit tells nothing.
    pub fn is_balanced(&self) -> bool {
        *self.is_balanced.get_or_init(|| {
            let mut balance = [0_isize; 3];
            self.tokens().iter().for_each(|token| lexer::count_brackets(&self.text, token, 1, &mut balance));
            balance == [0; 3]
        })
    }

    /// The tokens that lie wholly in a byte range, by binary search.
    pub fn tokens_in(&self, range: Range<usize>) -> &[Token] {
        let from = self.tokens().partition_point(|t| (t.start as usize) < range.start);
        let to = self.tokens().partition_point(|t| (t.end as usize) <= range.end);
        self.tokens().get(from..to).unwrap_or(&[])
    }

    /// Whether a place lies between two bytes of one token. O(log tokens).
    fn is_inside_token(&self, at: usize) -> bool {
        let ended = self.tokens().partition_point(|token| token.end as usize <= at);
        self.tokens().get(ended).is_some_and(|token| (token.start as usize) < at)
    }
}

/// The languages with a tree-sitter grammar; a file belongs to the first one that claims its name.
pub(crate) static GRAMMARS: &[&sitter::Grammar] = &[
    &python::PYTHON,
    &c::C,
    &cpp::CPP,
    &bash::BASH,
    &css::CSS,
    #[cfg(feature = "csharp")]
    &csharp::CSHARP,
    &go::GO,
    &html::HTML,
    &java::JAVA,
    &javascript::JAVASCRIPT,
    &json::JSON,
    #[cfg(feature = "kotlin")]
    &kotlin::KOTLIN,
    &llvm::LLVM,
    &lua::LUA,
    &php::PHP,
    &ruby::RUBY,
    &rust::RUST,
    &scheme::SCHEME,
    &smtlib::SMTLIB,
    &sql::SQL,
    &toml::TOML,
    #[cfg(feature = "typescript")]
    &typescript::TYPESCRIPT,
    #[cfg(feature = "typescript")]
    &typescript::TSX,
    &wat::WAT,
    &yaml::YAML,
];

/// The languages that cost more than 3 MB of binary or 20 s of build: their names, the endings of their files, and
/// the feature of the package that builds them.
pub const ON_REQUEST: &[(&str, &[&str], &str)] = &[
    ("csharp", &["cs", "csx"], "csharp"),
    ("kotlin", &["kt", "kts"], "kotlin"),
    ("typescript", &["ts", "mts", "cts"], "typescript"),
    ("tsx", &["tsx"], "typescript"),
];

/// All languages; a file belongs to the first one that claims its name. The last one, `text`, is for all
/// other files.
pub fn all() -> &'static [&'static dyn Language] {
    static LANGUAGES: LazyLock<Vec<&'static dyn Language>> = LazyLock::new(|| {
        let grammars = GRAMMARS.iter().map(|&grammar| grammar as &dyn Language);
        grammars.chain([&text::TEXT as &dyn Language]).collect()
    });
    &LANGUAGES
}

/// The language, file name and text of each sample of each language.
pub fn samples() -> Vec<(&'static str, &'static str, &'static str)> {
    let of = |l: &&'static dyn Language| l.samples().iter().map(|(file, text)| (l.name(), *file, *text));
    all().iter().flat_map(of).collect()
}

/// The language of this name.
pub fn named(name: &str) -> Option<&'static dyn Language> {
    all().iter().copied().find(|l| l.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_a_sample_and_reads_it_without_errors() {
        for language in all() {
            assert!(!language.samples().is_empty(), "{language:?} has no sample");
            for (file, text) in language.samples() {
                let parsed = Parsed::new(*language, text.as_bytes().to_vec());
                assert_eq!(parsed.syntax().errors, 0, "{file}");
            }
        }
    }

    #[test]
    fn the_guide_gives_a_language_every_field_and_lists_it_as_it_is_done_here() {
        let fields = |text: &str| {
            let body = text.split(": Grammar = Grammar {").nth(1).and_then(|rest| rest.split("};").next());
            let lines = body.unwrap_or_default().lines().filter_map(|line| line.strip_prefix("    "));
            let names =
                lines.filter_map(|line| Some(line.split_once(": ")?.0)).filter(|name| !name.contains(' '));
            names.map(str::to_owned).collect::<Vec<_>>()
        };
        let guide = include_str!("../docs/adding-a-language.md");
        assert_eq!(fields(guide), fields(include_str!("python/mod.rs")));
        let list = "pub(crate) static GRAMMARS: &[&sitter::Grammar] =";
        assert!(guide.contains(list) && include_str!("lib.rs").matches(list).count() > 1);
        assert!(guide.contains("&json::JSON"));
    }
    #[test]
    fn brackets_in_longer_tokens_have_partners_and_those_in_strings_need_none() {
        let is_balanced = |text: &str| Parsed::new(&bash::BASH, text.into()).is_balanced();
        assert!(is_balanced("a $(b) ${c} $((1 + $(d))) \")\"\n"));
        assert!(!is_balanced("case a in b) ;; esac\n"));
    }
}
