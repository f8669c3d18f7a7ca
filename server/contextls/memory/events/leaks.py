"""Keeps the text of ignored files out of events: ``cat .env`` must not bring back what the index leaves out."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from contextls.model import Event, EventType
from contextls.regex import compile_late
from contextls.text.redact import redact
from contextls.workspace.programs import is_program
from contextls.workspace.roots import relative

_WORD = compile_late(r"[^\s\"'`|;&<>()=,]+")
_OUTPUT = ("stdout", "stderr")
# Compiled files hold no text to print. An archive may, unless it is named after one of these options.
_BUILT = (".class", ".o", ".obj", ".a", ".so", ".dylib", ".dll", ".pyc", ".wasm")
_ARCHIVES, _RUNS = (".jar", ".war"), ("-jar", "-cp", "-classpath", "-d", "-o")
# The word after these options is written, not read.
_MAKES = ("-o", "-d")
_REPORTS = compile_late(r"--(?i:out(?:put)?(?:-?(?:dir|file|path))?|junit[\w-]*)")
LEFT_OUT = "(left out: the command names an ignored file)"


def shown_events(events: Iterable[Event], root: Path, accepts: Callable[[str], bool]) -> list[Event]:
    """``events`` without those of files that are ignored by now, and without what commands printed of such files."""
    accepts = functools.cache(accepts)

    @functools.cache  # the same few commands run again and again, and checking their words reads the disk
    def shows(command: str, folder: str) -> bool:
        return shows_ignored({"command": command, "cwd": folder, "stdout": "any"}, root, accepts)

    return [
        replace(event, content=without_output(event.content))
        if event.type == EventType.SHELL_EXEC
        and shows(str(event.content.get("command", "")), str(event.content.get("cwd") or "."))
        else event
        for event in events
        if _is_allowed(event, accepts)
    ]


def shows_ignored(content: Mapping[str, Any], root: Path, accepts: Callable[[str], bool]) -> bool:
    """Whether the output of a ``shell_exec`` may hold text of a file that ``accepts`` leaves out.

    A program that is merely run from an ignored folder (``.venv/bin/pytest``) does not count, nor does what a compiler
    makes or made (``-o app``, ``-jar build/app.jar``), nor a folder, nor a key among the arguments that is the name of no
    file.
    """
    if not any(content.get(name) for name in _OUTPUT):
        return False
    folder = Path(root, str(content.get("cwd") or "."))
    command = str(content.get("command", ""))
    plain = redact(command).text
    for word, is_made in _named_in(command):
        for place in dict.fromkeys((folder / word, root / word)):
            inside = relative(root, place)
            if inside is None or accepts(inside) or not _may_be_shown(root / inside):
                continue
            if is_made and not os.path.lexists(root / inside):
                continue  # as of a build that failed
            if word in plain or os.path.lexists(root / inside):
                return True
    return False


def _named_in(command: str) -> Iterator[tuple[str, bool]]:
    """The words of a command that may name a file with text, each once, and whether it is named as what is to be made."""
    made: dict[str, bool] = {}
    before = ""
    for word in _WORD.findall(command):
        is_built = word.endswith(_BUILT) or (word.endswith(_ARCHIVES) and before in _RUNS)
        if not (is_built or _REPORTS.fullmatch(before)):
            made[word] = made.get(word, True) and before in _MAKES
        before = word
    yield from made.items()


def without_output(content: Mapping[str, Any]) -> dict[str, Any]:
    """``content`` with a note in place of what the command printed."""
    return {name: LEFT_OUT if name in _OUTPUT and text else text for name, text in content.items()}


def _may_be_shown(path: Path) -> bool:
    """Whether it is neither a folder nor a program; a file that is gone may have been there when the command ran."""
    try:
        return not path.is_dir() and not is_program(path)
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False


def files_of(event: Event) -> list[str]:
    """The paths of the files that an event names, those of before a rename included."""
    if event.type == EventType.GIT_CHECKOUT:
        return []  # from and to are branches
    content = event.content
    return [
        path
        for path in (content.get("path"), content.get("from"), *_strings(content.get("paths")))
        if isinstance(path, str)
    ]


def _is_allowed(event: Event, accepts: Callable[[str], bool]) -> bool:
    return all(map(accepts, files_of(event)))


def _strings(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
