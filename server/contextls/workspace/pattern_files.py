"""Ignore files from disk, each read once until it changes, within bounds for each and for all of them."""

from __future__ import annotations

import os
import stat
import threading
import time
from pathlib import Path

from contextls.workspace.patterns import Patterns, parse
from contextls.workspace.regular_file import read_part
from contextls.workspace.stamps import Stamp

MAX_BYTES = 1_000_000  # of one file; what comes after does not count
# For all files of a workspace together; those read after that are ignored. Chromium has 3,000 in 250 files.
MAX_PATTERNS = 500_000
MAX_GLOBS = 20_000
_MAX_WARNINGS = 20
_Key = tuple[str, bool]


class PatternFiles:
    """The ignore files of one workspace. Safe to use from several threads."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[_Key, tuple[Stamp, Patterns | None]] = {}
        self._warnings: dict[str, tuple[str, ...]] = {}
        self._patterns = 0
        self._globs = 0
        self._guard = threading.Lock()  # held while what is known changes

    def read(self, path: str, within: Path | None, *, globs: bool = True) -> Patterns | None:
        """The patterns of an ignore file, read again when its stamp changed; None when there are none.

        A link that leads out of ``within``, if there is one, is not followed. Without ``globs``, only what can be looked
        up at once.
        """
        key = (path, globs)
        try:
            status = os.stat(path)  # noqa: PTH116 - asked for every folder of a scan; a Path costs twice as much
        except FileNotFoundError:
            if key in self._known or self._warnings:
                with self._guard:
                    self._forget(key)
            return None
        except (OSError, ValueError):
            if os.path.islink(path):  # noqa: PTH114 - a Path's fails where the name is too long for a file
                with self._guard:
                    self._say(path, "it is a link that leads nowhere and counts for nothing")
            return None
        stamp = Stamp.of(status)
        known = self._known.get(key)
        if known is not None and known[0] == stamp:
            return known[1]
        with self._guard:
            seen = time.time_ns()
            self._forget(key)
            patterns = self._load(path, within, stat.S_ISREG(status.st_mode), globs)
            self._known[key] = (stamp.distrust_recent(seen), patterns)
        return patterns

    def warnings(self) -> tuple[str, ...]:
        """Warnings about lines that count for nothing, in words for a user: which file, which line."""
        with self._guard:
            said = sorted(self._warnings.items())
        found = [f"{path}: {text}" for path, texts in said for text in texts]
        more = len(found) - _MAX_WARNINGS
        return (*found[:_MAX_WARNINGS], *((f"{more} more such lines in ignore files",) if more > 0 else ()))

    def _forget(self, key: _Key) -> None:
        """Let go of what a file held and of what was said of it; the guard is held."""
        _, patterns = self._known.pop(key, (None, None))
        if patterns:
            self._patterns -= len(patterns)
            self._globs -= patterns.globs
        self._say(key[0])

    def _load(self, path: str, within: Path | None, regular: bool, globs: bool) -> Patterns | None:
        raw, problem = b"", ""
        if not regular:
            problem = "it is not a regular file and counts for nothing"
        elif self._patterns >= MAX_PATTERNS:
            problem = "there are too many patterns in this workspace; it counts for nothing"
        else:
            try:
                raw = read_part(path, 0, MAX_BYTES + 1, within=within)
            except OSError as error:
                problem = f"it cannot be read ({error.strerror}) and counts for nothing"
        if problem:
            self._say(path, problem)
            return None
        said = []
        if len(raw) > MAX_BYTES:
            raw = raw[: raw.rfind(b"\n", 0, MAX_BYTES) + 1]
            said.append(f"it is larger than {MAX_BYTES:,} bytes; what comes behind counts for nothing")
        patterns = parse(raw.decode("utf-8", "replace"), globs=globs and self._globs < MAX_GLOBS)
        said += map(str, patterns.problems)
        if patterns.doubtful > len(patterns.problems):
            said.append(f"there are {patterns.doubtful - len(patterns.problems):,} more such lines")
        self._patterns += len(patterns)
        self._globs += patterns.globs
        self._say(path, *said)
        return patterns or None

    def _say(self, path: str, *texts: str) -> None:
        shown = path.removeprefix(f"{self._root}{os.sep}")
        if texts:
            self._warnings[shown] = texts
        else:
            self._warnings.pop(shown, None)
