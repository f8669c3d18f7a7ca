"""Starts other programs, and this one again: nothing that lies in a workspace is run or imported.

A workspace is foreign text. Three doors would let it run: the current folder at the head of Python's import path
(``python -c`` and ``python -m`` put it there), variables such as ``PYTHONPATH=.``, and a search path with a relative
entry. Every start of a process takes the program, its flags and its environment from here.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

_WINDOWS = os.name == "nt"
_OURS = os.path.realpath(Path(__file__).parents[1])  # the folder on the import path that holds this package
_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))
_PYTHON = "PYTHON"  # variables that begin so change what an interpreter loads
_FOLDER_LISTS = (
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
)  # an empty entry of these means the current folder, too

_distrusted: dict[str, None] = {}
_as_started: dict[str, str] = {}


def isolate() -> None:
    """Make this process safe before it imports more: for the entry points of our own programs only.

    Takes the current folder and what ``PYTHONPATH`` names in it out of the import path, where what else it names comes
    last; takes relative folders out of the search path for programs; and leaves the other cores to the user's programs.
    What ran before this, the interpreter's own start, only ``python -I`` protects. What the caller has closed of the
    standard streams leads nowhere, here and in every child.
    """
    if _as_started:
        return
    _as_started.update(os.environ)
    _open_closed_streams()
    if not sys.flags.safe_path and sys.path and os.path.realpath(sys.path[0]) != _OURS:
        del sys.path[0]  # the current folder, or that of the script: never where our modules are
    here = current_folder()
    # Where we start children ourselves: on Windows a drive may hold all programs, and not the home folder.
    if here is not None and here != safe_folder():
        distrust(here)
    _clean_import_path()
    for name in [name for name in os.environ if name.startswith(_PYTHON)]:
        del os.environ[name]
    os.environ.update(_search_paths(os.environ))
    if _WINDOWS:
        os.environ["NODEFAULTCURRENTDIRECTORYINEXEPATH"] = "1"
    # On a busy machine numpy's second thread waits for a core: 16 ms where one thread needs less than one.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def current_folder() -> str | None:
    """The folder that this process runs in; ``None`` where it was deleted."""
    try:
        return str(Path.cwd())
    except OSError:
        return None


def distrust(folder: Path | str) -> None:
    """From now on no program is taken from ``folder`` and, in a process of our own, no module that a variable names there.

    The home folder and those above it are left alone: people keep their own programs there.
    """
    for path in dict.fromkeys((os.path.abspath(folder), os.path.realpath(folder))):  # noqa: PTH100 - links must stay
        if path not in _distrusted and not _contains(path, _home()):
            _distrusted[path] = None
            if _as_started:
                _clean_import_path()


def find_program(name: str, *folders: Path) -> str | None:
    """The absolute path of a program, or None; never one in a workspace, in ``folders`` or in a relative folder."""
    names = [name + ending for ending in program_endings()]
    barred = _find_barred(folders)
    for folder in _trusted_folders(os.environ.get("PATH", os.defpath), folders):
        for each in names:
            program = os.path.join(folder, each)  # noqa: PTH118 - as many as there are folders, at each call of git
            if not (os.access(program, os.X_OK) and os.path.isfile(program)):  # noqa: PTH113
                continue
            if _is_trusted(program, os.path.realpath(program), barred):
                return program
    return None


def program_endings() -> list[str]:
    """The endings that the system tries after the name of a program: several on Windows, elsewhere the empty one."""
    return os.environ.get("PATHEXT", ".EXE").split(os.pathsep) if _WINDOWS else [""]


def search_path(*folders: Path) -> str:
    """``PATH`` for a child process: absolute folders outside of workspaces and of ``folders``."""
    return os.pathsep.join(_trusted_folders(os.environ.get("PATH", os.defpath), folders))


def library_path(text: str) -> str:
    """A list of folders with libraries, less the relative ones and those of workspaces; may be empty."""
    return os.pathsep.join(_trusted_folders(text, ()))


def is_trusted(path: str) -> bool:
    """Whether an absolute ``path`` lies outside of all workspaces, as what it links to does."""
    return os.path.isabs(path) and _is_trusted(path, os.path.realpath(path), ())  # noqa: PTH117


def python_flags() -> list[str]:
    """Flags with which a Python sees neither the current folder nor variables, but finds this package."""
    site = sys.modules.get("site")
    return ["-E", "-P"] if getattr(site, "ENABLE_USER_SITE", False) else ["-I"]


def python_command(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of ours in a Python of its own; start it with ``child_environment``."""
    flags = ["-P"] if _found_by_variable() else python_flags()
    return [sys.executable, *flags, "-m", module, *arguments]


