"""The text that a terminal would show of what a program printed for one."""

from __future__ import annotations

from contextls.regex import compile_late

_CODES = compile_late(
    r"\x1b\[[0-9;:?<=>]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b[()*+].|\x1b."
)
# How programs go back to the first column, and what makes the line empty from there.
_TO_FIRST_COLUMN = compile_late(r"\x1b\[[01]?G")
_ERASED = compile_late(r"(?:\r|\x1b\[1K)\x1b\[0?K|\x1b\[2K")


def plain_text(output: str) -> str:
    """The text that a terminal would show at the end: without colours, and of an overwritten line only its last state."""
    text = output.replace("\r\n", "\n")
    if "\x1b" in text:
        text = _TO_FIRST_COLUMN.sub("\r", text)
        text = "\n".join(_ERASED.split(line)[-1] for line in text.split("\n"))
        text = _CODES.sub("", text)
    if "\b" in text:
        text = _without_backspaces(text)
    return (
        "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
        if "\r" in text
        else text
    )


def _without_backspaces(text: str) -> str:
    kept: list[str] = []
    for sign in text:
        if sign != "\b":
            kept.append(sign)
        elif kept and kept[-1] != "\n":
            kept.pop()
    return "".join(kept)
