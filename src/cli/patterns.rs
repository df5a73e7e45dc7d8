//! Reads the patterns that the user names: files in JSON or in the text form.

use super::given::{read, unreadable};
use super::language;
use crate::error::UserError;
use lopper_languages::grammar::{Grammar, Parser};
use lopper_languages::{Language, Parsed};
use lopper_patterns::Pattern;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// A pattern, and the parser for its files.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) pattern: Pattern,
    /// The parser, if the pattern belongs to a user's grammar.
    pub(super) parser: Option<&'static Parser>,
    pub(super) language: &'static dyn Language,
}

/// How a pattern in its text form is to be read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Form<'a> {
    /// The file of the user's grammar.
    pub(super) grammar: Option<&'a Path>,
    /// The name of the language.
    pub(super) language: Option<&'a str>,
    /// A file in the same language.
    pub(super) like: Option<&'a Path>,
}

impl Form<'_> {
    /// The language of a pattern of source code, if anything tells it.
    fn language(&self) -> Result<Option<&'static dyn Language>, UserError> {
        if let Some(name) = self.language {
            return language::by_name(name).map(Some);
        }
        let name = self.like.filter(|path| !path.is_dir()).and_then(Path::file_name).and_then(OsStr::to_str);
        let found = name.map(lopper_languages::detect);
        Ok(found
            .filter(|found| lopper_languages::named("text").is_none_or(|text| text.name() != found.name())))
    }
}

impl Loaded {
    /// Reads a pattern: a file, in JSON or in the text form, or the text form itself, if there is no such file.
    pub(super) fn read(given: &Path, form: &Form) -> Result<Self, UserError> {
        let has_holes = |text: &&[u8]| match form.grammar {
            Some(_) => text.contains(&b'<'),
            None => Pattern::has_holes(text),
        };
        let text = given.to_str().map(str::as_bytes).filter(has_holes);
        let (bytes, shown) = match text.filter(|_| !given.exists()) {
            Some(text) => (text.to_vec(), "the pattern".to_owned()),
            None => (read(given).map_err(|error| hint(given, error))?, format!("'{}'", given.display())),
        };
        let broken = |error: lopper_patterns::NotAPattern| {
            UserError::usage(format!("{shown} cannot be read as a pattern")).fact(error.to_string())
        };
        let parser = form.grammar.map(language::parser).transpose()?.map(Parser::leak);
        let json = std::str::from_utf8(&bytes).ok().filter(|text| text.contains("\"lopper_pattern\""));
        let pattern = match (json, parser) {
            (Some(json), _) => Pattern::from_json(json).map_err(broken)?,
            (None, Some(parser)) => Pattern::of_grammar(parser.grammar(), &bytes).map_err(broken)?,
            (None, None) => match form.language()? {
                Some(language) => Pattern::of_text(language, &bytes).map_err(broken)?,
                None => {
                    return Err(UserError::usage(format!("{shown} is not a pattern in JSON"))
                        .help("lopper generalize writes one with --json FILE")
                        .help("name the language of a pattern in its text form with --language NAME")
                        .help("or its grammar with --grammar FILE.json"));
                }
            },
        };
        let parser = match (&pattern.grammar, parser) {
            (Some(json), None) => Some(embedded(&shown, json)?),
            (_, parser) => parser,
        };
        let language = match parser {
            Some(parser) => parser.derivation_trees(),
            None => lopper_languages::named(&pattern.language).ok_or_else(|| {
                let language = &pattern.language;
                UserError::usage(format!(
                    "{shown} is a pattern of the language '{language}', which is unknown"
                ))
                .help("lopper languages lists the languages")
            })?,
        };
        Ok(Self { pattern, parser, language })
    }

    /// A file in the pattern's language; `None` if the user's grammar does not accept it.
    pub(super) fn parse(&self, text: Vec<u8>) -> Option<Parsed> {
        let file = Parsed::new(self.language, text);
        (self.parser.is_none() || file.syntax().errors == 0).then_some(file)
    }
}

/// Adds to the error for a file that cannot be read that a pattern may be named itself.
fn hint(given: &Path, error: UserError) -> UserError {
    match given.exists() {
        true => error,
        false => error.help(
            "a pattern in place of its file has a hole, such as <expression>: see docs/generalizing.md",
        ),
    }
}

/// The parser for the grammar inside a pattern file.
fn embedded(shown: &str, json: &str) -> Result<&'static Parser, UserError> {
    let grammar = Grammar::read(json).map_err(|problems| {
        let error = UserError::usage(format!("the grammar in {shown} cannot be used"));
        problems.iter().fold(error, |error, problem| error.fact(problem.to_string()))
    })?;
    Ok(Parser::new(grammar).leak())
}

/// The files that the user names; a folder stands for all files below it, in the order of their names.
pub(super) fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, UserError> {
    let mut files = Vec::new();
    let mut open: Vec<PathBuf> = named.iter().rev().cloned().collect();
    while let Some(path) = open.pop() {
        if !path.is_dir() {
            files.push(path);
            continue;
        }
        let entries = fs::read_dir(&path).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
        let entries = entries.map_err(|error| unreadable(&path, &error))?;
        let mut below: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
        // A link below a folder is not followed: its target may be elsewhere.
        below.retain(|path| !path.is_symlink());
        below.sort();
        open.extend(below.into_iter().rev());
    }
    Ok(files)
}
