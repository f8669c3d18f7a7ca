"""Weighs tests by what they call and how they are called, for questions about tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from contextls.assembly.usefulness.calls import Call
from contextls.assembly.wording.deed_words import subject_words
from contextls.memory.index.priors import FileKind
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.index.terms import TermSplitter
from contextls.regex import compile_late
from contextls.text.word_set import word_set

# One call by a chunk that leads is as much as several by others; into another file of its folder, it is sure to 0.7. On the
# development questions (benchmarks.lines) coverage of "test" is .440 instead of .389.
MIN_CALLS = 0.6
SHARE, MAX_WORTH = 0.3, 0.6
# Of many tests that are called after one thing, the likeliest are enough to see how it is tested.
NAMED_AFTER, MAX_NAMED_AFTER = 0.5, 6
# A test whose file and name say so much of what a question asks about tests just that.
MIN_SAID, SAID_SHARE = 2, 0.66
_OF_TESTS = word_set(
    "assert cover covers covered covering exercise exercises verify verifies two three several"
)
_NO_LETTER = compile_late(r"[\W_]+")


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
