"""The command lines that a script of a project's manifest stands for, as ``npm test`` and ``make test`` run them.

The manifests are read and nothing of them is run. What comes out are command lines, each with the folder that it runs
in, so that a run of a script and one of what it calls can be told to be the same.
"""

from __future__ import annotations

import json
import posixpath
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from contextls.memory.activity.nox_sessions import find_session_commands
from contextls.memory.activity.shell_scripts import find_shell_script
from contextls.memory.activity.table_scripts import PROGRAMS, find_table_script
from contextls.memory.events.commands import follow_folder_options, work_in
from contextls.memory.events.programs import program_of, strip_assignments, unwrap
from contextls.regex import compile_late
from contextls.workspace.capabilities import MAKEFILES

MAX_DEPTH = 4
MAX_COMMANDS = 12
MAX_LINE_CHARS = 300

# The text of a file of the workspace; ``None`` where there is none that may be read.
ReadFile = Callable[[str], str | None]
# The path of a folder from the workspace's root; ``None`` outside of it.
FindFolder = Callable[[str], str | None]

# The manifests of programs that run scripts, where in them those stand, and the words that come before their names.
_JSON_MANIFESTS = {
    "npm": ("package.json", "scripts", ("run", "run-script")),
    "pnpm": ("package.json", "scripts", ("run", "run-script")),
    "yarn": ("package.json", "scripts", ("run",)),
    "bun": ("package.json", "scripts", ("run",)),
    "composer": ("composer.json", "scripts", ("run", "run-script")),
    "deno": ("deno.json", "tasks", ("task",)),
}
# The options that say in which package of a workspace to run, and where such packages are mostly kept.
_WORKSPACE_OPTIONS = {
    "npm": ("-w", "--workspace"),
    "pnpm": ("-F", "--filter"),
    "bun": ("-F", "--filter"),
}
_ALL_PACKAGES = frozenset(("--workspaces", "-ws", "-r", "--recursive"))
_KEEP_PACKAGES = ("packages", "apps", "libs", "services")
_RECIPES = {
    "make": MAKEFILES,
    "gmake": MAKEFILES,
    "just": ("justfile", "Justfile", ".justfile"),
}
# What make's own variables hold where a file says nothing else.
_MAKE_VARIABLES = {"AR": "ar", "AS": "as", "CC": "cc", "CXX": "g++", "LD": "ld", "RM": "rm -f"}
_SHORT_NAMES = {"t": "test", "tst": "test"}
_RULE = compile_late(r"(?P<names>[^\s:#=][^:#=]*):(?!=)(?P<needs>[^=#]*)")
_VARIABLE = compile_late(r"(?:export +)?(?P<name>\w+) *(?::{0,2}|\?)= *(?P<value>.*)")
_USE = compile_late(r"\$[({](?P<name>\w+)[)}]|\{\{ *(?P<just>\w+) *\}\}")


class Script(Struct, frozen=True):
    """The lines of a script, and the folder that they run in."""

    lines: tuple[str, ...]
    folder: str


class ScriptRuns(Struct, frozen=True):
    """The command lines of the scripts that a command line runs, and those scripts as they are written."""

    commands: tuple[str, ...]
    scripts: tuple[str, ...]


def find_runs(line: str, folder: str, inside: FindFolder, read: ReadFile) -> ScriptRuns:
    """Read the scripts that ``line`` runs, their commands from the workspace's root; none where it says so itself.

    ``folder`` is where it runs.
    """
    found: list[str] = []
    written: list[str] = []
    for at, words in work_in(line, folder, _reveal):
        place = inside(at)
        found.extend(
            [_write(unwrap(words), at)] if place is None else _expand(words, place, read, 0, written)
        )
        if len(found) > MAX_COMMANDS:
            return ScriptRuns((), tuple(written))
    if found == [line] or any(len(each) > MAX_LINE_CHARS for each in found):
        return ScriptRuns((), tuple(written))
    return ScriptRuns(tuple(dict.fromkeys(found)), tuple(written))


def _expand(words: Sequence[str], folder: str, read: ReadFile, depth: int, written: list[str]) -> list[str]:
    """The command lines of what a simple command runs in the end; those of itself where it calls no known script.

    The lines of its scripts are added to what is ``written``.
    """
    script = _script_of(words, folder, read) if depth < MAX_DEPTH else None
    found: list[str] = []
    for line in script.lines if script else ():
        written.append(line)
        for place, inner in work_in(line, script.folder if script else folder, _reveal):
            found.extend(_expand(inner, place, read, depth + 1, written))
            if len(found) > MAX_COMMANDS:
                return found
    return found or [_write(unwrap(words), folder)]


def _reveal(words: Sequence[str]) -> list[str]:
    """The words of what really runs, and those that run a script where that may be one of a project's."""
    plain = strip_assignments(words)
    return plain if plain and program_of(plain[0]) in PROGRAMS else unwrap(words)


def _write(words: Sequence[str], folder: str) -> str:
    line = " ".join(
        word if re.fullmatch(r"[\w@%+=:,./^$#*\\-]+", word) else shlex.quote(word) for word in words
    )
    return f"cd {shlex.quote(folder)} && {line}" if folder else line


