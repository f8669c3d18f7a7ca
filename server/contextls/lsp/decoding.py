"""JSON from the wire. A long message is decoded off the event loop, and in steps that let others have their turn."""

from __future__ import annotations

import json
import json.decoder
import json.scanner
from collections.abc import Callable
from typing import Any

# What a thread of its own is worth for: below, decoding takes a millisecond.
DECODED_AT_ONCE = 100_000
# json's scanner in C holds the interpreter for the whole text, which is nothing below this and seconds for 100 MB.
_IN_ONE_GO = 1_000_000
# What is long is long by its texts. Ten million numbers would keep those who come later waiting for a minute.
MAX_VALUES = 500_000
_Scan = Callable[[str, int], tuple[Any, int]]


class TooManyValuesError(ValueError):
    """A message holds more values than are read; its text says how many those are."""


class _SteppingDecoder(json.JSONDecoder):
    """Walks objects and lists in Python, where threads can take turns; strings and numbers are read in C."""

    def __init__(self) -> None:
        super().__init__()
        self._left = MAX_VALUES
        objects, lists = json.decoder.JSONObject, json.decoder.JSONArray  # type: ignore[attr-defined]

        def parse_object(place: Any, strict: Any, scan: _Scan, *rest: Any) -> Any:  # noqa: ANN401 - json's own
            return objects(place, strict, self._count_values(scan), *rest)

        def parse_array(place: Any, scan: _Scan) -> Any:  # noqa: ANN401 - json's own
            return lists(place, self._count_values(scan))

        self.parse_object, self.parse_array = parse_object, parse_array
        self.scan_once = json.scanner.py_make_scanner(self)  # type: ignore[attr-defined]

    def _count_values(self, scan: _Scan) -> _Scan:
        def counted(text: str, at: int) -> tuple[Any, int]:
            self._left -= 1
            if self._left < 0:
                raise TooManyValuesError(f"a message of more than {MAX_VALUES:,} values is not read")
            return scan(text, at)

        return counted


def decode(body: bytes) -> Any:  # noqa: ANN401 - JSON
    """Decode a message. Raises ``TooManyValuesError``, another ``ValueError`` or ``RecursionError``."""
    if len(body) < _IN_ONE_GO:
        return json.loads(body)
    return _SteppingDecoder().decode(body.decode(json.detect_encoding(body), "surrogatepass"))
