"""A small linter for Python, with a bug; `python3 linter.py FILE` runs it as a command."""

import argparse
import ast
import collections
import dataclasses
import logging
import pathlib
import sys
import tokenize


@dataclasses.dataclass(frozen=True)
class Finding:
    line: int
    text: str


class Linter(ast.NodeVisitor):
    def __init__(self):
        self.findings = []
        self.names = collections.Counter()

    def visit_Name(self, node):
        self.names[node.id] += 1

    def visit_FunctionDef(self, node):
        arguments = node.args
        positional = arguments.posonlyargs + arguments.args
        defaults = arguments.defaults + [d for d in arguments.kw_defaults if d is not None]
        for number, default in enumerate(reversed(defaults)):
            # The bug: defaults of keyword-only parameters are counted, the parameters are not.
            parameter = positional[len(positional) - 1 - number] if number < len(positional) else positional[number]
            if isinstance(default, (ast.List, ast.Dict, ast.Set)):
                self.findings.append(Finding(node.lineno, f"{parameter.arg} has a mutable default"))
        self.generic_visit(node)


def lint(path):
    with tokenize.open(path) as file:
        tree = ast.parse(file.read(), path)
    linter = Linter()
    linter.visit(tree)
    return linter.findings


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=pathlib.Path)
    logging.basicConfig()
    for finding in lint(parser.parse_args().file):
        print(f"{finding.line}: {finding.text}")


if __name__ == "__main__":
    sys.exit(main())
