//! Fuzzing on stable Rust: corrupted journals and sources break no parser and no pass.
//!
//! A few thousand executions run with the tests; a million with `cargo test --release --test all fuzz --
//! --ignored`. A failure is reported with its seed.

use crate::Checked;
use crate::kit::Random;
use crate::reliability::attempts;
use lopper::journal::{Header, Key, Record, Session, Word, read};
use lopper::languages::{Parsed, named, samples};
use lopper::oracle::Verdict;
use lopper::passes::{Base, PASSES};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Calls `check` with this many seeds, and reports the first seed that panics or is refused.
fn fuzz(count: u64, check: impl Fn(&mut Random) -> Result<(), String>) -> Checked {
    for seed in 0..count {
        let run = catch_unwind(AssertUnwindSafe(|| check(&mut Random(seed))));
        run.map_err(|_| format!("seed {seed} panics"))?.map_err(|e| format!("seed {seed}: {e}"))?;
    }
    Ok(())
}

/// A journal with one record of each kind.
fn journal() -> Result<Vec<u8>, serde_json::Error> {
    let header = Header {
        lopper: "1.2.3".into(),
        form: lopper::journal::Form::File,
        globs: Vec::new(),
        name: "a \"b\".c".into(),
        input: Key(1),
        test: Key(u128::MAX),
        own: Vec::new(),
        failure: None,
        language: "c".into(),
        grammar: Some(Key(5)),
        stay_in_grammar: true,
        protect: vec!["7".to_owned()],
        algorithm: Some("hdd*".into()),
        goal: "lines".into(),
        effort: "quick".into(),
        search: "halving".into(),
        passes: vec!["delete".into(), "lines".into()],
        flicker: None,
        first_run: 90_000,
        limit: 1_000_000,
        limit_follows: true,
        memory: 7,
    };
    let words = vec![Word::Text("reduce".into()), Word::Bytes(vec![0xff, 0])];
    let commit = |n| {
        let pass = (n % 2 == 0).then(|| "delete".to_owned());
        lopper::journal::Commit { key: Key(n), pass, tokens: 7, bytes: 20, runs: 3, limit: Some(500_000) }
    };
    let records = [
        Record::Run(Box::new(header)),
        Record::Session(Session { process: 7, arguments: words, folder: Word::Text("/".into()) }),
        Record::Verdict { key: Key(2), verdict: Verdict::Interesting, time: 20_000 },
        Record::Commit(commit(2)),
        Record::Verdict { key: Key(3), verdict: Verdict::TimedOut, time: 1_000_000 },
        Record::Commit(commit(3)),
        Record::Undo { to: 1, bars: vec![Key(3)] },
        Record::End { finished: true },
    ];
    let mut text = Vec::new();
    for record in records {
        serde_json::to_writer(&mut text, &record)?;
        text.push(b'\n');
    }
    Ok(text)
}

/// Any journal is read or refused, and the records of its whole lines do not change.
fn journals(count: u64) -> Checked {
    let whole = journal()?;
    let past = read(&whole).map_err(|(line, e)| format!("{line}: {e}"))?.ok_or("no header")?;
    assert!(
        past.finished
            && past.commits.len() == 1
            && past.verdicts.get(3, None) == Some(Verdict::Boring.into()),
        "{past:?}"
    );
    assert_eq!(past.whole, whole.len() as u64);
    fuzz(count, |random| {
        let mut text = match random.below(3) {
            0 => whole[..random.below(whole.len() + 1)].to_vec(),
            _ => whole.clone(),
        };
        if random.below(3) > 0 {
            let at = random.range(text.len());
            let bent = random.bend(&text[at.clone()], 400);
            text.splice(at, bent);
        }
        let Ok(Some(past)) = read(&text) else { return Ok(()) };
        let kept = text.get(..past.whole as usize).ok_or("more lines than text")?;
        let again = read(kept).map_err(|(line, e)| format!("{line}: {e}"))?;
        if again.as_ref() == Some(&past) { Ok(()) } else { Err(format!("{again:?} is not {past:?}")) }
    })
}

/// Each pass plans on any source, and its units render to candidates or are conflicts.
fn sources(count: u64) -> Checked {
    let samples = samples();
    fuzz(count, |random| {
        let (language, _, text) = samples[random.below(samples.len())];
        let language = named(["c", "python", "text", language][random.below(4)]).ok_or("no language")?;
        let text = random.bend(text.as_bytes(), 240);
        let base = Base { files: vec![Arc::new(Parsed::new(language, text))] };
        for pass in PASSES {
            for group in (pass.plan)(&base) {
                let signatures = group.signatures(&base);
                let units: Vec<usize> = (0..signatures.len()).filter(|_| random.below(2) == 0).collect();
                let one = random.below(signatures.len().max(1)).min(signatures.len());
                for chosen in [&units[..], &[one]] {
                    if chosen.iter().any(|&unit| unit >= signatures.len()) {
                        continue;
                    }
                    chosen.iter().for_each(|&unit| assert!(group.weight(&base, unit) < usize::MAX));
                    if let Ok(candidate) = group.render(&base, chosen) {
                        candidate.apply(0, &base.files[0].text);
                    }
                }
            }
        }
        Ok(())
    })
}

#[test]
fn corrupted_journals_are_read_or_refused() -> Checked {
    journals(20_000)
}

#[test]
#[ignore = "a minute: a million executions"]
fn a_million_corrupted_journals_are_read_or_refused() -> Checked {
    journals(attempts(1_000_000))
}

#[test]
fn every_pass_handles_corrupted_sources() -> Checked {
    sources(500)
}

#[test]
#[ignore = "minutes: a million executions, each a pass on a source"]
fn a_million_passes_run_on_corrupted_sources() -> Checked {
    sources(attempts(1_000_000) / PASSES.len() as u64 + 1)
}
