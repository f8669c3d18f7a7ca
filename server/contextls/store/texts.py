"""Strings packed into byte arrays, so that thousands of them are two arrays and not as many objects."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

if TYPE_CHECKING:
    from numpy.typing import NDArray

# When columns are joined, this many strings of the longest one are Python objects at once.
_STRINGS_PER_RANGE = 50_000


class TextColumn(Struct, frozen=True, eq=False):
    """A column of strings: string ``i`` is the UTF-8 in ``data[offsets[i]:offsets[i + 1]]`` (uint8)."""

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    @staticmethod
    def of(strings: Sequence[str]) -> TextColumn:
        """Pack ``strings``; what UTF-8 cannot hold becomes a question mark."""
        return TextColumn.of_bytes([string.encode("utf-8", "replace") for string in strings])

    @staticmethod
    def of_bytes(values: Sequence[bytes]) -> TextColumn:
        """Pack strings that are encoded, or anything else that is bytes."""
        lengths = np.fromiter(map(len, values), np.int64, len(values))
        return TextColumn(np.frombuffer(b"".join(values), np.uint8), offsets_of(lengths))

    @staticmethod
    def join(parts: Sequence[TextColumn]) -> TextColumn:
        """The strings of all ``parts``."""
        lengths = [np.diff(each.offsets) for each in parts]
        return TextColumn(
            np.concatenate([np.zeros(0, np.uint8), *(each.data for each in parts)]),
            offsets_of(np.concatenate([np.zeros(0, np.int64), *lengths])),
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[str]:
        return (value.decode("utf-8", "replace") for value in self.all_bytes())

    def __getitem__(self, at: int) -> str:
        return self.bytes_at(at).decode("utf-8", "replace")

    def bytes_at(self, at: int) -> bytes:
        """String ``at`` as it is stored."""
        return self.data[self.offsets[at] : self.offsets[at + 1]].tobytes()

    def some(self, numbers: NDArray[np.integer]) -> list[str]:
        """Some of the strings."""
        return [str(value, "utf-8", "replace") for value in self._views_of(numbers)]

    def bytes_of(self, numbers: NDArray[np.integer]) -> list[bytes]:
        """Some strings as they are stored; a quarter of the time of one by one."""
        return list(map(bytes, self._views_of(numbers)))

    def _views_of(self, numbers: NDArray[np.integer]) -> Iterator[memoryview]:
        data = self.data.data
        bounds = zip(self.offsets[numbers].tolist(), self.offsets[numbers + 1].tolist(), strict=True)
        return (data[first:last] for first, last in bounds)

    def all_bytes(self) -> list[bytes]:
        """All strings as they are stored; a fifth of the time of one by one."""
        return self.bytes_in(slice(0, len(self)))

    def bytes_in(self, inside: slice) -> list[bytes]:
        """The strings of a range as they are stored."""
        bounds = self.offsets[inside.start : inside.stop + 1]
        part = self.data[bounds[0] : bounds[-1]].tobytes()
        return [part[first:last] for first, last in pairwise((bounds - bounds[0]).tolist())]

    def find(self, value: bytes, order: NDArray[np.int32]) -> list[int]:
        """The numbers of the strings that are ``value``; ``order`` has all numbers in the order of the bytes."""
        data, bound, number = self.data.data, self.offsets.item, order.item

        def string(place: int) -> bytes:
            at = number(place)
            return data[bound(at) : bound(at + 1)].tobytes()

        first = bisect_left(range(len(order)), value, key=string)
        return [number(at) for at in takewhile(lambda at: string(at) == value, range(first, len(order)))]

    def beginning_with(self, prefix: bytes, shortest: int = 0, longest: int | None = None) -> list[str]:
        """The strings that begin with ``prefix`` and have ``shortest`` to ``longest`` bytes.

        All are in the order of their bytes.
        """
        # No byte of UTF-8 is as large as this.
        first, last = self._first_at(prefix), self._first_at(prefix + b"\xff")
        bounds = self.offsets[first : last + 1]
        lengths = np.diff(bounds)
        wanted = lengths >= shortest
        if longest is not None:
            wanted &= lengths <= longest
        data = self.data[bounds[0] : bounds[-1]].tobytes()
        starts = bounds[:-1][wanted] - bounds[0]
        places = zip(starts.tolist(), (starts + lengths[wanted]).tolist(), strict=True)
        if data.isascii():
            text = data.decode("ascii")
            return [text[start:end] for start, end in places]
        return [data[start:end].decode("utf-8", "replace") for start, end in places]

    def beginning_with_in(self, prefix: bytes, order: NDArray[np.int32]) -> list[int]:
        """The numbers of the strings that begin with ``prefix``; ``order`` is as for ``find``."""
        first = bisect_left(order, prefix, key=lambda number: self.bytes_at(int(number)))
        found = []
        for at in range(first, len(order)):
            if not self.bytes_at(int(order[at])).startswith(prefix):
                break
            found.append(int(order[at]))
        return found

    def holds(self, value: bytes) -> bool:
        """Whether a string is among these, which are in the order of their bytes."""
        at = self._first_at(value)
        return at < len(self) and self.bytes_at(at) == value

    def _first_at(self, value: bytes) -> int:
        """The number of the first string that is not before ``value``; all are in the order of their bytes."""
        return bisect_left(range(len(self)), value, key=self.bytes_at)

    def sort(self) -> NDArray[np.int32]:
        """The numbers of the strings in the order of their bytes."""
        values = self.all_bytes()
        return np.array(sorted(range(len(values)), key=values.__getitem__), np.int32)


def common_ranges(parts: Sequence[TextColumn]) -> Iterator[list[slice]]:
    """The bounds of the same range of strings in each of ``parts``, range by range; all are in the order of their bytes."""
    longest = max(parts, key=len)
    bounds = [longest.bytes_at(at) for at in range(_STRINGS_PER_RANGE, len(longest), _STRINGS_PER_RANGE)]
    ends = [[*map(each._first_at, bounds), len(each)] for each in parts]
    for at in range(len(bounds) + 1):
        yield [slice(mine[at - 1] if at else 0, mine[at]) for mine in ends]


def offsets_of(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """The start of each of consecutive runs of these ``lengths`` (n), and the end of the last (n + 1)."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
