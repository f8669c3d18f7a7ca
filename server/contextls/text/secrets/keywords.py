"""Find many words in a text in one pass, whatever their number.

Searching for each of some two hundred words in turn reads the text two hundred times. Here four characters at a time, five
bits each, look up whether any word begins like that; only those few places are compared with the words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

# Texts shorter than this are searched word by word: numpy would take longer to begin.
_SHORT = 300
_BLOCK = 1 << 17
_WIDTH = 4
_CLASSES = 32
_SIGNS = {
    ord(sign): 28 + group
    for group, signs in enumerate(("-_ ", ":/=.@", "\"'$({~`[", "\\<>+!#%&*"))
    for sign in signs
}


def _class_of(byte: int) -> int:
    if 97 <= byte <= 122:
        return byte - 96
    return 27 if 48 <= byte <= 57 else _SIGNS.get(byte, 0)


_CLASS_TABLE = bytes(map(_class_of, range(256)))


class KeywordFinder:
    """Finds all places of some words, which are given in small letters and at least two characters long."""

    def __init__(self, words: Iterable[bytes]) -> None:
        """Take the words; tables are built when the first long text comes."""
        self._words = tuple(sorted(set(words)))

    def places(self, lowered: bytes) -> dict[bytes, list[int]]:
        """Where each word begins in a text in small letters, in order; words that do not occur are left out."""
        found: dict[bytes, list[int]] = {}
        if len(lowered) < _SHORT:
            for word in self._words:
                at = lowered.find(word)
                while at >= 0:
                    found.setdefault(word, []).append(at)
                    at = lowered.find(word, at + 1)
            return found
        table, words_by_code = self._tables
        for at, code in _codes(lowered, table):
            for word in words_by_code[code]:
                if lowered.startswith(word, at):
                    found.setdefault(word, []).append(at)
        return found

    @cached_property
    def _tables(self) -> tuple[Any, dict[int, tuple[bytes, ...]]]:
        """Which codes of four characters begin a word, as an array of bool, and the words of each such code."""
        import numpy as np

        shape = (_CLASSES,) * _WIDTH
        table = np.zeros(shape, np.bool_)
        words: dict[int, tuple[bytes, ...]] = defaultdict(tuple)
        for word in self._words:
            classes = tuple(_CLASS_TABLE[byte] for byte in word[:_WIDTH])
            table[classes] = True
            begun = np.zeros(shape, np.bool_)
            begun[classes] = True
            for code in np.flatnonzero(begun.reshape(-1)).tolist():
                words[code] = (*words[code], word)
        return table.reshape(-1), dict(words)


def _codes(lowered: bytes, table: Any) -> Iterator[tuple[int, int]]:  # noqa: ANN401 - an array of bool
    """Every place whose code of four characters is in the table, with that code."""
    import numpy as np

    padded = lowered.translate(_CLASS_TABLE) + bytes(_WIDTH)
    for begin in range(0, len(lowered), _BLOCK):
        block = np.frombuffer(padded[begin : begin + _BLOCK + _WIDTH - 1], np.uint8).astype(np.int32)
        pairs = (block[:-1] << 5) | block[1:]
        codes = (pairs[:-2] << 10) | pairs[2:]
        places = np.flatnonzero(table[codes])
        yield from zip((places + begin).tolist(), codes[places].tolist(), strict=True)
