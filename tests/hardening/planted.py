"""Secrets that are put everywhere, and what of them can be found afterwards."""

from __future__ import annotations

import copy
import hashlib
import itertools
import json
import re
import types as python_types
import typing
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Union

import attrs
from lsprotocol import types

from ..protocol.wire import Json, Wire, WireError
from ..repositories import git

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_NUMBERS = itertools.count()
# Put together here, so that this file holds none itself. Half of one is a leak as well.
GITHUB, AWS = "gh" + "p_", "AK" + "IA"
FOUND = re.compile(rf"({GITHUB}[A-Za-z0-9]{{12,}}|{AWS}[A-Z0-9]{{9,}})".encode(), re.IGNORECASE)
UNKNOWN = "noSuchField"


def secret(kind: str = GITHUB) -> str:
    """A new secret, random to look at and the same in every run."""
    number = next(_NUMBERS)
    digest = hashlib.sha512(f"planted {number}".encode()).digest()
    if kind == AWS:
        return AWS + "".join((_LETTERS[:26] + "234567")[byte % 32] for byte in digest[:16])
    return GITHUB + "".join(_LETTERS[byte % 62] for byte in digest[:36])


def secrets_in(data: bytes) -> set[bytes]:
    """Secrets, whole or at least a third of one."""
    return set(FOUND.findall(data))


def secrets_on_disk(folder: Path) -> dict[str, set[bytes]]:
    """By file below ``folder``: what its content and its name give away."""
    found: dict[str, set[bytes]] = {}
    for path in sorted(folder.rglob("*")):
        inside = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        name = str(path.relative_to(folder))
        if leaked := secrets_in(inside) | secrets_in(name.encode("utf-8", "surrogateescape")):
            found[name] = leaked
    return found


def hostile_workspace(parent: Path) -> Path:
    """A repository with a secret in every name that it has, beginning with its own."""
    root = parent / f"shop {secret()}"
    root.mkdir()
    (root / "plain.py").write_text('def plain() -> int:\n    """Nothing special."""\n    return 1\n')
    for token in (secret(), secret(AWS)):
        (root / f"{token}.py").write_text(f'def use():\n    return "{secret()}"\n')
        (root / f"dir-{token}").mkdir()
        (root / f"dir-{token}" / "inner.py").write_text("def inner():\n    return 2\n")
        (root / f"sub.{token}.d" / "deep").mkdir(parents=True)
        (root / f"sub.{token}.d" / "deep" / "x.go").write_text("package x\nfunc X() {}\n")
    names = {"name": secret(), "version": secret(), "dependencies": {secret(): secret()}}
    (root / "package.json").write_text(json.dumps(names))
    (root / "pyproject.toml").write_text(
        f'[project]\nname = "{secret()}"\ndependencies = ["{secret()}>=1"]\n'
    )
    (root / ".gitignore").write_text(f"{secret()}/\n")
    (root / ".context").mkdir()
    (root / ".context/working-set.yml").write_text(
        f"files:\n  - path: {secret()}.py\nexclude:\n  - {secret()}/\n"
    )
    git(root, "init", "-q")
    for number in range(3):
        (root / "plain.py").open("a").write(f"\n\ndef more{number}() -> str:\n    return '{secret()}'\n")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", f"Use {secret()} in {number}", author=f"Ann {secret()}")
    git(root, "checkout", "-q", "-b", f"try-{secret()}")
    return root


# -- the fields of our own methods, as the server itself tells them


def fields_of(wire: Wire, method: str, example: Json) -> list[tuple[str | int, ...]]:
    """The path of every field of ``method`` at any depth: an unknown field makes the server name those that it knows."""
    found: list[tuple[str | int, ...]] = []
    waiting: list[tuple[str | int, ...]] = [()]
    while waiting:
        at = waiting.pop()
        for name in _known(wire, method, example, at):
            place = (*at, name)
            found.append(place)
            if len(place) < 6:
                waiting.extend([place, (*place, 0)])
    return found


def _known(wire: Wire, method: str, example: Json, at: tuple[str | int, ...]) -> Sequence[str]:
    params = {UNKNOWN: 1} if not at else planted(example, at, {UNKNOWN: 1})
    try:
        wire.request(method, params)
    except WireError as error:
        data = error.data if isinstance(error.data, dict) else {}
        if str(data.get("field", "")).endswith(UNKNOWN):
            return str(data["expected"]).removeprefix("one of the fields ").split(", ")
    return ()


def planted(example: Json, at: tuple[str | int, ...], value: Json) -> Json:
    """``example`` with ``value`` at a path; what is missing on the way is made, what is in the way gives way."""
    whole = copy.deepcopy(example) if isinstance(example, dict) else {}
    here: Any = whole
    for step, following in itertools.pairwise(at):
        fresh: Json = [] if isinstance(following, int) else {}
        if isinstance(step, int):
            here[:] = [fresh]
        elif not isinstance(here.get(step), type(fresh)):
            here[step] = fresh
        here = here[step]
    if isinstance(at[-1], int):
        here[:] = [value]
    else:
        here[at[-1]] = value
    return whole


def values(root: Path, token: str) -> Iterator[Json]:
    """What may stand in a field, with ``token`` in it."""
    yield token
    yield f"why does {token} fail\n\tin {token}?"
    yield {token: token, "text": f"password={token}"}
    yield [token, [f"x{{{token}}}"]]
    yield (root / f"{token}.py").as_uri()
    yield (root / "plain.py").as_uri() + f"?{token}#{token}"
    yield f"{token}/{token}.py:1-2"


# -- the parameters of the standard's methods, from its own types


def standard_params(method: str, root: Path, token: str, *, names_file: bool) -> Json:
    """Parameters with ``token`` in every string; ``None`` for a method that has none or is not known."""
    known = types.METHOD_TO_TYPES.get(method)
    if known is None or known[2] is None:
        return None
    uri = (root / f"{token}.py").as_uri() if names_file else (root / "plain.py").as_uri()
    return _made(known[2], token, uri, 0)


def _made(kind: Any, token: str, uri: str, depth: int) -> Json:  # noqa: ANN401 - any type
    kind = getattr(kind, "__supertype__", kind)
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (Union, python_types.UnionType):
        parts = [part for part in inner if part is not type(None)]
        chosen = next((part for part in parts if attrs.has(part)), str if str in parts else parts[0])
        return _made(chosen, token, uri, depth)
    if origin is typing.Literal:
        return inner[0]
    if origin is not None and issubclass(origin, Mapping):
        return {token: token}
    if origin is not None and issubclass(origin, Sequence):
        return [_made(inner[0], token, uri, depth + 1)]
    if isinstance(kind, type) and attrs.has(kind):
        return _made_object(kind, token, uri, depth)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind)).value
    simple: Mapping[Any, Json] = {int: 0, float: 0.5, bool: True, type(None): None, object: {token: token}}
    return simple.get(kind, token)


def _made_object(kind: Any, token: str, uri: str, depth: int) -> Json:  # noqa: ANN401 - a class
    resolved = attrs.fields(attrs.resolve_types(kind, vars(types), vars(types)))
    made = {}
    for field in resolved:
        if depth > 4 and field.default is not attrs.NOTHING:
            continue
        first, *rest = field.name.split("_")
        name = first + "".join(part.title() for part in rest)
        made[name] = uri if name.lower().endswith("uri") else _made(field.type, token, uri, depth + 1)
    return made
