"""Makes hunks of files before and after their changes. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from contextls.code.model import Definition
from contextls.memory.vcs.file_versions import BINARY, NOT_SHOWN, FileVersion, describe_beside_lines
from contextls.memory.vcs.hunks import Hunk, find_hunks, shorten_removed
from contextls.memory.vcs.renames import pair_renames
from contextls.text.notebook import text_of_file
from contextls.text.redact import redact
from contextls.workspace.builtin_rules import has_binary_name


class FilePair(Struct, frozen=True):
    """One file before and after; None where there was or is no such file. ``came_from`` is the path that it had before."""

    path: str
    before: FileVersion | None
    after: FileVersion | None
    came_from: str = ""

    def hide(self) -> FilePair:
        """The same without its texts, for a file that is only named."""
        why = BINARY if has_binary_name(self.path) else NOT_SHOWN
        before, after = self.before, self.after
        return replace(self, before=before and before.hide(why), after=after and after.hide(why))


def join_renames(pairs: Sequence[FilePair]) -> list[FilePair]:
    """``pairs`` with a file that went and the one that came in its place as one."""
    gone = {pair.path: pair.before for pair in pairs if pair.before is not None and pair.after is None}
    came = {pair.path: pair.after for pair in pairs if pair.after is not None and pair.before is None}
    origin = pair_renames(
        {path: version.identity for path, version in gone.items()},
        {path: version.identity for path, version in came.items()},
    )
    return [
        replace(pair, before=gone[origin[pair.path]], came_from=origin[pair.path])
        if pair.path in origin
        else pair
        for pair in pairs
        if pair.path not in origin.values()
    ]


def find_pair_hunks(pair: FilePair, definitions: Sequence[Definition]) -> tuple[Hunk, ...]:
    """The changes of one file, secrets redacted; ``definitions`` are those after the change."""
    note = describe_beside_lines(pair.before, pair.after)
    hunks: tuple[Hunk, ...] = ()
    if not any(version is not None and version.unread for version in (pair.before, pair.after)):
        hunks = find_hunks(pair.path, _lines(pair, pair.before), _lines(pair, pair.after), definitions)
    if pair.after is None:
        hunks = shorten_removed(hunks)
    if pair.came_from:
        moved = f"rename from {pair.came_from}\nrename to {pair.path}"
        if not hunks:
            return (Hunk(pair.path, "", 1, 1, 0, 0, moved, pair.came_from, note=note),)
        first = replace(hunks[0], text=f"{moved}\n{hunks[0].text}", came_from=pair.came_from)
        hunks = (first, *hunks[1:])
    if not note:
        return hunks
    if not hunks:
        return (Hunk(pair.path, "", 0, 0, 0, 0, "", gone=pair.after is None, note=note),)
    return (replace(hunks[0], note=note), *hunks[1:])


def _lines(pair: FilePair, version: FileVersion | None) -> str:
    return "" if version is None else redact(text_of_file(pair.path, version.lines)).text
