"""Which files a change on disk concerns."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.scan import scan


def affected_files(
    root: Path, paths: Collection[str], rules: IgnoreRules, max_file_bytes: int, known: Collection[str]
) -> set[str]:
    """The files that changed ``paths`` stand for, relative to ``root``.

    A folder stands for the files below it, on disk or ``known`` from before; so does a path that is gone and was no
    known file.
    """
    files: set[str] = set()
    folders = []
    for path in paths:
        entry = root / path
        if entry.is_dir() and not entry.is_symlink():
            files |= {file.path for file in scan(root, rules, max_file_bytes, below=path).files}
            folders.append(f"{path}/")
        else:
            files.add(path)
            if path not in known and not entry.exists():
                folders.append(f"{path}/")
    if folders:
        files |= {path for path in known if path.startswith(tuple(folders))}
    return files
