import collections
import itertools

import pytest
from ledger import Ledger

PRICES = {"pen": 120, "ink": 450, "paper": 30, "ruler": 210, "eraser": 80}
Order = collections.namedtuple("Order", "name count")


def orders():
    """The orders of a week."""
    yield Order("pen", 3)
    yield Order("ink", 1)
    yield Order("paper", 20)


def expected(lines):
    total = 0
    for order in lines:
        total += PRICES[order.name] * order.count
    return total


@pytest.fixture
def ledger():
    ledger = Ledger()
    for order in orders():
        ledger.add(order.name, order.count, PRICES[order.name])
    return ledger


def test_names(ledger):
    names = [order.name for order in orders()]
    assert ledger.names() == names
    assert len(set(names)) == len(names)


def test_total(ledger):
    lines = list(orders())
    total = ledger.total()
    for discount in (10, 20, 50):
        assert ledger.total(discount) <= total
    pairs = list(itertools.combinations(lines, 2))
    assert len(pairs) == len(lines) * (len(lines) - 1) // 2
    assert total == expected(lines), f"total of {len(lines)} lines is {total}"
