//! `lopper isolate`: what makes an input fail, what may stay while it passes, and the least difference.

use super::Exit;
use super::check;
use super::language::Choice;
use super::limits::Limits;
use super::reduce::{catch_signals, file_name, read, swapped};
use super::results::Places;
use crate::driver::Query;
use crate::error::UserError;
use crate::isolate::{Ask, By, Changes, Goal, Isolated, Outcome, Problem, isolate, isolate_by_ddmin};
use crate::oracle::command::{TestCommand, is_executable};
use crate::oracle::folder::Modes;
use crate::oracle::memo::Memo;
use crate::oracle::process_test::ProcessTest;
use crate::oracle::{Contents, Fault, NamedFile, Test, Verdict};
use crate::reduce::{Account, End, Stats};
use crate::report::{self, Isolation, Side};
use crate::workers::{FAR, Runner, with_runner};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What may stand on the command line.
const USAGE: &str = "usage: lopper isolate TEST FILE..., or lopper isolate FILE... -- COMMAND {}";

/// Isolates the part of FILE that makes it fail
///
/// Finds a failing input that is as small as possible (min), a passing input that is as large as possible
/// (max), or a passing and a failing input that differ as little as possible (diff). TEST is a program that
/// exits with code 0 if the failure is there, as for `lopper reduce`, and with 125 if it cannot tell. Any
/// other exit means that the input passes; a run that exceeds a limit counts as neither. If there are several
/// FILEs, TEST gets all their paths.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "lopper isolate [OPTIONS] TEST FILE...\n       lopper isolate [OPTIONS] FILE... -- COMMAND...",
    after_help = "Exit codes: 0 isolated, or a limit on tests or time was reached; 1 a bug in Lopper; 2 usage or files; \
                  3 the test does not fail or pass as it should; 130 interrupted (the best inputs so far are kept)."
)]
pub(super) struct Arguments {
    /// The test and the failing files; or only the files, if a COMMAND follows; with --by files, a folder
    #[arg(value_name = "[TEST] FILE", required = true)]
    paths: Vec<PathBuf>,
    /// A command to run as the test; `{}` stands for the candidate's paths
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
    /// What to look for
    #[arg(long, value_enum, default_value_t = Goal::Diff)]
    mode: Goal,
    /// The parts into which the files are divided [default: lines; for a folder, files]
    #[arg(long, value_enum)]
    by: Option<By>,
    /// The algorithm; ddmin requires --mode min and one FILE
    #[arg(long, value_enum, default_value_t = Search::Dd)]
    search: Search,
    /// A passing file or folder, one for each FILE and in the same order [default: empty]
    #[arg(long, value_name = "PATH")]
    passing: Vec<PathBuf>,
    /// Write the results to this folder [default: beside each FILE]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    language: Choice,
}

/// How the search for a minimal failing input goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Search {
    /// dd: tests parts and complements, from the passing and the failing input at once
    Dd,
    /// ddmin as first published: tests complements only
    Ddmin,
}

/// The failing inputs, and what lies between them and the passing ones.
struct Input {
    by: By,
    /// Whether passing inputs are given: what is taken apart is what differs.
    from_passing: bool,
    /// As the user named them.
    paths: Vec<PathBuf>,
    /// Where the test finds them, below its folder.
    arguments: Vec<Arc<Path>>,
    changes: Vec<Changes>,
}

/// Changes that are made, for each of the inputs.
type Made = Vec<Vec<usize>>;

