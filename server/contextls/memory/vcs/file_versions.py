"""A file before and after a change, and what the change does to it other than to its lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from contextls.memory.vcs.clean_files import MAX_BYTES, text_of
from contextls.workspace.git_tree import REGULAR, EntryKind, TreeEntry, read_contents

BINARY, NOT_SHOWN = "binary", "not shown"
_SHORT_HASH = 7


class FileVersion(Struct, frozen=True):
    """A file, link or submodule at one moment.

    ``text`` is what a file says, what a link points to, the commit of a submodule; where it is left out, ``unread`` says
    why. ``blob`` is the hash of the content, as far as it is known. A submodule is ``edited`` where its own files have
    uncommitted changes.
    """

    kind: EntryKind = EntryKind.FILE
    text: str = ""
    unread: str = ""
    blob: str = ""
    edited: bool = False

    def is_kept_as(self, entry: TreeEntry | None) -> bool:
        """Whether it is what git keeps as ``entry``."""
        return entry == TreeEntry(self.kind, self.blob) and not self.edited

    @property
    def lines(self) -> str:
        """The text whose lines are compared."""
        return "" if self.kind is EntryKind.SUBMODULE else self.text

    @property
    def identity(self) -> str:
        """A value that a file keeps when it is renamed; empty where it has none."""
        if self.kind not in REGULAR:
            return ""
        return self.blob if self.unread else self.text

    def hide(self, why: str) -> FileVersion:
        """The same without the text of a file that is only named; ``why`` says so where it could be read."""
        return replace(self, text="", unread=self.unread or why) if self.kind in REGULAR else self


def read_versions(
    root: Path, entries: Iterable[TreeEntry], most_bytes: int = MAX_BYTES
) -> Mapping[TreeEntry | None, FileVersion]:
    """The versions that git keeps as ``entries``; one that is too large or missing has no text."""
    wanted = set(entries)
    files = {entry.blob for entry in wanted if entry.kind is not EntryKind.SUBMODULE}
    blobs = read_contents(root, files, most_bytes)
    return {entry: _version_of(entry, blobs.get(entry.blob)) for entry in wanted}


def _version_of(entry: TreeEntry, raw: bytes | None) -> FileVersion:
    if entry.kind is EntryKind.SUBMODULE:
        return FileVersion(entry.kind, entry.blob, blob=entry.blob)
    text = text_of(raw)
    if text is None:
        return FileVersion(entry.kind, unread=NOT_SHOWN if raw is None else BINARY, blob=entry.blob)
    return FileVersion(entry.kind, text, blob=entry.blob)


def describe_beside_lines(before: FileVersion | None, after: FileVersion | None) -> str:
    """The changes of a file other than to its lines, in a few words: "added (binary)", "now executable"; "" for none."""
    kinds = {each.kind for each in (before, after) if each is not None}
    if EntryKind.SUBMODULE in kinds:
        return _describe_submodule(before, after)
    return ", ".join(filter(None, (_describe_content(before, after), *_describe_kind(before, after))))


def _describe_content(before: FileVersion | None, after: FileVersion | None) -> str:
    """The change of a file that has no lines to show."""
    what = next((each.unread for each in (after, before) if each is not None and each.unread), "")
    if before is not None and after is not None:
        changed = before.blob != after.blob and {before.kind, after.kind} <= REGULAR
        return f"changed ({what})" if what and changed else ""
    only = after or before
    if only is not None and not what and not only.text:
        what = "empty"
    verb = "added" if before is None else "deleted"
    return f"{verb} ({what})" if what else ""


def _describe_kind(before: FileVersion | None, after: FileVersion | None) -> Iterator[str]:
    was, now = before and before.kind, after and after.kind
    link = EntryKind.LINK
    if link in (was, now):
        yield "no longer a link" if now in REGULAR else "now a link" if was in REGULAR else "a link"
    elif was is not None and now is not None and was is not now:
        yield "now executable" if now is EntryKind.EXECUTABLE else "no longer executable"


def _describe_submodule(before: FileVersion | None, after: FileVersion | None) -> str:
    if after is None:
        return "submodule deleted"
    if after.kind is not EntryKind.SUBMODULE:
        return "no longer a submodule"
    commit = after.text[:_SHORT_HASH]
    if before is None:
        said = f"submodule added at {commit}"
    elif before.kind is not EntryKind.SUBMODULE:
        said = f"now a submodule at {commit}"
    elif before.text != after.text:
        said = f"submodule now at {commit}"
    else:
        return "submodule with uncommitted changes"
    return f"{said}, with uncommitted changes" if after.edited else said
