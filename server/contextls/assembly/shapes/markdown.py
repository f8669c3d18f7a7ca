"""The ``markdown`` shape: titled sections, every piece under its place, fenced so that it cannot break out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from contextls.assembly.bodies import (
    Body,
    CodeSpan,
    CommitList,
    DiffHunk,
    EventRun,
    FreeText,
    Habit,
    KnownEntity,
    PinnedSpan,
    RelationBundle,
    Summary,
    TaskLine,
)
from contextls.assembly.candidate import Candidate, span_id
from contextls.assembly.sections import ROWS, TABLE
from contextls.assembly.shapes.sentences import (
    describe_commit_list,
    describe_entity,
    describe_event_run,
    describe_pattern,
    describe_relations,
)
from contextls.assembly.shapes.shape import Shape
from contextls.model import Role, Section
from contextls.text.fence import fence, inline, one_line

# Counted apart from what it opens, a heading costs a little less than in the whole.
HEADING_SPARE = 3


class Markdown(Shape):
    """Markdown for people and for chat models."""

    def compose(self, body: Body) -> str:
        """One piece: a line of a list, or a heading with a fence."""
        match body:
            case CodeSpan():
                return _code(body)
            case PinnedSpan():
                return _render_pinned(body)
            case DiffHunk():
                return _hunk(body)
            case CommitList():
                return _commits(body)
            case EventRun():
                return _event(body)
            case KnownEntity(entity):
                return f"- {describe_entity(entity, inline, mark='**')}"
            case RelationBundle(subject, relations, names):
                return f"- {describe_relations(subject, relations, names, inline)}"
            case Habit(pattern):
                return f"- {describe_pattern(pattern)}"
            case TaskLine():
                return f"- {body.standing}: {body.words}"
            case FreeText(text):
                return text
            case Summary():
                return _summary(body)

    def heading(self, section: Section) -> str:
        """A heading of the second level."""
        return f"## {TABLE[section].title}"

    def measure_heading(self, section: Section) -> int:
        """Tokens of the heading, and some to spare."""
        return super().measure_heading(section) + HEADING_SPARE

    def render(self, pieces: Sequence[Candidate]) -> str:
        """Sections in the order of their table, pieces in the order given."""
        sections = []
        for row in ROWS:
            texts = [self.write(piece.body) for piece in pieces if piece.section is row.section]
            if texts:
                separator = "\n" if row.list else "\n\n"
                sections.append(f"{self.heading(row.section)}\n\n{separator.join(texts)}")
        return "\n\n".join(sections)


def _code(code: CodeSpan) -> str:
    """A heading that says where the code lives, and the code in a fence under its header context."""
    text = code.text.replace("\r\n", "\n").strip("\n")
    if code.header:
        text = f"{code.header.rstrip()}\n{text}"
    return (
        f"### {_place(code.path, code.start_line, code.end_line, code.symbol)}\n{fence(text, code.language)}"
    )


def _render_pinned(span: PinnedSpan) -> str:
    """A pinned piece, with the role in which it is to be read where that is a special one."""
    as_what = "" if span.role is Role.CONTEXT else f" ({span.role})"
    text = "".join(f"{line.text}\n" for line in span.shown)
    place = _place(span.path, span.start_line, span.end_line, span.symbol)
    return f"### {place}{as_what}\n{fence(text.rstrip(chr(10)), span.language)}"


def _summary(summary: Summary) -> str:
    symbol = summary.of.symbol if isinstance(summary.of, CodeSpan) else ""
    name = f" {inline(symbol)}" if symbol else ""
    return f"### {inline(summary.place)}{name} (summary)\n{fence(summary.text, 'text')}"


def _event(run: EventRun) -> str:
    """One event: when, what, how it ended; a command's output or an error's stack fenced below."""
    event = run.event
    stamp = (
        datetime.fromtimestamp(event.timestamp / 1000, UTC)
        .isoformat(timespec="seconds")
        .replace("+00:00", "Z")
    )
    entry = f"- {stamp} {describe_event_run(event, run.times, inline)}"
    return entry if run.output is None else f"{entry}\n{fence(run.output)}"


def _commits(body: CommitList) -> str:
    """A list of commits: what they are, and one line for each."""
    lines = [f"- {inline(sha[:10])} {one_line(subject)}" for sha, subject in body.commits]
    return "\n".join([f"### {describe_commit_list(body, inline)}", *lines])


def _hunk(body: DiffHunk) -> str:
    """A change: where, in which symbol, how it stands, by how much, and its lines."""
    hunk = body.hunk
    place = _place(hunk.path, hunk.start_line, hunk.end_line, hunk.symbol)
    head = f"### {place} {body.how} (+{hunk.added} −{hunk.removed})"
    return head if body.text is None else f"{head}\n{fence(body.text, 'diff')}"


def _place(path: str, start_line: int, end_line: int, symbol: str) -> str:
    name = f" {inline(symbol)}" if symbol else ""
    return f"{inline(span_id(path, start_line, end_line))}{name}"
