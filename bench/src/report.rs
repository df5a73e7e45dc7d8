//! `lopper-bench table`: the results of a campaign.

use crate::numbers::{geometric_mean, median, percent, shown};
use crate::record::{PassRecord, Record, read};
use crate::table::Table;
use crate::yardstick::{area, distance};
use crate::{peers, say};
use lopper::error::UserError;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// Shows the results of a campaign: sizes, runs, times, and the statistics and the worth of passes
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The output of `run`
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Results of other reducers that were measured elsewhere
    #[arg(long, value_name = "FILE")]
    peers: Option<PathBuf>,
    /// Only these configurations
    #[arg(short, long = "config", value_name = "CONFIG")]
    configs: Vec<String>,
    /// Only these tables
    #[arg(long, value_name = "TABLE", value_delimiter = ',', value_parser = ["sizes", "yardsticks", "ratios", "passes", "marginal", "repeats"])]
    only: Vec<String>,
    /// The format of the tables
    #[arg(long, default_value = "markdown", value_parser = ["markdown", "csv"])]
    format: String,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, UserError> {
    let mut records = Vec::new();
    for file in &arguments.files {
        records.extend(read(file)?);
    }
    records.retain(|r| arguments.configs.is_empty() || arguments.configs.contains(&r.config));
    let names: Vec<String> = records.iter().map(|r| r.case.clone()).collect();
    if let Some(file) = &arguments.peers {
        records.extend(peers::read(file)?.into_iter().filter(|r| names.contains(&r.case)));
    }
    let campaign = Campaign::new(records);
    let wanted = |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|o| o == name);
    let mut tables = Vec::new();
    if wanted("sizes") {
        tables.extend(campaign.sizes());
    }
    if wanted("yardsticks") {
        tables.extend(campaign.yardsticks());
    }
    for (name, table) in [
        ("ratios", campaign.ratios()),
        ("passes", campaign.passes()),
        ("marginal", campaign.marginal()),
        ("repeats", campaign.repeats()),
    ] {
        tables.extend(table.filter(|t| wanted(name) && !t.rows.is_empty()));
    }
    for table in tables {
        say::answer(&if arguments.format == "csv" { table.csv() } else { table.markdown() });
    }
    Ok(ExitCode::SUCCESS)
}

/// The records of a campaign, by case and configuration.
#[derive(Debug, Default)]
pub(crate) struct Campaign {
    /// The cases, sorted.
    cases: Vec<String>,
    /// The configurations, in the order of their first records.
    configs: Vec<String>,
    /// The repeats, by case and configuration.
    runs: BTreeMap<(String, String), Vec<Record>>,
}

impl Campaign {
    /// Sorts records; of several records of one run, the last one counts.
    pub(crate) fn new(records: Vec<Record>) -> Self {
        let mut campaign = Self::default();
        for record in records {
            if !campaign.configs.contains(&record.config) {
                campaign.configs.push(record.config.clone());
            }
            let runs = campaign.runs.entry((record.case.clone(), record.config.clone())).or_default();
            runs.retain(|r| r.repeat != record.repeat);
            runs.push(record);
        }
        campaign.cases = campaign.runs.keys().map(|(case, _)| case.clone()).collect();
        campaign.cases.dedup();
        campaign
    }

