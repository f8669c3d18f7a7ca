"""Train the static embedder's table from mined pairs and write ``static_table.npz``.

    python tools/train_embedder.py [--steps N] [--out FILE]

Needs torch, which the product does not. Same pairs, options, torch and ``PYTHONHASHSEED`` (0 for the shipped table,
as ``rebuild_embedder.sh`` sets it: ties at the end of the vocabulary): same file.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import packages as registry
import torch
from numpy.typing import NDArray

from contextls.models.embedders.features import WORD, Features, parts

ROOT = Path(__file__).resolve().parent.parent
PAIRS = registry.WORK / "pairs"
WEIGHTS = ROOT / "server" / "contextls" / "models" / "embedders" / "static_table.npz"

VOCABULARY = 24_576
BUCKETS = 8_192
DIMENSIONS = 256
MAX_FEATURES = 700

KIND_WEIGHT = {"definition": 1.0, "bare": 0.4, "block": 0.5, "section": 0.4, "test": 0.25}
# Languages never trained on: they show how the table does on what it has not seen.
UNSEEN_LANGUAGES = frozenset({"lua", "kotlin", "scala", "elixir"})
# Beginnings of questions, put before a share of the sentences so that they come to weigh little.
QUESTIONS = (
    "where is",
    "how does",
    "how do we",
    "where do we",
    "what",
    "which function",
    "code that",
    "find the code for",
    "how to",
    "where is the code that",
    "implementation of",
    "how is",
    "what happens when",
    "show me",
    "explain",
    "why does",
    "the logic for",
)


@dataclass
class Ragged:
    """Many short arrays of feature numbers in one."""

    flat: NDArray[np.int32]
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, rows: list[NDArray[np.int32]]) -> Ragged:
        """The rows one after the other."""
        ends = np.cumsum([0, *map(len, rows)])
        return cls(np.concatenate(rows) if rows else np.zeros(0, np.int32), ends)

    def __getitem__(self, row: int) -> NDArray[np.int32]:
        return self.flat[self.ends[row] : self.ends[row + 1]]


@dataclass
class Corpus:
    """Everything the batches are drawn from. ``weight`` is each pair's chance, ``group`` the number of its package."""

    doc: Ragged
    name: Ragged
    symbol: Ragged
    path: Ragged
    body: Ragged
    kind: list[str]
    weight: NDArray[np.float64]
    group: NDArray[np.int32]
    doc_key: NDArray[np.int64]
    body_key: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.kind)


def read_pairs(keep: float) -> list[dict[str, str]]:
    """The pairs to train on; ``keep`` below 1 takes that share of them, always the same ones."""
    held_out = {package.name for package in registry.read_list() if package.held_out}
    pairs = []
    for path in sorted(PAIRS.glob("*.jsonl")):
        for line in path.open():
            pair = json.loads(line)
            if pair["package"] in held_out:
                break
            if pair["language"] in UNSEEN_LANGUAGES:
                continue
            if keep >= 1 or zlib.crc32(line.encode()) / 2**32 < keep:
                pairs.append(pair)
    return pairs


def build_vocabulary(pairs: list[dict[str, str]], size: int) -> list[str]:
    """The parts that most pairs hold, each language weighing as the square root of its number of pairs."""
    by_language: dict[str, Counter[str]] = {}
    totals = Counter(pair["language"] for pair in pairs)
    memo: dict[str, list[str]] = {}
    for pair in pairs:
        seen: set[str] = set()
        for word in set(WORD.findall(f"{pair['path']} {pair['name']} {pair['doc']} {pair['body']}")):
            found = memo.get(word)
            if found is None:
                found = memo[word] = parts(word)
            seen.update(found)
        by_language.setdefault(pair["language"], Counter()).update(seen)
    score: Counter[str] = Counter()
    for language, counts in by_language.items():
        for part, count in counts.items():
            if count > 2 and len(part) <= 24:
                score[part] += count / totals[language] ** 0.5  # type: ignore[assignment]
    return sorted(part for part, _ in score.most_common(size))


def build_corpus(pairs: list[dict[str, str]], features: Features) -> Corpus:
    """Read every pair into feature numbers once."""

    def row(text: str, limit: int = MAX_FEATURES) -> NDArray[np.int32]:
        return np.fromiter(features.of(text), np.int32)[:limit]

    columns: dict[str, list[NDArray[np.int32]]] = {
        key: [] for key in ("doc", "name", "symbol", "path", "body")
    }
    kinds, groups = [], []
    numbers: dict[str, int] = {}
    for pair in pairs:
        name = pair["name"].rpartition(".")[2]
        columns["doc"].append(row(pair["doc"], 300))
        columns["name"].append(row(name))
        columns["symbol"].append(row(pair["name"]))
        columns["path"].append(row(" ".join(pair["path"].split("/")[-4:]), 24))
        columns["body"].append(row(pair["body"]))
        kinds.append("bare" if pair["kind"] == "definition" and not pair["doc"] else pair["kind"])
        groups.append(numbers.setdefault(pair["package"], len(numbers)))
    totals = Counter((pair["language"]) for pair in pairs)
    weight = np.array(
        [
            KIND_WEIGHT[kind] * totals[pair["language"]] ** -0.5
            for kind, pair in zip(kinds, pairs, strict=True)
        ]
    )
    return Corpus(
        *(Ragged.of(columns[key]) for key in ("doc", "name", "symbol", "path", "body")),
        kinds,
        weight / weight.sum(),
        np.array(groups, np.int32),
        np.array(
            [zlib.crc32((pair["doc"] or pair["name"].rpartition(".")[2]).lower().encode()) for pair in pairs],
            np.int64,
        ),
        np.array([zlib.crc32(pair["body"].encode()) for pair in pairs], np.int64),
    )


