"""Choose the constants of the ranking, and say how well the choice carries over to languages that had no part in it.

usage: python -m benchmarks.cross_validate ANNOTATIONS CHECKOUTS [--settings N] [--seed K]

N settings are drawn from ``GRID`` and scored on all queries (mean NDCG@10 of both scopes). For each language, the setting
that is best on all *other* languages is scored on that language: the mean of these scores is the cross-validated figure.
The setting that most folds choose is the one to ship; beside it stands the best on all queries at once (fitted).
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from benchmarks.ablation import CATEGORIES, Loaded, load, measure, only

from contextls.memory.index.ranking.lexical import LexicalWeights
from contextls.memory.index.ranking.ranking import RankingWeights, unlikely

GRID: Mapping[str, tuple[float, ...]] = {
    "head": (3.0, 4.0, 5.0, 6.0, 8.0),
    "whole": (0.5, 0.75, 1.0),
    "vector": (1.0, 1.25, 1.5, 2.0),
    "file": (0.25, 0.5, 0.75),
    "agreement": (0.5, 0.75, 1.0),
    "definition": (1.0, 2.0, 3.0),
    "unlikely": (0.1, 0.15, 0.2, 0.3),
    "further": (0.3, 0.4, 0.5),
}
Setting = Mapping[str, float]


def draw(count: int, seed: int) -> list[Setting]:
    """``count`` distinct settings of the grid."""
    source = np.random.default_rng(seed)
    found: dict[tuple[float, ...], Setting] = {}
    while len(found) < count:
        setting = {name: float(source.choice(values)) for name, values in GRID.items()}
        found[tuple(setting.values())] = setting
    return list(found.values())


def weights_of(setting: Setting) -> RankingWeights:
    """The weights that a setting stands for."""
    return RankingWeights(
        lexical=LexicalWeights(head=setting["head"], whole=setting["whole"]),
        vector=setting["vector"],
        file=setting["file"],
        agreement=setting["agreement"],
        definition=setting["definition"],
        unlikely=unlikely(setting["unlikely"]),
        further=setting["further"],
    )


def scores(scopes: Sequence[Sequence[Loaded]], setting: Setting) -> list[list[list[float]]]:
    """NDCG@10 by scope, language and question."""
    return [list(measure(loaded, weights_of(setting)).values()) for loaded in scopes]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("annotations", type=Path)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("--settings", type=int, default=240)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    scopes = [
        only(load(arguments.annotations, arguments.checkouts, scope), *CATEGORIES)
        for scope in ("package", "whole")
    ]
    report(scopes, draw(arguments.settings, arguments.seed))


def report(scopes: Sequence[Sequence[Loaded]], settings: Sequence[Setting]) -> None:
    """Score every setting, cross-validate and print."""
    languages = list(dict.fromkeys(repo.language for repo in scopes[0]))
    sizes = np.array([sum(len(r.questions) for r in scopes[0] if r.language == lang) for lang in languages])
    # by setting, scope and language: sums over questions
    sums = np.array([[[sum(found) for found in scope] for scope in scores(scopes, s)] for s in settings])
    chosen = [int(np.argmax(sums.sum((1, 2)) - sums[:, :, held].sum(1))) for held in range(len(languages))]
    held_out = sum(sums[best, :, held] for held, best in enumerate(chosen)) / sizes.sum()
    means = sums.sum(2) / sizes.sum()
    winner, fitted = Counter(chosen).most_common(1)[0][0], int(np.argmax(means.sum(1)))
    print("| | package | whole |", "| --- | --- | --- |", sep="\n")
    print("| cross-validated | {:.4f} | {:.4f} |".format(*held_out))
    for name, at in (("chosen by most folds", winner), ("best on all queries at once", fitted)):
        print("| {} | {:.4f} | {:.4f} |".format(name, *means[at]))
    print(f"chosen by {chosen.count(winner)} of {len(chosen)} folds: {dict(settings[winner])}")
    print("ships" if weights_of(settings[winner]) == RankingWeights() else "differs from what ships")


if __name__ == "__main__":
    main()
