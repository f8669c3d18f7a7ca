"""Our own offline embedder: a table of sub-word vectors, added up and normalised. Needs numpy and nothing else.

docs/embedder.md says what the table learned from, how well it does and where it falls short.
"""

from __future__ import annotations

import functools
import hashlib
import io
import math
import struct
import zipfile
from collections import Counter
from itertools import accumulate, chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from contextls.errors import StoreError
from contextls.models.embedders.features import Features
from contextls.regex import compile_late
from contextls.workspace.regular_file import map_bytes, open_regular

if TYPE_CHECKING:
    import mmap
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

WEIGHTS = Path(__file__).with_name("static_table.npz")

# In a member's own header in an archive: the place of the sizes of what follows it, and the place where that begins.
_SIZES_IN_HEADER = 26
_HEADER_BYTES = 30
_ARRAY_HEADER_BYTES = 4_096
_UNREADABLE = (OSError, ValueError, KeyError, EOFError, struct.error, zipfile.BadZipFile)

IDENTITY = "contextls-static"
"""How the identity of every table begins."""

READING_VERSION = 3
"""Raised whenever ``features.py`` or the pooling below would turn the same text into another vector."""

SYMBOL_COUNT = 10
"""How often the symbol in a text's first line counts: a name says more than the same word somewhere in the code.

Chosen on packages that the table never learned from (docs/embedder.md).
"""

GRID = 2_048
"""Vectors hold multiples of 1/2048: products of two are multiples of 2**-22, so that every sum of them up to 4 is exact
in float32. The similarity of two texts is the same, in whatever order and with whatever kernel it is summed."""

_WEIGHT_SUM = 2**17
"""What the whole-numbered weights of one text add up to at most: times 128, every sum of them is exact in float32."""

_HEADER = compile_late(r"[^\s./]*[./]\S* (\S+)\n")

MAX_CHARS = 20_000
"""Of a longer text only the beginning is read: chunks are far smaller, and time stays bounded."""


class StaticEmbedder:
    """A text is the sum of its sub-word vectors, each weighted by the square root of its count, scaled to length 1.

    Questions and documents share the vectors; each side has learned its own weight per sub-word, because words like
    "where" or "return" matter to one side only. Where a document begins with a line of path and symbol, the symbol
    counts ``SYMBOL_COUNT`` times. Sums are of whole numbers and the result is rounded to ``GRID``, so that all machines
    give the same bytes: two kernels of BLAS differ in the last bit of a sum of floats. Safe to use from several threads.
    """

    def __init__(
        self,
        table: NDArray[np.int8],
        document_scale: NDArray[np.float32],
        query_scale: NDArray[np.float32],
        vocabulary: Sequence[str],
        identity: str,
    ) -> None:
        """``table`` has a row per feature; the scales, none below 0, say what it weighs on either side."""
        self.identity = identity
        self.dimensions = int(table.shape[1])
        self._table = table
        self._document_scale = document_scale
        self._query_scale = query_scale
        self.features = Features(
            {part: row for row, part in enumerate(vocabulary)}, len(table) - len(vocabulary)
        )

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> Self:
        """Read a weights file (the one that comes with the package by default); of its table what is used, when it is.

        Raises ``StoreError`` when it is missing or damaged.
        """
        try:
            arrays, sums = _map_arrays(path)
            table, vocabulary = arrays["table"], _read_vocabulary(arrays)
            document, query = arrays["document_scale"].copy(), arrays["query_scale"].copy()
        except _UNREADABLE as error:
            raise StoreError(
                f"{path}: cannot read the embedder's weights ({error}); reinstall contextls"
            ) from error
        digest = hashlib.blake2b(repr(sums).encode(), digest_size=8).hexdigest()
        return cls(table, document, query, vocabulary, f"{IDENTITY}-{READING_VERSION}-{digest}")

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See ``Embedder``."""
        counts = []
        for text in texts:
            count = Counter(self.features.of(text[:MAX_CHARS]))
            for feature in self.features.of(symbol_in(text)):
                count[feature] += SYMBOL_COUNT - 1
            counts.append(count)
        return self.embed_counts(*_flatten(counts))

    def embed_counts(
        self, features: NDArray[np.intp], times: NDArray[np.float32], offsets: NDArray[np.intp]
    ) -> NDArray[np.float32]:
        """The vectors of documents whose features were counted elsewhere.

        Document ``i`` has ``features[offsets[i]:offsets[i + 1]]``, each as often as ``times`` says at the same place.
        """
        return _unit(self._add_up(features, times, offsets, self._document_scale))

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """See ``Embedder``."""
        counts = _flatten([Counter(self.features.of(text[:MAX_CHARS]))])
        vector: NDArray[np.float32] = _unit(self._add_up(*counts, self._query_scale))[0]
        return vector

    def close(self) -> None:
        """See ``Embedder``: the table goes with this object."""

    def _add_up(
        self,
        features: NDArray[np.intp],
        times: NDArray[np.float32],
        offsets: NDArray[np.intp],
        scale: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """The weighted sum of the features' vectors, a row per text: whole numbers, of a size that says nothing."""
        sizes = np.diff(offsets)
        sums = np.zeros((len(sizes), self.dimensions), np.float32)
        filled = np.flatnonzero(sizes)
        if not len(filled):
            return sums
        weights = np.sqrt(times)
        weights *= scale[features]
        largest = sizes[filled] * np.maximum.reduceat(weights, offsets[filled]).astype(np.float64)
        # Rounding adds half of each weight at most.
        factors = np.divide(
            _WEIGHT_SUM - sizes[filled], largest, out=np.zeros_like(largest), where=largest > 0
        )
        weights *= np.repeat(factors.astype(np.float32), sizes[filled])
        np.rint(weights, weights)
        for row, start, stop in zip(
            filled.tolist(), offsets[filled].tolist(), offsets[filled + 1].tolist(), strict=True
        ):
            rows = self._table.take(features[start:stop], axis=0).astype(np.float32)
            np.matmul(weights[start:stop], rows, out=sums[row])
        return sums


