//! The definitions that the rest of a program reaches by their names, when some of those that nothing uses are gone.
//!
//! Names are compared by their spelling only, so what is out of reach can be deleted whatever a name means there.

mod bound;
mod dominators;
mod items;
mod left;
mod spelled;
mod walk;

pub(crate) use items::{items_of, mention};

use crate::{Base, File, cpp, text};
use left::{Definitions, Left, Lost};
use lopper_languages::edit::FileId;
use lopper_languages::tree::NodeId;
use std::ops::Range;
use std::sync::Arc;
use walk::Walk;

/// Finds the items of a file.
type Finder = fn(File<'_>) -> Reach;

/// What finds the items of a file, by the name of its language.
const LANGUAGES: &[(&str, Finder)] = &[
    ("c", cpp::items::reach),
    ("cpp", cpp::items::reach),
    ("csharp", spelled::reach),
    ("go", spelled::reach),
    ("java", spelled::reach),
    ("kotlin", spelled::reach),
    ("rust", spelled::reach),
    ("tsx", spelled::reach),
    ("typescript", spelled::reach),
    ("smtlib", bound::reach),
    ("text", text::items::reach),
];

/// The tokens of a large file.
pub(crate) const LARGE: usize = 256;

/// What the items of a base reach if it is one large file, in which passes do well to weigh what their units free.
pub(crate) fn large(base: &Base) -> Option<Arc<Reach>> {
    let mut files = base.files().map(|(id, parsed)| File { id, parsed });
    let file = files.next().filter(|file| file.tokens().len() >= LARGE && !base.is_of_several())?;
    of(file).map(Arc::new)
}

/// What the items of a file reach; `None` in languages whose items nothing finds, and where no item has a name.
pub(crate) fn of(file: File<'_>) -> Option<Reach> {
    let (_, find) = LANGUAGES.iter().find(|(language, _)| *language == file.language().name())?;
    Some(find(file)).filter(|reach| !reach.definitions.is_empty())
}

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
    /// The names that other items define and of which it only tells more, so that it cannot stay without them: a member
    /// outside of its class, an instance of a template, or a name of another name space.
    pub(crate) repeats: Vec<u32>,
    /// Whether it defines a class with its members, and does not only declare its name.
    pub(crate) has_members: bool,
    /// The names of the classes whose members it needs: a function for objects of these classes, a class that inherits
    /// from them, or a variable.
    pub(crate) needs: Vec<u32>,
    /// Names without which nothing can use it: it is reached only if all of them are mentioned.
    pub(crate) guards: Vec<u32>,
    /// The names in its text, outside the items in it.
    pub(crate) mentions: Vec<u32>,
    /// The tokens of its text, outside the items in it.
    pub(crate) tokens: usize,
}

impl Item {
    /// An item without names, tokens and mentions. One inside another one stays with it.
    pub(crate) fn new(file: File<'_>, node: NodeId, parent: Option<u32>) -> Self {
        let range = file.range(node);
        Self {
            node,
            range: range.start as u32..range.end as u32,
            parent,
            stays: parent.is_some(),
            names: Vec::new(),
            repeats: Vec::new(),
            has_members: false,
            needs: Vec::new(),
            guards: Vec::new(),
            mentions: Vec::new(),
            tokens: 0,
        }
    }
}

/// The items of a file, and what reaches them.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    file: FileId,
    items: Vec<Item>,
    /// For each item: the items in it.
    children: Vec<Vec<u32>>,
    /// For each name: the items that define it, repeat it, need its members, or have it among their guards.
    waiting: Vec<Vec<u32>>,
    /// Items that no other item reaches, in the order of the text. With each: the tokens that it reaches, but no root behind it.
    roots: Vec<(u32, usize)>,
    /// For each item: whether no heavy root reaches it.
    apart: Vec<bool>,
    /// For each name: the items that no heavy root reaches, and that mention it.
    users_apart: Vec<Vec<u32>>,
    /// For each item: the items that nothing reaches without it, and itself.
    dominated: Vec<Vec<u32>>,
    /// For each name: how many items define it.
    definitions: Vec<Definitions>,
}

/// A root is heavy if it alone reaches at least one token in this many. A coarse sweep has tried to delete each heavy root by
/// itself, so the failure may depend on those that are left. A light root may go along with a definition that it needs.
const HEAVY: usize = 16;

