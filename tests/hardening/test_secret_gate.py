"""Secrets planted in every field, name and option."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from contextls.lsp.features import COMMANDS, REQUESTS

from ..protocol.wire import Json, Wire
from ..repositories import git
from .planted import (
    AWS,
    GITHUB,
    fields_of,
    hostile_workspace,
    planted,
    secret,
    secrets_in,
    secrets_on_disk,
    standard_params,
    values,
)

# A valid call of each method that has required fields; the fields themselves are asked of the server.
EXAMPLES: dict[str, Json] = {
    "context/assemble": {"query": "what is plain?", "maxTokens": 800},
    "context/update": {"contextId": "context-0", "event": {"type": "note", "content": {"text": "x"}}},
    "context/compress": {"text": "def f():\n    return 1\n", "maxTokens": 50},
    "context/countTokens": {"text": "x"},
    "context/search": {"query": "plain"},
    "context/recordEvent": {"type": "note", "content": {"text": "x"}},
    "context/fileStatus": {"textDocument": {"uri": "file:///x"}},
    "context/graph": {"name": "plain.py"},
    "context/feedback": {"source": "plain.py:1-2", "helpful": True},
    "context/task/push": {"goal": "x"},
    "context/task/resume": {"id": "task-1"},
    "context/conversation/configure": {"conversationId": "chat-1"},
    "context/conversation/append": {"conversationId": "chat-1", "author": "human", "content": "x"},
    "context/conversation/branch": {"conversationId": "chat-1", "nodeId": "node-1"},
    "context/conversation/path": {"conversationId": "chat-1"},
    "context/conversation/tree": {"conversationId": "chat-1"},
    "context/conversation/history": {"conversationId": "chat-1"},
    "context/conversation/exclude": {"conversationId": "chat-1", "nodeId": "node-1"},
    "context/conversation/include": {"conversationId": "chat-1", "nodeId": "node-1"},
    "context/conversation/pin": {"conversationId": "chat-1", "nodeId": "node-1"},
    "context/conversation/prune": {"conversationId": "chat-1", "nodeId": "node-1"},
    "context/conversation/edit": {"conversationId": "chat-1", "nodeId": "node-1", "content": "x"},
    "context/conversation/compact": {"conversationId": "chat-1"},
    "context/conversation/result": {"conversationId": "chat-1"},
    "context/conversation/results": {"conversationId": "chat-1"},
    "context/conversation/import": {"content": '[{"role": "user", "content": "x"}]'},
    "context/conversation/export": {"conversationId": "chat-1"},
    "context/conversation/delete": {"conversationId": "chat-1"},
    "context/workingSet/pin": {"path": "plain.py"},
    "context/workingSet/unpin": {"path": "plain.py"},
    "context/workingSet/exclude": {"path": "plain.py"},
    "context/workingSet/include": {"path": "plain.py"},
    "context/workingSet/update": {
        "updates": [{"action": "add_to_working_set", "path": "plain.py", "why": "x"}]
    },
    "context/workingSet/undo": {"id": "update-1"},
    "context/didFocus": {"uri": "file:///x"},
    "context/didChangeDiagnostics": {"uri": "file:///x", "diagnostics": []},
}
EVENTS: dict[str, Json] = {
    "shell_exec": {"command": "make", "exitCode": 1, "stdout": "", "stderr": "", "cwd": ".", "durationMs": 5},
    "error": {"message": "m", "stack": "s", "source": "s", "code": "c", "command": "c", "test": "t"},
    "diagnostic": {"message": "m", "source": "s", "code": "c", "severity": "error", "state": "appeared"},
    "git_checkout": {"from": "a", "to": "b", "branch": "c", "action": "d"},
    "git_commit": {"commit": "0" * 40, "subject": "s", "branch": "b", "paths": ["plain.py"]},
    "git_stash": {"subject": "s", "action": "a"},
    "git_rebase": {"onto": "o", "branch": "b"},
    "file_edit": {"path": "plain.py", "summary": "s", "symbols": ["plain"], "added": 1, "removed": 1},
    "file_rename": {"path": "plain.py", "from": "x.py"},
    "files_changed": {"count": 2, "paths": ["plain.py"]},
    "file_read": {"path": "plain.py"},
    "note": {"text": "x"},
    "working_set": {
        "action": "undo",
        "by": "model",
        "path": "plain.py",
        "target": "t",
        "why": "w",
        "reason": "r",
    },
    "chat": {"role": "user", "content": {"parts": ["x"]}},
}
# Messages that would end the conversation, or begin another.
LAST = {"exit", "shutdown", "initialize", "initialized"}


class Attacked:
    """A server on the hostile workspace, started inside of it, with state of its own."""

    def __init__(self, folder: Path) -> None:
        self.root = hostile_workspace(folder)
        self.home = folder / "home"
        self._known: set[bytes] = set()
        self._read_messages = 0
        self._read_log = 0
        before = Path.cwd()
        os.chdir(self.root)
        try:
            self.wire = Wire(env={"CONTEXTLS_HOME": str(self.home), "CONTEXTLS_LOG": "DEBUG"})
        finally:
            os.chdir(before)
        ours = {"contextls": {"didChangeMemory": True}}
        window = {"workDoneProgress": True, "showDocument": {"support": True}}
        document: Json = {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}
        self.wire.initialize(
            self.root,
            capabilities={"experimental": ours, "window": window, "textDocument": document},
            options={
                secret(): secret(),
                "ignore": [f"{secret()}/"],
                "tokenizer": "o200k_base",
                "readSeconds": 0.01,
            },
        )
        self.wire.ready(self.root)

    def leaks(self) -> dict[str, set[bytes]]:
        """Where secrets can be found now that were in none of these places before; the workspace's own files aside."""
        found = {name: fresh for name, all_ in self._found().items() if (fresh := all_ - self._known)}
        self._known.update(*found.values())
        return found

    def _found(self) -> dict[str, set[bytes]]:
        """Where secrets are on the disk, and where in what the server said since this was last asked."""
        found = secrets_on_disk(self.home)
        answers: set[bytes] = set()
        fresh = self.wire.received[self._read_messages :]
        self._read_messages += len(fresh)
        for message in fresh:
            # Two things are the client's own and given back as they came: the id of a request, a progress token.
            shown = {name: value for name, value in message.items() if name != "id"}
            if shown.get("method") == "$/progress":
                shown["params"] = shown["params"]["value"]
            said = json.dumps(shown, ensure_ascii=False).encode("utf-8", "surrogatepass")
            answers |= secrets_in(said)
        logged = bytes(self.wire.log[self._read_log :])
        self._read_log += logged.rfind(b"\n") + 1
        log = secrets_in(logged)
        found |= {name: leaked for name, leaked in (("answers", answers), ("log", log)) if leaked}
        return found


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    attacked = Attacked(tmp_path_factory.mktemp("gate"))
    yield attacked
    attacked.wire.kill()


