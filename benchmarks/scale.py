"""How time, memory and state grow with a workspace: contextls, and beside it semble and codegraph where they are.

usage: python -m benchmarks.scale SOURCE... [--files 1000,3000,10000,...] [--work FOLDER] [--minutes N] [--memory GB]
           [--semble PYTHON [--semble-model FOLDER]] [--codegraph PROGRAM] [--write]
       python -m benchmarks.scale --write

Trees of 1,000 to 1,000,000 files are written below WORK from files of the given ones, whose names are exchanged
(benchmarks/scaling/tree.py): the Linux tree, rails and Go, say (benchmarks/large_trees.py tells how to get them). A tree
is the beginning of the next larger one, and kept for the next run.

Everything is measured from outside, in fresh processes: ``contextls index`` without an index, ``contextls assemble`` in
another folder of state without one (the first answer), and a process that finds an index and asks 60 questions. Peak
memory is of all processes of a command together, what they share counted once. What passes the limit of minutes or
memory is stopped and told; larger trees are then left out for that tool. semble and codegraph index and answer as their
documents say; every question to codegraph is a process.

Results are kept in benchmarks/own/scale.json after each size; what is measured again takes the place of what was
before. ``--write`` draws them (matplotlib, in the extra
``plots``) and puts picture and table into docs/performance.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.pages import replace_figures
from benchmarks.scaling.meter import Taken, measure
from benchmarks.scaling.tree import Source, list_sources, questions_of, write_tree

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "own" / "scale.json"
PAGE, PICTURE = ROOT / "docs" / "performance.md", ROOT / "docs" / "images" / "scale.svg"
SIZES = "1000,3000,10000,30000,100000,300000,1000000"
QUESTIONS = 61
# A process for each question: fewer say enough.
QUESTIONS_OF_COMMAND = 9


@dataclass(frozen=True, slots=True)
class Point:
    """What one tool takes for one size; ``None`` is what it does not have, or did not come to.

    ``state`` is in bytes for each byte of source, times without a unit are in seconds. ``stopped`` says at which step it
    was, and by what; ``date`` is the day, ``load`` the load average before.
    """

    tool: str
    files: int
    source_mb: float
    index: float | None = None
    peak_mb: float | None = None
    anonymous_mb: float | None = None
    state: float | None = None
    first_answer: float | None = None
    first_of_later: float | None = None
    p50_ms: float | None = None
    p95_ms: float | None = None
    stopped: str | None = None
    date: str = ""
    load: float = 0.0


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree that is measured: its folder, where else may be written, and what is asked."""

    root: Path
    files: int
    source_bytes: int
    work: Path
    questions: Path
    limits: tuple[float, float]

    def run(self, command: Sequence[str | Path], home: Path | None = None) -> Taken:
        """Measure a command; contextls keeps its state in ``home``."""
        environment = {"DO_NOT_TRACK": "1", "PYTHONPATH": str(ROOT)}
        environment |= {"CONTEXTLS_HOME": str(home)} if home else {}
        return measure(list(map(str, command)), environment, *self.limits, self.work)

    def point(self, tool: str, **figures: Any) -> Point:  # noqa: ANN401 - fields of ``Point``
        """What ``tool`` took."""
        return Point(tool, self.files, round(self.source_bytes / 1e6, 1), **figures)


