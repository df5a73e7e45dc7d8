//! Runs another reducer on a case, as a process; its test is wrapped, so that each call is counted.

use crate::config::Other;
use crate::corpus::Case;
use crate::oracle;
use crate::ours::{Limits, as_text, beginning, hash, rounded};
use crate::record::{Point, Record, Size, Verdicts};
use lopper::error::UserError;
use lopper::oracle::command::quoted;
use lopper::oracle::contents::base_of;
use lopper::oracle::interrupt::Interrupt;
use lopper::oracle::{Test, Verdict};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The time that a reducer is given to end after SIGTERM.
const GRACE: Duration = Duration::from_secs(20);
/// The interval between checks for Ctrl-C.
const GLANCE: Duration = Duration::from_millis(200);

impl Other {
    /// The program for files with this extension, if it is installed: on the PATH, or below
    /// `$LOPPER_CASES_HOME/peers` (by default `~/.cache/lopper-cases/peers`).
    pub(crate) fn program(self, ending: &str) -> Option<PathBuf> {
        let name = match self {
            Self::CReduce => "creduce".to_owned(),
            Self::CVise => "cvise".to_owned(),
            Self::TreeReduce => format!("treereduce-{ending}"),
            Self::ShrinkRay => "shrinkray".to_owned(),
        };
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        if let Some(peers) = peers_home() {
            folders.extend([peers.join("bin"), peers.join("shrinkray/bin")]);
        }
        folders.into_iter().map(|folder| folder.join(&name)).find(|program| program.is_file())
    }
}

fn peers_home() -> Option<PathBuf> {
    let cases = std::env::var_os("LOPPER_CASES_HOME").map(PathBuf::from);
    let cases = cases.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cache/lopper-cases")));
    cases.map(|home| home.join("peers"))
}

/// The folder of a run: the file, the wrapped test, and the wrapper's log.
struct Place {
    root: tempfile::TempDir,
}

