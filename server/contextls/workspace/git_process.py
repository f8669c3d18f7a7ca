"""The one module that starts git, and only to read: a repository's configuration can never run anything.

A hostile ``.git/config`` names programs: hooks, pagers, filters, external diffs, text converters, a
file-system monitor. The commands that other modules of this package use (``rev-parse``, ``symbolic-ref``, ``merge-base``,
``rev-list``, ``log`` without a patch, ``ls-tree``, ``ls-files`` without a look at the disk, ``cat-file`` without
filters, ``config`` to read a setting) use none of them, and everything that could start a program is switched off on top.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from contextls.isolation import find_program, is_trusted, library_path, search_path
from contextls.regex import compile_late
from contextls.workspace.git_files import give_up, mark_foreign, mark_misconfigured, refusal
from contextls.workspace.git_output import EndlessOutputError, collect, limit_memory, pieces

_FOREIGN = compile_late(rb"detected dubious ownership in repository at '([^'\n]+)'")
_MISCONFIGURED = compile_late(
    rb"^fatal: (bad [^\n]{0,20}config [^\n]{1,500}|unable to access '[^\n]{1,500}|[^\n]{0,40} configuration files)$",
    re.MULTILINE,
)

_SWITCHED_OFF = {
    "core.attributesFile": os.devnull,
    "core.excludesFile": os.devnull,
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.pager": "cat",
    "core.untrackedCache": "false",
    "core.sshCommand": "false",
    "credential.helper": "",
    "diff.external": "",
    "diff.orderFile": os.devnull,  # git's way to say none
    "gpg.program": "false",
    "gpg.ssh.program": "false",
    "gpg.x509.program": "false",
    "log.showSignature": "false",
    "log.mailmap": "false",
    "submodule.recurse": "false",
}
_KEPT_VARIABLES = ("HOME", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "USERPROFILE")
_COUNT = compile_late(r"[0-9]{1,9}")
_MAX_SETTINGS = 100  # that variables make
_SECONDS = 10.0  # for the short commands
_SILENT_SECONDS = 30.0  # git is silent while it passes over commits that touch other folders
# What git prints of a repository made to be endless: a tree of a few hundred bytes can name more files than there are atoms.
MAX_BYTES = 100_000_000  # the index of 400,000 files
MAX_STREAMED_BYTES = 1_000_000_000


def is_installed() -> bool:
    """Whether there is a git to start."""
    return find_program("git") is not None


def read_line(root: Path, *arguments: str) -> str | None:
    """The output of a short command, without blanks around it; None when it fails or prints nothing."""
    output = answer(root, arguments)
    return output.decode("utf-8", "replace").strip() or None if output is not None else None


def answer(
    root: Path, arguments: Iterable[str], given: bytes | None = None, *, settings_alone: bool = False
) -> bytes | None:
    """All that a command prints when it gets ``given`` on its standard input; None when it fails or takes too long.

    One that reads ``settings_alone`` starts also where nothing else of a large repository was looked at yet.
    """
    process = _start(root, arguments, given is not None, errors=True, settings_alone=settings_alone)
    return None if process is None else _finish(root, process, given)


class Stream(Struct, frozen=True):
    """A running command: what it prints, and whether it ended well, which is known after the last piece."""

    pieces: Iterator[bytes]
    succeeded: Callable[[], bool]


@contextmanager
def stream(root: Path, *arguments: str) -> Iterator[Stream | None]:
    """A command whose output is read as it comes; it is ended with the block. None when git cannot be started.

    One that falls silent, or never ends, ends as one that failed.
    """
    process = _start(root, arguments, writes=False, errors=False)
    try:
        yield None if process is None else Stream(_pieces(root, process), lambda: process.wait() == 0)
    finally:
        if process is not None:
            if process.stdout is not None:
                process.stdout.close()
            process.kill()
            process.wait()


def _finish(root: Path, process: subprocess.Popen[bytes], given: bytes | None) -> bytes | None:
    try:
        output, said = collect(process, given, _SECONDS, MAX_BYTES)
    except EndlessOutputError as error:
        give_up(root, str(error))
        return None
    if process.returncode == 0:
        return output
    if foreign := _FOREIGN.search(said):
        mark_foreign(root, foreign[1].decode("utf-8", "replace"))
    elif misconfigured := _MISCONFIGURED.search(said):
        mark_misconfigured(root, misconfigured[1].decode("utf-8", "replace"))
    return None


def _pieces(root: Path, process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    try:
        yield from pieces(process, _SILENT_SECONDS, MAX_STREAMED_BYTES)
    except EndlessOutputError as error:
        give_up(root, str(error))
        process.kill()


def _start(
    root: Path, arguments: Iterable[str], writes: bool, errors: bool, settings_alone: bool = False
) -> subprocess.Popen[bytes] | None:
    git = find_program("git", root)
    if git is None or refusal(root, settings_alone=settings_alone) is not None:
        return None
    with suppress(OSError):
        process = subprocess.Popen(  # noqa: S603 - an absolute program, fixed arguments, no shell
            [git, "--no-pager", "--no-optional-locks", "--literal-pathspecs", *arguments],
            cwd=root,
            env=_environment(root),
            stdin=subprocess.PIPE if writes else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if errors else subprocess.DEVNULL,
        )
        limit_memory(process)
        return process
    return None


def named_settings() -> str | None:
    """The file that the user has in place of the settings in the home folder; one of a workspace never counts."""
    named = os.environ.get("GIT_CONFIG_GLOBAL", "")
    return named if is_trusted(named) else None


def _trusted_by_variables() -> Iterator[str]:
    """The repositories of others that the user's variables tell git to trust."""
    count = os.environ.get("GIT_CONFIG_COUNT", "")
    for index in range(min(int(count), _MAX_SETTINGS) if _COUNT.fullmatch(count) else 0):
        if os.environ.get(f"GIT_CONFIG_KEY_{index}", "").lower() == "safe.directory":
            yield os.environ.get(f"GIT_CONFIG_VALUE_{index}", "")


def _environment(root: Path) -> dict[str, str]:
    """Only what git needs of the caller's variables: no ``GIT_DIR``, no ``GIT_EXTERNAL_DIFF``, no configuration.

    Where the user trusts repositories of others by variables, as images of containers do, that holds here as well.
    """
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    if os.path.isabs(folder := os.environ.get("XDG_CONFIG_HOME", "")):  # noqa: PTH117 - a relative one means the workspace
        kept["XDG_CONFIG_HOME"] = folder
    if (named := named_settings()) is not None:
        kept["GIT_CONFIG_GLOBAL"] = named
    kept["PATH"] = search_path(root)
    if libraries := library_path(os.environ.get("LD_LIBRARY_PATH", "")):
        kept["LD_LIBRARY_PATH"] = libraries
    settings = [*_SWITCHED_OFF.items(), *(("safe.directory", value) for value in _trusted_by_variables())]
    fixed = {
        "GIT_CONFIG_COUNT": str(len(settings)),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",  # wins over any protocol.*.allow: a partial clone asks no remote
        "GIT_PAGER": "cat",
        "LC_ALL": "C.UTF-8",
    }
    for index, (key, value) in enumerate(settings):
        fixed[f"GIT_CONFIG_KEY_{index}"] = key
        fixed[f"GIT_CONFIG_VALUE_{index}"] = value
    return kept | fixed


def decode_path(raw: bytes) -> str | None:
    """A path as git prints it; None for one that is not UTF-8, which nothing of ours can name."""
    try:
        return raw.decode("utf-8") or None
    except UnicodeDecodeError:
        return None