def main() -> None:
    """Read the command line, measure, draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sources", type=Path, nargs="*")
    parser.add_argument("--files", default=SIZES)
    parser.add_argument("--work", type=Path, default=Path(".scale"))
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--memory", type=float, default=8, help="gigabytes")
    parser.add_argument("--semble", type=Path, help="a Python that has semble")
    parser.add_argument("--semble-model", type=Path)
    parser.add_argument("--codegraph", type=Path, help="the program")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.sources:
        tools: dict[str, Callable[[Tree], Point]] = {"contextls": contextls}
        if options.semble:
            tools["semble"] = partial(semble, options.semble, options.semble_model)
        if options.codegraph:
            tools["codegraph"] = partial(codegraph, options.codegraph)
        sizes = sorted(map(int, options.files.split(",")))
        limits = (options.minutes * 60, options.memory * 1000)
        for point in grow(options.sources, sizes, options.work.resolve(), limits, tools):
            print(row_of(asdict(point)), flush=True)
            keep(point)
    if options.write:
        # Only drawing needs matplotlib.
        from benchmarks.scaling.plot import draw

        results = read_results()
        draw(results["points"], PICTURE)
        replace_figures(PAGE, "growth machine", describe_machine(results))
        replace_figures(PAGE, "growth", describe(results["points"]))


def grow(
    roots: Sequence[Path],
    sizes: Sequence[int],
    work: Path,
    limits: tuple[float, float],
    tools: Mapping[str, Callable[[Tree], Point]],
) -> Iterator[Point]:
    """Write a tree of each size in turn and measure each of the ``tools`` on it, until it is stopped."""
    sources = list_sources([root.resolve() for root in roots])
    going = dict(tools)
    for files in sizes:
        if not going:
            return
        tree = prepare(sources, files, work, limits)
        for name, tool in list(going.items()):
            load = round(os.getloadavg()[0], 1)
            point = tool(tree)
            if point.stopped:
                del going[name]
            yield replace(point, date=time.strftime("%Y-%m-%d"), load=load)


def prepare(sources: Sequence[Source], files: int, work: Path, limits: tuple[float, float]) -> Tree:
    """Write the tree of ``files`` files, out of the largest one that is there already, and the questions about it."""
    root, written = work / "tree", work / "written"
    had = int(written.read_text(encoding="ascii")) if written.is_file() and root.is_dir() else 0
    if had > files or not had:
        shutil.rmtree(root, ignore_errors=True)
        had = 0
    root.mkdir(parents=True, exist_ok=True)
    written.unlink(missing_ok=True)
    write_tree(sources, root, files, start=had)
    written.write_text(f"{files}\n", encoding="ascii")
    questions = work / "questions.json"
    questions.write_text(json.dumps(list(questions_of(sources, files, QUESTIONS))), encoding="utf-8")
    return Tree(root, files, size_of(root), work, questions, limits)


def size_of(folder: Path) -> int:
    """The bytes of all files below ``folder``."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            total += (Path(parent) / name).lstat().st_size
    return total


def contextls(tree: Tree) -> Point:
    """``contextls index``, the first answer without an index, and a process that finds one."""
    home, other = tree.work / "home", tree.work / "other-home"
    for folder in (home, other):
        shutil.rmtree(folder, ignore_errors=True)
    program = [sys.executable, "-m", "contextls"]
    indexed = tree.run([*program, "index", tree.root], home)
    figures: dict[str, Any] = _figures_of(indexed, tree, home)
    question = json.loads(tree.questions.read_text(encoding="utf-8"))[0]
    answered = tree.run([*program, "assemble", "--json", question, tree.root], other)
    if answered.stopped is None:
        figures["first_answer"] = round(answered.seconds, 3)
    if indexed.stopped is None:
        asked = tree.run(
            [sys.executable, "-m", "benchmarks.scaling.contextls_round", tree.root, tree.questions], home
        )
        if asked.stopped is None:
            told = json.loads(asked.output)
            figures |= {"first_of_later": round(told["first"], 3), **percentiles(told["ms"])}
        figures["stopped"] = _stop("questions", asked)
    shutil.rmtree(other, ignore_errors=True)
    return tree.point("contextls", **figures)


def semble(python: Path, model: Path | None, tree: Tree) -> Point:
    """Semble's index, which is in memory, and its searches, in one process."""
    script = Path(__file__).with_name("scaling") / "semble_round.py"
    taken = tree.run([python, script, tree.root, tree.questions, *([model] if model else [])])
    figures: dict[str, Any] = {"peak_mb": round(taken.peak_mb), "anonymous_mb": round(taken.anonymous_mb)}
    if taken.stopped is None:
        told = json.loads(taken.output)
        figures |= {"index": round(told["index"], 3), **percentiles(told["ms"])}
    return tree.point("semble", **figures, stopped=_stop("index", taken))


