"""Checks the files of working sets while they are written, and tells the faces what is wrong in them."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct, field

from contextls.errors import ContextlsError
from contextls.live.clock import Countdown
from contextls.text.surrogates import repair_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from pathlib import Path
    from typing import Any

    from contextls.engine import Engine
    from contextls.live.clock import Clock
    from contextls.live.listener import Listener
    from contextls.live.workspace import Workspace
    from contextls.live.workspaces import Workspaces
    from contextls.model import CheckedManifest

# After the last keystroke in such a file, and after files of the workspace came, changed or went.
TYPED_MS = 200
CHANGED_MS = 1_000
_FOLDER = ".context"
_ENDINGS = (".yml", ".yaml")
log = logging.getLogger(__name__)


class _State(Struct):
    """The checks of one workspace: when the next one is due, and the files and faults of the last one.

    ``begun`` counts them, and ``ended`` is the newest that has ended.
    """

    countdown: Countdown
    is_due: bool = False
    begun: int = 0
    ended: int = 0
    files: frozenset[str] = frozenset()
    told: tuple[CheckedManifest, ...] = field(default=())


class ManifestCheck:
    """The working sets of all workspaces under a magnifying glass. Belongs to the event loop."""

    def __init__(
        self,
        workspaces: Workspaces,
        clock: Clock,
        listener: Listener,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
        texts: Callable[[], Mapping[Path, str]],
    ) -> None:
        """Checks nothing before ``start``. ``texts`` are those of open files; ``spawn`` runs something in the background."""
        self._workspaces = workspaces
        self._clock = clock
        self._listener = listener
        self._spawn = spawn
        self._texts = texts
        self._states: dict[Workspace, _State] = {}
        self._is_on = False

    def start(self) -> None:
        """Check all workspaces, now and from now on."""
        self._is_on = True
        for workspace in self._workspaces:
            self.follow(workspace)

    def look_at(self, path: Path) -> None:
        """The text of an open file is another one, or the file was opened or closed."""
        workspace = self._workspaces.containing(path)
        if self._is_on and workspace is not None and path.suffix in _ENDINGS:
            state = self._state(workspace)
            if path.parent.name == _FOLDER or any(path.match(name) for name in state.files):
                self._check_in(workspace, TYPED_MS)

    def follow(self, workspace: Workspace) -> None:
        """Files of the workspace came, changed or went, or it was indexed."""
        # A run of indexing ends after its folder was closed.
        if self._is_on and workspace in self._workspaces and not self._state(workspace).is_due:
            self._check_in(workspace, CHANGED_MS)

    def remove(self, workspace: Workspace) -> None:
        """A folder was closed: nothing is wrong in it any more."""
        state = self._states.pop(workspace, None)
        if state is not None:
            state.countdown.cancel()
            if state.told:
                self._listener.show_manifest_faults(workspace.root, ())

    def stop(self) -> None:
        """Check nothing more."""
        self._is_on = False
        for state in self._states.values():
            state.countdown.cancel()

    def _state(self, workspace: Workspace) -> _State:
        if workspace not in self._states:
            self._states[workspace] = _State(Countdown(self._clock))
        return self._states[workspace]

    def _check_in(self, workspace: Workspace, ms: int) -> None:
        state = self._state(workspace)
        state.is_due = True

        def begin() -> None:
            self._spawn(self.check(workspace))

        state.countdown.restart(ms, begin)

    async def check(self, workspace: Workspace) -> None:
        """Check one workspace and tell the faces, if there is anything to tell."""
        state = self._state(workspace)
        state.is_due = False
        state.begun = mine = state.begun + 1
        texts = {path: text for path, text in self._texts().items() if path.suffix in _ENDINGS}
        try:
            checked = await workspace.ask(partial(_check, texts))
        except ContextlsError:  # it was closed meanwhile, or is too busy: what comes next checks again
            return
        except Exception:
            log.exception("cannot check the working set of %s", workspace.root)
            return
        # When two checks overlap, the one of the older texts may end last.
        if self._states.get(workspace) is not state or mine < state.ended:
            return
        state.ended = mine
        state.files = frozenset(each.file for each in checked)
        faulty = tuple(each for each in checked if each.faults)
        if faulty or state.told:
            self._listener.show_manifest_faults(workspace.root, faulty)
        state.told = faulty


def _check(texts: Mapping[Path, str], engine: Engine) -> tuple[CheckedManifest, ...]:
    unsaved = {
        name: repair_surrogates(text)
        for path, text in texts.items()
        if (name := engine.relative(path)) is not None
    }
    return engine.working_set.check(unsaved, indexed=engine.is_built)
