//! Generalizing: which parts of a text that fails may vary.
//!
//! Gopinath, Kampmann, Havrikov, Soremekun and Zeller, "Abstracting Failure-Inducing Inputs" (ISSTA 2020). Nodes are
//! checked from the root downwards, each with random texts in all holes found before; what passed such a check is
//! checked a second time together with all others; then the places whose texts must be equal are found.
//!
//! In source code names come first: another name is nearly always valid, and that a name is free is what readers want to
//! know. What is checked later has random names in it, too.
//!
//! The search asks for batches of texts and learns their verdicts. What is asked depends on the seed and on
//! verdicts, not on the size of the batches: every check draws from random numbers of its own.

mod agenda;
mod conclusions;
mod options;

pub use options::Options;

use crate::assembly;
use crate::bisection::{Bisection, Value};
use crate::check::{Check, Pending};
use crate::derivations::Derivations;
use crate::drawing::{Drawing, Opening, Place};
use crate::measuring::{Blaming, Measuring};
use crate::pattern::{Fixed, NotAPattern, Pattern};
use crate::source::Source;
use lopper_engine::Verdict;
use lopper_languages::Parsed;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

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
    /// Names, in all their places.
    Names,
    /// The places of a name on their own.
    Apart,
    Nodes,
    Groups,
    Gaps,
    Values,
    Orders,
    /// The nodes that are left.
    Rest,
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
    /// By their first places.
    openings: BTreeMap<Place, Opening>,
    /// Names that may vary, with all their places: those in the openings count again as soon as these are closed.
    names: Vec<Opening>,
    /// The places of the names that were checked.
    tried: BTreeSet<Vec<Place>>,
    /// What is filled beside the opening that is checked.
    beside: Vec<Opening>,
    /// How many texts with random texts in all holes were drawn for each valid one, when last seen.
    draws_each: f64,
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
            phase: Phase::Names,
            step: None,
            steps: 0,
            pending: VecDeque::new(),
            asked: Vec::new(),
            openings: BTreeMap::new(),
            names: Vec::new(),
            tried: BTreeSet::new(),
            beside: Vec::new(),
            draws_each: 1.0,
            fixed: Vec::new(),
            rounds: 0,
            runs: 0,
        };
        new.visit(0);
        new.enter(Phase::Names);
        new
    }

    /// For an example of a user's grammar, in its derivation tree (`Parser::derivation_trees`). The example fails.
    ///
    /// # Errors
    /// If the example's language is no grammar, or the grammar does not accept it.
    pub fn of_grammar(file: &Parsed, options: Options) -> Result<Self, NotAPattern> {
        let wrong = || NotAPattern("the grammar does not accept the example".to_owned());
        let drawing = Derivations::new(file).filter(|_| file.syntax().errors == 0).ok_or_else(wrong)?;
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
            let most = most.min(self.allowance().saturating_sub(self.runs));
            self.draw(most);
            for pending in &self.pending {
                let is_new = !self.known.contains_key(&pending.text) && !self.asked.contains(&pending.text);
                if is_new && self.asked.len() < most {
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
        let open = self.open_beside(&[]);
        let mut pattern = assembly::assemble(&self.base, open.iter(), &self.fixed_outside(&open));
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

    /// Draws until so many texts wait that were not tested before, or no more are to be drawn.
    fn draw(&mut self, most: usize) {
        let beside: Vec<&Opening> = self.beside.iter().collect();
        let mut new = self.pending.iter().filter(|p| !self.known.contains_key(&p.text)).count();
        while new < most.max(1) {
            let pending = match &mut self.step {
                Some(Step::Node(_, check) | Step::Other(check)) if !check.is_exhausted() => {
                    check.draw(&mut *self.drawing, &beside)
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
                    measuring.draw(&mut *self.drawing, &beside)
                }
                Some(Step::Blame(blaming)) if !blaming.is_exhausted() => {
                    blaming.draw(&*self.drawing, &beside)
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
        loop {
            let is_spent = self.runs >= self.allowance();
            let Some(step) = &mut self.step else { return };
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
            let Some(next) = self.pending.front() else { return };
            let known = self.known.get_mut(&next.text);
            if is_spent && known.as_ref().is_none_or(|known| !known.used) {
                return self.end_early();
            }
            let Some(known) = known else { return };
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
}

impl std::fmt::Debug for Generalizing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generalizing")
            .field("phase", &self.phase)
            .field("runs", &self.runs)
            .finish_non_exhaustive()
    }
}
