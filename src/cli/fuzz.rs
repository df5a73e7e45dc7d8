//! `lopper fuzz`: instances of a pattern.

use super::Exit;
use super::confirming::{Confirmed, confirmed};
use super::given::{read, unreadable};
use super::limits::Limits;
use super::patterns::{Form, Loaded};
use crate::error::UserError;
use crate::files;
use crate::report;
use lopper_languages::Parsed;
use lopper_patterns::{Fill, Insertions, Instances, Rate};
use std::fs;
use std::path::PathBuf;

/// Makes texts of a pattern: random texts in its holes
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The pattern: a file in JSON, or, with --grammar or --language, the text form or a file with it
    pattern: PathBuf,
    /// Number of instances
    #[arg(short, long = "count", value_name = "N", default_value_t = 10)]
    n: usize,
    /// Seed of the random numbers; the same seed gives the same instances
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Fill one hole at a time; the others have the texts of the example
    #[arg(long, hide_short_help = true)]
    one: bool,
    /// Take fragments of this file, too: the one from which the pattern's example was reduced
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// Insert the instances into files from here, a file or a folder, at places that take them
    #[arg(long, hide_short_help = true, value_name = "DIR")]
    into: Vec<PathBuf>,
    /// The grammar of a pattern in its text form, in JSON
    #[arg(long, value_name = "FILE.json", conflicts_with = "language")]
    grammar: Option<PathBuf>,
    /// The language of a pattern in its text form
    #[arg(long, value_name = "NAME")]
    language: Option<String>,
    /// Write each instance to a file in this new or empty folder [default: to standard output, one after the other]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Print each instance as a JSON string, since an instance may span several lines
    #[arg(long, hide_short_help = true, conflicts_with = "output")]
    json: bool,
    /// Keep only instances that this test accepts
    ///
    /// It does so by exit code 0. The last line tells how many those are.
    #[arg(long, value_name = "TEST")]
    confirm: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
}

/// Draws and prints instances.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let form = Form {
        grammar: arguments.grammar.as_deref(),
        language: arguments.language.as_deref(),
        like: arguments.from.first().map(PathBuf::as_path),
    };
    let loaded = Loaded::read(&arguments.pattern, &form)?;
    let mut instances = drawn(&loaded, &arguments.from, arguments.seed, arguments.one)?;
    if let Some(folder) = &arguments.output {
        fs::create_dir_all(folder).map_err(|error| unreadable(folder, &error))?;
        if fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?.next().is_some() {
            return Err(UserError::usage(format!("the folder '{}' is not empty", folder.display())));
        }
    }
    let ending = loaded.language.extensions().first().copied().unwrap_or("txt");
    let corpus = corpus(&loaded, &arguments.into)?;
    let mut draw: Box<dyn FnMut() -> Option<Vec<u8>>> = match arguments.into.is_empty() {
        true => Box::new(|| instances.draw().map(|instance| instance.text)),
        false => {
            let mut insertions = Insertions::new(&loaded.pattern, instances, &corpus, arguments.seed);
            Box::new(move || insertions.draw())
        }
    };
    let mut texts = Vec::new();
    while texts.len() < arguments.n {
        let Some(text) = draw() else {
            report::remark(&format!("only {} instances can be drawn", texts.len()));
            break;
        };
        texts.push(text);
    }
    let mut exit = Exit::Reduced;
    if let Some(test) = &arguments.confirm {
        let name = format!("instance.{ending}");
        let example = Some(loaded.pattern.example.as_slice());
        let confirmed = confirmed(&arguments.limits, test, &name, example, texts)?;
        let Confirmed { tested, invalid, .. } = confirmed;
        (texts, exit) = (confirmed.failing, confirmed.exit);
        if !arguments.limits.quiet {
            report::remark(&report::rate(&Rate::new(texts.len(), tested - invalid, invalid, 0.95)));
        }
    }
    let digits = arguments.n.to_string().len();
    for (number, text) in (1..).zip(&texts) {
        if let Some(folder) = &arguments.output {
            let path = folder.join(format!("{number:0digits$}.{ending}"));
            files::create(folder, &path, text, None).map_err(|error| unreadable(&path, &error))?;
            continue;
        }
        let text = String::from_utf8_lossy(text);
        let line = match arguments.json {
            true => report::json_string(&text) + "\n",
            false if text.ends_with('\n') => text.into_owned(),
            false => text.into_owned() + "\n",
        };
        if !report::answer(&line)? {
            break;
        }
    }
    Ok(exit)
}

/// The files to insert instances into: those in the pattern's language.
fn corpus(loaded: &Loaded, into: &[PathBuf]) -> Result<Vec<Parsed>, UserError> {
    let mut corpus = Vec::new();
    for path in super::patterns::files(into)? {
        let is_in_language = loaded.parser.is_some()
            || path
                .extension()
                .and_then(|end| end.to_str())
                .is_some_and(|end| loaded.language.extensions().contains(&end));
        if is_in_language {
            corpus.extend(loaded.parse(read(&path)?));
        }
    }
    if corpus.is_empty() && !into.is_empty() {
        return Err(UserError::usage("--into names no file in the pattern's language"));
    }
    Ok(corpus)
}

/// The instances of a pattern. Their holes may contain fragments of the files in `from`.
fn drawn(loaded: &Loaded, from: &[PathBuf], seed: u64, one: bool) -> Result<Instances, UserError> {
    let fill = if one { Fill::One } else { Fill::All };
    let broken = |error: lopper_patterns::NotAPattern| UserError::usage(error.to_string());
    if let Some(parser) = loaded.parser {
        return Instances::of_grammar(&loaded.pattern, parser, seed, fill).map_err(broken);
    }
    let mut parsed = Vec::new();
    for path in from {
        parsed.push(Parsed::new(loaded.language, read(path)?));
    }
    let files: Vec<&Parsed> = parsed.iter().collect();
    Instances::of_source(&loaded.pattern, loaded.language, &files, seed, fill).map_err(broken)
}
