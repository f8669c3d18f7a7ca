"""The target of an entry of the working set: a file, a symbol in it, some of its lines, a folder, or a pattern."""

from __future__ import annotations

import re
from collections.abc import Callable

from contextls.model import Target
from contextls.regex import compile_late
from contextls.text.gate import clean

MAX_PATH_CHARS = 1_000
_ODD = compile_late(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_MARKED = compile_late(r"[#:*?]")
_LINES = compile_late(r"(.+):([1-9][0-9]{0,7})(?:-([1-9][0-9]{0,7}))?", re.DOTALL)
_DRIVE = compile_late(r"[A-Za-z]:[\\/]")

OUTSIDE = "lies outside of the workspace"


def read_target(text: str, is_there: Callable[[str], bool]) -> Target:
    """The target that ``text`` names. Raises ``ValueError`` that says what is wrong with it.

    A ``#`` begins a symbol, a ``:`` lines, and ``*`` or ``?`` make a pattern, unless ``is_there`` knows a file or folder of
    the whole name. The disk decides about nothing else here.
    """
    if not text.strip():
        raise ValueError("names nothing")
    if len(text) > MAX_PATH_CHARS:
        raise ValueError(f"is no path of at most {MAX_PATH_CHARS} characters")
    if _ODD.search(text):
        raise ValueError("is no path that a list of pins can hold: there is a line break or the like in it")
    if clean(text) != text:
        raise ValueError("holds a secret; what is named so is left out everywhere")
    whole = _normal(text)
    before, mark, symbol = whole.partition("#")
    folder = text.endswith("/")
    if not _MARKED.search(whole) or is_there(whole):
        return Target(whole, None, folder=folder)
    if not mark:
        return _read_lines(whole) or (
            Target(whole + "/" * folder, pattern=True) if is_pattern(whole) else Target(whole, folder=folder)
        )
    if is_pattern(before):
        raise ValueError("names a symbol in a pattern; name one file, or leave the symbol out")
    if not before or not symbol.strip():
        raise ValueError("wants a path before # and a symbol behind it")
    return Target(_normal(before), symbol.strip())


def is_pattern(path: str) -> bool:
    """Whether a path stands for all that match it. Brackets do not make one: frameworks name files ``[id].tsx``."""
    return "*" in path or "?" in path


def _read_lines(text: str) -> Target | None:
    found = _LINES.fullmatch(text)
    if found is None or is_pattern(found[1]):
        return None
    first, last = int(found[2]), int(found[3] or found[2])
    if last < first:
        raise ValueError("ends before it begins; name the first line, then the last")
    return Target(found[1], lines=(first, last))


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
