"""Takes files from a shared index instead of parsing them: those whose content is the one that was built."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from contextls.errors import ContextlsError, StoreError
from contextls.memory.index.segments.analysis import Analysis, Skipped, text_to_index
from contextls.memory.index.segments.outlines import is_readable
from contextls.memory.vcs.clean_files import has_hash, index_time, is_clean
from contextls.shared_index.commits import find_nearest
from contextls.shared_index.file_rows import FileRows, checksums
from contextls.shared_index.file_table import FileTable, slices
from contextls.shared_index.layout import Layout
from contextls.shared_index.manifest import CommitFile, CommitManifest
from contextls.shared_index.objects import Objects
from contextls.shared_index.place import IndexLocation
from contextls.text.redact import redact
from contextls.workspace.git_tree import index_entries
from contextls.workspace.read import Unreadable, digest, read_source
from contextls.workspace.reflog import git_folder
from contextls.workspace.regular_file import SOURCE_BYTES, read_bytes
from contextls.workspace.scan import FileStat

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

# Files per request for rows: with their chunks and vectors some five megabytes.
FILES_PER_SLICE = 256
SLICES_AHEAD = 4


class SharedIndex:
    """A shared index as one workspace sees it. Reading is all that it does."""

    def __init__(self, root: Path, place: IndexLocation, embedder: str, key: Ed25519PublicKey | None) -> None:
        """Cheap: connects to nothing. ``embedder`` is the identity of the workspace's own, ``key`` signs manifests."""
        self._root = root
        self._place = place
        self._key = key
        self._layout = Layout.of(embedder)
        self._problem = ""

    @property
    def problem(self) -> str:
        """See ``KnownFilesSource``."""
        return self._problem

    def find(
        self, files: Sequence[FileStat], cancel: threading.Event
    ) -> Iterator[Sequence[Analysis | Skipped]]:
        """See ``KnownFilesSource``."""
        self._problem = ""
        try:
            yield from self._find(files, cancel)
        except ContextlsError as error:
            self._problem = f"the shared index was left alone: {error}; files are analysed here instead"

    def _find(
        self, files: Sequence[FileStat], cancel: threading.Event
    ) -> Iterator[Sequence[Analysis | Skipped]]:
        if git_folder(self._root) is None:  # nothing that could be shared, and nothing to warn of
            return
        manifest = find_nearest(self._root, Objects(self._place), self._layout, self._key)
        if manifest is None:
            raise StoreError(f"{self._place} holds none of the newest commits, as built by this version")
        wanted = _matching(self._root, manifest, files)
        table = FileTable(self._place, self._layout)
        keys = np.array([entry.key for entry in wanted.values()], np.int64)
        damaged = 0
        for rows in _fetch(table, table.locate(keys), cancel):
            fits = _fitting(rows, self._root, wanted)
            damaged += fits.count(False)
            yield [result for result, fit in zip(rows.results(), fits, strict=True) if fit]
        if damaged:
            self._problem = (
                f"{damaged:,} files of the shared index at {self._place} are not what its manifest says; "
                "they are analysed here instead"
            )


def _matching(root: Path, manifest: CommitManifest, files: Sequence[FileStat]) -> dict[str, CommitFile]:
    """The entries of those of ``files`` whose content is the one that was built. Most are known without being read."""
    taken = index_time(root)
    entries = index_entries(root) or {}
    found = {}
    for file in files:
        entry = manifest.by_path.get(file.path)
        if entry is None or entry.size != file.size:
            continue
        known = entries.get(file.path)
        if known is not None and is_clean(known, file.stamp, taken):
            matches = known.blob == entry.blob
        else:
            matches = _digest_at(root, file.path) == entry.digest
        if matches:
            found[file.path] = entry
    return found


def _digest_at(root: Path, path: str) -> str:
    try:
        return digest(read_bytes(root / path, SOURCE_BYTES, within=root))
    except OSError:
        return ""


def _fetch(
    table: FileTable, rows: np.ndarray[tuple[int], np.dtype[np.uint64]], cancel: threading.Event
) -> Iterator[FileRows]:
    """The rows, slice by slice; a few slices are on their way at a time."""
    waiting: deque[Future[FileRows]] = deque()
    with ThreadPoolExecutor(SLICES_AHEAD, thread_name_prefix="contextls-shared") as threads:
        try:
            for part in slices(rows, FILES_PER_SLICE):
                if cancel.is_set():
                    return
                waiting.append(threads.submit(table.take, part))
                if len(waiting) >= SLICES_AHEAD:
                    yield waiting.popleft().result()
            while waiting and not cancel.is_set():
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _fitting(rows: FileRows, root: Path, wanted: Mapping[str, CommitFile]) -> list[bool]:
    """Which rows are what the manifest says, hold the text of the workspace's own file, and no secret."""
    fits = []
    for at, (path, found) in enumerate(zip(rows.paths, checksums(rows), strict=True)):
        entry = wanted.get(path)
        fits.append(entry is not None and entry.checksum == found and _is_trustworthy(rows, at, root, entry))
    return fits


def _is_trustworthy(rows: FileRows, at: int, root: Path, entry: CommitFile) -> bool:
    """A writer of the bucket must not decide what a model reads: a text counts that is the workspace's own."""
    text = rows.text(at)
    if rows.skipped[at]:
        return not text
    if not _is_sensible(rows, at):
        return False
    if not has_hash(text.encode(), entry.blob):
        # A secret was taken out, or git keeps other bytes than the disk.
        source = read_source(root / entry.path, within=root)
        if isinstance(source, Unreadable) or text_to_index(source.text) != text:
            return False
    return redact(text).text == text


def _is_sensible(rows: FileRows, at: int) -> bool:
    """Whether the outline can be read and the lines of the chunks are lines."""
    if not is_readable(rows.outlines[at]):
        return False
    inside = slice(rows.starts[at], rows.starts[at + 1])
    first, last = rows.chunks.start_lines[inside], rows.chunks.end_lines[inside]
    return bool((first >= 1).all() and (first <= last).all())
