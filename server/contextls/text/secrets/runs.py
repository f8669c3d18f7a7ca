"""Runs of characters as long as a token whose letters and digits change faster than in most names.

Code is full of long names; looking at each in turn took longer than everything else together. Long texts are judged as
a whole with numpy, which leaves the few runs that may hold a token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_SHORTEST = 16
# A run with a change in so many characters may be random, and one with so many in all: a prefix may be long.
_CHARACTERS_OF_A_CHANGE = 6
_CHANGES = 8
# Texts shorter than this are read run by run: numpy would take longer to begin.
_SHORT = 600
_BLOCK = 1 << 17


def _sort_of(byte: int) -> int:
    character = chr(byte)
    if not character.isascii() or not (character.isalnum() or character in "_-"):
        return 0
    if character.isalpha():
        return 2 if character.isupper() else 1
    return 4 if character.isdigit() else 8


# A character each: small letter, capital, digit, what joins them within a token, anything else.
_SORTS = bytes(map(_sort_of, range(256)))
_IN_RUN = bytes(97 if sort else 32 for sort in _SORTS)
_RUN = b"a" * _SHORTEST
_CAPITALS = b"\x02" * _SHORTEST
# From a letter to a digit or back, from a small letter to a capital: the pairs of sorts, the first times 16.
_CHANGE = re.compile(rb"\x01(?=[\x02\x04])|\x02(?=\x04)|\x04(?=[\x01\x02])")
_CHANGES_TABLE = bytes(pair in (0x12, 0x14, 0x24, 0x41, 0x42) for pair in range(256))


def mixed_runs(raw: bytes) -> Iterator[tuple[int, int]]:
    """Where runs that may hold a token begin and end, in order."""
    if len(raw) >= _SHORT:
        yield from _runs_of_long_text(raw.translate(_SORTS))
        return
    marks = raw.translate(_IN_RUN)
    at = marks.find(_RUN)
    while at >= 0:
        end = marks.find(b" ", at)
        end = len(marks) if end < 0 else end
        sorts = raw[at:end].translate(_SORTS)
        if _is_mixed(len(_CHANGE.findall(sorts)), end - at) or sorts.strip(b"\x02") == b"":
            yield at, end
        at = marks.find(_RUN, end)


def _is_mixed(changes: int, size: int) -> bool:
    return changes >= min(_CHANGES, size / _CHARACTERS_OF_A_CHANGE)


def _runs_of_long_text(sorts: bytes) -> Iterator[tuple[int, int]]:
    import numpy as np

    padded = np.frombuffer(b"\0" + sorts + b"\0", np.uint8)
    inside = padded != 0
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts, ends = edges[::2], edges[1::2]
    long = np.flatnonzero(ends - starts >= _SHORTEST)
    if not len(long):
        return
    starts, ends = starts[long], ends[long]
    pairs = (padded[1:-1] << 4) | padded[2:]
    changes = np.frombuffer(pairs.tobytes().translate(_CHANGES_TABLE), np.bool_)
    places = np.flatnonzero(changes)
    counts = np.searchsorted(places, ends) - np.searchsorted(places, starts)
    mixed = counts >= np.minimum(_CHANGES, (ends - starts) / _CHARACTERS_OF_A_CHANGE)
    if _CAPITALS in sorts:
        mixed |= [sorts[at:end].strip(b"\x02") == b"" for at, end in zip(starts, ends, strict=True)]
    yield from zip(starts[mixed].tolist(), ends[mixed].tolist(), strict=True)