def child_environment() -> dict[str, str]:
    """The variables for a child of ours: none that Python reads, and search paths without relative folders."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_PYTHON)}
    kept.update(_search_paths(kept))
    if _found_by_variable():  # a checkout that was never installed
        kept["PYTHONPATH"] = _OURS
    return kept


def users_environment() -> dict[str, str]:
    """The variables as the user set them: for what the user's own words start."""
    return dict(_as_started or os.environ)


def safe_folder() -> str:
    """A working folder for children in which nobody but the administrator puts files."""
    return Path(sys.executable).anchor or os.sep


def safe_import_path() -> list[str]:
    """``sys.path`` for a worker process: no relative folder, and not the current one that leads it."""
    first, *rest = sys.path or [""]
    here = current_folder()
    leads = not sys.flags.safe_path and here is not None and os.path.realpath(first) == os.path.realpath(here)
    entries = rest if leads and os.path.realpath(first) != _OURS else [first, *rest]
    return [entry for entry in entries if os.path.isabs(entry)]  # noqa: PTH117 - strings in, strings out


def _open_closed_streams() -> None:
    """Take the numbers of closed streams, before a file or a socket gets one: children read and write what has them."""
    with contextlib.suppress(OSError):  # no null device
        # Always the lowest number that is free.
        while (opened := os.open(os.devnull, os.O_RDWR)) < len(_STREAMS):
            os.set_inheritable(opened, True)  # noqa: FBT003 - it takes no name
        os.close(opened)
        for number, (name, mode) in enumerate(_STREAMS):
            if getattr(sys, name) is None:
                setattr(sys, name, os.fdopen(number, mode))


def _clean_import_path() -> None:
    named = _as_started.get("PYTHONPATH", "") if not sys.flags.ignore_environment else ""
    for entry in named.split(os.pathsep) if named else ():
        path = os.path.abspath(entry)  # noqa: PTH100 - as `site` has written it into sys.path
        real = os.path.realpath(entry)
        if real == _OURS or any(_contains(os.path.realpath(each), real) for each in _installations()):
            continue
        relative = not os.path.isabs(entry)  # noqa: PTH117
        if relative or any(_contains(each, real) or _contains(real, each) for each in _distrusted):
            sys.path[:] = [kept for kept in sys.path if kept not in (entry, path)]
        elif not _found_by_variable() and path in sys.path:
            # Another program's packages, built for another Python, may have the names of ours.
            sys.path.remove(path)
            sys.path.append(path)
    sys.path[:] = [entry for entry in sys.path if os.path.isabs(entry)]  # noqa: PTH117


def _installations() -> tuple[str, ...]:
    return sys.prefix, sys.base_prefix, sys.exec_prefix


def _found_by_variable() -> bool:
    """Whether only ``PYTHONPATH`` makes this package be found."""
    if sys.flags.ignore_environment:
        return False
    named = (_as_started or os.environ).get("PYTHONPATH", "")
    return any(entry and os.path.realpath(entry) == _OURS for entry in named.split(os.pathsep))


def _search_paths(environment: Mapping[str, str]) -> dict[str, str]:
    lists = {name: environment[name] for name in ("PATH", *_FOLDER_LISTS) if name in environment}
    return {name: os.pathsep.join(_trusted_folders(text, ())) for name, text in lists.items()}


def _trusted_folders(text: str, folders: Iterable[Path]) -> list[str]:
    barred = _find_barred(folders)
    entries = filter(os.path.isabs, dict.fromkeys(text.split(os.pathsep)))
    return [entry for entry in entries if _is_trusted(entry, _resolve(entry), barred)]


def _find_barred(folders: Iterable[Path]) -> list[str]:
    home = _home()
    return [real for real in map(_resolve, map(str, folders)) if not _contains(real, home)]


def _home() -> str:
    """The home folder; the file system's own root for a user without one, as in many containers."""
    home = os.path.expanduser("~")  # noqa: PTH111 - it never raises
    return _resolve(home) if os.path.isabs(home) else os.sep  # noqa: PTH117


@lru_cache(256)
def _resolve(folder: str) -> str:
    """Links of a search path's folders are followed once: each call of git asks for them."""
    return os.path.realpath(folder)


def _is_trusted(path: str, real: str, barred: Iterable[str]) -> bool:
    """Whether neither ``path`` nor ``real``, what it links to, lies in a workspace or in ``barred``."""
    own = set(barred)
    for place in {os.path.normpath(path), real}:
        while place not in own and place not in _distrusted:
            if place == (above := os.path.dirname(place)):  # noqa: PTH120 - for each folder of the search path
                break
            place = above
        else:
            return False
    return True


def _contains(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
