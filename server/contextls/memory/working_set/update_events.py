"""Updates of the working set as events, which people see in their activity."""

from __future__ import annotations

from typing import Any

from contextls.model import EventType, NewEvent, Outcome, SetUpdate, Target, UpdateAction, Updater, UpdateStep


def update_event(target: Target, update: SetUpdate, refused: str | None) -> NewEvent:
    """That a model updated the working set, or wanted to and was refused."""
    content = _content(update.action, target.path, target.symbol, update.priority, update.why)
    if refused is not None:
        content["reason"] = refused
    outcome = Outcome.SUCCESS if refused is None else Outcome.FAILURE
    return NewEvent(EventType.WORKING_SET, {**content, "by": str(Updater.MODEL)}, outcome)


def undo_event(step: UpdateStep) -> NewEvent:
    """That a person undid one step of an update."""
    content = _content("undo", step.path.rstrip("/"), step.symbol, None, "")
    return NewEvent(EventType.WORKING_SET, {**content, "by": str(Updater.PERSON)})


def _content(
    action: UpdateAction | str, path: str, symbol: str | None, priority: float | None, why: str
) -> dict[str, Any]:
    given = {"symbol": symbol, "priority": priority, "why": why or None}
    return {
        "action": str(action),
        "path": path,
        **{name: value for name, value in given.items() if value is not None},
    }
