"""Versions of files as the shared table keeps them: one row for what an analysis made of one content at one path."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from contextls.memory.index.segments.analysis import Analysis, FileChunks, Skipped
from contextls.memory.index.segments.chunk_words import WordColumns
from contextls.shared_index import arrow_columns as columns
from contextls.shared_index.chunk_rows import ChunkRows, join_chunks, offsets_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.models.embedders.base import Embedder

CHECKSUM_BYTES = 16


class FileRows(Struct, frozen=True, eq=False):
    """Files column by column: the chunks of file ``i`` are those from ``starts[i]`` to before ``starts[i + 1]``.

    ``digests`` are what an analysis says, "" for what could not be read; ``skipped`` is "" or why the file stays out;
    ``outlines`` are JSON as ``memory.index.segments.outlines`` writes it.
    """

    keys: NDArray[np.int64]
    paths: tuple[str, ...]
    digests: tuple[str, ...]
    languages: tuple[str, ...]
    skipped: tuple[str, ...]
    outlines: tuple[str, ...]
    starts: NDArray[np.int64]
    chunks: ChunkRows

    def __len__(self) -> int:
        return len(self.paths)

    def text(self, at: int) -> str:
        """The text of a file: that of its chunks, one after the other."""
        return "".join(self.chunks.texts[self.starts[at] : self.starts[at + 1]])

    def results(self) -> list[Analysis | Skipped]:
        """The files as an analysis gives them."""
        columns, starts = self.chunks.columns(), self.starts.tolist()

        def chunks(start: int, stop: int) -> FileChunks:
            return FileChunks(columns, start, stop, self.chunks.packed(start, stop))

        return [
            Skipped(path, self.digests[at], self.skipped[at])
            if self.skipped[at]
            else Analysis(
                path,
                self.digests[at],
                self.languages[at],
                chunks(starts[at], starts[at + 1]),
                self.outlines[at],
                (),
            )
            for at, path in enumerate(self.paths)
        ]


def key_of(path: str, digest: str) -> int:
    """The number of a version of a file; should two ever share one, their checksums tell them apart."""
    hashed = hashlib.blake2b(f"{digest}\0{path}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(hashed, "little", signed=True)


def rows_of(results: Sequence[Analysis | Skipped], contents: Sequence[str], embedder: Embedder) -> FileRows:
    """The rows of analysed files, whose contents have these digests."""
    analyses = [each for each in results if isinstance(each, Analysis)]
    counts = [len(each.chunks) if isinstance(each, Analysis) else 0 for each in results]
    return FileRows(
        keys=np.array([key_of(each.path, of) for each, of in zip(results, contents, strict=True)], np.int64),
        paths=tuple(each.path for each in results),
        digests=tuple(each.digest for each in results),
        languages=tuple("" if isinstance(each, Skipped) else each.language for each in results),
        skipped=tuple(each.reason if isinstance(each, Skipped) else "" for each in results),
        outlines=tuple("" if isinstance(each, Skipped) else each.outline for each in results),
        starts=offsets_of(counts),
        chunks=join_chunks(analyses, embedder),
    )


def schema() -> Any:  # noqa: ANN401 - pyarrow ships no types
    """The columns of the table."""
    import pyarrow as pa

    def packed(name: str, kind: Any) -> Any:  # noqa: ANN401
        """A column that is worth the time that compressing it takes."""
        said = {"lance-encoding:compression": "zstd"}
        if pa.types.is_list(kind):
            kind = pa.list_(pa.field("item", kind.value_type, metadata=said))
        return pa.field(name, kind, metadata=said)

    return pa.schema(
        [
            pa.field("key", pa.int64()),
            pa.field("path", pa.string()),
            pa.field("digest", pa.string()),
            pa.field("language", pa.string()),
            pa.field("skipped", pa.string()),
            packed("outline", pa.string()),
            pa.field("kinds", pa.list_(pa.string())),
            packed("symbols", pa.list_(pa.string())),
            pa.field("start_lines", pa.list_(pa.int32())),
            pa.field("end_lines", pa.list_(pa.int32())),
            packed("texts", pa.list_(pa.string())),
            packed("headers", pa.list_(pa.string())),
            pa.field("term_counts", pa.list_(pa.int32())),
            pa.field("terms", pa.list_(pa.uint32())),
            pa.field("counts", pa.list_(pa.uint32())),
            pa.field("dimensions", pa.int32()),
            pa.field("vectors", pa.large_binary()),
            pa.field("checksum", pa.binary()),
            pa.field("written", pa.int64()),
        ]
    )


def to_arrow(files: FileRows, written: int) -> Any:  # noqa: ANN401 - pyarrow ships no types
    """A table of ``schema()``, ``written`` at this time (ms since the epoch)."""
    import pyarrow as pa

    chunks, starts, words = files.chunks, files.starts, files.chunks.words
    dimensions = words.vectors.shape[1]
    flat = words.vectors.ravel()
    half = flat.astype(np.float16)
    # Those of the static embedder fit into half the bytes; others are kept as they are.
    numbers = half if np.array_equal(half.astype(np.float32), flat) else flat
    values = {
        "key": pa.array(files.keys),
        "path": pa.array(files.paths, pa.string()),
        "digest": pa.array(files.digests, pa.string()),
        "language": pa.array(files.languages, pa.string()),
        "skipped": pa.array(files.skipped, pa.string()),
        "outline": pa.array(files.outlines, pa.string()),
        "kinds": columns.lists(starts, pa.array(chunks.kinds, pa.string())),
        "symbols": columns.lists(starts, pa.array(chunks.symbols, pa.string())),
        "start_lines": columns.lists(starts, pa.array(chunks.start_lines, pa.int32())),
        "end_lines": columns.lists(starts, pa.array(chunks.end_lines, pa.int32())),
        "texts": columns.lists(starts, pa.array(chunks.texts, pa.string())),
        "headers": columns.lists(starts, pa.array(chunks.headers, pa.string())),
        "term_counts": columns.lists(starts, pa.array(np.diff(words.offsets), pa.int32())),
        "terms": columns.lists(words.offsets[starts], pa.array(words.terms, pa.uint32())),
        "counts": columns.lists(words.offsets[starts], pa.array(words.counts, pa.uint32())),
        "dimensions": pa.array(np.full(len(files), dimensions), pa.int32()),
        "vectors": columns.blobs(starts * dimensions, numbers),
        "checksum": pa.array(list(checksums(files)), pa.binary()),
        "written": pa.array(np.full(len(files), written), pa.int64()),
    }
    return pa.table([values[name] for name in schema().names], schema=schema())


def from_arrow(table: Any) -> FileRows:  # noqa: ANN401 - pyarrow ships no types
    """The files of a table of ``schema()``. Raises ``ValueError`` and its like where the columns do not fit together."""
    table.validate(full=True)
    column = {name: table.column(name).combine_chunks() for name in table.schema.names}
    counts = columns.lengths(column["kinds"])
    files = FileRows(
        keys=columns.to_numbers(column["key"], np.int64),
        paths=tuple(column["path"].to_pylist()),
        digests=tuple(column["digest"].to_pylist()),
        languages=tuple(column["language"].to_pylist()),
        skipped=tuple(column["skipped"].to_pylist()),
        outlines=tuple(column["outline"].to_pylist()),
        starts=offsets_of(counts.tolist()),
        chunks=ChunkRows(
            kinds=column["kinds"].flatten().to_pylist(),
            symbols=column["symbols"].flatten().to_pylist(),
            headers=column["headers"].flatten().to_pylist(),
            texts=column["texts"].flatten().to_pylist(),
            start_lines=columns.to_numbers(column["start_lines"].flatten(), np.int32),
            end_lines=columns.to_numbers(column["end_lines"].flatten(), np.int32),
            words=WordColumns(
                offsets_of(column["term_counts"].flatten().to_pylist()),
                columns.to_numbers(column["terms"].flatten(), np.uint32),
                columns.to_numbers(column["counts"].flatten(), np.uint32),
                _vectors(column["vectors"], column["dimensions"], counts),
            ),
        ),
    )
    _check_lengths(files, columns.lengths(column["terms"]))
    return files


def checksums(files: FileRows) -> Iterator[bytes]:
    """A checksum of everything that the table has of each file."""
    chunks, words = files.chunks, files.chunks.words
    starts, offsets = files.starts.tolist(), words.offsets.tolist()
    for at, said in enumerate(
        zip(files.paths, files.digests, files.languages, files.skipped, files.outlines, strict=True)
    ):
        of = slice(starts[at], starts[at + 1])
        inside = slice(offsets[of.start], offsets[of.stop])
        told = (said, chunks.kinds[of], chunks.symbols[of], chunks.headers[of], chunks.texts[of])
        hashed = hashlib.blake2b(json.dumps(told).encode(), digest_size=CHECKSUM_BYTES)
        for numbers in (
            chunks.start_lines[of],
            chunks.end_lines[of],
            np.diff(words.offsets[of.start : of.stop + 1]),
            words.terms[inside],
            words.counts[inside],
            words.vectors[of],
        ):
            hashed.update(numbers.astype(numbers.dtype.newbyteorder("<")).tobytes())
        yield hashed.digest()


def _vectors(column: Any, dimensions: Any, counts: NDArray[np.int64]) -> NDArray[np.float32]:  # noqa: ANN401
    """The vectors of all chunks; a row's bytes say by their number of which kind they are."""
    lengths = columns.to_numbers(dimensions, np.int64)
    length = int(lengths.max(initial=0))
    found = np.zeros((int(counts.sum()), length), np.float32)
    place = 0
    for raw, count, of in zip(column.to_pylist(), counts.tolist(), lengths.tolist(), strict=True):
        if count and of:
            kind = np.float16 if len(raw) == 2 * count * of else np.float32
            found[place : place + count, :of] = np.frombuffer(raw, kind).reshape(count, of)
        place += count
    return found


def _check_lengths(files: FileRows, terms: NDArray[np.int64]) -> None:
    """Columns of damaged rows may not be of one length. Raises ``ValueError``."""
    chunks, words = files.chunks, files.chunks.words
    same = (
        chunks.symbols,
        chunks.headers,
        chunks.texts,
        chunks.start_lines,
        chunks.end_lines,
        words.offsets[1:],
    )
    if {len(each) for each in same} != {len(chunks.kinds)}:
        raise ValueError("the columns of the chunks are not of one length")
    if len(words.terms) != words.offsets[-1] or len(words.counts) != len(words.terms):
        raise ValueError("the terms are not those of the chunks")
    if not np.array_equal(words.offsets[files.starts], offsets_of(terms.tolist())):
        raise ValueError("the terms are not those of their files")
