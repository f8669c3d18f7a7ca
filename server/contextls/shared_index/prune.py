"""Take old commits out of a shared index, and then what no commit holds any more, while readers and builds go on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import numpy as np

from contextls.model import SharedPruning
from contextls.shared_index import arrow_columns as columns
from contextls.shared_index.file_table import RETENTION, FileTable
from contextls.shared_index.layout import Layout, layouts
from contextls.shared_index.manifest import loads
from contextls.shared_index.objects import ListedObject, Objects
from contextls.shared_index.place import IndexLocation
from contextls.shared_index.signature import check
from contextls.store.times import now_ms


def prune(
    place: IndexLocation, keep: timedelta, keep_commits: int, retention: timedelta = RETENTION
) -> SharedPruning:
    """Keep the commits built within ``keep``, and in each layout the newest ``keep_commits``. Raises ``StoreError``.

    Manifests go first, so that no commit is offered whose rows are gone. Rows that no manifest names stay for
    ``retention``, as a build that is going on may have written them; so do versions of the table, for its readers. What
    is pruned under a client all the same is analysed there.
    """
    objects = Objects(place, builds=True)
    total = SharedPruning(0, 0, 0, 0)
    for layout in layouts(objects):
        one = _prune_layout(place, layout, objects, keep, keep_commits, retention)
        total = SharedPruning(
            total.commits_removed + one.commits_removed,
            total.commits_kept + one.commits_kept,
            total.files_removed + one.files_removed,
            total.files_kept + one.files_kept,
        )
    return total


def _prune_layout(
    place: IndexLocation,
    layout: Layout,
    objects: Objects,
    keep: timedelta,
    keep_commits: int,
    retention: timedelta,
) -> SharedPruning:
    kept, old = _sort(list(objects.list_below(layout.commits)), keep, keep_commits)
    objects.delete(each.name for each in old)
    table = FileTable(place, layout, builds=True)
    if not table.exists():
        return SharedPruning(len(old), len(kept), 0, 0)
    rows = table.column(("key", "written"))
    keys = columns.to_numbers(rows.column("key").combine_chunks(), np.int64)
    written = columns.to_numbers(rows.column("written").combine_chunks(), np.int64)
    # Listed again after the rows were read: a build that finished in between named rows that are among them.
    named = _keys_of(objects, list(objects.list_below(layout.commits)))
    doomed = ~np.isin(keys, named) & (written < now_ms() - retention.total_seconds() * 1000)
    # A row that two builds wrote at once has a twin of the same key; both stay or both go.
    gone = np.unique(keys[doomed])
    gone = gone[~np.isin(gone, keys[~doomed])]
    table.delete(gone)
    table.compact(retention)
    removed = int(np.isin(keys, gone).sum())
    return SharedPruning(len(old), len(kept), removed, len(keys) - removed)


def _sort(
    found: list[ListedObject], keep: timedelta, keep_commits: int
) -> tuple[list[ListedObject], list[ListedObject]]:
    """The manifests to keep, and those to delete."""
    since = now_ms() - keep.total_seconds() * 1000
    # Buckets tell time in seconds: of those built in the same one none counts as older.
    newest = sorted((each.written for each in found), reverse=True)[:keep_commits]
    since = min([since, *newest])
    return [each for each in found if each.written >= since], [each for each in found if each.written < since]


def _keys_of(
    objects: Objects, manifests: Sequence[ListedObject]
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The keys of all rows that these manifests name."""
    named = np.zeros(0, np.int64)
    for each in manifests:
        if (raw := objects.read(each.name)) is not None:
            keys = np.fromiter((entry.key for entry in loads(check(raw, None)).entries), np.int64)
            named = np.union1d(named, keys)
    return named
