//! Reachability by unit rules: whether one nonterminal derives another one alone.
//!
//! A table of all pairs would be quadratic in the number of nonterminals. Instead, one depth-first search
//! over the acyclic graph gives each nonterminal two ranges: one that contains only nonterminals below it,
//! and one that contains all of them. If these do not decide, the graph is searched. After Yildirim, Chaoji
//! and Zaki, "GRAIL: Scalable Reachability Index for Large Graphs" (PVLDB 3(1), 2010).

use super::rules::Nonterminal;
use std::collections::BTreeSet;

/// The reachability index; see the module.
#[derive(Debug)]
pub(super) struct Units {
    below: Vec<Vec<Nonterminal>>,
    /// The pre-order number of each nonterminal, and the count of visited nonterminals when the search left
    /// it.
    came: Vec<u32>,
    seen: Vec<u32>,
    /// The post-order number of each nonterminal, and the least post-order number below it.
    left: Vec<u32>,
    lowest: Vec<u32>,
}

impl Units {
    /// Builds the index of an acyclic graph, given the direct successors of each nonterminal. Linear.
    pub(super) fn new(below: Vec<Vec<Nonterminal>>) -> Self {
        const NEVER: u32 = u32::MAX;
        let count = below.len();
        let [came, seen, left, lowest] = [(); 4].map(|()| vec![NEVER; count]);
        let mut units = Self { below, came, seen, left, lowest };
        let (mut entered, mut done) = (0, 0);
        for root in 0..count {
            let mut way: Vec<(usize, usize)> = Vec::new();
            if units.came[root] == NEVER {
                units.came[root] = entered;
                entered += 1;
                way.push((root, 0));
            }
            while let Some((node, next)) = way.last_mut() {
                let (node, step) = (*node, *next);
                *next += 1;
                match units.below[node].get(step).map(|n| n.index()) {
                    Some(child) if units.came[child] == NEVER => {
                        units.came[child] = entered;
                        entered += 1;
                        way.push((child, 0));
                    }
                    Some(_) => {}
                    None => {
                        let lowest = units.below[node].iter().map(|n| units.lowest[n.index()]).min();
                        (units.seen[node], units.left[node]) = (entered, done);
                        units.lowest[node] = lowest.map_or(done, |lowest| lowest.min(done));
                        done += 1;
                        way.pop();
                    }
                }
            }
        }
        units
    }

    /// Whether `from` derives `to` alone, or equals it. Usually in constant time; at worst linear.
    pub(super) fn derives(&self, from: Nonterminal, to: Nonterminal) -> bool {
        let mut open = vec![from.index()];
        let mut visited = BTreeSet::new();
        while let Some(node) = open.pop() {
            if (self.came[node]..self.seen[node]).contains(&self.came[to.index()]) {
                return true;
            }
            let left = self.left[to.index()];
            let may = |n: usize| self.lowest[n] <= left && left <= self.left[n];
            for child in self.below[node].iter().map(|n| n.index()).filter(|&n| may(n)) {
                if visited.insert(child) {
                    open.push(child);
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_index_agrees_with_a_search(pairs in proptest::collection::vec((0usize..12, 0usize..12), 0..40)) {
            let mut below = vec![Vec::new(); 12];
            for (a, b) in pairs.into_iter().filter(|(a, b)| a != b) {
                // Edges from odd to even numbers and upwards: no cycles, and an order that differs from the
                // search's.
                let rank = |n: usize| (n % 2, n);
                let (from, to) = if rank(a) > rank(b) { (a, b) } else { (b, a) };
                below[from].push(Nonterminal(to as u32));
            }
            let units = Units::new(below.clone());
            for from in 0..12 {
                let (mut found, mut open) = (vec![from], vec![from]);
                while let Some(next) = open.pop() {
                    for child in below[next].iter().map(|n| n.index()) {
                        if !found.contains(&child) {
                            found.push(child);
                            open.push(child);
                        }
                    }
                }
                for to in 0..12 {
                    let derives = units.derives(Nonterminal(from as u32), Nonterminal(to as u32));
                    prop_assert_eq!(derives, found.contains(&to), "{} to {}", from, to);
                }
            }
        }
    }
}
