//! Drawing for users' grammars: random derivations of nonterminals.

use crate::drawing::{Drawing, Opening, Place};
use crate::grammar::nodes;
use crate::pattern::{Node, Sort};
use crate::random::Random;
use lopper_languages::Parsed;
use lopper_languages::grammar::{Generator, Grammar, Nonterminal, Symbol};
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

/// Below this depth random derivations end as soon as they can: as in the published experiments.
pub(crate) const DEPTH: u32 = 10;

/// See the module.
pub(crate) struct Derivations {
    grammar: &'static Grammar,
    generator: Generator<'static>,
    nodes: Vec<Node>,
    example: Vec<u8>,
    /// Whether each nonterminal derives only one text.
    constant: Vec<bool>,
}

impl Derivations {
    /// For an example with its derivation tree; `None` if its language is no grammar.
    pub(crate) fn new(file: &Parsed) -> Option<Self> {
        let grammar = file.language.parser()?.grammar();
        let example = file.text[..file.tree().range(NodeId::ROOT).end].to_vec();
        Some(Self::of_nodes(grammar, nodes(file), example))
    }

    /// For the nodes of a pattern, whose holes may be among them.
    pub(crate) fn of_nodes(grammar: &'static Grammar, nodes: Vec<Node>, example: Vec<u8>) -> Self {
        let generator = Generator::new(grammar, 0, DEPTH);
        Self { grammar, generator, nodes, example, constant: constant(grammar) }
    }

    fn nonterminal(&self, node: usize) -> Option<Nonterminal> {
        let node = self.nodes.get(node).filter(|node| node.named)?;
        self.grammar.named(&node.kind)
    }

    fn is_constant(&self, nonterminal: Nonterminal) -> bool {
        self.constant.get(nonterminal.0 as usize).copied().unwrap_or(true)
    }
}

/// What is known of the texts that a nonterminal derives.
#[derive(Clone, PartialEq)]
enum Texts {
    None,
    One(String),
    Many,
}

/// Which nonterminals derive only one text. O(rules²) at worst.
fn constant(grammar: &Grammar) -> Vec<bool> {
    // A single text that is longer is not worth to be told from many.
    const LONG: usize = 1000;
    let mut texts = vec![Texts::None; grammar.names().len()];
    loop {
        let mut changed = false;
        for rule in grammar.rules() {
            let mut text = Texts::One(String::new());
            for symbol in &rule.right {
                text = match (text, symbol) {
                    (Texts::One(text), Symbol::Literal(literal)) => Texts::One(text + literal),
                    (Texts::One(text), Symbol::Class(class)) if class.len() == 1 => {
                        Texts::One(text + class.nth(0).encode_utf8(&mut [0; 4]))
                    }
                    (Texts::One(text), Symbol::Nonterminal(n)) => match &texts[n.0 as usize] {
                        Texts::One(below) => Texts::One(text + below),
                        other => other.clone(),
                    },
                    (Texts::None, _) => Texts::None,
                    (_, Symbol::Nonterminal(n)) if texts[n.0 as usize] == Texts::None => Texts::None,
                    _ => Texts::Many,
                };
            }
            if matches!(&text, Texts::One(text) if text.len() > LONG) {
                text = Texts::Many;
            }
            let known = &mut texts[rule.left.0 as usize];
            let next = match (&*known, text) {
                (Texts::None, text) => text,
                (Texts::One(known), Texts::One(text)) if *known == text => continue,
                (_, Texts::None) | (Texts::Many, _) => continue,
                _ => Texts::Many,
            };
            changed |= *known != next;
            *known = next;
        }
        if !changed {
            return texts.iter().map(|text| *text != Texts::Many).collect();
        }
    }
}

impl Drawing for Derivations {
    fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    fn example(&self) -> &[u8] {
        &self.example
    }

    fn draw(&mut self, opening: &Opening, random: &mut Random) -> Option<Vec<u8>> {
        let Sort::Nonterminal(name) = &opening.sort else { return None };
        let nonterminal = self.grammar.named(name)?;
        self.generator.reseed(random.next());
        Some(self.generator.derivation_from(nonterminal).text(self.grammar).into_bytes())
    }

    fn sorts(&self, node: usize) -> Vec<Sort> {
        let nonterminal = self.nonterminal(node).filter(|&n| !self.is_constant(n));
        nonterminal.map(|n| Sort::Nonterminal(self.grammar.name(n).to_owned())).into_iter().collect()
    }

    fn is_token(&self, node: usize) -> bool {
        self.nonterminal(node).is_some_and(|n| self.grammar.is_lexical(n))
    }

    /// The concrete nodes of the same nonterminal and text, not blank, those that cover most first.
    fn groups(&self, is_open: &dyn Fn(usize) -> bool) -> Vec<Opening> {
        let mut groups: BTreeMap<(Nonterminal, &[u8]), Vec<usize>> = BTreeMap::new();
        let mut inside = 0;
        for (at, node) in self.nodes.iter().enumerate() {
            let Some(nonterminal) = self.nonterminal(at).filter(|_| at >= inside && is_open(at)) else {
                continue;
            };
            if self.is_token(at) {
                inside = node.last;
            }
            let text = &self.example[node.range.clone()];
            if !self.is_constant(nonterminal) && !text.iter().all(u8::is_ascii_whitespace) {
                groups.entry((nonterminal, text)).or_default().push(at);
            }
        }
        let mut groups: Vec<_> = groups.into_iter().filter(|(_, nodes)| nodes.len() > 1).collect();
        groups.sort_by_key(|((_, text), nodes)| (std::cmp::Reverse(text.len() * nodes.len()), nodes[0]));
        let opening = |((nonterminal, _), nodes): ((Nonterminal, _), Vec<usize>)| Opening {
            coupled: true,
            ..Opening::new(
                Sort::Nonterminal(self.grammar.name(nonterminal).to_owned()),
                nodes.into_iter().map(Place::Node).collect(),
            )
        };
        groups.into_iter().map(opening).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonterminal_with_a_single_text_is_told_from_the_others() {
        let json = r#"{"<start>": ["<a><b><c><d>"], "<a>": ["x<b>"], "<b>": ["y", "<e>"], "<e>": ["y", ["y"]],
            "<c>": ["", "<c>z"], "<d>": [[{"class": "q"}], ["<a>"]]}"#;
        let json = json.replace(", [\"y\"]", "");
        let grammar = Grammar::read(&json).unwrap();
        let constant = constant(&grammar);
        let of = |name: &str| constant[grammar.named(name).unwrap().0 as usize];
        assert_eq!(["<a>", "<b>", "<e>"].map(of), [true; 3]);
        assert_eq!(["<start>", "<c>", "<d>"].map(of), [false; 3]);
    }
}
