"""Git history by file: an immutable view that answers in well under a millisecond.

Each commit has a weight: it fades with age and is shared among the files that it touched, so that a small commit says
more about what belongs together than a large one. ``docs/history.md`` measures the constants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from contextls.memory.vcs.tables import MASS_COMMIT, Tables, build_tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

SECONDS_PER_DAY = 86_400.0
_NEWEST = 21  # commits whose middle date stands for today
_REMEMBERED = 10_000  # files of which it is known whether they may come out
_FAINTEST = 2.0**-10  # what the oldest commit still weighs: it happened


class CoChange(Struct, frozen=True):
    """A file that changes together with what was asked about.

    Of ``applications`` commits that changed what was asked about, ``support`` changed ``path`` too; commits of more than
    30 files and merges are not counted. ``confidence`` in 0..1 is the smoothed, faded share, by which results are
    ordered: few or old observations give a low one.
    """

    path: str
    support: int
    applications: int
    confidence: float


class CommitInfo(Struct, frozen=True):
    """One commit; ``sha`` in full, ``timestamp`` in milliseconds since the epoch, the author's."""

    sha: str
    subject: str
    author: str
    timestamp: int


class HistoryWeights(Struct, frozen=True):
    """The constants of the view, found with ``benchmarks/cochange.py``.

    ``half_life_days``: how long until a commit weighs half, counted back from the newest ones. ``size_power``: a commit of
    n files weighs ``n ** -size_power``. ``smoothing``: weight of the commits that stand for what is not known. ``newest``:
    how many of a file's commits are looked at.
    """

    half_life_days: float = 730.0
    size_power: float = 0.5
    smoothing: float = 2.0
    newest: int = 1_000


