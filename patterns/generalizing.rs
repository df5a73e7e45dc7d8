//! Generalizing: which parts of a text that fails may vary.
//!
//! Gopinath, Kampmann, Havrikov, Soremekun and Zeller, "Abstracting Failure-Inducing Inputs" (ISSTA 2020). Nodes are
//! checked from the root downwards, each with random texts in all holes found before; what passed such a check is
//! checked a second time together with all others; then the places whose texts must be equal are found.
//!
//! The search asks for batches of texts and learns their verdicts. What is asked depends on the seed and on
//! verdicts, not on the size of the batches: every check draws from random numbers of its own.

use crate::assembly;
use crate::bisection::{Bisection, Value};
use crate::check::{Check, Limits, Pending};
use crate::derivations::Derivations;
use crate::drawing::{Drawing, Opening, Place};
use crate::measuring::{Blaming, Measuring};
use crate::pattern::{Fixed, NotAPattern, Pattern};
use crate::random::Random;
use crate::source::Source;
use lopper_engine::Verdict;
use lopper_languages::Parsed;
use std::collections::{BTreeMap, VecDeque};

/// When checks end, and what is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The seed of all random numbers.
    pub seed: u64,
    /// So many different texts must fail when a node is checked for the first time.
    pub distinct: usize,
    /// So many must fail when it is checked for the second time, together with all others; 0 for no second time.
    pub joint: usize,
    /// Nodes are checked alone, all else as in the example.
    pub alone: bool,
    /// A text that passes counts only if it passes with all other holes as in the example, too: else another hole may be
    /// to blame.
    pub confirms: bool,
    /// So many texts are drawn for a check at most.
    pub draws: usize,
    /// A check ends after so many invalid texts if none has failed.
    pub patience: usize,
    /// A check that found fewer failing texts than it should makes a hole if at most so many were invalid for each of
    /// them: else hardly an instance would be valid.
    pub invalid: usize,
    /// A hole that fewer failing texts support is weak.
    pub enough: usize,
    /// What a test that took too long says: `Boring` or `Invalid`.
    pub timed_out_as: Verdict,
    /// So many runs of the test at most; those that measure the rate are among them.
    pub most_runs: usize,
    /// So many fresh instances measure the rate; 0 for none.
    pub instances: usize,
    /// Holes become narrower until the share of failing instances is at least this.
    pub min_rate: f64,
    /// The confidence of the bound of the rate.
    pub confidence: f64,
}

impl Options {
    /// The numbers of the published algorithm.
    pub fn published(seed: u64) -> Self {
        Self {
            seed,
            distinct: 100,
            joint: 100,
            alone: false,
            confirms: false,
            draws: 1000,
            patience: usize::MAX,
            invalid: usize::MAX,
            enough: 29,
            timed_out_as: Verdict::Boring,
            most_runs: usize::MAX,
            instances: 0,
            min_rate: 0.9,
            confidence: 0.95,
        }
    }

    /// The simple algorithm of "Mining Failure Circumstances" (The Debugging Book): a node varies if so many texts fail
    /// with all else as it is.
    pub fn simple(seed: u64, tries: usize) -> Self {
        Self { distinct: usize::MAX, joint: 0, alone: true, draws: tries, ..Self::published(seed) }
    }

    /// Numbers for tests that take as long as a compiler does.
    pub fn thrifty(seed: u64) -> Self {
        Self {
            distinct: 12,
            joint: 29,
            draws: 200,
            patience: 16,
            invalid: 4,
            most_runs: 2000,
            instances: 100,
            confirms: true,
            ..Self::published(seed)
        }
    }
}

/// A node that waits for its check.
#[derive(Clone, Debug)]
struct Task {
    node: usize,
    /// Which of the node's sorts is checked.
    level: usize,
    /// It has passed its first check.
    again: bool,
}

/// What is asked next when there is nothing more to check in the phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Nodes,
    Groups,
    Gaps,
    Values,
    Orders,
    Rate,
    Done,
}

/// What is being asked.
enum Step {
    Node(Task, Check),
    Other(Check),
    Value(Bisection),
    Order(Order),
    Rate(Measuring),
    Blame(Blaming),
}

/// A block whose statements are tried in other orders.
struct Order {
    block: usize,
    /// What is to be tried yet.
    texts: VecDeque<Vec<u8>>,
    /// One of the texts does not fail.
    matters: bool,
}

/// What the test said of a text, and whether the search has used it.
#[derive(Clone, Copy)]
struct Known {
    verdict: Verdict,
    used: bool,
}

