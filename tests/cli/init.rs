//! `lopper init`: a script for each situation, written and tried.

use super::C;
use crate::Checked;
use crate::kit::{Finished, Project, has, names_in, skip};
use std::error::Error;
use std::process::Stdio;

/// A tool that crashes on files with `needle`, at another address each time.
const TOOL: &str = "\
grep -q needle \"$1\" || exit 1
echo \"tool: eval.c:77: eval: Assertion \\`depth < 16' failed at 0x$$.\" >&2
exit 134";

fn project() -> std::io::Result<Project> {
    let project = Project::new()?;
    project.script("tool.sh", TOOL)?;
    project.file("a.c", C)?;
    Ok(project)
}

/// Runs `lopper init`, and reduces with the script that it wrote; returns the answer of the first.
fn init_and_reduce(project: &Project, arguments: &[&str], file: &str) -> Result<Finished, Box<dyn Error>> {
    let run = project.lopper(&[&["init"], arguments].concat())?.exits_with(0)?;
    assert!(run.stdout.contains("no fault was found"), "{}", run.stdout);
    project.forget_advice(&run)?;
    project.reduce(&["./interesting.sh", file, "-o", "small"])?.exits_with(0)?;
    Ok(run)
}

#[test]
fn the_script_for_a_crash_looks_for_what_the_tool_reported() -> Checked {
    let project = project()?;
    let tool = "./tool.sh";
    let run = init_and_reduce(&project, &["crash", "a.c", "--", tool, "{}"], "a.c")?;
    assert_eq!(project.read("small")?, "needle\n");
    assert!(run.stdout.contains("lopper reduce a.c --like-original -- "), "{}", run.stdout);
    let script = project.read("interesting.sh")?;
    assert!(script.contains("[ $? -eq 134 ]") && script.contains("Assertion `depth < 16"), "{script}");
    project
        .lopper(&["init", "crash", "a.c", "--", tool])?
        .exits_with(2)?
        .says(&["exists already", "--output"])?;
    project.is_left_clean()
}

#[test]
fn the_script_for_a_crash_without_an_ordinary_error_before_it_does_what_like_original_does() -> Checked {
    let project = project()?;
    let tool = TOOL.replace("exit 1\n", "exit 1\ngrep -q main \"$1\" || echo \"$1:1: error: no main\" >&2\n");
    project.script("tool.sh", &tool)?;
    init_and_reduce(&project, &["crash", "a.c", "--", "./tool.sh", "{}"], "a.c")?;
    project.reduce(&["a.c", "--like-original", "-o", "like", "--", "./tool.sh", "{}"])?.exits_with(0)?;
    let small = project.read("small")?;
    assert!(small.contains("main") && small.contains("needle") && small.len() < 20, "{small}");
    assert_eq!(project.read("like")?, small);
    project.script("tool.sh", &tool.replace("grep -q main", "false"))?;
    let again = ["init", "crash", "a.c", "-o", "b.sh", "--", "./tool.sh", "{}"];
    project.lopper(&again)?.exits_with(0)?;
    assert!(!project.read("b.sh")?.contains("ordinary"), "the original has such an error, too");
    project.is_left_clean()
}

#[test]
fn the_script_for_a_disagreement_asks_both_tools() -> Checked {
    let project = project()?;
    let tool = project.path("tool.sh").display().to_string();
    let accepts = ["--accepts", "grep -q main"];
    init_and_reduce(&project, &[&["refused", "a.c"], &accepts[..], &["--", &tool]].concat(), "a.c")?;
    let small = project.read("small")?;
    assert!(small.contains("needle") && small.contains("main") && small.len() < 20, "{small}");
    project.is_left_clean()
}

#[test]
fn the_script_for_wrong_code_compares_what_two_compilers_make() -> Checked {
    let project = Project::new()?;
    project.file(
        "a.c",
        "#include <stdio.h>\nint f(int x) { return x + 1; }\nint main(void) {\n    int a = f(2), b = 9;\n    \
         if (b > 3) puts(\"big\");\n#ifdef WRONG\n    a++;\n#endif\n    printf(\"%d\\n\", a);\n    return 0;\n}\n",
    )?;
    let arguments =
        ["wrong-code", "a.c", "--suspect", "cc -DWRONG", "--reference", "cc -O0", "--second", "cc -O1"];
    init_and_reduce(&project, &arguments, "a.c")?;
    let small = project.read("small")?;
    assert!(small.contains("WRONG") && !small.contains("big"), "{small}");
    project.is_left_clean()
}

