"""Tables of habits: how often something gave occasion, and what then followed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from heapq import nsmallest
from typing import Any

from contextls.memory.patterns.wording import words_of

MAX_CAUSES = 5_000
MAX_EFFECTS = 50
# The number of words of a question or an error that are looked up, the rarest first.
MAX_WORDS = 6
# The number of causes that are considered: those that share most words with a question.
MAX_SHARING = 8
# A full table drops one part in this many at once, so that it is not sorted at every step.
_DROPPED = 2


class Effect:
    """One effect: how often it followed, how often with success, and when last (ms)."""

    __slots__ = ("last", "passed", "successes")

    def __init__(self, successes: int = 0, passed: int = 0, last: int = 0) -> None:
        self.successes = successes
        self.passed = passed
        self.last = last


class Cause:
    """One cause: how often it occurred, when last (ms), and what followed."""

    __slots__ = ("applications", "effects", "last")

    def __init__(self, applications: int = 0, last: int = 0) -> None:
        self.applications = applications
        self.last = last
        self.effects: dict[str, Effect] = {}


def by_words(cause: str, effect: str) -> frozenset[str]:
    """Find a cause by the words in its name and in those of its effects."""
    return words_of(f"{cause} {effect}")


def by_no_words(_cause: str, _effect: str) -> frozenset[str]:
    """Find a cause by its name only."""
    return frozenset()


class Table:
    """Causes with their effects, bounded: what was seen least and longest ago goes first."""

    def __init__(self, found_by: Callable[[str, str], Iterable[str]] = by_no_words) -> None:
        """``found_by`` gives the words under which a cause is found that had an effect."""
        self._causes: dict[str, Cause] = {}
        self._found_by = found_by
        self._index: dict[str, set[str]] = {}

    def count_occasion(self, cause: str, at: int) -> None:
        """There was occasion."""
        entry = self._causes.get(cause)
        if entry is None:
            if len(self._causes) >= MAX_CAUSES:
                self._drop_causes()
            entry = self._causes[cause] = Cause()
        entry.applications += 1
        entry.last = at

    def count_effect(self, cause: str, effect: str, at: int, *, passed: bool = False) -> None:
        """Count that ``effect`` followed; the cause was counted before."""
        entry = self._causes.get(cause)
        if entry is None:  # dropped meanwhile
            return
        found = entry.effects.get(effect)
        if found is None:
            if len(entry.effects) >= MAX_EFFECTS:
                self._drop_effects(entry)
            found = entry.effects[effect] = Effect()
            for word in self._found_by(cause, effect):
                self._index.setdefault(word, set()).add(cause)
        found.successes += 1
        found.passed += passed
        found.last = at

    def get(self, cause: str) -> Cause | None:
        """One cause."""
        return self._causes.get(cause)

    def find_causes(self, word: str) -> list[str]:
        """The causes that are found by ``word``, in no order."""
        return [cause for cause in self._index.get(word, ()) if cause in self._causes]

    def sharing(self, words: Iterable[str]) -> list[str]:
        """The ``MAX_SHARING`` causes that share most words with these; the rarest of the words decide."""
        rare = sorted((len(self._index[word]), word) for word in words if word in self._index)[:MAX_WORDS]
        shared = Counter(cause for _, word in rare for cause in self._index[word])
        found = nsmallest(2 * MAX_SHARING, shared, key=lambda cause: (-shared[cause], cause))
        return [cause for cause in found if cause in self._causes][:MAX_SHARING]

    def last(self, cause: str, effect: str) -> int:
        """When ``effect`` last followed ``cause`` (ms); 0 when it never did."""
        entry = self._causes.get(cause)
        found = entry.effects.get(effect) if entry else None
        return found.last if found else 0

    def __iter__(self) -> Iterator[tuple[str, Cause]]:
        return iter(self._causes.items())

    def __len__(self) -> int:
        return len(self._causes)

    def as_json(self) -> dict[str, Any]:
        """JSON-ready data that ``load_json`` takes."""
        return {
            name: [
                cause.applications,
                cause.last,
                {effect: [e.successes, e.passed, e.last] for effect, e in cause.effects.items()},
            ]
            for name, cause in self._causes.items()
        }

    def load_json(self, data: dict[str, Any]) -> None:
        """Take in what ``as_json`` made. Raises ``ValueError``, ``TypeError`` or ``AttributeError`` for anything else."""
        for name, (applications, last, effects) in data.items():
            cause = self._causes[name] = Cause(int(applications), int(last))
            for effect, values in effects.items():
                cause.effects[effect] = Effect(*map(int, values))
                for word in self._found_by(name, effect):
                    self._index.setdefault(word, set()).add(name)

    def _drop_causes(self) -> None:
        ranked = sorted(
            self._causes, key=lambda name: (self._causes[name].applications > 1, self._causes[name].last)
        )
        for name in ranked[: MAX_CAUSES // _DROPPED]:
            del self._causes[name]

    @staticmethod
    def _drop_effects(cause: Cause) -> None:
        effects = cause.effects
        ranked = sorted(effects, key=lambda name: (effects[name].successes, effects[name].last))
        for name in ranked[: MAX_EFFECTS // _DROPPED]:
            del effects[name]