@functools.cache
def read_vocabulary() -> tuple[str, ...]:
    """The words that the table knows: those that code is usually made of, in lower case. None where it cannot be read."""
    try:
        return tuple(_read_vocabulary(_map_arrays(WEIGHTS)[0]))
    except _UNREADABLE:
        return ()


def symbol_in(text: str) -> str:
    """The symbol in a text's first line, where that is a line of path and symbol; else ``""``."""
    header = _HEADER.match(text)
    return header.group(1) if header else ""


@functools.cache
def static_table() -> StaticEmbedder:
    """The table that comes with the package, read once per process. Raises ``StoreError``."""
    return StaticEmbedder.load()


def _map_arrays(path: Path) -> tuple[dict[str, NDArray[Any]], list[tuple[str, int]]]:
    """The arrays of an archive where they lie, and its sums of them, which are sooner read than 9 MB are hashed again.

    All processes share their memory, and a question needs a few rows. As with modules of the package, nothing checks that
    they are as they were installed. Raises ``OSError``, and errors of ``_UNREADABLE`` where they cannot be read so.
    """
    with open_regular(path) as file, zipfile.ZipFile(file) as archive:
        members = archive.infolist()
    mapped = map_bytes(path)
    arrays = {member.filename.removesuffix(".npy"): _array_at(mapped, member) for member in members}
    return arrays, sorted((member.filename, member.CRC) for member in members)


def _array_at(mapped: mmap.mmap, member: zipfile.ZipInfo) -> NDArray[Any]:
    if member.compress_type != zipfile.ZIP_STORED:
        raise ValueError(f"{member.filename} is compressed")
    name_size, extra_size = struct.unpack_from("<HH", mapped, member.header_offset + _SIZES_IN_HEADER)
    start = member.header_offset + _HEADER_BYTES + name_size + extra_size
    head = io.BytesIO(mapped[start : start + _ARRAY_HEADER_BYTES])
    np.lib.format.read_magic(head)
    shape, _, dtype = np.lib.format.read_array_header_1_0(head)
    return np.frombuffer(mapped, dtype, math.prod(shape), start + head.tell()).reshape(shape)


def _read_vocabulary(arrays: Mapping[str, NDArray[Any]]) -> list[str]:
    return arrays["vocabulary"].tobytes().decode().split("\n")


def _flatten(
    counts: Sequence[Counter[int]],
) -> tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.intp]]:
    """The features of all texts, how often each occurs, and where those of each text begin and the last ones end."""
    offsets = np.fromiter(accumulate(map(len, counts), initial=0), np.intp, len(counts) + 1)
    features = np.fromiter(chain.from_iterable(counts), np.intp, offsets[-1])
    times = chain.from_iterable(count.values() for count in counts)
    return features, np.fromiter(times, np.float32, offsets[-1]), offsets


def _unit(sums: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row at length 1, rounded to ``GRID``; rows of zeros as they are."""
    whole = sums.astype(np.int64)
    lengths = np.sqrt(np.einsum("ij,ij->i", whole, whole).astype(np.float64))
    factors = np.divide(GRID, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    unit: NDArray[np.float32] = (np.rint(whole * factors[:, None]) / GRID).astype(np.float32)
    return unit
