//! The schedule decides which pass works next, and how finely.
//!
//! A sweep runs passes until each of them has seen the current base. The first pass is the one that is
//! expected to delete the most tokens per run of the test. A pass is expected to repeat its last yield, at a
//! discount, on top of a prior that falls with its place in the registry.
//!
//! The first sweeps are coarse: sets of units that together weigh less than the sweep's floor are not split
//! when they fail. While there are large parts to delete, small ones do not pay: each costs a run, and many
//! of them disappear together with the code that needs them.
//!
//! A failed unit is not tested again as long as it and its neighbours look the same. The last sweep is the
//! proof: the passes by which the result shall be 1-minimal test all units of the current base. Then follow
//! the pumps, the escape, and finally the passes that only rename. In a large program, the pumps come before the proof,
//! too, since it begins again after each commit.

use crate::index::{GroupIndex, PassIndex};
use crate::search::Chance;
use lopper_languages::measure::Measure;
use lopper_passes::{Grain, Pass};

/// Identifies a base by its number in the order of commits.
pub type BaseId = u64;

/// Which candidates are held back. The filters of a sweep come in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Filter {
    /// Candidates that the grammar refuses are held back, and so are those that the driver expects the test to refuse.
    On,
    /// Only candidates that the driver has held back are tested.
    Unlikely,
    /// Only candidates that the grammar refuses are tested: the others have had their turn.
    Off,
}

impl Filter {
    /// What the filter means for the grammar alone: a unit that was held back fails only once.
    pub fn of_grammar(self) -> Self {
        if self == Self::Unlikely { Self::On } else { self }
    }
}

/// The number of filters.
const FILTERS: usize = 3;

/// The schedule's order to a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The pass.
    pub pass: PassIndex,
    /// Whether candidates that the grammar refuses are held back.
    pub filter: Filter,
    /// The weight, in tokens, up to which a failed set of units is not split.
    pub floor: usize,
    /// Whether units that failed on another base are tested again.
    pub proof: bool,
}

/// The yield of a turn.
#[derive(Clone, Copy, Debug)]
pub struct Yield {
    /// The base, if the pass found nothing on it.
    pub left: Option<BaseId>,
    /// The difference that the turn made, in [`worth`].
    pub gain: f64,
    /// The runs of the test in the turn.
    pub runs: usize,
    /// The size of the program after the turn.
    pub size: Measure,
}

#[derive(Clone, Debug)]
struct Entry {
    /// The place in the registry among the passes for the program's languages: a pass for another language must
    /// not make this one wait.
    place: i32,
    /// Whether the pass is for one of the program's languages. Another one never has a turn: no pass has to wait for it,
    /// although it has never failed.
    is_for: bool,
    grain: Grain,
    /// Whether its units are asked for again on the result: those of a pump, too, since they are few, and what stood in their
    /// way may be gone.
    proves: bool,
    reaches: bool,
    /// Whether it deletes what others leave without a use.
    clears: bool,
    /// For each filter, the base on which the pass last found nothing more.
    seen: [Option<BaseId>; FILTERS],
    /// For each filter, the base on which the pass last found nothing more beside what had changed.
    near: [Option<BaseId>; FILTERS],
    /// The base on which candidates of the pass were last held back as unlikely ones.
    held_back: Option<BaseId>,
    /// The gain and the runs of the last turn.
    gain: f64,
    runs: f64,
    /// The runs since the last gain, and the size of the program when this count began.
    fruitless: usize,
    since: usize,
    chance: [Chance; FILTERS],
    /// The group with which the pass goes on in this sweep.
    cursor: GroupIndex,
    /// The size of the program when the pass gained too little in this sweep, if the sweep is coarse. The pass
    /// then waits until the program is an eighth smaller: in a coarse sweep it tests large sets, and the
    /// commits of other passes seldom make those deletable.
    idle: Option<usize>,
    /// The number of runs without success after which a turn ends.
    patience: usize,
}

