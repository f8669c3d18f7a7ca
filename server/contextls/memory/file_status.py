"""Tells whether prompts can draw on one file and, if not, why: by rules, disk and index at the moment of asking."""

from __future__ import annotations

import os
import stat as stat_module
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.memory.index.updating.file_states import NOISE, PARSE_FAILURES, differs, stat_of
from contextls.memory.index.updating.obstacles import Obstacle, describe_obstacles, find_obstacles
from contextls.memory.memories import Memories
from contextls.memory.working_set.memory import WorkingSet
from contextls.model import FileStatus
from contextls.store.index_rows import FileRecord
from contextls.workspace.read import Unreadable, read_source
from contextls.workspace.roots import relative
from contextls.workspace.stamps import NEVER, find_denial

_NEXT = "the next update of the index"
_BY_CONTENT = {
    "binary": "left out as binary: prompts hold only text",
    "generated": "left out as generated, which a comment at its head says; to let it in, turn on the setting "
    "`includeNoise`",
    "minified": "left out as minified; to let it in, turn on the setting `includeNoise`",
    "missing": "there is no such file on disk",
}


class _Verdict(Struct, frozen=True):
    """The verdict of a full run on a file: ``reason`` leaves it out; ``in_step``: the index holds just that already."""

    reason: str | None
    words: str = ""
    in_step: bool = False


def file_status(memories: Memories, path: Path) -> FileStatus:
    """The status of the file at this absolute path in memory; links are not followed, and nothing is remembered.

    A file is read only where the rules accept it and its size and time do not tell whether the index has its content.
    Raises ``InvalidRequestError`` (field ``path``) for what is outside of the workspace, and for a folder.
    """
    inside = _inside(memories.root, path)
    if inside is None:
        raise InvalidRequestError("path", f"a file inside {memories.root}", str(path))
    if _is_folder(memories.root / inside):
        raise InvalidRequestError("path", "a file; this is a folder", str(path))
    snapshot = memories.current()
    chunks = len(snapshot.view.chunks_of(inside))
    state, reason, sentence = _tell_state(memories, inside, chunks, held=inside in snapshot.outlines)
    if state == "indexed":
        sentence = "; ".join((sentence, *_limits(memories, inside)))
    return FileStatus(_text(inside), state, reason, _line(sentence), chunks)


def _tell_state(memories: Memories, path: str, chunks: int, *, held: bool) -> tuple[str, str | None, str]:
    """The state of a file whose ``chunks`` the index has where it is ``held``: a word, a reason, a sentence."""
    in_way = find_obstacles(memories.root, memories.content.rules, path, memories.settings.max_file_bytes)
    verdict = _verdict(memories, path, in_way)
    reason = verdict.reason
    if reason and not held:
        return "leftOut", reason, verdict.words
    if memories.working_set.exclusions().hides(path):
        return "excluded", "excluded", _explain_exclusion(memories.working_set, path)
    if path in memories.content.memory.unsaved() and (not in_way or reason == "size"):
        return "indexed", None, _explain_open(chunks, verdict)
    if reason:
        return "waiting", reason, f"still in the index, but {verdict.words}; {_NEXT} takes it out"
    if held and verdict.in_step:
        return "indexed", None, _count_chunks(chunks)
    return "waiting", None, _waiting(held=held)


def _limits(memories: Memories, path: str) -> Iterator[str]:
    """The reasons why some questions do not see an indexed file, or a part of it."""
    if symbols := memories.working_set.exclusions().symbols.get(path):
        yield f"excluded in it: {', '.join(f'`{name}`' for name in sorted(symbols))}"
    if path in memories.content.too_long():
        yield "as it is on disk, as its unsaved text is longer than the setting `maxFileBytes` allows"
    scope = memories.scope.current()
    if not scope.holds(path):
        yield f"outside of the scope ({scope.describe()}), so that questions find it only where they point at it"


def explain_absence(memories: Memories, path: str) -> str | None:
    """One line that names the file at ``path`` (relative to the root) and why it enters no prompt; None where it may."""
    if _is_folder(memories.root / path):
        return f"{_printable(path)}: a folder; only a file can be the one in front of the user"
    found = file_status(memories, memories.root / path)
    if found.state == "indexed":
        return None
    return f"{found.path}: {found.sentence[:1].lower()}{found.sentence[1:]}"


