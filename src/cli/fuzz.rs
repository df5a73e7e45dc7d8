//! `lopper fuzz`: instances of a pattern.

use super::Exit;
use super::given::{read, unreadable};
use super::limits::Limits;
use super::patterns::{Form, Loaded};
use super::signals::catch_signals;
use crate::error::UserError;
use crate::files;
use crate::generalization::verdicts;
use crate::oracle::command::TestCommand;
use crate::oracle::{Contents, Fault, NamedFile, Verdict};
use crate::report;
use crate::run::End;
use lopper_languages::Parsed;
use lopper_patterns::{Fill, Insertions, Instances, Rate};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

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
    #[arg(long)]
    one: bool,
    /// Take fragments of this file, too: the one from which the pattern's example was reduced
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// Insert the instances into files from here, a file or a folder, at places that take them
    #[arg(long, value_name = "DIR")]
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
    #[arg(long, conflicts_with = "output")]
    json: bool,
    /// Keep only instances for which this test exits with code 0, and tell how many those are
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
        (texts, exit) = confirmed(arguments, test, &name, &loaded.pattern.example, texts)?;
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

/// The texts that a test accepts. It must accept the example.
fn confirmed(
    arguments: &Arguments,
    test: &Path,
    name: &str,
    example: &[u8],
    texts: Vec<Vec<u8>>,
) -> Result<(Vec<Vec<u8>>, Exit), UserError> {
    let interrupt = catch_signals()?;
    let options = arguments.limits.options(Instant::now(), &interrupt)?;
    let example: Contents = vec![NamedFile::new(name, example)];
    let command = TestCommand::program(test)?;
    let mut test =
        arguments.limits.test(command.into(), &[Arc::clone(&example[0].path)], &options, &interrupt)?;
    let checked = (|| {
        let first = test.run_and_watch(&example)?;
        test.limit = arguments.limits.run(first.time);
        test.deadline = options.deadline;
        Ok(first.verdict)
    })();
    let candidates: Vec<Contents> = texts.iter().map(|text| vec![example[0].with(text.clone())]).collect();
    let ended = match checked {
        Ok(Verdict::Interesting) => {
            let mut listener = report::runs(arguments.limits.verbosity());
            let (verdicts, end, _) = verdicts(&candidates, &test, &options, &mut listener);
            Ok((verdicts, end))
        }
        Ok(_) => {
            Err(Fault::Broken(UserError::bad_test("the test does not accept the pattern's own example")))
        }
        Err(fault) => Err(fault),
    };
    let left = test.close();
    if !left.is_empty() {
        report::remark(&super::left_behind(&left));
    }
    let (verdicts, end) = match ended {
        Ok((_, End::Broken(error))) | Err(Fault::Broken(error)) => return Err(error),
        Err(Fault::Interrupted | Fault::Cancelled) => return Ok((Vec::new(), Exit::Interrupted)),
        Ok(ended) => ended,
    };
    let count = |wanted: fn(&Verdict) -> bool| verdicts.iter().filter(|verdict| wanted(verdict)).count();
    let failing = count(|verdict| *verdict == Verdict::Interesting);
    let invalid = count(|verdict| *verdict == Verdict::Invalid);
    let rate = Rate::new(failing, verdicts.len() - invalid, invalid, 0.95);
    if !arguments.limits.quiet {
        report::remark(&report::rate(&rate));
    }
    let failing = texts.into_iter().zip(&verdicts).filter(|(_, verdict)| **verdict == Verdict::Interesting);
    let exit = if matches!(end, End::Interrupted) { Exit::Interrupted } else { Exit::Reduced };
    Ok((failing.map(|(text, _)| text).collect(), exit))
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