/// A priority queue of passes.
#[derive(Clone, Debug)]
pub struct Schedule {
    entries: Vec<Entry>,
    floor: usize,
    /// The base on which the sweep began.
    began: BaseId,
    stage: Stage,
    /// The base of the last proof that ended without a commit.
    proven: Option<BaseId>,
    scope: Scope,
    /// Whether the filter always stays on.
    keeps_filter: bool,
}

/// The stages that a schedule has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// All of them.
    Reduction,
    /// Fine sweeps only, for a branch, which ends when no pass gains anything.
    Branch,
    /// All but the escape and renaming, for a reduction that is repeated in the escape.
    Repetition,
}

/// The purpose of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reducing the program.
    Reduce,
    /// Proving that nothing more can be deleted from this base.
    Prove(BaseId),
    /// Enlarging the program in branches: no pass has a turn.
    Pump,
    /// Looking for programs that no single step reaches: no pass has a turn.
    Escape,
    /// Renaming.
    Finish,
}

/// The share of the program that the first pass of the registry is expected to delete per run, and the factor
/// by which this expectation falls from one pass to the next.
const SHARE: f64 = 0.1;
const FALL: f64 = 0.5;
/// The factor by which the next gain of a pass is expected to be smaller than the last one.
const DISCOUNT: f64 = 0.5;
/// The number of runs without success after which a pass ends its turn. Each turn of a coarse sweep that gains too little
/// halves it for the next such turn of the pass, down to `LEAST_PATIENCE`.
const PATIENCE: usize = 64;
const LEAST_PATIENCE: usize = 16;
/// A turn of a coarse sweep that gains less than a floor in this many runs gains too little, and ends after them: such
/// sweeps are for large parts, and finer ones find the others with many units in a run.
const COARSE_RUNS: f64 = 64.0;
/// The number of runs without a gain after which a pass waits until the program is an eighth smaller.
const PROBATION: usize = 96;
/// A program with more tokens has its pumps before the proof, which takes about a run per token, and again behind it.
const SOON_PROVEN: usize = 256;
/// The first floor is the program's tokens divided by `FIRST_FLOOR`. Each further floor is the one before
/// divided by `NEXT_FLOOR`, or by its square after a sweep without a commit, but at most a `FIRST_FLOOR`th of
/// the current program. A floor below `LAST_FLOOR` becomes 0: then every failed set is split.
const FIRST_FLOOR: usize = 16;
const NEXT_FLOOR: usize = 4;
const LAST_FLOOR: usize = 8;

impl Schedule {
    /// A schedule of these passes for a program of this size. `is_for` tells whether a pass is for the program's
    /// languages.
    pub fn new(passes: &[&Pass], is_for: impl Fn(&Pass) -> bool, size: &Measure) -> Self {
        let places = passes.iter().scan(0, |next, pass| {
            let (place, is_for) = (*next, is_for(pass));
            *next += i32::from(is_for);
            Some((place, is_for))
        });
        Self::of(passes, places, size)
    }

    /// A schedule of these passes, with the place of each, and whether it is for the program's languages.
    fn of(passes: &[&Pass], places: impl Iterator<Item = (i32, bool)>, size: &Measure) -> Self {
        let entry = |(pass, (place, is_for)): (&&Pass, (i32, bool))| Entry {
            place,
            is_for,
            grain: pass.grain,
            proves: pass.proves || pass.pump,
            reaches: pass.reaches,
            clears: pass.clears,
            seen: [None; FILTERS],
            near: [None; FILTERS],
            held_back: None,
            gain: 0.0,
            runs: 0.0,
            fruitless: 0,
            since: size.tokens,
            chance: [Chance::guess(0.9999), Chance::guess(0.1), Chance::guess(0.1)],
            cursor: GroupIndex::FIRST,
            idle: None,
            patience: PATIENCE,
        };
        let floor = above_last(size.tokens / FIRST_FLOOR);
        let entries = passes.iter().zip(places).map(entry).collect();
        let (stage, scope) = (Stage::Reduce, Scope::Reduction);
        Self { entries, floor, began: 0, stage, proven: None, scope, keeps_filter: false }
    }

