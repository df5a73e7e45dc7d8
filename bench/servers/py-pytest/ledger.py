"""A library under test. Its import takes half a second, as that of many a real one does."""

import time

_START = time.perf_counter()
while time.perf_counter() - _START < 0.5:
    pass


class Ledger:
    def __init__(self):
        self.lines = []

    def add(self, name, count, price):
        self.lines.append((name, count, price))

    def total(self, discount=0):
        total = 0
        for number, (_, count, price) in enumerate(self.lines):
            # The bug: the third line counts once, whatever its count is.
            total += price * (count if number != 2 else 1)
        return total * (100 - discount) // 100

    def names(self):
        return [name for name, _, _ in self.lines]
