//! The definitions that the rest of a program reaches by their names, when some of those that nothing uses are gone.
//!
//! Names are compared by their spelling only, so what is out of reach can be deleted whatever a name means there.

use lopper_languages::edit::FileId;
use lopper_languages::tree::NodeId;

/// A definition, or anything else that is deleted as a whole.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Its node.
    pub(crate) node: NodeId,
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
    /// Items that no other item reaches, with the tokens that only they and roots before them reach.
    roots: Vec<(u32, usize)>,
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
        let mut reach = Self { file, items, children, waiting, roots: Vec::new() };
        reach.roots = reach.find_roots(&mentions);
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
        let mut walk = Walk::new(self);
        // A root in another item begins when that item is reached, which comes first in the text.
        for (&(root, _), _) in self.roots.iter().zip(stays).filter(|(_, stays)| *stays).rev() {
            walk.wait_for(root);
        }
        walk.begin_waiting();
        let is_reached = |at: u32| walk.reached[at as usize];
        let is_outermost =
            |at: &u32| !is_reached(*at) && self.items[*at as usize].parent.is_none_or(is_reached);
        (0..self.items.len() as u32).filter(is_outermost).map(|at| self.items[at as usize].node).collect()
    }
}

/// A walk from items to all that they reach.
struct Walk<'a> {
    reach: &'a Reach,
    reached: Vec<bool>,
    mentioned: Vec<bool>,
    /// Roots that are reached when the item around them is.
    waits: Vec<bool>,
    /// The tokens of all items that are reached.
    tokens: usize,
    work: Vec<u32>,
}

impl<'a> Walk<'a> {
    /// A walk from everything that stays in any case.
    fn new(reach: &'a Reach) -> Self {
        let (items, names) = (reach.items.len(), reach.waiting.len());
        let mut walk = Self {
            reach,
            reached: vec![false; items],
            mentioned: vec![false; names],
            waits: vec![false; items],
            tokens: 0,
            work: Vec::new(),
        };
        (0..items as u32).for_each(|item| walk.check(item));
        walk.go();
        walk
    }

    /// Whether an item is not reached, although the item around it is.
    fn can_begin(&self, item: u32) -> bool {
        let parent = self.reach.items[item as usize].parent;
        !self.reached[item as usize] && parent.is_none_or(|parent| self.reached[parent as usize])
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
