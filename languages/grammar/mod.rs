//! Grammars that users supply: context-free, in a JSON file, parsed by Earley's algorithm.
//!
//! A grammar becomes a [`Language`] whose trees every pass can work on. `docs/grammars.md` describes the file
//! format and the trees.

mod check;
mod choices;
mod derivation;
mod derivation_trees;
mod earley;
mod fold;
mod folding;
mod forest;
mod format;
mod generate;
mod lr;
mod remembered;
mod resume;
mod rules;
mod shape;
mod table;
#[cfg(test)]
mod tests;
mod units;

pub use check::Problem;
pub use choices::Choices;
pub use derivation::{Derivation, Spot, Step};
pub use fold::Fold;
pub use folding::Folding;
pub use forest::Trees;
pub use generate::Generator;
pub use rules::{Class, Grammar, Nonterminal, Rule, RuleId, Symbol};

use self::derivation_trees::DerivationTrees;
use self::earley::Chart;
use self::forest::Forest;
use self::lr::Lr;
use self::resume::Known;
use self::shape::{Form, Shapes};
use self::table::Table;
use crate::edit::{Edit, edited};
use crate::layout::Layout;
use crate::lexis::Lexis;
use crate::tree::NodeId;
use crate::{Fit, Language, Parsed, Syntax};
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis::DEFAULT;

/// A grammar prepared for parsing.
#[derive(Debug)]
pub struct Parser {
    grammar: Grammar,
    table: Table,
    shapes: Shapes,
    derivation_trees: OnceLock<DerivationTrees>,
    lr: OnceLock<Option<Lr>>,
}

impl Parser {
    /// A parser for `grammar`. It leaks the names and shortest texts of nonterminals, since trees refer to
    /// them for ever; a process needs only one parser for each grammar.
    pub fn new(grammar: Grammar) -> Self {
        let (table, shapes) = (Table::new(&grammar), Shapes::new(&grammar));
        Self { grammar, table, shapes, derivation_trees: OnceLock::new(), lr: OnceLock::new() }
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// The LR parser, unless its table would be too large.
    fn lr(&self) -> Option<&Lr> {
        self.lr.get_or_init(|| Lr::new(&self.grammar)).as_ref()
    }

    /// Whether the grammar is LALR(1) over characters: then it is not ambiguous, and folds are linear.
    pub fn is_deterministic(&self) -> bool {
        self.lr().is_some_and(Lr::is_deterministic)
    }

    /// Whether the grammar derives exactly this text. Linear on LR-regular grammars, O(n³) for the worst.
    pub fn accepts(&self, text: &[u8]) -> bool {
        Chart::new(&self.table, text).accepted() == Some(text.len() as u32)
    }

    /// The first tree of the longest prefix of `text` that the grammar accepts, and the prefix's length.
    /// Every node has the first possible rule, and among the ways to apply it the one with the longest first
    /// symbol, then the longest second symbol, and so on.
    pub fn derivation(&self, text: &[u8]) -> Option<(Derivation, usize)> {
        let mut forest = Forest::new(&self.table, text)?;
        Some((forest.first(), forest.end() as usize))
    }

    /// The number of bytes that the grammar does not accept: those behind the longest accepted prefix, not
    /// counting a final line end; if no prefix is accepted, all bytes, and at least 1. As fast as `accepts`.
    pub fn errors(&self, text: &[u8]) -> usize {
        let accepted = Chart::new(&self.table, text).accepted();
        shape::errors(accepted.map(|end| end as usize), text)
    }

    /// The number of trees of exactly this text.
    pub fn trees(&self, text: &[u8]) -> Trees {
        let forest = Forest::new(&self.table, text).filter(|f| f.end() as usize == text.len());
        forest.map_or(Trees::Exactly(0), |mut forest| forest.trees())
    }

    /// The same language, but its trees are the derivation trees, with a node for every nonterminal and every
    /// terminal, while the trees of [`Parser`] turn chains of recursive rules into flat lists. A nonterminal
    /// with an empty rule is optional there, and its filler is its shortest text, which may be empty.
    pub fn derivation_trees(&'static self) -> &'static dyn Language {
        self.derivation_trees.get_or_init(|| DerivationTrees(self))
    }

    fn syntax(&self, text: &[u8], form: Form) -> Syntax {
        let (derivation, chart) = match Forest::new(&self.table, text) {
            Some(mut forest) => (Some(forest.first()), forest.into_chart()),
            None => (None, Chart::new(&self.table, text)),
        };
        let (tree, errors) = self.shapes.tree(&self.grammar, derivation.as_ref(), text, form);
        Syntax { tree, errors, state: Box::new(chart) }
    }

    /// The parser with a static lifetime, as languages need it: it is leaked.
    pub fn leak(self) -> &'static Self {
        Box::leak(Box::new(self))
    }
}

impl Language for Parser {
    fn name(&self) -> &'static str {
        "grammar"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn lexis(&self) -> &'static Lexis {
        &LEXIS
    }

    fn layout(&self) -> Layout {
        Layout::Exact
    }

    fn constants(&self) -> &'static [&'static str] {
        &[]
    }

    fn samples(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    fn parse(&self, text: &[u8]) -> Syntax {
        self.syntax(text, Form::Lists)
    }

    fn parser(&'static self) -> Option<&'static Parser> {
        Some(self)
    }

    fn reparse(&self, base: &Parsed, edits: &[Edit]) -> usize {
        let text = edited(&base.text, edits);
        let changed = edits.first().map_or(0, |e| e.start)..edits.last().map_or(0, |e| e.end);
        let accepted = match base.syntax().state.downcast_ref() {
            Some(chart) => Known { chart, text: &base.text }.accepted(&self.table, changed, &text),
            None => Chart::new(&self.table, &text).accepted(),
        };
        shape::errors(accepted.map(|end| end as usize), &text)
    }

    fn fit(&self, base: &Parsed, slot: NodeId, node: NodeId) -> Fit {
        let tree = base.tree();
        let (wanted, kind) = (tree.kind(slot), tree.kind(node));
        // A node that spans the same bytes as the slot takes the same place.
        let mut places = tree.ancestors(slot).take_while(|&n| tree.range(n) == tree.range(slot));
        if wanted == kind {
            Fit::SameKind
        } else if self.shapes.derives(wanted, kind) {
            Fit::Related
        } else if places.any(|place| self.shapes.derives(tree.kind(place), kind)) {
            Fit::Allowed
        } else {
            Fit::Unlikely
        }
    }
}
