//! Embedding a pattern in a file: a looser match than that of [`crate::Haystack`], for a program that was not reduced.
//!
//! A reduction deletes what is around and between the nodes of a failure. Therefore the pattern's tree is embedded in the
//! tree of the file: order and ancestry stay, and nodes of the file may be skipped (ordered tree inclusion: Kilpeläinen and
//! Mannila, "Ordered and Unordered Tree Inclusion", SIAM Journal on Computing 24, 1995). Tokens are the same, or stand in
//! holes; inner nodes have the same roles, and the same kind where no token of their own tells what they are.
//!
//! A reduction also moves definitions, and puts a value in the place of a name. [`Closeness::Meant`] looks such
//! things up: a variable that the pattern defines may be defined anywhere, and a name may stand for what it names.
//!
//! A reduction rewrites, too. An excerpt of the original program was never rewritten: [`Closeness::Excerpt`] embeds its
//! pattern, if there is one.
//!
//! Nodes of the file for each node of the pattern are found from the leaves upwards, about linear in the nodes of
//! the file for each node of the pattern; then coupled holes and names are bound, with a limited number of steps.

mod binding;
mod ground;
mod needle;
mod places;
mod statements;

pub use ground::Ground;
pub use needle::Needle;

use crate::find::{Extras, Match};
use binding::bind;
use needle::{Label, Piece, Shape};
use places::Places;

/// How close a match is to the pattern, the closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Closeness {
    /// Nothing but comments is there that the pattern does not have.
    Exact,
    /// Further statements stand in blocks.
    Statements,
    /// The excerpt of the original program is found, with further nodes above, between and below its own.
    Excerpt,
    /// Further nodes stand above, between and below those of the pattern.
    Embedded,
    /// In addition, definitions are elsewhere, and names stand for what they name.
    Meant,
}

impl Closeness {
    /// All of them, the closest first.
    pub const ALL: [Self; 5] = [Self::Exact, Self::Statements, Self::Excerpt, Self::Embedded, Self::Meant];
}

impl Needle<'_> {
    /// The closest matches in a file, in the order of the text, none looser than `loosest`; and how close they are. Of
    /// matches within each other that are embedded only the innermost counts.
    pub fn find(&self, ground: &Ground, loosest: Closeness) -> Option<(Closeness, Vec<Match>)> {
        let tried = Closeness::ALL.into_iter().filter(|&closeness| closeness <= loosest);
        tried
            .map(|closeness| (closeness, self.matches(ground, closeness)))
            .find(|(_, found)| !found.is_empty())
    }

    fn matches(&self, ground: &Ground, closeness: Closeness) -> Vec<Match> {
        let haystack = ground.haystack();
        let meant = closeness == Closeness::Meant;
        match closeness {
            Closeness::Exact => return haystack.find(self.pattern, Extras::Comments),
            Closeness::Statements => return haystack.find(self.pattern, Extras::Statements),
            Closeness::Excerpt => {
                return self.excerpt.as_ref().map_or_else(Vec::new, |own| own.as_excerpt(ground));
            }
            Closeness::Embedded | Closeness::Meant => {}
        }
        let Some(shape) = self.shape(meant).filter(|shape| has_texts(shape, ground)) else {
            return Vec::new();
        };
        let places = Places::new(shape, ground, meant);
        bind(self.pattern.holes.len(), shape, ground, &places)
    }

    /// The matches of the pattern of an excerpt.
    fn as_excerpt(&self, ground: &Ground) -> Vec<Match> {
        let outside = &self.pattern.outside;
        if self.shape(false).is_some() || outside.is_empty() {
            return self.matches(ground, Closeness::Embedded);
        }
        // No word tells it: nothing but further statements may be between its parts.
        let kinds: Vec<String> = outside.iter().map(|outside| outside.kind.clone()).collect();
        let mut found = self.matches(ground, Closeness::Statements);
        found.retain(|found| ground.is_text_outside(&found.range, &kinds));
        found
    }
}

/// Whether every text of a shape is in the file.
fn has_texts(shape: &Shape, ground: &Ground) -> bool {
    let is_there =
        |piece: &Piece| !matches!(&piece.label, Label::Text(text) if ground.texts(text).is_empty());
    shape.pieces.iter().all(is_there)
}
