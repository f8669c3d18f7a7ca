"""Analyses files for the index. Runs in a worker process; everything in and out is plain data."""

from __future__ import annotations

import functools
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec import Struct

from contextls.code.model import ParsedFile
from contextls.code.worker_tasks import parse
from contextls.memory.index.segments.calls import pack as pack_calls
from contextls.memory.index.segments.chunk_texts import ChunkTexts, PackedTexts, fingerprint
from contextls.memory.index.segments.chunk_words import ChunkText, ChunkWords, WordColumns
from contextls.memory.index.segments.keywords import without_keys
from contextls.memory.index.segments.outlines import Outline, dumps
from contextls.memory.index.segments.stored_contents import StoredContents
from contextls.models.embedders.static import IDENTITY, StaticEmbedder, static_table
from contextls.text.encoded import leave_out_encoded
from contextls.text.notebook import is_notebook, text_of_file
from contextls.text.redact import redact
from contextls.workspace.read import Unreadable, read_source

if TYPE_CHECKING:
    from numpy.typing import NDArray


class AnalysisTask(Struct, frozen=True):
    """One file to analyse. ``text`` is the unsaved editor text; ``None`` reads the file.

    A file whose digest is ``known_digest`` is not parsed again. ``size`` (bytes) tells how much work it is;
    ``plain`` cuts it into windows without parsing it. ``embedder`` is the identity of the one whose vectors are wanted:
    a worker has our own table and no other. A file that says more than ``max_chars`` stays out, as a notebook may.

    What the segments in the files ``stored`` hold of the same bytes is not parsed again either; with ``in_place`` it is
    only named where it was at the same path.
    """

    root: str
    path: str
    text: str | None = None
    known_digest: str = ""
    include_noise: bool = False
    size: int = 0
    plain: bool = False
    embedder: str = ""
    stored: tuple[str, ...] = ()
    in_place: bool = False
    max_chars: int = sys.maxsize


class ChunkColumns(Struct, frozen=True, eq=False):
    """The chunks of all files that were analysed together, column by column.

    ``sizes`` are the characters of their texts, ``fingerprints`` tell equal ones. ``words`` has their terms, and their
    vectors where the embedder that was asked for is our own table.
    """

    kinds: Sequence[str]
    start_lines: NDArray[np.int32]
    end_lines: NDArray[np.int32]
    sizes: NDArray[np.int32]
    fingerprints: NDArray[np.uint64]
    words: WordColumns


class FileChunks(Struct, frozen=True, eq=False):
    """The chunks of one file: those from ``start`` to before ``stop`` in ``columns``. Their texts are ``packed``."""

    columns: ChunkColumns
    start: int
    stop: int
    packed: PackedTexts

    def __len__(self) -> int:
        return self.stop - self.start

    def texts(self) -> ChunkTexts:
        """The texts of the chunks, unpacked."""
        texts = self.packed.unpack()
        assert texts is not None  # noqa: S101 - packed a moment ago, and never on a disk since
        return texts


class Analysis(Struct, frozen=True):
    """One file as the index keeps it. ``outline`` is what ``outlines.dumps`` wrote.

    ``is_copy`` tells that the same content was stored under another path and is not parsed again.
    """

    path: str
    digest: str
    language: str
    chunks: FileChunks
    outline: str
    problems: tuple[str, ...]
    is_copy: bool = False


class Skipped(Struct, frozen=True):
    """A file that stays out of the index; ``reason`` is one word such as ``binary`` or ``generated``."""

    path: str
    digest: str
    reason: str


class Unchanged(Struct, frozen=True):
    """A file whose content is what the index already has."""

    path: str


class Kept(Struct, frozen=True):
    """A file that has the content again which it had before: the ``number``th file of the segment in the file ``place``."""

    path: str
    digest: str
    place: str
    number: int


class _Parsed(Struct, frozen=True):
    """A file on its way: everything but what is counted of many files in one go."""

    path: str
    digest: str
    file: ParsedFile
    outline: str = ""  # of a file that was parsed before


Result: TypeAlias = "Analysis | Skipped | Unchanged | Kept"
_first_line = attrgetter("start_line")


