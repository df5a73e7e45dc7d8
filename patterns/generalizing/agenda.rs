//! What a generalization asks next: the checks of names, those of nodes from the root downwards, then those of groups,
//! insertions, values and orders, and in the end the rate.

use super::{Generalizing, Order, Phase, Step, Task};
use crate::bisection::Bisection;
use crate::check::{Check, Limits};
use crate::drawing::{Opening, Place};
use crate::measuring::Measuring;
use crate::pattern::Sort;
use crate::random::Random;
use lopper_languages::role::Role;
use std::collections::VecDeque;

/// One new name is as valid as another: so few invalid ones end the check of a name.
const PATIENCE_FOR_NAMES: usize = 4;

/// The next one, unless the budget is spent.
fn next<T>(waiting: &mut VecDeque<T>, spent: bool) -> Option<T> {
    if spent { None } else { waiting.pop_front() }
}

/// A pattern is narrowed so often at most after its rate was measured.
pub(super) const ROUNDS: usize = 12;

impl Generalizing {
    /// Puts the checks of a node into the list: its own, or those of the nodes below it.
    pub(super) fn visit(&mut self, node: usize) {
        if self.drawing.sorts(node).is_empty() {
            self.visit_below(node);
        } else {
            self.tasks.push_back(Task { node, level: 0, again: false });
        }
    }

    pub(super) fn visit_below(&mut self, node: usize) {
        let mut open = vec![node];
        let mut found = Vec::new();
        while let Some(node) = open.pop() {
            let mut children: Vec<usize> = self.base.children(node).collect();
            children.reverse();
            for &child in &children {
                if self.drawing.sorts(child).is_empty() {
                    open.push(child);
                } else {
                    found.push(child);
                }
            }
        }
        found.sort_unstable();
        let task = |node| Task { node, level: 0, again: false };
        self.tasks.extend(found.into_iter().map(task));
    }

    /// Whether a place is in no hole but one for a name.
    pub(super) fn is_free(&self, place: &Place) -> bool {
        let mut places = self.openings.values().flat_map(|opening| &opening.places);
        !places.any(|hole| place.is_within(hole, &self.base.nodes))
    }

    fn is_open(&self) -> impl Fn(usize) -> bool {
        |node| self.is_free(&Place::Node(node))
    }

    /// All holes that neither are in these places nor have them in themselves.
    pub(super) fn open_beside(&self, places: &[Place]) -> Vec<Opening> {
        let nodes = &self.base.nodes;
        let overlaps = |hole: &Place| {
            places.iter().any(|place| hole.is_within(place, nodes) || place.is_within(hole, nodes))
        };
        let mut open: Vec<Opening> = self.openings.values().cloned().collect();
        open.retain(|opening| !opening.places.iter().any(overlaps));
        let others = self.openings.values().flat_map(|opening| &opening.places).chain(places);
        open.extend(self.names.iter().filter_map(|name| name.outside(others.clone(), nodes)));
        open.sort_by(|one, other| one.places[0].cmp(&other.places[0]));
        open
    }

    /// So many runs may be spent at the end of the present step. What comes later has its part of the budget, and the rate
    /// three times what it takes to measure it with the share of invalid texts that was seen: holes that are found later
    /// make more texts invalid, and a pattern that is narrowed is measured again.
    pub(super) fn allowance(&self) -> usize {
        let most = self.options.most_runs;
        let reserved = (3.0 * self.draws_each * self.options.instances as f64) as usize;
        let left = most - reserved.min(most / 2);
        match self.phase {
            Phase::Names | Phase::Apart => left / 2,
            Phase::Nodes => left / 4 * 3,
            Phase::Groups | Phase::Gaps | Phase::Values | Phase::Orders | Phase::Rest => left,
            Phase::Rate | Phase::Done => most,
        }
    }

