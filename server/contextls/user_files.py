"""Reads and writes files that belong to the user: settings of other programs, reports, and the outputs of commands."""

from __future__ import annotations

from errno import EINVAL
from pathlib import Path


def read_small_file(path: Path) -> str:
    """The text of a settings file that is not ours. Raises ``OSError`` and ``UnicodeDecodeError``."""
    from contextls.workspace.regular_file import SETTINGS_BYTES, read_text

    return read_text(path, SETTINGS_BYTES)


def replace_small_file(path: Path, text: str) -> Path | None:
    """Put ``text`` in the place of a settings file that is not ours, whole or not at all; the copy of what lay there.

    Folders are made, the mode stays. Raises ``OSError``.
    """
    from contextls.workspace.regular_file import SETTINGS_BYTES, read_bytes
    from contextls.workspace.whole_file import replace_file

    backup, mode = None, 0o600
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        mode = path.stat().st_mode & 0o777
        names = (path.with_name(f"{path.name}.before-contextls{number}") for number in ("", *range(2, 1000)))
        backup = next(name for name in names if not name.is_symlink() and not name.exists())
        replace_file(backup, (read_bytes(path, SETTINGS_BYTES),), mode=mode)
    replace_file(path, (text.encode(),), mode=mode)
    return backup


def write_report(path: Path, text: str) -> None:
    """Write ``text``, without its secrets, to a new file. Raises ``FileExistsError`` and other ``OSError``."""
    from contextls.text.gate import clean, secret_in_name
    from contextls.workspace.whole_file import replace_file

    if path.is_symlink() or path.exists():
        raise FileExistsError(path)
    if secret_in_name(path.name):
        raise OSError(EINVAL, "its name holds a secret", path.name)
    replace_file(path, (clean(text).encode(),))


def write_output(path: Path, text: str) -> None:
    """Put ``text``, without its secrets, in the file that a user named, or that a link there leads to. Raises ``OSError``.

    A pipe or a device is written to.
    """
    from contextls.text.gate import clean
    from contextls.workspace.whole_file import replace_file, write_to_stream

    file, written = path.resolve(), (clean(text).encode(),)
    if path.exists() and not path.is_file():  # a link such as /dev/fd/1 leads to no name
        write_to_stream(path, written)
    else:
        mode = file.stat().st_mode & 0o777 if file.exists() else 0o644
        replace_file(file, written, mode=mode, sync=False)
