#!/bin/sh
# The program prints something else where char is unsigned. Both builds are clean and end well.
t=$(mktemp -d) || exit 1
trap 'rm -rf "$t"' EXIT
for sign in signed unsigned; do
    cc -std=gnu99 -w -Werror=implicit-function-declaration -Werror=implicit-int -Werror=int-conversion \
        -Werror=incompatible-pointer-types -Werror=return-type -f$sign-char "$1" -o "$t/$sign" 2>/dev/null || exit 1
    timeout 5 "$t/$sign" >"$t/$sign.out" 2>/dev/null </dev/null || exit 1
    # The same again: what is random, or was never written, does not count.
    timeout 5 "$t/$sign" 2>/dev/null </dev/null | cmp -s - "$t/$sign.out" || exit 1
done
! cmp -s "$t/signed.out" "$t/unsigned.out"
