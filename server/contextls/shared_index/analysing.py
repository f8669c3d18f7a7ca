"""Analyses files into rows, in worker processes that a parser may crash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from contextls.code.pool import TaskFailure, WorkerPool
from contextls.memory.index.segments.analysis import Analysis, AnalysisTask, Skipped, analyse
from contextls.models.embedders.base import Embedder
from contextls.shared_index.file_rows import FileRows, rows_of
from contextls.shared_index.files_to_share import FileToShare

# The chunks of one commit: few enough to hold in memory, enough that the table has few files.
CHUNKS_PER_COMMIT = 20_000


def analyse_rows(
    root: str, files: Sequence[FileToShare], pool: WorkerPool, embedder: Embedder
) -> Iterator[FileRows]:
    """The rows of ``files``, whose contents lie below ``root``, some thousand chunks at a time.

    A file that is no longer what it was is left out.
    """
    results: list[Analysis | Skipped] = []
    contents: list[str] = []
    chunks = 0
    tasks = [AnalysisTask(root, file.path, size=file.size, embedder=embedder.identity) for file in files]
    for file, task, result in zip(
        files, tasks, pool.map_together(analyse, tasks, weigh=lambda each: each.size), strict=True
    ):
        value = _analyse_as_text(pool, task) if isinstance(result, TaskFailure) else result.value
        if not isinstance(value, Analysis | Skipped) or value.digest not in ("", file.digest):
            continue
        results.append(value)
        contents.append(file.digest)
        chunks += len(value.chunks) if isinstance(value, Analysis) else 0
        if chunks >= CHUNKS_PER_COMMIT:
            yield rows_of(results, contents, embedder)
            results, contents, chunks = [], [], 0
    if results:
        yield rows_of(results, contents, embedder)


def _analyse_as_text(pool: WorkerPool, task: AnalysisTask) -> object:
    """A file that cannot be parsed is still worth being found by its words."""
    (second,) = pool.map_together(analyse, [replace(task, plain=True)])
    return None if isinstance(second, TaskFailure) else second.value
