//! What a generalization concludes from the answer of a check: a part is a hole, or has to stay, or what is below it is
//! checked next.

use super::{Generalizing, Phase, Step, Task};
use crate::check::Check;
use crate::drawing::{Opening, Place};
use crate::measuring::{Blaming, Measuring};
use crate::pattern::Fixed;

impl Generalizing {
    /// Draws conclusions from the answer of a step.
    pub(super) fn end(&mut self, answer: bool) {
        self.pending.clear();
        match self.step.take() {
            Some(Step::Node(task, check)) => self.end_node(task, check, answer),
            Some(Step::Other(check)) if answer => {
                let free = |place: &Place| match place {
                    Place::Node(node) => Self::is_free(&self.base.nodes, &self.openings, *node),
                    Place::Gap { .. } => true,
                };
                // A group that overlaps one that was found before is none.
                if check.opening.places.iter().all(free) {
                    self.open(check.opening);
                }
            }
            Some(Step::Other(check)) => self.fix(&check.opening),
            Some(Step::Value(bisection)) => {
                // The range is checked as every other hole is: it may have gaps.
                let place = vec![Place::Node(bisection.value.node)];
                let opening = bisection.sort().map(|sort| Opening::new(sort, place));
                opening.into_iter().for_each(|opening| self.others.push_front(opening));
            }
            Some(Step::Order(order)) => self.base.nodes[order.block].any_order = answer,
            Some(Step::Rate(measuring)) => self.end_rate(measuring),
            Some(Step::Blame(blaming)) => self.end_blame(&blaming),
            None => {}
        }
    }

    fn open(&mut self, mut opening: Opening) {
        opening.weak = opening.evidence.failing < self.options.enough;
        self.openings.insert(opening.places[0].clone(), opening);
    }

    fn fix(&mut self, opening: &Opening) {
        for range in opening.ranges(&self.base.nodes).take(1) {
            let (sort, evidence) = (opening.sort.clone(), opening.evidence.clone());
            self.fixed.push(Fixed { range, sort, evidence });
        }
    }

    fn end_node(&mut self, task: Task, check: Check, answer: bool) {
        let node = task.node;
        if answer {
            self.open(check.opening);
            if !task.again && self.options.joint > 0 {
                self.tasks.push_back(Task { again: true, ..task });
            }
            return;
        }
        self.openings.remove(&check.opening.places[0]);
        self.fix(&check.opening);
        self.narrow(node, task.level);
    }

    /// Checks what is next more special than a sort of a node: its next sort, or the nodes below it.
    fn narrow(&mut self, node: usize, level: usize) {
        if level + 1 < self.drawing.sorts(node).len() {
            self.tasks.push_back(Task { node, level: level + 1, again: false });
        } else if !self.drawing.is_token(node) {
            self.visit_below(node);
        }
    }

    /// Is content with the rate, or looks for the hole to blame.
    fn end_rate(&mut self, measuring: Measuring) {
        /// So often at most: each time costs as much as the first measurement.
        const ROUNDS: usize = 12;
        self.base.rate = measuring.rate(self.options.confidence);
        let is_enough = self.base.rate.is_none_or(|rate| rate.share() >= self.options.min_rate);
        if is_enough || self.rounds >= ROUNDS || self.runs >= self.options.most_runs {
            self.phase = Phase::Done;
        } else {
            let places = self.openings.keys().cloned().collect();
            self.step = Some(Step::Blame(Blaming::new(measuring.into_passing(), places)));
        }
    }

    /// Narrows the hole that is most to blame.
    fn end_blame(&mut self, blaming: &Blaming) {
        let blamed = blaming.blamed().and_then(|(place, text)| Some((self.openings.remove(place)?, text)));
        let Some((mut opening, text)) = blamed else {
            self.phase = Phase::Done;
            return;
        };
        opening.evidence.counterexample = text.cloned();
        opening.evidence.passing += 1;
        self.fix(&opening);
        self.rounds += 1;
        if let [Place::Node(node)] = opening.places[..] {
            let level = self.drawing.sorts(node).iter().position(|sort| *sort == opening.sort);
            if let Some(level) = level.filter(|_| !opening.coupled) {
                self.narrow(node, level);
            }
        }
        self.phase = Phase::Nodes;
    }
}
