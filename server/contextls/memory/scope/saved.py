"""The scope that is saved for a workspace: a small file of its own in the state folder, shared by every process."""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Hashable, Sequence
from pathlib import Path

from contextls.errors import StoreError
from contextls.memory.scope.naming import read_entries
from contextls.memory.scope.scope import EVERYTHING, Scope
from contextls.store.state_file import write_json
from contextls.store.state_place import read_regular
from contextls.workspace.stamps import Stamp, stamp_at

FILE_NAME = "scope.json"
_MAX_BYTES = 1_000_000


class SavedScope:
    """The folders that questions are limited to until that is changed. Safe to use from any thread."""

    name = "scope"

    def __init__(self, root: Path, state: Path) -> None:
        """Cheap: reads nothing yet."""
        self._root = root
        self._file = state / FILE_NAME
        self._guard = threading.Lock()
        self._known: tuple[Stamp | None, Scope, str] = (None, EVERYTHING, "")

    def current(self) -> Scope:
        """The saved scope; the whole workspace where none is saved or its file cannot be read."""
        return self._read()[0]

    def find(self, entries: Sequence[str] | None, paths: Collection[str]) -> Scope:
        """The scope that a request means by ``entries``, the saved one where it says nothing, none where they are empty.

        ``paths`` are the files that are known. Raises ``InvalidRequestError`` (field ``scope``).
        """
        if entries is None:
            return self.current()
        return read_entries(self._root, entries, paths) if entries else EVERYTHING

    def save(self, entries: Sequence[str], paths: Collection[str]) -> Scope:
        """Limit questions to ``entries`` from now on; without any, to nothing.

        Raises ``InvalidRequestError`` (field ``scope``), ``StoreError``.
        """
        scope = self.find(entries, paths)
        try:
            if scope.entries:
                saved = {"folders": list(scope.folders or ()), "dependencies": list(scope.dependencies)}
                write_json(self._file, saved)
            else:
                self._file.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{self._file} cannot be written: {error.strerror}") from error
        return scope

    def version(self) -> Hashable:
        """Differs once any process has saved another scope."""
        return stamp_at(str(self._file))

    def warnings(self) -> tuple[str, ...]:
        """The problems of the file, in words for a user."""
        problem = self._read()[1]
        return (problem,) if problem else ()

    def wipe(self) -> None:
        """Forget the saved scope. Raises ``StoreError``."""
        self.save((), ())

    def close(self) -> None:
        """There is nothing to let go of."""

    def _read(self) -> tuple[Scope, str]:
        stamp = stamp_at(str(self._file))
        with self._guard:
            if stamp is None or self._known[0] != stamp:
                self._known = (stamp, *self._load())
            return self._known[1:]

    def _load(self) -> tuple[Scope, str]:
        try:
            raw = read_regular(self._file, _MAX_BYTES)
            if raw is None:
                return EVERYTHING, ""
            saved = json.loads(raw)
            folders, installed = _texts(saved["folders"]), _texts(saved.get("dependencies", []))
            if not (folders or installed):
                raise ValueError
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return (
                EVERYTHING,
                f"the saved scope cannot be read, so there is none; save it again, or delete {self._file}",
            )
        return Scope(folders or None, dependencies=installed), ""


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError
    return tuple(value)
