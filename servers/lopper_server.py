#!/usr/bin/env python3
"""A test for Lopper that starts once: it imports what the test needs, and then forks for each candidate.

    lopper server python > lopper_server.py
    lopper reduce --server 'python3 lopper_server.py --import mypkg -- check.py' FILE
    lopper reduce --server 'python3 lopper_server.py --pytest test_total --error "^TypeError"' test_file.py

CHECK is one of

- a Python file with a function check(path): the file is loaded once, and the function is called for each candidate;
- any other Python file: it is run as a program for each candidate, with its path as the argument;
- MODULE:FUNCTION, a function of a module that can be imported.

A function returns True (interesting), False (boring), one of "interesting", "boring" and "invalid", or a pair of
such a verdict and a signature, which names another failure. An exception that it does not catch means boring. The
exit code of a program means what it means for a test that is a script: 0 interesting, 125 invalid, others boring.

Each candidate is judged in a process of its own, in the working folder, with standard input empty. What the process
prints goes to standard error, which Lopper shows if the test does not accept the original.

No dependencies; Python 3.8 or later. The protocol is described in docs/servers.md of Lopper.
"""

import argparse
import ast
import gc
import importlib
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import traceback

PROTOCOL = 1
VERDICTS = ("interesting", "boring", "invalid")


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--import", dest="imports", metavar="MODULE", action="append", default=[],
                        help="import this module once, before the first candidate")
    parser.add_argument("--path", metavar="FOLDER", action="append", default=[],
                        help="look for modules in this folder, too")
    parser.add_argument("--pytest", metavar="TEST",
                        help="run this test of the candidate, such as test_a or TestA::test_a, by pytest; it has to fail")
    parser.add_argument("--error", metavar="REGEX", default="",
                        help="with --pytest: what the failure has to match, in the form 'TypeError: message'")
    parser.add_argument("--fresh", action="store_true",
                        help="start a new process for each candidate, as where there is no fork")
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("check", metavar="CHECK", nargs="*",
                        help="the check and its further arguments; with --pytest, further options of pytest")
    given = parser.parse_args()
    if not given.pytest and not given.check:
        parser.error("there is neither a CHECK nor --pytest")
    return given


def loaded(given):
    """Imports everything; returns a function from a path to a verdict, or to a verdict and a signature."""
    sys.dont_write_bytecode = True
    sys.path[:0] = [os.path.abspath(folder) for folder in given.path]
    for module in given.imports:
        importlib.import_module(module)
    if given.pytest:
        return pytest_check(given.pytest.split(".py::")[-1], re.compile(given.error, re.MULTILINE), given.check)
    check, arguments = given.check[0], given.check[1:]
    if not check.endswith(".py"):
        module, _, name = check.partition(":")
        function = getattr(importlib.import_module(module), name or "check")
        return lambda path: function(path, *arguments)
    with open(check, "rb") as file:
        source = file.read()
    tree = ast.parse(source, check)
    sys.path.insert(0, os.path.dirname(os.path.abspath(check)))
    if any(isinstance(node, ast.FunctionDef) and node.name == "check" for node in tree.body):
        spec = importlib.util.spec_from_file_location("lopper_check", check)
        module = importlib.util.module_from_spec(spec)
        sys.modules["lopper_check"] = module
        spec.loader.exec_module(module)
        return lambda path: module.check(path, *arguments)
    program = compile(source, check, "exec")
    return lambda path: run_program(program, check, [path, *arguments])


def run_program(program, file, arguments):
    sys.argv = [file, *arguments]
    exec(program, {"__name__": "__main__", "__file__": file, "__builtins__": __builtins__})
    sys.exit(0)


