"""The capabilities and options of a client, read from the plain JSON of ``initialize``.

This is the only reader of that request: it is answered before the classes of the protocol are loaded, and what a client
says about things that the server does not do can be of any form.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from contextls.errors import InvalidRequestError

_ENCODINGS = ("utf-8", "utf-16", "utf-32")
_DEFAULT_ENCODING = "utf-16"
_TRACES = ("off", "messages", "compact", "verbose")
_Object = dict[str, Any]


class Client(Struct, frozen=True):
    """A client of the server. ``options`` are its ``initializationOptions``, ``handles`` what it does for our commands."""

    process_id: int | None = None
    folders: tuple[str, ...] = ()
    options: object = None
    encoding: str = _DEFAULT_ENCODING
    gives_settings: bool = False
    watches_files: bool = False
    tells_renames: bool = False
    shows_progress: bool = False
    shows_documents: bool = False
    takes_code_actions: bool = False
    handles: frozenset[str] = frozenset()


def read_client(params: object) -> Client:
    """The client that sent ``params`` with ``initialize``. Raises ``InvalidRequestError`` that names the field."""
    if not isinstance(params, dict):
        raise InvalidRequestError("params", "an object", params)
    capabilities = _object(params, "capabilities")
    if capabilities is None:
        raise InvalidRequestError("capabilities", "an object")
    _check_trace(params.get("trace"))
    root = _root_uri(params)
    folders = tuple(_folder(each, index) for index, each in enumerate(_list(params, "workspaceFolders")))
    workspace = _object(capabilities, "workspace", "capabilities.") or {}
    window = _object(capabilities, "window", "capabilities.") or {}
    document = _object(capabilities, "textDocument", "capabilities.") or {}
    action = _object(document, "codeAction", "capabilities.textDocument.") or {}
    files = _object(workspace, "fileOperations", "capabilities.workspace.") or {}
    watching = _object(workspace, "didChangeWatchedFiles", "capabilities.workspace.") or {}
    shown = _object(window, "showDocument", "capabilities.window.") or {}
    return Client(
        process_id=_process_id(params.get("processId")),
        folders=folders or ((root,) if root else ()),
        options=params.get("initializationOptions"),
        encoding=_choose_encoding(_object(capabilities, "general", "capabilities.") or {}),
        gives_settings=bool(workspace.get("configuration")),
        watches_files=bool(watching.get("dynamicRegistration")),
        tells_renames=bool(files.get("didRename")),
        shows_progress=bool(window.get("workDoneProgress")),
        shows_documents=bool(shown.get("support")),
        takes_code_actions=action.get("codeActionLiteralSupport") is not None,
        handles=_handles(capabilities.get("experimental")),
    )


def _object(within: _Object, name: str, at: str = "") -> _Object | None:
    """The object called ``name``, if there is one. An empty list is an empty object, as Lua and PHP write one."""
    value = within.get(name)
    if value is None or isinstance(value, dict):
        return value
    if value == []:
        return {}
    raise InvalidRequestError(at + name, "an object", value)


def _list(within: _Object, name: str, at: str = "") -> list[Any]:
    value = within.get(name)
    if value is None or isinstance(value, list):
        return value or []
    if value == {}:
        return []
    raise InvalidRequestError(at + name, "a list", value)


def _text(value: object, name: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise InvalidRequestError(name, "a string", value)


def _process_id(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if value is None or type(value) is int:
        return value
    raise InvalidRequestError("processId", "a whole number", value)


def _check_trace(value: object) -> None:
    if value is not None and value not in _TRACES:
        raise InvalidRequestError("trace", "one of " + ", ".join(_TRACES), value)


def _root_uri(params: _Object) -> str | None:
    uri, path = _text(params.get("rootUri"), "rootUri"), _text(params.get("rootPath"), "rootPath")
    if uri is None and path is not None:
        with suppress(ValueError):  # it is relative, or no path at all
            return Path(path).as_uri()
    return uri


def _folder(value: object, index: int) -> str:
    at = f"workspaceFolders[{index}]"
    if not isinstance(value, dict):
        raise InvalidRequestError(at, "an object", value)
    uri = _text(value.get("uri"), f"{at}.uri")
    if uri is None:
        raise InvalidRequestError(f"{at}.uri", "a string")
    return uri


def _choose_encoding(general: _Object) -> str:
    """The first that the client offers of those that the server knows."""
    offered = _list(general, "positionEncodings", "capabilities.general.")
    return next((each for each in offered if each in _ENCODINGS), _DEFAULT_ENCODING)


def _handles(experimental: object) -> frozenset[str]:
    ours = experimental.get("contextls") if isinstance(experimental, dict) else None
    return (
        frozenset(name for name, value in ours.items() if value is True)
        if isinstance(ours, dict)
        else frozenset()
    )