def analyse(tasks: Sequence[AnalysisTask]) -> list[Result]:
    """Read, redact, parse and split files. Never raises for any content.

    ``tasks`` are of one workspace, and so of one embedder.
    """
    read = [_read(task) for task in tasks]
    parsed = [file for file in read if isinstance(file, _Parsed)]
    table = static_table() if tasks and tasks[0].embedder.startswith(IDENTITY) else None
    embedder = table if table is not None and table.identity == tasks[0].embedder else None
    columns = _columns([(file.path, file.file) for file in parsed], embedder)
    start = 0
    found: list[Result] = []
    for file in read:
        if isinstance(file, _Parsed):
            chunks = file.file.chunks
            stop = start + len(chunks)
            said = ChunkTexts(
                [c.symbol for c in chunks], [c.header for c in chunks], [c.text for c in chunks]
            )
            found.append(_analysis(file, FileChunks(columns, start, stop, PackedTexts.of(said))))
            start = stop
        else:
            found.append(file)
    return found


def text_to_index(text: str) -> str:
    """The text of a file as it is indexed: without its secrets, and without encoded data."""
    return leave_out_encoded(redact(text).text)


def _read(task: AnalysisTask) -> _Parsed | Skipped | Unchanged | Kept:
    digest, text = "", task.text
    if text is None:
        source = read_source(Path(task.root) / task.path, within=Path(task.root))
        if isinstance(source, Unreadable):
            return Skipped(task.path, "", source.reason)
        # First, since what is known may have been let in by another setting.
        if source.noise and not task.include_noise:
            return Skipped(task.path, source.digest, source.noise)
        if len(source.text) > task.max_chars:
            return Skipped(task.path, source.digest, "size")
        if source.digest == task.known_digest:
            return Unchanged(task.path)
        if task.stored and (known := _recall(task, source.digest)) is not None:
            return known
        digest, text = source.digest, source.text
    else:
        text = text_of_file(task.path, text)
    return _Parsed(task.path, digest, parse(task.path, text_to_index(text), plain=task.plain))


def _recall(task: AnalysisTask, digest: str) -> _Parsed | Kept | None:
    """A file whose content is stored already, under whatever path."""
    for content in _contents().find(task.stored, digest, task.path):
        file = content.read(task.path)
        if file is None:
            continue
        if task.in_place and content.path == task.path:
            return Kept(task.path, digest, content.place, content.number)
        return _Parsed(task.path, digest, file, content.outline)
    return None


def _analysis(read: _Parsed, chunks: FileChunks) -> Analysis:
    file = read.file
    if read.outline:
        return Analysis(read.path, read.digest, file.language, chunks, read.outline, (), is_copy=True)
    outline = Outline(
        read.path,
        file.language,
        file.definitions,
        tuple(sorted({reference.name for reference in file.references})),
        file.imports,
        pack_calls(file.references),
        file.bodies,
        file.doc,
    )
    return Analysis(read.path, read.digest, file.language, chunks, dumps(outline), file.problems)


def _columns(files: Sequence[tuple[str, ParsedFile]], embedder: StaticEmbedder | None) -> ChunkColumns:
    chunks = [chunk for _, file in files for chunk in file.chunks]
    texts = [text for path, file in files for text in _texts_to_count(path, file)]
    return ChunkColumns(
        kinds=[str(chunk.kind) for chunk in chunks],
        start_lines=np.array([chunk.start_line for chunk in chunks], np.int32),
        end_lines=np.array([chunk.end_line for chunk in chunks], np.int32),
        sizes=np.array([len(chunk.text) for chunk in chunks], np.int32),
        fingerprints=np.array([fingerprint(chunk.text) for chunk in chunks], np.uint64),
        words=_words().count(texts, embedder),
    )


def _texts_to_count(path: str, parsed: ParsedFile) -> Iterator[ChunkText]:
    """The texts of the chunks; their heads say what is defined in them, and where they are."""
    place = path.rsplit(".", 1)[0]
    if is_notebook(path):
        place += " notebook"  # as people call it: "which notebook trains the agent?"
    definitions = sorted(parsed.definitions, key=_first_line)
    for chunk in parsed.chunks:
        begin = bisect_left(definitions, chunk.start_line, key=_first_line)
        inside = definitions[begin : bisect_right(definitions, chunk.end_line, begin, key=_first_line)]
        # What a file says of itself leads to where it begins.
        docs = [*([parsed.doc] if chunk.start_line == 1 else []), *(d.doc for d in inside)]
        names = {chunk.symbol, *(definition.name for definition in inside)}
        head = " ".join([*(without_keys(path, name) for name in names), place, *docs])
        yield ChunkText(path, chunk.symbol, chunk.text, head)


@functools.cache
def _contents() -> StoredContents:
    return StoredContents()


@functools.cache
def _words() -> ChunkWords:
    return ChunkWords()
