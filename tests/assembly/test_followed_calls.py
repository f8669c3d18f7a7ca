"""Calls lead from what is likely to be of use to what the words of a question do not reach."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.assembly.usefulness.calls import Call, CallFinder, Calls
from contextls.memory.index.snapshot.view import ChunkRef

from ..memory.workspaces import opened, write

FILES = {
    "press/fold.py": "from press.cut import trim\n\n\ndef fold(sheet):\n    return trim(sheet)\n",
    "press/bind.py": "from press.fold import fold\n\n\ndef bind(sheets):\n    return [fold(sheet) for sheet in sheets]\n",
    "press/cut.py": "def trim(sheet):\n    return sheet[1:-1]\n",
}
CALLS = st.dictionaries(
    st.integers(0, 9).map(lambda at: ChunkRef(0, at)),
    st.builds(Call, st.floats(0, 9), st.floats(0, 9), st.sampled_from(["fold", "trim"])),
)


def test_calls_are_followed_both_ways_and_count_what_the_chunk_is_worth(tmp_path: Path) -> None:
    with opened(write(tmp_path, FILES)) as engine:
        memories = take_snapshot(engine._memories, 0)
        finder = CallFinder(memories.snapshot, memories.graph)
        fold, bind, trim = (
            memories.snapshot.view.chunk_at(path, line)
            for path, line in (("press/fold.py", 4), ("press/bind.py", 4), ("press/cut.py", 1))
        )
        assert fold is not None
        once, half = finder.follow([(fold, 1.0)]), finder.follow([(fold, 0.5)])
    assert (set(once.called), set(once.callers)) == ({trim}, {bind})
    assert trim is not None
    assert half.called[trim].worth == once.called[trim].worth / 2
    assert (once.called[trim].name, once.callers[bind].name if bind else "") == ("trim", "fold")


@given(CALLS, CALLS, CALLS, CALLS)
def test_of_two_followings_the_worthier_counts_for_each_chunk(
    called: dict[ChunkRef, Call],
    callers: dict[ChunkRef, Call],
    others_called: dict[ChunkRef, Call],
    other_callers: dict[ChunkRef, Call],
) -> None:
    joined = Calls(called, callers).join(Calls(others_called, other_callers))
    for found, one, other in (
        (joined.called, called, others_called),
        (joined.callers, callers, other_callers),
    ):
        assert found.keys() == one.keys() | other.keys()
        for ref, call in found.items():
            assert call.worth == max(each[ref].worth for each in (one, other) if ref in each)
