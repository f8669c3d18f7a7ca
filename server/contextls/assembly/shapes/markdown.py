"""The ``markdown`` shape: titled sections of items, every piece with its place, fenced so that it cannot break out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from contextls.assembly.items import Code, Item
from contextls.memory.entities import Entity
from contextls.memory.events import told
from contextls.memory.history.hunks import Hunk
from contextls.memory.patterns.pattern import Pattern, Unit
from contextls.memory.relations import Relation, RelationType
from contextls.model import Event, EventType, Role, Section, TaskFrame, TaskStatus
from contextls.text.fence import fence, inline, one_line

TITLES: Mapping[Section, str] = {
    Section.TASK: "Task",
    Section.WORKING_SET: "Working Set",
    Section.RECENT: "Recent Activity",
    Section.SEMANTIC: "Relevant Content",
    Section.ENTITY: "Known Entities",
    Section.RELATION: "Relationships",
    Section.PATTERN: "Applicable Patterns",
    Section.CUSTOM: "Additional Context",
}
OUTPUT_LINES = 20
LISTED_NAMES = 6
_LISTS = {Section.TASK, Section.ENTITY, Section.RELATION, Section.PATTERN}


def render(items: Sequence[Item]) -> str:
    """The prompt: sections in their fixed order, items in the order given."""
    sections = []
    for section, title in TITLES.items():
        texts = [item.text for item in items if item.section is section]
        if texts:
            separator = "\n" if section in _LISTS else "\n\n"
            sections.append(f"## {title}\n\n{separator.join(texts)}")
    return "\n\n".join(sections)


def code_block(code: Code) -> str:
    """A heading that says where the code lives, and the code in a fence under its header context."""
    name = f" {inline(code.symbol)}" if code.symbol else ""
    text = code.text.replace("\r\n", "\n").strip("\n")
    if code.header:
        text = f"{code.header.rstrip()}\n{text}"
    return (
        f"### {inline(f'{code.path}:{code.start_line}-{code.end_line}')}{name}\n{fence(text, code.language)}"
    )


def pinned_block(code: Code, role: Role) -> str:
    """A pinned piece under its place, with the role in which it is to be read where that is a special one."""
    name = f" {inline(code.symbol)}" if code.symbol else ""
    as_what = "" if role is Role.CONTEXT else f" ({role})"
    place = inline(f"{code.path}:{code.start_line}-{code.end_line}")
    return f"### {place}{name}{as_what}\n{fence(code.text.rstrip(chr(10)), code.language)}"


def summary_block(place: str, name: str, summary: str) -> str:
    """What a model made of a piece that did not fit, marked as such, under the place of the piece itself."""
    symbol = f" {inline(name)}" if name else ""
    return f"### {inline(place)}{symbol} (summary)\n{fence(summary, 'text')}"


def event_entry(event: Event, times: int) -> str:
    """One event: when, what, how it ended; a command's output or an error's stack fenced below."""
    stamp = (
        datetime.fromtimestamp(event.timestamp / 1000, UTC)
        .isoformat(timespec="seconds")
        .replace("+00:00", "Z")
    )
    outcome = f" [{event.outcome}]" if event.outcome else ""
    again = f" (×{times})" if times > 1 else ""
    entry = f"- {stamp} {told(event)}{outcome}{again}"
    tail = [line for line in _details(event).splitlines() if line.strip()][-OUTPUT_LINES:]
    return f"{entry}\n{fence(chr(10).join(tail))}" if tail else entry


def _details(event: Event) -> str:
    content = event.content
    if event.type == EventType.SHELL_EXEC:
        return str(content.get("stdout") or "") + str(content.get("stderr") or "")
    return str(content.get("stack") or "") if event.type == EventType.ERROR else ""


def hunk_block(hunk: Hunk, how: str = "uncommitted") -> str:
    """A change that is not committed yet: where, in which symbol, ``how`` it stands, by how much, and its lines."""
    place = inline(f"{hunk.path}:{hunk.start_line}-{hunk.end_line}")
    name = f" {inline(hunk.symbol)}" if hunk.symbol else ""
    return (
        f"### {place}{name} {how} (+{hunk.added} −{hunk.removed})\n{fence(hunk.text.strip(chr(10)), 'diff')}"
    )


def entity_line(entity: Entity) -> str:
    """One entity: type, name, place, signature, first sentence of its documentation, and what is known about it."""
    facts = "; ".join(f"{name} {inline(value)}" for name, value in entity.properties)
    if entity.id == entity.path:
        return f"- **{entity.type}**: {inline(entity.path)}" + (f" — {facts}" if facts else "")
    place = f" ({inline(f'{entity.path}:{entity.line}')})" if entity.path else ""
    signature = f" — {inline(entity.signature)}" if entity.signature else ""
    doc = f" — {one_line(entity.doc).split('. ')[0][:160]}" if entity.doc else ""
    known = f" — {facts}" if facts else ""
    return f"- **{entity.type}**: {inline(entity.name)}{place}{signature}{doc}{known}"


# How a bundle reads from its subject: as the source of its edges, and as their target.
_PHRASES: Mapping[str, tuple[str, str]] = {
    RelationType.IMPORTS: ("imports", "is imported by"),
    RelationType.DEFINES: ("defines", "is defined in"),
    RelationType.CALLS: ("calls", "is called by"),
    RelationType.REFERENCES: ("uses", "is used in"),
    RelationType.TESTS: ("tests", "is tested by"),
    RelationType.CO_CHANGES: ("changes together with", "changes together with"),
    RelationType.AUTHORED: ("wrote much of", "was written mostly by"),
    RelationType.RAISED_IN: ("was raised in", "raised"),
    RelationType.FIXED_BY: ("passed after a change to", "was changed to fix"),
}
_COUNTED: Mapping[str, str] = {RelationType.CO_CHANGES: "commits", RelationType.FIXED_BY: "times"}


def relation_line(subject: str, relations: Sequence[Relation], names: Mapping[str, str]) -> str:
    """Edges of one type that share the end ``subject``, as a sentence; ``names`` are what ends without a path are called."""
    first = relations[0]
    phrase = _PHRASES[first.type][subject != first.source]
    others = {relation.other(subject): relation for relation in relations}
    shown = [_counted(end, relation, names) for end, relation in list(others.items())[:LISTED_NAMES]]
    more = f" and {len(others) - LISTED_NAMES} more" if len(others) > LISTED_NAMES else ""
    return f"- {inline(names.get(subject, subject))} {phrase} {', '.join(shown)}{more}"


def _counted(end: str, relation: Relation, names: Mapping[str, str]) -> str:
    name = inline(names.get(end, end))
    unit = _COUNTED.get(relation.type)
    return (
        f"{name} ({relation.support} of {relation.applications} {unit})"
        if unit and relation.applications
        else name
    )


def task_line(frame: TaskFrame, word: str) -> str:
    """One task: how it stands in a word, its goal, and what came of it once it is complete."""
    if frame.status is TaskStatus.COMPLETE and frame.result:
        return f"- {word}: {one_line(frame.goal)} → {one_line(frame.result)}"
    return f"- {word}: {one_line(frame.goal)}"


def pattern_line(pattern: Pattern) -> str:
    """One habit with its numbers."""
    what = "commits" if pattern.unit is Unit.COMMITS else "times"
    passed = "" if pattern.passed is None else f"; {pattern.passed} passed"
    numbers = f"{pattern.successes} of {pattern.applications} {what}{passed}"
    return f"- {one_line(pattern.description)} ({numbers})"
