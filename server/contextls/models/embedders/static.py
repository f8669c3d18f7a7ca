"""Our own offline embedder: a table of sub-word vectors, added up and normalised. Needs numpy and nothing else.

docs/embedder.md says what the table learned from, how well it does and where it falls short.
"""

from __future__ import annotations

import functools
import hashlib
import io
import re
import zipfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from contextls.errors import StoreError
from contextls.models.embedders.features import Features
from contextls.workspace.regular_file import read_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

WEIGHTS = Path(__file__).with_name("static_table.npz")

MAX_BYTES = 256_000_000  # of a table; ours has 8 MB

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

_HEADER = re.compile(r"[^\s./]*[./]\S* (\S+)\n")

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
        """Read a weights file (the one that comes with the package by default).

        Raises ``StoreError`` when it is missing or damaged.
        """
        try:
            raw = read_bytes(path, MAX_BYTES)
            with np.load(io.BytesIO(raw), allow_pickle=False) as stored:
                table, document, query = stored["table"], stored["document_scale"], stored["query_scale"]
                vocabulary = stored["vocabulary"].tobytes().decode().split("\n")
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise StoreError(
                f"{path}: cannot read the embedder's weights ({error}); reinstall contextls"
            ) from error
        digest = hashlib.blake2b(raw, digest_size=8).hexdigest()
        return cls(table, document, query, vocabulary, f"contextls-static-{READING_VERSION}-{digest}")

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See ``Embedder``."""
        sums = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            counts = Counter(self.features.of(text[:MAX_CHARS]))
            header = _HEADER.match(text)
            if header:
                for feature in self.features.of(header.group(1)):
                    counts[feature] += SYMBOL_COUNT - 1
            self._add_up(counts, self._document_scale, sums[row])
        return _unit(sums)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """See ``Embedder``."""
        sums = np.zeros((1, self.dimensions), np.float32)
        self._add_up(Counter(self.features.of(text[:MAX_CHARS])), self._query_scale, sums[0])
        vector: NDArray[np.float32] = _unit(sums)[0]
        return vector

    def _add_up(self, counts: Counter[int], scale: NDArray[np.float32], out: NDArray[np.float32]) -> None:
        """The weighted sum of the features' vectors: whole numbers, of a size that says nothing."""
        if not counts:
            return
        rows = np.fromiter(counts.keys(), np.intp, len(counts))
        weights = np.sqrt(np.fromiter(counts.values(), np.float32, len(counts)))
        weights *= scale[rows]
        largest = len(counts) * float(weights.max())
        if largest > 0:
            weights *= np.float32((_WEIGHT_SUM - len(counts)) / largest)  # rounding adds half of each at most
            np.matmul(np.rint(weights, weights), self._table.take(rows, axis=0).astype(np.float32), out=out)


@functools.cache
def read_vocabulary(path: Path = WEIGHTS) -> tuple[str, ...]:
    """The words that the table knows: those that code is usually made of, in lower case. None where it cannot be read."""
    try:
        with np.load(io.BytesIO(read_bytes(path, MAX_BYTES)), allow_pickle=False) as stored:
            return tuple(stored["vocabulary"].tobytes().decode().split("\n"))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return ()


def _unit(sums: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row at length 1, rounded to ``GRID``; rows of zeros as they are."""
    whole = sums.astype(np.int64)
    lengths = np.sqrt(np.einsum("ij,ij->i", whole, whole).astype(np.float64))
    factors = np.divide(GRID, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    unit: NDArray[np.float32] = (np.rint(whole * factors[:, None]) / GRID).astype(np.float32)
    return unit
