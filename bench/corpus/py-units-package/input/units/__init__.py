"""Quantities with units."""

from .length import Length, parse
from .mass import Mass

__all__ = ["Length", "Mass", "parse", "total"]


def total(items):
    """The sum of quantities of one kind."""
    items = list(items)
    if not items:
        raise ValueError("nothing to add")
    result = items[0]
    for item in items[1:]:
        result = result + item
    return result
