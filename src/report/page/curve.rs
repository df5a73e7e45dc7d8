//! The curve of a run, as SVG: the size of the program on a logarithmic axis. (The library that `bench` draws with
//! would add more to the command than these lines.)

use std::fmt::Write;

/// The size of a picture, and the margins around the curve, in pixels.
const SIZE: (f64, f64) = (560.0, 260.0);
const LEFT: f64 = 56.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 42.0;

/// A step function from `points`, which ascend in x, up to `end`. `x_name` and `y_name` are the names of the axes.
pub(super) fn svg(points: &[(f64, usize)], end: f64, x_name: &str, y_name: &str) -> String {
    let sizes = points.iter().map(|(_, tokens)| (*tokens).max(1) as f64);
    let (low, high) =
        sizes.fold((f64::INFINITY, 1.0_f64), |(low, high), size| (low.min(size), high.max(size)));
    let low = if low.is_finite() { low.min(high / 2.0).max(0.8) } else { 0.8 };
    let end = if end > 0.0 { end } else { 1.0 };
    let x = |value: f64| LEFT + value / end * (SIZE.0 - LEFT - RIGHT);
    let y = |size: f64| {
        let share = (size.max(low).ln() - low.ln()) / (high * 1.05 / low).ln();
        SIZE.1 - BOTTOM - share * (SIZE.1 - TOP - BOTTOM)
    };
    let (width, height) = SIZE;
    let mut out = format!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{y_name} over {x_name}\">\n"
    );
    for tick in sizes_to_mark(low, high) {
        let at = y(tick);
        let _ = writeln!(
            out,
            "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" class=\"right\">{tick}</text>",
            width - RIGHT,
            LEFT - 6.0,
            at + 4.0
        );
    }
    for tick in ticks(end) {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" class=\"middle\">{}</text>",
            x(tick),
            height - BOTTOM + 18.0,
            (tick * 1e6).round() / 1e6
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" class=\"middle\">{x_name}</text>",
        x(end / 2.0),
        height - 6.0
    );
    let _ = writeln!(
        out,
        "<text x=\"12\" y=\"{:.1}\" class=\"middle\" transform=\"rotate(-90 12 {0:.1})\">{y_name}</text>",
        height / 2.0 - 14.0
    );
    out.push_str("<path class=\"curve\" d=\"");
    for (number, (at, tokens)) in points.iter().enumerate() {
        let (at, size) = (x(*at), y((*tokens).max(1) as f64));
        let _ =
            if number == 0 { write!(out, "M{at:.1} {size:.1}") } else { write!(out, "H{at:.1}V{size:.1}") };
    }
    let _ = write!(out, "H{:.1}\"/>\n</svg>", x(end));
    out
}

/// Round sizes between two, for the logarithmic axis: powers of ten, and twice and five times those if there is room.
fn sizes_to_mark(low: f64, high: f64) -> Vec<f64> {
    let factors: &[f64] = if high / low > 2000.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let powers = (0..12).map(|power| 10_f64.powi(power));
    let all = powers.flat_map(|power| factors.iter().map(move |factor| factor * power));
    all.filter(|size| (low..=high * 1.05).contains(size)).collect()
}

/// At most six round numbers from 0 to `end`.
fn ticks(end: f64) -> Vec<f64> {
    let unit = 10_f64.powf((end / 5.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * unit);
    let step = steps.into_iter().find(|step| end / step <= 5.0).unwrap_or(end);
    (0..=5).map(|number| f64::from(number) * step).take_while(|tick| *tick <= end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_marked_by_round_numbers() {
        assert_eq!(ticks(1.0), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks(252.0), [0.0, 100.0, 200.0]);
        assert_eq!(sizes_to_mark(16.0, 741.0), [20.0, 50.0, 100.0, 200.0, 500.0]);
    }

    #[test]
    fn a_run_without_a_commit_or_without_a_run_has_a_curve() {
        for points in [&[][..], &[(0.0, 0)], &[(0.0, 7)]] {
            let drawn = svg(points, 0.0, "runs", "tokens");
            assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        }
    }
}
