"""Encoded data in a text: pictures, fonts and keys in base64 or hexadecimal, which no reader can make anything of."""

from __future__ import annotations

import re

# No name, path or hash in use has as many characters.
MIN_ENCODED_CHARS = 256

_SIGN = r"A-Za-z0-9+/_\-"
# Within a string of JSON or of code, the lines of encoded data end with an escape: its "n" is none of the data. A run is
# looked at from its beginning only, so that a text of many that are too short takes no longer to read.
_RUN = re.compile(
    rf"(?:(?<![{_SIGN}\\])|(?<=\\[nrt]))(?=[{_SIGN}]{{60}})[{_SIGN}]+(?:(?:\\r)?\\n[{_SIGN}]+)*={{0,2}}"
)
_DIGIT, _LETTER = re.compile("[0-9]"), re.compile("[A-Za-z]")


def leave_out_encoded(text: str) -> str:
    """``text`` with a note in the place of each long run of encoded data. All lines stay."""
    lines = text.split("\n")
    # To look for a run in each line would be a tenth of the time of indexing.
    if all(len(line) < MIN_ENCODED_CHARS for line in lines):
        return text
    return "\n".join(
        _RUN.sub(_write_note, line) if len(line) >= MIN_ENCODED_CHARS else line for line in lines
    )


def _write_note(run: re.Match[str]) -> str:
    found = run.group()
    if len(found) < MIN_ENCODED_CHARS or not (_DIGIT.search(found) and _LETTER.search(found)):
        return found
    return f"… ({len(found):,} characters of encoded data)"
