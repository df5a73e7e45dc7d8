#!/bin/sh
# Interesting: one test fails, with this assertion about a total; and without a voucher the total is right.
set -u

timeout 10 python3 -B -m pytest -q -p no:cacheprovider "$1" >log.txt 2>&1
grep -q "assert Decimal('19.52') == Decimal('19.37')$" log.txt || exit 1
grep -q "where Decimal('19.52') = total()$" log.txt || exit 1

timeout 5 python3 -B -c '
from decimal import Decimal
from test_basket import Basket, Item
basket = Basket([Item("atlas", "book", Decimal("28.00"))])
assert basket.redeem("NONE", 0).total() == Decimal("29.96")' 2>/dev/null
