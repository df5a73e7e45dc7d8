//! Languages with a tree-sitter grammar: everything that follows from the grammar's own files.
//!
//! Such a language is plain data ([`Grammar`] and two queries); parsing, reparsing and the queries about
//! slots are the same for all of them.

mod arena;
mod bounded;
mod compiled;
mod filled;
mod loaded;
mod matching;
mod pattern;
mod pieces;
mod reparse;
#[cfg(test)]
mod tests;

use self::arena::Arena;
use self::compiled::Compiled;
use self::filled::Filled;
pub use self::filled::Implied;
pub use self::loaded::{Loaded, Unloaded};
use self::reparse::Reading;
use crate::bindings::{self, Bindings};
use crate::edit::{Edit, FileId, edited};
use crate::layout::Layout;
use crate::lexis::Lexis;
use crate::references::Naming;
use crate::role::Role;
use crate::slots::NodeTypes;
use crate::tree::{Kind, NodeId};
use crate::{Fault, Fit, Language, Parsed, Syntax, Typing};
use std::ops::Range;
use std::sync::OnceLock;
/// A grammar in tree-sitter's own form.
pub use tree_sitter::Language as Native;
use tree_sitter::Parser;

/// A function that finds parts of a text, in order.
pub type Parts = fn(&[u8], &Lexis) -> Vec<Range<usize>>;

/// A function that finds the parts of a text that the parser must not see, in order, with the word that it sees in the place
/// of each, as in a [`Mask`].
pub type Hidden = fn(&[u8], &Lexis) -> Vec<(Range<usize>, &'static str)>;

/// A kind of text that programs contain although the grammar lacks it, and that hides the rest of the program from the
/// parser. A mask is used only where the parser finds fewer errors with it, and together with all masks before it.
pub struct Mask {
    /// The word that the parser sees in the place of each part; its node spans the whole part, and no part is shorter
    /// than the word. If the word is empty, the parser sees blanks, and no node spans the part.
    pub word: &'static str,
    /// The parts.
    pub parts: Parts,
}

/// A kind of tokens that are a name with marks: the kind, the mark before the name and the mark behind it, either of which may be
/// empty. In LLVM, `%a` and `a:` are the same name.
pub type Marked = (&'static str, &'static str, &'static str);

/// A kind of leaves whose text is in the language itself, although its grammar takes it for a single token: what a macro stands
/// for. The nodes of the text are below the leaf.
pub struct Embedded {
    /// The kind of the leaf.
    pub kind: &'static str,
    /// The kinds of the nodes that have such leaves.
    pub parents: &'static [&'static str],
    /// Pairs of texts. The leaf's text is parsed between the first pair with which the parser finds no errors; if there is none,
    /// it stays a leaf.
    pub around: &'static [(&'static str, &'static str)],
}

/// A kind of blocks, in brackets, whose items can be parsed by themselves: in long texts, only the items are
/// parsed that a candidate changes.
pub struct Container {
    /// The kind of the block's node.
    pub kind: &'static str,
    /// The texts between which an item is parsed.
    pub around: (&'static str, &'static str),
}

/// A language with a tree-sitter grammar, as data.
pub struct Grammar {
    /// The name, as `--language` takes it.
    pub name: &'static str,
    /// The endings of file names, without the dot.
    pub extensions: &'static [&'static str],
    /// The forms of comments, strings, words and operators.
    pub lexis: &'static Lexis,
    /// Whether line ends and indentation are significant.
    pub layout: Layout,
    /// The simplest expressions, simplest first.
    pub constants: &'static [&'static str],
    /// Pairs of constants of which the first is false and the second true.
    pub truths: &'static [(&'static str, &'static str)],
    /// The smallest statements that use a value, as the text before the value and the text behind it, without the
    /// `;` that may end them.
    pub consumers: &'static [(&'static str, &'static str)],
    /// What its compilers refuse.
    pub refuses: &'static [Fault],
    /// How a declaration tells the type of a name.
    pub typing: Typing,
    /// A word that texts may omit although the grammar requires it.
    pub implied: Option<Implied>,
    /// What the parser must never see: the grammar lacks it, or reads it without its structure.
    pub hidden: Option<Hidden>,
    /// What more the parser must not see where it finds errors.
    pub masks: &'static [Mask],
    /// The kinds of tokens that are a name with a mark before or behind it, and these marks: their nodes have only the name, so that
    /// it is spelled alike wherever it stands.
    pub marked: &'static [Marked],
    /// The kinds of leaves whose text is a part of a program.
    pub embedded: &'static [Embedded],
    /// Whether long texts, too, are parsed in one piece, since the end of an item depends on what follows: a table
    /// of TOML ends where the next one begins.
    pub indivisible: bool,
    /// How files name other files.
    pub naming: Naming,
    /// The blocks whose items can be parsed by themselves.
    pub containers: &'static [Container],
    /// The grammar.
    pub grammar: &'static (dyn Fn() -> tree_sitter::Language + Sync),
    /// The grammar's `node-types.json`.
    pub node_types: &'static str,
    /// Sample texts with every important construct: file name and text.
    pub samples: &'static [(&'static str, &'static str)],
    /// The query for roles: its captures are roles, and `(#set! filler "...")` beside a capture gives the
    /// filler.
    pub roles: &'static str,
    /// The query for definitions, scopes and uses of names; empty if the language does not resolve names.
    pub bindings: &'static str,
    /// The number of semantic errors in a file, if the language knows.
    pub semantics: Option<fn(&Parsed) -> usize>,
    /// The compiled form of these files, built on first use.
    pub compiled: OnceLock<Compiled>,
}

