"""How often the right code is found: labelled queries over real repositories, through the product's own code path.

usage: python -m benchmarks.relevance ANNOTATIONS CHECKOUTS [--scope package|whole|both] [--repo NAME]... [--prompts]
                                      [--json FILE]

ANNOTATIONS holds repos.json ([{name, language, benchmark_root}, ...]) and one NAME.json per repository:
[{query, relevant, secondary, category}, ...]. CHECKOUTS holds one tree per repository. ``package`` indexes only
``benchmark_root`` (what published figures do), ``whole`` the whole tree (what an editor has). ``--prompts`` also
assembles a prompt at each budget and reports how many of the wanted files are in it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from contextls.engine import Engine
from contextls.model import AssembleRequest, Context, Section

BUDGETS = (500, 1000, 2000, 4000, 8000)
DEPTH = 10

Span = tuple[str, int, int]


@dataclass(frozen=True)
class Target:
    """A file, or lines of it, that answer a query."""

    path: str
    first: int | None = None
    last: int | None = None

    def hit(self, span: Span) -> bool:
        """Whether a result covers the target; one path may be the tail of the other."""
        path, start, end = span
        if not (path == self.path or path.endswith("/" + self.path) or self.path.endswith("/" + path)):
            return False
        return self.first is None or self.last is None or not (end < self.first or start > self.last)


@dataclass(frozen=True)
class Labelled:
    """A query and what answers it."""

    query: str
    category: str
    targets: tuple[Target, ...]


@dataclass
class Row:
    """The figures of one query."""

    repo: str
    language: str
    category: str
    query: str
    ndcg: float
    recall: float
    mrr: float
    hit1: float
    ms: float
    in_prompt: dict[int, float] = field(default_factory=dict)
    assemble_ms: float = 0.0


def load_queries(path: Path) -> list[Labelled]:
    """The labelled queries of one repository."""
    return [
        Labelled(
            raw["query"],
            raw.get("category", "semantic"),
            tuple(map(_target, [*raw.get("relevant", []), *raw.get("secondary", [])])),
        )
        for raw in json.loads(path.read_text())
    ]


def score(spans: Sequence[Span], targets: Sequence[Target]) -> tuple[float, float, float, float]:
    """NDCG@10 with binary gains, recall@10, MRR@10 and hit@1 of results given best first."""
    ranks = []
    for target in targets:
        rank = next((n for n, span in enumerate(spans[:DEPTH], 1) if target.hit(span)), None)
        if rank is not None:
            ranks.append(rank)
    gained = sum(1 / math.log2(rank + 1) for rank in set(ranks))
    ideal = sum(1 / math.log2(n + 2) for n in range(min(DEPTH, len(targets))))
    return gained / ideal, len(ranks) / len(targets), 1 / min(ranks) if ranks else 0.0, float(1 in ranks)


def content_spans(context: Context) -> list[Span]:
    """Where the code of an assembled prompt comes from, in its order."""
    return [
        (one.path, one.start_line, one.end_line)
        for one in context.components
        if one.type is Section.SEMANTIC and one.path and one.start_line and one.end_line
    ]


def measure_repo(
    repo: dict[str, str], queries: Iterable[Labelled], root: Path, prompts: bool
) -> tuple[list[Row], float]:
    """The figures of every query over ``root``, and the seconds that the cold index took."""
    rows = []
    engine = Engine.open(root)
    try:
        started = time.perf_counter()
        engine.index()
        seconds = time.perf_counter() - started
        engine.search("warm up")
        for labelled in queries:
            result = engine.search(labelled.query, 5 * DEPTH)
            spans = [(hit.path, hit.start_line, hit.end_line) for hit in result.hits]
            row = Row(
                repo["name"],
                repo["language"],
                labelled.category,
                labelled.query,
                *score(spans, labelled.targets),
                result.ms,
            )
            for budget in BUDGETS if prompts else ():
                _measure_prompt(engine, labelled, budget, row)
            rows.append(row)
    finally:
        engine.close()
    return rows, seconds


def summary(rows: Sequence[Row]) -> dict[str, object]:
    """Means over queries, and means of NDCG@10 by category and by language."""
    times = sorted(row.ms for row in rows)
    by: dict[str, dict[str, list[float]]] = {"category": defaultdict(list), "language": defaultdict(list)}
    for row in rows:
        by["category"][row.category].append(row.ndcg)
        by["language"][row.language].append(row.ndcg)
    means = {
        name: round(statistics.mean(getattr(row, name) for row in rows), 4)
        for name in ("ndcg", "recall", "mrr", "hit1")
    }
    return {
        "queries": len(rows),
        **means,
        "query_p50_ms": round(times[len(times) // 2], 2),
        "query_p95_ms": round(times[int(0.95 * len(times))], 2),
        "recall_in_prompt": {
            budget: round(statistics.mean(row.in_prompt[budget] for row in rows), 4)
            for budget in BUDGETS
            if rows[0].in_prompt
        },
        **{
            f"by_{name}": {key: round(statistics.mean(values), 3) for key, values in sorted(groups.items())}
            for name, groups in by.items()
        },
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("annotations", type=Path)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("--scope", choices=["package", "whole", "both"], default="both")
    parser.add_argument("--repo", action="append", default=[])
    parser.add_argument("--prompts", action="store_true")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    repos = json.loads((arguments.annotations / "repos.json").read_text())
    chosen = [repo for repo in repos if not arguments.repo or repo["name"] in arguments.repo]
    output: dict[str, object] = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    }
    for scope in ("package", "whole") if arguments.scope == "both" else (arguments.scope,):
        rows: list[Row] = []
        seconds = {}
        for repo in chosen:
            root = (
                arguments.checkouts
                / repo["name"]
                / (repo.get("benchmark_root", "") if scope == "package" else "")
            )
            with tempfile.TemporaryDirectory() as home:
                os.environ["CONTEXTLS_HOME"] = home
                queries = load_queries(arguments.annotations / f"{repo['name']}.json")
                found, seconds[repo["name"]] = measure_repo(repo, queries, root, arguments.prompts)
            rows.extend(found)
            ndcg = statistics.mean(row.ndcg for row in found)
            print(f"{scope} {repo['name']}: NDCG@10 {ndcg:.3f}, index {seconds[repo['name']]:.1f} s")
        output[scope] = {
            **summary(rows),
            "index_seconds": {name: round(value, 2) for name, value in seconds.items()},
        }
        print(json.dumps(output[scope], indent=1))
        if arguments.json:
            arguments.json.write_text(
                json.dumps({**output, f"{scope}_rows": [asdict(row) for row in rows]}, indent=1)
            )


def _target(raw: str | dict[str, object]) -> Target:
    if isinstance(raw, str):
        return Target(raw)
    first, last = raw.get("start_line"), raw.get("end_line")
    return Target(str(raw["path"]), int(str(first)) if first else None, int(str(last)) if last else None)


def _measure_prompt(engine: Engine, labelled: Labelled, budget: int, row: Row) -> None:
    context = engine.assemble(AssembleRequest(labelled.query, budget))
    spans = content_spans(context)
    found = sum(any(target.hit(span) for span in spans) for target in labelled.targets)
    row.in_prompt[budget] = found / len(labelled.targets)
    row.assemble_ms = max(row.assemble_ms, context.metadata.assembly_time_ms)


if __name__ == "__main__":
    main()
