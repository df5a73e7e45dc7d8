//! The limits of one run of the test, as options give them.

use crate::oracle::memory;
use std::time::Duration;

/// The limits of one run of the test.
#[derive(Debug, clap::Args)]
pub(super) struct Limits {
    /// How long one run of the test may take, in seconds [default: 10 times the first run, at least 1]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<Duration>,
    /// How much memory one run of the test may hold, such as 500M, 2G or none [default: 3/4 of the memory
    /// divided by the number of processors, at least 1G]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory_limit: Option<Size>,
}

impl Limits {
    /// The limit on memory that the user named, in bytes; 0 is none.
    pub(super) fn named_memory(&self) -> Option<u64> {
        self.memory_limit.map(|Size(bytes)| bytes)
    }

    /// The limit on memory in bytes; 0 is none.
    pub(super) fn memory(&self) -> u64 {
        self.named_memory().or_else(memory::default_limit).unwrap_or(0)
    }
}

/// A number of bytes; 0 for no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size(u64);

/// What the units of a size stand for.
const UNITS: &[(char, u64)] = &[('K', 1 << 10), ('M', 1 << 20), ('G', 1 << 30), ('T', 1 << 40)];

/// Reads a size.
fn size(text: &str) -> Result<Size, String> {
    if text == "none" {
        return Ok(Size(0));
    }
    let unit = UNITS.iter().find(|(letter, _)| text.to_ascii_uppercase().ends_with(*letter));
    let (number, factor) = match unit {
        Some((_, factor)) => (&text[..text.len() - 1], *factor),
        None => (text, 1),
    };
    let number: f64 = number.parse().map_err(|_| "not a size such as 500M or 2G".to_owned())?;
    let bytes = number * factor as f64;
    if bytes >= 1.0 && bytes < u64::MAX as f64 {
        Ok(Size(bytes as u64))
    } else {
        Err("must be more than 0, or none".to_owned())
    }
}

/// A size in the largest unit that it has at least one of, as `size` reads it.
pub(super) fn shown(bytes: u64) -> String {
    match UNITS.iter().rev().find(|(_, factor)| bytes >= *factor) {
        _ if bytes == 0 => "none".to_owned(),
        Some((letter, factor)) => {
            // As many digits as tell it from its neighbours in practice.
            let number = format!("{:.2}", bytes as f64 / *factor as f64);
            format!("{}{letter}", number.trim_end_matches('0').trim_end_matches('.'))
        }
        None => bytes.to_string(),
    }
}

/// Reads a time, which is kept in microseconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    let duration = Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())?;
    if duration.as_micros() == 0 { Err("must be at least 0.000001".to_owned()) } else { Ok(duration) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_and_are_shown_as_they_are_read() {
        for (text, bytes) in [("1", 1), ("1.5k", 1536), ("500M", 500 << 20), ("2G", 2 << 30), ("none", 0)] {
            assert_eq!(size(text), Ok(Size(bytes)), "{text}");
            assert_eq!(shown(bytes).to_lowercase(), text.to_lowercase());
        }
        for text in ["", "M", "2X", "0", "-1G", "0.1", "1e30", "nan", "2é"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
