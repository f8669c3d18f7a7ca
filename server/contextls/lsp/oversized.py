"""Refuses messages that are too long to read; their first bytes tell what they are."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from msgspec import Struct

from contextls.lsp.response_errors import INVALID_REQUEST, PARSE_ERROR
from contextls.regex import compile_late

if TYPE_CHECKING:
    from contextls.lsp.framing import MessageTooLargeError
    from contextls.lsp.server import ContextServer

_BLANKS = compile_late(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_TEXTS = (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE)
log = logging.getLogger(__name__)


class Head(Struct, frozen=True):
    """The first bytes of a message."""

    msg_id: str | int | None = None
    method: str = ""
    uri: str = ""  # of the document that it is about
    is_answer: bool = False


def read_head(head: bytes) -> Head:
    """Read method and id from a message's first bytes."""
    text = head.decode("utf-8", "replace")
    known, name, at = _fields(text, 0)
    msg_id, method = known.get("id"), known.get("method")
    params = known["params"] if "params" in known else _fields(text, at)[0] if name == "params" else None
    document = params.get("textDocument") if isinstance(params, dict) else None
    if name == "params" and document is None:
        _, inner, place = _fields(text, at)
        document = _fields(text, place)[0] if inner == "textDocument" else None
    uri = document.get("uri") if isinstance(document, dict) else None
    return Head(
        msg_id if isinstance(msg_id, str) or type(msg_id) is int else None,
        method if isinstance(method, str) else "",
        uri if isinstance(uri, str) else "",
        "method" not in known and ("result" in known or name == "result"),
    )


def pass_over(server: ContextServer, error: MessageTooLargeError) -> None:
    """Answer a message that was not read, and stop to follow a document whose text would have been in it."""
    head = read_head(error.head)
    what = head.method or "a message"
    said = (
        f"{what} of {error.length:,} bytes was passed over: at most {error.most_bytes:,} are read; "
        "close the document or send less text, contextls goes by what is saved on disk"
    )
    log.warning("%s", said)
    if head.is_answer and head.msg_id is not None:
        refused = {"code": INVALID_REQUEST, "message": said}
        server.receive_message({"jsonrpc": "2.0", "id": head.msg_id, "error": refused})
        return
    if head.method in _TEXTS and head.uri:
        # Later edits would be applied to a text that is not the editor's any more.
        server.sync.did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(head.uri)))
    code = PARSE_ERROR if head.msg_id is None else INVALID_REQUEST
    server.protocol.refuse(head.msg_id, code, said)


def _fields(text: str, at: int) -> tuple[dict[str, Any], str, int]:
    """The fields of the object at ``at`` that are there in full; the name and the place of the one that is cut."""
    known: dict[str, Any] = {}
    at = _after_blanks(text, at)
    opening = "{"
    while text[at : at + 1] == opening:
        try:
            name, at = _DECODER.raw_decode(text, _after_blanks(text, at + 1))
        except (ValueError, RecursionError):
            break
        at = _after_blanks(text, at)
        if not isinstance(name, str) or text[at : at + 1] != ":":
            break
        at = _after_blanks(text, at + 1)
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return known, name, at
        if end == len(text):  # a number may go on
            return known, name, at
        known[name] = value
        at, opening = _after_blanks(text, end), ","
    return known, "", len(text)


def _after_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return at if found is None else found.end()
