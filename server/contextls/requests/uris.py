"""File URIs and paths.

Whole paths are taken, so names with ``;``, ``#`` or ``?`` in them survive the round trip.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit


def to_path(uri: str) -> Path | None:
    """The absolute, normalised path behind a ``file:`` URI.

    ``None`` for any other scheme, a broken URI, and a name that no file system can hold. Links are not resolved: no
    disk is touched.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or "\0" in unquote(uri):
        return None
    windows = os.name == "nt"
    raw = parts.path if windows else unquote(parts.path, errors="surrogateescape")
    if parts.netloc and parts.netloc != "localhost":
        raw = f"//{parts.netloc}{raw}"
    try:
        os.fsencode(raw)
    except UnicodeEncodeError:
        return None
    path = Path(os.path.normpath(_windows_path(raw) if windows else raw))
    return path if path.is_absolute() else None


def from_path(path: Path) -> str:
    """The ``file:`` URI of an absolute path."""
    return path.as_uri()


def _windows_path(raw: str) -> str:
    from urllib.request import url2pathname  # a whole HTTP client comes with it

    return url2pathname(raw)
