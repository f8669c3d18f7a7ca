"""Weighs tests by what they call and how they are called, for questions about tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from contextls.assembly.usefulness.calls import Call
from contextls.assembly.usefulness.model import Useful
from contextls.assembly.usefulness.pool import Scored
from contextls.assembly.usefulness.worth import join_worths
from contextls.assembly.wording.action_words import subject_words
from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.search_query import SearchQuery
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.segments.files import KINDS
from contextls.memory.index.segments.number_sets import distinct
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.index.terms import TermSplitter
from contextls.regex import compile_late
from contextls.text.word_set import word_set

# One call by a chunk that leads is as much as several by others; into another file of its folder, it is sure to 0.7. On the
# development questions (benchmarks.lines) coverage of "test" is .440 instead of .389.
MIN_CALLS = 0.6
SHARE, MAX_WORTH = 0.3, 0.6
# The worth and the number of tests named after one thing: the likeliest are enough to see how it is tested.
NAMED_AFTER, MAX_NAMED_AFTER = 0.5, 6
# A test answers a question if its file and name hold at least MIN_SAID words and SAID_SHARE of what the question asks about.
MIN_SAID, SAID_SHARE = 2, 0.66
# Tests are called after the code that they test: of those called after the file of the likeliest source, as likely as
# MIN_CHANCE, so many chunks enter. On the development questions coverage of "test" is .461 instead of .440.
MIN_CHANCE, MAX_BESIDE, BESIDE = 0.3, 3, 0.4
# Most tests of files called "utils" are about something else: only one nearly as good as the best of all tests counts.
NEAR_THE_BEST = 0.7
_TEST = KINDS.index(FileKind.TEST)
_CALLED_SO = word_set("test tests testing spec specs case it unit")
_OF_TESTS = word_set(
    "assert cover covers covered covering exercise exercises verify verifies two three several"
)
_NO_LETTER = compile_late(r"[\W_]+")


def weigh_asked_tests(
    query: SearchQuery, ranking: Ranking, useful: Useful, snapshot: Snapshot, *, writes: bool
) -> dict[ChunkRef, float]:
    """The relevance, in 0..1, of the tests that ``query`` asks for.

    For a question that ``writes`` one, what they are made of as well.
    """
    chances = useful.chances
    return join_worths(
        weigh_test_helpers(useful.calls.called, snapshot) if writes else {},
        weigh_tests_named_after(query.identifiers, chances, snapshot),
        weigh_tests_named_for(query.words, chances, snapshot),
        weigh_tests_beside(ranking, chances, snapshot),
    )


def weigh_test_helpers(called: Mapping[ChunkRef, Call], snapshot: Snapshot) -> dict[ChunkRef, float]:
    """The worth of those that are ``called`` by leading chunks and stand among tests, in 0..1."""
    return {
        ref: min(MAX_WORTH, SHARE * call.worth)
        for ref, call in called.items()
        if call.worth >= MIN_CALLS and snapshot.view.file_kind(ref) is FileKind.TEST
    }


def weigh_tests_named_after(
    names: Iterable[str], likely: Iterable[ChunkRef], snapshot: Snapshot
) -> dict[ChunkRef, float]:
    """The worth of the tests among ``likely``, best first, whose name holds one of ``names``, in 0..1.

    ``TestKeepFiringFor`` tests ``keep_firing_for``; of a name of one part, which may be any word, nothing follows.
    """
    splitter = TermSplitter()
    parts = [splitter.parts(name.rpartition(".")[2]) for name in names]
    wanted = ["".join(each).lower() for each in parts if len(each) > 1]
    if not wanted:
        return {}
    view = snapshot.view
    tests = (ref for ref in likely if view.file_kind(ref) is FileKind.TEST)
    called = ((ref, _NO_LETTER.sub("", view.symbol(ref).rpartition(".")[2].lower())) for ref in tests)
    named = (ref for ref, name in called if any(each in name for each in wanted))
    return dict.fromkeys(islice(named, MAX_NAMED_AFTER), NAMED_AFTER)


def weigh_tests_named_for(text: str, likely: Iterable[ChunkRef], snapshot: Snapshot) -> dict[ChunkRef, float]:
    """The worth of the tests among ``likely``, best first, whose file and name together say what ``text`` asks about.

    For "tests that merge foods" these are ``test_merge`` and ``test_merge_errors`` of ``test_food.py``.
    """
    splitter, view = TermSplitter(), snapshot.view
    asked = {*splitter.stem_hashes(" ".join(sorted(subject_words(text) - _OF_TESTS)))}
    least = max(MIN_SAID, SAID_SHARE * len(asked))

    def is_named_for_it(ref: ChunkRef) -> bool:
        path, name = view.path(ref), view.symbol(ref).rpartition(".")[2]
        called = asked.intersection(splitter.stem_hashes(name))
        filed = asked.intersection(splitter.stem_hashes(path.rpartition("/")[2]))
        return bool(called - filed) and len(called | filed) >= least

    tests = (ref for ref in likely if view.file_kind(ref) is FileKind.TEST)
    return dict.fromkeys(islice(filter(is_named_for_it, tests), MAX_NAMED_AFTER), NAMED_AFTER)


def weigh_tests_beside(
    ranking: Ranking, chances: Mapping[ChunkRef, float], snapshot: Snapshot
) -> dict[ChunkRef, float]:
    """The worth of the likeliest tests in files that are called after that of the likeliest source, in 0..1.

    Those of ``press/fold.go`` are in ``fold_test.go``, and those of ``Fold.java`` in ``FoldTest.java``.
    """
    view, splitter = snapshot.view, TermSplitter()
    likely = (ref for ref, chance in chances.items() if chance >= MIN_CHANCE)
    source = next((ref for ref in likely if view.file_kind(ref) is FileKind.SOURCE), None)
    paths = _find_tests_of(view.path(source), snapshot, splitter) if source else ()
    tests = [ref for path in paths for ref in view.chunks_of(path) if view.file_kind(ref) is FileKind.TEST]
    if not tests:
        return {}
    every = Scored.of(ranking, ranking.rows)
    least = NEAR_THE_BEST * every.score[every.rows.kinds == _TEST].max(initial=0)
    scored = Scored.of(ranking, ranking.read(distinct(ranking.numbers.numbers(tests))))
    refs = ranking.numbers.refs(scored.rows.numbers)
    near = {ref: score for ref, score in zip(refs, scored.score.tolist(), strict=True) if score >= least}
    return dict.fromkeys(view.best_first(near)[:MAX_BESIDE], BESIDE)


def _find_tests_of(source: str, snapshot: Snapshot, splitter: TermSplitter) -> list[str]:
    """The files of tests that are called after ``source``, and itself, which may hold some."""
    name = _read_name(source, splitter)
    paths = (path for path in snapshot.view.paths if name[0] in path.lower()) if name else ()
    return [
        path
        for path in paths
        if path == source
        or (snapshot.files.kind(path) is FileKind.TEST and _read_name(path, splitter) == name)
    ]


def _read_name(path: str, splitter: TermSplitter) -> list[str]:
    """The words that a file is called by, but for those that say that it holds tests."""
    stem = path.rpartition("/")[2].rpartition(".")[0]
    return [part for word in splitter.words(stem) for part in splitter.parts(word) if part not in _CALLED_SO]
