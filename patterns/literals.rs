//! Literals whose values holes are about: integers and strings; reading them, and making others.

use crate::pattern::Interval;
use crate::random::Random;
use std::ops::Range;

/// The value of a decimal, hexadecimal, octal or binary integer; suffixes and `_` between digits are ignored.
pub(crate) fn integer(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?.to_ascii_lowercase().replace('_', "");
    let (digits, base) = match text.get(..2) {
        Some("0x") => (&text[2..], 16),
        Some("0b") => (&text[2..], 2),
        Some("0o") => (&text[2..], 8),
        _ => (&text[..], 10),
    };
    let digits = digits.trim_end_matches(['u', 'l']);
    if digits.starts_with(['+', '-']) {
        return None;
    }
    i64::from_str_radix(digits, base).ok()
}

/// The characters between the quotes of a string: one kind of quote at both ends, none of them and no backslash
/// between.
pub(crate) fn content(text: &[u8]) -> Option<Range<usize>> {
    let start = text.iter().position(|c| matches!(c, b'"' | b'\''))?;
    let quote = text[start];
    let end = text.len().checked_sub(1).filter(|&end| end > start && text[end] == quote)?;
    let inside = &text[start + 1..end];
    let is_plain = !inside.contains(&quote) && !inside.contains(&b'\\') && start <= 2;
    (is_plain && std::str::from_utf8(inside).is_ok()).then_some(start + 1..end)
}

/// How many characters a string has.
pub(crate) fn length(text: &[u8]) -> Option<i64> {
    let inside = std::str::from_utf8(&text[content(text)?]).ok()?;
    i64::try_from(inside.chars().count()).ok()
}

/// A random literal of the same sort as this one.
pub(crate) fn similar(text: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    if integer(text).is_some() {
        return Some(number(Interval::default(), random).to_string().into_bytes());
    }
    let inside = content(text)?;
    Some(string(text, &inside, random.below(12)))
}

/// The string with another number of characters.
pub(crate) fn string(text: &[u8], inside: &Range<usize>, length: usize) -> Vec<u8> {
    let own = &text[inside.clone()];
    let mut more = b"abcdefghijklmnopqrstuvwxyz".iter().cycle().copied();
    let filled: Vec<u8> = match std::str::from_utf8(own) {
        Ok(own) => {
            let kept: String = own.chars().take(length).collect();
            let missing = length.saturating_sub(kept.chars().count());
            kept.into_bytes().into_iter().chain(more.by_ref().take(missing)).collect()
        }
        Err(_) => more.take(length).collect(),
    };
    [&text[..inside.start], &filled, &text[inside.end..]].concat()
}

/// A random number of a range: small ones, powers of two, their neighbours, and those near the ends.
pub(crate) fn number(interval: Interval, random: &mut Random) -> i64 {
    let low = interval.least.unwrap_or(0);
    let high = interval.most.unwrap_or_else(|| low.max(0).saturating_add(1 << 31));
    let span = high.abs_diff(low);
    let offset = match random.below(4) {
        0 => random.next() % span.saturating_add(1).max(1),
        1 => (1u64 << random.below(31)).wrapping_sub(1),
        2 => 1u64 << random.below(31),
        _ => random.next() % 20,
    };
    let offset = i64::try_from(offset.min(span)).unwrap_or(0);
    if interval.least.is_none() && interval.most.is_some() {
        high - offset
    } else {
        low.saturating_add(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_with_their_bases_and_suffixes() {
        let values = ["17", "0x1F", "0b11", "0o17", "1_000", "5UL", "-1", "1.5", "", "x", "é0"];
        let expected =
            [Some(17), Some(31), Some(3), Some(15), Some(1000), Some(5), None, None, None, None, None];
        assert_eq!(values.map(|text| integer(text.as_bytes())), expected);
    }

    #[test]
    fn strings_have_as_many_characters_as_between_their_quotes() {
        let values = ["\"abc\"", "''", "b'é'", "L\"x\"", "\"a\\n\"", "'''a'''", "\"", "abc", "'a\""];
        let expected = [Some(3), Some(0), Some(1), Some(1), None, None, None, None, None];
        assert_eq!(values.map(|text| length(text.as_bytes())), expected);
    }
}
