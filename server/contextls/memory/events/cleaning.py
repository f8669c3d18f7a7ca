"""Cleaning of an event's content: secrets redacted, long texts cut, depth and size bounded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from contextls.errors import InvalidRequestError
from contextls.event_content import FIELDS
from contextls.text.gate import CleanText, clean
from contextls.text.kept_ends import join_ends, keep_both_ends
from contextls.text.redact import is_secret_field
from contextls.text.surrogates import repair_surrogates

# Longer texts in an event are cut in the middle: the head says what ran, the tail says how it ended.
MAX_TEXT_CHARS = 8_000
MAX_CONTENT_CHARS = 64_000
MAX_DEPTH = 20
MAX_SECRET_CHARS = 4_000

_HALF = MAX_TEXT_CHARS // 2
# Only the two ends of a huge text are read, each this much further than what is kept of it.
_MARGIN = 16_000
# Where a text was cut before it was redacted, half a secret may be left. All kinds but private keys are shorter.
_GUARD = 2_000
_KEY_BEGINS, _KEY_ENDS = "-----BEGIN ", "-----END "
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, allow_nan=False)


def clean_content(kind: str, content: Mapping[str, Any]) -> tuple[dict[str, Any], CleanText]:
    """The content of an event of this type as it may be stored, and the same as JSON.

    Raises ``InvalidRequestError`` when it is too large, too deep or holds anything but JSON values.
    """
    kept = _Cleaner().fields(content, 0, names_are_known=kind in FIELDS)
    try:
        text = _ENCODER.encode(kept)
    except (TypeError, ValueError) as error:
        raise InvalidRequestError("content", f"JSON values only ({error})") from None
    if len(text) > MAX_CONTENT_CHARS:
        raise _too_large()
    return kept, CleanText(text)


def clean_name(text: str) -> CleanText:
    """A name that an event carries (its type, session or task) as it may be stored."""
    return clean(repair_surrogates(text))


class _Cleaner:
    """Cleans the parts of one content and gives up as soon as they are too much together."""

    def __init__(self) -> None:
        self._left = MAX_CONTENT_CHARS

    def value(self, value: Any, depth: int) -> Any:  # noqa: ANN401 - any JSON value
        """The value with secrets redacted and long texts cut, at any depth."""
        if depth > MAX_DEPTH:
            raise InvalidRequestError("content", f"at most {MAX_DEPTH} levels of objects and lists")
        if isinstance(value, str):
            return self._note_count(safe_text(value))
        self._count(1)
        if isinstance(value, Mapping):
            return self.fields(value, depth)
        if isinstance(value, (list, tuple)):
            return [self.value(item, depth + 1) for item in value]
        return value

    def fields(
        self, content: Mapping[Any, Any], depth: int, *, names_are_known: bool = False
    ) -> dict[str, Any]:
        """An object. A value is a secret as well when only its name says so: ``{"password": "…"}``.

        The names of our own fields never do.
        """
        if names_are_known:
            return {name: self.value(item, depth + 1) for name, item in content.items()}
        return {
            self._note_count(safe_text(str(name))): self.value(_unless_secret(str(name), item), depth + 1)
            for name, item in content.items()
        }

    def _note_count(self, text: str) -> str:
        self._count(len(text))
        return text

    def _count(self, chars: int) -> None:
        self._left -= chars
        if self._left < 0:
            raise _too_large()


def safe_text(text: str) -> str:
    """``text`` without secrets and at most ``MAX_TEXT_CHARS`` long, but for the note of what was left out.

    Takes the same time for every text above some 40,000 characters, unless a private key begins before its end.
    """
    if len(text) <= 2 * (_HALF + _MARGIN):
        return keep_both_ends(clean(repair_surrogates(text)), _HALF)
    head = clean(repair_surrogates(text[: _HALF + _MARGIN]))
    tail = clean(repair_surrogates(text[_tail_start(text) :]))
    kept_head = max(0, min(_HALF, len(head) - _GUARD))
    kept_tail = max(0, min(_HALF, len(tail) - _GUARD))
    kept = head[:kept_head], tail[len(tail) - kept_tail :]
    return join_ends(*kept, len(text) - kept_head - kept_tail)


def _tail_start(text: str) -> int:
    """The place from which to read the end of a text, so that reading does not begin inside a private key."""
    start = len(text) - _HALF - _MARGIN
    begins = text.rfind(_KEY_BEGINS, 0, start)
    return begins if begins >= 0 and text.find(_KEY_ENDS, begins, start) < 0 else start


def _unless_secret(name: str, value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if not isinstance(value, str) or len(value) > MAX_SECRET_CHARS:
        return value
    if not is_secret_field(name[-MAX_SECRET_CHARS:], value):
        return value
    kept = clean(value)
    return kept if kept != value else "[redacted:secret]"


def _too_large() -> InvalidRequestError:
    return InvalidRequestError("content", f"at most {MAX_CONTENT_CHARS} characters of JSON")
