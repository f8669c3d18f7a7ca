"""Prompts as files, for editors that can show a document and nothing more."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import time
from pathlib import Path

from contextls.errors import StoreError
from contextls.store.locations import locate

_KEPT = 20
_KEPT_SECONDS = 24 * 3600


def write(root: Path, query: str, content: str) -> Path:
    """Write a prompt into the cache of the workspace at ``root``, readable by the user alone; its path.

    Prompts older than a day, and all but the newest twenty, are removed. Raises ``StoreError``.
    """
    folder = locate(root.resolve()).cache / "prompts"
    slug = re.sub(r"\W+", "-", query, flags=re.ASCII).strip("-").lower()[:40] or "prompt"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _tidy(folder)
        descriptor, name = tempfile.mkstemp(prefix=f"{slug}-", suffix=".md", dir=folder)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(content)
    except OSError as error:
        raise StoreError(
            f"cannot write the prompt to {folder}: {error.strerror}; free some space there"
        ) from error
    return Path(name)


def _tidy(folder: Path) -> None:
    def age(path: Path) -> float:
        try:
            return time.time() - path.stat().st_mtime
        except FileNotFoundError:
            return float("inf")

    by_age = sorted(((age(path), path) for path in folder.glob("*.md")), key=lambda pair: pair[0])
    for number, (seconds, path) in enumerate(by_age, start=1):
        if number >= _KEPT or seconds > _KEPT_SECONDS:
            with contextlib.suppress(OSError):
                path.unlink()
