//! The picture of the live view: lines for a window of any size.

use super::keys::HELP;
use super::program::Pane;
use super::screen::{Line, Style, width};
use super::state::State;
use crate::report::{messages, share, visible_line};
use std::env::var;

/// What the run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Working,
    Paused,
    Finishing,
}

/// The columns from which the program stands beside the curve, and those of the curve then.
const WIDE: usize = 120;
const LEFT: usize = 58;
/// The lines of the curve: at least, and at most.
const CURVE: (usize, usize) = (3, 10);
/// The columns of the sizes at the curve.
const SIZES: usize = 8;

/// All lines for a window with so many columns and rows. A question to the user takes the place of a message.
pub(super) fn lines(
    state: &State,
    pane: &mut Pane,
    mode: Mode,
    helps: bool,
    question: Option<&str>,
    (columns, rows): (usize, usize),
) -> Vec<Line> {
    let mut lines = head(state, mode, columns);
    if helps && rows < lines.len() + HELP.len() + 2 {
        lines.truncate(1);
    }
    // The last rows are for a message and for the keys.
    let left = rows.saturating_sub(lines.len() + 2);
    let body = match (helps, columns >= WIDE) {
        (true, _) => help(left),
        (false, true) => {
            let mut beside = curve(state, LEFT - 2, left.saturating_sub(2).min(CURVE.1));
            beside.extend(passes(state));
            let program = program(pane, columns - LEFT, left);
            beside.resize(left.max(program.len()), Line::new());
            beside
                .into_iter()
                .zip(program.into_iter().chain(std::iter::repeat(Line::new())))
                .map(|(a, b)| joined(a, b))
                .collect()
        }
        (false, false) => {
            let of_curve = if left < 9 { 0 } else { (left / 3).clamp(CURVE.0, CURVE.1) };
            let mut body = curve(state, columns, of_curve);
            let more = program(pane, columns, left.saturating_sub(body.len()));
            body.extend(more);
            body
        }
    };
    lines.extend(body.into_iter().take(left));
    lines.resize(rows.saturating_sub(2), Line::new());
    let message = question.map(str::to_owned).or_else(|| messages::last().map(|text| visible_line(&text)));
    lines.push(message.map_or_else(Line::new, |message| vec![(Style::Warning, message)]));
    lines.push(keys(mode));
    lines
}

fn head(state: &State, mode: Mode, columns: usize) -> Vec<Line> {
    let State { best, original, runs, memo_hits, commits, jobs, .. } = state;
    let seconds = state.worked().as_secs_f64();
    let share = share(best.tokens, original.tokens);
    let mode = match mode {
        Mode::Working => vec![(Style::Dim, format!("  {seconds:.0} s{}", state.time_left()))],
        Mode::Paused => vec![(Style::Plain, "  ".to_owned()), (Style::Warning, "paused".to_owned())],
        Mode::Finishing => vec![(Style::Plain, "  ".to_owned()), (Style::Warning, "finishing".to_owned())],
    };
    let name = visible_line(&state.name);
    let title: Line = [vec![(Style::Bold, format!("lopper  {name}"))], mode].concat();
    let size = vec![
        (Style::Bold, format!("{} of {} tokens ({share})", best.tokens, original.tokens)),
        (Style::Plain, format!("   {} of {} bytes", best.bytes, original.bytes)),
    ];
    let speed = *runs as f64 / seconds.max(0.1);
    let busy = (state.time.as_secs_f64() / seconds.max(0.1)).min(*jobs as f64);
    let failed = if state.failed > 0 {
        format!("   {} could not tell or took too long", state.failed)
    } else {
        String::new()
    };
    let work = format!("{runs} runs, {commits} accepted   {memo_hits} verdicts reused{failed}");
    let rate = format!("{speed:.1} runs/s   {busy:.1} of {jobs} workers busy{}", state.left());
    let doing = format!("pass {}, stage {}, floor {}", state.pass, state.stage, state.floor);
    let doing = if state.pass.is_empty() { "the first runs".to_owned() } else { doing };
    let plain = |text: String| vec![(Style::Plain, text)];
    if columns >= WIDE {
        return vec![title, size, plain(format!("{work}   {rate}")), plain(doing), Line::new()];
    }
    vec![title, size, plain(work), plain(rate), plain(doing)]
}

