"""Healing of a database that cannot be used as it is: a cache begins again, truth is salvaged or only read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from contextls.store.quarantine import DamagedError, NewerError, quarantine
from contextls.store.salvage import Truth, salvage


class Healer(Protocol):
    """The way to put one kind of database right."""

    @property
    def is_truth(self) -> bool:
        """Whether what it holds exists nowhere else."""
        ...

    def heal(self, path: Path, error: DamagedError | NewerError) -> str:
        """Make ``path`` a place that can be opened; what was done, in words for the user. Raises ``StoreError``.

        Called while the lock of ``path`` is held.
        """
        ...


class CacheHealer(Struct, frozen=True):
    """Moves a cache aside, in place of one that was moved before; it is then filled again."""

    is_truth = False

    def heal(self, path: Path, error: DamagedError | NewerError) -> str:
        """See ``Healer``."""
        place = quarantine(path, keep_all=False)
        was = "was written by a newer contextls" if isinstance(error, NewerError) else "was damaged"
        return f"the cache at {path} {was} and is built again; the old one lies at {place} and can be deleted"


class TruthHealer(Struct, frozen=True):
    """Saves every row that can be read into a new file and keeps the damaged one."""

    truth: Truth
    migrations: Sequence[str]
    shrinks: bool = False
    is_truth = True

    def heal(self, path: Path, error: DamagedError | NewerError) -> str:
        """See ``Healer``; what is newer stays as it is and is only read."""
        if isinstance(error, NewerError):
            raise error
        return salvage(path, self.truth, self.migrations, error, shrinks=self.shrinks)
