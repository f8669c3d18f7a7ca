"""The fields of a component beside its text: its place, its title and its body without marks."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
from contextls.assembly.candidate import span_id
from contextls.assembly.shapes.sentences import (
    describe_commit_list,
    describe_entity,
    describe_event_run,
    describe_pattern,
    describe_relations,
)
from contextls.model import Outcome
from contextls.text.fence import one_line


@dataclass(frozen=True, slots=True)
class PieceFields:
    """Where a piece is (``None`` where it is in no file), its one-line ``title``, and its ``body`` without any marks."""

    title: str
    body: str
    path: str | None = None
    start_line: int | None = None
    end_line: int | None = None
    symbol: str = ""
    language: str = ""


def describe_piece(body: Body) -> PieceFields:
    """The fields of one piece."""
    match body:
        case CodeSpan():
            text = f"{body.header.rstrip()}\n{body.text}" if body.header else body.text
            return _fields_at(body, text)
        case PinnedSpan():
            return _fields_at(body, "".join(f"{line.text}\n" for line in body.shown))
        case Summary(text, place, of):
            return _fields_at(of, text) if isinstance(of, CodeSpan) else PieceFields(place, text)
        case FreeText(text):
            return PieceFields("", text)
        case DiffHunk():
            return _fields_of_hunk(body)
        case CommitList(commits):
            subjects = "\n".join(subject for _, subject in commits)
            return PieceFields(describe_commit_list(body, one_line), subjects)
        case EventRun(event, times, output):
            path = event.content.get("path")
            # That it went well needs no word in a title.
            told = replace(event, outcome=None) if event.outcome is Outcome.SUCCESS else event
            title = describe_event_run(told, times, one_line)
            return PieceFields(title, output or "", path if isinstance(path, str) else None)
        case KnownEntity(entity):
            line = entity.line or None
            symbol = "" if entity.id == entity.path or not entity.path else entity.id.partition("#")[2]
            sentence = describe_entity(entity, one_line)
            return PieceFields(entity.name, sentence, entity.path or None, line, line, symbol)
        case RelationBundle(subject, relations, names):
            return _sentence(describe_relations(subject, relations, names, one_line))
        case Habit(pattern):
            return _sentence(describe_pattern(pattern))
        case TaskLine():
            return _sentence(f"{body.standing}: {body.words}")


def _sentence(text: str) -> PieceFields:
    return PieceFields(text, text)


def _fields_of_hunk(body: DiffHunk) -> PieceFields:
    hunk = body.hunk
    place = span_id(hunk.path, hunk.start_line, hunk.end_line)
    title = " ".join(filter(None, (place, hunk.symbol, body.how, f"(+{hunk.added} −{hunk.removed})")))
    lines = (hunk.start_line, hunk.end_line)
    return PieceFields(title, body.text or "", hunk.path, *lines, hunk.symbol, "diff")


def _fields_at(span: CodeSpan | PinnedSpan, text: str) -> PieceFields:
    lines = (span.start_line, span.end_line)
    return PieceFields(span.symbol or span.path, text, span.path, *lines, span.symbol, span.language)
