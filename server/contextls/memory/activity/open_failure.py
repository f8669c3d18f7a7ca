"""A failure while it is being read, and the message that its lines amount to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field

from contextls.regex import compile_late

# What was expected and what came; more is a listing.
MAX_DETAILS = 8
# The lines below a message that ends in a colon which may belong to it.
ANNOUNCED_LINES = 4
_DIFF_HEAD = compile_late(r"[-+]{1,3} ?(?i:expected|received|actual)\b")
_EMPTY = ("error:", "failed:", "failure:")


class OpenFailure(Struct):
    """The failure that is being read.

    ``wants`` is what the next line says; ``indent`` is that of the message, where its lines are compared by it. ``told``
    says that one line gave all of it, of which only ``keeps`` holds for what follows: the test that it belongs to.
    """

    path: str = ""
    line: int | None = None
    message: str = ""
    test: str = ""
    code: str = ""
    source: str = ""
    wants: str = ""
    indent: int | None = None
    details: list[str] = field(default_factory=list)
    announced: int = 0
    weak: bool = False
    skipped: bool = False
    told: bool = False
    keeps: str = ""

    def add_detail(self, text: str) -> None:
        """Add what belongs to the message; where there is none yet, it is that."""
        text = " ".join(text.split())
        if not text:
            return
        if not self.message:
            self.message, self.wants = text, ""
        elif self.details and self.details[-1].endswith(":"):
            self.details[-1] += f" {text}"
        elif len(self.details) < MAX_DETAILS and text not in self.details:
            self.details.append(text)
            if text.endswith(":"):
                self.announced = max(self.announced, 1)

    def set_message(self, text: str) -> None:
        """Set the message; one that ends in a colon announces what follows."""
        self.message, self.wants = text, ""
        self.announced = ANNOUNCED_LINES if text.endswith(":") else 0


def compose_message(message: str, details: Sequence[str]) -> str:
    """The message and what belongs to it: values and lines of a diff only where they say more."""
    kept: list[str] = []
    heads: list[str] = []
    labelled = [detail for detail in details if detail[0] not in "+-" and ":" in detail]
    others = " ".join([message, *(detail for detail in details if detail not in labelled)])
    said = all(_says(others, detail.partition(":")[2]) for detail in labelled)
    for detail in details:
        if _DIFF_HEAD.match(detail):
            heads.append(detail)
        elif detail[0] in "+-":
            if not any(_says(each, detail[1:]) for each in (message, *kept)):
                kept.extend([*heads, detail])
                heads = []
        elif not (said and detail in labelled):
            kept.append(detail)
    if not kept:
        return message
    if message.lower() in _EMPTY:
        return "; ".join(kept)
    return f"{message} {'; '.join(kept)}" if message.endswith(":") else "; ".join([message, *kept])


def _says(text: str, value: str) -> bool:
    value = value.strip(" ,;'\"")
    return bool(value) and re.search(rf"(?<![\w.]){re.escape(value)}(?![\w.])", text) is not None
