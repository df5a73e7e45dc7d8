//! Sizes in options and messages: 500M, 2G, none.

/// A number of bytes; 0 for no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size(pub(super) u64);

/// The units of a size, in bytes.
const UNITS: &[(char, u64)] = &[('K', 1 << 10), ('M', 1 << 20), ('G', 1 << 30), ('T', 1 << 40)];

/// Reads a size.
pub(super) fn size(text: &str) -> Result<Size, String> {
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

/// A size in the largest unit that is not larger than it, in the form that `size` reads.
pub(super) fn shown(bytes: u64) -> String {
    match UNITS.iter().rev().find(|(_, factor)| bytes >= *factor) {
        _ if bytes == 0 => "none".to_owned(),
        Some((letter, factor)) => {
            // Enough digits to distinguish sizes in practice.
            let number = format!("{:.2}", bytes as f64 / *factor as f64);
            format!("{}{letter}", number.trim_end_matches('0').trim_end_matches('.'))
        }
        None => bytes.to_string(),
    }
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
