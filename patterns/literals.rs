//! Literals whose values holes are about: integers and strings.

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
