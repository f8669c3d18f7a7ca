"""Finds the words of the user in a message as it was sent, after the time, rules, hooks and retrieved pieces.

Clients keep messages as they were sent, so that a provider's cache holds; a title, a list or a summary wants the question.
"""

from __future__ import annotations

from contextls.regex import compile_late
from contextls.text.tags import TAGS, read_blocks

RETRIEVED = "Retrieved from the workspace:"
MAY_NOT_ANSWER = "This may not answer the question: what follows is only the nearest that was found."
NO_PLACE = (
    "The question points at code in an editor, and no cursor, selection or file came with it to say which."
)
NO_FAILURE = (
    "No open failure is known here: run what fails with `contextls run -- COMMAND`, or paste what it printed."
)
RULES_HEAD = "Rules for the files below; where they differ, a later one wins."

_BOOT_HEADER = "Root: `"
_HEAD = compile_late(r"Current time: [^\n]*\nTimezone: [^\n]*\n\n")
_FENCE = compile_late(r"(`{3,})[\w.+#-]*")
_BEFORE = ("Platform: ", "Available actions: ", "Hook `", "## Rules: `", RULES_HEAD)
_PIECES = ("## ", "### `", "- ", MAY_NOT_ANSWER, NO_PLACE, NO_FAILURE)


def find_own_words(message: str) -> str:
    """The user's part of ``message``; all of it where nothing was put before that.

    It is found by form alone: a question that has the form of a retrieved piece is cut, but never to nothing.
    """
    if message.startswith(_BOOT_HEADER):
        return _find_below_tags(message)
    head = _HEAD.match(message)
    if head is None:
        return message
    lines = message[head.end() :].split("\n")
    rest = "\n".join(lines[_skip(lines) :])
    return rest if rest.strip() else message.rpartition("\n\n")[2]


def _find_below_tags(message: str) -> str:
    """The text after the last block of a tagged prompt, or else the last block that holds words of a user."""
    end = max(message.rfind(f"\n</{tag}>") for tag in TAGS)
    below = message[end + 1 :].partition(">")[2].strip()
    asked = [block.text for block in read_blocks(message) if block.tag == "user" and not block.attributes]
    return below or (asked[-1].rstrip("\n") if asked else message)


def _is_title(lines: list[str], number: int) -> bool:
    """Whether a list of one-line pieces begins here: the format ``summary`` calls its sections so."""
    return lines[number].endswith(":") and "".join(lines[number + 1 : number + 2]).startswith("- ")


def _skip(lines: list[str]) -> int:
    """The number of the line with which the user's words begin."""
    forms: tuple[str, ...] = _BEFORE
    number = 0
    while number < len(lines):
        line = lines[number]
        fence = _FENCE.fullmatch(line)
        if line == RETRIEVED:
            forms = _PIECES
        elif fence is not None and number:
            try:
                number = lines.index(fence[1], number + 1)
            except ValueError:
                return number
        elif line and not line.startswith(forms) and not _is_title(lines, number):
            return number
        number += 1
    return number
