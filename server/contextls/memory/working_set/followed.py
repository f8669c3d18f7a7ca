"""The manifest as the file says it now: read again when it changed, kept as it was understood last where it is broken."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from contextls.memory.working_set.disk import ManifestFile, Stamp
from contextls.memory.working_set.entries import Manifest, read_manifest
from contextls.memory.working_set.exclusions import Exclusions
from contextls.memory.working_set.nodes import BrokenFileError

# A file changed this lately may change again without its time telling: it is read again.
_UNSURE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Known:
    """What was read last, under which stamp; ``broken`` says why ``manifest`` is older than the file."""

    stamp: Stamp = None
    sure: bool = False
    text: str | None = None
    manifest: Manifest = field(default_factory=Manifest)
    exclusions: Exclusions = field(default_factory=Exclusions)
    broken: str | None = None


class FollowedManifest:
    """Reads one file whenever it changed. Safe to use from any thread."""

    def __init__(self, file: ManifestFile, is_file: Callable[[str], bool]) -> None:
        """Reads nothing yet. ``is_file`` tells names of files that hold a ``#`` from symbols."""
        self._file = file
        self._is_file = is_file
        self._guard = threading.Lock()
        self._known = Known()

    def read(self) -> Known:
        """What the file says, read again when it changed; what was last understood where it is broken."""
        with self._guard:
            stamp = self._file.stamp()
            known = self._known
            if known.stamp == stamp and known.sure:
                return known
            sure = stamp is None or time.time() - max(stamp[0], stamp[1]) / 1e9 > _UNSURE_SECONDS
            try:
                content = self._file.read()
                text = content.text if content else ""
                if known.text == text and known.broken is None:
                    self._known = replace(known, stamp=stamp, sure=sure)
                    return self._known
                manifest = read_manifest(text, self._is_file)
                exclusions = Exclusions.of(target for _, target in manifest.excluded)
                self._known = Known(stamp, sure, text, manifest, exclusions)
            except (BrokenFileError, RecursionError, OSError) as error:
                self._known = replace(known, stamp=stamp, sure=sure, broken=str(error))
            return self._known
