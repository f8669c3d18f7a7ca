"""The one exception hierarchy.

Every message names what was wrong, where, and what to do. Each class carries the JSON-RPC code that the language
server answers with and the exit status that the command line ends with.
"""

from __future__ import annotations

import re
from typing import ClassVar

from contextls.regex import compile_late

INTERRUPTED = 130  # as shells tell of a command that SIGINT ended
TERMINATED = 143  # and of one that SIGTERM ended
_ESCAPE = compile_late(r"\\\\|\\(?:[nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")
_LETTERS = {r"\n": "\n", r"\r": "\r", r"\t": "\t"}
_MAX_VALUE_CHARS = 160  # characters of a value that a message shows


class ContextlsError(Exception):
    """Base of everything contextls raises on purpose. ``str(error)`` is fit to show to a user.

    Its code is LSP's *request failed*: the request was right, the world was not (a full disk, say). *Internal error*
    (-32603) is left to what nobody foresaw.
    """

    jsonrpc_code: ClassVar[int] = -32803
    exit_status: ClassVar[int] = 1


class InvalidRequestError(ContextlsError):
    """A request field is missing, unknown, of the wrong type or out of range.

    ``field`` is the wire name of the field (``maxTokens``), ``expected`` says in words what would be valid.
    """

    jsonrpc_code = -32602
    exit_status = 2

    def __init__(self, field: str, expected: str, got: object = None) -> None:
        self.field = field
        self.expected = expected
        self.got = got
        shown = "" if got is None else f", got {_brief(got)}"
        super().__init__(f"{field}: expected {expected}{shown}")


class WorkspaceError(ContextlsError):
    """The workspace root cannot be used: it does not exist, is not a folder, or cannot be read."""

    jsonrpc_code = -32602
    exit_status = 2


class StoreError(ContextlsError):
    """State on disk cannot be read or written (full disk, no permission, locked by another process)."""

    exit_status = 3


class EmbedderError(ContextlsError):
    """An embedder cannot be used: its extra or a file is missing, or the endpoint behind it fails.

    A question is then answered by words alone; indexing stops and keeps what was stored before.
    """

    exit_status = 3


class SummarizerError(ContextlsError):
    """The summariser cannot be used: its extra is missing, or the endpoint behind it fails or is slow.

    What it was asked for is then made smaller without a model.
    """

    exit_status = 3


class ContextLimitError(ContextlsError):
    """What must be sent is larger than what may be sent. ``needed`` and ``available`` are in tokens."""

    def __init__(self, message: str, needed: int, available: int) -> None:
        self.needed = needed
        self.available = available
        super().__init__(message)


class CancelledError(ContextlsError):
    """The user or the client cancelled the work before it was done. Finished parts are kept."""

    jsonrpc_code = -32800
    exit_status = INTERRUPTED


class ResourceError(ContextlsError):
    """The system gave no more memory, or no further thread."""


class BusyError(ContextlsError):
    """So much was asked at once that more is refused until some of it was answered."""

    jsonrpc_code = -32803  # RequestFailed: nothing is wrong with the request


def _picture(escape: re.Match[str]) -> str:
    """A sign for what ``repr`` escaped: an escape ends in a letter, which would hide a secret that begins after it."""
    if escape[0] == r"\\":
        return escape[0]
    code = ord(_LETTERS.get(escape[0]) or chr(int(escape[0][2:], 16)))
    return chr(0x2400 + code) if code < 0x20 else "\N{REPLACEMENT CHARACTER}"


def _brief(value: object) -> str:
    """A value as a message shows it: whole or not at all, as half a secret is not recognised as one."""
    text = _ESCAPE.sub(_picture, repr(value))
    if len(text) <= _MAX_VALUE_CHARS:
        return text
    if isinstance(value, str):
        return f"a string of {len(value):,} characters"
    if isinstance(value, (list, tuple, dict)):
        kind = "an object" if isinstance(value, dict) else "a list"
        return f"{kind} with {len(value):,} {'entry' if len(value) == 1 else 'entries'}"
    return f"something of {len(text):,} characters"
