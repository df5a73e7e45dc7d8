//! `lopper-bench simulate`: the real engine on simulated items, for questions about searches and workers.
//!
//! An item is a line of a text. Some items are needed, and some pairs of items conflict: either item may be
//! deleted, but not both. A run of the test only sleeps, so two processors are enough to simulate many
//! workers.

use crate::numbers::{median, shown};
use crate::table::Table;
use crate::{ours, say};
use lopper::cli::search_parser;
use lopper::error::UserError;
use lopper::languages::Parsed;
use lopper::languages::text::TEXT;
use lopper::languages::tree::NodeId;
use lopper::oracle::{Contents, Fault, Test, Verdict};
use lopper::passes::{self, Base, Group, Pass, Unit};
use lopper::run::Options;
use lopper::search::{Kind, SEARCHES};
use std::fmt::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Runs the real engine on simulated items with a scripted test
///
/// Prints the number of runs of the test per item, the number of tests that were started for them (several
/// workers start some in vain), and the speed-up with more workers.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Arguments {
    /// The number of items, a line each
    #[arg(long, default_value_t = 512)]
    items: usize,
    /// The probability that an item is removable
    #[arg(short, long, default_value_t = 0.9)]
    probability: f64,
    /// The share of the removable items that conflict with another one: either may be deleted, but not both
    #[arg(long, default_value_t = 0.0)]
    conflicts: f64,
    /// The number of neighbouring items that are removable or needed together
    #[arg(long, default_value_t = 1)]
    cluster: usize,
    /// The mean duration of a run of the test, in milliseconds; it varies from half to one and a half times
    /// that
    #[arg(long, default_value_t = 4.0)]
    latency: f64,
    /// The time that a cancelled test takes to end, in milliseconds
    #[arg(long, default_value_t = 0.0)]
    grace: f64,
    /// The share of runs that take ten times as long
    #[arg(long, default_value_t = 0.0, value_name = "P")]
    stragglers: f64,
    /// The share of runs whose worker is lost: after a part of its time, the run begins anew with another one
    #[arg(long, default_value_t = 0.0, value_name = "P")]
    loss: f64,
    /// The workers are shared with others, as on a cluster: few runs in vain
    #[arg(long)]
    shared: bool,
    /// The numbers of workers
    #[arg(short, long, value_delimiter = ',', default_value = "1,2,4,8")]
    workers: Vec<usize>,
    /// The searches
    #[arg(long, value_delimiter = ',', default_value = SEARCHES[0].name, value_parser = search_parser())]
    search: Vec<&'static Kind>,
    /// The only pass [default: one that deletes items and has no coarse sweeps]
    #[arg(long)]
    pass: Option<String>,
    /// The number of repetitions, each with other items; the table shows medians
    #[arg(long, default_value_t = 3)]
    repeats: u64,
}

/// Deletes items, a line each.
static ITEMS: Pass = Pass {
    name: "items",
    summary: "deletes made-up items",
    plan: |base| {
        let cut = |node| Unit::Drop { file: 0, node };
        let items = base.file(0).tree().children(NodeId::ROOT).map(cut);
        vec![Group::deletions(items)]
    },
    ..Pass::DEFAULT
};

/// The properties of simulated items.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// Whether each item is needed.
    needed: Vec<bool>,
    /// For each item, the one that it conflicts with.
    rival: Vec<Option<usize>>,
}

impl World {
    /// Simulated items; another seed gives other items.
    pub(crate) fn new(arguments: &Arguments, seed: u64) -> Self {
        let chance = |what: &[u8], item: usize| {
            let hash = xxh3_64_with_seed(&[what, &item.to_le_bytes()].concat(), seed);
            (hash >> 11) as f64 / (1u64 << 53) as f64
        };
        let cluster = arguments.cluster.max(1);
        let needed: Vec<bool> =
            (0..arguments.items).map(|i| chance(b"needed", i / cluster) >= arguments.probability).collect();
        let mut in_conflict: Vec<usize> = (0..arguments.items)
            .filter(|&i| !needed[i] && chance(b"conflict", i) < arguments.conflicts)
            .collect();
        in_conflict.sort_by(|&a, &b| chance(b"order", a).total_cmp(&chance(b"order", b)));
        let mut rival = vec![None; arguments.items];
        for pair in in_conflict.chunks_exact(2) {
            rival[pair[0]] = Some(pair[1]);
            rival[pair[1]] = Some(pair[0]);
        }
        Self { needed, rival }
    }

