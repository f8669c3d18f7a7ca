"""Markdown fences that their content cannot break out of."""

from __future__ import annotations

import re

_TICKS = re.compile(r"`+")
_NOT_INFO = re.compile(r"[^\w.+#-]")


def fence(text: str, language: str = "") -> str:
    """``text`` as a fenced code block, ending with the closing fence and no newline behind it.

    The fence is at least three backticks and longer than any run of backticks in ``text``. ``language``
    becomes the info string, reduced to letters, digits and ``. + # - _``. The text keeps its bytes; a newline
    is added before the closing fence unless there is one.
    """
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    ticks = "`" * max(3, longest + 1)
    ending = "" if not text or text.endswith(("\n", "\r")) else "\n"
    return f"{ticks}{_NOT_INFO.sub('', language)}\n{text}{ending}{ticks}"
