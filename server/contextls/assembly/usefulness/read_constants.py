"""Constants that a likely answer reads: what a limit is, and where that is set, stands where its name is defined."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from contextls.code.kinds import Kind
from contextls.memory.index.priors import FileKind
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.index.terms import TermSplitter
from contextls.regex import compile_late

# Constants are taken from the first chunks that have at least this chance: those of others are about something else.
MAX_LEADING, MIN_CHANCE = 5, 0.3
# A constant is asked about if its name has at least MIN_SHARED words of the question; the first MAX_CONSTANTS count.
MIN_SHARED, MAX_CONSTANTS = 2, 3
# The relevance of the definition of such a constant, in 0..1.
READ_CONSTANT = 0.5
# Such a question wants the number and where to change it; a report speaks of limits that are not in question.
_ABOUT_LIMITS = compile_late(
    r"\b(?:limit(?:s|ed)?|maximum|max|minimum|min|defaults?|allow(?:s|ed)?|configur\w+|settings?"
    r"|(?:big|high|larg|long|low|short|small)er|how (?:big|large|long|many|much|often))\b",
    re.IGNORECASE,
)
_CONSTANT = compile_late(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
_DEFINED_IN = (FileKind.SOURCE, FileKind.SETTINGS)


def find_read_constants(
    ranking: Ranking, chances: Mapping[ChunkRef, float], snapshot: Snapshot
) -> dict[ChunkRef, list[str]]:
    """The constants that likely chunks read and a question for a limit means, by the unlikely chunks that define them."""
    if ranking.question.is_long or not _ABOUT_LIMITS.search(ranking.question.text):
        return {}
    likely = (ref for ref, chance in chances.items() if chance >= MIN_CHANCE)
    names = (
        name
        for ref in islice(likely, MAX_LEADING)
        for name in _asked_in(snapshot.view.row(ref).text, ranking)
    )
    found: dict[ChunkRef, list[str]] = {}
    for name in islice(dict.fromkeys(names), MAX_CONSTANTS):
        ref = _find_definition(name, snapshot)
        if ref is not None and chances.get(ref, 0.0) < MIN_CHANCE:
            found.setdefault(ref, []).append(name)
    return found


def _asked_in(text: str, ranking: Ranking) -> Iterator[str]:
    """The constants in ``text`` whose names hold words of the question."""
    splitter = TermSplitter()
    asked = {term.hash for term in ranking.question.terms if not term.whole}
    for name in dict.fromkeys(_CONSTANT.findall(text)):
        if len(asked.intersection(splitter.stem_hashes(name))) >= MIN_SHARED:
            yield name


def _find_definition(name: str, snapshot: Snapshot) -> ChunkRef | None:
    """The only definition of the constant ``name``."""
    view = snapshot.view
    defined = [item for item in snapshot.symbols.find_named(name) if item.definition.kind == Kind.CONSTANT]
    if len(defined) != 1:
        return None
    (item,) = defined
    ref = view.chunk_at(item.path, item.definition.start_line)
    return ref if ref is not None and view.file_kind(ref) in _DEFINED_IN else None