/// See the module.
pub struct Generalizing {
    drawing: Box<dyn Drawing>,
    options: Options,
    base: Pattern,
    known: BTreeMap<Vec<u8>, Known>,
    tasks: VecDeque<Task>,
    /// Checks of the present phase other than nodes.
    others: VecDeque<Opening>,
    values: VecDeque<Value>,
    orders: VecDeque<(usize, Vec<Vec<u8>>)>,
    phase: Phase,
    step: Option<Step>,
    steps: u64,
    /// What was drawn in the present step and is not learned, in this order.
    pending: VecDeque<Pending>,
    /// The texts of the last batch.
    asked: Vec<Vec<u8>>,
    openings: BTreeMap<Place, Opening>,
    fixed: Vec<Fixed>,
    /// How often the pattern was narrowed after its rate had been measured.
    rounds: usize,
    runs: usize,
}

impl Generalizing {
    /// For a pattern without holes and what draws for it.
    pub(crate) fn with_drawing(base: Pattern, drawing: Box<dyn Drawing>, options: Options) -> Self {
        let known = Known { verdict: Verdict::Interesting, used: true };
        let mut new = Self {
            known: [(base.example.clone(), known)].into(),
            drawing,
            options,
            base,
            tasks: VecDeque::new(),
            others: VecDeque::new(),
            values: VecDeque::new(),
            orders: VecDeque::new(),
            phase: Phase::Nodes,
            step: None,
            steps: 0,
            pending: VecDeque::new(),
            asked: Vec::new(),
            openings: BTreeMap::new(),
            fixed: Vec::new(),
            rounds: 0,
            runs: 0,
        };
        new.visit(0);
        new
    }

    /// For an example of a user's grammar, in its derivation tree (`Parser::derivation_trees`). The example fails.
    ///
    /// # Errors
    /// If the example's language is no grammar, or the grammar does not accept it.
    pub fn of_grammar(file: &Parsed, options: Options) -> Result<Self, NotAPattern> {
        let wrong = || NotAPattern("the grammar does not accept the example".to_owned());
        let drawing = Derivations::new(file).filter(|_| file.syntax.errors == 0).ok_or_else(wrong)?;
        Ok(Self::with_drawing(Pattern::of_example(file), Box::new(drawing), options))
    }

    /// For an example in a language with roles, with fragments of these files: the original one, and others of its
    /// kind. The example fails.
    pub fn of_source(example: &Parsed, files: &[&Parsed], options: Options) -> Self {
        let drawing = Source::new(example, files);
        Self::with_drawing(Pattern::of_example(example), Box::new(drawing), options)
    }

    /// The next texts to test, in order, at most about so many; none when the pattern is found. What comes of it does
    /// not depend on `most`, which is at least 1.
    pub fn ask(&mut self, most: usize) -> &[Vec<u8>] {
        self.asked.clear();
        while self.phase != Phase::Done {
            self.advance();
            if self.step.is_none() {
                self.begin();
                continue;
            }
            self.draw(most);
            for pending in &self.pending {
                let is_new = !self.known.contains_key(&pending.text) && !self.asked.contains(&pending.text);
                if is_new && self.asked.len() < most.max(1) {
                    self.asked.push(pending.text.clone());
                }
            }
            if !self.asked.is_empty() {
                break;
            }
        }
        &self.asked
    }

    /// Learns the verdicts on the texts of the last batch, or on its first ones.
    pub fn learn(&mut self, verdicts: &[Verdict]) {
        for (text, &verdict) in self.asked.drain(..).zip(verdicts) {
            let verdict = match verdict {
                Verdict::TimedOut | Verdict::OutOfMemory => self.options.timed_out_as,
                verdict => verdict,
            };
            self.known.insert(text, Known { verdict, used: false });
        }
        self.advance();
    }

    /// Runs of the test whose verdicts were used so far.
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// The pattern as far as it is known.
    pub fn pattern(&self) -> Pattern {
        let rate = match &self.step {
            Some(Step::Rate(measuring)) => measuring.rate(self.options.confidence),
            _ => self.base.rate,
        };
        let mut pattern = assembly::assemble(&self.base, self.openings.values(), &self.fixed);
        (pattern.rate, pattern.runs) = (rate, self.runs);
        pattern
    }

    /// Generalizes with a closure as the test, and gives the pattern.
    pub fn run(mut self, mut test: impl FnMut(&[u8]) -> Verdict) -> Pattern {
        loop {
            let verdicts: Vec<Verdict> = self.ask(1).iter().map(|text| test(text)).collect();
            if verdicts.is_empty() {
                return self.pattern();
            }
            self.learn(&verdicts);
        }
    }

    /// Puts the checks of a node into the list: its own, or those of the nodes below it.
    fn visit(&mut self, node: usize) {
        if self.drawing.sorts(node).is_empty() {
            self.visit_below(node);
        } else {
            self.tasks.push_back(Task { node, level: 0, again: false });
        }
    }

