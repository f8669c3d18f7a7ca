"""The fields of each known type of event, stated once. Events of other types may hold any JSON object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.model import EventType, UpdateAction, Updater
from contextls.schema.rules import MAX_WHOLE


class ContentField(Struct, frozen=True):
    """One field of an event's content: the types of its value, and in words what would be valid.

    ``items`` is the type of the elements of a list; ``choices`` are the only values of a closed set; a string that is
    ``filled`` is more than white space.
    """

    kinds: tuple[type, ...]
    expected: str
    required: bool = False
    items: type | None = None
    choices: tuple[str, ...] = ()
    filled: bool = False
    least: int = -MAX_WHOLE

    def accepts(self, value: object) -> bool:
        """Whether ``value`` is of the right type; true and false are no numbers."""
        if isinstance(value, bool) or not isinstance(value, self.kinds):
            return False
        if self.choices and value not in self.choices:
            return False
        if isinstance(value, str):
            return not self.filled or bool(value.strip())
        if isinstance(value, (int, float)):
            return self.least <= value <= MAX_WHOLE
        if self.items is None or not isinstance(value, (list, tuple)):
            return True
        return all(isinstance(item, self.items) for item in value)


def _text(expected: str, *, required: bool = False, filled: bool = False) -> ContentField:
    return ContentField((str,), expected, required, filled=filled)


def _choice(*choices: str) -> ContentField:
    return ContentField((str,), "one of " + ", ".join(choices), required=True, choices=choices)


def _whole(expected: str, *, required: bool = False) -> ContentField:
    return ContentField((int,), expected, required)


def _texts(expected: str) -> ContentField:
    return ContentField((list, tuple), expected, items=str)


_PATH = _text("a path relative to the workspace, not empty", required=True, filled=True)
_OPTIONAL_PATH = _text("a path relative to the workspace")
_PATHS = _texts("a list of paths relative to the workspace")
_LINE = _whole("a line number, counted from 1")
_BRANCH = _text("the name of a branch")
_CODE = ContentField((str, int), "the tool's code for it")
_SOURCE = _text("the tool that reported it")

FIELDS: Mapping[str, Mapping[str, ContentField]] = {
    EventType.FILE_READ: {"path": _PATH},
    EventType.FILE_FOCUS: {"path": _PATH},
    EventType.FILE_EDIT: {
        "path": _PATH,
        "summary": _text("one line about what changed"),
        "symbols": _texts("a list of qualified names"),
        "added": _whole("the number of lines added"),
        "removed": _whole("the number of lines removed"),
    },
    EventType.FILE_WRITE: {"path": _PATH},
    EventType.FILE_RENAME: {"path": _PATH, "from": _OPTIONAL_PATH},
    EventType.FILE_DELETE: {"path": _PATH},
    EventType.FILES_CHANGED: {"count": _whole("the number of files", required=True), "paths": _PATHS},
    EventType.SHELL_EXEC: {
        "command": _text("the command line as a string, not empty", required=True, filled=True),
        "exitCode": _whole("a whole number"),  # missing where it still runs, or nobody saw it end
        "stdout": _text("a string"),
        "stderr": _text("a string"),
        "cwd": _text("a folder as a string"),
        "durationMs": ContentField((int, float), "milliseconds as a number, 0 or more", least=0),
        "runs": _texts("a list of command lines, each from the workspace's root"),  # what it stands for
    },
    EventType.ERROR: {
        "message": _text("the error message as a string, not empty", required=True, filled=True),
        "stack": _text("a string"),
        "path": _OPTIONAL_PATH,
        "line": _LINE,
        "source": _SOURCE,
        "code": _CODE,
        "command": _text("the command line that printed it"),
        "test": _text("the name of the test that failed"),
    },
    EventType.DIAGNOSTIC: {
        "path": _PATH,
        "line": _LINE,
        "message": _text("the message as a string", required=True),
        "source": _SOURCE,
        "code": _CODE,
        "severity": _text("error, warning, information or hint"),
        "state": _choice("appeared", "gone"),
    },
    EventType.GIT_CHECKOUT: {
        "from": _text("a branch or commit"),
        "to": _text("a branch or commit", required=True),
        "branch": _BRANCH,
        "action": _text("what moved HEAD where it was no checkout: reset, pull or merge"),
    },
    EventType.GIT_COMMIT: {
        "commit": _text("a commit's hash", required=True),
        "subject": _text("the first line of its message"),
        "branch": _BRANCH,
        "paths": _PATHS,
    },
    EventType.GIT_STASH: {"subject": _text("the message of the stash"), "action": _text("what was done")},
    EventType.GIT_REBASE: {"onto": _text("a branch or commit"), "branch": _BRANCH},
    EventType.NOTE: {"text": _text("the note as a string", required=True)},
    EventType.WORKING_SET: {
        "action": _choice(*UpdateAction, "undo"),
        "by": _choice(*Updater),
        "path": _PATH,
        "target": _text("the file, or what of it is meant: `a.py#Cart.total`"),
        "priority": ContentField((int, float), "a number from 0 to 1", least=0),
        "why": _text("why it was done"),
        "reason": _text("why it was refused"),
    },
}


def check_content(kind: str, content: Mapping[str, Any]) -> None:
    """Raise ``InvalidRequestError`` naming the field (``content.path``) when an event of this type cannot hold that."""
    known = FIELDS.get(kind)
    if known is None:
        return
    for name, field in known.items():
        if name not in content:
            if field.required:
                raise InvalidRequestError(f"content.{name}", field.expected + "; it is missing")
        elif not field.accepts(content[name]):
            raise InvalidRequestError(f"content.{name}", field.expected, content[name])
    for name in content:
        if name not in known:
            raise InvalidRequestError(f"content.{name}", "one of " + ", ".join(known))
