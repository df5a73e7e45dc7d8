#!/bin/sh
# Interesting: exactly one test fails, none ends with an error, and the failure is the known one.
set -u

timeout 10 python3 -B -m unittest "$1" >log.txt 2>&1
grep -q '^AssertionError: unexpected clash: attic is taken$' log.txt &&
    grep -q '^FAILED (failures=1)$' log.txt
