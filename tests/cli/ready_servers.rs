//! The servers that `lopper server` prints.

use super::C;
use crate::Checked;
use crate::kit::{Project, has, skip};
use std::error::Error;
use std::process::Stdio;

/// A project with `a.c` and the server for Python, if there is a Python.
fn project(test: &str) -> Result<Option<Project>, Box<dyn Error>> {
    if !has("python3") {
        skip(test, "there is no python3");
        return Ok(None);
    }
    let project = Project::new()?;
    project.file("a.c", C)?;
    let printed = project.lopper(&["server", "python"])?.exits_with(0)?.stdout;
    project.file("lopper_server.py", printed)?;
    Ok(Some(project))
}

/// Reduces `a.c` by the server with these options, one worker at a time.
fn reduces(project: &Project, options: &str) -> Checked {
    let server = format!("python3 lopper_server.py {options}");
    let run = project.reduce(&["-j1", "--server", &server, "a.c"])?.exits_with(0)?;
    assert!(!run.stderr.contains("no answer"), "{}", run.stderr);
    assert_eq!(project.read("a.reduced.c")?, "needle\n");
    project.is_left_clean()
}

/// The answers of the server to questions about these texts, without the serial numbers.
fn answers(project: &Project, options: &str, texts: &[&str]) -> Result<Vec<String>, Box<dyn Error>> {
    let mut questions = String::new();
    for (serial, text) in texts.iter().enumerate() {
        let path = project.file(&format!("test_{serial}.py"), text)?;
        let (path, folder, tmp) = (path.display(), project.folder(), project.tmp());
        let (folder, tmp) = (folder.display(), tmp.display());
        questions += &format!(
            "{{\"serial\": {serial}, \"path\": \"{path}\", \"paths\": [\"{path}\"], \"folder\": \"{folder}\", \
             \"tmp\": \"{tmp}\"}}\n"
        );
    }
    project.file("questions", questions)?;
    let mut command = project.command("sh");
    let line = format!("python3 lopper_server.py {options} <questions");
    command.args(["-c", &line]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = project.spawn(command)?.finish()?.exits_with(0)?;
    let mut lines: Vec<String> = run.stdout.lines().map(str::to_owned).collect();
    assert_eq!(lines.first().map(String::as_str), Some("{\"protocol\": 1}"), "{}", run.stderr);
    lines.remove(0);
    assert_eq!(lines.len(), texts.len(), "{lines:?} {}", run.stderr);
    let answer = |(serial, line): (usize, &String)| {
        let rest = line.strip_prefix(&format!("{{\"serial\": {serial}, \"verdict\": "));
        rest.map(|rest| rest.trim_end_matches('}').replace('"', "")).ok_or_else(|| line.clone())
    };
    Ok(lines.iter().enumerate().map(answer).collect::<Result<_, _>>()?)
}

#[test]
fn a_check_is_loaded_once_and_called_in_a_process_of_its_own_for_each_candidate() -> Checked {
    let Some(project) = project("a_check_is_loaded_once")? else { return Ok(()) };
    let check = "import os, pathlib, subprocess, sys
print('loading')
with open(os.environ['OUTSIDE'] + '/loads', 'a') as file: file.write('.\\n')
state = []
def check(path):
    print('noise'); print('noise', file=sys.stderr)
    state.append(path)
    assert len(state) == 1 and sys.stdin.read() == ''
    assert os.listdir() == ['a.c'] and os.listdir(os.environ['TMPDIR']) == []
    subprocess.Popen(['sleep', '1000'])
    return 'needle' in pathlib.Path(path).read_text()
";
    project.file("check.py", check)?;
    reduces(&project, "-- check.py")?;
    assert_eq!(project.reported("loads"), ".\n");
    project.file("check.py", check.replace("def check", "def other"))?;
    reduces(&project, "--path . -- check:other")
}

#[test]
fn a_program_without_a_function_check_runs_for_each_candidate() -> Checked {
    let Some(project) = project("a_program_without_a_function_check_runs")? else { return Ok(()) };
    project.file("module.py", "import os\nopen(os.environ['OUTSIDE'] + '/loads', 'a').write('.\\n')\n")?;
    let program = "import module, sys
if __name__ == '__main__':
    sys.exit('needle' not in open(sys.argv[1]).read())
";
    project.file("program.py", program)?;
    reduces(&project, "--path . --import module -- program.py")?;
    assert_eq!(project.reported("loads"), ".\n");
    reduces(&project, "--fresh -- program.py")
}

#[test]
fn returned_values_exit_codes_exceptions_and_signals_are_verdicts() -> Checked {
    let Some(project) = project("returned_values_exit_codes_exceptions_and_signals_are_verdicts")? else {
        return Ok(());
    };
    project
        .file("check.py", "import os, signal, sys\ndef check(path):\n    return eval(open(path).read())\n")?;
    let texts = [
        "True",
        "False",
        "'invalid'",
        "('boring', 'another crash')",
        "sys.exit()",
        "sys.exit(125)",
        "sys.exit('a message')",
        "1 // 0",
        "os.kill(os.getpid(), signal.SIGSEGV)",
        "os._exit(0)",
        "None",
        "'perhaps'",
    ];
    let expected = [
        "interesting",
        "boring",
        "invalid",
        "boring, signature: another crash",
        "interesting",
        "invalid",
        "boring",
        "boring",
        "boring, signature: died by SIGSEGV",
        "boring",
        "invalid",
        "invalid",
    ];
    assert_eq!(answers(&project, "-- check.py", &texts)?, expected);
    assert_eq!(answers(&project, "--fresh -- check.py", &texts)?, expected);
    Ok(())
}

#[test]
fn a_module_that_cannot_be_imported_is_named() -> Checked {
    let Some(project) = project("a_module_that_cannot_be_imported_is_named")? else { return Ok(()) };
    let server = "python3 lopper_server.py --import no_such_module -- check:check";
    let run = project.reduce(&["--server", server, "a.c"])?.exits_with(3)?;
    run.says(&["does not start", "it ended with exit code 1", "No module named 'no_such_module'"])?;
    project.is_left_clean()
}

#[test]
fn a_test_of_pytest_has_to_fail_with_the_error() -> Checked {
    let Some(project) = project("a_test_of_pytest_has_to_fail_with_the_error")? else { return Ok(()) };
    let mut command = project.command("python3");
    command.args(["-c", "import pytest"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    if project.spawn(command)?.finish()?.exits_with(0).is_err() {
        skip("a_test_of_pytest_has_to_fail_with_the_error", "there is no pytest");
        return Ok(());
    }
    let file =
        |body: &str| format!("def test_a():\n    {body}\ndef test_b():\n    assert False, 'no matter'\n");
    let texts = [
        file("assert sum([1]) == 2, 'the sum'"),
        file("pass"),
        file("raise KeyError('x')"),
        file("("),
        "def test_b(): pass\n".to_owned(),
        "class Test:\n    def test_a(self): assert 0, 'the sum'\n".to_owned(),
    ];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let found = answers(&project, "--pytest test_a --error '^AssertionError: the sum'", &texts)?;
    assert_eq!(
        found,
        ["interesting", "boring", "boring, signature: KeyError: 'x'", "invalid", "invalid", "invalid"]
    );
    Ok(())
}

#[test]
fn the_example_for_node_reduces() -> Checked {
    if !has("node") {
        skip("the_example_for_node_reduces", "there is no node");
        return Ok(());
    }
    let project = Project::new()?;
    let printed = project.lopper(&["server", "node"])?.exits_with(0)?.stdout;
    project.file("lopper_server.js", printed)?;
    project.file("a.txt", "one\ntwo the failure three\nfour\n")?;
    project.reduce(&["--server", "node lopper_server.js", "a.txt"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.txt")?.trim_end(), "the failure");
    project.is_left_clean()
}