    /// A schedule for a branch: fine sweeps only, and no proof.
    pub fn of_branch(&self, passes: &[&Pass], size: &Measure) -> Self {
        Self { floor: 0, ..self.anew(passes, size, Scope::Branch) }
    }

    /// A schedule for a repetition of the reduction from a program of this size.
    pub fn of_repetition(&self, passes: &[&Pass], size: &Measure) -> Self {
        self.anew(passes, size, Scope::Repetition)
    }

    fn anew(&self, passes: &[&Pass], size: &Measure, scope: Scope) -> Self {
        let places = self.entries.iter().map(|entry| (entry.place, entry.is_for));
        Self { scope, keeps_filter: self.keeps_filter, ..Self::of(passes, places, size) }
    }

    /// Keeps the filter on from now on.
    pub fn keep_filter(&mut self) {
        self.keeps_filter = true;
    }

    /// Whether this schedule is for a branch, or for a repetition.
    pub fn is_branch(&self) -> bool {
        self.scope != Scope::Reduction
    }

    /// The stage of the current sweep.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The stage of the current sweep, and its floor: see [`Turn::floor`].
    pub fn sweep(&self) -> (Stage, usize) {
        (self.stage, self.floor)
    }

    /// Whether a pass is on probation: it waits, since it has gained nothing in many runs.
    pub fn is_on_probation(&self, pass: PassIndex, size: &Measure) -> bool {
        self.entries[pass.0].is_on_probation(size)
    }

    /// Puts a pass on probation.
    pub fn suspend(&mut self, pass: PassIndex, size: &Measure) {
        let entry = &mut self.entries[pass.0];
        (entry.fruitless, entry.since) = (PROBATION, size.tokens);
    }

    /// Records that a branch has landed: all passes get turns again.
    pub fn landed(&mut self) {
        self.stage = Stage::Reduce;
        self.reopen();
    }

    /// Keeps what is known of a base that gets another number.
    pub fn renumber(&mut self, before: BaseId, now: BaseId) {
        self.proven = self.proven.map(|base| if base == before { now } else { base });
    }

    fn reopen(&mut self) {
        self.entries.iter_mut().for_each(|entry| {
            (entry.seen, entry.cursor, entry.idle) = ([None; FILTERS], GroupIndex::FIRST, None)
        });
    }

    /// The next turn on this base; `None` when the sweep is over. Turns for what is held back come only after the passes that
    /// delete have had their turns with the filter on, but before those of passes that polish: these make many bases, each a few
    /// bytes smaller. Turns for what the grammar refuses come last, and only in fine sweeps.
    pub fn next(&self, base: BaseId, size: &Measure) -> Option<Turn> {
        let floor = self.floor.min(above_last(size.tokens / FIRST_FLOOR).max(LAST_FLOOR));
        let proof = self.stage == Stage::Prove(base);
        let asks_again = |e: &Entry, filter: Filter| {
            e.proves && proof || self.reaches(e) && e.near[filter as usize] == Some(base)
        };
        let finish = self.stage == Stage::Finish;
        if matches!(self.stage, Stage::Pump | Stage::Escape) {
            return None;
        }
        let best = |filter: Filter, polishes: bool| {
            let open = |e: &Entry| {
                e.is_for
                    && e.polishes() <= polishes
                    && (filter != Filter::Unlikely || e.held_back == Some(base))
                    && e.seen[filter as usize] != Some(base)
                    && e.idle.is_none_or(|since| is_much_smaller(size, since))
                    && (self.floor == 0 || e.grain == Grain::Coarse)
                    && (finish == (e.grain == Grain::Finish) && e.grain != Grain::Branch)
                    && (finish || e.proves || !proof && !e.is_on_probation(size))
            };
            let is_first = |e: &Entry| e.clears && self.floor == 0;
            let open = self.entries.iter().enumerate().filter(|(_, e)| open(e));
            let rated = open.map(|(i, e)| (i, if is_first(e) { f64::INFINITY } else { e.rate(size) }));
            let best = rated.reduce(|a, b| if b.1 > a.1 { b } else { a });
            best.map(|(pass, _)| {
                let proof = asks_again(&self.entries[pass], filter);
                Turn { pass: PassIndex(pass), filter, floor, proof }
            })
        };
        let both = |polishes: bool| best(Filter::On, polishes).or_else(|| best(Filter::Unlikely, polishes));
        both(false)
            .or_else(|| both(true))
            .or_else(|| best(Filter::Off, true).filter(|_| self.floor == 0 && !finish && !self.keeps_filter))
    }

