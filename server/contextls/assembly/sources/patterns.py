"""Applicable patterns: habits that concern the files, the words, the failure or the task in question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contextls.assembly.items import Item, recency
from contextls.assembly.shapes.markdown import pattern_line
from contextls.assembly.signals import Intent, Signals
from contextls.memory.history.view import HistoryView
from contextls.memory.patterns.match import Occasion
from contextls.memory.patterns.memory import PatternMemory
from contextls.memory.patterns.wording import words_of
from contextls.memory.tasks import TaskView
from contextls.model import EditorPosition, Event, EventType, Section

FILES_LOOKED_AT = 8
EDITED_LOOKED_AT = 4
MOST_PATTERNS = 12
# Each further file of the answer is meant a little less; a file edited lately, less than one in question.
FADING = 0.07
EDITED = 0.6
_CHANGES = frozenset({EventType.FILE_WRITE, EventType.FILE_EDIT})


def pattern_items(memory: PatternMemory, occasion: Occasion, history: HistoryView, now: int) -> list[Item]:
    """Items for the habits that concern the question, strongest first."""
    return [
        Item(
            section=Section.PATTERN,
            source=match.pattern.id,
            text=pattern_line(match.pattern),
            relevance=match.strength * match.pattern.confidence,
            recency=recency(match.pattern.last_seen, now),
            salience=match.pattern.confidence,
            paths=match.pattern.files,
            why=f"{match.pattern.successes} of {match.pattern.applications} {match.pattern.unit}",
        )
        for match in memory.matching(occasion, history, now, MOST_PATTERNS)
    ]


def occasion_of(
    signals: Signals,
    content: Sequence[Item],
    events: Sequence[Event],
    position: EditorPosition | None,
    tasks: TaskView | None,
    changed: Iterable[str] = (),
) -> Occasion:
    """What the question is about, as patterns see it: files, words, failure, task.

    The files are the active one, those ``changed`` as the request asks, those found, those edited lately.
    """
    files: dict[str, float] = {position.path: 1.0} if position else {}
    for rank, path in enumerate(list(dict.fromkeys(changed))[:FILES_LOOKED_AT]):
        files.setdefault(path, 1.0 - FADING * rank)
    found = dict.fromkeys(path for item in content for path in item.paths)
    for rank, path in enumerate(list(found)[:FILES_LOOKED_AT]):
        files.setdefault(path, 1.0 - FADING * rank)
    newest = sorted(events, key=lambda event: (-event.timestamp, event.id))
    edited = dict.fromkeys(str(event.content["path"]) for event in newest if event.type in _CHANGES)
    for path in list(edited)[:EDITED_LOOKED_AT]:
        files.setdefault(path, EDITED)
    text = signals.question.text
    return Occasion(
        files=tuple(files.items()),
        words=frozenset(signals.keywords) | words_of(text),
        text=text,
        fixing=signals.intent is Intent.FIX,
        tasks=tuple(frame.id for frame in tasks.path) if tasks else (),
    )
