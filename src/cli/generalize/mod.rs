//! `lopper generalize`: finds the circumstances under which a file fails.

mod arguments;
mod excerpts;
mod folder;
mod held;
mod syntax;
mod telling;

use super::Exit;
use super::elsewhere::Elsewhere;
use super::executor::Site;
use super::given::{distinct_names, read, words};
use super::language::Choice;
use super::signals::catch_signals;
use super::{check, flicker};
use crate::conditions::{Failure, TestPlan};
use crate::error::UserError;
use crate::generalization::{Beside, Required, generalize};
use crate::journal::{Form, Header, Key, Session, Word};
use crate::looks::Looks;
use crate::oracle::command::TestCommand;
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::contents::key;
use crate::oracle::ground::Ground;
use crate::oracle::interrupt::Interrupt;
use crate::oracle::watch::Watch;
use crate::oracle::{Contents, Fault, Known, NamedFile, Repeated, Test, Timed, Verdict, micros};
use crate::reduce;
use crate::reducer::measure;
use crate::report;
use crate::run::{End, Event, Options, Stats};
use arguments::{USAGE, refuse_other_uses};
use held::{Earlier, Held, Question};
use lopper_engine::flicker::Tally;
use lopper_languages::grammar::Parser;
use lopper_languages::{Language, Parsed};
use lopper_passes::Base;
use lopper_patterns::{Extrapolating, Generalizing, Pattern};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use telling::tell;

pub(super) use arguments::{Arguments, Outputs};

/// Reduces, generalizes, and prints the pattern: of each file in turn, the others as they are.
pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, UserError> {
    let start = Instant::now();
    let Arguments { paths, command, conditions, .. } = arguments;
    let (plan, mut files) =
        conditions.plan_and_files(&[], paths, command, "generalize", USAGE, usize::MAX)?;
    arguments.refuse_nonsense(files.len())?;
    let (given, form) = Form::named(&files)?;
    let within = if form == Form::Folder { Some(folder::read(&given)?) } else { None };
    if within.is_some() {
        files = vec![given];
    }
    let names = distinct_names(&files)?;
    let outputs = arguments.outputs(&files)?;
    refuse_other_uses(arguments, &plan, &files, &outputs)?;
    arguments.language.refuse_library()?;
    let parser = arguments.language.parser()?;
    let (texts, beside) = match within {
        Some((file, rest)) => (vec![file], rest),
        None => {
            let texts = names.iter().zip(&files).map(|(name, file)| Ok(NamedFile::new(name, read(file)?)));
            (texts.collect::<Result<Contents, UserError>>()?, Contents::new())
        }
    };
    let shown: Vec<Arc<Path>> = names.iter().map(|name| Path::new(name).into()).collect();
    for text in &texts {
        Choice::refuse_rejected(parser, text)?;
    }
    let reduced = arguments.reduced.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let interrupt = catch_signals()?;
    let options = arguments.limits.options(start, &interrupt)?;
    for (at, (file, outputs)) in files.iter().zip(&outputs).enumerate() {
        let language: &'static dyn Language = match parser {
            Some(parser) => parser,
            None => arguments.language.named(&texts[at].path.to_string_lossy(), &texts[at])?,
        };
        let mut rest = texts.clone();
        let own = rest.remove(at);
        rest.extend(beside.iter().cloned());
        let work = Work {
            arguments,
            outputs,
            language,
            parser,
            original: &vec![own],
            rest: &rest,
            paths: &shown,
            file,
            reduced: arguments.reduced.get(at).unwrap_or(file),
            options: &options,
            interrupt: &interrupt,
            start: Instant::now(),
        };
        if files.len() > 1 {
            report::answer(&format!("{}{}:\n", if at > 0 { "\n" } else { "" }, file.display()))?;
        }
        let exit = work.run(plan.clone(), reduced.get(at).cloned(), session)?;
        if exit != Exit::Reduced {
            return Ok(exit);
        }
    }
    Ok(Exit::Reduced)
}

/// The state of the generalization of a file.
pub(super) struct Work<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) outputs: &'a Outputs,
    pub(super) language: &'static dyn Language,
    /// The parser, if the language is a user's grammar.
    pub(super) parser: Option<&'static Parser>,
    /// The file.
    pub(super) original: &'a Contents,
    /// The other files: they stay as they are.
    pub(super) rest: &'a [NamedFile],
    /// The paths that the test gets: those of all files in their order, or that of the folder.
    pub(super) paths: &'a [Arc<Path>],
    /// The file as the user named it.
    pub(super) file: &'a Path,
    /// The reduced file as the user named it, if there is one.
    pub(super) reduced: &'a Path,
    pub(super) options: &'a Options,
    pub(super) interrupt: &'a Interrupt,
    pub(super) start: Instant,
}

