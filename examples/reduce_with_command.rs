//! Reduces a text with a command as the test, with limits: the smallest file that is not sorted.
//!
//! `cargo run --example reduce_with_command`

#![allow(clippy::print_stdout, reason = "an example shows what came of it")]

use lopper::{Event, Reducer, UserError, Verdict};
use std::time::Duration;

fn main() -> Result<(), UserError> {
    let mut accepted = 0;
    let reduction = Reducer::new("words.txt", "apple\nbanana\ncherry\nfig\ndate\ngrape\nlemon\n")
        .jobs(2)
        .run_time(Duration::from_secs(5))
        .max_time(Duration::from_secs(60))
        .listener(|event| {
            accepted += usize::from(matches!(event, Event::Tested { verdict: Verdict::Interesting, .. }));
        })
        // Exit code 0 says that the failure is there; `{}` is the candidate's path.
        .reduce_with_command(&["sh", "-c", r#"! sort -c "$1""#, "test", "{}"])?;
    println!(
        "{accepted} of {} candidates were accepted; it ended by {:?}",
        reduction.stats.runs, reduction.end
    );
    println!("{}", String::from_utf8_lossy(reduction.text()));
    Ok(())
}
