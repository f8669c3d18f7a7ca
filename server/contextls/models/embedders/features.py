"""Turns text into feature numbers, for the static embedder.

A word of code is split where programmers split it (camelCase, snake_case, acronyms, digits), lower-cased and looked
up. Parts that the vocabulary does not hold are spelled by hashed groups of four characters, so that no word is lost.
"""

from __future__ import annotations

import zlib
from itertools import chain
from typing import TYPE_CHECKING

from contextls.regex import compile_late

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

WORD = compile_late(r"\w+")
# URLs | HTTP(Server) | Server, server | lone capitals | 256
_PART = compile_late(r"[A-Z]{2,}s?(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_WIDE_PART = compile_late(r"[^\W\d_]+|\d+")

MAX_WORD_CHARS = 64
"""Longer words are cut: they are encoded data, not names."""

MAX_PARTS = 12
GRAM = 4
_MEMO_LIMIT = 60_000


def parts(word: str) -> list[str]:
    """The lower-cased parts of an identifier of at most ``MAX_WORD_CHARS`` characters, at least two characters each.

    An identifier of several parts also gives its joined form (``fileName`` -> file, name, filename), which is how
    the same thing is often written in prose.
    """
    word = word[:MAX_WORD_CHARS]
    if word.islower() and word.isalpha():
        return [word] if len(word) > 1 else []
    pattern = _PART if word.isascii() else _WIDE_PART
    found = [part.lower() for part in pattern.findall(word)][:MAX_PARTS]
    whole = "".join(found)
    if len(found) > 1:
        found.append(whole)
    return [part for part in found if len(part) > 1]


def grams(part: str) -> Iterator[str]:
    """Groups of ``GRAM`` characters of the part with its ends marked: ``<rea``, ``read``, ``ead>``."""
    marked = f"<{part}>"
    return (marked[start : start + GRAM] for start in range(max(1, len(marked) - GRAM + 1)))


class _Memo(dict[str, tuple[int, ...]]):
    """Raw word -> feature numbers; bounded, so that a workspace full of odd words cannot grow it without end."""

    def __init__(self, read: Callable[[str], Iterable[int]]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(self) >= _MEMO_LIMIT:
            self.clear()
        features = tuple(self._read(word))
        if len(word) <= MAX_WORD_CHARS:
            self[word] = features
        return features


class Features:
    """Turns text into feature numbers below ``count``: the vocabulary first, then the hash buckets."""

    def __init__(self, vocabulary: Mapping[str, int], buckets: int) -> None:
        self.count = len(vocabulary) + buckets
        self._vocabulary = vocabulary
        self._buckets = buckets
        self._spelled: dict[str, tuple[int, ...]] = {}
        self._memo = _Memo(self.of_word)

    def of(self, text: str) -> Iterator[int]:
        """The features of a text in reading order, repeated as often as they occur."""
        return chain.from_iterable(map(self._memo.__getitem__, WORD.findall(text)))

    def of_word(self, word: str) -> list[int]:
        """The features of one match of ``WORD``."""
        split = parts(word)
        last = len(split) - 1
        found: list[int] = []
        for place, part in enumerate(split):
            known = self._vocabulary.get(part)
            if known is not None:
                found.append(known)
            elif not (part.isdecimal() or (last and place == last)):
                found += self._spell(part)
        return found

    def _spell(self, part: str) -> tuple[int, ...]:
        known = self._spelled.get(part)
        if known is None:
            if len(self._spelled) >= _MEMO_LIMIT:
                self._spelled.clear()
            first, buckets = len(self._vocabulary), self._buckets
            hashes = (zlib.crc32(gram.encode("utf-8", "surrogatepass")) for gram in grams(part))
            known = self._spelled[part] = tuple(first + number % buckets for number in hashes)
        return known
