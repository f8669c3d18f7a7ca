"""How well history foretells which files change together.

usage: python -m benchmarks.cochange --repository PATH... [--points K] [--commits M] [--tune] [--json FILE]

PATH is a git directory (bare or not). From the newest half of its commits, K points in time are taken at equal
distances. At each, a view is built from the commits before it alone, and asked about the next M commits that touch 2 to
30 files which exist at that point: each touched file is a question, the others are the answer. A file that the view does
not know (it was never changed before) is neither.

precision@3 is the share of the first three answers that the commit touched, recall@10 the share of what it touched among
the first ten; both are means over questions. ``most changed`` always answers with the files that most commits changed
before that point, ``most changed lately`` weighs those commits as the product does.

--tune prints the mean of both measures for a grid of constants instead.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np

from contextls.memory.vcs.tables import MASS_COMMIT, StoredCommit, Tables, build_tables
from contextls.memory.vcs.view import CommitView, HistoryWeights
from contextls.workspace.git_log import Commit, read_commits
from contextls.workspace.git_tree import files_of

LIMIT = 50_000
FIRST, MORE = 3, 10
Answer = Callable[[str], Sequence[str]]


@dataclass(frozen=True)
class Question:
    """A file that changed, and what changed with it."""

    path: str
    others: frozenset[str]


@dataclass(frozen=True)
class Point:
    """A moment: what was known before it, and what came after."""

    tables: Tables
    tip: str
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Figures:
    """Means over all questions."""

    precision: float
    recall: float


def main() -> None:
    """Print one table for all repositories."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repository", nargs="+", type=Path, required=True)
    parser.add_argument("--points", type=int, default=8)
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    known = {place: points(place, given.points, given.commits) for place in given.repository}
    if given.tune:
        tune(list(known.values()))
        return
    print("| repository | commits | questions | co-changes P@3 / R@10 | most changed | most changed lately |")
    print("| --- | --- | --- | --- | --- | --- |")
    results = {}
    for place, moments in known.items():
        figures = {name: measured(moments, way) for name, way in WAYS.items()}
        cells = " | ".join(f"{f.precision:.3f} / {f.recall:.3f}" for f in figures.values())
        asked = sum(len(moment.questions) for moment in moments)
        size = max(len(moment.tables.times) for moment in moments)
        print(f"| {label(place)} | {size:,} | {asked:,} | {cells} |")
        results[label(place)] = {name: asdict(f) for name, f in figures.items()}
    print(f"\nOne question: {speed(list(known.values())):.3f} ms (median).")
    if given.json:
        given.json.write_text(json.dumps(results, indent=1))


def label(place: Path) -> str:
    """A name for the table."""
    return (place.parent.name if place.name in ("repo", ".git") else place.stem).replace("+", "/")


def points(place: Path, count: int, ahead: int) -> list[Point]:
    """The moments of one repository, oldest first."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / ".git").write_text(f"gitdir: {place.resolve()}\n")
        history = list(read_commits(root, LIMIT))
        half = len(history) // 2
        starts = [half - position * half // count for position in range(count)]
        return [moment(root, history, start, ahead) for start in starts if start < len(history)]


def moment(root: Path, history: list[Commit], start: int, ahead: int) -> Point:
    """What was known when ``history[start]`` (newest first) was the newest commit."""
    tip = history[start].sha
    alive = files_of(root, tip) or {}
    numbers: dict[str, int] = {}
    stored = [
        StoredCommit(
            commit.sha,
            commit.time,
            commit.author,
            "",
            [numbers.setdefault(path, len(numbers)) for path in commit.paths],
            [
                (numbers.setdefault(old, len(numbers)), numbers.setdefault(new, len(numbers)))
                for old, new in commit.renames
            ],
        )
        for commit in history[start:]
    ]
    tables = build_tables(stored, {number: path for path, number in numbers.items() if path in alive})
    known = frozenset(tables.paths)
    questions: list[Question] = []
    asked = 0
    for commit in reversed(history[:start]):
        touched = known.intersection(commit.paths)
        if len(touched) >= 2 and len(commit.paths) <= MASS_COMMIT:
            questions.extend(Question(path, touched - {path}) for path in sorted(touched))
            asked += 1
            if asked == ahead:
                break
    return Point(tables, tip, tuple(questions))


def measured(moments: Sequence[Point], way: Callable[[Point], Answer]) -> Figures:
    """Precision and recall of one way to answer."""
    precision: list[float] = []
    recall: list[float] = []
    for at in moments:
        answer = way(at)
        for question in at.questions:
            found = answer(question.path)
            precision.append(len(question.others.intersection(found[:FIRST])) / FIRST)
            recall.append(len(question.others.intersection(found[:MORE])) / len(question.others))
    return Figures(statistics.fmean(precision or [0.0]), statistics.fmean(recall or [0.0]))


def by_history(at: Point, weights: HistoryWeights | None = None) -> Answer:
    """What the product answers."""
    view = CommitView(at.tables, at.tip, weights or HistoryWeights())
    return lambda path: [found.path for found in view.co_changes(path, MORE)]


def by_count(at: Point) -> Answer:
    """Always the files that most commits changed."""
    order = np.argsort(-np.diff(at.tables.file_starts), kind="stable")[: MORE + 1]
    busiest = [at.tables.paths[file] for file in order]
    return lambda path: [other for other in busiest if other != path][:MORE]


def by_churn(at: Point) -> Answer:
    """Always the files that change most these days."""
    view = CommitView(at.tables, at.tip)
    busiest = sorted(view.paths, key=lambda path: (-view.churn(path), path))[: MORE + 1]
    return lambda path: [other for other in busiest if other != path][:MORE]


WAYS: dict[str, Callable[[Point], Answer]] = {
    "co-changes": by_history,
    "most changed": by_count,
    "most changed lately": by_churn,
}


def tune(repositories: Sequence[Sequence[Point]]) -> None:
    """Print the mean over repositories for each choice of constants, best first."""
    grid = itertools.product((90.0, 180.0, 365.0, 730.0, 1e9), (0.0, 0.5, 1.0), (0.0, 0.5, 2.0, 5.0))
    rows = []
    for half_life, power, smoothing in grid:
        weights = HistoryWeights(half_life, power, smoothing)
        each = [measured(moments, partial(by_history, weights=weights)) for moments in repositories]
        rows.append(
            (statistics.fmean(f.precision for f in each), statistics.fmean(f.recall for f in each), weights)
        )
    for precision, recall, weights in sorted(rows, key=lambda row: -row[0] - row[1])[:15]:
        print(f"{precision:.4f} {recall:.4f} {weights}")


def speed(repositories: Sequence[Sequence[Point]]) -> float:
    """Milliseconds for one question."""
    times = list(_timed(repositories))
    return statistics.median(times) if times else 0.0


def _timed(repositories: Sequence[Sequence[Point]]) -> Iterator[float]:
    for moments in repositories:
        answer = by_history(moments[-1])
        for question in moments[-1].questions:
            started = time.perf_counter()
            answer(question.path)
            yield (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    main()
