"""A property that is made when it is first asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value", covariant=True)


class made_once(Generic[Value]):  # noqa: N801 - a decorator
    """As ``functools.cached_property``, but made by one thread while others wait, in every version of Python.

    Those wait that ask for the same object's.
    """

    def __init__(self, make: Callable[[Any], Value]) -> None:
        self._make = make
        self._name = make.__name__
        self._lock = f"{make.__name__} is being made"
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> made_once[Value]: ...
    @overload
    def __get__(self, owner: object, kind: type) -> Value: ...
    def __get__(self, owner: object | None, kind: type) -> Value | made_once[Value]:
        """The value, an ordinary attribute from then on; of a class, the property itself."""
        return self if owner is None else self.get(owner)

    def get(self, owner: object) -> Value:
        """The value of ``owner``, made unless another thread has."""
        kept: dict[str, Any] = owner.__dict__
        with kept.setdefault(self._lock, threading.RLock()):
            if self._name not in kept:
                kept[self._name] = self._make(owner)
            kept.pop(self._lock, None)  # from now on this is not called
            value: Value = kept[self._name]
            return value

    def peek(self, owner: object) -> Value | None:
        """The value of ``owner`` if it was made; makes none."""
        kept: dict[str, Value] = owner.__dict__
        return kept.get(self._name)
