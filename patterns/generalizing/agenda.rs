//! What a generalization asks next: the checks of nodes from the root downwards, then those of groups, insertions,
//! values and orders, and in the end the rate.

use super::{Generalizing, Order, Phase, Step, Task};
use crate::bisection::Bisection;
use crate::check::{Check, Limits};
use crate::drawing::{Opening, Place};
use crate::measuring::Measuring;
use crate::random::Random;
use std::collections::{BTreeMap, VecDeque};

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

    /// Whether a node is in no hole.
    pub(super) fn is_free(nodes: &[crate::Node], openings: &BTreeMap<Place, Opening>, node: usize) -> bool {
        let mut places = openings.values().flat_map(|opening| &opening.places);
        !places.any(|place| matches!(place, Place::Node(hole) if (*hole..nodes[*hole].last).contains(&node)))
    }

    /// Starts the next step.
    pub(super) fn begin(&mut self) {
        let reserved = self.options.instances.saturating_mul(2).min(self.options.most_runs / 2);
        let spent = self.runs >= self.options.most_runs.saturating_sub(reserved);
        self.pending.clear();
        self.steps += 1;
        let random = Random::part(self.options.seed, self.steps);
        match self.phase {
            Phase::Nodes => match self.tasks.pop_front().filter(|_| !spent) {
                Some(task) => {
                    let sort = self.drawing.sorts(task.node).into_iter().nth(task.level);
                    if let Some(sort) = sort
                        && (task.again || Self::is_free(&self.base.nodes, &self.openings, task.node))
                    {
                        let distinct = if task.again { self.options.joint } else { self.options.distinct };
                        let mut opening = Opening::new(sort, vec![Place::Node(task.node)]);
                        if let Some(known) = self.openings.get(&opening.places[0]) {
                            opening.evidence.instances = known.evidence.instances.clone();
                        }
                        let check = Check::new(opening, self.limits(distinct), random);
                        self.step = Some(Step::Node(task, check));
                    }
                }
                None => self.enter(if self.rounds == 0 { Phase::Groups } else { Phase::Rate }),
            },
            Phase::Groups | Phase::Gaps | Phase::Values => match self.others.pop_front().filter(|_| !spent) {
                Some(opening) => {
                    let check = Check::new(opening, self.limits(self.options.joint), random);
                    self.step = Some(Step::Other(check));
                }
                None if self.phase == Phase::Groups => self.enter(Phase::Gaps),
                None if self.phase == Phase::Gaps => self.enter(Phase::Values),
                None => match self.values.pop_front().filter(|_| !spent) {
                    Some(value) => self.step = Some(Step::Value(Bisection::new(value))),
                    None => self.enter(Phase::Orders),
                },
            },
            Phase::Orders => match self.orders.pop_front().filter(|_| !spent) {
                Some((block, texts)) => {
                    self.step = Some(Step::Order(Order { block, texts: texts.into(), matters: false }));
                }
                None => self.enter(Phase::Rate),
            },
            Phase::Rate => {
                let left = self.options.most_runs.saturating_sub(self.runs);
                let instances = self.options.instances.min(left);
                self.step = Some(Step::Rate(Measuring::new(instances, self.options.draws, random)));
            }
            Phase::Done => {}
        }
    }

    fn limits(&self, distinct: usize) -> Limits {
        Limits {
            distinct,
            draws: self.options.draws,
            patience: self.options.patience,
            invalid: self.options.invalid,
        }
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        let is_open = |node: usize| Self::is_free(&self.base.nodes, &self.openings, node);
        self.others = match phase {
            Phase::Groups => self.drawing.groups(&is_open).into(),
            Phase::Gaps if self.options.insertions => self.drawing.gaps(&is_open).into(),
            _ => VecDeque::new(),
        };
        match phase {
            Phase::Values => self.values = self.drawing.values(&is_open).into(),
            Phase::Orders if self.options.insertions => {
                self.orders = self.drawing.orders(&is_open).into();
            }
            _ => {}
        }
        if phase == Phase::Rate && self.options.instances == 0 {
            self.phase = Phase::Done;
        }
    }
}
