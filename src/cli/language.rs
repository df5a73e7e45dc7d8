//! The language in which a file is read: by its name, by `--language`, or by a user's grammar.

use super::library::Library;
use super::near::meant;
use crate::error::UserError;
use crate::report;
use lopper_languages::grammar::{Grammar, Parser};
use lopper_languages::text::TEXT;
use lopper_languages::{Language, ON_REQUEST};
use lopper_passes::Base;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_128;

/// The heading of the options about the program itself, in help texts.
pub(super) const PROGRAM: &str = "Program";

/// The options that choose a language.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = PROGRAM)]
pub(super) struct Choice {
    /// The language of FILE [default: by its name]
    #[arg(long, value_name = "NAME")]
    language: Option<String>,
    /// The language of files whose names end so, such as .inc=c
    #[arg(long, hide_short_help = true, value_name = "ENDING=NAME", value_parser = Ending::read)]
    ending: Vec<Ending>,
    /// Parse FILE with this context-free grammar, in JSON
    #[arg(long, hide_short_help = true, value_name = "FILE.json", conflicts_with = "language")]
    grammar: Option<PathBuf>,
    #[command(flatten)]
    library: Library,
}

/// The end of files' names, and the language of such files.
#[derive(Clone, Debug)]
struct Ending {
    end: String,
    language: &'static str,
}

impl Ending {
    fn read(text: &str) -> Result<Self, String> {
        let (end, name) = text.split_once('=').filter(|(end, _)| !end.is_empty()).ok_or("not ENDING=NAME")?;
        let language =
            lopper_languages::named(name).ok_or_else(|| format!("there is no language '{name}'"))?;
        Ok(Self { end: end.to_owned(), language: language.name() })
    }
}

impl Choice {
    /// The file of the user's grammar.
    pub(super) fn grammar(&self) -> Option<&Path> {
        self.grammar.as_deref()
    }

