"""The embedder that the user chose. Another one is imported only when it is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.models.embedders.static import static_table

if TYPE_CHECKING:
    from contextls.models.embedders.base import Embedder


class EmbedderChoice(Struct, frozen=True):
    """Which embedder, and what it needs; the fields are the settings of the same names."""

    embedder: str = "static"
    embedder_path: str = ""
    embedder_endpoint: str = ""
    embedder_model: str = ""
    embedder_key_variable: str = ""
    embedder_consent: bool = False


def open_embedder(choice: EmbedderChoice) -> Embedder:
    """The chosen embedder, ready. Makes no connection.

    Raises ``InvalidRequestError`` naming the setting that is wrong, ``EmbedderError`` when an extra or a file is
    missing, ``StoreError`` when our own table is damaged.
    """
    if choice.embedder == "onnx":
        if not choice.embedder_path:
            raise InvalidRequestError("contextls.embedderPath", 'the folder of a model for embedder "onnx"')
        from contextls.models.embedders.onnx_model import OnnxEmbedder

        return OnnxEmbedder.load(Path(choice.embedder_path))
    if choice.embedder == "openai":
        from contextls.models.embedders.openai_endpoint import OpenAIEmbedder

        return OpenAIEmbedder(
            choice.embedder_endpoint,
            choice.embedder_model,
            choice.embedder_key_variable,
            consent=choice.embedder_consent,
        )
    return static_table()
