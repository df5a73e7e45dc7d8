//! Choice-sequence reduction of files that a user's grammar derives; see [`crate::choices`].

use super::descent::Descent;
use crate::asker::Halt;
use crate::choices::try_reduce;

/// Reduces the choices of each file that is read by a grammar. Text that the grammar does not accept, such as
/// a last line end, stays.
pub(super) fn once(descent: &mut Descent) -> Result<(), Halt> {
    for (id, file) in descent.files() {
        let Some(parser) = file.language.parser() else { continue };
        let Some((derivation, end)) = parser.derivation(&file.text) else { continue };
        let rest = &file.text[end..];
        try_reduce(parser.grammar(), &derivation, |text| {
            descent.accepts(id, [text.as_bytes(), rest].concat(), &mut std::iter::empty())
        })?;
    }
    Ok(())
}
