//! Medians, means of ratios, and the format of numbers in tables.

/// The median; the mean of the middle two if the number of values is even.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    let upper = *values.get(half)?;
    if values.len() % 2 == 1 { Some(upper) } else { Some((values[half - 1] + upper) / 2.0) }
}

/// The geometric mean of the positive values, which is the right mean for ratios.
pub(crate) fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = values.into_iter().filter(|v| *v > 0.0).map(f64::ln).collect();
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}

/// A number with this many decimal places, or without any if it is whole and large.
pub(crate) fn shown(value: f64, places: usize) -> String {
    if places > 0 && value.abs() >= 1000.0 { format!("{value:.0}") } else { format!("{value:.places$}") }
}

/// A share in percent; empty if the whole is 0.
pub(crate) fn percent(part: usize, whole: usize) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_lies_in_the_middle() {
        assert_eq!(median([3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median([4.0, 1.0]), Some(2.5));
        assert_eq!(median([]), None);
    }

    #[test]
    fn the_mean_ratio_of_twice_and_half_is_one() {
        assert!(geometric_mean([2.0, 0.5]).is_some_and(|m| (m - 1.0).abs() < 1e-9));
        assert_eq!(geometric_mean([0.0]), None);
    }
}
