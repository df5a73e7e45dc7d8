"""Lengths."""

import re

from .base import Quantity
from .errors import UnitError

PATTERN = re.compile(r"\s*([0-9.]+)\s*([a-z]+)\s*")


class Length(Quantity):
    """A length."""

    factors = {"m": 1.0, "cm": 0.01, "km": 1000.0, "in": 0.0254}


def parse(text):
    """A length from a text such as `3 cm`."""
    found = PATTERN.fullmatch(text)
    if found is None:
        raise UnitError(text, sorted(Length.factors))
    return Length(float(found.group(1)), found.group(2))
