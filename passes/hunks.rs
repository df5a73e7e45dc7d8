//! Hunks of a diff: the lines of each, and the numbers in its header that count them.

use crate::File;
use std::ops::Range;

/// A hunk: what stands behind a header such as `@@ -3,2 +3,4 @@`.
#[derive(Debug)]
pub(crate) struct Hunk {
    /// The lines of the hunk.
    pub(crate) lines: Vec<Range<usize>>,
    /// The numbers of lines before and after the change, with their places.
    pub(crate) counts: [(Range<usize>, usize); 2],
}

/// The hunks of a text whose headers tell the true numbers of lines. O(lines).
pub(crate) fn hunks(file: File<'_>) -> Vec<Hunk> {
    let lines: Vec<Range<usize>> = file.lines().collect();
    let mut hunks = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let counts = header(file, &lines[at]);
        at += 1;
        let Some(counts) = counts else { continue };
        let mut left = [counts[0].1, counts[1].1];
        let first = at;
        while at < lines.len() && left != [0, 0] {
            let sides = sides(&file.text()[lines[at].clone()]);
            if (0..2).any(|side| left[side] < usize::from(sides[side])) {
                break;
            }
            (0..2).for_each(|side| left[side] -= usize::from(sides[side]));
            at += 1;
        }
        if left == [0, 0] {
            hunks.push(Hunk { lines: lines[first..at].to_vec(), counts });
        }
    }
    hunks
}

/// Whether a line of a hunk counts among those before and after the change.
pub(crate) fn sides(line: &[u8]) -> [bool; 2] {
    match line.first() {
        Some(b'-') => [true, false],
        Some(b'+') => [false, true],
        Some(b'\\') => [false, false],
        _ => [true, true],
    }
}

/// The numbers of lines in the header of a hunk.
fn header(file: File<'_>, line: &Range<usize>) -> Option<[(Range<usize>, usize); 2]> {
    let text = &file.text()[line.clone()];
    let close = text.strip_prefix(b"@@ ")?.windows(2).position(|two| two == b"@@")? + 3;
    let mut at = line.start + 3;
    let mut count = |mark: u8| {
        let part = &file.text()[at..line.start + close];
        let part = part.strip_prefix(&[mark])?;
        let end = part.iter().position(|c| !(c.is_ascii_digit() || *c == b',')).unwrap_or(part.len());
        let comma = part[..end].iter().position(|&c| c == b',')? + 1;
        let number = std::str::from_utf8(&part[comma..end]).ok()?.parse().ok()?;
        let place = at + 1 + comma..at + 1 + end;
        at = place.end + part[end..].iter().take_while(|&&c| c == b' ').count();
        Some((place, number))
    };
    Some([count(b'-')?, count(b'+')?])
}
