"""How fast the static embedder is and how well it finds a function by what its documentation says.

    python benchmarks/embedder.py speed [--weights FILE]
    python benchmarks/embedder.py search [--weights FILE]     needs the pairs that tools/mine_pairs.py writes

``search`` reports MRR@10 on packages that were never trained on: for each language a pool of up to 1,000 functions
(path, symbol and code, the documentation cut out) and up to 400 first sentences of their documentation as queries.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from contextls.store.embedders.features import Features
from contextls.store.embedders.static import WEIGHTS, StaticEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
PAIRS = ROOT / ".training" / "pairs"
POOL = 1_000
QUERIES = 400
BM25_SHARE = 0.5
"""Weight of the z-normalised BM25 score in the hybrid; the embedder's is 1."""


class Bm25:
    """BM25 (1.5, 0.75) over the same word parts that the embedder reads."""

    def __init__(self, texts: Sequence[str], features: Features) -> None:
        self._features = features
        counts = [Counter(features.of(text)) for text in texts]
        lengths = np.array([count.total() for count in counts], np.float64)
        norm = 1.5 * (1 - 0.75 + 0.75 * lengths / max(lengths.mean(), 1))
        self._postings: dict[int, list[tuple[int, float]]] = {}
        for row, count in enumerate(counts):
            for feature, times in count.items():
                self._postings.setdefault(feature, []).append((row, times * 2.5 / (times + norm[row])))
        self._size = len(texts)

    def scores(self, query: str) -> NDArray[np.float64]:
        """One score a text, in their order."""
        result = np.zeros(self._size)
        for feature in set(self._features.of(query)):
            found = self._postings.get(feature, [])
            rarity = math.log(1 + (self._size - len(found) + 0.5) / (len(found) + 0.5))
            for row, value in found:
                result[row] += rarity * value
        return result


def standard(scores: NDArray[np.floating]) -> NDArray[np.float64]:
    """The scores with mean 0 and deviation 1."""
    values = np.asarray(scores, np.float64)
    centred: NDArray[np.float64] = values - values.mean()
    return centred / max(float(values.std()), 1e-9)


def _held_out_packages() -> set[str]:
    data = tomllib.loads((ROOT / "tools" / "training-packages.toml").read_text())
    return {name for entries in data.values() for name, entry in entries.items() if entry.get("held-out")}


def pools() -> dict[str, list[dict[str, str]]]:
    """Documented functions of held-out packages by language, one entry per sentence and body, at most ``POOL``."""
    held_out = _held_out_packages()
    found: dict[str, list[dict[str, str]]] = {}
    for path in sorted(PAIRS.glob("*.jsonl")):
        with path.open() as lines:
            for line in lines:
                pair = json.loads(line)
                if pair["package"] not in held_out:
                    break
                if pair["kind"] == "definition" and len(pair["doc"].split()) >= 4:
                    found.setdefault(pair["language"], []).append(pair)
    random = np.random.default_rng(11)
    result = {}
    for language, pairs in sorted(found.items()):
        docs, bodies = Counter(pair["doc"] for pair in pairs), Counter(pair["body"] for pair in pairs)
        unique = [pair for pair in pairs if docs[pair["doc"]] == 1 and bodies[pair["body"]] == 1]
        if len(unique) >= 150:
            result[language] = [unique[row] for row in random.permutation(len(unique))[:POOL]]
    return result


def document(pair: dict[str, str]) -> str:
    """As the index embeds a chunk: one line of path and symbol, then the code, at most a large chunk of it."""
    return f"{'/'.join(pair['path'].split('/')[-4:])} {pair['name']}\n{pair['body'][:1800]}"


def _reciprocal_rank(scores: NDArray[np.floating], wanted: int) -> float:
    rank = int((scores > scores[wanted]).sum()) + 1
    return 1 / rank if rank <= 10 else 0.0


def search(weights: Path, first: int = 0) -> list[tuple[str, int, float, float, float]]:
    """(language, pool size, MRR@10 of BM25, of the embedder, of both) for each held-out language.

    ``first`` is the first query asked: 0 for the figures we publish, ``QUERIES`` for choices made in training.
    """
    embedder = StaticEmbedder.load(weights)
    rows = []
    for language, pool in pools().items():
        texts = [document(pair) for pair in pool]
        vectors = embedder.embed_documents(texts)
        words = Bm25(texts, embedder._features)
        totals = np.zeros(3)
        asked = range(first, min(first + QUERIES, len(pool)))
        for wanted in asked:
            query = pool[wanted]["doc"]
            near, lexical = vectors @ embedder.embed_query(query), words.scores(query)
            both = standard(near) + BM25_SHARE * standard(lexical)
            totals += [_reciprocal_rank(scores, wanted) for scores in (lexical, near, both)]
        lexical_mrr, near_mrr, both_mrr = (float(value) for value in totals / max(len(asked), 1))
        rows.append((language, len(pool), lexical_mrr, near_mrr, both_mrr))
    return rows


def _print_search(weights: Path) -> None:
    rows = search(weights)
    print("| language | pool | BM25 | static | static + ½ BM25 |\n| --- | --- | --- | --- | --- |")
    for language, size, *values in rows:
        print(f"| {language} | {size} | " + " | ".join(f"{value:.3f}" for value in values) + " |")
    means = np.mean([values for _, _, *values in rows], axis=0)
    print("| mean | | " + " | ".join(f"{value:.3f}" for value in means) + " |")


def _print_speed(weights: Path) -> None:
    sources = sorted((ROOT / "server").rglob("*.py")) + sorted((ROOT / "tools").glob("*.py"))
    text = "\n".join(path.read_text() for path in sources) + "".join(
        path.read_text(errors="replace")[:200_000]
        for path in sorted(Path(json.__file__).parent.parent.glob("[a-s]*.py"))
    )
    chunks = [text[start : start + 800] for start in range(0, len(text), 800)][:10_000]
    began = time.process_time()
    embedder = StaticEmbedder.load(weights)
    loaded = time.process_time()
    embedder.embed_documents(chunks)
    first = time.process_time()
    embedder.embed_documents(chunks)
    again = time.process_time()
    cold, warm = len(chunks) / (first - loaded), len(chunks) / (again - first)
    print(f"load {1e3 * (loaded - began):.0f} ms; query {1e6 * _query_seconds(embedder):.0f} µs")
    print(
        f"{len(chunks)} chunks of 800 characters: {cold:,.0f} per CPU second, {warm:,.0f} when the words were seen before"
    )


def _query_seconds(embedder: StaticEmbedder) -> float:
    began = time.process_time()
    for number in range(1000):
        embedder.embed_query(f"where is the token budget of section {number} enforced?")
    return (time.process_time() - began) / 1000


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["speed", "search"])
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    (_print_speed if options.what == "speed" else _print_search)(options.weights)
    return 0


if __name__ == "__main__":
    sys.exit(main())
