"""The list of known workspaces; hooks of shells read it quickly, and do nothing in any other folder."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from contextls.store.locks import StateLock
from contextls.store.state_file import write_text
from contextls.text.gate import clean
from contextls.workspace.regular_file import STATE_BYTES, read_text
from contextls.workspace.state_folders import state_folders

MAX_KNOWN = 200
# Seconds until another process has written its line; filelock's ``Timeout`` is an ``OSError``.
MAX_WAIT = 2.0


def remember(root: Path) -> None:
    """Put ``root`` at the end of the list; folders that are gone leave it. A list that cannot be written stays as it is."""
    if any(ord(char) < 32 for char in str(root)) or clean(str(root)) != str(root):
        return  # a folder whose name holds a secret is named nowhere; the shell's hook stays silent there
    file = state_folders().known_workspaces
    with suppress(OSError, UnicodeError):
        if _read(file)[-1:] == [str(root)]:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        with StateLock(file.with_suffix(".lock")).acquire(timeout=MAX_WAIT):
            others = [place for place in _read(file) if place != str(root) and Path(place).is_dir()]
            write_text(file, "".join(f"{place}\n" for place in [*others[1 - MAX_KNOWN :], str(root)]))


def _read(file: Path) -> list[str]:
    return read_text(file, STATE_BYTES).splitlines() if file.exists() else []


def find_known(folder: Path) -> Path | None:
    """The innermost known workspace that holds ``folder``; ``None`` where there is none."""
    try:
        known = set(read_text(state_folders().known_workspaces, STATE_BYTES).splitlines())
        inside = folder.resolve()
    except (OSError, RuntimeError, ValueError):
        return None
    return next((place for place in (inside, *inside.parents) if str(place) in known), None)
