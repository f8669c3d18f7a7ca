"""The pool of a question: the chunks worth a closer look, whichever way they lead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from contextls.assembly.usefulness.calls import LEADING, Calls, find_calls
from contextls.assembly.usefulness.columns import Columns
from contextls.assembly.usefulness.same_text import SameText
from contextls.memory.index.files import KINDS
from contextls.memory.index.priors import FileKind
from contextls.memory.index.ranking import Ranking
from contextls.memory.index.snapshot import Snapshot
from contextls.memory.knowledge.relations import RelationGraph

if TYPE_CHECKING:
    from numpy.typing import NDArray

BY_SCORE = 300
BY_WORDS = BY_MEANING = 150
BY_BARE_SCORE = 100
BY_ASKED_KIND = 60
FILES = 8
# What the evidence for its file and the definition of a name add to a chunk's own, as in ``RankingWeights``.
FILE, AGREEMENT, DEFINITION = np.float32(0.35), np.float32(0.4), 2.0
MAX_OF_FILE = 80


@dataclass(frozen=True, slots=True)
class Pool:
    """The ``chunks`` (m, ascending numbers) of a ranking that are looked at, and what is known of all (n) of them.

    ``bare`` is the score as if all kinds of files were alike, ``likely`` whether the kind is one that the question may be
    about. ``others`` are the chunks that are left out because one of ``chunks`` has the same text, and that one.
    """

    columns: Columns
    ranking: Ranking
    chunks: NDArray[np.int64]
    score: NDArray[np.float32]
    bare: NDArray[np.float32]
    words: NDArray[np.float32]
    similar: NDArray[np.float32]
    likely: NDArray[np.bool_]
    calls: Calls
    others: Mapping[int, int]


def gather_pool(ranking: Ranking, snapshot: Snapshot, graph: RelationGraph) -> Pool | None:
    """The chunks that lead by any measure, those of the leading files, and those that leading ones call or that call them.

    ``None`` where no chunk has any score.
    """
    view = ranking.view
    if not len(view) or not any(float(part.max(initial=0)) > 0 for part in ranking.scores):
        return None
    columns = Columns.of(view)
    factors = ranking.factors[columns.kinds]
    bare = _score_bare(columns, ranking)
    score = bare * factors
    for ref, gain in ranking.placed.items():
        at = columns.number(ref)
        bare[at] += np.float32(gain)
        score[at] += np.float32(gain)
    words = columns.join(ranking.words.scores) * columns.alive
    similar = columns.join(ranking.similar) * columns.alive
    likely = (factors >= 1) & columns.alive
    asked = likely & (columns.kinds != KINDS.index(FileKind.SOURCE))
    same = SameText(columns)
    leaders = same.top(_top, score, LEADING)
    best = float(score[leaders[0]])
    worth = (score[leaders] / best).tolist()
    calls = find_calls(snapshot, graph, list(zip(columns.refs(leaders), worth, strict=True)))
    best_chunks = same.top(_top, score, BY_SCORE)
    led_to = (calls.called, calls.callers, ranking.defined)
    found = [
        best_chunks,
        same.top(_top, words * likely, BY_WORDS),
        same.top(_top, similar * likely, BY_MEANING),
        same.top(_top, bare, BY_BARE_SCORE),
        same.top(_top, bare * asked, BY_ASKED_KIND),
        *(same.distinct(chunks) for chunks in _leading_files(columns, best_chunks)),
        same.distinct(np.array([columns.number(ref) for refs in led_to for ref in refs], np.int64)),
        np.array([columns.number(ref) for ref in ranking.placed], np.int64),
    ]
    chunks = np.unique(np.concatenate(found))
    return Pool(
        columns,
        ranking,
        chunks[columns.alive[chunks]],
        score,
        bare,
        words,
        similar,
        likely,
        calls,
        same.others,
    )


def _score_bare(columns: Columns, ranking: Ranking) -> NDArray[np.float32]:
    """Score each chunk by its words, meaning and names; its file says less here than where files are looked for."""
    parts = []
    for number, segment in enumerate(ranking.view.segments):
        part = ranking.words.scores[number] / np.float32(ranking.best_words)
        if ranking.meaning:
            part = part + ranking.meaning[number]
        of_chunk = segment.files.of_chunk
        agreed = segment.files.agreement(ranking.words.rarity)[of_chunk] * (part > 0)
        part = part * (1 + FILE * ranking.evidence[number][of_chunk]) + AGREEMENT * agreed
        parts.append(part.astype(np.float32))
    found = columns.join(parts)
    for ref, (strength, _) in ranking.defined.items():
        found[columns.number(ref)] += np.float32(DEFINITION * strength)
    return found * columns.alive


def _top(values: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """The numbers of the largest values above 0, the largest first."""
    best = np.argpartition(-values, count)[:count] if len(values) > count else np.arange(len(values))
    best = best[values[best] > 0]
    return best[np.argsort(-values[best], kind="stable")]


def _leading_files(columns: Columns, best: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """The first chunks of each of the files with the ``best`` ones."""
    for file in list(dict.fromkeys(columns.files[best].tolist()))[:FILES]:
        yield np.nonzero(columns.files == file)[0][:MAX_OF_FILE]
