#!/bin/sh
# Interesting: exactly one test fails, with this message, and none ends with an error; and the function
# that the failure is about still tells two numbers apart.
set -u

python3 -B -m unittest "$1" >log.txt 2>&1
grep -q "^AssertionError: 'IIII' != 'IV'$" log.txt && grep -q '^FAILED (failures=1)$' log.txt || exit 1

python3 -B -c 'import test_roman as t; assert t.to_roman(6) == "VI"' 2>/dev/null
