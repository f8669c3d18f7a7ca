"""Find many words in a text in one pass, whatever their number.

Searching for each of some two hundred words in turn reads the text two hundred times. Here four characters at a time, five
bits each, look up whether any word has them as its rarest four; only those few places are compared with the words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

# Texts shorter than this are searched with one pattern: numpy would take longer to begin.
_SHORT = 200
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
# The characters of English text and code, common ones first.
_COMMON = b" etaoinsrcldupmhgfyb_v.kw\"=x(j'q:z"


class KeywordFinder:
    """Finds all places of some words, which are given in small letters and at least two characters long."""

    def __init__(self, words: Iterable[bytes]) -> None:
        """Take the words; tables are built when the first long text comes."""
        self._words = tuple(sorted(set(words)))

    def places(self, lowered: bytes) -> dict[bytes, list[int]]:
        """Where each word begins in a text in small letters, in order; words that do not occur are left out."""
        found: dict[bytes, list[int]] = {}
        if len(lowered) < _SHORT:
            for begin in self._any_word.finditer(lowered):
                for word in self._words_by_first[lowered[begin.start()]]:
                    if lowered.startswith(word, begin.start()):
                        found.setdefault(word, []).append(begin.start())
            return found
        table, words_by_code = self._tables
        for at, code in _codes(lowered, table):
            for word, before in words_by_code[code]:
                if at >= before and lowered.startswith(word, at - before):
                    found.setdefault(word, []).append(at - before)
        return found

    @cached_property
    def _any_word(self) -> re.Pattern[bytes]:
        return re.compile(b"(?=" + _pattern_of(self._words) + b")")

    @cached_property
    def _words_by_first(self) -> dict[int, list[bytes]]:
        words: dict[int, list[bytes]] = defaultdict(list)
        for word in self._words:
            words[word[0]].append(word)
        return words

    @cached_property
    def _tables(self) -> tuple[Any, dict[int, tuple[tuple[bytes, int], ...]]]:
        """Which codes of four characters are the rarest of a word, as an array of bool; the words of each."""
        import numpy as np

        table = np.zeros(_CLASSES**_WIDTH, np.bool_)
        all_codes = np.arange(_CLASSES**_WIDTH).reshape((_CLASSES,) * _WIDTH)
        words: dict[int, tuple[tuple[bytes, int], ...]] = defaultdict(tuple)
        for word in self._words:
            before = _rarest(word)
            # Of a word that is shorter, every code that begins like it.
            codes = all_codes[tuple(_CLASS_TABLE[byte] for byte in word[before : before + _WIDTH])].reshape(
                -1
            )
            table[codes] = True
            for code in codes.tolist():
                words[code] = (*words[code], (word, before))
        return table, dict(words)


def _rarest(word: bytes) -> int:
    """Where the four characters of a word begin that are the rarest in text."""
    ranks = [_COMMON.find(byte) % (len(_COMMON) + 1) for byte in word]
    return max(range(max(1, len(word) - _WIDTH + 1)), key=lambda at: sum(ranks[at : at + _WIDTH]))


def _pattern_of(words: Iterable[bytes]) -> bytes:
    """A pattern that finds whether any of the words occurs: a tree of their characters, cut where a word ends."""
    ends: dict[bytes, list[bytes]] = defaultdict(list)
    for word in words:
        if not word:
            return b""
        ends[word[:1]].append(word[1:])
    branches = [re.escape(first) + _pattern_of(rests) for first, rests in ends.items()]
    return b"(?:" + b"|".join(branches) + b")"


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
