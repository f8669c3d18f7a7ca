"""Learns how likely a chunk is to be of use, from questions whose answers are known line by line.

usage: python -m tools.train_usefulness QUESTIONS CHECKOUTS [--write] [--folds FILE]

QUESTIONS is a folder of JSON files {"repo", "questions": [{"id", "question", "gold": [{"path", "start", "end", "line",
"must"}]}]}, CHECKOUTS one of work trees named like the repositories. Prints how well the model does on repositories that
it has not seen: precision averaged over questions, and log loss. ``--write`` puts the weights of all repositories into
the package, ``--folds`` those that leave out each repository into a JSON file, for ``benchmarks.lines``.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from contextls.assembly.memory_snapshot import MemorySnapshot, take_snapshot
from contextls.assembly.usefulness import weights as weights_module
from contextls.assembly.usefulness.calls import CallFinder
from contextls.assembly.usefulness.features import describe_pool
from contextls.assembly.usefulness.pool import gather_pool
from contextls.memory.memories import Memories
from contextls.settings import Settings
from contextls.store.locations import locate

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A piece that a prompt must show counts twice one that is merely useful.
MUST = 2.0
# So much of a chunk has to belong to a useful piece.
SHARE = 0.15
RIDGE = 100.0


@dataclass(frozen=True)
class Example:
    """One question: features (m, k) of the chunks of its pool, which of them are of use, and what each counts."""

    repository: str
    features: NDArray[np.float64]
    useful: NDArray[np.bool_]
    weights: NDArray[np.float64]


@dataclass(frozen=True)
class Fitted:
    """A model in the terms of the features themselves."""

    bias: float
    weights: NDArray[np.float64]

    def estimate(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability for each row."""
        return 1 / (1 + np.exp(-np.clip(features @ self.weights + self.bias, -30, 30)))


def main() -> None:
    """Read the command line, learn and report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("questions", type=Path)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--folds", type=Path)
    options = parser.parse_args()
    names: list[str] = []
    examples: list[Example] = []
    for path in sorted(options.questions.glob("*.json")):
        known = json.loads(path.read_text(encoding="utf-8"))
        started = time.monotonic()
        examples += list(read_examples(known, options.checkouts / known["repo"], names))
        print(f"{known['repo']}: {time.monotonic() - started:.1f} s", flush=True)
    held_out = {
        one: fit([e for e in examples if e.repository != one]) for one in {e.repository for e in examples}
    }
    report(examples, held_out)
    if options.folds:
        folds = {repository: as_json(names, model) for repository, model in held_out.items()}
        options.folds.write_text(json.dumps(folds, indent=1), encoding="utf-8")
    if options.write:
        write(names, fit(examples))


def read_examples(known: Mapping[str, Any], root: Path, names: list[str]) -> Iterator[Example]:
    """Index ``root`` and describe the pool of every question; ``names`` takes the names of the features."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["CONTEXTLS_HOME"] = home
        locations = locate(root.resolve())
        locations.create()
        memories = Memories(root.resolve(), Settings(), locations)
        try:
            memories.index(None, None)
            memories.prepare()
            moment = take_snapshot(memories, 0)
            for question in known["questions"]:
                example = describe(known["repo"], question, moment, names)
                if example is not None:
                    yield example
        finally:
            memories.close()


def describe(
    repository: str, question: Mapping[str, Any], moment: MemorySnapshot, names: list[str]
) -> Example | None:
    """One question as an example; ``None`` where nothing is found at all."""
    ranking = moment.content.ranking(moment.snapshot, moment.content.read_query(question["question"]))
    pool = gather_pool(ranking, CallFinder(moment.snapshot, moment.graph))
    if pool is None:
        return None
    features = describe_pool(pool)
    names[:] = list(features)
    useful = np.zeros(len(pool.chunks), np.bool_)
    weights = np.ones(len(pool.chunks))
    for place, ref in enumerate(pool.numbers.refs(pool.chunks)):
        row = moment.snapshot.view.row(ref)
        for piece in question["gold"]:
            if piece["path"] != row.path:
                continue
            shared = min(row.end_line, piece["end"]) - max(row.start_line, piece["start"]) + 1
            must = piece.get("must", True) and piece["line"] in row.text
            if shared > 0 and (must or shared / (row.end_line - row.start_line + 1) > SHARE):
                useful[place] = True
                weights[place] = max(weights[place], MUST if must else 1.0)
    return Example(repository, np.stack(list(features.values()), axis=1), useful, weights)


def fit(examples: Sequence[Example]) -> Fitted:
    """Logistic regression with a ridge on standardised features, by iteratively reweighted least squares."""
    raw = np.concatenate([one.features for one in examples])
    useful = np.concatenate([one.useful for one in examples]).astype(np.float64)
    counts = np.concatenate([one.weights for one in examples])
    mean, scale = raw.mean(axis=0), raw.std(axis=0) + 1e-9
    rows = np.column_stack([np.ones(len(raw)), (raw - mean) / scale])
    ridge = np.diag([0.0, *[RIDGE] * raw.shape[1]])
    found = np.zeros(rows.shape[1])
    for _ in range(25):
        chances = 1 / (1 + np.exp(-np.clip(rows @ found, -30, 30)))
        curve = counts * np.maximum(chances * (1 - chances), 1e-9)
        slope = rows.T @ (counts * (useful - chances)) - ridge @ found
        step = np.linalg.solve((rows * curve[:, None]).T @ rows + ridge, slope)
        found += step
        if float(np.abs(step).max()) < 1e-6:
            break
    weights = found[1:] / scale
    return Fitted(float(found[0] - weights @ mean), weights)


def report(examples: Sequence[Example], held_out: Mapping[str, Fitted]) -> None:
    """Print how well each question's useful chunks are told by a model that has not seen their repository."""
    precisions, losses = [], []
    for one in examples:
        chances = held_out[one.repository].estimate(one.features)
        losses.append(-np.mean(np.log(np.where(one.useful, chances, 1 - chances) + 1e-12)))
        if one.useful.any():
            hits = one.useful[np.argsort(-chances, kind="stable")]
            precisions.append(float((np.cumsum(hits)[hits] / (np.nonzero(hits)[0] + 1)).mean()))
    print(
        f"{len(examples)} questions: average precision {statistics.mean(precisions):.4f}, loss {statistics.mean(losses):.5f}"
    )


def as_json(names: Sequence[str], model: Fitted) -> dict[str, Any]:
    """A model as plain data."""
    weights = {name: round(float(weight), 5) for name, weight in zip(names, model.weights, strict=True)}
    return {"bias": round(model.bias, 5), "weights": weights}


def write(names: Sequence[str], model: Fitted) -> None:
    """Put the model into the package."""
    plain = as_json(names, model)
    path = Path(weights_module.__file__)
    head = path.read_text(encoding="utf-8").partition("BIAS =")[0]
    rows = "".join(f'    "{name}": {weight},\n' for name, weight in plain["weights"].items())
    path.write_text(
        f"{head}BIAS = {plain['bias']}\nWEIGHTS: Mapping[str, float] = {{\n{rows}}}\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
