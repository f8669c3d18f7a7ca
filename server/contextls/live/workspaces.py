"""The open workspaces, and which of them a file belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.live.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from contextls.live.clock import Clock
    from contextls.live.executors import Executors
    from contextls.settings import Settings


class Workspaces:
    """All open workspaces, in the order in which they were opened. Belongs to the event loop."""

    def __init__(
        self,
        settings: Settings,
        executors: Executors,
        clock: Clock,
        warn: Callable[[str], None],
    ) -> None:
        """``warn`` hears, from any thread, what became of damaged state."""
        self.settings = settings
        self.trusted: bool | None = None  # what a client says of every folder that it opens
        self._executors = executors
        self._clock = clock
        self._warn = warn
        self._all: dict[Path, Workspace] = {}
        self._last_used: Workspace | None = None

    def __iter__(self) -> Iterator[Workspace]:
        return iter(tuple(self._all.values()))

    def add(self, root: Path) -> Workspace | None:
        """Take in a folder; ``None`` when it is open already."""
        if root in self._all:
            return None
        self._all[root] = Workspace(
            root, self.settings, self._executors, self._clock, self._warn, trusted=self.trusted
        )
        return self._all[root]

    def remove(self, root: Path) -> Workspace | None:
        """Let go of a folder; ``None`` when it was not open."""
        workspace = self._all.pop(root, None)
        if workspace is not None and workspace is self._last_used:
            self._last_used = None
        return workspace

    def get(self, root: Path) -> Workspace | None:
        """The workspace with this root."""
        return self._all.get(root)

    def containing(self, path: Path | None) -> Workspace | None:
        """The workspace with the longest root that holds ``path``."""
        if path is None or not self._all:
            return None
        best = max(self._all.values(), key=lambda workspace: workspace.depth_of(path))
        return best if best.depth_of(path) else None

    def use(self, path: Path | None) -> Workspace | None:
        """The workspace of a file that was just used; the ``default`` from now on."""
        workspace = self.containing(path)
        if workspace is not None:
            self._last_used = workspace
        return workspace

    @property
    def default(self) -> Workspace | None:
        """The workspace that a request means which names no place: the one used last, else the first."""
        return self._last_used or next(iter(self._all.values()), None)
