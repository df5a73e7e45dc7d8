//! The definitions that the rest of a program reaches by their names, when some of those that nothing uses are gone.
//!
//! Names are compared by their spelling only, so what is out of reach can be deleted whatever a name means there.

use lopper_languages::edit::FileId;
use lopper_languages::tree::NodeId;
use std::ops::Range;

/// A definition, or anything else that is deleted as a whole.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Its node.
    pub(crate) node: NodeId,
    /// The bytes of the node.
    pub(crate) range: Range<u32>,
    /// The item around it, without which it cannot be there.
    pub(crate) parent: Option<u32>,
    /// Whether it stays wherever its parent stays, although nothing mentions it.
    pub(crate) stays: bool,
    /// The names that it defines: it is reached if one of them is mentioned.
    pub(crate) names: Vec<u32>,
    /// Names without which nothing can use it: it is reached only if all of them are mentioned.
    pub(crate) guards: Vec<u32>,
    /// The names in its text, outside the items in it.
    pub(crate) mentions: Vec<u32>,
    /// The tokens of its text, outside the items in it.
    pub(crate) tokens: usize,
}

/// The items of a file, and what reaches them.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    file: FileId,
    items: Vec<Item>,
    /// For each item: the items in it.
    children: Vec<Vec<u32>>,
    /// For each name: the items that define it, or have it among their guards.
    waiting: Vec<Vec<u32>>,
    /// Items that no other item reaches, in the order of the text. With each: the tokens that it reaches, but no root behind it.
    roots: Vec<(u32, usize)>,
    /// For each item: about how many tokens only it reaches, and those of its own.
    dominated: Vec<usize>,
    /// For each item: its tokens, with those of the items in it.
    whole: Vec<usize>,
}

impl Reach {
    /// The reach of items, which come before the items in them. Names are numbers below `names`. O(items and mentions).
    pub(crate) fn new(file: FileId, items: Vec<Item>, names: usize) -> Self {
        let mut children = vec![Vec::new(); items.len()];
        let mut waiting = vec![Vec::new(); names];
        let mut mentions = vec![0_usize; names];
        for (at, item) in (0..).zip(&items) {
            item.parent.iter().for_each(|&parent| children[parent as usize].push(at));
            item.names.iter().chain(&item.guards).for_each(|&name| waiting[name as usize].push(at));
            item.mentions.iter().for_each(|&name| mentions[name as usize] += 1);
        }
        let mut whole: Vec<usize> = items.iter().map(|item| item.tokens).collect();
        for (at, item) in items.iter().enumerate().rev() {
            item.parent.iter().for_each(|&parent| whole[parent as usize] += whole[at]);
        }
        let (roots, dominated) = (Vec::new(), Vec::new());
        let mut reach = Self { file, items, children, waiting, roots, dominated, whole };
        reach.roots = reach.find_roots(&mentions);
        reach.dominated = reach.dominate();
        reach
    }

    /// The roots, in the order of the text. What stands later in a file is seldom there for what stands before it: of
    /// two definitions that use each other, and nothing else uses, the later one is the root.
    fn find_roots(&self, mentions: &[usize]) -> Vec<(u32, usize)> {
        let is_used = |item: &Item| {
            let by_others =
                |&&name: &&u32| mentions[name as usize] > usize::from(item.mentions.contains(&name));
            item.names.iter().any(|name| by_others(&name))
        };
        let all = || (0..self.items.len() as u32).rev();
        let is_outer = |&at: &u32| self.items[at as usize].parent.is_none();
        let unused = all().filter(|at| is_outer(at) && !is_used(&self.items[*at as usize]));
        let mut walk = Walk::new(self);
        let mut roots = Vec::new();
        for root in unused.chain(all().filter(is_outer)).chain(all().filter(|at| !is_outer(at))) {
            if walk.can_begin(root) {
                let known = walk.tokens;
                walk.begin(root);
                roots.push((root, walk.tokens - known));
            }
        }
        roots.sort_unstable();
        roots
    }

    /// The roots: their nodes.
    pub(crate) fn roots(&self) -> impl Iterator<Item = NodeId> {
        self.roots.iter().map(|&(root, _)| self.items[root as usize].node)
    }

    /// The file of the items.
    pub(crate) fn file(&self) -> FileId {
        self.file
    }

    /// About how many tokens go with a root.
    pub(crate) fn weight(&self, root: usize) -> usize {
        self.roots[root].1
    }

