"""Compares two texts of a file: the places where they differ, by symbol. Pure functions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from contextls.code.model import Definition
from contextls.text.encoded import leave_out_encoded
from contextls.text.line_diff import Block, find_changed_blocks
from contextls.text.notebook import is_notebook

CONTEXT_LINES = 2
MAX_HUNK_LINES = 120  # lines shown of one hunk
# The lines shown of a deleted file: enough to see what it was about.
MAX_REMOVED_LINES = 20


class Hunk(Struct, frozen=True):
    """One changed place.

    ``symbol`` is the qualified name of the innermost definition around it, "" outside of all. Lines are 1-based and
    inclusive in the text as it is now; where lines were only taken away, both name the line that follows (the last
    one at the end of the file; 0 when the file is gone). ``added`` and ``removed`` count lines. ``text`` has the lines
    of a unified diff with their marks (" ", "+", "-"), without secrets and encoded data; beyond 120 lines it says how many
    more there are. ``came_from`` is the path that a renamed file had before, told with its first hunk; ``gone`` says that
    the file was deleted, of which only the first 20 lines are in ``text``. ``note`` says, with the first hunk, what became
    of the file other than to its lines; where that is all, there is no ``text``, and the lines are 0.
    """

    path: str
    symbol: str
    start_line: int
    end_line: int
    added: int
    removed: int
    text: str
    came_from: str = ""
    gone: bool = False
    note: str = ""

    @property
    def is_note(self) -> bool:
        """Whether it has no lines, and says in a few words what became of the file."""
        return not self.text


def find_hunks(path: str, before: str, after: str, definitions: Sequence[Definition]) -> tuple[Hunk, ...]:
    """The changed places in the order of the file, one for each symbol and neighbourhood.

    ``definitions`` are those of ``after``. How lines end makes no difference, nor does how many lines are empty where the
    outputs of a notebook were.
    """
    old, new = split_lines(before), split_lines(after)
    if is_notebook(path):
        return _find_between_gaps(path, old, new, definitions)
    return _find(path, old, new, definitions)


def _find_between_gaps(
    path: str, old: Sequence[str], new: Sequence[str], definitions: Sequence[Definition]
) -> tuple[Hunk, ...]:
    kept = _outside_gaps(new)
    numbers = [row + 1 for row in kept]
    moved = [
        replace(
            each,
            start_line=bisect_left(numbers, each.start_line) + 1,
            end_line=bisect_right(numbers, each.end_line),
        )
        for each in definitions
    ]
    hunks = _find(path, [old[row] for row in _outside_gaps(old)], [new[row] for row in kept], moved)
    lines = [0, *numbers]
    return tuple(
        replace(hunk, start_line=lines[hunk.start_line], end_line=lines[hunk.end_line]) for hunk in hunks
    )


def _outside_gaps(lines: Sequence[str]) -> list[int]:
    """The rows of ``lines`` without those that are empty below an empty one."""
    return [row for row, line in enumerate(lines) if line or (row and lines[row - 1])]


def _find(
    path: str, old: Sequence[str], new: Sequence[str], definitions: Sequence[Definition]
) -> tuple[Hunk, ...]:
    blocks = find_changed_blocks(old, new)
    starts = sorted(definitions, key=lambda definition: (definition.start_line, -definition.end_line))
    groups: list[tuple[str, list[Block]]] = []
    for block in blocks:
        symbol = _symbol_at(block, starts, len(new))
        near = groups and block.new_start - groups[-1][1][-1].new_end <= 2 * CONTEXT_LINES
        if near and groups[-1][0] == symbol:
            groups[-1][1].append(block)
        else:
            groups.append((symbol, [block]))
    return tuple(_hunk(path, symbol, group, old, new) for symbol, group in groups)


def shorten_removed(hunks: Sequence[Hunk]) -> tuple[Hunk, ...]:
    """The changes that deleted a file, cut to its first lines."""
    return tuple(
        replace(hunk, text=cut_diff(hunk.text.splitlines(), hunk.removed, MAX_REMOVED_LINES), gone=True)
        for hunk in hunks
    )


def split_lines(text: str) -> list[str]:
    """The lines of a text, however they end."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _symbol_at(block: Block, definitions: Sequence[Definition], lines: int) -> str:
    """The innermost definition around the block; for new definitions side by side, the first."""
    first = min(block.new_start + 1, max(lines, 1))
    last = max(block.new_end, first)
    around = [item for item in definitions if item.start_line <= first and last <= item.end_line]
    if around:
        return around[-1].qualified
    inside = next((item for item in definitions if first <= item.start_line <= last), None)
    return inside.qualified if inside is not None and block.added else ""


def _hunk(path: str, symbol: str, blocks: list[Block], old: Sequence[str], new: Sequence[str]) -> Hunk:
    first, last = blocks[0].new_start, blocks[-1].new_end
    shown = list(mark_lines(blocks, old, new))
    start = min(first + 1, len(new))
    return Hunk(
        path=path,
        symbol=symbol,
        start_line=start,
        end_line=max(last, start),
        added=sum(block.added for block in blocks),
        removed=sum(block.removed for block in blocks),
        text=cut_diff(shown, len(shown), MAX_HUNK_LINES),
    )


def cut_diff(lines: Sequence[str], total: int, longest: int) -> str:
    """The first of ``total`` lines, and how many more there are."""
    more = [f"… {total - longest} more lines"] if total > longest else []
    return "\n".join([*lines[:longest], *more])


def mark_lines(blocks: Sequence[Block], old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """The lines of a diff with their marks, and two around them; what lies between ``blocks`` is shown as well."""
    done = max(blocks[0].new_start - CONTEXT_LINES, 0)
    for old_start, old_end, new_start, new_end in blocks:
        yield from _mark(" ", new[done:new_start])
        yield from _mark("-", old[old_start:old_end])
        yield from _mark("+", new[new_start:new_end])
        done = new_end
    yield from _mark(" ", new[done : done + CONTEXT_LINES])


def _mark(sign: str, lines: Sequence[str]) -> Iterator[str]:
    # Line by line, as the signs of a diff may be part of encoded data.
    return (f"{sign}{leave_out_encoded(line)}" for line in lines)
