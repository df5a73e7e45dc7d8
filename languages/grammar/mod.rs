//! Grammars that users bring: context-free, from a JSON file, parsed by Earley's algorithm.
//!
//! A grammar becomes a [`Language`] whose trees every pass can work on. `docs/grammars.md` describes the
//! file and what becomes of the rules.

mod check;
mod choices;
mod derivation;
mod derivation_trees;
mod earley;
mod forest;
mod format;
mod generate;
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
pub use forest::Trees;
pub use generate::Generator;
pub use rules::{Class, Grammar, Nonterminal, Rule, RuleId, Symbol};

use self::derivation_trees::DerivationTrees;
use self::earley::Chart;
use self::forest::Forest;
use self::resume::Known;
use self::shape::{Form, Shapes};
use self::table::Table;
use crate::edit::Edit;
use crate::layout::Layout;
use crate::lexis::Lexis;
use crate::tree::NodeId;
use crate::{Fit, Language, Parsed, Syntax};
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis::DEFAULT;

/// A grammar made ready for parsing.
#[derive(Debug)]
pub struct Parser {
    grammar: Grammar,
    table: Table,
    shapes: Shapes,
    derivation_trees: OnceLock<DerivationTrees>,
}

impl Parser {
    /// A parser for `grammar`. The names and shortest texts of nonterminals are leaked: trees refer to
    /// them for ever. A process needs one parser for each grammar.
    pub fn new(grammar: Grammar) -> Self {
        let (table, shapes) = (Table::new(&grammar), Shapes::new(&grammar));
        Self { grammar, table, shapes, derivation_trees: OnceLock::new() }
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// Whether the grammar derives exactly this text. Linear on LR-regular grammars, O(n³) for the worst.
    pub fn accepts(&self, text: &[u8]) -> bool {
        Chart::new(&self.table, text).accepted() == Some(text.len() as u32)
    }

    /// The first tree of the longest prefix of `text` that the grammar accepts, and the prefix's length: at
    /// every node the first rule that can be, and of its ways the one with the longest first symbol, then
    /// the longest second one, and so on.
    pub fn derivation(&self, text: &[u8]) -> Option<(Derivation, usize)> {
        let mut forest = Forest::new(&self.table, text)?;
        Some((forest.first(), forest.end() as usize))
    }

    /// How many bytes of a text the grammar does not accept: those behind the longest prefix that it does, but
    /// for a last line end; all, and at least 1, if there is no such prefix. As fast as `accepts`.
    pub fn errors(&self, text: &[u8]) -> usize {
        let accepted = Chart::new(&self.table, text).accepted();
        shape::errors(accepted.map(|end| end as usize), text)
    }

    /// How many trees the grammar has for exactly this text.
    pub fn trees(&self, text: &[u8]) -> Trees {
        let forest = Forest::new(&self.table, text).filter(|f| f.end() as usize == text.len());
        forest.map_or(Trees::Exactly(0), |mut forest| forest.trees())
    }

    /// The same language, but its trees are the derivation trees: a node for every nonterminal and every
    /// terminal, where [`Parser`] itself makes flat lists of chains of recursive rules. What has an empty rule
    /// is optional there, and the filler of a nonterminal is its shortest text, which may be empty.
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

    /// The parser for as long as the process runs, as languages are: it is leaked.
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

    fn reparse(&self, base: &Parsed, edits: &[Edit], text: &[u8]) -> usize {
        let changed = edits.first().map_or(0, |e| e.start)..edits.last().map_or(0, |e| e.end);
        let accepted = match base.syntax.state.downcast_ref() {
            Some(chart) => Known { chart, text: &base.text }.accepted(&self.table, changed, text),
            None => Chart::new(&self.table, text).accepted(),
        };
        shape::errors(accepted.map(|end| end as usize), text)
    }

    fn fit(&self, base: &Parsed, slot: NodeId, node: NodeId) -> Fit {
        let tree = base.tree();
        let (wanted, kind) = (tree.kind(slot), tree.kind(node));
        // What spans the same bytes as the slot is in the same place.
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
