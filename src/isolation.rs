//! Isolating: delta debugging asks, the test answers, the best inputs are made safe.

use crate::asker::LimitedAsker;
use crate::error::UserError;
use crate::oracle::Test;
use crate::run::{End, Listener, Options, Stats};
use crate::workers::with_runner;
use lopper_engine::asker::Stop;
use lopper_engine::isolate::inputs::{Made, Variant, all, isolate_changes};
use lopper_engine::isolate::{Changes, Goal, Isolated};

/// What is to be isolated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    /// The failing inputs, as the changes from the passing ones.
    pub(crate) inputs: &'a [Changes],
    pub(crate) goal: Goal,
    pub(crate) variant: Variant,
}

/// What is left when isolating has ended.
#[derive(Debug)]
pub(crate) struct Isolation {
    /// The answer, if the search came to its end.
    pub(crate) isolated: Option<Isolated<usize>>,
    /// The changes of the best passing and of the best failing inputs.
    pub(crate) best: [Made; 2],
    /// Whether either is better than what was given.
    pub(crate) has_progressed: bool,
    pub(crate) end: End,
    pub(crate) stats: Stats,
}

impl Isolation {
    fn new(inputs: &[Changes]) -> Self {
        let best = [vec![Vec::new(); inputs.len()], all(inputs)];
        let stats = Stats::default();
        Self { isolated: None, best, has_progressed: false, end: End::Fixpoint, stats }
    }
}

/// Isolates the changes by which the inputs fail. `save` makes the best inputs safe before anything else happens; the result
/// depends on the inputs, the options and the verdicts only, not on `options.jobs`.
pub(crate) fn isolate(
    task: &Task,
    test: &dyn Test,
    options: &Options,
    listener: &mut Listener,
    save: &mut dyn FnMut(&[Made; 2]) -> Result<(), UserError>,
) -> Isolation {
    let mut isolation = Isolation::new(task.inputs);
    let mut unsaved = None;
    let mut found = |passing: &[Vec<usize>], failing: &[Vec<usize>]| {
        isolation.best = [passing.to_vec(), failing.to_vec()];
        isolation.has_progressed = true;
        save(&isolation.best).map_err(|error| {
            unsaved = Some(error);
            Stop
        })
    };
    let (isolated, (end, stats)) = with_runner(test, options.jobs, |runner| {
        let mut asker = LimitedAsker::new(options, listener, runner);
        let isolated = isolate_changes(task.goal, task.variant, task.inputs, &mut asker, &mut found);
        let ended = asker.ended(isolated.as_ref().err().copied());
        (isolated.ok(), ended)
    });
    if let Some(isolated) = &isolated {
        let side = |of: fn(&lopper_engine::isolate::Argument<usize>) -> &Vec<usize>| {
            isolated.arguments.iter().map(|argument| of(argument).clone()).collect()
        };
        isolation.best = [side(|argument| &argument.passing), side(|argument| &argument.failing)];
        isolation.has_progressed = true;
    }
    let end = unsaved.map_or(end, End::Broken);
    Isolation { isolated, end, stats, ..isolation }
}
