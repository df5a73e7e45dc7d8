#!/bin/sh
# Interesting: a valid C program that answers an order of three lamps, and dies by SIGSEGV for thirty.
# The first run keeps the result meaningful: a program that always crashes is refused.
set -u

cc -std=c11 -O0 -pedantic-errors -Werror=implicit -Werror=format -Werror=return-type -Werror=uninitialized \
    "$1" -o program 2>/dev/null || exit 1

echo 'lamp 3' | timeout 5 ./program >answer.txt 2>/dev/null || exit 1
grep -q total answer.txt || exit 1

# A shell reports death by signal 11 (SIGSEGV) as exit status 128 + 11.
echo 'lamp 30' | timeout 5 ./program >/dev/null 2>&1
[ $? -eq 139 ]
