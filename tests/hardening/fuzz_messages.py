"""Messages of the protocol: of every method that the server knows and of some that it does not, most of them wrong."""

from __future__ import annotations

import enum
import json
import random
import re
import typing
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Union, get_args, get_origin

import attrs
from lsprotocol import types
from lsprotocol.converters import get_converter

from contextls.lsp.features import COMMANDS, REQUESTS
from contextls.lsp.server import ContextServer

from ..protocol.test_document import CONTEXT_ID, EXAMPLES, localized
from .hostile_values import PATHS, TEXTS, URIS, Json, hostile, mutated

_CONVERTER = get_converter()
_DEEP = 4
# What ends the session is sent at its end.
_ENDINGS = ("shutdown", "exit")


class Messages:
    """Makes messages about the workspace at ``root``. The same seed gives the same messages."""

    def __init__(self, root: Path, rng: random.Random) -> None:
        self._rng = rng
        self._root = root
        self._examples: dict[str, list[Json]] = {}
        for call, _ in EXAMPLES:
            name = (
                call["params"].get("command")
                if call["method"] == "workspace/executeCommand"
                else call["method"]
            )
            self._examples.setdefault(name, []).append(localized(call["params"], root))
        self._files = [
            (root / name).as_uri() for name in ("shop/cart.py", "shop/invoice.py", "README.md", "none.py")
        ]
        registered = server_methods()
        self._ours = [*REQUESTS, *COMMANDS, *(method for method in registered if method not in REQUESTS)]
        self._others = [method for method in types.METHOD_TO_TYPES if method not in registered]
        self._ids = 0
        self._used: list[Json] = [1]
        self._context_ids = [CONTEXT_ID]
        self._task_ids: list[str] = []

    def next(self) -> Json:
        """One message: a dictionary, anything else that has a JSON form, or bytes that have none."""
        chance = self._rng.random()
        if chance < 0.04:
            return self._broken()
        if chance < 0.08:
            return {
                "jsonrpc": "2.0",
                "method": "$/cancelRequest",
                "params": {"id": self._rng.choice(self._used[-20:])},
            }
        if chance < 0.12:
            return self._unasked_answer()
        method = self._rng.choice(self._ours if self._rng.random() < 0.9 else self._others)
        message: dict[str, Json] = {"jsonrpc": "2.0", "method": method, "params": self._params(method)}
        if method in COMMANDS:
            message["method"] = "workspace/executeCommand"
        if self._rng.random() < (0.15 if _is_notification(method) else 0.93):
            message["id"] = self._id()
        if self._rng.random() < 0.03:
            message = mutated(message, self._rng, 1)
        if isinstance(message, dict) and message.get("method") in _ENDINGS:
            message["method"] = "context/status"
        return message

    def learn(self, result: Json) -> None:
        """Take the ids in an answer, to ask about what is really there."""
        if isinstance(result, dict):
            if "components" in result:
                self._context_ids.append(result["id"])
            if isinstance(result.get("task"), dict):
                self._task_ids.append(result["task"]["id"])

    def _params(self, method: str) -> Json:
        times = self._rng.choice((0, 0, 1, 1, 1, 2, 3, 6))
        if method in self._examples:
            valid = self._rng.choice(self._examples[method])
        elif method in types.METHOD_TO_TYPES:
            valid = self._of_method(method)
        else:
            valid = {}
        if method == "initialize":
            return {"processId": None, "capabilities": self._rng.choice((None, 5, {"window": 5}))}
        if self._rng.random() < 0.03:
            return hostile(self._rng)
        if isinstance(valid, dict) and "contextId" in valid:
            valid = {**valid, "contextId": self._rng.choice(self._context_ids[-5:])}
        if method == "context/task/resume" and self._task_ids:
            valid = {**valid, "id": self._rng.choice(self._task_ids[-5:])}
        params = mutated(valid, self._rng, times)
        return self._without_huge_folders(params) if "Folders" in method else params

    def _without_huge_folders(self, params: Json) -> Json:
        """Not the whole disk: opening a folder above ours is allowed, and indexing it would take hours."""
        text = json.dumps(params)
        above = {parent.as_uri() for parent in self._root.parents}
        return json.loads(
            re.sub(r'"(file:[^"]*)"', lambda uri: '"file:///none"' if uri[1] in above else uri[0], text)
        )

    def _id(self) -> Json:
        chance = self._rng.random()
        if chance < 0.03:
            return self._rng.choice((None, 1.5, True, [], {}, [1], {"id": 1}))
        if chance < 0.06:
            return self._rng.choice(self._used[-20:])
        self._ids += 1
        given: Json = self._ids if chance < 0.8 else f"{self._rng.choice(TEXTS)}-{self._ids}"
        if chance > 0.98:
            given = self._rng.choice((-1, 1)) * (2**53 + self._ids)
        self._used.append(given)
        return given

    def _broken(self) -> Json:
        number = 10**6 + self._ids
        self._ids += 1
        good = {"jsonrpc": "2.0", "id": number, "method": "context/status"}
        return self._rng.choice(
            (
                b"{", b"\xff\xfe", b"null", b"[" * 100_000, b'{"a":' * 5000, b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b"}",
                [good], [], [good, good], 5, "text", {}, {**good, "jsonrpc": "1.0"}, {**good, "jsonrpc": None},
                {**good, "method": None}, {**good, "method": 5}, {**good, "method": ""}, {**good, "method": "\ud800"},
                {**good, "method": "$/unknown"}, {**good, "method": "context/" + "x" * 5000}, {"jsonrpc": "2.0"},
                {"jsonrpc": "2.0", "method": "$/x"}, {**good, "params": 5}, {**good, "params": []}, {**good, "extra": good},
                b'{"jsonrpc":"2.0","id":1,"id":"%d","method":"context/status"}' % number,
            )
        )  # fmt: skip

    def _unasked_answer(self) -> Json:
        answer: dict[str, Json] = {
            "jsonrpc": "2.0",
            "id": self._rng.choice((None, 0, "x", [], {}, 1.5, *self._used[-5:])),
        }
        answer[self._rng.choice(("result", "error", "error", "neither"))] = self._rng.choice(
            (
                None,
                hostile(self._rng),
                {"code": 5, "message": "x"},
                {"code": "x"},
                {"code": 1, "message": None},
            )
        )
        return answer

    # -- parameters of the methods of the Language Server Protocol, from their types

    def _of_method(self, method: str) -> Json:
        kind = types.METHOD_TO_TYPES[method][2]
        return _CONVERTER.unstructure(self._of_type(kind, "params", 0), kind) if kind else None

    def _of_type(self, kind: Any, name: str, depth: int) -> Any:  # noqa: ANN401 - a value of any type
        rng = self._rng
        if get_origin(kind) is Union:
            options = [each for each in get_args(kind) if each is not type(None)]
            optional = len(options) < len(get_args(kind))
            return (
                None
                if optional and (depth > _DEEP or rng.random() < 0.6)
                else self._of_type(rng.choice(options), name, depth)
            )
        if get_origin(kind) is typing.Literal:
            return rng.choice(get_args(kind))
        if isinstance(kind, type) and attrs.has(kind):
            fields = attrs.fields(attrs.resolve_types(kind))
            free = [field for field in fields if field.init and not (field.type is str and field.default)]
            return kind(**{field.name: self._of_type(field.type, field.name, depth + 1) for field in free})
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            return rng.choice(list(kind))
        if get_origin(kind) is tuple:
            return tuple(self._of_type(each, name, depth + 1) for each in get_args(kind) if each is not ...)
        origin = get_origin(kind)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {}
        if isinstance(origin, type) and issubclass(origin, Sequence):
            count = 0 if depth > _DEEP else rng.randrange(3)
            return [self._of_type(get_args(kind)[0], name, depth + 1) for _ in range(count)]
        return self._simple(kind, name)

    def _simple(self, kind: object, name: str) -> Json:
        rng = self._rng
        if kind is str:
            if name.endswith("uri"):
                return rng.choice((*self._files, *self._files, rng.choice(URIS)))
            return rng.choice(
                ("cart", "def discount(x):\n    return 1\n", "python", rng.choice(TEXTS), rng.choice(PATHS))
            )
        if kind is bool:
            return rng.random() < 0.5
        if kind is int:
            return rng.randrange(5)
        if kind is float:
            return rng.random()
        return rng.choice((None, 5, "x", {"a": [1]}))


def server_methods() -> set[str]:
    """Every method that a server answers or listens to, pygls's own included, but those that end a session."""
    manager = ContextServer().protocol.fm
    return {*manager.features, *manager.builtin_features} - set(_ENDINGS)


def encoded(message: Json) -> bytes:
    """What goes over the wire for a message."""
    return message if isinstance(message, bytes) else json.dumps(message).encode()


def _is_notification(method: str) -> bool:
    known = types.METHOD_TO_TYPES.get(method)
    return known is not None and known[1] is None


def messages(root: Path, seed: int) -> Iterator[Json]:
    """Messages without end."""
    maker = Messages(root, random.Random(seed))  # noqa: S311 - the same ones at every run
    while True:
        yield maker.next()
