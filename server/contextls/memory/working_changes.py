"""What is being worked on: the difference between the newest commit and the files as they are, by symbol."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hunk:
    """One changed place.

    ``symbol`` is the qualified name of the innermost definition around it, "" outside of all. Lines are 1-based and
    inclusive in the text as it is now; where lines were only taken away, both name the line that follows (the last
    one at the end of the file; 0 when the file is gone). ``added`` and ``removed`` count lines. ``text`` has the lines
    of a unified diff with their marks (" ", "+", "-"), secrets redacted.
    """

    path: str
    symbol: str
    start_line: int
    end_line: int
    added: int
    removed: int
    text: str
