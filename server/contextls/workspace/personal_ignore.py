"""The ignore file that a user keeps for all repositories, and the tracked files that git does not hold to it."""

from __future__ import annotations

import os
import threading
from functools import lru_cache
from pathlib import Path

from contextls.isolation import find_program
from contextls.workspace.git_process import answer, decode_path, named_settings
from contextls.workspace.patterns import Patterns
from contextls.workspace.reflog import pointed_to
from contextls.workspace.regular_file import SETTINGS_BYTES, read_bytes
from contextls.workspace.stamps import Stamp, stamp_of_target

_USERS_SCOPES = ("system", "global")
_MANY_REPOSITORIES = 64
_Stamps = tuple[Stamp | None, ...]


def find_personal_ignore(top: Path) -> str | None:
    """The ignore file that git's settings of the user name for the repository at ``top``, or git's own default.

    None where they say that there is none. The repository's configuration does not count: its author may be anybody.
    """
    files = _settings_files()
    return _find(str(top), files, tuple(map(stamp_of_target, files)))


@lru_cache(_MANY_REPOSITORIES)
def _find(top: str, files: tuple[str, ...], _stamps: _Stamps) -> str | None:
    """As ``find_personal_ignore``; the stamps of the settings ``files`` make that they are read again once they change."""
    named = _ask_git(Path(top)) if any(map(_may_name_one, (*files, *_system_files()))) else None
    if named is None:
        return f"{_folder_of_settings()}/ignore"
    return os.path.join(top, named) if named else None  # noqa: PTH118 - text, as all that is compared with it


def _ask_git(top: Path) -> str | None:
    """The value of ``core.excludesFile``, with what the user's settings include for this repository; None without one."""
    said = answer(
        top,
        ("config", "--show-scope", "--get-all", "--type=path", "-z", "core.excludesFile"),
        settings_alone=True,
    )
    fields = (said or b"").split(b"\0")
    values = [value for scope, value in zip(fields[::2], fields[1::2], strict=False) if _is_users(scope)]
    return decode_path(values[-1]) or "" if values else None


def _is_users(scope: bytes) -> bool:
    return scope.decode("ascii", "replace") in _USERS_SCOPES


def _may_name_one(settings: str) -> bool:
    """Whether a settings file may say which file it is. Most do not, and git need not be started to know that."""
    try:
        text = read_bytes(settings, SETTINGS_BYTES).lower()
    except OSError:
        return False
    return b"excludesfile" in text or b"include" in text


def _settings_files() -> tuple[str, ...]:
    if (named := named_settings()) is not None:
        return (named,)
    return os.path.expanduser("~/.gitconfig"), f"{_folder_of_settings()}/config"  # noqa: PTH111 - asked often


def _system_files() -> tuple[str, ...]:
    """The paths at which installations of git have the settings of all users of a machine."""
    git = find_program("git")
    beside = () if git is None else (str(Path(git).parent.parent / "etc" / "gitconfig"),)
    return "/etc/gitconfig", *beside


def _folder_of_settings() -> str:
    named = os.environ.get("XDG_CONFIG_HOME", "")
    # Relative to what, is not said; git would take the workspace.
    folder = named if os.path.isabs(named) else os.path.expanduser("~/.config")  # noqa: PTH111, PTH117
    return f"{folder}/git"


class TrackedFiles:
    """Files that git tracks although the user's ignore ``file`` names them.

    Asked only where a pattern matched. Safe to use from several threads.
    """

    def __init__(self, root: Path, top: Path, file: str) -> None:
        """``root`` is the workspace in the repository at ``top``."""
        self.file = file
        self._root = root
        self._index = str(pointed_to(top / ".git").own / "index")
        self._known: tuple[object, frozenset[str]] = (None, frozenset())
        self._guard = threading.Lock()

    def holds(self, path: str, is_dir: bool, patterns: Patterns) -> bool:
        """Whether git tracks ``path``, or something below that folder, and ignored it but for that.

        ``path`` is from the top of the repository, ``patterns`` are those of the file.
        """
        with self._guard:
            key = (stamp_of_target(self._index), patterns)
            if self._known[0] != key:
                self._known = key, self._ask_git()
            _, tracked = self._known
            # A submodule is tracked as if it were a file.
            return path in tracked or (is_dir and f"{path}/" in tracked)

    def _ask_git(self) -> frozenset[str]:
        """The paths of such files, and of the folders around them with ``/`` at the end.

        None of them where git does not answer: what the user hides stays hidden.
        """
        said = answer(
            self._root,
            ("ls-files", "--cached", "--ignored", "--full-name", "-z", f"--exclude-from={self.file}"),
        )
        files = [path for path in map(decode_path, (said or b"").split(b"\0")) if path]
        ends = {(path, end) for path in files for end in range(len(path)) if path[end] == "/"}
        return frozenset((*files, *(path[: end + 1] for path, end in ends)))
