"""One of everything that Python's grammar knows."""
from __future__ import annotations
import os, sys as system
from a.b import (c, d as e)
from . import *

LIMIT: int = 3
x = y = [1, 2.5, "three", b'four', None, True, ...]
x, *rest = x[1:2], x[::2]
x += 1; del y


@decorator(1, key="value")
class A(B, metaclass=C):
    """A docstring
    over two lines."""

    field: "str" = f"{x!r:>{width}} {y}"

    def method(self, a, b: int = 1, *args, c=2, **kwargs) -> list[int]:
        # a comment
        if a and not b or c is None:
            return [i for i in range(10) if i % 2]
        elif a < b <= c:
            raise ValueError("no") from None
        else:
            yield from (lambda v, w=1: v + w)(1)
        return {**kwargs, "k": {1, 2}}

    @property
    async def other(self):
        async with self.lock as lock, open("f") as f:
            await f.read()
        async for i in self:
            continue


def f(a, /, b, *, c):
    global LIMIT
    for i, j in enumerate(a):
        while (n := i - 1) > 0:
            break
        else:
            pass
    try:
        assert a, "message"
    except (TypeError, KeyError) as error:
        print(error, file=system.stderr)
    finally:
        nonlocal_ = '''
  not indented
'''
    match a:
        case [1, x, *others] if x:
            return x if x else ~x
        case {"k": v} | A(field=v):
            return v ** -2
        case _:
            return


if __name__ == "__main__": f(1, 2, c=3)
