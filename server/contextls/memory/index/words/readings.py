"""Readings of the words of a question, noted while they are read."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from contextls.memory.index.terms import STOP_WORDS

# What a further reading counts against the likeliest.
FURTHER = 0.5
# What a name counts that says the same as a word of the question.
NAMED = 0.8


class WordReading(Struct, frozen=True):
    """A word of the question, and the words that it was read as."""

    word: str
    read_as: tuple[str, ...]


class Readings(Struct):
    """Readings so far, and what each word counts that came in by them; the words that could not be read."""

    told: list[WordReading] = field(default_factory=list)
    further: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    weights: dict[str, float] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)

    def note(self, word: str, read_as: Sequence[str], weight: float) -> None:
        """``word`` was read as these words, the likeliest first. That of a function word is not worth telling."""
        if read_as[0] in STOP_WORDS:
            return
        self.told.append(WordReading(word, tuple(read_as)))
        for place, each in enumerate(read_as):
            counts = weight * (FURTHER if place else 1)
            self.weights[each] = max(counts, self.weights.get(each, 0.0))

    def miss(self, word: str) -> None:
        """``word`` is of another language, and nothing here tells what it means."""
        self.unread.append(word)

    def mention(self, word: str, weight: float) -> None:
        """``word`` is not what to search for, but counts a little where it stands."""
        self.further.append(word)
        self.weights[word] = max(weight, self.weights.get(word, 0.0))

    def mention_name(self, name: str) -> None:
        """The whole identifier ``name``, in lower case, counts where it stands; its parts do not."""
        self.names.append(name)
        self.weights[name] = max(NAMED, self.weights.get(name, 0.0))
