//! Insertions: files of a corpus in which an instance of a pattern's evocative subtree stands at a place that takes it.

use crate::find::{Extras, Haystack};
use crate::instances::Instances;
use crate::pattern::Pattern;
use crate::random::Random;
use lopper_languages::Parsed;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};
use std::collections::BTreeSet;
use std::ops::Range;

/// So many times another place is tried if the last one does not take the core.
const TRIES: usize = 200;

/// Draws files with an instance of a pattern in them. The same seed gives the same ones.
#[derive(Debug)]
pub struct Insertions<'c> {
    /// What has to stand in each file.
    evocative: Pattern,
    instances: Instances,
    corpus: &'c [Parsed],
    random: Random,
}

impl<'c> Insertions<'c> {
    /// Insertions of instances of a pattern into the files of a corpus in the pattern's language.
    pub fn new(pattern: &Pattern, instances: Instances, corpus: &'c [Parsed], seed: u64) -> Self {
        // The instances have the seed itself.
        Self { evocative: pattern.evocative(), instances, corpus, random: Random::part(seed, 1) }
    }

    /// The next file: it has no more errors than the file of the corpus, and the pattern is found in it. `None` if no
    /// place was found in many tries, or no instance can be drawn.
    pub fn draw(&mut self) -> Option<Vec<u8>> {
        for _ in 0..TRIES {
            let instance = self.instances.draw()?;
            let file = self.random.one(self.corpus)?;
            let instance = Parsed::new(file.language, instance.text);
            let Some(text) = self.inserted(&instance, file) else { continue };
            let parsed = file.with_text(text);
            let has_pattern = || Haystack::new(&parsed).has(&self.evocative, Extras::Statements);
            if parsed.syntax().errors <= file.syntax().errors && has_pattern() {
                return Some(parsed.text.to_vec());
            }
        }
        None
    }

    /// The text of a file with the core of an instance in place of a node of its type, or before a node of the file if
    /// the core is the whole instance.
    fn inserted(&mut self, instance: &Parsed, file: &Parsed) -> Option<Vec<u8>> {
        let found = Haystack::new(instance).find(&self.evocative, Extras::Statements).into_iter().next()?;
        let core = instance.text.get(found.range.clone())?;
        let (tree, root) = (instance.tree(), NodeId::ROOT);
        if tree.range(root) == found.range && instance.language.parser().is_none() {
            let places: Vec<NodeId> = file.tree().children(root).collect();
            let start = file.tree().range(*self.random.one(&places)?).start;
            return Some(spliced(&file.text, start..start, &[core, b"\n"].concat()));
        }
        let types = Types::of(tree, found.range);
        let slots: Vec<NodeId> = file.tree().nodes().filter(|&node| types.admit(file.tree(), node)).collect();
        let slot = file.tree().range(*self.random.one(&slots)?);
        let indented = indented(core, indent(&file.text, slot.start));
        Some(spliced(&file.text, slot, &indented))
    }
}

/// The kinds and roles of the nodes over a range.
struct Types {
    kinds: BTreeSet<&'static str>,
    roles: Vec<Role>,
}

impl Types {
    fn of(tree: &Tree, range: Range<usize>) -> Self {
        let nodes: Vec<NodeId> =
            tree.nodes().filter(|&node| tree.range(node) == range && tree.is_named(node)).collect();
        let has = |role: &Role| nodes.iter().any(|&node| tree.has(node, *role));
        Self {
            kinds: nodes.iter().map(|&node| tree.kind_name(node)).collect(),
            roles: [Role::Expression, Role::Statement].into_iter().filter(has).collect(),
        }
    }

    fn admit(&self, tree: &Tree, node: NodeId) -> bool {
        let is_of_kind = tree.is_named(node) && self.kinds.contains(tree.kind_name(node));
        is_of_kind || self.roles.iter().any(|&role| tree.has(node, role))
    }
}

fn spliced(text: &[u8], range: Range<usize>, new: &[u8]) -> Vec<u8> {
    [&text[..range.start], new, &text[range.end..]].concat()
}

/// The blanks at the beginning of the line of a place.
fn indent(text: &[u8], at: usize) -> &[u8] {
    let line = text[..at].iter().rposition(|&c| c == b'\n').map_or(0, |newline| newline + 1);
    let blanks = text[line..at].iter().take_while(|c| matches!(c, b' ' | b'\t')).count();
    &text[line..line + blanks]
}

/// A text whose lines but the first have more blanks at their beginnings.
fn indented(text: &[u8], blanks: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = text.split(|&c| c == b'\n').collect();
    lines.join(&[b"\n", blanks].concat()[..])
}