    /// Records the yield of a turn, and the group with which the pass goes on if it has another turn in this
    /// sweep.
    pub fn record(&mut self, turn: Turn, yielded: Yield, cursor: GroupIndex) {
        let Yield { left, gain, runs, size } = yielded;
        let goes_on = self.reaches(&self.entries[turn.pass.0]) && !turn.proof;
        let entry = &mut self.entries[turn.pass.0];
        if gain > 0.0 || entry.has_new_grounds(&size) {
            (entry.fruitless, entry.since) = (0, size.tokens);
        }
        if gain <= 0.0 && turn.floor == 0 {
            entry.fruitless += runs;
        }
        let found_nothing = if goes_on { &mut entry.near } else { &mut entry.seen };
        found_nothing[turn.filter as usize] = left;
        entry.gain = gain;
        entry.runs = runs as f64;
        entry.cursor = cursor;
        if turn.floor > 0 {
            let is_poor = gain <= 0.0 || is_poor(turn, gain, runs);
            entry.idle = is_poor.then_some(size.tokens);
            entry.patience = if is_poor { (entry.patience / 2).max(LEAST_PATIENCE) } else { PATIENCE };
        }
    }

    /// Whether a pass tests all its units in a branch, once it has found nothing beside what has changed.
    fn reaches(&self, entry: &Entry) -> bool {
        entry.reaches && self.scope == Scope::Branch
    }

    /// Whether a turn of a coarse sweep has had runs enough and has gained too little in them.
    pub fn is_fruitless(&self, turn: Turn, yielded: Yield) -> bool {
        turn.floor > 0 && yielded.runs as f64 >= COARSE_RUNS && is_poor(turn, yielded.gain, yielded.runs)
    }

    /// Whether, after this yield of a turn, another pass is expected to gain more on this base.
    pub fn is_outdone(&self, turn: Turn, yielded: Yield, base: BaseId) -> bool {
        let mut then = self.clone();
        then.record(turn, yielded, GroupIndex::FIRST);
        then.next(base, &yielded.size).is_some_and(|next| next.pass != turn.pass)
    }

    /// The pass that deletes what others leave without a use, if it has not seen this base yet, in a fine sweep.
    pub fn clearing(&self, turn: Turn, base: BaseId, size: &Measure) -> Option<PassIndex> {
        let pass = self.next(base, size).filter(|_| turn.floor == 0)?.pass;
        (pass != turn.pass && self.entries[pass.0].clears).then_some(pass)
    }

    /// Records that candidates of a pass on this base were held back as unlikely ones.
    pub fn hold_back(&mut self, pass: PassIndex, base: BaseId) {
        self.entries[pass.0].held_back = Some(base);
    }

    /// The group with which a pass goes on in its turn.
    pub fn cursor(&self, turn: Turn) -> GroupIndex {
        self.entries[turn.pass.0].cursor
    }

    /// The number of runs without success after which a turn ends.
    pub fn patience(&self, turn: Turn) -> usize {
        if turn.floor > 0 { self.entries[turn.pass.0].patience } else { PATIENCE }
    }

