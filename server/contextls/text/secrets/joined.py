"""Texts that make up one value together: ``"a" + "b"``, ``("a"`` with ``"b")`` below it, a line that goes on below."""

from __future__ import annotations

from collections.abc import Iterator

from contextls.regex import compile_late
from contextls.text.secrets.values import MARK, is_placeholder, is_reference

Span = tuple[int, int]

# Behind a text that is a key of its own, "=" or ":" follows.
_NEXT = compile_late(
    r"[ ]?(?P<quote>[\"'`])(?:(?P<blank>\s{1,80})|\s{0,80}(?:\+\+?|\.\.?|<>|&|~|\|\||\\\r?\n)\s{0,80})"
    r"[A-Za-z@$]?(?P=quote)(?P<part>[^\n\"'`\\]{0,400})(?P=quote)(?![ \t]*(?:[:(]|=(?!=)))"
)
_UNKNOWN_PART = compile_late(r"[\"'`]\s{0,80}(?:[+%&~\[]|\.|<>|\|\|)")
_CONTINUED = compile_late(r"\r?\n[ \t]{0,40}[^\s\"'`=<>#-][^\s\"'`=<>]{2,400}+={0,2}(?!\S)")
# Shorter ones only stand between others.
_MIN_PART_CHARS = 2
_MAX_PARTS = 80
# Bounds on the parts that are judged together as one value: each secret name in one of them has them judged again.
_MAX_JUDGED_PARTS, _MAX_JUDGED_CHARS = 8, 160


def goes_on(text: str, end: int) -> bool:
    """Whether another text may be joined to the quoted one that ends at ``end``."""
    return _NEXT.match(text, end) is not None


def parts_of_value(text: str, end: int, *, beside: bool) -> list[Span]:
    """The parts of a secret that code joins to its first, which ends at ``end``.

    ``beside`` where nothing but blanks joins them.
    """
    found: list[Span] = []
    for begin, stop in _parts(text, end, beside=beside):
        part = text[begin:stop]
        if " " in part or MARK in part:
            break
        if _is_part(part):
            found.append((begin, stop))
    return found


def all_parts(text: str, end: int, *, beside: bool) -> list[Span]:
    """The spans of all literals joined to the one that ends at ``end``; none if one has blanks or they are too many."""
    found: list[Span] = []
    size = 0
    for begin, stop in _parts(text, end, beside=beside):
        part = text[begin:stop]
        size += len(part)
        if len(found) == _MAX_JUDGED_PARTS or size > _MAX_JUDGED_CHARS or " " in part or not _is_part(part):
            return []
        found.append((begin, stop))
    return [] if found and _UNKNOWN_PART.match(text, found[-1][1]) else found


def end_of_continued(text: str, end: int) -> int:
    r"""The end of a value without quotes that a ``\`` at the end of its line continues in the next ones."""
    for _ in range(_MAX_PARTS):
        if text[end - 1 : end] != "\\" or (following := _CONTINUED.match(text, end)) is None:
            break
        end = following.end()
    return end


def _parts(text: str, end: int, *, beside: bool) -> Iterator[Span]:
    for _ in range(_MAX_PARTS):
        match = _NEXT.match(text, end)
        if match is None or (match["blank"] is not None and not beside):
            return
        yield match.span("part")
        end = match.end("part")


def _is_part(part: str) -> bool:
    return (
        len(part) >= _MIN_PART_CHARS
        and any(map(str.isalnum, part))
        and not is_reference(part)
        and not is_placeholder(part)
    )
