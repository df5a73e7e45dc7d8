//! docs/packages.md: packaging/page runs its commands, here with a stand-in for podman, and in packaging/try with podman itself.

use super::root;
use crate::Checked;
use crate::kit::{Project, has, skip};
use std::fs;
use std::process::Stdio;

/// `build` keeps what an image of this context would be, and `run` runs its entry point in the folder that is mounted.
const PODMAN: &str = "\
echo \"podman $*\"
case $1 in
build)
    case $* in *'--build-arg BASE=localhost/base -t lopper '*) ;; *) exit 1;; esac
    for context; do :; done
    grep -q '^ENTRYPOINT ..*/lopper\"]$' \"$context/Containerfile\"
    cp \"$context/lopper\" \"$OUTSIDE/image\" ;;
run)
    while [ \"$1\" != -v ]; do shift; done
    cd \"${2%:/work}\"
    shift 3
    exec \"$OUTSIDE/image\" \"$@\" ;;
esac";

#[test]
fn the_commands_about_an_image_run() -> Checked {
    let page = "docs/packages.md";
    let script = root().join("packaging/page");
    if !script.exists() || !has("bash") {
        skip(page, "a crate has no packaging/, and its scripts need bash");
        return Ok(());
    }
    let project = Project::with("grep -q needle \"$1\"", "crash.c", "int a;\nint needle;\nint b;\n")?;
    let tools = project.outside().join("bin");
    fs::create_dir(&tools)?;
    fs::rename(project.script("podman", PODMAN)?, tools.join("podman"))?;
    // An archive for another processor and of another version.
    let name = "lopper-12.0.3-aarch64-unknown-linux-musl";
    let content = project.outside().join(name);
    fs::create_dir(&content)?;
    fs::copy(env!("CARGO_BIN_EXE_lopper"), content.join("lopper"))?;
    fs::copy(root().join("packaging/Containerfile"), content.join("Containerfile"))?;
    let archive = project.outside().join(format!("{name}.tar.gz"));
    let mut tar = project.command("tar");
    tar.arg("-czf").arg(&archive).arg("-C").arg(project.outside()).arg(name);
    assert!(project.spawn(tar)?.finish()?.status.success());
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = project.command(script);
    command.arg(&archive).arg("localhost/base").env("PATH", format!("{}:{path}", tools.display()));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = project.spawn(command)?.finish()?.exits_with(0)?;
    assert_eq!(run.stdout.matches("\npodman build ").count(), 2, "told and run:\n{}", run.stdout);
    assert!(run.stdout.contains("\npodman run --rm -v "), "{}", run.stdout);
    assert_eq!(project.read("crash.reduced.c")?.trim(), "needle");
    let trial = fs::read_to_string(root().join("packaging/try"))?;
    assert!(trial.contains("\"$scripts/page\" "), "packaging/try runs the commands of the page, too");
    Ok(())
}