impl Reach {
    /// The reach of items, which come before the items in them. Names are numbers below `names`. O(items and mentions).
    pub(crate) fn new(file: FileId, items: Vec<Item>, names: usize) -> Self {
        let mut children = vec![Vec::new(); items.len()];
        let mut waiting = vec![Vec::new(); names];
        let mut mentions = vec![0_usize; names];
        let mut definitions = vec![Definitions::default(); names];
        for (at, item) in (0..).zip(&items) {
            item.parent.iter().for_each(|&parent| children[parent as usize].push(at));
            let names = item.names.iter().chain(&item.repeats).chain(&item.guards).chain(&item.needs);
            names.for_each(|&name| waiting[name as usize].push(at));
            item.mentions.iter().for_each(|&name| mentions[name as usize] += 1);
            item.names.iter().for_each(|&name| definitions[name as usize] += item.definitions_of(name));
        }
        let (roots, apart, users_apart, dominated) = Default::default();
        let mut reach =
            Self { file, items, children, waiting, roots, apart, users_apart, dominated, definitions };
        reach.roots = reach.find_roots(&mentions);
        reach.apart = reach.walk(reach.heavy_roots(), &[]).reached.iter().map(|reached| !reached).collect();
        reach.users_apart = reach.find_users_apart();
        reach.dominated = dominators::dominated(&reach);
        reach
    }

    /// The heavy roots, or the heaviest one if there are none.
    fn heavy_roots(&self) -> impl Iterator<Item = u32> {
        let all: usize = self.items.iter().map(|item| item.tokens).sum();
        let heaviest = self.roots.iter().map(|(_, weight)| *weight).max().unwrap_or(0);
        let least = heaviest.min(all / HEAVY);
        self.roots.iter().filter(move |(_, weight)| *weight >= least).map(|(root, _)| *root)
    }

    fn find_users_apart(&self) -> Vec<Vec<u32>> {
        let mut users = vec![Vec::new(); self.waiting.len()];
        for (at, item) in (0..).zip(&self.items).filter(|(at, _)| self.apart[*at as usize]) {
            item.mentions.iter().for_each(|&name| users[name as usize].push(at));
        }
        users
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

    /// The items in ranges of bytes, in order.
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
        found
    }

    /// About how many tokens go with ranges of bytes. Linear in what the items in them dominate.
    pub(crate) fn weight_of(&self, gone: &[Range<u32>]) -> usize {
        self.weight_with(&self.items_in(gone))
    }

    fn weight_with(&self, gone: &[u32]) -> usize {
        let mut dominated: Vec<u32> =
            gone.iter().flat_map(|&at| &self.dominated[at as usize]).copied().collect();
        dominated.sort_unstable();
        dominated.dedup();
        dominated.into_iter().map(|at| self.items[at as usize].tokens).sum()
    }

    /// The outermost items outside of ranges of bytes that nothing reaches without what is in the ranges, with their bytes.
    /// Items that no heavy root reaches are among them if they mention a name that nothing defines any more.
    ///
    /// None if no item in the ranges reaches anything alone or is the last definition of a name: most units free nothing, and
    /// need no walk. Otherwise O(items and mentions).
    pub(crate) fn freed(&self, gone: &[Range<u32>]) -> Vec<(NodeId, Range<u32>)> {
        let mut gone = self.items_in(gone);
        let own: usize = gone.iter().map(|&at| self.items[at as usize].tokens).sum();
        if self.weight_with(&gone) <= own && !self.leaves_users(&gone) {
            return Vec::new();
        }
        let taken = gone.clone();
        let reached = self.walk(self.heavy_roots(), &gone).reached;
        gone.extend(self.users_of_lost(&gone, &reached));
        gone.sort_unstable();
        let unreached = self.unreached(self.roots.iter().map(|(root, _)| *root), &gone);
        let freed = unreached.into_iter().filter(|at| taken.binary_search(at).is_err());
        freed.map(|at| (self.items[at as usize].node, self.items[at as usize].range.clone())).collect()
    }

    /// Whether items that stay may need a name which nothing defines without these.
    fn leaves_users(&self, gone: &[u32]) -> bool {
        let mut left = Left::new(self);
        gone.iter().for_each(|&at| left.take(at));
        let is_gone = |at: u32| gone.binary_search(&at).is_ok();
        std::iter::from_fn(|| left.next_lost())
            .any(|(name, lost)| self.users_of(name, lost).any(|user| !is_gone(user)))
    }

