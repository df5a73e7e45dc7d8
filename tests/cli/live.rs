//! The live view, in tmux.

use super::{C, NEEDLE};
use crate::Checked;
use crate::kit::{Project, has, skip};
use rustix::process::{Pid, Signal, kill_process};
use std::error::Error;
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A terminal of this size, in which the command runs. It ends with this.
struct Terminal<'p> {
    project: &'p Project,
    socket: String,
}

impl<'p> Terminal<'p> {
    /// Starts a shell command in a new terminal.
    fn start(project: &'p Project, (columns, rows): (u32, u32), line: &str) -> Result<Self, Box<dyn Error>> {
        let terminal = Self { project, socket: project.tmp().join("tmux").to_string_lossy().into_owned() };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let line = format!("{line}; echo \"ended with $?\"; stty -a | grep -o '[-]*icanon'; sleep 60");
        terminal.tmux(&["new-session", "-d", "-x", &columns, "-y", &rows, &line])?;
        Ok(terminal)
    }

    fn tmux(&self, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
        let mut command = self.project.command("tmux");
        command.env("LANG", "C.UTF-8").env("LC_ALL", "C.UTF-8").env_remove("NO_COLOR").env_remove("TMUX");
        command.args(["-f", "/dev/null", "-u", "-S", &self.socket]).args(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Ok(self.project.spawn(command)?.finish()?.exits_with(0)?.stdout)
    }

    fn keys(&self, keys: &[&str]) -> Checked {
        self.tmux(&[&["send-keys"], keys].concat()).map(drop)
    }

    /// The picture, once it has this text.
    fn shows(&self, text: &str) -> Result<String, Box<dyn Error>> {
        self.shows_after("", text)
    }

    /// The picture, once it has this text, and not this other one (unless that is empty).
    fn shows_after(&self, gone: &str, text: &str) -> Result<String, Box<dyn Error>> {
        let mut picture = String::new();
        for _ in 0..600 {
            picture = self.tmux(&["capture-pane", "-p"])?;
            if picture.contains(text) && (gone.is_empty() || !picture.contains(gone)) {
                return Ok(picture);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err(format!("'{text}' is not in, or '{gone}' is in:\n{picture}").into())
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        // The server may have ended by itself.
        let _ = self.tmux(&["kill-server"]);
    }
}

/// A project whose test is slow enough for keys.
fn slow() -> std::io::Result<Project> {
    Project::with(&format!("sleep 0.03; {NEEDLE}"), "a.c", C.repeat(3))
}

fn reduce(more: &str) -> String {
    format!("{} reduce ./test.sh a.c {more}", env!("CARGO_BIN_EXE_lopper"))
}

#[test]
fn the_view_obeys_its_keys_and_leaves_the_terminal_as_it_was() -> Checked {
    if !has("tmux") {
        skip("the_view_obeys_its_keys_and_leaves_the_terminal_as_it_was", "there is no tmux");
        return Ok(());
    }
    for size in [(80, 24), (200, 50)] {
        let project = slow()?;
        let terminal = Terminal::start(&project, size, &reduce("-o b.c"))?;
        let first = terminal.shows_after("144 of 144", "runs/s")?;
        assert!(first.contains("of 144 tokens") && first.contains("── program"), "{first}");
        terminal.keys(&["Space"])?;
        terminal.shows("paused")?;
        // The run that was under way ends first.
        let runs = || -> Result<Option<String>, Box<dyn Error>> {
            std::thread::sleep(Duration::from_millis(600));
            let picture = terminal.shows("paused")?;
            Ok(picture.lines().find_map(|line| Some(line.split_once(" accepted")?.0.to_owned())))
        };
        let at_first = runs()?;
        assert!(at_first.is_some());
        assert_eq!(at_first, runs()?);
        terminal.keys(&["d"])?;
        terminal.shows("--- the original")?;
        terminal.keys(&["?"])?;
        terminal.shows("finish now")?;
        terminal.keys(&["Escape"])?;
        terminal.shows("── program")?;
        terminal.tmux(&["resize-window", "-x", "30", "-y", "8"])?;
        terminal.shows("space go on")?;
        terminal.tmux(&["resize-window", "-x", "80", "-y", "40"])?;
        terminal.keys(&["q"])?;
        let end = terminal.shows_after("-icanon", "icanon")?;
        assert!(end.contains("ended with 0"), "{end}");
        assert!(end.contains("finished early, as you asked") && end.contains("--resume"), "{end}");
        assert!(project.read("b.c")?.contains("needle"));
    }
    Ok(())
}

/// Whether a picture with its escape sequences has a colour, and whether it has an attribute, such as bold.
fn colours_and_attributes(picture: &str) -> (bool, bool) {
    let sequences = picture.split("\x1b[").skip(1).filter_map(|rest| rest.split_once('m'));
    let numbers: Vec<u32> = sequences
        .flat_map(|(numbers, _)| numbers.split(';').flat_map(str::parse).collect::<Vec<_>>())
        .collect();
    let has = |range: std::ops::RangeInclusive<u32>| numbers.iter().any(|number| range.contains(number));
    (has(30..=38) || has(40..=48) || has(90..=107), has(1..=9))
}

#[test]
fn without_colours_attributes_tell_what_has_changed() -> Checked {
    if !has("tmux") {
        skip("without_colours_attributes_tell_what_has_changed", "there is no tmux");
        return Ok(());
    }
    for (begin, wanted) in [("", (true, true)), ("NO_COLOR=1 ", (false, true))] {
        let project = Project::with(&format!("sleep 0.2; {NEEDLE}"), "a.c", C.repeat(3))?;
        let terminal = Terminal::start(&project, (100, 30), &format!("{begin}{}", reduce("-o b.c -j 1")))?;
        terminal.shows("2 accepted")?;
        terminal.keys(&["Space"])?;
        terminal.shows("paused")?;
        let picture = terminal.tmux(&["capture-pane", "-p", "-e"])?;
        assert_eq!(colours_and_attributes(&picture), wanted, "{picture:?}");
        terminal.keys(&["q"])?;
        terminal.shows("ended with 0")?;
    }
    Ok(())
}

/// The keys of the candidates and commits in a file of events, in order.
fn keys(project: &Project, name: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let text = project.read(name)?;
    let keys = text.lines().filter_map(|line| line.split("\"key\":\"").nth(1)?.split('"').next());
    Ok(keys.map(str::to_owned).collect())
}

#[test]
fn the_number_of_workers_obeys_keys() -> Checked {
    if !has("tmux") {
        skip("the_number_of_workers_obeys_keys", "there is no tmux");
        return Ok(());
    }
    let project = slow()?;
    let terminal = Terminal::start(&project, (80, 24), &reduce("-o b.c -j 3 --max-tests 500"))?;
    let picture = terminal.shows("of 3 workers busy")?;
    assert!(picture.contains("runs left at most"), "{picture}");
    terminal.keys(&["-"])?;
    terminal.shows("of 2 workers busy")?;
    terminal.keys(&["-", "-", "-"])?;
    terminal.shows("of 1 workers busy")?;
    terminal.keys(&["+"])?;
    terminal.shows("of 2 workers busy")?;
    terminal.shows("ended with 0")?;
    Ok(())
}

#[test]
fn a_skipped_pass_is_journaled_and_a_resumed_run_asks_the_same() -> Checked {
    if !has("tmux") {
        skip("a_skipped_pass_is_journaled_and_a_resumed_run_asks_the_same", "there is no tmux");
        return Ok(());
    }
    let project = slow()?;
    let more = "-o b.c --keep-run --events seen.jsonl";
    let terminal = Terminal::start(&project, (80, 24), &reduce(more))?;
    terminal.shows("pass delete")?;
    terminal.keys(&["s"])?;
    terminal.shows("ended with 0")?;
    let result = project.read("b.c")?;
    assert!(
        project.read("b.c.lopper/journal.jsonl")?.contains(r#"{"record":"skip","pass":"delete","runs":"#)
    );
    assert!(project.read("seen.jsonl")?.contains(r#""finding":"skip","pass":"delete""#));
    let again = ["./test.sh", "a.c", "-o", "b.c", "--resume", "--keep-run", "--events", "again.jsonl"];
    project.reduce(&again)?.exits_with(0)?;
    let (seen, again) = (keys(&project, "seen.jsonl")?, keys(&project, "again.jsonl")?);
    assert_eq!(seen, again, "the same candidates in the same order");
    assert_eq!(result, project.read("b.c")?);
    assert_eq!(project.read("again.jsonl")?.matches(r#""known":false"#).count(), 0, "no test runs again");
    // A page tells the same run.
    let page = project.lopper(&["report", "b.c", "--markdown"])?.exits_with(0)?;
    assert!(!page.stderr.contains("repeats only"), "{}", page.stderr);
    Ok(())
}

#[test]
fn a_key_returns_to_an_earlier_commit() -> Checked {
    if !has("tmux") {
        skip("a_key_returns_to_an_earlier_commit", "there is no tmux");
        return Ok(());
    }
    let project = Project::with(&format!("sleep 0.2; {NEEDLE}"), "a.c", C.repeat(3))?;
    let terminal = Terminal::start(&project, (80, 24), &reduce("-o b.c -j 1"))?;
    terminal.shows("2 accepted")?;
    terminal.keys(&["u", "9", "BSpace", "1"])?;
    terminal.shows("return to which commit, from 0 to")?;
    // There is no such commit, so the question stays.
    terminal.keys(&["9", "9", "9", "9"])?;
    terminal.shows("? 19999_")?;
    terminal.keys(&["Enter"])?;
    terminal.shows("? _")?;
    terminal.keys(&["Escape"])?;
    terminal.shows_after("return to which commit", "runs/s")?;
    terminal.keys(&["u", "1", "Enter"])?;
    let end = terminal.shows_after("-icanon", "icanon")?;
    assert!(end.contains("ended with 0"), "{end}");
    assert!(project.read("b.c.lopper/journal.jsonl")?.contains(r#"{"record":"undo","to":1,"bars":["#));
    assert!(project.read("b.c")?.contains("needle"));
    Ok(())
}

#[test]
fn the_same_bytes_come_out_whatever_is_looked_at() -> Checked {
    if !has("tmux") {
        skip("the_same_bytes_come_out_whatever_is_looked_at", "there is no tmux");
        return Ok(());
    }
    let project = slow()?;
    project.reduce(&["./test.sh", "a.c", "-o", "plain.c", "--events", "plain.jsonl"])?.exits_with(0)?;
    let terminal = Terminal::start(&project, (100, 30), &reduce("-o seen.c --events seen.jsonl"))?;
    terminal.shows("runs/s")?;
    terminal.keys(&["d", "?", "-", "Space"])?;
    std::thread::sleep(Duration::from_millis(200));
    terminal.keys(&["Down", "PPage", "Space", "Escape", "x", "+"])?;
    terminal.shows("ended with 0")?;
    assert_eq!(project.read("plain.c")?, project.read("seen.c")?);
    let (plain, seen) = (keys(&project, "plain.jsonl")?, keys(&project, "seen.jsonl")?);
    assert_eq!(plain, seen, "the same candidates in the same order");
    Ok(())
}

#[test]
fn control_c_in_the_view_stops_the_run_and_keeps_its_result() -> Checked {
    if !has("tmux") {
        skip("control_c_in_the_view_stops_the_run_and_keeps_its_result", "there is no tmux");
        return Ok(());
    }
    let project = slow()?;
    let terminal = Terminal::start(&project, (80, 24), &reduce("-o b.c"))?;
    terminal.shows("runs/s")?;
    terminal.keys(&["Space"])?;
    terminal.shows("paused")?;
    terminal.keys(&["C-c"])?;
    let end = terminal.shows_after("-icanon", "icanon")?;
    assert!(end.contains("ended with 130") && end.contains("interrupted"), "{end}");
    assert!(project.read("b.c")?.contains("needle"));
    Ok(())
}

#[test]
fn a_second_signal_ends_the_view_at_once_and_leaves_the_terminal_as_it_was() -> Checked {
    if !has("tmux") {
        skip("a_second_signal_ends_the_view_at_once_and_leaves_the_terminal_as_it_was", "there is no tmux");
        return Ok(());
    }
    // The first signal has to wait for a test that ignores it.
    let hangs = "[ -f \"$OUTSIDE/go\" ] && { trap '' TERM; : >\"$OUTSIDE/runs\"; sleep 1000; }";
    let project = Project::with(&format!("{hangs}\nsleep 0.03; {NEEDLE}"), "a.c", C.repeat(3))?;
    let terminal = Terminal::start(&project, (80, 24), &reduce("-o b.c --timeout 900"))?;
    terminal.shows("runs/s")?;
    fs::write(project.outside().join("go"), "")?;
    let start = Instant::now();
    while !project.outside().join("runs").exists() && start.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let line = "reduce ./test.sh a.c";
    let process = project
        .descendants()?
        .into_iter()
        .find(|(_, command)| command.contains(line) && !command.contains("stty"));
    let (process, _) = process.ok_or("there is no such process")?;
    let process = Pid::from_raw(process).ok_or("there is no such process")?;
    for _ in 0..2 {
        kill_process(process, Signal::TERM)?;
        // A signal that comes twice at once counts once.
        std::thread::sleep(Duration::from_millis(150));
    }
    let end = terminal.shows_after("-icanon", "icanon")?;
    assert!(end.contains("ended with 130") && !end.contains("runs/s"), "{end}");
    Ok(())
}

#[test]
fn a_run_that_outlives_its_terminal_comes_to_its_end() -> Checked {
    if !has("tmux") {
        skip("a_run_that_outlives_its_terminal_comes_to_its_end", "there is no tmux");
        return Ok(());
    }
    let project = slow()?;
    let terminal =
        Terminal::start(&project, (80, 24), &format!("trap '' HUP; {}", reduce("-o b.c --report b.html")))?;
    terminal.shows("runs/s")?;
    drop(terminal);
    for _ in 0..600 {
        if !project.descendants()?.iter().any(|(_, line)| line.contains("reduce ./test.sh a.c -o")) {
            assert!(project.read("b.html")?.contains("No pass finds anything more"));
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err("the run does not end".into())
}
