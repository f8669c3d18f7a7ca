"""A workspace root, and which paths lie inside it."""

from __future__ import annotations

import os
from pathlib import Path

from contextls.errors import WorkspaceError
from contextls.isolation import distrust
from contextls.text.surrogates import is_encodable

# What lies in a folder that is meant to be one workspace.
_SIGNS = (".git", ".context")
# What Linux shows there of itself is made up while it is read, and never ends; it holds secrets of every process.
SYSTEM_FOLDERS = (Path("/proc"), Path("/sys"))


def expand_user(path: str | Path) -> Path:
    """``path`` with the home folder for ``~``; the home of a user that there is none of stays as it is written."""
    return Path(os.path.expanduser(path))  # noqa: PTH111 - pathlib's raises


def open_root(path: Path) -> Path:
    """The absolute root with symbolic links resolved; from now on no program is taken from it.

    Raises ``WorkspaceError`` that names the path when it does not exist, is not a folder or cannot be read.
    """
    try:
        root = path.expanduser().resolve(strict=True)
    except FileNotFoundError:
        raise WorkspaceError(f"{path}: no such folder; give the path of an existing workspace") from None
    except (OSError, RuntimeError, ValueError) as error:
        raise WorkspaceError(
            f"{path}: cannot be opened ({error}); give the path of a readable folder"
        ) from None
    if not root.is_dir():
        raise WorkspaceError(f"{path}: not a folder; give the folder that holds this file")
    if not os.access(root, os.R_OK | os.X_OK):
        raise WorkspaceError(
            f"{path}: no permission to read it; change its permissions or open another folder"
        )
    distrust(root)
    return root


def open_project(path: Path) -> Path:
    """Open a root of which all files are read: unlike ``open_root``, this refuses the home folder and what holds it, too.

    They hold everything a person has. One with a repository or a folder ``.context`` in it is meant. Nothing below
    ``SYSTEM_FOLDERS`` ever is.
    """
    root = open_root(path)
    if any(root.is_relative_to(folder) for folder in SYSTEM_FOLDERS):
        raise WorkspaceError(
            f"{path}: the system shows its own state there, no files of yours; open the folder of a project"
        )
    home = expand_user("~").resolve()
    if root in (home, *home.parents) and not any((root / sign).exists() for sign in _SIGNS):
        what = "your home folder" if root == home else "the folder around your home folder"
        raise WorkspaceError(
            f"{path}: {what} is no workspace, as all that you have would be indexed; "
            "open a project in it, or create a folder .context there if this is one"
        )
    return root


def relative(root: Path, path: Path | str) -> str | None:
    """The path below ``root`` with ``/`` between parts; None when it lies outside, is the root, or has no valid name.

    ``root`` is what ``open_root`` returned; a relative ``path`` is taken from there. Links are resolved
    first, so one that leads out of the root is outside and one that leads to another place inside gets that
    place's path. The file need not exist.
    """
    try:
        resolved = (root / path).resolve()
        below = resolved.relative_to(root).as_posix()
        below.encode()
    except (OSError, RuntimeError, ValueError):
        return None
    return below if below != "." else None


def place(root: Path, path: Path) -> str | None:
    """Like ``relative``, but a link at ``path`` itself is not followed; only its folder is resolved."""
    folder = path.parent
    if folder == root:
        inside: str | None = ""
    else:
        inside = relative(root, folder)
        if inside is None and _is_same(root, folder):
            inside = ""
    if inside is None:
        return None
    below = f"{inside}/{path.name}" if inside else path.name
    return below if is_encodable(below) and path.name not in ("", ".", "..") else None


def _is_same(root: Path, folder: Path) -> bool:
    try:
        return folder.resolve() == root
    except (OSError, RuntimeError, ValueError):
        return False
