"""The question and the task stack: what the work is for, where it stands, what came of its finished neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contextls.assembly.admission.permissions import PermissionKind
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import TaskLine, TaskPart
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.question import Question
from contextls.assembly.source import Findings, Offer
from contextls.assembly.sources.task_sentence import write_task
from contextls.memory.tasks.stack import TaskView
from contextls.model import Event, Section, TaskFrame, TaskStatus
from contextls.text.fence import one_line

_WORTH = {TaskPart.ROOT: 1.0, TaskPart.PATH: 0.95, TaskPart.SIBLINGS: 0.8}
_REASONS = {
    "Now": "the current task",
    "Goal": "what the work is for",
    "Within": "on the way to the current task",
    "Done": "done beside the current task",
}


class TaskSource:
    """The question, and the tasks that are being worked on."""

    name = "tasks"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:  # noqa: ARG002
        """The question, then a line for each task, from the root to the current one, then its siblings."""
        lines = task_candidates(question.tasks) if question.tasks else ()
        return Offer((*_ask(question, memories), *lines))


def _ask(question: Question, memories: MemorySnapshot) -> Iterator[Candidate]:
    """The line that says what is asked, unless it is what the current task says."""
    place = question.position
    # Words that a client made of a file's text; the question itself is the user's own.
    hidden = bool(question.request.task and place and not memories.accepts(place.path))
    if question.request.task_line and not hidden:
        body = write_task(question, memories.exclusion)
        tells_goal = question.tasks and question.permissions.allow(PermissionKind.TASKS)
        goal = question.tasks.current.goal if question.tasks and tells_goal else ""
        if not _says_the_same(body.sentence, goal):
            yield Candidate(Section.TASK, "query", body, Scores(1.0, 1.0, 1.0), why="what is asked")


def _says_the_same(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def task_candidates(view: TaskView) -> tuple[Candidate, ...]:
    """The lines about the tasks of ``view`` in reading order."""
    root, *path = view.path
    return (
        _candidate(root, TaskPart.ROOT, "Now" if not path else "Goal"),
        *(_candidate(frame, TaskPart.PATH, "Now" if frame is view.current else "Within") for frame in path),
        *(_candidate(frame, TaskPart.SIBLINGS, "Done") for frame in view.siblings),
    )


def without_released(events: Sequence[Event], view: TaskView | None) -> list[Event]:
    """The events that still count: a completed task's detail, its failures too, is let go; its result stays."""
    return [event for event in events if view is None or event.task_id not in view.released]


def _candidate(frame: TaskFrame, part: TaskPart, standing: str) -> Candidate:
    words = one_line(frame.goal)
    if frame.status is TaskStatus.COMPLETE and frame.result:
        words = f"{words} → {one_line(frame.result)}"
    worth = _WORTH[part]
    body = TaskLine(part, standing, words)
    return Candidate(Section.TASK, frame.id, body, Scores(worth, worth, worth), why=_REASONS[standing])
