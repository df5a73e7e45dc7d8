"""The check of the server: the linter raises an IndexError where it looks for a parameter."""

import traceback

import linter


def check(path):
    try:
        linter.lint(path)
    except SyntaxError:
        return "invalid"
    except IndexError as error:
        return traceback.extract_tb(error.__traceback__)[-1].name == "visit_FunctionDef"
    return False
