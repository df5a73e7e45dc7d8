//! Yardsticks for a whole reduction, not only for its end: the least possible number of runs, and the area under the
//! curve.

use crate::record::Record;

/// The runs of a reduction as a multiple of those that no reducer can do without: k tests show that none of the k
/// tokens left can be deleted, and k log2(N / k) answers are needed to find them among the N tokens of the input.
pub(crate) fn distance(record: &Record) -> Option<f64> {
    let (from, to) = (record.from.tokens as f64, record.to.tokens as f64);
    (to > 0.0 && from >= to).then(|| record.runs as f64 / (to + to * (from / to).log2()))
}

/// The mean of log2(bytes) over the runs from 0 to `horizon`: the area under the curve, per run. A program keeps its
/// size until the next success, and to the horizon. Bytes, since the curves of other reducers have no tokens.
pub(crate) fn area(record: &Record, horizon: usize) -> Option<f64> {
    let mut points = record.curve.iter().map(|point| (point.0.min(horizon), point.2)).collect::<Vec<_>>();
    points.push((horizon, record.to.bytes));
    let steps = points
        .iter()
        .zip(&points[1..])
        .map(|((from, bytes), (to, _))| to.saturating_sub(*from) as f64 * (*bytes.max(&1) as f64).log2());
    (horizon > 0 && points.len() > 1).then(|| steps.sum::<f64>() / horizon as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Point, Size};

    #[test]
    fn the_least_number_of_runs_grows_with_what_is_left() {
        let sizes = |from, to| (Size { tokens: from, bytes: 0 }, Size { tokens: to, bytes: 0 });
        let record = |(from, to)| Record { from, to, runs: 120, ..Record::default() };
        assert_eq!(distance(&record(sizes(1024, 1))), Some(120.0 / 11.0));
        assert_eq!(
            distance(&record(sizes(10, 10))),
            Some(12.0),
            "nothing can be deleted: one run for each token"
        );
        assert_eq!(distance(&record(sizes(10, 0))), None);
    }

    #[test]
    fn the_area_counts_the_size_of_each_run_up_to_the_horizon() {
        let curve = vec![Point(0, None, 16), Point(2, None, 4)];
        let record = Record { curve, to: Size { tokens: 1, bytes: 4 }, ..Record::default() };
        assert_eq!(area(&record, 4), Some((2.0 * 4.0 + 2.0 * 2.0) / 4.0));
        assert_eq!(area(&record, 2), Some(4.0));
        assert_eq!(area(&record, 0), None);
    }
}
