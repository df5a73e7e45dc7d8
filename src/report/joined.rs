//! The files of a program as one text, for people.

use crate::oracle::Contents;
use std::sync::Arc;

/// The files of a program as one text: each comes after a line with its path, unless the program is a file without a
/// folder.
pub(crate) fn as_one(contents: &Contents) -> Arc<Vec<u8>> {
    if let [file] = &contents[..]
        && file.path.components().count() == 1
    {
        return Arc::clone(&file.content);
    }
    let parts = contents.iter().map(|file| {
        let end: &[u8] = if file.is_empty() || file.ends_with(b"\n") { b"" } else { b"\n" };
        [format!("==> {} <==\n", file.path.display()).as_bytes(), file, end].concat()
    });
    Arc::new(parts.collect::<Vec<_>>().concat())
}