    /// The language of a file with this name and text.
    pub(super) fn language(&self, file_name: &str, text: &[u8]) -> Result<&'static dyn Language, UserError> {
        self.language_and_key(file_name, text).map(|(language, _)| language)
    }

    /// The language of a file with this name and text, and the key of the grammar's content if the user gave a
    /// grammar.
    pub(super) fn language_and_key(
        &self,
        file_name: &str,
        text: &[u8],
    ) -> Result<(&'static dyn Language, Option<u128>), UserError> {
        if let Some((language, key)) = self.library.language(text)? {
            return Ok((language, Some(key)));
        }
        match &self.grammar {
            Some(path) => parser_and_key(path).map(|(parser, key)| (parser.leak() as _, Some(key))),
            None => self.named(file_name, text).map(|language| (language, None)),
        }
    }

    /// Says which languages this build lacks, if files of a base are read as text for that reason.
    pub(super) fn remark_missing(&self, base: &Base) {
        let texts = base.files.iter().filter(|file| file.language.name() == TEXT.name());
        let missing = texts.filter_map(|file| lopper_languages::missing(&file.path.to_string_lossy()));
        for (language, feature) in missing.filter(|_| self.language.is_none()).collect::<BTreeSet<_>>() {
            report::remark(&format!(
                "files in {language} are reduced as text, since this build lacks the language; {} adds it",
                install(feature)
            ));
        }
    }

    /// Refuses a grammar that is loaded at run time, for a command whose results name their language.
    pub(super) fn refuse_library(&self) -> Result<(), UserError> {
        if !self.library.is_given() {
            return Ok(());
        }
        Err(UserError::usage("this command takes no --grammar-lib")
            .fact("its result names the language, and only the languages of this build can be found again"))
    }

    /// The parser for the grammar, if there is one. It is leaked, so call this once.
    pub(super) fn parser(&self) -> Result<Option<&'static Parser>, UserError> {
        self.grammar.as_deref().map(|path| parser(path).map(Parser::leak)).transpose()
    }

    /// Refuses a file that the user's grammar does not accept, or for which there is no grammar.
    pub(super) fn refuse_others(
        language: &'static dyn Language,
        text: &[u8],
        why: &str,
    ) -> Result<(), UserError> {
        match language.parser().map(|parser| parser.errors(text)) {
            Some(0) => Ok(()),
            Some(errors) => Err(UserError::usage("the grammar does not accept the file")
                .fact(format!(
                    "{why} requires a file that the grammar accepts; it rejects {errors} bytes of this one"
                ))
                .help("lopper parse shows how much of it the grammar accepts")),
            None => Err(UserError::usage(format!("{why} requires a grammar"))
                .help("name one with --grammar FILE.json")),
        }
    }

    /// Refuses a file that the user's grammar does not accept.
    pub(super) fn refuse_rejected(parser: Option<&Parser>, text: &[u8]) -> Result<(), UserError> {
        match parser.map_or(0, |parser| parser.errors(text)) {
            0 => Ok(()),
            errors => Err(UserError::usage("the grammar does not accept the file")
                .fact(format!("it rejects {errors} bytes"))
                .help("lopper parse shows how much of it the grammar accepts")),
        }
    }

    /// The language of one of several files: --language is for those whose names do not tell.
    ///
    /// # Errors
    /// If there is no such language, or the user gave a grammar, which is for a single file.
    pub(super) fn language_of_several(
        &self,
        file_name: &str,
        text: &[u8],
    ) -> Result<&'static dyn Language, UserError> {
        if self.grammar.is_some() || self.library.is_given() {
            return Err(UserError::usage("a grammar of your own is for a single file"));
        }
        let detected = self.detected(file_name, text);
        match &self.language {
            Some(name) if detected.name() == TEXT.name() => by_name(name),
            _ => Ok(detected),
        }
    }

    /// The language of a file with this name and text, without regard to the grammar.
    pub(super) fn named(&self, file_name: &str, text: &[u8]) -> Result<&'static dyn Language, UserError> {
        self.language.as_deref().map_or_else(|| Ok(self.detected(file_name, text)), by_name)
    }

    /// The language of a file with this name and text: that of the longest ending that the user has named, or else the
    /// usual one of the name, or else that of the interpreter in the first line.
    fn detected(&self, file_name: &str, text: &[u8]) -> &'static dyn Language {
        let fitting = self.ending.iter().filter(|ending| file_name.ends_with(&ending.end));
        let longest = fitting.max_by_key(|ending| ending.end.len());
        let named = longest.and_then(|ending| lopper_languages::named(ending.language));
        named.unwrap_or_else(|| match lopper_languages::detect(file_name) {
            text_by_name if text_by_name.name() == TEXT.name() => {
                lopper_languages::detect_by_interpreter(text).unwrap_or(text_by_name)
            }
            by_name => by_name,
        })
    }
}

/// The language with a name.
pub(super) fn by_name(name: &str) -> Result<&'static dyn Language, UserError> {
    lopper_languages::named(name).ok_or_else(|| match ON_REQUEST.iter().find(|(other, ..)| *other == name) {
        Some((.., feature)) => UserError::usage(format!("this build lacks the language '{name}'"))
            .help(format!("{} adds it", install(feature))),
        None => {
            let names = lopper_languages::all().iter().map(|language| language.name());
            UserError::usage(format!("there is no language '{name}'")).help(meant(name, "languages", names))
        }
    })
}

/// The command that builds Lopper with a feature.
pub(super) fn install(feature: &str) -> String {
    format!("cargo install --features {feature}")
}

/// The parser for a grammar file. Remarks about useless parts of the grammar are printed.
pub(super) fn parser(path: &Path) -> Result<Parser, UserError> {
    parser_and_key(path).map(|(parser, _)| parser)
}

fn parser_and_key(path: &Path) -> Result<(Parser, u128), UserError> {
    let shown = path.display();
    let json = fs::read_to_string(path)
        .map_err(|e| UserError::usage(format!("the grammar '{shown}' cannot be read")).fact(e.to_string()))?;
    let grammar = Grammar::read(&json).map_err(|problems| {
        let error = UserError::usage(format!("the grammar '{shown}' cannot be used"));
        let error = problems.iter().fold(error, |error, problem| error.fact(problem.to_string()));
        let mut help: Vec<String> = problems.iter().map(|problem| problem.help()).collect();
        help.dedup();
        help.into_iter().fold(error, UserError::help)
    })?;
    grammar.remarks().iter().for_each(|remark| report::remark(&format!("{shown}: {remark}")));
    Ok((Parser::new(grammar), xxh3_128(json.as_bytes())))
}
