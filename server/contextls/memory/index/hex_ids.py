"""Numbers in hexadecimal that name a thing, such as a commit, a request or a build: ``a3f9bc21``.

Their letters make words by chance: "ba" and "de" of ``ba12de34`` stand in many a workspace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from contextls.regex import compile_late

# What has fewer letters is a number or a word with one after it: ``f16``.
_MIN_CHARS, _MAX_CHARS = 7, 64
# Letters and digits take turns at least so often: "face2face" and "add1000" are words.
_MIN_RUNS = 4
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_ID = compile_late(
    rf"(?<![\w-])(?:{_UUID}|(?:0x)?[0-9a-f]{{{_MIN_CHARS},{_MAX_CHARS}}})(?![\w-])", re.IGNORECASE
)
_RUN = compile_late(r"[a-f]+|[0-9]+", re.IGNORECASE)


def find_hex_ids(text: str) -> Iterator[tuple[int, int]]:
    """The places of the ids in ``text``."""
    for found in _ID.finditer(text):
        word = found.group()
        if "-" in word or len(_RUN.findall(word.removeprefix("0x"))) >= _MIN_RUNS:
            yield found.span()


def split_hex_ids(text: str) -> tuple[list[str], str]:
    """The ids in ``text``, and the text with a blank in the place of each."""
    ids: list[str] = []
    parts: list[str] = []
    at = 0
    for start, end in find_hex_ids(text):
        ids.append(text[start:end])
        parts.append(text[at:start])
        at = end
    return ids, " ".join((*parts, text[at:]))
