"""Asks a parser about a packed file: its skeleton, its comments, the lines of a symbol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from contextls.code.pool import Result, WorkerPool
from contextls.code.skeleton import write_skeleton
from contextls.code.source import SourceText
from contextls.code.worker_tasks import bodies_in, definitions_in, text_without_comments
from contextls.packing.reading import FileText
from contextls.settings import Settings
from contextls.text.gate import clean

_CUT = "…"  # stands for lines that are excluded


class Parser:
    """Worker processes that parse what is packed; they start with the first text and end with ``close``."""

    def __init__(self, settings: Settings) -> None:
        self._pool = WorkerPool(settings.worker_count, settings.parse_timeout_seconds)

    def close(self) -> None:
        """End the processes."""
        self._pool.close()

    def hide_symbols(self, file: FileText, symbols: Iterable[str]) -> FileText | str:
        """The file without the lines of excluded ``symbols``, or why it cannot be shown."""
        (found,) = self._pool.map(definitions_in, [(file.path, str(file.text))])
        if not isinstance(found, Result):
            return "holds an excluded symbol and cannot be parsed"
        names = set(symbols)
        hidden = {
            number
            for each in found.value
            if each.qualified in names
            for number in range(each.start_line, each.end_line + 1)
        }
        kept: list[str] = []
        for number, line in enumerate(SourceText(file.text).lines, start=1):
            if number not in hidden:
                kept.append(line)
            elif number - 1 not in hidden:
                kept.append(f"{_CUT}\n")
        return FileText(file.path, clean("".join(kept)))

    def strip_comments(self, files: Sequence[FileText]) -> list[FileText]:
        """The files without comments; one that cannot be parsed keeps its own."""
        results = self._pool.map(text_without_comments, _tasks(files), _weigh)
        return [
            FileText(file.path, clean(result.value)) if isinstance(result, Result) else file
            for file, result in zip(files, results, strict=True)
        ]

    def make_skeletons(self, files: Sequence[FileText]) -> Mapping[str, FileText]:
        """The skeletons of those files that hold functions, by path; each is shorter than its file."""
        found: dict[str, FileText] = {}
        for file, result in zip(files, self._pool.map(bodies_in, _tasks(files), _weigh), strict=True):
            if isinstance(result, Result) and result.value:
                short = write_skeleton(file.path, file.text, result.value)
                if len(short) < len(file.text):
                    found[file.path] = FileText(file.path, clean(short))
        return found


def _tasks(files: Sequence[FileText]) -> list[tuple[str, str]]:
    return [(file.path, str(file.text)) for file in files]


def _weigh(task: tuple[str, str]) -> int:
    return len(task[1])
