"""The pool of a question: the chunks worth a closer look, by any measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from contextls.assembly.usefulness.calls import CallFinder, Calls
from contextls.assembly.usefulness.same_text import SameText
from contextls.memory.index.priors import FileKind
from contextls.memory.index.ranking.ranking import Ranking, add_places, add_up
from contextls.memory.index.ranking.scored_rows import Rows
from contextls.memory.index.segments.files import KINDS
from contextls.memory.index.segments.number_sets import distinct
from contextls.memory.index.snapshot.chunk_numbers import ChunkNumbers
from contextls.memory.index.translated_files import speaks
from contextls.memory.index.words.named_languages import named_languages

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Calls are followed from this many leading chunks; further down the ranking they are matches by chance.
MAX_LEADING = 10
BY_SCORE = 300
BY_WORDS = BY_MEANING = 150
BY_BARE_SCORE = 100
BY_ASKED_KIND = 60
MAX_FILES = 8
# What the evidence for its file and the definition of a name add to a chunk's own, as in ``RankingWeights``.
FILE, AGREEMENT, DEFINITION = 0.35, 0.4, 2.0
MAX_OF_FILE = 80
SELDOM_READ = (FileKind.LICENCE, FileKind.CHANGELOG, FileKind.TRANSLATION)
_TRANSLATION = KINDS.index(FileKind.TRANSLATION)
# A word that more chunks hold names nothing that was removed.
MAX_ALONE = 20


class Scored(Struct, frozen=True, eq=False):
    """Rows (m) with their scores: ``bare`` as if all kinds of files were alike, ``score`` with what each kind counts.

    ``likely`` says whether the kind is one that the question may be about.
    """

    rows: Rows
    score: NDArray[np.float32]
    bare: NDArray[np.float32]
    likely: NDArray[np.bool_]

    @classmethod
    def of(cls, ranking: Ranking, rows: Rows) -> Scored:
        """Score ``rows``; the file says less here than where files are looked for."""
        bare = add_up(ranking, rows, FILE, AGREEMENT, DEFINITION)
        factors = ranking.weigh_files(rows)
        score = add_places(ranking, rows, bare * factors)
        return cls(rows, score, add_places(ranking, rows, bare), factors >= 1)

    def join(self, other: Scored) -> Scored:
        """These rows and those of ``other``, which are all different."""
        order = self.rows.order_with(other.rows)
        score, bare, likely = (
            np.concatenate([getattr(self, name), getattr(other, name)])[order]
            for name in ("score", "bare", "likely")
        )
        return Scored(self.rows.join(other.rows), score, bare, likely)


class Pool(Struct, frozen=True, eq=False):
    """The ``chunks`` (ascending numbers) of a ranking that are looked at, and what is known of them.

    ``scored`` are those, their neighbours and all others that compete; ``at`` says where in there ``chunks`` are.
    ``others`` are the chunks that are left out because one of ``chunks`` has the same text, and that one.
    """

    ranking: Ranking
    chunks: NDArray[np.int64]
    scored: Scored
    at: NDArray[np.intp]
    calls: Calls
    others: Mapping[int, int]

    @property
    def numbers(self) -> ChunkNumbers:
        """The numbers of the chunks."""
        return self.ranking.numbers

    @property
    def files(self) -> NDArray[np.int64]:
        """The number of the file of each of ``chunks``."""
        return self.scored.rows.files[self.at]


def gather_pool(ranking: Ranking, finder: CallFinder) -> Pool | None:
    """The chunks that lead by any measure, those of the leading files, and those that leading ones call or that call them.

    Licences, changelogs and translations are left out that nobody asked for. ``None`` where nothing has any score.
    """
    numbers, rows, first = ranking.numbers, ranking.rows, Scored.of(ranking, ranking.rows)
    if not first.score.max(initial=0) > 0:
        return None
    asked = first.likely & (rows.kinds != KINDS.index(FileKind.SOURCE))
    same = SameText(numbers)

    def top(values: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        return same.top(rows.numbers, values, count)

    leaders = top(first.score, MAX_LEADING)
    worth = first.score[rows.places(leaders)]
    calls = finder.follow(zip(numbers.refs(leaders), (worth / worth[0]).tolist(), strict=True))
    best = top(first.score, BY_SCORE)
    led_to = dict.fromkeys(chain(calls.called, calls.callers, ranking.defined))
    found = [
        best,
        top(rows.words * first.likely, BY_WORDS),
        top(rows.similar * first.likely, BY_MEANING),
        top(first.bare, BY_BARE_SCORE),
        top(first.bare * asked, BY_ASKED_KIND),
        *(same.distinct(chunks) for chunks in _leading_files(numbers, best)),
        same.distinct(numbers.numbers(led_to)),
        numbers.numbers(ranking.placed),
    ]
    chunks = _leave_out_unasked(ranking, numbers.living(distinct(np.concatenate(found))))
    if not len(chunks):
        return None
    scored = _with_neighbours(ranking, first, chunks)
    return Pool(ranking, chunks, scored, scored.rows.places(chunks), calls, same.others)


def _leave_out_unasked(ranking: Ranking, chunks: NDArray[np.int64]) -> NDArray[np.int64]:
    """``chunks`` without those of licences, changelogs and translations that the question neither asks for nor names.

    They are long and hold many plain words ("notice", "fixed"): for code they are hardly ever the answer. Where they alone
    hold a name that the question spells, as of something that was removed, they are. Of translations those stay that are
    in a language which the question names.
    """
    seldom = [KINDS.index(kind) for kind in SELDOM_READ]
    unasked = np.zeros(len(KINDS), np.bool_)
    unasked[seldom] = ranking.factors[seldom] < 1
    numbers = ranking.numbers
    kinds = numbers.kinds(numbers.files(chunks))
    left_out = unasked[kinds]
    translations = np.flatnonzero(kinds == _TRANSLATION).tolist()
    languages = named_languages(ranking.question.text) if translations else ()
    for at in translations if languages else ():
        (ref,) = numbers.refs(chunks[at : at + 1])
        left_out[at] |= not speaks(ranking.view.path(ref), languages)
    if not left_out.any():
        return chunks
    wanted = [numbers.numbers(ranking.placed)]
    spelled = set(chain.from_iterable(ranking.question.names.values()))
    for use in ranking.words.uses:
        if use.hash in spelled and use.living <= MAX_ALONE:
            holding = ranking.words.holding(use)
            if unasked[numbers.kinds_of_chunks(holding)].all():
                wanted.append(holding)
    kept: NDArray[np.int64] = chunks[~left_out | np.isin(chunks, np.concatenate(wanted))]
    return kept


def _with_neighbours(ranking: Ranking, scored: Scored, chunks: NDArray[np.int64]) -> Scored:
    """The ``scored`` chunks, ``chunks``, and the ones right before and after each of them."""
    around = distinct(np.concatenate([chunks - 1, chunks, chunks + 1]))
    around = around[(around >= 0) & (around < len(ranking.numbers))]
    fresh = ranking.numbers.living(around[~scored.rows.has(around)])
    return scored.join(Scored.of(ranking, ranking.reader.read(fresh))) if len(fresh) else scored


def _leading_files(numbers: ChunkNumbers, best: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """The first chunks of each of the files with the ``best`` ones."""
    files = list(dict.fromkeys(numbers.files(best).tolist()))[:MAX_FILES]
    firsts, ends = numbers.chunks_of(np.array(files, np.int64))
    for first, end in zip(firsts.tolist(), ends.tolist(), strict=True):
        yield np.arange(first, min(end, first + MAX_OF_FILE))
