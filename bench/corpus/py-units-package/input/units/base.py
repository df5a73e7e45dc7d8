"""What all quantities share."""

from .errors import UnitError


class Quantity:
    """A number with a unit."""

    factors = {}

    def __init__(self, value, unit):
        if unit not in self.factors:
            raise UnitError(unit, sorted(self.factors))
        self.value = value
        self.unit = unit

    def to(self, unit):
        """The same quantity in another unit."""
        return type(self)(self.value * self.factors[self.unit] / self.factors[unit], unit)

    def __add__(self, other):
        return type(self)(self.value + other.value, self.unit)

    def __eq__(self, other):
        return abs(self.value - other.to(self.unit).value) < 1e-9

    def __repr__(self):
        return f"{self.value:g} {self.unit}"