    /// The text: a word in brackets per line, so that an item's neighbours have the same tokens whatever is
    /// deleted, and failed units are not tested again because of them.
    pub(crate) fn text(&self) -> Vec<u8> {
        let mut text = String::new();
        for item in 0..self.needed.len() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "(item{item})");
        }
        text.into_bytes()
    }

    /// Whether all needed items are there, and no conflict has lost both its items.
    pub(crate) fn accepts(&self, text: &[u8]) -> bool {
        let mut there = vec![false; self.needed.len()];
        for line in String::from_utf8_lossy(text).split_whitespace() {
            let item = line.strip_prefix("(item").and_then(|line| line.strip_suffix(')'));
            let item = item.and_then(|number| number.parse::<usize>().ok());
            if let Some(slot) = item.and_then(|item| there.get_mut(item)) {
                *slot = true;
            }
        }
        let holds = |item: usize| {
            there[item] || !self.needed[item] && self.rival[item].is_none_or(|rival| there[rival])
        };
        (0..there.len()).all(holds)
    }
}

/// How many times as long a straggler takes.
const STRAGGLES: f64 = 10.0;

/// A test that sleeps, and counts how often it was started.
#[derive(Debug)]
struct Sleeper<'a> {
    world: &'a World,
    latency: Duration,
    grace: Duration,
    stragglers: f64,
    loss: f64,
    is_shared: bool,
    started: AtomicUsize,
    /// For each worker, whether its run is to be cancelled.
    cancelled: Vec<(Mutex<bool>, Condvar)>,
}

impl<'a> Sleeper<'a> {
    fn new(world: &'a World, arguments: &Arguments, workers: usize) -> Self {
        let cancelled = (0..workers).map(|_| Default::default()).collect();
        let time = |milliseconds: f64| Duration::from_secs_f64(milliseconds.clamp(0.0, 1e6) / 1000.0);
        let (latency, grace) = (time(arguments.latency), time(arguments.grace));
        let [stragglers, loss] = [arguments.stragglers, arguments.loss].map(|share| share.clamp(0.0, 0.9));
        let (started, is_shared) = (AtomicUsize::new(0), arguments.shared);
        Self { world, latency, grace, stragglers, loss, is_shared, started, cancelled }
    }

    /// The time of a run on a text, with that on workers that are lost.
    fn time(&self, text: &[u8]) -> Duration {
        let chance = |seed: u64| xxh3_64_with_seed(text, seed) as f64 / u64::MAX as f64;
        let mut time = self.latency.mul_f64(0.5 + chance(1));
        if chance(2) < self.stragglers {
            time = time.mul_f64(STRAGGLES);
        }
        let lost = (3..).step_by(2).take_while(|&seed| chance(seed) < self.loss);
        time + lost.map(|seed| time.mul_f64(chance(seed + 1))).sum::<Duration>()
    }
}

impl Test for Sleeper<'_> {
    fn run(&self, worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        self.started.fetch_add(1, Ordering::Relaxed);
        let (cancelled, changed) = &self.cancelled[worker];
        let mut flag = cancelled.lock().unwrap_or_else(PoisonError::into_inner);
        *flag = false;
        let end = Instant::now() + self.time(&candidate[0]);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if *flag {
                drop(flag);
                std::thread::sleep(self.grace);
                return Err(Fault::Cancelled);
            }
            if left.is_zero() {
                break;
            }
            flag = changed.wait_timeout(flag, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(flag);
        Ok(if self.world.accepts(&candidate[0]) { Verdict::Interesting } else { Verdict::Boring })
    }

    fn cancel(&self, worker: usize) {
        let (cancelled, changed) = &self.cancelled[worker];
        *cancelled.lock().unwrap_or_else(PoisonError::into_inner) = true;
        changed.notify_all();
    }

    fn is_shared(&self) -> bool {
        self.is_shared
    }
}