/// Runs the search from the first run of the test to the answer.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let start = Instant::now();
    let (command, paths) = test_and_files(arguments)?;
    let input = input(arguments, paths)?;
    let interrupt = catch_signals()?;
    let limits = &arguments.limits;
    let options = limits.options(start, &interrupt)?;
    let (jobs, limit) = (options.jobs, limits.first_run());
    let mut test = ProcessTest::with_helper(
        command,
        &input.arguments,
        jobs,
        limit,
        interrupt,
        super::executable(),
        Modes::new(),
    )?;
    test.memory = Some(limits.memory()).filter(|&bytes| bytes > 0);
    let first = match first_run(&test, &input) {
        Ok(time) => time,
        Err(Fault::Interrupted | Fault::Cancelled) => return Ok(Exit::Interrupted),
        Err(Fault::Broken(error)) => return Err(super::with_left_behind(error, &test.close())),
    };
    test.deadline = options.deadline;
    test.limit = limits.run(first);

    let mut listener = report::runs(limits.verbosity());
    let account = Account { options: &options, listener: &mut listener, stats: Stats::default() };
    let goal = arguments.mode;
    let places = Places::new(arguments.output.as_deref(), goal, &input.paths)?;
    let all = input.all();
    let found = (vec![Vec::new(); input.changes.len()], all.clone());
    let (isolated, Searched { mut places, stats, found }) = with_runner(&test, jobs, |runner| {
        let mut search = Asked { input: &input, runner, places, account, memo: Memo::default(), found };
        let isolated = match arguments.search {
            Search::Dd => isolate(goal, &all, &mut search),
            Search::Ddmin => isolate_by_ddmin(&all[0], &mut search),
        };
        (isolated, search.ended())
    });
    let (end, isolated) = match isolated {
        Ok(isolated) => (End::Fixpoint, Some(isolated)),
        Err(End::Broken(error)) => {
            let error = match input.from_passing && input.is_passing_one() {
                true => error.fact("it does not differ from the input that fails"),
                false => error,
            };
            return Err(super::with_left_behind(error, &test.close()));
        }
        Err(end) => (end, None),
    };
    if let Some(isolated) = &isolated {
        places.save(&input.arguments, &input.changes, &passing(isolated), &failing(isolated))?;
    }
    if !limits.quiet {
        report::remark(&format!("{}\n{}", ending(&end), report::effort(&stats, start.elapsed())));
    }
    report::answer(&answer(&input, &places, isolated.as_ref(), &found))?;
    test.deadline = None;
    let verified = match (end, &isolated) {
        (End::Interrupted, _) => Ok(Exit::Interrupted),
        (_, Some(isolated)) => verify(&test, &input, goal, isolated).map(|()| Exit::Reduced),
        _ => Ok(Exit::Reduced),
    };
    let left = test.close();
    if !left.is_empty() {
        report::remark(&super::left_behind(&left));
    }
    verified
}

fn ending(end: &End) -> &'static str {
    match end {
        End::Tests => "the limit of --max-tests is reached; the best so far is kept",
        End::Time => "the limit of --max-time is reached; the best so far is kept",
        End::Interrupted => "interrupted; the best so far is kept",
        End::Fixpoint | End::Broken(_) => "isolated",
    }
}

fn passing(isolated: &Isolated<usize>) -> Made {
    isolated.arguments.iter().map(|argument| argument.passing.clone()).collect()
}

fn failing(isolated: &Isolated<usize>) -> Made {
    isolated.arguments.iter().map(|argument| argument.failing.clone()).collect()
}

fn test_and_files(arguments: &Arguments) -> Result<(TestCommand, Vec<PathBuf>), UserError> {
    match (&arguments.paths[..], &arguments.command[..]) {
        ([test, files @ ..], []) if !files.is_empty() => {
            let command = TestCommand::program(test).map_err(|e| match files {
                [file] if is_executable(file) => swapped(e, "isolate", test, file),
                _ => e.help(USAGE),
            })?;
            Ok((command, files.to_vec()))
        }
        (files, command @ [_, ..]) => Ok((TestCommand::line(command)?, files.to_vec())),
        _ => Err(UserError::usage("there is a file but no test").help(USAGE)),
    }
}

