//! Isolation: delta debugging asks, the test answers, and the best inputs are saved.

use crate::asker::LimitedAsker;
use crate::error::UserError;
use crate::looks::{Looking, Looks};
use crate::oracle::Test;
use crate::run::{End, Listener, Options, Stats};
use crate::workers::with_runner;
use lopper_engine::asker::Stop;
use lopper_engine::isolate::inputs::{Made, Variant, all, isolate_changes};
use lopper_engine::isolate::{Changes, Goal, Isolated};

/// The input of an isolation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    /// The failing inputs, as changes from the passing ones.
    pub(crate) inputs: &'a [Changes],
    pub(crate) goal: Goal,
    pub(crate) variant: Variant,
}

/// The result of an isolation, finished or not.
#[derive(Debug)]
pub(crate) struct Isolation {
    /// The answer, if the search finished.
    pub(crate) isolated: Option<Isolated<usize>>,
    /// The changes in the best passing and in the best failing inputs.
    pub(crate) best: [Made; 2],
    /// Whether one of them is better than the given inputs.
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

/// Isolates the changes that make the inputs fail. `save` saves the best inputs before anything else happens.
/// The result depends only on the inputs, the options and the verdicts, not on `options.jobs`. With `looks`, candidates are
/// tested again now and then.
pub(crate) fn isolate(
    task: &Task,
    test: &dyn Test,
    options: &Options,
    looks: Option<&mut Looks>,
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
    let (isolated, (end, stats)) = with_runner(test, options.jobs, &options.workers, |runner| {
        let mut asker = Looking { asker: LimitedAsker::new(options, listener, runner), looks };
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
