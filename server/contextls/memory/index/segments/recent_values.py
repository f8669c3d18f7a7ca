"""The values that were made last, so that what is asked for again is not made again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class RecentValues(Generic[Value]):
    """At most ``size`` values by number; what was not asked for longest goes first. Safe to use from several threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[int, Value] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, number: int, make: Callable[[int], Value]) -> Value:
        """The value of ``number``, made if it is not there."""
        with self._guard:
            if number in self._values:
                self._values.move_to_end(number)
                return self._values[number]
        value = make(number)
        with self._guard:
            # Another thread may have made it meanwhile: all are to see the same.
            value = self._values.setdefault(number, value)
            if len(self._values) > self._size:
                self._values.popitem(last=False)
        return value
