"""Brings the history database up to date with git: adds new commits, deletes those that are no longer part of history."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from contextls.errors import CancelledError
from contextls.store.history_database import CommitRow, HistoryDatabase
from contextls.text.gate import secret_in_name
from contextls.workspace.git_log import (
    Commit,
    UnreadableHistoryError,
    boundary,
    list_left_behind,
    read_commits,
)
from contextls.workspace.git_tree import files_of

FORMAT = b"1"  # of what the rows mean; another one is read again
BATCH = 1_000  # commits in one transaction


class Ingest:
    """One run of bringing the database to what ``tip`` (a commit hash) reaches. The caller is the one writer."""

    def __init__(
        self, root: Path, database: HistoryDatabase, limit: int, cancel: threading.Event | None
    ) -> None:
        """``limit`` is the number of commits to keep."""
        self._root = root
        self._database = database
        self._limit = limit
        self._cancel = cancel
        self._ids: dict[str, int] = {}
        self._fresh: list[tuple[int, str]] = []
        self._broken: UnreadableHistoryError | None = None

    def run(self, tip: str) -> str | None:
        """Read and store; what could not be read, in words, or None. Raises ``CancelledError`` and ``StoreError``.

        What a cancelled run stored is harmless: the next one reads it again.
        """
        meta = self._database.meta()
        edge = boundary(self._root).encode()
        fixed = {"format": FORMAT, "boundary": edge, "limit": str(self._limit).encode()}
        if meta.get("tip") == tip.encode() and all(meta.get(key) == value for key, value in fixed.items()):
            return meta.get("problem", b"").decode() or None
        seen = meta.get("tip", b"").decode() or None
        gone: Sequence[str] | None = list_left_behind(self._root, seen, tip) if seen else None
        if gone is None or any(meta.get(key) != value for key, value in fixed.items()):
            self._database.wipe()
            seen, gone = None, ()
        self._ids = {path: number for number, path in self._database.paths().items()}
        problem = self._read(tip, seen)
        alive = files_of(self._root, tip)
        living = b"*" if alive is None else _pack([self._ids[path] for path in alive if path in self._ids])
        facts = {**fixed, "tip": tip.encode(), "alive": living, "problem": (problem or "").encode()}
        self._database.finish(facts, [bytes.fromhex(sha) for sha in gone], self._limit)
        return problem

    def _read(self, tip: str, seen: str | None) -> str | None:
        """Store the new commits; when contents are missing (a partial clone), read again without comparing them."""
        try:
            self._store(read_commits(self._root, self._limit, tip=tip, seen=seen))
        except UnreadableHistoryError:
            try:
                self._store(read_commits(self._root, self._limit, tip=tip, seen=seen, renames=False))
            except UnreadableHistoryError as error:
                return str(error)
        return None

    def _store(self, stream: Iterator[Commit]) -> None:
        # The newest comes first and how many there are is not known yet: number downwards from high enough.
        number = self._database.newest() + self._limit
        self._broken = None
        while batch := self._batch(stream):
            rows = []
            for commit in batch:
                rows.append(self._row(number, commit))
                number -= 1
            fresh, self._fresh = self._fresh, []
            self._database.add(rows, fresh)

    def _batch(self, stream: Iterator[Commit]) -> list[Commit]:
        if self._cancel is not None and self._cancel.is_set():
            raise CancelledError("reading the git history was cancelled")
        batch: list[Commit] = []
        try:
            batch.extend(islice(stream, BATCH))
        except UnreadableHistoryError as error:
            # What cannot be read must not take along what was read before it.
            self._broken = error
        if not batch and self._broken is not None:
            raise self._broken
        return batch

    def _row(self, number: int, commit: Commit) -> CommitRow:
        named = [pair for pair in commit.renames if all(map(self._is_named, pair))]
        renames = [self._id(path) for pair in named for path in pair]
        return CommitRow(
            number,
            bytes.fromhex(commit.sha),
            commit.time,
            commit.author,
            commit.subject.replace("\n", " "),
            _pack([self._id(path) for path in commit.paths if self._is_named(path)]),
            _pack(renames),
        )

    def _is_named(self, path: str) -> bool:
        """Whether the path may be stored: like an ignored file, one whose name holds a secret is left out."""
        return path in self._ids or not any(map(secret_in_name, path.split("/")))

    def _id(self, path: str) -> int:
        number = self._ids.get(path)
        if number is None:
            number = len(self._ids) + 1
            self._ids[path] = number
            self._fresh.append((number, path))
        return number


def _pack(numbers: Sequence[int]) -> bytes:
    return array("i", numbers).tobytes()