/// Reads the inputs and finds what lies between them.
fn input(arguments: &Arguments, paths: Vec<PathBuf>) -> Result<Input, UserError> {
    if !arguments.passing.is_empty() && arguments.passing.len() != paths.len() {
        return Err(UserError::usage("there must be as many passing inputs as failing ones").fact(format!(
            "--passing names {}, but {} should fail",
            arguments.passing.len(),
            paths.len()
        )));
    }
    let paths = paths.into_iter().map(with_name).collect::<Result<Vec<_>, _>>()?;
    if arguments.search == Search::Ddmin && (arguments.mode != Goal::Min || paths.len() > 1) {
        return Err(UserError::usage("--search ddmin requires --mode min and a single file")
            .help("lopper isolate --search ddmin --mode min TEST FILE"));
    }
    if arguments.by == Some(By::Hunks) && arguments.passing.is_empty() {
        return Err(UserError::usage(
            "--by hunks requires a passing input: hunks are differences between two files",
        )
        .help("name one with --passing, or use --by lines"));
    }
    let names = paths.iter().map(|path| file_name(path)).collect::<Result<Vec<_>, _>>()?;
    let at: Vec<Arc<Path>> = names.iter().map(|name| Path::new(name).into()).collect();
    if let Some(twice) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        return Err(UserError::usage(format!("two files are called '{}'", twice.1))
            .fact("the test gets all files in one folder, so their names must differ"));
    }
    let folders = paths.iter().filter(|path| path.is_dir()).count();
    let by = arguments.by.unwrap_or(if folders > 0 { By::Files } else { By::Lines });
    if (by == By::Files) != (folders == paths.len()) || by == By::Files && paths.len() > 1 {
        return Err(UserError::usage("--by files requires one folder, and every other --by requires files")
            .help("lopper isolate --by files TEST FOLDER"));
    }
    let changes = |(i, path): (usize, &PathBuf)| {
        let passing = arguments.passing.get(i);
        if by == By::Files {
            let old = passing.map_or_else(|| Ok(Contents::new()), |folder| files_in(folder, &at[i]))?;
            return Ok(Changes::of_folder(&old, &files_in(path, &at[i])?));
        }
        let old = passing.map_or_else(|| Ok(Vec::new()), |file| read(file))?;
        let language = arguments.language.language(&names[i])?;
        Ok(Changes::of_text(by, &at[i], language, &old, &read(path)?).with_mode(mode(path)?))
    };
    let changes = paths.iter().enumerate().map(changes).collect::<Result<Vec<_>, UserError>>()?;
    let input = Input { by, from_passing: !arguments.passing.is_empty(), paths, arguments: at, changes };
    input.refuse_nothing()?;
    Ok(input)
}

/// The path of a file or folder, such that it ends in a name: `.` and `..` have one above them.
fn with_name(path: PathBuf) -> Result<PathBuf, UserError> {
    if path.file_name().is_some() {
        return Ok(path);
    }
    let shown = path.display();
    let whole = path
        .canonicalize()
        .map_err(|e| UserError::usage(format!("the file '{shown}' cannot be read")).fact(e.to_string()))?;
    if whole.file_name().is_none() {
        return Err(UserError::usage(format!("'{shown}' has no name"))
            .fact("the test gets a copy of the folder under its own name")
            .help("copy the relevant files into another folder, and name that"));
    }
    Ok(whole)
}

/// The permissions of a file.
fn mode(path: &Path) -> Result<u32, UserError> {
    let metadata = fs::metadata(path).map_err(|e| {
        UserError::usage(format!("the file '{}' cannot be read", path.display())).fact(e.to_string())
    })?;
    Ok(metadata.permissions().mode() & 0o777)
}

/// All files below a folder, sorted, as files below a folder of this name. Links are not followed.
fn files_in(folder: &Path, name: &Path) -> Result<Contents, UserError> {
    let failed = |path: &Path, e: &dyn std::fmt::Display| {
        UserError::usage(format!("the folder '{}' cannot be read", path.display())).fact(e.to_string())
    };
    let mut found = Contents::new();
    let mut open = vec![(folder.to_owned(), name.to_owned())];
    while let Some((path, name)) = open.pop() {
        for entry in fs::read_dir(&path).map_err(|e| failed(&path, &e))? {
            let entry = entry.map_err(|e| failed(&path, &e))?;
            let name = name.join(file_name(&entry.path())?);
            let kind = entry.file_type().map_err(|e| failed(&path, &e))?;
            if kind.is_dir() {
                open.push((entry.path(), name));
            } else if kind.is_file() {
                let content = Arc::new(read(&entry.path())?);
                found.push(NamedFile { path: name.into(), content, mode: Some(mode(&entry.path())?) });
            }
        }
    }
    found.sort();
    Ok(found)
}

