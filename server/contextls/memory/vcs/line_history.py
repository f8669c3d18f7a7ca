"""The commits that changed some lines of a file, followed back from where those lines are now. Pure functions.

``git log -L`` does the same, but walks the whole history to find what the stored one knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from contextls.memory.vcs.hunks import CONTEXT_LINES, MAX_HUNK_LINES, cut_diff, mark_lines, split_lines
from contextls.memory.vcs.view import CommitInfo
from contextls.text.line_diff import Block, find_changed_blocks
from contextls.text.redact import redact


class Revision(Struct, frozen=True):
    """A commit and the text of one file before and after it; "" where there was none."""

    commit: CommitInfo
    before: str
    after: str


class LineChange(Struct, frozen=True):
    """A change of the lines by a commit: ``text`` is a diff of these alone, with "@@" between its parts."""

    commit: CommitInfo
    added: int
    removed: int
    text: str


def follow_lines(text: str, first: int, last: int, revisions: Iterable[Revision]) -> Iterator[LineChange]:
    """The changes of lines ``first`` to ``last`` (1-based) of ``text``, newest first, until they came; without secrets.

    ``revisions`` are those of the file, newest first; ``text`` may have changed since the newest. A ``last`` beyond the end
    means the last line.
    """
    lines = split_lines(text)
    told: set[tuple[str, str]] = set()
    start, end = first - 1, min(last, len(lines))
    for revision in revisions:
        before, after = split_lines(revision.before), split_lines(revision.after)
        start, end = _move_back(find_changed_blocks(after, lines), start, end)
        blocks = find_changed_blocks(before, after)
        if touching := _find_touching(blocks, start, end):
            shown = _show(_without_secrets(before), _without_secrets(after), start, end)
            # Picked onto another branch, a commit comes twice.
            if (revision.commit.subject, shown) not in told:
                told.add((revision.commit.subject, shown))
                added, removed = sum(each.added for each in touching), sum(each.removed for each in touching)
                yield LineChange(revision.commit, added, removed, shown)
        start, end = _move_back(blocks, start, end)
        if start >= end:
            return
        lines = before


def _find_touching(blocks: Iterable[Block], start: int, end: int) -> list[Block]:
    """The parts of ``blocks`` among the new lines from ``start`` to before ``end``."""
    return [
        block._replace(new_start=max(block.new_start, start), new_end=min(block.new_end, end))
        for block in blocks
        if (block.new_start < end and start < block.new_end) or start < block.new_start == block.new_end < end
    ]


def _move_back(blocks: Sequence[Block], start: int, end: int) -> tuple[int, int]:
    """The lines before a change that became ``start`` to before ``end``."""
    return _place_before(blocks, start, is_end=False), _place_before(blocks, end, is_end=True)


def _place_before(blocks: Sequence[Block], place: int, *, is_end: bool) -> int:
    shift = 0
    for block in blocks:
        went_behind_them = is_end and block.new_start == block.new_end == place
        if block.new_end <= place and not went_behind_them:
            shift = block.old_end - block.new_end
        elif block.new_start < place:
            return block.old_end if is_end else block.old_start
        else:
            break
    return place + shift


def _without_secrets(lines: Sequence[str]) -> list[str]:
    """The same number of lines."""
    return split_lines(redact("\n".join([*lines, ""])).text)


def _show(old: Sequence[str], new: Sequence[str], start: int, end: int) -> str:
    """The diff of the new lines from ``start`` to before ``end``."""
    groups: list[list[Block]] = []
    for block in _find_touching(find_changed_blocks(old, new), start, end):
        if groups and block.new_start - groups[-1][-1].new_end <= 2 * CONTEXT_LINES:
            groups[-1].append(block)
        else:
            groups.append([block])
    shown = [line for group in groups for line in ("@@", *mark_lines(group, old, new))][1:]
    return cut_diff(shown, len(shown), MAX_HUNK_LINES)
