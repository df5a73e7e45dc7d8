"""Errors of this package."""


class UnitError(ValueError):
    """A unit that a quantity does not have."""

    def __init__(self, unit, known):
        super().__init__(f"no unit {unit!r}; known are {', '.join(known)}")
        self.unit = unit
