"""The names for a piece of code: of the definitions in it, those whose names hold words of the question come first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from contextls.code.kinds import Kind
from contextls.code.model import Definition
from contextls.memory.index.terms import TermSplitter
from contextls.store.chunk_rows import ChunkRow

# A definition replaces the symbol of the chunk if its words are worth this many times those of the symbol.
MARGIN = 1.01
_LESSER = frozenset({Kind.CONSTANT, Kind.TYPE})


class NameWords(Struct, frozen=True, dict=True):
    """The worth of the words of a question, by the hashes of their stems, and of what holds them."""

    rarity: Mapping[int, float]
    _splitter: TermSplitter = field(default_factory=TermSplitter)

    def worth(self, text: str) -> float:
        """The share of the question that stands in ``text``."""
        return sum(self.rarity.get(term, 0.0) for term in set(self._splitter.stem_hashes(text)))

    def choose(self, row: ChunkRow, inside: Sequence[Definition]) -> tuple[tuple[str, float], ...]:
        """The name in a chunk that holds most of the question, if it is not its own, and its own, with what they are worth.

        ``inside`` are the definitions that begin in the chunk. A constant is no name for a function next to it.
        """
        own = self.worth(row.symbol.rpartition(".")[2])
        lesser = {each.qualified for each in inside if each.kind in _LESSER}
        worth = {
            each.qualified: self.worth(each.name)
            for each in inside
            if not (row.symbol and is_within(each.qualified, row.symbol))
            and (each.qualified not in lesser or not row.symbol or row.symbol in lesser)
        }
        best = max(worth, key=lambda name: worth[name], default="")
        named = ((row.symbol, own),) if row.symbol else ()
        return ((best, worth[best]), *named) if best and worth[best] > MARGIN * own else named


def is_within(name: str, around: str) -> bool:
    """Whether a qualified name is ``around`` or that of something in it."""
    return f"{name}.".startswith(f"{around}.")
