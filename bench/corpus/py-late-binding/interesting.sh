#!/bin/sh
# Exactly one test of the file fails, with this message; none ends with an error.
out=$(timeout 10 python3 -I -B -W ignore "$1" 2>&1 </dev/null)
printf '%s\n' "$out" | grep -q "^AssertionError: 'save' != 'open'$" &&
    printf '%s\n' "$out" | grep -q '^FAILED (failures=1)$'
