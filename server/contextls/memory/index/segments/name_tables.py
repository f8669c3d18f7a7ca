"""The names and words of a segment as they are spelled: what questions misremember, and what a misspelt word may be.

Names of files that no longer count may be among them: who looks one up asks the symbols or the words what it means today.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from contextls.memory.index.segments.outlines import Outline
from contextls.memory.index.terms import TermSplitter, hash_term
from contextls.store.inverted_index import InvertedIndex
from contextls.store.texts import TextColumn, common_ranges
from contextls.text.surrogates import is_encodable

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A shorter word is a letter away from too much; one of three letters may have two of them swapped.
MIN_WORD_CHARS = 3
MAX_WORD_CHARS = 40
_BETWEEN = "\0"


class NameTables(Struct, frozen=True, eq=False):
    """Sorted texts. ``names`` are folded: those of definitions, and of files without folder and ending.

    ``squeezed`` has the numbers of the names by the hash of their ``squeeze``; ``words`` begin with their first letter and
    their length; ``spellings`` are names of several parts, each after those written together.
    """

    names: TextColumn
    squeezed: InvertedIndex
    words: TextColumn
    spellings: TextColumn

    @classmethod
    def of(
        cls, names: Iterable[str], words: Iterable[str], spellings: Iterable[tuple[str, str]]
    ) -> NameTables:
        """The tables of these."""
        return cls._of(
            {name.encode(): hash_term(squeeze(name)) for name in names if name},
            {_word_key(word).encode() for word in words if is_word(word)},
            {_BETWEEN.join(pair).encode() for pair in spellings},
        )

    @classmethod
    def _of(cls, hashes: Mapping[bytes, int], words: Set[bytes], spellings: Set[bytes]) -> NameTables:
        """The tables of names with the hashes of what they are squeezed to, and of the other texts as they are kept."""
        names = sorted(hashes)
        return cls(
            names=TextColumn.of_bytes(names),
            squeezed=InvertedIndex.of(
                np.array([hashes[name] for name in names], np.uint32), np.arange(len(names), dtype=np.int32)
            ),
            words=TextColumn.of_bytes(sorted(words)),
            spellings=TextColumn.of_bytes(sorted(spellings)),
        )

    @classmethod
    def read(cls, outlines: Sequence[Outline], splitter: TermSplitter) -> NameTables:
        """The tables of some files."""
        defined = {name for each in outlines for name in each.names}
        seen = {name for each in outlines for name in (each.path, *each.references)} | defined
        spellings = []
        for name in defined:
            parts = splitter.parts(name)
            whole = "".join(parts)
            if len(parts) > 1 and whole.isalpha():
                spellings.append((whole, name))
        words = splitter.distinct_parts([name for name in seen if is_encodable(name)])
        folded = {name.lower() for name in defined} | {stem_of(each.path) for each in outlines}
        return cls.of(
            filter(is_encodable, folded),
            words | {whole for whole, _ in spellings},
            [(w, n) for w, n in spellings if is_encodable(n)],
        )

    @classmethod
    def join(cls, tables: Sequence[NameTables]) -> NameTables:
        """One set of tables of several, put together range by range: there may be millions of names."""
        names, hashes = _join_names(tables)
        return cls(
            names=names,
            squeezed=InvertedIndex.of(hashes, np.arange(len(names), dtype=np.int32)),
            words=_join_distinct([table.words for table in tables]),
            spellings=_join_distinct([table.spellings for table in tables]),
        )

    def written_as(self, squeezed: str) -> Iterator[str]:
        """The names that are ``squeezed`` once what joins their parts is gone."""
        for number in self.squeezed.owners[self.squeezed.run(hash_term(squeezed))].tolist():
            if squeeze(self.names[number]) == squeezed:
                yield self.names[number]

    def beginning_with(self, letter: str, shortest: int, longest: int) -> list[str]:
        """The names that begin with a letter and have ``shortest`` to ``longest`` bytes."""
        return self.names.beginning_with(letter.encode("utf-8", "replace"), shortest, longest)

    def words_of(self, letter: str, length: int) -> list[str]:
        """The words with this first letter and this length."""
        return [
            word[_PREFIX:]
            for word in self.words.beginning_with(_prefix(letter, length).encode("utf-8", "replace"))
        ]

    def holds_word(self, word: str) -> bool:
        """Whether a word is among them."""
        key = _word_key(word).encode("utf-8", "replace")
        return is_word(word) and self.words.holds(key)

    def spellings_of(self, whole: str) -> list[str]:
        """The spellings of names whose parts are ``whole``."""
        found = self.spellings.beginning_with(f"{whole}{_BETWEEN}".encode("utf-8", "replace"))
        return [pair.partition(_BETWEEN)[2] for pair in found]

    def hashes(self) -> NDArray[np.uint32]:
        """The form of each name in ``squeezed``."""
        found = np.zeros(len(self.names), np.uint32)
        found[self.squeezed.owners] = np.repeat(self.squeezed.keys, np.diff(self.squeezed.starts))
        return found


def _join_names(tables: Sequence[NameTables]) -> tuple[TextColumn, NDArray[np.uint32]]:
    """The names of all tables, and the hashes of what they are squeezed to."""
    texts, hashes = [], [np.zeros(0, np.uint32)]
    known = [table.hashes() for table in tables]
    for ranges in common_ranges([table.names for table in tables]):
        found: dict[bytes, int] = {}
        for table, mine, inside in zip(tables, known, ranges, strict=True):
            found.update(zip(table.names.bytes_in(inside), mine[inside].tolist(), strict=True))
        ordered = sorted(found)
        texts.append(TextColumn.of_bytes(ordered))
        hashes.append(np.array([found[name] for name in ordered], np.uint32))
    return TextColumn.join(texts), np.concatenate(hashes)


def _join_distinct(parts: Sequence[TextColumn]) -> TextColumn:
    """The strings of all parts in order, each once, put together range by range."""
    texts = []
    for ranges in common_ranges(parts):
        found: set[bytes] = set()
        for part, inside in zip(parts, ranges, strict=True):
            found.update(part.bytes_in(inside))
        texts.append(TextColumn.of_bytes(sorted(found)))
    return TextColumn.join(texts)


def squeeze(name: str) -> str:
    """``load_config``, ``loadConfig``, ``load-config`` -> ``loadconfig``."""
    return name.replace("_", "").replace("-", "").lower()


def stem_of(path: str) -> str:
    """The folded name of a file without its endings."""
    return path.rpartition("/")[2].partition(".")[0].lower()


def is_word(word: str) -> bool:
    """Whether it is one that may be misspelt."""
    return MIN_WORD_CHARS <= len(word) <= MAX_WORD_CHARS and word.isalpha()


def stems_of(paths: Sequence[str]) -> InvertedIndex:
    """The files with each stem, by its hash."""
    hashes: NDArray[np.uint32] = np.array([hash_term(stem_of(path)) for path in paths], np.uint32)
    return InvertedIndex.of(hashes, np.arange(len(paths), dtype=np.int32))


def _prefix(letter: str, length: int) -> str:
    return f"{letter}{length:02}"


def _word_key(word: str) -> str:
    return f"{_prefix(word[:1], len(word))}{word}"


_PREFIX = len(_prefix("x", 1))
