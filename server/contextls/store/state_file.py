"""Writes small files of state: whole or not at all, without secrets, for the user alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from contextls.text.gate import clean, clean_json
from contextls.workspace.whole_file import replace_file


def write_text(path: Path, text: str) -> None:
    """Put ``text``, without its secrets, in the place of ``path``. Raises ``OSError``; the file is then as it was."""
    replace_file(path, (clean(text).encode(),), sync=False)


def write_json(path: Path, value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Put ``value`` as JSON, without the secrets in its strings, in the place of ``path``. Raises ``OSError``."""
    replace_file(path, (json.dumps(clean_json(value), ensure_ascii=False).encode(),), sync=False)
