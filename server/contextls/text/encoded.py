"""Encoded data in a text: pictures, fonts and keys in base64 or hexadecimal, which no reader can make anything of."""

from __future__ import annotations

import re

from contextls.regex import compile_late

# No name, path or hash in use has as many characters.
MIN_ENCODED_CHARS = 256

_SIGN = r"A-Za-z0-9+/_\-"
# Within a string of JSON or of code, the lines of encoded data end with an escape: its "n" is none of the data. A run is
# looked at from its beginning only, so that a text of many that are too short takes no longer to read.
_RUN = compile_late(
    rf"(?:(?<![{_SIGN}\\])|(?<=\\[nrt]))(?=[{_SIGN}]{{60}})[{_SIGN}]+(?:(?:\\r)?\\n[{_SIGN}]+)*={{0,2}}"
)
# In base64 one character in six is a digit, one in thirty a sign; of words, paths and names hardly one is a digit.
_MIN_DIGITS, _MAX_SIGNS = 0.08, 0.06
_NOT_SAID = compile_late(r"\\[nr]|=")


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
    is_encoded = len(found) >= MIN_ENCODED_CHARS and _is_random(_NOT_SAID.sub("", found))
    return f"… ({len(found):,} characters of encoded data)" if is_encoded else found


def _is_random(data: str) -> bool:
    digits, letters = sum(map(str.isdigit, data)), sum(map(str.isalpha, data))
    signs = len(data) - digits - letters
    return letters > 0 and digits >= _MIN_DIGITS * len(data) and signs <= _MAX_SIGNS * len(data)
