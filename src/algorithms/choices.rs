//! Choice-sequence reduction of what a grammar of the user's derives; see [`crate::choices`].

use super::session::Session;
use crate::choices::try_reduce;
use crate::reduce::End;

/// The choices of each file that is read by a grammar. What the grammar does not accept of it, such as a last
/// line end, stays.
pub(super) fn once(session: &mut Session) -> Result<(), End> {
    for (id, file) in session.files() {
        let Some(parser) = file.language.parser() else { continue };
        let Some((derivation, end)) = parser.derivation(&file.text) else { continue };
        let rest = &file.text[end..];
        try_reduce(parser.grammar(), &derivation, |text| {
            session.accepts(id, [text.as_bytes(), rest].concat(), &mut std::iter::empty())
        })?;
    }
    Ok(())
}