def pytest_check(test, error, arguments):
    """Runs one test by pytest; it has to fail with an error that matches."""
    import pytest

    class Failures:
        def __init__(self):
            self.errors, self.failed = {}, []

        def pytest_runtest_makereport(self, item, call):
            if call.excinfo is not None:
                self.errors[item.nodeid, call.when] = "%s: %s" % (call.excinfo.typename, call.excinfo.value)

        def pytest_runtest_logreport(self, report):
            if report.failed:
                self.failed.append(self.errors.get((report.nodeid, report.when), "?"))

    def run(file, failures):
        return pytest.main(["-q", "-p", "no:cacheprovider", *arguments, file], plugins=[failures])

    def check(path):
        failures = Failures()
        code = run("%s::%s" % (path, test), failures)
        if any(error.search(failed) for failed in failures.failed):
            return "interesting"
        if failures.failed:
            return "boring", failures.failed[0].split("\n")[0]
        # No test ran: the file cannot be imported, or the test is gone.
        return "boring" if code == 0 else "invalid"

    # The first run imports most of pytest.
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "test_nothing.py")
        with open(path, "w") as file:
            file.write("def test_nothing():\n    pass\n")
        run(path, Failures())
    return check


def judged(check, request):
    """The verdict on a candidate and the signature, in the process that is to judge it."""
    os.chdir(request["folder"])
    os.environ["TMPDIR"] = tempfile.tempdir = request["tmp"]
    importlib.invalidate_caches()
    try:
        result = check(request["path"])
    except SystemExit as end:
        code = end.code or 0
        if not isinstance(code, int):
            print(code, file=sys.stderr)
            code = 1
        return {0: "interesting", 125: "invalid"}.get(code, "boring"), None
    except BaseException:
        traceback.print_exc()
        return "boring", None
    if isinstance(result, bool):
        result = "interesting" if result else "boring"
    verdict, signature = result if isinstance(result, tuple) and len(result) == 2 else (result, None)
    if verdict not in VERDICTS:
        print("the check returned %r, which is no verdict" % (result,), file=sys.stderr)
        return "invalid", None
    return verdict, signature


def answer(request, verdict, signature):
    line = {"serial": request["serial"], "verdict": verdict}
    if signature:
        line["signature"] = str(signature)[:1000]
    return (json.dumps(line) + "\n").encode()


def in_a_fork(check, line):
    """The answer for a candidate, judged in a child process."""
    request = json.loads(line)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)
            found = answer(request, *judged(check, request))
            sys.stdout.flush()
            sys.stderr.flush()
            os.write(writer, found)
        finally:
            os._exit(0)
    os.close(writer)
    # Processes that the child leaves running may hold the pipe open, so its end is not waited for.
    _, status = os.waitpid(child, 0)
    os.set_blocking(reader, False)
    try:
        found = os.read(reader, 1 << 16)
    except BlockingIOError:
        found = b""
    os.close(reader)
    if os.WIFSIGNALED(status):
        return answer(request, "boring", "died by %s" % signal.Signals(os.WTERMSIG(status)).name)
    # Without an answer the check has ended the process by os._exit.
    return found or answer(request, "boring", None)


def in_a_fresh_process(_, line):
    """The answer for a candidate, judged in a new process: slower, but it needs no fork."""
    command = [sys.executable, os.path.abspath(__file__), "--once", *sys.argv[1:]]
    run = subprocess.run(command, input=line, stdout=subprocess.PIPE)
    request = json.loads(line)
    if run.returncode < 0:
        return answer(request, "boring", "died by %s" % signal.Signals(-run.returncode).name)
    return run.stdout or answer(request, "boring", None)


def main():
    given = options()
    # Standard output is for answers only: whatever prints there gets standard error instead.
    questions, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.dup2(2, 1)
    if given.once:
        request = json.loads(questions.readline())
        os.write(answers, answer(request, *judged(loaded(given), request)))
        return
    forks = hasattr(os, "fork") and not given.fresh
    check = loaded(given) if forks else None
    judge = in_a_fork if forks else in_a_fresh_process
    # What is loaded by now is never collected, so the children do not copy it.
    gc.collect()
    gc.freeze()
    os.write(answers, (json.dumps({"protocol": PROTOCOL}) + "\n").encode())
    for line in questions:
        sys.stdout.flush()
        sys.stderr.flush()
        os.write(answers, judge(check, line))


if __name__ == "__main__":
    main()
