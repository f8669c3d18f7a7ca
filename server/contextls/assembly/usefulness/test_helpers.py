"""Weighs test helpers: functions among the tests that the likeliest chunks call, for questions about tests."""

from __future__ import annotations

from collections.abc import Mapping

from contextls.assembly.usefulness.calls import Call
from contextls.memory.index.priors import FileKind
from contextls.memory.index.snapshot import Snapshot
from contextls.memory.index.view import ChunkRef

# One call by a chunk that leads is as much as several by others. On the development questions (benchmarks.lines) coverage
# of "test" is .440 instead of .389.
MIN_CALLS = 0.8
SHARE, MAX_WORTH = 0.3, 0.6


def weigh_test_helpers(called: Mapping[ChunkRef, Call], snapshot: Snapshot) -> dict[ChunkRef, float]:
    """The worth of those that are ``called`` by leading chunks and stand among tests, in 0..1."""
    return {
        ref: min(MAX_WORTH, SHARE * call.worth)
        for ref, call in called.items()
        if call.worth >= MIN_CALLS and snapshot.view.file_kind(ref) is FileKind.TEST
    }
