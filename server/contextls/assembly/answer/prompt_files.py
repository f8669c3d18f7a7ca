"""Prompts as files, for editors that can show a document and nothing more."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from contextls.errors import StoreError
from contextls.store.locations import locate
from contextls.text.gate import clean
from contextls.workspace.whole_file import write_new_file

_KEPT = 20
_KEPT_SECONDS = 24 * 3600


def write_prompt_file(root: Path, content: str) -> Path:
    """Write a prompt into the cache of the workspace at ``root``, readable by the user alone; its path.

    Its name says when it was made and nothing of what was asked.

    Prompts older than a day, and all but the newest twenty, are removed. Raises ``StoreError``.
    """
    folder = locate(root.resolve()).cache / "prompts"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _tidy(folder)
        made = time.strftime("prompt-%Y%m%d-%H%M%S-")
        return write_new_file(folder, made, ".md", (clean(content).encode(),))
    except OSError as error:
        raise StoreError(
            f"cannot write the prompt to {folder}: {error.strerror}; free some space there"
        ) from error


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
