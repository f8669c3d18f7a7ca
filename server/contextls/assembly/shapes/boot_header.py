"""The boot header: a few lines above a tagged prompt that say what it is made of, the same as long as that is."""

from __future__ import annotations

from collections.abc import Mapping

from contextls.assembly.pieces.preface_parts import Preface, checksum
from contextls.text.fence import inline
from contextls.text.gate import clean
from contextls.text.tags import escape

_TAGS = "Tags: each on a line of its own; within them, the opening bracket of such a tag is written `&lt;`"


def write_boot_header(preface: Preface, constitution: Mapping[str, str]) -> str:
    """The header. ``constitution`` are the files that stand as system text, each with what stands between its tags."""
    parts = {
        "Root": [inline(preface.root)],
        "Constitution": [
            _with_checksum(path, checksum(text.encode(errors="replace")))
            for path, text in constitution.items()
        ],
        "Session": [inline(preface.session)] if preface.session else [],
        "Conversation": [inline(preface.conversation)] if preface.conversation else [],
        "Working set": [_with_checksum(*preface.working_set)] if preface.working_set else [],
        "Cache hints": [inline(path) for path in preface.hints],
        "Tool contract": ["updates of the working set require `why`"],
    }
    lines = [f"{name}: {', '.join(values)}" for name, values in parts.items() if values]
    return escape(clean("\n".join([*lines, _TAGS])))


def _with_checksum(path: str, digest: str) -> str:
    return f"{inline(path)} (checksum: {digest})"