    /// The outermost items that nothing reaches without these roots. O(items and mentions).
    pub(crate) fn without(&self, gone: &[usize]) -> Vec<NodeId> {
        let mut stays = vec![true; self.roots.len()];
        gone.iter().for_each(|&root| stays[root] = false);
        let roots = self.roots.iter().zip(stays).filter(|(_, stays)| *stays).map(|((root, _), _)| *root);
        let unreached = self.unreached(roots, &[]);
        unreached.into_iter().map(|at| self.items[at as usize].node).collect()
    }

    /// The outermost items in ranges of bytes.
    fn items_in(&self, gone: &[Range<u32>]) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::new();
        for range in gone {
            let from = self.items.partition_point(|item| item.range.start < range.start);
            let begin_inside = (from as u32..).zip(&self.items[from..]);
            let begin_inside = begin_inside.take_while(|(_, item)| item.range.start < range.end);
            found.extend(begin_inside.filter(|(_, item)| item.range.end <= range.end).map(|(at, _)| at));
        }
        found.sort_unstable();
        found.dedup();
        let is_inner = |at: u32, found: &[u32]| {
            self.items[at as usize].parent.is_some_and(|parent| found.binary_search(&parent).is_ok())
        };
        found.iter().copied().filter(|&at| !is_inner(at, &found)).collect()
    }

    /// About how many tokens go with ranges of bytes. O(items in them).
    pub(crate) fn weight_of(&self, gone: &[Range<u32>]) -> usize {
        self.items_in(gone).into_iter().map(|at| self.dominated[at as usize]).sum()
    }

    /// The outermost items outside of ranges of bytes that nothing reaches without what is in the ranges, with their bytes.
    /// None if no item in the ranges reaches anything alone: most units free nothing, and need no walk. Otherwise O(items
    /// and mentions).
    pub(crate) fn freed(&self, gone: &[Range<u32>]) -> Vec<(NodeId, Range<u32>)> {
        let gone = self.items_in(gone);
        if gone.iter().all(|&at| self.dominated[at as usize] <= self.whole[at as usize]) {
            return Vec::new();
        }
        let unreached = self.unreached(self.roots.iter().map(|(root, _)| *root), &gone);
        let freed = unreached.into_iter().filter(|at| gone.binary_search(at).is_err());
        freed.map(|at| (self.items[at as usize].node, self.items[at as usize].range.clone())).collect()
    }

    /// The outermost items that these roots do not reach, if some items are gone.
    fn unreached(&self, roots: impl Iterator<Item = u32>, gone: &[u32]) -> Vec<u32> {
        let mut walk = Walk::without(self, gone);
        // A root in another item begins when that item is reached.
        roots.for_each(|root| walk.wait_for(root));
        walk.begin_waiting();
        let is_reached = |at: u32| walk.reached[at as usize];
        let is_outermost =
            |at: &u32| !is_reached(*at) && self.items[*at as usize].parent.is_none_or(is_reached);
        (0..self.items.len() as u32).filter(is_outermost).collect()
    }

    /// The tokens that only an item reaches, for each item: those of all items that it dominates in the graph of items and
    /// names, in which guards are left out. By K. D. Cooper, T. J. Harvey and K. Kennedy, "A Simple, Fast Dominance
    /// Algorithm" (2001), section 3; nearly linear in such graphs.
    fn dominate(&self) -> Vec<usize> {
        let graph = self.graph();
        let (order, numbers) = depth_first(&graph);
        let mut above: Vec<Option<u32>> = vec![None; order.len()];
        above[0] = Some(0);
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
        for (at, node) in (0..).zip(&order) {
            graph[*node as usize].iter().for_each(|&to| before[numbers[to as usize] as usize].push(at));
        }
        let mut changes = true;
        while changes {
            changes = false;
            for at in 1..order.len() {
                let mut known = before[at].iter().copied().filter(|&from| above[from as usize].is_some());
                let first = known.next();
                let common = known.fold(first, |one, other| Some(meet(&above, one?, other)));
                changes |= above[at] != common;
                above[at] = common;
            }
        }
        let mut dominated = vec![0; graph.len()];
        for (at, &node) in order.iter().enumerate().rev() {
            let item = (node as usize).checked_sub(1).and_then(|at| self.items.get(at));
            dominated[node as usize] += item.map_or(0, |item| item.tokens);
            if let Some(above) = above[at].filter(|_| at > 0) {
                dominated[order[above as usize] as usize] += dominated[node as usize];
            }
        }
        dominated[1..=self.items.len()].to_vec()
    }

    /// The graph of the start, the items and the names, in this order. An item in another one is reached from that one:
    /// names alone do not reach it.
    fn graph(&self) -> Vec<Vec<u32>> {
        let name = |name: u32| 1 + self.items.len() as u32 + name;
        let mut graph = vec![Vec::new(); 1 + self.items.len() + self.waiting.len()];
        for (at, item) in (1..).zip(&self.items) {
            graph[at as usize].extend(item.mentions.iter().map(|&mention| name(mention)));
            let is_root = self.roots.binary_search_by_key(&(at - 1), |(root, _)| *root).is_ok();
            match item.parent {
                Some(parent) => graph[1 + parent as usize].push(at),
                None if item.stays || is_root => graph[0].push(at),
                None => item.names.iter().for_each(|&defined| graph[name(defined) as usize].push(at)),
            }
        }
        graph
    }
}

