"""The first message of a connection: ``initialize`` is answered before the server is loaded.

What handles messages takes half a second of computing to import. None of that is needed to say what the server does, and an
editor waits for it.
"""

from __future__ import annotations

import json

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.lsp.client import Client, read_client
from contextls.lsp.initialize_result import initialize_result

# A longer one is left to the server, which decodes it off the event loop. Editors send some 20 kB.
_MAX_BYTES = 100_000


class Handshake(Struct, frozen=True):
    """A client that sent ``initialize``, and the message that answers it."""

    client: Client
    answer: bytes


def read_opening(body: bytes) -> Handshake | None:
    """The handshake for a first message; ``None`` unless that is a valid ``initialize``.

    Everything else is left to the server.
    """
    if len(body) > _MAX_BYTES:
        return None
    try:
        message = json.loads(body)
        if not is_initialize(message):
            return None
        client = read_client(message.get("params"))
    except (ValueError, RecursionError, InvalidRequestError):
        return None
    answer = {"jsonrpc": "2.0", "id": message["id"], "result": initialize_result(client)}
    raw = json.dumps(answer).encode()
    return Handshake(client, b"Content-Length: %d\r\n\r\n" % len(raw) + raw)


def is_initialize(message: object) -> bool:
    """Whether a message is the request ``initialize``, with an id that can be given back."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    msg_id = message.get("id")
    return message.get("method") == "initialize" and (isinstance(msg_id, str) or type(msg_id) is int)
