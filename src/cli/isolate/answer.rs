//! The answer that `lopper isolate` prints.

use super::inputs::Input;
use super::results::Places;
use crate::isolation::Isolation;
use crate::report::{Finding, Side};
use crate::run::End;
use std::path::PathBuf;

/// The reason why the search ended, and the completeness of the results.
pub(super) fn ending(isolation: &Isolation) -> String {
    let why = match isolation.end {
        End::Tests => "the limit of --max-tests is reached",
        End::Time => "the limit of --max-time is reached",
        End::Asked => "finished early, as you asked",
        End::Interrupted => "interrupted",
        End::Broken(_) => "stopped by an error",
        End::Fixpoint => return "isolated".to_owned(),
    };
    match isolation.has_progressed {
        true => format!("{why}; the best so far is kept"),
        false => format!("{why}; nothing was found until then"),
    }
}

/// For each input, the best passing and failing input and their difference.
pub(super) fn answer(input: &Input, places: &Places, isolation: &Isolation) -> String {
    let isolated = isolation.isolated.as_ref();
    let mut out = String::new();
    for (i, changes) in input.changes.iter().enumerate() {
        let [passing, failing] = [0, 1].map(|side| &isolation.best[side][i]);
        let in_passing = |change: &&usize| passing.binary_search(change).is_err();
        let side = |made: &[usize], place: &Option<PathBuf>| Side {
            count: made.len(),
            files: changes.files(made).unwrap_or_default(),
            place: place.as_ref().map(|place| place.display().to_string()),
        };
        let finding = Finding {
            input: &input.paths[i].display().to_string(),
            noun: input.noun(),
            total: changes.count(),
            passing: side(passing, &places.of(i)[0]),
            failing: side(failing, &places.of(i)[1]),
            difference: failing.iter().filter(in_passing).map(|&change| changes.label(change)).collect(),
            remark: isolated.and_then(|all| all.arguments[i].obstacle).map(|obstacle| obstacle.to_string()),
        };
        out += &finding.text();
    }
    if isolated.is_some_and(|isolated| isolated.arguments.iter().all(|argument| argument.failing.is_empty()))
    {
        out += match input.from_passing {
            true => "The passing input itself fails: does the test look for the failure's own message?\n",
            false => "An empty input fails, too: does the test look for the failure's own message?\n",
        };
    }
    if isolated.is_some_and(|isolated| !isolated.holds_together) {
        out += match input.changes[..] {
            [_] => {
                "No passing input was found: on the input that is listed as passing, the test cannot tell.\n"
            }
            _ => "The inputs were isolated one by one; together they behave differently.\n",
        };
    }
    out
}
