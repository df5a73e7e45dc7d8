//! `lopper match`: finds patterns in files, to recognise known bugs.

use super::Exit;
use super::formulas::{self, FormulaOptions};
use super::given::read;
use super::patterns::{Form, Loaded, files};
use crate::error::UserError;
use crate::report;
use lopper_languages::Parsed;
use lopper_patterns::{Closeness, Extras, Ground, Match, Needle, Pattern};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Finds a pattern in files: is this the known bug?
///
/// Prints the place of every match and the texts in its holes. Where a language has blocks, further statements may
/// stand in any of them.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "lopper match [OPTIONS] PATTERN FILE...\n       lopper match [OPTIONS] --classify DIR FILE...\n       lopper match [OPTIONS] --where FORMULA --pattern NAME=FILE... FILE...",
    after_help = "Exit codes: 0 the pattern was found, 1 it was not, 2 usage, files, or a bug in Lopper."
)]
pub(super) struct Arguments {
    /// The pattern, as a file or in its text form; then the files and folders to look at
    #[arg(required = true, value_name = "PATTERN FILE", hide_short_help = true)]
    paths: Vec<PathBuf>,
    /// Sort FILE by the patterns in this folder: a line for each file with the names of those that are found
    #[arg(long, value_name = "DIR")]
    classify: Option<PathBuf>,
    /// The grammar of a pattern in its text form, in JSON
    #[arg(long, hide_short_help = true, value_name = "FILE.json", conflicts_with = "language")]
    grammar: Option<PathBuf>,
    /// The language of a pattern in its text form [default: the name of the first FILE decides]
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    language: Option<String>,
    /// Ignore matches with more than the pattern has, but for comments
    #[arg(long)]
    exact: bool,
    /// Ignore looser matches: only further statements may stand in blocks
    #[arg(long, hide_short_help = true, conflicts_with = "exact")]
    close: bool,
    /// Accept looser matches of a pattern with an excerpt, too
    #[arg(long, hide_short_help = true, conflicts_with_all = ["exact", "close"])]
    loose: bool,
    #[command(flatten)]
    condition: FormulaOptions,
    /// Print nothing; the exit code says whether the pattern was found
    #[arg(long, short)]
    quiet: bool,
}

impl Arguments {
    /// How patterns in their text form are read; `like` is a file in which they are looked for.
    fn form<'a>(&'a self, like: Option<&'a PathBuf>) -> Form<'a> {
        let (grammar, language) = (self.grammar.as_deref(), self.language.as_deref());
        Form { grammar, language, like: like.map(PathBuf::as_path) }
    }

    /// The loosest matches that count. Those of an excerpt can be relied on more than those of the pattern itself.
    fn loosest(&self, pattern: &Pattern) -> Closeness {
        match (self.exact, self.close) {
            (true, _) => Closeness::Exact,
            (_, true) => Closeness::Statements,
            _ if pattern.excerpt.is_some() && !self.loose => Closeness::Excerpt,
            _ => Closeness::Meant,
        }
    }
}

/// What a looser match has that the pattern does not.
fn looser(closeness: Closeness) -> Option<&'static str> {
    match closeness {
        Closeness::Exact | Closeness::Statements => None,
        Closeness::Excerpt => Some("there is more between the parts of the excerpt"),
        Closeness::Embedded => Some("there is more between the parts of the pattern"),
        Closeness::Meant => Some("definitions are elsewhere, or names stand for what they name"),
    }
}

/// Looks for one pattern, or for all patterns of a folder.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    if let Some(formula) = arguments.condition.formula()? {
        let extras = if arguments.exact { Extras::Comments } else { Extras::Statements };
        let (paths, grammar) = (&arguments.paths, arguments.grammar.as_deref());
        return formulas::run(&arguments.condition, &formula, paths, grammar, extras, arguments.quiet);
    }
    if let Some(folder) = &arguments.classify {
        return classify(arguments, folder);
    }
    let [pattern, named @ ..] = &arguments.paths[..] else { return Ok(Exit::NotFound) };
    if named.is_empty() {
        return Err(UserError::usage("no file to look at is named").help("lopper match PATTERN FILE..."));
    }
    let loaded = Loaded::read(pattern, &arguments.form(named.first()))?;
    let needle = Needle::new(&loaded.pattern, loaded.language);
    let mut found = false;
    for path in files(named)? {
        let Some(file) = loaded.parse(read(&path)?) else { continue };
        let Some((closeness, matches)) = needle.find(&Ground::new(&file), arguments.loosest(&loaded.pattern))
        else {
            continue;
        };
        found = true;
        for found in matches.iter().filter(|_| !arguments.quiet) {
            if !report::answer(&shown(&path, &file, &loaded, closeness, found))? {
                return Ok(Exit::Reduced);
            }
        }
    }
    Ok(if found { Exit::Reduced } else { Exit::NotFound })
}

