"""Starts worker processes isolated from the current folder, from Python's variables and from the program's own script.

``multiprocessing`` runs ``python -c`` for its fork server, its resource tracker and each spawned process, which puts the
current folder first on the import path, and hands every worker the parent's path, folder and main module. While one of
ours starts, the two functions that decide this are replaced; tests hold this to all supported versions of Python.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import process, spawn, util
from typing import TYPE_CHECKING, Any

from contextls.errors import ContextlsError
from contextls.isolation import python_flags, safe_folder, safe_import_path

METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
# What a worker would import for itself otherwise, which takes longer than to parse most files.
_EVERY_WORKER_NEEDS = (
    "pebble",
    "multiprocessing.synchronize",
    "contextls.code.pool",
    "contextls.code.grammars_ahead",
    "contextls.code.fork_server",
)
_UNSAFE_FLAGS = frozenset({"-E", "-s", "-P"})  # those that ``python_flags`` decides instead

# The path of a socket has 104 bytes on macOS, of which the names of its folder and its own take 33.
MAX_FOLDER_BYTES = 71
SHORT_FOLDERS = ("/tmp", "/var/tmp")  # noqa: S108 - a folder of our own is made in it

_starting = threading.RLock()
_util: Any = util
_spawn: Any = spawn
_base: Any = multiprocessing.get_context(METHOD)
_interpreter_flags = _util._args_from_interpreter_flags

if TYPE_CHECKING:
    _Process = multiprocessing.Process
else:
    _Process = _base.Process


class WorkerProcess(_Process):
    """A process of our context. It stands in a module because the worker looks its class up by name."""

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: ANN401, N802 - as multiprocessing names it
        with isolated_start():
            return _base.Process._Popen(process_obj)


def worker_context(preload: Sequence[str]) -> Any:  # noqa: ANN401 - the context classes differ by platform
    """A context whose processes start isolated; a fork server imports ``preload`` once for all of them."""
    context = type("WorkerContext", (type(_base),), {"Process": WorkerProcess, "RLock": _make_lock})()
    if METHOD == "forkserver":
        context.set_forkserver_preload([*preload, *_EVERY_WORKER_NEEDS])
    ensure_tracker()
    return context


def _make_lock(_context: Any) -> Any:  # noqa: ANN401 - typeshed's own are not classes that can be named
    try:
        return _base.RLock()
    except (OSError, ImportError):  # a system without semaphores, or one that gives none away
        if sys.platform == "win32":
            raise
        from contextls.code.pipe_lock import PipeLock

        return PipeLock()


def ensure_tracker() -> None:
    """Start the process that knows of locks, unless it runs: who makes or deletes a lock would start it otherwise."""
    if sys.platform != "win32":  # where locks need none
        from multiprocessing import resource_tracker

        with isolated_start():
            resource_tracker.ensure_running()


def _make_socket_folder() -> None:
    """Make the folder of the fork server's socket where its path is short enough for one.

    ``multiprocessing`` makes it in the folder for temporary files, however long its name is (CPython issue 132124).
    """
    if METHOD != "forkserver":
        return
    try:
        usual = tempfile.gettempdir()
    except FileNotFoundError:
        raise ContextlsError(
            "no folder for temporary files can be written to; point TMPDIR to one, and try again"
        ) from None
    if len(os.fsencode(usual)) <= MAX_FOLDER_BYTES:
        return
    short = next((each for each in SHORT_FOLDERS if os.access(each, os.W_OK | os.X_OK)), usual)
    tempfile.tempdir = short
    try:
        _util.get_temp_dir()  # which stays the same from then on
    finally:
        tempfile.tempdir = usual


def start_fork_server() -> None:
    """Let the fork server of the newest context begin to import what it preloads. Returns at once, and does it once."""
    if METHOD == "forkserver":
        from multiprocessing import forkserver

        with isolated_start():
            forkserver.ensure_running()


def may_parse() -> bool:
    """Whether this process may run a parser: it is a worker, and another goes on where it dies of one."""
    return multiprocessing.parent_process() is not None


@contextmanager
def isolated_start() -> Iterator[None]:
    """Let what ``multiprocessing`` starts meanwhile be isolated, and deaf to Ctrl-C, which its parent answers."""
    with _starting, _blocked_interrupts():
        _make_socket_folder()
        before = _util._args_from_interpreter_flags, _spawn.get_preparation_data
        _util._args_from_interpreter_flags = _isolated_flags
        _spawn.get_preparation_data = _preparation_data
        try:
            yield
        finally:
            _util._args_from_interpreter_flags, _spawn.get_preparation_data = before


@contextmanager
def _blocked_interrupts() -> Iterator[None]:
    """Keep interrupts from what is started meanwhile: before it can ignore them it would print where one found it."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _isolated_flags() -> list[str]:
    flags: list[str] = _interpreter_flags()
    if "-I" in flags:
        return flags
    return [*python_flags(), *(flag for flag in flags if flag not in _UNSAFE_FLAGS)]


def _preparation_data(name: str) -> dict[str, Any]:
    """The data for a new process; not the main module, which would be imported, nor a folder that may be gone."""
    return {
        "name": name,
        "authkey": process.current_process().authkey,
        "sys_path": safe_import_path(),
        "sys_argv": sys.argv[:1],
        "dir": safe_folder(),
        "orig_dir": safe_folder(),
    }
