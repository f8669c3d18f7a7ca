"""The embedder that the user chose. Another one is imported only when it is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from contextls.errors import InvalidRequestError
from contextls.models.embedders.static import static_table

if TYPE_CHECKING:
    from contextls.models.embedders.base import Embedder
    from contextls.settings import Settings


def open_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name, ready. Makes no connection.

    Raises ``InvalidRequestError`` naming the setting that is wrong, ``EmbedderError`` when an extra or a file is
    missing, ``StoreError`` when our own table is damaged.
    """
    if settings.embedder == "onnx":
        if not settings.embedder_path:
            raise InvalidRequestError("contextls.embedderPath", 'the folder of a model for embedder "onnx"')
        from contextls.models.embedders.onnx_model import OnnxEmbedder

        return OnnxEmbedder.load(Path(settings.embedder_path))
    if settings.embedder == "openai":
        from contextls.models.embedders.openai_endpoint import OpenAIEmbedder

        return OpenAIEmbedder(
            settings.embedder_endpoint,
            settings.embedder_model,
            settings.embedder_key_variable,
            consent=settings.embedder_consent,
        )
    return static_table()