    fn visit_below(&mut self, node: usize) {
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
    fn is_free(nodes: &[crate::Node], openings: &BTreeMap<Place, Opening>, node: usize) -> bool {
        let mut places = openings.values().flat_map(|opening| &opening.places);
        !places.any(|place| matches!(place, Place::Node(hole) if (*hole..nodes[*hole].last).contains(&node)))
    }

    /// Starts the next step.
    fn begin(&mut self) {
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
            Phase::Gaps => self.drawing.gaps(&is_open).into(),
            _ => VecDeque::new(),
        };
        match phase {
            Phase::Values => self.values = self.drawing.values(&is_open).into(),
            Phase::Orders => self.orders = self.drawing.orders(&is_open).into(),
            _ => {}
        }
        if phase == Phase::Rate && self.options.instances == 0 {
            self.phase = Phase::Done;
        }
    }

    /// Draws until so many texts wait that were not tested before, or no more are to be drawn.
    fn draw(&mut self, most: usize) {
        let mut new = self.pending.iter().filter(|p| !self.known.contains_key(&p.text)).count();
        while new < most.max(1) {
            let pending = match &mut self.step {
                Some(Step::Node(_, check) | Step::Other(check)) if !check.is_exhausted() => {
                    let own = &check.opening.places;
                    let apart = |other: &&Opening| {
                        !self.options.alone && !other.places.iter().any(|place| own.contains(place))
                    };
                    let others: Vec<&Opening> = self.openings.values().filter(apart).collect();
                    check.draw(&mut *self.drawing, &others)
                }
                // What is tried next depends on what came of the last one.
                Some(Step::Value(bisection)) if self.pending.is_empty() => {
                    bisection.next().and_then(|next| {
                        let value = self.drawing.with_value(&bisection.value, next);
                        let range = self.base.nodes[bisection.value.node].range.clone();
                        let (before, after) =
                            (self.base.example.get(..range.start)?, self.base.example.get(range.end..)?);
                        Some(Pending { text: [before, &value, after].concat(), value })
                    })
                }
                Some(Step::Order(order)) if !order.texts.is_empty() => {
                    order.texts.pop_front().map(|text| Pending { text, value: Vec::new() })
                }
                Some(Step::Rate(measuring)) if !measuring.is_exhausted() => {
                    measuring.draw(&mut *self.drawing, &self.openings.values().collect::<Vec<_>>())
                }
                Some(Step::Blame(blaming)) if !blaming.is_exhausted() => {
                    blaming.draw(&*self.drawing, &self.openings.values().collect::<Vec<_>>())
                }
                _ => return,
            };
            if let Some(pending) = pending {
                new += usize::from(!self.known.contains_key(&pending.text));
                self.pending.push_back(pending);
            }
        }
    }

    /// Takes the verdicts that are known, in the order of the draws, and ends the step if they answer it.
    fn advance(&mut self) {
        while let Some(step) = &mut self.step {
            let all_learned = self.pending.is_empty();
            let answer = match step {
                Step::Node(_, check) | Step::Other(check) => check.answer(all_learned),
                Step::Value(bisection) => bisection.next().is_none().then_some(true),
                Step::Order(order) => {
                    (order.matters || (all_learned && order.texts.is_empty())).then_some(!order.matters)
                }
                Step::Rate(measuring) => measuring.is_over(all_learned).then_some(true),
                Step::Blame(blaming) => (all_learned && blaming.is_exhausted()).then_some(true),
            };
            if let Some(answer) = answer {
                return self.end(answer);
            }
            let Some(known) = self.pending.front().and_then(|p| self.known.get_mut(&p.text)) else { return };
            if !std::mem::replace(&mut known.used, true) {
                self.runs += 1;
            }
            let verdict = known.verdict;
            if let Some(pending) = self.pending.pop_front() {
                if let Step::Node(_, check) | Step::Other(check) = step
                    && verdict == Verdict::Boring
                    && self.options.confirms
                    && let Some(alone) = check.alone(&pending, &*self.drawing)
                {
                    self.pending.push_front(alone);
                    continue;
                }
                match step {
                    Step::Node(_, check) | Step::Other(check) => check.learn(pending, verdict),
                    Step::Value(bisection) => bisection.learn(verdict),
                    Step::Order(order) => order.matters |= verdict != Verdict::Interesting,
                    Step::Rate(measuring) => measuring.learn(pending, verdict),
                    Step::Blame(blaming) => blaming.learn(pending, verdict),
                }
            }
        }
    }

    /// Draws conclusions from the answer of a step.
    fn end(&mut self, answer: bool) {
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

impl std::fmt::Debug for Generalizing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generalizing")
            .field("phase", &self.phase)
            .field("runs", &self.runs)
            .finish_non_exhaustive()
    }
}
