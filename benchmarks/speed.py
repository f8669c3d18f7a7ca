"""How fast and how large contextls is on one workspace, beside bare parsing, reading the bytes and plain BM25.

usage: python -m benchmarks.speed ROOT [--rounds N]

Works on a copy of ROOT. Every round runs in fresh processes: one reads and parses each file that belongs to the index
with tree-sitter and nothing else; one indexes, asks, saves. Prints the medians over rounds as a Markdown table.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import random
import shutil
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

import numpy as np
import psutil

from contextls.code.languages import default_languages
from contextls.engine import Engine
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.terms import TermSplitter
from contextls.model import AssembleRequest

P = ParamSpec("P")
R = TypeVar("R")
QUESTIONS = 200
SAVES = 30
BUDGET = 4000
TARGETS = {
    "cold index ÷ bare parse": "≤ 3",
    "search p50, ms": "≤ 15",
    "search p95, ms": "≤ 40",
    "assemble 4,000 tokens p50, ms": "≤ 15",
    "assemble 4,000 tokens p95, ms": "≤ 40",
    "save searchable p50, ms": "≤ 150",
    "save searchable p95, ms": "≤ 150",
    "resident memory after questions, MB": "≤ 400",
}


class PlainBm25:
    """The textbook formula (k1 1.2, b 0.75) over the same chunks and terms: no fields, no vectors, no priors."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Count the terms of every text."""
        self._splitter = TermSplitter()
        counts = [self._splitter.counts(text) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts], np.float32)
        self._norm = 1.2 * (0.25 + 0.75 * lengths / max(float(lengths.mean()), 1e-9))
        postings: dict[int, tuple[list[int], list[int]]] = {}
        for number, count in enumerate(counts):
            for term, times in count.items():
                owners, frequencies = postings.setdefault(term, ([], []))
                owners.append(number)
                frequencies.append(times)
        self._postings = {
            term: (np.array(owners, np.int32), np.array(times, np.float32))
            for term, (owners, times) in postings.items()
        }

    def search(self, query: str, limit: int) -> list[int]:
        """The numbers of the best texts, best first."""
        scores = np.zeros(len(self._norm), np.float32)
        for term in self._splitter.counts(query):
            if term in self._postings:
                owners, times = self._postings[term]
                rarity = np.log(1 + (len(scores) - len(owners) + 0.5) / (len(owners) + 0.5))
                scores[owners] += rarity * times * 2.2 / (times + self._norm[owners])
        best = np.argpartition(-scores, min(limit, len(scores) - 1))[:limit]
        return [int(at) for at in best[np.argsort(-scores[best])]]


def parse_round(root: Path, paths: Sequence[str]) -> dict[str, float]:
    """Seconds to read the files and to parse those that have a grammar, in one process."""
    languages = default_languages()
    started = time.perf_counter()
    texts = [(path, (root / path).read_bytes()) for path in paths]
    read = time.perf_counter() - started
    jobs = [
        (languages.grammar(language).parser, data)
        for path, data in texts
        if (facts := languages.facts(language := languages.language_of(path))) and facts.module
    ]
    started = time.perf_counter()
    for parser, data in jobs:
        parser.parse(data)
    return {"read the bytes, s": read, "bare parse, s": time.perf_counter() - started}


def engine_round(root: Path, home: Path) -> dict[str, float]:
    """Everything that the engine is measured for; each time starts with an empty ``home``."""
    os.environ["CONTEXTLS_HOME"] = str(home)
    started = time.perf_counter()
    engine = Engine.open(root)
    try:
        engine.index()
        figures = {"cold index, s": time.perf_counter() - started}
        figures["second index, s"] = min(_seconds(engine.index) for _ in range(3))
        snapshot = engine._memories.content.memory.snapshot
        figures["files"], figures["chunks"] = len(snapshot.outlines), len(snapshot.view)
        questions = questions_of(snapshot)
        engine.search("warm up")
        figures |= _percentiles("search", [_seconds(partial(engine.search, q)) for q in questions])
        requests = [AssembleRequest(question, BUDGET) for question in questions]
        engine.assemble(requests[0])
        assembled = [_seconds(partial(engine.assemble, r)) for r in requests]
        figures |= _percentiles(f"assemble {BUDGET:,} tokens", assembled)
        figures |= _memory()
        figures |= _percentiles("save searchable", _saves(engine, root, snapshot))
        figures |= _bm25(snapshot, questions)
    finally:
        engine.close()
    return figures


def reopen_round(root: Path, home: Path) -> dict[str, float]:
    """What a later process pays that finds an index in ``home``: until its first prompt, and in memory."""
    os.environ["CONTEXTLS_HOME"] = str(home)
    started = time.perf_counter()
    engine = Engine.open(root)
    try:
        engine.assemble(AssembleRequest("where does it begin", BUDGET))
        first = time.perf_counter() - started
        engine.prepare()
        for question in questions_of(engine._memories.content.memory.snapshot):
            engine.assemble(AssembleRequest(question, BUDGET))
        memory = psutil.Process().memory_info().rss / 1e6
        return {
            "first prompt of a later process, s": first,
            "its resident memory after questions, MB": memory,
        }
    finally:
        engine.close()


