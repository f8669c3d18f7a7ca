"""Updates of the working set as events, which people see in their activity."""

from __future__ import annotations

from contextls.model import EventType, NewEvent, Outcome, SetUpdate, Target, Updater, UpdateStep


def update_event(target: Target, update: SetUpdate, refused: str | None) -> NewEvent:
    """The event of an update by a model, applied or refused."""
    given = {"priority": update.priority, "why": update.why, "reason": refused}
    content = {
        "action": str(update.action),
        "by": str(Updater.MODEL),
        "path": target.path,
        "target": target.text,
        **{name: value for name, value in given.items() if value is not None},
    }
    return NewEvent(EventType.WORKING_SET, content, Outcome.SUCCESS if refused is None else Outcome.FAILURE)


def undo_event(step: UpdateStep) -> NewEvent:
    """The event of a person undoing one step of an update."""
    path = step.target.partition("#")[0].rstrip("/")
    content = {"action": "undo", "by": str(Updater.PERSON), "path": path, "target": step.target}
    return NewEvent(EventType.WORKING_SET, content)
