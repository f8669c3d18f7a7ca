"""The one way in which small files of state are written: whole or not at all, without secrets, for the user alone."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from contextls.text.gate import clean, clean_json


def write_text(path: Path, text: str) -> None:
    """Put ``text``, without its secrets, in the place of ``path``. Raises ``OSError``; the file is then as it was."""
    _write(path, clean(text))


def write_json(path: Path, value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Put ``value`` as JSON, without the secrets in its strings, in the place of ``path``. Raises ``OSError``."""
    _write(path, json.dumps(clean_json(value), ensure_ascii=False))


def write_new(folder: Path, prefix: str, suffix: str, text: str) -> Path:
    """Write ``text``, without its secrets, to a new file of ``folder``; its path. Raises ``OSError``.

    The name begins with ``prefix`` and ends with ``suffix``, which must not carry what a user wrote.
    """
    handle, name = tempfile.mkstemp(prefix=prefix, suffix=suffix, dir=folder)
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(clean(text))
    return Path(name)


def _write(path: Path, text: str) -> None:
    handle, draft = tempfile.mkstemp(prefix=f".{path.name}-", suffix=".new", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(draft).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(draft).unlink()
        raise
