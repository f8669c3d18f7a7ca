"""JSON from the wire. A long message is decoded beside the event loop, and in steps that let others have their turn."""

from __future__ import annotations

import json
import json.decoder
import json.scanner
from typing import Any

# What a thread of its own is worth for: below, decoding takes a millisecond.
DECODED_AT_ONCE = 100_000
# json's scanner in C holds the interpreter for the whole text, which is nothing below this and seconds for 100 MB.
_IN_ONE_GO = 1_000_000


class _SteppingDecoder(json.JSONDecoder):
    """Walks objects and lists in Python, where threads can take turns; strings and numbers are read in C."""

    def __init__(self) -> None:
        super().__init__()
        self.scan_once = json.scanner.py_make_scanner(self)  # type: ignore[attr-defined]


def decoded(body: bytes) -> Any:  # noqa: ANN401 - JSON
    """What a message holds. Raises ``ValueError`` or ``RecursionError``."""
    if len(body) < _IN_ONE_GO:
        return json.loads(body)
    return _SteppingDecoder().decode(body.decode(json.detect_encoding(body), "surrogatepass"))
