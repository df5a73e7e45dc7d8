//! A throw-away project: a folder with files and scripts, in which the command runs.

use super::names_in;
use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// No command of these tests takes a tenth of this time; one that takes longer hangs, and is killed.
const HANGS: Duration = Duration::from_secs(120);

/// A script that is written while another thread forks would be open for writing in that child, and executing
/// it would fail ("text file busy"), so no script is written while a process starts.
static FORK: Mutex<()> = Mutex::new(());

/// A folder in which the command runs, a private TMPDIR, and a folder for the reports of scripts.
#[derive(Debug)]
pub(crate) struct Project {
    root: tempfile::TempDir,
}

impl Project {
    pub(crate) fn new() -> io::Result<Self> {
        let project = Self { root: tempfile::tempdir()? };
        for folder in [project.folder(), project.tmp(), project.outside()] {
            fs::create_dir(folder)?;
        }
        Ok(project)
    }

    /// A project with the script `test.sh` and a file.
    pub(crate) fn with(script: &str, file: &str, text: impl AsRef<[u8]>) -> io::Result<Self> {
        let project = Self::new()?;
        project.script("test.sh", script)?;
        project.file(file, text)?;
        Ok(project)
    }

    /// The folder in which the command runs.
    pub(crate) fn folder(&self) -> PathBuf {
        self.root.path().join("here")
    }

    /// The command's TMPDIR.
    pub(crate) fn tmp(&self) -> PathBuf {
        self.root.path().join("tmp")
    }

    /// The folder for reports that must survive; scripts know it as $OUTSIDE.
    pub(crate) fn outside(&self) -> PathBuf {
        self.root.path().join("outside")
    }

    /// The user's folder for configurations.
    pub(crate) fn configuration(&self) -> PathBuf {
        self.root.path().join("config")
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>) -> io::Result<PathBuf> {
        let path = self.path(name);
        fs::write(&path, text)?;
        Ok(path)
    }

    /// An executable shell script of these lines.
    pub(crate) fn script(&self, name: &str, lines: &str) -> io::Result<PathBuf> {
        self.executable(name, &format!("#!/bin/sh\n{lines}\n"))
    }

    /// An executable file of exactly this text.
    pub(crate) fn executable(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let _nobody_forks = FORK.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.file(name, text)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        Ok(path)
    }

    pub(crate) fn read(&self, name: &str) -> Result<String, Box<dyn Error>> {
        let bytes = fs::read(self.path(name)).map_err(|e| format!("{name}: {e}"))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The text that scripts wrote to $OUTSIDE/NAME; empty if there is none.
    pub(crate) fn reported(&self, name: &str) -> String {
        fs::read_to_string(self.outside().join(name)).unwrap_or_default()
    }

    /// Runs `lopper` with these arguments to its end.
    pub(crate) fn lopper<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Finished, Box<dyn Error>> {
        self.start(arguments)?.finish()
    }

    /// As `lopper`, with this text on standard input.
    pub(crate) fn lopper_reads<S: AsRef<OsStr>>(
        &self,
        arguments: &[S],
        input: &[u8],
    ) -> Result<Finished, Box<dyn Error>> {
        let path = self.outside().join("standard-input");
        fs::write(&path, input)?;
        let mut command = self.command(env!("CARGO_BIN_EXE_lopper"));
        command.args(arguments).stdin(fs::File::open(&path)?).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.spawn(command)?.finish()
    }

    /// Runs `lopper reduce` with these arguments to its end.
    pub(crate) fn reduce<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Finished, Box<dyn Error>> {
        let mut all = vec![OsStr::new("reduce")];
        all.extend(arguments.iter().map(AsRef::as_ref));
        self.lopper(&all)
    }

    /// Starts `lopper` with these arguments.
    pub(crate) fn start<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Running, Box<dyn Error>> {
        let mut command = self.command(env!("CARGO_BIN_EXE_lopper"));
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.spawn(command)
    }

    /// A command in the project's folder and environment, with nothing on standard input.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.folder())
            .env("TMPDIR", self.tmp())
            .env("XDG_CONFIG_HOME", self.configuration())
            .env("OUTSIDE", self.outside())
            .stdin(Stdio::null());
        command
    }

    /// Starts a command that was made by `command`.
    pub(crate) fn spawn(&self, mut command: Command) -> Result<Running, Box<dyn Error>> {
        let _nobody_writes = FORK.lock().unwrap_or_else(PoisonError::into_inner);
        let mut child = command.spawn()?;
        let stdout = child.stdout.take().map(read_all);
        let stderr = child.stderr.take().map(read_all);
        Ok(Running { child, stdout, stderr, start: Instant::now() })
    }

