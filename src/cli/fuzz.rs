//! `lopper fuzz`: instances of a pattern.

use super::Exit;
use super::given::{read, unreadable};
use super::patterns::Loaded;
use crate::error::UserError;
use crate::files;
use crate::report;
use lopper_languages::Parsed;
use lopper_patterns::{Fill, Instances};
use std::fs;
use std::path::PathBuf;

/// Makes texts of a pattern: random texts in its holes
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The pattern: in JSON, or, with --grammar, in its text form
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
    /// The grammar of a pattern in its text form, in JSON
    #[arg(long, value_name = "FILE.json")]
    grammar: Option<PathBuf>,
    /// Write each instance to a file in this new or empty folder [default: to standard output, one after the other]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Print each instance as a JSON string, since an instance may span several lines
    #[arg(long, conflicts_with = "output")]
    json: bool,
}

/// Draws and prints instances.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let loaded = Loaded::read(&arguments.pattern, arguments.grammar.as_deref())?;
    let mut instances = drawn(&loaded, &arguments.from, arguments.seed, arguments.one)?;
    if let Some(folder) = &arguments.output {
        fs::create_dir_all(folder).map_err(|error| unreadable(folder, &error))?;
        if fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?.next().is_some() {
            return Err(UserError::usage(format!("the folder '{}' is not empty", folder.display())));
        }
    }
    let ending = loaded.language.extensions().first().copied().unwrap_or("txt");
    let digits = arguments.n.to_string().len();
    for number in 1..=arguments.n {
        let Some(instance) = instances.draw() else {
            report::remark(&format!("only {} instances can be drawn", number - 1));
            break;
        };
        if let Some(folder) = &arguments.output {
            let path = folder.join(format!("{number:0digits$}.{ending}"));
            files::create(folder, &path, &instance.text, None).map_err(|error| unreadable(&path, &error))?;
            continue;
        }
        let text = String::from_utf8_lossy(&instance.text);
        let line = match arguments.json {
            true => report::json_string(&text) + "\n",
            false if text.ends_with('\n') => text.into_owned(),
            false => text.into_owned() + "\n",
        };
        if !report::answer(&line)? {
            break;
        }
    }
    Ok(Exit::Reduced)
}

/// The instances of a pattern. Their holes may contain fragments of the files in `from`.
pub(super) fn drawn(loaded: &Loaded, from: &[PathBuf], seed: u64, one: bool) -> Result<Instances, UserError> {
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
