"""Weighs the likely chunks for a prompt: what repeats another, takes much room or only imports counts less.

Of a constant that was cut into several chunks, a table as a rule, each further part counts half: rows are like each other.

The constants were chosen together on the development questions, with weights that had not seen the repository asked
(benchmarks.lines): at the same number of tokens more of what an answer needs is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain

import numpy as np

from contextls.assembly.usefulness.definition_parts import is_inside_a_line
from contextls.assembly.usefulness.prototypes import only_declares
from contextls.assembly.wording.purpose import Purpose
from contextls.code.kinds import Kind
from contextls.memory.index.priors import FileKind
from contextls.memory.index.sides import Side, weigh_side
from contextls.memory.index.snapshot.view import ChunkRef, IndexView
from contextls.regex import compile_late

# The size in characters at which a chunk is worth its chance: a longer one is worth less, a shorter one more. AROUND is
# what the heading and the fence of each chunk add.
TYPICAL, MIN_CHARS, AROUND = 900, 216, 90
SHORTNESS = 0.3
# Chunks whose vectors are more similar than this repeat each other in part; a chunk equal to an earlier one is worth half.
ALIKE = 0.6
REPEATED = 0.5
# Imports hold many words of what a file is about, and do not show how it works.
IMPORTS = 0.3
# Kinds of files that a question seldom wants unless it asks for them: one piece in six is of some use, one in forty needed.
BESIDE = frozenset(
    {
        FileKind.TEST,
        FileKind.EXAMPLE,
        FileKind.LEGACY,
        FileKind.CHANGELOG,
        FileKind.DATA,
        FileKind.TRANSLATION,
    }
)
UNASKED = 0.5
# Where nothing new is wanted, tests say little: on the development questions (benchmarks.lines) coverage rises
# from .572 to .577 and noise falls from .459 to .455. To add something, one needs the tests next to which its own will be:
# with fewer of them, coverage of "feature" falls from .621 to .575.
TESTS_UNASKED = 0.3
# A change of a function changes its prototype, too; any other question is about what the function does.
PROTOTYPES = 0.5
# A line too long for one chunk was written by a program, as a page of a manual: it holds every word, and nobody reads it.
INSIDE_A_LINE = 0.3
# The end of what was cut before it, ``</div>`` or ``});``, says nothing, whatever the file is called, nor does a key
# without its value: ``jobs:``.
REST_CHARS = 80
_REST = compile_late(
    r"(?>(?:</[\w.:-]{1,60}\s*>|\bend\b|[\W_])*)|\s*[\"']?[\w.-]{1,60}[\"']?\s*:\s*[{\[]?\s*"
)
# The most likely chunk leads, however long it is: where there is room for little else it is cut.
STEP = 1e-6
# Chunks are only compared with the first ones: no prompt shows more.
MAX_COMPARED = 40


def weigh_chunks(
    chances: Mapping[ChunkRef, float],
    view: IndexView,
    least: float,
    asked: Collection[FileKind] = tuple(FileKind),
    purpose: Purpose = Purpose(),  # noqa: B008 - frozen
    declaring: Collection[ChunkRef] = (),
    side: Side | None = None,
) -> dict[ChunkRef, float]:
    """The worth of each chunk, in 0..1, best first. ``chances`` are best first; those below ``least`` are left out.

    ``asked`` are the kinds of file that the question asks for, ``side`` that of the application. To look up tests is not
    to ask for source. Prototypes and what is ``declaring`` members that stand elsewhere count fully for a change, and tests
    where something is built.
    """
    beside = BESIDE.difference(asked) | ({FileKind.SOURCE} if purpose.looks_up_tests else set())
    unasked = dict.fromkeys(beside, UNASKED)
    if not purpose.builds and FileKind.TEST in beside:
        unasked[FileKind.TEST] = TESTS_UNASKED

    def weigh(ref: ChunkRef) -> float:
        if _is_rest(ref, view):
            return 0.0
        imports = IMPORTS if view.kind(ref) == Kind.IMPORT else 1.0
        written = INSIDE_A_LINE if is_inside_a_line(ref, view) else 1.0
        only_declared = not purpose.changes and (ref in declaring or only_declares(ref, view))
        declared = PROTOTYPES if only_declared else 1.0
        aside = weigh_side(view.path(ref), side) if side else 1.0
        return aside * imports * written * declared * unasked.get(view.file_kind(ref), 1.0)

    telling = ((ref, chance * weigh(ref)) for ref, chance in chances.items() if chance >= least)
    likely = _best_first({ref: chance for ref, chance in telling if chance >= least})
    found: dict[ChunkRef, float] = {}
    for (ref, chance), near in zip(likely.items(), _nearest_before(view, list(likely)), strict=True):
        novelty = 1 - REPEATED * max(0.0, near - ALIKE) / (1 - ALIKE)
        size = max(MIN_CHARS, view.size(ref) + AROUND)
        found[ref] = min(1.0, round(chance * novelty * (TYPICAL / size) ** SHORTNESS, 6))
    if found:
        likeliest = next(iter(found))
        found[likeliest] = min(1.0, max(found.values()) + STEP)
    return _best_first(_weigh_tables(_best_first(found), view))


def _is_rest(ref: ChunkRef, view: IndexView) -> bool:
    return view.size(ref) <= REST_CHARS and _REST.fullmatch(view.row(ref).text) is not None


def _best_first(worths: Mapping[ChunkRef, float]) -> dict[ChunkRef, float]:
    return dict(sorted(worths.items(), key=lambda item: -item[1]))


def _weigh_tables(ordered: Mapping[ChunkRef, float], view: IndexView) -> dict[ChunkRef, float]:
    """``ordered``, best first, with each further chunk of one constant worth half of what it was after the one before."""
    seen: Counter[tuple[str, str]] = Counter()
    found = {}
    for ref, worth in ordered.items():
        times = 0
        if view.kind(ref) == Kind.CONSTANT:
            row = view.row(ref)
            times = seen[row.path, row.symbol]
            seen[row.path, row.symbol] += 1
        found[ref] = worth * REPEATED**times
    return found


def _nearest_before(view: IndexView, refs: Sequence[ChunkRef]) -> list[float]:
    """The similarity of each chunk to the most similar one before it, of the first ``MAX_COMPARED``; 0 for the first."""
    if not refs:
        return []
    rows = view.vectors(refs)
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    # For so few rows the threads of a BLAS cost more than they bring.
    near = np.einsum("ij,kj->ik", rows, rows[:MAX_COMPARED])
    near *= np.arange(len(rows))[:, None] > np.arange(near.shape[1])
    nearest: list[float] = near.max(axis=1).clip(0).tolist()
    return nearest


def join_worths(*worths: Mapping[ChunkRef, float]) -> dict[ChunkRef, float]:
    """The most that each chunk is worth in any of ``worths``."""
    found: dict[ChunkRef, float] = {}
    for ref, worth in chain.from_iterable(one.items() for one in worths):
        found[ref] = max(worth, found.get(ref, 0.0))
    return found
