"""The protocol of sources that have analyses of files already, such as a shared index."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Protocol

from contextls.memory.index.segments.analysis import Analysis, Skipped
from contextls.workspace.scan import FileStat


class KnownFilesSource(Protocol):
    """Knows files by their content."""

    @property
    def problem(self) -> str:
        """The reason why it could not be asked the last time, for a user; empty when it could."""

    def find(
        self, files: Sequence[FileStat], cancel: threading.Event
    ) -> Iterator[Sequence[Analysis | Skipped]]:
        """The analyses of those ``files`` that are known with the content on disk, part by part.

        Ends early where it cannot go on; never raises for what may happen outside of this process.
        """
