//! The evocative subtree of a pattern: what is left without the statements and items around it that may be anything.

use crate::pattern::Pattern;

impl Pattern {
    /// The pattern below the node whose presence in a file is the failure's cause: from the core on downwards as long as
    /// everything beside one child may be anything or nothing. So it may stand at any place that takes the node.
    pub fn evocative(&self) -> Self {
        let mut node = self.core();
        while let Some(only) = self.only_child(node) {
            node = only;
        }
        let last = self.nodes[node].last;
        let mut nodes = self.nodes[node..last].to_vec();
        nodes.iter_mut().for_each(|below| below.last -= node);
        Self { nodes, fixed: Vec::new(), rate: None, excerpt: None, outside: Vec::new(), ..self.clone() }
    }

    /// The only child that is no hole for further statements or items; none if it is a hole or a token.
    fn only_child(&self, node: usize) -> Option<usize> {
        let may_be_nothing = |child: &usize| {
            let node = &self.nodes[*child];
            node.hole.map_or(node.range.is_empty(), |hole| self.holes[hole].sort.is_insertion())
        };
        let mut children = self.children(node).filter(|child| !may_be_nothing(child));
        let only = children.next().filter(|_| children.next().is_none())?;
        (self.nodes[only].named && self.nodes[only].hole.is_none()).then_some(only)
    }
}
