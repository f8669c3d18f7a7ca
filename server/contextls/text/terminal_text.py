"""The text that a terminal would show of what a program printed for one."""

from __future__ import annotations

from contextls.regex import compile_late

_CODES = compile_late(
    r"\x1b\[[0-9;:?<=>]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b[()*+].|\x1b."
)
# How programs go back to the first column, and what makes the line empty from there.
_TO_FIRST_COLUMN = compile_late(r"\x1b\[[01]?G")
# What was on the screen before it was cleared is gone.
_CLEARED = compile_late(r"\x1bc|\x1b\[[23]J")
_ERASED = compile_late(r"(?:\r|\x1b\[1K)\x1b\[0?K|\x1b\[2K")
# What moves between lines: up, down, and what empties all below.
_MOVES = compile_late(r"(\n|\x1b\[\d{0,4}[AB]|\x1b\[0?J)")
_UP = compile_late(r"\x1b\[\d{0,4}A")


def plain_text(output: str) -> str:
    """The text that a terminal would show at the end: without colours, and of an overwritten line only its last state.

    Where the screen was cleared and something was printed since, no more than that.
    """
    text = output.replace("\r\n", "\n")
    if "\x1b" in text:
        text = next((part for part in reversed(_CLEARED.split(text)) if _CODES.sub("", part).strip()), text)
        if _UP.search(text):
            text = _follow_cursor(text)
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


def _follow_cursor(text: str) -> str:
    """The lines that are left where a program goes up to write some of them again, as those with progress do."""
    rows, row, is_kept = [""], 0, False
    for piece in _MOVES.split(text):
        if piece == "\n":
            row += 1
            is_kept = row < len(rows)  # until something is written over it
            rows.extend([""] * (row + 1 - len(rows)))
        elif piece.endswith("J") and piece.startswith("\x1b["):
            del rows[row + 1 :]
        elif piece[-1:] in ("A", "B") and _MOVES.fullmatch(piece):
            lines = int(piece[2:-1] or 1)
            row = max(0, row - lines) if piece[-1] == "A" else min(len(rows) - 1, row + lines)
            is_kept = True
        elif is_kept and (_CODES.sub("", piece).strip("\r") or _ERASED.search(piece)):
            rows[row], is_kept = piece, False
        else:
            rows[row] += piece
    return "\n".join(rows)