impl Input {
    /// Whether the failing inputs are the passing ones: an empty input where none is given.
    fn is_passing_one(&self) -> bool {
        self.changes.iter().all(|changes| {
            changes.count() == 0
                && (self.from_passing
                    || changes.files(&[]).is_some_and(|f| f.iter().all(|f| f.content.is_empty())))
        })
    }

    /// An input of which nothing can be taken apart as it is asked for.
    fn refuse_nothing(&self) -> Result<(), UserError> {
        if self.is_passing_one() || self.changes.iter().any(|changes| changes.count() > 0) {
            return Ok(());
        }
        let shown: Vec<String> = self.paths.iter().map(|path| format!("'{}'", path.display())).collect();
        Err(UserError::usage(format!("there are no {}s in {}", self.by.noun(), shown.join(", ")))
            .help("--by lines and --by characters take any text apart"))
    }

    /// What the parts are called that the inputs are taken apart into.
    fn noun(&self) -> &'static str {
        if self.from_passing && self.by != By::Hunks { "change" } else { self.by.noun() }
    }

    /// All changes, which give the failing inputs.
    fn all(&self) -> Made {
        self.changes.iter().map(|changes| (0..changes.count()).collect()).collect()
    }

    /// The files of all inputs with these changes; `None` if they cannot be made.
    fn files(&self, made: &[Vec<usize>]) -> Option<Contents> {
        let files = self.changes.iter().zip(made).map(|(changes, made)| changes.files(made));
        files.collect::<Option<Vec<_>>>().map(|files| files.concat())
    }
}

/// Runs the test on the failing inputs for the first time: how long that takes.
fn first_run(test: &ProcessTest, input: &Input) -> Result<Duration, Fault> {
    let files = input.files(&input.all()).unwrap_or_default();
    let run = test.run_and_watch(&files)?;
    if run.verdict() == Verdict::Interesting {
        return Ok(run.time);
    }
    let verdict = run.verdict();
    let status = run.status.map_err(|limit| Fault::Broken(check::exceeded(test, limit)))?;
    let problem = if verdict == Verdict::Invalid { Problem::CannotTell } else { Problem::NotFailing };
    let mut error = problem.explained().fact(format!("the test ended with {status}"));
    let lines: Vec<&str> = run.output.lines().collect();
    for line in lines.iter().skip(lines.len().saturating_sub(10)) {
        error = error.fact(format!("  {line}"));
    }
    Err(Fault::Broken(error))
}

/// What was found must still be so.
fn verify(
    test: &ProcessTest,
    input: &Input,
    goal: Goal,
    isolated: &Isolated<usize>,
) -> Result<(), UserError> {
    let says = |made: &Made, wanted: Outcome| match input.files(made) {
        None => Ok(()),
        Some(files) => match test.run(0, &files) {
            Err(Fault::Broken(error)) => Err(error),
            Ok(verdict) if Outcome::from(verdict) != wanted => {
                let title = match wanted {
                    Outcome::Fail => "the failing input no longer fails",
                    _ => "the passing input no longer passes",
                };
                Err(UserError::bad_test(title)
                    .fact(format!(
                        "on the same files, the answer of the test is now: {}",
                        report::said(verdict)
                    ))
                    .help("its answer depends on something besides the files, such as time, load or chance"))
            }
            _ => Ok(()),
        },
    };
    says(&failing(isolated), Outcome::Fail)?;
    let alone = !isolated.holds_together || isolated.arguments.iter().any(|a| a.problem.is_some());
    if goal == Goal::Min || alone { Ok(()) } else { says(&passing(isolated), Outcome::Pass) }
}

