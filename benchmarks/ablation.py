"""What each part of the ranking is worth: NDCG@10 with the part switched off, over both scopes.

usage: python -m benchmarks.ablation ANNOTATIONS CHECKOUTS

Prints two Markdown tables. ``helps / same / hurts`` counts the languages in which the full ranking scores better than
the ranking without the part, equally well, and worse. The second table is about questions that ask for tests, documents
or examples (``own/asked.json``: [{repo, query, wanted}, ...]), which the annotations have none of.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.relevance import DEPTH, Labelled, Target, load_queries, score
from msgspec import Struct
from msgspec.structs import replace

from contextls.engine import Engine
from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.search_query import SearchQuery
from contextls.memory.index.ranking.ranking import RankingWeights, rank
from contextls.memory.index.snapshot.snapshot import Snapshot

CATEGORIES = ("architecture", "semantic", "symbol")
ASKED = Path(__file__).with_name("own") / "asked.json"
KIND_NAMES = {
    FileKind.TEST: "tests",
    FileKind.EXAMPLE: "examples",
    FileKind.DOCUMENT: "documents",
    FileKind.DATA: "data",
    FileKind.LEGACY: "legacy code",
}


class Loaded(Struct, frozen=True):
    """One repository in memory, its questions prepared."""

    name: str
    language: str
    snapshot: Snapshot
    questions: tuple[tuple[SearchQuery, Labelled], ...]


def variants() -> Mapping[str, RankingWeights]:
    """The full ranking, and the ranking without each of its parts."""
    full = RankingWeights()
    words = full.lexical

    def likely(*kinds: FileKind) -> RankingWeights:
        return replace(full, unlikely={**full.unlikely, **dict.fromkeys(kinds, 1.0)})

    return {
        "everything": full,
        "heads": replace(full, lexical=replace(words, head=0.0)),
        "whole identifiers": replace(full, lexical=replace(words, whole=0.0)),
        "vectors": replace(full, vector=0.0),
        "vectors left out for one-name questions": replace(full, vectors_for_names=True),
        "file evidence": replace(full, file=0.0),
        "agreement with the path": replace(full, agreement=0.0),
        "definitions of asked names": replace(full, definition=0.0),
        "diversity across files": replace(full, further=1.0),
        "unlikely kinds of file": likely(*FileKind),
        **{f"· of these, {name}": likely(kind) for kind, name in KIND_NAMES.items()},
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
                memory = engine._memories.content.memory
                labelled = load_queries(annotations / f"{repo['name']}.json")
                if scope == "whole":
                    labelled += asked(repo["name"])
                questions = tuple((memory.read_query(item.query), item) for item in labelled)
                loaded.append(Loaded(repo["name"], repo["language"], memory.snapshot, questions))
            finally:
                engine.close()
    return loaded


def asked(name: str) -> list[Labelled]:
    """The questions to one repository that ask for tests, documents or examples, or only seem to."""
    return [
        Labelled(raw["query"], raw["category"], tuple(map(Target, raw["wanted"])))
        for raw in json.loads(ASKED.read_text())
        if raw["repo"] == name
    ]


def only(loaded: Sequence[Loaded], *categories: str) -> list[Loaded]:
    """The same repositories with the questions of some categories."""
    return [
        replace(repo, questions=tuple(pair for pair in repo.questions if pair[1].category in categories))
        for repo in loaded
    ]


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
    lines = [
        "| without | "
        + " | ".join(f"{scope} NDCG@10 | loss | helps / same / hurts" for scope in scopes)
        + " |"
    ]
    lines.append("| --- |" + " --- | --- | --- |" * len(scopes))
    for name in next(iter(results.values())):
        cells = [name]
        for scope in scopes:
            full, off = results[scope]["everything"], results[scope][name]
            gains = [statistics.mean(full[lang]) - statistics.mean(off[lang]) for lang in full]
            helped, hurt = sum(gain > 1e-9 for gain in gains), sum(gain < -1e-9 for gain in gains)
            counts = "" if name == "everything" else f"{helped} / {len(gains) - helped - hurt} / {hurt}"
            loss = "" if name == "everything" else f"{mean_of(full) - mean_of(off):+.4f}"
            cells += [f"{mean_of(off):.4f}", loss, counts]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def table_of_asked(loaded: Sequence[Loaded]) -> str:
    """What it is worth not to reduce the kinds of file that a question asks for."""
    lines = ["| questions | NDCG@10 | without |", "| --- | --- | --- |"]
    for category, name in (("asked", "ask for tests, documents, examples"), ("control", "only mention them")):
        chosen = only(loaded, category)
        on, off = (
            mean_of(measure(chosen, replace(RankingWeights(), asked=switch))) for switch in (True, False)
        )
        lines.append(f"| {name} ({sum(len(repo.questions) for repo in chosen)}) | {on:.3f} | {off:.3f} |")
    return "\n".join(lines)


def tables(annotations: Path, checkouts: Path) -> str:
    """Index everything, measure every variant, and render both tables with a blank line between them."""
    results: dict[str, dict[str, dict[str, list[float]]]] = {}
    for scope in ("package", "whole"):
        loaded = load(annotations, checkouts, scope)
        chosen = only(loaded, *CATEGORIES)
        results[scope] = {name: measure(chosen, weights) for name, weights in variants().items()}
    return f"{table(results)}\n\n{table_of_asked(loaded)}"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("annotations", type=Path)
    parser.add_argument("checkouts", type=Path)
    arguments = parser.parse_args()
    print(tables(arguments.annotations, arguments.checkouts))


def mean_of(by_language: Mapping[str, Sequence[float]]) -> float:
    """The mean over all questions."""
    return statistics.mean(value for values in by_language.values() for value in values)


if __name__ == "__main__":
    main()
