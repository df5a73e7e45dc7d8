#!/bin/sh
# A configuration reader follows `inherits` without end; the file is valid JSON.
timeout 10 python3 -I -S -B -c '
import json, sys

with open(sys.argv[1], encoding="utf-8") as file:
    config = json.load(file)

def template(name):
    return config["defaults"] if name == "defaults" else config["templates"][name]

def merged(target, source):
    for key, value in source.items():
        if isinstance(value, dict):
            merged(target.setdefault(key, {}), value)
        else:
            target[key] = value
    return target

def resolve(entry):
    result = {}
    for name in entry.get("inherits", []):
        merged(result, resolve(template(name)))
    return merged(result, {key: value for key, value in entry.items() if key != "inherits"})

for job in config["jobs"]:
    resolve(job)
' "$1" 2>&1 >/dev/null </dev/null | tail -n 1 | grep -q '^RecursionError: maximum recursion depth exceeded'
