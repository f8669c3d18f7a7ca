"""Which folders a server works on: those of its command line, else those of the client, else the one it was started in."""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

from contextls.errors import InvalidRequestError, WorkspaceError
from contextls.requests.uris import to_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from contextls.live.live_workspaces import LiveWorkspaces
    from contextls.live.workspace import Workspace

# A client that declares roots answers at once; one that does not must not keep its first question waiting.
SECONDS_FOR_ROOTS = 5.0
_ADVICE = "start the server with --root DIR, or open a folder in the client"
log = logging.getLogger(__name__)


class Folders:
    """The open folders of a server. Belongs to the event loop."""

    def __init__(self, live: LiveWorkspaces, given: Sequence[Path], *, asks_client: bool) -> None:
        """``given`` are those of the command line: with any, or without ``asks_client``, no client is asked."""
        self._live = live
        self._known = asyncio.Event()
        self._roots: tuple[Path, ...] = ()
        self.asks_client = asks_client and not given
        self._given = tuple(given)

    def start(self) -> None:
        """Open what needs no client to be known."""
        if not self.asks_client:
            self._open(self._given or _start_folder())

    @property
    def are_known(self) -> bool:
        """Whether it is settled which folders are open."""
        return self._known.is_set()

    def take_roots(self, uris: Iterable[str]) -> None:
        """Open the client's roots, instead of those that it named before; none mean the folder of the start."""
        if not self.asks_client:
            return
        found = []
        for uri in uris:
            path = to_path(uri)
            if path is not None and path.is_dir():
                found.append(path)
            else:
                log.warning("a root of the client is no folder of this machine: %s", uri)
        self._open(tuple(dict.fromkeys(found)) or _start_folder())

    async def choose(self, root: str | None) -> Workspace:
        """The workspace that a client means: by its path or name, else the first.

        Raises ``WorkspaceError`` when none is open, ``InvalidRequestError``.
        """
        if not self.are_known:
            try:
                await asyncio.wait_for(self._known.wait(), SECONDS_FOR_ROOTS)
            except TimeoutError:
                self.take_roots(())
        open_ones = [found for each in self._roots if (found := self._live.workspaces.get(each)) is not None]
        if not open_ones:
            raise WorkspaceError(f"no workspace folder is open; {_ADVICE}")
        if root is None:
            return open_ones[0]
        path = to_path(root) or Path(os.path.normpath(root))
        named = [each for each in open_ones if path == each.root or root == each.root.name]
        if not named:
            names = ", ".join(str(each.root) for each in open_ones)
            raise InvalidRequestError("root", f"one of the open workspace folders ({names})", root)
        return named[0]

    def _open(self, roots: tuple[Path, ...]) -> None:
        before, self._roots = self._roots, roots
        self._live.change_folders(
            [each for each in roots if each not in before], [each for each in before if each not in roots]
        )
        self._known.set()


def _start_folder() -> tuple[Path, ...]:
    """The folder that the server was started in; none where that is the home or the root: a client without a workspace."""
    try:
        here = Path.cwd()
    except OSError:
        return ()
    return () if here in (Path.home(), Path(here.anchor)) else (here,)
