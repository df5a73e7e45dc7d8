//! Instances: texts with random texts in the holes of a pattern.

use crate::derivations::Derivations;
use crate::drawing::{Drawing, Opening, Place, fill, fill_at_random, range};
use crate::pattern::{NotAPattern, Pattern};
use crate::random::Random;
use crate::source::Source;
use lopper_languages::grammar::Parser;
use lopper_languages::{Language, Parsed};

/// Which holes an instance fills anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// All of them.
    #[default]
    All,
    /// One hole, all nodes of a coupled one; the others have the example's texts.
    One,
}

/// Draws instances of a pattern. The same seed gives the same ones.
pub struct Instances {
    drawing: Box<dyn Drawing>,
    openings: Vec<Opening>,
    random: Random,
    fill: Fill,
}

impl std::fmt::Debug for Instances {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instances").field("openings", &self.openings).finish_non_exhaustive()
    }
}

/// An instance, and what stands in each hole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The text.
    pub text: Vec<u8>,
    /// What was drawn for each hole; nothing for those that have the example's text.
    pub values: Vec<Option<Vec<u8>>>,
}

/// So many times an instance is drawn anew whose parts do not go together.
const TRIES: usize = 100;

impl Instances {
    /// Instances of a pattern of a user's grammar; `parser` is of this grammar.
    ///
    /// # Errors
    /// If a hole is of a nonterminal that the grammar does not have.
    pub fn of_grammar(
        pattern: &Pattern,
        parser: &'static Parser,
        seed: u64,
        fill: Fill,
    ) -> Result<Self, NotAPattern> {
        let grammar = parser.grammar();
        for hole in &pattern.holes {
            if !matches!(&hole.sort, crate::Sort::Nonterminal(name) if grammar.named(name).is_some()) {
                let name = hole.sort.name();
                return Err(NotAPattern(format!("the grammar has no nonterminal '<{name}>'")));
            }
        }
        let drawing = Derivations::of_nodes(grammar, pattern.nodes.clone(), pattern.example.clone());
        Ok(Self::with_drawing(pattern, Box::new(drawing), seed, fill))
    }

    /// Instances of a pattern of source code, with fragments of these files; `language` is the pattern's.
    ///
    /// # Errors
    /// If the pattern is of another language.
    pub fn of_source(
        pattern: &Pattern,
        language: &'static dyn Language,
        files: &[&Parsed],
        seed: u64,
        fill: Fill,
    ) -> Result<Self, NotAPattern> {
        if language.name() != pattern.language {
            let (own, other) = (&pattern.language, language.name());
            return Err(NotAPattern(format!("the pattern is of the language '{own}', not '{other}'")));
        }
        let example = Parsed::new(language, pattern.example.clone());
        let drawing = Source::of_pattern(pattern, example, files);
        Ok(Self::with_drawing(pattern, Box::new(drawing), seed, fill))
    }

    pub(crate) fn with_drawing(pattern: &Pattern, drawing: Box<dyn Drawing>, seed: u64, fill: Fill) -> Self {
        let opening = |hole: usize| {
            let known = &pattern.holes[hole];
            let places = pattern.nodes_of(hole).map(Place::Node).collect();
            let samples = known.evidence.instances.clone();
            Opening { coupled: known.coupled, samples, ..Opening::new(known.sort.clone(), places) }
        };
        let openings = (0..pattern.holes.len()).map(opening).collect();
        Self { drawing, openings, random: Random::new(seed), fill }
    }

    /// The next instance; `None` if nothing that goes together is found.
    pub fn draw(&mut self) -> Option<Instance> {
        let all: Vec<&Opening> = self.openings.iter().collect();
        let random = &mut self.random;
        let chosen = match self.fill {
            Fill::All => None,
            Fill::One => Some(random.below(all.len())),
        };
        for _ in 0..TRIES {
            let Some(one) = chosen else {
                let Some(drawn) = fill_at_random(&mut *self.drawing, &all, random) else { continue };
                let values = drawn.values.into_iter().map(Some).collect();
                return Some(Instance { text: drawn.text, values });
            };
            let opening = [*all.get(one)?];
            let Some(drawn) = fill_at_random(&mut *self.drawing, &opening, random) else { continue };
            let mut values = vec![None; all.len()];
            values[one] = drawn.values.into_iter().next();
            return Some(Instance { text: drawn.text, values });
        }
        None
    }

    /// The example with these texts in the holes, where there are any; `None` if they do not fit.
    pub fn with(&self, values: &[Option<Vec<u8>>]) -> Option<Vec<u8>> {
        let nodes = self.drawing.nodes();
        let own = |opening: &Opening| self.drawing.example()[range(&opening.places[0], nodes)].to_vec();
        let values =
            self.openings.iter().zip(values).map(|(o, value)| value.clone().unwrap_or_else(|| own(o)));
        fill(&*self.drawing, &self.openings.iter().collect::<Vec<_>>(), &values.collect::<Vec<_>>())
    }
}