/// The size over the runs, on a logarithmic axis.
fn curve(state: &State, columns: usize, rows: usize) -> Vec<Line> {
    if rows == 0 || columns < SIZES + 8 {
        return Vec::new();
    }
    let steps = columns - SIZES - 2;
    let (high, low) = (state.original.tokens.max(2) as f64, state.best.tokens.max(1) as f64);
    let low = low.min(high / 2.0);
    let levels: Vec<usize> = (0..steps)
        .map(|step| {
            let run = (step + 1) * state.runs / steps;
            let at = state.points.partition_point(|(runs, _)| *runs <= run).saturating_sub(1);
            let share = ((state.points[at].1.max(1) as f64 / low).ln() / (high / low).ln()).clamp(0.0, 1.0);
            // Something is left of every program.
            1 + (share * (rows * 8 - 1) as f64).round() as usize
        })
        .collect();
    let blocks = if is_utf8() {
        [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
    } else {
        [' ', '.', '.', ':', ':', ':', '#', '#', '#']
    };
    let mut lines = Vec::new();
    for row in (0..rows).rev() {
        let size = match row {
            0 => format!("{low:.0}"),
            _ if row + 1 == rows => format!("{high:.0}"),
            _ => String::new(),
        };
        let drawn: String = levels.iter().map(|level| blocks[level.saturating_sub(row * 8).min(8)]).collect();
        lines.push(vec![(Style::Dim, format!("{size:>SIZES$} ")), (Style::Curve, drawn)]);
    }
    lines
}

/// The passes that have deleted most.
fn passes(state: &State) -> Vec<Line> {
    let mut passes: Vec<_> = state.passes.iter().filter(|(_, stats)| stats.runs > 0).collect();
    passes.sort_by_key(|(_, stats)| (-stats.tokens, -stats.bytes));
    let head =
        vec![(Style::Dim, format!("{:<18} {:>8} {:>9} {:>9}", "pass", "tested", "accepted", "tokens"))];
    let line = |(name, stats): &&(&str, crate::driver::PassStats)| {
        vec![(
            Style::Plain,
            format!("{name:<18} {:>8} {:>9} {:>9}", stats.runs, stats.accepted, -stats.tokens),
        )]
    };
    [Line::new(), head].into_iter().chain(passes.iter().map(line)).collect()
}

/// The pane with the program, under its name.
fn program(pane: &mut Pane, columns: usize, rows: usize) -> Vec<Line> {
    if rows < 2 {
        return Vec::new();
    }
    let name = pane.name();
    let (lines, above, below) = pane.visible(rows - 1);
    let place = match (above, below) {
        (0, 0) => String::new(),
        _ => format!(" ({above} lines above, {below} below)"),
    };
    let rule = if is_utf8() { "─" } else { "-" };
    let name = format!("{rule}{rule} {name}{place} ");
    let length = columns.saturating_sub(width(&vec![(Style::Plain, name.clone())]) + 1);
    let title = vec![(Style::Dim, name + &rule.repeat(length))];
    std::iter::once(title).chain(lines.iter().cloned()).collect()
}

fn help(rows: usize) -> Vec<Line> {
    let line = |(key, does): &(&str, &str)| {
        vec![(Style::Bold, format!("  {key:<14}")), (Style::Plain, (*does).to_owned())]
    };
    let notes = [
        "The result depends neither on pauses nor on the number of workers.",
        "The journal tells of s and u, so --resume goes on in the same way.",
    ];
    let notes = notes.map(|note| vec![(Style::Dim, format!("  {note}"))]);
    HELP.iter().map(line).chain([Line::new()]).chain(notes).take(rows).collect()
}

fn keys(mode: Mode) -> Line {
    let pause = if mode == Mode::Paused { "go on" } else { "pause" };
    // A narrow window shows those at the beginning.
    let text = format!("q finish  space {pause}  ? help  s skip  u undo  d diff  ↑↓ scroll  Ctrl-C stop");
    vec![(Style::Dim, if is_utf8() { text } else { text.replace("↑↓", "up/down") })]
}

/// Two lines side by side.
fn joined(mut left: Line, right: Line) -> Line {
    let space = LEFT.saturating_sub(width(&left));
    left.push((Style::Plain, " ".repeat(space)));
    left.extend(right);
    left
}

/// Whether the terminal understands UTF-8, as far as the environment tells.
fn is_utf8() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| var(name).ok().filter(|value| !value.is_empty()));
    set.is_some_and(|value| value.to_uppercase().replace('-', "").contains("UTF8"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_languages::measure::Measure;

    fn text(lines: &[Line]) -> String {
        lines.iter().map(|line| line.iter().map(|(_, text)| &**text).collect::<String>() + "\n").collect()
    }

    #[test]
    fn a_picture_has_a_line_for_each_row_of_the_window() {
        let program = b"int a;\nint b;\n";
        let measure = Measure::of(program, lopper_languages::detect("a.c").lexis());
        let state = State::new("a.c", (program, measure), 2);
        for size in [(80, 24), (200, 50), (20, 5), (1, 1), (120, 3)] {
            let mut pane = Pane::default();
            pane.update(&state);
            let picture = lines(&state, &mut pane, Mode::Working, false, None, size);
            assert!(picture.len() <= size.1.max(7), "{size:?}: {}", picture.len());
            if size.1 >= 24 {
                let text = text(&picture);
                assert!(text.contains("6 of 6 tokens (100.0 %)") && text.contains("int b;"), "{text}");
                assert_eq!(picture.len(), size.1);
            }
        }
        let helped = lines(&state, &mut Pane::default(), Mode::Paused, true, None, (80, 24));
        assert!(text(&helped).contains("finish now") && text(&helped).contains("space go on"));
        assert!(helped.iter().all(|line| width(line) <= 80), "{}", text(&helped));
        let small = lines(&state, &mut Pane::default(), Mode::Paused, true, None, (40, 10));
        assert!(text(&small).contains("d             the changes"), "{}", text(&small));
    }
}