class CommitView:
    """The history of one workspace as of the commit ``head`` ("" when there is none). Safe to share between threads."""

    def __init__(
        self,
        tables: Tables,
        head: str = "",
        weights: HistoryWeights = HistoryWeights(),  # noqa: B008 - frozen
        accepts: Callable[[str], bool] = lambda _: True,
    ) -> None:
        """``accepts`` says which files may come out; it is asked about those that would, as asking about all takes long."""
        self.head = head
        self._tables = tables
        self._weights = weights
        self._accepts = lru_cache(_REMEMBERED)(accepts)
        self._number = {path: number for number, path in enumerate(tables.paths)}
        # One commit dated in the far future must not make all others old.
        newest = float(np.median(tables.times[:_NEWEST])) if len(tables.times) else 0.0
        age = np.maximum(newest - tables.times, 0.0) / SECONDS_PER_DAY
        self._fading: NDArray[np.float64] = np.maximum(np.exp2(-age / weights.half_life_days), _FAINTEST)
        counted = (tables.sizes > 0) & (tables.sizes <= MASS_COMMIT)
        shared = np.maximum(tables.sizes, 1).astype(np.float64) ** -weights.size_power
        self._weight: NDArray[np.float64] = np.where(counted, self._fading * shared, 0.0)
        self._counted = counted
        per_commit = np.diff(tables.commit_starts)
        entries = np.repeat(self._weight, per_commit)
        count = len(tables.paths)
        self._base = np.bincount(tables.commit_files, entries, count) / max(float(self._weight.sum()), 1e-12)
        self._touches = np.bincount(tables.commit_files, np.repeat(self._fading, per_commit), count)

    @classmethod
    def empty(cls) -> CommitView:
        """The view of a folder without history."""
        return cls(build_tables((), {}))

    def limit_to(self, accepts: Callable[[str], bool]) -> CommitView:
        """The same history as if there had never been any files but those that it ``accepts``."""
        return CommitView(self._tables, self.head, self._weights, accepts)

    def __len__(self) -> int:
        """The number of commits."""
        return len(self._tables.times)

    @property
    def paths(self) -> tuple[str, ...]:
        """Every file that exists in the newest commit and was changed by a remembered one, sorted."""
        return tuple(filter(self._accepts, self._tables.paths))

    def co_changes(self, path: str, limit: int = 10) -> tuple[CoChange, ...]:
        """The files that change when ``path`` changes, most certain first; empty for a file without history."""
        return self.predict((path,), limit)

    def predict(self, paths: Iterable[str], limit: int = 10) -> tuple[CoChange, ...]:
        """The files that change with ``paths``, themselves left out, most certain first.

        A commit that changed several of ``paths`` counts that much more.
        """
        asked = sorted({number for path in paths if (number := self._find(path)) is not None})
        if not asked or limit <= 0:
            return ()
        commits, shared = self._commits_of(asked)
        if not len(commits):
            return ()
        files, owner = self._files_of(commits)
        weights = self._weight[commits] * shared
        together = np.bincount(files, weights[owner])
        together[asked[: np.searchsorted(asked, len(together))]] = 0.0
        found = np.flatnonzero(together)
        smoothing = self._weights.smoothing
        confidence = (together[found] + smoothing * self._base[found]) / (weights.sum() + smoothing)
        best = _find_best(found, confidence, limit)
        if not all(self._is_shown(found[best])):
            shown = np.fromiter(self._is_shown(found), bool, len(found))
            found, confidence = found[shown], confidence[shown]
            best = _find_best(found, confidence, limit)
        support = np.bincount(files, minlength=len(together))
        return tuple(
            CoChange(
                self._tables.paths[file], int(support[file]), len(commits), round(min(float(sure), 1.0), 4)
            )
            for file, sure in zip(found[best], confidence[best], strict=True)
        )

    def churn(self, path: str) -> float:
        """The churn of a file in 0..1: its faded number of commits on a log scale, 1 for the busiest file."""
        number = self._find(path)
        if number is None:
            return 0.0
        return round(float(np.log1p(self._touches[number])) / self._busiest, 4)

    def authors(self, path: str) -> tuple[tuple[str, float], ...]:
        """The authors of a file, with the share of its faded commits (the shares add up to 1), largest first."""
        commits = self._all_commits(path)
        return self._shares(commits) if len(commits) else ()

    def commits_by_author(self, path: str) -> Counter[str]:
        """The number of remembered commits of a file by each author."""
        tables = self._tables
        return Counter(tables.author_names[number] for number in tables.authors[self._all_commits(path)])

    def last_change(self, path: str) -> int | None:
        """When the newest remembered commit of a file was made, in milliseconds; ``None`` for a file without history."""
        commits = self._all_commits(path)
        return int(self._tables.times[commits].max()) * 1000 if len(commits) else None

    def people(self) -> tuple[tuple[str, float], ...]:
        """Everyone who committed, with the share of all faded commits, largest first."""
        return self._shares(np.arange(len(self), dtype=np.int32)) if len(self) else ()

    def recent(self, path: str | None = None, limit: int = 10) -> tuple[CommitInfo, ...]:
        """The newest commits of a file, or of the workspace, newest first."""
        commits = range(len(self)) if path is None else self._all_commits(path)
        tables = self._tables
        return tuple(
            CommitInfo(
                tables.sha(commit),
                tables.subject(commit),
                tables.author_names[tables.authors[commit]],
                int(tables.times[commit]) * 1000,
            )
            for commit in commits[: max(limit, 0)]
        )

    def _shares(self, commits: NDArray[np.int32]) -> tuple[tuple[str, float], ...]:
        numbers, place = np.unique(self._tables.authors[commits], return_inverse=True)
        weights = np.bincount(place, self._fading[commits])
        total = float(weights.sum()) or 1.0
        order = np.lexsort((numbers, -weights))
        return tuple(
            (self._tables.author_names[numbers[i]], round(float(weights[i]) / total, 4)) for i in order
        )

    @cached_property
    def _busiest(self) -> float:
        """The most touches that a file has, on a log scale."""
        files = np.argsort(-self._touches)
        shown = (file for file, is_shown in zip(files, self._is_shown(files), strict=True) if is_shown)
        return float(np.log1p(self._touches[next(shown)]))

    def _find(self, path: str) -> int | None:
        number = self._number.get(path)
        return number if number is not None and self._accepts(path) else None

    def _is_shown(self, files: NDArray[np.int64]) -> Iterator[bool]:
        return (self._accepts(self._tables.paths[file]) for file in files)

    def _all_commits(self, path: str) -> NDArray[np.int32]:
        number = self._find(path)
        if number is None:
            return np.empty(0, np.int32)
        start, end = self._tables.file_starts[number : number + 2]
        return self._tables.file_commits[start:end]

    def _commits_of(self, files: list[int]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The newest counted commits of ``files``, and how many of ``files`` each of them touched."""
        tables = self._tables
        runs = [
            tables.file_commits[tables.file_starts[file] : tables.file_starts[file + 1]][
                : self._weights.newest
            ]
            for file in files
        ]
        if len(runs) == 1:
            commits, times = runs[0], np.ones(len(runs[0]), np.int64)
        else:
            commits, times = np.unique(np.concatenate(runs), return_counts=True)
        counted = self._counted[commits]
        return commits[counted], times[counted]

    def _files_of(self, commits: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The files of ``commits``, run after run, and the position in ``commits`` of each."""
        starts = self._tables.commit_starts[commits]
        lengths = self._tables.commit_starts[commits + 1] - starts
        owner = np.repeat(np.arange(len(commits)), lengths)
        offsets = np.arange(len(owner)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return self._tables.commit_files[starts[owner] + offsets], owner


def _find_best(files: NDArray[np.int64], confidence: NDArray[np.float64], limit: int) -> NDArray[np.int64]:
    """The places of the ``limit`` files of most confidence, best first."""
    places = np.arange(len(files))
    if len(files) > limit:
        first = np.argpartition(-confidence, limit - 1)[:limit]
        # Those that tie with the last one: the order below must not depend on chance.
        places = np.flatnonzero(confidence >= confidence[first].min())
    return places[np.lexsort((files[places], -confidence[places]))][:limit]
