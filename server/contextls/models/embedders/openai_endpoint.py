"""Vectors from an OpenAI-compatible ``/embeddings`` endpoint: Ollama, vLLM, OpenAI itself. Needs ``contextls[openai]``."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from contextls.batches import make_batches
from contextls.errors import EmbedderError
from contextls.models.openai_client import OpenAIClient, Purpose, RetryPolicy
from contextls.regex import compile_late
from contextls.text.redact import redact
from contextls.text.surrogates import replace_surrogates

if TYPE_CHECKING:
    from numpy.typing import NDArray

TEXTS_PER_REQUEST = 64
CHARS_PER_REQUEST = 200_000
"""OpenAI takes 300,000 tokens a request; even of text with a token per character this stays below."""

_WORD = compile_late(r"\w")

INDEXING = RetryPolicy(attempts=5, timeout=120.0)
ASKING = RetryPolicy(attempts=2, timeout=5.0, first_wait=0.2, longest_wait=1.0)
"""A user waits for the answer, and words alone give a good one."""

_PURPOSE = Purpose("embedder", "embeddings", "code and questions", "vectors", EmbedderError)

REST_SECONDS = 30.0
"""After a question failed, questions do without the endpoint for this long, instead of each waiting for it in vain."""


class OpenAIEmbedder:
    """Vectors of an endpoint, scaled to length 1. Safe to use from several threads."""

    def __init__(
        self,
        endpoint: str,
        model: str,
        key_variable: str = "",
        *,
        consent: bool = False,
        indexing: RetryPolicy = INDEXING,
        asking: RetryPolicy = ASKING,
    ) -> None:
        """Check what was given; no connection is made before the first text. Raises as ``OpenAIClient`` does."""
        self._endpoint = OpenAIClient(_PURPOSE, endpoint, model, key_variable, consent=consent)
        self._policies = {"indexing": indexing, "asking": asking}
        self._guard = threading.Lock()
        self._rest_until = 0.0
        self._last_failure = ""
        digest = hashlib.blake2b(f"{self._endpoint.url}\n{model}".encode(), digest_size=8).hexdigest()
        self.identity = f"openai-{model}-{digest}"
        self.dimensions = 0

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See ``Embedder``."""
        return self._embed(texts, self._policies["indexing"])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """See ``Embedder``. Secrets are taken out before the question is sent."""
        if time.monotonic() < self._rest_until:
            raise EmbedderError(self._last_failure)
        try:
            vector: NDArray[np.float32] = self._embed([redact(text).text], self._policies["asking"])[0]
        except EmbedderError as error:
            self._last_failure, self._rest_until = str(error), time.monotonic() + REST_SECONDS
            raise
        return vector

    def close(self) -> None:
        """See ``Embedder``."""
        self._endpoint.close()

    def _embed(self, texts: Sequence[str], policy: RetryPolicy) -> NDArray[np.float32]:
        worded = [number for number, text in enumerate(texts) if _WORD.search(text)]
        batches = make_batches(
            [texts[number] for number in worded],
            len,
            max_items=TEXTS_PER_REQUEST,
            max_weight=CHARS_PER_REQUEST,
        )
        found = [self._request(batch, policy) for batch in batches]
        if not self.dimensions and len(texts):
            self._request(["a"], policy)
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        if found:
            vectors[worded] = np.concatenate(found)
        return vectors

    def _request(self, texts: Sequence[str], policy: RetryPolicy) -> NDArray[np.float32]:
        """The vectors of one batch."""
        body = {
            "model": self._endpoint.model,
            "input": [replace_surrogates(text) for text in texts],
            "encoding_format": "float",
        }
        return self._vectors(self._endpoint.post(body, policy), len(texts))

    def _vectors(self, answer: object, count: int) -> NDArray[np.float32]:
        """The vectors in an answer, checked and scaled to length 1."""
        try:
            data = sorted(answer["data"], key=lambda item: item["index"])  # type: ignore[index]
            indexes = [item["index"] for item in data]
            vectors = np.array([item["embedding"] for item in data], np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise self._endpoint.failure(
                f"the answer is not a list of embeddings ({type(error).__name__}: {error})"
            ) from error
        if indexes != list(range(count)) or vectors.ndim != 2 or not np.isfinite(vectors).all():
            raise self._endpoint.failure(f"expected {count} vectors of finite numbers, got {len(data)} items")
        with self._guard:
            self.dimensions = self.dimensions or vectors.shape[1]
            if vectors.shape[1] != self.dimensions or not self.dimensions:
                raise self._endpoint.failure(
                    f"vectors had {self.dimensions} numbers before and have {vectors.shape[1]} now; "
                    "another model answers: rebuild the index with `contextls clear` and `contextls index`"
                )
        unit: NDArray[np.float32] = vectors / np.maximum(
            np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12
        )
        return unit
