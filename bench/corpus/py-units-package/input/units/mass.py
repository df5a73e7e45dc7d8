"""Masses."""

from .base import Quantity


class Mass(Quantity):
    """A mass."""

    factors = {"kg": 1.0, "g": 0.001, "t": 1000.0}
