"""The scripts that stand in TOML, YAML and INI files: those of hatch, PDM, Rye, Poe the Poet, Task and tox."""

from __future__ import annotations

import configparser
import posixpath
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any

from msgspec import Struct

from contextls.regex import compile_late

MAX_LINES = 16
# A larger file, and a script of more parts, is no list of commands; references of YAML make a billion parts of a few lines.
MAX_CHARS, MAX_PARTS = 100_000, 256
# The keys of a script that is a table, and those whose values name other scripts.
_KEYS = ("deps", "cmd", "shell", "cmds", "composite", "sequence", "chain", "task", "ref")
_NAMING = frozenset(("deps", "composite", "sequence", "chain", "task", "ref"))
_HOLE = compile_late(
    r"\{\{ ?\.(?P<variable>\w{1,60}) ?\}\}|(?<!\$)\{(?P<name>\w{0,60})(?::(?P<default>[^{}]{0,200}))?\}"
)
_SECTION = compile_late(r"\{\[testenv:?(?P<name>[^]{}]{0,60})\]commands\}")
_GIVEN = frozenset(("args", "posargs", "CLI_ARGS"))
_FACTOR = compile_late(r"[\w.,!-]{1,60}: +")

ReadFile = Callable[[str], str | None]


class TableScript(Struct, frozen=True):
    """The lines of a script, and the folder that they run in."""

    lines: tuple[str, ...]
    folder: str


class _Place(Struct, frozen=True):
    """Where a program keeps scripts: in the first of ``files`` that is there, at one of ``keys``.

    ``call`` is what runs one by its name. ``word`` stands before that, ``optional`` for those who like. A list ``names``
    scripts, or else has lines; what is given in addition to the name is ``appended`` where no hole takes it.
    """

    files: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]
    call: str
    word: str = ""
    optional: bool = True
    names: bool = True
    appended: bool = True


_PYPROJECT = ("pyproject.toml",)
_PLACES = {
    "hatch": _Place(
        ("hatch.toml", *_PYPROJECT),
        (("tool", "hatch", "envs"), ("envs",)),
        "hatch run",
        "run",
        optional=False,
        appended=False,
    ),
    "pdm": _Place(_PYPROJECT, (("tool", "pdm", "scripts"),), "pdm run", "run"),
    "poe": _Place(("poe_tasks.toml", *_PYPROJECT), (("tool", "poe", "tasks"), ("tasks",)), "poe"),
    "rye": _Place(_PYPROJECT, (("tool", "rye", "scripts"),), "rye run", "run", optional=False),
    "task": _Place(
        ("Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"),
        (("tasks",),),
        "task",
        names=False,
        appended=False,
    ),
}  # fmt: skip
PROGRAMS = frozenset((*_PLACES, "tox"))


def find_table_script(program: str, given: Sequence[str], folder: str, read: ReadFile) -> TableScript | None:
    """The script that one of ``PROGRAMS`` is to run in ``folder``; ``None`` where the script is not known."""

    def read_short(path: str) -> str | None:
        text = read(path)
        return text if text is not None and len(text) <= MAX_CHARS else None

    try:
        if program == "tox":
            lines = list(islice(_tox_lines(given, folder, read_short), MAX_LINES))
            return TableScript(tuple(lines), folder) if lines else None
        return _find_in_table(_PLACES[program], given, folder, read_short)
    except RecursionError:
        return None


def _find_in_table(place: _Place, given: Sequence[str], folder: str, read: ReadFile) -> TableScript | None:
    words = list(given)
    if place.call == "hatch run" and words[:1] == ["test"]:
        return TableScript((shlex.join(["pytest", *words[1:]]),), folder)
    if place.word and words[:1] == [place.word]:
        words = words[1:]
    elif not place.optional:
        return None
    if words[:1] and words[0].startswith("-"):
        return None
    name, rest = (words[0], words[1:]) if words else ("default", [])
    for file in place.files:
        table = _parse(file, read(posixpath.join(folder, file)))
        script = next(filter(None, (_script_at(table, keys, name) for keys in place.keys)), None)
        if script is None:
            continue
        variables = _variables_of(table, [word for word in rest if word != "--"])
        names = place.names and isinstance(script, list)
        parts = islice(_parts_of(script, place.call, names=names), MAX_PARTS)
        found = list(islice(filter(None, parts), MAX_LINES))
        lines = [_fill_in(each, variables) for each in found]
        if place.appended and lines and lines == found and rest:
            lines[-1] = f"{lines[-1]} {variables['args']}"
        inner = script.get("dir") if isinstance(script, Mapping) else None
        return TableScript(tuple(lines), posixpath.join(folder, inner) if isinstance(inner, str) else folder)
    return None


