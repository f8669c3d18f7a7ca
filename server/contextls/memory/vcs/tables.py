"""The history of a workspace as arrays: which commit touched which file, both ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from contextls.memory.index.segments import number_sets

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A commit that touches more files says little about which of them belong together.
MASS_COMMIT = 30


class StoredCommit(Struct, frozen=True):
    """One commit as kept: ``time`` in seconds, ``files`` as numbers of paths, ``renames`` as (from, to) numbers."""

    sha: str
    time: int
    author: str
    subject: str
    files: Sequence[int]
    renames: Sequence[tuple[int, int]] = ()


class Tables(Struct, frozen=True):
    """Commits are numbered from the newest, 0; files in the order of ``paths``.

    ``commit_files[commit_starts[c]:commit_starts[c + 1]]`` are the files of commit ``c``, and
    ``file_commits[file_starts[f]:file_starts[f + 1]]`` the commits of file ``f``, newest first. ``sizes`` counts all
    files that a commit touched, also those that are gone today. ``subjects`` are UTF-8, cut at
    ``subject_starts``; ``shas`` holds ``sha_bytes`` for each commit.
    """

    paths: tuple[str, ...]
    commit_starts: NDArray[np.int64]
    commit_files: NDArray[np.int32]
    file_starts: NDArray[np.int64]
    file_commits: NDArray[np.int32]
    sizes: NDArray[np.int32]
    times: NDArray[np.int64]
    authors: NDArray[np.int32]
    author_names: tuple[str, ...]
    shas: bytes
    sha_bytes: int
    subjects: bytes
    subject_starts: NDArray[np.int64]

    def subject(self, commit: int) -> str:
        """The first line of a commit's message."""
        start, end = self.subject_starts[commit : commit + 2]
        return self.subjects[start:end].decode("utf-8", "replace")

    def sha(self, commit: int) -> str:
        """The full name of a commit, in hex."""
        return self.shas[commit * self.sha_bytes : (commit + 1) * self.sha_bytes].hex()


def build_tables(commits: Sequence[StoredCommit], names: Mapping[int, str]) -> Tables:
    """Turn ``commits`` (newest first) over the paths in ``names`` into arrays; no others come out.

    A file that was renamed has its commits under its newest path.
    """
    touched = np.fromiter((file for commit in commits for file in commit.files), np.int64)
    sizes = np.fromiter((len(commit.files) for commit in commits), np.int32, len(commits))
    owner = np.repeat(np.arange(len(commits), dtype=np.int32), sizes)
    follow_renames(touched, owner, [commit.renames for commit in commits])
    present = number_sets.distinct(touched).tolist()
    kept = sorted((names[file], file) for file in present if file in names)
    number = np.full(max(present, default=-1) + 1, -1, np.int32)
    for position, (_, file) in enumerate(kept):
        number[file] = position
    files = number[touched] if len(touched) else np.empty(0, np.int32)
    shown = files >= 0
    files, owner = distinct(files[shown], owner[shown], len(kept))
    by_file = np.argsort(files, kind="stable")
    author_names = sorted({commit.author for commit in commits})
    author_number = {name: position for position, name in enumerate(author_names)}
    shas = [bytes.fromhex(commit.sha) for commit in commits]
    subjects = [commit.subject.encode("utf-8", "replace") for commit in commits]
    return Tables(
        paths=tuple(path for path, _ in kept),
        commit_starts=_starts(owner, len(commits)),
        commit_files=files,
        file_starts=_starts(files, len(kept)),
        file_commits=owner[by_file],
        sizes=sizes,
        times=np.fromiter((commit.time for commit in commits), np.int64, len(commits)),
        authors=np.fromiter((author_number[commit.author] for commit in commits), np.int32, len(commits)),
        author_names=tuple(author_names),
        shas=b"".join(shas),
        sha_bytes=len(shas[0]) if shas else 20,
        subjects=b"".join(subjects),
        subject_starts=np.concatenate([[0], np.cumsum([len(subject) for subject in subjects])]).astype(
            np.int64
        ),
    )


def follow_renames(
    touched: NDArray[np.int64], owner: NDArray[np.int32], renames: Sequence[Sequence[tuple[int, int]]]
) -> None:
    """Replace in ``touched``, in place, each path by the one that the file bears after all later renames.

    ``owner`` names the commit of each entry, ascending (newest first); ``renames`` are those of each commit.
    """
    moves: dict[int, list[tuple[int, int]]] = {}  # path -> (commit of the rename, newest name), newest first
    for commit, pairs in enumerate(renames):
        if pairs:
            ends = [(old, moves[new][-1][1] if new in moves else new) for old, new in pairs]
            for old, end in ends:
                moves.setdefault(old, []).append((commit, end))
    if not moves:
        return
    order = np.argsort(touched, kind="stable")
    ranked = touched[order]
    for path, steps in moves.items():
        first, last = np.searchsorted(ranked, (path, path + 1))
        entries = order[first:last]
        # The rename that comes next in time is the oldest one that is newer than the entry.
        step = np.searchsorted([commit for commit, _ in steps], owner[entries], side="left") - 1
        ends_of = np.array([end for _, end in steps])
        moved = step >= 0
        touched[entries[moved]] = ends_of[step[moved]]


def distinct(
    files: NDArray[np.int32], owner: NDArray[np.int32], count: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Each (commit, file) once, in the order of commits, then files. ``count`` is the number of files."""
    keys = number_sets.distinct(owner.astype(np.int64) * max(count, 1) + files)
    return (keys % max(count, 1)).astype(np.int32), (keys // max(count, 1)).astype(np.int32)


def _starts(numbers: NDArray[np.int32], count: int) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=count))]).astype(np.int64)