def codegraph(program: Path, tree: Tree) -> Point:
    """``codegraph init``, whose index stands in the tree until it is measured, and ``codegraph context``."""
    state = tree.root / ".codegraph"
    shutil.rmtree(state, ignore_errors=True)
    try:
        indexed = tree.run([program, "init", "--yes", tree.root])
        figures = _figures_of(indexed, tree, state)
        times = []
        for question in json.loads(tree.questions.read_text(encoding="utf-8"))[:QUESTIONS_OF_COMMAND]:
            if figures["stopped"]:
                break
            asked = tree.run([program, "context", "--path", tree.root, question])
            figures["stopped"] = _stop("questions", asked)
            times.append(asked.seconds * 1000)
        if times and not figures["stopped"]:
            figures |= percentiles(times)
        return tree.point("codegraph", **figures)
    finally:
        shutil.rmtree(state, ignore_errors=True)


def _figures_of(indexed: Taken, tree: Tree, state: Path) -> dict[str, Any]:
    done = indexed.stopped is None
    return {
        "index": round(indexed.seconds, 3) if done else None,
        "peak_mb": round(indexed.peak_mb),
        "anonymous_mb": round(indexed.anonymous_mb),
        "state": round(size_of(state) / tree.source_bytes, 2) if done else None,
        "stopped": _stop("index", indexed),
    }


def _stop(step: str, taken: Taken) -> str | None:
    return None if taken.stopped is None else f"{step}: {taken.stopped}"


def percentiles(times: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile of milliseconds."""
    ordered = sorted(times)
    return {
        "p50_ms": round(statistics.median(ordered), 1),
        "p95_ms": round(ordered[int(0.95 * (len(ordered) - 1))], 1),
    }


def keep(point: Point) -> None:
    """Put what was measured in the place of what was before for the tool and the size."""
    points = {(one["files"], one["tool"]): one for one in read_results()["points"]}
    points[point.files, point.tool] = asdict(point)
    results = {
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "points": list(points.values()),
    }
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def read_results() -> Any:  # noqa: ANN401 - JSON
    """The results of all runs so far."""
    return json.loads(RESULTS.read_text(encoding="utf-8"))


def describe_machine(results: Mapping[str, Any]) -> str:
    """On what was measured, when, and beside how much."""
    dates = sorted({one["date"] for one in results["points"]})
    loads = sorted(one["load"] for one in results["points"])
    days = " to ".join(dict.fromkeys((dates[0], dates[-1])))
    return f"{results['machine']}, {days}, load average before each {loads[0]} to {loads[-1]}."


def describe(points: Sequence[Mapping[str, Any]]) -> str:
    """The table of docs/performance.md."""
    names = (
        "tool",
        "files",
        "source, MB",
        "cold index, s",
        "peak memory, MB",
        "of it anonymous, MB",
        "state ÷ source",
        "first answer, s",
        "first prompt of a later process, s",
        "prompt p50 / p95, ms",
        "",
    )
    return "\n".join((f"| {' | '.join(names)} |", f"|{' --- |' * len(names)}", *map(row_of, points)))


def row_of(point: Mapping[str, Any]) -> str:
    """A line of the table."""

    def cell(name: str) -> str:
        value = point[name]
        return "" if value is None else f"{value:,}"

    asked = f"{cell('p50_ms')} / {cell('p95_ms')}" if point["p50_ms"] is not None else ""
    stopped = f"stopped ({point['stopped']})" if point["stopped"] else ""
    names = (
        "files",
        "source_mb",
        "index",
        "peak_mb",
        "anonymous_mb",
        "state",
        "first_answer",
        "first_of_later",
    )
    return f"| {point['tool']} | {' | '.join(map(cell, names))} | {asked} | {stopped} |"


if __name__ == "__main__":
    main()
