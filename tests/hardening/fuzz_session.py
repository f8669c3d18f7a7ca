"""One session of a client that sends anything: what was sent, and what every message is owed."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..protocol.wire import Wire
from .fuzz_messages import Messages, encoded
from .hostile_values import Json, shake_disk

INTERNAL_ERROR = -32603
_TOGETHER = 24  # so many requests wait for their answers at most; a server may refuse more
_SECONDS = 60.0
_SHOWN, _SHOWN_OF_LOG = 300, 4000  # characters of a message, and of the server's log, in a report
_LIFE_PERCENT = 4  # of the messages come before ``initialize``, and as many after ``shutdown``


@dataclass
class Session:
    """A server, the messages to it, and the answers that they are owed.

    Every message with a method and a readable id is owed one answer with that id, so that an id that is used twice
    is owed two; what cannot be read as a message is owed one answer with the id null; all else is owed none.
    """

    wire: Wire
    root: Path
    seed: int
    owed: Counter[str] = field(default_factory=Counter)
    given: Counter[str] = field(default_factory=Counter)
    sent: dict[str, list[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    _read: int = 0
    _own: int = 0
    _given_up: int = 0
    _results: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._rng = random.Random(self.seed)  # noqa: S311 - the same session at every run
        self._messages = Messages(self.root, self._rng)
        self.wire.answers["workspace/configuration"] = lambda _params: [{"maxTokens": "many"}]

    def run(self, count: int) -> None:
        """Send ``count`` messages: some too early, most in time, some too late. Ends the server."""
        edge = max(1, count * _LIFE_PERCENT // 100)
        self._send_some(edge)
        self._settle()
        capabilities = {"workspace": {"configuration": True}, "window": {"workDoneProgress": True}}
        self._request(
            "initialize", {"processId": None, "capabilities": capabilities, "rootUri": self.root.as_uri()}
        )
        self.wire.notify("initialized", {})
        self._send_some(count - 2 * edge)
        self._settle()
        self._ask_something_real()
        self._request("shutdown", None)
        self._send_some(edge)
        self._settle()
        self.wire.notify("exit")

    def problems(self) -> list[str]:
        """What was not as it must be, with the messages that were answered so."""
        unequal = [key for key in self.owed.keys() | self.given.keys() if self.owed[key] != self.given[key]]
        return self.wrong + [
            f"id {key}: owed {self.owed[key]}, given {self.given[key]}: {self.sent.get(key)}"
            for key in unequal
        ]

    def _send_some(self, count: int) -> None:
        for _ in range(count):
            message = self._messages.next()
            body = encoded(message)
            key = owed_to(body)
            if key is not None:
                self.owed[key] += 1
                self.sent.setdefault(key, []).append(body[:2000].decode(errors="replace"))
            self.wire.raw(body)
            if self._rng.random() < 0.02:
                shake_disk(self.root, self._rng)
            self._take_answers()
            if self._waiting() > _TOGETHER:
                self._settle(_TOGETHER // 2)

    def _settle(self, most: int = 0) -> None:
        """Wait until at most so many answers are still owed; what nobody answers for long is given up."""
        deadline = time.monotonic() + _SECONDS
        while self._waiting() > most and self.wire.process.poll() is None:
            time.sleep(0.002)
            if self._take_answers():
                deadline = time.monotonic() + _SECONDS
            elif time.monotonic() > deadline:
                self._given_up += self._waiting()
        assert self.wire.process.poll() is None, (
            f"the server ended: {self.wire.log.decode(errors='replace')[-3000:]}"
        )

    def _waiting(self) -> int:
        return self.owed.total() - self.given.total() - self._given_up

    def _take_answers(self) -> int:
        received, before = self.wire.received, self.given.total()
        while self._read < len(received):
            message = received[self._read]
            self._read += 1
            if "method" not in message:
                self._take(message)
        return self.given.total() - before

    def _take(self, answer: dict[str, Any]) -> None:
        key = json.dumps(answer.get("id"))
        self.given[key] += 1
        self._messages.learn(answer.get("result"))
        self._results[key] = answer
        error = answer.get("error")
        if ("result" in answer) == (error is not None):
            self.wrong.append(f"neither a result nor an error, or both: {answer}")
        if error is None:
            return
        if type(error.get("code")) is not int or not isinstance(error.get("message"), str):
            self.wrong.append(f"not an error of the protocol: {answer}")
        if error.get("code") == INTERNAL_ERROR:
            sent = [text[:_SHOWN] for text in self.sent.get(key, ())]
            log = bytes(self.wire.log[-_SHOWN_OF_LOG:]).decode(errors="replace")
            self.wrong.append(f"internal error {error}: {sent}\nserver: {log}")

    def _request(self, method: str, params: Json) -> Json:
        """Ask as a sane client does; the result."""
        self._own += 1
        key = json.dumps(f"own {self._own}")
        self.owed[key] += 1
        self.wire.message({"jsonrpc": "2.0", "id": f"own {self._own}", "method": method, "params": params})
        deadline = time.monotonic() + _SECONDS
        while key not in self._results and time.monotonic() < deadline:
            time.sleep(0.002)
            self._take_answers()
        answer = self._results[key]
        assert "result" in answer, answer
        return answer["result"]

    def _ask_something_real(self) -> None:
        """Whatever was sent before: a sane client gets a sane answer."""
        for name in (".contextlsignore", ".context/working-set.yml"):
            (self.root / name).unlink(missing_ok=True)
        file = self.root / "last_question.py"
        file.write_text('def answer_to_everything():\n    """The last question."""\n    return 42\n')
        uri = self.root.as_uri()
        added = {"added": [{"uri": uri, "name": "shop"}], "removed": []}
        self.wire.notify("workspace/didChangeWorkspaceFolders", {"event": added})
        self.wire.notify("workspace/didChangeConfiguration", {"settings": {"contextls": {}}})
        self.wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": file.as_uri(), "type": 1}]})
        self._request("context/scope", {"scope": [], "rootUri": uri})
        asked = {"query": "answer_to_everything", "rootUri": uri}
        deadline = time.monotonic() + _SECONDS
        while not self._request("context/search", asked)["hits"]:
            assert time.monotonic() < deadline, (
                f"never found: {self._request('context/status', {'rootUri': uri})}"
            )
            time.sleep(0.1)
        assert "answer_to_everything" in self._request("context/assemble", asked)["content"]


def owed_to(body: bytes) -> str | None:
    """The id, as JSON, of the answer that a message is owed; ``None`` where it is owed none."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return "null"
    if not isinstance(message, dict):
        return "null"
    given = message.get("id")
    readable = isinstance(given, str) or type(given) is int
    key = json.dumps(given) if readable else "null"
    if message.get("jsonrpc") != "2.0":
        return key
    if "method" not in message:
        return None if "id" in message else "null"
    if not isinstance(message["method"], str) or "id" in message:
        return key
    return None