impl Place {
    fn new(case: &Case) -> std::io::Result<Self> {
        let place = Self { root: tempfile::Builder::new().prefix("lopper-bench-").tempdir()? };
        fs::create_dir(place.path("work"))?;
        fs::create_dir(place.path("tmp"))?;
        case.write(&case.original(), &place.path("work").join(&case.file_name))?;
        fs::write(place.path("calls"), "")?;
        let word = |path: &Path| quoted(&path.to_string_lossy());
        let script = format!(
            "#!/bin/sh\n\
             printf . >>{calls}\n\
             f=${{1:-{name}}}\n\
             TMPDIR={tmp} {script} \"$f\" || exit\n\
             n=$({all} | wc -c)\n\
             echo \"$(wc -c <{calls}) $n\" >>{accepted}\n\
             if [ ! -e {best} ] || [ \"$n\" -lt \"$(cat {best}.bytes)\" ]; then\n\
             \x20   cp -R -- \"$f\" {best}.$$ && rm -rf {best} && mv -- {best}.$$ {best} && echo \"$n\" >{best}.bytes\n\
             fi\n\
             exit 0\n",
            // A folder counts by the bytes of all its files.
            all = if case.is_folder { "find \"$f\" -type f -exec cat {} +" } else { "cat \"$f\"" },
            calls = word(&place.path("calls")),
            accepted = word(&place.path("accepted")),
            best = word(&place.path("best")),
            tmp = word(&place.path("tmp")),
            name = quoted(&case.file_name),
            script = word(&case.script),
        );
        fs::write(place.path("interesting.sh"), script)?;
        fs::set_permissions(place.path("interesting.sh"), fs::Permissions::from_mode(0o755))?;
        Ok(place)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// The command, and the path of its result.
    fn command(&self, other: Other, program: &Path, case: &Case, jobs: usize) -> (Command, PathBuf) {
        let jobs = jobs.to_string();
        let name = &case.file_name;
        let test = self.path("interesting.sh");
        let in_place = self.path("work").join(name);
        let mut command = Command::new(program);
        let result = match other {
            Other::CReduce | Other::CVise => {
                command.args(["--n", &jobs, "--tidy"]);
                if !case.is_in("c") {
                    command.arg("--not-c");
                }
                command.arg(test).arg(name);
                in_place
            }
            Other::TreeReduce => {
                let result = self.path("result");
                command.args(["-q", "-j", &jobs, "--source", name, "-o"]).arg(&result).arg("--");
                command.arg(test).arg(format!("@@.{}", case.ending()));
                result
            }
            Other::ShrinkRay => {
                command.args(["--ui", "basic", "--no-llm", "--no-history", "--no-restart"]);
                command.args(["--parallelism", &jobs, "--input-type", "arg", "--backup"]);
                command.arg(self.path("backup")).arg(test).arg(name);
                in_place
            }
        };
        // Shrink Ray looks for its helpers in its own folder.
        let beside = program.parent().map(Path::to_owned).unwrap_or_default();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(beside).chain(std::env::split_paths(&path)));
        command
            .current_dir(self.path("work"))
            .env("PATH", path.unwrap_or_default())
            .env("TMPDIR", self.path("tmp"))
            .env("TERM", "dumb")
            .env("SHRINKRAY_LLM", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        (command, result)
    }

    /// The sizes of the accepted programs by number of calls; only those smaller than all earlier ones.
    fn curve(&self, before: Size) -> (usize, Vec<Point>) {
        let text = fs::read_to_string(self.path("accepted")).unwrap_or_default();
        let numbers = |line: &str| -> Option<(usize, usize)> {
            let mut words = line.split_whitespace().map(str::parse);
            Some((words.next()?.ok()?, words.next()?.ok()?))
        };
        let mut curve = vec![Point(0, Some(before.tokens), before.bytes)];
        let mut least = before.bytes;
        for (calls, bytes) in text.lines().filter_map(numbers) {
            if bytes < least {
                least = bytes;
                curve.push(Point(calls, None, bytes));
            }
        }
        (text.lines().count(), curve)
    }
}

/// Lets another reducer reduce a case.
///
/// # Errors
/// If the reducer cannot be started, and if the user interrupts it.
pub(crate) fn run(
    case: &Case,
    (other, program): (Other, &Path),
    jobs: usize,
    limits: Limits,
    interrupt: &Interrupt,
) -> Result<Record, UserError> {
    let failed = |e: std::io::Error| {
        UserError::usage(format!("'{}' cannot be run", program.display())).fact(e.to_string())
    };
    let original = case.original();
    let test = oracle::of_case(case, &original, false, 1, interrupt)?;
    let place = Place::new(case).map_err(failed)?;
    let (mut command, result) = place.command(other, program, case, jobs);
    let start = Instant::now();
    let mut child = command.spawn().map_err(failed)?;
    let end = wait(&mut child, limits.deadline(), interrupt).map_err(failed)?;
    let wall = start.elapsed();
    let Some(end) = end else { return Err(UserError::interrupted()) };

    let left = [result, place.path("best")].iter().find_map(|path| case.result(path).ok());
    let left = left.unwrap_or_else(|| original.clone());
    let ok = test.run(0, &left).map_err(oracle::user_error)?;
    let ok = ok == Verdict::Interesting;
    let from = case.base().measure().into();
    let to: Size = base_of(&left, &case.base()).measure().into();
    let text = as_text(&left);
    let runs = fs::metadata(place.path("calls")).map_err(failed)?.len() as usize;
    let (interesting, mut curve) = place.curve(from);
    curve.push(Point(runs, Some(to.tokens), to.bytes));
    Ok(Record {
        case: case.name.clone(),
        input: case.hash.clone(),
        ok,
        end,
        from,
        to,
        runs,
        verdicts: Verdicts { interesting, boring: runs.saturating_sub(interesting), ..Verdicts::default() },
        wall: rounded(wall),
        curve,
        result: hash(&text),
        text: beginning(&text),
        ..Record::default()
    })
}

/// Waits for a reducer to end, and terminates it at the deadline. `None` if the user interrupts it.
fn wait(
    child: &mut Child,
    deadline: Option<Instant>,
    interrupt: &Interrupt,
) -> std::io::Result<Option<String>> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let pid = pid.ok_or_else(|| std::io::Error::other("the reducer has no process id"))?;
    let pidfd = pidfd_open(pid, PidfdFlags::empty())?;
    let has_ended = |time: Duration| -> bool {
        let time = Timespec::try_from(time).ok();
        poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], time.as_ref()).is_ok_and(|ready| ready > 0)
    };
    let mut why = None;
    while !has_ended(GLANCE) {
        let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || interrupt.is_raised() {
            // A process that has ended needs no signal.
            let _ = kill_process_group(pid, Signal::INT);
            has_ended(GRACE);
            why = Some(late.then(|| "time".to_owned()));
            break;
        }
    }
    // Ends the rest of the process group: its id is not reused until the child is reaped.
    let _ = kill_process_group(pid, Signal::KILL);
    let status = child.wait()?;
    let end = if status.success() { "fixpoint".to_owned() } else { format!("{status}") };
    Ok(why.unwrap_or(Some(end)))
}