class Sampler:
    """Draws batches: a part of each from a few packages, as in one workspace, the rest from everywhere."""

    def __init__(self, corpus: Corpus, features: Features, seed: int, local: float) -> None:
        self.corpus = corpus
        self.random = np.random.default_rng(seed)
        self.local = local
        self.cumulative = np.cumsum(corpus.weight)
        order = np.argsort(corpus.group, kind="stable")
        self.members = np.split(order, np.cumsum(np.bincount(corpus.group))[:-1])
        chance = np.array([corpus.weight[rows].sum() ** 0.75 * (len(rows) >= 200) for rows in self.members])
        self.chance = chance / chance.sum()
        self.questions = [np.fromiter(features.of(text), np.int32) for text in QUESTIONS]

    def rows(self, size: int) -> NDArray[np.int64]:
        """The numbers of the pairs of a batch."""
        per_package = 64
        chosen = []
        for package in self.random.choice(
            len(self.members), int(size * self.local) // per_package, p=self.chance
        ):
            rows = self.members[package]
            weight = self.corpus.weight[rows]
            count = min(per_package, len(rows) // 2)
            chosen.append(self.random.choice(rows, count, replace=False, p=weight / weight.sum()))
        rest = size - sum(map(len, chosen))
        chosen.append(np.searchsorted(self.cumulative, self.random.random(rest) * self.cumulative[-1]))
        return np.concatenate(chosen)

    def pair(self, row: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """One pair as it is shown this time: masked, cropped and with or without its header."""
        corpus, dice = self.corpus, self.random.random(6)
        kind, name, body = corpus.kind[row], corpus.name[row], corpus.body[row]
        if len(body) > 100:
            length = int(80 + dice[0] * 270)
            if len(body) > length:
                start = 0 if dice[1] < 0.5 else int((dice[1] - 0.5) * 2 * (len(body) - length))
                body = body[start : start + length]
        masked = len(name) > 0 and dice[2] < (0.5 if kind == "bare" else 1 / 3)
        if dice[3] < 0.6:
            header = (
                corpus.path[row]
                if masked or (kind == "bare" and dice[2] < 0.75)
                else np.concatenate([corpus.path[row], corpus.symbol[row]])
            )
            body = np.concatenate([header, body])
        if masked:
            body = body[~np.isin(body, name)]
        if kind == "bare" or (kind == "definition" and dice[4] < 0.15 and len(name)):
            query = corpus.symbol[row] if dice[5] < 0.3 else name
        elif dice[4] > 0.96 and len(corpus.path[row]):
            query = np.concatenate([corpus.path[row][-4:], name])
        else:
            query = corpus.doc[row]
            if kind != "test" and dice[5] < 0.3:
                query = np.concatenate([self.questions[int(dice[5] / 0.3 * len(self.questions))], query])
        return query, body

    def batch(self, size: int, dropout: float) -> tuple[NDArray[np.int64], list[Bag]]:
        """The numbers of the pairs, and their queries and bodies."""
        rows = self.rows(size)
        queries, bodies = zip(*(self.pair(int(row)) for row in rows), strict=True)
        return rows, [self.bag(list(side), dropout) for side in (queries, bodies)]

    def bag(self, side: list[NDArray[np.int32]], dropout: float) -> Bag:
        """Counts of features by text, a share of the features dropped."""
        lengths = [len(row) for row in side]
        keys = np.repeat(np.arange(len(side), dtype=np.int64), lengths) << 20 | np.concatenate(side)
        keys = keys[self.random.random(len(keys)) >= dropout]
        unique, counts = np.unique(keys, return_counts=True)
        owner = unique >> 20
        offsets = np.searchsorted(owner, np.arange(len(side)))
        return Bag(
            torch.from_numpy(unique & 0xFFFFF),
            torch.from_numpy(offsets),
            torch.from_numpy(np.sqrt(counts).astype(np.float32)),
        )


@dataclass
class Bag:
    """A batch of texts as distinct feature numbers, where each text begins, and the square roots of their counts."""

    rows: torch.Tensor
    offsets: torch.Tensor
    weights: torch.Tensor


class Table(torch.nn.Module):
    """The vectors, and for each side the logarithm of a weight per vector."""

    def __init__(self, start: torch.Tensor) -> None:
        super().__init__()
        self.vectors = torch.nn.Parameter(start)
        self.side = torch.nn.Parameter(torch.zeros(2, len(start)))

    def forward(self, bag: Bag, side: int) -> torch.Tensor:
        """One vector of length 1 a text; side 0 asks, side 1 is asked about."""
        weights = bag.weights * torch.exp(self.side[side][bag.rows])
        pooled = torch.nn.functional.embedding_bag(
            bag.rows, self.vectors, bag.offsets, mode="sum", per_sample_weights=weights
        )
        return torch.nn.functional.normalize(pooled, dim=1, eps=1e-6)


def starting_vectors(corpus: Corpus, count: int, seed: int) -> torch.Tensor:
    """Random directions, shorter for features that occur everywhere."""
    seen = np.bincount(corpus.body.flat, minlength=count).astype(np.float64)
    rarity = 1e-3 / (1e-3 + seen / seen.sum())
    generator = torch.Generator().manual_seed(seed)
    return (
        torch.randn(count, DIMENSIONS, generator=generator)
        * torch.from_numpy(rarity[:, None]).float()
        * DIMENSIONS**-0.5
    )


def train(corpus: Corpus, features: Features, options: argparse.Namespace) -> Table:
    """Symmetric InfoNCE over the batch; pairs that share query or body do not count against each other."""
    torch.manual_seed(options.seed)
    model = Table(starting_vectors(corpus, features.count, options.seed))
    optimizer = torch.optim.Adam(
        [
            {"params": [model.vectors], "lr": options.rate},
            {"params": [model.side], "lr": options.rate * options.side_rate},
        ],
        betas=(0.9, 0.98),
    )
    warm = max(1, options.steps // 20)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warm, max(0.02, 1 - step / options.steps))
    )
    sampler = Sampler(corpus, features, options.seed, options.local)
    began, total = time.process_time(), 0.0
    for step in range(1, options.steps + 1):
        rows, bags = sampler.batch(options.batch, options.dropout)
        queries, bodies = (model(bag, side) for side, bag in enumerate(bags))
        logits = queries @ bodies.T / options.temperature
        doc, body = corpus.doc_key[rows], corpus.body_key[rows]
        same = (doc[:, None] == doc[None]) | (body[:, None] == body[None])
        np.fill_diagonal(same, val=False)
        logits = logits.masked_fill(torch.from_numpy(same), -1e4)
        target = torch.arange(len(rows))
        loss = (
            torch.nn.functional.cross_entropy(logits, target)
            + torch.nn.functional.cross_entropy(logits.T, target)
        ) / 2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        total += loss.item()
        if step % 50 == 0:
            print(
                f"step {step}: loss {total / 50:.3f}, {time.process_time() - began:.0f} CPU seconds",
                flush=True,
            )
            total = 0.0
    return model


def save(model: Table, vocabulary: list[str], path: Path, *, full: bool) -> None:
    """Eight bits a number, one scale a row and side; ``full`` keeps the numbers as they are, to measure the loss."""
    vectors = model.vectors.detach().numpy()
    side = np.exp(model.side.detach().numpy())
    scale = np.maximum(np.abs(vectors).max(axis=1), 1e-12) / 127
    table = vectors / scale[:, None]
    np.savez(
        path,
        table=table.astype(np.float32) if full else np.rint(table).astype(np.int8),
        query_scale=(scale * side[0]).astype(np.float32),
        document_scale=(scale * side[1]).astype(np.float32),
        vocabulary=np.frombuffer("\n".join(vocabulary).encode(), np.uint8),
    )


def arguments() -> argparse.Namespace:
    """The command line; the defaults made the table that is shipped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=6e-3)
    parser.add_argument("--side-rate", type=float, default=3.0)
    parser.add_argument("--temperature", type=float, default=0.05)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--local", type=float, default=0.2)
    parser.add_argument("--keep", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--full", type=Path, help="also write the table before it is cut to eight bits")
    return parser.parse_args()


def main() -> int:
    """Train and write."""
    options = arguments()
    pairs = read_pairs(options.keep)
    print(
        len(pairs),
        "pairs",
        dict(Counter((pair["language"]) for pair in pairs)),
        dict(Counter(pair["kind"] for pair in pairs)),
    )
    vocabulary = build_vocabulary(pairs, VOCABULARY)
    features = Features({part: row for row, part in enumerate(vocabulary)}, BUCKETS)
    corpus = build_corpus(pairs, features)
    del pairs
    print(f"corpus ready, {time.process_time():.0f} CPU seconds", flush=True)
    model = train(corpus, features, options)
    save(model, vocabulary, options.out, full=False)
    if options.full:
        save(model, vocabulary, options.full, full=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
