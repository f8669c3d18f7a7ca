"""Hands files to the worker processes, and gives up on none that can be read."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from contextls.code.pool import TaskFailure, WorkerPool
from contextls.memory.index.segments.analysis import Analysis, AnalysisTask, Result, Skipped, analyse
from contextls.memory.index.updating.file_states import stat_of
from contextls.memory.index.updating.indexing_options import IndexingOptions
from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.scan import FileStat
from contextls.workspace.size_limit import is_too_large


class FileAnalyser:
    """Analyses the files and unsaved texts of one workspace. Safe to use from several threads."""

    def __init__(self, root: Path, pool: WorkerPool, options: IndexingOptions) -> None:
        """The pool is shared and closed by its maker."""
        self._root = root
        self._pool = pool
        self._options = options
        self.analyzed = 0  # files of the disk, by this process

    def start_soon(self) -> None:
        """Prepare for files that are about to come. Returns at once."""
        self._pool.start_soon()

    def end_workers(self) -> None:
        """End the worker processes for the memory that they hold, unless they are at work."""
        self._pool.end_workers()

    def sort(self, paths: Iterable[str], rules: IgnoreRules) -> tuple[list[FileStat], list[str]]:
        """The files among ``paths`` that belong to the index, and the paths of the others."""
        present, gone = [], []
        for path in sorted(set(paths)):
            stat = stat_of(self._root, path)
            if stat is None or self._is_left_out(stat, rules):
                gone.append(path)
            else:
                present.append(stat)
        return present, gone

    def _is_left_out(self, stat: FileStat, rules: IgnoreRules) -> bool:
        return (
            is_too_large(stat.path, stat.size, self._options.max_file_bytes)
            or rules.reason(stat.path) is not None
        )

    def analyse(
        self,
        stats: Iterable[FileStat],
        digests: Mapping[str, str] | None = None,
        problems: list[str] | None = None,
        stored: Callable[[], tuple[str, ...]] = tuple,
        *,
        in_place: bool = False,
    ) -> Iterator[Result]:
        """A result for each file, in their order; one whose digest is that in ``digests`` is ``Unchanged``.

        ``stored`` says which files of segments to look for its content in; only with ``in_place`` a file may be ``Kept``.
        What keeps a file from being parsed is added to ``problems``.
        """
        known = digests or {}
        tasks = (
            AnalysisTask(
                str(self._root),
                stat.path,
                None,
                known.get(stat.path, ""),
                self._options.include_noise,
                stat.size,
                embedder=self._options.embedder,
                stored=stored(),
                in_place=in_place,
                max_chars=self._options.max_file_bytes,
            )
            for stat in stats
        )
        return self._results(tasks, problems)

    def analyse_texts(self, texts: Mapping[str, str]) -> list[Analysis]:
        """The analyses of unsaved texts (path -> text)."""
        tasks = [
            AnalysisTask(str(self._root), path, text, size=len(text), embedder=self._options.embedder)
            for path, text in texts.items()
        ]
        return [result for result in self._results(tasks, None) if isinstance(result, Analysis)]

    def _results(self, tasks: Iterable[AnalysisTask], problems: list[str] | None) -> Iterator[Result]:
        at_work: deque[AnalysisTask] = deque()  # what is drawn next is told late: a question may change it

        def draw() -> Iterator[AnalysisTask]:
            for task in tasks:
                at_work.append(task)
                yield task

        for result in self._pool.map_together(analyse, draw(), weigh=lambda task: task.size):
            task = at_work.popleft()
            if not isinstance(result, TaskFailure):
                value = result.value
            else:
                if problems is not None:
                    problems.append(f"{task.path}: {result.reason}: {result.message}")
                value = self._analyse_plainly(task, result)
            if task.text is None and _is_analysed(value):
                self.analyzed += 1
            yield value

    def _analyse_plainly(self, task: AnalysisTask, failure: TaskFailure) -> Result:
        """A file that cannot be parsed is still worth being found by its words."""
        (second,) = self._pool.map_together(analyse, [replace(task, plain=True)])
        return Skipped(task.path, "", failure.reason) if isinstance(second, TaskFailure) else second.value


def _is_analysed(result: Result) -> bool:
    return isinstance(result, Skipped) or (isinstance(result, Analysis) and not result.is_copy)
