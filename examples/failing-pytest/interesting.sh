#!/bin/sh
# Interesting: a test fails since a total is not what it should be, and it is another one where the division
# does not round down.
set -u

compared() {
    timeout 10 python3 -B -m pytest -q -p no:cacheprovider "$1" >log.txt 2>&1
    grep "^E .*assert Decimal('.*') == Decimal('.*')$" log.txt
}

total=$(compared "$1") && grep -q "^E  *+  where Decimal('.*') = total()$" log.txt || exit 1

sed 's,//,/,' "$1" >test_mended.py
mended=$(compared test_mended.py)
test $? -eq 1 || test "$mended" != "$total"
