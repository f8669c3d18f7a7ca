"""Which files of the disk differ from what the index knows of them."""

from __future__ import annotations

import stat as stat_module
import time
from collections.abc import Iterable
from pathlib import Path

from contextls.memory.index.analysis import Analysis, Skipped, Unchanged
from contextls.store.index_database import FileRecord
from contextls.workspace.roots import relative
from contextls.workspace.scan import FileStat
from contextls.workspace.stamps import Stamp, stamp_at

# What the worker pool says of a file that was too much for the parser; trying again would end the same way.
PARSE_FAILURES = frozenset({"timeout", "crash", "error"})
# What makes a file stay out by its text alone, unless the settings ask for it.
NOISE = frozenset({"generated", "minified"})


def is_known(result: Analysis | Skipped | Unchanged, record: FileRecord) -> bool:
    """Whether an analysis found just what the index holds already."""
    if isinstance(result, Skipped):
        return (result.reason, result.digest) == (record.skipped, record.digest)
    return isinstance(result, Unchanged)


def is_stored(result: Analysis | Skipped, stamp: Stamp, record: FileRecord | None) -> bool:
    """Whether the index holds this very analysis, of the file as it was at ``stamp``: another process stored it."""
    if record is None or (record.stamp.changed, record.stamp.size) != (stamp.changed, stamp.size):
        return False
    reason = result.reason if isinstance(result, Skipped) else ""
    return (reason, result.digest) == (record.skipped, record.digest)


def differs(stat: FileStat, record: FileRecord | None) -> bool:
    """Whether a file has to be read: it is new, its stamp differs, or it could not be read before."""
    if record is None or record.stamp != stat.stamp:
        return True
    # Whether a file may be read can depend on more than its stamp: on its folder, or on a lock.
    return bool(record.skipped) and not record.digest and record.skipped not in PARSE_FAILURES


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
