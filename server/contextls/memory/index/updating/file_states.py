"""Finds the files of the disk that differ from what the index knows of them."""

from __future__ import annotations

import stat as stat_module
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from contextls.memory.index.segments.analysis import Analysis, Result, Skipped, Unchanged
from contextls.store.index_rows import FileRecord
from contextls.workspace.roots import relative
from contextls.workspace.scan import FileStat
from contextls.workspace.stamps import Stamp, stamp_at

# What the worker pool says of a file that was too much for the parser; trying again would end the same way.
PARSE_FAILURES = frozenset({"timeout", "crash", "error"})
# What a file's content decides once and for all, although no digest is kept of it.
DECIDED = PARSE_FAILURES | {"binary"}
# What makes a file stay out by its text alone, unless the settings ask for it.
NOISE = frozenset({"generated", "minified"})


class Differences(Struct, frozen=True):
    """The files that are ``known``, those of them that have ``changed``, and the paths that were ``removed``."""

    known: dict[str, FileRecord]
    changed: list[FileStat]
    removed: list[str]


def compare(
    files: Sequence[FileStat],
    records: Mapping[str, FileRecord],
    include_noise: bool,
    *,
    holds_noise: bool,
) -> Differences:
    """Compare all ``files`` of the disk with the ``records`` of the index, which ``holds_noise`` if it was asked to."""
    removed = sorted(records.keys() - {stat.path for stat in files})
    known = dict(records)
    if include_noise:
        # As if nothing were known of what was left out as noise before.
        known = {path: record for path, record in known.items() if record.skipped not in NOISE}
    look_again = not include_noise and holds_noise
    changed = [stat for stat in files if look_again or differs(stat, known.get(stat.path))]
    return Differences(known, changed, removed)


def is_known(result: Result, record: FileRecord) -> bool:
    """Whether an analysis found just what the index holds already."""
    if isinstance(result, Skipped):
        return (result.reason, result.digest) == (record.skipped, record.digest)
    return isinstance(result, Unchanged)


def is_stored(result: Analysis | Skipped, stamp: Stamp, record: FileRecord | None) -> bool:
    """Whether the index holds this very analysis, of the file as it was at ``stamp``: another process stored it."""
    if record is None or not is_of_same_time(record.stamp, stamp):
        return False
    reason = result.reason if isinstance(result, Skipped) else ""
    return (reason, result.digest) == (record.skipped, record.digest)


def is_of_same_time(first: Stamp, second: Stamp) -> bool:
    """Whether two stamps of a file are of the same moment and size."""
    return (first.changed, first.size) == (second.changed, second.size)


def differs(stat: FileStat, record: FileRecord | None) -> bool:
    """Whether a file has to be read: it is new, its stamp differs, or it could not be read before."""
    if record is None or record.stamp != stat.stamp:
        return True
    # Whether a file may be read can depend on more than its stamp: on its folder, or on a lock.
    return bool(record.skipped) and not record.digest and record.skipped not in DECIDED


def stamps_of(stats: Iterable[FileStat], seen_ns: int | None = None) -> dict[str, Stamp]:
    """Stamps to remember. One that another write within the same tick would not change is not trusted."""
    seen = time.time_ns() if seen_ns is None else seen_ns
    return {stat.path: stat.stamp.distrust_recent(seen) for stat in stats}


def stat_of(root: Path, path: str) -> FileStat | None:
    """The file at ``path``; ``None`` when there is none or a link leads to it, perhaps from outside the root."""
    if relative(root, path) != path:
        return None
    stamp = stamp_at(root / path)
    return FileStat(path, stamp) if stamp is not None and stat_module.S_ISREG(stamp.mode) else None
