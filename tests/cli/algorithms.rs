//! `lopper reduce --algorithm`: the published algorithms, as a user starts them.

use super::{C, NEEDLE, needle};
use crate::Checked;
use crate::kit::Project;

const NAMES: [&str; 12] = [
    "default",
    "ddmin-lines",
    "ddmin-tokens",
    "hdd",
    "hdd*",
    "gtr",
    "gtr*",
    "perses",
    "perses*",
    "perses-bases",
    "keep-list",
    "keep-list*",
];

#[test]
fn every_algorithm_reduces_and_says_how_many_runs_it_took() -> Checked {
    for name in NAMES {
        let project = needle()?;
        let run = project.reduce(&["--algorithm", name, "./test.sh", "a.c"])?.exits_with(0)?;
        assert!(run.runs()? > 0, "{name}");
        let result = project.read("a.reduced.c")?;
        assert!(result.contains("needle") && result.len() < C.len(), "{name}: {result}");
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn a_limit_leaves_the_best_so_far_on_disk() -> Checked {
    for name in NAMES {
        let project = needle()?;
        let run = project.reduce(&["--algorithm", name, "--max-tests", "4", "./test.sh", "a.c"])?;
        assert_eq!(run.exits_with(0)?.says(&["--max-tests"])?.runs()?, 4, "{name}");
        assert!(project.read("a.reduced.c")?.contains("needle"), "{name}");
    }
    Ok(())
}

#[test]
fn ctrl_c_ends_an_algorithm_with_the_best_so_far_on_disk() -> Checked {
    for name in NAMES {
        let better = "test -e a.reduced.c && ! cmp -s a.c a.reduced.c";
        let hangs = format!("cd \"$OUTSIDE/../here\" && {better} && touch \"$OUTSIDE/hangs\" && sleep 1000");
        let project = Project::with(&format!("({hangs})\n{NEEDLE}"), "a.c", C)?;
        let mut run =
            project.start(&["reduce", "--algorithm", name, "--timeout", "900", "./test.sh", "a.c"])?;
        run.wait_until("a success", || project.outside().join("hangs").exists())?;
        run.signal(rustix::process::Signal::INT)?;
        run.finish()?.exits_with(130)?;
        let result = project.read("a.reduced.c")?;
        assert!(result.contains("needle") && result.len() < C.len(), "{name}: {result}");
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn an_algorithm_knows_neither_passes_nor_searches() -> Checked {
    let project = needle()?;
    for other in [["--pass", "delete"], ["--skip-pass", "delete"], ["--search", "ddmin"]] {
        let arguments = [&["--algorithm", "hdd"][..], &other, &["./test.sh", "a.c"]].concat();
        project.reduce(&arguments)?.exits_with(2)?.says(&["cannot be used with", other[0]])?;
    }
    project.reduce(&["--algorithm", "hd", "./test.sh", "a.c"])?.exits_with(2)?.says(&["perses*"])?;
    Ok(())
}
