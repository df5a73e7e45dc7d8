//! A walk over the items of a file, from some of them to all that they reach.

use super::Reach;

/// What a walk reaches.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// An item, by its index.
    Item(u32),
    /// A name.
    Name(u32),
}

/// A walk from items to all that they reach.
pub(super) struct Walk<'a> {
    pub(super) reach: &'a Reach,
    pub(super) reached: Vec<bool>,
    mentioned: Vec<bool>,
    /// Roots that are reached when the item around them is.
    pub(super) waits: Vec<bool>,
    /// Items that are not reached in any case.
    gone: Vec<bool>,
    /// The tokens of all items that are reached.
    pub(super) tokens: usize,
    /// What is reached, in the order in which it is.
    pub(super) order: Vec<Node>,
    work: Vec<u32>,
}

impl<'a> Walk<'a> {
    /// A walk from everything that stays in any case.
    pub(super) fn new(reach: &'a Reach) -> Self {
        Self::without(reach, &[])
    }

    /// A walk from everything that stays in any case, but for items that are gone.
    pub(super) fn without(reach: &'a Reach, gone: &[u32]) -> Self {
        let (items, names) = (reach.items.len(), reach.waiting.len());
        let mut walk = Self {
            reach,
            reached: vec![false; items],
            mentioned: vec![false; names],
            waits: vec![false; items],
            gone: vec![false; items],
            tokens: 0,
            order: Vec::new(),
            work: Vec::new(),
        };
        gone.iter().for_each(|&item| walk.gone[item as usize] = true);
        (0..items as u32).for_each(|item| walk.check(item));
        walk.go();
        walk
    }

    /// Whether an item is not reached, although the item around it is.
    pub(super) fn can_begin(&self, item: u32) -> bool {
        let parent = self.reach.items[item as usize].parent;
        let (reached, gone) = (self.reached[item as usize], self.gone[item as usize]);
        !reached && !gone && parent.is_none_or(|parent| self.reached[parent as usize])
    }

    /// Reaches an item and all that it reaches.
    pub(super) fn begin(&mut self, item: u32) {
        self.enter(item);
        self.go();
    }

    pub(super) fn wait_for(&mut self, root: u32) {
        self.waits[root as usize] = true;
    }

    pub(super) fn begin_waiting(&mut self) {
        (0..self.waits.len() as u32).for_each(|item| self.check(item));
        self.go();
    }

    fn enter(&mut self, item: u32) {
        self.reached[item as usize] = true;
        self.tokens += self.reach.items[item as usize].tokens;
        self.order.push(Node::Item(item));
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
                    self.order.push(Node::Name(name));
                    reach.waiting[name as usize].iter().for_each(|&item| self.check(item));
                }
            }
            reach.children[at as usize].iter().for_each(|&item| self.check(item));
        }
    }
}
