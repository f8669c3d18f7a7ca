"""Which workspaces there are: a plain list that a shell can read in no time, to stay silent everywhere else."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from contextls.store.locations import locate
from contextls.store.state_file import write_text
from contextls.text.gate import clean
from contextls.workspace.regular_file import STATE_BYTES, read_text

MAX_KNOWN = 200


def known_file() -> Path:
    """The list: one absolute path a line, the one opened last at the end. It need not exist."""
    return locate(Path("/")).state.parent / "workspaces"


def remember(root: Path) -> None:
    """Put ``root`` on the list; folders that are gone leave it. A list that cannot be written stays as it is."""
    if any(ord(char) < 32 for char in str(root)) or clean(str(root)) != str(root):
        return  # a folder whose name holds a secret is named nowhere; the shell's hook stays silent there
    file = known_file()
    with suppress(OSError, UnicodeError):
        known = read_text(file, STATE_BYTES).splitlines() if file.exists() else []
        if str(root) in known:
            return
        kept = [place for place in known if Path(place).is_dir()][1 - MAX_KNOWN :]
        write_text(file, "".join(f"{place}\n" for place in [*kept, str(root)]))


def find_known(folder: Path) -> Path | None:
    """The innermost known workspace that holds ``folder``; ``None`` where there is none."""
    try:
        known = set(read_text(known_file(), STATE_BYTES).splitlines())
        inside = folder.resolve()
    except (OSError, RuntimeError, ValueError):
        return None
    return next((place for place in (inside, *inside.parents) if str(place) in known), None)
