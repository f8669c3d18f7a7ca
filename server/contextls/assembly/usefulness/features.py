"""The features of each chunk of a pool: numbers that mean the same for every question and workspace.

Ranks and shares travel between workspaces, scores do not. Ranks enter by their logarithm: from 1 to 2 is as far as from
100 to 200.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from contextls.assembly.usefulness.calls import Call, Calls
from contextls.assembly.usefulness.files_with_terms import holding_files
from contextls.assembly.usefulness.likeness import describe_likeness
from contextls.assembly.usefulness.pool import Pool, Scored
from contextls.assembly.usefulness.ranks import log_rank, log_rank_of_held
from contextls.memory.index.ranking.named_places import NAMED_FILE
from contextls.memory.index.segments.number_sets import runs
from contextls.memory.index.snapshot.view import ChunkRef

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Files further down are all alike.
FAR = 1_000
# Digits to which chances are rounded: beyond them, they depend on the order of the segments.
DIGITS = 6


def describe_pool(pool: Pool) -> Mapping[str, NDArray[np.float64]]:
    """Each feature by its name: an array with a number for every chunk of ``pool``."""
    best = float(pool.scored.score.max()) or 1.0
    found = {
        "words rank": log_rank_of_held(pool.scored.rows.words[pool.at]),
        "neighbour": np.log1p(5 * _neighbours(pool.scored)[pool.at] / best),
        "named place": _values(pool, {ref: gain > NAMED_FILE for ref, gain in pool.ranking.placed.items()}),
        **describe_calls(pool, pool.calls),
        **describe_likeness(pool),
        **_describe_terms(pool),
        **_describe_files(pool, best),
    }
    return {name: np.asarray(values, np.float64) for name, values in found.items()}


def describe_calls(pool: Pool, calls: Calls) -> Mapping[str, NDArray[np.float64]]:
    """The features of calls: those from each chunk of ``pool`` to what leads, and those from there to it."""
    return {
        "calls leading": np.log1p(_worth(pool, calls.callers)),
        "called by leading": np.log1p(_worth(pool, calls.called)),
    }


def _describe_terms(pool: Pool) -> dict[str, NDArray[np.float64]]:
    """The features of words: the share of the question that each chunk, and its file, holds."""
    numbers, uses = pool.numbers, pool.ranking.words.uses
    files, of_chunk = runs(pool.files)
    held, named, whole = (np.zeros(len(pool.chunks)) for _ in range(3))
    in_file = np.zeros(len(files))
    all_named, living = 0.0, len(numbers.view)
    parts = [use for use in uses if not use.whole]
    in_files = iter(holding_files(numbers, parts, files))
    for use, chunks in zip(uses, pool.scored.rows.holds[pool.at].T, strict=True):
        if use.whole:
            rarity = np.log(1 + (living - use.living + 0.5) / (use.living + 0.5))
            whole[chunks] = np.maximum(whole[chunks], rarity)
            continue
        held[chunks] += use.weight
        in_file[next(in_files)] += use.weight
        # A word that stands in names of code says more than one that stands in running text.
        telling = use.weight * (use.in_heads + 0.05)
        named[chunks] += telling
        all_named += telling
    total = sum(pool.ranking.words.rarity.values()) or 1.0
    return {
        "terms": held / total,
        "telling terms rank": log_rank_of_held(named / (all_named or 1.0)),
        "terms in file": in_file[of_chunk] / total,
        "terms in file rank": log_rank(in_file[of_chunk] / total),
        "whole name": whole,
    }


def _describe_files(pool: Pool, best: float) -> dict[str, NDArray[np.float64]]:
    """The features of files: the score of the file of each chunk, and of the chunk among those of its file.

    Tests among source count as a file of their own, as they are one elsewhere.
    """
    score, rows = pool.scored.score, pool.scored.rows
    parts = 2 * rows.files + (rows.kinds != pool.numbers.kinds(rows.files))
    order = np.argsort(parts, kind="stable")
    known, of_ordered = runs(parts[order])
    top = np.zeros(len(known), np.float32)
    np.maximum.at(top, of_ordered, score[order])
    parts = parts[pool.at]
    own = top[np.searchsorted(known, parts)]
    better = top
    if pool.others:  # files that only say again what stands in others are no better ones
        others = pool.numbers.files(np.fromiter(pool.others, np.int64))
        better = top[~np.isin(known // 2, others) | np.isin(known // 2, pool.files)]
    return {
        "file": own / best,
        "file rank": np.log1p(np.minimum(np.searchsorted(np.sort(-better), -own), FAR)),
        "chunks of better files": log_rank(own / best),
        "file evidence": np.sqrt(pool.ranking.evidence.of(pool.files)),
        "place in file": np.log1p(_places_within(parts, score[pool.at])),
    }


def _places_within(files: NDArray[np.int64], score: NDArray[np.float32]) -> NDArray[np.int64]:
    """The place of each chunk among those of its file, the best first."""
    order = np.lexsort((-score, files))
    ordered = files[order]
    first = np.searchsorted(ordered, ordered)
    places = np.empty(len(files), np.int64)
    places[order] = np.arange(len(files)) - first
    return places


def _neighbours(scored: Scored) -> NDArray[np.float32]:
    """The better score of the chunks right before and after each one in its file."""
    score, rows = scored.score, scored.rows
    beside = (np.diff(rows.files) == 0) & (np.diff(rows.numbers) == 1)
    found = np.zeros(len(score), np.float32)
    found[1:] = score[:-1] * beside
    found[:-1] = np.maximum(found[:-1], score[1:] * beside)
    return found


def _worth(pool: Pool, calls: Mapping[ChunkRef, Call]) -> NDArray[np.float64]:
    return _values(pool, {ref: call.worth for ref, call in calls.items()})


def _values(pool: Pool, values: Mapping[ChunkRef, float]) -> NDArray[np.float64]:
    """The value of each chunk of the pool, 0 for those without one."""
    found = np.zeros(len(pool.chunks))
    numbers = pool.numbers.numbers(values)
    places = np.minimum(np.searchsorted(pool.chunks, numbers), len(found) - 1)
    inside = pool.chunks[places] == numbers
    found[places[inside]] = np.fromiter(values.values(), np.float64, len(values))[inside]
    return found
