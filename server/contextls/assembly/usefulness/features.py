"""The features of each chunk of a pool: numbers that mean the same for every question and workspace.

Ranks and shares travel between workspaces, scores do not. Ranks enter by their logarithm: from 1 to 2 is as far as from
100 to 200.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from contextls.assembly.usefulness.calls import Call
from contextls.assembly.usefulness.likeness import describe_likeness
from contextls.assembly.usefulness.pool import Pool
from contextls.assembly.usefulness.ranks import log_rank, log_rank_of_held
from contextls.memory.index.ranking import NAMED_FILE
from contextls.memory.index.view import ChunkRef

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Files further down are all alike.
FAR = 1_000
# Chances are the same in whatever order segments hold the chunks up to so many digits.
DIGITS = 6


def describe_pool(pool: Pool) -> Mapping[str, NDArray[np.float64]]:
    """Each feature by its name: an array with a number for every chunk of ``pool``."""
    at = pool.chunks
    best = float(pool.score.max()) or 1.0
    found = {
        "words rank": log_rank_of_held(pool.words[at]),
        "neighbour": np.log1p(5 * _neighbours(pool)[at] / best),
        "named place": _named(pool)[at],
        "calls leading": np.log1p(_worth(pool, pool.calls.callers)[at]),
        "called by leading": np.log1p(_worth(pool, pool.calls.called)[at]),
        **describe_likeness(pool),
        **_describe_terms(pool),
        **_describe_files(pool, best),
    }
    return {name: np.asarray(values, np.float64) for name, values in found.items()}


def _describe_terms(pool: Pool) -> dict[str, NDArray[np.float64]]:
    """How much of the question each chunk, and each file, holds."""
    columns, ranking = pool.columns, pool.ranking
    held = np.zeros(len(columns))
    named = np.zeros(len(columns))
    in_file = np.zeros(int(columns.files.max()) + 1)
    all_named = 0.0
    for term, rarity in ranking.words.rarity.items():
        chunks, heads = columns.holding(term)
        held[chunks] += rarity
        files = columns.files[chunks]  # ascending, as chunks are: each counts once
        in_file[files[np.flatnonzero(np.diff(files, prepend=-1))]] += rarity
        # A word that stands in names of code says more than one that stands in running text.
        telling = rarity * (len(heads) / max(1, len(chunks)) + 0.05)
        named[chunks] += telling
        all_named += telling
    total = sum(ranking.words.rarity.values()) or 1.0
    whole, living = np.zeros(len(columns)), int(columns.alive.sum())
    for one in ranking.question.terms:
        if one.whole:
            chunks, _ = columns.holding(one.hash)
            rarity = np.log(1 + (living - len(chunks) + 0.5) / (len(chunks) + 0.5))
            whole[chunks] = np.maximum(whole[chunks], rarity)
    at = pool.chunks
    return {
        "terms": held[at] / total,
        "telling terms rank": log_rank_of_held(named[at] / (all_named or 1.0)),
        "terms in file": in_file[columns.files[at]] / total,
        "terms in file rank": log_rank(in_file[columns.files[at]] / total),
        "whole name": whole[at],
    }


def _describe_files(pool: Pool, best: float) -> dict[str, NDArray[np.float64]]:
    """How good the file of each chunk is, and the chunk among those of its file."""
    columns, score, at = pool.columns, pool.score, pool.chunks
    count = int(columns.files.max()) + 1
    top = np.zeros(count, np.float32)
    np.maximum.at(top, columns.files, score)
    evidence = np.concatenate(pool.ranking.evidence)
    files = columns.files[at]
    of_file = top[files] / best
    # Files that only say again what stands in others are no better ones.
    copied = np.zeros(count, np.bool_)
    copied[columns.files[list(pool.others)]] = True
    copied[files] = False
    return {
        "file": of_file,
        "file rank": np.log1p(np.minimum(np.searchsorted(np.sort(-top[~copied]), -top[files]), FAR)),
        "chunks of better files": log_rank(of_file),
        "file evidence": np.sqrt(evidence[files]),
        "place in file": np.log1p(_places_within(files, score[at])),
    }


def _places_within(files: NDArray[np.intp], score: NDArray[np.float32]) -> NDArray[np.int64]:
    """The place of each chunk among those of its file, the best first."""
    order = np.lexsort((-score, files))
    ordered = files[order]
    first = np.searchsorted(ordered, ordered)
    places = np.empty(len(files), np.int64)
    places[order] = np.arange(len(files)) - first
    return places


def _neighbours(pool: Pool) -> NDArray[np.float32]:
    """The better score of the chunks right before and behind each one in its file."""
    score, files = pool.score, pool.columns.files
    same = files[1:] == files[:-1]
    found = np.zeros(len(score), np.float32)
    found[1:] = score[:-1] * same
    found[:-1] = np.maximum(found[:-1], score[1:] * same)
    return found


def _named(pool: Pool) -> NDArray[np.bool_]:
    """Whether the question names the lines of a chunk, not its file alone."""
    found = np.zeros(len(pool.columns), np.bool_)
    for ref, gain in pool.ranking.placed.items():
        found[pool.columns.number(ref)] = gain > NAMED_FILE
    return found


def _worth(pool: Pool, calls: Mapping[ChunkRef, Call]) -> NDArray[np.float64]:
    found = np.zeros(len(pool.columns))
    for ref, call in calls.items():
        found[pool.columns.number(ref)] = call.worth
    return found
