"""From how many chunks on signs of vectors, or an index of LanceDB, answer sooner than numpy, and what they miss.

usage: python -m benchmarks.vectors HOME [--sizes N,N,…] [--layouts BITS:ROWS:SHARE,…]

HOME is a folder that contextls keeps its indexes in (``CONTEXTLS_HOME``); the vectors of the largest one there are
taken, as many as there are. Questions are those of ``benchmarks/large``. A layout is the bits of a number, the rows of a
partition, and the share of the partitions that a search visits; without one, no index is built.

For each size: the milliseconds of CPU and on the clock, medians over all questions, to find the 4,096 nearest chunks and
to compare them exactly; how many of the really nearest 20, 100 and 1,000 are among them; and for an index the seconds of
CPU, the peak of anonymous memory and the disk space that building it takes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from contextls.memory.index.segments.number_sets import largest
from contextls.memory.index.segments.sign_bits import find_likeliest
from contextls.models.embedders.choose import open_embedder
from contextls.settings import Settings
from contextls.store.array_file import map_arrays
from contextls.store.vector_process import SPARING
from contextls.store.vector_table import LAYOUT, VectorLayout, VectorTable, write_vector_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

COUNT = 4096
TOPS = (20, 100, 1000)
_ROWS_AT_ONCE = 1024
_ROUNDS = 3
ROWS_OF_PART = 200_000  # as large as segments are


class Vectors:
    """Real vectors as segments hold them."""

    def __init__(self, home: Path, most: int) -> None:
        folders = home.glob("cache/*/index-*/segments")
        folder = max(folders, key=lambda each: sum(file.stat().st_size for file in each.iterdir()))
        rows: list[NDArray[np.int8]] = []
        scales: list[NDArray[np.float32]] = []
        signs: list[NDArray[np.uint64]] = []
        for file in sorted(folder.glob("*.segment"), key=lambda each: -each.stat().st_size):
            columns = map_arrays(file)
            rows.append(columns["vectors"])
            scales.append(columns["scales"])
            signs.append(columns["signs"])
            if sum(map(len, rows)) >= most:
                break
        self.rows = np.concatenate(rows)[:most]
        self.scales = np.concatenate(scales)[:most]
        self.signs = np.concatenate(signs)[:most]

    def __len__(self) -> int:
        return len(self.rows)

    def similar(self, question: NDArray[np.float32], count: int) -> NDArray[np.float32]:
        """How near the first ``count`` are, as ``Segment.similar`` tells it."""
        found = np.zeros(count, np.float32)
        for first in range(0, count, _ROWS_AT_ONCE):
            rows = self.rows[first : min(count, first + _ROWS_AT_ONCE)].astype(np.float32)
            np.einsum("ij,j->i", rows, question, out=found[first : first + len(rows)])
        found *= self.scales[:count]
        return found

    def by_numpy(self, question: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        """The nearest of the first ``count``, best first."""
        near = self.similar(question, count)
        best = largest(near, COUNT)
        return best[np.argsort(-near[best])]

    def by_index(self, table: VectorTable, question: NDArray[np.float32]) -> NDArray[np.int64]:
        """The rows that ``table`` finds, compared exactly, best first."""
        parts, positions = table.nearest(question, COUNT)
        return self._compare(np.sort(parts * ROWS_OF_PART + positions), question)

    def by_signs(self, question: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        """Those of the first ``count`` that are likely by their signs, compared exactly, best first."""
        (found,) = find_likeliest([self.signs[:count]], [np.ones(count, np.bool_)], question, COUNT)
        return self._compare(found, question)

    def _compare(self, found: NDArray[np.int64], question: NDArray[np.float32]) -> NDArray[np.int64]:
        near = np.zeros(len(found), np.float32)
        for first in range(0, len(found), _ROWS_AT_ONCE):
            rows = self.rows.take(found[first : first + _ROWS_AT_ONCE], axis=0).astype(np.float32)
            np.einsum("ij,j->i", rows, question, out=near[first : first + len(rows)])
        near *= self.scales[found]
        best = largest(near, COUNT)
        return found[best[np.argsort(-near[best])]]


def main() -> None:
    """Read the command line, measure, and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("home", type=Path)
    parser.add_argument("--sizes", default="100000,200000,500000,1200000")
    default = f"{LAYOUT.bits}:{LAYOUT.rows_per_partition}:{LAYOUT.searched}"
    parser.add_argument("--layouts", default=default)
    parser.add_argument("--build", help=argparse.SUPPRESS)
    options = parser.parse_args()
    sizes = [int(each) for each in options.sizes.split(",")]
    vectors = Vectors(options.home, max(sizes))
    if options.build:
        build(vectors, *json.loads(options.build))
        return
    questions = read_questions()
    layouts = [read_layout(text) for text in options.layouts.split(",") if text]
    head = ("chunks", "by", "CPU ms", "ms", *(f"of the first {top:,}" for top in TOPS), "build")
    print(f"| {' | '.join(head)} |\n|{' --- |' * len(head)}", flush=True)
    for size in sorted({min(size, len(vectors)) for size in sizes}):
        compare(vectors, size, questions, layouts, options.home)