/// The search as it asks: it runs the test, within the limits, and keeps what was found safe.
struct Asked<'r, 'a> {
    input: &'r Input,
    runner: Runner<'r>,
    places: Places,
    account: Account<'a>,
    memo: Memo,
    found: (Made, Made),
}

/// What is left of a search.
struct Searched {
    places: Places,
    stats: Stats,
    found: (Made, Made),
}

impl Asked<'_, '_> {
    fn ended(self) -> Searched {
        let stats = Stats { memo_hits: self.memo.hits(), ..self.account.stats };
        Searched { places: self.places, stats, found: self.found }
    }
}

impl Ask<usize> for Asked<'_, '_> {
    type Error = End;

    fn test(&mut self, made: &[Vec<usize>], ahead: &mut dyn Iterator<Item = Made>) -> Result<Outcome, End> {
        self.account.may_go_on()?;
        let (input, pass) = (self.input, Some("isolate"));
        let query = |made: &[Vec<usize>]| Some(Query::new(input.files(made)?, "isolate"));
        let Some(wanted) = query(made) else { return Ok(Outcome::Unresolved) };
        let key = wanted.key;
        if let Some(verdict) = self.memo.get(key) {
            return Ok(verdict.into());
        }
        self.account.may_run(self.account.stats.runs)?;
        let memo = &self.memo;
        let is_open = |query: &Query| !memo.knows(query.key);
        let mut ahead = ahead.take(FAR).filter_map(|made| query(&made)).filter(is_open);
        let verdict = self.runner.verdict_before(&wanted, &mut ahead);
        let verdict = verdict.map_err(|fault| self.account.end(fault))?;
        self.memo.insert(key, verdict);
        self.account.stats.runs += 1;
        self.account.tested(pass, key, verdict, false)?;
        Ok(verdict.into())
    }

    fn found(&mut self, passing: &[Vec<usize>], failing: &[Vec<usize>]) -> Result<(), End> {
        self.found = (passing.to_vec(), failing.to_vec());
        let Input { arguments, changes, .. } = self.input;
        self.places.save(arguments, changes, passing, failing).map_err(End::Broken)
    }
}

/// What was found, for each input: the triple, and the difference to look at.
fn answer(
    input: &Input,
    places: &Places,
    isolated: Option<&Isolated<usize>>,
    found: &(Made, Made),
) -> String {
    let mut out = String::new();
    for (i, changes) in input.changes.iter().enumerate() {
        let argument = isolated.map(|isolated| &isolated.arguments[i]);
        let passing = argument.map_or(&found.0[i], |argument| &argument.passing);
        let failing = argument.map_or(&found.1[i], |argument| &argument.failing);
        let in_passing = |change: &&usize| passing.binary_search(change).is_err();
        let side = |made: &[usize], place: &Option<PathBuf>| Side {
            count: made.len(),
            files: changes.files(made).unwrap_or_default(),
            place: place.as_ref().map(|place| place.display().to_string()),
        };
        let isolation = Isolation {
            input: &input.paths[i].display().to_string(),
            noun: input.noun(),
            total: changes.count(),
            passing: side(passing, &places.of(i)[0]),
            failing: side(failing, &places.of(i)[1]),
            difference: failing.iter().filter(in_passing).map(|&change| changes.label(change)).collect(),
            remark: argument.and_then(|argument| argument.problem).map(|problem| problem.to_string()),
        };
        out += &isolation.text();
    }
    if isolated.is_some_and(|isolated| isolated.arguments.iter().all(|argument| argument.failing.is_empty()))
    {
        out += match input.from_passing {
            true => "The passing input itself fails: does the test look for the failure's own message?\n",
            false => "An empty input fails, too: does the test look for the failure's own message?\n",
        };
    }
    if isolated.is_some_and(|isolated| !isolated.holds_together) {
        out += match input.changes[..] {
            [_] => {
                "No passing input was found: on the input that is listed as passing, the test cannot tell.\n"
            }
            _ => "The inputs were isolated one by one; together they behave differently.\n",
        };
    }
    out
}
