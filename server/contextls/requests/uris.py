"""File URIs and paths.

Whole paths are taken, so names with ``;``, ``#`` or ``?`` in them survive the round trip.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from contextls.regex import compile_late

_DRIVE = compile_late(r"/([A-Za-z]):(?=/|$)")


def to_path(uri: str) -> Path | None:
    """The absolute, normalised path behind a ``file:`` URI.

    ``None`` for any other scheme, a broken URI, and a name that no file system can hold. Links are not resolved: no
    disk is touched.
    """
    text = local_path(uri, windows=os.name == "nt")
    try:
        os.fsencode(text or "")
    except UnicodeEncodeError:
        return None
    path = Path(os.path.normpath(text or ""))
    return path if path.is_absolute() else None


def local_path(uri: str, *, windows: bool) -> str | None:
    """The path in a ``file:`` URI, with ``/`` between its parts; ``None`` where there is none.

    Drives are upper case: editors send ``file:///c%3A/x`` and ``file:///C:/x`` for one file.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(parts.path, errors="surrogateescape")
    if parts.scheme != "file" or "\0" in path + parts.netloc:
        return None
    if parts.netloc and parts.netloc != "localhost":
        return f"//{parts.netloc}{path}"
    drive = _DRIVE.match(path) if windows else None
    return f"{drive[1].upper()}:{path[drive.end() :]}" if drive else path


def from_path(path: Path) -> str:
    """The ``file:`` URI of an absolute path."""
    return path.as_uri()
