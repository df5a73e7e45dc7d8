#!/bin/sh
# The program divides by zero (it ends by SIGFPE), and the compiler sees nothing of it.
t=$(mktemp -d) || exit 1
trap 'rm -rf "$t"' EXIT
ulimit -c 0
cc -std=gnu99 -O0 -w -Werror=implicit-function-declaration -Werror=implicit-int -Werror=int-conversion \
    -Werror=return-type -Werror=div-by-zero -Werror=uninitialized "$1" -o "$t/program" 2>/dev/null || exit 1
{ timeout 5 "$t/program" >/dev/null 2>&1 </dev/null; } 2>/dev/null
[ $? -eq 136 ]
