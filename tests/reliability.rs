//! Random sessions: options x states of files x disturbances. No file of the user's is ever lost.
//!
//! Some sessions run with the tests. For an hour of them, with seeds that continue where these end:
//! `RELIABILITY_SECONDS=3600 cargo test --release --test all reliability -- --ignored --nocapture`. A failure
//! is reported with its seed; `RELIABILITY_SEED=N` begins with that one.

use crate::Checked;
use crate::kit::{Finished, Project, Random, Running};
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The word that every test of a session looks for.
const NEEDLE: &[u8] = b"needle";

/// The side effects of a test, which do not change its verdict.
const MANNERS: &[&str] = &[
    "",
    "",
    "sleep 0.01",
    "head -c 100000 /dev/zero",
    "printf '\\033[31mred\\377\\n'",
    "(setsid sleep 1000 >/dev/null 2>&1 &)",
    "(trap '' TERM; sleep 1000) >/dev/null 2>&1 &",
    "trap 'rm -rf \"$TMPDIR\"; ln -s \"$OUTSIDE/treasure\" \"$TMPDIR\"' EXIT",
    "trap 'd=${1%/*}; cd /; rm -rf \"$d\"; ln -s \"$OUTSIDE/treasure\" \"$d\"' EXIT",
    "ln -sfn \"$OUTSIDE/treasure\" link; ln -sfn \"$OUTSIDE/treasure/gold\" other",
    "trap 'rm -f \"$1\"; ln -s \"$OUTSIDE/treasure/gold\" \"$1\"' EXIT",
    "trap 'ln \"$OUTSIDE/treasure/gold\" hard 2>/dev/null' EXIT",
    "trap 'mkdir -p a/b/c; : >a/b/c/d; chmod 000 a/b .' EXIT",
    "trap 'rm -rf \"${1%/*}\"' EXIT",
    "trap 'mkfifo pipe' EXIT",
];

/// A disturbance while the command runs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Meanwhile {
    Nothing,
    Signal(Signal),
    /// A second Ctrl-C follows the first.
    Twice,
    /// SIGKILL for Lopper and all its processes, at once.
    KillAll,
    /// The user saves another text in the input.
    Edit,
    /// The user removes the folder of the output.
    RemoveOutputFolder,
    /// The user replaces the output by a link to a valuable file.
    LinkOutput,
}

const MEANWHILE: &[Meanwhile] = &[
    Meanwhile::Nothing,
    Meanwhile::Signal(Signal::INT),
    Meanwhile::Signal(Signal::TERM),
    Meanwhile::Signal(Signal::HUP),
    Meanwhile::Signal(Signal::KILL),
    Meanwhile::Twice,
    Meanwhile::KillAll,
    Meanwhile::Edit,
    Meanwhile::RemoveOutputFolder,
    Meanwhile::LinkOutput,
];

/// The state of the output's path before the run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Before {
    Nothing,
    File,
    ReadOnly,
    Link,
    DanglingLink,
    Fifo,
    Folder,
}

const BEFORE: &[Before] = &[
    Before::Nothing,
    Before::Nothing,
    Before::File,
    Before::ReadOnly,
    Before::Link,
    Before::DanglingLink,
    Before::Fifo,
    Before::Folder,
];

/// Unusual file names.
const NAMES: &[&[u8]] =
    &[b"a.txt", b"a b.c", b"it's.py", b"-x.c", b"noending", b".hidden", b"\xff\xfe.c", b"a.reduced.c"];

/// Options that change the search, but not the goal.
const OPTIONS: &[&[&str]] = &[
    &[],
    &["-j", "1"],
    &["-j", "3"],
    &["-q"],
    &["-v"],
    &["--diff"],
    &["--keep-run"],
    &["--max-tests", "7"],
    &["--max-time", "0.2"],
    &["--algorithm", "hdd"],
    &["--algorithm", "ddmin-lines"],
    &["--search", "ddmin"],
    &["--timeout", "5"],
    &["--skip-pass", "rename,delete"],
    &["--resume"],
    &["--language", "text"],
];

/// A user with files, a test, a command line, and a disturbance.
#[derive(Debug)]
struct Session {
    project: Project,
    input: PathBuf,
    original: Vec<u8>,
    output: Option<PathBuf>,
    before: Before,
    in_place: bool,
    arguments: Vec<OsString>,
    meanwhile: Meanwhile,
    delay: Duration,
    /// A thread that may read from the pipe for the result: as in a shell, the command waits for a reader.
    _reader: Option<File>,
    /// The side effects of the test.
    manner: &'static str,
}

/// The names, contents, link targets and modes of all files below a folder.
type Snapshot = BTreeMap<PathBuf, (Vec<u8>, u32)>;

