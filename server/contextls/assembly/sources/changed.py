"""What a question about changes means: the code around them, who uses what they touch, and what tests it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from contextls.assembly.signals import Signals
from contextls.assembly.sources.around import Angle, Near, around
from contextls.memory.content.terms import STOP_WORDS
from contextls.memory.content.view import ChunkRef
from contextls.memory.history.hunks import Hunk
from contextls.memory.relations import RelationGraph
from contextls.memory.snapshot import Snapshot
from contextls.model import EditorPosition

# So many changed symbols are looked at: those with the most changed lines.
MOST_SYMBOLS = 12
# What surrounds each further one is worth a little less.
FADING = 0.97
LONGEST_QUESTION = 8_000

_ANGLE = Angle(spot="around the change", users=True, tests=True)
_WORD = re.compile(r"[^\W_]{2,}")
# A question of these and stop words alone speaks of the changes, not of any code.
_REVIEW_WORDS = STOP_WORDS.union(
    ("branch", "bug", "bugs", "change", "changed", "changes", "check", "code", "commit", "committed", "current", "diff"),
    ("edit", "edited", "edits", "find", "improve", "issues", "latest", "look", "merge", "message", "mistakes", "patch"),
    ("please", "pr", "problems", "pull", "recent", "recently", "request", "review", "show", "staged", "suggest"),
    ("summarise", "summarize", "summary", "today", "uncommitted", "unstaged", "work", "working", "write", "wrong"),
)  # fmt: skip
_CHANGES = re.compile(
    r"\b(chang(e|es|ed)|commit message|diff|edit(s|ed)?|uncommitted|(un)?staged)\b", re.IGNORECASE
)


def names_no_code(signals: Signals) -> bool:
    """Whether a question about changes says nothing but that, so that its words would find nothing that matters."""
    if signals.mentions:
        return False
    return all(word.lower() in _REVIEW_WORDS for word in _WORD.findall(signals.question.text))


def speaks_of_changes_alone(signals: Signals) -> bool:
    """Whether the question is about what was changed lately, as "review my changes" is, and about nothing else."""
    return bool(_CHANGES.search(signals.question.text)) and names_no_code(signals)


def text_of(hunks: Iterable[Hunk]) -> str:
    """What to search for instead of a question that names no code: where the changes are, and what they say."""
    told = "\n".join(f"{hunk.path} {hunk.symbol}\n{_changed_lines(hunk)}" for hunk in hunks)
    return told[:LONGEST_QUESTION]


def around_changes(snapshot: Snapshot, graph: RelationGraph, hunks: Sequence[Hunk]) -> dict[ChunkRef, Near]:
    """The chunks that reviewing ``hunks`` needs, with their worth; those that were changed have the most."""
    found: dict[ChunkRef, Near] = {}
    for number, hunk in enumerate(_largest(hunks)):
        for ref, near in around(snapshot, graph, _place(snapshot, hunk), _ANGLE).items():
            worth = near.worth * FADING**number
            if ref not in found or worth > found[ref].worth:
                found[ref] = Near(worth, near.why)
    return found


def _largest(hunks: Sequence[Hunk]) -> list[Hunk]:
    """One hunk for each changed symbol, those with the most changed lines first; as they come where that is equal."""
    lines: dict[tuple[str, str], int] = {}
    first: dict[tuple[str, str], Hunk] = {}
    for hunk in hunks:
        symbol = (hunk.path, hunk.symbol)
        lines[symbol] = lines.get(symbol, 0) + hunk.added + hunk.removed
        first.setdefault(symbol, hunk)
    return [first[symbol] for symbol in sorted(first, key=lambda symbol: -lines[symbol])][:MOST_SYMBOLS]


def _place(snapshot: Snapshot, hunk: Hunk) -> EditorPosition:
    """Where the change is in the file as it is: what is staged may have moved since."""
    outline = snapshot.outlines.get(hunk.path)
    for definition in outline.definitions if outline and hunk.symbol else ():
        if definition.qualified == hunk.symbol:
            inside = definition.start_line <= hunk.start_line and hunk.end_line <= definition.end_line
            if not inside:
                return EditorPosition(hunk.path, definition.start_line, definition.start_line)
            break
    return EditorPosition(hunk.path, hunk.start_line, hunk.end_line)


def _changed_lines(hunk: Hunk) -> str:
    return "\n".join(line[1:] for line in hunk.text.splitlines() if line[:1] in ("+", "-"))
