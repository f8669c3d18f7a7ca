"""The settings that indexing depends on."""

from __future__ import annotations

from msgspec import Struct

from contextls.models.embedders.base import Embedder
from contextls.settings import Settings


class IndexingOptions(Struct, frozen=True):
    """The bounds of what is indexed, and the embedder.

    ``embedder`` is its identity: a worker that has it makes the vectors. Every other than our own is slow.
    """

    max_file_bytes: int
    include_noise: bool
    embedder: str
    is_embedder_slow: bool

    @classmethod
    def of(cls, settings: Settings, embedder: Embedder) -> IndexingOptions:
        """The options for these settings and the embedder that they name."""
        return cls(
            max_file_bytes=settings.max_file_bytes,
            include_noise=settings.include_noise,
            embedder=embedder.identity,
            is_embedder_slow=settings.embedder != "static",
        )
