"""The working set as callers of an engine see it: what people pinned and excluded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from contextls.errors import InvalidRequestError
from contextls.made_once import made_once
from contextls.model import (
    CheckedManifest,
    EventType,
    NewEvent,
    Outcome,
    Role,
    SetUpdate,
    Target,
    TruncateStrategy,
    UndoAnswer,
    UpdateAnswer,
    Updater,
    UpdateStep,
    WorkingSetView,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from contextls.memory.working_set.memory import WorkingSet
    from contextls.memory.working_set.person_changes import PersonChanges
    from contextls.memory.working_set.updates import ModelUpdates
    from contextls.model import Event, ServerEntry


# Tokens; what the first specification of working sets has as its example, with something to spare.
MAX_USUAL_TOKENS = 32_000


class Pins:
    """The working set, shared by everyone who has the workspace.

    Changes are durable when they return. They raise ``StoreError`` when the file is broken or cannot be written.
    """

    def __init__(
        self,
        working_set: WorkingSet,
        record: Callable[[NewEvent], Event | None],
        find_server_entries: Callable[[str | None], tuple[ServerEntry, ...]],
    ) -> None:
        """Use ``Engine.working_set``. ``record`` keeps an event for what models do and people undo."""
        self._working_set = working_set
        self._record = record
        self._find_server_entries = find_server_entries

    def view(self, conversation_id: str | None = None) -> WorkingSetView:
        """The pins and exclusions now; those last read where the file is broken.

        With what the server does in this conversation, or without an id in the one that goes on.
        """
        return self._complete(self._working_set.view(), conversation_id)

    def usual_budget(self, otherwise: int) -> int:
        """The tokens of a prompt where the request sets no size: what the manifest's budget allows, else ``otherwise``.

        As the file comes with the workspace, it raises that to ``MAX_USUAL_TOKENS`` at the most.
        """
        limit = self._working_set.budget().limit
        return otherwise if limit is None else min(limit, max(otherwise, MAX_USUAL_TOKENS))

    def check(self, unsaved: Mapping[str, str], *, indexed: bool = True) -> tuple[CheckedManifest, ...]:
        """The files of the working set with all that is wrong in them; ``unsaved`` texts count, by relative paths.

        Unless the workspace is ``indexed``, nothing is said of symbols and patterns.
        """
        return self._working_set.check(unsaved, indexed=indexed)

    def target(self, path: str, symbol: str | None = None, line: int | None = None) -> Target:
        """The target a client means by a path, which may carry ``#symbol``, with a symbol or the one around a 1-based line.

        Raises ``InvalidRequestError``.
        """
        return self._working_set.target(path, symbol, line)

    def target_of(self, path: str, symbol: str | None = None, line: int | None = None) -> Target:
        """The target for a path that carries no ``#symbol``. Raises ``InvalidRequestError``."""
        return self._working_set.target_of(path, symbol, line)

    def pin(
        self,
        target: Target,
        priority: float | None = None,
        role: Role | None = None,
        truncate_strategy: TruncateStrategy | None = None,
        max_lines: int | None = None,
    ) -> WorkingSetView:
        """Pin ``target``, or change these fields of what is pinned. Raises ``InvalidRequestError``."""
        return self._complete(self._changes.pin(target, priority, role, truncate_strategy, max_lines))

    def unpin(self, target: Target) -> WorkingSetView:
        """No longer pin ``target``; nothing changes when it is not pinned."""
        return self._complete(self._changes.unpin(target))

    def exclude(self, target: Target) -> WorkingSetView:
        """Keep ``target`` out of every prompt; no longer pinned. Raises ``InvalidRequestError``."""
        return self._complete(self._changes.exclude(target))

    def include(self, target: Target) -> WorkingSetView:
        """Take an exclusion back; nothing changes when there is none."""
        return self._complete(self._changes.include(target))

    def update(self, updates: Sequence[SetUpdate]) -> UpdateAnswer:
        """Do what a model asks for, all of it or nothing, and record it; what a person pinned or excluded stays theirs.

        Raises ``InvalidRequestError`` where a path names nothing that could be in the workspace, or another field is wrong.
        """
        named = [(self._name(index, update), update) for index, update in enumerate(updates)]
        record, refused = self._updates.apply(named)
        for one in refused:
            self._record(_update_event(*named[one.index], one.reason))
        for target, asked in named if record else ():
            self._record(_update_event(target, asked, None))
        return UpdateAnswer(not refused, record.id if record else None, refused, self.view())

    def undo(self, update: str | None = None) -> UndoAnswer:
        """Undo the newest update by a model, or the one of this id; what a person changed since stays.

        Where nothing else changed since, the file is what it was, byte for byte. Of what the server does, the id says
        what it is to leave alone.
        """
        if update is not None and any(entry.id == update for entry in self.view().server):
            self._working_set.dismiss(update)
            return UndoAnswer(update, (), (), self.view())
        undone = self._updates.undo(update)
        steps = undone.record.view.steps if undone.record else ()
        for step in steps:
            self._record(_undo_event(step))
        return UndoAnswer(undone.record.id if undone.record else None, steps, undone.kept, self.view())

    @made_once
    def _changes(self) -> PersonChanges:
        from contextls.memory.working_set.person_changes import PersonChanges

        return PersonChanges(self._working_set)

    @made_once
    def _updates(self) -> ModelUpdates:
        from contextls.memory.working_set.updates import ModelUpdates

        return ModelUpdates(self._working_set)

    def _complete(self, view: WorkingSetView, conversation_id: str | None = None) -> WorkingSetView:
        return replace(view, server=self._find_server_entries(conversation_id))

    def _name(self, index: int, update: SetUpdate) -> Target:
        if update.priority is not None and not 0 <= update.priority <= 1:
            raise InvalidRequestError(f"updates[{index}].priority", "a number from 0 to 1", update.priority)
        if not update.why.strip():
            raise InvalidRequestError(f"updates[{index}].why", "why, in one sentence", update.why)
        try:
            return self._working_set.target(update.path)
        except InvalidRequestError as error:
            raise InvalidRequestError(
                f"updates[{index}].{error.field}", error.expected, update.path
            ) from None


def _update_event(target: Target, update: SetUpdate, refused: str | None) -> NewEvent:
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


def _undo_event(step: UpdateStep) -> NewEvent:
    """The event of a person undoing one step of an update."""
    path = step.target.partition("#")[0].rstrip("/")
    content = {"action": "undo", "by": str(Updater.PERSON), "path": path, "target": step.target}
    return NewEvent(EventType.WORKING_SET, content)