/// The nodes of a graph that its first node reaches, in reverse postorder, and the place of each node in it.
fn depth_first(graph: &[Vec<u32>]) -> (Vec<u32>, Vec<u32>) {
    let mut numbers = vec![u32::MAX; graph.len()];
    let mut order = Vec::new();
    let mut open = vec![(0_u32, 0_usize)];
    numbers[0] = 0;
    while let Some((node, next)) = open.last_mut() {
        match graph[*node as usize].get(*next) {
            Some(&to) => {
                *next += 1;
                if numbers[to as usize] == u32::MAX {
                    numbers[to as usize] = 0;
                    open.push((to, 0));
                }
            }
            None => {
                order.push(*node);
                open.pop();
            }
        }
    }
    order.reverse();
    (0..).zip(&order).for_each(|(at, &node)| numbers[node as usize] = at);
    (order, numbers)
}

/// The nearest node above two nodes, all by their places in reverse postorder.
fn meet(above: &[Option<u32>], mut one: u32, mut other: u32) -> u32 {
    while one != other {
        let lower = if one > other { &mut one } else { &mut other };
        *lower = above[*lower as usize].unwrap_or(0);
    }
    one
}

/// A walk from items to all that they reach.
struct Walk<'a> {
    reach: &'a Reach,
    reached: Vec<bool>,
    mentioned: Vec<bool>,
    /// Roots that are reached when the item around them is.
    waits: Vec<bool>,
    /// Items that are not reached in any case.
    gone: Vec<bool>,
    /// The tokens of all items that are reached.
    tokens: usize,
    work: Vec<u32>,
}

impl<'a> Walk<'a> {
    /// A walk from everything that stays in any case.
    fn new(reach: &'a Reach) -> Self {
        Self::without(reach, &[])
    }

    /// A walk from everything that stays in any case, but for items that are gone.
    fn without(reach: &'a Reach, gone: &[u32]) -> Self {
        let (items, names) = (reach.items.len(), reach.waiting.len());
        let mut walk = Self {
            reach,
            reached: vec![false; items],
            mentioned: vec![false; names],
            waits: vec![false; items],
            gone: vec![false; items],
            tokens: 0,
            work: Vec::new(),
        };
        gone.iter().for_each(|&item| walk.gone[item as usize] = true);
        (0..items as u32).for_each(|item| walk.check(item));
        walk.go();
        walk
    }

    /// Whether an item is not reached, although the item around it is.
    fn can_begin(&self, item: u32) -> bool {
        let parent = self.reach.items[item as usize].parent;
        let (reached, gone) = (self.reached[item as usize], self.gone[item as usize]);
        !reached && !gone && parent.is_none_or(|parent| self.reached[parent as usize])
    }

    /// Reaches an item and all that it reaches.
    fn begin(&mut self, item: u32) {
        self.enter(item);
        self.go();
    }

    fn wait_for(&mut self, root: u32) {
        self.waits[root as usize] = true;
    }

    fn begin_waiting(&mut self) {
        (0..self.waits.len() as u32).for_each(|item| self.check(item));
        self.go();
    }

    fn enter(&mut self, item: u32) {
        self.reached[item as usize] = true;
        self.tokens += self.reach.items[item as usize].tokens;
        self.work.push(item);
    }

