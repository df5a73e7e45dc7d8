#!/bin/sh
# The linter raises an IndexError where it looks for a parameter.
timeout 20 python3 -B "$(dirname "$0")/linter.py" "$1" >out.txt 2>&1 && exit 1
grep -q '^SyntaxError' out.txt && exit 125
tail -n 1 out.txt | grep -q '^IndexError: ' && grep -q ', in visit_FunctionDef$' out.txt
