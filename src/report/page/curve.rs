//! The curve of a run, as SVG: the size of the program on a logarithmic axis. The style sheet of the page sets its colours.

use plotters::coord::combinators::BindKeyPoints;
use plotters::prelude::*;
use std::error::Error;

/// The size of a picture; the page scales it.
const SIZE: (u32, u32) = (1120, 520);
/// The widths of lines, by which the style sheet tells them apart.
const CURVE: u32 = 4;
const GRID: u32 = 2;

/// A step function from `points`, which ascend in x, up to `end`. `x_name` and `y_name` are the names of the axes.
pub(super) fn svg(points: &[(f64, usize)], end: f64, x_name: &str, y_name: &str) -> String {
    let mut out = String::new();
    // The picture is drawn in memory, where nothing can fail.
    let _ = draw(&mut out, points, end, (x_name, y_name));
    // A page needs no name space, but a name for those who cannot see the picture.
    let name = format!(" role=\"img\" aria-label=\"{y_name} over {x_name}\"");
    out.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", &name, 1)
}

fn draw(
    out: &mut String,
    points: &[(f64, usize)],
    end: f64,
    (x_name, y_name): (&str, &str),
) -> Result<(), Box<dyn Error>> {
    let sizes = points.iter().map(|(_, size)| (*size).max(1) as f64);
    let (low, high) =
        sizes.fold((f64::INFINITY, 1.0_f64), |(low, high), size| (low.min(size), high.max(size)));
    let low = if low.is_finite() { low.min(high / 2.0).max(0.8) } else { 0.8 };
    let end = if end > 0.0 { end } else { 1.0 };
    let area = SVGBackend::with_string(out, SIZE).into_drawing_area();
    let rows = (low..high * 1.05).log_scale().with_key_points(sizes_to_mark(low, high));
    let mut chart = ChartBuilder::on(&area)
        .margin(8)
        .margin_right(24)
        .x_label_area_size(80)
        .y_label_area_size(116)
        .build_cartesian_2d(0.0..end, rows)?;
    let text = ("sans-serif", 29).into_font();
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.stroke_width(GRID))
        .axis_style(BLACK.stroke_width(GRID))
        .x_labels(7)
        .x_label_formatter(&|value| ((value * 1e6).round() / 1e6).to_string())
        .y_label_formatter(&|value| format!("{value:.0}"))
        .label_style(text.clone())
        .axis_desc_style(text)
        .x_desc(x_name)
        .y_desc(y_name)
        .draw()?;
    chart.draw_series(LineSeries::new(steps(points, end), BLACK.stroke_width(CURVE)))?;
    area.present()?;
    Ok(())
}

/// The corners of the step function.
fn steps(points: &[(f64, usize)], end: f64) -> Vec<(f64, f64)> {
    let mut line: Vec<(f64, f64)> = Vec::with_capacity(2 * points.len() + 1);
    for (at, size) in points {
        line.extend(line.last().map(|last| (*at, last.1)));
        line.push((*at, (*size).max(1) as f64));
    }
    line.extend(line.last().map(|last| (end, last.1)));
    line
}

/// Round sizes between two, for the logarithmic axis: few enough for it, and at least two.
fn sizes_to_mark(low: f64, high: f64) -> Vec<f64> {
    let all = |factors: &'static [f64]| {
        let powers = (0..12).map(|power| 10_f64.powi(power));
        let sizes = powers.flat_map(move |power| factors.iter().map(move |factor| factor * power));
        let between = sizes.filter(|size| (low..=high * 1.05).contains(size) && size.fract() == 0.0);
        between.collect::<Vec<_>>()
    };
    let rough: [&[f64]; 2] = [&[1.0], &[1.0, 2.0, 5.0]];
    let mut marks = rough.into_iter().map(all);
    marks.find(|marks| marks.len() > 3).unwrap_or_else(|| all(&[1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_of_sizes_is_marked_by_round_numbers() {
        assert_eq!(sizes_to_mark(6.0, 28796.0), [10.0, 100.0, 1000.0, 10000.0]);
        assert_eq!(sizes_to_mark(16.0, 741.0), [20.0, 50.0, 100.0, 200.0, 500.0]);
        assert_eq!(sizes_to_mark(2100.0, 4334.0), [2500.0, 3000.0, 4000.0]);
        assert_eq!(sizes_to_mark(0.8, 2.0), [1.0, 2.0]);
    }

    #[test]
    fn a_curve_goes_down_by_steps_and_its_axes_have_names() {
        let drawn = svg(&[(0.0, 100), (5.0, 20)], 10.0, "runs", "tokens");
        let curve = drawn.split("stroke-width=\"4\" points=\"").nth(1).unwrap().split('"').next().unwrap();
        let corners: Vec<Vec<i32>> = curve
            .split_whitespace()
            .map(|corner| corner.split(',').map(|number| number.parse().unwrap()).collect())
            .collect();
        let [start, before, after, end] = &corners[..] else { panic!("{curve}") };
        assert!(start[1] == before[1] && before[0] == after[0] && after[1] == end[1], "{curve}");
        assert!(start[0] < before[0] && before[1] < after[1] && after[0] < end[0], "{curve}");
        assert!(drawn.contains("aria-label=\"tokens over runs\"") && drawn.contains("\nruns\n"), "{drawn}");
    }

    #[test]
    fn a_run_without_a_commit_or_without_a_run_has_a_curve() {
        for points in [&[][..], &[(0.0, 0)], &[(0.0, 7)]] {
            let drawn = svg(points, 0.0, "runs", "tokens");
            assert!(drawn.contains("</svg>") && !drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        }
    }
}
