//! The dominators of items: those without which nothing reaches them.
//!
//! In the graph of items and names, some nodes need all of several others: a member needs its class and a mention. So the
//! dominators of a node are no path in a tree, but a set. The sets solve the usual equations of dominance, with unions where
//! all are needed, by iteration over the nodes in the order in which a walk reaches them. After K. D. Cooper, T. J. Harvey
//! and K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001), section 2.

use super::Reach;
use super::walk::{Node, Walk};

/// The largest number of dominators that are kept of an item: those nearest to the roots, which reach most.
const MOST: usize = 64;
/// The largest number of rounds. Most programs need a handful; after more, the sets are a little too large.
const ROUNDS: usize = 16;

/// Dominators by their numbers in the order of the walk, sorted.
type Set = Vec<u32>;

/// What each item dominates, as far as heavy roots reach it, and itself. O(mentions) in each round.
pub(super) fn dominated(reach: &Reach) -> Vec<Vec<u32>> {
    let mut dominated: Vec<Vec<u32>> = (0..reach.items.len() as u32).map(|at| vec![at]).collect();
    let mut sets = Sets::new(reach);
    let rounds = (0..ROUNDS).take_while(|_| sets.go_on());
    rounds.for_each(drop);
    for (at, dominators) in (0..).zip(&sets.of_items) {
        let dominators = dominators.iter().flatten().map(|&number| sets.numbered[number as usize]);
        dominators.filter(|&by| by != at).for_each(|by| dominated[by as usize].push(at));
    }
    dominated
}

struct Sets<'a> {
    walk: Walk<'a>,
    /// For each name: the items that mention it.
    users: Vec<Vec<u32>>,
    /// The items in the order of the walk, and the number of each item in it.
    numbered: Vec<u32>,
    numbers: Vec<u32>,
    of_items: Vec<Option<Set>>,
    of_names: Vec<Option<Set>>,
}

impl<'a> Sets<'a> {
    fn new(reach: &'a Reach) -> Self {
        let (items, names) = (reach.items.len(), reach.waiting.len());
        let mut sets = Self {
            walk: reach.walk(reach.heavy_roots(), &[]),
            users: vec![Vec::new(); names],
            numbered: Vec::new(),
            numbers: vec![0; items],
            of_items: vec![None; items],
            of_names: vec![None; names],
        };
        for node in &sets.walk.order {
            if let Node::Item(at) = *node {
                let mentions = &reach.items[at as usize].mentions;
                mentions.iter().for_each(|&name| sets.users[name as usize].push(at));
                sets.numbers[at as usize] = sets.numbered.len() as u32;
                sets.numbered.push(at);
            }
        }
        sets
    }

    /// Computes all sets anew. Whether one of them has changed.
    fn go_on(&mut self) -> bool {
        let mut changes = false;
        for at in 0..self.walk.order.len() {
            let (new, old) = match self.walk.order[at] {
                Node::Name(name) => (self.of_name(name), &mut self.of_names[name as usize]),
                Node::Item(item) => (Some(self.of_item(item)), &mut self.of_items[item as usize]),
            };
            changes |= *old != new;
            *old = new;
        }
        changes
    }

    fn of_name(&self, name: u32) -> Option<Set> {
        common(self.users[name as usize].iter().filter_map(|&user| self.of_items[user as usize].as_ref()))
    }

    fn of_item(&self, at: u32) -> Set {
        let item = &self.walk.reach.items[at as usize];
        let is_root = self.walk.waits[at as usize];
        let names = item.names.iter().filter(|_| !item.stays && !is_root);
        let named = common(names.filter_map(|&name| self.of_names[name as usize].as_ref()));
        let around = item.parent.and_then(|parent| self.of_items[parent as usize].as_ref());
        let guards = item.guards.iter().filter(|_| !is_root);
        let guards = guards.filter_map(|&guard| self.of_names[guard as usize].as_ref());
        let mut set = vec![self.numbers[at as usize]];
        named.iter().chain(around).chain(guards).for_each(|needed| set.extend(needed));
        set.sort_unstable();
        set.dedup();
        set.truncate(MOST);
        set
    }
}

/// What is in all sets; none if there are none.
fn common<'a>(mut sets: impl Iterator<Item = &'a Set>) -> Option<Set> {
    let mut common = sets.next()?.clone();
    for set in sets {
        let mut from = 0;
        common.retain(|number| {
            from += set[from..].partition_point(|other| other < number);
            set.get(from) == Some(number)
        });
        if common.is_empty() {
            break;
        }
    }
    Some(common)
}
