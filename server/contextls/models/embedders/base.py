"""The border to embedders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class Embedder(Protocol):
    """Maps texts and queries into one vector space in which the dot product is the similarity.

    Every vector is float32 and has length 1 (the static table's up to 0.004), except for a text without a single word,
    which maps to the zero vector: its similarity to everything is 0. The same text always gives the same vector: the same
    bytes from the static table on every machine, the same up to rounding from models that compute in batches or elsewhere.
    """

    @property
    def identity(self) -> str:
        """A name that changes whenever the vectors may change. Vectors of two identities must never be compared."""

    @property
    def dimensions(self) -> int:
        """The length of a vector; 0 as long as only an endpoint knows it and was not asked yet."""

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row per text: shape ``(len(texts), dimensions)``. Raises ``EmbedderError``.

        A text is a chunk of a file, best with one line of path and symbol before it
        (``server/text/tokens.py Tokenizer.count``).
        """

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, a few keywords or an identifier: shape ``(dimensions,)``. Raises ``EmbedderError``."""

    def close(self) -> None:
        """Let go of connections; it is not asked any more."""


class NoVectors:
    """Stands in for an embedder that fails: every text has the zero vector, so that words alone find it."""

    identity = "none"

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See ``Embedder``."""
        return np.zeros((len(texts), self.dimensions), np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:  # noqa: ARG002 - the protocol's
        """See ``Embedder``."""
        return np.zeros(self.dimensions, np.float32)

    def close(self) -> None:
        """See ``Embedder``: there is nothing to let go of."""