fn snapshot(folder: &Path) -> std::io::Result<Snapshot> {
    let mut all = Snapshot::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let metadata = path.symlink_metadata()?;
            let content = match metadata.file_type() {
                kind if kind.is_symlink() => fs::read_link(&path)?.into_os_string().into_vec(),
                kind if kind.is_file() => fs::read(&path)?,
                kind if kind.is_dir() => {
                    open.push(path.clone());
                    Vec::new()
                }
                _ => Vec::new(),
            };
            all.insert(path, (content, metadata.mode()));
        }
    }
    Ok(all)
}

impl Session {
    fn new(random: &mut Random) -> Result<Self, Box<dyn Error>> {
        let project = Project::new()?;
        let treasure = project.outside().join("treasure");
        fs::create_dir_all(treasure.join("deep"))?;
        fs::write(treasure.join("gold"), "gold")?;
        fs::write(treasure.join("deep/silver"), "silver")?;
        let manner = random.one_of(MANNERS);
        project.script("test.sh", &format!("{manner}\ngrep -q needle \"$1\""))?;

        let name = OsStr::from_bytes(random.one_of(NAMES));
        let input = project.folder().join(name);
        let original = text(random);
        let real = if random.once_in(6) {
            symlink("real", &input)?;
            project.folder().join("real")
        } else {
            input.clone()
        };
        fs::write(&real, &original)?;
        fs::set_permissions(&real, fs::Permissions::from_mode(random.one_of(&[0o644, 0o600, 0o755, 0o444])))?;

        let in_place = random.once_in(4);
        let before = random.one_of(BEFORE);
        let output = (!in_place && random.once_in(2)).then(|| project.folder().join("out/result"));
        if let Some(output) = &output {
            let folder = project.folder().join("out");
            fs::create_dir(&folder)?;
            match before {
                Before::Nothing => {}
                Before::File => fs::write(output, "earlier")?,
                Before::ReadOnly => {
                    fs::write(output, "earlier")?;
                    fs::set_permissions(output, fs::Permissions::from_mode(0o400))?;
                }
                Before::Link => {
                    fs::write(folder.join("target"), "earlier")?;
                    symlink("target", output)?;
                }
                Before::DanglingLink => symlink("target", output)?,
                Before::Fifo => rustix::fs::mknodat(
                    rustix::fs::CWD,
                    output,
                    rustix::fs::FileType::Fifo,
                    rustix::fs::Mode::from_raw_mode(0o644),
                    0,
                )?,
                Before::Folder => fs::create_dir(output)?,
            }
        }
        if random.once_in(5) {
            // An earlier backup, which must be kept.
            let mut backup = input.clone().into_os_string();
            backup.push(".orig");
            fs::write(backup, "an earlier original")?;
        }
        let mut arguments: Vec<OsString> = vec!["reduce".into()];
        for _ in 0..random.below(3) {
            let options = random.one_of(OPTIONS);
            if !options.iter().any(|o| o.starts_with('-') && arguments.iter().any(|a| a == o)) {
                arguments.extend(options.iter().map(Into::into));
            }
        }
        if in_place {
            arguments.push("--in-place".into());
        }
        if let Some(output) = &output {
            arguments.extend(["-o".into(), output.clone().into()]);
        }
        let path = random.one_of(&[input.as_os_str(), OsStr::new("./")]);
        let path = if path == "./" { Path::new("./").join(name).into_os_string() } else { path.to_owned() };
        if random.once_in(3) {
            arguments.extend([path, "--".into(), "./test.sh".into(), "{}".into()]);
        } else {
            arguments.extend(["./test.sh".into(), path]);
        }
        let pipe = output.as_ref().filter(|_| before == Before::Fifo);
        let reader = pipe.map(|pipe| File::options().read(true).write(true).open(pipe)).transpose()?;
        let meanwhile = random.one_of(MEANWHILE);
        let delay = Duration::from_millis(random.below(600) as u64);
        Ok(Self {
            project,
            input,
            original,
            output,
            before,
            in_place,
            arguments,
            meanwhile,
            delay,
            _reader: reader,
            manner,
        })
    }

    /// Runs the command with the disturbance; returns whether the disturbance came before the command's end.
    fn run(&self, arguments: &[OsString], meanwhile: Meanwhile) -> Result<(Finished, bool), Box<dyn Error>> {
        let mut running = self.project.start(arguments)?;
        let mut happened = false;
        if meanwhile != Meanwhile::Nothing {
            let start = Instant::now();
            while start.elapsed() < self.delay && !running.has_ended()? {
                std::thread::sleep(Duration::from_millis(2));
            }
            // A link that exists at the start is followed, as in a shell.
            while meanwhile == Meanwhile::LinkOutput && !running.has_ended()? && !self.has_run_folder()? {
                std::thread::sleep(Duration::from_millis(2));
            }
            happened = !running.has_ended()?;
            if happened {
                self.happen(meanwhile, &running)?;
            }
        }
        Ok((running.finish_within(Duration::from_secs(60))?, happened))
    }