/// The pattern, and why the search for it ended.
struct Found {
    pattern: Pattern,
    end: End,
    stats: Stats,
}

impl Work<'_> {
    /// All files, one of them with this text.
    fn whole(&self, own: &Contents) -> Contents {
        [own, self.rest].concat()
    }

    /// Generalizes a file that was reduced before, if there is one, or else the result of a reduction.
    pub(super) fn run(
        &self,
        plan: TestPlan,
        reduced: Option<Vec<u8>>,
        session: &Session,
    ) -> Result<Exit, UserError> {
        let earlier = held::earlier(self.arguments, self.outputs, self.file)?;
        let own = earlier.iter().flat_map(|earlier| earlier.past.header.own.clone());
        let watch = Watch::new(&plan, own.map(|own| OsString::from(own).into()).collect());
        let mut test =
            self.arguments.limits.test(plan, self.paths, Ground::default(), self.options, self.interrupt)?;
        let ended = self.run_with(&mut test, watch, reduced, session, earlier);
        let left = test.close();
        super::remark_unanswered(&test);
        match ended {
            Ok(exit) => {
                if !left.is_empty() {
                    report::remark(&super::left_behind(&left));
                }
                Ok(exit)
            }
            Err(Fault::Interrupted | Fault::Cancelled) => Ok(Exit::Interrupted),
            Err(Fault::Broken(error)) => Err(super::with_left_behind(error, &left)),
        }
    }

    fn run_with(
        &self,
        test: &mut CommandOracle,
        mut watch: Watch,
        reduced: Option<Vec<u8>>,
        session: &Session,
        earlier: Option<Earlier>,
    ) -> Result<Exit, Fault> {
        let limits = &self.arguments.limits;
        let mut header = self.header(&watch, reduced.is_some())?;
        if let Some(Earlier { past, .. }) = &earlier {
            header.limit = limits.timeout.map_or(past.header.limit, micros);
            header.memory = limits.named_memory().unwrap_or(past.header.memory);
        }
        test.memory = header.memory();
        let failure = earlier.as_ref().and_then(|earlier| earlier.past.header.failure.as_deref());
        if let Some(failure) = failure.and_then(Failure::recorded) {
            test.plan.learn(failure);
        }
        let whole = self.whole(self.original);
        check::learn(test, &whole)?;
        header.failure = test.plan.failure().map(Failure::record);
        if !test.plan.is_plain() && !limits.quiet {
            report::remark(&test.plan.sentence());
        }
        match &earlier {
            Some(Earlier { past, .. }) => {
                header.flicker = past.header.flicker;
                _ = flicker::accepts(test, self.file, self.paths, &whole, header.flicker)?;
            }
            None => {
                let may_be = |_: &[u8]| self.parser.is_none();
                let Self { file, options, interrupt, .. } = self;
                let (site, arguments) = (&Site::Here, self.paths);
                let elsewhere = Elsewhere { limits, site, options, interrupt, file, arguments, fixed: &[] };
                let (first, flicker) = flicker::check(test, &elsewhere, &whole, may_be)?;
                header.flicker = flicker;
                watch.leave_out_what_changed();
                header.limit = micros(limits.run(first.time));
                (header.test, header.own) =
                    (Key(watch.fingerprint()), watch.own().iter().map(Word::from).collect());
            }
        }
        (test.limit, test.deadline) = (header.limit(), self.options.deadline);
        let held = Held::new(self.arguments, self.outputs, self.file, &header, watch, session, earlier);
        let mut held = held.map_err(Fault::Broken)?;
        if let Some(original) = header.flicker.filter(|_| !limits.quiet) {
            report::remark(&report::flickers(original, false));
        }
        let ended = self.generalize(test, header.flicker, reduced, &mut held);
        held.finish(matches!(ended, Ok((_, true))), limits.quiet);
        ended.map(|(exit, _)| exit)
    }

    /// Reduces and generalizes. Gives whether the pattern is all that was to be found.
    fn generalize(
        &self,
        test: &CommandOracle,
        flicker: Option<Tally>,
        reduced: Option<Vec<u8>>,
        held: &mut Held,
    ) -> Result<(Exit, bool), Fault> {
        let (reduced, mut verdicts, late) = self.reduced(&Repeated::new(test, flicker), reduced, held)?;
        let check = self.syntax_check(&reduced)?;
        let mut flicker = flicker.or(late);
        let Found { pattern, end, stats } = loop {
            if flicker.is_some() {
                verdicts = Known::default();
            }
            let mut looks = Looks::default();
            let may_look = flicker.is_none().then_some(&mut looks);
            let repeated = Repeated::new(test, flicker);
            let found = self.found(&repeated, check.as_ref(), &reduced, &verdicts, may_look, held)?;
            if !looks.has_contradicted() {
                break found;
            }
            flicker = Some(self.flickers(measure(test, &self.whole(self.original))?, held)?);
        };
        if let Some(check) = check {
            check.close();
        }
        if let End::Broken(error) = end {
            return Err(Fault::Broken(error));
        }
        held.refuse_edited_test().map_err(Fault::Broken)?;
        match end {
            End::Interrupted => report::remark("interrupted: the pattern is what was known by then"),
            End::Time | End::Asked => {
                report::remark("the time is over: the pattern is what was known by then")
            }
            _ => {}
        }
        let effort = report::effort(&stats, self.start.elapsed());
        let name = &self.original[0].path;
        tell(self.arguments, self.outputs, self.parser, name, &pattern, &effort).map_err(Fault::Broken)?;
        let exit = if matches!(end, End::Interrupted) { Exit::Interrupted } else { Exit::Reduced };
        Ok((exit, matches!(end, End::Fixpoint)))
    }

    /// Generalizes a reduced file once, with second looks at what the test said if it is not known to flicker.
    fn found(
        &self,
        test: &Repeated<&CommandOracle>,
        check: Option<&CommandOracle>,
        reduced: &Contents,
        verdicts: &Known,
        mut looks: Option<&mut Looks>,
        held: &mut Held,
    ) -> Result<Found, Fault> {
        let alone = Beside { test, rest: self.rest };
        let required = check.map(|check| Required { test, check });
        let asked: &dyn Test = required.as_ref().map_or(test, |required| required);
        let asked = &Beside { test: asked, rest: self.rest };
        let mut search = self.search(reduced).map_err(Fault::Broken)?;
        let question = Question::Generalization;
        let known = held.known(question);
        let mut runs = report::runs(self.arguments.limits.verbosity());
        let mut listener = |event: &Event| runs(event).and_then(|()| held.hear(question, event));
        let options = Options { max_tests: None, known, limit: None, ..self.options.clone() };
        let again = looks.as_deref_mut();
        let (mut end, mut stats) = generalize(&mut search, reduced, asked, &options, again, &mut listener);
        let mut pattern = search.pattern();
        if let (Some(tries), Some(parser), End::Fixpoint) = (self.arguments.constructors, self.parser, &end) {
            let mut search = Extrapolating::new(&pattern, parser, self.arguments.seed, tries);
            let again = looks.as_deref_mut();
            let more = generalize(&mut search, reduced, asked, &options, again, &mut listener);
            pattern.constructors = search.found();
            end = more.0;
            stats.add(&more.1);
        }
        if self.arguments.excerpt && matches!(end, End::Fixpoint) {
            end = self.excerpt(&mut pattern, &alone, asked, verdicts, looks, held);
        }
        Ok(Found { pattern, end, stats })
    }

    /// Says that the test turned out to flicker, and records it.
    fn flickers(&self, original: Tally, held: &mut Held) -> Result<Tally, Fault> {
        if !self.arguments.limits.quiet {
            report::remark(&report::flickers(original, true));
        }
        held.flickers(original).map_err(Fault::Broken)?;
        Ok(original)
    }

    /// The properties of the run, as known before the first run of the test.
    fn header(&self, watch: &Watch, is_reduced: bool) -> Result<Header, Fault> {
        let arguments = self.arguments;
        let grammar = arguments.language.grammar().map(read).transpose().map_err(Fault::Broken)?;
        let what = if is_reduced { " of a reduced file" } else { "" };
        let require = arguments.require.as_deref().unwrap_or("the usual");
        Ok(Header {
            lopper: env!("CARGO_PKG_VERSION").to_owned(),
            name: self.original[0].path.to_string_lossy().into_owned(),
            form: Form::File,
            globs: Vec::new(),
            input: Key(key(&self.whole(self.original))),
            test: Key(watch.fingerprint()),
            own: watch.own().iter().map(Word::from).collect(),
            failure: None,
            flicker: None,
            language: self.language.name().to_owned(),
            grammar: grammar.map(|grammar| Key(key(&vec![NamedFile::new("grammar", grammar)]))),
            stay_in_grammar: self.parser.is_some(),
            protect: Vec::new(),
            algorithm: Some(format!("generalization{what} with the syntax check '{require}'")),
            goal: self.options.goal.name().to_owned(),
            effort: self.options.effort.name().to_owned(),
            search: self.options.search.name.to_owned(),
            passes: self.options.passes.iter().map(|pass| pass.name.to_owned()).collect(),
            first_run: 0,
            limit: 0,
            limit_follows: false,
            memory: arguments.limits.memory(),
        })
    }

    /// The reduced file: the one that there is, or the result of a reduction of the original; the verdicts of the
    /// reduction, by contents; and how often the test accepts the original, if it turned out to flicker.
    fn reduced(
        &self,
        test: &Repeated<&CommandOracle>,
        reduced: Option<Vec<u8>>,
        held: &mut Held,
    ) -> Result<(Contents, Known, Option<Tally>), Fault> {
        let file = &self.original[0];
        let test = &Beside { test, rest: self.rest };
        let known = held.known(Question::Reduction);
        let (mut verdicts, mut late) = (Known::clone(&known), None);
        if let Some(text) = reduced {
            let reduced = vec![file.with(text)];
            Choice::refuse_rejected(self.parser, &reduced[0]).map_err(Fault::Broken)?;
            if test.run(0, &reduced)? != Verdict::Interesting {
                let given = self.reduced.display();
                let error = UserError::bad_test(format!("the test does not accept '{given}'"));
                return Err(Fault::Broken(error));
            }
            return Ok((reduced, verdicts, None));
        }
        if let Some(text) = held.reduced.take() {
            return Ok((vec![file.with(text)], verdicts, None));
        }
        let base =
            Base { files: vec![Arc::new(Parsed::at(Arc::clone(&file.path), self.language, file.to_vec()))] };
        let options = Options { stay_in_grammar: self.parser.is_some(), known, ..self.options.clone() };
        let mut runs = report::runs(self.arguments.limits.verbosity());
        let mut listener = |event: &Event| {
            match event {
                &Event::Tested { key, verdict, time, known: false, .. } => {
                    verdicts.add(key, Timed { verdict, time });
                }
                Event::Flickers { original, .. } => late = Some(*original),
                _ => {}
            }
            runs(event).and_then(|()| held.hear(Question::Reduction, event))
        };
        let verdict = reduce::reduce(base, test, &options, &mut listener);
        match verdict.end {
            End::Broken(error) => return Err(Fault::Broken(error)),
            End::Interrupted => return Err(Fault::Interrupted),
            // Nothing is asked any more: a run that is resumed goes on with the reduction.
            End::Time | End::Asked => {}
            End::Fixpoint | End::Tests => {
                let kept = held.reduced_to(&verdict.contents, verdict.measure, verdict.stats.runs);
                kept.map_err(Fault::Broken)?;
            }
        }
        if let Some(original) = late {
            self.flickers(original, held)?;
        }
        Ok((verdict.contents, verdicts, late))
    }

    /// The test that recognises valid texts, if there is one.
    fn syntax_check(&self, reduced: &Contents) -> Result<Option<CommandOracle>, Fault> {
        let command = match self.arguments.require.as_deref() {
            Some("none") => return Ok(None),
            Some(command) => {
                let words = words(command).map_err(Fault::Broken)?;
                Some(TestCommand::line(&words).map_err(Fault::Broken)?)
            }
            None => syntax::usual(self.language.name()),
        };
        let Some(command) = command else { return Ok(None) };
        let limits = &self.arguments.limits;
        let arguments = [Arc::clone(&reduced[0].path)];
        let check = limits.test(command.into(), &arguments, Ground::default(), self.options, self.interrupt);
        let mut check = check.map_err(Fault::Broken)?;
        check.limit = Duration::from_secs(10);
        if check.run(0, &self.whole(reduced))? == Verdict::Interesting {
            return Ok(Some(check));
        }
        check.close();
        if self.arguments.require.is_some() {
            let error = UserError::bad_test("the command of --require rejects the reduced file");
            return Err(Fault::Broken(error));
        }
        report::remark("the usual syntax check rejects the reduced file, and is not used: see --require");
        Ok(None)
    }

    fn search(&self, reduced: &Contents) -> Result<Generalizing, UserError> {
        let arguments = self.arguments;
        let base = match self.parser {
            Some(_) => lopper_patterns::Options::published(arguments.seed),
            None => lopper_patterns::Options::thrifty(arguments.seed),
        };
        let options = lopper_patterns::Options {
            timed_out_as: arguments.timeout_as.verdict(),
            most_runs: Looks::room(arguments.budget),
            instances: arguments.instances,
            min_rate: arguments.min_rate,
            confidence: arguments.confidence,
            enough: lopper_patterns::rate::trials_for(arguments.min_rate, arguments.confidence),
            ..base
        };
        let text = reduced[0].to_vec();
        if let Some(parser) = self.parser {
            let example = Parsed::new(parser.derivation_trees(), text);
            let search = Generalizing::of_grammar(&example, options);
            return search.map_err(|error| UserError::usage(error.to_string()));
        }
        let mut files = vec![Parsed::new(self.language, self.original[0].to_vec())];
        for path in &arguments.from {
            files.push(Parsed::new(self.language, read(path)?));
        }
        let example = Parsed::new(self.language, text);
        Ok(Generalizing::of_source(&example, &files.iter().collect::<Vec<_>>(), options))
    }
}