/// The outcome of one reduction of simulated items.
#[derive(Clone, Debug)]
pub(crate) struct Simulated {
    /// Runs whose verdict was used.
    pub(crate) runs: usize,
    /// Tests that were started.
    pub(crate) tests: usize,
    /// Remaining items.
    pub(crate) left: usize,
    /// Seconds.
    pub(crate) wall: f64,
    /// Processor seconds.
    pub(crate) cpu: f64,
    /// A fingerprint of the result.
    pub(crate) result: String,
}

/// Reduces simulated items.
///
/// # Errors
///
/// If the pass does not exist.
pub(crate) fn simulate(
    world: &World,
    arguments: &Arguments,
    search: &'static Kind,
    workers: usize,
) -> Result<Simulated, UserError> {
    let unknown = |name: &str| UserError::usage(format!("there is no pass '{name}'"));
    let named = |name| passes::named(name).ok_or_else(|| unknown(name));
    let pass = arguments.pass.as_deref().map_or(Ok(&ITEMS), named)?;
    let test = Sleeper::new(world, arguments, workers);
    let base = Base { files: vec![Arc::new(Parsed::new(&TEXT, world.text()))] };
    let options = Options { passes: vec![pass], search, jobs: workers, ..Options::default() };
    let record = ours::measured(base, &test, &options)?;
    Ok(Simulated {
        runs: record.runs,
        // The last run only confirms the result.
        tests: test.started.load(Ordering::Relaxed) - 1,
        left: record.to.tokens / 3,
        wall: record.wall,
        cpu: record.cpu.unwrap_or_default(),
        result: record.result,
    })
}

/// Runs the command.
///
/// # Errors
/// If the arguments are invalid.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, UserError> {
    if arguments.items == 0 || arguments.workers.contains(&0) || arguments.repeats == 0 {
        return Err(UserError::usage("items, workers and repeats must be more than 0"));
    }
    let Arguments { items, probability, conflicts, cluster, latency, pass, stragglers, loss, .. } = arguments;
    let title =
        format!("{items} items, probability {probability}, conflicts {conflicts}, clusters of {cluster}");
    let note = format!(
        "Pass `{}`, {latency} ms a test, {stragglers} of them ten times that, {loss} on lost workers, medians of {}. \
         Speed-up is against the first number of workers.",
        pass.as_deref().unwrap_or(ITEMS.name),
        arguments.repeats
    );
    let head = [
        "search",
        "workers",
        "items left",
        "runs an item",
        "tests an item",
        "seconds",
        "own seconds",
        "speed-up",
    ];
    let mut table = Table::new(&title, &note, head);
    for &search in &arguments.search {
        let mut results = vec![Vec::new(); arguments.workers.len()];
        for seed in 0..arguments.repeats {
            let world = World::new(arguments, seed);
            for (&workers, results) in arguments.workers.iter().zip(&mut results) {
                results.push(simulate(&world, arguments, search, workers)?);
            }
        }
        let mut differ = false;
        let first = results[0].clone();
        for (results, &workers) in results.iter().zip(&arguments.workers) {
            let of = |value: &dyn Fn(&Simulated) -> f64| median(results.iter().map(value)).unwrap_or(0.0);
            let faster = |(first, this): (&Simulated, &Simulated)| first.wall / this.wall.max(1e-9);
            let speed = median(first.iter().zip(results).map(faster)).unwrap_or(1.0);
            differ |= first.iter().zip(results).any(|(a, b)| (a.runs, &a.result) != (b.runs, &b.result));
            let per_item = |value: f64| shown(value / *items as f64, 2);
            table.row([
                search.name.to_owned(),
                workers.to_string(),
                shown(of(&|r| r.left as f64), 0),
                per_item(of(&|r| r.runs as f64)),
                per_item(of(&|r| r.tests as f64)),
                shown(of(&|r| r.wall), 2),
                shown(of(&|r| r.cpu), 2),
                format!("{speed:.2}"),
            ]);
        }
        if differ {
            return Err(UserError::usage(
                "the number of workers changed the result: this is a bug in Lopper",
            ));
        }
    }
    say::answer(&table.markdown());
    Ok(ExitCode::SUCCESS)
}
