//! What the user is told about a test that flickers.

use crate::run::Stats;
use lopper_engine::flicker::Tally;

/// The message when it is known how often the test accepts the original. `late` if the test contradicted
/// itself in the run, and not on the original before it.
pub(crate) fn found(Tally { accepted, runs }: Tally, late: bool) -> String {
    let what = match late {
        true => "the test flickers: in another run, it gave another answer to the same program",
        false => "the test flickers: it does not always accept the original",
    };
    let mut text =
        format!("{what}\n  on the original, {runs} runs one after the other accepted it {accepted} times");
    text += "\n  each program is now tested until its verdict is certain, which takes more runs";
    text + match late && accepted == runs {
        true => {
            "\n  help: if this is not chance, the answer depends on other tests that run at the same time: often a \
             time limit inside the test is the cause; raise it, or use --jobs 1"
        }
        false => {
            "\n  help: fix the seeds of random numbers, or let the test repeat its check until the failure shows"
        }
    }
}

/// The line of the summary.
pub(super) fn line(Tally { accepted, runs }: Tally, stats: &Stats) -> String {
    format!(
        "flicker  {accepted:>9} of {runs} runs accepted the original; {} runs repeated others",
        stats.repeats
    )
}
