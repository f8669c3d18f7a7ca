"""Where two texts differ: as few lines as possible, whatever the texts are."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from contextls.text.line_diff import count_changed_lines, find_changed_blocks

LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=12)


@given(LINES, LINES)
def test_blocks_always_turn_one_text_into_the_other(old: list[str], new: list[str]) -> None:
    result = list(old)
    for block in reversed(find_changed_blocks(old, new)):
        result[block.old_start : block.old_end] = new[block.new_start : block.new_end]
    assert result == new


@given(LINES, LINES)
def test_what_lies_between_two_blocks_is_never_changed(old: list[str], new: list[str]) -> None:
    done = (0, 0)
    for block in find_changed_blocks(old, new):
        same = old[done[0] : block.old_start]
        assert same == new[done[1] : block.new_start]
        assert same or done == (0, 0)
        done = block.old_end, block.new_end
    assert old[done[0] :] == new[done[1] :]


@given(LINES, LINES)
def test_no_fewer_lines_would_do(old: list[str], new: list[str]) -> None:
    longest = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i, left in enumerate(old):
        for j, right in enumerate(new):
            longest[i + 1][j + 1] = (
                longest[i][j] + 1 if left == right else max(longest[i][j + 1], longest[i + 1][j])
            )
    same = longest[-1][-1]
    assert count_changed_lines(old, new) == (len(new) - same, len(old) - same)


def test_a_file_of_lines_that_repeat_is_compared_line_by_line() -> None:
    # Generated JSON: brackets and keys repeat, ids change. difflib takes minutes for it.
    def listing(shift: int) -> list[str]:
        rows = [{"id": f"id-{number + shift}", "kind": "row", "paid": True} for number in range(2_000)]
        return json.dumps(rows, indent=1).splitlines()

    assert count_changed_lines(listing(0), listing(2_000)) == (2_000, 2_000)
    assert len(find_changed_blocks(listing(0), listing(2_000))) == 2_000


def test_of_texts_beyond_all_bounds_the_middle_counts_as_replaced() -> None:
    old = ["head", *(f"old {number}" for number in range(15_000)), "tail"]
    new = ["head", *(f"new {number}" for number in range(15_000)), "tail"]
    new[7_000] = old[7_000]
    assert find_changed_blocks(old, new) == [(1, 15_001, 1, 15_001)]