#[test]
fn the_script_for_a_failing_test_of_unittest_asks_for_its_message() -> Checked {
    if !has("python3") {
        skip("the_script_for_a_failing_test_of_unittest_asks_for_its_message", "there is no python3");
        return Ok(());
    }
    let project = Project::new()?;
    project.file(
        "t.py",
        "import unittest\n\n\ndef half(x):\n    return x // 2\n\n\nclass Half(unittest.TestCase):\n    def test_even(self):\n        \
         self.assertEqual(half(4), 2)\n\n    def test_odd(self):\n        self.assertAlmostEqual(half(5), 2.5)\n",
    )?;
    let run = project.lopper(&["init", "unittest", "t.py", "Half.test_odd"])?.exits_with(0)?;
    assert!(run.stdout.contains("the test can be used"), "{}", run.stdout);
    let script = project.read("interesting.sh")?;
    assert!(
        script.contains("-m unittest t.Half.test_odd") && script.contains("AssertionError: "),
        "{script}"
    );
    project.reduce(&["./interesting.sh", "t.py", "-o", "small.py", "--max-tests", "25"])?.exits_with(0)?;
    assert!(!project.read("small.py")?.contains("test_even"));
    // The test depends on the name of the file, and a folder to try it in is kept.
    let left = names_in(&project.tmp())?;
    assert!(left.iter().all(|name| name.starts_with("lopper-check-")), "{left:?}");
    Ok(())
}

#[test]
fn the_script_for_a_hang_accepts_what_takes_too_long() -> Checked {
    let project = Project::new()?;
    project.file("a.c", "int a;\nint needle;\n")?;
    project.script("tool.sh", "grep -q needle \"$1\" && sleep 30; exit 0")?;
    let tool = project.path("tool.sh").display().to_string();
    let run = project.lopper(&["init", "hang", "a.c", "--seconds", "1", "--", &tool])?.exits_with(0)?;
    assert!(run.stdout.contains("no fault was found"), "{}", run.stdout);
    assert!(project.read("interesting.sh")?.contains("[ $? -eq 124 ]"));
    project.forget_advice(&run)?;
    project.is_left_clean()
}

#[test]
fn a_file_without_the_failure_is_refused_before_anything_is_written() -> Checked {
    let project = project()?;
    project.file("a.c", "int fine;\n")?;
    project.script("tool.sh", "exit 0")?;
    let run = project.lopper(&["init", "crash", "a.c", "--", "./tool.sh"])?.exits_with(3)?;
    run.says(&["nothing tells how the original fails"])?;
    assert!(!project.path("interesting.sh").exists());
    project.lopper(&["init", "pytest", "a.c"])?.exits_with(2)?.says(&["names no test", "FILE::TEST"])?;
    project.lopper(&["init"])?.exits_with(2)?.says(&["there is no situation", "wrong-code"])?;
    project.is_left_clean()
}

#[test]
fn on_a_terminal_the_questions_are_asked() -> Checked {
    if !has("python3") {
        skip("on_a_terminal_the_questions_are_asked", "there is no python3");
        return Ok(());
    }
    let project = project()?;
    let typed = "1\\na.c\\n./tool.sh {}\\n";
    let python = format!(
        "import os, pty, sys\npid, fd = pty.fork()\nif not pid:\n    os.execv(sys.argv[1], ['lopper', 'init'])\n\
         os.write(fd, b'{typed}')\nout = b''\ntry:\n    while True:\n        out += os.read(fd, 1000)\nexcept OSError:\n    pass\n\
         print(out.decode())\nsys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
    );
    let mut command = project.command("python3");
    command.args(["-c", &python, env!("CARGO_BIN_EXE_lopper")]).stdout(Stdio::piped());
    let run = project.spawn(command)?.finish()?.exits_with(0)?;
    assert!(
        run.stdout.contains("What is wrong?") && run.stdout.contains("no fault was found"),
        "{}",
        run.stdout
    );
    assert!(project.read("interesting.sh")?.contains("Assertion `depth"));
    Ok(())
}
