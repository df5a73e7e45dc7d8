//! ddmin over the lines or the tokens of a file.
//!
//! Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (TSE 2002).

use super::descent::Descent;
use crate::asker::Halt;
use crate::isolate::{Outcome, ddmin_ahead, without_tokens};
use lopper_languages::edit::FileId;

/// ddmin over lines.
pub(super) fn lines(descent: &mut Descent) -> Result<(), Halt> {
    for (id, file) in descent.files() {
        let lines: Vec<&[u8]> = file.text.split_inclusive(|&c| c == b'\n').collect();
        minimal(descent, id, lines.len(), |kept| {
            Some(kept.iter().flat_map(|&i| lines[i]).copied().collect())
        })?;
    }
    Ok(())
}

/// ddmin over tokens; superfluous blanks are deleted with them.
pub(super) fn tokens(descent: &mut Descent) -> Result<(), Halt> {
    for (id, file) in descent.files() {
        let count = file.tokens().len();
        minimal(descent, id, count, |kept| {
            let gone: Vec<usize> = (0..count).filter(|i| kept.binary_search(i).is_err()).collect();
            without_tokens(&file, &gone)
        })?;
    }
    Ok(())
}

/// ddmin over the indices below `count`.
fn minimal(
    descent: &mut Descent,
    file: FileId,
    count: usize,
    render: impl Fn(&[usize]) -> Option<Vec<u8>>,
) -> Result<(), Halt> {
    let all: Vec<usize> = (0..count).collect();
    let test = |kept: &[usize], ahead: &mut dyn Iterator<Item = Vec<usize>>| {
        let mut ahead = ahead.filter_map(|kept| render(&kept));
        let accepted = render(kept).map(|text| descent.accepts(file, text, &mut ahead)).transpose()?;
        Ok(if accepted == Some(true) { Outcome::Fail } else { Outcome::Unresolved })
    };
    ddmin_ahead::<usize, Halt>(&all, test).map(drop)
}
