"""Builds a segment of analysed files."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from contextls.memory.index.segments.analysis import Analysis
from contextls.memory.index.segments.chunk_words import WordColumns, embedded_text
from contextls.memory.index.segments.files import kind_codes, path_words
from contextls.memory.index.segments.name_tables import NameTables, stems_of
from contextls.memory.index.segments.outlines import Outline, loads
from contextls.memory.index.segments.segment import Segment, pack_counts
from contextls.memory.index.segments.sign_bits import pack_signs
from contextls.memory.index.terms import TermSplitter, count_in, invert_words
from contextls.models.embedders.base import Embedder
from contextls.store.inverted_index import InvertedIndex
from contextls.store.texts import TextColumn
from contextls.workspace.read import DIGEST_BYTES

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MAX_NUMBER = 127

Number = TypeVar("Number", bound=np.generic)


def build_segment(analyses: Sequence[Analysis], embedder: Embedder) -> Segment:
    """The segment of ``analyses`` (of distinct files). Raises ``EmbedderError``."""
    parts = [analysis.chunks for analysis in analyses]
    counts = np.array([len(part) for part in parts], np.int32)
    paths = TextColumn.of([analysis.path for analysis in analyses])
    names = list(paths)
    words = path_words(names, TermSplitter())
    # Not compressed: a question reads hundreds of them, mostly one part of each.
    written = [analysis.outline.encode("utf-8", "replace") for analysis in analyses]
    outlines = [_read_outline(*both) for both in zip(analyses, written, strict=True)]
    languages, language_codes = _number(analysis.language for analysis in analyses)
    kinds, codes = _number(kind for part in parts for kind in part.columns.kinds[part.start : part.stop])
    columns = [part.columns.words.select(part.start, part.stop) for part in parts if len(part)]
    vectors, scales = quantise(_embed(analyses, columns, embedder))
    terms, lengths = _invert(columns)
    return Segment(
        paths=paths,
        path_order=paths.sort(),
        languages=languages,
        language_codes=language_codes,
        first_chunks=np.concatenate([np.zeros(1, np.int32), np.cumsum(counts, dtype=np.int32)]),
        versions=np.array(
            [
                _version(zlib.crc32(data), part.packed.checksum)
                for data, part in zip(written, parts, strict=True)
            ],
            np.int64,
        ),
        digests=_digests(analyses),
        blocks=TextColumn.of_bytes([part.packed.data for part in parts]),
        outlines=TextColumn.of_bytes(written),
        file_kinds=kind_codes(names),
        word_terms=words[0],
        word_sizes=words[1],
        word_files=words[2],
        chunk_files=np.repeat(np.arange(len(counts), dtype=np.int32), counts),
        chunk_kinds=kinds,
        kind_codes=codes,
        start_lines=_join([part.columns.start_lines[part.start : part.stop] for part in parts], np.int32),
        end_lines=_join([part.columns.end_lines[part.start : part.stop] for part in parts], np.int32),
        lengths=lengths,
        sizes=_join([part.columns.sizes[part.start : part.stop] for part in parts], np.int32),
        fingerprints=_join([part.columns.fingerprints[part.start : part.stop] for part in parts], np.uint64),
        vectors=vectors,
        scales=scales,
        signs=pack_signs(vectors),
        terms=terms,
        definitions=invert_words([{name.lower() for name in each.names} for each in outlines]),
        references=invert_words([each.references for each in outlines]),
        stems=stems_of(names),
        names=NameTables.read(outlines, TermSplitter()),
    )


def quantise(vectors: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Each vector as whole numbers up to 127, and what to multiply them by: a quarter of the bytes, the same ranks."""
    if not vectors.size:
        return np.zeros(vectors.shape, np.int8), np.zeros(len(vectors), np.float32)
    scales = (np.abs(vectors).max(axis=1) / np.float32(_MAX_NUMBER)).astype(np.float32)
    whole = np.rint(vectors / np.where(scales > 0, scales, 1)[:, None]).astype(np.int8)
    return whole, scales


def _digests(analyses: Sequence[Analysis]) -> NDArray[np.uint8]:
    data = b"".join(bytes.fromhex(each.digest).ljust(DIGEST_BYTES, b"\0") for each in analyses)
    return np.frombuffer(data, np.uint8).reshape(len(analyses), DIGEST_BYTES)


def _version(outline: int, block: int) -> int:
    number = outline << 32 | block
    return number - (1 << 64) if number >> 63 else number


def _read_outline(analysis: Analysis, text: bytes) -> Outline:
    return loads(analysis.path, analysis.language, 0, lambda: text)


def _join(parts: Sequence[NDArray[Number]], dtype: type[Number]) -> NDArray[Number]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype)


def _number(values: Iterable[str]) -> tuple[TextColumn, NDArray[np.uint16]]:
    """The distinct values in the order of their first occurrence, and for each value which of them it is."""
    numbers: dict[str, int] = {}
    codes = np.array([numbers.setdefault(value, len(numbers)) for value in values], np.uint16)
    return TextColumn.of(list(numbers)), codes


def _embed(
    analyses: Sequence[Analysis], columns: Sequence[WordColumns], embedder: Embedder
) -> NDArray[np.float32]:
    """The vectors that the workers made, or those of an embedder that they have not."""
    if not columns:
        return np.zeros((0, embedder.dimensions), np.float32)
    if all(each.vectors.shape[1] for each in columns):
        return np.concatenate([each.vectors for each in columns])
    texts = list(chain.from_iterable(map(_embedded_texts, analyses)))
    return np.asarray(embedder.embed_documents(texts), np.float32)


def _embedded_texts(analysis: Analysis) -> list[str]:
    said = analysis.chunks.texts()
    return [embedded_text(analysis.path, *both) for both in zip(said.symbols, said.texts, strict=True)]


def _invert(columns: Sequence[WordColumns]) -> tuple[InvertedIndex, NDArray[np.float32]]:
    """The index over the terms of the chunks, and the words of each one's body."""
    none = np.zeros(0, np.uint32)
    sizes = np.concatenate([np.zeros(0, np.int64), *(np.diff(each.offsets) for each in columns)])
    keys = np.concatenate([none, *(each.terms for each in columns)])
    counts = np.concatenate([none, *(each.counts for each in columns)])
    owners = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    lengths = np.bincount(owners, count_in("body", counts), len(sizes)).astype(np.float32)
    return InvertedIndex.of(keys, owners, pack_counts(counts)), lengths
