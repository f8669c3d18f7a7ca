"""Versions of files as the shared table keeps them: one row for what an analysis made of one content at one path."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from contextls.memory.index.analysis import Analysis, ChunkColumns, FileChunks, Skipped
from contextls.memory.index.batches import batch_of
from contextls.memory.index.chunk_words import WordColumns
from contextls.shared_index import arrow_columns as columns
from contextls.store.chunk_batch import ChunkBatch, ChunkRows, Labels, offsets_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.models.embedders.base import Embedder

CHECKSUM_BYTES = 16


@dataclass(frozen=True, slots=True, eq=False)
class FileRows:
    """Files column by column: the chunks of file ``i`` are ``batch[starts[i]:starts[i + 1]]``.

    ``digests`` are what an analysis says, "" for what could not be read; ``skipped`` is "" or why the file stays out;
    ``outlines`` are JSON as ``memory.index.outlines`` writes it.
    """

    keys: NDArray[np.int64]
    paths: tuple[str, ...]
    digests: tuple[str, ...]
    languages: tuple[str, ...]
    skipped: tuple[str, ...]
    outlines: tuple[str, ...]
    starts: NDArray[np.int64]
    batch: ChunkBatch

    def __len__(self) -> int:
        return len(self.paths)

    def text(self, at: int) -> str:
        """The text of a file: that of its chunks, one after the other."""
        texts = self.batch.rows.texts
        inside = texts.data[texts.offsets[self.starts[at]] : texts.offsets[self.starts[at + 1]]]
        return inside.tobytes().decode("utf-8", "replace")

    def results(self) -> list[Analysis | Skipped]:
        """The files as an analysis gives them."""
        batch, rows = self.batch, self.batch.rows
        chunks = ChunkColumns(
            kinds=list(rows.kinds),
            symbols=list(rows.symbols),
            headers=list(rows.headers),
            texts=list(rows.texts),
            start_lines=rows.start_lines,
            end_lines=rows.end_lines,
            words=WordColumns(batch.offsets, batch.terms, batch.counts, batch.vectors),
        )
        return [
            Skipped(path, self.digests[at], self.skipped[at])
            if self.skipped[at]
            else Analysis(
                path,
                self.digests[at],
                self.languages[at],
                FileChunks(chunks, int(self.starts[at]), int(self.starts[at + 1])),
                self.outlines[at],
                (),
            )
            for at, path in enumerate(self.paths)
        ]

    def select(self, keep: NDArray[np.bool_]) -> FileRows:
        """The files where ``keep`` is true."""
        if keep.all():
            return self
        chosen = np.flatnonzero(keep).tolist()
        counts = np.diff(self.starts)

        def chosen_of(column: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(column[at] for at in chosen)

        return FileRows(
            keys=self.keys[keep],
            paths=chosen_of(self.paths),
            digests=chosen_of(self.digests),
            languages=chosen_of(self.languages),
            skipped=chosen_of(self.skipped),
            outlines=chosen_of(self.outlines),
            starts=offsets_of(counts[keep]),
            batch=self.batch.select(np.repeat(keep, counts)),
        )


def key_of(path: str, digest: str) -> int:
    """The number of a version of a file; should two ever share one, their checksums tell them apart."""
    hashed = hashlib.blake2b(f"{digest}\0{path}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(hashed, "little", signed=True)


def rows_of(results: Sequence[Analysis | Skipped], contents: Sequence[str], embedder: Embedder) -> FileRows:
    """The rows of analysed files, whose contents have these digests."""
    analyses = [each for each in results if isinstance(each, Analysis)]
    batch = batch_of(analyses, embedder, 0)
    labels = batch.rows.paths
    counts = dict(
        zip(labels.values, np.bincount(labels.codes, minlength=len(labels.values)).tolist(), strict=True)
    )
    outlines = {each.path: each.outline for each in analyses}
    return FileRows(
        keys=np.array([key_of(each.path, of) for each, of in zip(results, contents, strict=True)], np.int64),
        paths=tuple(each.path for each in results),
        digests=tuple(each.digest for each in results),
        languages=tuple("" if isinstance(each, Skipped) else each.language for each in results),
        skipped=tuple(each.reason if isinstance(each, Skipped) else "" for each in results),
        outlines=tuple(outlines.get(each.path, "") for each in results),
        starts=offsets_of(np.array([counts.get(each.path, 0) for each in results], np.int64)),
        batch=batch,
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

    batch, rows, starts = files.batch, files.batch.rows, files.starts
    dimensions = batch.vectors.shape[1]
    flat = batch.vectors.astype(np.float32).ravel()
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
        "kinds": columns.lists(starts, columns.from_labels(rows.kinds)),
        "symbols": columns.lists(starts, columns.from_texts(rows.symbols)),
        "start_lines": columns.lists(starts, pa.array(rows.start_lines, pa.int32())),
        "end_lines": columns.lists(starts, pa.array(rows.end_lines, pa.int32())),
        "texts": columns.lists(starts, columns.from_texts(rows.texts)),
        "headers": columns.lists(starts, columns.from_labels(rows.headers)),
        "term_counts": columns.lists(starts, pa.array(np.diff(batch.offsets), pa.int32())),
        "terms": columns.lists(batch.offsets[starts], pa.array(batch.terms, pa.uint32())),
        "counts": columns.lists(batch.offsets[starts], pa.array(batch.counts, pa.uint32())),
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
    starts = offsets_of(counts)
    owners = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    paths = tuple(column["path"].to_pylist())
    languages = Labels.of(column["language"].to_pylist())
    batch = ChunkBatch(
        rows=ChunkRows(
            paths=Labels(paths, owners),
            languages=Labels(languages.values, languages.codes[owners]),
            kinds=columns.to_labels(column["kinds"].flatten()),
            symbols=columns.to_texts(column["symbols"].flatten()),
            start_lines=columns.to_numbers(column["start_lines"].flatten(), np.int32),
            end_lines=columns.to_numbers(column["end_lines"].flatten(), np.int32),
            texts=columns.to_texts(column["texts"].flatten()),
            headers=columns.to_labels(column["headers"].flatten()),
        ),
        generations=np.zeros(len(owners), np.int64),
        vectors=_vectors(column["vectors"], column["dimensions"], counts),
        offsets=offsets_of(columns.to_numbers(column["term_counts"].flatten(), np.int64)),
        terms=columns.to_numbers(column["terms"].flatten(), np.uint32),
        counts=columns.to_numbers(column["counts"].flatten(), np.uint32),
    )
    files = FileRows(
        keys=columns.to_numbers(column["key"], np.int64),
        paths=paths,
        digests=tuple(column["digest"].to_pylist()),
        languages=tuple(column["language"].to_pylist()),
        skipped=tuple(column["skipped"].to_pylist()),
        outlines=tuple(column["outline"].to_pylist()),
        starts=starts,
        batch=batch,
    )
    _check_lengths(files, columns.lengths(column["terms"]))
    return files


def checksums(files: FileRows) -> Iterator[bytes]:
    """A checksum of everything that the table says of each file."""
    batch, rows = files.batch, files.batch.rows
    vectors = np.ascontiguousarray(batch.vectors, np.float32)
    for at, said in enumerate(
        zip(files.paths, files.digests, files.languages, files.skipped, files.outlines, strict=True)
    ):
        start, end = int(files.starts[at]), int(files.starts[at + 1])
        chunks = range(start, end)
        labels = [(rows.kinds[n], rows.headers[n]) for n in chunks]
        hashed = hashlib.blake2b(json.dumps([said, labels]).encode(), digest_size=CHECKSUM_BYTES)
        for texts in (rows.symbols, rows.texts):
            hashed.update(np.diff(texts.offsets[start : end + 1]).astype("<i8").tobytes())
            hashed.update(texts.data[texts.offsets[start] : texts.offsets[end]].tobytes())
        hashed.update(np.diff(batch.offsets[start : end + 1]).astype("<i8").tobytes())
        inside = slice(batch.offsets[start], batch.offsets[end])
        for numbers in (
            rows.start_lines[start:end],
            rows.end_lines[start:end],
            batch.terms[inside],
            batch.counts[inside],
        ):
            hashed.update(numbers.astype(numbers.dtype.newbyteorder("<")).tobytes())
        hashed.update(vectors[start:end].astype("<f4").tobytes())
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
    batch, rows = files.batch, files.batch.rows
    chunks = len(rows.kinds)
    same = (rows.symbols, rows.start_lines, rows.end_lines, rows.texts, rows.headers, batch.offsets[1:])
    if any(len(each) != chunks for each in same):
        raise ValueError("the columns of the chunks are not of one length")
    if len(batch.terms) != batch.offsets[-1] or len(batch.counts) != len(batch.terms):
        raise ValueError("the terms are not those of the chunks")
    if not np.array_equal(batch.offsets[files.starts], offsets_of(terms)):
        raise ValueError("the terms are not those of their files")
