# Validates the JSON lines of a file by a JSON Schema: validate.py SCHEMA LINES. Exit code 77: there is no validator.
import json
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit(77)

with open(sys.argv[1]) as file:
    validator = Draft202012Validator(json.load(file))
with open(sys.argv[2]) as file:
    for number, line in enumerate(file, 1):
        for error in validator.iter_errors(json.loads(line)):
            details = [detail.message for detail in error.context or []]
            sys.exit(f"line {number}: {line}\n{error.message}\n{details}")
