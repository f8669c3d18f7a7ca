"""Compares two texts line by line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

# Comparing takes a bit of memory for each pair of lines: 25 MB, and a tenth of a second. Beyond, all between the common
# ends counts as replaced.
MAX_PAIRS = 200_000_000


class Block(NamedTuple):
    """Lines that became others: half-open ranges, 0-based."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int

    @property
    def added(self) -> int:
        """The number of lines that are new."""
        return self.new_end - self.new_start

    @property
    def removed(self) -> int:
        """The number of lines that are gone."""
        return self.old_end - self.old_start


def find_changed_blocks(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """The runs of lines in which ``old`` and ``new`` differ, in order: what is in no longest common subsequence of both."""
    head, tail = _count_common_ends(old, new)
    whole = Block(head, len(old) - tail, head, len(new) - tail)
    removed, added = old[head : whole.old_end], new[head : whole.new_end]
    if not removed and not added:
        return []
    if not removed or not added or len(removed) * len(added) > MAX_PAIRS:
        return [whole]
    # Compiled, and slow on no input; difflib takes 13 s for 1,500 lines of which many repeat.
    from rapidfuzz.distance import LCSseq

    numbers: dict[str, int] = {}
    left, right = ([numbers.setdefault(line, len(numbers)) for line in lines] for lines in (removed, added))
    found: list[Block] = []
    for step in LCSseq.opcodes(left, right):
        if step.tag == "equal":
            continue
        ends = (step.src_start, step.src_end, step.dest_start, step.dest_end)
        block = Block(*(head + end for end in ends))
        if found and found[-1].old_end == block.old_start and found[-1].new_end == block.new_start:
            block = Block(found[-1].old_start, block.old_end, found[-1].new_start, block.new_end)
            found.pop()
        found.append(block)
    return found


def count_changed_lines(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """The number of lines that were added, and of those that were removed."""
    blocks = find_changed_blocks(old, new)
    return sum(block.added for block in blocks), sum(block.removed for block in blocks)


def _count_common_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """The number of lines that both begin with, and of the others that both end with."""
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head, tail