def start_round(folder: Path) -> dict[str, float]:
    """Seconds that the start of an engine takes when there is nothing to index: imports, stores, workers."""
    with tempfile.TemporaryDirectory(dir=folder) as home, tempfile.TemporaryDirectory(dir=folder) as empty:
        os.environ["CONTEXTLS_HOME"] = home
        (Path(empty) / "only.py").write_text("only = 1\n")
        started = time.perf_counter()
        engine = Engine.open(Path(empty))
        try:
            engine.index()
            return {"index of a single line, s": time.perf_counter() - started}
        finally:
            engine.close()


def questions_of(snapshot: Snapshot) -> list[str]:
    """Half sentences from the workspace's documentation, half names; the same ones each time."""
    definitions = [d for path in sorted(snapshot.outlines) for d in snapshot.outlines[path].definitions]
    sentences = sorted({d.doc.split(".")[0].strip() for d in definitions if len(d.doc.split()) > 3})
    names = sorted({d.name for d in definitions if len(d.name) > 3})
    chance = random.Random(0)  # noqa: S311 - a sample
    half = QUESTIONS // 2
    sample = [
        *chance.sample(sentences, min(half, len(sentences))),
        *chance.sample(names, min(half, len(names))),
    ]
    return [" ".join(text.split()[:20]) for text in sample if text.strip()]


def _saves(engine: Engine, root: Path, snapshot: Snapshot) -> list[float]:
    """Seconds from a file's change on disk until a search finds its new word."""
    languages = default_languages()
    marks: dict[str, str] = {}
    for path, outline in snapshot.outlines.items():
        facts = languages.facts(outline.language)
        if facts and facts.comments.line:
            marks[path] = facts.comments.line[0]
    chance = random.Random(0)  # noqa: S311 - a sample
    times = []
    for number, path in enumerate(chance.sample(sorted(marks), min(SAVES, len(marks)))):
        word = f"zyq{chr(97 + number // 26)}{chr(97 + number % 26)}vex"
        with (root / path).open("a") as file:
            file.write(f"\n{marks[path]} {word}\n")
        started = time.perf_counter()
        engine.update_files([path])
        hits = engine.search(word).hits
        times.append(time.perf_counter() - started)
        if not hits or word not in hits[0].text:
            raise SystemExit(f"{path}: {word} was saved and is not found")
    return times


def _bm25(snapshot: Snapshot, questions: Sequence[str]) -> dict[str, float]:
    view = snapshot.view
    plain = PlainBm25([view.row(ref).text for path in view.paths for ref in view.chunks_of(path)])
    return _percentiles("plain BM25", [_seconds(partial(plain.search, q, 10)) for q in questions])


def _memory() -> dict[str, float]:
    process = psutil.Process()
    children = sum(child.memory_info().rss for child in process.children(recursive=True))
    return {
        "resident memory after questions, MB": process.memory_info().rss / 1e6,
        "resident memory of workers, MB": children / 1e6,
    }


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _percentiles(name: str, seconds: Sequence[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    return {
        f"{name} p50, ms": 1000 * ordered[len(ordered) // 2],
        f"{name} p95, ms": 1000 * ordered[int(0.95 * len(ordered))],
    }


def _indexed(root: Path) -> list[str]:
    """The files that the index holds: what a fair parse has to read."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["CONTEXTLS_HOME"] = home
        engine = Engine.open(root)
        try:
            engine.index()
            return sorted(engine._memories.content.memory.snapshot.outlines)
        finally:
            engine.close()


def _fresh(work: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(work, *arguments, **named).result()


def table(rounds: Sequence[Mapping[str, float]]) -> str:
    """Medians, one row per figure."""
    lines = ["| | measured | target |", "| --- | --- | --- |"]
    for name in rounds[0]:
        value = statistics.median(figures[name] for figures in rounds)
        shown = f"{value:,.0f}" if name in {"files", "chunks"} or value >= 100 else f"{value:.2f}"
        lines.append(f"| {name} | {shown} | {TARGETS.get(name, '')} |")
    return "\n".join(lines)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    load = os.getloadavg()
    rounds = []
    with tempfile.TemporaryDirectory() as folder:
        original = Path(folder) / "original"
        shutil.copytree(arguments.root, original, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        paths = _fresh(_indexed, original)
        for number in range(arguments.rounds):
            root, home = Path(folder) / f"copy{number}", Path(folder) / f"home{number}"
            shutil.copytree(original, root, symlinks=True)
            figures = _fresh(parse_round, root, paths) | _fresh(start_round, Path(folder))
            figures |= _fresh(engine_round, root, home)
            figures |= _fresh(reopen_round, root, home)
            figures["cold index ÷ bare parse"] = figures["cold index, s"] / figures["bare parse, s"]
            figures["second index ÷ cold index"] = figures["second index, s"] / figures["cold index, s"]
            rounds.append(figures)
            shutil.rmtree(root)
    languages = Counter(default_languages().language_of(path) for path in paths).most_common(1)
    print(
        f"{arguments.root.name} ({len(paths):,} files, mostly {languages[0][0]}), {arguments.rounds} rounds; "
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; "
        f"load {load[0]:.1f} before, {os.getloadavg()[0]:.1f} after\n"
    )
    print(table(rounds))


if __name__ == "__main__":
    main()
