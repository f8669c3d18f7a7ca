"""Finds the files that a change on disk concerns."""

from __future__ import annotations

import stat
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Protocol

from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.scan import scan
from contextls.workspace.stamps import stamp_at


class KnownFiles(Protocol):
    """The files that were there before."""

    def __contains__(self, path: object) -> bool: ...

    def below(self, folder: str) -> Iterable[str]:
        """The known files in a folder and in folders in it."""


def find_affected_files(
    root: Path, paths: Collection[str], rules: IgnoreRules, max_file_bytes: int, known: KnownFiles
) -> set[str]:
    """The files that changed ``paths`` stand for, relative to ``root``.

    A path stands for itself and for the files below it, on disk or ``known`` from before, whatever is there now: a file
    may have become a folder, and a folder a file, a link or nothing. A file below a known file says that this is gone.
    """
    files = set(paths)
    for path in paths:
        stamp = stamp_at(root / path)
        if stamp is not None and stat.S_ISDIR(stamp.mode):
            files |= {file.path for file in scan(root, rules, max_file_bytes, below=path).files}
            if path not in known:
                files.discard(path)
        files.update(folder for folder in _folders(path) if folder in known)
        files.update(known.below(path))
    return files


def _folders(path: str) -> Iterator[str]:
    """The folders that a path lies in, from the top."""
    end = path.find("/")
    while end >= 0:
        yield path[:end]
        end = path.find("/", end + 1)
