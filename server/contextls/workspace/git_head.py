"""The checked-out commit, and why there may be no history to read."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from contextls.regex import compile_late
from contextls.workspace.git_files import refusal
from contextls.workspace.git_process import is_installed, read_line
from contextls.workspace.reflog import GitFolder
from contextls.workspace.regular_file import POINTER_BYTES, read_bytes, read_text

_PACKED_BYTES = 16_000_000  # two hundred thousand references; of more, git is asked
_HASH = compile_late(r"[0-9a-f]{40}|[0-9a-f]{64}")


class GitHead(Struct, frozen=True):
    """The checked-out commit. ``branch`` is None when HEAD is detached, ``commit`` is None before the first commit."""

    branch: str | None
    commit: str | None


def head(root: Path) -> GitHead | None:
    """Read HEAD at ``root`` (or the repository around it); None without git or a readable repository."""
    if read_line(root, "rev-parse", "--git-dir") is None:
        return None
    branch = read_line(root, "symbolic-ref", "--quiet", "--short", "HEAD")
    return GitHead(branch, head_commit(root))


def head_commit(root: Path) -> str | None:
    """The hash of the checked-out commit alone; None where there is none."""
    return read_line(root, "rev-parse", "--quiet", "--verify", "HEAD^{commit}")


def head_commit_in(folder: GitFolder) -> str | None:
    """The hash of the checked-out commit as the files of git have it, at no process; None where they do not say."""
    said = _read_pointer(folder.own / "HEAD")
    if said.startswith("ref: "):
        name = said.removeprefix("ref: ")
        if not name.startswith("refs/heads/") or ".." in name:
            return None
        said = _read_pointer(folder.shared / name) or _find_packed(folder.shared / "packed-refs", name)
    return said if _HASH.fullmatch(said) else None


def _read_pointer(place: Path) -> str:
    with suppress(OSError, ValueError):
        return read_text(place, POINTER_BYTES).strip()
    return ""


def _find_packed(place: Path, name: str) -> str:
    """The hash of the reference ``name`` in the file where git packs them; "" where it has none."""
    with suppress(OSError):
        packed = read_bytes(place, _PACKED_BYTES)
        end = packed.find(f" {name}\n".encode())
        if end >= 0:
            return packed[packed.rfind(b"\n", 0, end) + 1 : end].decode("ascii", "replace")
    return ""


def find_unkept(root: Path) -> frozenset[str]:
    """The properties that the file system of the repository does not keep, by git's settings: ``filemode``, ``symlinks``."""
    said = read_line(root, "config", "--type=bool", "--get-regexp", r"^core\.(filemode|symlinks)$") or ""
    # The last value of a repeated setting counts.
    values = dict(line.split() for line in said.splitlines())
    return frozenset(name.removeprefix("core.") for name, value in values.items() if value == "false")


class HistoryObstacle(Struct, frozen=True):
    """The reason why there is no history to read, in words for a user. ``ordinary`` when nothing is wrong with that."""

    text: str
    ordinary: bool


def obstacle(root: Path) -> HistoryObstacle | None:
    """The obstacle to reading the history of ``root``; None when there is none."""
    marked = any((folder / ".git").exists() for folder in (root, *root.parents))
    if not is_installed():
        return HistoryObstacle("git is not installed or not on the PATH", ordinary=not marked)
    if said := refusal(root):
        return HistoryObstacle(said, ordinary=False)
    state = head(root)
    if state is None:
        if said := refusal(root):  # git was started, and never came to an end or refused
            return HistoryObstacle(said, ordinary=False)
        return HistoryObstacle(f"{root} is not inside a git repository that can be read", ordinary=not marked)
    if read_line(root, "rev-parse", "--is-inside-work-tree") != "true":
        return HistoryObstacle(
            f"{root} is a bare repository: it has history but no files to go with it", ordinary=False
        )
    if state.commit is not None:
        return None
    if read_line(root, "rev-parse", "--quiet", "--verify", "HEAD") is not None:
        return HistoryObstacle(
            f"the newest commit of {root} cannot be read; run `git fsck` there", ordinary=False
        )
    return HistoryObstacle(f"the repository of {root} has no commits yet", ordinary=True)
