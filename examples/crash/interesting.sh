#!/bin/sh
# Interesting: a valid C program that dies by SIGFPE for an order of more lamps (item 7) than there are.
set -u

cc -std=c11 -O0 -pedantic-errors -Werror=implicit -Werror=format -Werror=return-type -Werror=uninitialized \
    -Werror=div-by-zero "$1" -o program 2>/dev/null || exit 1

# A shell reports death by signal 8 (SIGFPE) as exit status 128 + 8.
echo '7 300' | timeout 5 ./program >/dev/null 2>&1
[ $? -eq 136 ]
