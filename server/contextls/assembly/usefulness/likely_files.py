"""The files that a report is likely about: it tells of one fault in many words, and several of its chunks hold some.

A prompt shows the likeliest piece of each. On 105 reports of bugs (benchmarks.bug_reports) one of the files that the fix
changed is in .857 of the prompts instead of .800, and leads .543 of them instead of .476.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from contextls.assembly.usefulness.pool import Scored
from contextls.memory.index.ranking.ranking import Ranking, lift_printed
from contextls.memory.index.snapshot.view import ChunkRef

# What the likeliest piece of the likeliest file is worth, of the next, and so on.
WORTHS = (0.9, 0.7, 0.5, 0.4, 0.3, 0.2, 0.16, 0.14)
# The number of chunks of a file that count, and the factor from each to the next, for scores and for chances of use.
# CHANCES is the weight of chances against scores.
MAX_CHUNKS, OF_SCORE, OF_CHANCE = 5, 0.5, 0.9
CHANCES = 2.0


def weigh_likely_files(ranking: Ranking, chances: Mapping[ChunkRef, float]) -> dict[ChunkRef, float]:
    """The likeliest chunk of each of the likeliest files for a report, with its worth.

    None for another question, nor where a trace says in which files the fault is.
    """
    if not ranking.question.is_report or any(place.frame for place in ranking.places):
        return {}
    view = ranking.view
    scored = Scored.of(ranking, ranking.rows)
    refs = ranking.numbers.refs(scored.rows.numbers)
    values = lift_printed(ranking, scored.rows, scored.score).tolist()
    scores = _add_up(((view.path(ref), value) for ref, value in zip(refs, values, strict=True)), OF_SCORE)
    likely = _add_up(((view.path(ref), chance) for ref, chance in chances.items()), OF_CHANCE)
    likeliest: dict[str, ChunkRef] = {}
    # What surely printed a message that the report quotes tells more than any other piece of its file.
    for ref in (*(ref for ref, sure in ranking.printed.items() if sure == 1), *chances):
        likeliest.setdefault(view.path(ref), ref)
    files = sorted(
        likeliest, key=lambda path: (-scores.get(path, 0.0) - CHANCES * likely.get(path, 0.0), path)
    )
    return {likeliest[path]: worth for path, worth in zip(files, WORTHS, strict=False)}


def _add_up(values: Iterable[tuple[str, float]], share: float) -> dict[str, float]:
    """The weighted sum of the largest values of each file, divided by that of the best file."""
    by_file: dict[str, list[float]] = defaultdict(list)
    for path, value in values:
        by_file[path].append(value)
    sums = {
        path: sum(
            value * share**place for place, value in enumerate(sorted(found, reverse=True)[:MAX_CHUNKS])
        )
        for path, found in by_file.items()
    }
    most = max(sums.values(), default=0.0) or 1.0
    return {path: total / most for path, total in sums.items()}