    fn of(&self, case: &str, config: &str) -> &[Record] {
        self.runs.get(&(case.to_owned(), config.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// The median over the repeats.
    fn median(&self, case: &str, config: &str, value: impl Fn(&Record) -> Option<f64>) -> Option<f64> {
        median(self.of(case, config).iter().filter_map(value))
    }

    fn sizes(&self) -> Vec<Table> {
        let tokens = |r: &Record| Some(r.to.tokens as f64);
        let bytes = |r: &Record| Some(r.to.bytes as f64);
        let runs = |r: &Record| Some(r.runs as f64);
        let wall = |r: &Record| Some(r.wall);
        let cpu = |r: &Record| r.cpu;
        let note = "`*`: stopped by a limit; `!`: the case's own test refuses the result.";
        let mut tables = vec![
            self.by_case("Tokens", note, 0, &tokens, Some(&|r| r.from.tokens)),
            self.by_case("Bytes", note, 0, &bytes, Some(&|r| r.from.bytes)),
            self.by_case("Runs of the test", "", 0, &runs, None),
            self.by_case("Seconds", "", 1, &wall, None),
        ];
        if self.runs.values().flatten().any(|r| r.cpu.is_some()) {
            let note = "The tests not included.";
            tables.push(self.by_case("Processor seconds of the reducer itself", note, 2, &cpu, None));
        }
        tables
    }

    fn yardsticks(&self) -> [Table; 2] {
        let note =
            "Runs divided by k + k log2(N / k) for N tokens before and k after: 1 is the least possible.";
        let distance = self.by_case("Runs as a multiple of the least possible", note, 1, &distance, None);
        let horizon = |case: &str| {
            let runs = self.configs.iter().flat_map(|config| self.of(case, config)).map(|r| r.runs);
            runs.max().unwrap_or(0)
        };
        let horizons: BTreeMap<&String, usize> =
            self.cases.iter().map(|case| (case, horizon(case))).collect();
        let note = "The mean of log2(bytes) over all runs, up to those of the configuration with the most: the \
                    lower, the sooner the program became small.";
        let area = |r: &Record| area(r, horizons.get(&r.case).copied().unwrap_or(0));
        [distance, self.by_case("Area under the curve", note, 2, &area, None)]
    }

    /// A table with a row per case and a column per configuration.
    fn by_case(
        &self,
        title: &str,
        note: &str,
        places: usize,
        value: &dyn Fn(&Record) -> Option<f64>,
        input: Option<&dyn Fn(&Record) -> usize>,
    ) -> Table {
        let first = input.map(|_| "input".to_owned());
        let head = std::iter::once("case".to_owned()).chain(first).chain(self.configs.iter().cloned());
        let mut table = Table::new(title, note, head);
        for case in &self.cases {
            let known =
                self.configs.iter().flat_map(|config| self.of(case, config)).find(|r| r.from.bytes > 0);
            let input = input.map(|input| known.map_or_else(|| "-".to_owned(), |r| input(r).to_string()));
            let cells = self.configs.iter().map(|config| {
                let runs = self.of(case, config);
                let cut = if runs.iter().any(Record::is_cut_short) { "*" } else { "" };
                let refused = if runs.iter().all(|r| r.ok) { "" } else { "!" };
                let value = self.median(case, config, value);
                value.map_or_else(|| "-".to_owned(), |v| format!("{}{cut}{refused}", shown(v, places)))
            });
            table.row(std::iter::once(case.clone()).chain(input).chain(cells));
        }
        let shared: Vec<&String> = self.cases.iter().filter(|case| self.is_shared(case)).collect();
        if shared.len() > 1 && self.configs.len() > 1 {
            let mean = |config: &String| {
                let values = shared.iter().filter_map(|case| self.median(case, config, value));
                geometric_mean(values).map_or_else(|| "-".to_owned(), |v| shown(v, places.max(1)))
            };
            let label = format!("geometric mean of the {} that all ended", shared.len());
            let blank = input.map(|_| String::new());
            table.row(std::iter::once(label).chain(blank).chain(self.configs.iter().map(mean)));
        }
        table
    }

    fn is_shared(&self, case: &str) -> bool {
        self.configs.iter().all(|config| self.has_ended(case, config))
    }

    /// Whether there are several repeats, and no limit stopped any of them.
    fn has_ended(&self, case: &str, config: &str) -> bool {
        let runs = self.of(case, config);
        !runs.is_empty() && !runs.iter().any(Record::is_cut_short)
    }

    /// The ratios of each configuration to the first one: repeats are compared pair by pair, since they took
    /// turns.
    fn ratios(&self) -> Option<Table> {
        let (first, others) = self.configs.split_first()?;
        let note = format!(
            "Geometric mean over the cases that both ended without a limit of the median over the repeats; 1 is `{first}`. \
             Times are compared only where they come from one campaign."
        );
        let head = ["configuration", "cases", "tokens", "bytes", "runs", "seconds", "processor seconds"];
        let mut table = Table::new("Ratios", &note, head);
        for config in others {
            let both = |case: &&String| self.has_ended(case, first) && self.has_ended(case, config);
            let cases: Vec<&String> = self.cases.iter().filter(both).collect();
            let ratio = |value: &dyn Fn(&Record) -> Option<f64>| {
                let ratios = cases.iter().filter_map(|case| {
                    let (a, b) = (self.of(case, first), self.of(case, config));
                    let pairs = b.iter().filter_map(|b| Some((a.iter().find(|a| a.repeat == b.repeat)?, b)));
                    median(pairs.filter_map(|(a, b)| Some(value(b)? / value(a)?)).filter(|r| r.is_finite()))
                });
                geometric_mean(ratios).map_or_else(|| "-".to_owned(), |r| shown(r, 3))
            };
            let here = |value: f64, r: &Record| (!r.input.is_empty()).then_some(value);
            table.row([
                config.clone(),
                cases.len().to_string(),
                ratio(&|r| Some(r.to.tokens as f64)),
                ratio(&|r| Some(r.to.bytes as f64)),
                ratio(&|r| Some(r.runs as f64)),
                ratio(&|r| here(r.wall, r)),
                ratio(&|r| r.cpu),
            ]);
        }
        Some(table)
    }

    /// The statistics of the passes in the first configuration that has any, over all cases.
    fn passes(&self) -> Option<Table> {
        let firsts = |config: &String| -> Vec<&Record> {
            self.cases.iter().filter_map(|case| self.of(case, config).first()).collect()
        };
        let config = self.configs.iter().find(|c| firsts(c).iter().any(|r| !r.passes.is_empty()))?;
        let mut sums: Vec<PassRecord> = Vec::new();
        for pass in firsts(config).iter().flat_map(|r| &r.passes) {
            let known = sums.iter().position(|sum| sum.name == pass.name).unwrap_or_else(|| {
                sums.push(PassRecord { name: pass.name.clone(), ..PassRecord::default() });
                sums.len() - 1
            });
            let sum = &mut sums[known];
            sum.planned += pass.planned;
            sum.proposed += pass.proposed;
            sum.refused += pass.refused;
            sum.runs += pass.runs;
            sum.accepted += pass.accepted;
            sum.tokens += pass.tokens;
            sum.bytes += pass.bytes;
        }
        let note = format!(
            "Configuration `{config}`, {} cases together. Planned: units. Refused: units and \
             candidates, by the grammar, without a run. Proposed: candidates; those that were not run were \
             known, refused or not smaller.",
            firsts(config).len()
        );
        let head = [
            "pass",
            "planned",
            "refused",
            "proposed",
            "runs",
            "accepted",
            "accepted of runs",
            "tokens",
            "bytes",
            "tokens a run",
        ];
        let mut table = Table::new("What passes do", &note, head);
        for pass in sums {
            let rate = pass.tokens as f64 / pass.runs.max(1) as f64;
            table.row([
                pass.name,
                pass.planned.to_string(),
                pass.refused.to_string(),
                pass.proposed.to_string(),
                pass.runs.to_string(),
                pass.accepted.to_string(),
                percent(pass.accepted, pass.runs),
                pass.tokens.to_string(),
                pass.bytes.to_string(),
                shown(rate, 2),
            ]);
        }
        Some(table)
    }

    /// The loss without each pass, over the cases that both configurations completed.
    fn marginal(&self) -> Option<Table> {
        let whole = self.configs.iter().find(|c| *c == "default")?;
        let note = "All passes but one against all, summed over the cases that both ended without a limit. \
                    A pass is worth its place if the results grow, or the runs do, without it.";
        let head = ["without", "cases", "tokens", "bytes", "runs", "cases that grow", "cases that shrink"];
        let mut table = Table::new("What each pass is worth", note, head);
        for config in &self.configs {
            let Some(pass) = config.strip_prefix("without=") else { continue };
            let both = |case: &&String| self.has_ended(case, whole) && self.has_ended(case, config);
            let cases: Vec<&String> = self.cases.iter().filter(both).collect();
            let sum = |config: &String, value: &dyn Fn(&Record) -> Option<f64>| -> f64 {
                cases.iter().filter_map(|case| self.median(case, config, value)).sum()
            };
            let change = |value: &dyn Fn(&Record) -> Option<f64>| sum(config, value) - sum(whole, value);
            let tokens = |r: &Record| Some(r.to.tokens as f64);
            let runs = |r: &Record| Some(r.runs as f64);
            let count = |sign: f64| {
                let tokens = |case: &&&String, config| self.median(case, config, tokens).unwrap_or(0.0);
                let moved = |case: &&&String| sign * (tokens(case, config) - tokens(case, whole)) > 0.0;
                cases.iter().filter(moved).count().to_string()
            };
            let share = 100.0 * change(&runs) / sum(whole, &runs).max(1.0);
            table.row([
                pass.to_owned(),
                cases.len().to_string(),
                format!("{:+.0}", change(&tokens)),
                format!("{:+.0}", change(&|r: &Record| Some(r.to.bytes as f64))),
                format!("{:+.0} ({share:+.0} %)", change(&runs)),
                count(1.0),
                count(-1.0),
            ]);
        }
        Some(table)
    }

    /// Whether repeats agree exactly; runs that the clock stopped are left out.
    fn repeats(&self) -> Option<Table> {
        let note = "Repeats that agree in sizes, runs, verdicts, the whole curve and the result's bytes. Runs that \
                    a clock ended are left out.";
        let head = ["configuration", "cases", "agree", "differ in"];
        let mut table = Table::new("Repeats", note, head);
        for config in &self.configs {
            let (mut cases, mut differ) = (0, Vec::new());
            for case in &self.cases {
                let runs = self.of(case, config);
                if let [first, rest @ ..] = runs
                    && !rest.is_empty()
                    && runs.iter().all(|r| r.end != "time" && !r.passes.is_empty())
                {
                    cases += 1;
                    if !rest.iter().all(|r| r.agrees_with(first)) {
                        differ.push(case.clone());
                    }
                }
            }
            if cases > 0 {
                let agree = (cases - differ.len()).to_string();
                table.row([config.clone(), cases.to_string(), agree, differ.join(" ")]);
            }
        }
        Some(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Size;

    fn record(case: &str, config: &str, repeat: u32, tokens: usize, wall: f64) -> Record {
        let (case, config) = (case.to_owned(), config.to_owned());
        let to = Size { tokens, bytes: 2 * tokens };
        let end = "fixpoint".to_owned();
        let passes = vec![PassRecord { name: "lines".into(), runs: 4, accepted: 1, ..PassRecord::default() }];
        let input = "x".to_owned();
        Record { case, config, repeat, to, wall, end, ok: true, runs: 10, input, passes, ..Record::default() }
    }

    fn campaign() -> Campaign {
        Campaign::new(vec![
            record("a", "default", 0, 10, 1.0),
            record("a", "without=lines", 0, 15, 3.0),
            record("a", "default", 1, 10, 2.0),
            record("a", "without=lines", 1, 15, 4.0),
            record("b", "default", 0, 20, 1.0),
        ])
    }

    #[test]
    fn the_worth_of_a_pass_is_computed_over_the_cases_that_both_completed() {
        let table = campaign().marginal().unwrap();
        assert_eq!(table.rows, [["lines", "1", "+5", "+10", "+0 (+0 %)", "1", "0"]]);
    }

    #[test]
    fn times_are_compared_pair_by_pair() {
        let table = campaign().ratios().unwrap();
        assert_eq!(table.rows[0][..6], ["without=lines", "1", "1.500", "1.500", "1.000", "2.500"]);
    }

    #[test]
    fn a_case_that_is_missing_is_a_dash() {
        let table = &campaign().sizes()[0];
        assert_eq!(table.rows[1], ["b", "-", "20", "-"]);
    }

    #[test]
    fn repeats_that_differ_are_named() {
        let mut records = vec![record("a", "default", 0, 10, 1.0), record("a", "default", 1, 10, 2.0)];
        let agree = Campaign::new(records.clone()).repeats().unwrap();
        assert_eq!(agree.rows, [["default", "1", "1", ""]]);
        records[1].runs += 1;
        let differ = Campaign::new(records).repeats().unwrap();
        assert_eq!(differ.rows, [["default", "1", "0", "a"]]);
    }

    #[test]
    fn passes_are_summed_over_the_cases() {
        let table = campaign().passes().unwrap();
        assert_eq!(table.rows[0][..7], ["lines", "0", "0", "0", "8", "2", "25.0 %"]);
    }
}
