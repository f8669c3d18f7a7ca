"""The rounds of a command that watches files: only the last one says how things are."""

from __future__ import annotations

from contextls.memory.activity.runners import begins_round, without_prefix

MAX_LINE_CHARS = 400


def last_round(printed: str) -> str | None:
    """The output of the last round of a command; ``None`` of one that has no rounds."""
    lines = printed.split("\n")
    for place in range(len(lines) - 1, -1, -1):
        if begins_round(without_prefix(lines[place][:MAX_LINE_CHARS])):
            return "\n".join(lines[place:])
    return None
