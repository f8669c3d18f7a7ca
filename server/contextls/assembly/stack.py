"""The task stack in a prompt: what the work is for, where it stands, what came of its finished neighbours.

Each part has a share of the token budget, as the specification has it: the root goal 5 %, the path to the current task
15 %, the results of completed siblings 10 %. What a part leaves unused goes to everything else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from contextls.assembly.items import Item
from contextls.assembly.shapes.markdown import task_line
from contextls.memory.tasks import TaskView
from contextls.model import Event, Omission, Section, TaskFrame
from contextls.text.tokens import Tokenizer

ROOT_SHARE = 5
PATH_SHARE = 15
SIBLING_SHARE = 10
# A question of so few words that names no code ("continue", "what next?") leans on the goal.
SHORT_QUESTION_WORDS = 4
_NAMES_CODE = re.compile(r"`|\w[._/]\w|[a-z][A-Z]|\w\(")
_REASONS = {
    "Now": "the current task",
    "Goal": "what the work is for",
    "Within": "on the way to the current task",
    "Done": "done beside the current task",
}
# Tokens of the line break after a line.
_LINE_END = 1


@dataclass(frozen=True, slots=True)
class StackItems:
    """The lines about tasks in reading order, and those that did not fit their share."""

    items: tuple[Item, ...]
    omitted: tuple[Omission, ...]


def stack_items(view: TaskView, max_tokens: int, tokenizer: Tokenizer) -> StackItems:
    """The lines about the tasks of ``view``, each part within its share of ``max_tokens`` (line breaks counted).

    A line too long for what is left of its share is cut. The current task has the first claim on the path's share, then
    the nearest above it; of siblings, the newest comes first.
    """
    root, *path = view.path
    share = _Share(max_tokens * ROOT_SHARE // 100, tokenizer)
    top = share.take([(root, "Now" if not path else "Goal")], 1.0)
    below = _Share(max_tokens * PATH_SHARE // 100, tokenizer)
    nearest = [(frame, "Now" if frame is view.current else "Within") for frame in reversed(path)]
    way = below.take(nearest, 0.95)[::-1]
    beside = _Share(max_tokens * SIBLING_SHARE // 100, tokenizer)
    results = beside.take([(frame, "Done") for frame in view.siblings], 0.8)
    return StackItems((*top, *way, *results), (*share.omitted, *below.omitted, *beside.omitted))


def question_text(query: str, view: TaskView | None) -> str:
    """What is searched for: the query, and the current goal below it when the query alone says too little."""
    if view is None or len(query.split()) > SHORT_QUESTION_WORDS or _NAMES_CODE.search(query):
        return query
    return f"{query}\n{view.current.goal}"


def without_released(events: Sequence[Event], view: TaskView | None) -> list[Event]:
    """The events that still count: a completed task's detail, its failures too, is let go; its result stays."""
    return [event for event in events if view is None or event.task_id not in view.released]


class _Share:
    """A part of the token budget while lines are put into it."""

    def __init__(self, tokens: int, tokenizer: Tokenizer) -> None:
        self._left = tokens
        self._tokenizer = tokenizer
        self.omitted: list[Omission] = []

    def take(self, frames: Sequence[tuple[TaskFrame, str]], score: float) -> list[Item]:
        items = []
        for frame, word in frames:
            line = task_line(frame, word)
            text = _cut(line, self._left - _LINE_END, self._tokenizer, least=len(word) + 4)
            if text is None:
                tokens = self._tokenizer.count(line)
                self.omitted.append(Omission(Section.TASK, frame.id, "budget", tokens))
                continue
            self._left -= self._tokenizer.count(text) + _LINE_END
            items.append(Item(Section.TASK, frame.id, text, score, score, score, why=_REASONS[word]))
        return items


def _cut(line: str, max_tokens: int, tokenizer: Tokenizer, least: int) -> str | None:
    """As much of the beginning of ``line`` as fits, or ``None`` when no more than ``least`` characters would."""
    if tokenizer.count(line) <= max_tokens:
        return line
    low, high = least, len(line) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if tokenizer.count(_ended(line, middle)) <= max_tokens:
            low = middle
        else:
            high = middle - 1
    while low > least and tokenizer.count(_ended(line, low)) > max_tokens:
        low -= 1  # counts do not grow with every single character
    return _ended(line, low) if low > least else None


def _ended(line: str, length: int) -> str:
    return line[:length].rstrip() + "…"
