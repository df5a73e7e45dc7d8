//! The same with a real server: buildbox-casd with buildbox-run, where tests/remote/install.sh has put them.

use super::{TEXT, reduce};
use crate::Checked;
use crate::kit::{Project, has, skip};
use std::error::Error;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The folder of the server, if it can run here.
fn installed(test: &str) -> Option<PathBuf> {
    let named = std::env::var_os("LOPPER_CASD").map(PathBuf::from);
    let usual = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache/lopper-casd"));
    let programs = ["buildbox-casd", "buildbox-run"];
    let is_there = |folder: &PathBuf| has("bwrap") && programs.iter().all(|p| folder.join(p).is_file());
    let folder = named.or(usual).filter(is_there);
    if folder.is_none() {
        skip(test, "there is no buildbox-casd: tests/remote/install.sh installs it");
    }
    folder
}

fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Starts a server by a block of a page, at another port and with another cache, and reduces there.
pub(super) fn reduces_by_the_block_of(page: &str, block: &str) -> Checked {
    if installed(page).is_none() {
        return Ok(());
    }
    let address = format!("127.0.0.1:{}", free_port()?);
    let project = super::project()?;
    let cache = project.outside().join("cache");
    for replaced in ["127.0.0.1:8980", "/tmp/cache"] {
        assert!(block.contains(replaced), "{page} has no {replaced}");
    }
    let block = block.replace("127.0.0.1:8980", &address).replace("/tmp/cache", &cache.to_string_lossy());
    let mut command = project.command("sh");
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["-ec", &block]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut server = project.spawn(command)?;
    server.wait_until("the server answers", || TcpStream::connect(&address).is_ok())?;
    reduce(&project, &format!("reapi://{address}"), &["-j2"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?, super::RESULT);
    Ok(())
}

/// A server that is killed when it is dropped.
struct Casd {
    child: Child,
    port: u16,
    cache: tempfile::TempDir,
    folder: PathBuf,
}

impl Casd {
    /// `None` if it is not installed.
    fn start(test: &str) -> Result<Option<Self>, Box<dyn Error>> {
        let Some(folder) = installed(test) else { return Ok(None) };
        let port = free_port()?;
        let cache = tempfile::tempdir()?;
        let child = Self::spawn(&folder, &cache, port)?;
        Ok(Some(Self { child, port, cache, folder }))
    }

    fn spawn(folder: &std::path::Path, cache: &tempfile::TempDir, port: u16) -> std::io::Result<Child> {
        let mounts = ["/usr", "/bin", "/lib", "/lib64", "/etc"];
        let mounts = mounts.iter().filter(|path| std::path::Path::new(path).exists());
        Command::new(folder.join("buildbox-casd"))
            .arg(format!("--bind=127.0.0.1:{port}"))
            .arg(format!("--buildbox-run={}", folder.join("buildbox-run").display()))
            .args(["--jobs=4", "--runner-arg=--staging-mode=copy-or-link"])
            .args(mounts.map(|path| format!("--runner-arg=--bind-mount={path}:{path}")))
            .arg(cache.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
    }

    /// Kills the server and starts it again.
    fn restart(&mut self) -> Checked {
        self.child.kill()?;
        self.child.wait()?;
        self.child = Self::spawn(&self.folder, &self.cache, self.port)?;
        Ok(())
    }

    fn address(&self) -> String {
        format!("reapi://127.0.0.1:{}", self.port)
    }
}

impl Drop for Casd {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn casd_has_the_result_and_the_number_of_runs_of_this_machine_although_it_is_killed_in_the_middle() -> Checked
{
    let Some(mut casd) = Casd::start("casd")? else { return Ok(()) };
    let script = "sleep 0.1; grep -q needle \"$1\" || exit 1; grep -q seven \"$1\" || exit 125";
    let project = Project::with(script, "a.c", TEXT)?;
    let here = project.reduce(&["./test.sh", "a.c", "-o", "here.c"])?.exits_with(0)?;
    let address = casd.address();
    let run = project.start(&["reduce", "--executor", &address, "-j4", "./test.sh", "a.c"])?;
    std::thread::sleep(Duration::from_secs(2));
    casd.restart()?;
    let run = run.finish()?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?, project.read("here.c")?);
    assert_eq!(run.runs()?, here.runs()?);
    Ok(())
}

#[test]
fn casd_ends_a_candidate_that_hangs_and_names_an_unknown_instance() -> Checked {
    let Some(casd) = Casd::start("casd")? else { return Ok(()) };
    let script = "grep -q needle \"$1\" || exit 1; grep -q seven \"$1\" || sleep 60";
    let project = Project::with(script, "a.c", TEXT)?;
    reduce(&project, &casd.address(), &["-j2", "--timeout", "1"])?.exits_with(0)?;
    assert!(project.read("a.reduced.c")?.contains("seven"));
    let unknown = reduce(&project, &format!("{}/other", casd.address()), &[])?.exits_with(2)?;
    assert!(unknown.stderr.contains("has no instance 'other'"), "{}", unknown.stderr);
    Ok(())
}

#[test]
fn casd_gets_the_files_that_the_test_names_beside_it() -> Checked {
    let Some(casd) = Casd::start("casd")? else { return Ok(()) };
    let project = super::project_with_files()?;
    let run = reduce(&project, &casd.address(), &["-j2"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?, super::RESULT);
    assert!(run.stderr.contains("tools/wanted.txt beside it"), "{}", run.stderr);
    Ok(())
}
