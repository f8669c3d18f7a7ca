"""The ``markdown`` shape: titled sections of items, every piece with its place, fenced so that it cannot break out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from contextls.assembly.items import Code, Item
from contextls.memory.entities import Entity
from contextls.memory.history.hunks import Hunk
from contextls.memory.patterns.pattern import Pattern, Unit
from contextls.memory.relations import Relation, RelationType
from contextls.model import Event, EventType, Section, TaskFrame, TaskStatus
from contextls.text.fence import fence

TITLES: Mapping[Section, str] = {
    Section.TASK: "Task",
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
Content = Mapping[str, Any]
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")


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
    entry = f"- {stamp} {happening(event)}{outcome}{again}"
    tail = [line for line in _details(event).splitlines() if line.strip()][-OUTPUT_LINES:]
    return f"{entry}\n{fence(chr(10).join(tail))}" if tail else entry


def happening(event: Event) -> str:
    """What happened, in one line of Markdown."""
    say = _HAPPENINGS.get(event.type)
    if say is not None:
        with suppress(KeyError, TypeError):  # another version or a client may have left a field out
            return say(event.content)
    return f"{event.type}: {inline(json.dumps(event.content, ensure_ascii=False, sort_keys=True))}"


def _details(event: Event) -> str:
    content = event.content
    if event.type == EventType.SHELL_EXEC:
        return str(content.get("stdout") or "") + str(content.get("stderr") or "")
    return str(content.get("stack") or "") if event.type == EventType.ERROR else ""


def _edited(content: Content) -> str:
    summary = content.get("summary")
    return f"Edited: {inline(content['path'])}{f' — {one_line(summary)}' if summary else ''}"


def _executed(content: Content) -> str:
    code = f" exit {content['exitCode']}" if content["exitCode"] else ""
    return f"Executed: {inline(content['command'])}{code}"


def _error(content: Content) -> str:
    test = f" in {inline(content['test'])}" if content.get("test") else ""
    place = f" at {inline(_place(content))}" if content.get("path") else ""
    return f"Error{test}: {one_line(content['message'])}{place}"


def _problem(content: Content) -> str:
    word = "Problem" if content["state"] == "appeared" else "Solved problem"
    told = " ".join(str(content[name]) for name in ("source", "code") if content.get(name))
    origin = f" ({one_line(told)})" if told else ""
    return f"{word}: {one_line(content['message'])} at {inline(_place(content))}{origin}"


def _renamed(content: Content) -> str:
    origin = f" from {inline(content['from'])}" if content.get("from") else ""
    return f"Renamed: {inline(content['path'])}{origin}"


def _changed(content: Content) -> str:
    names = ", ".join(inline(path) for path in content["paths"][:LISTED_NAMES])
    return f"Changed on disk: {content['count']} files, such as {names}"


def _checked_out(content: Content) -> str:
    origin = f" from {inline(content['from'])}" if content.get("from") else ""
    verb = str(content.get("action") or "checkout").capitalize()
    return f"Git {one_line(verb)}: {inline(content['to'])}{origin}"


def _committed(content: Content) -> str:
    branch = f" on {inline(content['branch'])}" if content.get("branch") else ""
    return f"Committed: {one_line(content.get('subject', ''))} ({inline(content['commit'][:10])}{branch})"


def _stashed(content: Content) -> str:
    taken = content.get("action") == "pop"
    return "Took a stash back" if taken else f"Stashed: {one_line(content.get('subject', ''))}"


def _rebased(content: Content) -> str:
    onto = f" onto {inline(content['onto'])}" if content.get("onto") else ""
    return f"Rebased: {inline(content.get('branch') or 'HEAD')}{onto}"


_HAPPENINGS: Mapping[str, Callable[[Content], str]] = {
    EventType.FILE_READ: lambda content: f"Read: {inline(content['path'])}",
    EventType.FILE_FOCUS: lambda content: f"Went back to: {inline(content['path'])}",
    EventType.FILE_EDIT: _edited,
    EventType.FILE_WRITE: lambda content: f"Wrote: {inline(content['path'])}",
    EventType.FILE_RENAME: _renamed,
    EventType.FILE_DELETE: lambda content: f"Deleted: {inline(content['path'])}",
    EventType.FILES_CHANGED: _changed,
    EventType.SHELL_EXEC: _executed,
    EventType.ERROR: _error,
    EventType.DIAGNOSTIC: _problem,
    EventType.GIT_CHECKOUT: _checked_out,
    EventType.GIT_COMMIT: _committed,
    EventType.GIT_STASH: _stashed,
    EventType.GIT_REBASE: _rebased,
    EventType.NOTE: lambda content: f"Note: {one_line(content['text'])}",
}


def hunk_block(hunk: Hunk) -> str:
    """A change that is not committed yet: where, in which symbol, by how much, and its lines."""
    place = inline(f"{hunk.path}:{hunk.start_line}-{hunk.end_line}")
    name = f" {inline(hunk.symbol)}" if hunk.symbol else ""
    return f"### {place}{name} uncommitted (+{hunk.added} −{hunk.removed})\n{fence(hunk.text.strip(chr(10)), 'diff')}"


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


def inline(text: str) -> str:
    """``text`` as inline code that cannot break out of its line or its backticks."""
    line = one_line(text) or " "
    ticks = "`" * (max((len(run) for run in re.findall("`+", line)), default=0) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def one_line(text: str) -> str:
    """``text`` with line breaks and control characters replaced by spaces."""
    return _CONTROL.sub(" ", str(text)).strip()


def _place(content: Mapping[str, object]) -> str:
    line = content.get("line")
    return f"{content['path']}:{line}" if line else str(content["path"])