    /// The items that need what is lost of a name.
    fn users_of(&self, name: u32, lost: Lost) -> impl Iterator<Item = u32> {
        let apart = match lost {
            Lost::All => &self.users_apart[name as usize][..],
            Lost::Members => &[],
        };
        let needs = move |&at: &u32| {
            let item = &self.items[at as usize];
            match lost {
                Lost::Members => item.needs.contains(&name),
                Lost::All => item.repeats.contains(&name) || item.guards.contains(&name),
            }
        };
        apart.iter().copied().chain(self.waiting[name as usize].iter().copied().filter(needs))
    }

    /// The outermost items that need names which nothing defines without items that are gone: those that no heavy root
    /// reaches, those that only repeat the names, and those that they guard. `reached` tells which items heavy roots reach
    /// then. O(items and mentions).
    fn users_of_lost(&self, gone: &[u32], reached: &[bool]) -> Vec<u32> {
        let mut is_gone: Vec<bool> = reached.iter().zip(&self.apart).map(|(r, apart)| !r && !apart).collect();
        gone.iter().for_each(|&at| is_gone[at as usize] = true);
        let mut left = Left::new(self);
        (0..self.items.len() as u32).filter(|&at| is_gone[at as usize]).for_each(|at| left.take(at));
        let mut users = Vec::new();
        while let Some((name, lost)) = left.next_lost() {
            for user in self.users_of(name, lost) {
                let user = if self.apart[user as usize] { self.outermost_apart(user) } else { user };
                if !std::mem::replace(&mut is_gone[user as usize], true) {
                    left.take(user);
                    users.push(user);
                }
            }
        }
        users
    }

    fn outermost_apart(&self, mut at: u32) -> u32 {
        while let Some(parent) = self.items[at as usize].parent.filter(|&parent| self.apart[parent as usize])
        {
            at = parent;
        }
        at
    }

    /// A walk from roots, if some items are gone. A root in another item begins when that item is reached.
    fn walk(&self, roots: impl Iterator<Item = u32>, gone: &[u32]) -> Walk<'_> {
        let mut walk = Walk::without(self, gone);
        roots.for_each(|root| walk.wait_for(root));
        walk.begin_waiting();
        walk
    }

    /// The outermost items that these roots do not reach, if some items are gone.
    fn unreached(&self, roots: impl Iterator<Item = u32>, gone: &[u32]) -> Vec<u32> {
        let walk = self.walk(roots, gone);
        let is_reached = |at: u32| walk.reached[at as usize];
        let is_outermost =
            |at: &u32| !is_reached(*at) && self.items[*at as usize].parent.is_none_or(is_reached);
        (0..self.items.len() as u32).filter(is_outermost).collect()
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
            repeats: Vec::new(),
            has_members: false,
            needs: Vec::new(),
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
    fn both_what_mentions_a_member_and_what_mentions_its_class_free_what_the_member_needs() {
        let of = |name: &'static [u32], mentions: &'static [u32]| (None, false, name, &[][..], mentions);
        let main: Given<'_> = (None, false, &[4], &[], &[]);
        let statement = |mentions: &'static [u32]| (Some(3), true, &[][..], &[][..], mentions);
        let member: Given<'_> = (Some(0), false, &[1], &[], &[1, 2]);
        let reach = reach(&[
            of(&[0], &[0]),
            member,
            of(&[2], &[2]),
            main,
            statement(&[0]),
            statement(&[1]),
            statement(&[]),
        ]);
        let weight = |gone: Range<u32>| reach.weight_of(std::slice::from_ref(&gone));
        assert_eq!((weight(50..51), weight(60..61), weight(70..71)), (4, 3, 1));
        let freed = |gone: Range<u32>| {
            nodes(reach.freed(std::slice::from_ref(&gone)).into_iter().map(|(node, _)| node))
        };
        assert_eq!((freed(50..51), freed(60..61)), (vec![1, 3], vec![2, 3]));
    }

    #[test]
    fn a_light_root_goes_with_the_last_definition_of_a_name_that_it_needs() {
        let of = |name: &'static [u32], mentions: &'static [u32]| (None, false, name, &[][..], mentions);
        let mut items = vec![of(&[0], &[0]), of(&[1], &[1, 0]), of(&[2], &[2, 1]), of(&[3], &[3])];
        // The heavy root.
        items.push(of(&[4], &[0]));
        items.extend([(Some(4), true, &[][..], &[][..], &[][..]); 50]);
        let reach = reach(&items);
        assert_eq!(nodes(reach.roots()), [3, 4, 5]);
        let freed = |gone: Range<u32>| {
            nodes(reach.freed(std::slice::from_ref(&gone)).into_iter().map(|(node, _)| node))
        };
        assert_eq!(freed(50..59), [1, 2, 3], "item 4 needs nothing that is lost");
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