    /// The probability that a unit of the pass is accepted.
    pub fn chance(&self, turn: Turn) -> Chance {
        self.entries[turn.pass.0].chance[turn.filter as usize]
    }

    /// Learns the probability from a search in the turn.
    pub fn learn_chance(&mut self, turn: Turn, chance: Chance) {
        self.entries[turn.pass.0].chance[turn.filter as usize] = chance;
    }

    /// Starts a new sweep: first ever finer ones, then the proof that nothing more can be deleted from
    /// `base`, then the stages after it. `false` after the last stage.
    pub fn new_sweep(&mut self, base: BaseId, size: &Measure) -> bool {
        match self.stage {
            Stage::Reduce if self.floor > 0 => {
                let next = if self.began == base { NEXT_FLOOR * NEXT_FLOOR } else { NEXT_FLOOR };
                self.floor = above_last((self.floor / next).min(size.tokens / FIRST_FLOOR));
            }
            Stage::Reduce if self.scope == Scope::Branch => return false,
            Stage::Prove(proved) if proved == base => {
                self.proven = Some(base);
                self.stage = Stage::Pump;
            }
            // Each branch that lands calls for another proof, so a proof that takes long waits for them.
            Stage::Reduce if size.tokens > SOON_PROVEN => self.stage = Stage::Pump,
            Stage::Reduce | Stage::Prove(_) => self.stage = Stage::Prove(base),
            Stage::Pump if self.proven != Some(base) => self.stage = Stage::Prove(base),
            Stage::Pump if self.scope == Scope::Repetition => return false,
            Stage::Pump => self.stage = Stage::Escape,
            Stage::Escape => self.stage = Stage::Finish,
            Stage::Finish => return false,
        }
        self.began = base;
        self.reopen();
        true
    }
}

/// Whether a turn of a coarse sweep gains less than a floor in [`COARSE_RUNS`] runs.
fn is_poor(turn: Turn, gain: f64, runs: usize) -> bool {
    gain * COARSE_RUNS < (turn.floor * runs) as f64
}

/// Whether the program is an eighth smaller than when it had `since` tokens.
fn is_much_smaller(size: &Measure, since: usize) -> bool {
    size.tokens + since / 8 < since
}

/// The floor, or 0 if it is too low to be worth a sweep.
fn above_last(floor: usize) -> usize {
    if floor < LAST_FLOOR { 0 } else { floor }
}

impl Entry {
    /// Whether the pass is on probation: it waits, since it has gained nothing in many runs.
    fn is_on_probation(&self, size: &Measure) -> bool {
        self.fruitless >= PROBATION && !self.has_new_grounds(size)
    }

    fn has_new_grounds(&self, size: &Measure) -> bool {
        is_much_smaller(size, self.since)
    }

    /// Whether the last turn gained something, but less than a token.
    fn polishes(&self) -> bool {
        self.gain > 0.0 && self.gain < 1.0
    }

    fn rate(&self, size: &Measure) -> f64 {
        let prior = worth(size) * SHARE * FALL.powi(self.place);
        (self.gain * DISCOUNT + prior) / (self.runs + 1.0)
    }
}

