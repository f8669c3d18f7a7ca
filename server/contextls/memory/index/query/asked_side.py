"""The side of a web application that a question is about: "where is it rendered in the frontend?"."""

from __future__ import annotations

import re

from contextls.memory.index.query.long_queries import is_long
from contextls.memory.index.sides import Side, has_both_sides
from contextls.memory.index.snapshot.segment_set import SegmentSet
from contextls.regex import compile_cued

_NAMES = {
    Side.FRONTEND: r"(?:front[- ]?end|(?:web[- ]?)?ui|(?:web|user) interface|web (?:app|client)|(?:browser|client)[- ]side)",
    Side.BACKEND: r"(?:back[- ]?end|server[- ]side|(?<=the )server(?: side)?)",
}
# "In the UI", and not "in the UI settings", which are settings.
_ENDS = (
    r"(?: (?:code|part|side))?(?=\s*+(?:[?.!,;:)]|$)"
    r"|\s+(?:and|are|at|before|by|do|does|for|from|if|is|on|or|that|to|when|where|which|with)\b)"
)
_AFTER_DO = r"(?:(?<=\bdoes )|(?<=\b(?:could|would) )|(?<=\b(?:can|did) ))"
_PATTERNS = {
    side: compile_cued(
        rf"^\s*+(?:(?:in|on) (?:the |our )?)?{name}(?: code| part| side)?\s*+[:,-]\s+"
        rf"| (?:at|by|from|in|inside|of|on|within) (?:the |our )?{name}{_ENDS}"
        rf"|{_AFTER_DO}(?:the|our) {name}(?= \w)",
        "front back ui interface web side server",
        re.IGNORECASE,
    )
    for side, name in _NAMES.items()
}


def find_asked_side(question: str, files: SegmentSet) -> tuple[str, Side | None]:
    """``question`` without the words that say of which side it is, and that side.

    Where ``files`` have no two sides, or it speaks of both or of neither, it stays as it is.
    """
    found = [] if is_long(question) else [side for side in Side if _PATTERNS[side].search(question)]
    if len(found) != 1 or not has_both_sides(files.paths):
        return question, None
    (side,) = found
    return _PATTERNS[side].pattern.sub("", question).strip(), side