def _verdict(memories: Memories, path: str, in_way: tuple[Obstacle, ...]) -> _Verdict:
    """As the indexer decides, in its order, without parsing anything."""
    if in_way:
        return _Verdict(in_way[0].reason, describe_obstacles(in_way))
    stat = stat_of(memories.root, path)
    if stat is None:
        return _by_content(find_denial(memories.root / path) or "missing")
    record = memories.content.store.record(path)
    if record is not None and record.skipped in NOISE and memories.settings.include_noise:
        return _by_content("")
    if record is not None and not differs(stat, record):
        return _by_content(record.skipped, in_step=True)
    source = read_source(memories.root / path, within=memories.root)
    if isinstance(source, Unreadable):
        return _by_content(source.reason)
    if record is not None and (source.digest == record.digest or _failed_before(record, stat.size)):
        return _by_content(record.skipped, in_step=True)
    return _by_content(source.noise if source.noise and not memories.settings.include_noise else "")


def _failed_before(record: FileRecord, size: int) -> bool:
    """Whether the parser failed on a file so young that its stamp tells nothing; such a file has no digest."""
    return record.skipped in PARSE_FAILURES and (record.stamp.size, record.stamp.modified) == (size, NEVER)


def _by_content(reason: str, *, in_step: bool = False) -> _Verdict:
    if not reason:
        return _Verdict(None, in_step=in_step)
    if reason in PARSE_FAILURES:
        return _Verdict(reason, f"left out as the parser could not cope with it ({reason})", in_step)
    unreadable = f"left out as it cannot be read ({reason}); to let it in, give permission to read it"
    return _Verdict(reason, _BY_CONTENT.get(reason, unreadable), in_step)


def _inside(root: Path, path: Path) -> str | None:
    """The path below the root as it is written, so that a link is itself and not what it leads to."""
    path = Path(os.path.normpath(path))
    try:
        top = root if path.is_relative_to(root) else _alias(root, path)
    except (OSError, RuntimeError, ValueError):
        return None
    if top is None:
        return relative(root, path)
    below = path.relative_to(top).as_posix()
    return None if below == "." else below


def _alias(root: Path, path: Path) -> Path | None:
    """The folder above ``path`` that is the root under another name."""
    return next((parent for parent in reversed((path, *path.parents)) if parent.resolve() == root), None)


def _is_folder(path: Path) -> bool:
    try:
        return stat_module.S_ISDIR(path.lstat().st_mode)
    except (OSError, ValueError):
        return False


def _count_chunks(chunks: int) -> str:
    if chunks == 0:
        return "indexed, but there is nothing in it to show"
    return f"indexed: {chunks:,} {'chunk' if chunks == 1 else 'chunks'}"


def _explain_open(chunks: int, verdict: _Verdict) -> str:
    if verdict.reason is None:
        return _count_chunks(chunks)
    return f"{_count_chunks(chunks)}, while it is open in an editor; apart from that, {verdict.words}"


def _waiting(*, held: bool) -> str:
    if held:
        return f"changed on disk since it was indexed; {_NEXT} brings that in"
    return f"not indexed yet; {_NEXT} brings it in"


def _explain_exclusion(working_set: WorkingSet, path: str) -> str:
    parts = path.split("/")
    above = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
    named: dict[str, list[str]] = {}
    for place in above:
        if (file := working_set.excluding_file(place)) is not None:
            named.setdefault(file, []).append(f"`{place}{'' if place == path else '/'}`")
    lists = [
        f"take {' and '.join(places)} off the list `exclude` in {file}" for file, places in named.items()
    ]
    return f"excluded from every prompt; to bring it back, {' and '.join(lists)}"


def _text(path: str) -> str:
    """A path that any client can read: what is not valid UTF-8 is replaced."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _line(sentence: str) -> str:
    """One line that begins as sentences do; what cannot be shown in it is replaced."""
    shown = _printable(sentence)
    return shown[:1].upper() + shown[1:]


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "�" for char in _text(text))
