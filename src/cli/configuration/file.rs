//! Reads a `lopper.toml`.

use crate::cli::near::meant;
use crate::error::UserError;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The name of the file.
pub(super) const NAME: &str = "lopper.toml";
/// The table of languages by the endings of files' names.
pub(super) const LANGUAGES: &str = "languages";

/// A key of the file, which stands for an option.
pub(super) struct Key {
    /// The key, which is the long name of the option.
    pub(super) name: &'static str,
    /// What holds without the option.
    pub(super) default: &'static str,
}

/// All keys but `languages`.
pub(super) const KEYS: [Key; 6] = [
    Key { name: "jobs", default: "all processors" },
    Key { name: "timeout", default: "10 times the first run, and at least 1 second" },
    Key { name: "memory-limit", default: "3/4 of the memory divided by the number of processors" },
    Key { name: "max-tests", default: "none" },
    Key { name: "max-time", default: "none" },
    Key { name: "format", default: "the usual layout" },
];

/// What a file says.
#[derive(Debug)]
pub(super) struct File {
    pub(super) path: PathBuf,
    /// Keys with their values, as on a command line.
    pub(super) values: Vec<(&'static str, String)>,
    /// Endings of files' names, each with a language.
    pub(super) languages: Vec<(String, String)>,
}

impl File {
    /// Reads the file in this folder; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read, is no TOML, or has a key or a value that Lopper does not know.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, UserError> {
        let path = folder.join(NAME);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(e) => return Err(unusable(&path).fact(e.to_string())),
        };
        let table: Table = text.parse().map_err(|e: toml::de::Error| {
            let place = e.span().map(|span| line_of(&text, span.start));
            let place = place.map_or_else(String::new, |line| format!("line {line}: "));
            unusable(&path).fact(format!("{place}{}", e.message()))
        })?;
        let mut file = Self { path, values: Vec::new(), languages: Vec::new() };
        for (name, value) in &table {
            file.take(name, value)?;
        }
        Ok(Some(file))
    }

    fn take(&mut self, name: &str, value: &Value) -> Result<(), UserError> {
        if name == LANGUAGES {
            let table = value.as_table().ok_or_else(|| {
                unusable(&self.path)
                    .fact(format!("'{name}' is not a table"))
                    .help(format!("write [{LANGUAGES}], and below it lines such as \".inc\" = \"c\""))
            })?;
            for (ending, language) in table {
                let language = language.as_str().unwrap_or_default();
                let known =
                    lopper_languages::named(language).ok_or_else(|| self.no_language(ending, language))?;
                self.languages.push((ending.clone(), known.name().to_owned()));
            }
            return Ok(());
        }
        let Some(key) = KEYS.iter().find(|key| key.name == name) else { return Err(self.unknown(name)) };
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            _ => return Err(unusable(&self.path).fact(format!("'{name}' is neither a number nor a text"))),
        };
        self.values.push((key.name, text));
        Ok(())
    }

    /// The error for a key that does not exist.
    fn unknown(&self, name: &str) -> UserError {
        let names = KEYS.iter().map(|key| key.name).chain([LANGUAGES]);
        let error = unusable(&self.path).fact(format!("it has the key '{name}', which Lopper does not know"));
        error.help(meant(name, "keys", names))
    }

    fn no_language(&self, ending: &str, name: &str) -> UserError {
        let names = lopper_languages::all().iter().map(|language| language.name());
        let error = unusable(&self.path).fact(format!("the language of '{ending}' does not exist"));
        error.help(meant(name, "languages", names))
    }
}

/// The error for a file that cannot be used.
pub(super) fn unusable(path: &Path) -> UserError {
    UserError::usage(format!("the configuration '{}' cannot be used", path.display()))
}

/// The number of the line at a byte.
fn line_of(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at.min(text.len())].iter().filter(|&&c| c == b'\n').count()
}