    /// Whether the command has decided where it writes.
    fn has_run_folder(&self) -> std::io::Result<bool> {
        let all = match snapshot(&self.project.folder()) {
            // The command removes and renames files meanwhile: look again.
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            all => all?,
        };
        Ok(all.keys().any(|path| path.extension().is_some_and(|ending| ending == "lopper")))
    }

    fn happen(&self, meanwhile: Meanwhile, running: &Running) -> Result<(), Box<dyn Error>> {
        match meanwhile {
            Meanwhile::Nothing => {}
            Meanwhile::Signal(signal) => running.signal(signal)?,
            Meanwhile::Twice => {
                running.signal(Signal::INT)?;
                std::thread::sleep(Duration::from_millis(20));
                // The first signal may have ended it.
                let _ = running.signal(Signal::INT);
            }
            Meanwhile::KillAll => self.project.kill_all()?,
            Meanwhile::Edit => fs::write(&self.input, EDITED)?,
            Meanwhile::RemoveOutputFolder => {
                if self.output.is_some() {
                    // A file that is being written may keep the folder from being removed.
                    let _ = fs::remove_dir_all(self.project.folder().join("out"));
                }
            }
            Meanwhile::LinkOutput => {
                if let Some(output) = &self.output {
                    let _ = fs::remove_file(output);
                    // The command may have ended first.
                    let _ = symlink(self.project.outside().join("treasure/gold"), output);
                }
            }
        }
        Ok(())
    }
}

/// The text that the user saves during a run.
const EDITED: &[u8] = b"work of an hour, with a needle\n";

fn text(random: &mut Random) -> Vec<u8> {
    let end: &[u8] = random.one_of(&[b"\n", b"\r\n"]);
    let mut text = Vec::new();
    for line in 0..random.below(60) {
        text.extend(match random.below(9) {
            0 => b"call(needle, 12, \"text\");".to_vec(),
            1 => b"\xff\xfe\x00 bytes".to_vec(),
            2 => "\u{e4}\u{f6} = \u{4e2d}".as_bytes().to_vec(),
            3 => b"if (x) { y = (1 + 2); }".to_vec(),
            4 => b"  indented: deeper".to_vec(),
            _ => format!("line {line} of words, a{line} = b[{line}];").into_bytes(),
        });
        text.extend(end);
    }
    if !random.once_in(10) {
        text.extend(NEEDLE);
    }
    if random.once_in(2) {
        text.extend(end);
    }
    text
}

fn holds(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// A whole session: files, commands, and the checks of what they leave.
fn session(seed: u64) -> Checked {
    let mut random = Random(seed);
    let session = Session::new(&mut random)?;
    let Session { arguments, before, meanwhile, delay, manner, .. } = &session;
    let told = format!("{arguments:?} where there was {before:?}, {meanwhile:?} after {delay:?}, '{manner}'");
    let mut check = Check { before: snapshot(&session.project.folder())?, edited: false, session: &session };
    let treasure = snapshot(&session.project.outside().join("treasure"))?;
    let mut meanwhile = session.meanwhile;
    let mut arguments = session.arguments.clone();
    // The command, and often, if it was stopped, the same with --resume.
    for _ in 0..1 + random.below(3) {
        let (finished, happened) = session.run(&arguments, meanwhile).map_err(|e| format!("{told}: {e}"))?;
        check.edited |= happened && meanwhile == Meanwhile::Edit;
        check.after(&finished).map_err(|e| format!("{told}: {e}\n{}", finished.stderr))?;
        let now = snapshot(&session.project.outside().join("treasure"))?;
        if now != treasure {
            return Err(format!("{told}: what lies elsewhere became {now:?}\n{}", finished.stderr).into());
        }
        if meanwhile == Meanwhile::LinkOutput {
            // The following command would rightly write through the link.
            return Ok(());
        }
        if meanwhile == Meanwhile::KillAll {
            // A process that was just starting escaped the kill, and nobody was left to clean up; the next
            // start does.
            session.project.kill_all()?;
            session.project.file("z.txt", NEEDLE)?;
            session.project.reduce(&["./test.sh", "z.txt", "-o", "z.out"])?;
            for name in ["z.txt", "z.out"] {
                let _ = fs::remove_file(session.project.path(name));
            }
        }
        // The best program may have been written to another place, for lack of space.
        if session.meanwhile != Meanwhile::RemoveOutputFolder {
            session.project.is_left_clean().map_err(|e| format!("{told}: {e}\n{}", finished.stderr))?;
        }
        meanwhile = random.one_of(&[Meanwhile::Nothing, Meanwhile::Nothing, Meanwhile::Signal(Signal::KILL)]);
        if !arguments.iter().any(|a| a == "--resume") && random.once_in(2) {
            arguments.insert(1, "--resume".into());
        }
    }
    Ok(())
}

/// The invariants after each command of a session.
struct Check<'a> {
    before: Snapshot,
    edited: bool,
    session: &'a Session,
}

