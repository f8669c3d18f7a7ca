"""A small LSP client over standard input and output: enough to ask a server one question."""

from __future__ import annotations

import json
import queue
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from contextls.errors import ContextlsError
from contextls.isolation import child_environment, safe_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_SECONDS_TO_STOP = 10.0

Message = dict[str, Any]


class ServerError(ContextlsError):
    """The server ended, stayed silent for too long, or answered with an error."""


class Client:
    """One conversation with a language server. Not for use from several threads."""

    def __init__(self, process: subprocess.Popen[bytes], log: IO[bytes]) -> None:
        from_server, to_server = process.stdout, process.stdin
        if from_server is None or to_server is None:
            raise ValueError("the server process needs pipes for standard input and output")
        self._process = process
        self._to_server = to_server
        self._log = log
        self._inbox: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._next_id = 0
        self._running: dict[str | int, Message] = {}
        self.on_progress: Callable[[Message], None] = lambda _value: None
        self.finished = 0
        reader = threading.Thread(target=_read_all, args=(from_server, self._inbox), daemon=True)
        reader.start()

    @property
    def busy(self) -> bool:
        """Whether the server has begun work that it has not reported as ended."""
        return bool(self._running)

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def request(self, method: str, params: object, seconds: float = 60.0) -> Any:  # noqa: ANN401 - JSON
        """Send a request and return its result. Raises ``ServerError``."""
        self._next_id += 1
        self._send({"id": self._next_id, "method": method, "params": params})
        deadline = time.monotonic() + seconds
        while True:
            message = self._receive(deadline, f"{method} was not answered within {seconds:.0f} s")
            if "method" not in message and message.get("id") == self._next_id:
                break
            self._handle(message)
        if error := message.get("error"):
            raise ServerError(str(error.get("message", error)))
        return message.get("result")

    def wait_for_progress(self, done: Callable[[], bool], seconds: float) -> bool:
        """Take messages until ``done()``; returns whether that came true within ``seconds``."""
        deadline = time.monotonic() + seconds
        while not done():
            try:
                message = self._receive(deadline, "")
            except TimeoutError:
                return False
            self._handle(message)
        return True

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        try:
            self._to_server.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            self._to_server.flush()
        except OSError:
            raise self._gone() from None

    def _receive(self, deadline: float, late: str) -> Message:
        try:
            message = self._inbox.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise ServerError(late) if late else TimeoutError from None
        if message is None:
            raise self._gone()
        return message

    def _handle(self, message: Message) -> None:
        method, params = message.get("method"), message.get("params") or {}
        if method == "$/progress":
            self._track(params["token"], params["value"])
        elif "id" in message and method is not None:
            answer = [None] * len(params["items"]) if method == "workspace/configuration" else None
            self._send({"id": message["id"], "result": answer})

    def _track(self, token: str | int, value: Message) -> None:
        if value.get("kind") == "end":
            self._running.pop(token, None)
            self.finished += 1
        else:
            self._running[token] = value
            self.on_progress(value)

    def _gone(self) -> ServerError:
        self._process.wait(_SECONDS_TO_STOP)
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").strip().splitlines()
        said = f": {lines[-1]}" if lines else ""
        return ServerError(f"the server ended with status {self._process.returncode}{said}")


@contextmanager
def start_client(command: Sequence[str]) -> Iterator[Client]:
    """Run a server and talk to it; it is shut down in order at the end, or killed when it does not obey.

    ``command`` is one of ``isolation.python_command``; it runs in none of the user's folders.
    """
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(  # noqa: S603 - our own program
            command,
            cwd=safe_folder(),
            env=child_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
        )
        try:
            client = Client(process, log)
            yield client
            client.request("shutdown", None, _SECONDS_TO_STOP)
            client.notify("exit", None)
            process.wait(_SECONDS_TO_STOP)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()


def _read_all(stream: IO[bytes], inbox: queue.SimpleQueue[Message | None]) -> None:
    try:
        while (message := _read_one(stream)) is not None:
            inbox.put(message)
    finally:
        inbox.put(None)


def _read_one(stream: IO[bytes]) -> Message | None:
    length = None
    while line := stream.readline().strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    if length is None:
        return None
    body = stream.read(length)
    return json.loads(body) if len(body) == length else None
