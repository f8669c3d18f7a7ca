"""How often the files of a change are found from its message: long queries taken from the history of repositories.

usage: python -m benchmarks.history REPOSITORY... [--since DATE] [--trees K] [--commits M] [--words N] [--json FILE]

REPOSITORY is a git directory (bare or not). From its commits since DATE, K points in time are taken at equal distances.
At each, the tree of the parent commit is written out and indexed, and the messages of the next M suitable commits are
asked. A result counts when it is a file that the commit changed.

A commit is suitable when it is no merge, release, revert or dependency update, when its message has at least N words,
and when it changes one to five source files (no tests) that the tree already holds.

Columns: ``plain`` searches for the message as if it were one short question, ``parts`` is the product, ``bm25`` is
textbook BM25 (k1 1.2, b 0.75) over windows of 40 lines with their path words, ``bm25 source`` the same over source
files alone, which is easier: only such files are wanted.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import tempfile
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from contextls.code.languages import TEXT, default_languages
from contextls.engine import Engine
from contextls.memory.index.priors import FileKind, file_kind
from contextls.memory.index.query.search_query import prepare_query

MAX_FILES = 5
WINDOW = 40
DEPTHS = (5, 10)
_NO_FIX = re.compile(
    r"^\W*(merge|release|bump|revert|prepare|version|update dependenc|v?\d+\.\d+|chore|build\(deps|\[?changelog)"
    r"|\b(bump|dependabot|release v?\d)\b",
    re.IGNORECASE,
)
_TRAILER = re.compile(
    r"^(signed-off-by|co-authored-by|reviewed-by|reviewed-on|pr-url|piperorigin-revid|change-id|refs|cc|"
    r"backport-pull-request|tested-by|acked-by)\b.*",
    re.IGNORECASE | re.MULTILINE,
)
_WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]+(?![a-z])|\d+")


@dataclass(frozen=True)
class Change:
    """A commit: what it says and the source files that it changes."""

    commit: str
    message: str
    files: frozenset[str]


@dataclass(frozen=True)
class Point:
    """A tree, by its commit, and the changes that followed it."""

    commit: str
    changes: tuple[Change, ...]


@dataclass
class Row:
    """The figures of one query by one method."""

    repository: str
    method: str
    commit: str
    words: int
    recall5: float
    recall10: float
    mrr: float


def points(git: Path, since: str, trees: int, commits: int, words: int) -> list[Point]:
    """``trees`` points of the history of ``git``, each with up to ``commits`` suitable changes after it."""
    log = _git(git, "log", "--first-parent", "--reverse", f"--since={since}", "--format=%H").split()
    found = []
    for number in range(trees):
        start, stop = (len(log) * n // trees for n in (number, number + 1))
        if stop - start < 2:
            continue
        known = set(_git(git, "ls-tree", "-r", "--name-only", "-z", log[start]).split("\0"))
        changes: list[Change] = []
        for commit in log[start + 1 : stop]:
            change = _change(git, commit, known, words)
            if change:
                changes.append(change)
            if len(changes) == commits:
                break
        found.append(Point(log[start], tuple(changes)))
    return found


def write_tree(git: Path, commit: str, folder: Path) -> None:
    """Write the files of ``commit`` below ``folder``; blobs that the repository lacks and links are left out."""
    entries = []
    for line in _git(git, "ls-tree", "-r", "-z", commit).split("\0"):
        meta, _, path = line.partition("\t")
        mode, kind, blob = meta.split() if meta else ("", "", "")
        if kind == "blob" and mode != "120000":
            entries.append((blob, path))
    process = subprocess.Popen(
        ["git", "--git-dir", str(git), "cat-file", "--batch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "GIT_NO_LAZY_FETCH": "1"},
    )
    asked, answered = process.stdin, process.stdout
    if asked is None or answered is None:
        raise RuntimeError("git cat-file has no pipes")

    def ask() -> None:
        with asked:
            for blob, _ in entries:
                asked.write(blob.encode() + b"\n")

    threading.Thread(target=ask, daemon=True).start()
    for _, path in entries:
        header = answered.readline().split()
        if header[-1:] == [b"missing"]:
            continue
        data = answered.read(int(header[2]))
        answered.read(1)
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    process.wait()


class Bm25:
    """Textbook BM25 over windows of lines; a file is as good as its best window."""

    def __init__(self, root: Path, paths: Sequence[str]) -> None:
        """Read and count ``paths`` below ``root``."""
        self._windows: list[tuple[str, int]] = []
        self._places: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for path in paths:
            lines = (root / path).read_text("utf-8", "replace").splitlines()
            for start in range(0, max(1, len(lines)), WINDOW):
                counts = Counter(_words(path + "\n" + "\n".join(lines[start : start + WINDOW])))
                for word, count in counts.items():
                    self._places[word].append((len(self._windows), count))
                self._windows.append((path, sum(counts.values())))
        self._average = statistics.mean(length for _, length in self._windows) if self._windows else 1.0

    def files(self, query: str) -> list[str]:
        """The files for ``query``, best first."""
        scores: dict[int, float] = defaultdict(float)
        total = len(self._windows)
        for word, asked in Counter(_words(query)).items():
            places = self._places.get(word, [])
            idf = math.log(1 + (total - len(places) + 0.5) / (len(places) + 0.5))
            for window, count in places:
                norm = 1.2 * (0.25 + 0.75 * self._windows[window][1] / self._average)
                scores[window] += asked * idf * count * 2.2 / (count + norm)
        ordered = sorted(scores, key=lambda window: (-scores[window], window))
        return list(dict.fromkeys(self._windows[window][0] for window in ordered))


def searches(engine: Engine, root: Path) -> dict[str, Callable[[str], list[str]]]:
    """Every method of the table over an indexed workspace: from a query to paths, best first."""
    paths = sorted(engine._memories.content.memory.snapshot.view.paths)  # a benchmark may look inside
    everything, sources = Bm25(root, paths), Bm25(root, [path for path in paths if _is_source(path)])

    def product(query: str, *, parts: bool) -> list[str]:
        memory = engine._memories.content.memory
        question = memory.read_query(query)
        if not parts:
            vector = memory._embedder.embed_query(query)
            question = prepare_query(query, memory._splitter, vector, parts=None)
        ranked = memory.search(memory.snapshot, question, 50)
        return list(dict.fromkeys(memory.snapshot.view.row(item.ref).path for item in ranked))

    return {
        "bm25": everything.files,
        "bm25 source": sources.files,
        "plain": lambda query: product(query, parts=False),
        "parts": lambda query: product(query, parts=True),
    }


def score(paths: Sequence[str], wanted: frozenset[str]) -> tuple[float, float, float]:
    """Recall at 5 and at 10 files, and the reciprocal rank of the first wanted file among ten."""
    first = next((rank for rank, path in enumerate(paths[:10], 1) if path in wanted), None)
    recalls = [len(wanted & set(paths[:depth])) / len(wanted) for depth in DEPTHS]
    return recalls[0], recalls[1], 1 / first if first else 0.0


def measure(git: Path, point: Point, name: str) -> Iterator[Row]:
    """The rows of all changes after one point."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
        root = Path(folder) / "tree"
        write_tree(git, point.commit, root)
        os.environ["CONTEXTLS_HOME"] = home
        engine = Engine.open(root)
        try:
            engine.index()
            engine.search("warm up")
            for method, search in searches(engine, root).items():
                for change in point.changes:
                    figures = score(search(change.message), change.files)
                    yield Row(name, method, change.commit, len(change.message.split()), *figures)
        finally:
            engine.close()


