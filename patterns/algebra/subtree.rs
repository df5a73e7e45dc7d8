//! Evocative subtrees: the part of a pattern whose presence in a derivation tree is the cause of a failure.

use crate::pattern::Pattern;
use lopper_languages::grammar::{Grammar, Nonterminal, RuleId, Symbol};
use std::fmt;

/// A subtree of derivation trees, some of whose nodes may be anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtree {
    /// The concrete nonterminal nodes in pre-order; the first one is the root.
    pub(super) nodes: Vec<Concrete>,
}

/// A nonterminal's node whose rule is fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Concrete {
    pub(super) rule: RuleId,
    /// What has to stand at each symbol of the rule.
    pub(super) parts: Vec<Part>,
}

/// What has to stand at a symbol of a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// Anything: a hole, or a literal, which the rule fixes.
    Any,
    /// A node that matches this concrete one, by its index.
    Node(usize),
    /// This character of a class.
    Char(char),
}

/// Why a pattern has no evocative subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSubtree {
    /// The whole pattern is one hole: every text has it.
    Hole,
    /// A node of the pattern follows no rule of the grammar: the pattern belongs to another grammar.
    OtherGrammar,
}

impl fmt::Display for NoSubtree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hole => "the pattern is a single hole, which every text contains",
            Self::OtherGrammar => "the pattern does not follow the rules of the grammar",
        })
    }
}

impl std::error::Error for NoSubtree {}

impl Subtree {
    /// The subtree of a pattern of this grammar below its characterising node: the first node from the root downwards that
    /// has a terminal child or several children with a text (section 3.2 of the paper). Coupled holes count as
    /// plain ones, since no context-free grammar can couple them.
    ///
    /// # Errors
    /// If there is no such node, or the pattern follows other rules.
    pub fn characteristic(grammar: &Grammar, pattern: &Pattern) -> Result<Self, NoSubtree> {
        let node = pattern.core();
        let mut children = pattern.children(node);
        let only = children.next().filter(|_| children.next().is_none());
        if only.is_some_and(|child| pattern.nodes[child].hole.is_some()) {
            return Err(NoSubtree::Hole);
        }
        Self::at(grammar, pattern, node)
    }

    /// The subtree of a pattern below one of its nodes.
    ///
    /// # Errors
    /// If the node is a hole, or the pattern follows other rules.
    pub fn at(grammar: &Grammar, pattern: &Pattern, node: usize) -> Result<Self, NoSubtree> {
        if pattern.nodes[node].hole.is_some() || !pattern.nodes[node].named {
            return Err(NoSubtree::Hole);
        }
        let mut subtree = Self { nodes: Vec::new() };
        subtree.read(grammar, pattern, node)?;
        Ok(subtree)
    }

    /// Appends the concrete nodes from this one down, in pre-order. Patterns may be too deep for recursion.
    fn read(&mut self, grammar: &Grammar, pattern: &Pattern, root: usize) -> Result<(), NoSubtree> {
        // Each node with its place in its parent: the parent's index, and the number of the symbol.
        let mut open: Vec<(usize, Option<(usize, usize)>)> = vec![(root, None)];
        while let Some((node, place)) = open.pop() {
            let left = grammar.named(&pattern.nodes[node].kind).ok_or(NoSubtree::OtherGrammar)?;
            let children: Vec<usize> = pattern.children(node).collect();
            let rule = grammar.alternatives(left).find(|&rule| {
                let right = &grammar.rule(rule).right;
                right.len() == children.len()
                    && right
                        .iter()
                        .zip(&children)
                        .all(|(symbol, &child)| fits(grammar, symbol, pattern, child))
            });
            let rule = rule.ok_or(NoSubtree::OtherGrammar)?;
            let index = self.nodes.len();
            if let Some((parent, at)) = place {
                self.nodes[parent].parts[at] = Part::Node(index);
            }
            let part = |(symbol, &child): (&Symbol, &usize)| match symbol {
                Symbol::Class(_) => char_of(pattern, child).map_or(Part::Any, Part::Char),
                Symbol::Nonterminal(_) | Symbol::Literal(_) => Part::Any,
            };
            let right = &grammar.rule(rule).right;
            self.nodes.push(Concrete { rule, parts: right.iter().zip(&children).map(part).collect() });
            for (at, &child) in children.iter().enumerate().rev() {
                if right[at].nonterminal().is_some() && pattern.nodes[child].hole.is_none() {
                    open.push((child, Some((index, at))));
                }
            }
        }
        Ok(())
    }

    /// The nonterminal of the root.
    pub fn nonterminal(&self, grammar: &Grammar) -> Nonterminal {
        grammar.rule(self.nodes[0].rule).left
    }
}

/// Whether a node of a pattern stands for a symbol.
fn fits(grammar: &Grammar, symbol: &Symbol, pattern: &Pattern, node: usize) -> bool {
    match symbol {
        Symbol::Nonterminal(n) => pattern.nodes[node].named && pattern.nodes[node].kind == grammar.name(*n),
        Symbol::Literal(text) => !pattern.nodes[node].named && pattern.text(node) == text.as_bytes(),
        Symbol::Class(class) => {
            !pattern.nodes[node].named && char_of(pattern, node).is_some_and(|c| class.has(c))
        }
    }
}

/// The only character of a node's text.
fn char_of(pattern: &Pattern, node: usize) -> Option<char> {
    let mut chars = std::str::from_utf8(pattern.text(node)).ok()?.chars();
    chars.next().filter(|_| chars.next().is_none())
}
