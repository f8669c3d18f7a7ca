"""The LSP client of all tests: it keeps every message as it came, and sends whatever it is told to, broken or not.

No library's client does that: those hide what they read behind types, and refuse to write what no client should.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

Json = Any  # whatever JSON can hold; also what it cannot, to see what becomes of that
SECONDS = 60.0
SERVER = (sys.executable, "-m", "contextls.lsp")


def span(start: tuple[int, int], end: tuple[int, int]) -> dict[str, Any]:
    """A range of the protocol."""
    return {
        "start": {"line": start[0], "character": start[1]},
        "end": {"line": end[0], "character": end[1]},
    }


def until(condition: Callable[[], bool], seconds: float = SECONDS) -> None:
    """Wait until ``condition`` holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


class WireError(Exception):
    """An error response."""

    def __init__(self, error: Mapping[str, Any], logged: str = "") -> None:
        """``logged`` is what the server said of it; it stands in no answer."""
        super().__init__(f"{error.get('message')}\n{logged}" if logged else error.get("message"))
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.data: Json = error.get("data")


class Wire:
    """One server process and the messages from and to it."""

    def __init__(
        self, command: Sequence[str] = SERVER, env: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})},
        )
        self.received: list[dict[str, Any]] = []
        self.answers: dict[str, Callable[[Any], Any]] = {
            "workspace/configuration": lambda params: [None] * len(params["items"]),
            "window/showDocument": lambda _params: {"success": True},
        }
        self.unanswered: set[str] = set()  # methods that this client never answers
        self.root = Path()
        self.documents: set[str] = set()  # those that were opened
        self.log = bytearray()
        self._news = threading.Condition()
        self._next_id = 0
        self._outgoing: queue.Queue[bytes | None] = queue.Queue()
        self._log_reader = threading.Thread(target=self._read_log, daemon=True)
        self._log_reader.start()
        for work in (self._read, self._write):
            threading.Thread(target=work, daemon=True).start()

    # -- sending

    def put(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._outgoing.put(data)

    def raw(self, body: bytes) -> None:
        """Send bytes as the body of a message."""
        self.put(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def message(self, message: Json) -> None:
        self.raw(json.dumps(message).encode())

    def notify(self, method: str, params: Json = None) -> None:
        message = {"jsonrpc": "2.0", "method": method}
        self.message(message if params is None else {**message, "params": params})

    def send(self, method: str, params: Json = None) -> int:
        """Send a request without waiting; its id."""
        self._next_id += 1
        message = {"jsonrpc": "2.0", "id": self._next_id, "method": method}
        self.message(message if params is None else {**message, "params": params})
        return self._next_id

    # -- receiving

    def _logged(self, error: Mapping[str, Any]) -> str:
        """For an internal error, what the server logged of it."""
        if error["code"] != -32603:
            return ""
        time.sleep(0.5)
        return self.log.decode("utf-8", "replace")[-4000:]

    def answer(self, msg_id: object, seconds: float = SECONDS) -> Json:
        """The result of a request. Raises ``WireError`` for an error response."""
        message = self.wait(lambda each: "method" not in each and each.get("id") == msg_id, seconds)
        if "error" in message:
            raise WireError(message["error"], self._logged(message["error"]))
        return message["result"]

    def request(self, method: str, params: Json = None, seconds: float = SECONDS) -> Json:
        return self.answer(self.send(method, params), seconds)

    def wait(
        self, wanted: Callable[[dict[str, Any]], bool], seconds: float = SECONDS, after: int = 0
    ) -> dict[str, Any]:
        """The first message after number ``after`` that is ``wanted``."""
        deadline = time.monotonic() + seconds
        with self._news:
            while True:
                for message in self.received[after:]:
                    if wanted(message):
                        return message
                left = deadline - time.monotonic()
                if left <= 0 or (self.process.poll() is not None and not self._news.wait(1.0)):
                    said = self.log.decode(errors="replace")[-3000:]
                    raise TimeoutError(
                        f"no such message; exit {self.process.poll()}; the server said:\n{said}"
                    )
                self._news.wait(min(left, 0.5))

    def calls(self, method: str) -> list[Any]:
        """The parameters of all calls from the server of one method so far."""
        with self._news:
            return [each.get("params") for each in self.received if each.get("method") == method]

    # -- life

    def initialize(
        self,
        *roots: Path,
        capabilities: Mapping[str, Any] | None = None,
        options: object = None,
        process_id: int | None = None,
    ) -> dict[str, Any]:
        """Open a session on these folders; the answer of ``initialize``."""
        self.root = roots[0] if roots else Path()
        result: dict[str, Any] = self.request(
            "initialize",
            {
                "processId": process_id,
                "rootUri": None,
                "capabilities": capabilities or {},
                "workspaceFolders": [{"uri": root.as_uri(), "name": root.name} for root in roots] or None,
                "initializationOptions": options,
            },
        )
        self.notify("initialized", {})
        return result

    def move_folders(self, *, added: Sequence[Path] = (), removed: Sequence[Path] = ()) -> None:
        """Open and close folders in the session, as a user does."""
        event = {
            kind: [{"uri": root.as_uri(), "name": root.name} for root in roots]
            for kind, roots in (("added", added), ("removed", removed))
        }
        self.notify("workspace/didChangeWorkspaceFolders", {"event": event})

    def ready(self, root: Path | None = None, seconds: float = SECONDS) -> dict[str, Any]:
        """Wait until the workspace is indexed; its status."""
        deadline = time.monotonic() + seconds
        params = {"rootUri": root.as_uri()} if root else {}
        while True:
            status: dict[str, Any] = self.request("context/status", params)
            if status["state"] == "ready":
                return status
            assert time.monotonic() < deadline, f"not ready: {status}"
            time.sleep(0.05)

    def assemble(self, query: str, **params: Json) -> dict[str, Any]:
        context: dict[str, Any] = self.request("context/assemble", {"query": query, **params})
        return context

    def end(self) -> int:
        """Shut down and exit as a client should; the exit status."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(60)

    def whole_log(self) -> str:
        """All that a server has logged that has ended; its last lines may come after its end."""
        self._log_reader.join(60)
        return self.log.decode("utf-8", "replace")

    def wait_for_log(self, text: str) -> str:
        """Wait until the server has logged ``text``; what it has logged so far."""
        deadline = time.monotonic() + SECONDS
        while text not in (said := self.log.decode("utf-8", "replace")):
            assert time.monotonic() < deadline, f"{text!r} is not in the log:\n{said}"
            time.sleep(0.02)
        return said

    def kill(self) -> None:
        """End the process whatever state it is in."""
        self._outgoing.put(None)
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(60)

    def close_input(self) -> None:
        """What the server sees when its client is gone."""
        self._outgoing.put(None)

    # -- documents

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def open(self, name: str, text: str | None = None, language: str = "python") -> str:
        uri = self.uri(name)
        content = (self.root / name).read_text(encoding="utf-8") if text is None else text
        item = {"uri": uri, "languageId": language, "version": 1, "text": content}
        self.notify("textDocument/didOpen", {"textDocument": item})
        self.documents.add(uri)
        return uri

    def change(self, uri: str, *changes: Mapping[str, Any], version: int = 2) -> None:
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)}
        self.notify("textDocument/didChange", params)

    def save(self, uri: str) -> None:
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.documents.discard(uri)

    # -- threads

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline()).strip():
                name, _, value = line.partition(b":")
                assert name in (b"Content-Length", b"Content-Type"), f"not the protocol: {line!r}"
                if name == b"Content-Length":
                    length = int(value)
            if not line:
                return
            message = json.loads(stream.read(length))
            with self._news:
                self.received.append(message)
                self._news.notify_all()
            if "method" in message and "id" in message and message["method"] not in self.unanswered:
                self._answer(message)

    def _answer(self, call: Mapping[str, Any]) -> None:
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": call["id"]}
        try:
            handler = self.answers.get(call["method"])
            answer["result"] = handler(call.get("params")) if handler else None
        except WireError as error:
            answer["error"] = {"code": error.code, "message": error.message}
        self.message(answer)

    def _write(self) -> None:
        stream = self.process.stdin
        assert stream is not None
        while (data := self._outgoing.get()) is not None:
            try:
                stream.write(data)
                stream.flush()
            except OSError:
                return
        stream.close()

    def _read_log(self) -> None:
        stream = self.process.stderr
        assert stream is not None
        for line in stream:
            self.log.extend(line)