def read_layout(text: str) -> VectorLayout:
    """A layout as the command line has it: bits, rows of a partition, share searched."""
    bits, rows, share = text.split(":")
    return VectorLayout(int(bits), int(rows), float(share))


def compare(
    vectors: Vectors,
    size: int,
    questions: Sequence[NDArray[np.float32]],
    layouts: Sequence[VectorLayout],
    home: Path,
) -> None:
    """Print the lines of the table for the first ``size`` vectors."""
    right = [vectors.by_numpy(question, size) for question in questions]
    measure = partial(report, size, questions=questions, right=right)
    measure("numpy", partial(vectors.by_numpy, count=size))
    measure("signs", partial(vectors.by_signs, count=size))
    # Layouts that differ in the searched share alone have one index.
    built: dict[tuple[int, int], tuple[Path, str]] = {}
    with tempfile.TemporaryDirectory() as work:
        for layout in layouts:
            key = (layout.bits, layout.rows_per_partition)
            if key not in built:
                folder = Path(work) / str(len(built))
                folder.mkdir()
                built[key] = folder, build_apart(home, size, layout, folder)
            folder, cost = built[key]
            table = VectorTable.load(folder, layout)
            name = f"LanceDB {layout.bits}:{layout.rows_per_partition}:{layout.searched}"
            measure(name, partial(vectors.by_index, table), built=cost)


def read_questions() -> list[NDArray[np.float32]]:
    """The vectors of the questions about large trees."""
    embedder = open_embedder(Settings())
    files = sorted(Path(__file__).with_name("large").glob("*.json"))
    known: list[dict[str, Any]] = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return [embedder.embed_query(one["question"]) for each in known for one in each["questions"]]


def report(
    size: int,
    name: str,
    find: Callable[[NDArray[np.float32]], NDArray[np.int64]],
    *,
    questions: Sequence[NDArray[np.float32]],
    right: Sequence[NDArray[np.int64]],
    built: str = "",
) -> None:
    """Print a line of the table: what ``find`` costs, and the share of the ``right`` answers that it finds."""
    cpu, wall = [], []
    for number in range(_ROUNDS + 1):
        for question in questions:
            started = time.process_time(), time.perf_counter()
            find(question)
            if number:  # the first round warms up
                cpu.append((time.process_time() - started[0]) * 1000)
                wall.append((time.perf_counter() - started[1]) * 1000)
    found = [find(question) for question in questions]
    recall = [
        statistics.mean(
            len(np.intersect1d(a[:top], b[:top])) / top for a, b in zip(found, right, strict=True)
        )
        for top in TOPS
    ]
    figures = (f"{statistics.median(cpu):.1f}", f"{statistics.median(wall):.1f}")
    cells = (f"{size:,}", name, *figures, *(f"{each:.3f}" for each in recall), built)
    print(f"| {' | '.join(cells)} |", flush=True)


def build_apart(home: Path, size: int, layout: VectorLayout, folder: Path) -> str:
    """Build an index in a process of its own, as the product does; what it took."""
    asked = json.dumps([size, layout.bits, layout.rows_per_partition, str(folder)])
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.vectors", str(home), "--sizes", str(size), "--build", asked],
        env={**os.environ, **SPARING},
        stdout=subprocess.PIPE,
        check=True,
    )
    size_mb = sum(file.stat().st_size for file in folder.rglob("*")) / 1e6
    return f"{done.stdout.decode().strip()}, {size_mb:,.0f} MB on disk"


def build(vectors: Vectors, size: int, bits: int, rows: int, folder: str) -> None:
    """Build an index and print what it takes, beside the vectors themselves."""
    before, peak = _anonymous_mb(), [0.0]

    def watch() -> None:
        while True:
            peak[0] = max(peak[0], _anonymous_mb())
            time.sleep(0.05)

    threading.Thread(target=watch, daemon=True).start()

    def batches(start: int) -> Iterator[NDArray[np.float32]]:
        end = min(size, start + ROWS_OF_PART)
        for first in range(start, end, 4096):
            inside = slice(first, min(end, first + 4096))
            yield vectors.rows[inside] * vectors.scales[inside, None]

    parts = [batches(start) for start in range(0, size, ROWS_OF_PART)]
    write_vector_table(Path(folder), parts, vectors.rows.shape[1], VectorLayout(bits, rows))
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(f"{used.ru_utime + used.ru_stime:.0f} s of CPU, {peak[0] - before:,.0f} MB")


def _anonymous_mb() -> float:
    for line in Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines():
        if line.startswith("Anonymous:"):
            return int(line.split()[1]) / 1024
    return 0.0


if __name__ == "__main__":
    main()
