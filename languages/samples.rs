//! Samples: a text of every language with one of everything that matters, for tests and manuals.

/// Language, file name and text of every sample.
pub static ALL: &[(&str, &str, &str)] = &[
    ("python", "everything.py", include_str!("python/samples/everything.py")),
    ("c", "everything.c", include_str!("c/samples/everything.c")),
    ("c", "preprocessed.i", include_str!("c/samples/preprocessed.i")),
    ("text", "settings.yaml", include_str!("text/samples/settings.yaml")),
    ("text", "functions.lisp", include_str!("text/samples/functions.lisp")),
];

#[cfg(test)]
mod tests {
    use super::ALL;
    use crate::{Parsed, all, named};

    #[test]
    fn every_language_has_a_sample_and_reads_it_without_errors() {
        for language in all() {
            assert!(ALL.iter().any(|(name, ..)| *name == language.name()), "{language:?} has no sample");
        }
        for (name, file, text) in ALL {
            let Some(language) = named(name) else { panic!("no language {name}") };
            let parsed = Parsed::new(language, text.as_bytes().to_vec());
            assert_eq!(parsed.syntax.errors, 0, "{file}");
        }
    }
}