/// A measure as a single number: the tokens, plus small fractions for bytes.
pub fn worth(measure: &Measure) -> f64 {
    measure.tokens as f64 + measure.token_bytes as f64 / 16.0 + measure.bytes as f64 / 64.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Measure = Measure { tokens: 100, token_bytes: 400, paths: 4, bytes: 500, lines: 20 };

    /// A schedule of three passes in the order of the registry. `delete` is the one that proves.
    fn schedule() -> Schedule {
        let names = ["comments", "line-markers", "delete"];
        let passes: Vec<_> = lopper_passes::PASSES.iter().filter(|pass| names.contains(&pass.name)).collect();
        assert_eq!(passes.len(), names.len());
        Schedule::new(&passes, |_| true, &SIZE)
    }

    fn turn(pass: usize, filter: Filter) -> Turn {
        Turn { pass: PassIndex(pass), filter, floor: 0, proof: false }
    }

    fn record(schedule: &mut Schedule, turn: Turn, left: Option<BaseId>, gain: f64, runs: usize) {
        schedule.record(turn, Yield { left, gain, runs, size: SIZE }, GroupIndex::FIRST);
    }

    #[test]
    fn passes_come_in_registry_order_until_their_gains_are_known() {
        let mut schedule = schedule();
        assert_eq!(schedule.next(0, &SIZE), Some(turn(0, Filter::On)));
        record(&mut schedule, turn(0, Filter::On), Some(0), 0.0, 50);
        assert_eq!(schedule.next(0, &SIZE), Some(turn(1, Filter::On)));
        record(&mut schedule, turn(1, Filter::On), None, 5000.0, 10);
        assert_eq!(schedule.next(1, &SIZE), Some(turn(1, Filter::On)), "it gave most");
    }

    #[test]
    fn a_pass_is_outdone_by_one_with_a_larger_expected_gain_and_goes_on_at_its_group() {
        let mut schedule = schedule();
        let coarse = Turn { floor: 9, ..turn(0, Filter::On) };
        let of = |gain| Yield { left: None, gain, runs: 10, size: SIZE };
        assert!(schedule.is_outdone(coarse, of(1.0), 0));
        assert!(!schedule.is_outdone(coarse, of(10_000.0), 0));
        schedule.record(coarse, of(1.0), GroupIndex(5));
        assert_eq!(schedule.cursor(coarse), GroupIndex(5));
        schedule.new_sweep(1, &SIZE);
        assert_eq!(schedule.cursor(coarse), GroupIndex::FIRST, "a new sweep begins with the first group");
    }

    #[test]
    fn what_nothing_uses_any_more_goes_in_fine_sweeps_before_anything_else() {
        let mut schedule = schedule();
        schedule.entries[2].clears = true;
        let first = turn(0, Filter::On);
        assert_eq!(schedule.next(7, &SIZE), Some(turn(2, Filter::On)));
        record(&mut schedule, turn(2, Filter::On), Some(7), 0.0, 1);
        assert_eq!(schedule.clearing(first, 7, &SIZE), None, "it has seen this base");
        assert_eq!(schedule.clearing(first, 8, &SIZE), Some(PassIndex(2)));
        assert_eq!(schedule.clearing(turn(2, Filter::On), 8, &SIZE), None, "it need not wait for itself");
        schedule.floor = 64;
        assert_eq!(schedule.clearing(Turn { floor: 64, ..first }, 8, &SIZE), None, "large parts come first");
    }

    #[test]
    fn a_pass_that_gains_too_little_in_a_coarse_sweep_waits_and_has_less_patience_next_time() {
        let mut schedule = schedule();
        let coarse = Turn { floor: 64, ..turn(0, Filter::On) };
        schedule.floor = 64;
        let after = |gain| {
            let mut schedule = schedule.clone();
            schedule.entries[0].grain = Grain::Coarse;
            record(&mut schedule, coarse, None, gain, 100);
            (schedule.entries[0].idle, schedule.patience(coarse), schedule.patience(turn(0, Filter::On)))
        };
        assert_eq!(after(90.0), (Some(SIZE.tokens), PATIENCE / 2, PATIENCE));
        assert_eq!(after(110.0), (None, PATIENCE, PATIENCE));
    }

    #[test]
    fn a_turn_of_a_coarse_sweep_ends_after_many_runs_with_too_small_gains() {
        let schedule = schedule();
        let coarse = Turn { floor: 64, ..turn(0, Filter::On) };
        let of = |gain, runs| Yield { left: None, gain, runs, size: SIZE };
        assert!(schedule.is_fruitless(coarse, of(60.0, 64)));
        assert!(!schedule.is_fruitless(coarse, of(70.0, 64)));
        assert!(!schedule.is_fruitless(coarse, of(0.0, 63)), "patience decides about the first runs");
        assert!(schedule.is_fruitless(coarse, of(70.0, 128)));
        assert!(!schedule.is_fruitless(turn(0, Filter::On), of(0.0, 999)), "the last sweep asks for all");
    }

    #[test]
    fn the_filter_is_off_only_after_every_pass_has_had_its_turn() {
        let mut schedule = schedule();
        for pass in 0..3 {
            record(&mut schedule, turn(pass, Filter::On), Some(7), 0.0, 1);
        }
        assert_eq!(schedule.next(7, &SIZE), Some(turn(0, Filter::Off)));
        assert_eq!(schedule.next(8, &SIZE), Some(turn(0, Filter::On)), "another base");
        for pass in 0..3 {
            record(&mut schedule, turn(pass, Filter::Off), Some(7), 0.0, 1);
        }
        assert_eq!(schedule.next(7, &SIZE), None);
    }

    #[test]
    fn what_is_held_back_has_its_turn_between_all_else_and_what_the_grammar_refuses() {
        let mut schedule = schedule();
        schedule.hold_back(PassIndex(1), 7);
        for pass in 0..3 {
            assert_eq!(schedule.next(7, &SIZE).map(|next| next.filter), Some(Filter::On));
            record(&mut schedule, turn(pass, Filter::On), Some(7), 0.0, 1);
        }
        assert_eq!(schedule.next(7, &SIZE), Some(turn(1, Filter::Unlikely)));
        record(&mut schedule, turn(1, Filter::Unlikely), Some(7), 0.0, 1);
        assert_eq!(schedule.next(7, &SIZE).map(|next| next.filter), Some(Filter::Off));
        assert_eq!(schedule.next(8, &SIZE).map(|next| next.filter), Some(Filter::On), "another base");
    }

    #[test]
    fn a_pass_whose_last_turn_saved_bytes_alone_waits_for_what_is_held_back() {
        let mut schedule = schedule();
        schedule.hold_back(PassIndex(1), 7);
        record(&mut schedule, turn(0, Filter::On), None, 0.5, 1);
        (1..3).for_each(|pass| record(&mut schedule, turn(pass, Filter::On), Some(7), 0.0, 1));
        assert_eq!(schedule.next(7, &SIZE), Some(turn(1, Filter::Unlikely)));
        record(&mut schedule, turn(1, Filter::Unlikely), Some(7), 0.0, 1);
        assert_eq!(schedule.next(7, &SIZE), Some(turn(0, Filter::On)));
    }

    #[test]
    fn a_pass_without_gains_waits_until_the_program_is_an_eighth_smaller() {
        let mut schedule = schedule();
        (0..3).for_each(|base| record(&mut schedule, turn(0, Filter::On), Some(base), 0.0, 40));
        assert_eq!(schedule.next(7, &SIZE), Some(turn(1, Filter::On)));
        let smaller = Measure { tokens: 80, ..SIZE };
        (1..3).for_each(|pass| {
            schedule.record(
                turn(pass, Filter::On),
                Yield { left: Some(7), gain: 0.0, runs: 1, size: smaller },
                GroupIndex::FIRST,
            )
        });
        assert_eq!(schedule.next(7, &SIZE).map(|t| t.filter), Some(Filter::Off), "no other is open");
        assert_eq!(schedule.next(7, &smaller), Some(turn(0, Filter::On)), "the program is smaller");
        schedule.record(
            turn(0, Filter::On),
            Yield { left: None, gain: 0.0, runs: 1, size: smaller },
            GroupIndex::FIRST,
        );
        assert_eq!(schedule.next(7, &smaller), Some(turn(0, Filter::On)), "it counts anew");
    }

    #[test]
    fn the_last_sweep_proves_that_nothing_more_can_be_deleted() {
        let mut schedule = schedule();
        assert!(schedule.new_sweep(7, &SIZE));
        let turn = schedule.next(7, &SIZE).unwrap();
        assert!(turn.proof && schedule.entries[turn.pass.0].proves);
        assert!(!schedule.next(8, &SIZE).unwrap().proof, "a commit came in between");
        assert!(schedule.new_sweep(8, &SIZE));
        assert!(schedule.new_sweep(8, &SIZE), "nothing is left to take");
        assert_eq!((schedule.stage(), schedule.next(8, &SIZE)), (Stage::Pump, None));
        assert!(schedule.new_sweep(8, &SIZE), "no branch has landed");
        assert_eq!((schedule.stage(), schedule.next(8, &SIZE)), (Stage::Escape, None));
        assert!(schedule.new_sweep(8, &SIZE), "no way out was found");
        assert_eq!((schedule.stage(), schedule.next(8, &SIZE)), (Stage::Finish, None), "none renames");
        assert!(!schedule.new_sweep(9, &SIZE), "whatever was renamed, this is the end");
    }

    #[test]
    fn a_large_program_has_its_pumps_before_the_proof_and_again_behind_it() {
        let (mut schedule, large) = (schedule(), Measure { tokens: 2 * SOON_PROVEN, ..SIZE });
        let mut stages = Vec::new();
        while schedule.new_sweep(7, &large) {
            stages.push(schedule.stage());
        }
        let (pump, prove) = (Stage::Pump, Stage::Prove(7));
        assert_eq!(stages, [pump, prove, pump, Stage::Escape, Stage::Finish]);
    }

    #[test]
    fn a_branch_that_lands_gives_all_passes_their_turns_again() {
        let mut schedule = schedule();
        schedule.stage = Stage::Pump;
        (0..3).for_each(|pass| record(&mut schedule, turn(pass, Filter::On), Some(7), 0.0, 1));
        schedule.landed();
        assert_eq!(schedule.next(7, &SIZE), Some(turn(0, Filter::On)));
        let mut schedule = Schedule { scope: Scope::Branch, ..schedule };
        assert!(!schedule.new_sweep(7, &SIZE), "a branch has no proof");
    }

    #[test]
    fn a_branch_asks_for_all_units_only_when_those_beside_the_change_have_failed() {
        let mut schedule = Schedule { scope: Scope::Branch, floor: 0, ..schedule() };
        (0..2).for_each(|pass| record(&mut schedule, turn(pass, Filter::On), Some(7), 0.0, 1));
        let delete = turn(2, Filter::On);
        assert_eq!(schedule.next(7, &SIZE), Some(delete));
        record(&mut schedule, delete, Some(7), 0.0, 1);
        let again = Turn { proof: true, ..delete };
        assert_eq!(schedule.next(7, &SIZE), Some(again));
        record(&mut schedule, again, Some(7), 0.0, 1);
        assert_ne!(schedule.next(7, &SIZE).map(|turn| turn.filter), Some(Filter::On), "it has seen all");
    }

    #[test]
    fn sweeps_become_finer_until_every_failed_set_is_split() {
        let size = Measure { tokens: 10_000, ..SIZE };
        let passes: Vec<&Pass> = lopper_passes::PASSES.iter().collect();
        let mut schedule = Schedule::new(&passes, |_| true, &size);
        let mut floors = Vec::new();
        while let Some(turn) = schedule.next(floors.len() as u64, &size) {
            floors.push(turn.floor);
            schedule.new_sweep(floors.len() as u64, &size);
            if turn.floor == 0 {
                break;
            }
        }
        assert_eq!(floors, [625, 156, 39, 9, 0]);
        let mut schedule = Schedule::new(&passes, |_| true, &size);
        schedule.new_sweep(0, &size);
        assert_eq!(schedule.next(0, &size).map(|turn| turn.floor), Some(39), "nothing was found");
    }
}
