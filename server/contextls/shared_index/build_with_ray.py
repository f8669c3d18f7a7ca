"""The engine that builds over a Ray cluster: Ray Data moves and retries the work, lance-ray writes the rows.

Files travel as blocks of the dataset, so that the machines of a cluster need no folder in common; what they need is this
package, and credentials for the bucket.
"""

from __future__ import annotations

import logging
import os
import tempfile
import warnings
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contextls.code.pool import WorkerPool
from contextls.errors import StoreError
from contextls.models.embedders.choose import open_embedder
from contextls.shared_index.analysing import analyse_rows
from contextls.shared_index.file_rows import schema, to_arrow
from contextls.shared_index.files_to_share import FileToShare
from contextls.shared_index.objects import guard, storage_options
from contextls.store.times import now_ms
from contextls.workspace.regular_file import SOURCE_BYTES, read_bytes
from contextls.workspace.whole_file import replace_file

if TYPE_CHECKING:
    from contextls.models.embedders.base import Embedder
    from contextls.settings import Settings
    from contextls.shared_index.build import Task

# A block is the unit of Ray's work: some seconds of parsing, and little enough to be sent again.
BLOCK_BYTES = 4_000_000
FILES_PER_BATCH = 256
FILES_PER_FRAGMENT = 2_048


def build_with_ray(task: Task) -> None:
    """Analyse on the cluster that ``RAY_ADDRESS`` names, else on one that lives as long as this build."""
    # One that is started here would report its use to its makers.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import lance_ray
        import ray
        import ray.data
    except ImportError as error:
        raise StoreError(
            f"the engine ray needs packages that are not installed ({error.name}): pip install 'contextls[ray]'"
        ) from None
    ours = not ray.is_initialized()
    if ours:
        _start(ray)
    try:
        blocks: Any = [ray.put(block) for block in _blocks(task)]
        rows = ray.data.from_arrow_refs(blocks).map_batches(
            partial(make_rows, settings=task.settings), batch_size=FILES_PER_BATCH, batch_format="pyarrow"
        )
        guard(
            f"cannot build the shared index at {task.table.place} over Ray",
            lambda: lance_ray.write_lance(
                rows,
                task.table.address,
                schema=schema(),
                mode="append",
                min_rows_per_file=FILES_PER_FRAGMENT,
                storage_options=storage_options(task.table.place, builds=True),
            ),
        )
    finally:
        if ours:
            ray.shutdown()


def make_rows(batch: Any, settings: Settings) -> Iterator[Any]:  # noqa: ANN401 - Arrow tables in and out
    """The rows of a batch of files, in a process of Ray's."""
    pool, embedder = _tools(settings)
    with tempfile.TemporaryDirectory(prefix="contextls-ray-") as folder:
        files = []
        for file in batch.to_pylist():
            place = Path(folder, file["path"])
            place.parent.mkdir(parents=True, exist_ok=True)
            replace_file(place, [file.pop("content")], sync=False)
            files.append(FileToShare(**file))
        for rows in analyse_rows(folder, files, pool, embedder):
            yield to_arrow(rows, now_ms())


@cache
def _tools(settings: Settings) -> tuple[WorkerPool, Embedder]:
    """What one process of Ray's keeps from batch to batch. A parser runs in a process of its own even there."""
    return WorkerPool(1, settings.parse_timeout_seconds), open_embedder(settings)


def _start(ray: Any) -> None:  # noqa: ANN401 - the module
    with warnings.catch_warnings():
        # These warn of processes that Ray forks while LanceDB is loaded; they become other programs at once.
        warnings.filterwarnings("ignore", message=".*fork")
        ray.init(log_to_driver=False, logging_level=logging.ERROR)
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.WARNING)


def _blocks(task: Task) -> Iterator[Any]:
    """The files with their contents, in Arrow tables of a few megabytes; one that changed meanwhile is left out later."""
    import pyarrow as pa

    files: list[dict[str, object]] = []
    held = 0
    for file in task.files:
        try:
            content = read_bytes(task.root / file.path, SOURCE_BYTES, within=task.root)
        except OSError:
            continue
        files.append(
            {
                "path": file.path,
                "blob": file.blob,
                "digest": file.digest,
                "size": file.size,
                "content": content,
            }
        )
        held += len(content)
        if held >= BLOCK_BYTES:
            yield pa.Table.from_pylist(files)
            files, held = [], 0
    if files:
        yield pa.Table.from_pylist(files)
