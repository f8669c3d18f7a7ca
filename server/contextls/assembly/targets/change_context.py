"""The target of a question about changes: the code around them, who uses what they touch, and what tests it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from contextls.assembly.targets.cursor_context import Angle, find_cursor_context
from contextls.assembly.targets.cursor_place import Near, keep
from contextls.assembly.wording.signals import Signals
from contextls.memory.index.priors import FileKind
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.index.terms import STOP_WORDS
from contextls.memory.knowledge.relations import RelationGraph
from contextls.memory.vcs.hunks import CONTEXT_LINES, MAX_HUNK_LINES, Hunk
from contextls.model import EditorPosition
from contextls.regex import compile_late
from contextls.store.chunk_rows import ChunkLines

# Only the symbols with the most changed lines are looked at.
MAX_SYMBOLS = 12
# The factor for the surroundings of each further symbol.
FADING = 0.97

# With these, most of the files that real commits changed along are in the prompt (python -m benchmarks.review); values
# beside them do as well.
_SOURCE = Angle("around the change", users=True, tests=True, rest=0.6, step=0.03, named=True)
# A test has no users, and what it refers to is mostly changed as well.
_OTHER = replace(_SOURCE, users=False, tests=False)
OTHER_WORTH = 0.6
# A chunk with this share of its lines in a diff is shown by it already.
_COVERED = 0.8
_WORD = compile_late(r"[^\W_]{2,}")
# A question of these and stop words alone speaks of the changes, not of any code.
_REVIEW_WORDS = STOP_WORDS.union(
    ("branch", "bug", "bugs", "change", "changed", "changes", "check", "code", "commit", "committed", "current", "diff"),
    ("edit", "edited", "edits", "find", "improve", "issues", "latest", "look", "merge", "message", "mistakes", "patch"),
    ("please", "pr", "problems", "pull", "recent", "recently", "request", "review", "show", "staged", "suggest"),
    ("summarise", "summarize", "summary", "today", "uncommitted", "unstaged", "work", "working", "write", "wrong"),
)  # fmt: skip
_CHANGES = compile_late(
    r"\b(chang(e|es|ed)|commit message|diff|edit(s|ed)?|uncommitted|(un)?staged)\b", re.IGNORECASE
)


def names_no_code(signals: Signals) -> bool:
    """Whether a question about changes says nothing but that, so that its words would find nothing that matters."""
    if signals.mentions:
        return False
    return all(word.lower() in _REVIEW_WORDS for word in _WORD.findall(signals.text))


def speaks_of_changes_alone(signals: Signals) -> bool:
    """Whether the question is about what was changed lately, as "review my changes" is, and about nothing else."""
    return bool(_CHANGES.search(signals.text)) and names_no_code(signals)


def describe_changes(hunks: Iterable[Hunk]) -> str:
    """Search words for a question that names no code: where the changes are, and what they say."""
    return "\n".join(f"{hunk.path} {hunk.symbol}\n{_changed_lines(hunk)}" for hunk in hunks)


def find_change_context(
    snapshot: Snapshot, graph: RelationGraph, hunks: Sequence[Hunk]
) -> dict[ChunkRef, Near]:
    """The chunks that reviewing ``hunks`` needs, with their worth; those that were changed have the most."""
    found: dict[ChunkRef, Near] = {}
    kinds = {
        path: snapshot.view.file_kind(refs[0])
        for path in {h.path for h in hunks}
        if (refs := snapshot.view.chunks_of(path))
    }
    for number, hunk in enumerate(_pick_most_changed(hunks, kinds)):
        is_source = kinds.get(hunk.path) is FileKind.SOURCE
        worth = FADING**number * (1.0 if is_source else OTHER_WORTH)
        angle = _SOURCE if is_source else _OTHER
        for ref, near in find_cursor_context(snapshot, graph, _current_place(snapshot, hunk), angle).items():
            keep(found, ref, Near(near.worth * worth, near.why))
    return found


class ShownDiffs:
    """The lines of files that the diffs of ``hunks`` show."""

    def __init__(self, hunks: Iterable[Hunk] = ()) -> None:
        self._lines: dict[str, set[int]] = {}
        for hunk in (each for each in hunks if not each.is_note):
            last = min(hunk.end_line, hunk.start_line + MAX_HUNK_LINES)
            shown = range(hunk.start_line - CONTEXT_LINES, last + CONTEXT_LINES + 1)
            self._lines.setdefault(hunk.path, set()).update(shown)

    def __bool__(self) -> bool:
        return bool(self._lines)

    def covers(self, chunk: ChunkLines) -> bool:
        """Whether nearly all of a chunk is shown."""
        shown = self._lines.get(chunk.path, ())
        lines = range(chunk.start_line, chunk.end_line + 1)
        return bool(shown) and sum(line in shown for line in lines) >= _COVERED * len(lines)


def _pick_most_changed(hunks: Sequence[Hunk], kinds: Mapping[str, FileKind]) -> list[Hunk]:
    """One hunk for each changed symbol: those of sources first, of these the ones with the most changed lines."""
    lines: dict[tuple[str, str], int] = {}
    first: dict[tuple[str, str], Hunk] = {}
    for hunk in hunks:
        symbol = (hunk.path, hunk.symbol)
        lines[symbol] = lines.get(symbol, 0) + hunk.added + hunk.removed
        first.setdefault(symbol, hunk)
    order = sorted(first, key=lambda symbol: (kinds.get(symbol[0]) is not FileKind.SOURCE, -lines[symbol]))
    return [first[symbol] for symbol in order][:MAX_SYMBOLS]


def _current_place(snapshot: Snapshot, hunk: Hunk) -> EditorPosition:
    """The place of the change in the file as it is now: staged lines may have moved since."""
    outline = snapshot.outlines.get(hunk.path)
    defined = outline.definitions if outline and hunk.symbol else ()
    symbol = next((each for each in defined if each.qualified == hunk.symbol), None)
    if symbol is None or (symbol.start_line <= hunk.start_line and hunk.end_line <= symbol.end_line):
        return EditorPosition(hunk.path, hunk.start_line, hunk.end_line)
    return EditorPosition(hunk.path, symbol.start_line, symbol.start_line)


def _changed_lines(hunk: Hunk) -> str:
    return "\n".join(line[1:] for line in hunk.text.splitlines() if line[:1] in ("+", "-"))
