"""What each part of the ranking is worth: NDCG@10 with the part switched off, over both scopes.

usage: python -m benchmarks.ablation ANNOTATIONS CHECKOUTS

Prints a Markdown table. ``better in`` counts the languages in which the full ranking scores better than the
ranking without the part, out of those in which the part changes anything at all.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.relevance import DEPTH, Labelled, load_queries, score

from contextls.engine import Engine
from contextls.memory.content.priors import FileKind
from contextls.memory.content.question import Question
from contextls.memory.content.ranking import RankingWeights, rank
from contextls.memory.snapshot import Snapshot


@dataclass(frozen=True)
class Loaded:
    """One repository in memory, its questions prepared."""

    language: str
    snapshot: Snapshot
    questions: tuple[tuple[Question, Labelled], ...]


def variants() -> Mapping[str, RankingWeights]:
    """The full ranking, and the ranking without each of its parts."""
    full = RankingWeights()
    words = full.lexical
    even = dict.fromkeys(FileKind, 1.0)
    return {
        "everything": full,
        "vectors": replace(full, vector=0.0),
        "vectors left out for one-name questions": replace(full, symbol_vector=full.vector),
        "file evidence": replace(full, file=0.0),
        "definitions of asked names": replace(full, definition=0.0),
        "agreement with the file's name": replace(full, stem=0.0),
        "share of the question in the path": replace(full, path=0.0),
        "name field": replace(full, lexical=replace(words, name=0.0)),
        "path field": replace(full, lexical=replace(words, path=0.0)),
        "documentation field": replace(full, lexical=replace(words, doc=0.0)),
        "whole identifiers": replace(full, lexical=replace(words, whole=0.0)),
        "diversity across files": replace(full, decay=1.0),
        "prior against tests": replace(full, priors={**full.priors, FileKind.TEST: 1.0}),
        "prior against examples": replace(full, priors={**full.priors, FileKind.EXAMPLE: 1.0}),
        "prior against documents": replace(full, priors={**full.priors, FileKind.DOCUMENT: 1.0}),
        "prior against data": replace(full, priors={**full.priors, FileKind.DATA: 1.0}),
        "prior against legacy code": replace(full, priors={**full.priors, FileKind.LEGACY: 1.0}),
        "all priors": replace(full, priors=even),
        "priors lifted when asked for": replace(full, asked=0.0),
    }


def load(annotations: Path, checkouts: Path, scope: str) -> list[Loaded]:
    """Index every repository and keep its snapshot."""
    loaded = []
    for repo in json.loads((annotations / "repos.json").read_text()):
        root = checkouts / repo["name"] / (repo.get("benchmark_root", "") if scope == "package" else "")
        with tempfile.TemporaryDirectory() as home:
            os.environ["CONTEXTLS_HOME"] = home
            engine = Engine.open(root)
            try:
                engine.index()
                memory = engine.content.memory
                queries = load_queries(annotations / f"{repo['name']}.json")
                questions = tuple((memory.question(labelled.query), labelled) for labelled in queries)
                loaded.append(Loaded(repo["language"], memory.snapshot, questions))
            finally:
                engine.close()
    return loaded


def measure(loaded: Sequence[Loaded], weights: RankingWeights) -> dict[str, list[float]]:
    """NDCG@10 of every question, by language."""
    found: dict[str, list[float]] = defaultdict(list)
    for repo in loaded:
        for question, labelled in repo.questions:
            rows = [
                repo.snapshot.view.row(item.ref) for item in rank(repo.snapshot, question, weights, DEPTH)
            ]
            spans = [(row.path, row.start_line, row.end_line) for row in rows]
            found[repo.language].append(score(spans, labelled.targets)[0])
    return found


def table(results: Mapping[str, Mapping[str, Mapping[str, list[float]]]]) -> str:
    """The ablation table: one row per part, the loss and the languages per scope."""
    scopes = list(results)
    lines = ["| without | " + " | ".join(f"{scope} NDCG@10 | loss | better in" for scope in scopes) + " |"]
    lines.append("| --- |" + " --- | --- | --- |" * len(scopes))
    for name in next(iter(results.values())):
        cells = [name]
        for scope in scopes:
            full, off = results[scope]["everything"], results[scope][name]
            mean, best = _mean(off), _mean(full)
            moved = [
                lang for lang in full if abs(statistics.mean(full[lang]) - statistics.mean(off[lang])) > 1e-9
            ]
            won = [lang for lang in moved if statistics.mean(full[lang]) > statistics.mean(off[lang])]
            cells += [f"{mean:.4f}", f"{best - mean:+.4f}", f"{len(won)} of {len(moved)}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("annotations", type=Path)
    parser.add_argument("checkouts", type=Path)
    arguments = parser.parse_args()
    results: dict[str, dict[str, dict[str, list[float]]]] = {}
    for scope in ("package", "whole"):
        loaded = load(arguments.annotations, arguments.checkouts, scope)
        results[scope] = {name: measure(loaded, weights) for name, weights in variants().items()}
        for category in ("architecture", "semantic", "symbol"):
            print(f"{scope} {category}: {_of_category(loaded, category):.4f}")
    print(table(results))


def _of_category(loaded: Sequence[Loaded], category: str) -> float:
    chosen = [
        replace(repo, questions=tuple(pair for pair in repo.questions if pair[1].category == category))
        for repo in loaded
    ]
    return _mean(measure(chosen, RankingWeights()))


def _mean(by_language: Mapping[str, Sequence[float]]) -> float:
    return statistics.mean(value for values in by_language.values() for value in values)


if __name__ == "__main__":
    main()
