//! `lopper-bench plot`: curves of size over runs, one SVG file per case.

use crate::record::{Point, Record, read};
use crate::say;
use lopper::error::UserError;
use plotters::prelude::*;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Draws the size over the runs of the test, one SVG file per case
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The output of `run`
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The folder for the SVG files
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// The unit of the size; for other reducers, the curve exists in bytes only
    #[arg(long, default_value = "tokens", value_parser = ["tokens", "bytes"])]
    by: String,
    /// Only these configurations
    #[arg(short, long = "config", value_name = "CONFIG")]
    configs: Vec<String>,
    /// Runs on a logarithmic axis
    #[arg(long)]
    log: bool,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, UserError> {
    let mut records = Vec::new();
    for file in &arguments.files {
        records.extend(read(file)?);
    }
    records
        .retain(|r| r.repeat == 0 && (arguments.configs.is_empty() || arguments.configs.contains(&r.config)));
    std::fs::create_dir_all(&arguments.output).map_err(|e| {
        UserError::usage(format!("the folder '{}' cannot be made", arguments.output.display()))
            .fact(e.to_string())
    })?;
    let mut cases: Vec<&str> = records.iter().map(|r| r.case.as_str()).collect();
    cases.sort_unstable();
    cases.dedup();
    for case in cases {
        let of_case: Vec<&Record> = records.iter().filter(|r| r.case == case).collect();
        let path = arguments.output.join(format!("{case}.svg"));
        let drawn = draw(&path, case, &of_case, arguments.by == "bytes", arguments.log);
        drawn.map_err(|e| UserError::usage(format!("'{}' cannot be drawn", path.display())).fact(e))?;
        say::answer(&format!("{}\n", path.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// A curve as steps, in the coordinates of the plot: the logarithm of the size over the runs as `x` places them.
fn steps(record: &Record, bytes: bool, x: impl Fn(usize) -> f64) -> Vec<(f64, f64)> {
    let mut line: Vec<(f64, f64)> = Vec::new();
    let size = |point: &Point| if bytes { Some(point.2) } else { point.1 };
    for (runs, size) in record.curve.iter().filter_map(|p| Some((p.0, size(p)?))) {
        let y = (size.max(1) as f64).log10();
        line.extend(line.last().map(|last| (x(runs), last.1)));
        line.push((x(runs), y));
    }
    line.extend(line.last().map(|last| (x(record.runs), last.1)));
    line
}

fn draw(path: &Path, case: &str, records: &[&Record], bytes: bool, log: bool) -> Result<(), String> {
    let x = |runs: usize| if log { (runs.max(1) as f64).log10() } else { runs as f64 };
    let lines: Vec<(&str, Vec<(f64, f64)>)> =
        records.iter().map(|r| (r.config.as_str(), steps(r, bytes, x))).collect();
    let points = || lines.iter().flat_map(|(_, line)| line);
    let right = points().map(|p| p.0).fold(1.0, f64::max);
    let top = points().map(|p| p.1).fold(1.0, f64::max);
    let area = SVGBackend::new(path, (900, 560)).into_drawing_area();
    let drawn = || -> Result<(), Box<dyn std::error::Error>> {
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(case, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(42)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..right * 1.02, 0.0..top * 1.05)?;
        let number = |v: &f64| format!("{:.0}", 10f64.powf(*v));
        chart
            .configure_mesh()
            .x_desc(if log { "runs of the test (logarithmic)" } else { "runs of the test" })
            .y_desc(if bytes { "bytes (logarithmic)" } else { "tokens (logarithmic)" })
            .x_label_formatter(&|v| if log { number(v) } else { format!("{v:.0}") })
            .y_label_formatter(&number)
            .light_line_style(TRANSPARENT)
            .draw()?;
        for (index, (name, line)) in lines.iter().enumerate() {
            let color = Palette99::pick(index).to_rgba();
            let series = LineSeries::new(line.iter().copied(), color.stroke_width(2));
            chart
                .draw_series(series)?
                .label(*name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
        }
        chart
            .configure_series_labels()
            .border_style(BLACK.mix(0.3))
            .background_style(WHITE.mix(0.8))
            .draw()?;
        area.present()?;
        Ok(())
    };
    drawn().map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_stays_level_until_the_next_success_and_to_the_end() {
        let curve = vec![Point(0, Some(100), 5), Point(4, Some(10), 5), Point(6, None, 5)];
        let record = Record { curve, runs: 9, ..Record::default() };
        let line = steps(&record, false, |runs| runs as f64);
        assert_eq!(line, [(0.0, 2.0), (4.0, 2.0), (4.0, 1.0), (9.0, 1.0)]);
    }

    #[test]
    fn a_plot_names_its_case_and_its_configurations() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("case.svg");
        let curve = vec![Point(0, Some(100), 500), Point(4, Some(10), 50)];
        let record = Record { config: "ddmin".into(), curve, runs: 9, ..Record::default() };
        draw(&path, "some-case", &[&record], true, true)?;
        let svg = std::fs::read_to_string(path)?;
        assert!(svg.contains("some-case") && svg.contains("ddmin") && svg.contains("polyline"));
        Ok(())
    }
}
