//! Reduces a text with a closure as the test: the smallest text with brackets that are nested too deeply.
//!
//! `cargo run --example reduce_with_closure`

#![allow(clippy::print_stdout, reason = "an example shows what came of it")]

use lopper::{Reducer, UserError};

/// What is tested: how deeply the brackets of a text are nested.
fn depth(text: &[u8]) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    for byte in text {
        match byte {
            b'(' => open += 1,
            b')' => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    deepest
}

fn main() -> Result<(), UserError> {
    let text = "x = f(1, g(2, h(3), 4))\ny = a(b(c(d(5)) + 6), 7)\nz = (8)\n";
    let reduction =
        Reducer::new("deep.txt", text).max_tests(1000).reduce(|candidate| depth(candidate) > 3)?;
    for commit in &reduction.history {
        let pass = commit.pass.unwrap_or("none");
        println!("run {:3}: {:2} tokens, {:2} bytes, by {pass}", commit.runs, commit.tokens, commit.bytes);
    }
    println!("{}", String::from_utf8_lossy(reduction.text()));
    Ok(())
}
