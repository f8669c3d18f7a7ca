"""The commits that changed what a question asks about, and what the newest of them did to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import CodeSpan, CommitList, DiffHunk, KnownEntity
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.question import Question
from contextls.assembly.source import Findings, Offer
from contextls.assembly.wording.commit_questions import asks_for_commits
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.terms import TermSplitter
from contextls.memory.vcs.hunks import Hunk
from contextls.memory.vcs.line_history import LineChange
from contextls.model import Section
from contextls.regex import compile_late
from contextls.text.fence import inline

# The number of commits that are listed, and of those whose changes are shown: the newest, and the one that added the lines.
MAX_COMMITS, MAX_SHOWN = 6, 3
# They are the answer; the code as it is now comes with them.
_WORTH = 0.95
_STEP = 0.01
_WORD = compile_late(r"\w+")


class _Lines(Struct, frozen=True):
    """Lines of a file, 1-based: a definition called ``symbol``, or all of it."""

    path: str
    first: int
    last: int
    symbol: str
    why: str


class LineCommitSource:
    """Commits of the code in question."""

    name = "commits"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:
        """If commits are asked for, those of what the question names, else of the code that was found first."""
        text = question.signals.text
        is_asked = asks_for_commits(text, names_code=True) and not question.signals.query.is_report
        if memories.line_changes is None or not is_asked:
            return Offer()
        lines = _find_named(found, memories.snapshot)
        if lines is None and asks_for_commits(text, names_code=False):
            lines = _find_called(found, text, memories.snapshot)
        if lines is None:
            return Offer()
        changes = [
            each
            for each in memories.line_changes(lines.path, lines.first, lines.last)
            if not memories.exclusion.is_named_in(each.commit.subject)
        ]
        return Offer(tuple(_describe(lines, changes)))


def _find_named(found: Findings, snapshot: Snapshot) -> _Lines | None:
    """The first definition or file that the question names, and not what it only names to say where that is."""
    bodies = [one.body for one in found.of("entities").candidates]
    named = [body.entity for body in bodies if isinstance(body, KnownEntity) and body.mentioned]
    for entity in named:
        is_around = any(each.id.startswith((f"{entity.id}.", f"{entity.id}#")) for each in named)
        outline = snapshot.outlines.get(entity.path)
        if is_around or outline is None:
            continue
        why = f"{inline(entity.name)} is named in the question"
        if entity.id == entity.path:
            rows = map(snapshot.view.row, snapshot.view.chunks_of(entity.path))
            return _Lines(entity.path, 1, max((row.end_line for row in rows), default=1), "", why)
        for each in outline.definitions:
            if f"{entity.path}#{each.qualified}" == entity.id:
                return _Lines(entity.path, each.start_line, each.end_line, each.qualified, why)
    return None


def _find_called(found: Findings, text: str, snapshot: Snapshot) -> _Lines | None:
    """The first definition in the code found first that is called by words of the question."""
    code = next((one.body for one in found.of("content").candidates if isinstance(one.body, CodeSpan)), None)
    outline = snapshot.outlines.get(code.path) if code is not None else None
    if code is None or outline is None:
        return None
    said, split = set(_WORD.findall(text.lower())), TermSplitter().parts
    for each in outline.definitions:
        if code.start_line <= each.start_line <= code.end_line and said.issuperset(split(each.name)):
            why = f"of {inline(each.qualified)}, which was found"
            return _Lines(code.path, each.start_line, each.end_line, each.qualified, why)
    return None


def _describe(lines: _Lines, changes: Sequence[LineChange]) -> Iterator[Candidate]:
    if not changes:
        return
    told = tuple((each.commit.sha, _say(each)) for each in _ends(changes, MAX_COMMITS))
    body = CommitList(told, path=lines.path, symbol=lines.symbol)
    yield _candidate(f"commits:{lines.path}#{lines.symbol}", body, lines, 0)
    for number, change in enumerate(_ends(changes, MAX_SHOWN), 1):
        sha = change.commit.sha[:10]
        hunk = Hunk(
            lines.path, lines.symbol, lines.first, lines.last, change.added, change.removed, change.text
        )
        yield _candidate(
            f"commit:{sha}:{lines.path}", DiffHunk(hunk, f"in {sha}", change.text or None), lines, number
        )


def _ends(changes: Sequence[LineChange], most: int) -> Sequence[LineChange]:
    """The newest of ``changes`` and the oldest."""
    return changes if len(changes) <= most else [*changes[: most - 1], changes[-1]]


def _say(change: LineChange) -> str:
    commit = change.commit
    day = datetime.fromtimestamp(commit.timestamp / 1000, UTC).date()
    return f"{commit.subject} ({commit.author}, {day})"


def _candidate(name: str, body: CommitList | DiffHunk, lines: _Lines, number: int) -> Candidate:
    worth = _WORTH - _STEP * number
    return Candidate(
        Section.RECENT,
        name,
        body,
        Scores(worth, worth, worth),
        (lines.path,),
        (f"{lines.path}#{lines.symbol}",) if lines.symbol else (),
        why=lines.why,
        chance=worth,
    )