def _script_of(words: Sequence[str], folder: str, read: ReadFile) -> Script | None:
    """The script that a simple command calls; ``None`` where it calls none that is known."""
    program = program_of(words[0])
    if program in PROGRAMS:
        script = find_table_script(program, words[1:], folder, read)
        return Script(script.lines, script.folder) if script else None
    if program == "nox":
        lines = find_session_commands(words[1:], lambda file: read(posixpath.join(folder, file)))
        return Script(tuple(lines), folder) if lines else None
    if program not in _JSON_MANIFESTS and program not in _RECIPES:
        text = find_shell_script(words, folder, read)
        return Script((text,), folder) if text else None
    given, folder = follow_folder_options(program, words[1:], folder)
    if program in _RECIPES:
        return _recipe(program, given, folder, read)
    return _json_script(program, given, folder, read)


def _json_script(program: str, given: Sequence[str], folder: str, read: ReadFile) -> Script | None:
    file, key, introductions = _JSON_MANIFESTS[program]
    if any(word in _ALL_PACKAGES for word in given):
        return None
    given, workspace = _take_workspace(program, given)
    if workspace:
        at = _find_package(workspace, folder, read)
        if at is None:
            return None
        folder = at
    plain = [word for word in given if word != "--"]
    if plain and plain[0] in introductions:
        plain = plain[1:]
    elif program == "deno":
        return None
    if not plain or plain[0].startswith("-"):
        return None
    name, rest = _SHORT_NAMES.get(plain[0], plain[0]), plain[1:]
    while (text := read(posixpath.join(folder, file))) is None:
        if not folder:
            return None
        folder = posixpath.dirname(folder)
    script = _value_of(text, key, name)
    lines = script if isinstance(script, list) else [script]
    found = [each for each in lines if isinstance(each, str) and each.strip()]
    return Script((*found[:-1], " ".join([found[-1], *map(shlex.quote, rest)])), folder) if found else None


def _take_workspace(program: str, given: Sequence[str]) -> tuple[list[str], str]:
    """The words without those that say in which package of a workspace to run, and the package; empty for none."""
    if program == "yarn" and given[:1] == ["workspace"]:
        return list(given[2:]), "".join(given[1:2])
    kept, package, words = list[str](), "", iter(given)
    for word in words:
        option, _, value = word.partition("=")
        if option in _WORKSPACE_OPTIONS.get(program, ()):
            package = value or next(words, "")
        elif word == "--":
            kept.extend(words)
        else:
            kept.append(word)
    return kept, package


def _find_package(name: str, folder: str, read: ReadFile) -> str | None:
    """The folder of a package, told by its path or its name, where such packages are kept."""
    last = name.rpartition("/")[2]
    for place in (name.removeprefix("./"), *(f"{kept}/{last}" for kept in _KEEP_PACKAGES), last):
        at = posixpath.normpath(posixpath.join(folder, place))
        text = None if at.startswith(("/", "..")) else read(posixpath.join(at, "package.json"))
        if text is not None and (place.endswith(name) or _value_of(text, "name") == name):
            return at
    return None


def _value_of(text: str, *keys: str) -> Any:  # noqa: ANN401 - what stands in a file
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _recipe(program: str, given: Sequence[str], folder: str, read: ReadFile) -> Script | None:
    if any(word in ("-f", "--file", "--makefile", "--justfile") for word in given):
        return None
    text = next(
        (text for file in _RECIPES[program] if (text := read(posixpath.join(folder, file))) is not None), None
    )
    if text is None:
        return None
    rules, variables = _read_rules(text, program)
    for name, equals, value in (word.partition("=") for word in given):
        if equals and not name.startswith("-"):
            variables[name] = value
    wanted = [word for word in given if "=" not in word and not word.startswith("-")]
    if not wanted:
        wanted = [next((name for name in rules if not name.startswith(".")), "")]
    lines = [line for name in wanted for line in _lines_of(name, rules, set())]
    return Script(tuple(_fill_in(line, variables) for line in lines), folder)


def _lines_of(name: str, rules: Mapping[str, tuple[list[str], list[str]]], seen: set[str]) -> Iterator[str]:
    """The lines of a rule, those of the rules that it needs before them."""
    if name in seen or name not in rules:
        return
    seen.add(name)
    needs, lines = rules[name]
    for each in needs:
        yield from _lines_of(each, rules, seen)
    yield from lines


def _read_rules(text: str, program: str) -> tuple[dict[str, tuple[list[str], list[str]]], dict[str, str]]:
    """The rules of a file, each by its name with what it needs and its lines, and its variables."""
    rules: dict[str, tuple[list[str], list[str]]] = {}
    variables = {"MAKE": program, **({} if program == "just" else _MAKE_VARIABLES)}
    current: list[str] = []
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith(("\t", "  ")):
            if said := line.strip().lstrip("@-+").strip():
                current.append(said)
        elif found := _VARIABLE.fullmatch(line.rstrip()):
            variables[found["name"]] = found["value"]
        elif found := _RULE.match(line):
            current = []
            for name in found["names"].split():
                needs, lines = rules.setdefault(name, ([], current))
                needs.extend(found["needs"].split())
                rules[name] = (needs, lines or current)
    return rules, variables


def _fill_in(line: str, variables: Mapping[str, str]) -> str:
    """A line with the values of the variables that it uses, and of those that stand in these."""
    for _ in range(MAX_DEPTH):
        filled = _USE.sub(lambda use: variables.get(use["name"] or use["just"], ""), line)[
            : 2 * MAX_LINE_CHARS
        ]
        if filled == line:
            break
        line = filled
    return line
