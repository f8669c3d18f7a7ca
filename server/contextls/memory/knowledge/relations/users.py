"""The files that refer to a name: listed where they are few, else looked up one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from contextls.memory.index.symbols import SymbolTable

# To list so many files costs less than to look up whether a few dozen are among them.
FEW = 500


class Users:
    """The files that refer to a name; two names in a million are taken for each other."""

    def __init__(self, symbols: SymbolTable, name: str) -> None:
        self._symbols = symbols
        self._name = name

    def __len__(self) -> int:
        return self._symbols.uses(self._name)

    @cached_property
    def few(self) -> Sequence[str] | None:
        """All of them in order; ``None`` where they are many."""
        return self._symbols.users(self._name) if len(self) <= FEW else None

    @cached_property
    def _few(self) -> frozenset[str] | None:
        return None if self.few is None else frozenset(self.few)

    def first(self, count: int) -> Sequence[str]:
        """The first ``count`` of them in order."""
        return self.few[:count] if self.few is not None else self._symbols.users(self._name)[:count]

    def among(self, paths: Sequence[str]) -> Iterator[str]:
        """Those of ``paths``, which are in order, that are among them."""
        if self._few is None or ("_few" not in self.__dict__ and 4 * len(paths) < len(self)):
            return (path for path in paths if self._symbols.is_user(self._name, path))
        return (path for path in paths if path in self._few)
