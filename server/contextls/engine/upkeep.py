"""Keeps a workspace that stays open in step with the disk, git and the other processes that use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from contextls.memory.activity.edits import edit_event
from contextls.memory.activity.renames import find_folder_moves, find_known, find_moves
from contextls.model import EventType
from contextls.workspace.outer_ignore_files import outer_stamps
from contextls.workspace.roots import place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from contextls.memory.memories import Memories
    from contextls.model import Event, NewEvent


class Upkeep:
    """Keeps the memory of one workspace in step with what happens there. Safe to use from any thread."""

    def __init__(self, memories: Memories, record: Callable[[NewEvent], Event | None]) -> None:
        """Use ``Engine.upkeep``."""
        self._memories = memories
        self._record = record
        self._outer_rules: tuple[object, ...] | None = None

    def join_writers(self) -> None:
        """Share the work with other processes that have the workspace open and follow its changes.

        The first keeps the index in step with the disk; ``update_files`` of the others waits in the background for what it
        stores, and does the work where that does not come. An engine that never joins does its own work.
        """
        self._memories.content.role.join()

    def has_to_index(self) -> bool:
        """Whether all of the workspace is to be looked at again by this process; true once each time.

        It took over from one that ended, which may have left work undone, or it follows the disk and the index is gone.
        """
        content = self._memories.content
        was_lost = content.was_lost()
        return content.role.took_over() or (was_lost and content.role.is_ours())

    def consult(self, waits: Callable[[], bool], indexes: Callable[[], bool]) -> None:
        """Ask the caller too whether answers are complete: whether changes wait, and whether a full run is at work."""
        self._memories.content.freshness.listen(waits, indexes)

    def place(self, path: Path) -> str | None:
        """Like ``Engine.relative``, without following a link at the path itself."""
        return place(self._memories.root, path)

    def concerns(self, path: str) -> bool:
        """Whether something that happened at this relative path matters: it is no ignored place, or was indexed."""
        return self._memories.content.concerns(path)

    def finds(self, path: str) -> bool:
        """Whether the file at this relative path is among what is searched."""
        return path in self._memories.content.memory.snapshot.outlines

    def wants(self, kind: str) -> bool:
        """Whether the settings let events of this type in."""
        return self._memories.recorder.wants(kind)

    def record_edit(self, path: str, before: str, after: str, *, at: int | None = None) -> Event | None:
        """Append what changed in the file at this relative path, by symbol; ``None`` when nothing did or may be kept.

        Of texts that are too long for the index it is told by lines. ``at`` is when, in ms; now when absent.
        """
        if not (self.wants(EventType.FILE_EDIT) and self._memories.content.accepts(path)):
            return None
        max_chars = self._memories.settings.max_file_bytes
        event = edit_event(self._memories.content.pool, path, before, after, max_chars)
        return None if event is None else self._record(replace(event, timestamp=at))

    def follow_git(self) -> int:
        """Append commits, checkouts, stashes and rebases since any process last looked; their number. Cheap when none."""
        return self._memories.follow_git()

    def has_other_rules(self) -> bool:
        """Whether an ignore file outside (git's exclude files, those of folders above) changed since the last call.

        The first answer is no. Cheap.
        """
        before, self._outer_rules = self._outer_rules, outer_stamps(self._memories.root)
        return before is not None and before != self._outer_rules

    def find_moves(self, gone: Iterable[str], came: Iterable[str]) -> dict[str, str]:
        """Find moved files by their content: new path -> old path."""
        return find_moves(self._memories.root, self._memories.content.store, gone, came)

    def find_folder_moves(
        self, gone: Iterable[str], came: Iterable[str]
    ) -> dict[tuple[str, str], frozenset[str]]:
        """Find renamed folders: (old, new) -> the files below the new one that hold the old content."""
        return find_folder_moves(self._memories.root, self._memories.content.store, gone, came)

    def find_known(self, gone: Iterable[str]) -> set[str]:
        """The files among ``gone`` that the workspace knew."""
        return find_known(self._memories.content, gone)
