"""The working set as callers of an engine see it: what people pinned and excluded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.model import CheckedManifest, Role, Target, TruncateStrategy, WorkingSetView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contextls.memory.working_set.memory import WorkingSet


# Tokens; what the first specification of working sets has as its example, with something to spare.
LARGEST_USUAL = 32_000


class Pins:
    """The working set, shared by everyone who has the workspace.

    Changes are durable when they return. They raise ``StoreError`` when the file is broken or cannot be written.
    """

    def __init__(self, working_set: WorkingSet) -> None:
        """Use ``Engine.working_set``."""
        self._working_set = working_set

    def view(self) -> WorkingSetView:
        """Everything pinned and excluded now; where the file is broken, what was last read."""
        return self._working_set.view()

    def usual_budget(self, otherwise: int) -> int:
        """The tokens of a prompt for whose size nobody asked: what the manifest's budget allows, else ``otherwise``.

        As the file comes with the workspace, it raises that to ``LARGEST_USUAL`` at the most.
        """
        limit = self._working_set.budget().limit
        return otherwise if limit is None else min(limit, max(otherwise, LARGEST_USUAL))

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
        """The same of a path inside the workspace that carries nothing. Raises ``InvalidRequestError``."""
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
        return self._working_set.pin(target, priority, role, truncate_strategy, max_lines)

    def unpin(self, target: Target) -> WorkingSetView:
        """No longer pin ``target``; nothing changes when it is not pinned."""
        return self._working_set.unpin(target)

    def exclude(self, target: Target) -> WorkingSetView:
        """Keep ``target`` out of every prompt; no longer pinned. Raises ``InvalidRequestError``."""
        return self._working_set.exclude(target)

    def include(self, target: Target) -> WorkingSetView:
        """Take an exclusion back; nothing changes when there is none."""
        return self._working_set.include(target)
