"""Finds chunks by the paths of files and by the names that source defines, whatever a question says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from contextls.memory.index.priors import FileKind
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.symbols import Located
from contextls.memory.index.snapshot.view import ChunkRef, IndexView


def sort_by_folders(paths: Iterable[str]) -> list[str]:
    """``paths``, those in the fewest folders first."""
    return sorted(paths, key=lambda path: (path.count("/"), path))


def chunks_of_files(names: re.Pattern[str], view: IndexView) -> Iterator[ChunkRef]:
    """The chunks of the files whose paths hold one of ``names``, those in the fewest folders first."""
    for path in sort_by_folders(filter(names.search, view.paths)):
        yield from view.chunks_of(path)


def first_chunks(paths: Iterable[str], view: IndexView) -> list[ChunkRef]:
    """The first chunk of each file; an empty one has none."""
    return [ref for path in paths for ref in view.chunks_of(path)[:1]]


def source_defining(names: Iterable[str], snapshot: Snapshot) -> Iterator[tuple[Located, ChunkRef]]:
    """The definitions of ``names`` in source, case ignored, each with the chunk where it begins."""
    view = snapshot.view
    for name in names:
        for item in snapshot.symbols.find_named(name):
            ref = view.chunk_at(item.path, item.definition.start_line)
            if ref is not None and view.file_kind(ref) is FileKind.SOURCE:
                yield item, ref
