"""The head of a rules file between two lines of ``---``: a few names with values.

Read by hand: editors write ``globs: *.ts``, which is no YAML, and nobody should construct objects out of a workspace.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product

from contextls.regex import compile_late

_HEAD = compile_late(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FIELD = compile_late(r"([A-Za-z][\w-]*)[ \t]*:[ \t]*(.*)")
_ITEM = compile_late(r"[ \t]*-[ \t]+(.*)")
_BRACES = compile_late(r"\{([^{}]*)\}")
MAX_EXPANDED = 64


def split_front_matter(text: str) -> tuple[Mapping[str, str], str]:
    """The fields of the head, lists joined with commas, and the text after it."""
    head = _HEAD.match(text)
    if head is None:
        return {}, text
    fields: dict[str, str] = {}
    name = ""
    for line in head[1].splitlines():
        if field := _FIELD.match(line):
            name = field[1]
            fields[name] = _unquote(field[2])
        elif name and (item := _ITEM.match(line)):
            fields[name] = ",".join(filter(None, (fields[name], _unquote(item[1]))))
    return fields, text[head.end() :]


def read_globs(value: str) -> tuple[str, ...]:
    """The patterns of a value such as ``**/*.{ts,tsx}, docs/**`` or ``["a/**", "b/**"]``, braces expanded."""
    listed = value.strip().removeprefix("[").removesuffix("]") if value.strip().startswith("[") else value
    return tuple(one for part in _split(listed) for one in _expand(_unquote(part)) if one)


def _split(text: str) -> list[str]:
    """Split at the commas that stand in no braces."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth <= 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]


def _expand(pattern: str) -> list[str]:
    pieces = _BRACES.split(pattern)
    choices = [piece.split(",") if place % 2 else [piece] for place, piece in enumerate(pieces)]
    return ["".join(chosen) for chosen, _ in zip(product(*choices), range(MAX_EXPANDED), strict=False)]


def _unquote(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