def table(rows: Sequence[Row]) -> str:
    """Means by repository and over all queries, as Markdown; each cell is recall@5 / recall@10 / MRR."""
    methods = list(dict.fromkeys(row.method for row in rows))
    lines = [
        "| repository | queries | " + " | ".join(methods) + " |",
        "| --- | --- |" + " --- |" * len(methods),
    ]
    median = sorted(row.words for row in rows)[len(rows) // 2] if rows else 0
    groups: list[tuple[str, Callable[[Row], bool]]] = [
        (name, lambda row, name=name: row.repository == name)  # type: ignore[misc]
        for name in dict.fromkeys(row.repository for row in rows)
    ]
    groups.append((f"messages above {median} words", lambda row: row.words > median))
    groups.append(("all", lambda _: True))
    for name, belongs in groups:
        chosen = [row for row in rows if belongs(row)]
        cells = [_cell([row for row in chosen if row.method == method]) for method in methods]
        lines.append(f"| {name} | {len(chosen) // len(methods)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repositories", type=Path, nargs="+")
    parser.add_argument("--since", default="2018-01-01")
    parser.add_argument("--trees", type=int, default=3)
    parser.add_argument("--commits", type=int, default=15)
    parser.add_argument("--words", type=int, default=30)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows: list[Row] = []
    for git in arguments.repositories:
        name = (git.parent.name if git.name in ("repo", ".git") else git.name).rpartition("+")[2]
        for point in points(git, arguments.since, arguments.trees, arguments.commits, arguments.words):
            rows.extend(measure(git, point, name))
    print(table(rows))
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))


def _git(git: Path, *arguments: str) -> str:
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1"}
    done = subprocess.run(
        ["git", "--git-dir", str(git), *arguments], capture_output=True, check=True, env=environment
    )
    return done.stdout.decode("utf-8", "replace")


def _change(git: Path, commit: str, known: set[str], words: int) -> Change | None:
    parents, _, message = _git(git, "log", "-1", "--format=%P%x00%B", commit).partition("\0")
    message = _TRAILER.sub("", message).strip()
    if len(parents.split()) != 1 or len(message.split()) < words or _NO_FIX.search(message.split("\n")[0]):
        return None
    touched = _git(git, "diff-tree", "-r", "--no-commit-id", "--name-only", "-z", commit).split("\0")
    sources = {path for path in touched if path and _is_source(path)}
    if not 1 <= len(sources) <= MAX_FILES or not sources <= known:
        return None
    return Change(commit, message, frozenset(sources))


def _is_source(path: str) -> bool:
    return default_languages().language_of(path) != TEXT and file_kind(path) is FileKind.SOURCE


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _cell(rows: Sequence[Row]) -> str:
    means = (statistics.mean(getattr(row, name) for row in rows) for name in ("recall5", "recall10", "mrr"))
    return " / ".join(f"{mean:.3f}" for mean in means)


if __name__ == "__main__":
    main()
