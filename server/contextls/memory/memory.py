"""The protocol of every memory of a workspace, so that they are looked at, compared, wiped and closed as one."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol


class Memory(Protocol):
    """One memory of a workspace. Safe to use from any thread."""

    @property
    def name(self) -> str:
        """Its name among the memories of a workspace."""

    def version(self) -> Hashable:
        """Differs whenever its answers may, whichever process changed it. Cheap. Raises ``StoreError``.

        What it only passes on from another memory is left to the version of that one.
        """

    def warnings(self) -> tuple[str, ...]:
        """Its problems right now, in words for a user."""

    def wipe(self) -> object:
        """Delete what it holds; some say how much that was. Raises ``StoreError``."""

    def close(self) -> None:
        """Finish pending writes and let go of files, threads and processes."""
