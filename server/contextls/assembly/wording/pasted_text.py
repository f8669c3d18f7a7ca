"""Tells the typed lines of a question from those pasted with it: output, a trace, code, a diff.

Nothing marks the border, so it is read from the lines themselves: programs and people begin and end theirs differently.
"""

from __future__ import annotations

import re

from msgspec import Struct

from contextls.memory.index.query.pasted_logs import STAMP
from contextls.memory.index.words.languages import HAN_OR_KANA, asks_in_another
from contextls.regex import compile_late

# A line that a program wrote, or that has a form of its own: code, lists, fences, quotes.
_PASTED = compile_late(
    rf"{STAMP}"
    r"|\s{2,}\S|\t|\s*(?:[-*+>|]\s|\d+[.)]\s|```|~~~|[{}<]|\d{4}-\d\d|\[?\d\d:\d\d)|\S.*[;{}]$|diff --git|@@ |[+-]{3} "
    r"|(?:ts|time|level)=\S"
    r"|\$ \S|(?:GET|HEAD|POST|PUT|PATCH|DELETE) /|(?:INFO|WARN(?:ING)?|ERROR)\b|\((?:error|warning)\) "
    r"|(?:\w+[.:]+)+[A-Z]\w+: |Did you mean "
)
_FAILURE = compile_late(
    r"\W*+(?:Traceback \(|Exception in thread|[\w.:\\]*(?:Error|Exception|Panic)(?::|$)|error(?:\[\w+\])?:|fatal(?: error)?:"
    r"|panic:|thread '.*' panicked|(?-i:FAILED\b|FAIL\b|E\s{3}))",
    re.IGNORECASE,
)
_PROSE = compile_late(rf"[^\W\d_][\w'’]*,? \S+ \S|[{HAN_OR_KANA}]{{3}}")
# Programs print whole sentences, too; people ask and wish in these words.
_IS = r"(?:is|are|do|does|did|can|could|should|would|will|has|have|must|to|am)"
_WANTS = compile_late(
    r"(?:^|[,.;!?] |[-–—] )(?:(?:and|but|so|now|then|ok|also) )*"
    rf"(?:(?:where|what|how) {_IS}|why|who|how (?:come|many|much)|(?:can|could|should|do|am) (?:i|we|you)|is there"
    r"|(?:please )?(?:explain|help|(?:show|tell) me|fix (?:it|this|that))|fix (?:the|my)|repair|mend"
    r"|make (?:it|this|that|the)"
    r"|any (?:idea|way|hint|chance)|(?-i:we))(?![\w/'’-])"
    r"|(?<![\w/.'’-])(?:i|i['’](?:m|ve|d|ll)|my|our)(?![\w/.=+*)\]-])",
    re.IGNORECASE,
)
# Programs begin their paragraphs with a capital letter or a label.
_SAID = compile_late(r"[a-z][\w'’]*(?: [\w'’`-]+,?){3}")
_QUESTION_MARKS = ("?", "？", "؟")
_FENCE = compile_late(r"\s*(?:```|~~~)")
_STAMPED = compile_late(rf"\$ \S|{STAMP}")


class MessageLines(Struct, frozen=True):
    """The lines of a message: those ``typed`` above the ``pasted`` ones or after a fence, and ``typed_below`` them."""

    typed: list[str]
    pasted: list[str]
    typed_below: list[str]


def split_message(lines: list[str]) -> MessageLines:
    """Tell the typed ``lines`` from the pasted ones. The first line is not blank."""
    typed, pasted = _split_above(lines)
    pasted, below = _split_below(pasted)
    return MessageLines(typed, pasted, below)


def names_failure(line: str) -> bool:
    """Whether a line begins as programs begin to report a failure."""
    return _FAILURE.match(line) is not None


def _split_above(lines: list[str]) -> tuple[list[str], list[str]]:
    """The lines typed above a paste, and the paste; prose of several paragraphs was typed as a whole."""
    if len(lines) < 2 or _begins_paste(lines):
        return ([], lines) if len(lines) > 1 else (lines, [])
    if _FENCE.match(lines[0]):
        ends = (number for number, line in enumerate(lines) if number and _FENCE.match(line))
        end = next(ends, len(lines)) + 1
        return [line for line in lines[end:] if line.strip()], lines[:end]
    if not any(map(_is_pasted, lines[1:])):
        return [line for line in lines if line.strip()], []
    first = next(
        number for number, line in enumerate(lines) if number and (not line.strip() or _is_pasted(line))
    )
    return lines[:first], lines[first:]


def _begins_paste(lines: list[str]) -> bool:
    """Whether the message begins with a paste. Where its first line may be either, it does if text was typed below."""
    first = lines[0]
    if _FAILURE.match(first) or _STAMPED.match(first) or first.startswith(">"):
        return True
    return bool(_is_pasted(first) and not _FENCE.match(first) and _split_below(lines)[1])


def _is_pasted(line: str) -> bool:
    return bool(_PASTED.match(line) or _FAILURE.match(line))


def _split_below(pasted: list[str]) -> tuple[list[str], list[str]]:
    """The paste without the lines typed below it: the last lines of prose, from the first that asks or wishes.

    A paragraph that begins with a small letter was typed as well.
    """
    last = len(pasted)
    while last and not pasted[last - 1].strip():
        last -= 1
    first = last
    while first and _is_typed(pasted[first - 1]):
        first -= 1
    if not first or first == last:
        return pasted, []
    if not pasted[last - 1].rstrip().endswith(_QUESTION_MARKS):
        alone = not pasted[first - 1].strip()
        wants = next((number for number in range(first, last) if _wants(pasted[number])), last)
        if not alone or (wants == last and not _SAID.match(pasted[first])):
            first = wants
    return pasted[:first], pasted[first:last]


def _is_typed(line: str) -> bool:
    """Whether a line may be typed: prose, or a question in a word or two."""
    asks = _WANTS.match(line) and line.rstrip().endswith(_QUESTION_MARKS)
    return bool(asks or _PROSE.match(line)) and not _is_pasted(line)


def _wants(line: str) -> bool:
    """Whether a line of prose asks or wishes."""
    if line.rstrip().endswith(":"):
        return False
    return bool(_WANTS.search(line) or asks_in_another(line))