    /// The processes that descend from commands of this project, with their command lines: they have
    /// inherited the project's environment.
    pub(crate) fn descendants(&self) -> io::Result<Vec<(i32, String)>> {
        let mark = self.root.path().as_os_str().as_encoded_bytes();
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc")? {
            let folder = entry?.path();
            let pid = folder.file_name().and_then(|name| name.to_str()?.parse().ok());
            // A process may end meanwhile, or belong to another user.
            let Ok(environment) = fs::read(folder.join("environ")) else { continue };
            if let Some(pid) = pid
                && environment.windows(mark.len()).any(|w| w == mark)
            {
                let line = fs::read(folder.join("cmdline")).unwrap_or_default();
                found.push((pid, String::from_utf8_lossy(&line).replace('\0', " ")));
            }
        }
        Ok(found)
    }

    /// Kills all processes of this project until none is left: a forking process is faster than one pass over
    /// the list.
    pub(crate) fn kill_all(&self) -> io::Result<()> {
        for _ in 0..100 {
            let all = self.descendants()?;
            if all.is_empty() {
                break;
            }
            let pids = all.into_iter().filter_map(|(pid, _)| rustix::process::Pid::from_raw(pid));
            for pid in pids.filter(|pid| pid.as_raw_nonzero().get() > 1) {
                // It may have ended meanwhile.
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
        Ok(())
    }

    /// Removes the folders that `lopper check` keeps for its advice about slow start-up, which it gives on a slow machine.
    pub(crate) fn forget_advice(&self, run: &Finished) -> io::Result<()> {
        if !run.stdout.contains(" of a run are start-up") {
            return Ok(());
        }
        let mut kept = names_in(&self.tmp())?.into_iter().filter(|name| name.starts_with("lopper-check-"));
        kept.try_for_each(|name| fs::remove_dir_all(self.tmp().join(name)))
    }

    /// Fails if a working folder or a process is left.
    pub(crate) fn is_left_clean(&self) -> Result<(), Box<dyn Error>> {
        let look = || -> io::Result<_> { Ok((names_in(&self.tmp())?, self.descendants()?)) };
        let (mut files, mut processes) = look()?;
        // A killed process stays in the list until its parent, which may be init, has reaped it; and the
        // helpers of a killed command clean up by themselves.
        for _ in 0..100 {
            if files.is_empty() && processes.is_empty() {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
            (files, processes) = look()?;
        }
        if files.is_empty() && processes.is_empty() {
            return Ok(());
        }
        Err(format!("left behind: files {files:?}, processes {processes:?}").into())
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        // The processes that a failed test has left; each of them carries the mark of this project.
        let _ = self.kill_all();
    }
}

fn read_all(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut all = Vec::new();
        // An error ends the output, like the end of the process.
        let _ = pipe.read_to_end(&mut all);
        all
    })
}

/// A running command; killed if the test drops it.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    stdout: Option<JoinHandle<Vec<u8>>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
    start: Instant,
}

impl Running {
    /// The command's process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the command has ended.
    pub(crate) fn has_ended(&mut self) -> io::Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }

    /// Sends a signal to the command alone.
    pub(crate) fn signal(&self, signal: rustix::process::Signal) -> Result<(), Box<dyn Error>> {
        let pid = i32::try_from(self.child.id())?;
        let pid = rustix::process::Pid::from_raw(pid).ok_or("no process id")?;
        Ok(rustix::process::kill_process(pid, signal)?)
    }

    /// Waits until `done` holds.
    pub(crate) fn wait_until(&mut self, what: &str, done: impl Fn() -> bool) -> Result<(), Box<dyn Error>> {
        let start = Instant::now();
        while !done() {
            if let Some(status) = self.child.try_wait()? {
                return Err(format!("ended with {status} before {what}").into());
            }
            if start.elapsed() > HANGS {
                return Err(format!("waited in vain for {what}").into());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// Waits for the end.
    pub(crate) fn finish(self) -> Result<Finished, Box<dyn Error>> {
        self.finish_within(HANGS)
    }

    /// Waits for the end of a command that may take this long.
    pub(crate) fn finish_within(mut self, limit: Duration) -> Result<Finished, Box<dyn Error>> {
        let status = loop {
            if let Some(status) = self.child.try_wait()? {
                break status;
            }
            if self.start.elapsed() > limit {
                return Err(format!("hangs: killed after {limit:?}").into());
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let text = |reader: Option<JoinHandle<Vec<u8>>>| {
            let bytes = reader.map_or_else(Vec::new, |r| r.join().unwrap_or_default());
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let (stdout, stderr) = (text(self.stdout.take()), text(self.stderr.take()));
        Ok(Finished { status, stdout, stderr })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both calls fail if the command has ended, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The exit of a command, and its output.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Finished {
    /// Fails unless the command ended with this exit code; returns it for further checks.
    pub(crate) fn exits_with(self, code: i32) -> Result<Self, Box<dyn Error>> {
        if self.status.code() == Some(code) {
            return Ok(self);
        }
        Err(format!("{} instead of {code}\n{}{}", self.status, self.stdout, self.stderr).into())
    }

    /// Fails unless standard error contains all of these texts.
    pub(crate) fn says(self, texts: &[&str]) -> Result<Self, Box<dyn Error>> {
        match texts.iter().find(|text| !self.stderr.contains(**text)) {
            Some(text) => Err(format!("'{text}' is not in:\n{}", self.stderr).into()),
            None => Ok(self),
        }
    }

    /// The number after `runs` in the summary.
    pub(crate) fn runs(&self) -> Result<usize, Box<dyn Error>> {
        let line = self.stderr.lines().find(|line| line.starts_with("runs "));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        let number = number.ok_or_else(|| format!("no number of runs in:\n{}", self.stderr))?;
        Ok(number.parse()?)
    }
}