def _parse(file: str, text: str | None) -> Mapping[str, Any]:
    """The table that a file holds; an empty one where it cannot be read."""
    if text is None:
        return {}
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        # The loader in C takes no subclass of a text.
        table = tomllib.loads(text) if file.endswith(".toml") else yaml.load(str(text), loader)  # noqa: S506 - a safe one
    except (ValueError, yaml.YAMLError):
        return {}
    return table if isinstance(table, Mapping) else {}


def _script_at(table: Mapping[str, Any], keys: Sequence[str], name: str) -> Any:  # noqa: ANN401 - what a file says
    """The script of a name. Those of hatch belong to environments: ``lint:check``."""
    at = _value_at(table, keys)
    if keys[-1] != "envs":
        return _value_at(at, (name,))
    environment, _, script = name.rpartition(":")
    own = _value_at(at, (environment or "default", "scripts", script))
    return own or _value_at(at, ("default", "scripts", script))


def _value_at(table: Any, keys: Sequence[str]) -> Any:  # noqa: ANN401 - what a file says
    for key in keys:
        table = table.get(key) if isinstance(table, Mapping) else None
    return table


def _parts_of(script: Any, call: str, *, names: bool) -> Iterator[str]:  # noqa: ANN401 - what a file says
    """The command lines of a script, those of scripts that it names as calls of these; empty for what only holds others."""
    if isinstance(script, str):
        yield f"{call} {script}" if names else script
        return
    yield ""
    if isinstance(script, list):
        for each in script:
            yield from _parts_of(each, call, names=names)
    elif isinstance(script, Mapping):
        for key in _KEYS:
            value = script.get(key)
            if key == "cmd" and isinstance(value, list):
                value = shlex.join(map(str, value))
            if value is not None:
                yield from _parts_of(value, call, names=key in _NAMING)


def _variables_of(table: Mapping[str, Any], rest: Sequence[str]) -> dict[str, str]:
    named = table.get("vars")
    variables = {str(name): str(value) for name, value in named.items()} if isinstance(named, Mapping) else {}
    return variables | dict.fromkeys(_GIVEN, shlex.join(rest))


def _fill_in(line: str, variables: Mapping[str, str]) -> str:
    """A line with the values of its holes, or what stands in them where nothing was given."""
    return _HOLE.sub(
        lambda hole: variables.get(hole["variable"] or hole["name"]) or hole["default"] or "", line
    )


def _tox_lines(given: Sequence[str], folder: str, read: ReadFile) -> Iterator[str]:
    """The commands of the environments that tox is to run, or of all that it lists."""
    words, rest = list(given), list[str]()
    if "--" in words:
        words, rest = words[: words.index("--")], words[words.index("--") + 1 :]
    commands, listed = _read_tox(folder, read)
    chosen = next((value for word, value in pairwise(words) if word == "-e"), listed)
    variables = dict.fromkeys(_GIVEN, shlex.join(rest)) | {"envpython": "python", "toxinidir": "."}
    told = [commands.get(name) or commands.get("", []) for name in re.split(r"[\s,]+", chosen.strip())]
    for line in dict.fromkeys(line for lines in told for line in lines):
        section = _SECTION.fullmatch(line)
        for each in commands.get(section["name"], []) if section else [line]:
            yield _fill_in(each, variables)


def _read_tox(folder: str, read: ReadFile) -> tuple[dict[str, list[str]], str]:
    """The commands of each environment, those of all others under the empty name; and the environments that are listed."""
    project = _value_at(_parse(_PYPROJECT[0], read(posixpath.join(folder, _PYPROJECT[0]))), ("tool", "tox"))
    text = read(posixpath.join(folder, "tox.ini")) or _value_at(project, ("legacy_tox_ini",))
    if not isinstance(text, str):
        environments = _value_at(project, ("env",))
        named = {"": _value_at(project, ("env_run_base",))}
        if isinstance(environments, Mapping):
            named |= environments
        lists = {name: _value_at(each, ("commands",)) for name, each in named.items()}
        native = {
            name: [shlex.join(map(str, line)) for line in lines if isinstance(line, list)]
            for name, lines in lists.items()
            if isinstance(lines, list)
        }
        listed = _value_at(project, ("env_list",))
        return native, ",".join(map(str, listed)) if isinstance(listed, list) else ""
    ini = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        ini.read_string(text)
    except configparser.Error:
        return {}, ""
    found = {
        section.removeprefix("testenv").removeprefix(":"): _ini_lines(
            ini.get(section, "commands", fallback="")
        )
        for section in ini.sections()
        if section.startswith("testenv")
    }
    listed = ini.get("tox", "env_list", fallback="") or ini.get("tox", "envlist", fallback="")
    return found, listed


def _ini_lines(value: str) -> list[str]:
    lines = (line.strip().lstrip("-! ") for line in value.replace("\\\n", " ").splitlines())
    return [_FACTOR.sub("", line, count=1) if _FACTOR.match(line) else line for line in lines if line]
