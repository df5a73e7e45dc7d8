#!/bin/sh
# The interpreter itself says that a dictionary was changed while it was walked through.
timeout 10 python3 -I -B -W ignore "$1" 2>&1 >/dev/null </dev/null |
    tail -n 1 | grep -q '^RuntimeError: dictionary changed size during iteration$'