impl Check<'_> {
    fn after(&self, finished: &Finished) -> Checked {
        let code = finished.status.code();
        if !matches!(code, None | Some(0 | 2 | 3 | 4 | 130)) || finished.stderr.contains("panicked") {
            return Err(format!("ended with {}", finished.status).into());
        }
        let now = snapshot(&self.session.project.folder())?;
        self.nothing_else_changed(&now)?;
        self.original_is_there(&now)?;
        self.result_is_interesting(code, &now)
    }

    /// Only the output, and with --in-place the input, may have changed.
    fn nothing_else_changed(&self, now: &Snapshot) -> Checked {
        let session = self.session;
        let input = session.input.canonicalize().unwrap_or_else(|_| session.input.clone());
        for (path, (content, mode)) in &self.before {
            let is_output =
                session.output.is_some() && path.starts_with(session.project.folder().join("out"));
            let is_input = *path == input && (session.in_place || self.edited);
            if is_output && session.meanwhile != Meanwhile::Nothing || is_input {
                continue;
            }
            let Some((content_now, mode_now)) = now.get(path) else {
                return Err(format!("{} is gone", path.display()).into());
            };
            let may_be_written = is_output && content_now != content && session.before != Before::Folder;
            if (content_now, mode_now) != (content, mode) && !may_be_written {
                return Err(format!("{} is not what it was", path.display()).into());
            }
        }
        Ok(())
    }

    /// The user's text is in the input or beside it.
    fn original_is_there(&self, now: &Snapshot) -> Checked {
        let contents: Vec<&Vec<u8>> = now.values().map(|(content, _)| content).collect();
        // An edit before the start of the command is the original.
        if !self.edited && !contents.contains(&&self.session.original) {
            return Err("the original is lost".into());
        }
        if self.edited && !contents.iter().any(|content| *content == EDITED) {
            return Err("what the user edited meanwhile is lost".into());
        }
        Ok(())
    }

    /// A result on disk is one that the test accepts, however the command ended.
    fn result_is_interesting(&self, code: Option<i32>, now: &Snapshot) -> Checked {
        let session = self.session;
        if code == Some(2) || code == Some(3) || self.edited {
            return Ok(());
        }
        let result = match &session.output {
            // No result is ever in a pipe or a folder; a folder is refused, unless a later command is killed first.
            Some(_) if session.meanwhile != Meanwhile::Nothing => return Ok(()),
            Some(_) if [Before::Fifo, Before::Folder].contains(&session.before) => return Ok(()),
            Some(output) => now.get(&output.canonicalize().unwrap_or_else(|_| output.clone())),
            None if session.in_place => now.get(&session.input.canonicalize()?),
            None => {
                let is_result = |path: &&PathBuf| {
                    !self.before.contains_key(*path)
                        && path.is_file()
                        && path.parent() == Some(&session.project.folder())
                };
                now.keys().find(is_result).and_then(|path| now.get(path))
            }
        };
        match result {
            // With --in-place, the result is the input until a smaller program is found.
            Some((content, _)) if *content != session.original && !holds(content, NEEDLE) => {
                Err(format!("the result is not interesting, exit code {code:?}").into())
            }
            None if code == Some(0) => Err("it ended well, and there is no result".into()),
            _ => Ok(()),
        }
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// So many attempts, or a part of them for a short trial, but at least one.
pub(crate) fn attempts(all: u64) -> u64 {
    (all / setting("RELIABILITY_DIVISOR", 1).max(1)).max(1)
}

#[test]
fn nothing_is_lost_in_some_random_sessions() -> Checked {
    (0..24).try_for_each(|seed| session(seed).map_err(|e| format!("seed {seed}: {e}").into()))
}

#[test]
#[ignore = "an hour: random sessions for RELIABILITY_SECONDS"]
fn nothing_is_lost_in_an_hour_of_random_sessions() -> Checked {
    let (seconds, first) = (setting("RELIABILITY_SECONDS", 3600), setting("RELIABILITY_SEED", 0));
    let start = Instant::now();
    let mut failed = Vec::new();
    let mut seed = first;
    while start.elapsed() < Duration::from_secs(seconds) {
        if let Err(error) = session(seed) {
            eprintln!("seed {seed}: {error}");
            failed.push(seed);
        }
        seed += 1;
    }
    eprintln!("{} sessions, {} failed", seed - first, failed.len());
    if failed.is_empty() { Ok(()) } else { Err(format!("seeds {failed:?}").into()) }
}
