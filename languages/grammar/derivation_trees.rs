//! A user's grammar whose trees are its derivation trees, for published algorithms that are defined on such
//! trees.

use super::Parser;
use super::shape::Form;
use crate::edit::Edit;
use crate::layout::Layout;
use crate::lexis::Lexis;
use crate::tree::NodeId;
use crate::{Fit, Language, Parsed, Syntax};

/// See [`Parser::derivation_trees`]. Everything but the trees is the parser's.
#[derive(Debug)]
pub(super) struct DerivationTrees(pub(super) &'static Parser);

impl Language for DerivationTrees {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.0.extensions()
    }

    fn lexis(&self) -> &'static Lexis {
        self.0.lexis()
    }

    fn layout(&self) -> Layout {
        self.0.layout()
    }

    fn constants(&self) -> &'static [&'static str] {
        self.0.constants()
    }

    fn samples(&self) -> &'static [(&'static str, &'static str)] {
        self.0.samples()
    }

    fn parser(&'static self) -> Option<&'static Parser> {
        Some(self.0)
    }

    fn parse(&self, text: &[u8]) -> Syntax {
        self.0.syntax(text, Form::Derivation)
    }

    fn reparse(&self, base: &Parsed, edits: &[Edit]) -> usize {
        self.0.reparse(base, edits)
    }

    fn fit(&self, base: &Parsed, slot: NodeId, node: NodeId) -> Fit {
        self.0.fit(base, slot, node)
    }
}