/// The data of a tree-sitter language in its `Syntax`.
struct State {
    /// How candidates are parsed.
    reading: Reading,
    /// The number of masks that the parser's text has.
    masks: usize,
}

impl Grammar {
    /// The tree of a text with the first `masks` masks; and where each piece ends that the parser has read, with the errors in it.
    fn parse_with(&self, text: &[u8], masks: usize) -> (Syntax, Vec<(usize, usize)>) {
        let (filled, full) = self.fill(text, masks);
        let mut arena = Arena::new(self.compiled());
        let mut pieces = Vec::new();
        let mut whole = None;
        let is_read = self.read(&full, &filled, |piece| {
            arena.add(piece);
            pieces.push((filled.original(piece.start + piece.length), piece.errors()));
            whole = self.is_one_piece(&full).then(|| piece.tree.clone());
        });
        if !is_read {
            return (crate::text::TEXT.parse(text), Vec::new());
        }
        let (tree, depth) = arena.finish(text);
        let reading = Reading::new(self, &tree, depth, whole, &full, &filled);
        let errors = pieces.iter().map(|(_, errors)| errors).sum();
        (Syntax { tree, errors, state: Box::new(State { reading, masks }) }, pieces)
    }

    fn compiled(&self) -> &Compiled {
        #[expect(clippy::panic, reason = "part of the binary; a test compiles every language's queries")]
        let refused = |e: String| -> ! { panic!("the language {}: {e}", self.name) };
        let types = || NodeTypes::read(self.node_types);
        self.compiled.get_or_init(|| Compiled::new(self, &types()).unwrap_or_else(|e| refused(e)))
    }

    fn parser(&self) -> Parser {
        self.compiled().parser()
    }
}

impl Language for Grammar {
    fn name(&self) -> &'static str {
        self.name
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    fn lexis(&self) -> &'static Lexis {
        self.lexis
    }

    fn layout(&self) -> Layout {
        self.layout
    }

    fn constants(&self) -> &'static [&'static str] {
        self.constants
    }

    fn truths(&self) -> &'static [(&'static str, &'static str)] {
        self.truths
    }

    fn refuses(&self, fault: Fault) -> bool {
        self.refuses.contains(&fault)
    }

    fn typing(&self) -> Typing {
        self.typing
    }

    fn consumers(&self) -> &'static [(&'static str, &'static str)] {
        self.consumers
    }

    fn naming(&self) -> Naming {
        self.naming
    }

    fn has_stubs(&self) -> bool {
        self.compiled().has_stubs
    }

    fn roles(&self) -> &str {
        &self.compiled().roles_text
    }

    fn bindings_query(&self) -> &str {
        self.bindings
    }

    fn samples(&self) -> &'static [(&'static str, &'static str)] {
        self.samples
    }

    fn parse(&self, text: &[u8]) -> Syntax {
        let (plain, pieces) = self.parse_with(text, 0);
        match self.masks_of(text, &pieces) {
            0 => plain,
            masks => self.parse_with(text, masks).0,
        }
    }

    fn reparse(&self, base: &Parsed, edits: &[Edit]) -> usize {
        let Some(state) = base.syntax().state.downcast_ref::<State>() else {
            return self.parse(&edited(&base.text, edits)).errors;
        };
        match &state.reading {
            Reading::Onwards { tree, lines, full } => {
                let before = (&lines[..], full.as_deref());
                self.reparse_whole(state, tree, before, edits, &edited(&base.text, edits))
            }
            Reading::Items(items) => self.reparse_items(base, items, edits, state.masks),
            Reading::Brackets => Self::compare_brackets(base, edits),
        }
    }

    fn bindings(&self, id: FileId, file: &Parsed) -> Bindings {
        let compiled = self.compiled();
        let mut facts = Vec::new();
        compiled.bindings.captures(file.tree(), &file.text, |node, _, capture| {
            facts.extend(compiled.facts[capture].map(|fact| (node, fact)));
        });
        bindings::resolve(id, &file.text, file.tree(), &facts)
    }

    fn semantic_errors(&self, file: &Parsed) -> usize {
        self.semantics.map_or(0, |errors| errors(file))
    }

    fn fit(&self, base: &Parsed, slot: NodeId, node: NodeId) -> Fit {
        let compiled = self.compiled();
        let tree = base.tree();
        let (wanted, kind) = (tree.kind(slot), tree.kind(node));
        let is_inner = |n: NodeId| tree.has(n, Role::Inner);
        // The body of a function is in none, and nothing but a body can take its place.
        let is_for_statements = is_inner(slot) && (!tree.has(slot, Role::Body) || wanted == kind);
        if is_inner(node) && !is_for_statements && !tree.ancestors(slot).any(is_inner) {
            return Fit::Unlikely;
        }
        let supertypes = |kind: Kind| compiled.supertypes.get(kind.0 as usize).copied().unwrap_or(0);
        if wanted == kind {
            return Fit::SameKind;
        }
        if supertypes(wanted) & supertypes(kind) != 0 {
            return Fit::Related;
        }
        let state = tree.parse_state(slot);
        let next = compiled.next_state(state, tree.grammar_kind(node));
        let follows = || tree.following_leaf(slot).map_or(0, |leaf| tree.grammar_kind(leaf));
        if next != 0 && compiled.accepts(next, follows()) { Fit::Allowed } else { Fit::Unlikely }
    }
}
