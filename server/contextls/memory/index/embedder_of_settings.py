"""The embedder that settings name."""

from __future__ import annotations

from contextls.models.embedders.base import Embedder
from contextls.models.embedders.choose import EmbedderChoice, open_embedder
from contextls.settings import Settings


def embedder_of(settings: Settings) -> Embedder:
    """The embedder that the settings name, ready. Raises as ``open_embedder`` does."""
    return open_embedder(
        EmbedderChoice(
            embedder=settings.embedder,
            embedder_path=settings.embedder_path,
            embedder_endpoint=settings.embedder_endpoint,
            embedder_model=settings.embedder_model,
            embedder_key_variable=settings.embedder_key_variable,
            embedder_consent=settings.embedder_consent,
        )
    )
