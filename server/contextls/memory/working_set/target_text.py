"""The target of an entry of the working set: a file, a symbol in it, or a folder."""

from __future__ import annotations

import re
from collections.abc import Callable

from contextls.model import Target
from contextls.text.gate import clean

LONGEST_PATH = 1_000
_ODD = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")

OUTSIDE = "lies outside of the workspace"


def read_target(text: str, is_file: Callable[[str], bool]) -> Target:
    """The target behind ``text``. Raises ``ValueError`` that says what is wrong with it.

    A ``#`` begins a symbol unless ``is_file`` knows a file of the whole name. The disk decides about nothing else here.
    """
    if not text.strip():
        raise ValueError("names nothing")
    if len(text) > LONGEST_PATH or _ODD.search(text):
        raise ValueError(f"is no path of at most {LONGEST_PATH} characters")
    if clean(text) != text:
        raise ValueError("holds a secret; what is named so is left out everywhere")
    whole = _normal(text)
    before, mark, symbol = whole.partition("#")
    if not mark or is_file(whole):
        return Target(whole, None, folder=text.endswith("/"))
    if not before or not symbol.strip():
        raise ValueError("wants a path before # and a symbol behind it")
    return Target(_normal(before), symbol.strip())


def _normal(text: str) -> str:
    """Without ``.`` and doubled slashes. Raises ``ValueError`` for what is not below the root."""
    if text.startswith(("/", "\\", "~/")) or _DRIVE.match(text):
        raise ValueError(OUTSIDE)
    head, mark, tail = text.partition("#")
    parts = [part for part in head.split("/") if part not in ("", ".")]
    if ".." in re.split(r"[\\/]", head):
        raise ValueError(OUTSIDE)
    if not parts and not mark:
        raise ValueError("is the workspace itself; name files and folders in it")
    return "/".join(parts) + mark + tail
