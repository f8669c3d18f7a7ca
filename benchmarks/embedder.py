"""How fast the static embedder is and how well it finds a function by what its documentation says.

    python benchmarks/embedder.py speed [--weights FILE]
    python benchmarks/embedder.py search [--weights FILE] [--onnx FOLDER] [--folder SOURCES ...]

``search`` needs the pairs that tools/mine_pairs.py writes and reports MRR@10 on packages that were never trained on: for
each language a pool of up to 1,000 functions (path, symbol and code, the documentation cut out) and up to 400 first
sentences of their documentation as queries. ``--onnx`` adds a sentence model (slow: tens of functions a second);
``--folder`` adds pools from sources that lie anywhere, for languages without a held-out package.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import sys
import time
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from contextls.models.embedders.features import Features
from contextls.models.embedders.static import WEIGHTS, StaticEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from contextls.models.embedders.base import Embedder

ROOT = Path(__file__).resolve().parent.parent
PAIRS = ROOT / ".training" / "pairs"
POOL = 1_000
MIN_POOL = 120
QUERIES = 400
MAX_FILE = 400_000
FEW = 20
"""As in ``memory/index/ranking/ranking.py``: below so many texts the mean of their scores says little."""


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


def fused(lexical: NDArray[np.floating], near: NDArray[np.floating]) -> NDArray[np.float64]:
    """Both scores added as the product's ranking does: the best word score is 1, and so is the best vector's lead."""
    mean = near.mean() * len(near) / (len(near) + FEW)
    lead = np.maximum(near - mean, 0) / max(float(near.max() - mean), 1e-6)
    both: NDArray[np.float64] = lexical / max(float(lexical.max()), 1e-9) + lead
    return both


def _held_out_packages() -> set[str]:
    data = tomllib.loads((ROOT / "tools" / "training-packages.toml").read_text())
    return {name for entries in data.values() for name, entry in entries.items() if entry.get("held-out")}


def _mined() -> Iterator[dict[str, str]]:
    """The pairs of held-out packages."""
    held_out = _held_out_packages()
    for path in sorted(PAIRS.glob("*.jsonl")):
        with path.open() as lines:
            for line in lines:
                pair = json.loads(line)
                if pair["package"] not in held_out:
                    break
                yield pair


def _read(folder: Path) -> Iterator[dict[str, str]]:
    """The pairs of the sources in a folder: for measuring only, whatever project they belong to."""
    sys.path.insert(0, str(ROOT / "tools"))
    mining = importlib.import_module("mining_code")
    for path in sorted(folder.rglob("*")):
        language = mining.language_of(path.suffix, cpp=False)
        if language and path.is_file() and not path.is_symlink() and path.stat().st_size < MAX_FILE:
            for pair in mining.code_pairs(language, path.read_text(errors="replace")):
                yield {**pair, "path": str(path.relative_to(folder))}


def pools(folders: Sequence[Path] = ()) -> dict[str, list[dict[str, str]]]:
    """Documented functions by language, one entry per sentence and body, at most ``POOL``.

    From held-out packages; from ``folders`` for languages of which these have fewer than ``MIN_POOL``.
    """
    result: dict[str, list[dict[str, str]]] = {}
    for source in (_mined(), *map(_read, folders)):
        found: dict[str, list[dict[str, str]]] = {}
        for pair in source:
            if pair["kind"] == "definition" and len(pair["doc"].split()) >= 4:
                found.setdefault(pair["language"], []).append(pair)
        random = np.random.default_rng(11)
        for language, pairs in sorted(found.items()):
            docs, bodies = Counter(pair["doc"] for pair in pairs), Counter(pair["body"] for pair in pairs)
            unique = [pair for pair in pairs if docs[pair["doc"]] == 1 and bodies[pair["body"]] == 1]
            if len(unique) >= MIN_POOL and language not in result:
                result[language] = [unique[row] for row in random.permutation(len(unique))[:POOL]]
    return result


def document(pair: dict[str, str]) -> str:
    """As the index embeds a chunk: one line of path and symbol, then the code, at most a large chunk of it."""
    return f"{'/'.join(pair['path'].split('/')[-4:])} {pair['name']}\n{pair['body'][:1800]}"


def _reciprocal_rank(scores: NDArray[np.floating], wanted: int) -> float:
    rank = int((scores > scores[wanted]).sum()) + 1
    return 1 / rank if rank <= 10 else 0.0


def search(
    pool: Sequence[dict[str, str]], embedders: Sequence[Embedder], features: Features, first: int = 0
) -> list[float]:
    """MRR@10 of BM25 and, for each embedder, of it alone and together with BM25.

    ``first`` is the first query asked: 0 for the figures we publish, ``QUERIES`` for choices made in training.
    """
    texts = [document(pair) for pair in pool]
    words = Bm25(texts, features)
    stored = [embedder.embed_documents(texts) for embedder in embedders]
    asked = range(first, min(first + QUERIES, len(pool)))
    totals = np.zeros(1 + 2 * len(embedders))
    for wanted in asked:
        query = pool[wanted]["doc"]
        lexical = words.scores(query)
        ranks = [_reciprocal_rank(lexical, wanted)]
        for embedder, vectors in zip(embedders, stored, strict=True):
            near = vectors @ embedder.embed_query(query)
            ranks += [_reciprocal_rank(near, wanted), _reciprocal_rank(fused(lexical, near), wanted)]
        totals += ranks
    return [float(value) for value in totals / max(len(asked), 1)]


def _print_search(weights: Path, onnx: Path | None, folders: Sequence[Path]) -> None:
    table = StaticEmbedder.load(weights)
    embedders: list[Embedder] = [table]
    titles = ["language", "pool", "BM25", "static", "static + BM25"]
    if onnx is not None:
        from contextls.models.embedders.onnx_model import OnnxEmbedder

        embedders.append(OnnxEmbedder.load(onnx))
        titles += [onnx.name, f"{onnx.name} + BM25"]
    print("| " + " | ".join(titles) + " |\n|" + " --- |" * len(titles), flush=True)
    rows = []
    for language, pool in pools(folders).items():
        rows.append(search(pool, embedders, table.features))
        print(f"| {language} | {len(pool)} | {_cells(rows[-1])} |", flush=True)
    print(f"| mean | | {_cells(np.mean(rows, axis=0))} |")


def _cells(values: Iterable[float]) -> str:
    return " | ".join(f"{value:.3f}" for value in values)


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
    parser.add_argument("--onnx", type=Path, help="folder of a sentence model to compare with")
    parser.add_argument("--folder", type=Path, action="append", default=[], help="sources for further pools")
    options = parser.parse_args()
    if options.what == "speed":
        _print_speed(options.weights)
    else:
        _print_search(options.weights, options.onnx, options.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
