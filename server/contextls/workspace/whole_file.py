"""The one way to write a file: whole or not at all, and into nothing that lies there but a pipe or a device."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def replace_file(
    path: Path, parts: Iterable[ReadableBuffer], *, mode: int = 0o600, sync: bool = True
) -> None:
    """Put ``parts``, one after the other, in the place of ``path``; with ``sync``, on the disk when this returns.

    Raises ``OSError``; what lay there is then as it was. The draft has a name of its own, so that no pipe and no link
    that waits under a known one is written to.
    """
    draft = write_new_file(path.parent, f".{path.name}-", ".tmp", parts, sync=sync)
    try:
        draft.chmod(mode)
        draft.replace(path)
    except BaseException:
        _remove(draft)
        raise


def write_new_file(
    folder: Path, prefix: str, suffix: str, parts: Iterable[ReadableBuffer], *, sync: bool = False
) -> Path:
    """Write ``parts`` to a new file of ``folder`` that only the user can read; its path. Raises ``OSError``."""
    handle, name = tempfile.mkstemp(prefix=prefix, suffix=suffix, dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            if sync:
                os.fsync(file.fileno())
    except BaseException:
        _remove(Path(name))
        raise
    return Path(name)


def write_to_stream(path: Path, parts: Iterable[ReadableBuffer]) -> None:
    """Write ``parts`` to the pipe or device at ``path``. Raises ``OSError``."""
    with path.open("wb") as stream:
        stream.writelines(parts)


def _remove(draft: Path) -> None:
    with suppress(OSError):
        draft.unlink()