/// So many lines of a match with more between its parts are shown.
const MOST_LINES: usize = 20;

/// The place of a match, its first line, the other lines in which it has parts, and a line for each hole.
fn shown(path: &Path, file: &Parsed, loaded: &Loaded, closeness: Closeness, found: &Match) -> String {
    let text = |range: std::ops::Range<usize>| String::from_utf8_lossy(&file.text[range]).into_owned();
    let line_of = |at: usize| 1 + file.text[..at].iter().filter(|&&c| c == b'\n').count();
    // Definitions may be elsewhere.
    let mut inside = found.parts.iter().filter(|part| found.range.contains(&part.start));
    let whole = found.range.start;
    let start = inside.next().map_or(whole, |part| part.start);
    let start = if line_of(start) == line_of(whole) { whole } else { start };
    let column = 1 + file.text[..start].iter().rev().take_while(|&&c| c != b'\n').count();
    let rest = text(start..found.range.end.max(start));
    let first = rest.lines().next().unwrap_or_default();
    let mut out = format!("{}:{}:{column}: {first}\n", path.display(), line_of(start));
    if let Some(what) = looser(closeness) {
        out += &format!("  a looser match: {what}\n");
    }
    let mut lines: Vec<usize> = found.parts.iter().map(|part| line_of(part.start)).collect();
    lines.dedup();
    let all = String::from_utf8_lossy(&file.text);
    let all: Vec<&str> = all.lines().collect();
    lines.retain(|&line| line != line_of(start));
    for &line in lines.iter().take(MOST_LINES) {
        out += &format!("  line {line}: {}\n", all.get(line - 1).unwrap_or(&"").trim());
    }
    if lines.len() > MOST_LINES {
        out += &format!("  and {} more lines\n", lines.len() - MOST_LINES);
    }
    let pattern = match (closeness, &loaded.pattern.excerpt) {
        (Closeness::Excerpt, Some(excerpt)) => excerpt,
        _ => &loaded.pattern,
    };
    for (name, bound) in pattern.names().iter().zip(&found.bindings) {
        for range in bound.iter().take(1) {
            out += &format!("  {name} = {}\n", report::json_string(&text(range.clone())));
        }
    }
    out
}

/// Prints, for each file, the names of the patterns found in it, as soon as they are known.
fn classify(arguments: &Arguments, folder: &Path) -> Result<Exit, UserError> {
    let mut patterns = Vec::new();
    for path in files(std::slice::from_ref(&folder.to_owned()))? {
        let name = path.strip_prefix(folder).unwrap_or(&path).with_extension("").display().to_string();
        patterns.push((name, Loaded::read(&path, &arguments.form(arguments.paths.first()))?));
    }
    if patterns.is_empty() {
        return Err(UserError::usage(format!("there is no pattern in '{}'", folder.display())));
    }
    let needles: Vec<Needle> =
        patterns.iter().map(|(_, loaded)| Needle::new(&loaded.pattern, loaded.language)).collect();
    let mut known = false;
    for path in files(&arguments.paths)? {
        let text = read(&path)?;
        // All patterns of a language share one tree. Every user's grammar is a language of its own.
        let mut parsed: BTreeMap<(&str, Option<&str>), Option<Parsed>> = BTreeMap::new();
        for (_, loaded) in &patterns {
            let key = (&*loaded.pattern.language, loaded.pattern.grammar.as_deref());
            parsed.entry(key).or_insert_with(|| loaded.parse(text.clone()));
        }
        let grounds: BTreeMap<_, _> =
            parsed.iter().filter_map(|(key, file)| Some((*key, Ground::new(file.as_ref()?)))).collect();
        let mut names: Vec<String> = Vec::new();
        for ((name, loaded), needle) in patterns.iter().zip(&needles) {
            let ground = grounds.get(&(&*loaded.pattern.language, loaded.pattern.grammar.as_deref()));
            let found = ground.and_then(|ground| needle.find(ground, arguments.loosest(&loaded.pattern)));
            names.extend(found.map(|(closeness, _)| match closeness {
                Closeness::Exact | Closeness::Statements | Closeness::Excerpt => name.clone(),
                Closeness::Embedded | Closeness::Meant => format!("~{name}"),
            }));
        }
        known |= !names.is_empty();
        let names = if names.is_empty() { "-".to_owned() } else { names.join(" ") };
        if !arguments.quiet && !report::answer(&format!("{}: {names}\n", path.display()))? {
            break;
        }
    }
    Ok(if known { Exit::Reduced } else { Exit::NotFound })
}
