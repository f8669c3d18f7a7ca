"""The calls of a file with their lines: one short text per file, as thousands of files are kept in memory at once.

One line per name, ``name 3 17``: the name that is called and the 1-based lines where, both in ascending order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property

from contextls.code.model import Reference

# A file that calls one name more often than this calls it everywhere.
MAX_LINES = 12


def pack(references: Iterable[Reference]) -> str:
    """The calls among ``references`` as one text."""
    lines: dict[str, set[int]] = {}
    for name, line, called in references:
        if called:
            lines.setdefault(name, set()).add(line)
    names = sorted(name for name in lines if name.split() == [name])
    return "\n".join(" ".join([name, *map(str, sorted(lines[name])[:MAX_LINES])]) for name in names)


def called_within(packed: str, name: str, first: int, last: int) -> bool | None:
    """Whether ``name`` is called from line ``first`` to ``last``; ``None`` where the text cannot tell.

    That is where the file never calls it, or calls it more often than is kept.
    """
    lines = PackedCalls(packed).lines(name)
    if any(first <= line <= last for line in lines):
        return True
    return False if 0 < len(lines) < MAX_LINES else None


class PackedCalls:
    """A packed text, taken apart only where its lines are asked about: of most files one name is looked up."""

    def __init__(self, packed: str) -> None:
        self._rows = f"\n{packed}\n"

    def lines(self, name: str) -> tuple[int, ...]:
        """The lines where ``name`` is called."""
        start = self._rows.find(f"\n{name} ")
        if start < 0:
            return ()
        found, *lines = self._rows[start + 1 : self._rows.index("\n", start + 1)].split(" ")
        return tuple(map(int, lines)) if found == name else ()  # a name with a blank is never called

    def between(self, first: int, last: int) -> list[str]:
        """The distinct names that are called from line ``first`` to line ``last``, in the order of the lines."""
        start = bisect_left(self._places, (first, ""))
        end = bisect_left(self._places, (last + 1, ""))
        return list(dict.fromkeys(name for _, name in self._places[start:end]))

    @cached_property
    def _places(self) -> list[tuple[int, str]]:
        """Each call, in the order of the lines."""
        rows = [row.split(" ") for row in self._rows.split("\n") if row]
        return sorted((int(line), name) for name, *lines in rows for line in lines)
