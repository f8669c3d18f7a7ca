"""The fields of a component other than its text: its place, its title and its body without marks."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from contextls.assembly.pieces.bodies import (
    Absence,
    Body,
    CodeSpan,
    CommitList,
    DiffHunk,
    EventRun,
    FreeText,
    Habit,
    KnownEntity,
    NoChanges,
    PackageText,
    PinnedSpan,
    RelationBundle,
    RepositoryMap,
    ShownBefore,
    Summary,
    TaskLine,
    TaskSentence,
    WorkUnderWay,
)
from contextls.assembly.pieces.candidate import span_id
from contextls.assembly.shapes.map_text import draw_tree
from contextls.assembly.shapes.sentences import (
    Quote,
    describe_absence,
    describe_change,
    describe_commit_list,
    describe_copies,
    describe_entity,
    describe_event_run,
    describe_pointer,
)
from contextls.memory.events.passed_runs import PassedRun
from contextls.text.fence import name_line, one_line
from contextls.text.notebook import close_gaps


class PieceFields(Struct, frozen=True):
    """A piece without the marks of a shape: its place (``None`` where it is in no file), title and body."""

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
            text = close_gaps(body.path, body.text)
            text = f"{body.header.rstrip()}\n{text}" if body.header else text
            fields = _fields_at(body, text)
            copies = describe_copies(body.copies, name_line)
            return replace(fields, title=f"{fields.title} ({copies})") if copies else fields
        case PinnedSpan():
            text = "".join(f"{line.text}\n" for line in body.shown)
            return _fields_at(body, close_gaps(body.path, text))
        case Summary() | ShownBefore():
            return _fields_instead(body)
        case FreeText() | PackageText():
            return PieceFields(one_line(body.title) if isinstance(body, PackageText) else "", body.text)
        case TaskSentence(sentence):
            return PieceFields(sentence, body.text)
        case DiffHunk():
            return _fields_of_hunk(body)
        case CommitList(commits):
            subjects = "\n".join(subject for _, subject in commits)
            return PieceFields(describe_commit_list(body, name_line), subjects)
        case EventRun():
            return _fields_of_event(body)
        case KnownEntity(entity):
            line = entity.line or None
            symbol = "" if entity.id == entity.path or not entity.path else entity.id.partition("#")[2]
            sentence = describe_entity(entity, name_line)
            return PieceFields(entity.name, sentence, entity.path or None, line, line, symbol)
        case RepositoryMap(name):
            return PieceFields(f"Map of {name_line(name)}", draw_tree(body))
        case RelationBundle() | Habit() | Absence() | NoChanges() | PassedRun() | WorkUnderWay() | TaskLine():
            sentence = _sentence(body)
            return PieceFields(sentence, sentence)


def describe_earlier(body: ShownBefore, quote: Quote) -> str:
    """The place in the conversation that shows a piece already."""
    fields = describe_piece(body.of)
    own = span_id(fields.path or "", fields.start_line or 0, fields.end_line or 0)
    there = f" at {quote(body.place)}" if body.place and body.place != own else ""
    return f"shown in turn {body.turn}{there}, unchanged"


def _sentence(
    body: RelationBundle | Habit | Absence | NoChanges | PassedRun | WorkUnderWay | TaskLine,
) -> str:
    match body:
        case RelationBundle() | Habit():
            return describe_pointer(body, name_line)
        case Absence() | NoChanges() | PassedRun() | WorkUnderWay():
            return describe_absence(body, name_line)
        case TaskLine(_, standing, words):
            return f"{standing}: {words}"


def _fields_instead(body: Summary | ShownBefore) -> PieceFields:
    if isinstance(body, ShownBefore):
        return replace(describe_piece(body.of), body=describe_earlier(body, name_line))
    return (
        _fields_at(body.of, body.text)
        if isinstance(body.of, CodeSpan)
        else PieceFields(body.place, body.text)
    )


def _fields_of_event(body: EventRun) -> PieceFields:
    path = body.event.content.get("path")
    # That it went well needs no word in a title.
    title = describe_event_run(body, name_line, passed=False)
    return PieceFields(title, body.output or "", path if isinstance(path, str) else None)


def _fields_of_hunk(body: DiffHunk) -> PieceFields:
    hunk, sentence = body.hunk, describe_change(body, name_line)
    if hunk.is_note:
        return PieceFields(sentence, sentence, hunk.path)
    lines = (hunk.start_line, hunk.end_line)
    return PieceFields(sentence, body.text or "", hunk.path, *lines, hunk.symbol, "diff")


def _fields_at(span: CodeSpan | PinnedSpan, text: str) -> PieceFields:
    lines = (span.start_line, span.end_line)
    return PieceFields(span.symbol or span.path, text, span.path, *lines, span.symbol, span.language)
