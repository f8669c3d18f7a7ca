"""Runs of characters as long as a token whose letters and digits change faster than in most names.

Code is full of long names; looking at each in turn took longer than everything else together. Long texts are judged as
a whole with numpy, which leaves the few runs that may hold a token.
"""

from __future__ import annotations

from collections.abc import Iterator

from contextls.regex import compile_late

_MIN_CHARS = 16
# What a letter next to a digit and a capital after a small letter count for, how much a run must have for each of its
# characters to be looked at, and what is enough for every run: a prefix may be long.
_BESIDE_DIGIT, _CASE_CHANGE = 4, 3
_PER_CHARACTER, _ENOUGH = 0.5, 24
# Texts shorter than this are read run by run: numpy would take longer to begin.
_SHORT = 1_200


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
_RUN = b"a" * _MIN_CHARS
# What each pair of sorts counts for, the first times 16.
_SCORES = bytes(
    _BESIDE_DIGIT if pair in (0x14, 0x24, 0x41, 0x42) else _CASE_CHANGE if pair == 0x12 else 0
    for pair in range(256)
)
_BESIDE = compile_late(rb"[\x01\x02](?=\x04)|\x04(?=[\x01\x02])")
# What goes on after AKIA and the like.
_CAPITALS = b"\x02\x04"
_CAPITAL_OR_DIGIT = bytes(1 if sort in (2, 4) else 0 for sort in range(256))


_LONG_CAPITALS = b"\1" * _MIN_CHARS


def mixed_runs(raw: bytes) -> Iterator[tuple[int, int]]:
    """The beginnings and ends of runs that may hold a token, in order."""
    if len(raw) >= _SHORT:
        yield from _runs_of_long_text(raw.translate(_SORTS))
        return
    marks = raw.translate(_IN_RUN)
    at = marks.find(_RUN)
    while at >= 0:
        end = marks.find(b" ", at)
        end = len(marks) if end < 0 else end
        sorts = raw[at:end].translate(_SORTS)
        score = len(_BESIDE.findall(sorts)) * _BESIDE_DIGIT + sorts.count(b"\x01\x02") * _CASE_CHANGE
        if score >= min(_ENOUGH, (end - at) * _PER_CHARACTER) or not sorts.strip(_CAPITALS):
            yield at, end
        at = marks.find(_RUN, end)


def _runs_of_long_text(sorts: bytes) -> Iterator[tuple[int, int]]:
    import numpy as np

    padded = np.frombuffer(b"\0" + sorts + b"\0\0", np.uint8)
    inside = padded != 0
    edges = (inside[1:] != inside[:-1]).nonzero()[0].reshape(-1, 2)
    edges = edges[edges[:, 1] - edges[:, 0] >= _MIN_CHARS]
    if not len(edges):
        return
    pairs = ((padded[1:-1] << 4) | padded[2:]).tobytes()
    scores = np.frombuffer(pairs.translate(_SCORES), np.uint8)
    mixed = np.add.reduceat(scores, edges.reshape(-1), dtype=np.int32)[::2] >= np.minimum(
        _ENOUGH, (edges[:, 1] - edges[:, 0]) * _PER_CHARACTER
    )
    if _LONG_CAPITALS in sorts.translate(_CAPITAL_OR_DIGIT):
        mixed |= [not sorts[at:end].strip(_CAPITALS) for at, end in edges.tolist()]
    yield from map(tuple, edges[mixed].tolist())
