//! What a generalization concludes from the answer of a check: a part is a hole, or has to stay, or what is below it is
//! checked next.

use super::agenda::ROUNDS;
use super::{Generalizing, Phase, Step, Task};
use crate::check::Check;
use crate::drawing::{Opening, Place};
use crate::measuring::{Blaming, Measuring};
use crate::pattern::Fixed;
use std::ops::Range;

impl Generalizing {
    /// Draws conclusions from the answer of a step.
    pub(super) fn end(&mut self, answer: bool) {
        self.pending.clear();
        match self.step.take() {
            Some(Step::Node(task, check)) => self.end_node(task, check, answer),
            Some(Step::Other(check)) => self.end_other(check, answer),
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

    /// Ends a step for which the budget is too small: there are conclusions only from what is sure enough.
    pub(super) fn end_early(&mut self) {
        let is_enough =
            |check: &Check| check.opening.evidence.failing >= self.options.distinct && check.is_likely();
        match &self.step {
            Some(Step::Node(_, check) | Step::Other(check)) if is_enough(check) => self.end(true),
            Some(Step::Rate(_)) => self.end(true),
            Some(Step::Blame(_)) => (self.step, self.phase) = (None, Phase::Done),
            _ => self.step = None,
        }
    }

    /// Names that a check filled at random are supported by what it has seen.
    fn support_names(&mut self, check: &Check) {
        for name in &mut self.names {
            if self.beside.iter().any(|other| other.is_name() && name.places.contains(&other.places[0])) {
                name.evidence.draws += check.opening.evidence.draws;
                name.evidence.failing += check.opening.evidence.failing;
                name.weak = name.evidence.failing < self.options.enough;
            }
        }
    }

    fn open(&mut self, mut opening: Opening) {
        opening.weak = opening.evidence.failing < self.options.enough;
        if opening.is_name() {
            return self.names.push(opening);
        }
        let nodes = &self.base.nodes;
        let is_inside = |place: &Place| opening.places.iter().any(|hole| place.is_within(hole, nodes));
        self.openings.retain(|_, other| !other.places.iter().any(is_inside));
        self.openings.insert(opening.places[0].clone(), opening);
    }

    fn fix(&mut self, opening: &Opening) {
        for range in opening.ranges(&self.base.nodes).take(1) {
            let (sort, evidence) = (opening.sort.clone(), opening.evidence.clone());
            self.fixed.push(Fixed { range, sort, evidence });
        }
    }

    /// The parts that had to stay, but for names in what was found to vary as a whole.
    pub(super) fn fixed_outside(&self, open: &[Opening]) -> Vec<Fixed> {
        let nodes = &self.base.nodes;
        let others = open.iter().filter(|hole| !hole.is_name());
        let ranges: Vec<Range<usize>> = others.flat_map(|hole| hole.ranges(nodes)).collect();
        let is_inside = |part: &Fixed| {
            let own = &part.range;
            ranges.iter().any(|hole| hole.start <= own.start && own.end <= hole.end)
        };
        let stays = |part: &&Fixed| !part.sort.is_name() || !is_inside(part);
        self.fixed.iter().filter(stays).cloned().collect()
    }

    fn end_node(&mut self, task: Task, check: Check, answer: bool) {
        let node = task.node;
        self.support_names(&check);
        if answer {
            self.learn_validity(&check);
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

    /// The end of the check of what is no single node.
    fn end_other(&mut self, check: Check, answer: bool) {
        self.support_names(&check);
        let is_apart = self.phase == Phase::Apart;
        if !answer {
            // A place of a name that may not have another one than the others still varies together with them.
            if !is_apart {
                self.fix(&check.opening);
            }
            return;
        }
        let free = |place: &Place| match place {
            Place::Node(_) => self.is_free(place),
            Place::Gap { .. } => true,
        };
        // A group that overlaps one that was found before is none.
        if !check.opening.places.iter().all(free) {
            return;
        }
        if is_apart {
            for name in &mut self.names {
                name.places.retain(|place| !check.opening.places.contains(place));
                name.coupled &= name.places.len() > 1;
            }
        }
        self.learn_validity(&check);
        self.open(check.opening);
    }

    /// Learns from the check of a hole how many texts have to be drawn for each valid one.
    fn learn_validity(&mut self, check: &Check) {
        let evidence = &check.opening.evidence;
        let valid = evidence.failing + evidence.passing;
        if valid > 0 {
            self.draws_each = (valid + evidence.invalid) as f64 / valid as f64;
        }
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
        self.base.rate = measuring.rate(self.options.confidence);
        let is_enough = self.base.rate.is_none_or(|rate| rate.share() >= self.options.min_rate);
        if is_enough || self.rounds >= ROUNDS || self.runs >= self.options.most_runs {
            self.phase = Phase::Done;
        } else {
            let places = self.beside.iter().map(|opening| opening.places[0].clone()).collect();
            self.step = Some(Step::Blame(Blaming::new(measuring.into_passing(), places)));
        }
    }

    /// Narrows the hole that is most to blame.
    fn end_blame(&mut self, blaming: &Blaming) {
        let blamed = blaming.blamed().and_then(|(place, text)| Some((self.close(place)?, text)));
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
        self.phase = Phase::Rest;
    }

    /// Takes the hole away that has a place.
    fn close(&mut self, place: &Place) -> Option<Opening> {
        let name = self.names.iter().position(|name| name.places.contains(place));
        self.openings.remove(place).or_else(|| Some(self.names.remove(name?)))
    }
}