def settled(attacked: Attacked) -> dict[str, set[bytes]]:
    """What leaked, once everything that was sent has been handled."""
    wire = attacked.wire
    here = {"rootUri": attacked.root.as_uri()}
    wire.request("context/recordEvent", {"type": "note", "content": {"text": "the end"}, **here})
    wire.request("workspace/executeCommand", {"command": "contextls.reindex", "arguments": [here]})
    for memory in ("events", "entities", "patterns"):
        wire.request(f"context/{memory}", {"limit": 500, **here})
    wire.request("context/task/list", here)
    assert wire.process.poll() is None
    return attacked.leaks()


def test_a_hostile_workspace_gives_nothing_away_when_it_is_opened(attacked: Attacked) -> None:
    git(attacked.root, "checkout", "-q", "-b", f"again-{secret()}")
    attacked.wire.assemble(f"what does {secret()} do in plain.py?")
    assert settled(attacked) == {}


@pytest.mark.parametrize("method", sorted(REQUESTS))
def test_no_field_of_a_request_lets_a_secret_through(attacked: Attacked, method: str) -> None:
    example = EXAMPLES.get(method, {})
    places = fields_of(attacked.wire, method, example)
    sent = [
        attacked.wire.send(method, planted(example, place, value))
        for place in places
        for kind in (GITHUB, AWS)
        for value in values(attacked.root, secret(kind))
    ]
    sent.append(attacked.wire.send(method, {secret(): secret()}))
    sent.append(attacked.wire.send(method, secret()))
    for number in sent:
        attacked.wire.wait(lambda each, number=number: each.get("id") == number)  # type: ignore[misc]
    assert settled(attacked) == {}


@pytest.mark.parametrize("kind", sorted(EVENTS))
def test_no_field_of_an_event_lets_a_secret_through(attacked: Attacked, kind: str) -> None:
    for name in EVENTS[kind]:
        for value in values(attacked.root, secret()):
            content = {**EVENTS[kind], name: value}
            attacked.wire.send(
                "context/recordEvent", {"type": kind, "content": content, "sessionId": secret()}
            )
    attacked.wire.send("context/recordEvent", {"type": secret(), "content": {secret(): secret()}})
    attacked.wire.send("context/recordEvent", {"type": kind, "content": {**EVENTS[kind], secret(): 1}})
    assert settled(attacked) == {}


def test_no_command_lets_a_secret_through(attacked: Attacked) -> None:
    uri = (attacked.root / "plain.py").as_uri()
    for command in (*COMMANDS, secret()):
        for name in ("query", "uri", "rootUri", "rebuild", "maxTokens", secret()):
            for value in values(attacked.root, secret()):
                arguments = [{"query": f"plain {secret()}", "uri": uri, name: value}]
                attacked.wire.send("workspace/executeCommand", {"command": command, "arguments": arguments})
    attacked.wire.request(
        "workspace/executeCommand", {"command": "contextls.copyContext", "arguments": [{"query": secret()}]}
    )
    assert settled(attacked) == {}


