//! What somebody may have meant by a name that does not exist.

/// The help for a name that does not exist: the nearest one, or all of them.
pub(super) fn meant<'a>(written: &str, things: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match nearest(written, &names) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("the {things} are {}", names.join(", ")),
    }
}

fn nearest<'a>(written: &str, names: &[&'a str]) -> Option<&'a str> {
    let written = written.to_lowercase().replace('_', "-");
    let scored = names.iter().map(|name| (strsim::jaro_winkler(&written, name), *name));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > 0.8).then_some(best.1)
}
