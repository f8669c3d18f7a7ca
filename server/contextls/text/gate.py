"""The one gate that text passes before it is stored, logged, answered or made a name: no secret comes through.

Text that has passed is ``CleanText`` and is not looked through again. Everything that lets text out of the process
(databases, state files, log, wire, command line) takes plain strings and passes them through here itself, so that who
forgets to is safe, and who has done so already pays nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import NoneType
from typing import Any

from contextls.regex import compile_late
from contextls.text.redact import redact, redact_part
from contextls.text.secrets.values import MARK

__all__ = [
    "MARK",
    "CleanText",
    "clean",
    "clean_all",
    "clean_json",
    "clean_json_or_text",
    "clean_part",
    "secret_in_name",
    "without_marks",
]

# Most strings of an answer or a row are short and come again and again: types, paths, names.
_SHORT = 200
_REMEMBERED = 8_192
# No rule finds a secret in less than this.
_MIN_CHARS = 8
# What every secret in a name has: a sign between name and value, or a long run with a digit or of capitals. Names are
# asked for by the ten thousand, and looking through each with every rule would take longer than finding them.
_SIGN = compile_late("[=:@%]")
_LONG_RUN = compile_late(r"[\w.+-]{16,}", re.ASCII)
_DIGIT_OR_CAPITALS = compile_late("[0-9]|[A-Z]{16}")
_WHOLE_MARK = compile_late(rf"{re.escape(MARK)}[\w-]*\]")


class CleanText(str):
    """Text that holds no secret: it passed ``clean``, or is known to be made of nothing else."""

    __slots__ = ()


def clean(text: str) -> CleanText:
    """``text`` with every secret replaced by ``[redacted:<kind>]``."""
    if isinstance(text, CleanText):
        return text
    return _clean_short(text) if len(text) <= _SHORT else CleanText(redact(text).text)


def clean_part(text: str, start: int, end: int) -> CleanText:
    """``clean`` for ``text[start:end]``, which goes by what stands around it."""
    return CleanText(redact_part(text, start, end))


def without_marks(text: str) -> str:
    """``text`` with a blank for every mark of a secret: a mark says nothing of what was asked or selected."""
    return _WHOLE_MARK.sub(" ", text) if MARK in text else text


def clean_all(texts: Sequence[str]) -> list[str]:
    """``clean`` for many texts: they are looked through together, as most hold nothing and each look has a price."""
    found = list(texts)
    for index in _with_secrets(found, [i for i, text in enumerate(found) if _may_hold_secret(text)]):
        found[index] = clean(found[index])
    return found


def clean_json(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """JSON data with every string in it clean, the names of fields included."""
    texts: dict[str, None] = {}  # names of fields come again in every object
    _collect(value, texts)
    if not _any_secret(list(texts)):
        return value
    return _rebuilt(value)


def clean_json_or_text(text: str) -> str:
    """``text`` as a column or file may hold it: what is JSON stays JSON."""
    if isinstance(text, CleanText) or not _may_hold_secret(text):
        return text
    kept = clean(text)
    if kept == text or text[:1] not in ("{", "["):
        return kept
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return kept
    return json.dumps(clean_json(value), ensure_ascii=False)


def secret_in_name(name: str) -> bool:
    """Whether the name of a file or folder holds a secret itself."""
    if not _SIGN.search(name):
        run = _LONG_RUN.search(name) if len(name) >= 16 else None
        if run is None or not _DIGIT_OR_CAPITALS.search(name, run.start()):
            return False
    return clean(name) != name


# Most values of a long answer are of these types.
_NO_SECRETS = frozenset((CleanText, int, float, bool, NoneType))


@lru_cache(_REMEMBERED)
def _clean_short(text: str) -> CleanText:
    return CleanText(redact(text).text)


def _may_hold_secret(text: str) -> bool:
    return len(text) >= _MIN_CHARS and not isinstance(text, CleanText)


def _any_secret(texts: Sequence[str]) -> bool:
    together = "\n".join(texts)
    return bool(texts) and bool(redact(together).found)


def _with_secrets(texts: Sequence[str], places: Sequence[int]) -> Iterator[int]:
    """The ``places`` whose text may hold a secret, found by halving."""
    if not _any_secret([texts[place] for place in places]):
        return
    if len(places) == 1:
        yield places[0]
        return
    middle = len(places) // 2
    yield from _with_secrets(texts, places[:middle])
    yield from _with_secrets(texts, places[middle:])


def _collect(value: object, texts: dict[str, None]) -> None:
    """Every string within ``value`` that has not passed yet, once."""
    if isinstance(value, str):
        if _may_hold_secret(value):
            texts[value] = None
    elif isinstance(value, Mapping):
        for name, item in value.items():
            if isinstance(name, str) and _may_hold_secret(name):
                texts[name] = None
            if item.__class__ not in _NO_SECRETS:
                _collect(item, texts)
    elif isinstance(value, (list, tuple)):
        for item in value:
            if item.__class__ not in _NO_SECRETS:
                _collect(item, texts)


def _rebuilt(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {
            clean(name) if isinstance(name, str) else name: _rebuilt(item) for name, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_rebuilt(item) for item in value]
    return value
