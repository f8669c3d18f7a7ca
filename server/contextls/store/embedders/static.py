"""Our own offline embedder: a table of sub-word vectors, added up and normalised. Needs numpy and nothing else.

docs/embedder.md says what the table learned from, how well it does and where it falls short.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from contextls.errors import StoreError
from contextls.store.embedders.features import Features

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

WEIGHTS = Path(__file__).with_name("static_table.npz")

READING_VERSION = 2
"""Raised whenever ``features.py`` or the pooling below would turn the same text into another vector."""

SYMBOL_COUNT = 10
"""How often the symbol in a text's first line counts: a name says more than the same word somewhere in the code.

Chosen on packages that the table never learned from (docs/embedder.md).
"""

_HEADER = re.compile(r"[^\s./]*[./]\S* (\S+)\n")

MAX_CHARS = 20_000
"""Of a longer text only the beginning is read: chunks are far smaller, and time stays bounded."""


class StaticEmbedder:
    """A text is the sum of its sub-word vectors, each weighted by the square root of its count, scaled to length 1.

    Questions and documents share the vectors; each side has learned its own weight per sub-word, because words like
    "where" or "return" matter to one side only. Where a document begins with a line of path and symbol, the symbol
    counts ``SYMBOL_COUNT`` times. Safe to use from several threads.
    """

    def __init__(
        self,
        table: NDArray[np.int8],
        document_scale: NDArray[np.float32],
        query_scale: NDArray[np.float32],
        vocabulary: Sequence[str],
        identity: str,
    ) -> None:
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
            raw = path.read_bytes()
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
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            counts = Counter(self.features.of(text[:MAX_CHARS]))
            header = _HEADER.match(text)
            if header:
                for feature in self.features.of(header.group(1)):
                    counts[feature] += SYMBOL_COUNT - 1
            self._pool(counts, self._document_scale, rows[row])
        return rows

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """See ``Embedder``."""
        vector = np.zeros(self.dimensions, np.float32)
        self._pool(Counter(self.features.of(text[:MAX_CHARS])), self._query_scale, vector)
        return vector

    def _pool(self, counts: Counter[int], scale: NDArray[np.float32], out: NDArray[np.float32]) -> None:
        if not counts:
            return
        rows = np.fromiter(counts.keys(), np.intp, len(counts))
        weights = np.sqrt(np.fromiter(counts.values(), np.float32, len(counts)))
        weights *= scale[rows]
        np.matmul(weights, self._table[rows].astype(np.float32), out=out)
        length = float(np.sqrt(np.dot(out, out)))
        if length > 0:
            out /= length