    /// Enters an item if it is reached now.
    fn check(&mut self, at: u32) {
        let item = &self.reach.items[at as usize];
        let is_mentioned = |&name: &u32| self.mentioned[name as usize];
        let is_wanted = self.waits[at as usize]
            || (item.stays || item.names.iter().any(is_mentioned)) && item.guards.iter().all(is_mentioned);
        if is_wanted && self.can_begin(at) {
            self.enter(at);
        }
    }

    fn go(&mut self) {
        let reach = self.reach;
        while let Some(at) = self.work.pop() {
            for &name in &reach.items[at as usize].mentions {
                if !std::mem::replace(&mut self.mentioned[name as usize], true) {
                    reach.waiting[name as usize].iter().for_each(|&item| self.check(item));
                }
            }
            reach.children[at as usize].iter().for_each(|&item| self.check(item));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An item: its parent, whether it stays, its names, guards and mentions.
    type Given<'a> = (Option<u32>, bool, &'a [u32], &'a [u32], &'a [u32]);

    /// The reach of items; the node of item i has number i + 1.
    fn reach(items: &[Given<'_>]) -> Reach {
        let items = (1..).zip(items).map(|(node, &(parent, stays, names, guards, mentions))| Item {
            node: NodeId(node),
            range: 10 * node..10 * node + if parent.is_none() { 9 } else { 1 },
            parent,
            stays,
            names: names.to_vec(),
            guards: guards.to_vec(),
            mentions: mentions.to_vec(),
            tokens: 1,
        });
        Reach::new(0, items.collect(), 8)
    }

    fn nodes(nodes: impl IntoIterator<Item = NodeId>) -> Vec<u32> {
        nodes.into_iter().map(|node| node.0).collect()
    }

    #[test]
    fn what_only_a_root_reaches_goes_with_it_also_in_a_circle() {
        let of = |name: u32, mentions| (None, false, vec![name], mentions);
        let items = [of(0, vec![0, 1]), of(1, vec![0, 1]), of(2, vec![0, 2]), of(3, vec![3])];
        let items: Vec<_> = items.iter().map(|(p, s, n, m)| (*p, *s, &n[..], &[][..], &m[..])).collect();
        let reach = reach(&items);
        assert_eq!(nodes(reach.roots()), [3, 4]);
        assert_eq!(nodes(reach.without(&[0])), [1, 2, 3]);
        assert_eq!(nodes(reach.without(&[1])), [4]);
        assert_eq!((reach.weight(0), reach.weight(1)), (3, 1));
        let weight = |gone: Range<u32>| reach.weight_of(std::slice::from_ref(&gone));
        assert_eq!((weight(30..40), weight(40..45)), (3, 0));
        let freed = |gone: Range<u32>| {
            nodes(reach.freed(std::slice::from_ref(&gone)).into_iter().map(|(node, _)| node))
        };
        assert_eq!((freed(30..40), freed(40..50), freed(0..9)), (vec![1, 2], vec![], vec![]));
    }

    #[test]
    fn a_member_needs_its_class_and_a_mention() {
        let class: Given<'_> = (None, false, &[0], &[], &[0]);
        let field = (Some(0), true, &[1][..], &[][..], &[1][..]);
        let (used, unused) =
            ((Some(0), false, &[2][..], &[][..], &[2, 4][..]), (Some(0), false, &[3][..], &[][..], &[3][..]));
        let reach = reach(&[
            class,
            field,
            used,
            unused,
            (None, false, &[4], &[], &[4]),
            (None, false, &[5], &[], &[5, 0, 2]),
        ]);
        assert_eq!(nodes(reach.roots()), [4, 6]);
        assert_eq!(nodes(reach.without(&[0])), [4]);
        assert_eq!(nodes(reach.without(&[1])), [1, 5, 6], "the unused member cannot stay without its class");
    }

    #[test]
    fn what_has_guards_waits_for_all_of_them() {
        let operator: Given<'_> = (None, true, &[], &[0, 1], &[0, 1, 2]);
        let of = |name: &'static [u32], mentions: &'static [u32]| (None, false, name, &[][..], mentions);
        let reach = reach(&[
            of(&[0], &[0]),
            of(&[1], &[1]),
            of(&[2], &[2]),
            operator,
            of(&[3], &[0]),
            of(&[4], &[1]),
        ]);
        assert_eq!(nodes(reach.roots()), [5, 6]);
        assert_eq!(nodes(reach.without(&[0])), [1, 3, 4, 5]);
    }
}
