"""The one module that runs git, and only to read history: a repository's configuration can never run anything.

A hostile ``.git/config`` names programs: hooks, pagers, filters, external diffs, text converters, a
file-system monitor. ``rev-parse``, ``symbolic-ref`` and ``log`` without a patch use none of them, and
everything that could start a program is switched off on top.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_SWITCHED_OFF = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.pager": "cat",
    "core.untrackedCache": "false",
    "core.sshCommand": "false",
    "credential.helper": "",
    "diff.external": "",
    "gpg.program": "false",
    "gpg.ssh.program": "false",
    "gpg.x509.program": "false",
    "log.showSignature": "false",
    "log.mailmap": "false",
    "submodule.recurse": "false",
}
_KEPT_VARIABLES = ("PATH", "HOME", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "USERPROFILE", "LD_LIBRARY_PATH")
_SECONDS = 10.0  # for the short commands; a log streams and ends when its reader stops
_FIELDS = "%x1e%H%x1f%at%x1f%an%x1f%s%x1f"
_MAX_OUTPUT = (
    16_000_000  # characters kept of one commit's record; a commit that touches more paths is cut there
)


@dataclass(frozen=True, slots=True)
class GitHead:
    """What is checked out. ``branch`` is None when HEAD is detached, ``commit`` is None before the first commit."""

    branch: str | None
    commit: str | None


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit. ``time`` is the author's, in seconds since the epoch; ``paths`` are relative to the opened root."""

    sha: str
    time: int
    author: str
    subject: str
    paths: tuple[str, ...]


def problem(root: Path) -> str | None:
    """Why there is no history to read for ``root``, in words for a user; None when there is."""
    if shutil.which("git") is None:
        return "git is not installed or not on the PATH"
    state = head(root)
    if state is None:
        return f"{root} is not inside a git repository that can be read"
    return None if state.commit else f"the repository of {root} has no commits yet"


def head(root: Path) -> GitHead | None:
    """What is checked out at ``root`` (or the repository around it); None without git or a readable repository."""
    if _line(root, "rev-parse", "--git-dir") is None:
        return None
    branch = _line(root, "symbolic-ref", "--quiet", "--short", "HEAD")
    return GitHead(branch, _line(root, "rev-parse", "--quiet", "--verify", "HEAD^{commit}"))


def history(root: Path, limit: int) -> Iterator[Commit]:
    """The newest ``limit`` commits that touched ``root``, newest first, as they are read. Merges are left out.

    Ends early, without raising, where history cannot be read any further (shallow, corrupt, empty, no git).
    """
    arguments = (
        "log", f"--max-count={max(limit, 0)}", "--no-merges", "--no-ext-diff", "--no-textconv", "--no-show-signature",
        "--no-mailmap", "--no-notes", "--name-only", "--relative", "--no-renames", "--ignore-submodules=all",
        "--no-color", "--no-decorate", "-z", f"--format={_FIELDS}", "HEAD", "--", ".",
    )  # fmt: skip
    process = _start(root, arguments)
    if process is None or process.stdout is None:
        return
    try:
        pending = ""
        while part := process.stdout.read(65_536):
            *whole, pending = (pending + part.decode("utf-8", "replace")).split("\x1e")
            yield from filter(None, map(_commit, whole))
            pending = pending[:_MAX_OUTPUT]
        if commit := _commit(pending):
            yield commit
    finally:
        process.stdout.close()
        process.kill()
        process.wait()


def _commit(record: str) -> Commit | None:
    fields = record.split("\x1f")
    if len(fields) != 5:
        return None
    sha, time, author, subject, paths = fields
    try:
        seconds = int(time)
    except ValueError:
        return None
    names = tuple(name for name in paths.strip("\n\0").replace("\n", "\0").split("\0") if name)
    return Commit(sha, seconds, author, subject, names)


def _line(root: Path, *arguments: str) -> str | None:
    process = _start(root, arguments)
    if process is None:
        return None
    try:
        output, _ = process.communicate(timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None
    return output.decode("utf-8", "replace").strip() or None if process.returncode == 0 else None


def _start(root: Path, arguments: tuple[str, ...]) -> subprocess.Popen[bytes] | None:
    git = shutil.which("git")
    if git is None or not Path(git).is_absolute():
        return None
    with suppress(OSError):
        return subprocess.Popen(  # noqa: S603 - an absolute program, fixed arguments, no shell
            [git, "--no-pager", "--no-optional-locks", "--literal-pathspecs", *arguments],
            cwd=root,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    return None


def _environment() -> dict[str, str]:
    """Only what git needs of the caller's variables: no ``GIT_DIR``, no ``GIT_EXTERNAL_DIFF``, no configuration."""
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    fixed = {
        "GIT_CONFIG_COUNT": str(len(_SWITCHED_OFF)),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",  # wins over any protocol.*.allow: a partial clone asks no remote
        "GIT_PAGER": "cat",
        "LC_ALL": "C.UTF-8",
    }
    for index, (key, value) in enumerate(_SWITCHED_OFF.items()):
        fixed[f"GIT_CONFIG_KEY_{index}"] = key
        fixed[f"GIT_CONFIG_VALUE_{index}"] = value
    return kept | fixed