    /// Starts the next step.
    pub(super) fn begin(&mut self) {
        let spent = self.runs >= self.allowance();
        self.pending.clear();
        self.steps += 1;
        let random = Random::part(self.options.seed, self.steps);
        match self.phase {
            Phase::Nodes | Phase::Rest => match next(&mut self.tasks, spent) {
                Some(task) => {
                    let sort = self.drawing.sorts(task.node).into_iter().nth(task.level);
                    let place = Place::Node(task.node);
                    // A hole that was closed since then is not checked again.
                    let is_due =
                        if task.again { self.openings.contains_key(&place) } else { self.is_free(&place) };
                    if let Some(sort) = sort.filter(|_| is_due) {
                        let distinct = if task.again { self.options.joint } else { self.options.distinct };
                        let mut opening = Opening::new(sort, vec![place]);
                        if let Some(known) = self.openings.get(&opening.places[0]) {
                            opening.evidence.instances = known.evidence.instances.clone();
                        }
                        let check = self.check(opening, distinct, random);
                        self.step = Some(Step::Node(task, check));
                    }
                }
                None if self.phase == Phase::Nodes => self.enter(Phase::Groups),
                None => self.enter(Phase::Rate),
            },
            Phase::Names | Phase::Apart | Phase::Groups | Phase::Gaps => {
                match next(&mut self.others, spent) {
                    Some(opening) => {
                        let is_first = matches!(self.phase, Phase::Names | Phase::Apart);
                        let distinct = if is_first { self.options.distinct } else { self.options.joint };
                        self.step = Some(Step::Other(self.check(opening, distinct, random)));
                    }
                    None => self.enter(match self.phase {
                        Phase::Names => Phase::Apart,
                        Phase::Apart => Phase::Nodes,
                        Phase::Groups => Phase::Gaps,
                        _ => Phase::Values,
                    }),
                }
            }
            Phase::Values => {
                if let Some(range) = next(&mut self.others, spent) {
                    self.step = Some(Step::Other(self.check(range, self.options.joint, random)));
                } else if let Some(value) = next(&mut self.values, spent) {
                    self.step = Some(Step::Value(Bisection::new(value)));
                } else {
                    self.enter(Phase::Orders);
                }
            }
            Phase::Orders => match next(&mut self.orders, spent) {
                Some((block, texts)) => {
                    self.step = Some(Step::Order(Order { block, texts: texts.into(), matters: false }));
                }
                None => self.enter(Phase::Rest),
            },
            Phase::Rate => {
                let left = self.options.most_runs.saturating_sub(self.runs);
                let instances = self.options.instances.min(left);
                // If the rate is short, another pattern is measured, and that takes as many runs again.
                let may_narrow = self.rounds < ROUNDS && left > instances;
                let least = Some(self.options.min_rate).filter(|_| may_narrow);
                self.beside = self.open_beside(&[]);
                self.step = Some(Step::Rate(Measuring::new(instances, least, self.options.draws, random)));
            }
            Phase::Done => {}
        }
    }

    /// The check of an opening, with all other holes that are beside it.
    fn check(&mut self, opening: Opening, distinct: usize, random: Random) -> Check {
        let beside = if self.options.alone { Vec::new() } else { self.open_beside(&opening.places) };
        self.beside = beside;
        let options = &self.options;
        let is_first = matches!(self.phase, Phase::Names | Phase::Apart);
        let patience = if is_first { options.patience.min(PATIENCE_FOR_NAMES) } else { options.patience };
        let limits = Limits { distinct, draws: options.draws, patience, invalid: options.invalid };
        Check::new(opening, limits, random)
    }

    pub(super) fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        let others = match phase {
            Phase::Names => {
                let mut names = self.drawing.groups(&self.is_open());
                names.retain(Opening::is_name);
                self.tried.extend(names.iter().map(|name| name.places.clone()));
                names
            }
            Phase::Apart => {
                let places = self.names.iter().flat_map(|name| &name.places[1..]);
                places.map(|place| Opening::new(Sort::Role(Role::Name), vec![place.clone()])).collect()
            }
            Phase::Groups => {
                // A name is checked again if some of its places are in holes now.
                let mut groups = self.drawing.groups(&self.is_open());
                groups.retain(|group| {
                    let is_known = |place: &Place| self.names.iter().any(|name| name.places.contains(place));
                    !self.tried.contains(&group.places) && !group.places.iter().any(is_known)
                });
                groups
            }
            Phase::Gaps if self.options.insertions => self.drawing.gaps(&self.is_open()),
            _ => Vec::new(),
        };
        self.others = others.into();
        match phase {
            Phase::Values => {
                let values = self.drawing.values(&self.is_open());
                self.values = values.into();
            }
            Phase::Orders if self.options.insertions => {
                let orders = self.drawing.orders(&self.is_open());
                self.orders = orders.into();
            }
            Phase::Names if self.others.is_empty() => self.phase = Phase::Nodes,
            Phase::Rate if self.options.instances == 0 => self.phase = Phase::Done,
            _ => {}
        }
    }
}
