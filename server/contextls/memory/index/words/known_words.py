"""The words that a snapshot holds, asked word by word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from contextls.memory.index.snapshot.view import IndexView
from contextls.memory.index.terms import STOP_WORDS, TermSplitter, hash_term
from contextls.memory.index.words.message_catalogs import find_label_keys, find_message_key
from contextls.memory.index.words.neighbours import count_in_names, stand_together
from contextls.memory.index.words.spelling import Dictionary, Spelling

_EVERYWHERE = 1 << 30
# A word in more than one of _TELLING chunks tells little, except where only _FEW chunks hold it.
_TELLING, _FEW = 30, 3


class KnownWords:
    """The words of one moment, for one question. Words are asked for in lower case."""

    def __init__(self, view: IndexView, dictionary: Callable[[], Dictionary], splitter: TermSplitter) -> None:
        """``dictionary`` is made when a word is not held."""
        self._view = view
        self._make_dictionary = dictionary
        self._splitter = splitter
        self._term_counts: dict[int, int] = {}
        self._word_counts: dict[str, int] = {}

    @cached_property
    def dictionary(self) -> Dictionary:
        """The spellings of the words in the workspace."""
        return self._make_dictionary()

    def parts(self, word: str) -> list[str]:
        """The parts of an identifier, in lower case."""
        return self._splitter.parts(word)

    def stem(self, word: str) -> str:
        """The part that all forms of a word share: "log" of "logged"."""
        return self._splitter.stems(word)[0].text

    def hold(self, word: str) -> bool:
        """Whether the word, or another form of it, stands anywhere; function words do."""
        return self.count(word) > 0

    def are_there(self, word: str) -> bool:
        """Whether the word stands anywhere, or is a whole identifier."""
        return self.hold(word) or self.count_name(word) > 0

    def are_named(self, word: str) -> bool:
        """Whether the word, or another form of it, is in a name of code here or in a heading."""
        terms = self._splitter.stem_hashes(word)
        return bool(terms) and all(
            any(segment.is_in_head(term) for segment in self._view.segments) for term in terms
        )

    def are_telling(self, word: str) -> bool:
        """Whether some chunks hold the word, but not so many that it tells nothing."""
        return self._is_telling(self.count(word))

    def are_telling_as_name(self, name: str) -> bool:
        """The same of a whole identifier, which may be one word."""
        return self._is_telling(self._count_spelled(name))

    def count_name(self, name: str) -> int:
        """In about how many chunks a whole identifier of several parts stands, these written as one word."""
        return self._frequency(hash_term(name))

    def find_message_key(self, word: str, language: str) -> tuple[str, ...]:
        """The words of the key of the message that ``word`` is in a catalog for ``language``, all of which are held."""
        parts = find_message_key(self._view, self._splitter, word, language)
        return parts if all(map(self.hold, parts)) else ()

    def count(self, word: str) -> int:
        """In about how many chunks the word, or another form of it, stands; a function word is everywhere."""
        known = self._word_counts.get(word)
        if known is None:
            stems = self._splitter.stem_hashes(word)
            known = _EVERYWHERE if word in STOP_WORDS else min(map(self._frequency, stems), default=0)
            self._word_counts[word] = known
        return known

    def stand_together(self, first: str, second: str) -> bool:
        """Whether the two words stand one after the other somewhere, in prose or in a name."""
        return stand_together(self._view, self._splitter, first, second)

    def count_in_names(self, first: str, second: str) -> int:
        """In how many chunks, of some, the two words stand one after the other in a name."""
        return count_in_names(self._view, self._splitter, first, second)

    def stand_in_one_place(self, words: Sequence[str]) -> bool:
        """Whether some chunk holds all ``words``, each in any form."""
        hashes = sorted({*self._splitter.stem_hashes(" ".join(words))})
        return next(self._view.holding(hashes), None) is not None

    def find_label_keys(self, label: str) -> tuple[str, ...]:
        """The last parts of the keys of a message that is ``label`` in a catalog."""
        return find_label_keys(self._view, self._splitter, label)

    def are_spelled(self, word: str) -> bool:
        """Whether code elsewhere spells it so."""
        return self.dictionary.is_usual(word)

    def nearest(self, word: str) -> list[Spelling]:
        """The words of the workspace that this one may be meant for, the likeliest first."""
        forms: dict[str, Spelling] = {}
        for near in self.dictionary.nearest(word, self._count_spelled):
            forms.setdefault(self._splitter.stems(near.word)[0].text, near)
        return list(forms.values())

    def _is_telling(self, count: int) -> bool:
        return 0 < count <= max(_FEW, len(self._view) // _TELLING)

    def _count_spelled(self, word: str) -> int:
        # A name of several parts is in the index as a whole, and whole words are not stemmed.
        return self.count(word) or self.count_name(word)

    def _frequency(self, term: int) -> int:
        """In about how many chunks the term stands."""
        known = self._term_counts.get(term)
        if known is None:
            view = self._view
            segments = zip(view.segments, view.alive, view.whole, strict=True)
            known = sum(segment.count(term, None if whole else alive) for segment, alive, whole in segments)
            self._term_counts[term] = known
        return known
