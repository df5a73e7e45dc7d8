//! A pattern in words: its rate, and the parts that had to stay.

use lopper_patterns::{Pattern, Rate};
use std::fmt::Write;

/// The number of parts that had to stay that are listed.
const SHOWN: usize = 12;

/// How often fresh instances fail, and how sure that is.
pub(crate) fn rate(rate: &Rate) -> String {
    let (bound, sure) = (100.0 * rate.bound, 100.0 * rate.confidence);
    format!(
        "{} of {} fresh instances fail, {} more were invalid; the rate is at least {bound:.1} % with a confidence \
         of {sure} %",
        rate.failing, rate.valid, rate.invalid
    )
}

/// The rate of a pattern, for which so many valid instances were wanted, its weak holes, and the parts that had to stay,
/// with counterexamples.
pub(crate) fn circumstances(pattern: &Pattern, wanted: usize) -> String {
    let mut out = String::new();
    match &pattern.rate {
        Some(known) => _ = writeln!(out, "{}", rate(known)),
        None => out.push_str("the rate was not measured\n"),
    }
    let measured = pattern.rate.map_or(0, |rate| rate.valid);
    if measured < wanted {
        let _ = writeln!(
            out,
            "{measured} of the {wanted} wanted instances were valid when the search ended after {} runs",
            pattern.runs
        );
    }
    let counts = pattern.counts();
    let _ = writeln!(
        out,
        "holes: {} visible, {} invisible, {} coupled; {} bytes must stay",
        counts.visible, counts.invisible, counts.coupled, counts.fixed_bytes
    );
    for (name, hole) in pattern.names().iter().zip(&pattern.holes).filter(|(_, hole)| hole.weak) {
        let _ = writeln!(out, "{name} is weak: only {} valid texts were seen to fail", hole.evidence.failing);
    }
    // The innermost parts are the most informative.
    let mut fixed: Vec<_> = pattern.fixed.iter().filter(|f| f.evidence.counterexample.is_some()).collect();
    fixed.retain(|f| !f.range.is_empty());
    fixed.sort_by_key(|f| (f.range.len(), f.range.start));
    for part in fixed.into_iter().take(SHOWN) {
        let text = |bytes: &[u8]| format!("{:?}", String::from_utf8_lossy(bytes));
        let counterexample = part.evidence.counterexample.as_deref().map(text).unwrap_or_default();
        let own = text(&pattern.example[part.range.clone()]);
        let _ = writeln!(out, "{own} is not <{}>: {counterexample} passes", part.sort.name());
    }
    for place in &pattern.constructors {
        let own = &pattern.example[place.range.clone()];
        let text = |bytes: &[u8]| format!("{:?}", String::from_utf8_lossy(bytes));
        let others = place.alternatives.iter().filter_map(|alternative| {
            let instance = alternative.instance.as_deref().filter(|instance| *instance != own)?;
            Some(format!("{} ({})", alternative.shown, text(instance)))
        });
        let others: Vec<String> = others.collect();
        if !others.is_empty() {
            let _ = writeln!(out, "{} can be {}, too", text(own), others.join(" or "));
        }
    }
    out.trim_end().to_owned()
}