def test_no_standard_message_lets_a_secret_through(attacked: Attacked) -> None:
    from contextls.lsp.server import ContextServer

    features = ContextServer().protocol.fm
    methods = (
        {*features.features, *features.builtin_features, "$/cancelRequest", "$/logTrace"}
        - LAST
        - REQUESTS.keys()
    )
    assert len(methods) >= 12
    for method in sorted(methods):
        for names_file in (False, True):
            params = standard_params(method, attacked.root, secret(), names_file=names_file)
            attacked.wire.notify(method, params)
            attacked.wire.send(method, params)
    assert settled(attacked) == {}


def test_no_unknown_message_lets_a_secret_through(attacked: Attacked) -> None:
    wire = attacked.wire
    for method in (secret(), f"context/{secret()}", f"$/{secret()}", f"textDocument/{secret()}"):
        wire.notify(method, {secret(): secret()})
        wire.send(method, [secret()])
    for body in (
        {"jsonrpc": secret(), "id": 1},
        {"jsonrpc": "2.0", "id": secret(), "result": {secret(): secret()}},
        {"jsonrpc": "2.0", "id": secret(), "error": {"code": 1, "message": secret(), "data": secret()}},
        {"jsonrpc": "2.0", "id": secret(), "method": "context/assemble", "params": {"query": secret()}},
        {"jsonrpc": "2.0", "id": secret(), "method": "context/status", secret(): secret()},
        {"jsonrpc": "2.0", "id": {secret(): 1}, "method": secret()},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": secret()}},
        {"jsonrpc": "2.0", "method": "$/setTrace", "params": {"value": secret()}},
        secret(),
        [secret()],
    ):
        wire.message(body)
    wire.raw(secret().encode())
    wire.put(f"{secret()}: {secret()}\r\nContent-Length: {secret()}\r\n\r\n".encode())
    for settings_ in (
        {secret(): secret()},
        {"ignore": secret()},
        {"record": [secret()]},
        {"embedder": secret()},
    ):
        wire.notify("workspace/didChangeConfiguration", {"settings": {"contextls": settings_}})
    wire.notify("workspace/didChangeConfiguration", {"settings": {"contextls": {}}})
    assert settled(attacked) == {}


def test_no_document_lets_a_secret_through(attacked: Attacked) -> None:
    """Code actions speak of what stands in the text, and their titles and questions are cut to fit a menu."""
    wire = attacked.wire
    wire.root = attacked.root
    for blanks in range(0, 64, 3):
        token = secret()
        text = f"{'x' * blanks} {token}\npassword = '{secret()}'\n"
        uri = wire.open("plain.py", text)
        line = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": blanks + 41}}
        here = {"start": {"line": 0, "character": blanks + 9}, "end": {"line": 0, "character": blanks + 9}}
        problems = [
            {
                "range": line,
                "message": f"{'y' * blanks} {secret()} is wrong",
                "severity": 1,
                "source": secret(),
                "code": secret(),
            },
            {"range": line, "message": "another", "severity": 1},
        ]
        for span in (line, here):
            params = {"textDocument": {"uri": uri}, "range": span, "context": {"diagnostics": problems}}
            for action in wire.request("textDocument/codeAction", params):
                command = action["command"]
                wire.send(
                    "workspace/executeCommand",
                    {"command": command["command"], "arguments": command["arguments"]},
                )
        wire.change(uri, {"text": text.replace("x", "z")})
        wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert settled(attacked) == {}


AFTER = ("", " ", "\n", '"', "'", "/", "=", ": ", "(", ")", ",", "\t", "\r\n", "“", "é ", "\x1b[0m ")
BEFORE = (*AFTER, "token=")  # behind a secret it would be one more part of it


@settings(max_examples=25, phases=(Phase.explicit, Phase.generate))
@given(
    st.sampled_from(sorted(EXAMPLES)),
    st.sampled_from(BEFORE),
    st.sampled_from(AFTER),
    st.sampled_from([GITHUB, AWS]),
    st.data(),
)
def test_whatever_stands_around_it(
    attacked: Attacked, method: str, before: str, after: str, kind: str, data: st.DataObject
) -> None:
    example = EXAMPLES[method]
    name = data.draw(st.sampled_from(sorted(example)))
    value = f"{before}{secret(kind)}{after}"
    number = attacked.wire.send(
        method, {**example, name: data.draw(st.sampled_from([value, [value], {value: value}]))}
    )
    attacked.wire.wait(lambda each: each.get("id") == number)
    assert attacked.leaks() == {}
