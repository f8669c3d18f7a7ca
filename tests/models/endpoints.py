"""A real OpenAI-compatible endpoint on this machine: it counts words, tells gists, and can be told to misbehave."""

from __future__ import annotations

import contextlib
import itertools
import json
import threading
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import psutil

WIDTH = 32
# A format of real keys, made up for these tests; none was ever issued.
GITHUB_TOKEN = "ghp_" + "a8Kd93jfLs02mQpZx7Rt41VbNc65YwEg0uHi"
MAX_SECONDS = 300.0
GIST = "Gist {number}: it does what its name says."


@dataclass(frozen=True, slots=True)
class Trouble:
    """One answer that goes wrong: a ``status`` with ``headers`` and ``body``, after ``delay`` seconds or once ``until``."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b'{"error": {"message": "no"}}'
    delay: float = 0.0
    until: threading.Event | None = None


class Endpoint(ThreadingHTTPServer):
    """Serves ``/v1/embeddings`` and ``/v1/chat/completions``.

    Nothing is answered before ``gate`` is set, and ``troubles`` are used up before it answers well; ``received`` is what
    came in. Each chat gets another answer: ``gist`` with ``{number}`` filled in.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.width = WIDTH
        self.gist = GIST
        self.numbers = itertools.count(1)
        self.troubles: list[Trouble] = []
        self.always: Trouble | None = None
        self.gate = threading.Event()
        self.gate.set()
        self.received: list[dict[str, Any]] = []
        self.times: list[float] = []
        self.headers: list[dict[str, str]] = []

    @property
    def url(self) -> str:
        """The base address."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def texts(self) -> list[str]:
        """Every text that came in to be embedded."""
        return [text for body in self.received for text in body.get("input", ())]

    @property
    def chats(self) -> list[list[str]]:
        """What the messages of each chat said."""
        chats = [body["messages"] for body in self.received if "messages" in body]
        return [[message["content"] for message in messages] for messages in chats]


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.received.append(body)
        self.server.times.append(time.monotonic())
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
        self.server.gate.wait(MAX_SECONDS)
        trouble = self.server.troubles.pop(0) if self.server.troubles else self.server.always
        answer = {"/v1/embeddings": self._embeddings, "/v1/chat/completions": self._chat}.get(self.path)
        if trouble is not None or answer is None:
            trouble = trouble or Trouble(404)
            time.sleep(trouble.delay)
            if trouble.until is not None:
                trouble.until.wait(MAX_SECONDS)
            self._send(trouble.status, trouble.body, trouble.headers)
            return
        self._send(200, json.dumps({**answer(body), "model": body["model"]}).encode())

    def _embeddings(self, body: dict[str, Any]) -> dict[str, Any]:
        data = [
            {"object": "embedding", "index": number, "embedding": embedding(text, self.server.width)}
            for number, text in enumerate(body["input"])
        ]
        # The protocol does not promise an order; the numbers say which is which.
        return {"object": "list", "data": data[::-1]}

    def _chat(self, body: dict[str, Any]) -> dict[str, Any]:
        roles = [message["role"] for message in body["messages"]]
        assert roles == ["system", "user"]
        content = self.server.gist.replace("{number}", str(next(self.server.numbers)))
        message = {"role": "assistant", "content": content}
        return {"object": "chat.completion", "choices": [{"index": 0, "message": message}]}

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        with contextlib.suppress(ConnectionError):
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - the signature is given
        """Keep the test's output clean."""


def embedding(text: str, width: int = WIDTH) -> list[float]:
    """The counts of the text's words, hashed into ``width`` numbers; not of length 1."""
    counts = np.zeros(width)
    for word in text.lower().replace("_", " ").split():
        counts[zlib.crc32(word.encode()) % width] += 3.0
    return [float(count) for count in counts + 0.25]


def embedding_at(endpoint: Endpoint) -> dict[str, Any]:
    """The settings of a server that asks it for vectors."""
    return {"embedder": "openai", "embedderEndpoint": endpoint.url, "embedderModel": "words"}


def count_connections(endpoint: Endpoint) -> int:
    """How many connections this process holds to it."""
    held = psutil.Process().net_connections("tcp")
    return sum(bool(each.raddr) and each.raddr[:2] == endpoint.server_address[:2] for each in held)


def wait_until_asked(endpoint: Endpoint) -> None:
    """Wait until something was asked for: with ``gate`` closed, until an index is half made and stays so."""
    deadline = time.monotonic() + 60
    while not endpoint.received:
        assert time.monotonic() < deadline, "nothing was asked for"
        time.sleep(0.02)


@contextlib.contextmanager
def serving() -> Iterator[Endpoint]:
    """An endpoint that runs until the end of the block."""
    endpoint = Endpoint()
    thread = threading.Thread(target=endpoint.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.shutdown()
        endpoint.server_close()
        thread.join()
